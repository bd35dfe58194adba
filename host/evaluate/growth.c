/* Candidates in memory: their vehicles come in rounds, each with further points of the same sample.
 */
#include "../campaign/integrate.h"
#include "evaluation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 64 };

/* Rows of all rounds as those of one run: cell by cell, points in their order. */
typedef struct rounds {
  omr_source source;
  omr_sample_info *info;
  size_t cells, count;
  omr_result *result[ROUNDS];
  size_t end[ROUNDS]; /* points behind each round */
} rounds;

/* The round of a row, and its row there. */
static size_t round_of(const rounds *r, size_t row, size_t *there) {
  const size_t points = r->end[r->count - 1], cell = row / points, point = row % points;
  size_t i = 0;
  while (point >= r->end[i]) i++;
  const size_t begin = i ? r->end[i - 1] : 0;
  *there = cell * (r->end[i] - begin) + point - begin;
  return i;
}

static omr_status read_rounds(omr_source *source, size_t column, size_t first, size_t count,
                              double *values, omr_error *error) {
  const rounds *r = (const rounds *)source;
  (void)error;
  for (size_t k = 0; k < count; k++) {
    size_t row;
    const omr_result *result = r->result[round_of(r, first + k, &row)];
    values[k] = result->columns[column].values[row];
  }
  return OMR_OK;
}

static omr_status read_statuses(omr_source *source, size_t first, size_t count, int8_t *codes,
                                double *times, omr_error *error) {
  const rounds *r = (const rounds *)source;
  (void)error;
  for (size_t k = 0; k < count; k++) {
    size_t row;
    const omr_result *result = r->result[round_of(r, first + k, &row)];
    if (codes) codes[k] = result->status[row];
    if (times) times[k] = result->status_time[row];
  }
  return OMR_OK;
}

static void close_rounds(omr_source *source) {
  rounds *r = (rounds *)source;
  for (size_t i = 0; i < r->count; i++) omr_result_destroy(r->result[i]);
  free(r->info);
  free(r);
}

static const omr_source_ops rounds_ops = {read_rounds, read_statuses, close_rounds, NULL, NULL};

static omr_status open_rounds(omr_candidate_group *group, omr_error *error) {
  rounds *r = calloc(1, sizeof *r);
  if (!r) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");
  r->source.ops = &rounds_ops;
  r->cells = group->cells;
  group->source = &r->source;
  return OMR_OK;
}

static bool name_columns(rounds *r, const omr_result *result) {
  r->source.columns = result->column_count;
  r->source.parameters = result->parameter_count;
  r->source.info = r->info = omr_result_infos(result);
  return r->info != NULL;
}

/* Takes the result over. */
static omr_status add_round(omr_candidate_group *group, size_t draws, omr_result *result,
                            omr_error *error) {
  rounds *r = (rounds *)group->source;
  if (r->count == ROUNDS || (r->count == 0 && !name_columns(r, result))) {
    omr_result_destroy(result);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");
  }
  r->end[r->count] = draws;
  r->result[r->count++] = result;
  r->source.rows = r->cells * draws;
  group->draws = draws;
  group->integrating += result->record.kernel_seconds;
  return OMR_OK;
}

omr_status omr_group_extend(omr_candidate_group *group, size_t draws, bool measured,
                            const omr_run_options *options, omr_error *error) {
  const omr_study *study = &group->running;
  const size_t more = draws - group->draws, all = study->sample.points;
  size_t *chosen = malloc((group->cells * more + 1) * sizeof *chosen);
  omr_status status =
      chosen ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");
  for (size_t i = 0; chosen && i < group->cells * more; i++)
    chosen[i] = i / more * all + group->draws + i % more;

  /* The first round carries the vehicles that tell the step's error. */
  if (status == OMR_OK && !group->source) status = open_rounds(group, error);
  if (status == OMR_OK && measured && !group->refined) {
    status = omr_refined_make(study, &group->own, error);
    group->refined = &group->own;
  }

  omr_result *result = NULL;
  if (status == OMR_OK) {
    const omr_part part = omr_part_choose(study, chosen, group->cells * more);
    status = omr_run_part(&part, options, measured ? &group->own : NULL, &result, error);
  }
  if (status == OMR_OK) status = add_round(group, draws, result, error);
  free(chosen);
  return status;
}

/* A value that is not known does not get narrower. */
static bool is_narrow(const omr_stop_settings *stop, const omr_goal_estimate *goal) {
  const double width = goal->bounds.high - goal->bounds.low;
  return isnan(goal->value) || width <= stop->width * fabs(goal->value);
}

omr_status omr_group_is_narrow(const omr_candidate_group *group, bool *narrow, omr_error *error) {
  const omr_stop_settings *stop = &group->study->statistics.stop;
  const size_t goals = group->set.goals->count;
  omr_goal_estimate *estimates = calloc(goals + 1, sizeof *estimates);
  omr_status status =
      estimates ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");
  for (size_t cell = 0; status == OMR_OK && *narrow && cell < group->cells; cell++) {
    omr_candidate_reading r;
    status = omr_group_read(group, cell, stop->index, stop->index + 1, estimates, &r, error);
    *narrow = status == OMR_OK && is_narrow(stop, &estimates[stop->index]);
    omr_pool_free(&r.memory);
  }
  free(estimates);
  return status;
}
