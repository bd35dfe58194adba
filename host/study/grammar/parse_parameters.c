#include "parse.h"
#include "rules.h"

#include <string.h>

/* The keys of one object in the file: a parameter list, and words that other files read. */
typedef struct scope {
  const omr_parameter *list;
  int count;
  int word_count;
  bool per_wheel;
  int wheel;
  omr_model model;
  omr_frame_kind frame;
} scope;

/* Rows of words, and the shapes of the patches after the first one, which have no rows. */
static const char *const patch_words[] = {"ground.patch1.shape", "ground.patch2.shape",
                                          "ground.patch3.shape"};
enum { PATCH_WORDS = sizeof patch_words / sizeof *patch_words };

static int word_count(void) {
  return omr_key_lists[OMR_SECTION_WORDS].count + PATCH_WORDS;
}

/* Path of a word in "parameters", or in a wheel's object; "" where it stands in the other one. */
static const char *word_path(bool per_wheel, int i) {
  const omr_key_list *list = &omr_key_lists[OMR_SECTION_WORDS];
  const char *path = i < list->count ? list->keys[i].name : patch_words[i - list->count];
  const bool of_wheel = strncmp(path, "wheel.", 6) == 0;
  return of_wheel != per_wheel ? "" : path + (of_wheel ? 6 : 0);
}

enum { MAX_KEYS = OMR_VP_COUNT + OMR_WP_COUNT, KEY_SIZE = 48 };

bool omr_is_word_path(const char *path) {
  const bool of_wheel = strncmp(path, "wheel.", 6) == 0;
  for (int i = 0; i < word_count() && strchr(path, '.'); i++)
    if (strcmp(path + (of_wheel ? 6 : 0), word_path(of_wheel, i)) == 0) return true;
  return false;
}

static scope vehicle_scope(const omr_study *study) {
  const omr_small_list *small = omr_small_list_of(study->model);
  return (scope){
      omr_vehicle_parameters, OMR_VP_COUNT, small ? small->words : word_count(), false, -1,
      study->model,           study->frame};
}

static scope wheel_scope(const omr_study *study, int wheel) {
  return (scope){omr_wheel_parameters, OMR_WP_COUNT, word_count(), true, wheel,
                 OMR_MODEL_VEHICLE,    study->frame};
}

/* Omni models know each other's parameters, which makes for better messages, but not those of small
 * models; these know only their own. */
static bool in_scope(const scope *in, const omr_parameter *parameter) {
  if (omr_small_list_of(in->model)) return omr_parameter_belongs(parameter, in->model);
  return (parameter->flags & OMR_FOR_ALL) == 0 || (parameter->flags & OMR_FOR_OMNI);
}

/* "" for a parameter of other models. */
static const char *scope_path(const scope *in, int i) {
  const omr_small_list *small = omr_small_list_of(in->model);
  if (i < in->count && !in_scope(in, &in->list[i])) return "";
  if (i < in->count)
    return in->per_wheel ? omr_wheel_path(in->frame, i) : omr_vehicle_path(in->frame, i);
  return small ? small->word_list[i - in->count].path : word_path(in->per_wheel, i - in->count);
}

static bool is_group(const scope *in, const char *path) {
  const size_t length = strlen(path);
  for (int i = 0; i < in->count + in->word_count; i++) {
    const char *known = scope_path(in, i);
    if (strncmp(known, path, length) == 0 && known[length] == '.') return true;
  }
  return false;
}

/* Next segments of the paths that start with prefix, each once. */
static size_t level_keys(const scope *in, const char *prefix, char keys[MAX_KEYS][KEY_SIZE],
                         const char *names[MAX_KEYS]) {
  const size_t length = strlen(prefix);
  size_t count = 0;
  for (int i = 0; i < in->count + in->word_count; i++) {
    const char *path = scope_path(in, i);
    if (!*path || strncmp(path, prefix, length) != 0) continue;
    const size_t segment = strcspn(path + length, ".");
    bool seen = false;
    for (size_t k = 0; k < count && !seen; k++)
      seen = strlen(keys[k]) == segment && strncmp(keys[k], path + length, segment) == 0;
    if (seen) continue;
    snprintf(keys[count], KEY_SIZE, "%.*s", (int)segment, path + length);
    names[count] = keys[count];
    count++;
  }
  return count;
}

static void store(omr_reader *reader, const cJSON *item, omr_target target, double value) {
  omr_values *base = &reader->study->base;
  if (!target.per_wheel) {
    base->vehicle[target.index] = value;
    reader->vehicle_item[target.index] = item;
    return;
  }
  if (target.wheel < 0) reader->shared_item[target.index] = item;
  for (int wheel = omr_target_first(target); wheel < omr_target_end(reader, target); wheel++) {
    base->wheel[wheel][target.index] = value;
    reader->wheel_item[wheel][target.index] = item;
  }
}

/* Several values in the place of one. */
static omr_status fail_several(omr_reader *reader, const cJSON *item, omr_target target) {
  char wheel[24] = "";
  if (target.per_wheel && target.wheel < 0) snprintf(wheel, sizeof wheel, "wheel.");
  if (target.per_wheel && target.wheel >= 0)
    snprintf(wheel, sizeof wheel, "wheels[%d].", target.wheel);
  const char *path = omr_target_path(reader, target);
  return OMR_MISTAKEN(
      reader, item, OMR_MISTAKE_TYPE,
      "expected one value; a list or a range of them stands in \"vary\": [{\"path\": \"%s%s\", "
      "\"values\": [...]}], or there \"uniform\": [low, high] with a design that draws",
      wheel, path);
}

static omr_status read_parameter(omr_reader *reader, const cJSON *item, omr_target target) {
  const char *unit = omr_target_unit(reader, target);

  /* A shared drive of a given type decides which of its parameters are used, and their units. */
  if (target.per_wheel && target.wheel < 0 && omr_is_drive_parameter(target.index) &&
      reader->shared_drive_typed) {
    const omr_kind *kind = &omr_drive_kinds[reader->shared_drive];
    if (!omr_kind_uses(kind, target.index))
      return omr_fail_unused(reader, item, "drive", kind, item->string);
    OMR_TRY(omr_check_stage_at(reader, OMR_RULES_QUANTITY, item, target, false));
    unit = omr_is_drive_amount(target.index) && reader->shared_drive == OMR_DRIVE_TABLE
               ? "1"
               : omr_target_parameter(target)->unit;
  } else {
    OMR_TRY(omr_require_usable(reader, item, target));
  }

  /* The value is stored with the sign that it has in the engine's frame. */
  if (cJSON_IsArray(item) || cJSON_IsObject(item)) return fail_several(reader, item, target);
  double value;
  OMR_TRY(omr_read_target(reader, item, target, unit, &value));
  OMR_TRY(omr_require_bounds(reader, item, target, value));
  store(reader, item, target, omr_turned(omr_target_turn(reader, target, unit), value));
  return OMR_OK;
}

static int find_path(const scope *in, const char *path) {
  for (int i = 0; i < in->count; i++)
    if (strcmp(scope_path(in, i), path) == 0) return i;
  return -1;
}

/* A key that another frame has at this place; where the one of this frame stands beside it,
 * something else is meant. */
static omr_status refuse_other_frames(omr_reader *reader, const cJSON *object, const scope *in,
                                      const char *prefix) {
  const cJSON *member;
  const size_t length = strlen(prefix);
  cJSON_ArrayForEach(member, object) {
    char path[KEY_SIZE], elsewhere[OMR_ELSEWHERE_TEXT];
    omr_elsewhere found;
    snprintf(path, sizeof path, "%s%.40s", prefix, member->string);

    /* Known keys pass, and so do keys that no other frame has here. */
    if (find_path(in, path) >= 0 || is_group(in, path) ||
        !omr_named_elsewhere(in->frame, reader->study->model,
                             in->per_wheel ? OMR_NAMED_OF_WHEEL : OMR_NAMED_PARAMETER, path,
                             &found) ||
        strncmp(found.here, prefix, length) != 0 || omr_json_get(object, found.here + length))
      continue;

    /* The message gives the name in this frame, without the prefix. */
    found.here += length;
    omr_elsewhere_text(in->frame, &found, "", elsewhere);
    return OMR_MISTAKEN(reader, member, OMR_MISTAKE_UNKNOWN_KEY, "unknown key \"%s\": %s",
                        member->string, elsewhere);
  }
  return OMR_OK;
}

/* One value in the place of several: names those that stand there. */
static omr_status fail_group(omr_reader *reader, const cJSON *member, const scope *in,
                             const char *path) {
  enum { TOLD = 3 };
  char below[KEY_SIZE], keys[MAX_KEYS][KEY_SIZE], told[TOLD * (KEY_SIZE + 8) + 8] = "";
  const char *names[MAX_KEYS];
  snprintf(below, sizeof below, "%.*s.", KEY_SIZE - 2, path);
  const size_t count = level_keys(in, below, keys, names);
  for (size_t i = 0; i < count && i < TOLD; i++)
    omr_print_more(told, sizeof told, "%s\"%s\": ...", i ? ", " : "", names[i]);
  const bool rolls =
      reader->study->model == OMR_MODEL_VEHICLE && !in->per_wheel && strcmp(path, "initial") == 0;
  return OMR_MISTAKEN(
      reader, member, OMR_MISTAKE_TYPE, "expected an object: \"%s\": {%s%s}%s", member->string,
      told, count > TOLD ? ", ..." : "",
      rolls ? ", or \"initial\": \"rolling\" for the motion that the wheels' rates make" : "");
}

/* Depth is bounded by the longest path of the lists. */
static omr_status read_level(omr_reader *reader, const cJSON *object, const scope *in,
                             const char *prefix) {
  char keys[MAX_KEYS][KEY_SIZE];
  const char *names[MAX_KEYS];
  const size_t count = level_keys(in, prefix, keys, names);

  /* Names of another frame get a better message than unknown keys, so they are checked first. */
  OMR_TRY(refuse_other_frames(reader, object, in, prefix));
  OMR_TRY(omr_json_check_keys(&reader->json, object, names, count, reader->error));

  /* Members are parameters, or objects that hold the next level of the path. */
  const cJSON *member;
  cJSON_ArrayForEach(member, object) {
    char path[KEY_SIZE], below[KEY_SIZE];
    snprintf(path, sizeof path, "%s%s", prefix, member->string);
    const int index = find_path(in, path);
    if (index >= 0) {
      OMR_TRY(read_parameter(reader, member, (omr_target){in->per_wheel, index, in->wheel}));
    } else if (is_group(in, path)) {
      if (omr_starts_rolling_by_word(reader) && strcmp(path, "initial") == 0 && !in->per_wheel)
        continue;
      if (!cJSON_IsObject(member)) return fail_group(reader, member, in, path);
      snprintf(below, sizeof below, "%.*s.", KEY_SIZE - 2, path);
      OMR_TRY(read_level(reader, member, in, below));
    }
  }
  return OMR_OK;
}

static void set_defaults(omr_values *base) {
  for (int i = 0; i < OMR_VP_COUNT; i++) base->vehicle[i] = omr_vehicle_parameters[i].standard;
  for (int wheel = 0; wheel < OMR_MAX_WHEELS; wheel++)
    for (int i = 0; i < OMR_WP_COUNT; i++) base->wheel[wheel][i] = omr_wheel_parameters[i].standard;
}

/* A disc's spring is a tyre's, a roller's is stiffer, and its damping follows from a ratio. */
static void set_contact_defaults(omr_study *study) {
  for (int wheel = 0; wheel < OMR_MAX_WHEELS; wheel++) {
    double *values = study->base.wheel[wheel];
    values[OMR_WP_STIFFNESS] = study->contact.compliant ? 4e5 : 4e4;
    values[OMR_WP_DAMPING] = study->contact.compliant ? OMR_UNSET : 400;
  }
}

/* A wheel whose own drive is of another type than the shared one starts from the defaults of that
 * type. */
static void forget_other_drives(omr_reader *reader) {
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    if (!reader->shared_drive_typed || reader->study->drives.law[wheel] == reader->shared_drive)
      continue;
    for (int i = 0; i < OMR_WP_COUNT; i++) {
      if (!omr_is_drive_parameter(i)) continue;
      reader->study->base.wheel[wheel][i] = omr_wheel_parameters[i].standard;
      reader->wheel_item[wheel][i] = NULL;
    }
  }
}

/* A caster's or a free tracking wheel's own motor comes after this. */
static void forget_shared_motors(omr_reader *reader) {
  for (int wheel = 0; wheel < reader->study->wheels; wheel++)
    for (int i = 0; i < OMR_WP_COUNT; i++)
      if (omr_wheel_lacks(reader->study, wheel, i)) omr_forget_parameter(reader, wheel, i);
}

static omr_status read_values(omr_reader *reader) {
  const scope vehicle = vehicle_scope(reader->study), shared = wheel_scope(reader->study, -1);
  if (reader->parameters) OMR_TRY(read_level(reader, reader->parameters, &vehicle, ""));
  if (reader->shared) OMR_TRY(read_level(reader, reader->shared, &shared, ""));
  OMR_TRY(omr_read_motor_sheet(reader, reader->shared, -1));
  forget_other_drives(reader);
  forget_shared_motors(reader);
  int wheel = 0;
  const cJSON *object;
  cJSON_ArrayForEach(object, reader->wheels) {
    const scope own = wheel_scope(reader->study, wheel);
    OMR_TRY(read_level(reader, object, &own, ""));
    OMR_TRY(omr_read_motor_sheet(reader, object, wheel++));
  }
  return OMR_OK;
}

omr_status omr_read_parameters(omr_reader *reader, const cJSON *root) {
  set_defaults(&reader->study->base);
  OMR_TRY(omr_read_object(reader, root, "parameters", &reader->parameters));

  /* Small models have parameters only, without wheels, drives or ground. */
  if (omr_small_list_of(reader->study->model)) {
    OMR_TRY(omr_read_small(reader));
    return read_values(reader);
  }

  /* The kinds of wheels, drives, contact and ground decide which parameters are used. */
  OMR_TRY(omr_read_layout(reader));
  OMR_TRY(omr_read_odometry(reader));
  OMR_TRY(omr_read_command(reader));
  OMR_TRY(omr_read_drives(reader));
  OMR_TRY(omr_read_feedback(reader));
  OMR_TRY(omr_read_contact(reader));
  OMR_TRY(omr_read_discs(reader));
  OMR_TRY(omr_read_compliant(reader));
  OMR_TRY(omr_check_wheel_count(reader));
  OMR_TRY(omr_read_floor(reader));
  set_contact_defaults(reader->study);
  OMR_TRY(omr_read_ground(reader));
  OMR_TRY(omr_read_external(reader));

  /* Values come before the checks between them. */
  OMR_TRY(read_values(reader));
  OMR_TRY(omr_read_words(reader, reader->parameters, ""));
  OMR_TRY(omr_check_wheels(reader));
  OMR_TRY(omr_check_motors(reader));
  OMR_TRY(omr_make_path(reader));
  OMR_TRY(omr_check_drives(reader));
  OMR_TRY(omr_read_motion(reader));
  OMR_TRY(omr_check_outer_loops(reader));
  OMR_TRY(omr_check_way(reader));
  return omr_read_spins(reader);
}
