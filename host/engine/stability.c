/* Is the step short enough for the method? Friction decays slip at a rate of at most lambda_max(D J_t M^-1 J_t^T), D = N times
 * the law's largest stiffness, and a method is stable while rate times step stays below its limit (physics.md section 7). */
#include "../../kernels/layout.h"
#include "../../kernels/scalar_math.h"
#include "../model/prepare.h"
#include "../study/parse.h"
#include "run.h"
#include <math.h>

enum { LOOKED_AT = 64, POWER_STEPS = 60 };

#define PARAM(id) params[(size_t)(id)*OMR_PAD]
#define WHEEL(i, id) PARAM(OMR_PARAM_COLUMN(i, id))

/* Where the method's region of stability leaves the negative real axis: |R(-x)| <= 1 up to here. RK4: the root of
 * x^3 - 4 x^2 + 12 x = 24; the second-order methods and Euler: 2. */
static double method_limit(omr_method method) {
  static const double limits[] = {[OMR_METHOD_RK4] = 2.785293563405282,
                                  [OMR_METHOD_MIDPOINT] = 2,
                                  [OMR_METHOD_HEUN] = 2,
                                  [OMR_METHOD_EULER] = 2,
                                  [OMR_METHOD_ROSENBROCK] = (double)INFINITY};
  return limits[method];
}

/* Largest derivative of the friction force with respect to the slip, per unit of normal load, s/m. */
typedef double stiffness_fn(const int *settings, const double *params, int wheel);

static double coulomb_stiffness(const int *settings, const double *params, int wheel) {
  (void)settings;
  return WHEEL(wheel, W_FRICTION) / WHEEL(wheel, W_SLIP_SPEED);
}

/* By law; NULL: the law has no stiff friction and no bound. */
static stiffness_fn *const law_stiffness[OMR_LAW_KINDS] = {[OMR_LAW_COULOMB] = coulomb_stiffness};

/* A contact of the vehicle at the start, its roller at some angle. */
typedef struct contact_rows {
  double row[2][3]; /* slip Jacobian, rows i and k, with respect to (yaw rate, wheel rate, spin) */
  double x, z;      /* contact point, body axes */
  double weight;    /* sqrt of load times stiffness */
} contact_rows;

/* Contact of wheel i with its roller at `side` (-1, 0, 1) times alpha (kernels/geometry.h). */
static contact_rows rows_at(const double *params, int i, int side) {
  double sine, cosine;
  omr_math_sincos(side * WHEEL(i, W_ALPHA), &sine, &cosine);
  double h = WHEEL(i, W_RADIUS) - WHEEL(i, W_CENTER) / cosine, s = WHEEL(i, W_SIN_PSI), c = WHEEL(i, W_COS_PSI);
  double offset = WHEEL(i, W_SHIFT) * sine / cosine, up = c * sine, along = c * cosine;
  contact_rows r;
  r.row[0][2] = h * s;
  r.row[1][2] = -h * along;
  r.row[0][0] = WHEEL(i, W_ACROSS) - offset - r.row[0][2] * up;
  r.row[1][0] = -WHEEL(i, W_ALONG) - r.row[1][2] * up;
  r.row[0][1] = WHEEL(i, W_RADIUS) - r.row[0][2] * s;
  r.row[1][1] = -r.row[1][2] * s;
  r.x = WHEEL(i, W_A) - offset * WHEEL(i, W_SIN);
  r.z = WHEEL(i, W_B) - offset * WHEEL(i, W_COS);
  r.weight = 0;
  return r;
}

/* Loads of a vehicle at rest: a plane over the contact points, N_i = nu_0 + nu_1 x_i + nu_2 z_i, that carries weight and centre
 * of mass (physics.md section 4 without accelerations). */
static void static_loads(const double *params, int wheels, const contact_rows *contacts, double *loads) {
  double m[3][4] = {{0}};
  for (int i = 0; i < wheels; i++) {
    const double place[3] = {1, contacts[i].x, contacts[i].z};
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) m[r][c] += place[r] * place[c];
    }
  }
  const double carried[3] = {1, PARAM(P_COM_X), PARAM(P_COM_Z)};
  for (int r = 0; r < 3; r++) m[r][3] = PARAM(P_WEIGHT) * carried[r];
  for (int p = 0; p < 3; p++) { /* positive definite: no exchange of rows is needed */
    for (int r = p + 1; r < 3; r++) {
      for (int c = 3; c >= p; c--) m[r][c] -= m[r][p] / m[p][p] * m[p][c];
    }
  }
  double nu[3];
  for (int r = 2; r >= 0; r--) {
    nu[r] = m[r][3];
    for (int c = r + 1; c < 3; c++) nu[r] -= m[r][c] * nu[c];
    nu[r] /= m[r][r];
  }
  for (int i = 0; i < wheels; i++) loads[i] = nu[0] + nu[1] * contacts[i].x + nu[2] * contacts[i].z;
}

/* The contacts of the vehicle with every roller at the same side, weighted. */
static void place_contacts(const int *settings, const double *params, int wheels, int side, stiffness_fn *stiffness,
                           contact_rows *contacts) {
  double loads[OMR_MAX_WHEELS] = {PARAM(P_WEIGHT)};
  for (int i = 0; i < wheels; i++) contacts[i] = rows_at(params, i, side);
  if (wheels > 1) static_loads(params, wheels, contacts, loads);
  for (int i = 0; i < wheels; i++) contacts[i].weight = sqrt(fmax(loads[i], 0) * stiffness(settings, params, i));
}

/* out = D^1/2 J M^-1 J^T D^1/2 in, for slips (i, k) of every wheel. */
static void apply(const double *params, int wheels, const contact_rows *contacts, const double *in, double *out) {
  double fx = 0, fz = 0, torque = 0;
  for (int i = 0; i < wheels; i++) {
    const contact_rows *k = &contacts[i];
    double a = k->weight * in[2 * i], b = k->weight * in[2 * i + 1];
    fx += a * WHEEL(i, W_COS) + b * WHEEL(i, W_SIN);
    fz += b * WHEEL(i, W_COS) - a * WHEEL(i, W_SIN);
    torque += a * k->row[0][0] + b * k->row[1][0];
  }
  double yaw = PARAM(P_INV_YAW) * (torque - PARAM(P_COM_Z) * fx + PARAM(P_COM_X) * fz);
  double ax = fx * PARAM(P_INV_MASS) - yaw * PARAM(P_COM_Z), az = fz * PARAM(P_INV_MASS) + yaw * PARAM(P_COM_X);
  for (int i = 0; i < wheels; i++) {
    const contact_rows *k = &contacts[i];
    double a = k->weight * in[2 * i], b = k->weight * in[2 * i + 1];
    double rate = WHEEL(i, W_INV_INERTIA) * (a * k->row[0][1] + b * k->row[1][1]);
    double spin = WHEEL(i, W_INV_ROLLER_INERTIA) * (a * k->row[0][2] + b * k->row[1][2]);
    double along = ax * WHEEL(i, W_COS) - az * WHEEL(i, W_SIN), across = ax * WHEEL(i, W_SIN) + az * WHEEL(i, W_COS);
    out[2 * i] = k->weight * (along + yaw * k->row[0][0] + rate * k->row[0][1] + spin * k->row[0][2]);
    out[2 * i + 1] = k->weight * (across + yaw * k->row[1][0] + rate * k->row[1][1] + spin * k->row[1][2]);
  }
}

/* Largest eigenvalue by power iteration, 1/s. */
static double largest_eigenvalue(const double *params, int wheels, const contact_rows *contacts) {
  double x[2 * OMR_MAX_WHEELS], y[2 * OMR_MAX_WHEELS], rate = 0;
  for (int j = 0; j < 2 * wheels; j++) x[j] = 1 + 0.1 * j;
  for (int step = 0; step < POWER_STEPS; step++) {
    double norm2 = 0;
    apply(params, wheels, contacts, x, y);
    for (int j = 0; j < 2 * wheels; j++) norm2 += y[j] * y[j];
    rate = sqrt(norm2);
    if (!(rate > 0)) return 0;
    for (int j = 0; j < 2 * wheels; j++) x[j] = y[j] / rate;
  }
  return rate;
}

/* Fastest decay of slip with the rollers in the middle or at either edge, 1/s. */
static double fastest_rate(const int *settings, const double *params, int wheels, stiffness_fn *stiffness) {
  double fastest = 0;
  for (int side = -1; side <= 1; side++) {
    contact_rows contacts[OMR_MAX_WHEELS];
    place_contacts(settings, params, wheels, side, stiffness, contacts);
    fastest = fmax(fastest, largest_eigenvalue(params, wheels, contacts));
  }
  return fastest;
}

double omr_largest_step(const omr_study *study, size_t *instance) {
  omr_run_settings settings;
  double largest = HUGE_VAL;
  const double limit = method_limit(study->method);
  stiffness_fn *stiffness = law_stiffness[study->law];
  if (isinf(limit) || !stiffness || omr_settings_make(study, &settings, NULL) != OMR_OK) return largest;
  omr_batch batch;
  bool made = omr_batch_make(&settings, OMR_PAD, &batch);
  size_t looked = study->instances < LOOKED_AT ? study->instances : LOOKED_AT;
  for (size_t j = 0; made && j < looked; j++) {
    size_t k = looked > 1 ? j * (study->instances - 1) / (looked - 1) : 0;
    omr_values values;
    char reason[400];
    omr_study_values(study, k, &values, NULL);
    if (!omr_prepare_instance(study, &settings, &values, &batch, 0, reason, sizeof reason)) continue;
    double rate = fastest_rate(settings.integers, batch.params, study->wheels, stiffness);
    if (rate * largest > limit) {
      largest = limit / rate;
      *instance = k;
    }
  }
  omr_batch_free(&batch);
  omr_settings_free(&settings);
  return largest;
}

omr_status omr_check_stability(const omr_study *study, FILE *log, omr_error *error) {
  static const char form[] =
      "%sa step of %.3g ms is too long for the friction law of instance %zu, where %s is stable up to about "
      "%.3g ms: shorten integrator.step, use \"method\": \"rosenbrock\", or raise slip_speed or the "
      "rollers' inertia%s";
  if (study->stability == OMR_STABILITY_IGNORE || (!log && study->stability == OMR_STABILITY_WARN)) return OMR_OK;
  size_t instance = 0;
  double largest = omr_largest_step(study, &instance);
  if (study->step <= largest) return OMR_OK;
  const char *method = omr_method_kinds[study->method].name;
  if (study->stability == OMR_STABILITY_REFUSE) {
    char place[256];
    snprintf(place, sizeof place, "%s: integrator.step: ", study->name);
    return omr_fail(error, OMR_ERR_STUDY, form, place, 1e3 * study->step, instance, method, 1e3 * largest,
                    " (integrator.stability is \"refuse\")");
  }
  fprintf(log, form, "warning: ", 1e3 * study->step, instance, method, 1e3 * largest, "\n");
  return OMR_OK;
}
