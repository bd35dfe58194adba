/* Measures of a running system. Means and integrals are integrated with the state. Extremes are
 * looked at when steps of the study start and on both sides of every jump, and between the looks of
 * one smooth stretch (graph_extremes.c). Conditions of the state are events, whose time the
 * integrator finds, or jump with the state; conditions of accelerations are checked where extremes
 * are. */
#include "graph_system.h"

/* Power of everything but gravity; integrands in the order of the measures. */
static void rates(void *self, const omr_mb *mb, double *rate) {
  omr_graph_system *s = self;
  int at = omr_graph_first_integral(s);
  for (int i = 0; i < at; i++) rate[i] = 0;
  for (int i = 0; i < mb->constraints && at > OMR_GRAPH_Q_WORK; i++)
    rate[OMR_GRAPH_Q_WORK] += omr_mb_power(mb, mb->constraint[i]);
  for (int m = 0; m < s->graph->measures; m++) {
    const omr_graph_kind kind = omr_graph_measure_element(s, m)->kind;
    if (!omr_graph_is_integral(kind)) continue;
    const double f = omr_graph_measured_number(s, m);
    rate[at++] = kind == OMR_GRAPH_KIND_MEASURE_RMS ? f * f : f;
  }
}

void omr_graph_add_measures(omr_graph_system *s, omr_mb *mb) {
  int count = omr_graph_first_integral(s);
  for (int m = 0; m < s->graph->measures; m++) {
    const omr_graph_element *e = omr_graph_measure_element(s, m);
    if (omr_graph_is_integral(e->kind)) count++;
    if (!omr_graph_is_condition(e->kind)) continue;
    s->measured[m].dynamic =
        s->small || s->graph->slot[omr_graph_measured_slot(s->graph, m)].level == OMR_GRAPH_DYNAMIC;
    if (!s->measured[m].dynamic) s->event[s->events++] = m;
  }
  omr_mb_add_quadratures(mb, count, rates, s);
}

/* Records that a condition has become true, or false again. */
static void turn(omr_graph_system *s, int measure, bool on, double time) {
  omr_graph_measured *m = &s->measured[measure];
  m->on = on;
  if (!on) return;
  if (omr_graph_measure_element(s, measure)->kind == OMR_GRAPH_KIND_MEASURE_COUNT)
    m->value += 1;
  else if (isnan(m->value))
    m->value = time;
}

/* A condition that holds at the start became true then, and does not count as an event. */
void omr_graph_begin_measures(omr_graph_system *s) {
  for (int i = 0; i < s->graph->measures; i++) {
    const omr_graph_element *e = omr_graph_measure_element(s, i);
    omr_graph_measured *m = &s->measured[i];
    m->value = e->kind == OMR_GRAPH_KIND_MEASURE_COUNT ? 0 : (double)NAN;
    if (omr_graph_is_integral(e->kind)) continue;
    if (!omr_graph_is_condition(e->kind)) {
      m->value = omr_graph_measured_number(s, i);
      continue;
    }
    m->margin = omr_graph_margin(s, omr_graph_measured_slot(s->graph, i));
    m->jumped = (double)NAN;
    m->on = m->margin > 0;
    if (m->on && e->kind == OMR_GRAPH_KIND_MEASURE_FIRST) m->value = s->owner->mb->time;
  }
}

static double sign_of(omr_graph_kind kind) {
  return kind == OMR_GRAPH_KIND_MEASURE_LARGEST ? 1 : -1;
}

/* Follows an extreme. fresh: the look is at a new instant; full: the oldest look has made room for
 * it. */
static void follow(omr_graph_system *s, int measure, bool fresh, bool full) {
  omr_graph_measured *m = &s->measured[measure];
  const omr_graph_element *e = omr_graph_measure_element(s, measure);
  const double value = omr_graph_measured_number(s, measure), sign = sign_of(e->kind);
  const int at = s->looks.count - 1;
  m->value = sign * fmax(sign * m->value, sign * value);
  if (!fresh) return;
  if (full) {
    m->look[0] = m->look[1];
    m->look[1] = m->look[2];
  }
  m->look[at] = value;
  m->value = omr_graph_between_looks(s, omr_graph_measured_slot(s->graph, measure), m->look,
                                     m->value, sign);
}

/* True if an impact, or the beginning or end of a contact, has taken a condition of the state to
 * the other side at once, so that no event finds a change of sign. Velocities that an impact sets
 * to 0 are so up to rounding: that is not the other side. */
static bool has_jumped(const omr_graph_measured *m, double margin) {
  const double rounding = 1e-12 * fabs(margin - m->margin);
  return (m->margin > 0) == m->on && (margin > 0) != m->on && fabs(margin) > rounding;
}

static void look_at_condition(omr_graph_system *s, int measure, bool breaks) {
  omr_graph_measured *m = &s->measured[measure];
  const double t = s->owner->mb->time,
               margin = omr_graph_margin(s, omr_graph_measured_slot(s->graph, measure));
  const bool jump = !m->dynamic && breaks && has_jumped(m, margin);
  m->margin = margin;
  if (jump) m->jumped = t;
  if (jump || (m->dynamic && (margin > 0) != m->on)) turn(s, measure, margin > 0, t);
}

void omr_graph_look(omr_graph_system *s, bool breaks) {
  if (breaks) s->looks.count = 0;
  const bool full = s->looks.count == OMR_GRAPH_LOOKS,
             fresh = !s->small && omr_graph_keep_look(&s->looks, s->owner->mb);
  for (int i = 0; i < s->graph->measures; i++) {
    const omr_graph_element *e = omr_graph_measure_element(s, i);
    if (e->kind == OMR_GRAPH_KIND_MEASURE_LARGEST || e->kind == OMR_GRAPH_KIND_MEASURE_SMALLEST)
      follow(s, i, fresh, full);
    if (omr_graph_is_condition(e->kind) &&
        s->graph->slot[omr_graph_measured_slot(s->graph, i)].level != OMR_GRAPH_STATIC)
      look_at_condition(s, i, breaks);
  }
}

/* Event functions: each falls to 0 when its condition changes. */
void omr_graph_measure_values(omr_graph_system *s, double *g) {
  for (int i = 0; i < s->events; i++) {
    const int m = s->event[i];
    const double margin = omr_graph_margin(s, omr_graph_measured_slot(s->graph, m));
    g[i] = isnan(margin) ? 1 : s->measured[m].on ? margin : -margin;
  }
}

/* A condition that has jumped at the same instant has turned already. */
void omr_graph_measure_happen(omr_graph_system *s, int which) {
  const int m = s->event[which];
  if (s->measured[m].jumped == s->owner->mb->time) return;
  turn(s, m, !s->measured[m].on, s->owner->mb->time);
}
