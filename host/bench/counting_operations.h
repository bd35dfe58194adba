/* The operations of the counting dialect, for the precision of the file that includes this
 * (counting.c, counting_single.c). */
#ifndef OMR_COUNTING_OPERATIONS_H
#define OMR_COUNTING_OPERATIONS_H

#include "counting_real.h"

#include <string.h>

#if OMR_CAN_COUNT
#if OMR_SINGLE
#define BUILTIN(name) __builtin_##name##f
#else
#define BUILTIN(name) __builtin_##name
#endif

real OMR_COUNTED(boxed_integer)(int a) {
  return OMR_COUNTED(boxed)((sreal)a);
}

/* A function of the dialect: what it counts as, its result, and its parameters. */
#define OPERATION(name, counted, result, ...)                                                      \
  real OMR_COUNTED(name)(__VA_ARGS__) {                                                            \
    omr_pending_counts.counted++;                                                                  \
    return result;                                                                                 \
  }
#define OPEN(value) OMR_COUNTED(unboxed)(value)
#define BOX(value) OMR_COUNTED(boxed)(value)
OPERATION(add, add, BOX(OPEN(a) + OPEN(b)), real a, real b)
OPERATION(subtract, add, BOX(OPEN(a) - OPEN(b)), real a, real b)
OPERATION(multiply, multiply, BOX(OPEN(a) * OPEN(b)), real a, real b)
OPERATION(divide, divide, BOX(OPEN(a) / OPEN(b)), real a, real b)
OPERATION(fma, fma, BOX(BUILTIN(fma)(OPEN(a), OPEN(b), OPEN(c))), real a, real b, real c)
OPERATION(sqrt, sqrt, BOX(BUILTIN(sqrt)(OPEN(a))), real a)
OPERATION(round, round, BOX(BUILTIN(rint)(OPEN(a))), real a)
OPERATION(abs, sign, BOX(BUILTIN(fabs)(OPEN(a))), real a)
OPERATION(max, minmax, OPEN(a) > OPEN(b) ? a : b, real a, real b)
OPERATION(min, minmax, OPEN(a) < OPEN(b) ? a : b, real a, real b)
OPERATION(select, select, m ? a : b, mask m, real a, real b)

static long compare(real a, real b, long unordered) {
  const sreal x = OMR_COUNTED(unboxed)(a), y = OMR_COUNTED(unboxed)(b);
  omr_pending_counts.compare++;
  return x < y ? -1 : x > y ? 1 : x == y ? 0 : unordered;
}

#define COMPARISON(name, unordered)                                                                \
  long OMR_COUNTED(name)(real a, real b) {                                                         \
    return compare(a, b, unordered);                                                               \
  }
COMPARISON(equal, 1)
COMPARISON(less, 1)
COMPARISON(greater, -1)

long OMR_COUNTED(unordered)(real a, real b) {
  return __builtin_isunordered(OMR_COUNTED(unboxed)(a), OMR_COUNTED(unboxed)(b));
}

ireal OMR_COUNTED(real_bits)(real a) {
  const sreal value = OMR_COUNTED(unboxed)(a);
  ireal bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

real OMR_COUNTED(bits_real)(ireal a) {
  sreal value;
  omr_pending_counts.sign++;
  memcpy(&value, &a, sizeof value);
  return OMR_COUNTED(boxed)(value);
}
#endif

#endif
