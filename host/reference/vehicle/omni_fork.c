/* Wheels on forks that turn about an upright axis: casters, which trail behind it, and swerve
 * wheels, which a servo steers below it. */
#include "model/fold.h"
#include "omni.h"

bool omr_omni_is_bare(const omr_study *study, int wheel) {
  return study->model == OMR_MODEL_DISC_VEHICLE || omr_wheel_is_bare(study->kind[wheel]);
}

double omr_omni_wheel_mass(const omr_omni *omni, const struct omr_wheel_body *from, int wheel) {
  const omr_wheel_kind kind = omni->study->kind[wheel];
  const double *v = omni->values.wheel[wheel];
  if (!omr_wheel_is_bare(kind)) return from->total_mass;
  return v[OMR_WP_DISC_MASS] + v[OMR_WP_SUSPENSION_MASS] +
         (omr_wheel_swivels(kind) ? v[OMR_WP_SWIVEL_MASS] : 0);
}

omr_omni_fork omr_omni_read_fork(const omr_omni *omni, const struct omr_wheel_body *from,
                                 int wheel) {
  const double *v = omni->values.wheel[wheel];
  omr_omni_fork f = {.bearing = v[OMR_WP_SWIVEL_BEARING],
                     .limit = HUGE_VAL,
                     .x = from->nominal_a,
                     .z = from->nominal_b,
                     .heading = from->nominal_delta,
                     .radius = from->nominal_radius};
  if (omni->study->kind[wheel] == OMR_WHEEL_CASTER) {
    /* wheel and fork together have their centre of mass on the axis */
    f.trail = v[OMR_WP_SWIVEL_TRAIL];
    f.ahead = v[OMR_WP_DISC_MASS] * f.trail / (v[OMR_WP_SWIVEL_MASS] + v[OMR_WP_SUSPENSION_MASS]);
    return f;
  }
  f.stiffness = v[OMR_WP_STEER_STIFFNESS];
  f.damping = v[OMR_WP_STEER_DAMPING];
  f.torque = v[OMR_WP_STEER_TORQUE];
  f.target = v[OMR_WP_STEER_ANGLE];
  if (!isnan(v[OMR_WP_STEER_LIMIT])) f.limit = v[OMR_WP_STEER_LIMIT];
  return f;
}

/* Steering torque on the fork: the servo's, within its limit, and the constant one. */
static double steering(const omr_omni_fork *f, double angle, double rate) {
  const double asked = f->stiffness * (f->target - angle) - f->damping * rate;
  return fmin(fmax(asked, -f->limit), f->limit) + f->torque;
}

double omr_omni_fork_law(void *self, double t, double angle, double rate) {
  const omr_omni_fork *f = self;
  (void)t;
  return f->bearing * rate - steering(f, angle, rate);
}

double omr_omni_steer_angle(const omr_omni_wheel *w, const omr_mb *mb) {
  return *omr_mb_own(mb, &w->fork.axis.base);
}

static double steer_rate(const omr_omni_wheel *w, const omr_mb *mb) {
  double displacement, speed, rate;
  omr_joint_motion(mb, &w->fork.axis, &displacement, &speed, &rate);
  return rate;
}

double omr_omni_steer_power(const omr_omni_wheel *w, const omr_mb *mb) {
  if (!w->fork.body) return 0;
  const double rate = steer_rate(w, mb);
  return steering(&w->fork, omr_omni_steer_angle(w, mb), rate) * rate;
}

double omr_omni_fork_loss(const omr_omni_wheel *w, const omr_mb *mb) {
  return w->fork.body ? w->fork.bearing * pow(steer_rate(w, mb), 2) : 0;
}

/* The rolling direction at the angle d, (cos d, 0, -sin d), points along the velocity of the axis
 * or against it, whichever is nearer; until the wheel is there it is driven by its part along. */
double omr_omni_steer(omr_omni_wheel *w, const omr_mb *mb, const double velocity[3]) {
  omr_omni_fork *f = &w->fork;
  const double vx = velocity[0] + velocity[2] * f->z, vz = velocity[1] - velocity[2] * f->x,
               angle = omr_omni_steer_angle(w, mb);
  if (hypot(vx, vz) < 1e-6) return 0;
  const double away = remainder(atan2(-vz, vx) - f->heading - angle, PI);
  f->target = angle + away;
  const double d = f->heading + f->target;
  return -(vx * cos(d) - vz * sin(d)) / f->radius * cos(away);
}
