#include "friction.h"

#include <string.h>

/* The functions of each law of friction, by the law's number; none where it is a constraint. */
#define OF_FRICTION(id, name) [OMR_LAW_##id] = {omr_##name##_force, omr_##name##_coefficient},
#define OF_ROLLING(id, name)
#define OF_RELAXED(id, name)
#define OF_MASSLESS(id, name)
static const struct {
  omr_vec (*force)(const omr_friction *f, double coefficient, omr_vec v, omr_vec i, omr_vec k);
  double (*coefficient)(const double *values);
} laws[OMR_LAW_KINDS] = {
#define X(id, name, word, class, exchanges, uses, meaning) OF_##class(id, name)
#include "lists/laws.def"
#undef X
};

omr_friction omr_friction_of(const omr_study *study, const double *values) {
  omr_friction f = {.law = study->law,
                    .coefficient = values[OMR_WP_FRICTION],
                    .slip_speed = values[OMR_WP_SLIP_SPEED]};
  memcpy(f.values, values, sizeof f.values);
  if (!omr_law_is_friction(study->law)) return f;
  f.coefficient = laws[study->law].coefficient(values);
  f.linear = study->linear_zone;
  if (omr_kind_uses(&omr_law_kinds[study->law], OMR_WP_ROLLING_FRICTION))
    f.rolling = values[OMR_WP_ROLLING_FRICTION];
  return f;
}

double omr_friction_coefficient(const omr_friction *f, double t, omr_vec place) {
  return f->ground ? f->ground(f->ground_self, f->coefficient, t, place) : f->coefficient;
}

/* By the law (PHYSICS.md#13-the-reference-in-maximal-coordinates). */
omr_vec omr_friction_force(const omr_friction *f, double coefficient, omr_vec v, omr_vec i,
                           omr_vec k) {
  return laws[f->law].force(f, coefficient, v, i, k);
}
