/* The fit: members drawn from the prior, and rounds of runs and moves until the data count in full.
 */
#include "calibrate.h"

#include "../../kernels/scalar_math.h"
#include "../study/designs/special_functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 5 };

/* A round of runs: residuals of all members, those that fail being redrawn from the others. */
typedef struct work {
  omr_calibrate *c;
  const calibrate_how *how;
  double *residuals;      /* [members][data] */
  double *some, *of_some; /* coordinates and residuals of redrawn members */
  bool *good_of_some;
} work;

static omr_status run_again(work *r, size_t failed, omr_error *error) {
  omr_calibrate *c = r->c;
  const size_t dimensions = c->size.dimensions, data = c->size.data;
  size_t next = 0;
  for (size_t j = 0; j < c->size.members; j++)
    if (!c->good[j])
      memcpy(r->some + next++ * dimensions, c->coordinates + j * dimensions,
             dimensions * sizeof *r->some);
  const calibrate_batch batch = {r->some, failed, r->of_some, NULL, r->good_of_some};
  const omr_status status = calibrate_run_members(c, &c->fitted, r->how, &batch, error);
  next = 0;
  for (size_t j = 0; status == OMR_OK && j < c->size.members; j++) {
    if (c->good[j]) continue;
    memcpy(r->residuals + j * data, r->of_some + next * data, data * sizeof *r->residuals);
    c->good[j] = r->good_of_some[next++];
  }
  return status;
}

static size_t count_failed(const omr_calibrate *c) {
  size_t failed = 0;
  for (size_t j = 0; j < c->size.members; j++) failed += !c->good[j];
  return failed;
}

static omr_status run_round(work *r, omr_calibrate_step *step, omr_error *error) {
  omr_calibrate *c = r->c;
  const calibrate_batch batch = {c->coordinates, c->size.members, r->residuals, NULL, c->good};
  omr_status status = calibrate_run_members(c, &c->fitted, r->how, &batch, error);
  size_t failed = status == OMR_OK ? count_failed(c) : 0;
  step->failed = failed;
  while (status == OMR_OK && failed > 0 && step->redrawn < ATTEMPTS) {
    if (c->size.members - failed < 2)
      return omr_fail(error, OMR_ERR_FAILURES,
                      "%s: %zu of %zu members did not reach the end of their runs; run the study "
                      "itself to see why, or narrow the distributions of \"vary\"",
                      c->study->name, failed, c->size.members);
    omr_ensemble_redraw(c->size, c->seed, c->steps, step->redrawn++, c->good, c->coordinates);
    status = run_again(r, failed, error);
    failed = count_failed(c);
  }
  c->good_count = c->size.members - failed;
  return status;
}

static double mean_misfit(const omr_calibrate *c, const double *residuals) {
  double sum = 0;
  for (size_t j = 0; j < c->size.members; j++)
    if (c->good[j])
      for (size_t i = 0; i < c->size.data; i++) {
        const double r = residuals[j * c->size.data + i];
        sum += r * r;
      }
  return 0.5 * sum / (double)c->good_count / (double)c->size.data;
}

/* Chi-squared's upper tail, by the cube root that is nearly normal (Wilson and Hilferty 1931). */
double calibrate_chi_tail(double square, double freedom) {
  const double spread = 2 / (9 * freedom);
  return omr_normal_cdf(-(cbrt(square / freedom) - (1 - spread)) / sqrt(spread));
}

bool calibrate_is_predicted(const omr_calibrate *c) {
  return c->prior_predicts >= CALIBRATE_BY_CHANCE;
}

/* Whether the prior predicts the data, from the first round. For an unknown noise, the upper end of
 * its plausible range counts, two deviations of its factor: 4. */
static omr_status find_conflict(work *r, omr_error *error) {
  omr_calibrate *c = r->c;
  const double most = c->layout.noises ? omr_math_exp(2 * OMR_NOISE_SPREAD) : 1;
  const size_t count = c->size.members * c->size.data;
  double square = 0, *scores = malloc(count * sizeof *scores);
  if (!scores) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t i = 0; i < count; i++) scores[i] = r->residuals[i] / most;
  omr_forward_score(&c->fitted, c->size.members, scores);
  const omr_status status = omr_ensemble_distance(c->size, scores, c->good, &square, error);
  c->prior_distance = square / (double)c->size.data;
  c->prior_predicts = calibrate_chi_tail(square, (double)c->size.data);
  free(scores);
  return status;
}

/* "Unknown" noise is up to twice the stated size within a deviation: data that it would allow may
 * have noise that is stated too small, or be chance, and are worth an answer. Beyond that,
 * something is wrong that a fit would only hide. */
static bool is_gross(const omr_calibrate *c) {
  const double data = (double)c->size.data, factor = exp(OMR_NOISE_SPREAD);
  return calibrate_chi_tail(c->prior_distance * data / (factor * factor), data) <
         CALIBRATE_BY_CHANCE;
}

static omr_status take_step(work *r, double *reached, omr_error *error) {
  omr_calibrate *c = r->c;
  omr_calibrate_step *step = &c->step[c->steps];
  *step = (omr_calibrate_step){0};

  /* Run the members; the first round tests the prior against the data. */
  omr_status status = run_round(r, step, error);
  if (status == OMR_OK && c->steps == 0 && (!c->correlated || !calibrate_is_predicted(c)))
    status = find_conflict(r, error);
  if (status == OMR_OK && c->steps == 0 && !c->fits_anyway && !c->correlated &&
      !calibrate_is_predicted(c)) {
    status = calibrate_explain_conflict(c, r->how, error);
    c->stopped = is_gross(c);
  }
  if (status != OMR_OK) return status;

  /* Clip the outliers before they move the members. */
  omr_forward_clip(&c->fitted, c->size.members, r->residuals);
  step->misfit = mean_misfit(c, r->residuals);

  if (c->stopped) {
    c->steps = 1;
    return OMR_OK;
  }

  /* Move by the step that the misfit allows. */
  step->by = omr_ensemble_step(c->size, r->residuals, c->good, 1 - *reached);
  *reached = step->by == 1 - *reached ? 1 : *reached + step->by;
  step->reached = *reached;
  status = omr_ensemble_move(c->size, c->seed, c->steps, step->by, r->residuals, c->good,
                             c->coordinates, error);
  if (status != OMR_OK) return status;

  omr_ensemble_redraw(c->size, c->seed, c->steps, ATTEMPTS, c->good, c->coordinates);
  c->steps++;
  return OMR_OK;
}

static omr_status take_steps(work *r, omr_error *error) {
  omr_calibrate *c = r->c;
  omr_status status = OMR_OK;
  double reached = 0;
  while (reached < 1 && !c->stopped) {
    if (c->steps + 1 == CALIBRATE_MOST_STEPS)
      return omr_fail(error, OMR_ERR_FAILURES,
                      "%s: after %d steps the data count by %.3g of 1: the model and the prior are "
                      "far from what was measured; enlarge \"noise\" to what the model cannot "
                      "tell, or widen the distributions of \"vary\"",
                      c->study->name, CALIBRATE_MOST_STEPS, reached);
    status = take_step(r, &reached, error);
    if (status == OMR_OK)
      status = calibrate_tell(r->how, (double)c->steps, fmax((double)c->steps + 1, 10), error);
    if (status != OMR_OK) return status;
  }
  return status;
}

void calibrate_draw_prior(omr_calibrate *c, size_t first) {
  for (size_t j = 0; j < c->size.members; j++)
    for (size_t d = first; d < c->size.dimensions; d++)
      c->coordinates[j * c->size.dimensions + d] = omr_ensemble_prior(c->seed, j, d);
}

static omr_status with_memory(omr_calibrate *c, const calibrate_how *how,
                              omr_status (*act)(work *r, omr_error *error), omr_error *error) {
  const omr_ensemble_size size = c->size;

  /* Room for a round, and for the members that it redraws. */
  omr_pool memory = {0};
  work r = {.c = c, .how = how};
  r.residuals = omr_pool_take(&memory, size.members * size.data, sizeof *r.residuals);
  r.some = omr_pool_take(&memory, size.members * size.dimensions, sizeof *r.some);
  r.of_some = omr_pool_take(&memory, size.members * size.data, sizeof *r.of_some);
  r.good_of_some = omr_pool_take(&memory, size.members, sizeof *r.good_of_some);

  /* Every fit begins with draws of the prior. */
  c->steps = 0;
  calibrate_draw_prior(c, 0);
  const omr_status status =
      memory.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu members", size.members)
                    : act(&r, error);
  omr_pool_free(&memory);
  return status;
}

omr_status calibrate_fit_ensemble(omr_calibrate *c, const calibrate_how *how, omr_error *error) {
  return with_memory(c, how, take_steps, error);
}

static omr_status check_prior(work *r, omr_error *error) {
  omr_status status = run_round(r, r->c->step, error);
  if (status == OMR_OK) status = find_conflict(r, error);
  if (status != OMR_OK) return status;
  omr_forward_clip(&r->c->fitted, r->c->size.members, r->residuals);
  r->c->step->misfit = mean_misfit(r->c, r->residuals);
  r->c->steps = 1;
  return OMR_OK;
}

omr_status calibrate_check_prior(omr_calibrate *c, const calibrate_how *how, omr_error *error) {
  return with_memory(c, how, check_prior, error);
}
