/* Is the step short enough for explicit Runge-Kutta? A small model names its fastest rate. For the omni models: saturated Coulomb
 * friction decays slip at a rate of at most lambda_max(D J_t M^-1 J_t^T), D = mu N/v_s, and RK4 is stable below 2.78/rate
 * (physics.md section 7). */
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

/* out = D^1/2 J M^-1 J^T D^1/2 in, for slips (i, k) of every wheel. */
static void apply(const double *params, int wheels, const double *in, double *out) {
  double fx = 0, fz = 0, torque = 0, row[2][3], weight[OMR_MAX_WHEELS];
  for (int i = 0; i < wheels; i++) {
    slip_rows(params, i, row);
    weight[i] = sqrt(WHEEL(i, W_FRICTION) * PARAM(P_WEIGHT) / wheels / WHEEL(i, W_SLIP_SPEED));
    double a = weight[i] * in[2 * i], b = weight[i] * in[2 * i + 1];
    fx += a * WHEEL(i, W_COS) + b * WHEEL(i, W_SIN);
    fz += b * WHEEL(i, W_COS) - a * WHEEL(i, W_SIN);
    torque += a * row[0][0] + b * row[1][0];
  }
  double yaw = PARAM(P_INV_YAW) * (torque - PARAM(P_COM_Z) * fx + PARAM(P_COM_X) * fz);
  double ax = fx * PARAM(P_INV_MASS) - yaw * PARAM(P_COM_Z), az = fz * PARAM(P_INV_MASS) + yaw * PARAM(P_COM_X);
  for (int i = 0; i < wheels; i++) {
    slip_rows(params, i, row);
    double a = weight[i] * in[2 * i], b = weight[i] * in[2 * i + 1];
    double rate = WHEEL(i, W_INV_INERTIA) * (a * row[0][1] + b * row[1][1]);
    double spin = WHEEL(i, W_INV_ROLLER_INERTIA) * (a * row[0][2] + b * row[1][2]);
    double along = ax * WHEEL(i, W_COS) - az * WHEEL(i, W_SIN), across = ax * WHEEL(i, W_SIN) + az * WHEEL(i, W_COS);
    out[2 * i] = weight[i] * (along + yaw * row[0][0] + rate * row[0][1] + spin * row[0][2]);
    out[2 * i + 1] = weight[i] * (across + yaw * row[1][0] + rate * row[1][1] + spin * row[1][2]);
  }
}

/* Largest eigenvalue by power iteration, 1/s. */
static double fastest_rate(const double *params, int wheels) {
  double x[2 * OMR_MAX_WHEELS], y[2 * OMR_MAX_WHEELS], rate = 0;
  for (int j = 0; j < 2 * wheels; j++) x[j] = 1 + 0.1 * j;
  for (int step = 0; step < POWER_STEPS; step++) {
    double norm2 = 0;
    apply(params, wheels, x, y);
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
    double rate = small ? small_rate(small, batch.params) : fastest_rate(batch.params, study->wheels);
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
          "warning: a step of %.3g ms is too long for the friction law of instance %zu, where RK4 is stable up to about %.3g ms: "
          "shorten "
          "integrator.step, or raise slip_speed or the rollers' inertia\n",
          1e3 * study->step, instance, 1e3 * largest);
}
