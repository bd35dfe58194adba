/* Switches of a vehicle on compliant contacts: rollers reach the floor and leave it, dampers let
 * go, contacts pass the ends of profiles, change the zone of their friction and cross patches.
 * Exchanges of the nearest roller do not change the motion; they are counted, and only the rollers
 * around the lowest one are watched. */
#include "omni_compliant.h"

#include <stdlib.h>

/* Event functions of a roller, and of a wheel: its own, then WATCHED rollers'. */
enum { TOUCHES, SLACKENS, ENDS, SLIDES, CROSSES, ROLLER_EVENTS = CROSSES + OMR_PATCHES };
enum { PASSES_BEHIND, PASSES_AHEAD, MOVES_ON, OWN_EVENTS };
enum { ASIDE = 2, WATCHED = 2 * ASIDE + 1, WHEEL_EVENTS = OWN_EVENTS + WATCHED * ROLLER_EVENTS };

/* The lowest roller is searched anew when it is this many times alpha from straight down: later
 * than a wheel of a level vehicle exchanges its rollers, which searches too. */
#define LOWEST_ENDS 1.6

static int watched(const omr_omni_wheel *w) {
  return w->rollers < WATCHED ? w->rollers : WATCHED;
}

static int roller_at(const omr_omni_wheel *w, int slot) {
  return (w->lowest - watched(w) / 2 + slot + w->rollers) % w->rollers;
}

/* Angle of a roller's centre from straight down about the axle, as the wheel turns. */
static double angle_from_down(const omr_omni_wheel *w, const omr_mb *mb, int roller) {
  const omr_mat *t = &mb->frame[w->body].t;
  const double angle = 2 * w->alpha * roller;
  const omr_vec out = omr_times(t, omr_vec_of(sin(angle), -cos(angle), 0)), up = {0, 1, 0};
  const omr_vec k = omr_times(t, omr_vec_of(0, 0, 1)), i = omr_unit(omr_cross(up, k));
  return atan2(omr_dot(out, i), -omr_dot(out, omr_cross(k, i)));
}

static void find_lowest(omr_omni_wheel *w, const omr_mb *mb) {
  for (int j = 0; j < w->rollers; j++)
    if (fabs(angle_from_down(w, mb, j)) < fabs(angle_from_down(w, mb, w->lowest))) w->lowest = j;
}

/* Positive while each discrete state is as it should be. */
static double touch_value(const omr_mb *mb, const omr_compliant_contact *c) {
  return c->state.touches ? omr_compliant_at(mb, c).depth : -omr_compliant_depth(mb, c);
}

static double slack_value(const omr_compliant_contact *c, const omr_compliant_press *p) {
  const double margin = omr_compliant_margin(c->law, p->spring, p->deepens);
  return c->state.slack ? -margin : margin;
}

static double end_value(const omr_compliant_contact *c, double along) {
  return c->state.end ? c->state.end * along - c->law->end : c->law->end - fabs(along);
}

static void roller_values(const omr_mb *mb, const omr_compliant_contact *c, double *g) {
  for (int n = 0; n < ROLLER_EVENTS; n++) g[n] = 1;
  g[TOUCHES] = touch_value(mb, c);
  if (!c->state.touches) return;
  const omr_compliant_press p = omr_compliant_at(mb, c);
  g[SLACKENS] = slack_value(c, &p);
  g[ENDS] = end_value(c, omr_compliant_along(mb, c));
  if (!c->bristle)
    g[SLIDES] = omr_friction_margin(&c->friction, p.slip_i * p.slip_i + p.slip_k * p.slip_k);
  if (c->place.ground->kind != OMR_GROUND_PATCHES) return;
  for (int n = 0; n < OMR_PATCHES; n++)
    g[CROSSES + n] = omr_ground_margin(&c->place, n, omr_add(mb->frame[c->base.b].r, p.d));
}

static void event_values(void *self, const omr_mb *mb, double *g) {
  const omr_omni *omni = self;
  for (int i = 0; i < omni->wheels; i++, g += WHEEL_EVENTS) {
    const omr_omni_wheel *w = &omni->wheel[i];
    const double q = omr_omni_compliant_angle(omni, w, mb);
    for (int n = 0; n < WHEEL_EVENTS; n++) g[n] = 1;
    if (!w->disc) g[PASSES_BEHIND] = w->alpha + w->margin + q;
    if (!w->disc) g[PASSES_AHEAD] = w->alpha + w->margin - q;
    g[MOVES_ON] = LOWEST_ENDS * w->alpha - fabs(angle_from_down(w, mb, w->lowest));
    for (int s = 0; s < watched(w); s++)
      if (!w->tracks || roller_at(w, s) == w->active)
        roller_values(mb, &w->soft[roller_at(w, s)], g + OWN_EVENTS + s * ROLLER_EVENTS);
  }
}

/* Sets all other states of a contact that touches. */
static void judge(omr_compliant_contact *c, const omr_mb *mb) {
  c->state.slack = false;
  c->state.end = omr_compliant_end_of(c->law, omr_compliant_along(mb, c));
  const omr_compliant_press p = omr_compliant_at(mb, c);
  const double slip = p.slip_i * p.slip_i + p.slip_k * p.slip_k;
  c->state.slack = omr_compliant_margin(c->law, p.spring, p.deepens) < 0;
  c->friction.slides = slip > c->friction.slip_speed * c->friction.slip_speed;
  omr_ground_judge(&c->place, omr_add(mb->frame[c->base.b].r, p.d));
}

static void change_roller(omr_compliant_contact *c, const omr_mb *mb, int event) {
  const double along = omr_compliant_along(mb, c);
  switch (event) {
  case TOUCHES:
    c->state.touches = !c->state.touches;
    if (c->state.touches) judge(c, mb);
    break;
  case SLACKENS: c->state.slack = !c->state.slack; break;
  case ENDS: c->state.end = c->state.end ? 0 : along > 0 ? 1 : -1; break;
  case SLIDES: c->friction.slides = !c->friction.slides; break;
  default:
    omr_ground_judge(&c->place, omr_add(mb->frame[c->base.b].r, omr_compliant_at(mb, c).d));
    break;
  }
}

/* Whether a roller touches; of a tracking wheel the nearest one alone. */
static void touch_floor(omr_omni_wheel *w, const omr_mb *mb, int roller) {
  omr_compliant_contact *c = &w->soft[roller];
  c->state.touches = (!w->tracks || roller == w->active) && omr_compliant_depth(mb, c) > 0;
  if (c->state.touches) judge(c, mb);
}

/* The wheel angle grows and the roller behind becomes the nearest. */
static void exchange(omr_omni *omni, omr_omni_wheel *w, const omr_mb *mb, int direction) {
  const int before = w->active;
  w->active = (w->active + w->rollers - direction) % w->rollers;
  omni->exchanges++;
  if (!w->tracks) return;
  touch_floor(w, mb, before);
  touch_floor(w, mb, w->active);
}

static void change(omr_omni *omni, omr_mb *mb, int which) {
  omr_omni_wheel *w = &omni->wheel[which / WHEEL_EVENTS];
  const int event = which % WHEEL_EVENTS, of_rollers = event - OWN_EVENTS;
  if (of_rollers >= 0) {
    change_roller(&w->soft[roller_at(w, of_rollers / ROLLER_EVENTS)], mb,
                  of_rollers % ROLLER_EVENTS);
    return;
  }
  if (event == PASSES_BEHIND) exchange(omni, w, mb, -1);
  if (event == PASSES_AHEAD) exchange(omni, w, mb, 1);
  find_lowest(w, mb);
}

enum { ROUNDS = 20 };

/* Changes the state whose event has come, unless another event of the instant has done so, and all
 * others that are wrong then. */
static void settle(omr_omni *omni, omr_mb *mb, int which) {
  double g[OMR_MAX_WHEELS * WHEEL_EVENTS];
  event_values(omni, mb, g);
  if (g[which] <= 0) change(omni, mb, which);
  for (int round = 0; round < ROUNDS; round++) {
    int wrong = 0;
    event_values(omni, mb, g);
    while (wrong < omni->wheels * WHEEL_EVENTS && (wrong == which || !(g[wrong] < 0))) wrong++;
    if (wrong == omni->wheels * WHEEL_EVENTS) return;
    change(omni, mb, wrong);
  }
}

static void count_liftings(omr_omni *omni) {
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    const bool loaded = omr_omni_is_loaded(w);
    if (w->loaded && !loaded) omni->liftings++;
    w->loaded = loaded;
  }
}

static omr_status happen(void *self, omr_mb *mb, int which, omr_error *error) {
  omr_omni *omni = self;
  omr_status status = omr_omni_look_before(omni, mb, error);
  if (status != OMR_OK) return status;
  settle(omni, mb, which);
  count_liftings(omni);
  return omr_omni_look_after(omni, mb, error);
}

void omr_omni_compliant_begin(omr_omni *omni, omr_mb *mb) {
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    w->margin = 1e-9;
    find_lowest(w, mb);
    for (int j = 0; j < w->rollers; j++) touch_floor(w, mb, j);
    w->loaded = omr_omni_is_loaded(w);
  }
}

void omr_omni_compliant_switches(omr_omni *omni, omr_mb_switches *switches) {
  switches->count = WHEEL_EVENTS * omni->wheels;
  switches->values = event_values;
  switches->happen = happen;
}
