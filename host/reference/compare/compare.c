/* The runs of a comparison, in order: every backend at h and h/2, then the reference. */
#include "compare.h"

#include "../result_row.h"
#include "engine/forewarn.h"
#include "model/small.h"
#include "study/derived.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lanes count their steps in their own precision. */
static bool steps_fit(const omr_comparison *c, omr_compared_run *run) {
  if (omr_study_resolves(&c->study[1], run->engine.precision, 0)) return true;
  if (omr_controls_steps(&c->study[1])) {
    snprintf(run->skipped, sizeof run->skipped,
             "single precision does not resolve a tenth of the tolerance, %.3g",
             c->study[1].time.tolerance);
    return false;
  }
  snprintf(run->skipped, sizeof run->skipped,
           "%llu steps of h/2 are more than the 2^24 that single precision can count",
           (unsigned long long)c->study[1].time.steps);
  return false;
}

static omr_status run_at(omr_comparison *c, omr_compared_run *run, int half,
                         const omr_compare_request *options, omr_error *error) {
  /* the step was checked once for all; a row with another step belongs to no h; and h and h/2 are
   * compared */
  const omr_study unjudged = omr_study_unjudged(&c->study[half]),
                  study = omr_study_on(&unjudged, &run->engine);
  const omr_run_options engine = {.size = sizeof engine,
                                  .progress = options->progress,
                                  .progress_user =
                                      options->progress_user}; /* the table shows what ran */
  omr_part part = omr_comparison_part(c, half);
  part.study = &study;
  return omr_engine_run_alone(&part, &engine, &run->results[half], error);
}

/* Kernel time per simulated second of one instance at a time, since a comparison runs few. */
static void measure(omr_compared_run *run) {
  const omr_result *result = run->results[0];
  double simulated = 0;
  for (size_t k = 0; k < result->instances; k++)
    if (result->status[k] != OMR_INSTANCE_INVALID) simulated += result->status_time[k];
  run->lane_seconds = simulated > 0 ? result->record.kernel_seconds / simulated : (double)NAN;
}

/* Runs a backend. A device that exists but does not work is reported; it is an error only if the
 * study names it. */
static omr_status run_backend(omr_comparison *c, omr_compared_run *run, const omr_study *study,
                              const omr_compare_request *options, omr_error *error) {
  if (!steps_fit(c, run)) return OMR_OK;
  omr_error own = {0};
  omr_status status = run_at(c, run, 0, options, &own);
  if (status == OMR_OK) status = run_at(c, run, 1, options, &own);
  if (status == OMR_OK) {
    measure(run);
    return OMR_OK;
  }
  const bool asked_for = study->engine.backend != OMR_BACKEND_AUTO || study->engine.device;
  if (status != OMR_ERR_DEVICE || asked_for) return omr_fail(error, status, "%s", own.message);
  snprintf(run->skipped, sizeof run->skipped, "%.*s", (int)sizeof run->skipped - 1, own.message);
  omr_result_destroy(run->results[0]);
  run->results[0] = NULL;
  return OMR_OK;
}

static bool same_array(const double *a, const double *b, size_t count) {
  return !a || !b ? a == b : memcmp(a, b, count * sizeof *a) == 0;
}

static bool same_result(const omr_result *a, const omr_result *b) {
  bool same = memcmp(a->status, b->status, a->instances) == 0 &&
              same_array(a->status_time, b->status_time, a->instances);
  for (size_t j = 0; j < a->column_count; j++)
    same = same && same_array(a->columns[j].values, b->columns[j].values, a->instances);
  for (size_t i = 0; i < omr_result_series_count(a); i++) {
    const omr_series one = omr_result_series(a, i), other = omr_result_series(b, i);
    same = same &&
           same_array(*one.values, *other.values, a->traced_count * omr_result_series_size(a, one));
  }
  return same;
}

static void find_same(omr_comparison *c, size_t number) {
  omr_compared_run *run = &c->runs[number];
  for (size_t i = 0; i < number && run->same_as < 0 && !run->skipped[0]; i++) {
    const omr_compared_run *other = &c->runs[i];
    if (other->skipped[0] || other->same_as >= 0) continue;
    if (same_result(run->results[0], other->results[0]) &&
        same_result(run->results[1], other->results[1]))
      run->same_as = (int)i;
  }
}

static omr_status run_backends(omr_comparison *c, const omr_study *study,
                               const omr_compare_request *options, omr_error *error) {
  size_t ran = 0;
  for (size_t i = 0; i < c->run_count; i++) {
    omr_status status = run_backend(c, &c->runs[i], study, options, error);
    if (status != OMR_OK) return status;
    find_same(c, i);
    ran += !c->runs[i].skipped[0];
  }
  if (ran > 0) return OMR_OK;
  return omr_fail(error, OMR_ERR_DEVICE, "%s: no backend ran; %s", study->name,
                  c->run_count ? c->runs[0].skipped : "none fits the engine section");
}

/* True if a run of the engine ends early: then the reference looks for that end at every step. */
static bool ends_early(const omr_comparison *c) {
  for (size_t i = 0; i < c->run_count; i++)
    for (size_t k = 0; !c->runs[i].skipped[0] && k < c->count; k++)
      if (c->runs[i].results[0]->status[k] != OMR_INSTANCE_OK ||
          c->runs[i].results[1]->status[k] != OMR_INSTANCE_OK)
        return true;
  return false;
}

static omr_status run_reference(omr_comparison *c, const omr_compare_request *options,
                                omr_error *error) {
  omr_ensemble_options reference = options->reference;
  reference.every_step |= ends_early(c);
  const omr_part part = omr_comparison_part(c, 0);
  const omr_status status = omr_ensemble_run(&part, &reference, &c->reference, error);
  if (status != OMR_OK) return status;
  reference.tolerance = omr_reference_beside(reference.tolerance);
  c->reference_tolerance[1] = reference.tolerance.relative;
  return omr_ensemble_run(&part, &reference, &c->again, error);
}

static omr_status compare_runs(omr_comparison *c, omr_error *error) {
  /* a second integration at a larger tolerance bounds the error of the first, and measures its
   * own */
  const bool finer = c->reference_tolerance[1] < c->reference_tolerance[0];
  for (size_t i = 0; i < c->run_count; i++) {
    omr_compared_run *run = &c->runs[i];
    if (run->skipped[0]) continue;
    omr_status status = omr_compare_run(c, run, error);
    if (status != OMR_OK) return status;
    c->differs |= run->differs;
    c->unresolved |= run->engine.precision == OMR_DOUBLE && run->largest_step > run->tolerance;
    c->inexact |= finer && run->largest_own > run->tolerance;
  }
  c->limited = c->differs;
  for (size_t i = 0; i < c->run_count; i++) c->limited &= !c->runs[i].differs || c->runs[i].limited;
  return OMR_OK;
}

omr_status omr_compare(const omr_study *study, const omr_compare_request *given, omr_comparison *c,
                       omr_error *error) {
  /* the reference is integrated more tightly than a study would be */
  omr_compare_request chosen = *given, *options = &chosen;
  options->reference.tolerance = omr_reference_oracle(study, given->reference.tolerance);
  *c = (omr_comparison){.instances = options->instances,
                        .count = options->count,
                        .own_interval = study->traces.count == 0};

  /* the studies at h and h/2, with samples, and with the holds at edges in any case */
  c->study[0] = omr_study_sampled(study);
  if (!omr_small_model_of(study->model))
    c->study[0] = omr_study_observing(&c->study[0], OMR_OBS_EDGE_HOLDS);
  c->study[1] = omr_study_refined(&c->study[0], 1);

  c->reference_tolerance[0] = options->reference.tolerance.relative > 0
                                  ? options->reference.tolerance.relative
                                  : OMR_MB_RELATIVE;

  /* check all of it before anything runs */
  omr_status status = options->reference.integrate ? OMR_OK : omr_ensemble_check(study, error);
  if (status == OMR_OK) status = omr_check_study(study, options->log, error);

  /* run everything, then compare */
  if (status == OMR_OK) status = omr_compare_runs_make(study, options, c, error);
  if (status == OMR_OK) status = run_backends(c, study, options, error);
  if (status == OMR_OK) status = run_reference(c, options, error);
  if (status == OMR_OK) status = omr_compare_quantities_make(c, error);
  if (status == OMR_OK) status = compare_runs(c, error);

  if (status != OMR_OK) omr_comparison_free(c);
  return status;
}

void omr_comparison_free(omr_comparison *c) {
  for (size_t i = 0; c->runs && i < c->run_count; i++) {
    omr_result_destroy(c->runs[i].results[0]);
    omr_result_destroy(c->runs[i].results[1]);
  }
  omr_pool_free(&c->memory);
  omr_ensemble_free(&c->reference);
  omr_ensemble_free(&c->again);
  free(c->chosen);
  *c = (omr_comparison){0};
}
