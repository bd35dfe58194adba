/* Which instances output.trajectories traces: by number, or by name. Names that are cells of the
 * design become numbers here; the nominal vehicle and extremes are run after the others. */
#include "hints.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#define EXTREMES "extremes of "
#define NAMES "\"nominal\", \"first_of_each_cell\" or \"extremes of OBSERVABLE\""

enum { MAX_ALL = 1 << 20, NOTED = 8 };

/* Every `stride`-th instance. */
static omr_status trace_every(omr_reader *reader, const cJSON *item, size_t stride) {
  omr_study *study = reader->study;
  const size_t count = study->instances / stride;
  if (count > MAX_ALL)
    return OMR_REFUSE(reader, item,
                      "the study has %zu %s, too many trajectories; list those wanted: [0, 5]",
                      count, stride > 1 ? "cells" : "instances");
  if (!omr_grow(&study->traces.instances, study->traces.count + count, sizeof(size_t)))
    return omr_fail_memory(reader);
  for (size_t k = 0; k < count; k++) study->traces.instances[study->traces.count++] = k * stride;
  return OMR_OK;
}

static omr_status trace_cells(omr_reader *reader, const cJSON *item) {
  const omr_study *study = reader->study;
  const bool nested = omr_design_has_cells(study->design.type);
  if (!nested && study->design.type != OMR_DESIGN_GRID)
    return OMR_REFUSE(reader, item,
                      "a design of type %s has no cells, those of type grid and nested have; list "
                      "instance numbers instead: [0, 5]",
                      omr_design_kinds[study->design.type].name);
  reader->study->traces.cells = nested;
  return trace_every(reader, item, nested ? study->sample.points : 1);
}

static omr_status trace_extremes(omr_reader *reader, const cJSON *item, const char *name) {
  omr_study *study = reader->study;
  int index = 0;
  OMR_TRY(omr_read_kept_observable(reader, item, name, &index));
  for (size_t i = 0; i < study->traces.extreme_count; i++)
    if (study->traces.extremes[i] == index)
      return OMR_REFUSE(reader, item, "\"%s%s\" is listed twice", EXTREMES, name);
  if (!omr_grow(&study->traces.extremes, study->traces.extreme_count + 1, sizeof(int)))
    return omr_fail_memory(reader);
  study->traces.extremes[study->traces.extreme_count++] = index;
  return OMR_OK;
}

static omr_status fail_name(omr_reader *reader, const cJSON *item, const char *word) {
  static const char *const names[] = {"all", "nominal", "first_of_each_cell", "extremes"};
  const char *near = omr_nearest(word, names, sizeof names / sizeof *names);
  const bool extremes = strncmp(word, "extreme", 7) == 0 || strncmp(word, "max", 3) == 0 ||
                        strncmp(word, "min", 3) == 0;
  if (extremes) near = "extremes of OBSERVABLE";
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_WORD,
                      "unknown word \"%.200s\"%s%s%s (there is: numbers from 0 on, \"all\", " NAMES
                      ")",
                      word, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static omr_status read_name(omr_reader *reader, const cJSON *item) {
  const char *word = item->valuestring;
  if (strcmp(word, "all") == 0) return trace_every(reader, item, 1);
  if (strcmp(word, "first_of_each_cell") == 0) return trace_cells(reader, item);
  if (strncmp(word, EXTREMES, strlen(EXTREMES)) == 0)
    return trace_extremes(reader, item, word + strlen(EXTREMES));
  if (strcmp(word, "nominal") != 0) return fail_name(reader, item, word);
  reader->study->traces.nominal = true;
  return OMR_OK;
}

/* The file asks for what it has, and --set left fewer. *written is SIZE_MAX until it is known. */
static bool was_put_out(const omr_reader *reader, const cJSON *item, double instance,
                        size_t *written) {
  if (!reader->as_written || omr_json_line(&reader->json, item) == 0) return false;
  if (*written == SIZE_MAX) *written = reader->as_written(reader);
  return instance < (double)*written;
}

static omr_status read_number(omr_reader *reader, const cJSON *item, size_t *written, bool *out) {
  omr_study *study = reader->study;
  double instance;
  OMR_TRY(omr_read_whole(reader, item, 0, 0x1p53, &instance));
  *out = instance >= (double)study->instances;
  if (*out && was_put_out(reader, item, instance, written)) return OMR_OK;
  if (*out)
    return OMR_REFUSE(reader, item,
                      "there is no instance %.0f: the study has %zu, counted from 0; trace others, "
                      "as --set output.trajectories.instances=[0] does",
                      instance, study->instances);
  study->traces.instances[study->traces.count++] = (size_t)instance;
  return OMR_OK;
}

static omr_status read_names(omr_reader *reader, const cJSON *list) {
  const cJSON *item, *other;
  cJSON_ArrayForEach(item, list) {
    if (!cJSON_IsString(item)) continue;
    for (other = list->child; other != item; other = other->next)
      if (cJSON_IsString(other) && strcmp(other->valuestring, item->valuestring) == 0)
        return OMR_REFUSE(reader, item, "\"%s\" is listed twice", item->valuestring);
    OMR_TRY(read_name(reader, item));
  }
  return OMR_OK;
}

/* "instances 50 and 90 are not traced: ..."; the text that is kept asks for them no more. */
static omr_status drop(omr_reader *reader, cJSON *list, cJSON *const *out, size_t count) {
  omr_study *study = reader->study;
  omr_text note = {0};
  omr_text_print(&note, "not traced: instance%s ", count > 1 ? "s" : "");
  for (size_t i = 0; i < count && i < NOTED; i++)
    omr_text_print(&note, "%s%.0f", i ? ", " : "", out[i]->valuedouble);
  if (count > NOTED) omr_text_print(&note, " and %zu more", count - NOTED);
  omr_text_print(&note,
                 ", which output.trajectories asks for: with --set the study has %zu instance%s, "
                 "counted from 0",
                 study->instances, study->instances == 1 ? "" : "s");
  for (size_t i = 0; i < count; i++)
    if (!omr_json_drop(&reader->json, list, out[i])) note.failed = true;
  study->traces.note = note.failed ? NULL : strdup(note.data);
  omr_text_free(&note);
  return study->traces.note ? OMR_OK : omr_fail_memory(reader);
}

static omr_status require_once(omr_reader *reader, const cJSON *list) {
  const omr_study *study = reader->study;
  if (study->traces.count)
    qsort(study->traces.instances, study->traces.count, sizeof *study->traces.instances,
          omr_by_number);
  for (size_t i = 1; i < study->traces.count; i++)
    if (study->traces.instances[i] == study->traces.instances[i - 1])
      return OMR_REFUSE(reader, list, "instance %zu is listed twice", study->traces.instances[i]);
  return OMR_OK;
}

static omr_status read_numbers(omr_reader *reader, cJSON *list) {
  const size_t size = (size_t)cJSON_GetArraySize(list);
  size_t out_count = 0, written = SIZE_MAX;
  omr_status status = OMR_OK;
  reader->study->traces.instances = calloc(size, sizeof *reader->study->traces.instances);
  cJSON **out = calloc(size, sizeof *out), *item;
  if (!reader->study->traces.instances || !out) status = omr_fail_memory(reader);
  for (item = list->child; item && status == OMR_OK; item = item->next) {
    bool is_out = false;
    if (cJSON_IsString(item)) continue;
    status = read_number(reader, item, &written, &is_out);
    if (is_out && status == OMR_OK) out[out_count++] = item;
  }
  if (status == OMR_OK) status = require_once(reader, list);
  if (status == OMR_OK && out_count) status = drop(reader, list, out, out_count);
  free(out);
  return status;
}

omr_status omr_read_traced(omr_reader *reader, const cJSON *trajectories) {
  omr_study *study = reader->study;
  const cJSON *list = omr_json_get(trajectories, "instances");
  if (cJSON_IsString(list)) return read_name(reader, list);
  if (!cJSON_IsArray(list))
    return OMR_REFUSE(reader, list,
                      "expected \"all\", " NAMES
                      ", or a list of instance numbers and names: [0, 5, \"nominal\"]");
  if (cJSON_GetArraySize(list) == 0)
    return OMR_REFUSE(reader, list, "has 0 instance numbers and names; at least 1 needed");
  OMR_TRY(read_numbers(reader, (cJSON *)(uintptr_t)list));
  OMR_TRY(read_names(reader, list));
  /* a cell may begin with one that is listed */
  study->traces.count = omr_sort_once(study->traces.instances, study->traces.count);
  return OMR_OK;
}
