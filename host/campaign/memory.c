/* A whole run in memory. */
#include "../model/drawing/scene.h"
#include "../result/balance.h"
#include "../result/slice.h"
#include "../statistics/step_error.h"
#include "../study/part.h"
#include "integrate.h"
#include "named_trajectories.h"
#include "plan.h"
#include "summed_rows.h"

#include <stdlib.h>
#include <string.h>

/* Results of the chunks of an adaptive run, in row order. */
typedef struct pieces {
  omr_result **part;
  size_t count, rows;
} pieces;

static omr_status add_piece(pieces *p, omr_result *part, omr_error *error) {
  if (!omr_grow(&p->part, p->count + 1, sizeof(omr_result *))) {
    omr_result_destroy(part);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  p->part[p->count++] = part;
  p->rows += part->instances;
  return OMR_OK;
}

static void free_pieces(pieces *p) {
  for (size_t i = 0; i < p->count; i++) omr_result_destroy(p->part[i]);
  free(p->part);
}

static omr_status run_pieces(omr_integrator *integrator, omr_plan *plan, pieces *p,
                             omr_error *error) {
  for (size_t i = 0;; i++) {
    size_t first, last;
    bool end = false;
    omr_result *part = NULL;
    omr_status status = plan->ops->part(plan, i, &first, &last, &end, error);
    if (status != OMR_OK || end) return status;
    status = omr_run_rows(integrator, &plan->whole, first, last, &part, error);
    if (status == OMR_OK) status = plan->ops->take(plan, i, part, error);
    if (status != OMR_OK) {
      omr_result_destroy(part);
      return status;
    }
    status = add_piece(p, part, error);
    if (status != OMR_OK) return status;
  }
}

static omr_status join(const omr_study *study, const pieces *p, const omr_integrator *integrator,
                       omr_result **result, omr_error *error) {
  omr_part all = omr_part_of(study);
  size_t row = 0, traced = 0;
  all.rows = p->rows; /* from the study's first on */
  all.traced_count = omr_part_traced_from(&all, p->rows);
  omr_status status = omr_result_make(&all, result, error);
  if (status != OMR_OK) return status;
  (*result)->record = *omr_integrator_record(integrator); /* with the times of all parts */
  for (size_t i = 0; i < p->count; i++) {
    if (!omr_result_put(*result, row, traced, p->part[i]))
      return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
    row += p->part[i]->instances;
    traced += p->part[i]->traced_count;
  }
  omr_result_drop_rare(*result);
  return OMR_OK;
}

static omr_status run_adaptive(omr_integrator *integrator, omr_plan *plan, const omr_study *study,
                               omr_result **result, omr_error *error) {
  pieces p = {0};
  omr_status status = run_pieces(integrator, plan, &p, error);
  if (status == OMR_OK) status = join(study, &p, integrator, result, error);
  free_pieces(&p);
  return status;
}

/* Runs the rows, and the runs for the step error. *again: an object that computed some of them was
 * discarded; nothing will take it again. */
static omr_status run_rows(const omr_study *study, const omr_run_options *options, omr_plan *plan,
                           omr_refined *refined, omr_result **result, bool *again,
                           omr_error *error) {
  const double start = omr_seconds();

  /* The step error's instances run along. */
  omr_integrator *integrator = NULL;
  omr_status status = omr_integrator_open(&plan->whole, options, &integrator, error);
  if (status == OMR_OK) omr_integrator_carry(integrator, refined);

  /* A plan that waits for results runs in pieces. */
  if (status == OMR_OK && plan->ops->take)
    status = run_adaptive(integrator, plan, study, result, error);
  else if (status == OMR_OK && study->rows.summed)
    status = omr_run_summed(integrator, &plan->whole, 0, plan->whole.rows, result, error);
  else if (status == OMR_OK)
    status = omr_integrator_run(integrator, &plan->whole, result, error);
  if (status == OMR_OK) status = omr_integrator_check(integrator, error);

  /* Complete the record. */
  if (status == OMR_OK) {
    (*result)->record.build_seconds = omr_integrator_record(integrator)->build_seconds;
    (*result)->record.wall_seconds = omr_seconds() - start;
    (*result)->record.device_checks = (double)omr_integrator_checks(integrator);
    omr_refined_note(refined, *result);
    if (study->rows.summed) status = omr_keep_file_rows(&plan->whole, result, error);
  }

  *again = status == OMR_ERR_SELFTEST && omr_integrator_doubted(integrator);
  omr_integrator_close(integrator);
  return status;
}

/* The same by the study's plan, from the beginning until no object that ran was discarded. */
static omr_status run_plan(const omr_study *study, const omr_run_options *options,
                           omr_refined *refined, omr_result **result, omr_error *error) {
  for (;;) {
    bool again = false;
    omr_plan *plan = NULL;
    omr_status status = omr_plan_make(study, &plan, error);
    if (status == OMR_OK) status = omr_refined_make(study, refined, error);
    if (status == OMR_OK) status = run_rows(study, options, plan, refined, result, &again, error);
    omr_plan_close(plan);
    if (!again) return status;
    omr_refined_free(refined);
    omr_result_destroy(*result);
    *result = NULL;
  }
}

/* Finds the extremes among the rows, or in the sums of those that were not kept. */
static omr_status note_rows(omr_named *named, const omr_study *study, const omr_result *result,
                            omr_error *error) {
  omr_partial *partial = NULL;
  if (!result->partial) {
    omr_named_note(named, result);
    return OMR_OK;
  }
  const omr_status status = omr_partial_of(study, result, &partial, error);
  if (status == OMR_OK) omr_named_note_partial(named, partial);
  omr_partial_free(partial);
  return status;
}

/* Traces the instances that have names. */
static omr_status trace_named(const omr_study *study, const omr_run_options *options,
                              omr_result *result, omr_error *error) {
  omr_named named;
  char warnings[OMR_WARNINGS] = "";
  omr_status status = omr_named_make(study, &named, error);
  if (status == OMR_OK) status = note_rows(&named, study, result, error);
  if (status == OMR_OK) status = omr_named_run(&named, options, &result->record, warnings, error);
  if (status == OMR_OK && named.again) status = omr_result_add_traces(result, named.again, error);
  omr_add_warnings(result->warnings, warnings);
  omr_log_warnings(options ? options->log : NULL, warnings);
  result->traced_names = named.names;
  result->nominal = named.nominal;
  named.names = NULL;
  named.nominal = NULL;
  omr_named_free(&named);
  return status;
}

static omr_status keep_statistics(const omr_study *study, const omr_run_options *options,
                                  omr_refined *refined, omr_result *result, omr_error *error) {
  const double start = omr_seconds();
  char warnings[OMR_WARNINGS] = "";
  omr_status status = omr_statistics_keep(study, result, error);
  if (status == OMR_OK) status = omr_step_error_keep(study, refined, result, error);
  if (status != OMR_OK) return status;
  omr_step_error_warn(result->statistics, warnings, sizeof warnings);
  omr_add_warnings(result->warnings, warnings);
  omr_log_warnings(options ? options->log : NULL, warnings);
  omr_note_fewer_threads(result->warnings, options ? options->log : NULL);
  omr_balance_warn(study, &result->record, warnings, sizeof warnings);
  omr_add_warnings(result->warnings, warnings);
  omr_log_warnings(options ? options->log : NULL, warnings);
  result->record.statistics_seconds = omr_seconds() - start;
  return OMR_OK;
}

omr_status omr_run(const omr_study *given, const omr_run_options *options, omr_result **result,
                   omr_error *error) {
  omr_refined refined = {0};
  const bool measured = !given->step_error.off && !(options && options->no_step_error);
  const omr_study own = omr_study_measured(given, measured), *study = &own;

  *result = NULL;
  omr_status status =
      options ? omr_check_size(options->size, sizeof *options, "omr_run_options", error) : OMR_OK;
  if (status != OMR_OK) return status;

  /* Rows first, then named trajectories and statistics. */
  status = run_plan(study, options, &refined, result, error);
  if (status == OMR_OK) (*result)->scene = omr_scene_kept(given);
  if (status == OMR_OK) status = trace_named(study, options, *result, error);
  if (status == OMR_OK) status = keep_statistics(study, options, &refined, *result, error);

  /* A failure leaves no result. */
  if (status != OMR_OK) {
    omr_result_destroy(*result);
    *result = NULL;
  }

  omr_refined_free(&refined);
  return status;
}

omr_status omr_result_check_accept(const omr_study *study, const omr_result *result,
                                   omr_error *error) {
  return result->statistics ? omr_step_error_check(study, result->statistics, error) : OMR_OK;
}
