/* snakeboard: the vehicle of source 3, section 3.3 (kernels/small/snakeboard.h). */
#include "small.h"
#include "snakeboard_path.h"

#include "../../kernels/layout.h"
#include "../../kernels/scalar_math.h"
#include "../../kernels/small/small_layout.h"
#include "../lists/observables.h"
#include <math.h>
#include <stdio.h>

#define HOLD 0.01    /* SNAKE_HOLD of the kernel */
#define FORWARD 1e-3 /* least product of the cosines at which the board moves along its coupler */

/* Masses and inertias; `scale` = 0 is the model of Lewis et al. */
static bool fold_bodies(const double *v, double *p, char *reason, size_t size) {
  /* No body has a diametral inertia below half the axial one. */
  double axial = v[OMR_VP_SNAKE_AXIAL_INERTIA], diametral = v[OMR_VP_SNAKE_DIAMETRAL_INERTIA],
         scale = v[OMR_VP_SNAKE_SCALE];
  double radius = v[OMR_VP_SNAKE_RADIUS], h = v[OMR_VP_SNAKE_HALF_TRACK],
         wheel = v[OMR_VP_SNAKE_WHEEL_MASS];
  if (diametral < 0.5 * axial) {
    const int digits = omr_digits_apart(diametral, 0.5 * axial, 6);
    return omr_deny(reason, size,
                    "wheelset.diametral_inertia = %.*g kg m2 is below half of "
                    "wheelset.axial_inertia = %.*g kg m2: no body has that",
                    digits, diametral, digits, axial);
  }

  /* Inertia about the vertical of a wheelset, and of the whole board. */
  double spun = scale * axial / (radius * radius);
  double steered = v[OMR_VP_SNAKE_ROD_INERTIA] + 2 * diametral + 2 * h * h * (scale * wheel + spun);
  p[SNAKE_P_MASS] = v[OMR_VP_SNAKE_COUPLER_MASS] + v[OMR_VP_SNAKE_ROTOR_MASS];
  p[SNAKE_P_ROTOR] = v[OMR_VP_SNAKE_ROTOR_INERTIA];
  p[SNAKE_P_STEERED] = steered;
  p[SNAKE_P_INERTIA] =
      v[OMR_VP_SNAKE_COUPLER_INERTIA] + v[OMR_VP_SNAKE_ROTOR_INERTIA] + 2 * steered;

  /* Wheelsets that roll. */
  p[SNAKE_P_WHEELSET] = scale * (v[OMR_VP_SNAKE_ROD_MASS] + 2 * wheel);
  p[SNAKE_P_ROLLED] = p[SNAKE_P_WHEELSET] + 2 * spun;
  p[SNAKE_P_HALF_LENGTH] = v[OMR_VP_SNAKE_HALF_LENGTH];
  p[SNAKE_P_INV_LENGTH] = 1 / v[OMR_VP_SNAKE_HALF_LENGTH];
  p[SNAKE_P_INV_RADIUS] = 1 / radius;
  p[SNAKE_P_TRACK] = h;

  return true;
}

/* An angle of the gait, its rate, and sine and cosine of the angle. */
typedef struct swing {
  double at, rate, s, c;
} swing;

/* column: SNAKE_P_*_AMPLITUDE; frequency and phase follow it. */
static swing swing_at(const double *p, int column, double time) {
  swing g;
  double s, c;
  omr_math_sincos(p[column + 1] * time + p[column + 2], &s, &c);
  g.at = p[column] * s;
  g.rate = p[column] * p[column + 1] * c;
  omr_math_sincos(g.at, &g.s, &g.c);
  return g;
}

/* The direction that the constraints leave, u, w, r; the speeds are P times it
 * (kernels/small/snakeboard.h). */
static void direction(const double *p, const swing *f, const swing *b, double n[3]) {
  n[0] = 2 * f->c * b->c;
  n[1] = -(f->s * b->c + f->c * b->s);
  n[2] = (f->s * b->c - f->c * b->s) * p[SNAKE_P_INV_LENGTH];
  double m = p[SNAKE_P_MASS] * (n[0] * n[0] + n[1] * n[1]) + p[SNAKE_P_INERTIA] * n[2] * n[2] +
             4 * p[SNAKE_P_ROLLED] * (f->c * f->c + b->c * b->c);
  for (int i = 0; i < 3; i++) n[i] /= sqrt(m);
}

static bool follows(const double *p) {
  return p[SNAKE_P_PATH_FIRST] > 0;
}

static swing mirrored(swing f) {
  return (swing){-f.at, -f.rate, -f.s, f.c};
}

/* The front wheelset on the curve: its angle, and its rate by the board's speed. */
static swing swing_on_path(const double *p, const double *y) {
  swing f = {0};
  double slope, n[3];
  omr_snakeboard_path_angle(p, y[SNAKE_Y_TRAVEL], &f.at, &slope);
  omr_math_sincos(f.at, &f.s, &f.c);
  const swing b = mirrored(f);
  direction(p, &f, &b, n);
  f.rate = slope * n[0] * y[SNAKE_Y_MOMENTUM];
  return f;
}

/* Angles of the wheelsets at `time`, from their gaits or, with free steering, from the state. */
static void wheelsets_at(const double *p, const double *y, double time, swing *f, swing *b) {
  *f = swing_at(p, SNAKE_P_FRONT_AMPLITUDE, time);
  *b = swing_at(p, SNAKE_P_REAR_AMPLITUDE, time);
  if (follows(p)) *b = mirrored(*f = swing_on_path(p, y));
  if (p[SNAKE_P_FREE] == 0) return;
  f->at = y[SNAKE_Y_FRONT];
  f->rate = y[SNAKE_Y_FRONT_RATE];
  b->at = y[SNAKE_Y_REAR];
  b->rate = y[SNAKE_Y_REAR_RATE];
  omr_math_sincos(f->at, &f->s, &f->c);
  omr_math_sincos(b->at, &b->s, &b->c);
}

/* Sets the initial state; false with a reason where the wheelsets do not hold the board, or block
 * the given velocity. */
static bool set_off(const double *v, const double *p, double *y, char *reason, size_t size) {
  /* The wheelsets' angles at the start. */
  swing f, b;
  double n[3], speed = v[OMR_VP_INITIAL_VX];
  y[SNAKE_Y_TRAVEL] = follows(p) ? v[OMR_VP_SNAKE_PATH_START] : 0;
  if (follows(p))
    b = mirrored(f = swing_on_path(p, y));
  else
    f = swing_at(p, SNAKE_P_FRONT_AMPLITUDE, 0), b = swing_at(p, SNAKE_P_REAR_AMPLITUDE, 0);

  /* The axles must hold the board, and let it move forward. */
  if (f.c * f.c + b.c * b.c < HOLD)
    return omr_deny(reason, size,
                    "at the start both axles lie along the coupler (front %.6g rad, rear %.6g rad) "
                    "and do not hold it",
                    f.at, b.at);

  /* A wheelset across the coupler blocks the way forward. */
  if (speed != 0 && fabs(f.c * b.c) < FORWARD)
    return omr_deny(reason, size,
                    "initial.vx = %.6g m/s, but at the start a wheelset stands across the coupler "
                    "(front %.6g rad, rear %.6g rad)",
                    speed, f.at, b.at);

  /* Pose and momentum along the free direction. */
  direction(p, &f, &b, n);
  y[SNAKE_Y_X] = v[OMR_VP_INITIAL_X];
  y[SNAKE_Y_Z] = v[OMR_VP_INITIAL_Z];
  y[SNAKE_Y_YAW] = v[OMR_VP_INITIAL_YAW];
  y[SNAKE_Y_MOMENTUM] = speed == 0 ? 0 : speed / n[0];

  /* Free wheelsets are states. */
  if (p[SNAKE_P_FREE] == 0) return true;
  y[SNAKE_Y_FRONT] = f.at;
  y[SNAKE_Y_FRONT_RATE] = f.rate;
  y[SNAKE_Y_REAR] = b.at;
  y[SNAKE_Y_REAR_RATE] = b.rate;
  return true;
}

/* Free wheelsets turn with their own inertia. */
static bool fold_steering(const omr_study *study, const double *v, double *p, char *reason,
                          size_t size) {
  p[SNAKE_P_STEER_STIFFNESS] = v[OMR_VP_SNAKE_STEER_STIFFNESS];
  p[SNAKE_P_STEER_DAMPING] = v[OMR_VP_SNAKE_STEER_DAMPING];
  p[SNAKE_P_FREE] = study->options[2] == SNAKE_STEERING_FREE;
  if (p[SNAKE_P_FREE] != 0 && study->options[0] >= SNAKE_REAR_ASTROID)
    return omr_deny(reason, size,
                    "gait.wheelsets names a curve, which needs prescribed angles; leave out "
                    "steering.type \"free\"");
  if (p[SNAKE_P_FREE] == 0 || p[SNAKE_P_STEERED] > 0) return true;
  return omr_deny(reason, size,
                  "steering.type is free, and the wheelsets have no inertia about the vertical; "
                  "give wheelset.rod_inertia");
}

static bool prepare(const omr_study *study, const double *v, double *p, double *y, double *e,
                    char *reason, size_t size) {
  (void)e;
  if (!fold_bodies(v, p, reason, size)) return false;
  for (int i = 0; i < 9; i++) p[SNAKE_P_FRONT_AMPLITUDE + i] = v[OMR_VP_SNAKE_FRONT_AMPLITUDE + i];
  if (study->options[0] == SNAKE_REAR_OPPOSITE) {
    for (int i = 0; i < 3; i++) p[SNAKE_P_REAR_AMPLITUDE + i] = p[SNAKE_P_FRONT_AMPLITUDE + i];
    p[SNAKE_P_REAR_AMPLITUDE] = -p[SNAKE_P_FRONT_AMPLITUDE];
  }
  if (!fold_steering(study, v, p, reason, size)) return false;
  p[SNAKE_P_PATH_SPEED] = v[OMR_VP_INITIAL_VX];
  if (study->options[0] >= SNAKE_REAR_ASTROID &&
      !omr_snakeboard_fold_path(study, v, p, reason, size))
    return false;
  p[SNAKE_P_START_X] = v[OMR_VP_INITIAL_X];
  p[SNAKE_P_START_Z] = v[OMR_VP_INITIAL_Z];
  return set_off(v, p, y, reason, size);
}

/* Angles, direction and yaw rate of a state. */
typedef struct posture {
  swing f, b, rotor;
  double n[3], rate;
} posture;

static posture posture_at(const double *p, const double *y, double time) {
  posture s;
  wheelsets_at(p, y, time, &s.f, &s.b);
  s.rotor = swing_at(p, SNAKE_P_ROTOR_AMPLITUDE, time);
  direction(p, &s.f, &s.b, s.n);
  s.rate = s.n[2] * y[SNAKE_Y_MOMENTUM];
  return s;
}

/* Energy term of a part that turns at the coupler's rate plus its own. */
static double more(const swing *g, double rate) {
  return g->rate * (2 * rate + g->rate);
}

static double energy_at(const double *p, const double *y, double time) {
  posture s = posture_at(p, y, time);
  double steered = p[SNAKE_P_STEERED] * (more(&s.f, s.rate) + more(&s.b, s.rate));
  return 0.5 * (y[SNAKE_Y_MOMENTUM] * y[SNAKE_Y_MOMENTUM] + steered +
                p[SNAKE_P_ROTOR] * more(&s.rotor, s.rate));
}

/* The gait depends on time, and only the energy at the start is needed. */
static double energy(const double *p, const double *y) {
  return energy_at(p, y, 0);
}

static void reduce(const omr_study *study, const double *p, const double *y, const double *e,
                   double time, double initial, double *o) {
  (void)study;
  /* The posture at the end. */
  posture s = posture_at(p, y, time);
  double final = energy_at(p, y, time), work = y[SNAKE_Y_WORK],
         scale = fmax(fmax(initial, final), fabs(work));

  double x = y[SNAKE_Y_X] - p[SNAKE_P_START_X], z = y[SNAKE_Y_Z] - p[SNAKE_P_START_Z];

  /* Pose and velocity. */
  o[OMR_OBS_FINAL_X] = y[SNAKE_Y_X];
  o[OMR_OBS_FINAL_Z] = y[SNAKE_Y_Z];
  o[OMR_OBS_FINAL_YAW] = y[SNAKE_Y_YAW];
  o[OMR_OBS_FINAL_VX] = s.n[0] * y[SNAKE_Y_MOMENTUM];
  o[OMR_OBS_FINAL_VZ] = s.n[1] * y[SNAKE_Y_MOMENTUM];
  o[OMR_OBS_FINAL_YAW_RATE] = s.rate;

  /* Path, loads and energy. */
  o[OMR_OBS_PATH_LENGTH] = y[SNAKE_Y_PATH];
  o[OMR_OBS_DISTANCE] = sqrt(x * x + z * z);
  o[OMR_OBS_MAX_SPEED] = e[SNAKE_E_SPEED];
  o[OMR_OBS_MAX_LATERAL_FORCE] = e[SNAKE_E_FORCE];
  o[OMR_OBS_MAX_SERVO_TORQUE] = e[SNAKE_E_TORQUE];
  o[OMR_OBS_KINETIC_ENERGY] = final;
  o[OMR_OBS_DRIVE_WORK] = work;
  o[OMR_OBS_ENERGY_ERROR] =
      omr_energy_error(final - initial - work, scale, p[SNAKE_P_MASS], e[SNAKE_E_SPEED]);
}

/* Rate of a free wheelset on its spring and damper, whose other end has at least the coupler's
 * inertia: it swings at sqrt(k_s/J) and decays at d_s/J, with J the inertia of both ends together.
 */
static double steering_rate(const double *p) {
  if (p[SNAKE_P_FREE] == 0) return 0;
  double own = p[SNAKE_P_STEERED], rest = p[SNAKE_P_INERTIA] - 2 * own,
         inverse = 1 / own + 2 / rest;
  return sqrt(p[SNAKE_P_STEER_STIFFNESS] * inverse) + p[SNAKE_P_STEER_DAMPING] * inverse;
}

/* The fastest swing of the right-hand side, since nothing else decays. An angle a sin(omega t) of
 * some radians swings its sine faster. */
static double fastest_rate(const double *p) {
  /* On a curve, at twice the speed of the start. */
  double rate = fmax(steering_rate(p), 2 * fabs(p[SNAKE_P_PATH_SPEED]) * p[SNAKE_P_PATH_SLOPE]);
  for (int i = SNAKE_P_FRONT_AMPLITUDE; !follows(p) && i < SNAKE_P_ROTOR_AMPLITUDE; i += 3)
    rate = fmax(rate, fabs(p[i + 1]) * (1 + fabs(p[i])));
  return fmax(rate, fabs(p[SNAKE_P_ROTOR_FREQUENCY]));
}

/* Scales of a decimetre and a decimetre per second. */
static void scales(const double *p, double *scale) {
  for (int j = 0; j < SNAKE_Y_COUNT; j++) scale[j] = 0.1;
  scale[SNAKE_Y_MOMENTUM] = 0.1 * sqrt(p[SNAKE_P_MASS]);
  scale[SNAKE_Y_WORK] = 0.01 * p[SNAKE_P_MASS];
  scale[SNAKE_Y_TRAVEL] = 0.01;
  scale[SNAKE_Y_FRONT_RATE] = scale[SNAKE_Y_REAR_RATE] = 1;
}

OMR_SMALL_MODEL(SNAKEBOARD, snakeboard);
