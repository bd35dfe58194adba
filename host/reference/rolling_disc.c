/* rolling_disc as a model of the reference: one body in maximal coordinates on a contact of
 * disc_contact.h. Of kernels/ it shares the list of samples alone. */
#include "disc_contact.h"
#include "kernels/rolling_disc_layout.h"
#include "model/small.h"
#include "plate.h"
#include "reference.h"
#include "result/result.h"

#include <stdlib.h>

/* Below this sine of the tilt a disc lies flat, as in the engine. */
#define FLAT 0.01

/* Quadratures: energy lost, time without contact, work of the ground. */
enum { LOST, AIR, WORK, QUADRATURES };

typedef struct disc_extremes {
  double slip, speed, least_load, most_load, gap, fall_time, lift_offs;
  bool touched;
} disc_extremes;

typedef struct reference_disc {
  omr_reference *reference;
  const double *values; /* OMR_VP_ */
  omr_values copy;
  bool rolls, carried; /* on ground that moves */
  omr_disc_contact contact;
  double initial_energy;
  disc_extremes extremes;
} reference_disc;

static const char *refuse(const omr_study *study) {
  (void)study;
  return NULL;
}

static double given(double value, double otherwise) {
  return isnan(value) ? otherwise : value;
}

static omr_vec pivot(const reference_disc *d) {
  return d->carried ? omr_vec_of(d->values[OMR_VP_GROUND_PIVOT_X], d->values[OMR_VP_GROUND_PIVOT_Y],
                                 d->values[OMR_VP_GROUND_PIVOT_Z])
                    : omr_vec_of(0, 0, 0);
}

/* Places the disc that one sees so who stands on the ground. */
static void set_down(const reference_disc *d, omr_mb *mb, omr_vec r, const double q[4], omr_vec v,
                     omr_vec w) {
  const omr_frame *ground = omr_mb_frame(mb, 0);
  double turned[4], whole[4];
  if (!d->carried) {
    omr_mb_place(mb, 1, r, q, v, w);
    return;
  }
  omr_vec arm = omr_times(&ground->t, omr_sub(r, pivot(d)));
  omr_plate_quaternion(d->values, 0, turned);
  omr_quaternion_product(turned, q, whole);
  omr_mb_place(mb, 1, omr_add(ground->r, arm), whole,
               omr_add(omr_times(&ground->t, v), omr_point_velocity(ground, arm)),
               omr_add(omr_times(&ground->t, w), ground->w));
}

/* A disc and its contact as one sees them who stands on the ground; the force's and the slip's
 * components are the same for all. */
typedef struct seen_disc {
  omr_vec r, v, w, w1, w2, w3, point, trail;
  double q[4];
} seen_disc;

static seen_disc see(const reference_disc *d, const omr_mb *mb, const omr_disc_frame *at) {
  const omr_frame *ground = omr_mb_frame(mb, 0), *f = omr_mb_frame(mb, 1);
  const omr_mat *t = &ground->t;
  const double *q = omr_mb_state(mb) + OMR_MB_Q,
               size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  double plate[4] = {1, 0, 0, 0};
  omr_vec arm = omr_sub(f->r, ground->r), from = pivot(d);
  if (d->carried) omr_plate_quaternion(d->values, omr_mb_time(mb), plate);
  const double back[4] = {plate[0] / size, -plate[1] / size, -plate[2] / size, -plate[3] / size};
  seen_disc s = {.r = omr_add(from, omr_transposed_times(t, arm)),
                 .v = omr_transposed_times(t, omr_sub(f->v, omr_point_velocity(ground, arm))),
                 .w = omr_transposed_times(t, omr_sub(f->w, ground->w)),
                 .w1 = omr_transposed_times(t, at->w1),
                 .w2 = omr_transposed_times(t, at->w2),
                 .w3 = omr_transposed_times(t, at->w3),
                 .point = omr_add(from, omr_transposed_times(t, omr_sub(at->point, ground->r))),
                 .trail = omr_transposed_times(t, at->trail_on)};
  omr_quaternion_product(back, q, s.q);
  return s;
}

/* Directions of the disc as it is set down: the body's third axis is -w1. */
static void place_disc(const reference_disc *d, omr_mb *mb) {
  const double *v = d->values, radius = v[OMR_VP_UK_RADIUS];
  const omr_vec up = {0, 1, 0};
  double heading[4], lean[4], q[4];
  omr_quaternion(up, v[OMR_VP_DISC_HEADING], heading);
  omr_quaternion(omr_vec_of(1, 0, 0), 1.5707963267948966 - v[OMR_VP_DISC_TILT], lean);
  omr_quaternion_product(heading, lean, q);
  omr_mat t = omr_rotation(q);
  omr_vec w1 = omr_times(&t, omr_vec_of(0, 0, -1)), w2 = omr_times(&t, omr_vec_of(1, 0, 0)),
          w3 = omr_cross(w1, w2);
  /* the heading turns about the normal; of that only what is across w1 counts, since the spin is
   * all of w.w1 */
  omr_vec across = omr_axpy(up, -omr_dot(up, w1), w1);
  omr_vec w =
      omr_axpy(omr_axpy(omr_scale(v[OMR_VP_DISC_SPIN], w1), v[OMR_VP_DISC_PRECESSION], across),
               -v[OMR_VP_DISC_TILT_RATE], w2);
  omr_vec rolling = omr_neg(omr_cross(w, omr_scale(radius, w3)));
  double rest = d->rolls ? 0
                         : v[OMR_VP_UK_MASS] * v[OMR_VP_GRAVITY] * cos(v[OMR_VP_PLANE_SLOPE]) /
                               v[OMR_VP_DISC_STIFFNESS];
  omr_vec r = {v[OMR_VP_INITIAL_X], given(v[OMR_VP_DISC_HEIGHT], -radius * w3.y - rest),
               v[OMR_VP_INITIAL_Z]};
  set_down(d, mb, r, q,
           omr_vec_of(given(v[OMR_VP_DISC_VX], rolling.x), given(v[OMR_VP_DISC_VY], rolling.y),
                      given(v[OMR_VP_DISC_VZ], rolling.z)),
           w);
}

static omr_tyre tyre_of(const omr_study *study, const double *v) {
  static const omr_tyre_law laws[] = {[DISC_LAW_COULOMB] = OMR_NO_TYRE,
                                      [DISC_LAW_BRUSH] = OMR_TYRE_BRUSH,
                                      [DISC_LAW_MAGIC] = OMR_TYRE_MAGIC};
  return (omr_tyre){.law = laws[study->options[4]],
                    .friction = v[OMR_VP_TYRE_FRICTION],
                    .lateral = v[OMR_VP_TYRE_LATERAL],
                    .longitudinal = v[OMR_VP_TYRE_LONGITUDINAL],
                    .shape = v[OMR_VP_TYRE_SHAPE],
                    .curvature = v[OMR_VP_TYRE_CURVATURE],
                    .low_speed = v[OMR_VP_TYRE_LOW_SPEED]};
}

static void add_contact(const omr_study *study, reference_disc *d, omr_mb *mb) {
  const double *v = d->values;
  const omr_disc_place place = {.a = 0,
                                .b = 1,
                                .point = {0, -pivot(d).y, 0},
                                .normal = {0, 1, 0},
                                .axis = {0, 0, -1},
                                .radius = v[OMR_VP_UK_RADIUS]};
  const omr_disc_law law = {.stiffness = v[OMR_VP_DISC_STIFFNESS],
                            .damping = v[OMR_VP_DISC_DAMPING],
                            .lateral = v[OMR_VP_DISC_LATERAL],
                            .longitudinal = v[OMR_VP_DISC_LONGITUDINAL],
                            .lateral_viscous = v[OMR_VP_DISC_LATERAL_VISCOUS],
                            .longitudinal_viscous = v[OMR_VP_DISC_LONGITUDINAL_VISCOUS],
                            .angle = v[OMR_VP_DISC_FRICTION_ANGLE],
                            .slip_speed = v[OMR_VP_DISC_SLIP_SPEED],
                            .rolling = v[OMR_VP_DISC_ROLLING],
                            .linear_zone = study->options[0] == DISC_ZONE_LINEAR,
                            .no_pull = study->options[1] == DISC_PULL_NONE,
                            .grip_by_size = study->options[1] == DISC_PULL_EXUDYN};
  if (d->rolls) {
    omr_disc_on_base(mb, &d->contact, "contact", place);
  } else {
    omr_disc_penalty(mb, &d->contact, "contact", place, law);
    omr_disc_put_tyre(mb, &d->contact, tyre_of(study, v));
  }
}

/* Kinetic energy, gravity, contact spring. */
static double energy(const reference_disc *d, const omr_mb *mb) {
  return omr_mb_kinetic(mb) + omr_mb_potential(mb) +
         (d->rolls ? 0 : omr_disc_spring(mb, &d->contact));
}

/* Power of the contact on a body. */
static double power(const reference_disc *d, const omr_mb *mb, int body) {
  const omr_frame *f = omr_mb_frame(mb, body);
  omr_vec force, torque;
  omr_mb_wrench(mb, &d->contact.base, body, &force, &torque);
  return omr_dot(force, f->v) + omr_dot(torque, f->w);
}

/* What the contact's wrenches take away, less what goes into the spring; what the ground gives. */
static void lose(void *self, const omr_mb *mb, double *rate) {
  const reference_disc *d = self;
  omr_disc_frame at = omr_disc_look(mb, &d->contact);
  bool touches = d->contact.on[OMR_DISC_TOUCHES];
  rate[LOST] = rate[AIR] = 0;
  rate[WORK] = d->carried ? -power(d, mb, 0) : 0;
  if (d->rolls) return;
  double spring = touches ? d->contact.law.stiffness * at.gap * omr_dot(at.slip, at.n) : 0;
  rate[LOST] = rate[WORK] - power(d, mb, 1) - spring;
  rate[AIR] = touches ? 0 : 1;
}

static void event_values(void *self, const omr_mb *mb, double *g) {
  const reference_disc *d = self;
  omr_disc_events(mb, &d->contact, g);
}

static omr_status happen(void *self, omr_mb *mb, int which, omr_error *error) {
  reference_disc *d = self;
  (void)mb, (void)error;
  omr_disc_switch(&d->contact, which);
  return OMR_OK;
}

/* Where the disc leaves the model: flat, or held down by the constraint. */
static int judge(const reference_disc *d, const omr_mb *mb) {
  omr_disc_frame at = omr_disc_look(mb, &d->contact);
  if (at.sine < FLAT && (d->rolls || at.gap < 0)) return OMR_INSTANCE_OUTSIDE;
  return d->rolls && omr_disc_force(mb, &d->contact).x < 0 ? OMR_INSTANCE_LIFTED : OMR_INSTANCE_OK;
}

static void release(omr_reference *reference) {
  free(reference->self);
  reference->self = NULL;
}

static bool build(const omr_study *study, reference_disc *d, omr_reference *reference, char *reason,
                  size_t size) {
  const double *v = d->values;
  omr_mb *mb = reference->mb;
  double axial = given(v[OMR_VP_DISC_AXIAL_INERTIA],
                       0.5 * v[OMR_VP_UK_MASS] * v[OMR_VP_UK_RADIUS] * v[OMR_VP_UK_RADIUS]);
  double diametral = given(v[OMR_VP_DISC_DIAMETRAL_INERTIA], 0.5 * axial);
  if (2 * diametral < axial) {
    snprintf(reason, size,
             "diametral_inertia = %.6g kg m2 is below half of axial_inertia = %.6g kg m2: no body "
             "has that",
             diametral, axial);
    return false;
  }
  omr_mb_add_body(mb, "disc", v[OMR_VP_UK_MASS], omr_vec_of(diametral, diametral, axial));
  place_disc(d, mb);
  add_contact(study, d, mb);
  omr_mb_add_quadratures(mb, QUADRATURES, lose, d);
  if (omr_disc_look(mb, &d->contact).sine < FLAT) {
    snprintf(reason, size, "initial.tilt = %.6g rad lays the disc flat", v[OMR_VP_DISC_TILT]);
    return false;
  }
  if (!d->rolls)
    reference->switches = (omr_mb_switches){
        .self = d, .count = OMR_DISC_SWITCHES, .values = event_values, .happen = happen};
  d->initial_energy = energy(d, mb);
  d->extremes = (disc_extremes){
      .least_load = HUGE_VAL, .most_load = -HUGE_VAL, .gap = -HUGE_VAL, .fall_time = (double)NAN};
  d->extremes.touched = !d->rolls && d->contact.on[OMR_DISC_TOUCHES];
  return true;
}

static omr_vec gravity_of(const double *v) {
  double s = sin(v[OMR_VP_PLANE_SLOPE]), direction = v[OMR_VP_PLANE_DIRECTION];
  return omr_scale(v[OMR_VP_GRAVITY], omr_vec_of(s * cos(direction), -cos(v[OMR_VP_PLANE_SLOPE]),
                                                 -s * sin(direction)));
}

static bool assemble(const omr_study *study, const omr_values *values, omr_reference *reference,
                     char *reason, size_t size) {
  reference_disc *d = calloc(1, sizeof *d);
  reference->mb = omr_mb_create(gravity_of(values->vehicle));
  reference->self = d;
  if (!d || !reference->mb) {
    snprintf(reason, size, "out of memory");
  } else {
    d->reference = reference;
    d->copy = *values;
    d->values = d->copy.vehicle;
    d->rolls = study->options[2] == DISC_CONTACT_ROLLING;
    d->carried = study->options[3] == DISC_MOTION_GIVEN;
    if (d->carried) omr_mb_move_base(reference->mb, omr_plate_move, d->copy.vehicle);
    if (build(study, d, reference, reason, size)) return true;
  }
  release(reference);
  return false;
}

static void put(double *to, omr_vec v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

static double tilt_of(const omr_disc_frame *at) {
  return atan2(at->sine, omr_dot(at->w1, at->n));
}

static void sample(const omr_reference *reference, double *s) {
  reference_disc *d = reference->self;
  const omr_mb *mb = reference->mb;
  omr_disc_frame at = omr_disc_look(mb, &d->contact);
  omr_vec force = omr_disc_force(mb, &d->contact);
  const seen_disc f = see(d, mb, &at);
  put(s + DISC_S_X, f.r);
  put(s + DISC_S_VX, f.v);
  for (int i = 0; i < 4; i++) s[DISC_S_QW + i] = f.q[i];
  put(s + DISC_S_AXIS_X, f.w1);
  put(s + DISC_S_RATE_X, f.w);
  s[DISC_S_TILT] = tilt_of(&at);
  s[DISC_S_HEADING] = atan2(-f.w2.z, f.w2.x);
  s[DISC_S_SPIN] = omr_dot(f.w, f.w1);
  s[DISC_S_PRECESSION] = -omr_dot(f.w, f.w3) / at.sine;
  s[DISC_S_TILT_RATE] = -omr_dot(f.w, f.w2);
  s[DISC_S_CONTACT_X] = f.point.x;
  s[DISC_S_CONTACT_Z] = f.point.z;
  s[DISC_S_GAP] = at.gap;
  s[DISC_S_SLIP_LAT] = omr_dot(at.slip, at.lat);
  s[DISC_S_SLIP_LONG] = omr_dot(at.slip, at.w2);
  s[DISC_S_LOAD] = force.x;
  s[DISC_S_FORCE_LAT] = force.y;
  s[DISC_S_FORCE_LONG] = force.z;
  s[DISC_S_TRAIL_X] = f.trail.x;
  s[DISC_S_TRAIL_Z] = f.trail.z;
  s[DISC_S_ENERGY] = energy(d, mb);
  d->reference->failed = judge(d, mb);
}

static void observe(omr_reference *reference) {
  reference_disc *d = reference->self;
  const omr_mb *mb = reference->mb;
  disc_extremes *e = &d->extremes;
  reference->failed = judge(d, mb);
  if (reference->failed) return;
  omr_disc_frame at = omr_disc_look(mb, &d->contact);
  double load = omr_disc_force(mb, &d->contact).x, fall = sin(d->values[OMR_VP_DISC_FALL_TILT]);
  bool touches = !d->rolls && at.gap < 0;
  if (d->rolls || touches)
    e->slip = fmax(e->slip, hypot(omr_dot(at.slip, at.lat), omr_dot(at.slip, at.w2)));
  e->speed = fmax(e->speed, omr_norm(see(d, mb, &at).v));
  e->least_load = fmin(e->least_load, load);
  e->most_load = fmax(e->most_load, load);
  e->gap = fmax(e->gap, at.gap);
  if (isnan(e->fall_time) && at.sine < fall) e->fall_time = omr_mb_time(mb);
  e->lift_offs += e->touched && !touches;
  e->touched = touches;
}

static void reduce(const omr_reference *reference, double *o) {
  const reference_disc *d = reference->self;
  const disc_extremes *e = &d->extremes;
  const omr_mb *mb = reference->mb;
  omr_disc_frame at = omr_disc_look(mb, &d->contact);
  const seen_disc f = see(d, mb, &at);
  double lost = omr_mb_quadratures(mb)[LOST], work = omr_mb_quadratures(mb)[WORK],
         change = energy(d, mb) - d->initial_energy;
  double scale = fmax(fmax(omr_mb_kinetic(mb), fabs(lost)), fmax(fabs(change), fabs(work)));
  o[OMR_OBS_FINAL_X] = f.r.x;
  o[OMR_OBS_FINAL_HEIGHT] = f.r.y;
  o[OMR_OBS_FINAL_Z] = f.r.z;
  o[OMR_OBS_FINAL_TILT] = tilt_of(&at);
  o[OMR_OBS_FINAL_SPIN] = omr_dot(f.w, f.w1);
  o[OMR_OBS_FINAL_SPEED] = omr_norm(f.v);
  o[OMR_OBS_DISSIPATED_ENERGY] = lost;
  o[OMR_OBS_ENERGY_ERROR] =
      omr_energy_error(change + lost - work, scale, d->values[OMR_VP_UK_MASS], e->speed);
  o[OMR_OBS_ENERGY_LOST] = work - change;
  o[OMR_OBS_GROUND_WORK] = work;
  o[OMR_OBS_AIR_TIME] = omr_mb_quadratures(mb)[AIR];
  if (e->least_load > e->most_load) return; /* no step was looked at */
  o[OMR_OBS_MAX_SLIP] = e->slip;
  o[OMR_OBS_MAX_SPEED] = e->speed;
  o[OMR_OBS_MIN_LOAD] = e->least_load;
  o[OMR_OBS_MAX_LOAD] = e->most_load;
  o[OMR_OBS_MAX_GAP] = e->gap;
  o[OMR_OBS_LIFT_OFFS] = e->lift_offs;
  o[OMR_OBS_FALL_TIME] = e->fall_time;
}

const omr_reference_model omr_reference_rolling_disc = {
    OMR_MODEL_ROLLING_DISC, refuse, assemble, release, sample, observe, reduce};
