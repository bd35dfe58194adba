/* Wheels of a disc_vehicle: discs that keep only the direction of their rollers' axes
 * (kernels/disc.h). */
#include "fold.h"

#include "../../kernels/scalar_math.h"
#include <math.h>

bool omr_bare_disc(const double *v, int wheel, omr_wheel_body *w, char *reason, size_t size) {
  w->roller = (omr_roller){.radius = v[OMR_WP_RADIUS] + v[OMR_WP_ERROR_RADIUS],
                           .inclination = v[OMR_WP_INCLINATION]};
  omr_math_sincos(w->roller.inclination, &w->roller.sin_psi, &w->roller.cos_psi);
  w->mass = (omr_roller_mass){0, 0, 0};
  if (w->roller.radius > 0) return true;
  return omr_deny(reason, size, "wheels[%d]: radius and error.radius give a radius of %.6g m",
                  wheel, w->roller.radius);
}

void omr_paint_disc(omr_wheel_body *w) {
  omr_roller *r = &w->roller;
  w->mass = (omr_roller_mass){0, 0, 0};
  r->rollers = 1;
  r->row_distance = 0;
  r->center = r->radius;
  r->alpha = PI; /* the contact angle is the wheel angle minus whole turns, which the contact index
                    counts */
  r->cos_alpha = -1;
  r->sin_alpha = 0;
}

/* The painted roller: no friction across its axis d = cos psi i + sin psi k unless the study gives
 * one. In source 4's axes (lateral, longitudinal) = (k, -i) the direction (cos psi, sin psi), in
 * which it rolls, is the direction of mu_x at the angle -psi. */
static void paint_friction(const double *v, double place[W_COUNT]) {
  double lateral = isnan(v[OMR_WP_LATERAL_FRICTION]) ? 0 : v[OMR_WP_LATERAL_FRICTION], s, c;
  place[W_LATERAL] = lateral;
  place[W_FRICTION] = fmax(lateral, place[W_LONGITUDINAL]);
  place[W_INV_FRICTION] = place[W_FRICTION] > 0 ? 1 / place[W_FRICTION] : 0;
  omr_math_sincos(v[OMR_WP_FRICTION_ANGLE] - v[OMR_WP_INCLINATION], &s, &c);
  place[W_FRICTION_COS] = c;
  place[W_FRICTION_SIN] = s;
}

/* The laws of tyres use the columns of the regularised law (kernels/layout.h). */
void omr_fold_tyre(const double *v, double place[W_COUNT]) {
  place[W_TYRE_LATERAL] = v[OMR_WP_TYRE_LATERAL];
  place[W_TYRE_LONGITUDINAL] = v[OMR_WP_TYRE_LONGITUDINAL];
  place[W_TYRE_SHAPE] = v[OMR_WP_TYRE_SHAPE];
  place[W_TYRE_CURVATURE] = v[OMR_WP_TYRE_CURVATURE];
  place[W_TYRE_LOW_SPEED] = v[OMR_WP_TYRE_LOW_SPEED];
}

void omr_fold_disc(const omr_study *study, const double *v, double place[W_COUNT]) {
  if (study->contact.law == OMR_LAW_REGULARIZED) paint_friction(v, place);
  if (omr_law_is_tyre(study->contact.law)) omr_fold_tyre(v, place);
  place[W_SHIFT] = 0;
  place[W_COS_PITCH] = 1;
  place[W_SIN_PITCH] = 0;
  place[W_INV_ROLLER_INERTIA] = 0;
  place[W_DECAY] = 0;
}

/* In touch_of (kernels/compliant/compliant_contact.h) a disc is a body about the wheel's own axle
 * that ends at its edge; it cannot sink by more than its radius (appendix/springs.md#springs).
 */
void omr_fold_compliant_disc(double place[W_COUNT]) {
  place[W_CENTER] = place[W_COS_PSI] = place[W_INV_COS_PSI] = place[W_SIN_END] = 0;
  place[W_FILLET] = place[W_UNDERSIZE] = 0;
  place[W_SIN_PSI] = 1;
  place[W_SAG_LIMIT] = place[W_RADIUS];
}

static double read_param(const omr_batch *batch, size_t slot, int column) {
  return batch->params[(size_t)column * batch->stride + slot];
}

void omr_set_heave(const omr_study *study, const omr_values *values, omr_batch *batch,
                   size_t slot) {
  if (study->contact.compliant) return; /* heave is a state of the platform */
  double spin[OMR_MAX_WHEELS] = {0}, stiffness = 0;
  for (int i = 0; i < study->wheels; i++) stiffness += values->wheel[i][OMR_WP_STIFFNESS];
  if (study->contact.penalty) {
    double height = values->vehicle[OMR_VP_INITIAL_HEIGHT];
    spin[0] = isnan(height) ? -read_param(batch, slot, P_WEIGHT) / stiffness : height;
    spin[1] = values->vehicle[OMR_VP_INITIAL_HEAVE_RATE];
  }
  for (int i = 0; i < study->wheels; i++) {
    *omr_at(batch->state, batch, slot, OMR_STATE_COLUMN(i, T_SPIN)) = spin[i];
  }
}

double omr_heave_energy(const omr_run_settings *settings, const omr_batch *batch, size_t slot) {
  const double heave = batch->state[(size_t)OMR_STATE_COLUMN(0, T_SPIN) * batch->stride + slot];
  const double rate = batch->state[(size_t)OMR_STATE_COLUMN(1, T_SPIN) * batch->stride + slot];
  double energy = 0.5 * read_param(batch, slot, P_MASS) * rate * rate +
                  read_param(batch, slot, P_WEIGHT) * heave;
  for (int i = 0; heave < 0 && i < settings->integers[K_WHEELS]; i++) {
    energy += 0.5 * read_param(batch, slot, OMR_PARAM_COLUMN(i, W_STIFFNESS)) * heave * heave;
  }
  return energy;
}
