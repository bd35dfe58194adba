/* The sections "parameters" of the models in the schema of study files. */
#include "../study/grammar/parse.h"
#include "../study/grammar/rules.h"
#include "schema.h"

#include <stdio.h>
#include <string.h>

/* Refuses a parameter, by the name that it has in each frame. */
static void refuse_parameter(cJSON *then, omr_model model, bool per_wheel, int index) {
  for (int f = 0; f < OMR_FRAMES; f++) {
    const char *name = omr_schema_name_in((omr_frame_kind)f, model, per_wheel, index);
    if (name) omr_schema_refuse(then, name);
  }
}

/* A list of rows of quantities, the first a time. */
static cJSON *table_of(cJSON *defs, const char *const *units, int columns) {
  cJSON *part = omr_schema_make("{'type': 'array', 'minItems': 2, 'items': {'type': 'array', "
                                "'minItems': %d, 'maxItems': %d}}",
                                columns, columns);
  cJSON *cells = omr_tree_list(cJSON_GetObjectItem(part, "items"), "prefixItems");
  for (int c = 0; c < columns; c++) omr_tree_append(cells, omr_schema_quantity(defs, units[c]));
  return part;
}

/* Rows of places, with or without a yaw. */
static cJSON *points_of(cJSON *defs) {
  static const char *const units[] = {"m", "m", "rad"};
  cJSON *part = table_of(defs, units, 3);
  cJSON_SetNumberValue(cJSON_GetObjectItem(part, "minItems"), 1);
  cJSON_SetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(part, "items"), "minItems"), 2);
  return part;
}

/* The second column is of any quantity that a drive gives. */
static cJSON *drive_table_of(cJSON *defs) {
  static const char *const time[] = {"s"};
  cJSON *part = table_of(defs, time, 1), *items = cJSON_GetObjectItem(part, "items");
  cJSON_SetNumberValue(cJSON_GetObjectItem(items, "minItems"), 2);
  cJSON_SetNumberValue(cJSON_GetObjectItem(items, "maxItems"), 2);
  omr_tree_append(cJSON_GetObjectItem(items, "prefixItems"),
                  omr_schema_make("{'type': ['number', 'string']}"));
  return part;
}

static cJSON *laws_of(omr_model model) {
  cJSON *part = cJSON_CreateObject();
  for (int i = 0; i < OMR_LAW_KINDS; i++)
    if (omr_model_has_law(model, (omr_law)i))
      omr_schema_word(part, omr_law_kinds[i].name, omr_law_kinds[i].meaning);
  return part;
}

/* A word, or a list of a list per wheel. */
static cJSON *spins_of(cJSON *defs) {
  cJSON *list = omr_schema_make("{'type': 'array', 'items': {'type': 'array'}}");
  omr_tree_add(cJSON_GetObjectItem(list, "items"), "items", omr_schema_quantity(defs, "rad s-1"));
  return omr_schema_either(omr_schema_kinds(omr_spins_kinds, 0, OMR_SPINS_VALUES), list);
}

static void name_of_wheel(char *name, size_t size, omr_model model) {
  omr_schema_name(name, size, "wheel", omr_model_names[model]);
}

/* Adds columns of a file that the study names to an object part. */
static void add_columns(cJSON *part, cJSON *defs, const char *const *columns) {
  for (; *columns; columns++) {
    cJSON *column = omr_schema_column(defs);
    omr_schema_describe(column, "the column's name in the header, or an object with it", "",
                        "the same name");
    omr_schema_member(part, *columns, column);
  }
}

/* The member "replay", with the columns that it needs. */
static cJSON *replay_of(cJSON *defs, const char *const *columns) {
  cJSON *part = omr_schema_section(defs, OMR_SECTION_REPLAY, NULL);

  /* The member "columns", which has its description, takes the columns and no others. */
  cJSON *member = omr_schema_get(part, "columns");
  omr_tree_text(member, "type", "object");
  omr_tree_object(member, "properties");
  omr_tree_bool(member, "additionalProperties", false);
  add_columns(member, defs, columns);
  return part;
}

/* The part of a word whose row does not say it; `path` without "wheel.". */
static cJSON *word_part(cJSON *defs, omr_model model, const char *path, const omr_key *word) {
  static const char *const command[] = {"s", "m s-1", "m s-1", "rad s-1"}, *const external[] = {
                                                                               "s",  "N",   "N",
                                                                               "N",  "N m", "N m",
                                                                               "N m"};
  char wheel[OMR_SCHEMA_PATH];

  /* Wheels refer to the definition of a wheel. */
  name_of_wheel(wheel, sizeof wheel, model);
  if (strcmp(path, "wheel") == 0) return omr_schema_refer(wheel);
  if (strcmp(path, "wheels") == 0)
    return omr_schema_make(
        "{'type': 'array', 'minItems': 1, 'maxItems': %d, 'items': {'$ref': '#/$defs/%s'}}",
        OMR_MAX_WHEELS, wheel);

  /* Tables and replays have columns of their own. */
  if (strcmp(path, "floor.map.columns") == 0) {
    cJSON *part = omr_schema_object(); /* names of both frames */
    add_columns(part, defs, (const char *const[]){"x", "z", "y", "height", NULL});
    return part;
  }
  if (strcmp(path, "drive.type") == 0)
    return omr_schema_kinds(omr_drive_kinds, 0,
                            omr_has_platform(model) ? OMR_DRIVE_KINDS : OMR_DRIVE_BODY);
  if (strcmp(path, "drive.table") == 0) return drive_table_of(defs);
  if (strcmp(path, "command.points") == 0) return points_of(defs);
  if (strcmp(path, "command.table") == 0) return table_of(defs, command, 4);
  if (strcmp(path, "motor.data_sheet") == 0)
    return omr_schema_section(defs, OMR_SECTION_MOTOR_SHEET, NULL);
  if (strcmp(path, "drive.replay") == 0)
    return replay_of(
        defs, (const char *const[]){"time", "torque", "voltage", "duty", "rate", "angle", NULL});
  if (strcmp(path, "command.replay") == 0) /* names of both frames */
    return replay_of(defs, (const char *const[]){"time", "vx", "vz", "vy", "yaw_rate", NULL});
  if (strcmp(path, "external.table") == 0) return table_of(defs, external, 7);

  /* Words have the choices of the model. */
  if (strcmp(path, "ground.patch0.shape") == 0)
    return omr_schema_kinds(omr_patch_kinds, 1, OMR_PATCH_KINDS);
  if (strcmp(path, "contact.law") == 0) return laws_of(model);
  return strcmp(path, "initial.spins") == 0 ? spins_of(defs) : omr_schema_key(defs, word);
}

/* The path of another patch, made from the path of the first one. */
static void of_patch(char *path, size_t size, const char *of_first, int patch) {
  snprintf(path, size, "%s", of_first);
  path[sizeof "ground.patch" - 1] = (char)('0' + patch);
}

/* Words of the patches stand in the list for the first one. */
static void add_word(cJSON *part, cJSON *defs, omr_model model, const char *path,
                     const omr_key *word) {
  char other[OMR_SCHEMA_PATH];
  const bool patch = strncmp(path, "ground.patch0.", 14) == 0;
  for (int p = 0; p < (patch ? OMR_PATCHES : 1); p++) {
    cJSON *leaf = word_part(defs, model, path, word);
    omr_schema_describe(leaf, word->meaning, "", "");
    if (patch) of_patch(other, sizeof other, path, p);
    omr_schema_place(part, patch ? other : path, leaf);
  }
}

static void add_words(cJSON *part, cJSON *defs, omr_model model, bool of_wheel) {
  const omr_key_list *list = &omr_key_lists[OMR_SECTION_WORDS];
  for (int k = 0; k < list->count; k++) {
    const omr_key *word = &list->keys[k];
    if (omr_word_belongs(word, model) && of_wheel == (strncmp(word->name, "wheel.", 6) == 0))
      add_word(part, defs, model, word->name + (of_wheel ? 6 : 0), word);
  }
}

/* Each choice of a word refuses the parameters that only its other choices use. */
static void refuse_unused(cJSON *part, omr_model model, const char *path, const omr_kind *kinds,
                          int first, int count, bool per_wheel) {
  for (int i = first; i < count; i++) {
    cJSON *then = omr_schema_when(part, path, kinds[i].name, false);
    for (int other = first; other < count; other++)
      for (const int *used = kinds[other].uses; *used >= 0; used++)
        if (!omr_kind_uses(&kinds[i], *used)) refuse_parameter(then, model, per_wheel, *used);
  }
}

static void add_wheel_parameter(cJSON *wheel, cJSON *defs, omr_model model, int index,
                                omr_frame_kind frame) {
  const omr_parameter parameter = omr_framed_parameter(frame, true, index);
  if (!omr_schema_name_in(frame, model, true, index)) return;
  cJSON *part = omr_schema_parameter(defs, &parameter);
  if (omr_is_drive_amount(index)) { /* a pure number where it is the factor of a table */
    omr_tree_add(part, "type", omr_schema_make("['number', 'string']"));
    cJSON_DeleteItemFromObject(part, "$ref");
  }
  if (index == OMR_WP_GEAR_RATIO) omr_tree_add(part, "not", omr_schema_make("{'const': 0}"));
  omr_schema_place(wheel, parameter.path, part);
}

static void add_wheel(cJSON *defs, omr_model model) {
  char name[OMR_SCHEMA_PATH];
  cJSON *wheel = omr_schema_object();

  /* Each parameter has a name in each frame. */
  for (int i = 0; i < OMR_WP_COUNT * OMR_FRAMES; i++)
    add_wheel_parameter(wheel, defs, model, i / OMR_FRAMES, (omr_frame_kind)(i % OMR_FRAMES));
  add_words(wheel, defs, model, true);

  /* A drive refuses the keys that it has no use for. */
  refuse_unused(wheel, model, "drive.type", omr_drive_kinds, 0, OMR_DRIVE_KINDS, true);
  for (int i = 0; i < OMR_DRIVE_KINDS; i++)
    if (i != OMR_DRIVE_TABLE)
      omr_schema_refuse(omr_schema_when(wheel, "drive.type", omr_drive_kinds[i].name, false),
                        "drive.table");
  for (int i = 0; i < OMR_DRIVE_KINDS; i++)
    if (!omr_is_replay((omr_drive)i))
      omr_schema_refuse(omr_schema_when(wheel, "drive.type", omr_drive_kinds[i].name, false),
                        "drive.replay");

  omr_schema_wheel_rules(wheel, model);

  /* The wheel becomes a definition that other parts refer to. */
  name_of_wheel(name, sizeof name, model);
  omr_tree_add(defs, name, wheel);
}

/* A member of the object part at a key has to be there wherever the object is. */
static void require_in(cJSON *part, const char *key, const char *member) {
  cJSON *object = omr_schema_get(part, key);
  if (object) omr_schema_require(object, member);
}

static void add_patch_rules(cJSON *part, omr_model model, int patch) {
  char path[OMR_SCHEMA_PATH];
  for (int i = 0; i < OMR_GROUND_KINDS; i++) {
    if (i == OMR_GROUND_PATCHES) continue;
    of_patch(path, sizeof path, "ground.patch0", patch);
    omr_schema_refuse(omr_schema_when(part, "ground.type", omr_ground_kinds[i].name, false), path);
  }
  for (int i = 1; i < OMR_PATCH_KINDS; i++) {
    of_patch(path, sizeof path, "ground.patch0.shape", patch);
    cJSON *then = omr_schema_when(part, path, omr_patch_kinds[i].name, false);
    for (int other = 1; other < OMR_PATCH_KINDS; other++)
      for (const int *used = omr_patch_kinds[other].uses; *used >= 0; used++) {
        if (omr_kind_uses(&omr_patch_kinds[i], *used)) continue;
        refuse_parameter(then, model, false, *used + patch * (OMR_VP_PATCH1_X - OMR_VP_PATCH0_X));
      }
  }
}

static void add_ground_rules(cJSON *part, omr_model model) {
  require_in(part, "ground", "type");
  refuse_unused(part, model, "ground.type", omr_ground_kinds, 0, OMR_GROUND_KINDS, false);
  for (int patch = 0; patch < OMR_PATCHES; patch++) add_patch_rules(part, model, patch);
}

static void add_external_rules(cJSON *part, omr_model model) {
  require_in(part, "external", "type");
  refuse_unused(part, model, "external.type", omr_external_kinds, 0, OMR_EXTERNAL_KINDS, false);
  for (int i = 0; i < OMR_EXTERNAL_KINDS; i++) {
    cJSON *then = omr_schema_when(part, "external.type", omr_external_kinds[i].name, false);
    if (i != OMR_EXTERNAL_TABLE) omr_schema_refuse(then, "external.table");
    if (i == OMR_EXTERNAL_NONE) omr_schema_refuse(then, "external.axes");
  }
}

static void add_law_rules(cJSON *part, omr_model model) {
  const int standard = model == OMR_MODEL_DISC_VEHICLE ? OMR_LAW_REGULARIZED : OMR_LAW_COULOMB;
  const omr_key_list *words = &omr_key_lists[OMR_SECTION_WORDS];
  for (int law = 0; law < OMR_LAW_KINDS; law++) {
    cJSON *then = omr_schema_when(part, "contact.law", omr_law_kinds[law].name, law == standard);
    for (int k = 0; k < words->count; k++)
      if (words->keys[k].laws && !(words->keys[k].laws >> law & 1))
        omr_schema_refuse(then, words->keys[k].name);
  }
}

/* Refuses words and parameters of compliant contact where contact.normal is `word`; with the flag
 * only the ones that penalty contact does not have. */
static void refuse_compliant(cJSON *part, omr_model model, const char *word, bool alone) {
  bool (*refused)(omr_target) = alone ? omr_is_of_compliant_alone : omr_is_of_compliant;
  cJSON *then = omr_schema_when(part, "contact.normal", word, !alone);
  omr_schema_refuse(then, "floor.map.file");
  omr_schema_refuse(then, "floor.roughness.class");
  for (int i = 0; i < OMR_VP_COUNT; i++)
    if (refused((omr_target){false, i, -1})) refuse_parameter(then, model, false, i);
  for (int i = 0; i < OMR_WP_COUNT * OMR_FRAMES; i++) {
    const char *name =
        omr_schema_name_in((omr_frame_kind)(i % OMR_FRAMES), model, true, i / OMR_FRAMES);
    if (name && refused((omr_target){true, i / OMR_FRAMES, -1}))
      omr_schema_refuse_of_wheels(then, name);
  }
}

/* Members that rigid contact, and a disc's penalty contact, have no use for. */
static void add_compliant_rules(cJSON *part, omr_model model) {
  refuse_compliant(part, model, "rigid", false);
  if (model == OMR_MODEL_DISC_VEHICLE) refuse_compliant(part, model, "penalty", true);
  omr_schema_refuse(omr_schema_when(part, "floor.roughness.class", NULL, false),
                    "floor.roughness.degree");
  require_in(omr_schema_get(part, "floor"), "map", "file");
}

static cJSON *tracking_of(void) {
  cJSON *part = cJSON_CreateObject();
  for (int i = 0; i < OMR_TRACKING_KINDS; i++) omr_schema_word(part, omr_tracking_names[i], NULL);
  for (int i = 0; i < OMR_TRACKING_KINDS; i++)
    omr_tree_append(omr_schema_list(part, "enum"), cJSON_CreateNumber(i));
  omr_schema_describe(part, omr_vehicle_parameters[OMR_VP_TRACKING].meaning, "", "explicit");
  return part;
}

static void add_vehicle_parameters(cJSON *part, cJSON *defs, omr_model model) {
  for (int i = 0; i < OMR_VP_COUNT * OMR_FRAMES; i++) {
    const omr_frame_kind frame = (omr_frame_kind)(i % OMR_FRAMES);
    const int index = i / OMR_FRAMES;
    const omr_parameter parameter = omr_framed_parameter(frame, false, index);
    if (!omr_schema_name_in(frame, model, false, index)) continue;
    omr_schema_place(part, parameter.path,
                     index == OMR_VP_TRACKING ? tracking_of()
                                              : omr_schema_parameter(defs, &parameter));
  }
}

/* The initial state is an object, or the word for a start by the wheels' rates. */
static void allow_rolling(cJSON *part) {
  cJSON *initial = omr_schema_get(part, "initial");
  cJSON_DeleteItemFromObject(initial, "type");
  omr_tree_add(initial, "type", omr_schema_make("['object', 'string']"));
  omr_tree_add(initial, "pattern", cJSON_CreateString("^rolling$"));
}

/* Words of a command that only one or two types have. */
static void refuse_command_words(cJSON *part) {
  static const struct {
    const char *path;
    omr_command type, other;
  } words[] = {{"command.table", OMR_COMMAND_TABLE, OMR_COMMAND_TABLE},
               {"command.replay", OMR_COMMAND_REPLAY, OMR_COMMAND_REPLAY},
               {"command.points", OMR_COMMAND_WAY_POINTS, OMR_COMMAND_PATH},
               {"command.law", OMR_COMMAND_PATH, OMR_COMMAND_PATH},
               {"command.motion", OMR_COMMAND_PATH, OMR_COMMAND_PATH},
               {"command.closed", OMR_COMMAND_PATH, OMR_COMMAND_PATH},
               {"command.pose", OMR_COMMAND_PATH, OMR_COMMAND_PATH},
               {"command.period", OMR_COMMAND_PATH, OMR_COMMAND_PATH}};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    for (int i = 0; i < OMR_COMMAND_KINDS; i++)
      if (i != (int)words[w].type && i != (int)words[w].other)
        omr_schema_refuse(omr_schema_when(part, "command.type", omr_command_kinds[i].name, false),
                          words[w].path);
}

static cJSON *omni_parameters(cJSON *defs, omr_model model) {
  cJSON *part = omr_schema_object();

  /* Every model with wheels has these parameters and rules. */
  add_wheel(defs, model);
  add_vehicle_parameters(part, defs, model);
  add_words(part, defs, model, false);
  add_ground_rules(part, model);
  add_external_rules(part, model);
  add_law_rules(part, model);
  if (omr_has_platform(model)) add_compliant_rules(part, model);
  omr_schema_rules(part, model);
  omr_schema_needs(part, model);

  /* Only a vehicle has commands and a layout. */
  if (model == OMR_MODEL_VEHICLE) allow_rolling(part);
  if (!omr_has_platform(model)) return part;
  require_in(part, "command", "type");
  cJSON *command = omr_schema_get(part, "command");
  require_in(command, "heading_hold", "period");
  require_in(command, "feedback", "states");
  require_in(command, "feedback", "gains");

  /* A command refuses the keys that it has no use for. */
  refuse_unused(part, model, "command.type", omr_command_kinds, 0, OMR_COMMAND_KINDS, false);
  refuse_command_words(part);

  /* Only the explicit layout needs its wheels. */
  cJSON *then = omr_schema_when(part, "layout.type", omr_layout_names[OMR_LAYOUT_EXPLICIT], false);
  omr_schema_require(then, "wheels");
  return part;
}

/* Whether a word has no effect where `other` has this choice: it stands under another one, at once
 * or with words between. */
static bool is_idle(const omr_small_list *small, const omr_small_word *word,
                    const omr_small_word *other, int choice) {
  for (; word->under; word = &small->word_list[word->under - 1])
    if (&small->word_list[word->under - 1] == other) return word->under_choice != choice;
  return false;
}

/* A word of a small model: its choices, and the parameters that each leaves without use. */
static void add_small_word(cJSON *part, const omr_small_list *small, const omr_small_word *word) {
  const int count = omr_word_choices(word);
  cJSON *leaf = cJSON_CreateObject();
  for (int i = 0; i < count; i++)
    omr_schema_word(leaf, word->choices[i].name, word->choices[i].meaning);
  omr_schema_place(part, word->path, leaf);
  for (int i = 0; i < count; i++) {
    cJSON *then = omr_schema_when(part, word->path, word->choices[i].name, i == 0);
    for (int other = 0; other < count; other++)
      for (const int *used = word->choices[other].uses; *used >= 0; used++)
        if (!omr_choice_uses(&word->choices[i], *used))
          refuse_parameter(then, small->model, false, *used);
    for (int w = 0; w < small->words; w++)
      if (is_idle(small, &small->word_list[w], word, i))
        omr_schema_refuse(then, small->word_list[w].path);
  }
}

cJSON *omr_schema_parameters(cJSON *defs, omr_model model) {
  const omr_small_list *small = omr_small_list_of(model);
  if (!small) return omni_parameters(defs, model);
  if (omr_model_is_own(model)) return omr_schema_own_parameters();
  cJSON *part = omr_schema_object();
  add_vehicle_parameters(part, defs, model);
  for (int w = 0; w < small->words; w++) add_small_word(part, small, &small->word_list[w]);
  return part;
}
