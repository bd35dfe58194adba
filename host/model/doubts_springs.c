/* Doubts about compliant contact: springs too soft or damped too much for what they stand for. */
#include "compliant.h"
#include "doubts.h"

#include <math.h>

#define SOFT 0.1 /* sag over the thickness of a roller */

/* Folded parameter of a wheel. */
static double of_wheel(const omr_scene *s, int i, int column) {
  return s->params[OMR_PARAM_COLUMN(i, column)];
}

/* Sag of a wheel under its share of the weight, on one roller. */
static double sag_of(const omr_scene *s, int i) {
  const double share = s->params[P_WEIGHT] / s->wheels, k = of_wheel(s, i, W_CONTACT_STIFFNESS);
  return s->study->hertz ? pow(share / k, 2.0 / 3) : share / k;
}

static void doubt_sag(const omr_scene *s, omr_doubts *doubts) {
  char sag[OMR_LENGTH_TEXT], thick[OMR_LENGTH_TEXT];
  int worst = 0;
  double most = 0;
  for (int i = 0; i < s->wheels; i++) {
    const double part = sag_of(s, i) / (of_wheel(s, i, W_RADIUS) - of_wheel(s, i, W_CENTER));
    if (part > most) {
      most = part;
      worst = i;
    }
  }
  if (!(most > SOFT)) return;
  const double thickness = of_wheel(s, worst, W_RADIUS) - of_wheel(s, worst, W_CENTER);
  omr_doubt_add(
      doubts, OMR_DOUBT_SAG, worst, -1,
      "the springs below wheel %d give way by %s under its share of the weight, and its "
      "rollers are %s thick from their axes on: contacts that flat are no points any more; "
      "raise contact.%s",
      worst, omr_length_text(most * thickness, sag), omr_length_text(thickness, thick),
      s->study->hertz ? "hertz_stiffness" : "stiffness");
}

static void doubt_damping(const omr_scene *s, omr_doubts *doubts) {
  const double share = s->params[P_WEIGHT] / s->wheels,
               mass = share / s->values.vehicle[OMR_VP_GRAVITY];
  for (int i = 0; i < s->wheels; i++) {
    const double sag = sag_of(s, i), slope = (s->study->hertz ? 1.5 : 1) * share / sag;
    const double damping = s->study->kelvin_voigt ? of_wheel(s, i, W_CONTACT_DAMPING)
                                                  : of_wheel(s, i, W_CROSSLEY) * share;
    const double ratio = damping / (2 * sqrt(slope * mass));
    if (!(ratio > 1)) continue;
    omr_doubt_add(
        doubts, OMR_DOUBT_DAMPING, i, -1,
        "the damping ratio below wheel %d is %.3g, above 1: a wheel that is pressed in does "
        "not swing back but creeps; lower contact.%s",
        i, ratio,
        s->study->kelvin_voigt && !isnan(s->values.wheel[i][OMR_WP_DAMPING]) ? "damping"
        : !isnan(s->values.wheel[i][OMR_WP_DISSIPATION])                     ? "dissipation"
                                                                             : "damping_ratio");
    return;
  }
}

void omr_doubt_springs(const omr_scene *s, omr_doubts *doubts) {
  doubt_sag(s, doubts);
  doubt_damping(s, doubts);
}
