/* How often the intervals of Sobol' indices hold the exact ones, at every number of groups: what
 * docs/explanation/statistics.md says of it. OMNIROLL_COVERAGE: repetitions, 1000 where it is not
 * set, which takes a quarter of an hour; tests/nightly.sh runs it. */
#include "tests/statistics/sobol_coverage.h"

static int repetitions_wanted(void) {
  const char *text = getenv("OMNIROLL_COVERAGE");
  const int count = text ? atoi(text) : 1000;
  cr_assert_geq(count, 100, "OMNIROLL_COVERAGE=%s", text ? text : "");
  return count;
}

/* Shares of the page: independent groups hold as often as they say, with 64 of them 88 % at worst;
 * sequences from 1024 groups on too, below 84 % at worst. */
static double least_share(size_t groups, bool independent) {
  if (independent) return groups < 256 ? 0.88 : 0.95;
  return groups < 1024 ? 0.84 : 0.95;
}

static void expect_page(const known *k) {
  const int repetitions = repetitions_wanted();
  for (size_t groups = 64; groups <= 16384; groups *= 4)
    for (int independent = 0; independent < 2; independent++)
      expect_covered(k, groups, repetitions, independent, least_share(groups, independent));
}

Test(sobol_coverage, of_the_ishigami_function_is_what_the_page_says) {
  expect_page(&functions[0]);
}

Test(sobol_coverage, of_the_g_function_is_what_the_page_says) {
  expect_page(&functions[1]);
}
