#include "../../lists/observables.h"
#include "parse.h"

#include <math.h>
#include <string.h>

/* The observables of the study's model that a study gets without naming them. */
static omr_observable_set all_observables(const omr_study *study) {
  omr_observable_set all = {{0}};
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (!(omr_observables[i].group & OMR_ON_DEMAND) && !omr_study_lacks_springs(study, i) &&
        (omr_observable_fits(i, study->model, -1) || omr_study_can_observe(study, i)))
      omr_observable_add(&all, i);
  return all;
}

static omr_status read_name(omr_reader *reader, const cJSON *item, int *index) {
  const char *word = cJSON_GetStringValue(item);
  if (!word)
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected an observable's name in quotes, such as \"%s\"",
                        omr_study_observable_name(reader->study, *index));
  return omr_read_observable(reader, item, word, index);
}

/* An observable by expression is kept anyway, and read after the ones that it may use. */
static bool is_derived(const cJSON *output, const cJSON *item) {
  const cJSON *derived = omr_json_get(output, "derived");
  return cJSON_IsObject(derived) && cJSON_IsString(item) &&
         omr_json_get(derived, item->valuestring);
}

static omr_status read_observables(omr_reader *reader, const cJSON *output) {
  const cJSON *list = omr_json_get(output, "observables"), *item;
  if (!list) return OMR_OK;
  OMR_TRY(omr_require_array(reader, list, 0, "observables' names"));
  reader->study->observables = (omr_observable_set){{0}};
  cJSON_ArrayForEach(item, list) {
    int index = 0;
    if (is_derived(output, item)) continue;
    OMR_TRY(read_name(reader, item, &index));
    if (omr_observable_in(&reader->study->observables, index))
      return OMR_REFUSE(reader, item, "\"%s\" is listed twice",
                        omr_study_observable_name(reader->study, index));
    omr_observable_add(&reader->study->observables, index);
  }
  return OMR_OK;
}

/* Switches on what the words of a text name of the observables that are off otherwise. */
static void add_words(const char *text, omr_study *study) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  while (*(text += strcspn(text, letters))) {
    const size_t length = strspn(text, letters);
    for (int i = 0; i < OMR_OBS_COUNT; i++) {
      const char *name = omr_study_observable_name(study, i);
      if (!(omr_observables[i].group & OMR_ON_DEMAND) || strlen(name) != length ||
          memcmp(name, text, length) != 0)
        continue;
      if (omr_study_can_observe(study, i)) omr_observable_add(&study->observables, i);
    }
    text += length;
  }
}

/* Criteria, stop rules, expressions and "ask" need the observables that they name: whoever writes
 * one means it. */
static void add_named(const cJSON *section, omr_study *study) {
  const cJSON *item;
  if (cJSON_IsString(section)) add_words(section->valuestring, study);
  if (!cJSON_IsObject(section) && !cJSON_IsArray(section)) return;
  cJSON_ArrayForEach(item, section) add_named(item, study);
}

/* --set left none of the instances that are listed: the text that is kept asks for none. */
static omr_status forget_trajectories(omr_reader *reader, const cJSON *output) {
  cJSON *from = (cJSON *)(uintptr_t)output;
  reader->study->traces.stride = 0;
  reader->study->traces.interval = 0;
  return omr_json_drop(&reader->json, from, cJSON_GetObjectItemCaseSensitive(from, "trajectories"))
             ? OMR_OK
             : omr_fail_memory(reader);
}

static omr_status read_trajectories(omr_reader *reader, const cJSON *output) {
  omr_study *study = reader->study;
  const cJSON *trajectories;
  OMR_TRY(omr_read_object(reader, output, "trajectories", &trajectories));
  if (!trajectories) return OMR_OK;

  /* Which instances are traced, and how often. */
  OMR_TRY(omr_read_keys(reader, trajectories, OMR_SECTION_TRAJECTORIES, study));
  OMR_TRY(omr_read_traced(reader, trajectories));
  OMR_TRY(omr_read_member(reader, trajectories, OMR_SECTION_TRAJECTORIES, "interval",
                          &study->traces.interval));

  /* The interval is a whole number of steps, within the run. */
  const cJSON *item = omr_json_get(trajectories, "interval");
  const double interval = study->traces.interval;
  OMR_TRY(omr_require_whole_steps(reader, item, "an interval", interval,
                                  &reader->study->traces.stride));
  const int digits = omr_digits_apart(interval, reader->study->time.duration, 9);
  if (omr_controls_steps(reader->study) ? interval > reader->study->time.duration
                                        : reader->study->traces.stride > reader->study->time.steps)
    return OMR_REFUSE(reader, item, "an interval of %.*g s is longer than the duration of %.*g s",
                      digits, interval, digits, reader->study->time.duration);

  /* Without traced instances the settings have no use. */
  return omr_study_traces(reader->study) ? OMR_OK : forget_trajectories(reader, output);
}

enum { MOST_SAMPLED = 10000000 };

/* "all", "none" or {"sample": n}. A run whose end or whose points depend on rows keeps all. */
static omr_status read_rows(omr_reader *reader, const cJSON *output) {
  omr_study *study = reader->study;
  const cJSON *rows = omr_json_get(output, "rows"), *sample = omr_json_get(rows, "sample");
  if (!rows) return OMR_OK;
  const bool none = cJSON_IsString(rows) && strcmp(rows->valuestring, "none") == 0;
  if (cJSON_IsString(rows) && strcmp(rows->valuestring, "all") == 0) return OMR_OK;
  if (!none && (!cJSON_IsObject(rows) || cJSON_GetArraySize(rows) != 1 || !sample))
    return OMR_REFUSE(reader, rows, "expected \"all\", \"none\", or {\"sample\": 1000}");
  if (sample &&
      (!cJSON_IsNumber(sample) || sample->valuedouble < 1 || sample->valuedouble > MOST_SAMPLED ||
       sample->valuedouble != floor(sample->valuedouble)))
    return OMR_REFUSE(reader, sample, "expected a whole number from 1 to %d", MOST_SAMPLED);
  if (study->design.type == OMR_DESIGN_SUBSET)
    return OMR_REFUSE(reader, rows, "a subset simulation draws from its rows; leave \"rows\" out");
  study->rows.summed = true;
  study->rows.sample = sample ? (size_t)sample->valuedouble : 0;
  return OMR_OK;
}

omr_status omr_read_output(omr_reader *reader, const cJSON *root) {
  const cJSON *output;
  reader->study->observables = all_observables(reader->study);
  OMR_TRY(omr_read_section(reader, root, OMR_SECTION_OUTPUT, reader->study, &output));
  OMR_TRY(read_observables(reader, output));
  add_named(omr_json_get(root, "statistics"), reader->study);
  add_named(omr_json_get(output, "derived"), reader->study);
  add_named(omr_json_get(root, "ask"), reader->study);
  OMR_TRY(omr_read_ask(reader, root));
  if (output) OMR_TRY(read_rows(reader, output));
  return output ? read_trajectories(reader, output) : OMR_OK;
}
