/* Extremes of an omni vehicle or wheel. They are looked at when the engine's steps start, on both
 * sides of every event, and between three looks of one smooth stretch by the parabola through
 * them. */
#include "omni.h"
#include "study/command.h"

#include <string.h>

/* Distance across the direction in which the command travels or last travelled. */
static void look_across_track(omr_omni *omni, const omr_mb *mb) {
  double velocity[3], *track = omni->extremes.track;
  const double *q = omr_mb_quadratures(mb) + OMR_OMNI_COMMAND;
  omr_omni_command_at(&omni->command, mb->time, velocity);
  const double speed = hypot(velocity[0], velocity[1]);
  if (speed > 1e-6) {
    track[0] = (velocity[0] * cos(q[2]) + velocity[1] * sin(q[2])) / speed;
    track[1] = (velocity[1] * cos(q[2]) - velocity[0] * sin(q[2])) / speed;
  }
  omr_omni_motion m = omr_omni_motion_of(omni, mb);
  omni->extremes.across =
      fmax(omni->extremes.across, fabs((m.x - q[0]) * track[1] - (m.z - q[1]) * track[0]));
}

/* Interpolated values: slips and loads of the wheels, residual acceleration, servo torque and
 * vertical acceleration, all but the loads squared, and the cosine of the tilt. */
static int values_of(const omr_omni *omni, const omr_mb *mb, double *values) {
  int count = 0;
  double residual[2];

  /* load and largest slip of each wheel */
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    omr_omni_contact c = omr_omni_contact_of(w, mb);
    values[count++] = omr_omni_load_of(w, mb);
    double slip = w->soft ? c.most_slip : c.slip_i * c.slip_i + c.slip_k * c.slip_k;
    if (w->edge) {
      c = omr_omni_second_of(w, mb);
      slip = fmax(slip, c.slip_i * c.slip_i + c.slip_k * c.slip_k);
    }
    values[count++] = slip;
  }

  /* residual acceleration, servo torque and motion of the platform */
  omr_omni_residual(omni, mb, residual);
  values[count++] = residual[0] * residual[0] + residual[1] * residual[1];
  const double servo = omni->platform == 0 ? omr_mb_multiplier(mb, &omni->servo.base, 0) : 0;
  values[count++] = servo * servo;
  const omr_omni_motion m = omr_omni_motion_of(omni, mb);
  values[count++] = m.vertical * m.vertical;
  values[count++] = m.upright;

  return count;
}

static void keep(omr_omni *omni, const double *values) {
  omr_omni_extremes *e = &omni->extremes;
  for (int i = 0; i < omni->wheels; i++, values += 2) {
    e->least_load = fmin(e->least_load, values[0]);
    e->most_load = fmax(e->most_load, values[0]);
    e->slip = fmax(e->slip, sqrt(values[1]));
  }
  e->residual = fmax(e->residual, sqrt(values[0]));
  e->servo = fmax(e->servo, sqrt(values[1]));
  e->vertical = fmax(e->vertical, sqrt(values[2]));
  e->least_upright = fmin(e->least_upright, values[3]);
}

/* Takes the values of the state into the stretch, and the vertices that it then has. */
static void follow(omr_omni *omni, double t, const double *values, int count) {
  omr_omni_stretch *s = &omni->stretch;
  const double times[3] = {s->time[0], s->time[1], t};
  if (s->looks > 0 && t <= s->time[s->looks - 1]) return; /* the same instant again */
  double top[OMR_OMNI_LOOKS];
  for (int i = 0; s->looks == 2 && i < count; i++)
    top[i] = omr_vertex(times, (double[]){s->value[0][i], s->value[1][i], values[i]});
  if (s->looks == 2) keep(omni, top);
  if (s->looks == 2) {
    s->time[0] = s->time[1];
    memcpy(s->value[0], s->value[1], sizeof s->value[0]);
  }
  const int at = s->looks < 2 ? s->looks++ : 1;
  s->time[at] = t;
  memcpy(s->value[at], values, (size_t)count * sizeof *values);
}

void omr_omni_break(omr_omni *omni) {
  omni->stretch.looks = 0;
}

static void look_at_force(omr_omni_extremes *e, const omr_omni_contact *c, double limit) {
  if (limit > 0) e->ratio = fmax(e->ratio, hypot(c->force_i, c->force_k) / limit);
}

void omr_omni_look(omr_omni *omni, const omr_mb *mb) {
  omr_omni_extremes *e = &omni->extremes;
  double values[OMR_OMNI_LOOKS];

  /* interpolate between the looks of this stretch */
  const int count = values_of(omni, mb, values);
  keep(omni, values);
  follow(omni, mb->time, values, count);

  /* forces and weights of the wheels, on both rollers if they rest on two */
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    omr_omni_contact c = omr_omni_contact_of(w, mb);
    if (omni->study->contact.law == OMR_LAW_RELAXED) e->weight = fmin(e->weight, w->weight);
    look_at_force(e, &c, omr_omni_friction_under(w, mb, &c) * c.load);

    if (w->edge == 0) continue;
    c = omr_omni_second_of(w, mb);
    look_at_force(e, &c, omr_omni_friction_under_second(w, mb, &c) * c.load);
  }

  /* the vehicle and its motors */
  e->yaw_rate = fmax(e->yaw_rate, fabs(omr_omni_motion_of(omni, mb).yaw_rate));
  e->deviation = fmax(e->deviation, omr_omni_distance_to(omni, mb, OMR_OMNI_COMMAND));
  if (omr_command_is_known(omni->study)) look_across_track(omni, mb);
  if (omni->looks_at_motors) omr_omni_look_at_motors(omni, mb);
  if (omni->looks_at_grip) omr_omni_look_at_grip(omni, mb);
  omr_omni_look_at_slips(omni, mb, omr_omni_motion_of(omni, mb).yaw_rate);
}

/* Looks before the events of this instant (omni_switch.c looks after them); the start is looked at
 * after its events. A state that has left the model does not count. */
void omr_omni_observe(omr_reference *reference) {
  omr_omni *omni = reference->self;
  omr_omni_check_loads(omni);
  omni->observed = true;
  if (!reference->failed && reference->mb->time > 0) omr_omni_look(omni, reference->mb);
}

omr_status omr_omni_look_after(omr_omni *omni, omr_mb *mb, omr_error *error) {
  omr_status status = omr_mb_evaluate(mb, NULL, error);
  if (status == OMR_OK) omr_omni_look(omni, mb);
  return status;
}

/* Looks at the left limit of an event, if extremes are observed. */
omr_status omr_omni_look_before(omr_omni *omni, omr_mb *mb, omr_error *error) {
  omr_status status = omni->observed ? omr_omni_look_after(omni, mb, error) : OMR_OK;
  omr_omni_break(omni);
  return status;
}
