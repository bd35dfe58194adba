/* The words of rules: where they stand, and which choice a study has made. */
#include "rules.h"

#include <string.h>

enum { LAWS = -1 }; /* choices are classes of laws, and names those of the laws */

static const struct {
  const char *path;
  const char *const *names;
  const omr_kind *kinds;
  int count;
} words[OMR_RULE_WORDS] = {
#define NAMES(list) .names = list, .count = sizeof list / sizeof *list
#define KINDS(list) .kinds = list, .count = sizeof list / sizeof *list
#define LAW .kinds = omr_law_kinds, .count = LAWS
#define NONE .names = NULL
#define X(id, path_, names_) [OMR_RULE_##id] = {.path = path_, names_},
#include "../../lists/rule_words.def"
#undef X
};

const char *omr_rule_word_path(omr_rule_word word) {
  return words[word].path;
}

/* The class of a law: a bit number of OMR_LAWS_OF_. */
static int class_of(omr_law law) {
  return omr_law_is_bristle(law)    ? 2
         : omr_law_is_tyre(law)     ? 1
         : omr_law_is_friction(law) ? 0
         : omr_law_is_massless(law) ? 3
                                    : 4;
}

/* Choices of the words of a wheel and its drive. */
static int choice_of_wheel(const omr_study *study, omr_rule_word word, int wheel) {
  const omr_drive drive = study->drives.law[wheel];
  const int by = (int)study->drives.by[wheel];
  switch (word) {
  case OMR_RULE_KIND: return study->model == OMR_MODEL_VEHICLE ? (int)study->kind[wheel] : -1;
  case OMR_RULE_QUANTITY: return by;
  case OMR_RULE_BY: return drive == OMR_DRIVE_NONE || drive == OMR_DRIVE_RATE ? -1 : by;
  case OMR_RULE_CONTROLLED_BY: return omr_is_controller(drive) ? by : -1;
  case OMR_RULE_DRIVE: return (int)drive;
  case OMR_RULE_SOME_BY:
    for (int w = 0; w < study->wheels; w++)
      if (study->drives.law[w] != OMR_DRIVE_NONE && study->drives.by[w] == OMR_BY_DUTY)
        return OMR_BY_DUTY;
    return OMR_BY_TORQUE;
  default: return -1;
  }
}

/* The law of wheels without rollers: discs have theirs in contact.law. */
static int choice_of_tyres(const omr_study *study) {
  const omr_law law = study->contact.tyre_law;
  if (study->model != OMR_MODEL_VEHICLE) return -1;
  return law == OMR_LAW_BRUSH   ? OMR_TYRES_BRUSH
         : law == OMR_LAW_MAGIC ? OMR_TYRES_MAGIC
                                : OMR_TYRES_NONE;
}

/* Choices of the words of the contact. */
static int choice_of_contact(const omr_study *study, omr_rule_word word, int wheel) {
  const bool disc = study->model == OMR_MODEL_DISC_VEHICLE, compliant = study->contact.compliant;
  const omr_law law = study->contact.law;
  const int normal = compliant                ? OMR_NORMAL_COMPLIANT
                     : study->contact.penalty ? OMR_NORMAL_PENALTY
                                              : OMR_NORMAL_RIGID;

  /* Words that a study has no use for have the choice -1. */
  switch (word) {
  case OMR_RULE_LAW: return class_of(law);
  case OMR_RULE_TRACKED_LAW: return law != OMR_LAW_CLASSICAL;
  case OMR_RULE_DRILLING_LAW: return omr_kind_uses(&omr_law_kinds[law], OMR_WP_CONTOUR_RADIUS);
  case OMR_RULE_WEIGHTS: return law == OMR_LAW_RELAXED ? (int)study->contact.weights : -1;
  case OMR_RULE_NORMAL: return normal;
  case OMR_RULE_SPRING: return compliant ? study->contact.hertz : -1;
  case OMR_RULE_DAMPER: return compliant ? study->contact.kelvin_voigt : -1;
  case OMR_RULE_NORMAL_OF_DISCS: return disc ? normal : -1;
  case OMR_RULE_NORMAL_OF_ROLLERS: return disc ? -1 : normal;
  case OMR_RULE_ROLLERS: return disc ? study->contact.ballast[wheel] : -1;
  case OMR_RULE_SOME_ROLLERS:
    for (int w = 0; disc && w < study->wheels; w++)
      if (study->contact.ballast[w]) return 1;
    return disc ? 0 : -1;
  case OMR_RULE_TYRE_LAW: return choice_of_tyres(study);
  case OMR_RULE_MAP: return study->floor.map.given;
  default: return choice_of_wheel(study, word, wheel);
  }
}

int omr_rule_choice(const omr_reader *reader, omr_rule_word word, int wheel) {
  const omr_study *study = reader->study;
  switch (word) {
  case OMR_RULE_MODEL: return (int)study->model;
  case OMR_RULE_LAYOUT: return omr_has_platform(study->model) ? (int)study->layout : -1;
  case OMR_RULE_PATH_LAW:
    return study->command.kind == OMR_COMMAND_PATH ? study->command.way.cross : -1;
  case OMR_RULE_PATH_MOTION:
    return study->command.kind == OMR_COMMAND_PATH ? study->command.way.translate : -1;
  case OMR_RULE_SPINS: return (int)study->spins;
  case OMR_RULE_STEPPING:
    if (study->engine.backend == OMR_BACKEND_REFERENCE) return -1;
    return omr_controls_steps(study)             ? OMR_STEPPING_TOLERANCE
           : omr_is_implicit(study->time.method) ? OMR_STEPPING_ROSENBROCK
                                                 : OMR_STEPPING_OTHER;
  default: return choice_of_contact(study, word, wheel);
  }
}

const char *omr_rule_choice_name(const omr_study *study, omr_rule_word word, int choice) {
  if (words[word].count == LAWS) return omr_law_kinds[study->contact.law].name;
  if (choice < 0) return "";
  return words[word].kinds   ? words[word].kinds[choice].name
         : words[word].names ? words[word].names[choice]
                             : "";
}

bool omr_model_has_law(omr_model model, omr_law law) {
  if (omr_law_is_bristle(law)) return model == OMR_MODEL_VEHICLE;
  return model == OMR_MODEL_DISC_VEHICLE ? omr_law_is_friction(law) : !omr_law_is_tyre(law);
}

int omr_rule_names(omr_rule_word word, unsigned choices, omr_model model,
                   const char *names[OMR_RULE_NAMES]) {
  omr_study study = {0};
  const omr_reader reader = {.study = &study};
  const bool of_laws = words[word].count == LAWS;
  int count = 0;

  for (int i = 0; i < (of_laws ? OMR_LAW_KINDS : words[word].count); i++) {
    if (of_laws) study.contact.law = (omr_law)i;
    if (of_laws && !omr_model_has_law(model, study.contact.law)) continue;
    const int choice = of_laws ? omr_rule_choice(&reader, word, 0) : i;
    if (choices >> choice & 1) names[count++] = omr_rule_choice_name(&study, word, choice);
  }
  return count;
}

bool omr_rule_concerns(omr_rule_word word, omr_model model) {
  const bool disc = model == OMR_MODEL_DISC_VEHICLE;
  const char *path = words[word].path;
  char name[48];
  switch (word) {
  case OMR_RULE_MODEL: return false; /* a parameter has its models in its row */
  case OMR_RULE_ROLLERS:
  case OMR_RULE_SOME_ROLLERS:
  case OMR_RULE_NORMAL_OF_DISCS: return disc;
  case OMR_RULE_NORMAL:
  case OMR_RULE_LAYOUT: return omr_has_platform(model);
  case OMR_RULE_NORMAL_OF_ROLLERS: return omr_has_platform(model) && !disc;
  default: break;
  }

  /* Words among the parameters have their models, too. */
  const bool of_wheel = word == OMR_RULE_KIND || strncmp(path, "drive.", 6) == 0;
  snprintf(name, sizeof name, "%s%s", of_wheel ? "wheel." : "",
           strncmp(path, "parameters.", 11) == 0 ? path + 11 : path);
  const omr_key_list *list = &omr_key_lists[OMR_SECTION_WORDS];
  bool listed = false;
  for (int k = 0; k < list->count; k++) {
    if (strcmp(list->keys[k].name, name) != 0) continue;
    if (omr_word_belongs(&list->keys[k], model)) return true;
    listed = true;
  }
  return !listed;
}

/* A key of a wheel's drive: its own one, else the shared one. */
static const cJSON *of_drive(const omr_reader *reader, int wheel, const char *key) {
  const cJSON *own = omr_json_get(cJSON_GetArrayItem(reader->wheels, wheel), "drive"),
              *item = omr_json_get(own, key);
  return item ? item : omr_json_get(omr_json_get(reader->shared, "drive"), key);
}

/* The kind of a wheel, likewise. */
static const cJSON *kind_of(const omr_reader *reader, int wheel) {
  const cJSON *own = omr_json_get(cJSON_GetArrayItem(reader->wheels, wheel), "kind");
  return own ? own : omr_json_get(reader->shared, "kind");
}

/* The member at the word's path; `whole` false: the last object on the way where it is missing. */
static const cJSON *walk(const omr_reader *reader, const char *path, bool whole) {
  const cJSON *at = reader->json.root;
  while (at && *path) {
    char key[32];
    const size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    const cJSON *below = omr_json_get(at, key);
    if (!below && !whole) return at;
    at = below;
    path += length + (path[length] == '.');
  }
  return at;
}

const cJSON *omr_rule_item(const omr_reader *reader, omr_rule_word word, int wheel) {
  const char *path = words[word].path;
  if (word == OMR_RULE_KIND) return kind_of(reader, wheel);
  return strncmp(path, "drive.", 6) == 0 ? of_drive(reader, wheel, path + 6)
                                         : walk(reader, path, true);
}

const cJSON *omr_rule_place(const omr_reader *reader, omr_rule_word word, int wheel) {
  if (word == OMR_RULE_LAYOUT) return cJSON_GetArrayItem(reader->wheels, wheel);
  if (word == OMR_RULE_KIND) return kind_of(reader, wheel);
  if (strncmp(words[word].path, "drive.", 6) != 0) return walk(reader, words[word].path, false);

  /* The type of a replay names the quantity of a drive without "by". */
  const cJSON *item = omr_rule_item(reader, word, wheel);
  return item ? item : of_drive(reader, wheel, "type");
}
