/* The section "tracking": the cost of finding the contact of roller and floor by formulas (source
 * 1, section 5.2), by vectors (5.1), as nearest points (eq. 5) and by differential equations (eq. 7
 * and 8). The engine has the first two, as cases like any others (cases.c); the reference in
 * maximal coordinates, as in source 1, has all four. They take turns, and the time in the
 * integrator counts. */
#include "cases.h"

#include "../reference/reference.h"
#include "../study/grammar/reader.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DURATION 2.0 /* s of motion */
#define QUICK_DURATION 0.5
#define RELATIVE 1e-10 /* tolerance of the reference */

typedef struct way {
  omr_study *study;
  double best, worst; /* s */
  double steps;       /* of the integrator */
  int rounds;
  char error[400];
} way;

static omr_status read_study(omr_tracking tracking, double duration, way *w, omr_error *error) {
  char set[2][64];
  const char *const overrides[] = {set[0], set[1]};
  snprintf(set[0], sizeof set[0], "parameters.contact.tracking=%s", omr_tracking_names[tracking]);
  snprintf(set[1], sizeof set[1], "integrator.duration=%g", duration);
  return omr_study_parse(bench_tracking, "bench", overrides, 2, &w->study, error);
}

static omr_status run_once(way *w, omr_error *error) {
  const omr_reference_options options = {.tolerance = {.relative = RELATIVE}};
  omr_reference_run run;
  omr_status status =
      omr_reference_integrate(&(omr_part){.study = w->study}, 0, &options, &run, error);
  if (status != OMR_OK) return status;
  const double seconds = run.counts.seconds;
  w->worst = w->rounds ? fmax(w->worst, seconds) : seconds;
  w->best = w->rounds ? fmin(w->best, seconds) : seconds;
  w->steps = (double)run.counts.steps;
  w->rounds++;
  const bool failed = run.status != OMR_INSTANCE_OK;
  omr_reference_run_free(&run);
  return failed ? omr_fail(error, OMR_ERR_FAILURES, "the motion ended early") : OMR_OK;
}

static void fill_row(const way *w, omr_tracking tracking, const way *first, const char *processor,
                     omr_bench_row *r) {
  *r = bench_row_unknown(OMR_BENCH_TRACKING);
  r->instances = 1;
  r->threads = 1;

  /* The reference runs in one way: exact, double, by Adams' method. */
  snprintf(r->name, sizeof r->name, "reference, %s", omr_tracking_names[tracking]);
  snprintf(r->backend, sizeof r->backend, "reference");
  snprintf(r->numerics, sizeof r->numerics, "exact");
  snprintf(r->precision, sizeof r->precision, "double");
  snprintf(r->method, sizeof r->method, "adams");
  snprintf(r->device, sizeof r->device, "%s", processor);

  /* Without a study the row has a name and an error. */
  if (w->study) {
    snprintf(r->model, sizeof r->model, "%s", omr_model_names[w->study->model]);
    snprintf(r->law, sizeof r->law, "%s", omr_law_kinds[w->study->contact.law].name);
    r->wheels = w->study->wheels;
    r->rollers = (int)w->study->base.wheel[0][OMR_WP_ROLLERS];
  }

  /* A row with an error, or without rounds, has no numbers. */
  snprintf(r->error, sizeof r->error, "%s", w->error);
  if (*w->error || !w->rounds) return;

  /* The best round counts; the first tracking is the base of the ratio. */
  r->steps = w->steps;
  r->seconds = w->best;
  r->steps_per_second = w->steps / w->best;
  if (w->rounds > 1) r->spread = w->worst / w->best;
  if (!*first->error && first->rounds) r->ratio = w->best / first->best;
}

static bool is_asked(const omr_bench_request *o) {
  return (!o->sections || o->sections >> OMR_BENCH_TRACKING & 1) &&
         (o->backend == OMR_BACKEND_AUTO || o->backend == OMR_BACKEND_OPENMP ||
          o->backend == OMR_BACKEND_SCALAR) &&
         !(o->one_precision && o->precision == OMR_SINGLE_PRECISION);
}

static void measure(const omr_bench_request *o, way ways[OMR_TRACKING_KINDS]) {
  const double duration = o->quick ? QUICK_DURATION : DURATION;
  omr_error error;
  for (int t = 0; t < OMR_TRACKING_KINDS; t++)
    if (read_study((omr_tracking)t, duration, &ways[t], &error) != OMR_OK)
      snprintf(ways[t].error, sizeof ways[t].error, "%.399s", error.message);
  for (int round = 0; round < o->rounds; round++) {
    for (int t = 0; t < OMR_TRACKING_KINDS; t++) {
      if (*ways[t].error || run_once(&ways[t], &error) == OMR_OK) continue;
      snprintf(ways[t].error, sizeof ways[t].error, "%.399s", error.message);
    }
  }
}

omr_status bench_tracking_measure(const omr_bench_request *o, omr_bench *bench, omr_error *error) {
  if (!is_asked(o)) return OMR_OK;
  if (!omr_grow(&bench->rows, bench->row_count + OMR_TRACKING_KINDS, sizeof *bench->rows))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  way ways[OMR_TRACKING_KINDS] = {{0}};
  measure(o, ways);
  for (int t = 0; t < OMR_TRACKING_KINDS; t++) {
    fill_row(&ways[t], (omr_tracking)t, &ways[OMR_TRACKING_EXPLICIT], bench->processor,
             &bench->rows[bench->row_count++]);
    omr_study_destroy(ways[t].study);
  }
  return OMR_OK;
}
