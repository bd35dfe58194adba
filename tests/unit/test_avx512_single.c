/* The kernel dialect on packs of 16 floats, with AVX-512. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* gcc takes the instructions of this file from the pragma; other compilers and processors test the
 * portable form. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
static void need_avx512(void) {
  if (!__builtin_cpu_supports("avx512f")) cr_skip_test("this processor has no AVX512");
}
#pragma GCC target("avx512f,avx2,fma")
#define SUITE_INIT need_avx512
#else
#define SUITE_INIT NULL
#endif

#define OMR_LANES 16
#define OMR_SINGLE 1
#define SUITE avx512_single
#include "compat_claims.inc"
#include "math_claims.inc"
