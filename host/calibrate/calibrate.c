/* The order of work: members drawn from the prior, rounds of runs and moves until the data count in
 * full, and what is left then. */
#include "calibrate.h"

#include "../study/drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 100, ATTEMPTS = 5 };

/* ---- what a study must have */

static omr_status check(const omr_study *study, omr_error *error) {
  if (study->measured.runs == 0)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s has no \"data\", the measured runs to fit to; add \"data\": {\"runs\": "
                    "[{\"file\": \"run.csv\"}], \"measured\": [...]}",
                    study->name);
  if (!omr_drawn_of(study->design))
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: a calibration starts with draws from the distributions of \"vary\", and "
                    "the design \"%s\" draws none; write \"design\": {\"type\": \"monte_carlo\", "
                    "\"instances\": 100}",
                    study->name, omr_design_kinds[study->design].name);
  if (study->sample.dimensions == 0)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s varies no parameter by a distribution; \"vary\" lists what is unknown, "
                    "with what is known of it before",
                    study->name);
  return OMR_OK;
}

static omr_status check_fitted(const omr_calibrate *c, omr_error *error) {
  if (c->fitted.runs > 0) return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s: every run of \"data\" is for \"predict\", and none to fit to; leave \"use\" "
                  "out of one of them",
                  c->study->name);
}

/* ---- memory */

static omr_status make(const omr_study *study, size_t members, omr_calibrate **calibrate,
                       omr_error *error) {
  omr_calibrate *c = calloc(1, sizeof *c);
  *calibrate = c;
  if (!c) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  c->study = study;
  c->seed = study->calibrate.seed;
  omr_status status = omr_forward_make(study->text, study->name, study, false, &c->fitted, error);
  if (status == OMR_OK)
    status = omr_forward_make(study->text, study->name, study, true, &c->held_out, error);
  if (status == OMR_OK) status = check_fitted(c, error);
  if (status != OMR_OK) return status;
  c->size = (omr_ensemble_size){members, c->fitted.dimensions, c->fitted.data};
  const size_t errors = study->measured.runs * study->measured.samples;
  c->coordinates = calloc(members * c->size.dimensions, sizeof *c->coordinates);
  c->good = calloc(members, sizeof *c->good);
  c->step = calloc(MOST_STEPS, sizeof *c->step);
  c->error = calloc(errors, sizeof *c->error);
  if (c->coordinates && c->good && c->step && c->error) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu members", members);
}

void omr_calibrate_destroy(omr_calibrate *c) {
  if (!c) return;
  omr_forward_free(&c->fitted);
  omr_forward_free(&c->held_out);
  free(c->coordinates);
  free(c->values);
  free(c->good);
  free(c->step);
  free(c->stage);
  free(c->sensitivity);
  free(c->singular);
  free(c->error);
  free(c);
}

/* ---- rounds */

/* A round of runs: residuals of all members, those that fail being redrawn from the others. */
typedef struct work {
  omr_calibrate *c;
  const omr_run_options *options;
  double *residuals;      /* [members][data] */
  double *some, *of_some; /* coordinates and residuals of those that are redrawn */
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
  const omr_status status = omr_forward_run_members(&c->fitted, r->some, failed, r->options,
                                                    r->of_some, NULL, r->good_of_some, error);
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
  omr_status status = omr_forward_run_members(&c->fitted, c->coordinates, c->size.members,
                                              r->options, r->residuals, NULL, c->good, error);
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

static omr_status take_steps(work *r, const omr_calibrate_options *o, omr_error *error) {
  omr_calibrate *c = r->c;
  double reached = 0;
  while (reached < 1) {
    if (c->steps + 1 == MOST_STEPS)
      return omr_fail(error, OMR_ERR_FAILURES,
                      "%s: after %d steps the data count by %.3g of 1: the model and the prior are "
                      "far from what was measured; enlarge \"noise\" to what the model cannot "
                      "tell, or widen the distributions of \"vary\"",
                      c->study->name, MOST_STEPS, reached);
    omr_calibrate_step *step = &c->step[c->steps];
    omr_status status = run_round(r, step, error);
    if (status != OMR_OK) return status;
    step->misfit = mean_misfit(c, r->residuals);
    step->by = omr_ensemble_step(c->size, r->residuals, c->good, 1 - reached);
    reached = step->by == 1 - reached ? 1 : reached + step->by;
    step->reached = reached;
    status = omr_ensemble_move(c->size, c->seed, c->steps, step->by, r->residuals, c->good,
                               c->coordinates, error);
    if (status != OMR_OK) return status;
    omr_ensemble_redraw(c->size, c->seed, c->steps, ATTEMPTS, c->good, c->coordinates);
    c->steps++;
    if (o->progress &&
        !o->progress(o->progress_user, (double)c->steps, fmax((double)c->steps + 1, 10)))
      return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted");
  }
  return OMR_OK;
}

static omr_status take_rounds(omr_calibrate *c, const omr_calibrate_options *o,
                              const omr_run_options *options, omr_error *error) {
  const omr_ensemble_size size = c->size;
  work r = {.c = c,
            .options = options,
            .residuals = calloc(size.members * size.data, sizeof *r.residuals),
            .some = calloc(size.members * size.dimensions, sizeof *r.some),
            .of_some = calloc(size.members * size.data, sizeof *r.of_some),
            .good_of_some = calloc(size.members, sizeof *r.good_of_some)};
  omr_status status =
      r.residuals && r.some && r.of_some && r.good_of_some
          ? take_steps(&r, o, error)
          : omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu members", size.members);
  free(r.residuals);
  free(r.some);
  free(r.of_some);
  free(r.good_of_some);
  return status;
}

/* ---- what came out */

static omr_status find_values(omr_calibrate *c, omr_error *error) {
  omr_study study = *c->study;
  study.instances = c->size.members;
  omr_part part = omr_part_of(&study);
  omr_values values;
  c->values = calloc(c->size.members * study.variation_count + 1, sizeof *c->values);
  if (!c->values)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu members", c->size.members);
  part.known = c->coordinates;
  part.known_count = c->size.members;
  for (size_t j = 0; j < c->size.members; j++)
    omr_part_values(&part, j, &values, c->values + j * c->study->variation_count);
  return OMR_OK;
}

static void draw_prior(omr_calibrate *c) {
  for (size_t j = 0; j < c->size.members; j++)
    for (size_t d = 0; d < c->size.dimensions; d++)
      c->coordinates[j * c->size.dimensions + d] = omr_ensemble_prior(c->seed, j, d);
}

static omr_status find_all_errors(omr_calibrate *c, bool before, const omr_run_options *options,
                                  omr_error *error) {
  c->errors = 0;
  const omr_status status = calibrate_find_errors(c, &c->fitted, before, options, error);
  if (status != OMR_OK || c->held_out.runs == 0) return status;
  return calibrate_find_errors(c, &c->held_out, before, options, error);
}

omr_status omr_calibrate_create(const omr_study *study, const omr_calibrate_options *options,
                                omr_calibrate **calibrate, omr_error *error) {
  static const omr_calibrate_options none = OMR_CALIBRATE_OPTIONS_INIT;
  const omr_calibrate_options *o = options ? options : &none;
  const omr_run_options run = {.size = sizeof run};
  omr_calibrate *c = NULL;
  *calibrate = NULL;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_calibrate_options", error);
  if (status == OMR_OK) status = check(study, error);
  if (status == OMR_OK) status = make(study, study->calibrate.members, &c, error);
  if (status == OMR_OK) draw_prior(c);
  if (status == OMR_OK) status = find_all_errors(c, true, &run, error);
  if (status == OMR_OK) status = take_rounds(c, o, &run, error);
  if (status == OMR_OK && study->calibrate.points)
    status = calibrate_find_posterior(c, o, &run, error);
  if (status == OMR_OK) status = find_all_errors(c, false, &run, error);
  if (status == OMR_OK) status = calibrate_find_sensitivity(c, &run, error);
  if (status == OMR_OK) status = find_values(c, error);
  if (status == OMR_OK)
    *calibrate = c;
  else
    omr_calibrate_destroy(c);
  return status;
}
