#include "exact.h"

#include <math.h>
#include <string.h>

/* 128 bits of an integer. */
__extension__ typedef unsigned __int128 wide;

enum { UNIT = 2148, BITS = 32, SETTLE_AFTER = 1 << 28 };

void omr_exact_settle(omr_exact *sum) {
  int64_t carry = 0;
  for (int i = 0; i < OMR_EXACT_DIGITS - 1; i++) {
    const int64_t digit = sum->digit[i] + carry;
    carry = digit >> BITS; /* towards minus infinity, as all compilers here shift */
    sum->digit[i] = digit & UINT32_MAX;
  }
  sum->digit[OMR_EXACT_DIGITS - 1] += carry;
  sum->added = 0;
}

static void count(omr_exact *sum) {
  if (++sum->added >= SETTLE_AFTER) omr_exact_settle(sum);
}

/* Mantissa and exponent: |value| = mantissa * 2^exponent. */
static uint64_t take_apart(double value, int *exponent, bool *negative) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const int field = (int)(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  *negative = bits >> 63;
  *exponent = (field ? field : 1) - 1075;
  return field ? fraction | (uint64_t)1 << 52 : fraction;
}

/* Adds magnitude * 2^exponent, of 128 bits at most. */
static void add_at(omr_exact *sum, wide magnitude, int exponent, bool negative) {
  const int place = exponent + UNIT, shift = place % BITS;
  int64_t *digit = &sum->digit[place / BITS];

  /* the lowest digit takes what the shift leaves of it */
  wide rest = magnitude >> (BITS - shift);
  const int64_t sign = negative ? -1 : 1;
  *digit++ += sign * (int64_t)((uint64_t)magnitude << shift & UINT32_MAX);
  for (; rest; rest >>= BITS) *digit++ += sign * (int64_t)((uint64_t)rest & UINT32_MAX);
  count(sum);
}

void omr_exact_add(omr_exact *sum, double value) {
  int exponent;
  bool negative;
  const uint64_t mantissa = take_apart(value, &exponent, &negative);
  if (mantissa) add_at(sum, mantissa, exponent, negative);
}

void omr_exact_add_product(omr_exact *sum, double a, double b, int times) {
  int exponent_a, exponent_b;
  bool negative_a, negative_b;
  const uint64_t mantissa_a = take_apart(a, &exponent_a, &negative_a),
                 mantissa_b = take_apart(b, &exponent_b, &negative_b);
  const wide product = (wide)mantissa_a * mantissa_b;
  const unsigned factor = times < 0 ? (unsigned)-times : (unsigned)times;
  if (product && factor)
    add_at(sum, product * factor, exponent_a + exponent_b, negative_a ^ negative_b ^ (times < 0));
}

void omr_exact_join(omr_exact *sum, const omr_exact *other) {
  omr_exact settled = *other;
  omr_exact_settle(&settled);
  for (int i = 0; i < OMR_EXACT_DIGITS; i++) sum->digit[i] += settled.digit[i];
  omr_exact_settle(sum);
}

void omr_exact_subtract(omr_exact *sum, const omr_exact *other) {
  omr_exact settled = *other;
  omr_exact_settle(&settled);
  for (int i = 0; i < OMR_EXACT_DIGITS; i++) sum->digit[i] -= settled.digit[i];
  omr_exact_settle(sum);
}

void omr_exact_scale(omr_exact *sum, uint64_t factor) {
  omr_exact scaled = {{0}, 0};
  omr_exact_settle(sum);
  for (int part = 0; part < 2; part++) {
    const uint64_t digit = part ? factor >> BITS : factor & UINT32_MAX;
    uint64_t carry = 0;
    for (int i = 0; i + part < OMR_EXACT_DIGITS - 1; i++) {
      const uint64_t product = (uint64_t)sum->digit[i] * digit + carry;
      scaled.digit[i + part] += (int64_t)(product & UINT32_MAX);
      carry = product >> BITS;
    }
    /* the last digit has the sign; what is above it cancels with what the one below gives */
    const int64_t last = sum->digit[OMR_EXACT_DIGITS - 1];
    const uint64_t below = (uint64_t)sum->digit[OMR_EXACT_DIGITS - 2];
    const wide top = part ? (wide)below * digit + carry + ((wide)last * digit << BITS)
                          : (wide)last * digit + carry;
    scaled.digit[OMR_EXACT_DIGITS - 1] += (int64_t)(uint64_t)top;
  }
  omr_exact_settle(&scaled);
  *sum = scaled;
}

/* Makes the settled sum positive; true where it was negative. */
static bool take_size(omr_exact *sum) {
  omr_exact_settle(sum);
  if (sum->digit[OMR_EXACT_DIGITS - 1] >= 0) return false;
  for (int i = 0; i < OMR_EXACT_DIGITS; i++) sum->digit[i] = -sum->digit[i];
  omr_exact_settle(sum);
  return true;
}

double omr_exact_value(const omr_exact *sum) {
  omr_exact size = *sum;
  const bool negative = take_size(&size);
  int top = OMR_EXACT_DIGITS - 1;
  while (top >= 0 && size.digit[top] == 0) top--;
  if (top < 0) return 0;

  /* the leading 96 bits, and whether anything is below them */
  wide leading = 0;
  for (int i = 0; i < 3; i++)
    leading = leading << BITS | (uint64_t)(top >= i ? size.digit[top - i] : 0);
  bool below = false;
  for (int i = top - 3; i >= 0 && !below; i--) below = size.digit[i] != 0;

  /* 64 of them with a sticky bit are rounded once by the conversion, or by scalbn below the normal
   * numbers: to 53 bits at most where the result is subnormal */
  int exponent = (top - 2) * BITS - UNIT, cut = 0;
  while (leading >> cut >> 64) cut++;
  const bool lost = below || (leading & (((wide)1 << cut) - 1)) != 0;
  uint64_t mantissa = (uint64_t)(leading >> cut);
  exponent += cut;
  int width = 64;
  while (!(mantissa >> (width - 1))) width--;
  const int keep = exponent + width - 53 < -1074 ? exponent + width + 1074 : 53;
  if (keep < 0) return negative ? -0.0 : 0.0;
  const int drop = width - keep;
  if (drop > 0) {
    const uint64_t half = (uint64_t)1 << (drop - 1), mask = half - 1;
    const bool up = mantissa & half, more = (mantissa & mask) || lost;
    mantissa = drop < 64 ? mantissa >> drop : 0;
    exponent += drop;
    if (up && (more || mantissa & 1)) mantissa++;
  }
  const double value = scalbn((double)mantissa, exponent);

  return negative ? -value : value;
}

double omr_exact_mean(const omr_exact *sum, uint64_t divisor) {
  omr_exact size = *sum;
  const bool negative = take_size(&size);

  /* from the leading digit on; a rest lies below all digits and is marked in the lowest */
  wide rest = 0;
  for (int i = OMR_EXACT_DIGITS - 1; i >= 0; i--) {
    rest = rest << BITS | (uint64_t)size.digit[i];
    size.digit[i] = (int64_t)(rest / divisor);
    rest %= divisor;
  }
  if (rest) size.digit[0] |= 1;

  const double value = omr_exact_value(&size);
  return negative ? -value : value;
}

size_t omr_exact_terms(const omr_exact *sum, double terms[OMR_EXACT_TERMS]) {
  omr_exact rest = *sum;
  size_t count = 0;
  while (count < OMR_EXACT_TERMS) {
    const double term = omr_exact_value(&rest);
    if (term == 0 || !isfinite(term)) break;
    terms[count++] = term;
    omr_exact_add(&rest, -term);
    omr_exact_settle(&rest);
  }
  return count;
}

double omr_exact_scatter(uint64_t n, const omr_exact *x, const omr_exact *y, const omr_exact *xy) {
  double terms_x[OMR_EXACT_TERMS], terms_y[OMR_EXACT_TERMS];
  const size_t count_x = omr_exact_terms(x, terms_x), count_y = omr_exact_terms(y, terms_y);
  omr_exact scatter = *xy;
  omr_exact_scale(&scatter, n);
  for (size_t i = 0; i < count_x; i++)
    for (size_t j = 0; j < count_y; j++)
      omr_exact_add_product(&scatter, terms_x[i], terms_y[j], -1);
  return omr_exact_mean(&scatter, n);
}
