#include "criterion_names.h"

#include "../own_names.h"

#include <stdlib.h>
#include <string.h>

static void add(omr_names *names, const char *name, const char *unit, size_t column,
                const char *absent) {
  if (!omr_grow(&names->list, names->count + 1, sizeof *names->list)) {
    names->failed = true;
    return;
  }
  omr_name *entry = &names->list[names->count++];
  *entry = (omr_name){strdup(name), strdup(unit), column, absent, NULL};
  names->failed = names->failed || !entry->name || !entry->unit;
}

static void add_missing_parameter(const omr_study *study, omr_names *names, bool per_wheel,
                                  int index) {
  const omr_parameter row = omr_study_parameter(study, per_wheel, index);
  char path[128], column[128];
  if (!omr_study_has_parameter(study, per_wheel, index)) return;
  snprintf(path, sizeof path, "%s%s", per_wheel ? "wheel." : "", row.path);
  omr_names_column(path, strlen(path), column, sizeof column);
  if (!omr_names_find(names, column))
    add(names, column, row.unit, 0,
        "is a parameter that the study does not vary: write its value instead");
}

/* Those that the study does not vary; listed so that a message can say so. */
static void add_missing(const omr_study *study, omr_names *names) {
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (!omr_observable_in(&study->observables, i) && omr_study_can_observe(study, i))
      add(names, omr_study_observable_name(study, i), omr_study_observable(study, i).unit, 0,
          "is an observable that the study does not store: add it to output.observables");
  for (int i = 0; i < OMR_VP_COUNT; i++) add_missing_parameter(study, names, false, i);
  for (int i = 0; study->wheels > 0 && i < OMR_WP_COUNT; i++)
    add_missing_parameter(study, names, true, i);
}

void omr_names_of_study(const omr_study *study, omr_names *names) {
  *names = (omr_names){0};
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    add(names, variation->column,
        omr_study_parameter(study, variation->per_wheel, variation->index).unit, names->columns++,
        NULL);
  }
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_observable_in(&study->observables, i))
      add(names, omr_study_observable_name(study, i), omr_study_observable(study, i).unit,
          names->columns++, NULL);
  add_missing(study, names);
}

void omr_names_of_columns(const omr_sample_info *info, size_t columns, omr_names *names) {
  *names = (omr_names){.columns = columns};
  for (size_t c = 0; c < columns; c++) add(names, info[c].name, info[c].unit, c, NULL);
}

void omr_names_add(omr_names *names, const char *name, const char *unit, size_t column) {
  add(names, name, unit, column, NULL);
}

void omr_names_add_criterion(omr_names *names, const char *name,
                             const struct omr_expression *criterion) {
  add(names, name, "", 0, NULL);
  if (!names->failed) names->list[names->count - 1].criterion = criterion;
}

void omr_names_free(omr_names *names) {
  for (size_t i = 0; i < names->count; i++) {
    free(names->list[i].name);
    free(names->list[i].unit);
  }
  free(names->list);
  *names = (omr_names){0};
}

const omr_name *omr_names_find(const omr_names *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (names->list[i].name && strcmp(names->list[i].name, name) == 0) return &names->list[i];
  return NULL;
}

const char *omr_names_nearest(const omr_names *names, const char *name) {
  const char **candidates = calloc(names->count + 1, sizeof *candidates), *near = NULL;
  for (int absent = 0; candidates && !near && absent < 2; absent++) {
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++)
      if ((names->list[i].absent != NULL) == (absent > 0))
        candidates[count++] = names->list[i].name;
    near = omr_nearest(name, candidates, count);
  }
  free(candidates);
  return near;
}

void omr_names_column(const char *path, size_t length, char *column, size_t size) {
  static const char wheels[] = "wheels[";
  const size_t prefix = sizeof wheels - 1;
  size_t at = 0, i = 0;
  if (length > prefix && strncmp(path, wheels, prefix) == 0) {
    at = (size_t)snprintf(column, size, "wheel");
    i = prefix;
  }
  for (; i < length && at + 1 < size; i++)
    if (path[i] != ']') column[at++] = path[i] == '.' ? '_' : path[i];
  column[at] = '\0';
}
