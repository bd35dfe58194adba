#include "parse.h"

#include "../json/json_scan.h"

#include <stdlib.h>
#include <string.h>

/* A study is read from its beginning for each of them; whoever has made more mends these first. */
enum { MOST_ROUNDS = 48 };
/* Values that are read in all: some seconds' work. A long list that is wrong is told of fewer. */
enum { MOST_VALUES = 1 << 24 };

/* A member that was taken out of the tree, or put into it. */
typedef struct change {
  const cJSON *parent, *section; /* section: the member of the study that it is in, or is */
  omr_mistake_kind kind;
  bool single;   /* a member of the study that is no section: a number or a text */
  char key[64];  /* MISSING: the name of the new member */
  char gone[64]; /* the name of the removed member */
} change;

typedef struct search {
  omr_reader *reader;
  omr_json_positions *positions;
  change changes[MOST_ROUNDS];
  size_t count;
} search;

static cJSON *parent_of(cJSON *from, const cJSON *item) {
  for (cJSON *child = from->child; child; child = child->next) {
    if (child == item) return from;
    cJSON *found = parent_of(child, item);
    if (found) return found;
  }
  return NULL;
}

static bool holds(const cJSON *tree, const cJSON *item) {
  if (tree == item) return true;
  for (const cJSON *child = tree->child; child; child = child->next)
    if (holds(child, item)) return true;
  return false;
}

/* Member of the study that has the item; NULL for the study itself. */
static const cJSON *section_of(const search *s, const cJSON *item) {
  for (const cJSON *child = s->reader->json.root->child; child; child = child->next)
    if (holds(child, item)) return child;
  return NULL;
}

static bool is_named(const cJSON *item, const char *name) {
  return item && item->string && strcmp(item->string, name) == 0;
}

/* MISTAKES THAT FOLLOW FROM OTHERS */

/* Sections in which words decide what other values mean: the type of a drive, of a design. Those of
 * the integrator, the engine and the output choose nothing but themselves. */
static bool has_deciding_words(const cJSON *section) {
  return !is_named(section, "integrator") && !is_named(section, "engine") &&
         !is_named(section, "output");
}

/* Values of these depend on words of the parameters: units of a drive, names of columns. */
static bool depends_on_parameters(const cJSON *section) {
  return is_named(section, "vary") || is_named(section, "statistics") ||
         is_named(section, "output") || is_named(section, "design");
}

/* Numbers that are bounded by how many instances the design has. */
static bool is_bounded_by_design(const cJSON *item, const cJSON *section) {
  const cJSON *stop = is_named(section, "statistics") ? omr_json_get(section, "stop") : NULL;
  return stop && holds(stop, item);
}

/* Names of observables and of parameters follow from the model. */
static bool is_fixed_name(const cJSON *item, const cJSON *section) {
  return is_named(section, "output") || (is_named(section, "vary") && is_named(item, "path"));
}

/* No word is gone by which others are judged. */
static bool is_plain(const change *c) {
  return c->kind == OMR_MISTAKE_UNKNOWN_KEY || c->kind == OMR_MISTAKE_RANGE ||
         c->kind == OMR_MISTAKE_UNIT;
}

static const cJSON *entry_of(const cJSON *list, const cJSON *item) {
  for (const cJSON *entry = list->child; entry; entry = entry->next)
    if (holds(entry, item)) return entry;
  return NULL;
}

/* In one section; of "vary" in one entry, since each stands alone. */
static bool is_beside(const change *c, const cJSON *item, const cJSON *section) {
  if (c->section != section) return false;
  return !cJSON_IsArray(section) || entry_of(section, c->parent) == entry_of(section, item);
}

static bool is_one_of(const cJSON *section, const char *const *names) {
  for (; *names; names++)
    if (is_named(section, *names)) return true;
  return false;
}

/* Whether the rest of a section can depend on what was changed. Of sections that are not listed,
 * misspelt ones among them, and of the study itself everything may. */
static bool affects(const change *c, const cJSON *section) {
  static const struct {
    const char *from, *to[8];
  } list[] = {
      {"title", {NULL}},
      {"description", {NULL}},
      {"made_of", {NULL}},
      {"engine", {"engine", "integrator", NULL}},
      {"output", {"output", "statistics", "integrator", NULL}},
      {"statistics", {"statistics", "design", "integrator", NULL}},
      {"calibrate", {"calibrate", NULL}},
      {"excite", {"excite", NULL}},
      {"data", {"data", "parameters", "vary", "integrator", NULL}},
      {"integrator", {"integrator", "parameters", "output", "engine", "statistics", NULL}},
      {"design", {"design", "vary", "output", "statistics", "integrator", "made_of", NULL}},
      {"vary", {"vary", "design", "output", "statistics", "parameters", "integrator", NULL}},
  };

  /* A plain value among the parameters reaches no further than these. */
  static const char *const of_values[] = {"parameters", "vary", "integrator", NULL};

  /* A mistake of the study itself may come from anything. */
  if (!section) return true;
  if (c->single) return false;
  if (is_named(c->section, "parameters") && is_plain(c)) return is_one_of(section, of_values);

  /* Other sections reach as far as the list says. */
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (is_named(c->section, list[i].from)) return is_one_of(section, list[i].to);
  return true;
}

/* Whether a mistake at the item may come from this change. */
static bool may_follow(const change *c, omr_mistake_kind kind, const cJSON *item,
                       const cJSON *section) {
  const bool plain = is_plain(c);

  /* A mistake of one value follows from words that decide about it, a missing key or a conflict
   * from more. */
  switch (kind) {
  case OMR_MISTAKE_UNKNOWN_KEY: return false; /* the names of a model's members are fixed */
  case OMR_MISTAKE_TYPE:
  case OMR_MISTAKE_WORD:
  case OMR_MISTAKE_UNIT:
  case OMR_MISTAKE_RANGE:
    if (kind == OMR_MISTAKE_WORD && is_fixed_name(item, section)) return false;
    if (is_named(c->section, "design") && is_bounded_by_design(item, section)) return true;
    return !plain && ((is_beside(c, item, section) && has_deciding_words(section)) ||
                      (is_named(c->section, "parameters") && depends_on_parameters(section)));
  case OMR_MISTAKE_MISSING:
    if (c->parent == item || c->section == section) return true;
    if (is_named(c->section, "data")) return true; /* a measured run gives duration and files */
    return !plain && !is_named(section, "integrator") && affects(c, section);
  default: return affects(c, section); /* a conflict has two sides */
  }
}

static bool follows(const search *s, const omr_json_fault *fault) {
  const cJSON *section = fault->item ? section_of(s, fault->item) : NULL;
  for (size_t i = 0; i < s->count; i++)
    if (may_follow(&s->changes[i], fault->kind, fault->item, section)) return true;
  return false;
}

/* CHANGING THE TREE */

/* The example in the place of what is missing; false where it was put in before, or decides what
 * the rest means. */
static bool put_example(search *s, const omr_json_fault *fault, cJSON *object, change *c) {
  for (size_t i = 0; i < s->count; i++)
    if (s->changes[i].parent == object && strcmp(s->changes[i].key, fault->key) == 0) return false;
  if (strcmp(fault->key, "model") == 0) return false;
  cJSON *example = cJSON_Parse(fault->example); /* words after the value are for the reader */
  if (!example || !cJSON_AddItemToObject(object, fault->key, example)) {
    cJSON_Delete(example);
    return false;
  }
  c->parent = object;
  c->section = section_of(s, example);
  snprintf(c->key, sizeof c->key, "%s", fault->key);
  for (size_t i = 0; i < s->count; i++) /* in the place of the mistake */
    if (s->changes[i].parent == object && strcmp(s->changes[i].gone, fault->key) == 0)
      c->kind = s->changes[i].kind;
  return true;
}

/* Old index of the element, so that those behind it keep theirs in messages. */
static bool note_gap(search *s, const cJSON *array, const cJSON *item) {
  omr_json_positions *p = s->positions;
  size_t index = 0, at = p->gap_count;
  if (p->gap_count == OMR_JSON_GAPS) return false;
  for (const cJSON *child = array->child; child != item; child = child->next) index++;
  for (size_t i = 0; i < p->gap_count; i++)
    index += p->gaps[i].array == array && p->gaps[i].index <= index;
  for (; at > 0 && p->gaps[at - 1].array == array && p->gaps[at - 1].index > index; at--)
    p->gaps[at] = p->gaps[at - 1];
  p->gaps[at].array = array;
  p->gaps[at].index = index;
  p->gap_count++;
  return true;
}

/* False where the item is the study itself, or its model or frame, by which all the rest is read.
 */
static bool take_out(search *s, const cJSON *item, change *c) {
  cJSON *root = s->reader->json.root, *parent = item ? parent_of(root, item) : NULL;
  if (!parent || (parent == root && (is_named(item, "model") || is_named(item, "frame"))))
    return false;
  c->parent = parent;
  c->section = section_of(s, item);
  c->single = parent == root && !cJSON_IsObject(item) && !cJSON_IsArray(item);
  snprintf(c->gone, sizeof c->gone, "%s", item->string ? item->string : "");
  if (cJSON_IsArray(parent) && !note_gap(s, parent, item)) return false;
  return omr_json_drop(&s->reader->json, parent, (cJSON *)(uintptr_t)item);
}

static bool change_tree(search *s, const omr_json_fault *fault) {
  change *c = &s->changes[s->count];
  *c = (change){.kind = fault->kind};
  const bool object = fault->item && cJSON_IsObject(fault->item);
  /* where an example does not help, the object goes that has it */
  const bool changed = (fault->kind == OMR_MISTAKE_MISSING && object &&
                        put_example(s, fault, (cJSON *)(uintptr_t)fault->item, c)) ||
                       take_out(s, fault->item, c);
  s->count += changed;
  return changed;
}

/* An example that was put in is no value of the study. */
static bool is_example(const search *s, const cJSON *item) {
  for (size_t i = 0; i < s->count; i++)
    if (*s->changes[i].key && is_named(item, s->changes[i].key) &&
        holds(s->changes[i].parent, item) && !omr_json_position_of(&s->reader->json, item))
      return true;
  return false;
}

void omr_find_more_mistakes(omr_reader *reader, omr_read_again *read) {
  search s = {.reader = reader, .positions = reader->json.positions};
  omr_error *list = reader->error, *own = calloc(1, sizeof *own);
  reader->error = own;
  const size_t rounds = MOST_VALUES / (s.positions->count + 1);
  while (own && s.count < MOST_ROUNDS && s.count < rounds) {
    const omr_json_fault before = s.positions->fault;
    if (!change_tree(&s, &before)) break;
    *own = (omr_error){0};
    s.positions->fault = (omr_json_fault){0};
    if (read(reader) != OMR_ERR_STUDY) break;
    const omr_json_fault *fault = &s.positions->fault;
    if (own->count == 0 || (!fault->item && fault->kind != OMR_MISTAKE_MISSING)) break;
    if (!follows(&s, fault) && !is_example(&s, fault->item)) omr_error_add(list, own);
  }
  reader->error = list;
  free(own);
}
