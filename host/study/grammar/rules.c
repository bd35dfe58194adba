/* The reader of the rules between parameters. */
#include "rules.h"

#include <math.h>
#include <string.h>

const omr_rule omr_rules[] = {
#define WHEEL(when_, ...)                                                                          \
  {                                                                                                \
    .when = OMR_WHEN_##when_, .per_wheel = true, .keys = (const int[]) {                           \
      __VA_ARGS__, -1                                                                              \
    }                                                                                              \
  }
#define VEHICLE(when_, ...)                                                                        \
  {                                                                                                \
    .when = OMR_WHEN_##when_, .keys = (const int[]) {                                              \
      __VA_ARGS__, -1                                                                              \
    }                                                                                              \
  }
#define CHOSEN(word_, choices_)                                                                    \
  { .word = OMR_RULE_##word_, .choices = choices_ }
#define NEEDS(stage, a, b, why) {OMR_RULE_NEEDS, OMR_RULES_##stage, a, b, why},
#define NOT_BOTH(stage, a, b, why) {OMR_RULE_NOT_BOTH, OMR_RULES_##stage, a, b, why},
#define EITHER(stage, a, b, why) {OMR_RULE_EITHER, OMR_RULES_##stage, a, b, why},
#include "../../lists/parameter_rules.def"
};
const int omr_rule_count = sizeof omr_rules / sizeof *omr_rules;

/* ---- sides */

static const cJSON *item_of(const omr_reader *reader, const omr_rule_side *side, int key,
                            int wheel) {
  return side->per_wheel ? reader->wheel_item[wheel][key] : reader->vehicle_item[key];
}

static bool is_there(const omr_reader *reader, const omr_rule_side *side, int key, int wheel) {
  const omr_values *base = &reader->study->base;
  const double value = side->per_wheel ? base->wheel[wheel][key] : base->vehicle[key];
  const bool given = item_of(reader, side, key, wheel) != NULL,
             varied = omr_variation_of(reader->study, side->per_wheel, key, wheel) != NULL;
  switch (side->when) {
  case OMR_WHEN_GIVEN: return given;
  case OMR_WHEN_SET: return !isnan(value);
  case OMR_WHEN_POSITIVE: return value > 0;
  case OMR_WHEN_OVER_ONE: return value > 1 && !varied;
  case OMR_WHEN_VARIED: return varied;
  case OMR_WHEN_NAMED: return given || varied;
  case OMR_WHEN_THERE: return value < 0 || value > 0 || varied;
  }
  return false;
}

static bool is_chosen(const omr_reader *reader, const omr_rule_side *side, int wheel) {
  if (side->choices == OMR_GIVEN) return omr_rule_item(reader, side->word, wheel) != NULL;
  const int choice = omr_rule_choice(reader, side->word, wheel);
  return choice >= 0 && side->choices >> choice & 1;
}

/* Whether a rule holds where its first side is there. *other: the parameter of the second side that
 * the message names, -1 for a word. */
static bool holds(const omr_reader *reader, const omr_rule *rule, int wheel, int *other) {
  const omr_rule_side *b = &rule->b;
  *other = b->keys ? *b->keys : -1;
  if (!b->keys) return omr_rule_choice(reader, b->word, wheel) < 0 || is_chosen(reader, b, wheel);
  if (rule->kind != OMR_RULE_NEEDS) return !is_there(reader, b, *other, wheel);
  for (const int *key = b->keys; *key >= 0; key++) {
    *other = *key;
    if (!is_there(reader, b, *key, wheel)) return false;
  }
  return true;
}

/* Where the file gives a parameter, or varies it. */
static const cJSON *place_of(const omr_reader *reader, const omr_rule_side *side, int key,
                             int wheel) {
  const cJSON *item = item_of(reader, side, key, wheel),
              *vary = omr_json_get(reader->json.root, "vary");
  const bool varied = omr_variation_of(reader->study, side->per_wheel, key, wheel) != NULL;
  switch (side->when) {
  case OMR_WHEN_THERE: return varied ? vary : item ? item : reader->parameters;
  case OMR_WHEN_VARIED: return vary;
  default: return item ? item : varied ? vary : reader->parameters;
  }
}

/* ---- messages */

static const char *path_of(const omr_reader *reader, const omr_rule_side *side, int key) {
  return key < 0 ? "" : omr_target_path(reader, (omr_target){side->per_wheel, key, -1});
}

/* The message of a broken rule, with names in place of the marks of its row. */
static omr_status refuse(omr_reader *reader, const omr_rule *rule, const cJSON *place, int key,
                         int other, int wheel) {
  const omr_study *study = reader->study;
  const char *path = path_of(reader, &rule->a, key), *dot = strrchr(path, '.');
  const omr_variation *varied =
      key < 0 ? NULL : omr_variation_of(study, rule->a.per_wheel, key, wheel);
  omr_text text = {0};

  /* A mark is "%" and a letter; lists/parameter_rules.def says the letters. */
  for (const char *at = rule->why; *at; at += strcspn(at, "%")) {
    if (*at == '%') {
      const omr_rule_side *side = at[1] == 'c' ? &rule->a : &rule->b;
      const int chosen = omr_rule_choice(reader, side->word, wheel);
      switch (at[1]) {
      case 'k': omr_text_print(&text, "%s", path); break;
      case 'l': omr_text_print(&text, "%s", dot ? dot + 1 : path); break;
      case 'o': omr_text_print(&text, "%s", path_of(reader, &rule->b, other)); break;
      case 'v': omr_text_print(&text, "%s", varied ? varied->path : path); break;
      case 'w': omr_text_print(&text, "%d", wheel); break;
      case 'z': omr_text_print(&text, "%s", omr_wheel_path(study->frame, OMR_WP_Z)); break;
      case 'n':
        omr_text_print(&text, "%s",
                       omr_rule_choice_name(study, side->word, __builtin_ctz(side->choices)));
        break;
      default: omr_text_print(&text, "%s", omr_rule_choice_name(study, side->word, chosen)); break;
      }
      at += 2;
    }
    omr_text_print(&text, "%.*s", (int)strcspn(at, "%"), at);
  }

  const omr_status status =
      text.failed ? omr_fail_memory(reader) : OMR_REFUSE(reader, place, "%s", text.data);
  omr_text_free(&text);
  return status;
}

/* ---- stages */

void omr_forget_parameter(omr_reader *reader, int wheel, int index) {
  reader->wheel_item[wheel][index] = NULL;
  reader->study->base.wheel[wheel][index] = omr_wheel_parameters[index].standard;
}

/* A wheel's own value replaces the one of all wheels; two of one place are refused. */
static bool is_settled(omr_reader *reader, int a, int b, int wheel) {
  const cJSON **item = reader->wheel_item[wheel];
  const bool own_a = item[a] != reader->shared_item[a], own_b = item[b] != reader->shared_item[b];
  if (own_a != own_b) omr_forget_parameter(reader, wheel, own_a ? b : a);
  return own_a != own_b;
}

static omr_status check_rule(omr_reader *reader, const omr_rule *rule, int wheel) {
  int other;

  /* The first side is a word. */
  if (!rule->a.keys) {
    if (!is_chosen(reader, &rule->a, wheel) || holds(reader, rule, wheel, &other)) return OMR_OK;
    return refuse(reader, rule, omr_rule_place(reader, rule->a.word, wheel), -1, other, wheel);
  }

  /* Every parameter of the first side is checked by itself. */
  for (const int *key = rule->a.keys; *key >= 0; key++) {
    if (!is_there(reader, &rule->a, *key, wheel) || holds(reader, rule, wheel, &other)) continue;
    if (rule->kind == OMR_RULE_EITHER && is_settled(reader, *key, other, wheel)) continue;
    return refuse(reader, rule, place_of(reader, &rule->a, *key, wheel), *key, other, wheel);
  }
  return OMR_OK;
}

omr_status omr_check_stage_of(omr_reader *reader, omr_rule_stage stage, int wheel) {
  for (int r = 0; r < omr_rule_count; r++)
    if (omr_rules[r].stage == stage) OMR_TRY(check_rule(reader, &omr_rules[r], wheel));
  return OMR_OK;
}

omr_status omr_check_stage(omr_reader *reader, omr_rule_stage stage) {
  const int wheels = reader->study->wheels;
  for (int wheel = 0; wheel < wheels || wheel == 0; wheel++)
    OMR_TRY(omr_check_stage_of(reader, stage, wheel));
  return OMR_OK;
}

static bool has_key(const omr_rule_side *side, omr_target target) {
  for (const int *key = side->keys; key && *key >= 0; key++)
    if (*key == target.index) return side->per_wheel == target.per_wheel;
  return false;
}

bool omr_kind_has(const omr_reader *reader, omr_target target, int wheel) {
  int other;
  for (int r = 0; r < omr_rule_count; r++)
    if (omr_rules[r].b.word == OMR_RULE_KIND && has_key(&omr_rules[r].a, target) &&
        !holds(reader, &omr_rules[r], wheel, &other))
      return false;
  return true;
}

omr_status omr_check_stage_at(omr_reader *reader, omr_rule_stage stage, const cJSON *item,
                              omr_target target, bool all) {
  const int first = omr_target_first(target),
            end = target.per_wheel ? omr_target_end(reader, target) : first + 1;
  for (int r = 0; r < omr_rule_count; r++) {
    const omr_rule *rule = &omr_rules[r];
    int broken = -1, other = -1, count = 0;
    if (rule->stage != stage || !has_key(&rule->a, target)) continue;

    /* The message names the first wheel for which the rule does not hold. */
    for (int wheel = end - 1; wheel >= first; wheel--) {
      const bool lacks = target.per_wheel && target.wheel < 0 &&
                         omr_wheel_lacks(reader->study, wheel, target.index);
      if (!lacks && holds(reader, rule, wheel, &other)) continue;
      if (!lacks) broken = wheel;
      count++;
    }
    if (broken >= 0 && (all || count == end - first))
      return refuse(reader, rule, item, target.index, other, broken);
  }
  return OMR_OK;
}
