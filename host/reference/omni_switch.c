/* What switches in an omni vehicle: which roller of a wheel is in contact (physics.md sections 2 and 7), whether it slips faster
 * than the slip speed. */
#include "omni.h"

/* Event functions of wheel i. */
enum { PASSES_BEHIND, PASSES_AHEAD, CHANGES_FRICTION, CROSSES_PATCH, WHEEL_EVENTS = CROSSES_PATCH + OMR_PATCHES };

static void activate(omr_omni_wheel *w, omr_mb *mb, int roller) {
  omr_roller_contact_switch(mb, &w->contact[w->active], false);
  w->active = roller;
  omr_roller_contact_switch(mb, &w->contact[roller], true);
}

/* Where the contact is and how it slips. */
typedef struct touching {
  omr_vec place;
  double slip_square;
} touching;

static touching touch(const omr_omni_wheel *w, const omr_mb *mb) {
  const omr_roller_contact *c = omr_omni_active(w);
  omr_roller_point p = omr_roller_contact_point(mb, c);
  omr_vec v = omr_roller_contact_velocity(mb, c, &p);
  return (touching){omr_add(omr_mb_frame(mb, c->base.b)->r, p.d), v.x * v.x + v.z * v.z};
}

/* Discrete states of the contact as it is. */
static void judge(omr_omni_wheel *w, const omr_mb *mb) {
  touching now = touch(w, mb);
  w->friction.slides = now.slip_square > w->friction.slip_speed * w->friction.slip_speed;
  omr_ground_judge(&w->place_on_ground, now.place);
}

/* J = round(chi n/2 pi); exactly on an edge the direction of rotation decides. Roller (-J) mod n is at q = chi - 2 alpha J. */
static int first_contact(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb) {
  double chi = omr_omni_wheel_angle(omni, w, mb), rate = omr_omni_wheel_rate(omni, w, mb);
  double index = rint(chi / (2 * w->alpha)), q = chi - 2 * w->alpha * index, edge = w->alpha * (1 - 1e-12);
  if (rate > 0 && q >= edge) index++;
  if (rate < 0 && q <= -edge) index--;
  return (int)(-index - w->rollers * floor(-index / w->rollers));
}

void omr_omni_find_contacts(omr_omni *omni, omr_mb *mb) {
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    activate(w, mb, first_contact(omni, w, mb));
  }
}

void omr_omni_judge_contacts(omr_omni *omni, const omr_mb *mb) {
  for (int i = 0; i < omni->wheels; i++) judge(&omni->wheel[i], mb);
}

/* Number of the step that time belongs to; times of events are good to much less than a billionth of a step. */
static double step_of(const omr_omni *omni, double t) {
  return floor(t / omr_study_tick(omni->study) + 1e-9);
}

static bool has_slip_speed(const omr_omni *omni) {
  return omni->study->law == OMR_LAW_COULOMB || omni->study->law == OMR_LAW_REGULARIZED;
}

/* Positive while the friction has the form that it should, and just after a change. */
static double slip_margin(const omr_omni_wheel *w, double slip_square) {
  double most = w->friction.slip_speed * w->friction.slip_speed;
  return (w->friction.slides ? slip_square - most : most - slip_square) + 1e-12 * most;
}

/* Angle q of the roller in contact, as the wheel turns: after an exchange it differs by the pitch exactly, while the rollers' own
 * places (omr_roller_angle) have drifted apart by a billionth or so, more than the edges' margin. */
static double contact_angle(const omr_omni_wheel *w, const omr_mb *mb) {
  const omr_mat *t = &omr_mb_frame(mb, w->body)->t;
  double angle = 2 * w->alpha * w->active;
  omr_vec out = omr_times(t, omr_vec_of(sin(angle), -cos(angle), 0));
  omr_vec i = omr_cross(omr_vec_of(0, 1, 0), omr_times(t, omr_vec_of(0, 0, 1)));
  return atan2(omr_dot(out, i), -out.y);
}

static void event_values(void *self, const omr_mb *mb, double *g) {
  const omr_omni *omni = self;
  for (int i = 0; i < omni->wheels; i++, g += WHEEL_EVENTS) {
    const omr_omni_wheel *w = &omni->wheel[i];
    double q = contact_angle(w, mb), edge = w->alpha + OMR_EDGE_MARGIN;
    g[PASSES_BEHIND] = w->held ? 1 : q + edge;
    g[PASSES_AHEAD] = w->held ? 1 : edge - q;
    for (int n = CHANGES_FRICTION; n < WHEEL_EVENTS; n++) g[n] = 1;
    if (!has_slip_speed(omni) && omni->ground.kind != OMR_GROUND_PATCHES) continue;
    touching now = touch(w, mb);
    if (has_slip_speed(omni)) g[CHANGES_FRICTION] = slip_margin(w, now.slip_square);
    for (int p = 0; p < OMR_PATCHES; p++) g[CROSSES_PATCH + p] = omr_ground_margin(&w->place_on_ground, p, now.place);
  }
}

/* An exchange at the same instant has judged the slip already. */
static void change_friction(omr_omni_wheel *w, const omr_mb *mb) {
  double margin = slip_margin(w, touch(w, mb).slip_square);
  if (margin < 1e-6 * w->friction.slip_speed * w->friction.slip_speed) w->friction.slides = !w->friction.slides;
}

/* The neighbour takes over; direction +1 where q passes +alpha: the wheel angle grows and the roller behind follows. Two
 * exchanges in opposite directions within a step hold the wheel to the end of the step. */
static void exchange(omr_omni *omni, omr_omni_wheel *w, omr_mb *mb, int direction) {
  double step = step_of(omni, omr_mb_time(mb));
  if (w->last_step == step && w->last == -direction) w->held = true;
  w->last = direction;
  w->last_step = step;
  activate(w, mb, (w->active + w->rollers - direction) % w->rollers);
  judge(w, mb);
  omni->exchanges++;
}

static bool has_impacts(const omr_omni *omni) {
  return omni->study->law == OMR_LAW_ROLLING && omni->study->impact;
}

/* Ideal rolling does not tolerate slip: an impact ends it at the start and at exchanges. */
static omr_status strike(omr_omni *omni, omr_mb *mb, omr_error *error) {
  double lost = 0;
  omr_status status = has_impacts(omni) ? omr_mb_impact(mb, &lost, error) : OMR_OK;
  omni->impact_loss += lost;
  return status;
}

static omr_status look(omr_omni *omni, omr_mb *mb, omr_error *error) {
  omr_status status = omr_mb_evaluate(mb, NULL, error);
  if (status == OMR_OK) omr_omni_look(omni, mb);
  return status;
}

/* The left limit of what happens now, where extremes are asked for. */
static omr_status look_before(omr_omni *omni, omr_mb *mb, omr_error *error) {
  omr_status status = omni->observed ? look(omni, mb, error) : OMR_OK;
  omr_omni_break(omni);
  return status;
}

bool omr_omni_any_held(const omr_omni *omni) {
  for (int i = 0; i < omni->wheels; i++) {
    if (omni->wheel[i].held) return true;
  }
  return false;
}

/* Whether t is a multiple of the period, which is one of whole steps. */
static bool is_multiple(const omr_omni *omni, double t, double period) {
  return fabs(t - rint(t / period) * period) <= 1e-9 * omr_study_tick(omni->study);
}

static bool is_controlled(const omr_omni *omni) {
  for (int i = 0; i < omni->wheels; i++) {
    if (omr_wheel_drive_is_controlled(&omni->wheel[i].drive)) return true;
  }
  return false;
}

static void control(omr_omni *omni, const omr_mb *mb) {
  double velocity[3], t = omr_mb_time(mb);
  if (!is_controlled(omni) || !is_multiple(omni, t, omni->study->controller_period)) return;
  omr_omni_command_at(&omni->command, t, velocity);
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    double wanted = w->ideal[0] * velocity[0] + w->ideal[1] * velocity[1] + w->ideal[2] * velocity[2];
    if (omr_wheel_drive_is_controlled(&w->drive))
      omr_wheel_drive_control(&w->drive, omni->study->controller_period, wanted, omr_omni_wheel_rate(omni, w, mb));
  }
}

static omr_status begin(void *self, omr_mb *mb, omr_error *error) {
  omr_omni *omni = self;
  omr_status status = strike(omni, mb, error);
  control(omni, mb);
  return status == OMR_OK ? look(omni, mb, error) : status;
}

/* Direction in which the wheel is at an edge and goes on, 0 for none: wheels that turn alike exchange together, within a
 * billionth of a step. */
static int edge_reached(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb) {
  double q = contact_angle(w, mb), rate = omr_omni_wheel_rate(omni, w, mb),
         near = 1e-9 * omr_study_tick(omni->study) * fabs(rate);
  if (w->held || fabs(q) < w->alpha - near || q * rate < 0) return 0;
  return q > 0 ? 1 : -1;
}

/* The wheel passes its edge, and all others at theirs exchange with it, so that one impact follows. Whoever has been taken along
 * before its own event comes is at its other edge then. */
static omr_status exchange_all(omr_omni *omni, omr_omni_wheel *w, omr_mb *mb, int direction, omr_error *error) {
  if (contact_angle(w, mb) * direction < 0) return OMR_OK;
  exchange(omni, w, mb, direction);
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *other = &omni->wheel[i];
    int there = other == w ? 0 : edge_reached(omni, other, mb);
    if (there != 0) exchange(omni, other, mb, there);
  }
  omr_status status = strike(omni, mb, error);
  return status == OMR_OK ? look(omni, mb, error) : status;
}

static omr_status happen(void *self, omr_mb *mb, int which, omr_error *error) {
  omr_omni *omni = self;
  omr_omni_wheel *w = &omni->wheel[which / WHEEL_EVENTS];
  omr_status status = look_before(omni, mb, error);
  if (status != OMR_OK) return status;
  switch (which % WHEEL_EVENTS) {
  case PASSES_BEHIND: return exchange_all(omni, w, mb, -1, error);
  case PASSES_AHEAD: return exchange_all(omni, w, mb, 1, error);
  case CHANGES_FRICTION: change_friction(w, mb); return OMR_OK;
  default: omr_ground_judge(&w->place_on_ground, touch(w, mb).place); return OMR_OK;
  }
}

static double next_stop(void *self, double t) {
  const omr_omni *omni = self;
  double stop = omr_omni_any_held(omni) ? (step_of(omni, t) + 1) * omr_study_tick(omni->study) : HUGE_VAL;
  for (int i = 0; i < omni->wheels; i++) stop = fmin(stop, omr_wheel_drive_stop(&omni->wheel[i].drive, t));
  stop = fmin(stop, omr_omni_command_stop(&omni->command, t));
  if (!is_controlled(omni)) return stop;
  double period = omni->study->controller_period;
  return fmin(stop, (floor(t / period + 1e-9) + 1) * period);
}

/* At the end of a step held wheels are free again, and exchange at once where they are still beyond the edge. */
static omr_status release_held(omr_omni *omni, omr_mb *mb, omr_error *error) {
  bool exchanged = false;
  omni->holds++;
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    double q = contact_angle(w, mb);
    if (w->held && fabs(q) > w->alpha) {
      w->held = false;
      exchange(omni, w, mb, q > 0 ? 1 : -1);
      exchanged = true;
    }
    w->held = false;
  }
  return exchanged ? strike(omni, mb, error) : OMR_OK;
}

static omr_status stop(void *self, omr_mb *mb, omr_error *error) {
  omr_omni *omni = self;
  omr_status status = look_before(omni, mb, error);
  if (status != OMR_OK) return status;
  control(omni, mb);
  if (omr_omni_any_held(omni) && is_multiple(omni, omr_mb_time(mb), omr_study_tick(omni->study)))
    status = release_held(omni, mb, error);
  return status == OMR_OK ? look(omni, mb, error) : status;
}

void omr_omni_set_switches(omr_omni *omni, omr_mb_switches *switches) {
  *switches = (omr_mb_switches){.self = omni,
                                .count = WHEEL_EVENTS * omni->wheels,
                                .values = event_values,
                                .happen = happen,
                                .next_stop = next_stop,
                                .stop = stop,
                                .begin = begin};
}
