/* Elementary effects (Morris 1991): (y after - y before) / step of the parameter that moves between
 * two rows of a trajectory. The step is taken in the unit interval of its quantile function, so
 * effects are comparable and in units of the observable. mu is their mean over the trajectories,
 * sigma their standard deviation, mu* the mean of their sizes (Campolongo et al. 2007).
 * Trajectories are drawn independently, so the intervals are Student's; the interval of mu* does
 * not go below 0. */
#include "../study/designs/row_groups.h"
#include "../study/grammar/reader.h"
#include "intervals.h"
#include "sensitivity_table.h"

#include <math.h>
#include <stdlib.h>

typedef struct range {
  double low, high;
} range;

typedef struct work {
  omr_sensitivity *table;
  const omr_study *study;
  omr_groups groups;
  omr_effect *effects; /* [quantities][parameters] */
  range *ranges;       /* [quantities] */
  size_t *before;      /* [block][parameters]: the row before the move */
  double *step;        /* the same */
} work;

static omr_status open_work(work *w, omr_sensitivity *table, const omr_study *study,
                            omr_source *source, omr_error *error) {
  OMR_TRY(omr_groups_open(&w->groups, source, table->group_rows, table->block_rows, error));
  const size_t moves = w->groups.block * table->parameters;
  w->table = table;
  w->study = study;
  omr_pool *memory = &w->groups.memory;
  w->effects = omr_pool_take(memory, table->quantities * table->parameters, sizeof *w->effects);
  w->ranges = omr_pool_take(memory, table->quantities, sizeof *w->ranges);
  w->before = omr_pool_take(memory, moves, sizeof *w->before);
  w->step = omr_pool_take(memory, moves, sizeof *w->step);
  if (!memory->failed) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY,
                  "out of memory for the elementary effects of %zu parameters", table->parameters);
}

static void find_moves(work *w) {
  const size_t parameters = w->table->parameters;
  for (size_t g = 0; g < w->groups.here; g++)
    for (size_t i = 0; i < parameters; i++)
      w->step[g * parameters + i] = omr_morris_step(
          w->study, &w->study->variations[i], w->groups.first + g, &w->before[g * parameters + i]);
}

static void add(double *mean, double *squares, double value, double count) {
  const double difference = value - *mean;
  *mean += difference / count;
  *squares += difference * (value - *mean);
}

static void add_trajectory(work *w, size_t quantity, size_t g, const double *y) {
  const size_t parameters = w->table->parameters;
  const double count = (double)++w->table->used[quantity];
  range *r = &w->ranges[quantity];
  if (count == 1) *r = (range){y[0], y[0]};
  for (size_t i = 0; i <= parameters; i++) *r = (range){fmin(r->low, y[i]), fmax(r->high, y[i])};
  for (size_t i = 0; i < parameters; i++) {
    omr_effect *e = &w->effects[omr_sensitivity_at(w->table, quantity, i)];
    const size_t before = w->before[g * parameters + i];
    const double value = (y[before + 1] - y[before]) / w->step[g * parameters + i];
    add(&e->mean, &e->squares, value, count);
    add(&e->mean_size, &e->squares_size, fabs(value), count);
  }
}

static omr_status add_block(work *w, omr_error *error) {
  find_moves(w);
  for (size_t q = 0; q < w->table->quantities; q++) {
    OMR_TRY(
        omr_groups_values(&w->groups, w->groups.source->parameters + q, w->table->every[q], error));
    for (size_t g = 0; g < w->groups.here; g++) {
      const double *y = omr_groups_get(&w->groups, g);
      if (y) add_trajectory(w, q, g, y);
    }
  }
  return OMR_OK;
}

void omr_effects_fill(omr_sensitivity *table, size_t quantity, omr_effect *effects, double low,
                      double high) {
  const double n = (double)table->used[quantity],
               t = n > 1 ? omr_student_quantile(n - 1, table->confidence) : 0;
  const double rounding = omr_rounding_of(table, quantity, low, high);

  const bool constant = high - low <= rounding;
  for (size_t i = 0; i < table->parameters; i++) {
    const size_t at = omr_sensitivity_at(table, quantity, i);
    omr_effect *e = &effects[i];

    /* no estimate from one trajectory, or of a constant observable */
    if (n < 2 || constant) {
      omr_sensitivity_none(table, quantity, i, n < 2 ? OMR_REASON_FEW : OMR_REASON_CONSTANT);
      table->sigma[at] = (double)NAN;
      continue;
    }

    /* effects within rounding are none; steps of the unit interval are about 1/2 */
    if (e->mean_size <= rounding)
      *e = (omr_effect){0}; /* steps of the unit interval are about 1/2 */

    const double error = t * sqrt(e->squares / (n - 1) / n),
                 error_size = t * sqrt(e->squares_size / (n - 1) / n);

    table->estimates[0][at] =
        (omr_estimate){e->mean_size, fmax(e->mean_size - error_size, 0), e->mean_size + error_size};
    table->estimates[1][at] = (omr_estimate){e->mean, e->mean - error, e->mean + error};
    table->sigma[at] = sqrt(e->squares / (n - 1));
  }
}

omr_status omr_elementary_effects(omr_sensitivity *table, const omr_study *study,
                                  omr_source *source, omr_error *error) {
  work w = {0};
  bool more = true;
  omr_status status = open_work(&w, table, study, source, error);
  for (size_t first = 0; status == OMR_OK && more; first += w.groups.here) {
    status = omr_groups_block(&w.groups, first, &more, error);
    if (status == OMR_OK && more) status = add_block(&w, error);
  }
  for (size_t q = 0; status == OMR_OK && q < table->quantities; q++)
    omr_effects_fill(table, q, w.effects + omr_sensitivity_at(table, q, 0), w.ranges[q].low,
                     w.ranges[q].high);
  omr_groups_close(&w.groups);
  return status;
}
