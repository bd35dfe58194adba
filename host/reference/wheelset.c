/* wheelset on the reference (source 3, section 3.2): a rod and two discs, 13 states each. Wheels
 * and rod are joined by revolute joints (FixedIdealJoint), where one of the forces along the axle
 * is undetermined and the least norm is taken, or by springs and dampers along the axle
 * (SpringIdealJoint); the discs roll without slip (Disc_on_Base). The axes lie in the plane, so a
 * slope inclines gravity.
 */
#include "disc_contact.h"
#include "joints.h"
#include "model/small.h"
#include "reference.h"

#include "../../kernels/small_layout.h" /* the order of the samples */
#include <stdlib.h>
#include <string.h>

enum { LEFT_WHEEL, RIGHT_WHEEL, WHEELS };
enum { Q_YAW, Q_ROD, Q_LEFT, Q_RIGHT, Q_PATH, Q_WORK, Q_LOST, QUADRATURES };

static const omr_vec normal = {0, 1, 0},
                     axle = {0, 0, 1}; /* of the plane; of every body here, its own axes */

/* ---- a torque of constant size between two bodies */

typedef struct applied_torque {
  omr_mb_constraint base;
  bool about_normal; /* of the plane; otherwise about the axle, forward being negative */
  double torque;     /* on B; A takes the opposite */
} applied_torque;

static omr_vec torque_on_b(const applied_torque *t, const omr_frame *b) {
  return t->about_normal ? omr_scale(t->torque, normal)
                         : omr_scale(-t->torque, omr_times(&b->t, axle));
}

static void torque_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  out->torque[1] = torque_on_b((const applied_torque *)c, view->b);
  out->torque[0] = omr_neg(out->torque[1]);
}

static const omr_mb_kind torque_kind = {"applied torque", 0, torque_effect, NULL, false};

static void add_torque(omr_mb *mb, applied_torque *t, const char *name, int a, int b, double torque,
                       bool about_normal) {
  *t = (applied_torque){.base = {.kind = &torque_kind, .a = a, .b = b},
                        .about_normal = about_normal,
                        .torque = torque};
  snprintf(t->base.name, OMR_MB_NAME, "%s", name);
  omr_mb_add_constraint(mb, &t->base);
}

/* ---- the wheelset */

typedef struct wheelset {
  omr_reference *owner;
  double b, radius, mass, down[2]; /* direction in the plane that goes down: x, z */
  omr_vec gravity;
  int rod, wheel[WHEELS];
  omr_joint joint[WHEELS];
  omr_disc_contact contact[WHEELS];
  applied_torque torque[WHEELS], yaw_torque;
  omr_vec start;
  double start_energy, most_speed, least_load, most_load, most_lateral;
} wheelset;

/* Axes that follow the rod: ahead, to the right. */
typedef struct rod_axes {
  omr_vec ahead, right;
} rod_axes;

static rod_axes axes_of(const wheelset *w, const omr_mb *mb) {
  omr_vec k = omr_times(&omr_mb_frame(mb, w->rod)->t, axle);
  omr_vec ahead = omr_unit(omr_cross(normal, k));
  return (rod_axes){ahead, omr_cross(ahead, normal)};
}

/* Forward rate of a body about the axle. */
static double spin_of(const omr_mb *mb, int body) {
  const omr_frame *f = omr_mb_frame(mb, body);
  return -omr_dot(f->w, omr_times(&f->t, axle));
}

/* Its derivative: the axle turns with the body. */
static double spin_change_of(const omr_mb *mb, int body) {
  const omr_frame *f = omr_mb_frame(mb, body);
  return -omr_dot(omr_mb_acceleration(mb, body)->e, omr_times(&f->t, axle));
}

static double power(const omr_mb *mb, const applied_torque *t) {
  const omr_frame *a = omr_mb_frame(mb, t->base.a), *b = omr_mb_frame(mb, t->base.b);
  return omr_dot(torque_on_b(t, b), omr_sub(b->w, a->w));
}

static void quadratures(void *self, const omr_mb *mb, double *rate) {
  const wheelset *w = self;
  const omr_frame *rod = omr_mb_frame(mb, w->rod);
  rate[Q_YAW] = omr_dot(rod->w, normal);
  rate[Q_ROD] = spin_of(mb, w->rod);
  rate[Q_LEFT] = spin_of(mb, w->wheel[LEFT_WHEEL]);
  rate[Q_RIGHT] = spin_of(mb, w->wheel[RIGHT_WHEEL]);
  rate[Q_PATH] = omr_norm(rod->v);
  rate[Q_LOST] = 0;
  for (int i = 0; i < WHEELS && w->joint[i].slide == OMR_SLIDE_SPRING; i++) {
    double gap, speed, turning;
    omr_joint_motion(mb, &w->joint[i], &gap, &speed, &turning);
    rate[Q_LOST] += w->joint[i].damping * speed * speed;
  }
  rate[Q_WORK] = power(mb, &w->torque[LEFT_WHEEL]) + power(mb, &w->torque[RIGHT_WHEEL]) +
                 power(mb, &w->yaw_torque);
}

static double given(double value, double otherwise) {
  return isnan(value) ? otherwise : value;
}

typedef struct turned {
  double mass, axial, diametral;
} turned;

/* The defaults are those that the study's documentation promises. */
static turned wheel_of(const double *v, int which) {
  double half = 0.5 * v[OMR_VP_UK_RADIUS] * v[OMR_VP_UK_RADIUS];
  turned left = {.mass = v[OMR_VP_WSET_LEFT_MASS]};
  left.axial = given(v[OMR_VP_WSET_LEFT_AXIAL], left.mass * half);
  left.diametral = given(v[OMR_VP_WSET_LEFT_DIAMETRAL], left.axial / 2);
  if (which == LEFT_WHEEL) return left;
  turned right = {.mass = given(v[OMR_VP_WSET_RIGHT_MASS], left.mass)};
  right.axial =
      given(v[OMR_VP_WSET_RIGHT_AXIAL], right.mass == left.mass ? left.axial : right.mass * half);
  right.diametral = given(v[OMR_VP_WSET_RIGHT_DIAMETRAL],
                          right.axial == left.axial ? left.diametral : right.axial / 2);
  return right;
}

static turned rod_of(const double *v) {
  turned rod = {.mass = v[OMR_VP_WSET_ROD_MASS], .axial = v[OMR_VP_WSET_ROD_AXIAL]};
  double b = v[OMR_VP_WSET_HALF_TRACK];
  rod.diametral = given(v[OMR_VP_WSET_ROD_DIAMETRAL], rod.mass * b * b / 3 + rod.axial / 2);
  return rod;
}

/* A body at `side` of the axle, turned forward by `angle` and turning with `rate`, all at the
 * wheelset's pose and speed. */
static int add_body(wheelset *w, omr_mb *mb, const char *name, turned body, const double *v,
                    double side, double angle, double rate) {
  int number =
      omr_mb_add_body(mb, name, body.mass, omr_vec_of(body.diametral, body.diametral, body.axial));
  double yaw = v[OMR_VP_INITIAL_YAW], turning = v[OMR_VP_INITIAL_YAW_RATE], q[4], spin[4];
  omr_vec right = omr_vec_of(sin(yaw), 0, cos(yaw)), ahead = omr_vec_of(cos(yaw), 0, -sin(yaw));
  omr_quaternion(normal, yaw, q);
  omr_quaternion(axle, -angle, spin);
  omr_quaternion_product(q, spin, q);
  omr_mb_place(mb, number, omr_axpy(w->start, side, right), q,
               omr_scale(v[OMR_VP_INITIAL_VX] + side * turning, ahead),
               omr_axpy(omr_scale(turning, normal), -rate, right));
  w->mass += body.mass;
  return number;
}

static void add_bodies(wheelset *w, omr_mb *mb, const double *v) {
  double b = w->b, u = v[OMR_VP_INITIAL_VX], turning = v[OMR_VP_INITIAL_YAW_RATE];
  w->rod =
      add_body(w, mb, "rod", rod_of(v), v, 0, v[OMR_VP_WSET_ROD_ANGLE], v[OMR_VP_WSET_ROD_RATE]);
  w->wheel[LEFT_WHEEL] = add_body(w, mb, "left wheel", wheel_of(v, LEFT_WHEEL), v, -b,
                                  v[OMR_VP_WSET_LEFT_ANGLE], (u - b * turning) / w->radius);
  w->wheel[RIGHT_WHEEL] = add_body(w, mb, "right wheel", wheel_of(v, RIGHT_WHEEL), v, b,
                                   v[OMR_VP_WSET_RIGHT_ANGLE], (u + b * turning) / w->radius);
}

static void add_constraints(wheelset *w, const omr_study *study, omr_mb *mb, const double *v) {
  static const char *const joints[] = {"left joint", "right joint"}, *const contacts[] = {
                                                                         "left contact",
                                                                         "right contact"};
  static const char *const torques[] = {"left torque", "right torque"};
  const double torque[] = {v[OMR_VP_WSET_LEFT_TORQUE], v[OMR_VP_WSET_RIGHT_TORQUE]};
  for (int i = 0; i < WHEELS; i++) {
    double side = i == LEFT_WHEEL ? -w->b : w->b;
    omr_joint_place place = {
        .a = w->rod, .b = w->wheel[i], .axis = axle, .point_a = omr_scale(side, axle)};
    if (study->options[0] == WSET_JOINTS_COMPLIANT)
      omr_spring_ideal_joint(mb, &w->joint[i], joints[i], place, v[OMR_VP_WSET_JOINT_STIFFNESS],
                             v[OMR_VP_WSET_JOINT_DAMPING]);
    else
      omr_fixed_ideal_joint(mb, &w->joint[i], joints[i], place);
    omr_disc_place disc = {
        .b = w->wheel[i], .normal = normal, .axis = omr_neg(axle), .radius = w->radius};
    omr_disc_on_base(mb, &w->contact[i], contacts[i], disc);
    int from = study->options[1] == WSET_REACTION_ROD ? w->rod : 0;
    add_torque(mb, &w->torque[i], torques[i], from, w->wheel[i], torque[i], false);
  }
  add_torque(mb, &w->yaw_torque, "yaw torque", 0, w->rod, v[OMR_VP_WSET_YAW_TORQUE], true);
}

static void start_quadratures(const omr_mb *mb, const double *v) {
  double *q = omr_mb_quadratures(mb);
  q[Q_YAW] = v[OMR_VP_INITIAL_YAW];
  q[Q_ROD] = v[OMR_VP_WSET_ROD_ANGLE];
  q[Q_LEFT] = v[OMR_VP_WSET_LEFT_ANGLE];
  q[Q_RIGHT] = v[OMR_VP_WSET_RIGHT_ANGLE];
}

/* Kinetic energy, gravity (from the height of the axle at the plane's origin on) and the springs of
 * the joints. */
static double energy_of(const wheelset *w, const omr_mb *mb, bool springs) {
  double energy = omr_mb_kinetic(mb) + omr_mb_potential(mb) + w->mass * w->gravity.y * w->radius;
  for (int i = 0; i < WHEELS && springs && w->joint[i].slide == OMR_SLIDE_SPRING; i++) {
    double gap, speed, rate;
    omr_joint_motion(mb, &w->joint[i], &gap, &speed, &rate);
    energy += 0.5 * w->joint[i].stiffness * gap * gap;
  }
  return energy;
}

static bool assemble(const omr_study *study, const omr_values *values, omr_reference *r,
                     char *reason, size_t size) {
  const double *v = values->vehicle, slope = v[OMR_VP_PLANE_SLOPE],
               direction = v[OMR_VP_PLANE_DIRECTION];
  wheelset *w = calloc(1, sizeof *w);
  r->self = w;
  if (w) {
    w->owner = r;
    w->b = v[OMR_VP_WSET_HALF_TRACK];
    w->radius = v[OMR_VP_UK_RADIUS];
    w->down[0] = cos(direction);
    w->down[1] = -sin(direction);
    w->gravity = omr_scale(v[OMR_VP_GRAVITY], omr_vec_of(sin(slope) * w->down[0], -cos(slope),
                                                         sin(slope) * w->down[1]));
    w->start = omr_vec_of(v[OMR_VP_INITIAL_X], w->radius, v[OMR_VP_INITIAL_Z]);
    w->least_load = HUGE_VAL;
    w->most_load = -HUGE_VAL;
    r->mb = omr_mb_create(w->gravity);
  }
  if (!w || !r->mb) {
    free(w);
    snprintf(reason, size, "out of memory");
    return false;
  }
  add_bodies(w, r->mb, v);
  add_constraints(w, study, r->mb, v);
  omr_mb_add_quadratures(r->mb, QUADRATURES, quadratures, w);
  if (!omr_mb_failed(r->mb)) {
    start_quadratures(r->mb, v);
    w->start_energy = energy_of(w, r->mb, true);
  }
  return true;
}

static void release(omr_reference *r) {
  free(r->self);
}

/* ---- what is told */

typedef struct forces {
  double ahead[WHEELS], load[WHEELS], lateral;
} forces;

/* The axes of the contacts are those of the rod: n, to the left, ahead. */
static forces forces_of(const wheelset *w, const omr_mb *mb) {
  forces f = {.lateral = 0};
  for (int i = 0; i < WHEELS; i++) {
    omr_vec force = omr_disc_force(mb, &w->contact[i]);
    f.load[i] = force.x;
    f.lateral -= force.y;
    f.ahead[i] = force.z;
  }
  return f;
}

/* The yaw of the axle itself; its integral says in which turn. */
static double yaw_of(const omr_mb *mb, const rod_axes *axes) {
  double yaw = atan2(axes->right.x, axes->right.z),
         turns = (omr_mb_quadratures(mb)[Q_YAW] - yaw) / (2 * acos(-1.0));
  return yaw + 2 * acos(-1.0) * nearbyint(turns);
}

static void sample_pose(const wheelset *w, const omr_mb *mb, const rod_axes *axes, double *out) {
  const omr_frame *rod = omr_mb_frame(mb, w->rod);
  const double *q = omr_mb_quadratures(mb);
  out[WSET_S_X] = rod->r.x;
  out[WSET_S_Z] = rod->r.z;
  out[WSET_S_YAW] = yaw_of(mb, axes);
  out[WSET_S_LEFT_ANGLE] = q[Q_LEFT];
  out[WSET_S_RIGHT_ANGLE] = q[Q_RIGHT];
  out[WSET_S_ROD_ANGLE] = q[Q_ROD];
  for (int i = 0; i < WHEELS; i++) {
    omr_vec contact = omr_disc_look(mb, &w->contact[i]).point;
    out[i == LEFT_WHEEL ? WSET_S_LEFT_X : WSET_S_RIGHT_X] = contact.x;
    out[i == LEFT_WHEEL ? WSET_S_LEFT_Z : WSET_S_RIGHT_Z] = contact.z;
  }
}

static void sample(const omr_reference *r, double *out) {
  const wheelset *w = r->self;
  const omr_frame *rod = omr_mb_frame(r->mb, w->rod);
  const omr_acceleration *change = omr_mb_acceleration(r->mb, w->rod);
  rod_axes axes = axes_of(w, r->mb);
  forces f = forces_of(w, r->mb);
  double turning = omr_dot(rod->w, normal);
  sample_pose(w, r->mb, &axes, out);
  out[WSET_S_SPEED] = omr_dot(rod->v, axes.ahead);
  out[WSET_S_YAW_RATE] = turning;
  out[WSET_S_LEFT_RATE] = spin_of(r->mb, w->wheel[LEFT_WHEEL]);
  out[WSET_S_RIGHT_RATE] = spin_of(r->mb, w->wheel[RIGHT_WHEEL]);
  out[WSET_S_ROD_RATE] = spin_of(r->mb, w->rod);
  out[WSET_S_ACCELERATION] = omr_dot(change->a, axes.ahead) - turning * omr_dot(rod->v, axes.right);
  out[WSET_S_YAW_ACCELERATION] = omr_dot(change->e, normal);
  out[WSET_S_LEFT_ACCELERATION] = spin_change_of(r->mb, w->wheel[LEFT_WHEEL]);
  out[WSET_S_RIGHT_ACCELERATION] = spin_change_of(r->mb, w->wheel[RIGHT_WHEEL]);
  out[WSET_S_LEFT_FORCE] = f.ahead[LEFT_WHEEL];
  out[WSET_S_RIGHT_FORCE] = f.ahead[RIGHT_WHEEL];
  out[WSET_S_LATERAL_FORCE] = f.lateral;
  out[WSET_S_LEFT_LOAD] = f.load[LEFT_WHEEL];
  out[WSET_S_RIGHT_LOAD] = f.load[RIGHT_WHEEL];
  out[WSET_S_ENERGY] = energy_of(w, r->mb, false);
  if (fmin(f.load[LEFT_WHEEL], f.load[RIGHT_WHEEL]) < 0) w->owner->failed = OMR_INSTANCE_LIFTED;
}

static void observe(omr_reference *r) {
  wheelset *w = r->self;
  rod_axes axes = axes_of(w, r->mb);
  forces f = forces_of(w, r->mb);
  double least = fmin(f.load[LEFT_WHEEL], f.load[RIGHT_WHEEL]),
         most = fmax(f.load[LEFT_WHEEL], f.load[RIGHT_WHEEL]);
  if (least < 0) {
    r->failed = OMR_INSTANCE_LIFTED;
    return;
  }
  w->most_speed = fmax(w->most_speed, fabs(omr_dot(omr_mb_frame(r->mb, w->rod)->v, axes.ahead)));
  w->least_load = fmin(w->least_load, least);
  w->most_load = fmax(w->most_load, most);
  w->most_lateral = fmax(w->most_lateral, fabs(f.lateral));
}

static double energy_error(const wheelset *w, const omr_mb *mb) {
  const double *q = omr_mb_quadratures(mb);
  double gained = energy_of(w, mb, true) - w->start_energy;
  double scale = fmax(fmax(omr_mb_kinetic(mb), fabs(q[Q_WORK])), fabs(gained));
  return omr_energy_error(gained + q[Q_LOST] - q[Q_WORK], scale, w->mass, w->most_speed);
}

static void reduce(const omr_reference *r, double *o) {
  const wheelset *w = r->self;
  const omr_frame *rod = omr_mb_frame(r->mb, w->rod);
  rod_axes axes = axes_of(w, r->mb);
  double x = rod->r.x - w->start.x, z = rod->r.z - w->start.z;
  o[OMR_OBS_FINAL_X] = rod->r.x;
  o[OMR_OBS_FINAL_Z] = rod->r.z;
  o[OMR_OBS_FINAL_YAW] = yaw_of(r->mb, &axes);
  o[OMR_OBS_FINAL_VX] = omr_dot(rod->v, axes.ahead);
  o[OMR_OBS_FINAL_YAW_RATE] = omr_dot(rod->w, normal);
  o[OMR_OBS_PATH_LENGTH] = omr_mb_quadratures(r->mb)[Q_PATH];
  o[OMR_OBS_DRIVE_WORK] = omr_mb_quadratures(r->mb)[Q_WORK];
  o[OMR_OBS_DOWNHILL] = w->down[0] * x + w->down[1] * z;
  o[OMR_OBS_DRIFT] = w->down[1] * x - w->down[0] * z;
  o[OMR_OBS_ENERGY_ERROR] = energy_error(w, r->mb); /* what the joints' dampers take is counted */
  if (w->least_load > w->most_load) return;         /* nothing observed */
  o[OMR_OBS_MAX_SPEED] = w->most_speed;
  o[OMR_OBS_MIN_LOAD] = w->least_load;
  o[OMR_OBS_MAX_LOAD] = w->most_load;
  o[OMR_OBS_MAX_LATERAL_FORCE] = w->most_lateral;
}

const omr_reference_model omr_reference_wheelset = {
    .model = OMR_MODEL_WHEELSET,
    .assemble = assemble,
    .release = release,
    .sample = sample,
    .observe = observe,
    .reduce = reduce,
};
