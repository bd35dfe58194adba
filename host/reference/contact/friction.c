#include "friction.h"

#include <math.h>
#include <string.h>

/* The functions of each law of friction, by the law's number; none if the law is a constraint. */
#define OF_FRICTION(id, name) [OMR_LAW_##id] = {omr_##name##_force, omr_##name##_coefficient},
#define OF_ROLLING(id, name)
#define OF_RELAXED(id, name)
#define OF_MASSLESS(id, name)
#define OF_BRISTLE(id, name)
static const struct {
  omr_vec (*force)(const omr_friction *f, double coefficient, const omr_slipping *slip);
  double (*coefficient)(const double *values);
} laws[OMR_LAW_KINDS] = {
#define X(id, name, word, class, exchanges, uses, meaning) OF_##class(id, name)
#include "lists/laws.def"
#undef X
};

/* A disc with a painted roller: no friction across its axis unless the study gives one, and
 * directions relative to the roller's. */
static void paint(double *values) {
  if (isnan(values[OMR_WP_LATERAL_FRICTION])) values[OMR_WP_LATERAL_FRICTION] = 0;
  values[OMR_WP_FRICTION_ANGLE] -= values[OMR_WP_INCLINATION];
}

omr_friction omr_friction_of(const omr_study *study, omr_law law, const double *values) {
  omr_friction f = {
      .law = law, .coefficient = values[OMR_WP_FRICTION], .slip_speed = values[OMR_WP_SLIP_SPEED]};
  memcpy(f.values, values, sizeof f.values);
  if (!omr_law_is_friction(law)) return f;
  if (study->model == OMR_MODEL_DISC_VEHICLE) paint(f.values);
  if (omr_law_is_bristle(law)) return f; /* with functions of its own (bristle.h) */
  f.coefficient = laws[law].coefficient(f.values);
  f.linear = study->contact.linear_zone;
  if (omr_kind_uses(&omr_law_kinds[law], OMR_WP_ROLLING_FRICTION))
    f.rolling = values[OMR_WP_ROLLING_FRICTION];
  if (omr_kind_uses(&omr_law_kinds[law], OMR_WP_CONTOUR_RADIUS))
    f.contour = values[OMR_WP_CONTOUR_RADIUS];
  return f;
}

double omr_friction_coefficient(const omr_friction *f, double t, omr_vec place) {
  return f->ground ? f->ground(f->ground_self, f->coefficient, t, place) : f->coefficient;
}

/* Force by the law (appendix/reference.md#bodies). */
omr_vec omr_friction_force(const omr_friction *f, double coefficient, const omr_slipping *slip) {
  return laws[f->law].force(f, coefficient, slip);
}

bool omr_friction_has_zone(omr_law law) {
  return omr_law_is_friction(law) && !omr_law_is_tyre(law);
}

double omr_friction_margin(const omr_friction *f, double slip_square) {
  double most = f->slip_speed * f->slip_speed;
  return (f->slides ? slip_square - most : most - slip_square) + 1e-12 * most;
}
