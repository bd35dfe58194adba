#include "../lists/observables.h"
#include "hints.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

/* Those of the study's model that are not asked for one by one. */
static omr_observable_set all_observables(omr_model model) {
  omr_observable_set all = {{0}};
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (!(omr_observables[i].group & OMR_ON_DEMAND) && omr_observable_fits(i, model, -1))
      omr_observable_add(&all, i);
  return all;
}

static omr_status require_observable(omr_reader *reader, const cJSON *item, int index) {
  const omr_study *study = reader->study;
  const char *name = omr_observables[index].name, *model = omr_model_names[study->model];
  if (omr_observable_fits(index, study->model, study->wheels)) return OMR_OK;
  if (omr_observable_fits(index, OMR_MODEL_VEHICLE, -1) && study->wheels > 0)
    return omr_json_fail(&reader->json, item, reader->error,
                         "\"%s\": the wheels are numbered from 0, and the study has %d", name,
                         study->wheels);
  return omr_json_fail(
      &reader->json, item, reader->error,
      "\"%s\" is an observable of other models; `omniroll describe %s` lists those of %s", name,
      model, model);
}

/* Whether `part` is one of the words between the underscores of a name. */
static bool has_part(const char *name, const char *part) {
  const size_t length = strlen(part);
  for (const char *at = name; length && (at = strstr(at, part)); at++)
    if ((at == name || at[-1] == '_') && (at[length] == '_' || !at[length])) return true;
  return false;
}

/* The model has many, so that a message names those that may be meant. */
static omr_status fail_unknown(omr_reader *reader, const cJSON *item) {
  enum { MOST = 12 };
  const char *word = item->valuestring, *model = omr_model_names[reader->study->model],
             *names[OMR_OBS_COUNT];
  size_t count = 0, shown = 0;
  omr_text like = {0};
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_observable_fits(i, reader->study->model, reader->study->wheels))
      names[count++] = omr_observables[i].name;
  const char *near = omr_nearest(word, names, count), *hint = omr_word_hint(word, names, count);
  for (size_t i = 0; !near && !hint && i < count && shown < MOST; i++)
    if (has_part(names[i], word)) omr_text_print(&like, "%s\"%s\"", shown++ ? ", " : "", names[i]);
  if (near) omr_text_print(&like, "\"%s\"", near);
  omr_status status = OMR_ERR_MEMORY;
  if (like.failed)
    omr_fail_memory(reader);
  else
    status = omr_json_mistake(
        &reader->json, item, OMR_MISTAKE_WORD, reader->error,
        "unknown word \"%s\"%s%s%s `omniroll describe %s` lists the observables", word,
        hint        ? "; "
        : like.data ? "; did you mean "
                    : "",
        hint        ? hint
        : like.data ? like.data
                    : "",
        !hint && like.data ? "?" : ";", model);
  omr_text_free(&like);
  return status;
}

static omr_status read_name(omr_reader *reader, const cJSON *item, int *index) {
  const char *word = cJSON_GetStringValue(item);
  if (!word)
    return omr_json_mistake(&reader->json, item, OMR_MISTAKE_TYPE, reader->error,
                            "expected an observable's name in quotes, such as \"%s\"",
                            omr_observables[*index].name);
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    *index = i;
    if (strcmp(word, omr_observables[i].name) == 0) return OMR_OK;
  }
  return fail_unknown(reader, item);
}

static omr_status read_observables(omr_reader *reader, const cJSON *output) {
  const cJSON *list = omr_json_get(output, "observables"), *item;
  if (!list) return OMR_OK;
  OMR_TRY(omr_require_array(reader, list, 0, "observables' names"));
  reader->study->observables = (omr_observable_set){{0}};
  cJSON_ArrayForEach(item, list) {
    int index = 0;
    OMR_TRY(read_name(reader, item, &index));
    OMR_TRY(require_observable(reader, item, index));
    if (omr_observable_in(&reader->study->observables, index))
      return omr_json_fail(&reader->json, item, reader->error, "\"%s\" is listed twice",
                           omr_observables[index].name);
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
      const char *name = omr_observables[i].name;
      if (!(omr_observables[i].group & OMR_ON_DEMAND) || strlen(name) != length ||
          memcmp(name, text, length) != 0)
        continue;
      if (omr_observable_fits(i, study->model, study->wheels))
        omr_observable_add(&study->observables, i);
    }
    text += length;
  }
}

/* Criteria and stop rules need what they name: whoever writes one means the observable. */
static void add_named(const cJSON *section, omr_study *study) {
  const cJSON *item;
  if (cJSON_IsString(section)) add_words(section->valuestring, study);
  if (!cJSON_IsObject(section)) return;
  cJSON_ArrayForEach(item, section) add_named(item, study);
}

enum { MAX_ALL = 1 << 20 };

static int compare_indices(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

static omr_status trace_all(omr_reader *reader, const cJSON *item) {
  omr_study *study = reader->study;
  if (study->instances > MAX_ALL)
    return omr_json_fail(
        &reader->json, item, reader->error,
        "the study has %zu instances, too many trajectories; list those wanted: [0, 5]",
        study->instances);
  study->traced = calloc(study->instances, sizeof *study->traced);
  if (!study->traced) return omr_fail_memory(reader);
  study->traced_count = study->instances;
  for (size_t k = 0; k < study->instances; k++) study->traced[k] = k;
  return OMR_OK;
}

static omr_status read_traced(omr_reader *reader, const cJSON *list) {
  omr_study *study = reader->study;
  const char *word = cJSON_GetStringValue(list);
  if (word && strcmp(word, "all") == 0) return trace_all(reader, list);
  if (!cJSON_IsArray(list))
    return omr_json_fail(&reader->json, list, reader->error,
                         "expected \"all\" or a list of instance numbers: [0, 5]");
  OMR_TRY(omr_require_array(reader, list, 1, "instance numbers"));
  study->traced = calloc((size_t)cJSON_GetArraySize(list), sizeof *study->traced);
  if (!study->traced) return omr_fail_memory(reader);
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    double instance;
    OMR_TRY(omr_read_whole(reader, item, 0, 0x1p53, &instance));
    if (instance >= (double)study->instances)
      return omr_json_fail(
          &reader->json, item, reader->error,
          "there is no instance %.0f: the study has %zu, counted from 0; trace others, as --set "
          "output.trajectories.instances=[0] does",
          instance, study->instances);
    study->traced[study->traced_count++] = (size_t)instance;
  }
  qsort(study->traced, study->traced_count, sizeof *study->traced, compare_indices);
  for (size_t i = 1; i < study->traced_count; i++)
    if (study->traced[i] == study->traced[i - 1])
      return omr_json_fail(&reader->json, list, reader->error, "instance %zu is listed twice",
                           study->traced[i]);
  return OMR_OK;
}

static omr_status read_trajectories(omr_reader *reader, const cJSON *output) {
  static const char *const keys[] = {
#define X(id, name, ...) name,
#include "../lists/keys_trajectories.def"
#undef X
  };
  const cJSON *trajectories, *item;
  double interval;
  OMR_TRY(omr_read_object(reader, output, "trajectories", &trajectories));
  if (!trajectories) return OMR_OK;
  OMR_TRY(omr_json_check_keys(&reader->json, trajectories, keys, 2, reader->error));
  OMR_TRY(omr_require(reader, trajectories, "instances", "[0]", &item));
  OMR_TRY(read_traced(reader, item));
  OMR_TRY(omr_require(reader, trajectories, "interval", "\"10 ms\"", &item));
  OMR_TRY(omr_read_time(reader, item, &interval));
  OMR_TRY(
      omr_require_whole_steps(reader, item, "an interval", interval, &reader->study->trace_stride));
  reader->study->trace_interval = interval;
  if (reader->study->tolerance > 0 ? interval > reader->study->duration
                                   : reader->study->trace_stride > reader->study->steps)
    return omr_json_fail(&reader->json, item, reader->error,
                         "an interval of %.9g s is longer than the duration of %.9g s", interval,
                         reader->study->duration);
  return OMR_OK;
}

omr_status omr_read_output(omr_reader *reader, const cJSON *root) {
  static const char *const keys[] = {
#define X(id, name, ...) name,
#include "../lists/keys_output.def"
#undef X
  };
  const cJSON *output;
  reader->study->observables = all_observables(reader->study->model);
  OMR_TRY(omr_read_object(reader, root, "output", &output));
  if (output) OMR_TRY(omr_json_check_keys(&reader->json, output, keys, 2, reader->error));
  OMR_TRY(read_observables(reader, output));
  add_named(omr_json_get(root, "statistics"), reader->study);
  return output ? read_trajectories(reader, output) : OMR_OK;
}
