/* The kernel dialect on packs of 4 doubles, with AVX2. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* gcc takes the instructions of this file from the pragma; other compilers and processors test the
 * portable form. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
static void need_avx2(void) {
  if (!__builtin_cpu_supports("avx2")) cr_skip_test("this processor has no AVX2");
}
#pragma GCC target("avx2,fma")
#define SUITE_INIT need_avx2
#else
#define SUITE_INIT NULL
#endif

#define OMR_LANES 4
#define OMR_SINGLE 0
#define SUITE avx2_double
#include "compat_claims.inc"
#include "math_claims.inc"
