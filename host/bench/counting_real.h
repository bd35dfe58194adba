/* The kernel dialect (kernels/compat.h) for counting: one lane in double whose every operation is a call that counts.
 *
 * C has no operators to overload, but compilers make calls of the operators of a type that the processor does not have:
 * a + b of binary128 is __addtf3(a, b). `real` is that type, used as a box of a double, and these calls go to routines of our
 * own in the object that includes this file (counting_object.c): they unpack two doubles, count, compute in double and pack the
 * result (counting.c). So every value has the bits of the double build, and what is counted is what the compiler leaves of the
 * text: common subexpressions once, unused ones not at all, products with 1 none. What the dialect has as functions is
 * declared const, so that the same holds for them.
 *
 * Not counted: negation, which compilers make of a bit or a fused operation absorbs, and operations on masks and on integers. */
#ifndef OMR_COUNTING_REAL_H
#define OMR_COUNTING_REAL_H

#include "count.h"

#if defined(__x86_64__) && defined(__SIZEOF_FLOAT128__)
#define OMR_CAN_COUNT 1
typedef __float128 real;
#elif defined(__LDBL_MANT_DIG__) && __LDBL_MANT_DIG__ == 113 && defined(__aarch64__)
#define OMR_CAN_COUNT 1
typedef long double real;
#else
#define OMR_CAN_COUNT 0
#endif

#if OMR_CAN_COUNT
typedef int mask;
typedef unsigned long long sbits;
typedef sbits ireal;

/* counting.c. They have no effect that the text could see. */
#define OMR_PURE __attribute__((const))
OMR_PURE real omr_counted_fma(real a, real b, real c);
OMR_PURE real omr_counted_sqrt(real a);
OMR_PURE real omr_counted_round(real a);
OMR_PURE real omr_counted_abs(real a);
OMR_PURE real omr_counted_max(real a, real b);
OMR_PURE real omr_counted_min(real a, real b);
OMR_PURE real omr_counted_select(mask m, real a, real b);
OMR_PURE ireal omr_counted_real_bits(real a);
OMR_PURE real omr_counted_bits_real(ireal a);

/* What the operators become. The results of comparisons stand to 0 as the first operand to the second; where one of the two is
 * not a number, less gives 1 and greater -1, so that every comparison is false. */
real omr_counted_add(real a, real b);
real omr_counted_subtract(real a, real b);
real omr_counted_multiply(real a, real b);
real omr_counted_divide(real a, real b);
long omr_counted_equal(real a, real b);
long omr_counted_less(real a, real b);
long omr_counted_greater(real a, real b);
long omr_unordered(real a, real b); /* half of a comparison; the other half counts */
OMR_PURE double omr_unboxed(real a);
OMR_PURE real omr_boxed(double a);
real omr_boxed_integer(int a);

/* Conversions are calls that compilers do not know: what stands between two of theirs they would compute in double. */
#define splat(x) (__builtin_constant_p(x) ? (real)(x) : omr_boxed(x))
#define lt(a, b) ((a) < (b))
#define le(a, b) ((a) <= (b))
#define gt(a, b) ((a) > (b))
#define ge(a, b) ((a) >= (b))
#define eq(a, b) ((a) == (b))
#define bit_test(i, b) (((i) & (sbits)(b)) != 0)
#define mask_and(a, b) ((a) & (b))
#define mask_or(a, b) ((a) | (b))
#define mask_not(a) (!(a))
#define any_lane(m) ((m) != 0)
#define all_lanes(m) ((m) != 0)
#define lane_get(v, l) omr_unboxed(v)
#define lane_set(v, l, x) (*(v) = omr_boxed(x))
#define lane_test(m, l) ((m) != 0)
#define load_real(p) omr_boxed(*(p))
#define store_real(p, v) (*(p) = omr_unboxed(v))
#define select_real(m, a, b) omr_counted_select((m), (a), (b))
#define max_real(a, b) omr_counted_max((a), (b))
#define min_real(a, b) omr_counted_min((a), (b))
#define fma_real(a, b, c) omr_counted_fma((a), (b), (c))
#define sqrt_real(a) omr_counted_sqrt(a)
#define round_real(a) omr_counted_round(a)
#define abs_real(a) omr_counted_abs(a)
#define real_bits(x) omr_counted_real_bits(x)
#define bits_real(x) omr_counted_bits_real(x)

#ifdef OMR_COUNTING
/* A file that defines OMR_COUNTING is one that counts: there the assembler gives the compiler's own routines the names of ours.
 * It defines none of their names, so that binary128 stays what it is wherever the object is linked. */
#define RENAME(routine, ours) __asm__(".set " #routine ", " #ours)
RENAME(__addtf3, omr_counted_add);
RENAME(__subtf3, omr_counted_subtract);
RENAME(__multf3, omr_counted_multiply);
RENAME(__divtf3, omr_counted_divide);
RENAME(__eqtf2, omr_counted_equal);
RENAME(__netf2, omr_counted_equal);
RENAME(__lttf2, omr_counted_less);
RENAME(__letf2, omr_counted_less);
RENAME(__gttf2, omr_counted_greater);
RENAME(__getf2, omr_counted_greater);
RENAME(__unordtf2, omr_unordered);
RENAME(__trunctfdf2, omr_unboxed);
RENAME(__extenddftf2, omr_boxed);
RENAME(__floatsitf, omr_boxed_integer);
#endif

/* Where a pass ends: what was counted since the last one counts for good, or not at all. */
void omr_count_pass(int accepted);
#define COUNT_PASS(accepted) omr_count_pass(accepted)
#endif

#endif
