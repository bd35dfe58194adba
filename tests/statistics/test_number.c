/* Numbers have as many digits as their uncertainty leaves. */
#include "statistics/number.h"

#include <criterion/criterion.h>
#include <math.h>

static void expect_number(double value, double uncertainty, const char *text) {
  char found[32];
  omr_number_print(found, sizeof found, value, uncertainty);
  cr_expect_str_eq(found, text, "%g within %g", value, uncertainty);
}

/* The last digit is the second one of the uncertainty. */
Test(number, has_the_digits_that_its_uncertainty_leaves) {
  expect_number(75.897, 7.3, "75.9");
  expect_number(0.356561, 0.0042, "0.3566");
  expect_number(0.0121844, 0.00064, "0.01218");
  expect_number(-8.12345, 0.98, "-8.12");
  expect_number(1234567, 45000, "1.235e+06");
}

/* Never more than five, however small the uncertainty is; four where nobody knows it. */
Test(number, has_five_digits_at_most) {
  expect_number(1.23456789, 1e-9, "1.2346");
  expect_number(1.23456789, (double)NAN, "1.235");
  expect_number(1.23456789, 0, "1.235");
}

Test(number, is_zero_where_the_uncertainty_swallows_it) {
  expect_number(-9.97e-21, 1e-4, "0");
  expect_number(0, 0.1, "0");
  expect_number(4e-4, 0.3, "0");
}

Test(number, has_no_zeros_behind_a_whole_one) {
  expect_number(100, 1.45, "100");
  expect_number(4, 0.001, "4");
  expect_number((double)NAN, 1, "no value");
}

Test(number, of_an_interval_are_both_its_ends) {
  char text[72];
  omr_interval_print(text, sizeof text, (omr_bounds){68.4612, 83.1249});
  cr_expect_str_eq(text, "68.5 to 83.1");
  omr_interval_print(text, sizeof text, (omr_bounds){(double)NAN, 1});
  cr_expect_str_eq(text, "");
}
