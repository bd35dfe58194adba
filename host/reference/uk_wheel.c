/* uk_wheel and elastic_wheel on the reference (source 5, sections 2 and 3;
 * appendix/small.md#models): bodies in maximal coordinates, whose contact force is that of the
 * general form, eq. (17) with the X of eq. (18) by singular values (moore_penrose.h). The rigid
 * wheel is one body; the elastic one is hub and tread on a revolute joint with a torsional spring
 * and damper between them. Of kernels/ it shares the list of samples and words alone.
 *
 * Coordinates of the general form: x, z (height) and the angles, that of the tread last; forward is
 * positive. Rows of A: z'' = 0, and x'' - R theta'' = 0 of the tread; N = diag(1, s^2). */
#include "kernels/small/small_layout.h"
#include "model/small.h"
#include "multibody/joints.h"
#include "multibody/moore_penrose.h"
#include "reference.h"
#include "result/result.h"

#include <stddef.h>
#include <string.h>

enum { ROWS = 2, MOST = 4 }; /* of A; most coordinates */
enum { Q_ANGLE, Q_WORK, Q_LOST, QUADRATURES };

static const omr_vec ahead = {1, 0, 0}, up = {0, 1, 0}, axle = {0, 0, 1};

/* What acts in a state. */
typedef struct acting {
  double mu, limit, drive, brake, torque, resistance, rim, twist, turning, stiction, friction, slip;
  double ideal[MOST], non_ideal[MOST]; /* Q_ic, Q_nic */
} acting;

typedef struct wheel {
  omr_mb_constraint contact, rim; /* rim: hub and tread */
  omr_joint joint;
  const omr_study *study;
  double values[OMR_VP_COUNT];
  bool elastic;
  int hub, tread, size; /* bodies; coordinates */
  double inertia[2];    /* of hub and tread; of a rigid wheel the second is all */
  double start_energy, most_speed, most_slip, least_weight, most_traction, most_twist;
  double stop_time, stop_x, brake_x;
} wheel;

static const wheel *of_contact(const omr_mb_constraint *c) {
  return (const wheel *)(const void *)c;
}

static const wheel *of_rim(const omr_mb_constraint *c) {
  return (const wheel *)(const void *)((const char *)c - offsetof(wheel, rim));
}

/* Forward rate of a body: about the axle backwards. */
static double rate_of(const omr_mb *mb, int body) {
  return -omr_dot(mb->frame[body].w, axle);
}

/* ---- equations of the source */

static double ground_at(const wheel *w, double t) {
  const double *v = w->values, high = v[OMR_VP_UK_GROUND_UPPER], low = v[OMR_VP_UK_GROUND_LOWER];
  const double since = t - v[OMR_VP_UK_GROUND_TIME];
  if (w->study->options[0] == UK_GROUND_DIP) /* (24) */
    return low + (high - low) * pow(tanh(since / v[OMR_VP_UK_GROUND_WIDTH]), 4);
  if (w->study->options[0] == UK_GROUND_STEP) /* (26) */
    return 0.5 * (high + low) - 0.5 * (high - low) * tanh(v[OMR_VP_UK_GROUND_RATE] * since);
  return high;
}

static double drive_at(const wheel *w, double t) {
  const double most = w->values[OMR_VP_DRIVE_TORQUE];
  if (w->study->options[1] == UK_TORQUE_CONSTANT) return most;
  return most * tanh(w->values[OMR_VP_DRIVE_RATE] * t); /* (23) */
}

static double brake_at(const wheel *w, double rate, double t) {
  const double *v = w->values; /* (25) */
  return -v[OMR_VP_BRAKE_TORQUE] * (1 + tanh(t - v[OMR_VP_BRAKE_TIME])) *
         tanh(v[OMR_VP_BRAKE_GAIN] * rate);
}

static double demand_of(const wheel *w, double drive, double brake) {
  if (w->study->options[2] == UK_DEMAND_APPLIED) return fabs(drive + brake);
  if (w->study->options[2] == UK_DEMAND_SUM) return fabs(drive) + fabs(brake);
  return fabs(drive);
}

/* Q_ic and Q_nic by the general form. */
static void general_form(const wheel *w, acting *now) {
  const double *v = w->values, m = v[OMR_VP_UK_MASS], radius = v[OMR_VP_UK_RADIUS];
  const int n = w->size, last = n - 1;
  double a[ROWS * MOST] = {0}, mass[MOST * MOST] = {0}, x[MOST * ROWS], force[MOST] = {0},
                  friction[MOST] = {0};
  const double weight[ROWS * ROWS] = {1, 0, 0, now->stiction * now->stiction}, b[ROWS] = {0, 0};
  a[1] = 1;
  a[n] = 1;
  a[n + last] = -radius;
  mass[0] = mass[n + 1] = m;
  mass[2 * n + 2] = w->elastic ? w->inertia[0] : w->inertia[1];
  mass[last * n + last] = w->inertia[1];
  force[0] = now->resistance;
  force[1] = -m * v[OMR_VP_GRAVITY];
  force[2] = now->torque - now->rim;
  if (w->elastic) force[last] = now->rim;
  friction[0] = now->friction;
  if (w->study->options[3] == UK_FRICTION_PHYSICAL) friction[last] = -radius * now->friction;
  const omr_constraints c = {ROWS, n, a, weight, mass, 0, 0};
  omr_error error = {.message = ""};
  omr_status status = omr_relaxed_inverse(&c, x, &error);
  if (status == OMR_OK)
    status = omr_constrained_motion(&c, x, &(omr_applied){force, friction, b},
                                    &(omr_moved){NULL, now->ideal, now->non_ideal}, &error);
  for (int i = 0; i < n && status != OMR_OK; i++) now->ideal[i] = (double)NAN;
}

static acting acting_at(const wheel *w, const omr_mb *mb, double t, double twist) {
  const double *v = w->values, load = v[OMR_VP_UK_MASS] * v[OMR_VP_GRAVITY],
               radius = v[OMR_VP_UK_RADIUS];
  const double speed = mb->frame[w->tread].v.x, hub = rate_of(mb, w->hub),
               tread = rate_of(mb, w->tread);
  acting now = {.mu = ground_at(w, t), .drive = drive_at(w, t), .brake = brake_at(w, hub, t)};
  now.limit = now.mu * load;
  now.torque = now.drive + now.brake - v[OMR_VP_UK_BEARING] * hub;
  now.resistance = -v[OMR_VP_ROLLING_RESISTANCE] * speed * fabs(speed);
  now.twist = twist;
  now.turning = hub - tread;
  if (w->elastic) now.rim = v[OMR_VP_RIM_STIFFNESS] * twist + v[OMR_VP_RIM_DAMPING] * now.turning;
  now.slip = radius * tread - speed;
  const double demand = demand_of(w, now.drive, now.brake) / (3 * now.limit * radius);
  now.stiction = 1 - pow(tanh(v[OMR_VP_UK_STICTION_GAIN] * demand), 2);                  /* (21) */
  now.friction = now.limit * tanh(v[OMR_VP_UK_FRICTION_GAIN] * demand) * tanh(now.slip); /* (22) */
  general_form(w, &now);
  return now;
}

static double twist_of(const wheel *w, const omr_mb *mb) {
  return w->elastic ? omr_mb_own(mb, &w->rim)[0] : 0;
}

static acting acting_now(const wheel *w, const omr_mb *mb) {
  return acting_at(w, mb, mb->time, twist_of(w, mb));
}

/* ---- constraints */

/* The ground's wrench on the tread, and the outer resistance and torques, of which those on the
 * hub act on body A. */
static void contact_effect(const omr_mb_constraint *c, const omr_mb_view *view,
                           omr_mb_effect *out) {
  const wheel *w = of_contact(c);
  const double twist = w->elastic ? omr_mb_own(view->mb, &w->rim)[0] : 0;
  const acting now = acting_at(w, view->mb, view->t, twist);
  const int last = w->size - 1, hub = w->elastic ? 0 : 1;
  const double ground = now.ideal[0] + now.non_ideal[0];
  out->force[1] =
      omr_axpy(omr_scale(now.resistance + ground, ahead), now.ideal[1] + now.non_ideal[1], up);
  out->torque[1] = omr_scale(-(now.ideal[last] + now.non_ideal[last]), axle);
  out->torque[hub] = omr_axpy(out->torque[hub], -now.torque, axle);
}

static void rim_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const wheel *w = of_rim(c);
  const double turning = rate_of(view->mb, w->hub) - rate_of(view->mb, w->tread);
  const double torque =
      w->values[OMR_VP_RIM_STIFFNESS] * view->own[0] + w->values[OMR_VP_RIM_DAMPING] * turning;
  out->torque[1] = omr_scale(-torque, axle);
  out->torque[0] = omr_neg(out->torque[1]);
  out->rate[0] = turning;
}

static const omr_mb_kind contact_kind = {"relaxed rolling", 0, contact_effect, NULL, false};
static const omr_mb_kind rim_kind = {"elastic rim", 1, rim_effect, NULL, false};

/* ---- the model */

static void quadratures(void *self, const omr_mb *mb, double *rate) {
  const wheel *w = self;
  const acting now = acting_now(w, mb);
  const double hub = rate_of(mb, w->hub), tread = rate_of(mb, w->tread);
  const double speed = mb->frame[w->tread].v.x;
  const int last = w->size - 1;
  rate[Q_ANGLE] = hub;
  rate[Q_WORK] = now.drive * hub;
  rate[Q_LOST] = -(now.resistance + now.ideal[0] + now.non_ideal[0]) * speed -
                 (now.ideal[last] + now.non_ideal[last]) * tread - (now.torque - now.drive) * hub;
  if (w->elastic) rate[Q_LOST] += w->values[OMR_VP_RIM_DAMPING] * now.turning * now.turning;
}

static double energy_of(const wheel *w, const omr_mb *mb) {
  const double twist = twist_of(w, mb), speed = mb->frame[w->tread].v.x;
  const double hub = w->elastic ? rate_of(mb, w->hub) : 0, tread = rate_of(mb, w->tread);
  const double spring = w->elastic ? w->values[OMR_VP_RIM_STIFFNESS] * twist * twist : 0;
  return 0.5 * (w->values[OMR_VP_UK_MASS] * speed * speed + w->inertia[0] * hub * hub +
                w->inertia[1] * tread * tread + spring);
}

static int add_part(const wheel *w, omr_mb *mb, const char *name, double mass, double inertia) {
  static const double upright[4] = {1, 0, 0, 0};
  const double *v = w->values;
  const int body = omr_mb_add_body(mb, name, mass, omr_vec_of(inertia, inertia, inertia));
  omr_mb_place(mb, body, omr_scale(v[OMR_VP_UK_RADIUS], up), upright,
               omr_scale(v[OMR_VP_UK_SPEED], ahead), omr_scale(-v[OMR_VP_UK_RATE], axle));
  return body;
}

/* The mass is cut as the inertia is, which does not matter: the parts move together. */
static void build(wheel *w, omr_mb *mb) {
  const double mass = w->values[OMR_VP_UK_MASS], inertia = w->values[OMR_VP_UK_INERTIA];
  const double share = w->elastic ? w->values[OMR_VP_RIM_SHARE] : 1;
  w->size = w->elastic ? 4 : 3;
  w->inertia[0] = (1 - share) * inertia;
  w->inertia[1] = share * inertia;
  w->tread = add_part(w, mb, "tread", share * mass, w->inertia[1]);
  w->hub = w->elastic ? add_part(w, mb, "hub", (1 - share) * mass, w->inertia[0]) : w->tread;
  w->contact = (omr_mb_constraint){.a = w->elastic ? w->hub : 0, .b = w->tread};
  omr_mb_add_constraint(mb, &w->contact, &contact_kind, "contact");
  if (w->elastic) {
    omr_joint_add(mb, &w->joint, "axle",
                  (omr_joint_place){.a = w->hub, .b = w->tread, .axis = axle},
                  (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
    w->rim = (omr_mb_constraint){.a = w->hub, .b = w->tread};
    omr_mb_add_constraint(mb, &w->rim, &rim_kind, "rim");
  }
  omr_mb_add_quadratures(mb, QUADRATURES, quadratures, w);
}

static bool assemble(const omr_study *study, const omr_values *values, omr_reference *r,
                     omr_reason *why) {
  wheel *w =
      omr_reference_open(r, sizeof *w, omr_vec_of(0, -values->vehicle[OMR_VP_GRAVITY], 0), why);
  if (!w) return false;

  memcpy(w->values, values->vehicle, sizeof w->values);
  w->study = study;
  w->elastic = study->model == OMR_MODEL_ELASTIC_WHEEL;
  w->least_weight = 1;
  w->stop_time = -1;
  build(w, r->mb);
  if (r->mb->failed) return true;
  if (w->elastic) omr_mb_own(r->mb, &w->rim)[0] = w->values[OMR_VP_RIM_TWIST];
  w->start_energy = energy_of(w, r->mb);
  return true;
}

static void sample(const omr_reference *r, double *out) {
  const wheel *w = r->self;
  const acting now = acting_now(w, r->mb);
  const omr_frame *f = &r->mb->frame[w->tread];
  const double radius = w->values[OMR_VP_UK_RADIUS];
  out[UK_S_X] = f->r.x;
  out[UK_S_V] = f->v.x;
  out[UK_S_ANGLE] = omr_mb_quadratures(r->mb)[Q_ANGLE];
  out[UK_S_RATE] = rate_of(r->mb, w->hub);
  out[UK_S_RIM] = radius * rate_of(r->mb, w->tread);
  out[UK_S_SLIP] = now.slip;
  out[UK_S_STICTION] = now.stiction;
  out[UK_S_WEIGHT] = now.stiction * now.stiction;
  out[UK_S_MU] = now.mu;
  out[UK_S_LIMIT] = now.limit;
  out[UK_S_APPLIED] = now.drive / radius;
  out[UK_S_IDEAL] = now.ideal[0];
  out[UK_S_NONIDEAL] = now.non_ideal[0];
  out[UK_S_CONTACT] = now.ideal[0] + now.non_ideal[0];
  out[UK_S_FRICTION] = now.friction;
  out[UK_S_LOAD] = now.ideal[1];
  out[UK_S_DRIVE] = now.drive;
  out[UK_S_BRAKE] = now.brake;
  if (!w->elastic) return;
  out[RIM_S_TWIST] = now.twist;
  out[RIM_S_TWIST_RATE] = now.turning;
  out[RIM_S_RIM_TORQUE] = now.rim;
}

static void observe(omr_reference *r) {
  wheel *w = r->self;
  double now[elastic_wheel_samples];
  const double t = r->mb->time;
  sample(r, now);
  const double speed = fabs(now[UK_S_V]);
  w->most_speed = fmax(w->most_speed, speed);
  w->most_slip = fmax(w->most_slip, fabs(now[UK_S_SLIP]));
  w->least_weight = fmin(w->least_weight, now[UK_S_WEIGHT]);
  w->most_traction = fmax(w->most_traction, fabs(now[UK_S_CONTACT]) / now[UK_S_LIMIT]);
  if (w->elastic) w->most_twist = fmax(w->most_twist, fabs(now[RIM_S_TWIST]));
  if (t <= w->values[OMR_VP_BRAKE_TIME]) w->brake_x = now[UK_S_X];
  const bool slow = speed < 0.01 * w->most_speed;
  if (slow && w->stop_time < 0) {
    w->stop_time = t;
    w->stop_x = now[UK_S_X];
  }
  if (!slow) w->stop_time = -1;
}

static void reduce(const omr_reference *r, double *o) {
  const wheel *w = r->self;
  const double *q = omr_mb_quadratures(r->mb), *v = w->values, final = energy_of(w, r->mb);
  const omr_frame *f = &r->mb->frame[w->tread];
  const bool stopped = w->stop_time >= 0,
             braked = v[OMR_VP_BRAKE_TORQUE] > 0 && r->mb->time >= v[OMR_VP_BRAKE_TIME];
  o[OMR_OBS_FINAL_X] = f->r.x;
  o[OMR_OBS_FINAL_VX] = f->v.x;
  o[OMR_OBS_FINAL_RATE] = rate_of(r->mb, w->hub);
  o[OMR_OBS_MIN_WEIGHT] = w->least_weight;
  omr_reduce_pulled(&(omr_pulled){w->values[OMR_VP_UK_MASS], w->start_energy, final, q[Q_LOST],
                                  q[Q_WORK], w->most_speed, w->most_slip, w->most_traction},
                    o);
  if (w->elastic) o[OMR_OBS_MAX_TWIST] = w->most_twist;
  if (stopped) o[OMR_OBS_STOP_TIME] = w->stop_time;
  if (stopped && braked && w->stop_time >= v[OMR_VP_BRAKE_TIME])
    o[OMR_OBS_BRAKING_DISTANCE] = w->stop_x - w->brake_x;
}

const omr_reference_model omr_reference_uk_wheel = {
    .assemble = assemble, .sample = sample, .observe = observe, .reduce = reduce};
