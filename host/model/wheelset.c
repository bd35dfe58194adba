/* wheelset: the ideal wheelset of source 3, section 3.2 (kernels/small/wheelset.h). */
#include "small.h"

#include "../../kernels/layout.h"
#include "../../kernels/scalar_math.h"
#include "../../kernels/small/small_layout.h"
#include "../lists/observables.h"
#include <math.h>
#include <stdio.h>

/* A body of revolution: mass, inertia about its axis and about a diameter. */
typedef struct turned_body {
  double mass, axial, diametral;
} turned_body;

static double given(double value, double otherwise) {
  return isnan(value) ? otherwise : value;
}

/* Reads left wheel, right wheel and rod. */
static void read_bodies(const double *v, turned_body body[3]) {
  turned_body *left = &body[0], *right = &body[1], *rod = &body[2];
  double square = v[OMR_VP_UK_RADIUS] * v[OMR_VP_UK_RADIUS], b = v[OMR_VP_WSET_HALF_TRACK];
  left->mass = v[OMR_VP_WSET_LEFT_MASS];
  left->axial = given(v[OMR_VP_WSET_LEFT_AXIAL], 0.5 * left->mass * square);
  left->diametral = given(v[OMR_VP_WSET_LEFT_DIAMETRAL], 0.5 * left->axial);
  right->mass = given(v[OMR_VP_WSET_RIGHT_MASS], left->mass);
  right->axial = given(v[OMR_VP_WSET_RIGHT_AXIAL],
                       right->mass == left->mass ? left->axial : 0.5 * right->mass * square);
  right->diametral = given(v[OMR_VP_WSET_RIGHT_DIAMETRAL],
                           right->axial == left->axial ? left->diametral : 0.5 * right->axial);
  rod->mass = v[OMR_VP_WSET_ROD_MASS];
  rod->axial = v[OMR_VP_WSET_ROD_AXIAL];
  rod->diametral = given(v[OMR_VP_WSET_ROD_DIAMETRAL], rod->mass * b * b / 3 + 0.5 * rod->axial);
}

static bool check_bodies(const turned_body body[3], char *reason, size_t size) {
  static const char *const names[] = {"left_wheel", "right_wheel", "rod"};
  for (int i = 0; i < 3; i++) {
    if (body[i].diametral >= 0.5 * body[i].axial) continue;
    const int digits = omr_digits_apart(body[i].diametral, 0.5 * body[i].axial, 6);
    return omr_deny(reason, size,
                    "%s.diametral_inertia = %.*g kg m2 is below half of its axial_inertia = %.*g "
                    "kg m2: no body has that",
                    names[i], digits, body[i].diametral, digits, body[i].axial);
  }
  return true;
}

static void fold_bodies(const double *v, const turned_body body[3], double *p) {
  /* Mass, its moment about the middle, and the wheels' inertia along the ground. */
  double b = v[OMR_VP_WSET_HALF_TRACK], radius = v[OMR_VP_UK_RADIUS],
         rolling = 1 / (radius * radius);
  double mass = body[0].mass + body[1].mass + body[2].mass,
         moment = b * (body[1].mass - body[0].mass);
  double spins = rolling * (body[0].axial + body[1].axial),
         uneven = b * rolling * (body[1].axial - body[0].axial);

  /* Geometry and bodies. */
  p[WSET_P_RADIUS] = radius;
  p[WSET_P_INV_RADIUS] = 1 / radius;
  p[WSET_P_HALF_TRACK] = b;
  p[WSET_P_INV_HALF_TRACK] = 1 / b;
  p[WSET_P_MASS] = mass;
  p[WSET_P_OFFSET] = moment / mass;

  /* Inertias about the axle. */
  p[WSET_P_LEFT_AXIAL] = body[0].axial;
  p[WSET_P_RIGHT_AXIAL] = body[1].axial;
  p[WSET_P_ROD_AXIAL] = body[2].axial;

  /* The inertia of forward motion and yaw, which unequal wheels couple. */
  p[WSET_P_INERTIA_UU] = mass + spins;
  p[WSET_P_INERTIA_UW] = moment + uneven;
  p[WSET_P_INERTIA_WW] = b * b * (body[0].mass + body[1].mass + spins) + body[0].diametral +
                         body[1].diametral + body[2].diametral;
}

static void fold_ground(const double *v, double *p) {
  double sine, cosine, weight = p[WSET_P_MASS] * v[OMR_VP_GRAVITY];
  omr_math_sincos(v[OMR_VP_PLANE_SLOPE], &sine, &cosine);
  omr_math_sincos(v[OMR_VP_PLANE_DIRECTION], &p[WSET_P_DOWN_SIN], &p[WSET_P_DOWN_COS]);
  p[WSET_P_WEIGHT] = weight * cosine;
  p[WSET_P_SLOPE] = weight * sine;
}

/* The accelerations: [u' yaw''] = [A B; B C]^-1 ([sum T/R, b (T_r - T_l)/R + T_y] + m g sin s
 * (down.e1) [1, d]). */
static void fold_drive(const omr_study *study, const double *v, double *p) {
  double left = v[OMR_VP_WSET_LEFT_TORQUE], right = v[OMR_VP_WSET_RIGHT_TORQUE],
         inv = p[WSET_P_INV_RADIUS];
  double forward = (left + right) * inv,
         yaw = p[WSET_P_HALF_TRACK] * (right - left) * inv + v[OMR_VP_WSET_YAW_TORQUE];
  double a = p[WSET_P_INERTIA_UU], b = p[WSET_P_INERTIA_UW], c = p[WSET_P_INERTIA_WW],
         share = 1 / (a * c - b * b);
  p[WSET_P_LEFT_TORQUE] = left;
  p[WSET_P_RIGHT_TORQUE] = right;
  p[WSET_P_YAW_TORQUE] = v[OMR_VP_WSET_YAW_TORQUE];
  p[WSET_P_ROD_TORQUE] = study->options[1] == WSET_REACTION_ROD ? -(left + right) : 0;
  p[WSET_P_ACCELERATION] = share * (c * forward - b * yaw);
  p[WSET_P_YAW_ACCELERATION] = share * (a * yaw - b * forward);
  p[WSET_P_SLOPE_ACCELERATION] = share * (c - b * p[WSET_P_OFFSET]) * p[WSET_P_SLOPE];
  p[WSET_P_SLOPE_YAW_ACCELERATION] = share * (a * p[WSET_P_OFFSET] - b) * p[WSET_P_SLOPE];
  p[WSET_P_ROD_ACCELERATION] = p[WSET_P_ROD_TORQUE] / p[WSET_P_ROD_AXIAL];
}

static void place(const double *v, double *p, double *y) {
  p[WSET_P_START_X] = y[WSET_Y_X] = v[OMR_VP_INITIAL_X];
  p[WSET_P_START_Z] = y[WSET_Y_Z] = v[OMR_VP_INITIAL_Z];
  y[WSET_Y_YAW] = v[OMR_VP_INITIAL_YAW];
  y[WSET_Y_LEFT_ANGLE] = v[OMR_VP_WSET_LEFT_ANGLE];
  y[WSET_Y_RIGHT_ANGLE] = v[OMR_VP_WSET_RIGHT_ANGLE];
  y[WSET_Y_ROD_ANGLE] = v[OMR_VP_WSET_ROD_ANGLE];
  y[WSET_Y_SPEED] = v[OMR_VP_INITIAL_VX];
  y[WSET_Y_YAW_RATE] = v[OMR_VP_INITIAL_YAW_RATE];
  y[WSET_Y_ROD_RATE] = v[OMR_VP_WSET_ROD_RATE];
}

static bool prepare(const omr_study *study, const double *v, double *p, double *y, double *e,
                    char *reason, size_t size) {
  turned_body body[3];
  read_bodies(v, body);
  if (!check_bodies(body, reason, size)) return false;
  fold_bodies(v, body, p);
  fold_ground(v, p);
  fold_drive(study, v, p);
  place(v, p, y);
  e[WSET_E_MIN_LOAD] = HUGE_VAL;
  e[WSET_E_MAX_LOAD] = -HUGE_VAL;
  return true;
}

static double kinetic(const double *p, const double *y) {
  double u = y[WSET_Y_SPEED], w = y[WSET_Y_YAW_RATE], spin = y[WSET_Y_ROD_RATE];
  return 0.5 * (p[WSET_P_INERTIA_UU] * u * u + p[WSET_P_INERTIA_WW] * w * w +
                p[WSET_P_ROD_AXIAL] * spin * spin) +
         p[WSET_P_INERTIA_UW] * u * w;
}

static double energy(const double *p, const double *y) {
  double sine, cosine;
  omr_math_sincos(y[WSET_Y_YAW], &sine, &cosine);
  double x = y[WSET_Y_X] + p[WSET_P_OFFSET] * sine, z = y[WSET_Y_Z] + p[WSET_P_OFFSET] * cosine;
  return kinetic(p, y) - p[WSET_P_SLOPE] * (p[WSET_P_DOWN_COS] * x - p[WSET_P_DOWN_SIN] * z);
}

/* The error relates to the largest of kinetic energy, work and exchanged energy, so the zero of
 * gravity does not matter. */
static double energy_error(const double *p, const double *y, double initial, double speed) {
  double final = energy(p, y), work = y[WSET_Y_WORK];
  double scale = fmax(fmax(kinetic(p, y), fabs(work)), fabs(final - initial));
  return omr_energy_error(final - initial - work, scale, p[WSET_P_MASS], speed);
}

static void reduce(const omr_study *study, const double *p, const double *y, const double *e,
                   double time, double initial, double *o) {
  (void)study;
  (void)time;
  /* The way from the start. */
  double x = y[WSET_Y_X] - p[WSET_P_START_X], z = y[WSET_Y_Z] - p[WSET_P_START_Z];

  /* Pose, velocity and energy at the end. */
  o[OMR_OBS_FINAL_X] = y[WSET_Y_X];
  o[OMR_OBS_FINAL_Z] = y[WSET_Y_Z];
  o[OMR_OBS_FINAL_YAW] = y[WSET_Y_TURNS] * (2 * PI) + y[WSET_Y_YAW];
  o[OMR_OBS_FINAL_VX] = y[WSET_Y_SPEED];
  o[OMR_OBS_FINAL_YAW_RATE] = y[WSET_Y_YAW_RATE];
  o[OMR_OBS_PATH_LENGTH] = y[WSET_Y_PATH];
  o[OMR_OBS_DRIVE_WORK] = y[WSET_Y_WORK];
  o[OMR_OBS_ENERGY_ERROR] = energy_error(p, y, initial, e[WSET_E_SPEED]);

  /* The way downhill and across. */
  o[OMR_OBS_DOWNHILL] = p[WSET_P_DOWN_COS] * x - p[WSET_P_DOWN_SIN] * z;
  o[OMR_OBS_DRIFT] = -p[WSET_P_DOWN_SIN] * x - p[WSET_P_DOWN_COS] * z;

  /* Extremes exist once a step was made. */
  if (e[WSET_E_MIN_LOAD] > e[WSET_E_MAX_LOAD]) return;
  o[OMR_OBS_MAX_SPEED] = e[WSET_E_SPEED];
  o[OMR_OBS_MIN_LOAD] = e[WSET_E_MIN_LOAD];
  o[OMR_OBS_MAX_LOAD] = e[WSET_E_MAX_LOAD];
  o[OMR_OBS_MAX_LATERAL_FORCE] = e[WSET_E_LATERAL];
}

/* A wheelset with unequal wheels swings about the heading with the heavier one below: yaw'' = k
 * cos(yaw - d). */
static double fastest_rate(const double *p) {
  return sqrt(fabs(p[WSET_P_SLOPE_YAW_ACCELERATION]));
}

/* Scales of a decimetre and a decimetre per second. */
static void scales(const double *p, double *scale) {
  for (int j = 0; j < WSET_Y_COUNT; j++) scale[j] = 0.1;
  scale[WSET_Y_LEFT_ANGLE] = scale[WSET_Y_RIGHT_ANGLE] = scale[WSET_Y_ROD_ANGLE] = 1;
  scale[WSET_Y_YAW_RATE] = 0.1 * p[WSET_P_INV_HALF_TRACK];
  scale[WSET_Y_ROD_RATE] = 1;
  scale[WSET_Y_TURNS] = 1;
  scale[WSET_Y_WORK] = 0.01 * p[WSET_P_MASS];
}

OMR_SMALL_MODEL(WHEELSET, wheelset);
