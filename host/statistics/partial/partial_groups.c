/* Row groups: Sobol' indices and elementary effects (sobol_indices.c and morris.c have the
 * estimators). Sums are of plain values, exact, so that a mean can be taken out of them later. */
#include "partial.h"

#include "../../study/designs/row_groups.h"
#include "../../support/team.h"

#include <math.h>
#include <stdlib.h>

static void widen(double *low, double *high, double value) {
  *low = omr_lower(*low, value);
  *high = omr_higher(*high, value);
}

omr_partial_batch *omr_partial_open_batch(omr_partial *s, size_t quantity, size_t batch) {
  omr_partial_batch *b = &s->batches[quantity * OMR_SOBOL_BATCHES + batch];
  if (b->each) return b;
  b->low = HUGE_VAL;
  b->high = -HUGE_VAL;
  b->each = calloc(s->parameters + 1, sizeof *b->each);
  return b->each ? b : NULL;
}

static bool add_sobol(omr_partial *s, const double *y, uint64_t group, size_t quantity) {
  omr_partial_batch *batch = omr_partial_open_batch(s, quantity, (size_t)(group / s->per_batch));
  const double a = y[0], b = y[s->parameters + 1];
  if (!batch) return false;
  batch->groups++;
  widen(&batch->low, &batch->high, a);
  widen(&batch->low, &batch->high, b);

  /* of a and b */
  omr_exact_add(&batch->sum, a);
  omr_exact_add(&batch->sum, b);
  omr_exact_add_product(&batch->squares, a, a, 1);
  omr_exact_add_product(&batch->squares, b, b, 1);

  /* of each parameter */
  for (size_t i = 0; i < s->parameters; i++) {
    const double change = y[i + 1] - a;
    if (!isfinite(change)) continue;
    omr_exact_add_product(&batch->each[i][0], b, change, 1);
    omr_exact_add(&batch->each[i][1], change);
    omr_exact_add_product(&batch->each[i][2], change, change, 1);
  }

  return true;
}

static void add_morris(omr_partial *s, const double *y, uint64_t group, size_t quantity) {
  for (size_t i = 0; i < s->group_rows; i++)
    widen(&s->group_low[quantity], &s->group_high[quantity], y[i]);
  for (size_t i = 0; i < s->parameters; i++) {
    size_t before;
    const double step = omr_morris_step(s->study, &s->study->variations[i], group, &before);
    const double effect = (y[before + 1] - y[before]) / step;
    omr_partial_terms *e = &s->terms[quantity * s->parameters + i];
    if (!isfinite(effect)) continue;
    omr_exact_add(&e->sum, effect);
    omr_exact_add(&e->size, fabs(effect));
    omr_exact_add_product(&e->squares, effect, effect, 1);
  }
}

/* Adds the values of a quantity; `first`: number of the first group. */
static bool add_quantity(omr_partial *s, const omr_groups *groups, uint64_t first,
                         const double *values, size_t quantity) {
  const size_t observables = s->frame->quantity_count - s->parameters;
  omr_groups g = *groups;
  g.values = (double *)(uintptr_t)values; /* which nobody writes */
  g.every =
      quantity >= observables && s->frame->criteria[quantity - observables].expression->status;
  for (size_t i = 0; i < g.here; i++) {
    const double *y = omr_groups_get(&g, i);
    if (!y) continue;
    s->group_used[quantity]++;
    if (s->measure == OMR_MEASURE_MORRIS)
      add_morris(s, y, first + i, quantity);
    else if (!add_sobol(s, y, first + i, quantity))
      return false;
  }
  return true;
}

omr_status omr_partial_add_groups(omr_partial *s, const omr_result *rows, uint64_t first,
                                  const double *const *values, omr_error *error) {
  omr_groups g = {
      .rows = s->group_rows, .here = rows->instances / s->group_rows, .status = rows->status};
  g.group_status = omr_pool_take(&g.memory, g.here, sizeof *g.group_status);
  bool good = g.group_status != NULL;
  if (good) omr_groups_judge(&g);
  if (good) omr_groups_count(&g, &s->groups_ok, s->groups_failed);
  s->groups += g.here;
  if (good && (s->measure == OMR_MEASURE_SOBOL || s->measure == OMR_MEASURE_MORRIS)) {
#pragma omp parallel for schedule(dynamic) num_threads(omr_team_usual())
    for (size_t q = 0; q < s->quantities; q++)
      if (!add_quantity(s, &g, first / s->group_rows, values[q], q)) {
#pragma omp atomic write
        good = false;
      }
  }
  omr_pool_free(&g.memory);
  return good ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for sums");
}
