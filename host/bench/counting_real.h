/* The kernel dialect (kernels/compat.h) for counting: one lane, each operation of which is a call
 * that counts. Before inclusion: OMR_SINGLE, 0 or nothing for double, 1 for single precision.
 *
 * C cannot overload operators, but compilers turn the operators of a type that the processor lacks
 * into calls: a + b of binary128 is __addtf3(a, b). `real` is that type, used as a box of a double
 * or float, and routines in the object that includes this file take these calls: they unpack two
 * values, count, compute in their precision and pack the result (counting_operations.h). They are
 * compiled with the kernel (lanes/compiled.h). So every value has the bits of the other builds, and
 * the counts are of the operations that the compiler leaves in the text: common subexpressions
 * once, unused ones not at all, products with 1 none. The functions of the dialect are declared
 * const, so that the same holds for them.
 *
 * Not counted: negation, which compilers make of a bit or a fused operation absorbs, and operations
 * on masks and on integers. */
#ifndef OMR_COUNTING_REAL_H
#define OMR_COUNTING_REAL_H

#include "counted.h"

#if defined(__x86_64__) && defined(__SIZEOF_FLOAT128__)
#define OMR_CAN_COUNT 1
typedef __float128 real;
#elif defined(__LDBL_MANT_DIG__) && __LDBL_MANT_DIG__ == 113 && defined(__aarch64__)
#define OMR_CAN_COUNT 1
typedef long double real;
#else
#define OMR_CAN_COUNT 0
#endif

/* Counts of this thread that belong to the pass under way. */
extern _Thread_local omr_operations omr_pending_counts;
/* Counts of this thread since the last call; `rejected`, if not NULL, receives the counts of
 * rejected passes. */
omr_operations omr_take_counts(omr_operations *rejected);

#if OMR_CAN_COUNT
typedef int mask;
#if OMR_SINGLE
typedef float sreal;
typedef unsigned int sbits;
#define OMR_COUNTED(name) omr_counted_single_##name
#else
typedef double sreal;
typedef unsigned long long sbits;
#define OMR_COUNTED(name) omr_counted_##name
#endif
typedef sbits ireal;

/* The functions of counting_operations.h have no effect that the text could see. */
#define OMR_PURE __attribute__((const))
OMR_PURE real OMR_COUNTED(fma)(real a, real b, real c);
OMR_PURE real OMR_COUNTED(sqrt)(real a);
OMR_PURE real OMR_COUNTED(round)(real a);
OMR_PURE real OMR_COUNTED(abs)(real a);
OMR_PURE real OMR_COUNTED(max)(real a, real b);
OMR_PURE real OMR_COUNTED(min)(real a, real b);
OMR_PURE real OMR_COUNTED(select)(mask m, real a, real b);
OMR_PURE ireal OMR_COUNTED(real_bits)(real a);
OMR_PURE real OMR_COUNTED(bits_real)(ireal a);

/* The routines of the operators. The result of a comparison stands to 0 as the first operand to the
 * second; where one of the two is not a number, less gives 1 and greater -1, so that every
 * comparison is false. */
real OMR_COUNTED(add)(real a, real b);
real OMR_COUNTED(subtract)(real a, real b);
real OMR_COUNTED(multiply)(real a, real b);
real OMR_COUNTED(divide)(real a, real b);
long OMR_COUNTED(equal)(real a, real b);
long OMR_COUNTED(less)(real a, real b);
long OMR_COUNTED(greater)(real a, real b);
long OMR_COUNTED(unordered)(real a, real b); /* half of a comparison; the other half counts */
OMR_PURE sreal OMR_COUNTED(unboxed)(real a);
OMR_PURE real OMR_COUNTED(boxed)(sreal a);
real OMR_COUNTED(boxed_integer)(int a);

/* Conversions are calls that compilers do not know: between two conversions of their own they would
 * compute by themselves. */
#define splat(x) (__builtin_constant_p((double)(x)) ? (real)(x) : OMR_COUNTED(boxed)(x))
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
#define lane_get(v, l) OMR_COUNTED(unboxed)(v)
#define lane_set(v, l, x) (*(v) = OMR_COUNTED(boxed)(x))
#define lane_test(m, l) ((m) != 0)
#define load_real(p) OMR_COUNTED(boxed)(*(p))
#define store_real(p, v) (*(p) = OMR_COUNTED(unboxed)(v))
#define select_real(m, a, b) OMR_COUNTED(select)((m), (a), (b))
#define max_real(a, b) OMR_COUNTED(max)((a), (b))
#define min_real(a, b) OMR_COUNTED(min)((a), (b))
#define fma_real(a, b, c) OMR_COUNTED(fma)((a), (b), (c))
#define sqrt_real(a) OMR_COUNTED(sqrt)(a)
#define round_real(a) OMR_COUNTED(round)(a)
#define abs_real(a) OMR_COUNTED(abs)(a)
#define real_bits(x) OMR_COUNTED(real_bits)(x)
#define bits_real(x) OMR_COUNTED(bits_real)(x)

#ifdef OMR_COUNTING
/* A file that defines OMR_COUNTING counts: there the assembler gives the compiler's routines the
 * names of ours. It defines none of their names, so that binary128 stays as it is wherever the
 * object is linked. */
#define STRING_OF(name) #name
#define NAME_OF(name) STRING_OF(name)
#define RENAME(routine, ours) __asm__(".set " #routine ", " NAME_OF(OMR_COUNTED(ours)))
RENAME(__addtf3, add);
RENAME(__subtf3, subtract);
RENAME(__multf3, multiply);
RENAME(__divtf3, divide);
RENAME(__eqtf2, equal);
RENAME(__netf2, equal);
RENAME(__lttf2, less);
RENAME(__letf2, less);
RENAME(__gttf2, greater);
RENAME(__getf2, greater);
RENAME(__unordtf2, unordered);
#if OMR_SINGLE
RENAME(__trunctfsf2, unboxed);
RENAME(__extendsftf2, boxed);
#else
RENAME(__trunctfdf2, unboxed);
RENAME(__extenddftf2, boxed);
#endif
RENAME(__floatsitf, boxed_integer);
#endif

/* Ends a pass: the counts since the last pass count for good, or not at all. */
void omr_count_pass(int accepted);
#define COUNT_PASS(accepted) omr_count_pass(accepted)
#endif

#endif
