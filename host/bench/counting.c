/* Counts, and the operations of the counting dialect in double. */
#include "counting_operations.h"

_Thread_local omr_operations omr_pending_counts;

/* Counts of accepted and of rejected passes of this thread. */
static _Thread_local omr_operations accepted_counts, rejected_counts;

__attribute__((visibility("default"))) omr_operations omr_take_counts(omr_operations *rejected) {
  const omr_operations taken = accepted_counts;
  if (rejected) *rejected = rejected_counts;
  memset(&omr_pending_counts, 0, sizeof omr_pending_counts);
  memset(&accepted_counts, 0, sizeof accepted_counts);
  memset(&rejected_counts, 0, sizeof rejected_counts);
  return taken;
}

#if OMR_CAN_COUNT
void omr_count_pass(int accepted) {
  omr_operations_add(accepted ? &accepted_counts : &rejected_counts, &omr_pending_counts);
  memset(&omr_pending_counts, 0, sizeof omr_pending_counts);
}

/* binary128: sign, 15 bits of exponent, 112 of fraction, as two words, the lower first. A double
 * fits in exactly, its subnormals as normal numbers. */
typedef struct box {
  unsigned long long low, high;
} box;

#define SIGN 0x8000000000000000ULL
#define FRACTION 0x000fffffffffffffULL
#define BIAS_DIFFERENCE (16383 - 1023)

double omr_counted_unboxed(real a) {
  box b;
  double value;

  /* Take sign, exponent and fraction apart. */
  memcpy(&b, &a, sizeof b);
  const unsigned long long sign = b.high & SIGN;
  const long exponent = (long)(b.high >> 48 & 0x7fff) - BIAS_DIFFERENCE;
  unsigned long long bits = (b.high & 0xffffffffffffULL) << 4 | b.low >> 60;
  const unsigned long long rest = b.low << 4;

  /* Round to the 53 digits of a double, ties to even. */
  if (exponent == 0x7fff - BIAS_DIFFERENCE) { /* infinite or not a number */
    bits |= 0x7ffULL << 52;
  } else if (exponent > 0 &&
             exponent <
                 0x7ff) { /* constants that the compiler folded have more digits than a double */
    bits |= (unsigned long long)exponent << 52;
    bits += rest > SIGN || (rest == SIGN && (bits & 1));
  } else if (exponent >= 0x7ff) {
    bits = 0x7ffULL << 52;
  } else if (exponent > -53) { /* subnormal as double */
    const int shift = (int)(1 - exponent);
    bits |= 1ULL << 52;
    const unsigned long long lost = bits & ((1ULL << shift) - 1), half = 1ULL << (shift - 1);
    bits >>= shift;
    bits += lost > half || (lost == half && (rest || (bits & 1)));
  } else {
    bits = 0;
  }

  bits |= sign;
  memcpy(&value, &bits, sizeof value);
  return value;
}

real omr_counted_boxed(double a) {
  unsigned long long bits;
  real value;
  memcpy(&bits, &a, sizeof bits);

  /* Take the double apart. */
  unsigned long long fraction = bits & FRACTION;
  unsigned long long exponent = bits >> 52 & 0x7ff;
  box b = {.high = bits & SIGN};

  /* Move to the exponent of binary128, where subnormals are normal numbers. */
  if (exponent == 0x7ff) {
    exponent = 0x7fff;
  } else if (exponent) {
    exponent += BIAS_DIFFERENCE;
  } else if (fraction) {
    const int shift = __builtin_clzll(fraction) - 11;
    fraction = fraction << shift & FRACTION;
    exponent = (unsigned long long)(BIAS_DIFFERENCE + 1 - shift);
  }

  /* The fraction fills the upper 52 of 112 bits. */
  b.high |= exponent << 48 | fraction >> 4;
  b.low = fraction << 60;
  memcpy(&value, &b, sizeof value);
  return value;
}
#endif
