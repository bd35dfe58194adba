/* Switches of an omni vehicle: its events, and their effects (omni_exchange.c). */
#include "omni_compliant.h"

/* Event functions of wheel i. */
enum {
  PASSES_BEHIND,
  PASSES_AHEAD,
  LEAVES_EDGE,
  CHANGES_FRICTION,
  CROSSES_PATCH,
  SECOND_CHANGES =
      CROSSES_PATCH + OMR_PATCHES, /* the second roller's friction, if the wheel rests on two */
  SECOND_CROSSES,
  WHEEL_EVENTS = SECOND_CROSSES + OMR_PATCHES
};

static bool has_slip_speed(const omr_omni *omni) {
  return omr_friction_has_zone(omni->study->contact.law);
}

/* Angle q of the roller in contact, by the turning of the wheel: an exchange changes it by the
 * pitch exactly, while the rollers' own places (omr_roller_angle) have drifted apart by a billionth
 * or so, more than the edges' margin. */
static double contact_angle(const omr_omni_wheel *w, const omr_mb *mb) {
  const omr_mat *t = &mb->frame[w->body].t;
  double angle = 2 * w->alpha * w->active;
  omr_vec out = omr_times(t, omr_vec_of(sin(angle), -cos(angle), 0));
  omr_vec i = omr_cross(omr_vec_of(0, 1, 0), omr_times(t, omr_vec_of(0, 0, 1)));
  return atan2(omr_dot(out, i), -out.y);
}

/* Friction of a contact, and the patches that it crosses. */
static void contact_values(const omr_omni *omni, const omr_mb *mb, const omr_roller_contact *c,
                           const omr_friction *f, const omr_ground_place *place, double *change,
                           double *crossing) {
  if (!has_slip_speed(omni) && omni->ground.kind != OMR_GROUND_PATCHES) return;
  omr_omni_touching now = omr_omni_touch(c, mb);
  if (has_slip_speed(omni)) *change = omr_friction_margin(f, now.slip_square);
  for (int p = 0; p < OMR_PATCHES; p++) crossing[p] = omr_ground_margin(place, p, now.place);
}

/* Time for which a wheel that has just passed an edge counts as inside while it moves on, so that
 * the edge is not met again at once. A margin of the edge itself would do work on a wheel that
 * bounces, and keep it from coming to rest. */
#define RETURN_TIME 1e-8

static bool any_rests(const omr_omni *omni) {
  for (int i = 0; i < omni->wheels; i++) {
    if (omni->wheel[i].edge) return true;
  }
  return false;
}

static void event_values(void *self, const omr_mb *mb, double *g) {
  const omr_omni *omni = self;
  omr_error ignored = {0};

  /* shares of the load need the multipliers of this state */
  bool shares = any_rests(omni) && omr_mb_evaluate(omni->reference->mb, NULL, &ignored) == OMR_OK;

  for (int i = 0; i < omni->wheels; i++, g += WHEEL_EVENTS) {
    const omr_omni_wheel *w = &omni->wheel[i];
    double q = contact_angle(w, mb), edge = w->alpha + w->margin,
           inwards = RETURN_TIME * omr_omni_wheel_rate(w, mb);

    /* functions of states that cannot change now stay positive */
    for (int n = 0; n < WHEEL_EVENTS; n++) g[n] = 1;
    contact_values(omni, mb, omr_omni_active(w), &w->friction, &w->place_on_ground,
                   &g[CHANGES_FRICTION], &g[CROSSES_PATCH]);

    if (w->edge) {
      double share = shares ? omr_omni_share(w, mb) : 0.5;
      g[LEAVES_EDGE] = fmin(share, 1 - share);
      contact_values(omni, mb, &w->contact[w->second], &w->second_friction, &w->second_place,
                     &g[SECOND_CHANGES], &g[SECOND_CROSSES]);

    } else if (!w->held && !omr_omni_is_disc(w)) {
      g[PASSES_BEHIND] = edge + q + (w->margin > 0 ? 0 : fmax(inwards, 0));
      g[PASSES_AHEAD] = edge - q - (w->margin > 0 ? 0 : fmin(inwards, 0));
    }
  }
}

/* An exchange at the same instant has judged the slip already. */
static void change_friction(const omr_roller_contact *c, omr_friction *f, const omr_mb *mb) {
  double margin = omr_friction_margin(f, omr_omni_touch(c, mb).slip_square);
  if (margin < 1e-6 * f->slip_speed * f->slip_speed) f->slides = !f->slides;
}

/* Ideal rolling does not tolerate slip: an impact ends it at the start and at exchanges. */
static omr_status strike(omr_omni *omni, omr_mb *mb, omr_error *error) {
  double lost = 0;
  omr_status status = omr_omni_has_impacts(omni) ? omr_mb_impact(mb, &lost, error) : OMR_OK;
  omni->impact_loss += lost;
  return status;
}

/* True if t is a multiple of the period, which is a whole number of steps. */
static bool is_multiple(const omr_omni *omni, double t, double period) {
  return fabs(t - rint(t / period) * period) <= 1e-9 * omr_study_tick(omni->study);
}

static bool is_controlled(const omr_omni *omni) {
  for (int i = 0; i < omni->wheels; i++) {
    if (omr_wheel_drive_is_controlled(&omni->wheel[i].drive)) return true;
  }
  return false;
}

/* Replaces the command by that of the loop that follows a path. */
static void follow(omr_omni *omni, const omr_mb *mb, long number, double velocity[3]) {
  const double *q = omr_mb_quadratures(mb), *seen = q + OMR_OMNI_ODOMETRY;
  if (!omni->follow.given) return;
  const omr_omni_motion m = omr_omni_motion_of(omni, mb);
  const omr_omni_pose is = {m.x, m.z, q[OMR_OMNI_YAW]}, odometry = {seen[0], seen[1], seen[2]};
  omr_follow_path(&omni->follow, number, mb->time, omni->follow.odometry ? odometry : is, is,
                  velocity);
}

static void control(omr_omni *omni, const omr_mb *mb) {
  double velocity[3], t = mb->time;
  if (!is_controlled(omni) || !is_multiple(omni, t, omni->study->drives.period)) return;
  omr_omni_command_at(&omni->command, t, velocity);
  const long number = lrint(t / omni->study->drives.period);
  follow(omni, mb, number, velocity);
  velocity[2] +=
      omr_heading_hold(&omni->hold, number, velocity[2], omr_mb_quadratures(mb)[OMR_OMNI_YAW]);
  double wanted[OMR_MAX_WHEELS];
  for (int i = 0; i < omni->wheels; i++) {
    const double *ideal = omni->wheel[i].ideal;
    wanted[i] = ideal[0] * velocity[0] + ideal[1] * velocity[1] + ideal[2] * velocity[2];
    omr_omni_wheel *w = &omni->wheel[i];
    if (w->fork.body && w->drive.kind == OMR_DRIVE_BODY)
      wanted[i] = omr_omni_steer(w, mb, velocity);
  }
  omr_limit_asked(&omni->limit, wanted);
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    if (w->drive.kind == OMR_DRIVE_FEEDBACK)
      omr_omni_feed_back(omni, mb, velocity, i);
    else if (omr_wheel_drive_is_controlled(&w->drive))
      omr_wheel_drive_control(&w->drive, omni->study->drives.period, wanted[i],
                              omr_omni_wheel_rate(w, mb));
  }
}

static omr_status begin(void *self, omr_mb *mb, omr_error *error) {
  omr_omni *omni = self;
  omr_status status = strike(omni, mb, error);
  control(omni, mb);
  for (int i = 0; i < omni->wheels && status == OMR_OK; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    double q = contact_angle(w, mb);
    if (!omr_omni_may_rest(omni) || w->disc || omr_omni_wheel_rate(w, mb) != 0 ||
        fabs(q) < w->alpha * (1 - 1e-9))
      continue;
    status = omr_omni_try_rest(omni, w, mb, q > 0 ? 1 : -1, error);
  }
  return status == OMR_OK ? omr_omni_look_after(omni, mb, error) : status;
}

enum { TURNS = 20 };

/* Exchanges back the wheels that turn back at their edges, whose last directions are in there[];
 * returns their number. */
static int turn_back(omr_omni *omni, omr_mb *mb, int there[OMR_MAX_WHEELS]) {
  int count = 0;
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    if (there[i] == 0 || !(there[i] * omr_omni_wheel_rate(w, mb) < 0)) continue;
    there[i] = -there[i];
    omr_omni_exchange(omni, w, mb, there[i]);
    count++;
  }
  return count;
}

/* The impact of both rollers of the wheels that still turn back. */
static omr_status strike_both(omr_omni *omni, omr_mb *mb, const int there[OMR_MAX_WHEELS],
                              omr_error *error) {
  bool both[OMR_MAX_WHEELS], any = false;

  /* the wheels that still turn back touch with both rollers */
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    both[i] = there[i] != 0 && there[i] * omr_omni_wheel_rate(w, mb) < 0;
    any = any || both[i];
    if (both[i])
      omr_roller_contact_switch(mb, &w->contact[(w->active + w->rollers + there[i]) % w->rollers],
                                true);
  }
  omr_status status = any ? strike(omni, mb, error) : OMR_OK;

  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    if (both[i])
      omr_roller_contact_switch(mb, &w->contact[(w->active + w->rollers + there[i]) % w->rollers],
                                false);
  }
  return status;
}

/* Impacts of both rollers in turn until the wheel turns away from the edge
 * (appendix/rollers.md#exchange).
 */
static omr_status take_turns(omr_omni *omni, omr_mb *mb, int there[OMR_MAX_WHEELS],
                             omr_error *error) {
  omr_status status = OMR_OK;
  for (int turn = 0; turn < TURNS && status == OMR_OK; turn++) {
    if (turn_back(omni, mb, there) == 0) return OMR_OK;
    status = strike(omni, mb, error);
  }
  if (status == OMR_OK) status = strike_both(omni, mb, there, error);
  turn_back(omni, mb, there);
  return status;
}

/* Direction in which the wheel passes an edge now, 0 for none: wheels that turn alike exchange
 * together, within a billionth of a step. */
static int edge_reached(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb) {
  double q = contact_angle(w, mb), rate = omr_omni_wheel_rate(w, mb),
         near = 1e-9 * omr_study_tick(omni->study) * fabs(rate);
  if (w->disc || w->held || w->edge || fabs(q) < w->alpha - near || q * rate < 0) return 0;
  return q > 0 ? 1 : -1;
}

/* The wheel passes its edge, and all others at their edges exchange with it, so that one impact
 * follows. A wheel taken along before its own event is at its other edge then. */
static omr_status exchange_all(omr_omni *omni, omr_omni_wheel *w, omr_mb *mb, int direction,
                               omr_error *error) {
  int there[OMR_MAX_WHEELS] = {0};
  bool back[OMR_MAX_WHEELS];
  if (contact_angle(w, mb) * direction < 0) return OMR_OK;
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *one = &omni->wheel[i];
    there[i] = one == w ? direction : edge_reached(omni, one, mb);
    back[i] = there[i] != 0 && one->last == -there[i];
    if (there[i] != 0) omr_omni_exchange(omni, one, mb, there[i]);
  }
  omr_status status = strike(omni, mb, error);
  if (status == OMR_OK && omr_omni_has_impacts(omni)) status = take_turns(omni, mb, there, error);
  for (int i = 0; i < omni->wheels && status == OMR_OK && omr_omni_may_rest(omni); i++) {
    if (back[i]) status = omr_omni_try_rest(omni, &omni->wheel[i], mb, -there[i], error);
  }
  if (status == OMR_OK) status = omr_omni_review(omni, mb, NULL, error);
  return status == OMR_OK ? omr_omni_look_after(omni, mb, error) : status;
}

static omr_status happen(void *self, omr_mb *mb, int which, omr_error *error) {
  omr_omni *omni = self;
  omr_omni_wheel *w = &omni->wheel[which / WHEEL_EVENTS];
  const omr_roller_contact *one = omr_omni_active(w), *two = &w->contact[w->second];
  omr_status status = omr_omni_look_before(omni, mb, error);
  if (status != OMR_OK) return status;
  const int event = which % WHEEL_EVENTS;
  if (event == PASSES_BEHIND) return exchange_all(omni, w, mb, -1, error);
  if (event == PASSES_AHEAD) return exchange_all(omni, w, mb, 1, error);
  if (event == LEAVES_EDGE) return omr_omni_review(omni, mb, w, error);
  if (event == CHANGES_FRICTION) change_friction(one, &w->friction, mb);
  if (event == SECOND_CHANGES) change_friction(two, &w->second_friction, mb);
  if (event == CHANGES_FRICTION || event == SECOND_CHANGES) return OMR_OK;
  if (event < SECOND_CHANGES) omr_ground_judge(&w->place_on_ground, omr_omni_touch(one, mb).place);
  if (event > SECOND_CHANGES) omr_ground_judge(&w->second_place, omr_omni_touch(two, mb).place);
  return omr_omni_review(omni, mb, NULL, error);
}

/* Drives and command go on from the instant t. */
static void go_on(omr_omni *omni, double t) {
  for (int i = 0; i < omni->wheels; i++) omr_wheel_drive_go_on(&omni->wheel[i].drive, t);
  omr_omni_command_go_on(&omni->command, t);
}

static double next_stop(void *self, double t) {
  omr_omni *omni = self;
  go_on(omni, t);
  double stop = omr_omni_any_held(omni)
                    ? (omr_omni_step_of(omni, t) + 1) * omr_study_tick(omni->study)
                    : HUGE_VAL;
  for (int i = 0; i < omni->wheels; i++)
    stop = fmin(stop, omr_wheel_drive_stop(&omni->wheel[i].drive, t));
  stop = fmin(stop, omr_omni_command_stop(&omni->command, t));
  stop = fmin(stop, omr_omni_external_stop(&omni->external, t));
  if (!is_controlled(omni)) return stop;
  double period = omni->study->drives.period;
  return fmin(stop, (floor(t / period + 1e-9) + 1) * period);
}

/* At the end of a step held wheels are free again, and exchange at once if they are still beyond
 * the edge. */
static omr_status release_held(omr_omni *omni, omr_mb *mb, omr_error *error) {
  bool exchanged = false;
  omni->holds++;
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    double q = contact_angle(w, mb);
    if (w->held && fabs(q) > w->alpha) {
      w->held = false;
      omr_omni_exchange(omni, w, mb, q > 0 ? 1 : -1);
      exchanged = true;
    }
    w->held = false;
  }
  return exchanged ? strike(omni, mb, error) : OMR_OK;
}

static omr_status stop(void *self, omr_mb *mb, omr_error *error) {
  omr_omni *omni = self;
  omr_status status = omr_omni_look_before(omni, mb, error);
  if (status != OMR_OK) return status;
  control(omni, mb);
  if (omr_omni_any_held(omni) && is_multiple(omni, mb->time, omr_study_tick(omni->study)))
    status = release_held(omni, mb, error);
  if (status == OMR_OK) status = omr_omni_review(omni, mb, NULL, error);
  return status == OMR_OK ? omr_omni_look_after(omni, mb, error) : status;
}

void omr_omni_set_switches(omr_omni *omni, omr_mb_switches *switches) {
  *switches = (omr_mb_switches){.self = omni,
                                .count = WHEEL_EVENTS * omni->wheels,
                                .values = event_values,
                                .happen = happen,
                                .next_stop = next_stop,
                                .stop = stop,
                                .begin = begin};
  if (omni->compliant) omr_omni_compliant_switches(omni, switches);
}
