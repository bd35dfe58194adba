#include "probe_cases.h"

#include <math.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 wide;

/* A floating-point format: bits of the significand, exponent of the smallest normal number. */
typedef struct format {
  int bits, lowest;
  bool single;
} format;

static uint64_t mixed(uint64_t x) { /* the finaliser of splitmix64 */
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* A whole number of `bits` bits, the highest of them set. */
static uint64_t number_of(int bits, uint64_t key) {
  return (mixed(key) >> (64 - bits)) | (uint64_t)1 << (bits - 1);
}

/* m 2^e as a number of the format. */
static double scaled(const format *f, uint64_t m, int e) {
  const double value = ldexp((double)m, e);
  return f->single ? (double)(float)value : value;
}

/* A number of random significand with 2^e <= x < 2^(e + 1), or below the smallest normal one. */
static double random_near(const format *f, int e, uint64_t key) {
  return scaled(f, number_of(f->bits, key), e - f->bits + 1);
}

/* The n-th of 1, -1, 3, -3, ... */
static uint64_t small_odd(uint64_t n) {
  return n % 2 ? 0 - n : n + 1;
}

/* x / y very close to the midpoint m of two numbers: m y = r (mod 2^(bits + 1)) for a small r, so
 * that x = (m y - r) / 2^(bits + 1) is whole and x 2^(bits + 1) / y = m - r / y. */
static omr_probe_case near_middle(const format *f, int number, uint64_t key) {
  const uint64_t modulus = (uint64_t)1 << (f->bits + 1), r = small_odd((uint64_t)number % 64);
  for (;; key++) {
    const uint64_t y = number_of(f->bits, key) | 1;
    uint64_t inverse = y; /* an odd number is its own inverse to 3 bits; each step doubles them */
    for (int i = 0; i < 5; i++) inverse *= 2 - y * inverse;
    const uint64_t m = r * inverse & (modulus - 1);
    if (m < modulus / 2) continue;
    const wide product = (wide)m * y - (wide)(int64_t)r;
    return (omr_probe_case){scaled(f, (uint64_t)(product >> (f->bits + 1)), 0), scaled(f, y, 0), 0};
  }
}

static omr_probe_case division(const format *f, int number, uint64_t key) {
  const int place = (int)(mixed(key ^ 1) % (uint64_t)f->bits);
  switch (number % 4) {
  case 0: /* a subnormal quotient, with fewer bits */
    return (omr_probe_case){random_near(f, f->lowest, key), random_near(f, place, key ^ 2), 0};
  case 1: /* subnormal operands */
    return (omr_probe_case){random_near(f, f->lowest - 1 - place, key),
                            random_near(f, f->lowest - 1 - place / 2, key ^ 2), 0};
  default: return near_middle(f, number / 4 * 2 + number % 2, key);
  }
}

/* sqrt(x) very close to the midpoint m of two numbers: m^2 = r (mod 2^k), k even, for a small r = 1
 * (mod 8), so that x = (m^2 - r) / 2^k is whole and sqrt(x 2^k) = m - r / (2 m). The root modulo
 * 2^k is found bit by bit; with m, also m + 2^(k - 1) and their negatives are roots. Without a root
 * in range the next r is tried. */
static double square_near_middle(const format *f, int number) {
  const int k = f->bits + 2 + f->bits % 2;
  const uint64_t low = (uint64_t)1 << f->bits, mask = ((uint64_t)1 << k) - 1;
  for (int64_t n = number;; n += OMR_PROBE_CASES) {
    const int64_t r = n % 2 ? 1 - 8 * ((n + 1) / 2) : 1 + 8 * (n / 2);
    uint64_t root = 1;
    for (int bit = 3; bit < k; bit++)
      if ((root * root - (uint64_t)r) >> bit & 1) root += (uint64_t)1 << (bit - 1);
    const uint64_t half = (uint64_t)1 << (k - 1),
                   roots[] = {root, root + half, 0 - root, half - root};
    for (int i = 0; i < 4; i++) {
      const uint64_t m = roots[i] & mask;
      if (m >= low && m < 2 * low) return scaled(f, (uint64_t)(((wide)m * m - (wide)r) >> k), 0);
    }
  }
}

static omr_probe_case root(const format *f, int number, uint64_t key) {
  const int place = (int)(mixed(key ^ 1) % (uint64_t)f->bits);
  switch (number % 4) {
  case 0: return (omr_probe_case){random_near(f, f->lowest - 1 - place, key), 1, 0};
  case 1: return (omr_probe_case){random_near(f, place, key), 1, 0};
  default: return (omr_probe_case){square_near_middle(f, number / 4 * 2 + number % 2), 1, 0};
  }
}

static omr_probe_case fused(const format *f, int number, uint64_t key) {
  /* Factors whose product just exceeds the format. */
  const int half = f->bits / 2;
  const double sign = number & 4 ? -1 : 1;
  const uint64_t a = number_of(half + 1, key) | 1, b = number_of(f->bits - half, key ^ 2) | 1;
  const double x = random_near(f, 0, key), y = random_near(f, 1, key ^ 2);

  /* Lost bits, ties, subnormal sums and ordinary sums. */
  switch (number % 4) {
  case 0:
    return (omr_probe_case){x, y,
                            f->single ? (double)-((float)x * (float)y)
                                      : -(x * y)}; /* the rounding error of the product */
  case 1: /* a product with at most one excess bit, and an addend that decides a tie */
    return (omr_probe_case){scaled(f, a, 0), scaled(f, b, 0), sign * scaled(f, 1, -3 * half)};
  case 2: /* subnormal numbers */
    return (omr_probe_case){scaled(f, a, f->lowest / 2 - half),
                            sign * scaled(f, b, f->lowest / 2 - half - 4),
                            random_near(f, f->lowest - 2, key ^ 4)};
  default:
    return (omr_probe_case){x, sign * y, random_near(f, (int)(mixed(key ^ 4) % 8) - 4, key ^ 5)};
  }
}

static omr_probe_case rounded(const format *f, int number, uint64_t key) {
  const double sign = number & 4 ? -1 : 1;
  const int place = (int)(mixed(key ^ 1) % (uint64_t)f->bits);
  const uint64_t whole = mixed(key) >> (66 - f->bits); /* of bits - 2 bits */
  switch (number % 4) {
  case 0: return (omr_probe_case){sign * scaled(f, 2 * (whole >> place) + 1, -1), 1, 0}; /* a tie */
  case 1: return (omr_probe_case){sign * scaled(f, 2 * whole + 1, -f->bits / 2), 1, 0};
  case 2: return (omr_probe_case){sign * random_near(f, f->bits - 2 + place % 4, key), 1, 0};
  default:
    return (omr_probe_case){sign * random_near(f, place % 2 ? -1 - place % 4 : f->lowest - 2, key),
                            1, 0};
  }
}

static omr_probe_case special(const format *f, int number, uint64_t key) {
  const double sign = number & 4 ? -1 : 1;
  switch (number % 4) {
  case 0: return (omr_probe_case){(double)NAN, 1, 0};
  case 1: return (omr_probe_case){sign * HUGE_VAL, 1, 0};
  case 2: return (omr_probe_case){sign * 0.0, 1, 0};
  default: return (omr_probe_case){sign * random_near(f, number % 16, key), 1, 0};
  }
}

omr_probe_case omr_probe_case_of(int operation, int number, bool single) {
  const format f = single ? (format){24, -126, true} : (format){53, -1022, false};
  const uint64_t key = (uint64_t)(operation * OMR_PROBE_CASES + number) << 8;
  switch (operation) {
  case OMR_PROBE_DIVIDE: return division(&f, number, key);
  case OMR_PROBE_SQRT: return root(&f, number, key);
  case OMR_PROBE_FMA:
  case OMR_PROBE_SUM: return fused(&f, number, key);
  case OMR_PROBE_SPECIAL: return special(&f, number, key);
  default: return rounded(&f, number, key);
  }
}

double omr_probe_answer(int operation, const omr_probe_case *c, bool single) {
  const float x = (float)c->x, y = (float)c->y, z = (float)c->z;
  switch (operation) {
  case OMR_PROBE_DIVIDE: return single ? (double)(x / y) : c->x / c->y;
  case OMR_PROBE_SQRT: return single ? (double)sqrtf(x) : sqrt(c->x);
  case OMR_PROBE_FMA: return single ? (double)fmaf(x, y, z) : fma(c->x, c->y, c->z);
  case OMR_PROBE_SUM: {
    const volatile float narrow = x * y;
    const volatile double whole = c->x * c->y;
    return single ? (double)(narrow + z) : whole + c->z;
  }
  case OMR_PROBE_SPECIAL: return isnan(c->x) ? 7 : isinf(c->x) ? 5 : c->x + 0.0;
  default: return single ? (double)rintf(x) : rint(c->x);
  }
}

const char *const omr_probe_names[OMR_PROBE_OPERATIONS] = {"division",
                                                           "square root",
                                                           "fused multiply-add",
                                                           "product and sum",
                                                           "rounding to whole numbers",
                                                           "NaN, infinity and -0"};

size_t omr_probe_wrong(const omr_probe *probe) {
  size_t wrong = 0;
  for (int o = 0; o < OMR_PROBE_OPERATIONS; o++) wrong += probe->wrong[o];
  return wrong;
}

bool omr_probe_good(const omr_probe *probe) {
  return !(probe->claims && omr_probe_wrong(probe));
}
