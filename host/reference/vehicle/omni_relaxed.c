/* Rolling constraints relaxed by weights (source 5, section 2;
 * appendix/laws.md#relaxed), with the constraint's rows A of all wheels, W = diag(w)
 * or of blocks of two (`contact.weight_coupling`), f the friction and a the accelerations
 * without contact force:
 *
 *   F = G^-1 W (b - A a) + (I - G^-1 W G) f,  G = A M^-1 A^T.
 *
 * Since G F is the change of the slip acceleration A a by F, this means A a_F = (I - W) A a_f +
 * W b with a_f the accelerations under f only: each relaxed row goes the part w of the way from
 * its frictional to its rolling slip acceleration. So no inverse is formed; the multibody system
 * is solved with other contacts in the same state. f is proportional to the final loads, and
 * these depend on it linearly. */
#include "omni.h"

#include <lapacke.h>
#include <string.h>

/* Pairs of all wheels along (i, k). */
typedef struct pairs {
  double value[OMR_MAX_WHEELS][2];
} pairs;

static omr_status solve(omr_omni *omni, omr_mb *mb, omr_rolling kind, omr_error *error) {
  for (int i = 0; i < omni->wheels; i++) omr_omni_active(&omni->wheel[i])->rolling = kind;
  return omr_mb_evaluate(mb, NULL, error);
}

static void get_loads(const omr_omni *omni, const omr_mb *mb, double *load) {
  for (int i = 0; i < omni->wheels; i++)
    load[i] = omr_mb_multiplier(mb, &omr_omni_active(&omni->wheel[i])->base, 0);
}

/* Demand rho, weight w and friction per unit of load of a wheel, from the forces and loads of full
 * rolling. */
static void relax_wheel(const omr_omni *omni, omr_omni_wheel *w, const omr_mb *mb, double unit[2]) {
  const double *v = omni->values.wheel[w->number];
  omr_omni_contact c = omr_omni_contact_of(w, mb);
  double mu = omr_friction_coefficient(
      &w->friction, mb->time, omr_add(mb->frame[w->first_roller + w->active].r, c.point.d));
  double demand = hypot(c.force_i, c.force_k) / fmax(mu * fmax(c.load, 1e-9), 1e-200);
  double stiction = 1 - pow(tanh(v[OMR_WP_STICTION_GAIN] * demand / 3), 2),
         speed = hypot(c.slip_i, c.slip_k);
  omr_weights kind = omni->study->contact.weights;
  w->demand = demand;
  w->weight = stiction * stiction;
  if (kind == OMR_WEIGHTS_TANH) w->weight = demand > 1e-6 ? tanh(demand) / demand : 1;
  if (kind == OMR_WEIGHTS_FIXED) w->weight = v[OMR_WP_WEIGHT];
  double friction = kind == OMR_WEIGHTS_TANH ? 0 : mu * tanh(v[OMR_WP_FRICTION_GAIN] * demand / 3);
  double along = speed > 1e-15 ? -friction * tanh(speed / v[OMR_WP_REFERENCE_SPEED]) / speed : 0;
  unit[0] = along * c.slip_i;
  unit[1] = along * c.slip_k;
}

/* W u for a pair of the wheel. Both weights are w; coupled ones have kappa w (1 - w) off the
 * diagonal. */
static void weigh(const omr_omni *omni, const omr_omni_wheel *w, const double u[2], double to[2]) {
  const double off =
      omni->values.wheel[w->number][OMR_WP_WEIGHT_COUPLING] * w->weight * (1 - w->weight);
  const double matrix[2][2] = {{w->weight, off}, {off, w->weight}};
  for (int n = 0; n < 2; n++) to[n] = matrix[n][0] * u[0] + matrix[n][1] * u[1];
}

/* Contact by contact: F = W lambda + (I - W) f, with f per unit of load. */
static void set_contact_wise(omr_omni *omni, const omr_mb *mb, const pairs *unit) {
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    omr_roller_contact *c = omr_omni_active(w);
    const double lambda[2] = {omr_mb_multiplier(mb, &c->base, 1),
                              omr_mb_multiplier(mb, &c->base, 2)};
    double kept[2];
    weigh(omni, w, lambda, c->given);
    weigh(omni, w, unit->value[i], kept);
    for (int n = 0; n < 2; n++) c->per_load[n] = unit->value[i][n] - kept[n];
  }
}

/* Solves with the friction f = load unit, then with the relaxed rows; leaves these rows and their
 * loads. */
static omr_status solve_relaxed(omr_omni *omni, omr_mb *mb, const pairs *unit, const double *load,
                                double *result, omr_error *error) {
  /* accelerations under friction only */
  for (int i = 0; i < omni->wheels; i++) {
    omr_roller_contact *c = omr_omni_active(&omni->wheel[i]);
    for (int n = 0; n < 2; n++) {
      c->given[n] = load[i] * unit->value[i][n];
      c->per_load[n] = 0;
    }
  }

  omr_status status = solve(omni, mb, OMR_CONTACT_GIVEN, error);
  if (status != OMR_OK) return status;

  /* each row goes its part of the way to rolling */
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    omr_roller_contact *c = omr_omni_active(w);
    double rate[2], slip[2], asked[2];

    omr_roller_contact_slip(mb, c, slip, rate);
    for (int n = 0; n < 2; n++) slip[n] = rate[n] + c->baumgarte * slip[n]; /* A a_f - b */
    weigh(omni, w, slip, asked);
    for (int n = 0; n < 2; n++) c->slip_rate[n] = rate[n] - asked[n];
  }

  status = solve(omni, mb, OMR_CONTACT_RELAXED, error);
  get_loads(omni, mb, result);
  return status;
}

/* N = n0 + K N for the loads that f is proportional to. */
static omr_status solve_coupled(omr_omni *omni, omr_mb *mb, const pairs *unit, omr_error *error) {
  const int n = omni->wheels;
  double load[OMR_MAX_WHEELS] = {0}, free[OMR_MAX_WHEELS], matrix[OMR_MAX_WHEELS * OMR_MAX_WHEELS],
         scale = 0;
  int pivot[OMR_MAX_WHEELS];

  /* the loads without friction, and a scale of loads */
  get_loads(omni, mb, free);
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(free[i]));
  omr_status status = solve_relaxed(omni, mb, unit, load, free, error);

  /* columns of K: loads by the friction of one load at a time */
  for (int j = 0; j < n && status == OMR_OK && omni->study->contact.weights != OMR_WEIGHTS_TANH;
       j++) {
    double result[OMR_MAX_WHEELS];
    load[j] = scale;
    status = solve_relaxed(omni, mb, unit, load, result, error);
    load[j] = 0;

    for (int i = 0; i < n; i++)
      matrix[i * n + j] = (i == j ? 1 : 0) - (result[i] - free[i]) / scale;
  }
  if (status != OMR_OK || omni->study->contact.weights == OMR_WEIGHTS_TANH) return status;

  /* solve for the loads, and leave the rows that belong to them */
  if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, matrix, n, pivot, free, 1) != 0)
    return omr_fail(error, OMR_ERR_INTERNAL,
                    "the loads under relaxed constraints have no solution");

  memcpy(load, free, sizeof load);
  return solve_relaxed(omni, mb, unit, load, free, error);
}

/* Beyond the paper: a force that would do work on the slip loses its part along it. */
static void set_passive(omr_omni *omni, const omr_mb *mb) {
  for (int i = 0; i < omni->wheels; i++) {
    omr_roller_contact *c = omr_omni_active(&omni->wheel[i]);
    omr_omni_contact s = omr_omni_contact_of(&omni->wheel[i], mb);
    double power = s.force_i * s.slip_i + s.force_k * s.slip_k;
    double excess = power > 0 ? power / (s.slip_i * s.slip_i + s.slip_k * s.slip_k) : 0;
    c->given[0] = s.force_i - excess * s.slip_i;
    c->given[1] = s.force_k - excess * s.slip_k;
    c->per_load[0] = c->per_load[1] = 0;
  }
}

/* Leaves the contacts in the state of the last solution. */
static omr_status relax(void *self, omr_mb *mb, omr_error *error) {
  omr_omni *omni = self;
  pairs unit;
  omr_rolling last = omni->study->contact.contact_wise ? OMR_CONTACT_GIVEN : OMR_CONTACT_RELAXED;
  omr_status status = solve(omni, mb, OMR_CONTACT_ROLLS, error);
  if (status != OMR_OK) return status;
  for (int i = 0; i < omni->wheels; i++) relax_wheel(omni, &omni->wheel[i], mb, unit.value[i]);
  if (omni->study->contact.contact_wise)
    set_contact_wise(omni, mb, &unit);
  else
    status = solve_coupled(omni, mb, &unit, error);
  if (status == OMR_OK && omni->study->contact.passive) {
    status = solve(omni, mb, last, error);
    set_passive(omni, mb);
    last = OMR_CONTACT_GIVEN;
  }
  for (int i = 0; i < omni->wheels; i++) omr_omni_active(&omni->wheel[i])->rolling = last;
  return status;
}

void omr_omni_relax(omr_omni *omni, omr_mb *mb) {
  if (omni->study->contact.law == OMR_LAW_RELAXED) omr_mb_set_prepare(mb, relax, omni);
}
