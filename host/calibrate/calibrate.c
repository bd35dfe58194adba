/* The order of work: the demands on a study, the fit, and its outcome. */
#include "calibrate.h"

#include "../study/designs/drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the demands on a study */

omr_status calibrate_check_prior_drawn(const omr_study *study, omr_error *error) {
  if (!omr_drawn_of(study->design.type))
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: the prior is drawn from the distributions of \"vary\", and the "
                    "design \"%s\" draws none; write \"design\": {\"type\": \"monte_carlo\", "
                    "\"instances\": 100}",
                    study->name, omr_design_kinds[study->design.type].name);
  if (study->sample.dimensions == 0)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s varies no parameter by a distribution; \"vary\" lists what is unknown, "
                    "with what is known of it before",
                    study->name);
  return OMR_OK;
}

static omr_status check(const omr_study *study, omr_error *error) {
  if (study->measured.runs == 0 && study->measured.samples > 0)
    return omr_fail(
        error, OMR_ERR_STUDY,
        "%s: \"data\" says what is measured and has no runs to fit to; add \"runs\": "
        "[{\"file\": \"run.csv\"}], or look for a manoeuvre to drive by omniroll excite",
        study->name);
  if (study->measured.runs == 0)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s has no \"data\", the measured runs to fit to; add \"data\": {\"runs\": "
                    "[{\"file\": \"run.csv\"}], \"measured\": [...]}",
                    study->name);
  return calibrate_check_prior_drawn(study, error);
}

static omr_status check_fitted(const omr_calibrate *c, omr_error *error) {
  if (c->fitted.runs > 0) return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s: every run of \"data\" is for \"predict\", and none to fit to; leave \"use\" "
                  "out of one of them",
                  c->study->name);
}

/* ---- memory */

static omr_status take_memory(omr_calibrate *c, omr_error *error) {
  const omr_calibrate_settings *settings = &c->study->calibrate;
  const size_t most = settings->members > settings->points ? settings->members : settings->points;
  const size_t errors = c->study->measured.runs * c->study->measured.samples;
  c->size = (omr_ensemble_size){settings->members, omr_coordinates_all(&c->layout), c->fitted.data};
  omr_pool *memory = &c->memory;
  c->coordinates = omr_pool_take(memory, most * c->size.dimensions, sizeof *c->coordinates);
  c->values = omr_pool_take(memory, most * c->study->variation_count, sizeof *c->values);
  c->good = omr_pool_take(memory, most, sizeof *c->good);
  c->step = omr_pool_take(memory, CALIBRATE_MOST_STEPS, sizeof *c->step);
  c->log_likelihood = omr_pool_take(memory, most, sizeof *c->log_likelihood);
  c->stage = omr_pool_take(memory, OMR_TEMPERING_STAGES, sizeof *c->stage);
  c->error = omr_pool_take(memory, errors, sizeof *c->error);
  calibrate_name(c);
  return memory->failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu members", most)
                        : OMR_OK;
}

omr_status calibrate_open(const omr_study *study, omr_calibrate **calibrate, omr_error *error) {
  *calibrate = NULL;
  omr_status status = check(study, error);
  if (status != OMR_OK) return status;
  omr_calibrate *c = *calibrate = calloc(1, sizeof *c);
  if (!c) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  c->study = study;
  c->seed = study->calibrate.seed;
  status = omr_coordinates_make(study, &c->layout, error);
  if (status == OMR_OK) status = omr_forward_make(study, &c->layout, false, &c->fitted, error);
  if (status == OMR_OK) status = omr_forward_make(study, &c->layout, true, &c->held_out, error);
  if (status == OMR_OK) status = check_fitted(c, error);
  return status == OMR_OK ? take_memory(c, error) : status;
}

void omr_calibrate_destroy(omr_calibrate *c) {
  if (!c) return;
  calibrate_journal_close(c->journal);
  omr_forward_free(&c->fitted);
  omr_forward_free(&c->held_out);
  omr_coordinates_free(&c->layout);
  free(c->conflict);
  omr_pool_free(&c->memory);
  free(c);
}

/* ---- the outcome */

static omr_status find_all_errors(omr_calibrate *c, bool before, const calibrate_how *how,
                                  omr_error *error) {
  c->errors = 0;
  const omr_status status = calibrate_find_errors(c, &c->fitted, before, how, error);
  if (status != OMR_OK || c->held_out.runs == 0) return status;
  return calibrate_find_errors(c, &c->held_out, before, how, error);
}

omr_status calibrate_fit(omr_calibrate *c, const calibrate_how *how, omr_error *error) {
  c->size.members = c->study->calibrate.members;
  c->stages = 0;
  omr_status status = calibrate_fit_ensemble(c, how, error);
  if (status == OMR_OK && !c->stopped && !c->fits_anyway)
    status = calibrate_find_correlation(c, how, error);
  if (status == OMR_OK && c->correlated) status = calibrate_fit_ensemble(c, how, error);
  if (status != OMR_OK || c->stopped || c->study->calibrate.points == 0) return status;
  return calibrate_find_posterior(c, how, error);
}

/* The findings, all of them: a verdict that lacks one could pass for a better one. */
static omr_status judge(omr_calibrate *c, omr_error *error) {
  calibrate_judge(c);
  return c->memory.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for the findings")
                          : OMR_OK;
}

/* The outcome of a check before a fit, from the runs of the prior. */
static omr_status conclude_check(omr_calibrate *c, const calibrate_how *how, omr_error *error) {
  c->checked_only = true;
  omr_status status = OMR_OK;
  if (!calibrate_is_predicted(c) && !c->stopped) status = calibrate_explain_conflict(c, how, error);
  if (status == OMR_OK) status = calibrate_find_sensitivity(c, how, error);
  if (status == OMR_OK) status = calibrate_find_values(c, error);
  return status == OMR_OK ? judge(c, error) : status;
}

static omr_status calibrate(omr_calibrate *c, const calibrate_how *how, omr_error *error) {
  calibrate_draw_prior(c, 0);
  omr_status status = find_all_errors(c, true, how, error);
  if (status == OMR_OK) status = calibrate_fit(c, how, error);
  if (status == OMR_OK && c->stopped) return conclude_check(c, how, error);
  if (status == OMR_OK) status = find_all_errors(c, false, how, error);
  if (status == OMR_OK) status = calibrate_find_sensitivity(c, how, error);
  if (status == OMR_OK) status = calibrate_find_mode(c, how, error);
  if (status != OMR_OK) return status;
  status = calibrate_find_values(c, error);
  return status == OMR_OK ? judge(c, error) : status;
}

static omr_status check_only(omr_calibrate *c, const calibrate_how *how, omr_error *error) {
  const omr_status status = calibrate_check_prior(c, how, error);
  return status == OMR_OK ? conclude_check(c, how, error) : status;
}

omr_status omr_calibrate_create(const omr_study *study, const omr_calibrate_options *options,
                                omr_calibrate **calibrated, omr_error *error) {
  static const omr_calibrate_options none = OMR_CALIBRATE_OPTIONS_INIT;
  const omr_calibrate_options *o = options ? options : &none;
  calibrate_watch watch = {.progress = o->progress, .user = o->progress_user, .total = 1};
  const omr_run_options run = calibrate_watched(&watch);
  const calibrate_how how = {&run, &watch, o->journal, o->check ? NULL : CALIBRATE_KEEPS};
  omr_calibrate *c = NULL;
  *calibrated = NULL;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_calibrate_options", error);
  if (status == OMR_OK) status = calibrate_open(study, &c, error);
  if (status == OMR_OK) status = calibrate_keep(c, o, "a fit", &c->journal, error);
  if (status == OMR_OK) status = o->check ? check_only(c, &how, error) : calibrate(c, &how, error);
  if (status == OMR_OK) *calibrated = c;
  if (status == OMR_ERR_FAILURES) calibrate_journal_remove(c->journal); /* it would fail again */
  if (status != OMR_OK) omr_calibrate_destroy(c);
  return calibrate_interrupted(&how, status, error);
}
