#include "step_error.h"
#include "answer.h"
#include "step_ranking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void omr_step_error_destroy(omr_step_error *e) {
  if (!e) return;
  omr_refined_free(&e->refined);
  omr_pool_free(&e->memory);
  free(e);
}

const omr_step_quantity *omr_step_quantity_of(const omr_statistics *s, size_t q) {
  const omr_step_error *e = s->step_error;
  return e && q >= e->parameter_count && q - e->parameter_count < e->observable_count
             ? &e->quantities[q - e->parameter_count]
             : NULL;
}

bool omr_step_dominates(const omr_statistics *s, size_t q) {
  const omr_step_quantity *step = omr_step_quantity_of(s, q);
  if (!step || step->used == 0) return false;
  const omr_bounds bounds = omr_mean_bounds(&s->quantities[q].moments, s->confidence);
  return fabs(step->mean.error) > (bounds.high - bounds.low) / 2;
}

static omr_step_error *make(const omr_statistics *s, omr_refined *refined) {
  omr_step_error *e = calloc(1, sizeof *e);
  if (!e) return NULL;

  /* take the refined rows over, so that the caller has none to free */
  e->refined = *refined;
  *refined = (omr_refined){0};

  e->rows = s->rows;
  e->parameter_count = s->parameter_count;
  e->quantile_count = s->quantile_count;
  e->observable_count = s->quantity_count - s->parameter_count;
  e->criterion_count = s->criterion_count;

  e->quantities = omr_pool_take(&e->memory, e->observable_count, sizeof *e->quantities);
  e->quantiles =
      omr_pool_take(&e->memory, e->observable_count * e->quantile_count, sizeof *e->quantiles);
  e->criteria = omr_pool_take(&e->memory, e->criterion_count, sizeof *e->criteria);
  for (size_t q = 0; !e->memory.failed && q < e->observable_count; q++)
    e->quantities[q].quantiles = e->quantiles + q * e->quantile_count;

  if (!e->memory.failed) return e;
  omr_step_error_destroy(e);
  return NULL;
}

/* CHOSEN INSTANCES */

static bool ended_well(const omr_refined *r, size_t place) {
  for (int level = 0; level <= r->sample.levels; level++)
    if (*omr_refined_status(r, level, place) != OMR_INSTANCE_OK) return false;
  return true;
}

static size_t cell_of(const omr_refined *r, size_t place) {
  return r->sample.cells ? r->sample.row[place] / r->sample.per_cell : 0;
}

/* True for the largest or smallest value over a run, by its name. */
static bool is_extreme(const char *name) {
  const size_t length = strlen(name);
  return strncmp(name, "max_", 4) == 0 || strncmp(name, "min_", 4) == 0 || strstr(name, "peak") ||
         (length > 4 && strcmp(name + length - 4, "_min") == 0);
}

/* Collects the values of a column; `places` (room for all) receives their places. */
static omr_step_values values_of(const omr_step_error *e, const omr_statistics *s, size_t column,
                                 size_t *places) {
  const omr_refined *r = &e->refined;
  omr_step_values v = {.levels = r->sample.levels,
                       .decades = r->sample.decades,
                       .vanishes = strcmp(s->quantities[column].name, "energy_error") == 0,
                       .all = r->sample.count == s->rows,
                       .confidence = s->confidence};
  if (omr_step_extremes_unknown(e) && is_extreme(s->quantities[column].name)) return v;

  /* keep the instances that have a value at every step */
  for (size_t place = 0; place < r->sample.count; place++) {
    bool finite = ended_well(r, place);
    for (int level = 0; level <= v.levels; level++)
      finite = finite && isfinite(omr_refined_row(r, level, place)[column]);

    if (!finite) continue;
    for (int level = 0; level <= v.levels; level++)
      v.value[level][v.count] = omr_refined_row(r, level, place)[column];

    v.stratum[v.count] = r->sample.cells <= r->sample.count ? cell_of(r, place) : 0;
    places[v.count++] = place;
  }

  v.part = (double)v.count / (double)s->rows;
  return v;
}

/* Whether a criterion holds in an instance: -1 where that is unknown. values: room for a row and
 * its status. */
static int truth_at(const omr_refined *r, const omr_expression *expression, int level, size_t place,
                    double *values) {
  const int status = *omr_refined_status(r, level, place);
  if (status < 0 || (status != OMR_INSTANCE_OK && !expression->status)) return -1;
  memcpy(values, omr_refined_row(r, level, place), r->columns * sizeof *values);
  values[r->columns] = status;
  return omr_expression_truth(expression, values);
}

/* ESTIMATES */

/* Scratch for finding the estimates. */
typedef struct finding {
  const omr_statistics *s;
  omr_step_cells cells;
  omr_step_draws *draws;
  double *values; /* of a row, and its status */
} finding;

static omr_step_seen seen_at(const omr_refined *r, size_t place, double value, double error) {
  return (omr_step_seen){cell_of(r, place),
                         r->sample.cells ? r->sample.row[place] % r->sample.per_cell : 0, value,
                         error};
}

static omr_status find_quantity(omr_step_error *e, finding *f, size_t number, omr_error *error) {
  const omr_statistics *s = f->s;
  omr_step_quantity *q = &e->quantities[number];
  omr_step_seen seen[OMR_STEP_SAMPLE_MOST];
  const size_t column = e->parameter_count + number;
  size_t places[OMR_STEP_SAMPLE_MOST];
  const omr_step_values v = values_of(e, s, column, places);
  const omr_step_tail tail = omr_step_tail_of(&v);
  q->used = v.count;
  q->order = tail.order;
  q->mean = omr_step_error_of_mean(&v, &tail);
  omr_step_error_sizes(&v, &tail, &q->median_size, &q->largest_size);
  for (size_t l = 0; l < s->quantile_count; l++)
    q->quantiles[l] = omr_step_error_of_quantile(&v, &tail, s->levels[l], f->draws);
  for (size_t i = 0; i < v.count; i++)
    seen[i] =
        seen_at(&e->refined, places[i], v.value[0][i], omr_step_error_at(&v, i, &tail, tail.best));
  return omr_step_rank(&f->cells, column, false, seen, v.count, &q->ranking, error);
}

/* Counts the flips of a criterion in each direction. Their bounds are exact: a bootstrap would have
 * none where no flip was seen. */
static omr_status find_criterion(omr_step_error *e, finding *f, size_t number, omr_error *error) {
  const omr_statistics *s = f->s;
  const omr_expression *expression = s->criteria[number].expression;
  omr_step_criterion *c = &e->criteria[number];
  omr_step_seen seen[OMR_STEP_SAMPLE_MOST];
  const omr_refined *r = &e->refined;
  const bool all = r->sample.count == s->rows;

  /* compare the run's step with the shortest one, where both are known */
  for (size_t place = 0; place < r->sample.count; place++) {
    const int here = truth_at(r, expression, 0, place, f->values);
    const int there = truth_at(r, expression, r->sample.levels, place, f->values);
    if (here < 0 || there < 0) continue;
    seen[c->used++] = seen_at(r, place, here, here - there);
    c->gained += here > there;
    c->lost += here < there;
  }

  /* shares of the flips */
  const double n = (double)c->used, gained = (double)c->gained / n, lost = (double)c->lost / n;

  c->flips = gained + lost;
  c->flips_high =
      all ? c->flips : omr_step_share_bound(c->gained + c->lost, c->used, s->confidence);

  /* the error of the probability, with the bounds of both directions */
  c->share = (omr_step_estimate){gained - lost, gained - lost, gained - lost};
  if (!all) c->share.low = -omr_step_share_bound(c->lost, c->used, s->confidence);
  if (!all) c->share.high = omr_step_share_bound(c->gained, c->used, s->confidence);

  return omr_step_rank(&f->cells, s->quantity_count + number, expression->status, seen, c->used,
                       &c->ranking, error);
}

static omr_status find_all(const omr_study *study, omr_step_error *e, finding *f,
                           omr_error *error) {
  omr_status status = OMR_OK;
  omr_step_draws_make(study->design.seed, f->draws);
  for (size_t place = 0; place < e->refined.sample.count; place++)
    e->left_out += !ended_well(&e->refined, place);
  for (size_t q = 0; status == OMR_OK && q < e->observable_count; q++)
    status = find_quantity(e, f, q, error);
  for (size_t c = 0; status == OMR_OK && c < e->criterion_count; c++)
    status = find_criterion(e, f, c, error);
  return status == OMR_OK ? omr_step_error_judge(study, f->s, e, error) : status;
}

static omr_status find(const omr_study *study, omr_source *source, const omr_statistics *s,
                       omr_step_error *e, omr_error *error) {
  finding f = {.s = s,
               .draws = malloc(sizeof *f.draws),
               .values = malloc((e->refined.columns + 1) * sizeof *f.values)};
  omr_status status = f.draws && f.values
                          ? omr_step_cells_open(source, s, &e->refined, &f.cells, error)
                          : omr_fail(error, OMR_ERR_MEMORY, "out of memory for the step error");
  if (status == OMR_OK) status = find_all(study, e, &f, error);
  omr_step_cells_close(&f.cells);
  free(f.draws);
  free(f.values);
  return status;
}

omr_status omr_step_error_compute(const omr_study *study, omr_source *source, omr_refined *refined,
                                  omr_statistics *s, omr_error *error) {
  omr_step_error_destroy(s->step_error);
  s->step_error = NULL;
  if (refined->sample.count == 0 || refined->columns != s->quantity_count) return OMR_OK;
  omr_step_error *e = make(s, refined);
  omr_status status = e ? find(study, source, s, e, error)
                        : omr_fail(error, OMR_ERR_MEMORY, "out of memory for the step error");
  if (status == OMR_OK)
    s->step_error = e;
  else
    omr_step_error_destroy(e);
  omr_answer_take_step(s);
  return status;
}

omr_status omr_step_error_keep(const omr_study *study, omr_refined *refined, omr_result *result,
                               omr_error *error) {
  omr_source *source;
  omr_status status = omr_source_of_result(result, &source, error);
  if (status != OMR_OK) return status;
  status = omr_step_error_compute(study, source, refined, result->statistics, error);
  omr_source_close(source);
  return status;
}
