/* Initial state: which roller stands on the floor, how all of them spin. */
#include "fold.h"

#include "../../kernels/scalar_math.h"
#include <math.h>

#define PI 3.14159265358979323846
#define FIRST_PASS 1e-3 /* s: longest first pass of controlled steps */

/* Contact index J and contact angle q of wheel angle chi
 * (PHYSICS.md#2-rollers-and-the-contact-point); on an edge the rate decides. */
static void find_contact(double chi, double rate, double alpha, double *index, double *q) {
  *index = __builtin_rint(chi / (2 * alpha));
  *q = chi - 2 * alpha * *index;
  double tolerance = 1e-12 * alpha;
  if (rate > 0 && *q >= alpha - tolerance) {
    *index += 1;
    *q -= 2 * alpha;
  } else if (rate < 0 && *q <= -alpha + tolerance) {
    *index -= 1;
    *q += 2 * alpha;
  }
}

/* Spin of the contact roller that leaves the least slip: exact along the direction that the roller
 * can roll in. */
static bool rolling_spin(const omr_wheel_body *w, const double *p, double q, double row,
                         double rate, double locked, double *spin) {
  double s, c, vx = p[OMR_VP_INITIAL_VX], vz = p[OMR_VP_INITIAL_VZ],
               omega = p[OMR_VP_INITIAL_YAW_RATE];
  const omr_roller *r = &w->roller;
  omr_math_sincos(q, &s, &c);
  double h = r->radius - r->center / c, offset = r->center * s / c * r->sin_psi / r->cos_psi - row;
  double across = w->a * w->sin_delta + w->b * w->cos_delta,
         along = w->a * w->cos_delta - w->b * w->sin_delta;
  double vi = w->cos_delta * vx - w->sin_delta * vz + omega * (across - offset) + r->radius * rate;
  double vk = w->sin_delta * vx + w->cos_delta * vz - omega * along;
  double di = h * r->sin_psi, dk = -h * r->cos_psi * c,
         length2 = di * di + dk * dk; /* slip per phi' */
  if (!(h > 1e-6 * r->radius)) return false;
  *spin = locked - (vi * di + vk * dk) / length2;
  return true;
}

/* Sines and cosines of q + 2 alpha (j - active) over the rollers j of a wheel. A thread keeps those
 * worked out last: most wheels have the same rollers and start alike. */
typedef struct turned {
  double q, alpha, sine[OMR_MAX_ROLLERS], cosine[OMR_MAX_ROLLERS];
  int active, rollers;
} turned;

static _Thread_local turned last_turned, last_idle;

static const turned *turn_rollers(turned *t, const omr_roller *r, double q, int active) {
  if (t->q == q && t->alpha == r->alpha && t->active == active && t->rollers == r->rollers)
    return t;
  for (int j = 0; j < r->rollers; j++)
    omr_math_sincos(q + 2 * r->alpha * (j - active), &t->sine[j], &t->cosine[j]);
  t->q = q;
  t->alpha = r->alpha;
  t->active = active;
  t->rollers = r->rollers;
  return t;
}

/* Spins of the rollers of wheel i into spin[]; active: the one in contact. False where that one
 * cannot roll, on its pointed tip. */
static bool set_spins(const omr_study *study, const omr_values *values, const omr_wheel_body *w,
                      int i, double q, int active, double row, double *spin) {
  const double *p = values->vehicle;
  double rate = values->wheel[i][OMR_WP_RATE], omega = p[OMR_VP_INITIAL_YAW_RATE];
  const omr_roller *r = &w->roller;
  const turned *t =
      study->spins == OMR_SPINS_VALUES ? NULL : turn_rollers(&last_turned, r, q, active);
  for (int j = 0; j < r->rollers; j++) {
    if (t)
      spin[j] = omega * r->cos_psi * t->sine[j] + rate * r->sin_psi; /* phi' = 0 */
    else
      spin[j] = study->spin_values[i * OMR_MAX_ROLLERS + j];
  }
  return study->spins != OMR_SPINS_ROLLING ||
         rolling_spin(w, p, q, row, rate, spin[active], &spin[active]);
}

/* False as set_spins. */
static bool set_wheel(const omr_study *study, const omr_run_settings *settings,
                      const omr_values *values, const omr_wheel_body *w, int i, omr_batch *batch,
                      size_t slot) {
  const omr_roller *r = &w->roller;
  double index, q, spin[OMR_MAX_ROLLERS];
  find_contact(values->wheel[i][OMR_WP_ANGLE], values->wheel[i][OMR_WP_RATE], r->alpha, &index, &q);
  int active = (int)(-index - r->rollers * floor(-index / r->rollers));
  double row = active % 2 == 0 ? 0.5 * r->row_distance : -0.5 * r->row_distance;
  if (!set_spins(study, values, w, i, q, active, row, spin)) return false;

  double t[T_COUNT] = {0};
  t[T_Q] = q;
  t[T_RATE] = values->wheel[i][OMR_WP_RATE];
  t[T_SPIN] = spin[active];
  t[T_ACTIVE] = active;
  t[T_INDEX] = index;
  t[T_ROW] = row;
  const turned *idle = turn_rollers(&last_idle, r, 0, active);
  for (int j = 0; j < r->rollers; j++) {
    *omr_spin_at(settings, batch, slot, i * settings->integers[K_MAX_ROLLERS] + j) = spin[j];
    if (j == active) continue;
    t[T_IDLE_COS] += spin[j] * idle->cosine[j];
    t[T_IDLE_SIN] += spin[j] * idle->sine[j];
    t[T_IDLE_SUM] += spin[j];
    t[T_IDLE_SQUARE] += spin[j] * spin[j];
  }
  for (int j = 0; j < T_COUNT; j++)
    *omr_at(batch->state, batch, slot, OMR_STATE_COLUMN(i, j)) = t[j];
  return true;
}

bool omr_set_initial(const omr_study *study, const omr_run_settings *settings,
                     const omr_values *values, const omr_vehicle_body *body, omr_batch *batch,
                     size_t slot, char *reason, size_t size) {
  const double *p = values->vehicle;
  double v[S_COUNT] = {0};
  v[S_X] = v[S_COMMAND_X] = v[S_ODO_X] = p[OMR_VP_INITIAL_X];
  v[S_Z] = v[S_COMMAND_Z] = v[S_ODO_Z] = p[OMR_VP_INITIAL_Z];
  v[S_COMMAND_YAW] = v[S_ODO_YAW] = p[OMR_VP_INITIAL_YAW];
  v[S_TURNS] = __builtin_rint(p[OMR_VP_INITIAL_YAW] / (2 * PI));
  v[S_YAW] = p[OMR_VP_INITIAL_YAW] - 2 * PI * v[S_TURNS];
  v[S_VX] = p[OMR_VP_INITIAL_VX];
  v[S_VZ] = p[OMR_VP_INITIAL_VZ];
  v[S_YAW_RATE] = p[OMR_VP_INITIAL_YAW_RATE];
  v[S_MIN_WEIGHT] = 1;
  v[S_SUBSTEPS] = 1;
  v[S_MIN_LOAD] = HUGE_VAL;
  v[S_MAX_LOAD] = v[S_PEAK_POWER] = -HUGE_VAL;
  v[S_SUPPLY_LEAST] = HUGE_VAL;
  for (int j = S_OBSERVED_0; j < S_COUNT; j++) v[j] = -HUGE_VAL;
  v[S_LAST_LEAST] = v[S_LEFT_LEAST] = 1e30; /* there was no step yet (kernels/looks.h) */
  v[S_LAST_MOST] = v[S_LEFT_MOST] = v[S_LEFT_SERVO2] = v[S_LEFT_SQUARE] = -1e30;
  v[S_GROWTH_LEAST] = v[S_GROWTH_MOST] = 1e35;
  v[S_TOLERANCE] = study->tolerance;
  v[S_NEXT] = -fmin(FIRST_PASS, study->duration); /* as after a jump of the motion */
  v[S_EVENT] = -1;                                /* not begun (kernels/controlled.h) */
  for (int j = 0; j < S_COUNT; j++) *omr_at(batch->state, batch, slot, j) = v[j];
  for (int i = 0; i < body->wheels; i++) {
    if (set_wheel(study, settings, values, &body->wheel[i], i, batch, slot)) continue;
    snprintf(reason, size,
             "wheels[%d]: the wheel starts on the pointed tip of a roller, which cannot roll; "
             "change initial.angle",
             i);
    return false;
  }
  if (study->model == OMR_MODEL_DISC_VEHICLE) omr_set_heave(study, values, batch, slot);
  return true;
}
