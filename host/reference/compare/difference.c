#include "difference.h"

#include <math.h>
#include <string.h>

omr_extent omr_extent_of(const double *values, size_t count) {
  omr_extent extent = {HUGE_VAL, -HUGE_VAL, 0, 0};
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(values[i])) continue;
    extent.low = fmin(extent.low, values[i]);
    extent.high = fmax(extent.high, values[i]);
    extent.size = fmax(extent.size, fabs(values[i]));
    extent.count++;
  }
  return extent;
}

omr_measure omr_measure_of(double range, double kin) {
  if (range > 0 && range >= OMR_SCALE_TINY * kin) return (omr_measure){range, OMR_SCALE_RANGE};
  if (kin > 0) return (omr_measure){kin, OMR_SCALE_KIN};
  return (omr_measure){1, OMR_SCALE_ONE};
}

omr_difference omr_difference_of(const double *a, const double *b, const double *time, size_t times,
                                 int wheels, const unsigned char *mask, double until) {
  omr_difference d = {(double)NAN, (double)NAN, 0, 0, 0, 0};
  for (size_t s = 0; s < times; s++) {
    for (int i = 0; i < wheels; i++) {
      const size_t at = s * (size_t)wheels + (size_t)i;
      const bool in_a = isfinite(a[at]), in_b = isfinite(b[at]);

      /* skip samples that neither has, or that are masked */
      if (!in_a && !in_b) continue;
      if (mask && mask[at]) {
        d.left_out++;
        continue;
      }

      /* a value on one side only counts before the end */
      if (in_a != in_b) {
        d.one_sided += time[s] <= until;
        continue;
      }

      /* keep the largest difference */
      const double difference = fabs(b[at] - a[at]);
      if (d.compared++ > 0 && !(difference > d.largest)) continue;
      d.largest = difference;
      d.time = time[s];
      d.wheel = i;
    }
  }
  return d;
}

omr_roller_mismatch omr_rollers_compare(const omr_roller_series *series, double step, double slack,
                                        unsigned char *wheel_mask, unsigned char *vehicle_mask) {
  const double *roller_a = series->roller[0], *roller_b = series->roller[1],
               *angle_a = series->angle[0], *angle_b = series->angle[1];
  const size_t times = series->times;
  const int wheels = series->wheels;
  omr_roller_mismatch m = {0, 0, 0, (double)NAN, 0};

  memset(vehicle_mask, 0, times);
  memset(wheel_mask, 0, times * (size_t)wheels);
  for (size_t s = 0; s < times; s++) {
    for (int i = 0; i < wheels; i++) {
      const size_t at = s * (size_t)wheels + (size_t)i;

      if (!isfinite(roller_a[at]) || !isfinite(roller_b[at])) continue;
      m.compared++;
      if (roller_a[at] == roller_b[at]) continue;

      /* an exchange explains other rollers if both contacts are near the same edge */
      const bool explained =
          fabs(angle_a[at] + angle_b[at]) <= 2 * fabs(series->rate[at]) * step + slack;
      wheel_mask[at] = vehicle_mask[s] = 1;

      /* keep the first sample, or the first that no exchange explains */
      if (m.differ == 0 || (!explained && m.unexplained == 0)) {
        m.time = series->time[s];
        m.wheel = i;
      }

      m.differ++;
      m.unexplained += !explained;
    }
  }
  return m;
}
