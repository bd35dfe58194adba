/* Bins of quantiles: exact while there are few values, within the stated error of the order
 * statistics with many, and the same bins by whatever order and tree. */
#include "statistics/partial/sketch.h"
#include "statistics/select.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 200000, LEVELS = 7 };
static const double levels[LEVELS] = {0, 0.001, 0.05, 0.5, 0.95, 0.999, 1};
static double values[COUNT];

static void draw(int kind) {
  srand(1 + (unsigned)kind);
  for (int i = 0; i < COUNT; i++) {
    const double u = (rand() + 0.5) / ((double)RAND_MAX + 1), v = rand() / (double)RAND_MAX;
    values[i] = kind == 0   ? u                                    /* even */
                : kind == 1 ? sqrt(-2 * log(u)) * cos(6.28318 * v) /* about 0 */
                : kind == 2 ? 12 + 1e-6 * u                        /* far from 0, narrow */
                : kind == 3 ? exp(20 * u - 10)                     /* decades */
                            : floor(5 * u);                        /* few values */
  }
}

static void exact_quantiles(double *quantiles) {
  static uint64_t keys[COUNT], room[COUNT], scratch[COUNT];
  for (int i = 0; i < COUNT; i++) keys[i] = omr_key_of(values[i]);
  omr_quantiles_of_keys(keys, COUNT, room, scratch, levels, LEVELS, quantiles);
}

Test(sketch, quantiles_are_within_the_stated_error) {
  for (int kind = 0; kind < 5; kind++) {
    draw(kind);
    double truth[LEVELS], error;
    exact_quantiles(truth);
    omr_sketch sketch = {.most = OMR_SKETCH_BINS};
    cr_assert(omr_sketch_add(&sketch, values, COUNT));
    cr_expect_leq(sketch.taken, OMR_SKETCH_BINS);
    omr_sketch_bin *sorted = omr_sketch_sorted(&sketch);
    const omr_bounds range = {truth[0], truth[LEVELS - 1]};
    for (int l = 0; l < LEVELS; l++) {
      const double value = omr_sketch_quantile(&sketch, sorted, COUNT, levels[l], range, &error);
      cr_expect_leq(fabs(value - truth[l]), error * (1 + 1e-9), "kind %d, level %g", kind,
                    levels[l]);
      cr_expect_leq(error, 0.01 * (range.high - range.low), "kind %d, level %g", kind, levels[l]);
      if (kind == 4) cr_expect_eq(error, 0);
      if (levels[l] == 0 || levels[l] == 1) cr_expect(error == 0 && value == truth[l]);
    }
    free(sorted);
    omr_sketch_free(&sketch);
  }
}

static void expect_same(const omr_sketch *a, const omr_sketch *b) {
  omr_sketch_bin *x = omr_sketch_sorted(a), *y = omr_sketch_sorted(b);
  cr_expect_eq(a->dropped, b->dropped);
  cr_assert_eq(a->taken, b->taken);
  cr_expect_eq(memcmp(x, y, a->taken * sizeof *x), 0);
  free(x);
  free(y);
}

/* Parts of very different size and place, so that they keep different numbers of bits. */
Test(sketch, order_and_tree_change_no_bin) {
  for (int kind = 0; kind < 5; kind++) {
    draw(kind);
    omr_sketch whole = {.most = 64}, backward = {.most = 64}, parts[5];
    cr_assert(omr_sketch_add(&whole, values, COUNT));
    for (int i = COUNT; i--;) cr_assert(omr_sketch_add(&backward, &values[i], 1));
    expect_same(&whole, &backward);
    for (int p = 0; p < 5; p++) {
      static const int ends[] = {0, 3, 50, 1000, 60000, COUNT};
      parts[p] = (omr_sketch){.most = 64};
      cr_assert(omr_sketch_add(&parts[p], values + ends[p], (size_t)(ends[p + 1] - ends[p])));
    }
    cr_assert(omr_sketch_join(&parts[3], &parts[0]));
    cr_assert(omr_sketch_join(&parts[1], &parts[4]));
    cr_assert(omr_sketch_join(&parts[1], &parts[2]));
    cr_assert(omr_sketch_join(&parts[1], &parts[3]));
    expect_same(&whole, &parts[1]);
    omr_sketch_free(&whole);
    omr_sketch_free(&backward);
    for (int p = 0; p < 5; p++) omr_sketch_free(&parts[p]);
  }
}
