/* Intervals of differences between two results; the report has the same
 * (analysis/omniroll/comparing/paired_differences.py). */
#include "../../study/designs/special_functions.h"
#include "side_by_side.h"

#include <math.h>

enum { HALVINGS = 60 }; /* of an interval of length 2: what is left is below rounding */

omr_bounds omr_welch_bounds(const omr_moments *one, const omr_moments *other, double confidence) {
  const double middle = one->mean - other->mean;
  if (one->used < 2 || other->used < 2) return (omr_bounds){(double)NAN, (double)NAN};
  const double a = omr_variance_of(one) / (double)one->used,
               b = omr_variance_of(other) / (double)other->used;
  if (!(a + b > 0)) return (omr_bounds){middle, middle};

  /* Degrees of freedom are rounded down, which makes the interval longer. */
  const double freedom = (a + b) * (a + b) /
                         (a * a / (double)(one->used - 1) + b * b / (double)(other->used - 1)),
               half = omr_student_quantile(floor(freedom), confidence) * sqrt(a + b);
  return (omr_bounds){middle - half, middle + half};
}

/* Tango's score (1998): standard normal where the shares differ by d; it falls with d. */
static double tango(double d, double gained, double lost, double pairs) {
  const double away = gained - lost - pairs * d,
               b = -gained - lost + (2 * pairs - gained + lost) * d, c = -lost * d * (1 - d),
               part = (sqrt(fmax(0, b * b - 8 * pairs * c)) - b) / (4 * pairs),
               variance = pairs * (2 * part + d * (1 - d));
  if (variance <= 1e-300) return away == 0 ? 0 : copysign(HUGE_VAL, away);
  return away / sqrt(variance);
}

omr_bounds omr_tango_bounds(uint64_t gained, uint64_t lost, uint64_t pairs, double confidence) {
  if (pairs == 0) return (omr_bounds){(double)NAN, (double)NAN};
  const double g = (double)gained, l = (double)lost, n = (double)pairs, middle = (g - l) / n,
               z = omr_normal_quantile((1 + confidence) / 2);
  double ends[2];

  /* The score is z at the lower end and -z at the upper one. */
  for (int end = 0; end < 2; end++) {
    double from = end ? middle : -1, to = end ? 1 : middle;
    for (int i = 0; i < HALVINGS; i++) {
      const double at = (from + to) / 2;
      const bool below = tango(at, g, l, n) >= (end ? -z : z);
      *(below ? &from : &to) = at;
    }
    ends[end] = (from + to) / 2;
  }
  return (omr_bounds){ends[0], ends[1]};
}

omr_bounds omr_newcombe_bounds(const omr_criterion_counts *one, const omr_criterion_counts *other,
                               double confidence) {
  const double p = omr_probability_of(one), q = omr_probability_of(other);
  const omr_bounds a = omr_probability_bounds(OMR_INTERVAL_WILSON, one->met,
                                              one->met + one->not_met, confidence),
                   b = omr_probability_bounds(OMR_INTERVAL_WILSON, other->met,
                                              other->met + other->not_met, confidence);
  return (omr_bounds){p - q - hypot(p - a.low, b.high - q), p - q + hypot(a.high - p, q - b.low)};
}
