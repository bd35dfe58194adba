/* Statistics of differences (host/reference/compare/difference.h) on series of a few numbers,
 * worked out by hand. */
#include "reference/compare/difference.h"

#include <criterion/criterion.h>
#include <math.h>

#define NONE ((double)NAN)
#define COUNT(list) (sizeof(list) / sizeof *(list))

Test(difference, extent_is_of_the_finite_values) {
  const double values[] = {NONE, -3, 1, HUGE_VAL, 2};
  const omr_extent extent = omr_extent_of(values, COUNT(values));
  cr_expect_eq(extent.low, -3);
  cr_expect_eq(extent.high, 2);
  cr_expect_eq(extent.size, 3);
  cr_expect_eq(extent.count, 3);
  cr_expect_eq(omr_extent_range(extent), 5);
}

Test(difference, nothing_has_no_range) {
  const double values[] = {NONE, NONE};
  const omr_extent extent = omr_extent_of(values, COUNT(values));
  cr_expect_eq(extent.count, 0);
  cr_expect_eq(omr_extent_range(extent), 0);
}

static void expect_measure(double range, double kin, double value, omr_measure_kind kind) {
  const omr_measure m = omr_measure_of(range, kin);
  cr_expect_eq(m.value, value, "range %g, kin %g: %g", range, kin, m.value);
  cr_expect_eq(m.kind, kind, "range %g, kin %g: kind %d", range, kin, (int)m.kind);
}

Test(difference, scale_is_the_range_unless_that_is_rounding_beside_the_kin) {
  expect_measure(0.5, 20, 0.5, OMR_SCALE_RANGE);
  expect_measure(0.5, 0, 0.5, OMR_SCALE_RANGE);
  expect_measure(2e-5, 20, 2e-5, OMR_SCALE_RANGE); /* a millionth of kin is a motion */
  expect_measure(1.9e-5, 20, 20, OMR_SCALE_KIN);   /* less is not */
  expect_measure(0, 20, 20, OMR_SCALE_KIN);
  expect_measure(0, 0, 1, OMR_SCALE_ONE);
}

static const double times[] = {0, 0.1, 0.2};

Test(difference, largest_has_its_time_and_wheel) {
  const double a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 2.5, 3, 3, 5.25, 6};
  const omr_difference d = omr_difference_of(a, b, times, 3, 2, NULL, 1);
  cr_expect_eq(d.largest, 1);
  cr_expect_eq(d.time, 0.1);
  cr_expect_eq(d.wheel, 1);
  cr_expect_eq(d.compared, 6);
  cr_expect_eq(d.left_out, 0);
  cr_expect_eq(d.one_sided, 0);
}

Test(difference, the_first_of_equal_ones_is_told) {
  const double a[] = {0, 0, 0}, b[] = {0, 2, -2};
  const omr_difference d = omr_difference_of(a, b, times, 3, 1, NULL, 1);
  cr_expect_eq(d.largest, 2);
  cr_expect_eq(d.time, 0.1);
}

Test(difference, equal_series_differ_by_zero_at_the_start) {
  const omr_difference d = omr_difference_of(times, times, times, 3, 1, NULL, 1);
  cr_expect_eq(d.largest, 0);
  cr_expect_eq(d.time, 0);
  cr_expect_eq(d.compared, 3);
}

Test(difference, ends_after_the_time_given_are_no_difference_those_before_are) {
  const double a[] = {1, 2, NONE}, b[] = {1, NONE, NONE}, c[] = {1, 2, 3};
  cr_expect_eq(omr_difference_of(a, b, times, 3, 1, NULL, 0.05).one_sided, 0);
  cr_expect_eq(omr_difference_of(a, b, times, 3, 1, NULL, 0.1).one_sided, 1);
  cr_expect_eq(omr_difference_of(b, a, times, 3, 1, NULL, 0.1).one_sided, 1);
  cr_expect_eq(omr_difference_of(c, b, times, 3, 1, NULL, 1).one_sided, 2);
  cr_expect_eq(omr_difference_of(a, b, times, 3, 1, NULL, 1).compared, 1);
}

Test(difference, series_without_a_common_value_have_none) {
  const double a[] = {NONE, 1, NONE}, b[] = {NONE, NONE, 2};
  const omr_difference d = omr_difference_of(a, b, times, 3, 1, NULL, 1);
  cr_expect(isnan(d.largest));
  cr_expect_eq(d.compared, 0);
  cr_expect_eq(d.one_sided, 2);
}

Test(difference, masked_samples_are_counted_and_left_out) {
  const double a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 2, 13, 4, 5, 6.5};
  const unsigned char mask[] = {0, 0, 1, 0, 0, 0};
  const omr_difference d = omr_difference_of(a, b, times, 3, 2, mask, 1);
  cr_expect_eq(d.largest, 0.5);
  cr_expect_eq(d.left_out, 1);
  cr_expect_eq(d.compared, 5);
}

/* Two wheels, rollers 60 degrees wide: wheel 1 has been exchanged on one side alone at 0.1 s. */
static const double rollers_a[] = {0, 3, 0, 3, 1, 4}, rollers_b[] = {0, 3, 0, 4, 1, 4};
static const double rates[] = {1, 2, 1, 2, 1, 2};
enum { WHEELS = 2 };

static omr_roller_mismatch compare(const double *angle_a, const double *angle_b, double step,
                                   unsigned char *wheel, unsigned char *vehicle) {
  const omr_roller_series series = {.roller = {rollers_a, rollers_b},
                                    .angle = {angle_a, angle_b},
                                    .rate = rates,
                                    .time = times,
                                    .times = 3,
                                    .wheels = WHEELS};
  return omr_rollers_compare(&series, step, 0, wheel, vehicle);
}

Test(difference, an_exchange_at_a_sample_is_explained_and_masks_its_wheel_and_its_time) {
  const double a[] = {0, 0, 0.2, 0.5236, 0, 0}, b[] = {0, 0, 0.2, -0.5235, 0, 0};
  unsigned char wheel[6], vehicle[3];
  const omr_roller_mismatch m =
      compare(a, b, 1e-4, wheel, vehicle); /* 1e-4 rad off the edge, 4e-4 is the way in two steps */
  cr_expect_eq(m.compared, 6);
  cr_expect_eq(m.differ, 1);
  cr_expect_eq(m.unexplained, 0);
  cr_expect_eq(m.time, 0.1);
  cr_expect_eq(m.wheel, 1);
  for (int i = 0; i < 6; i++) cr_expect_eq(wheel[i], i == 3, "wheel mask at %d", i);
  for (int s = 0; s < 3; s++) cr_expect_eq(vehicle[s], s == 1, "vehicle mask at %d", s);
}

Test(difference, other_rollers_away_from_an_edge_are_not_explained) {
  const double a[] = {0, 0, 0.2, 0.5, 0, 0}, b[] = {0, 0, 0.2, -0.3, 0, 0};
  unsigned char wheel[6], vehicle[3];
  const omr_roller_mismatch m = compare(a, b, 1e-4, wheel, vehicle);
  cr_expect_eq(m.differ, 1);
  cr_expect_eq(m.unexplained, 1);
}
