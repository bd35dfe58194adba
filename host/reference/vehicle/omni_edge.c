/* Wheels that rest on two rollers, a state of the laws of friction
 * (appendix/rollers.md#exchange). Both rollers touch; the load of the second one is such that
 * the wheel does not turn. The wheel's accelerations on each roller by itself decide how the state
 * begins and ends. */
#include "omni.h"

#include <stdlib.h>
#include <string.h>

/* Rollers that a wheel stands on. */
typedef enum stand { ON_ACTIVE, ON_SECOND, ON_BOTH } stand;

static void stand_on(omr_omni_wheel *w, omr_mb *mb, stand how) {
  omr_roller_contact *one = &w->contact[w->active], *two = &w->contact[w->second];
  omr_roller_contact_switch(mb, one, how != ON_SECOND);
  omr_roller_contact_switch(mb, two, how != ON_ACTIVE);
  omr_roller_contact_second(mb, two, how == ON_BOTH);
  one->press = how == ON_BOTH ? w->preload * (1 - w->split) : w->preload;
  two->press = how == ON_BOTH ? w->preload * w->split : w->preload;
  w->edge = how == ON_BOTH ? w->edge : 0;
}

/* Chooses the neighbour across the edge, with its own friction. */
static void name_second(omr_omni_wheel *w, omr_mb *mb, int side) {
  w->second = (w->active + w->rollers - side) % w->rollers;
  w->ratio = 1;
  w->split = 0.5;
  w->second_friction = w->friction;
  w->second_place = w->place_on_ground;
  w->second_friction.ground_self = &w->second_place;
  omr_roller_contact *c = &w->contact[w->second];
  c->friction = &w->second_friction;
  const omr_omni_touching now = omr_omni_touch(c, mb);
  w->second_friction.slides = now.slip_square > w->friction.slip_speed * w->friction.slip_speed;
  omr_ground_judge(&w->second_place, now.place);
}

/* Wheel accelerations on the active roller only and on the second one only, and the rates of the
 * whole state, which may be NULL. Leaves the wheel on the active one. */
static omr_status pull_alone(omr_omni_wheel *w, omr_mb *mb, double pull[2], double *rates[2],
                             omr_error *error) {
  omr_status status = OMR_OK;
  for (int n = 0; n < 2 && status == OMR_OK; n++) {
    stand_on(w, mb, n == 0 ? ON_ACTIVE : ON_SECOND);
    int active = w->active;
    if (n == 1) w->active = w->second; /* a choice gives its load */
    status = omr_mb_evaluate(mb, rates ? rates[n] : NULL, error);
    w->active = active;
    pull[n] = omr_omni_wheel_acceleration(w, mb);
  }
  stand_on(w, mb, ON_ACTIVE);
  return status;
}

/* The smaller of the shares that these accelerations give; below 0 if the edge does not attract
 * from both sides. */
static double margin_of(int side, const double pull[2]) {
  return fmin(side * pull[0], -side * pull[1]) / (fabs(pull[0]) + fabs(pull[1]));
}

/* Gives the wheel another rate; its rollers turn about their own axes as before. */
static void set_rate(const omr_omni_wheel *w, omr_mb *mb, double rate) {
  const omr_frame wheel = mb->frame[w->body];
  omr_vec k = omr_times(&wheel.t, omr_vec_of(0, 0, 1));
  double more = rate - omr_omni_wheel_rate(w, mb);
  omr_mb_set_velocity(mb, w->body, wheel.v, omr_axpy(wheel.w, more, k));
  for (int j = 0; j < w->rollers; j++) {
    const omr_frame f = mb->frame[w->first_roller + j];
    omr_vec e = omr_times(&f.t, omr_vec_of(1, 0, 0)), across = omr_axpy(k, -omr_dot(k, e), e);
    omr_vec v = omr_axpy(f.v, more, omr_cross(k, omr_sub(f.r, wheel.r)));
    omr_mb_set_velocity(mb, w->first_roller + j, v, omr_axpy(f.w, more, across));
  }
}

/* y - kappa chi' for the velocities of all bodies, the dissipated energy and the integrals of the
 * acceleration: the load that moves at once from one roller to the other stops the wheel. */
static void stop_wheel(omr_mb *mb, double rate, const double pull[2], double *const rates[2]) {
  double *y = mb->state, *q = omr_mb_quadratures(mb);
  const double amount = rate / (pull[0] - pull[1]);
  const double *difference[2] = {rates[0] + (q - y), rates[1] + (q - y)};
  for (int body = 0; body < mb->bodies; body++) {
    for (int j = OMR_MB_V; j < OMR_MB_BODY_STATES; j++) {
      const int at = OMR_MB_BODY_STATES * body + j;
      y[at] -= amount * (rates[0][at] - rates[1][at]);
    }
  }
  const int jumps[] = {OMR_OMNI_DISSIPATED, OMR_OMNI_VIBRATION + 1, OMR_OMNI_VIBRATION + 2};
  for (int n = 0; n < 3; n++)
    q[jumps[n]] -= amount * (difference[0][jumps[n]] - difference[1][jumps[n]]);
  omr_mb_set_state(mb, mb->time, y);
}

/* Longest bounce that may be left out, s: a step; under a tolerance so short that its error is
 * below all others. */
static double longest_bounce(const omr_study *study) {
  return omr_controls_steps(study) ? 2e-5 : study->time.step;
}

static omr_status try_rest(omr_omni *omni, omr_omni_wheel *w, omr_mb *mb, int side,
                           double *const room[3], omr_error *error) {
  double *before = room[0], *rates[2] = {room[1], room[2]}, pull[2],
         rate = omr_omni_wheel_rate(w, mb);
  const size_t size = (size_t)mb->states * sizeof *before;
  memcpy(before, mb->state, size);

  /* try both rollers with the wheel at rest, then restore the state */
  set_rate(w, mb, 0);
  name_second(w, mb, side);
  omr_status status = pull_alone(w, mb, pull, rates, error);
  memcpy(mb->state, before, size);
  omr_mb_set_state(mb, mb->time, mb->state);
  w->contact[w->second].friction = &w->friction;

  /* rest only if the edge attracts from both sides and a bounce is short */
  double bounce = 2 * fabs(rate) * (1 / fabs(pull[0]) + 1 / fabs(pull[1]));
  if (status != OMR_OK || !(margin_of(side, pull) > 0) || !(bounce <= longest_bounce(omni->study)))
    return status;

  stop_wheel(mb, rate, pull, rates);
  if (side < 0)
    omr_omni_take(
        w, mb, (w->active + 1) % w->rollers); /* the one below the edge, whichever it came from */

  name_second(w, mb, 1);
  w->edge = 1;
  stand_on(w, mb, ON_BOTH);
  omni->holds++;

  return omr_omni_review(omni, mb, NULL, error);
}

omr_status omr_omni_try_rest(omr_omni *omni, omr_omni_wheel *w, omr_mb *mb, int side,
                             omr_error *error) {
  const size_t states = (size_t)mb->states;
  double *room = malloc(3 * states * sizeof *room);
  if (!room) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = try_rest(omni, w, mb, side,
                               (double *const[3]){room, room + states, room + 2 * states}, error);
  free(room);
  return status;
}

/* Puts the wheel on one roller again, the second one if `over`; that counts as its last
 * exchange. */
static void leave(omr_omni *omni, omr_omni_wheel *w, omr_mb *mb, bool over) {
  const int side = w->edge;
  stand_on(w, mb, ON_ACTIVE);
  w->contact[w->second].friction = &w->friction;
  w->last = -side;
  w->margin = OMR_EDGE_MARGIN;
  if (over) omr_omni_exchange(omni, w, mb, side);
}

/* Margin of a wheel that rests, and whether the second roller would keep the floor: if both let the
 * wheel turn away, the roller below the edge keeps it. */
static omr_status look_at_rest(omr_omni_wheel *w, omr_mb *mb, double *margin, bool *over,
                               omr_error *error) {
  double pull[2];
  const int side = w->edge;
  omr_status status = pull_alone(w, mb, pull, NULL, error);
  w->edge = side;
  stand_on(w, mb, ON_BOTH);
  *margin = margin_of(side, pull);
  *over = side * pull[1] > 0 && (!(side * pull[0] < 0) || side < 0);
  if (*margin >= 0) *over = side * pull[0] > -side * pull[1]; /* by less than rounding */
  return status;
}

omr_status omr_omni_review(omr_omni *omni, omr_mb *mb, omr_omni_wheel *leaving, omr_error *error) {
  for (;;) { /* one at a time: the shares of the others depend on it */
    omr_omni_wheel *worst = NULL;
    double least = leaving ? 1e-9 : 0; /* wheels that leave together do so within this */
    bool over = false;

    /* the wheel whose edge holds it least */
    for (int i = 0; i < omni->wheels; i++) {
      omr_omni_wheel *w = &omni->wheel[i];
      double margin;
      bool goes;
      if (w->edge == 0) continue;
      omr_status status = look_at_rest(w, mb, &margin, &goes, error);
      if (status != OMR_OK) return status;

      if (!(margin < least)) continue;
      least = margin;
      worst = w;
      over = goes;
    }

    if (!worst) return OMR_OK;
    leave(omni, worst, mb, over);
  }
}
