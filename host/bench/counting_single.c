/* The operations of the counting dialect in single precision. */
#define OMR_SINGLE 1
#include "counting_operations.h"

#if OMR_CAN_COUNT
/* In double. */
OMR_PURE double omr_counted_unboxed(real a);
OMR_PURE real omr_counted_boxed(double a);

/* A box holds a float, or a constant that the compiler folded, whose double has enough digits to be
 * rounded again. */
float omr_counted_single_unboxed(real a) {
  return (float)omr_counted_unboxed(a);
}

real omr_counted_single_boxed(float a) {
  return omr_counted_boxed((double)a);
}
#endif
