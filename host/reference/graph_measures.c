/* Measures of a system while it runs. Means and integrals are integrated with the state. Extremes
 * are looked at where steps of the study start and on both sides of everything that jumps, and
 * between three looks of one smooth stretch by the parabola through them. Conditions of the state
 * are events, whose time the integrator finds, or jump with the state; those of accelerations are
 * looked at where extremes are. */
#include "graph_system.h"

static const omr_graph_element *element_of(const omr_graph_system *s, int measure) {
  return &s->graph->element[s->graph->measure_element[measure]];
}

static bool is_condition(omr_graph_kind kind) {
  return kind == OMR_GRAPH_KIND_MEASURE_FIRST || kind == OMR_GRAPH_KIND_MEASURE_COUNT;
}

static bool is_integral(omr_graph_kind kind) {
  return kind == OMR_GRAPH_KIND_MEASURE_MEAN || kind == OMR_GRAPH_KIND_MEASURE_RMS ||
         kind == OMR_GRAPH_KIND_MEASURE_INTEGRAL;
}

static omr_slot slot_of(const omr_graph_element *e) {
  return e->slot[is_condition(e->kind) ? OMR_GRAPH_KEY_MEASURE_WHEN : OMR_GRAPH_KEY_MEASURE_OF];
}

static double value_of(omr_graph_system *s, int measure) {
  return omr_graph_number(s, slot_of(element_of(s, measure)));
}

/* Power of everything but gravity; integrands in the order of the measures. */
static void rates(void *self, const omr_mb *mb, double *rate) {
  omr_graph_system *s = self;
  int at = OMR_GRAPH_Q_MEASURES;
  rate[OMR_GRAPH_Q_WORK] = 0;
  for (int i = 0; i < omr_mb_constraints(mb); i++)
    rate[OMR_GRAPH_Q_WORK] += omr_mb_power(mb, omr_mb_constraint_at(mb, i));
  for (int m = 0; m < s->graph->measures; m++) {
    const omr_graph_kind kind = element_of(s, m)->kind;
    if (!is_integral(kind)) continue;
    const double f = value_of(s, m);
    rate[at++] = kind == OMR_GRAPH_KIND_MEASURE_RMS ? f * f : f;
  }
}

void omr_graph_add_measures(omr_graph_system *s, omr_mb *mb) {
  int count = OMR_GRAPH_Q_MEASURES;
  for (int m = 0; m < s->graph->measures; m++) {
    const omr_graph_element *e = element_of(s, m);
    if (is_integral(e->kind)) count++;
    if (!is_condition(e->kind)) continue;
    s->measured[m].dynamic = s->graph->slot[slot_of(e)].level == OMR_GRAPH_DYNAMIC;
    if (!s->measured[m].dynamic) s->event[s->events++] = m;
  }
  omr_mb_add_quadratures(mb, count, rates, s);
}

/* A condition that has become true, or false again. */
static void turn(omr_graph_system *s, int measure, bool on, double time) {
  omr_graph_measured *m = &s->measured[measure];
  m->on = on;
  if (!on) return;
  if (element_of(s, measure)->kind == OMR_GRAPH_KIND_MEASURE_COUNT)
    m->value += 1;
  else if (isnan(m->value))
    m->value = time;
}

/* What holds at the start has become true then, and counts as none that comes. */
void omr_graph_begin_measures(omr_graph_system *s) {
  for (int i = 0; i < s->graph->measures; i++) {
    const omr_graph_element *e = element_of(s, i);
    omr_graph_measured *m = &s->measured[i];
    m->value = e->kind == OMR_GRAPH_KIND_MEASURE_COUNT ? 0 : (double)NAN;
    if (is_integral(e->kind)) continue;
    if (!is_condition(e->kind)) {
      m->value = omr_graph_number(s, slot_of(e));
      continue;
    }
    m->margin = omr_graph_margin(s, slot_of(e));
    m->jumped = (double)NAN;
    m->on = m->margin > 0;
    if (m->on && e->kind == OMR_GRAPH_KIND_MEASURE_FIRST) m->value = omr_mb_time(s->owner->mb);
  }
}

/* Vertex of the parabola through (t[k], f[k]) where it lies between them; else f[2]. */
static double vertex(const double t[3], const double f[3]) {
  const double a = t[1] - t[0], b = t[2] - t[1], s0 = (f[1] - f[0]) / a, s1 = (f[2] - f[1]) / b;
  const double bend = (s1 - s0) / (a + b), slope = (s0 * b + s1 * a) / (a + b),
               x = -slope / (2 * bend);
  return x > -a && x < b ? f[1] - slope * slope / (4 * bend) : f[2];
}

static void keep_extreme(omr_graph_measured *m, omr_graph_kind kind, double value) {
  if (kind == OMR_GRAPH_KIND_MEASURE_LARGEST) m->value = fmax(m->value, value);
  if (kind == OMR_GRAPH_KIND_MEASURE_SMALLEST) m->value = fmin(m->value, value);
}

static void follow(omr_graph_measured *m, omr_graph_kind kind, double t, double value) {
  keep_extreme(m, kind, value);
  if (m->looks > 0 && t <= m->time[m->looks - 1]) return; /* the same instant again */
  if (m->looks == 2) {
    const double times[3] = {m->time[0], m->time[1], t}, looks[3] = {m->look[0], m->look[1], value};
    keep_extreme(m, kind, vertex(times, looks));
    m->time[0] = m->time[1];
    m->look[0] = m->look[1];
  }
  const int at = m->looks < 2 ? m->looks++ : 1;
  m->time[at] = t;
  m->look[at] = value;
}

/* An impact, or what a contact begins or ends, takes a condition of the state to the other side at
 * once, so that no event finds a change of sign. Velocities that an impact leaves at 0 are so but
 * for rounding: that is no other side. */
static bool has_jumped(const omr_graph_measured *m, double margin) {
  const double rounding = 1e-12 * fabs(margin - m->margin);
  return (m->margin > 0) == m->on && (margin > 0) != m->on && fabs(margin) > rounding;
}

static void look_at_condition(omr_graph_system *s, int measure, bool breaks) {
  omr_graph_measured *m = &s->measured[measure];
  const double t = omr_mb_time(s->owner->mb),
               margin = omr_graph_margin(s, slot_of(element_of(s, measure)));
  const bool jump = !m->dynamic && breaks && has_jumped(m, margin);
  m->margin = margin;
  if (jump) m->jumped = t;
  if (jump || (m->dynamic && (margin > 0) != m->on)) turn(s, measure, margin > 0, t);
}

void omr_graph_look(omr_graph_system *s, bool breaks) {
  const double t = omr_mb_time(s->owner->mb);
  for (int i = 0; i < s->graph->measures; i++) {
    const omr_graph_element *e = element_of(s, i);
    omr_graph_measured *m = &s->measured[i];
    if (breaks) m->looks = 0;
    if (e->kind == OMR_GRAPH_KIND_MEASURE_LARGEST || e->kind == OMR_GRAPH_KIND_MEASURE_SMALLEST)
      follow(m, e->kind, t, value_of(s, i));
    if (is_condition(e->kind)) look_at_condition(s, i, breaks);
  }
}

/* Falls to 0 where the condition changes. */
void omr_graph_measure_values(omr_graph_system *s, double *g) {
  for (int i = 0; i < s->events; i++) {
    const int m = s->event[i];
    const double margin = omr_graph_margin(s, slot_of(element_of(s, m)));
    g[i] = isnan(margin) ? 1 : s->measured[m].on ? margin : -margin;
  }
}

/* What has jumped at the same instant has turned already. */
void omr_graph_measure_happen(omr_graph_system *s, int which) {
  const int m = s->event[which];
  if (s->measured[m].jumped == omr_mb_time(s->owner->mb)) return;
  turn(s, m, !s->measured[m].on, omr_mb_time(s->owner->mb));
}

void omr_graph_measures(omr_graph_system *s, double *observables) {
  const double *integral = omr_mb_quadratures(s->owner->mb) + OMR_GRAPH_Q_MEASURES;
  const double duration = omr_mb_time(s->owner->mb);
  for (int i = 0; i < s->graph->measures; i++) {
    const omr_graph_kind kind = element_of(s, i)->kind;
    double value = s->measured[i].value;
    if (is_integral(kind)) value = *integral++;
    if (kind == OMR_GRAPH_KIND_MEASURE_MEAN)
      value = duration > 0 ? value / duration : value_of(s, i);
    if (kind == OMR_GRAPH_KIND_MEASURE_RMS)
      value = duration > 0 ? sqrt(fmax(value, 0) / duration) : fabs(value_of(s, i));
    if (kind == OMR_GRAPH_KIND_MEASURE_FINAL) value = value_of(s, i);
    observables[OMR_OBS_GRAPH_0 + i] = value;
  }
}
