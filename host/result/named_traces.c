#include "slice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The order of two results' trajectories together, ascending by their instances. */
typedef struct merge {
  size_t count;
  size_t *place;  /* place in its own result */
  bool *of_other; /* true: it belongs to the other result */
} merge;

static void put(merge *m, size_t place, bool of_other) {
  m->place[m->count] = place;
  m->of_other[m->count++] = of_other;
}

static bool make_merge(const omr_result *to, const omr_result *from, merge *m) {
  const size_t most = to->traced_count + from->traced_count + 1;
  size_t i = 0;
  *m = (merge){0, calloc(most, sizeof *m->place), calloc(most, sizeof *m->of_other)};
  if (!m->place || !m->of_other) return false;
  for (size_t j = 0; j < from->traced_count; j++) {
    if (omr_result_row(to, from->traced[j]) == to->instances) continue;
    while (i < to->traced_count && to->traced[i] < from->traced[j]) put(m, i++, false);
    put(m, j, true);
  }
  while (i < to->traced_count) put(m, i++, false);
  return true;
}

static void free_merge(merge *m) {
  free(m->place);
  free(m->of_other);
}

/* Takes times, and a small model's list of samples, into a result without trajectories. */
static bool take_times(omr_result *to, const omr_result *from) {
  to->sample_count = from->sample_count;
  to->sample_time = malloc(from->sample_count * sizeof *to->sample_time + 1);
  if (!to->sample_time) return false;
  memcpy(to->sample_time, from->sample_time, from->sample_count * sizeof *to->sample_time);
  return omr_result_take_small_list(to, from->small_info, from->small_sample_count);
}

/* Merges a quantity; if one of both results lacks it, its values are NaN. */
static bool merge_series(omr_result *to, const omr_result *from, size_t index, const merge *m) {
  const omr_series own = omr_result_series(to, index), other = omr_result_series(from, index);
  const size_t size = omr_result_series_size(to, own);
  double **kept = (double **)(uintptr_t)own.values;
  if (!*kept && !*other.values) return true;
  double *merged = malloc(m->count * size * sizeof *merged + 1);
  if (!merged) return false;
  for (size_t i = 0; i < m->count; i++) {
    const double *values = m->of_other[i] ? *other.values : *kept;
    for (size_t k = 0; k < size; k++)
      merged[i * size + k] = values ? values[m->place[i] * size + k] : (double)NAN;
  }
  free(*kept);
  *kept = merged;
  return true;
}

static bool merge_all(omr_result *to, const omr_result *from, const merge *m) {
  if (to->sample_count == 0 && !take_times(to, from)) return false;
  uint64_t *traced = malloc((m->count + 1) * sizeof *traced);
  if (!traced) return false;
  for (size_t i = 0; i < m->count; i++)
    traced[i] = (m->of_other[i] ? from : to)->traced[m->place[i]];
  bool done = true;
  for (size_t index = 0; done && index < omr_result_series_count(to); index++)
    done = merge_series(to, from, index, m);
  free(to->traced);
  to->traced = traced;
  to->traced_count = done ? m->count : 0;
  return done;
}

omr_status omr_result_add_traces(omr_result *to, const omr_result *from, omr_error *error) {
  merge m;
  const bool done =
      make_merge(to, from, &m) && (m.count == to->traced_count || merge_all(to, from, &m));
  free_merge(&m);
  return done ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for trajectories");
}
