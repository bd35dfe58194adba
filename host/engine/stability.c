/* Is the step short enough for explicit Runge-Kutta? A small model names its fastest rate. Friction decays slip at a rate of at
 * most lambda_max(D J_t M^-1 J_t^T), D the largest slope of the force over the slip, mu N/v_s for saturated Coulomb friction; RK4
 * is stable below 2.78/rate (physics.md section 7). */
#include "../../kernels/layout.h"
#include "../../kernels/small_layout.h"
#include "../model/prepare.h"
#include "../model/small.h"
#include "run.h"
#include <math.h>

#define RK4_LIMIT 2.78
enum { LOOKED_AT = 64, POWER_STEPS = 60 };

#define PARAM(id) params[(size_t)(id)*OMR_PAD]
#define WHEEL(i, id) PARAM(OMR_PARAM_COLUMN(i, id))

/* Rows (i, k) of the slip Jacobian of wheel i at q = 0 with respect to (yaw rate, wheel rate, spin). */
static void slip_rows(const double *params, int i, double row[2][3]) {
  double h = WHEEL(i, W_RADIUS) - WHEEL(i, W_CENTER), s = WHEEL(i, W_SIN_PSI), c = WHEEL(i, W_COS_PSI);
  row[0][0] = WHEEL(i, W_ACROSS);
  row[0][1] = WHEEL(i, W_RADIUS) - h * s * s;
  row[0][2] = h * s;
  row[1][0] = -WHEEL(i, W_ALONG);
  row[1][1] = h * c * s;
  row[1][2] = -h * c;
}

/* Largest friction coefficient that wheel i meets on the ground of this instance. */
static double peak_friction(const int *settings, const double *params, int i) {
  double own = WHEEL(i, W_FRICTION), peak = own;
  if (settings[K_GROUND] == OMR_GROUND_DIP) peak = own * fmax(1, PARAM(P_GROUND_BASE));
  if (settings[K_GROUND] == OMR_GROUND_STEP) peak = own * (PARAM(P_GROUND_BASE) + fabs(PARAM(P_GROUND_GAIN)));
  for (int patch = 0; patch < OMR_PATCHES; patch++) {
    if (settings[K_PATCH_0 + patch] == OMR_PATCH_NONE) continue;
    peak = fmax(peak, PARAM(P_PATCH0_FRICTION + patch * (P_PATCH1_X - P_PATCH0_X)));
  }
  return peak;
}

/* Largest slopes of the force per load over the slip, in two directions. Regularised law: of phi(v) (mu + d v), with phi = v/v_s
 * at most mu/v_s + 2 d (at v_s), with phi = (2 - v/v_s) v/v_s at most 2 mu/v_s + 4 d/3 (the sum of the maxima of both parts). */
static void steepest(const int *settings, const double *params, int i, double slope[2]) {
  double own = WHEEL(i, W_FRICTION), peak = peak_friction(settings, params, i), ratio = own > 0 ? peak / own : 1;
  slope[0] = slope[1] = peak / WHEEL(i, W_SLIP_SPEED);
  if (settings[K_LAW] != OMR_LAW_REGULARIZED) return;
  for (int j = 0; j < 2; j++) {
    double mu = ratio * WHEEL(i, j ? W_LONGITUDINAL : W_LATERAL) / WHEEL(i, W_SLIP_SPEED);
    double d = ratio * WHEEL(i, j ? W_LONGITUDINAL_VISCOUS : W_LATERAL_VISCOUS);
    slope[j] = settings[K_LINEAR_ZONE] ? mu + 2 * d : 2 * mu + 4 * d / 3;
  }
}

/* D^1/2 of wheel i on a slip (i, k): friction per slip in the directions that the friction angle of the regularised law gives. */
static void weigh(const int *settings, const double *params, const double *slope, int i, const double in[2], double out[2]) {
  const bool turned = settings[K_LAW] == OMR_LAW_REGULARIZED;
  const double s = turned ? WHEEL(i, W_FRICTION_SIN) : 0, c = turned ? WHEEL(i, W_FRICTION_COS) : 1;
  const double load = PARAM(P_WEIGHT) / settings[K_WHEELS];
  const double x = sqrt(slope[2 * i] * load) * (s * in[0] + c * in[1]);
  const double y = sqrt(slope[2 * i + 1] * load) * (s * in[1] - c * in[0]);
  out[0] = s * x - c * y;
  out[1] = c * x + s * y;
}

/* Fastest rate of heave on the springs and dampers of penalty contact: M y'' + d y' + k y = 0. */
static double heave_rate(const int *settings, const double *params) {
  double stiffness = 0, damping = 0;
  for (int i = 0; settings[K_PENALTY] && i < settings[K_WHEELS]; i++) {
    stiffness += WHEEL(i, W_STIFFNESS) * PARAM(P_INV_MASS);
    damping += WHEEL(i, W_DAMPING) * PARAM(P_INV_MASS);
  }
  const double half = 0.5 * damping, radicand = half * half - stiffness;
  return radicand > 0 ? half + sqrt(radicand) : sqrt(stiffness);
}

/* out = D^1/2 J M^-1 J^T D^1/2 in, for slips (i, k) of every wheel. */
static void apply(const int *settings, const double *params, const double *slope, const double *in, double *out) {
  const int wheels = settings[K_WHEELS];
  double fx = 0, fz = 0, torque = 0, row[2][3], force[2 * OMR_MAX_WHEELS];
  for (int i = 0; i < wheels; i++) {
    slip_rows(params, i, row);
    weigh(settings, params, slope, i, in + 2 * i, force + 2 * i);
    double a = force[2 * i], b = force[2 * i + 1];
    fx += a * WHEEL(i, W_COS) + b * WHEEL(i, W_SIN);
    fz += b * WHEEL(i, W_COS) - a * WHEEL(i, W_SIN);
    torque += a * row[0][0] + b * row[1][0];
  }
  double yaw = PARAM(P_INV_YAW) * (torque - PARAM(P_COM_Z) * fx + PARAM(P_COM_X) * fz);
  double ax = fx * PARAM(P_INV_MASS) - yaw * PARAM(P_COM_Z), az = fz * PARAM(P_INV_MASS) + yaw * PARAM(P_COM_X);
  for (int i = 0; i < wheels; i++) {
    slip_rows(params, i, row);
    double a = force[2 * i], b = force[2 * i + 1];
    double rate = WHEEL(i, W_INV_INERTIA) * (a * row[0][1] + b * row[1][1]);
    double spin = WHEEL(i, W_INV_ROLLER_INERTIA) * (a * row[0][2] + b * row[1][2]);
    double along = ax * WHEEL(i, W_COS) - az * WHEEL(i, W_SIN), across = ax * WHEEL(i, W_SIN) + az * WHEEL(i, W_COS);
    double slip[2] = {along + yaw * row[0][0] + rate * row[0][1] + spin * row[0][2],
                      across + yaw * row[1][0] + rate * row[1][1] + spin * row[1][2]};
    weigh(settings, params, slope, i, slip, out + 2 * i);
  }
}

/* Largest eigenvalue by power iteration, 1/s. */
static double fastest_rate(const int *settings, const double *params, int wheels) {
  double x[2 * OMR_MAX_WHEELS], y[2 * OMR_MAX_WHEELS], rate = 0;
  double slope[2 * OMR_MAX_WHEELS];
  for (int i = 0; i < wheels; i++) steepest(settings, params, i, slope + 2 * i);
  for (int j = 0; j < 2 * wheels; j++) x[j] = 1 + 0.1 * j;
  for (int step = 0; step < POWER_STEPS; step++) {
    double norm2 = 0;
    apply(settings, params, slope, x, y);
    for (int j = 0; j < 2 * wheels; j++) norm2 += y[j] * y[j];
    rate = sqrt(norm2);
    if (!(rate > 0)) return 0;
    for (int j = 0; j < 2 * wheels; j++) x[j] = y[j] / rate;
  }
  return rate;
}

static double small_rate(const omr_small_model *model, const double *params) {
  double p[SMALL_MAX_PARAMS];
  for (int j = 0; j < model->params; j++) p[j] = PARAM(j);
  return model->fastest_rate(p);
}

double omr_largest_step(const omr_study *study, size_t *instance) {
  omr_run_settings settings;
  double largest = HUGE_VAL;
  const omr_small_model *small = omr_small_model_of(study->model);
  if (omr_settings_make(study, &settings, NULL) != OMR_OK) return largest;
  omr_batch batch;
  bool made = omr_batch_make(&settings, OMR_PAD, &batch);
  size_t looked = study->instances < LOOKED_AT ? study->instances : LOOKED_AT;
  for (size_t j = 0; made && j < looked; j++) {
    size_t k = looked > 1 ? j * (study->instances - 1) / (looked - 1) : 0;
    omr_values values;
    char reason[400];
    omr_study_values(study, k, &values, NULL);
    if (!omr_prepare_instance(study, &settings, &values, &batch, 0, reason, sizeof reason)) continue;
    double rate =
        small ? small_rate(small, batch.params)
              : fmax(fastest_rate(settings.integers, batch.params, study->wheels), heave_rate(settings.integers, batch.params));
    if (rate * largest > RK4_LIMIT) {
      largest = RK4_LIMIT / rate;
      *instance = k;
    }
  }
  omr_batch_free(&batch);
  omr_settings_free(&settings);
  return largest;
}

void omr_warn_stability(const omr_study *study, FILE *log) {
  if (!log) return;
  size_t instance = 0;
  double largest = omr_largest_step(study, &instance);
  if (study->step <= largest) return;
  if (omr_small_model_of(study->model)) {
    fprintf(log,
            "warning: a step of %.3g ms is too long for instance %zu, where RK4 is stable up to about %.3g ms: shorten "
            "integrator.step\n",
            1e3 * study->step, instance, 1e3 * largest);
    return;
  }
  fprintf(log,
          "warning: a step of %.3g ms is too long for the %s of instance %zu, where RK4 is stable up to about %.3g ms: "
          "shorten "
          "integrator.step, or %s\n",
          1e3 * study->step, study->penalty ? "contact" : "friction law", instance, 1e3 * largest,
          study->penalty                           ? "raise slip_speed, or take a softer contact"
          : study->model == OMR_MODEL_DISC_VEHICLE ? "raise slip_speed"
                                                   : "raise slip_speed or the rollers' inertia");
}
