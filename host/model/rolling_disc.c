/* rolling_disc: a free disc on the penalty contact of source 4 (kernels/small/rolling_disc.h), or
 * one that rolls without slip (source 3, section 3.1; kernels/small/rolling_disc_ideal.h). */
#include "disc_ground.h"
#include "small.h"
#include "tyre_slope.h"

#include "../../kernels/layout.h"
#include "../../kernels/scalar_math.h"
#include "../../kernels/small/small_layout.h"
#include "../lists/observables.h"
#include <math.h>
#include <stdio.h>

#define FLAT 0.01 /* DISC_FLAT of the kernel */

static double given(double value, double otherwise) {
  return isnan(value) ? otherwise : value;
}

/* Inertias; false with a reason where no body has them. */
static bool fold_body(const double *v, double *p, double inertia[2], char *reason, size_t size) {
  double m = v[OMR_VP_UK_MASS], radius = v[OMR_VP_UK_RADIUS];
  inertia[0] = given(v[OMR_VP_DISC_AXIAL_INERTIA], 0.5 * m * radius * radius);
  inertia[1] = given(v[OMR_VP_DISC_DIAMETRAL_INERTIA], 0.5 * inertia[0]);
  if (inertia[1] < 0.5 * inertia[0]) {
    const int digits = omr_digits_apart(inertia[1], 0.5 * inertia[0], 6);
    return omr_deny(reason, size,
                    "diametral_inertia = %.*g kg m2 is below half of axial_inertia = %.*g kg m2: "
                    "no body has that",
                    digits, inertia[1], digits, inertia[0]);
  }

  /* Folded inertias. */
  p[DISC_P_MASS] = m;
  p[DISC_P_INV_MASS] = 1 / m;
  p[DISC_P_RADIUS] = radius;
  p[DISC_P_INV_AXIAL] = 1 / inertia[0];
  p[DISC_P_INV_DIAMETRAL] = 1 / inertia[1];
  p[DISC_P_INV_EXCESS] = 1 / inertia[0] - 1 / inertia[1];
  return true;
}

/* Gravity has a component along the ground, since the axes lie in the plane of the slope. */
static void fold_ground(const omr_study *study, const double *v, double *p) {
  double s, c, ds, dc, weight = v[OMR_VP_UK_MASS] * v[OMR_VP_GRAVITY];
  omr_math_sincos(v[OMR_VP_PLANE_SLOPE], &s, &c);
  omr_math_sincos(v[OMR_VP_PLANE_DIRECTION], &ds, &dc);
  p[DISC_P_WEIGHT_X] = weight * s * dc;
  p[DISC_P_WEIGHT_Y] = -weight * c;
  p[DISC_P_WEIGHT_Z] = -weight * s * ds;

  /* Springs and friction of the contact. */
  p[DISC_P_STIFFNESS] = v[OMR_VP_DISC_STIFFNESS];
  p[DISC_P_DAMPING] = v[OMR_VP_DISC_DAMPING];
  p[DISC_P_LATERAL] = v[OMR_VP_DISC_LATERAL];
  p[DISC_P_LONGITUDINAL] = v[OMR_VP_DISC_LONGITUDINAL];
  p[DISC_P_LATERAL_VISCOUS] = v[OMR_VP_DISC_LATERAL_VISCOUS];
  p[DISC_P_LONGITUDINAL_VISCOUS] = v[OMR_VP_DISC_LONGITUDINAL_VISCOUS];
  omr_math_sincos(v[OMR_VP_DISC_FRICTION_ANGLE], &p[DISC_P_FRICTION_SIN], &p[DISC_P_FRICTION_COS]);

  /* Zone of the law, rolling friction, and the tilt that counts as a fall. */
  p[DISC_P_SLIP_SPEED] = v[OMR_VP_DISC_SLIP_SPEED];
  p[DISC_P_INV_SLIP_SPEED] = 1 / v[OMR_VP_DISC_SLIP_SPEED];
  p[DISC_P_ZONE] = study->options[0] == DISC_ZONE_LINEAR ? 1 : 2;
  p[DISC_P_ROLLING] = v[OMR_VP_DISC_ROLLING];
  omr_math_sincos(v[OMR_VP_DISC_FALL_TILT], &p[DISC_P_FALL], &c);
}

/* Tyre laws; SHARE turns the stiff slip k into the variable of the law: k/(3 mu) or k/(C mu). */
static void fold_tyre(const omr_study *study, const double *v, double *p) {
  const double shape = study->options[4] == DISC_LAW_MAGIC ? v[OMR_VP_TYRE_SHAPE] : 3;
  if (study->options[4] == DISC_LAW_COULOMB) return;
  p[DISC_P_TYRE_LATERAL] = v[OMR_VP_TYRE_LATERAL];
  p[DISC_P_TYRE_LONGITUDINAL] = v[OMR_VP_TYRE_LONGITUDINAL];
  p[DISC_P_TYRE_FRICTION] = v[OMR_VP_TYRE_FRICTION];
  p[DISC_P_TYRE_SHARE] = 1 / (shape * v[OMR_VP_TYRE_FRICTION]);
  p[DISC_P_TYRE_SHAPE] = v[OMR_VP_TYRE_SHAPE];
  p[DISC_P_TYRE_CURVATURE] = v[OMR_VP_TYRE_CURVATURE];
  p[DISC_P_TYRE_LOW_SPEED] = v[OMR_VP_TYRE_LOW_SPEED];
}

/* A disc that rolls has no columns of a contact. */
static void fold_rolling(const double *v, const double *inertia, double *p) {
  double radius = v[OMR_VP_UK_RADIUS], m_r2 = v[OMR_VP_UK_MASS] * radius * radius;
  p[DISC_P_MASS_R2] = m_r2;
  p[DISC_P_INV_SPINNING] = 1 / (inertia[0] + m_r2);
  p[DISC_P_INV_TIPPING] = 1 / (inertia[1] + m_r2);
}

static bool rolls(const double *p) {
  return p[DISC_P_INV_TIPPING] > 0;
}

/* Places the disc in its own axes, turned by heading about y after pi/2 - tilt about x. */
static void place(const double *v, double *y) {
  double hs, hc, ts, tc;
  omr_math_sincos(0.5 * v[OMR_VP_DISC_HEADING], &hs, &hc);
  omr_math_sincos(0.5 * (1.5707963267948966 - v[OMR_VP_DISC_TILT]), &ts, &tc);
  y[DISC_Y_QW] = hc * tc;
  y[DISC_Y_QX] = hc * ts;
  y[DISC_Y_QY] = hs * tc;
  y[DISC_Y_QZ] = -hs * ts;
}

static void cross(const double *a, const double *b, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Sets the motion: omega = spin w1 - tilt' w2 - precession sin(tilt) w3 and L from it, and the
 * velocity of rolling, -omega x R w3, unless one is given. A disc that rolls has L + m R^2 (omega -
 * (omega.w3) w3) and no other velocity. */
static void set_off(const double *v, const double *p, const double *inertia, double *y) {
  double hs, hc, s, c, omega[3], rolling[3];
  /* The disc's axes. */
  omr_math_sincos(v[OMR_VP_DISC_HEADING], &hs, &hc);
  omr_math_sincos(v[OMR_VP_DISC_TILT], &s, &c);
  const double w1[3] = {-s * hs, c, -s * hc}, w2[3] = {hc, 0, -hs}, w3[3] = {-c * hs, -s, -c * hc};

  /* Angular momentum; about the contact point where the disc rolls. */
  for (int i = 0; i < 3; i++) {
    double across = -v[OMR_VP_DISC_TILT_RATE] * w2[i] - v[OMR_VP_DISC_PRECESSION] * s * w3[i];
    omega[i] = v[OMR_VP_DISC_SPIN] * w1[i] + across;
    y[DISC_Y_LX + i] = inertia[0] * v[OMR_VP_DISC_SPIN] * w1[i] + inertia[1] * across;
    if (rolls(p))
      y[DISC_Y_LX + i] +=
          p[DISC_P_MASS_R2] * (v[OMR_VP_DISC_SPIN] * w1[i] - v[OMR_VP_DISC_TILT_RATE] * w2[i]);
  }

  /* Position, velocity and height. */
  y[DISC_Y_X] = v[OMR_VP_INITIAL_X];
  y[DISC_Y_Z] = v[OMR_VP_INITIAL_Z];
  if (rolls(p)) return;
  cross(w3, omega, rolling);
  for (int i = 0; i < 3; i++)
    y[DISC_Y_VX + i] = given(v[OMR_VP_DISC_VX + i], p[DISC_P_RADIUS] * rolling[i]);

  /* At rest the contact spring carries the weight. */
  y[DISC_Y_Y] =
      given(v[OMR_VP_DISC_HEIGHT], p[DISC_P_RADIUS] * s + p[DISC_P_WEIGHT_Y] / p[DISC_P_STIFFNESS]);
}

/* Axis of the disc, and height of its lowest point over the plane, as in the kernel. */
static double look(const double *p, const double *y, double w1[3]) {
  double w = y[DISC_Y_QW], x = y[DISC_Y_QX], q = y[DISC_Y_QY], z = y[DISC_Y_QZ],
         norm = w * w + x * x + q * q + z * z;
  w1[0] = -2 * (x * z + w * q) / norm;
  w1[1] = -2 * (q * z - w * x) / norm;
  w1[2] = -(w * w - x * x - q * q + z * z) / norm;
  return y[DISC_Y_Y] - p[DISC_P_RADIUS] * sqrt(w1[0] * w1[0] + w1[2] * w1[2]);
}

static bool prepare(const omr_study *study, const double *v, double *p, double *y, double *e,
                    char *reason, size_t size) {
  double inertia[2], w1[3];
  /* Body, ground and law. */
  if (!fold_body(v, p, inertia, reason, size)) return false;
  fold_ground(study, v, p);
  fold_tyre(study, v, p);
  p[DISC_P_AXIAL] = inertia[0];
  p[DISC_P_DIAMETRAL] = inertia[1];

  /* Contact and ground as the study chooses. */
  if (study->options[2] == DISC_CONTACT_ROLLING) fold_rolling(v, inertia, p);
  if (study->options[3] == DISC_MOTION_GIVEN) omr_disc_fold_ground(v, p);

  /* Pose and motion; a disc that lies flat has no tilt. */
  place(v, y);
  set_off(v, p, inertia, y);
  bool touches = look(p, y, w1) < 0;
  if (touches && w1[0] * w1[0] + w1[2] * w1[2] < FLAT * FLAT)
    return omr_deny(reason, size,
                    "initial.tilt = %.6g rad lays the disc flat: it must differ from 0 and pi by "
                    "0.01 rad or more",
                    v[OMR_VP_DISC_TILT]);

  /* Extremes start beyond any value. */
  e[DISC_E_MIN_LOAD] = HUGE_VAL;
  e[DISC_E_MAX_LOAD] = -HUGE_VAL;
  e[DISC_E_MAX_HEIGHT] = -HUGE_VAL;
  e[DISC_E_FALL_TIME] = -1;
  e[DISC_E_TOUCHED] = touches && !rolls(p); /* the next loss of contact counts */
  return true;
}

/* Velocity of the centre, height, and twice the kinetic energy of a disc that rolls, from M along
 * w1, w2 and w3 = w1 x w2. */
typedef struct rolling_state {
  double v[3], height, moving2, spin;
} rolling_state;

static rolling_state look_rolling(const double *p, const double *y) {
  rolling_state s;
  double w1[3], w3[3], m[3] = {0};
  look(p, y, w1);
  double sine = sqrt(w1[0] * w1[0] + w1[2] * w1[2]);
  const double w2[3] = {-w1[2] / sine, 0, w1[0] / sine};
  cross(w1, w2, w3);
  for (int i = 0; i < 3; i++) {
    m[0] += y[DISC_Y_LX + i] * w1[i];
    m[1] += y[DISC_Y_LX + i] * w2[i];
    m[2] += y[DISC_Y_LX + i] * w3[i];
  }
  double w = p[DISC_P_INV_SPINNING] * m[0], b = p[DISC_P_INV_TIPPING] * m[1];
  for (int i = 0; i < 3; i++) s.v[i] = p[DISC_P_RADIUS] * (w * w2[i] - b * w1[i]);
  s.height = p[DISC_P_RADIUS] * sine;
  s.moving2 = w * m[0] + b * m[1] + p[DISC_P_INV_DIAMETRAL] * m[2] * m[2];
  s.spin = w;
  return s;
}

static double rolling_energy(const double *p, const double *y) {
  rolling_state s = look_rolling(p, y);
  double high = p[DISC_P_WEIGHT_X] * y[DISC_Y_X] + p[DISC_P_WEIGHT_Y] * s.height +
                p[DISC_P_WEIGHT_Z] * y[DISC_Y_Z];
  return 0.5 * s.moving2 - high;
}

/* Energy relative to the ground. */
static double relative_energy(const double *p, const double *y) {
  if (rolls(p)) return rolling_energy(p, y);
  double w1[3], gap = look(p, y, w1), deep = gap < 0 ? gap : 0, about = 0,
                sum = p[DISC_P_STIFFNESS] * deep * deep;
  for (int i = 0; i < 3; i++) {
    double v = y[DISC_Y_VX + i], l = y[DISC_Y_LX + i];
    about += l * w1[i];
    sum += p[DISC_P_MASS] * v * v + p[DISC_P_INV_DIAMETRAL] * l * l -
           2 * p[DISC_P_WEIGHT_X + i] * y[DISC_Y_X + i];
  }
  return 0.5 * (sum + p[DISC_P_INV_EXCESS] * about * about);
}

/* Energy in the frame at rest, even where the ground moves. */
static double energy_at(const double *p, const double *y, double time) {
  return p[DISC_P_MOVING] > 0 ? omr_disc_ground_energy(rolls(p), p, y, time)
                              : relative_energy(p, y);
}

static double energy(const double *p, const double *y) {
  return energy_at(p, y, 0);
}

static double kinetic(const double *p, const double *y) {
  if (rolls(p)) return 0.5 * look_rolling(p, y).moving2;
  double w1[3], gap = look(p, y, w1), deep = gap < 0 ? gap : 0, high = 0;
  for (int i = 0; i < 3; i++) high += p[DISC_P_WEIGHT_X + i] * y[DISC_Y_X + i];
  return relative_energy(p, y) + high - 0.5 * p[DISC_P_STIFFNESS] * deep * deep;
}

/* The error relates to the largest of kinetic energy, exchanged energy, losses and the ground's
 * work, so the zero of gravity does not matter. */
static double energy_error(const double *p, const double *y, double final, double initial,
                           double speed) {
  double moving = kinetic(p, y), lost = y[DISC_Y_LOST], work = y[DISC_Y_WORK];
  double scale = fmax(fmax(moving, fabs(lost)), fmax(fabs(final - initial), fabs(work)));
  return omr_energy_error(final - initial + lost - work, scale, p[DISC_P_MASS], speed);
}

static void reduce_rolling(const double *p, const double *y, double *o) {
  rolling_state s = look_rolling(p, y);
  o[OMR_OBS_FINAL_HEIGHT] = s.height;
  o[OMR_OBS_FINAL_SPIN] = s.spin;
  o[OMR_OBS_FINAL_SPEED] = sqrt(s.v[0] * s.v[0] + s.v[1] * s.v[1] + s.v[2] * s.v[2]);
}

static void reduce(const omr_study *study, const double *p, const double *y, const double *e,
                   double time, double initial, double *o) {
  (void)study;
  /* Spin about the axis, and speed. */
  double w1[3], about = 0, speed2 = 0, final = energy_at(p, y, time);
  look(p, y, w1);
  for (int i = 0; i < 3; i++) {
    about += y[DISC_Y_LX + i] * w1[i];
    speed2 += y[DISC_Y_VX + i] * y[DISC_Y_VX + i];
  }

  /* The final state. */
  o[OMR_OBS_FINAL_X] = y[DISC_Y_X];
  o[OMR_OBS_FINAL_HEIGHT] = y[DISC_Y_Y];
  o[OMR_OBS_FINAL_Z] = y[DISC_Y_Z];
  o[OMR_OBS_FINAL_TILT] = omr_math_atan2(sqrt(w1[0] * w1[0] + w1[2] * w1[2]), w1[1]);
  o[OMR_OBS_FINAL_SPIN] = p[DISC_P_INV_AXIAL] * about;
  o[OMR_OBS_FINAL_SPEED] = sqrt(speed2);
  if (rolls(p)) reduce_rolling(p, y, o);

  /* Slip, energy and time in the air. */
  o[OMR_OBS_MAX_SLIP] = e[DISC_E_SLIP];
  o[OMR_OBS_MAX_SPEED] = e[DISC_E_SPEED];
  o[OMR_OBS_DISSIPATED_ENERGY] = y[DISC_Y_LOST];
  o[OMR_OBS_ENERGY_ERROR] =
      energy_error(p, y, final, initial, e[DISC_E_SPEED] + omr_disc_ground_speed(p));
  o[OMR_OBS_ENERGY_LOST] = initial - final + y[DISC_Y_WORK];
  o[OMR_OBS_GROUND_WORK] = y[DISC_Y_WORK];
  o[OMR_OBS_AIR_TIME] = y[DISC_Y_AIR];
  o[OMR_OBS_LIFT_OFFS] = e[DISC_E_LIFT_OFFS];

  /* Extremes exist once a step was made. */
  if (e[DISC_E_MIN_LOAD] <= e[DISC_E_MAX_LOAD]) {
    o[OMR_OBS_MIN_LOAD] = e[DISC_E_MIN_LOAD];
    o[OMR_OBS_MAX_LOAD] = e[DISC_E_MAX_LOAD];
    o[OMR_OBS_MAX_GAP] = e[DISC_E_MAX_HEIGHT];
  }

  if (e[DISC_E_FALL_TIME] >= 0) o[OMR_OBS_FALL_TIME] = e[DISC_E_FALL_TIME];
}

/* Steepest slope of friction under the weight, by the slip velocity. A tyre has it at rest, where
 * slip is the slip velocity over v_0. E is 0 for laws other than the magic formula. */
static double steepest(const double *p) {
  const double load = -p[DISC_P_WEIGHT_Y];
  if (p[DISC_P_TYRE_LOW_SPEED] > 0)
    return load * fmax(p[DISC_P_TYRE_LATERAL], p[DISC_P_TYRE_LONGITUDINAL]) *
           omr_magic_steepness(p[DISC_P_TYRE_CURVATURE]) / p[DISC_P_TYRE_LOW_SPEED];
  double slope = p[DISC_P_ZONE] * p[DISC_P_INV_SLIP_SPEED] * load;
  return slope * fmax(p[DISC_P_LATERAL], p[DISC_P_LONGITUDINAL]);
}

/* Fastest rate: the contact as an oscillator at the tilt that moves it most easily, or the steepest
 * slope of friction under the weight. A disc that rolls has no contact and falls over at the rate
 * of a pendulum; the user must resolve its turning. */
static double fastest_rate(const double *p) {
  if (rolls(p)) return sqrt(-p[DISC_P_WEIGHT_Y] * p[DISC_P_RADIUS] * p[DISC_P_INV_TIPPING]);
  double r2 = p[DISC_P_RADIUS] * p[DISC_P_RADIUS];
  double normal = p[DISC_P_INV_MASS] + r2 * p[DISC_P_INV_DIAMETRAL];
  double damping = p[DISC_P_DAMPING] * normal, frequency2 = p[DISC_P_STIFFNESS] * normal;
  double over = damping * damping - 4 * frequency2;
  double contact = over > 0 ? 0.5 * (damping + sqrt(over)) : sqrt(frequency2);
  double along = p[DISC_P_INV_MASS] + r2 * fmax(p[DISC_P_INV_AXIAL], p[DISC_P_INV_DIAMETRAL]);
  double friction =
      steepest(p) * along + -p[DISC_P_WEIGHT_Y] * p[DISC_P_ROLLING] * p[DISC_P_INV_MASS];
  return fmax(contact, friction);
}

/* Scales: a hundredth of the radius, and of the speed of a fall from it. Under penalty contact they
 * are at most a tenth of the sag under the weight and of the speed of a swing by it, and at most
 * the slip speed. */
static void scales(const double *p, double *scale) {
  const double gravity = -p[DISC_P_WEIGHT_Y] * p[DISC_P_INV_MASS], radius = p[DISC_P_RADIUS],
               fall = sqrt(gravity * radius);
  const double sag = -p[DISC_P_WEIGHT_Y] / p[DISC_P_STIFFNESS],
               swing = sag * sqrt(p[DISC_P_STIFFNESS] * p[DISC_P_INV_MASS]);
  const double zone =
      p[DISC_P_TYRE_LOW_SPEED] > 0 ? p[DISC_P_TYRE_LOW_SPEED] : p[DISC_P_SLIP_SPEED];
  const double speed = rolls(p) ? 0.01 * fall : fmin(zone, 0.1 * fall);
  for (int j = DISC_Y_X; j <= DISC_Y_Z; j++) scale[j] = 0.01 * radius;
  for (int j = DISC_Y_QW; j <= DISC_Y_QZ; j++) scale[j] = 0.01;
  for (int j = DISC_Y_VX; j <= DISC_Y_VZ; j++) scale[j] = speed;
  for (int j = DISC_Y_LX; j <= DISC_Y_LZ; j++) scale[j] = p[DISC_P_MASS] * radius * speed;
  if (!rolls(p)) scale[DISC_Y_Y] = fmin(0.1 * sag, 0.01 * radius);
  if (!rolls(p)) scale[DISC_Y_VY] = 0.1 * fmin(swing, fall);
  scale[DISC_Y_LOST] = 0.1 * p[DISC_P_MASS] * fall * fall;
  scale[DISC_Y_AIR] = sqrt(radius / gravity);
  scale[DISC_Y_WORK] = scale[DISC_Y_LOST];
}

OMR_SMALL_MODEL(ROLLING_DISC, rolling_disc);
