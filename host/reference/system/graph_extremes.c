/* Extremes of measures within one smooth stretch. If the vertex of a parabola through three looks
 * exceeds all values so far, the states of these looks are set again for their slopes, and the
 * extreme is the one of the cubic between the two looks where the slope changes its sign. The
 * parabola by itself would swing below the ground after a lift-off, which begins with slope and
 * bend 0. */
#include "graph_system.h"

#include <stdlib.h>
#include <string.h>

bool omr_graph_make_looks(omr_graph_system *s, int states) {
  omr_graph_looks *l = &s->looks;
  const size_t n = (size_t)states;
  double *room = omr_pool_take(&s->owner->memory, (OMR_GRAPH_LOOKS + 2) * n, sizeof *room);
  if (!room) return false;
  for (int k = 0; k < OMR_GRAPH_LOOKS; k++) l->state[k] = room + (size_t)k * n;
  l->rate = room + OMR_GRAPH_LOOKS * n;
  l->trial = l->rate + n;
  l->states = states;
  return true;
}

bool omr_graph_keep_look(omr_graph_looks *l, const omr_mb *mb) {
  const double t = mb->time;
  if (l->count > 0 && t <= l->time[l->count - 1]) return false;
  if (l->count == OMR_GRAPH_LOOKS) {
    double *first = l->state[0];
    memmove(l->state, l->state + 1, (OMR_GRAPH_LOOKS - 1) * sizeof *l->state);
    memmove(l->time, l->time + 1, (OMR_GRAPH_LOOKS - 1) * sizeof *l->time);
    l->state[--l->count] = first;
  }
  l->time[l->count] = t;
  memcpy(l->state[l->count++], mb->state, (size_t)l->states * sizeof(double));
  return true;
}

static bool is_beyond(double value, double record, double sign) {
  return sign * value > sign * record;
}

/* Value of a slot a little way along the rates from look k, m s ahead; NaN if the equations have no
 * solution there. */
static double value_ahead(omr_graph_system *s, omr_slot slot, int k, double ahead) {
  omr_graph_looks *l = &s->looks;
  omr_mb *mb = s->owner->mb;
  for (int i = 0; i < l->states; i++) l->trial[i] = l->state[k][i] + ahead * l->rate[i];
  omr_mb_set_state(mb, l->time[k] + ahead, l->trial);
  if (s->graph->slot[slot].level == OMR_GRAPH_DYNAMIC && omr_mb_evaluate(mb, NULL, NULL) != OMR_OK)
    return (double)NAN;
  return omr_graph_number(s, slot);
}

/* Its derivative by time at look k; leaves the system in another state
 * (appendix/reference.md#bodies). */
static double slope_at(omr_graph_system *s, omr_slot slot, int k) {
  omr_graph_looks *l = &s->looks;
  const double near = 1e-3 * fmin(l->time[1] - l->time[0], l->time[2] - l->time[1]);
  omr_mb_set_state(s->owner->mb, l->time[k], l->state[k]);
  if (omr_mb_evaluate(s->owner->mb, l->rate, NULL) != OMR_OK) return (double)NAN;
  return (value_ahead(s, slot, k, near) - value_ahead(s, slot, k, -near)) / (2 * near);
}

/* Extreme of the cubic with values f and slopes g at both ends of an interval in which the slope
 * changes its sign: f + m x + a x^2 + b x^3, 0 < x < 1
 * (appendix/reference.md#bodies). */
static double cubic_extreme(double length, const double f[2], const double g[2]) {
  const double m = g[0] * length, n = g[1] * length, rise = f[1] - f[0];
  const double a = 3 * rise - 2 * m - n, b = m + n - 2 * rise;
  const double root = sqrt(fmax(a * a - 3 * b * m, 0)), q = a >= 0 ? -(a + root) : root - a;
  const double one = m / q, other = q / (3 * b);
  const double x = one >= 0 && one <= 1 ? one : other;
  return x >= 0 && x <= 1 ? f[0] + x * (m + x * (a + x * b)) : f[1];
}

/* Refines the extreme; the parabola only shows the interval. */
static double refined(omr_graph_system *s, omr_slot slot, const double f[3], double record,
                      double sign) {
  const omr_graph_looks *l = &s->looks;
  double g[3];
  for (int k = 0; k < 3; k++) g[k] = slope_at(s, slot, k);
  for (int k = 0; k < 2; k++) {
    if (!(sign * g[k] > 0 && sign * g[k + 1] < 0)) continue;
    const double value = cubic_extreme(l->time[k + 1] - l->time[k], f + k, g + k);
    if (is_beyond(value, record, sign)) record = value;
  }
  return record;
}

double omr_graph_between_looks(omr_graph_system *s, omr_slot slot, const double f[OMR_GRAPH_LOOKS],
                               double record, double sign) {
  omr_graph_looks *l = &s->looks;
  if (l->count < OMR_GRAPH_LOOKS || !is_beyond(omr_vertex(l->time, f), record, sign)) return record;
  const double value = refined(s, slot, f, record, sign);
  /* back to the present state, which is the last look */
  omr_mb_set_state(s->owner->mb, l->time[2], l->state[2]);
  return omr_mb_evaluate(s->owner->mb, NULL, NULL) == OMR_OK ? value : record;
}
