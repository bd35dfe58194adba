/* The fused multiply-add for processors that have none, such as WebAssembly: a b + c rounded once,
 * to nearest and to even, for every double. The kernels' other operations are the processor's. */
#ifndef OMR_EXACT_FMA_H
#define OMR_EXACT_FMA_H

#include <stdint.h>

static inline uint64_t fma_bits(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double fma_number(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/* An integer of 128 bits. */
typedef struct fma_wide {
  uint64_t high, low;
} fma_wide;

/* |x| = mantissa 2^power, bit 52 of the mantissa set. */
typedef struct fma_parts {
  uint64_t mantissa;
  int power;
} fma_parts;

static fma_parts fma_take_apart(double x) {
  const uint64_t bits = fma_bits(x) & (~(uint64_t)0 >> 1);
  const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  const int exponent = (int)(bits >> 52);
  if (exponent) return (fma_parts){fraction | (uint64_t)1 << 52, exponent - 1075};
  const int up = __builtin_clzll(fraction) - 11; /* subnormal */
  return (fma_parts){fraction << up, -1074 - up};
}

static fma_wide fma_multiply(uint64_t a, uint64_t b) {
  const uint64_t half = 0xffffffff, al = a & half, ah = a >> 32, bl = b & half, bh = b >> 32;
  const uint64_t low = al * bl, one = al * bh, other = ah * bl;
  const uint64_t middle = (low >> 32) + (one & half) + (other & half);
  return (fma_wide){ah * bh + (one >> 32) + (other >> 32) + (middle >> 32),
                    middle << 32 | (low & half)};
}

static fma_wide fma_up(fma_wide x, int places) {
  if (places == 0) return x;
  if (places >= 64) return (fma_wide){x.low << (places - 64), 0};
  return (fma_wide){x.high << places | x.low >> (64 - places), x.low << places};
}

/* The last bit stays set where a set bit is lost. */
static fma_wide fma_down(fma_wide x, int places) {
  if (places == 0) return x;
  if (places >= 128) return (fma_wide){0, (x.high | x.low) != 0};
  fma_wide kept = {0, 0};
  uint64_t lost;
  if (places >= 64) {
    lost = x.low | (places > 64 ? x.high << (128 - places) : 0);
    kept.low = places > 64 ? x.high >> (places - 64) : x.high;
  } else {
    lost = x.low << (64 - places);
    kept = (fma_wide){x.high >> places, x.high << (64 - places) | x.low >> places};
  }
  kept.low |= lost != 0;
  return kept;
}

static inline double fma_power_of_two(int power) {
  return fma_number((uint64_t)(power + 1023) << 52);
}

/* sum 2^power rounded: the mantissa and two bits more, the last of which stands for all that
 * follow; fewer bits where the result is subnormal. */
static double fma_round(fma_wide sum, int power) {
  if (!(sum.high | sum.low)) return 0;
  const int top = sum.high ? 127 - __builtin_clzll(sum.high) : 63 - __builtin_clzll(sum.low);
  const int least = -1076 - power, down = top - 54 > least ? top - 54 : least;
  sum = down < 0 ? fma_up(sum, -down) : fma_down(sum, down);
  power += down + 2;
  const uint64_t rest = sum.low & 3;
  uint64_t mantissa = sum.low >> 2;
  if (rest == 3 || (rest == 2 && (mantissa & 1))) mantissa++;
  const int half = power / 2; /* in two factors: 2^power alone can leave the range */
  return (double)mantissa * fma_power_of_two(half) * fma_power_of_two(power - half);
}

/* By integers, for every double. */
static __attribute__((noinline)) double fma_by_integers(double a, double b, double c) {
  const double endless = __builtin_inf();
  if (!(__builtin_fabs(a) < endless && __builtin_fabs(b) < endless) || a == 0 || b == 0)
    return a * b + c;
  if (!(__builtin_fabs(c) < endless)) return c;
  if (c == 0) return a * b;

  /* Product and addend with their highest bits near bit 124, on the larger one's scale. */
  const fma_parts x = fma_take_apart(a), y = fma_take_apart(b), z = fma_take_apart(c);
  fma_wide product = fma_up(fma_multiply(x.mantissa, y.mantissa), 20);
  fma_wide addend = fma_up((fma_wide){0, z.mantissa}, 72);
  const int product_power = x.power + y.power - 20, addend_power = z.power - 72;
  const int power = product_power > addend_power ? product_power : addend_power;
  product = fma_down(product, power - product_power);
  addend = fma_down(addend, power - addend_power);

  uint64_t sign = (fma_bits(a) ^ fma_bits(b)) >> 63;
  const uint64_t addend_sign = fma_bits(c) >> 63;
  fma_wide sum;
  if (sign == addend_sign) {
    sum.low = product.low + addend.low;
    sum.high = product.high + addend.high + (sum.low < product.low);
  } else {
    if (product.high < addend.high || (product.high == addend.high && product.low < addend.low)) {
      const fma_wide larger = addend;
      addend = product;
      product = larger;
      sign = addend_sign;
    }
    sum.low = product.low - addend.low;
    sum.high = product.high - addend.high - (product.low < addend.low);
    if (!(sum.high | sum.low)) return 0;
  }
  const double size = fma_round(sum, power);
  return sign ? -size : size;
}

/* The sum tl + ul rounded to odd, so that rounding it again loses nothing (Boldo and Melquiond,
 * Emulation of FMA and correctly rounded sums, IEEE Transactions on Computers 57(4), 2008). */
static inline double fma_odd_sum(double tl, double ul) {
  const double sum = tl + ul, part = sum - tl, lost = (tl - (sum - part)) + (ul - part);
  const uint64_t bits = fma_bits(sum);
  if (lost == 0 || (bits & 1)) return sum;
  return fma_number((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/* By exact transformations of sums and products where no part of them can leave the range. */
static inline double fma_exact(double a, double b, double c) {
  const double product = a * b, size = __builtin_fabs(product);
  if (!(__builtin_fabs(a) < 0x1p500 && __builtin_fabs(b) < 0x1p500 && size > 0x1p-900 &&
        size < 0x1p990 && __builtin_fabs(c) < 0x1p990))
    return a == 0 || b == 0 ? product + c : fma_by_integers(a, b, c);

  /* product + low = a b, by Dekker's halves */
  const double split = 0x1p27 + 1, a1 = split * a, b1 = split * b;
  const double ah = a1 - (a1 - a), al = a - ah, bh = b1 - (b1 - b), bl = b - bh;
  const double low = al * bl - (((product - ah * bh) - al * bh) - ah * bl);

  /* near + lost = product + c. The rest lies between two numbers that are a unit in its last place
   * or more away from it, and rounding is monotonic: where near and either round alike, that is the
   * result. */
  const double near = product + c, step = near - product;
  const double lost = (product - (near - step)) + (c - step);
  const double rest = lost + low, width = __builtin_fabs(rest) * 0x1p-52;
  const double above = near + (rest + width), below = near + (rest - width);
  if (above == below) return above;

  /* high + tl + ul = a b + c */
  const double sum = c + low, part = sum - c, ul = (c - (sum - part)) + (low - part);
  const double high = product + sum, other = high - product;
  const double tl = (product - (high - other)) + (sum - other);
  return high + fma_odd_sum(tl, ul);
}

#endif
