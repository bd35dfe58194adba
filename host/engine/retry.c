#include "retry.h"
#include "../result/balance.h"

#include "../study/derived.h"
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 8 };

struct omr_retry {
  const omr_integrator_ops *by;
  const omr_study *study;
  omr_backend_kind backend;
  omr_run_options options;
  omr_study halved[LEVELS];      /* the study with the step of each level, for its integrator */
  omr_integrator *level[LEVELS]; /* opened when an instance first needs it */
};

/* The instances of a level: rows of the result, numbers of the instances, and the traced ones. */
typedef struct again {
  size_t count, traced_count;
  size_t *row, *instance, *traced,
      *traced_at; /* traced_at: place among the traced instances of the result */
} again;

omr_status omr_retry_open(const omr_integrator_ops *by, const omr_study *study,
                          omr_backend_kind backend, omr_run_options options, omr_retry **retry,
                          omr_error *error) {
  omr_retry *r = *retry = calloc(1, sizeof *r);
  if (!r) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  r->by = by;
  r->study = study;
  r->backend = backend;
  r->options = options;
  return OMR_OK;
}

void omr_retry_close(omr_retry *retry) {
  if (!retry) return;
  for (int level = 0; level < LEVELS; level++) omr_integrator_close(retry->level[level]);
  free(retry);
}

/* budget_spent is no numerical reason: it limits the time of an instance, and half the step takes
 * twice the time. */
static bool is_numerical(int status) {
  return status == OMR_INSTANCE_DIVERGED || status == OMR_INSTANCE_CROWDED;
}

static void free_again(again *a) {
  free(a->row);
  free(a->instance);
  free(a->traced);
  free(a->traced_at);
}

static omr_status find_failed(const omr_part *part, const omr_result *result, again *a,
                              omr_error *error) {
  size_t failed = 0, next = 0; /* next: the next traced instance */
  memset(a, 0, sizeof *a);

  for (size_t k = 0; k < result->instances; k++) failed += is_numerical(result->status[k]);
  if (failed == 0) return OMR_OK;

  /* Room for all that failed. */
  a->row = malloc(failed * sizeof *a->row);
  a->instance = malloc(failed * sizeof *a->instance);
  a->traced = malloc(failed * sizeof *a->traced);
  a->traced_at = malloc(failed * sizeof *a->traced_at);
  if (!a->row || !a->instance || !a->traced || !a->traced_at)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu instances to run again", failed);

  /* Rows that failed, and the traced instances among them. */
  for (size_t k = 0; k < result->instances; k++) {
    if (!is_numerical(result->status[k])) continue;
    const size_t instance = omr_part_row(part, k);
    a->row[a->count] = k;
    a->instance[a->count++] = instance;
    while (next < part->traced_count && part->traced[next] < instance) next++;
    if (next == part->traced_count || part->traced[next] != instance) continue;
    a->traced_at[a->traced_count] = next;
    a->traced[a->traced_count++] = instance;
  }

  return OMR_OK;
}

/* from: NULL where the repeated instances have no value of a rare series. */
static void copy_samples(double *to, const double *from, size_t cells, const again *a) {
  for (size_t i = 0; to && i < a->traced_count; i++) {
    double *place = to + a->traced_at[i] * cells;
    for (size_t j = 0; j < cells; j++) place[j] = from ? from[i * cells + j] : (double)NAN;
  }
}

static void copy_trajectories(omr_result *to, const omr_result *from, const again *a) {
  const size_t samples = to->sample_count, wheels = (size_t)to->wheels;
  for (int j = 0; j < to->small_sample_count; j++)
    copy_samples(to->small_samples[j], from->small_samples[j], samples, a);
  for (int j = 0; j < OMR_VS_COUNT; j++)
    copy_samples(to->vehicle_samples[j], from->vehicle_samples[j], samples, a);
  for (int j = 0; j < OMR_WS_COUNT; j++)
    copy_samples(to->wheel_samples[j], from->wheel_samples[j], samples * wheels, a);
}

static omr_status replace(omr_result *to, const omr_result *from, const again *a, int level,
                          omr_error *error) {
  /* Rows of the table; work adds up, and the retry is counted. */
  for (size_t i = 0; i < a->count; i++) {
    const size_t row = a->row[i];
    for (size_t c = to->parameter_count; c < to->column_count; c++)
      to->columns[c].values[row] = from->columns[c].values[i];
    to->status[row] = from->status[i];
    to->status_time[row] = from->status_time[i];
    to->row_steps[row] += from->row_steps[i];
    to->row_balance[row] = from->row_balance[i];
    to->retries[row] = (int8_t)level;
    to->record.retried += level == 1;
    to->record.recovered += from->status[i] == OMR_INSTANCE_OK;
  }

  /* Trajectories, record, and the list of failures. */
  copy_trajectories(to, from, a);
  omr_record_add(&to->record, &from->record);
  omr_balance_join(&to->record, &from->record);
  omr_failures_drop(&to->failures, a->instance, a->count);
  if (omr_failures_join(&to->failures, &from->failures)) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the states of %zu failed instances",
                  from->failures.count);
}

static omr_status open_level(omr_retry *r, int level, omr_run_record *record, omr_error *error) {
  omr_integrator **integrator = &r->level[level - 1];
  if (*integrator) return OMR_OK;
  const omr_study refined = omr_study_refined(r->study, level);
  omr_engine_options same = r->study->engine;
  same.backend = r->backend;
  r->halved[level - 1] = omr_study_on(&refined, &same);
  const omr_part whole = omr_part_of(&r->halved[level - 1]);
  omr_status status = r->by->open(&whole, &r->options, integrator, error);
  if (status == OMR_OK) record->build_seconds += omr_integrator_record(*integrator)->build_seconds;
  return status;
}

static omr_status run_level(omr_retry *r, const omr_part *part, const again *a, int level,
                            omr_result *result, omr_error *error) {
  omr_status status = open_level(r, level, &result->record, error);
  if (status != OMR_OK) return status;
  omr_result *half;
  const omr_study study = omr_study_refined(part->study, level);
  omr_part some = *part; /* including its known coordinates */
  some.study = &study;
  some.chosen = a->instance;
  some.rows = a->count;
  some.traced = a->traced;
  some.traced_count = a->traced_count;
  status = omr_integrator_run(r->level[level - 1], &some, &half, error);
  if (status != OMR_OK) return status;
  status = replace(result, half, a, level, error);
  omr_result_destroy(half);
  return status;
}

omr_status omr_retry_run(omr_retry *retry, const omr_part *part, omr_result *result,
                         omr_error *error) {
  for (int level = 1; level <= part->study->retries; level++) {
    again a;
    omr_status status = find_failed(part, result, &a, error);
    const bool none = a.count == 0;
    if (status == OMR_OK && !none) status = run_level(retry, part, &a, level, result, error);
    free_again(&a);
    if (status != OMR_OK || none) return status;
  }
  return OMR_OK;
}
