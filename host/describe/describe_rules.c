/* The rules between keys, words and parameters as a table of `omniroll describe`. */
#include "../study/grammar/rules.h"
#include "describe_page.h"

#include <string.h>

enum { NAME = 64, LIST = 512 };

static void add(char *text, size_t size, const char *separator, const char *part) {
  omr_print_more(text, size, "%s%s", *text ? separator : "", part);
}

/* ---- keys of a section */

/* "engine.backend", with the words of the bits: "engine.backend: scalar". */
static void print_key(char *text, size_t size, const omr_key_list *list, const char *name,
                      unsigned bits) {
  const omr_key *key = omr_find_key((omr_section)(list - omr_key_lists), name);
  char words[LIST] = "";
  const bool number = bits == OMR_GIVEN || bits == OMR_CHANGED || bits == OMR_UNCHANGED;
  for (int i = 0; !number && omr_key_word(key, i); i++)
    if (bits >> i & 1) add(words, sizeof words, ", ", omr_key_word(key, i));
  snprintf(text, size, "%s.%s%s%s", list->name, name, *words ? ": " : "", words);
  for (char *at = strchr(text, '_'); at && at < text + strlen(list->name); at = strchr(at, '_'))
    *at = '.';
}

static void add_key_rule(omr_listing *t, const omr_key_rule *rule) {
  const omr_key_list *list = &omr_key_lists[rule->section];
  const bool needs = rule->bys == OMR_UNCHANGED,
             most = !needs && __builtin_popcount(rule->bys) > __builtin_popcount(~rule->bys);
  char name[LIST], other[LIST];
  print_key(name, sizeof name, list, rule->key, rule->values);
  print_key(other, sizeof other, list, rule->by, most ? ~rule->bys : rule->bys);
  const char *cells[] = {name, needs ? "needs" : most ? "only with" : "not with"};
  omr_listing_row(t, cells, other);
}

/* ---- parameters */

static void print_parameter(char *text, size_t size, omr_frame_kind frame, bool per_wheel,
                            int index) {
  snprintf(text, size, "%s%s", per_wheel ? "wheel." : "",
           per_wheel ? omr_wheel_path(frame, index) : omr_vehicle_path(frame, index));
}

/* A word with choices: "contact.law: brush, magic_formula". */
static void print_word(char *text, size_t size, omr_rule_word word, const char *choices) {
  const char *path = omr_rule_word_path(word);
  snprintf(text, size, "%s%s%s%s", strncmp(path, "drive.", 6) == 0 ? "wheel." : "",
           strncmp(path, "parameters.", 11) == 0 ? path + 11 : path, *choices ? ": " : "", choices);
}

static void print_side(char *text, size_t size, omr_frame_kind frame, omr_model model,
                       const omr_rule_side *side) {
  char name[NAME], list[LIST] = "";
  const char *names[OMR_RULE_NAMES];
  const int count = side->keys ? 0 : omr_rule_names(side->word, side->choices, model, names);
  *text = '\0';

  for (int i = 0; i < count; i++) add(list, sizeof list, ", ", names[i]);
  if (!side->keys) print_word(text, size, side->word, list);
  for (const int *key = side->keys; key && *key >= 0; key++) {
    print_parameter(name, sizeof name, frame, side->per_wheel, *key);
    add(text, size, " and ", name);
  }
}

static bool has_key(bool per_wheel, int index, omr_model model) {
  return omr_parameter_belongs(
      per_wheel ? &omr_wheel_parameters[index] : &omr_vehicle_parameters[index], model);
}

/* Whether a side says something about the model: it has the word, or the last parameter. */
static bool concerns(const omr_rule_side *side, omr_model model) {
  if (!side->keys) return omr_rule_concerns(side->word, model);
  const int *key = side->keys;
  while (key[1] >= 0) key++;
  return has_key(side->per_wheel, *key, model);
}

static void add_rule(omr_listing *t, const omr_rule *rule) {
  const omr_model model = t->model;
  static const char *const when[] = {
      [OMR_WHEN_GIVEN] = "",          [OMR_WHEN_SET] = "",
      [OMR_WHEN_NAMED] = "",          [OMR_WHEN_POSITIVE] = "above 0, ",
      [OMR_WHEN_THERE] = "above 0, ", [OMR_WHEN_OVER_ONE] = "above 1, ",
      [OMR_WHEN_VARIED] = "varied, "};
  const char *verb = rule->kind != OMR_RULE_NEEDS ? "not with"
                     : rule->b.keys               ? "needs"
                                                  : "only with";
  char name[LIST], other[LIST], word[NAME];
  const char *names[OMR_RULE_NAMES] = {""}, *cells[] = {name, word};
  print_side(other, sizeof other, t->frame, model, &rule->b);
  if (rule->a.keys && rule->a.when == OMR_WHEN_VARIED && rule->b.keys)
    add(other, sizeof other, " ", "in \"parameters\"");
  snprintf(word, sizeof word, "%s%s", rule->a.keys ? when[rule->a.when] : "", verb);

  /* Every choice of a word has a row, and every parameter of a list. */
  const bool given = rule->a.keys || rule->a.choices == OMR_GIVEN;
  const int count = given ? 1 : omr_rule_names(rule->a.word, rule->a.choices, model, names);
  for (int i = 0; !rule->a.keys && i < count; i++) {
    print_word(name, sizeof name, rule->a.word, names[i]);
    omr_listing_row(t, cells, other);
  }
  for (const int *key = rule->a.keys; key && *key >= 0; key++) {
    if (!has_key(rule->a.per_wheel, *key, model)) continue;
    print_parameter(name, sizeof name, t->frame, rule->a.per_wheel, *key);
    omr_listing_row(t, cells, other);
  }
}

void omr_fill_rules(omr_listing *t) {
  const omr_model model = t->model;
  for (int r = 0; r < omr_rule_count && !omr_small_list_of(model); r++) {
    const omr_rule *rule = &omr_rules[r];
    if ((rule->a.keys || omr_rule_concerns(rule->a.word, model)) && concerns(&rule->b, model))
      add_rule(t, rule);
  }
  for (int r = 0; r < omr_key_rule_count; r++)
    if (omr_key_rules[r].section == OMR_SECTION_INTEGRATOR ||
        omr_key_rules[r].section == OMR_SECTION_ENGINE || omr_has_measured(model))
      add_key_rule(t, &omr_key_rules[r]);
}
