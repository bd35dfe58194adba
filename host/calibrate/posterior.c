/* From the ensemble to the posterior: tempered sequential Monte Carlo that begins with the normal
 * distribution of the members, wider than they are, so that no part of the posterior is beyond it.
 */
#include "calibrate.h"
#include "cholesky.h"
#include "outliers.h"
#include "summary.h"

#include "../../kernels/scalar_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The width of the start in deviations of the members. */
static const double wider = 2;

/* Logarithm of the factor of the residuals' density: 1/(sqrt(2 pi) s) each, s being the new noise
 * of an instant. */
static double constant_of(const omr_forward *forward) {
  double sum = 0;
  for (omr_forward_series s = {0}; omr_forward_next(forward, &s);) {
    const double keep = omr_forward_keeps(s.measured, s.sample);
    sum -= (double)s.count *
           omr_math_log(sqrt(2 * PI * (1 - keep * keep)) * s.measured->sample[s.sample].noise);
  }
  return sum;
}

/* Log densities of residuals [count] whose noise is `factor` times the stated one. */
static double log_densities(double outliers, double factor, const double *residuals, size_t count) {
  double sum = 0;
  if (outliers == 0) return -0.5 * omr_dot(residuals, residuals, count) / (factor * factor);
  for (size_t i = 0; i < count; i++)
    sum += omr_outliers_log_density(outliers, residuals[i] / factor);
  return sum;
}

/* The sum of squares, each sample's by its noise, with the factors that the noise adds to the
 * density. */
static double log_density(const omr_calibrate *c, const double *member, const double *residuals) {
  double sum = 0;
  for (omr_forward_series s = {0}; omr_forward_next(&c->fitted, &s);) {
    const double factor = omr_coordinates_noise(&c->layout, member, s.sample);
    sum += log_densities(s.measured->sample[s.sample].outliers, factor, residuals + s.at, s.count) -
           (double)s.count * omr_math_log(factor);
  }
  return sum;
}

double calibrate_log_likelihood(const omr_calibrate *c, const double *member,
                                const double *residuals) {
  return constant_of(&c->fitted) + log_density(c, member, residuals);
}

/* Points [points][dimensions], the residuals of their runs, their log likelihoods. */
typedef struct room {
  const double *points;
  double *residuals, *likelihoods;
  bool *good;
} room;

static omr_status run_points(omr_calibrate *c, const calibrate_how *how, const room *r,
                             omr_error *error) {
  const double constant = constant_of(&c->fitted);
  const size_t points = c->study->calibrate.points;
  const omr_status status = omr_forward_run_members(&c->fitted, r->points, points, how->run,
                                                    r->residuals, NULL, r->good, error);
  for (size_t i = 0; status == OMR_OK && i < points; i++)
    r->likelihoods[i] = r->good[i] ? constant + log_density(c, r->points + i * c->size.dimensions,
                                                            r->residuals + i * c->size.data)
                                   : (double)NAN;
  return status;
}

/* By runs, or from the journal. */
static omr_status find_likelihoods(omr_calibrate *c, const calibrate_how *how, const room *r,
                                   omr_error *error) {
  const size_t points = c->study->calibrate.points;
  const double before = c->fitted.steps;
  double steps = 0;
  const calibrate_block block = {
      .asked = r->points,
      .asked_size = points * c->size.dimensions * sizeof *r->points,
      .part = {{r->likelihoods, points * sizeof *r->likelihoods}, {&steps, sizeof steps}}};
  if (calibrate_journal_take(c->journal, &block)) {
    c->fitted.steps += steps;
    return OMR_OK;
  }
  const omr_status status = run_points(c, how, r, error);
  if (status != OMR_OK) return status;
  steps = c->fitted.steps - before;
  return calibrate_journal_add(c->journal, &block, error);
}

static omr_status temper(omr_calibrate *c, omr_tempering *tempering, const calibrate_how *how,
                         omr_error *error) {
  const size_t points = c->study->calibrate.points, data = c->size.data;
  omr_pool memory = {0};
  double *residuals = omr_pool_take(&memory, points * data, sizeof *residuals);
  double *likelihoods = omr_pool_take(&memory, points, sizeof *likelihoods);
  bool *good = omr_pool_take(&memory, points, sizeof *good);
  omr_status status = memory.failed
                          ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu points", points)
                          : OMR_OK;

  /* Each round runs the points that the next temperature wants. */
  size_t rounds = c->steps;
  for (const double *u; status == OMR_OK && (u = omr_tempering_points(tempering));) {
    const room here = {u, residuals, likelihoods, good};
    status = find_likelihoods(c, how, &here, error);
    if (status == OMR_OK) status = omr_tempering_take(tempering, likelihoods, error);

    /* The number of rounds is not known ahead: the total grows with them. */
    rounds++;
    if (status == OMR_OK)
      status = calibrate_tell(how, (double)rounds, fmax((double)rounds + 5, 40), error);
  }

  omr_pool_free(&memory);
  return status;
}

/* The points take the members' place. */
static void take_over(omr_calibrate *c, const omr_tempering *tempering) {
  const size_t points = c->study->calibrate.points;
  const omr_tempering_result found = omr_tempering_result_of(tempering);
  memcpy(c->coordinates, found.states, points * c->size.dimensions * sizeof *c->coordinates);
  memcpy(c->log_likelihood, found.likelihoods, points * sizeof *c->log_likelihood);
  memcpy(c->stage, found.stage, found.stages * sizeof *c->stage);
  c->stages = found.stages;
  c->evidence = found.evidence;
  for (size_t i = 0; i < points; i++) c->good[i] = true;
  c->size.members = c->good_count = points;
}

omr_status calibrate_find_posterior(omr_calibrate *c, const calibrate_how *how, omr_error *error) {
  const size_t d = c->size.dimensions;
  double *mean = calloc(d + d * d, sizeof *mean), *factor = mean ? mean + d : NULL;
  omr_tempering *tempering = NULL;
  if (!mean) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* The ensemble knows nothing of an unknown noise: its coordinates return to the prior. */
  calibrate_draw_prior(c, omr_coordinates_of_model(&c->layout));
  omr_cholesky_of_points(c->coordinates, c->size.members, d, wider * wider, mean, factor);
  const omr_tempering_settings settings = {.dimensions = d,
                                           .points = c->study->calibrate.points,
                                           .seed = c->seed,
                                           .mean = mean,
                                           .factor = factor};
  omr_status status = omr_tempering_make(&settings, &tempering, error);
  if (status == OMR_OK) status = temper(c, tempering, how, error);
  if (status == OMR_OK) take_over(c, tempering);
  omr_tempering_destroy(tempering);
  free(mean);
  return status;
}
