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

real OMR_COUNTED(add)(real a, real b) {
  omr_pending_counts.add++;
  return OMR_COUNTED(boxed)(OMR_COUNTED(unboxed)(a) + OMR_COUNTED(unboxed)(b));
}

real OMR_COUNTED(subtract)(real a, real b) {
  omr_pending_counts.add++;
  return OMR_COUNTED(boxed)(OMR_COUNTED(unboxed)(a) - OMR_COUNTED(unboxed)(b));
}

real OMR_COUNTED(multiply)(real a, real b) {
  omr_pending_counts.multiply++;
  return OMR_COUNTED(boxed)(OMR_COUNTED(unboxed)(a) * OMR_COUNTED(unboxed)(b));
}

real OMR_COUNTED(divide)(real a, real b) {
  omr_pending_counts.divide++;
  return OMR_COUNTED(boxed)(OMR_COUNTED(unboxed)(a) / OMR_COUNTED(unboxed)(b));
}

static long compare(real a, real b, long unordered) {
  const sreal x = OMR_COUNTED(unboxed)(a), y = OMR_COUNTED(unboxed)(b);
  omr_pending_counts.compare++;
  return x < y ? -1 : x > y ? 1 : x == y ? 0 : unordered;
}

long OMR_COUNTED(equal)(real a, real b) {
  return compare(a, b, 1);
}

long OMR_COUNTED(less)(real a, real b) {
  return compare(a, b, 1);
}

long OMR_COUNTED(greater)(real a, real b) {
  return compare(a, b, -1);
}

long OMR_COUNTED(unordered)(real a, real b) {
  return __builtin_isunordered(OMR_COUNTED(unboxed)(a), OMR_COUNTED(unboxed)(b));
}

real OMR_COUNTED(fma)(real a, real b, real c) {
  omr_pending_counts.fma++;
  return OMR_COUNTED(boxed)(
      BUILTIN(fma)(OMR_COUNTED(unboxed)(a), OMR_COUNTED(unboxed)(b), OMR_COUNTED(unboxed)(c)));
}

real OMR_COUNTED(sqrt)(real a) {
  omr_pending_counts.sqrt++;
  return OMR_COUNTED(boxed)(BUILTIN(sqrt)(OMR_COUNTED(unboxed)(a)));
}

real OMR_COUNTED(round)(real a) {
  omr_pending_counts.round++;
  return OMR_COUNTED(boxed)(BUILTIN(rint)(OMR_COUNTED(unboxed)(a)));
}

real OMR_COUNTED(abs)(real a) {
  omr_pending_counts.sign++;
  return OMR_COUNTED(boxed)(BUILTIN(fabs)(OMR_COUNTED(unboxed)(a)));
}

real OMR_COUNTED(max)(real a, real b) {
  omr_pending_counts.minmax++;
  return OMR_COUNTED(unboxed)(a) > OMR_COUNTED(unboxed)(b) ? a : b;
}

real OMR_COUNTED(min)(real a, real b) {
  omr_pending_counts.minmax++;
  return OMR_COUNTED(unboxed)(a) < OMR_COUNTED(unboxed)(b) ? a : b;
}

real OMR_COUNTED(select)(mask m, real a, real b) {
  omr_pending_counts.select++;
  return m ? a : b;
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
