/* The fused multiply-add of WebAssembly's kernels against that of the C library. */
#include "lanes/exact_fma.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>

static uint64_t state = 88172645463325252u;

static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* Of either sign, within so many powers of two around 1; often with a run of ones or zeros at the
 * end. */
static double number(int spread) {
  uint64_t bits = draw() >> 12;
  const uint64_t kind = draw() % 8, run = ((uint64_t)1 << (draw() % 52)) - 1;
  if (kind < 3)
    bits &= ~run;
  else if (kind < 5)
    bits |= run;
  const int exponent = 1023 + (int)(draw() % (2 * (unsigned)spread + 1)) - spread;
  return fma_number((draw() << 63) | (uint64_t)exponent << 52 | bits);
}

/* An addend that is near to the product, or hardly reaches its last bits, and so hard to round. */
static double addend(double a, double b, int spread) {
  const double product = a * b;
  const uint64_t kind = draw() % 10;
  if (kind == 0) return -product;
  if (kind == 1) return -fma_number(fma_bits(product) + draw() % 5 - 2);
  if (kind > 4) return number(spread);
  const double scale = ldexp(1, (int)(draw() % 120) - 60);
  return (draw() & 1 ? -1 : 1) * product * scale * (draw() & 3 ? 1 : fabs(number(0)));
}

static bool same(double one, double other) {
  return fma_bits(one) == fma_bits(other) || (isnan(one) && isnan(other));
}

static void check(double a, double b, double c) {
  const double right = fma(a, b, c);
  cr_assert(same(fma_exact(a, b, c), right), "fma(%a, %a, %a)", a, b, c);
  cr_assert(same(fma_by_integers(a, b, c), right), "by integers: fma(%a, %a, %a)", a, b, c);
}

Test(exact_fma, gives_the_bits_of_the_c_library) {
  const int spreads[] = {0, 1, 5, 30, 60, 200, 1000, 1022};
  for (long i = 0; i < 10000000; i++) {
    const int spread = spreads[draw() % 8];
    const double a = number(spread), b = number(spread);
    check(a, b, addend(a, b, spread));
  }
}

Test(exact_fma, knows_zeros_subnormals_and_the_ends_of_the_range) {
  const double special[] = {0,
                            -0.0,
                            1,
                            -1,
                            0x1p-1074,
                            -0x1p-1074,
                            0x1.8p-1073,
                            0x1p-1022,
                            0x1p-537,
                            -0x1p-538,
                            0x1p-500,
                            0x1p500,
                            0x1p511,
                            0x1.fp1023,
                            0x1p1023,
                            -0x1p1023,
                            (double)INFINITY,
                            -(double)INFINITY,
                            (double)NAN,
                            0x1.8p-1022,
                            0x1p-900,
                            -0x1p-52,
                            1 + 0x1p-52,
                            1 - 0x1p-53,
                            0x1.fffffffffffffp1023,
                            0x0.fffffffffffffp-1022};
  const size_t count = sizeof special / sizeof *special;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      for (size_t k = 0; k < count; k++) check(special[i], special[j], special[k]);
  for (long i = 0; i < 200000; i++) { /* results below the normal range */
    const double a = ldexp(number(2), -500), b = ldexp(number(2), -520 - (int)(draw() % 60));
    check(a, b, ldexp(number(0), -1070 + (int)(draw() % 60)));
  }
}
