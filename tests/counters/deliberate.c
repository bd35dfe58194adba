/* What tests/counters proves the counters with: a test that skips itself, one that passes and one
 * that leaks. No test of omniroll. */
#include <criterion/criterion.h>
#include <stdlib.h>

Test(deliberate, skips) {
  cr_skip_test("this test skips itself");
}

Test(deliberate, passes) {
  void *kept = malloc(64);
  cr_assert_not_null(kept);
  free(kept);
}

Test(deliberate, leaks) {
  void *volatile lost = malloc(64);
  cr_assert_not_null(lost);
  lost = NULL;
}
