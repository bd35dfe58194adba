#include "sequences.h"

#include "draws.h"

#include <stdbool.h>

enum {
  FEW = 64
}; /* as many as can be shuffled at the cost of the network, which mixes few numbers badly */

static uint32_t degree(uint32_t polynomial) {
  return 31u - (uint32_t)__builtin_clz(polynomial);
}

/* A polynomial over GF(2) with the term 1 is primitive where the powers of x are all that there is
 * but 0, which is 2^s - 1 of them. */
static bool is_primitive(uint32_t polynomial) {
  const uint32_t s = degree(polynomial);
  uint32_t power = 1, count = 0;
  do {
    power <<= 1;
    if (power >> s & 1) power ^= polynomial;
    count++;
  } while (power != 1);
  return count == (1u << s) - 1;
}

/* m_1 ... m_s are given; after them m_j = 2 a_1 m_(j-1) ^ 4 a_2 m_(j-2) ^ ... ^ 2^s m_(j-s) ^
 * m_(j-s), here in units of 2^-32, where 2^i m_(j-i) is the direction number i places up. */
static void extend(uint32_t polynomial, uint32_t *v) {
  const uint32_t s = degree(polynomial);
  for (uint32_t j = s; j < OMR_SEQUENCE_BITS; j++) {
    v[j] = v[j - s] ^ v[j - s] >> s;
    for (uint32_t i = 1; i < s; i++)
      if (polynomial >> (s - i) & 1) v[j] ^= v[j - i];
  }
}

void omr_sobol_directions(size_t count, uint32_t *directions) {
  const uint16_t *number = omr_sobol_numbers;
  uint32_t polynomial = 1;
  for (uint32_t j = 0; count > 0 && j < OMR_SEQUENCE_BITS; j++)
    directions[j] = 1u << (31 - j); /* van der Corput */
  for (size_t d = 1; d < count; d++) {
    uint32_t *v = directions + d * OMR_SEQUENCE_BITS;
    do polynomial += 2;
    while (!is_primitive(polynomial));
    const uint32_t s = degree(polynomial);
    v[0] = 1u << 31;
    for (uint32_t j = 1; j < s; j++) v[j] = (uint32_t)*number++ << (31 - j);
    extend(polynomial, v);
  }
}

uint32_t omr_sobol_point(const uint32_t *directions, uint32_t k) {
  uint32_t point = 0;
  for (uint32_t gray = k ^ k >> 1; gray; gray &= gray - 1) point ^= directions[__builtin_ctz(gray)];
  return point;
}

uint64_t omr_owen_scramble(uint64_t seed, uint32_t dimension, uint32_t point) {
  uint64_t bits[2], scrambled = 0;
  for (uint32_t level = 0; level < OMR_SEQUENCE_BITS; level++) {
    const uint64_t above =
        1ull << level |
        (uint64_t)point >> (OMR_SEQUENCE_BITS - level); /* the 1 tells the levels apart */
    omr_draw_for(OMR_FOR_OWEN, seed, above, dimension, bits);
    scrambled = scrambled << 1 | ((point >> (31 - level) & 1) ^ (bits[0] & 1));
  }
  omr_draw_for(OMR_FOR_OWEN, seed, 1ull << OMR_SEQUENCE_BITS | point, dimension, bits);
  return scrambled << 32 | bits[0] >> 32;
}

/* Below 1 also where the sum is rounded up. */
static double part_of(double place, double whole) {
  const double part = place / whole;
  return part < 1 ? part : 1 - 0x1p-53;
}

double omr_halton_point(uint32_t base, uint32_t k) {
  double mirrored = 0, whole = 1;
  for (uint64_t rest = k; whole < 0x1p32; rest /= base, whole *= base)
    mirrored = mirrored * base + (double)(rest % base);
  return part_of(mirrored + 0.5, whole);
}

/* Digits beyond those that k < 2^32 can have are the point's own, so one draw stands for all of
 * them. */
double omr_halton_scrambled(uint64_t seed, uint32_t dimension, uint32_t base, uint32_t k) {
  uint64_t bits[2], above = 1; /* the digits so far, a 1 before them */
  double scrambled = 0, whole = 1;
  for (uint64_t rest = k; whole < 0x1p32; rest /= base, whole *= base) {
    const uint32_t digit = (uint32_t)(rest % base);
    omr_draw_for(OMR_FOR_DIGITS, seed, above, dimension, bits);
    scrambled = scrambled * base + omr_permute(bits[0], 0, base, digit);
    above = above * base + digit;
  }
  omr_draw_for(OMR_FOR_DIGITS, seed, above, dimension, bits);
  return part_of(scrambled + omr_draw_unit(bits[0]), whole);
}

void omr_primes(size_t count, uint32_t *primes) {
  size_t found = 0;
  for (uint32_t n = 2; found < count; n++) {
    size_t i = 0;
    while (i < found && n % primes[i] != 0) i++;
    if (i == found) primes[found++] = n;
  }
}

/* Random bits for a round of the network. */
static uint32_t round_bits(uint64_t key, uint64_t stream, uint32_t round, uint32_t half) {
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_SHUFFLE, key, stream << 32 | half, round, bits);
  return (uint32_t)(bits[0] >> 32);
}

/* Numbers of `width` bits: eight rounds in which the halves take turns, and before them a coin that
 * exchanges 0 and 1, since the network makes even permutations only. */
static uint32_t feistel(uint64_t key, uint64_t stream, uint32_t width, uint32_t x) {
  const uint32_t low_width = width / 2, high_width = width - low_width;
  const uint32_t low_mask = (1u << low_width) - 1, high_mask = (1u << high_width) - 1;
  if (x < 2) x ^= round_bits(key, stream, 8, 0) & 1;
  uint32_t low = x & low_mask, high = x >> low_width;
  for (uint32_t round = 0; round < 8; round += 2) {
    high ^= round_bits(key, stream, round, low) & high_mask;
    low ^= round_bits(key, stream, round + 1, high) & low_mask;
  }
  return high << low_width | low;
}

/* Durstenfeld's shuffle, of which only the way of x is followed: place i, from the last on, changes
 * with a place up to i. */
static uint32_t shuffle(uint64_t key, uint64_t stream, uint32_t count, uint32_t x) {
  uint64_t bits[2] = {0};
  for (uint32_t i = count - 1, used = 0; i > 0; i--, used++) {
    if (used % 4 == 0) omr_draw_for(OMR_FOR_SHUFFLE, key, stream << 32 | used, 9, bits);
    const uint32_t draw = (uint32_t)(bits[used % 4 / 2] >> 32 * (used % 2));
    const uint32_t j = (uint32_t)((uint64_t)draw * (i + 1) >> 32);
    x = x == i ? j : x == j ? i : x;
  }
  return x;
}

uint32_t omr_permute(uint64_t key, uint64_t stream, uint64_t count, uint32_t x) {
  if (count <= FEW) return shuffle(key, stream, (uint32_t)count, x);
  uint32_t width = 0;
  while ((uint64_t)1 << width < count) width++;
  do x = feistel(key, stream, width, x);
  while (x >= count);
  return x;
}

uint32_t omr_latin_stratum(uint64_t seed, uint32_t dimension, uint64_t count, uint32_t k) {
  return omr_permute(seed, dimension, count, k);
}

/* 20 bits of the offset leave stratum + offset exact below 2^32. */
double omr_latin_point(uint64_t seed, uint32_t dimension, uint64_t count, uint32_t k,
                       uint32_t stratum) {
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_STRATUM, seed, k, dimension, bits);
  const double offset = ((double)(bits[0] >> 44) + 0.5) * 0x1p-20;
  return ((double)stratum + offset) / (double)count;
}
