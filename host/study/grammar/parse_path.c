/* Parameters by their paths: "platform.mass", "wheel.friction", "wheels[0].radius". */
#include "hints.h"
#include "targets.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Length of "wheel." or "wheels[i]." at the start of path, with *wheel -1 or i; 0 where it is
 * neither. */
static size_t wheel_prefix(const char *path, int *wheel) {
  *wheel = -1;
  if (strncmp(path, "wheel.", 6) == 0) return 6;
  if (strncmp(path, "wheels[", 7) != 0 || !isdigit((unsigned char)path[7])) return 0;
  char *end;
  const long number = strtol(path + 7, &end, 10);
  if (end[0] != ']' || end[1] != '.') return 0;
  *wheel = number < OMR_MAX_WHEELS ? (int)number : OMR_MAX_WHEELS;
  return (size_t)(end + 2 - path);
}

/* Models may give the same path to parameters of their own: that of the study's model goes first.
 */
static int find_parameter(const omr_reader *reader, bool per_wheel, const char *path) {
  int found = -1;
  for (int i = 0; i < (per_wheel ? OMR_WP_COUNT : OMR_VP_COUNT); i++) {
    const omr_target target = {per_wheel, i, -1};
    if (!*path || strcmp(omr_target_path(reader, target), path) != 0) continue;
    if (omr_study_has_parameter(reader->study, per_wheel, i)) return i;
    found = i;
  }
  return found;
}

/* Words of a study, which are no numbers. */
static omr_status fail_word(omr_reader *reader, const cJSON *item, const char *path) {
  return OMR_REFUSE(reader, item,
                    "\"%s\" is a word, and only numbers are varied: run the study once for each "
                    "word, with --set parameters.%s=WORD",
                    path, path);
}

/* Keys of another section. */
static omr_status fail_section(omr_reader *reader, const cJSON *item, const char *path) {
  static const char *const sections[] = {"integrator.", "engine.", "design.", "output.",
                                         "statistics."};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    if (strncmp(path, sections[i], strlen(sections[i])) == 0)
      return OMR_REFUSE(reader, item,
                        "\"%s\" is none of the \"parameters\", and only these are varied: run the "
                        "study once for each value, with --set %s=VALUE%s",
                        path, path,
                        i == 0 ? " (omniroll converge compares steps and methods)" : "");
  return OMR_OK;
}

static size_t common(const char *a, const char *b) {
  size_t length = 0;
  while (a[length] && a[length] == b[length]) length++;
  return length;
}

/* Of the paths, the one that ends in what the path's last name means; of several the one that is
 * most like it, then the shortest. */
static const char *same_end(const char *path, const char *const *paths, size_t count) {
  const char *dot = strrchr(path, '.'), *key = dot ? dot + 1 : path, *found = NULL;
  for (size_t i = 0; i < count; i++) {
    const char *end = strrchr(paths[i], '.');
    if (!*paths[i] || !omr_key_means(key, end ? end + 1 : paths[i])) continue;
    const size_t before = found ? common(path, found) : 0, now = common(path, paths[i]);
    if (!found || now > before || (now == before && strlen(paths[i]) < strlen(found)))
      found = paths[i];
  }
  return found;
}

/* Results have "wheels[0].friction" as the column wheel0_friction. The path of such a name in
 * `path`,
 * "" where it is none. */
static void path_of_column(omr_frame_kind frame, const char *column, char *path, size_t size) {
  int wheel, length = 0;
  *path = '\0';
  if (strncmp(column, "wheel", 5) != 0) return;
  const char *number = column + 5 + (column[5] == 's');
  if (sscanf(number, "%1d_%n", &wheel, &length) != 1 || length == 0) return;
  for (int i = 0; i < OMR_WP_COUNT; i++)
    if (omr_same_words(number + length, omr_wheel_path(frame, i)))
      snprintf(path, size, "wheels[%d].%s", wheel, omr_wheel_path(frame, i));
}

/* "wheel." or "wheels[i]." is left out of what is compared where the path begins so. */
static omr_status fail_unknown(omr_reader *reader, const cJSON *item, const char *path) {
  int wheel;
  const omr_frame_kind frame = reader->study->frame;
  const size_t prefix = wheel_prefix(path, &wheel);
  omr_elsewhere found;
  char elsewhere[OMR_ELSEWHERE_TEXT], before[24];

  /* Another frame may have the name. */
  snprintf(before, sizeof before, "%.*s", (int)prefix, path);
  if (omr_named_elsewhere(frame, reader->study->model,
                          prefix ? OMR_NAMED_OF_WHEEL : OMR_NAMED_PARAMETER, path + prefix,
                          &found)) {
    omr_elsewhere_text(frame, &found, before, elsewhere);
    return OMR_REFUSE(reader, item, "unknown parameter \"%.200s\": %s", path, elsewhere);
  }

  /* Names of the model are the candidates: the name of another model is no help. */
  const char *names[OMR_VP_COUNT + OMR_WP_COUNT];
  char shared[OMR_WP_COUNT][48];
  for (int i = 0; i < OMR_VP_COUNT; i++)
    names[i] = omr_study_has_parameter(reader->study, false, i)
                   ? omr_study_path(reader->study, false, i)
                   : "";
  for (int i = 0; i < OMR_WP_COUNT; i++) {
    const bool known = omr_parameter_belongs(&omr_wheel_parameters[i], reader->study->model);
    snprintf(shared[i], sizeof shared[i], "wheel.%s", omr_wheel_path(frame, i));
    names[OMR_VP_COUNT + i] = !known ? "" : prefix ? omr_wheel_path(frame, i) : shared[i];
  }

  /* The one that is most like the path is proposed. */
  const char *const *among = prefix ? names + OMR_VP_COUNT : names;
  const size_t count = prefix ? OMR_WP_COUNT : OMR_VP_COUNT + OMR_WP_COUNT;
  char whole[80];
  path_of_column(frame, path, whole, sizeof whole);
  const char *near = *whole ? whole : omr_nearest(path + prefix, among, count);
  if (!near) near = same_end(path + prefix, among, count);
  if (near)
    return OMR_MISTAKEN(reader, item, omr_unknown_name(reader->study),
                        "unknown parameter \"%.200s\"; did you mean \"%.*s%s\"?", path, (int)prefix,
                        path, near);

  /* Without a likely one the message says where the names are listed. */
  const char *model = omr_model_names[reader->study->model];
  if (omr_model_is_own(reader->study->model))
    return OMR_MISTAKEN(reader, item, omr_unknown_name(reader->study),
                        "unknown parameter \"%.200s\": the study names none so; give it a value in "
                        "\"parameters\": {\"%s\": ...}",
                        path, path);
  return OMR_MISTAKEN(
      reader, item, OMR_MISTAKE_WORD,
      "unknown parameter \"%.200s\"; expected a path such as \"platform.mass\", \"wheel.friction\" "
      "or \"wheels[0].radius\" (`omniroll describe %s` lists them all)",
      path, model);
}

omr_status omr_find_target(omr_reader *reader, const cJSON *item, const char *path,
                           omr_target *target) {
  if (strncmp(path, "parameters.", 11) == 0)
    return OMR_REFUSE(reader, item, "paths start below \"parameters\": write \"%s\"", path + 11);
  const size_t prefix = wheel_prefix(path, &target->wheel);
  target->per_wheel = prefix > 0;
  target->index = find_parameter(reader, prefix > 0, path + prefix);
  if (target->index < 0) OMR_TRY(fail_section(reader, item, path));
  if (target->index < 0 && omr_is_word_path(path)) return fail_word(reader, item, path);
  if (target->index < 0) return fail_unknown(reader, item, path);
  if (omr_small_list_of(reader->study->model)) return omr_require_usable(reader, item, *target);
  if (target->wheel >= reader->study->wheels)
    return OMR_REFUSE(reader, item, "there is no such wheel: the study has %d, counted from 0",
                      reader->study->wheels);
  return omr_require_usable(reader, item, *target);
}
