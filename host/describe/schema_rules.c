/* The rules between parameters in the schema, as far as it can say them: by the words and keys of
 * one section, since a variation elsewhere may fill in for a missing value. */
#include "../study/grammar/rules.h"
#include "schema.h"

#include <string.h>

/* The parameter `key` of a side must not be there, in any frame; of wheels neither for all of them
 * nor for single ones. */
static void refuse(cJSON *then, omr_model model, const omr_rule_side *side, int key) {
  for (int f = 0; f < OMR_FRAMES; f++) {
    const char *name = omr_schema_name_in((omr_frame_kind)f, model, side->per_wheel, key);
    if (name && side->per_wheel) omr_schema_refuse_of_wheels(then, name);
    if (name && !side->per_wheel) omr_schema_refuse(then, name);
  }
}

/* A word refuses the parameters, or the other word, of a rule that needs another choice of it. */
static void add_word_rule(cJSON *part, omr_model model, const omr_rule *rule) {
  const omr_rule_side *a = &rule->a, *b = &rule->b;
  const char *path = omr_rule_word_path(b->word) + sizeof "parameters." - 1, *names[OMR_RULE_NAMES];
  omr_study study = {.model = model,
                     .contact.law =
                         model == OMR_MODEL_DISC_VEHICLE ? OMR_LAW_REGULARIZED : OMR_LAW_COULOMB};
  const omr_reader reader = {.study = &study};

  /* The choice of a study that leaves the word out. */
  const int standard = omr_rule_choice(&reader, b->word, 0);
  const char *first = standard < 0 ? "" : omr_rule_choice_name(&study, b->word, standard);

  const int count = omr_rule_names(b->word, ~b->choices, model, names);
  for (int i = 0; i < count; i++) {
    cJSON *then = omr_schema_when(part, path, names[i], strcmp(names[i], first) == 0);
    if (!a->keys) omr_schema_refuse(then, omr_rule_word_path(a->word) + sizeof "parameters." - 1);
    for (const int *key = a->keys; key && *key >= 0; key++) refuse(then, model, a, *key);
  }
}

static bool is_of_parameters(omr_rule_word word) {
  return strncmp(omr_rule_word_path(word), "parameters.", 11) == 0;
}

/* Whether a word has a name for each choice that refuses something. */
static bool has_names(const omr_rule_side *side) {
  const char *names[OMR_RULE_NAMES];
  return is_of_parameters(side->word) &&
         omr_rule_names(side->word, ~0u, OMR_MODEL_VEHICLE, names) > 0;
}

void omr_schema_rules(cJSON *part, omr_model model) {
  for (int r = 0; r < omr_rule_count; r++) {
    const omr_rule *rule = &omr_rules[r];
    const omr_rule_side *a = &rule->a;
    const bool given = a->keys ? a->when == OMR_WHEN_GIVEN || a->when == OMR_WHEN_NAMED
                               : a->choices == OMR_GIVEN && is_of_parameters(a->word) &&
                                     omr_rule_concerns(a->word, model);
    if (given && !rule->b.keys && has_names(&rule->b) && omr_rule_concerns(rule->b.word, model))
      add_word_rule(part, model, rule);
  }
}

/* Both sides are parameters of wheels that stand in the file. */
static bool is_between_given(const omr_rule *rule) {
  const omr_rule_side *a = &rule->a, *b = &rule->b;
  return a->keys && b->keys && a->per_wheel && b->per_wheel && a->when == OMR_WHEN_GIVEN &&
         b->when == OMR_WHEN_GIVEN;
}

void omr_schema_wheel_rules(cJSON *wheel, omr_model model) {
  for (int r = 0; r < omr_rule_count; r++) {
    const omr_rule *rule = &omr_rules[r];
    if (rule->kind == OMR_RULE_NEEDS || !is_between_given(rule)) continue;
    const char *name = omr_schema_name_in(OMR_FRAME_Y_UP, model, true, *rule->a.keys),
               *other = omr_schema_name_in(OMR_FRAME_Y_UP, model, true, *rule->b.keys);
    if (name && other) omr_schema_refuse(omr_schema_when(wheel, name, NULL, false), other);
  }
}

/* Without "wheels" the parameters of all wheels are all that there are. */
void omr_schema_needs(cJSON *part, omr_model model) {
  for (int r = 0; r < omr_rule_count; r++) {
    const omr_rule *rule = &omr_rules[r];
    if (rule->kind != OMR_RULE_NEEDS || !is_between_given(rule)) continue;

    /* Each parameter of the first side asks for all of the second. */
    for (const int *key = rule->a.keys; *key >= 0; key++) {
      char path[OMR_SCHEMA_PATH];
      const char *name = omr_schema_name_in(OMR_FRAME_Y_UP, model, true, *key);
      if (!name) continue;
      snprintf(path, sizeof path, "wheel.%s", name);

      /* With "wheels" a wheel may have the rest of its own. */
      cJSON *any = omr_tree_list(omr_schema_when(part, path, NULL, false), "anyOf");
      omr_tree_append(any, omr_schema_make("{'required': ['wheels']}"));
      cJSON *all = omr_tree_row(any);
      for (const int *other = rule->b.keys; *other >= 0; other++) {
        snprintf(path, sizeof path, "wheel.%s",
                 omr_schema_name_in(OMR_FRAME_Y_UP, model, true, *other));
        omr_schema_require_at(all, path);
      }
    }
  }
}
