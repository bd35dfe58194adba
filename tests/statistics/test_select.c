/* Exact quantiles: by sorting in memory and by counting digits in several passes. */
#include "../../host/statistics/select.h"
#include "made_source.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS = 20000 };

Test(select, keys_have_the_order_of_the_values) {
  static const double ascending[] = {-DBL_MAX,  -1e300,  -2, -1,  -0x1p-1074, 0,
                                     0x1p-1074, DBL_MIN, 1,  1.5, 1e300,      DBL_MAX};
  const int count = sizeof ascending / sizeof *ascending;
  for (int i = 0; i < count; i++) {
    cr_expect_eq(omr_key_value(omr_key_of(ascending[i])), ascending[i]);
    if (i) cr_expect_lt(omr_key_of(ascending[i - 1]), omr_key_of(ascending[i]));
  }
  cr_expect_eq(omr_key_of(-0.0), omr_key_of(0.0));
  cr_expect_eq(signbit(omr_key_value(omr_key_of(-0.0))), 0);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Type 7 from the definition. */
static double by_sorting(const double *values, const int8_t *codes, double level) {
  double *kept = malloc(ROWS * sizeof *kept);
  size_t count = 0;
  for (int i = 0; i < ROWS; i++)
    if (codes[i] == 0 && isfinite(values[i])) kept[count++] = values[i];
  qsort(kept, count, sizeof *kept, compare);
  const double h = (double)(count - 1) * level;
  const size_t low = (size_t)h, high = low + 1 < count ? low + 1 : low;
  const double part = h - (double)low, quantile = kept[low] + part * (kept[high] - kept[low]);
  free(kept);
  return quantile;
}

/* Columns that are hard for a selection by digits: spread over all exponents, many equal, equal but
 * for the last bits, of two values, both signs. */
static double hard_value(int kind, uint64_t *state) {
  const double u = noise(state), v = noise(state);
  switch (kind) {
  case 0: return (u < 0.5 ? -1 : 1) * exp(1400 * (v - 0.5));
  case 1: return u < 0.7 ? 3.25 : v;
  case 2: return 1 + floor(1000 * v) * 0x1p-52;
  case 3: return u < 0.5 ? -1 : 1;
  case 4: return v - 0.5;
  default: return u < 0.01 ? (double)NAN : u < 0.02 ? HUGE_VAL : v;
  }
}

Test(select, both_ways_give_the_same_bits_and_the_right_numbers) {
  static const double levels[] = {0, 0.001, 0.05, 0.25, 0.5, 0.5001, 0.75, 0.95, 0.999, 1};
  enum { LEVELS = sizeof levels / sizeof *levels };
  double *values = malloc(ROWS * sizeof *values);
  int8_t *codes = malloc(ROWS);
  uint64_t *keys = malloc(ROWS * sizeof *keys), *scratch = malloc(ROWS * sizeof *scratch),
           *room = malloc(ROWS * sizeof *room), state = 7;
  for (int kind = 0; kind < 6; kind++) {
    size_t used = 0;
    for (int i = 0; i < ROWS; i++) {
      values[i] = hard_value(kind, &state);
      codes[i] = noise(&state) < 0.1;
      if (codes[i] == 0 && isfinite(values[i])) keys[used++] = omr_key_of(values[i]);
    }
    double sorted[LEVELS], counted[LEVELS];
    omr_quantiles_of_keys(keys, used, room, scratch, levels, LEVELS, sorted);
    for (int q = 0; q < LEVELS; q++) {
      const double expected = by_sorting(values, codes, levels[q]);
      cr_expect(fabs(sorted[q] - expected) <= 4e-16 * fabs(expected),
                "kind %d, %g: %.17g, not %.17g", kind, levels[q], sorted[q], expected);
    }
    static const size_t memories[] = {0, 10, 1000, ROWS};
    for (int m = 0; m < 4; m++) {
      const double *const columns[] = {values};
      made_source made = make_source(ROWS, 1, 0, NULL, columns, codes);
      cr_assert_eq(omr_quantiles_of_source(&made.source,
                                           &(omr_ranked){0, 0, ROWS, used, memories[m]}, levels,
                                           LEVELS, counted, NULL),
                   OMR_OK);
      cr_expect_eq(memcmp(sorted, counted, sizeof sorted), 0, "kind %d with %zu values in memory",
                   kind, memories[m]);
    }
  }
  free(values);
  free(codes);
  free(keys);
  free(scratch);
  free(room);
}

/* numpy.quantile([0.1, 0.7, 0.2, -3, 12.5, 0.3, 0.3], p), numpy 1.24.2. */
Test(select, numpys_quantiles_come_out_to_the_bit) {
  static const double values[] = {0.1, 0.7, 0.2, -3, 12.5, 0.3, 0.3},
                      levels[] = {0.1, 0.33, 0.5, 0.62, 0.9};
  static const double numpys[] = {-1.1399999999999997, 0.19800000000000001, 0.29999999999999999,
                                  0.29999999999999999, 5.4200000000000044};
  uint64_t keys[7], scratch[7], room[7];
  double quantiles[5];
  for (int i = 0; i < 7; i++) keys[i] = omr_key_of(values[i]);
  omr_quantiles_of_keys(keys, 7, room, scratch, levels, 5, quantiles);
  for (int q = 0; q < 5; q++)
    cr_expect_eq(quantiles[q], numpys[q], "%.17g %.17g", quantiles[q], numpys[q]);
  omr_quantiles_of_keys(&keys[3], 1, room, scratch, levels, 5, quantiles);
  for (int q = 0; q < 5; q++) cr_expect_eq(quantiles[q], -3);
  omr_quantiles_of_keys(keys, 0, room, scratch, levels, 5, quantiles);
  for (int q = 0; q < 5; q++) cr_expect(isnan(quantiles[q]));
}
