/* Runs of a study's instances by a way, and their times. */
#define _GNU_SOURCE /* clock_gettime */
#include "../reference/ensemble.h"
#include "../study/derived.h"
#include "work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 1000 };

void outcome_free(outcome *o) {
  free(o->values);
  free(o->status);
  *o = (outcome){0};
}

static bool in_time(void *user, double done, double total) {
  work *w = user;
  const double now = omr_seconds() - w->started;
  (void)done, (void)total;
  if (w->options->progress &&
      !w->options->progress(w->options->progress_user, now, fmax(w->deadline - w->started, now)))
    w->stopped = true;
  w->late = omr_seconds() > w->latest;
  return !w->stopped && !w->late;
}

/* The study by a way. */
static omr_study study_of(const work *w, const omr_way *way) {
  const omr_study study = omr_study_integrated(w->study, way->method, way->step, way->tolerance);
  omr_engine_options engine = w->engine;
  engine.precision = way->precision;
  return omr_study_on(&study, &engine);
}

static omr_status make_outcome(const work *w, outcome *o, omr_error *error) {
  o->values = calloc(w->instances * (w->columns + 1) + 1, sizeof *o->values);
  o->status = calloc(w->instances + 1, sizeof *o->status);
  if (o->values && o->status) return OMR_OK;
  outcome_free(o);
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static omr_status keep(work *w, const omr_result *result, outcome *o, omr_error *error) {
  if (!w->columns) w->columns = result->column_count, w->parameters = result->parameter_count;
  const omr_status status = make_outcome(w, o, error);
  for (size_t k = 0; status == OMR_OK && k < w->instances; k++) {
    double *row = o->values + k * (w->columns + 1);
    o->status[k] = result->status[k];
    for (size_t j = 0; j < w->columns; j++)
      row[j] = isfinite(result->columns[j].values[k]) ? result->columns[j].values[k] : (double)NAN;
  }
  return status;
}

/* A process on all cores gives the same bits as on one, and on every backend. */
omr_status converge_run(work *w, const omr_way *way, bool all_threads, outcome *o,
                        omr_error *error) {
  const omr_engine_options all = {.backend = OMR_BACKEND_OPENMP,
                                  .precision = way->precision,
                                  .threads = w->study->engine.threads};
  const omr_study one = study_of(w, way), study = all_threads ? omr_study_on(&one, &all) : one;
  const omr_part part = omr_part_choose(&study, w->chosen, w->instances);
  const omr_run_options options = {.size = sizeof options, .progress = in_time, .progress_user = w};
  omr_result *result = NULL;
  omr_status status = omr_engine_run_alone(&part, &options, &result, error);
  if (status == OMR_OK) status = keep(w, result, o, error);
  omr_result_destroy(result);
  return status;
}

static double simulated(const omr_study *study, const omr_result *result) {
  double sum = 0;
  for (size_t k = 0; k < result->instances; k++)
    sum += result->status[k] == OMR_INSTANCE_OK ? study->time.duration
           : isfinite(result->status_time[k])   ? result->status_time[k]
                                                : 0;
  return sum;
}

static void describe(work *w, const omr_run_record *record) {
  snprintf(w->c->backend, sizeof w->c->backend, "%s", record->backend);
  snprintf(w->c->device, sizeof w->c->device, "%s", record->device);
}

static double own_seconds(void) {
  struct timespec t;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0
             ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec
             : (double)NAN;
}

/* Share of the time that this thread had its core: time lost to others is no speed of a way. Of a
 * device not known: 1. */
static double share_of(const work *w, double own, double wall) {
  const double share = w->engine.backend == OMR_BACKEND_OPENCL ? 1 : own / wall;
  return share > 0 && share < 1 ? share : 1;
}

omr_status converge_time(work *w, const omr_way *way, double least, timing *t, omr_error *error) {
  const omr_study study = study_of(w, way);
  const omr_part part = omr_part_choose(&study, w->timed, w->timed_count);
  const omr_run_options options = {.size = sizeof options, .progress = in_time, .progress_user = w};
  omr_engine *engine = NULL;
  *t = (timing){0};
  omr_status status = omr_engine_open(&part, &options, &engine, error);

  /* Run again until the time is long enough to count. */
  while (status == OMR_OK && t->runs < MOST_RUNS && (t->runs == 0 || t->seconds < least)) {
    omr_result *result = NULL;
    const double own = own_seconds(), wall = omr_seconds();
    status = omr_engine_run(engine, &part, &result, error);
    if (status != OMR_OK) break;

    /* Time lost to other processes does not count. */
    t->seconds +=
        result->record.kernel_seconds * share_of(w, own_seconds() - own, omr_seconds() - wall);
    t->passes += result->record.instance_steps;
    t->vehicle_seconds += simulated(&study, result);
    t->runs++;
    describe(w, &result->record);
    omr_result_destroy(result);
  }

  omr_engine_close(engine);
  return status;
}

omr_status converge_reference(work *w, outcome *o, omr_error *error) {
  const omr_study sampled = omr_study_sampled(w->study);
  const omr_part alone = omr_part_traced(&sampled, w->chosen, w->instances);
  omr_ensemble ensemble = {0};
  omr_ensemble_options options = {.progress = in_time, .progress_user = w};
  options.tolerance.method = w->options->reference_bdf ? OMR_MB_BDF : OMR_MB_ADAMS;
  options.tolerance.relative = w->options->reference_tolerance;
  options.tolerance.absolute = w->options->reference_tolerance / 10;
  omr_status status = omr_ensemble_run(&alone, &options, &ensemble, error);
  if (status == OMR_OK) status = keep(w, ensemble.result, o, error);
  omr_ensemble_free(&ensemble);
  return status;
}
