/* Kernel dialect: makes one text of OpenCL C, scalar C and lane C.
 *
 * The kernel text is written on `real` (a pack of OMR_LANES values), `mask` (the result of a
 * comparison) and `sreal` (one value in memory). It compiles as OpenCL C 1.2 and as C17 with gcc or
 * clang. Before inclusion:
 *   OMR_LANES   1, or the number of lanes of a pack (2, 4, 8, 16)
 *   OMR_SINGLE  0 double, 1 single precision
 *   OMR_FAST    defined in builds of fast numerics, which need not give these bits
 *
 * Floating-point contraction is off; the text says fma_real where it wants a fused operation. Every
 * operation below is correctly rounded (or exact), so that all builds give the same bits. min and
 * max are the comparisons a < b ? a : b and a > b ? a : b also for NaN, as in the vector
 * instructions. */

#define OMR_CAT_(a, b) a##b
#define OMR_CAT(a, b) OMR_CAT_(a, b)

#if defined(__OPENCL_C_VERSION__)
#if !defined(OMR_FAST)
#pragma OPENCL FP_CONTRACT OFF
#endif
#if !OMR_SINGLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define GLOBAL __global
#define TABLE __constant
#define FN static inline __attribute__((always_inline))
#define UNROLL _Pragma("unroll")
#define UNROLL_ALL UNROLL
#define UNROLL_SHORT UNROLL
#define UNROLL_DEVICE UNROLL
#define UNROLL_COLUMNS UNROLL
#else
#if OMR_LANES > 1 && defined(__x86_64__)
#include <immintrin.h>
#elif OMR_LANES > 1 && defined(__aarch64__)
#include <arm_neon.h>
#endif
#define GLOBAL
#define TABLE static const
#define FN static inline __attribute__((always_inline, unused))
#define FN_COLD static __attribute__((noinline, unused))
/* UNROLL_SHORT: loops of constant length, which general objects unroll too. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#define UNROLL_ALL UNROLL
#define UNROLL_SHORT _Pragma("clang loop unroll(full)")
#define UNROLL_COLUMNS UNROLL_SHORT
#define UNROLL_BY_FOUR _Pragma("clang loop unroll_count(4)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#define UNROLL_ALL _Pragma("GCC unroll 64") /* loops over everything that is integrated */
#define UNROLL_SHORT _Pragma("GCC unroll 16")
#define UNROLL_COLUMNS _Pragma("GCC unroll 128") /* copies of columns, which fold away */
#define UNROLL_BY_FOUR _Pragma("GCC unroll 4")
#endif
#endif
#ifndef FN_COLD
#define FN_COLD FN
#endif
/* Functions that are called on devices too, so that their text is there once. Their pointers lead
 * to memory there: they work on copies of the time loop's registers (edge.h). */
#if defined(__OPENCL_C_VERSION__)
#define FN_CALL static __attribute__((noinline))
#else
#define FN_CALL FN_COLD
#endif
/* Rarely run loops over wheels and columns: a device keeps an array in registers only if no loop
 * indexes it by a variable. */
#ifndef UNROLL_DEVICE
#define UNROLL_DEVICE
#endif

/* An unsigned integer of 64 bits, in every language and on every machine. */
#if defined(__OPENCL_C_VERSION__)
typedef ulong bits64;
#else
typedef unsigned long long bits64;
#endif

/* Of two pieces of text the one for the build's precision. */
#if OMR_SINGLE
#define BY_PRECISION(in_single, in_double) in_single
#define LIT(x) OMR_CAT(x, f)
#else
#define BY_PRECISION(in_single, in_double) in_double
#define LIT(x) x
#endif
typedef BY_PRECISION(float, double) sreal;
typedef BY_PRECISION(unsigned int, bits64) sbits;

/* A literal of the build's precision as a pack, and one with a value for each precision. */
#define R(x) splat(LIT(x))
#define R_BY(in_single, in_double) R(BY_PRECISION(in_single, in_double))

#if defined(__OPENCL_C_VERSION__) || (OMR_LANES == 1 && !defined(OMR_COUNTING))
/* The language's own operations, in packs or, below, in single values. */
#define splat(x) ((real)(x))
#define lt(a, b) ((a) < (b))
#define le(a, b) ((a) <= (b))
#define gt(a, b) ((a) > (b))
#define ge(a, b) ((a) >= (b))
#define eq(a, b) ((a) == (b))
#define bit_test(i, b) (((i) & (sbits)(b)) != 0)
#define mask_and(a, b) ((a) & (b))
#define mask_or(a, b) ((a) | (b))
#if OMR_LANES == 1
typedef sreal real;
typedef int mask;
typedef sbits ireal;
#define mask_not(a) (!(a))
#define any_lane(m) ((m) != 0)
#define all_lanes(m) ((m) != 0)
#define load_real(at) (*(at))
#define store_real(at, pack) (*(at) = (pack))
#define lane_get(pack, l) (pack)
#define lane_set(pack, l, x) (*(pack) = (x))
#define lane_test(m, l) ((m) != 0)
#endif
#endif

#if defined(__OPENCL_C_VERSION__) /* ------------------------------------------------ OpenCL C */

#if OMR_LANES == 1
#define select_real(m, a, b) ((m) ? (a) : (b))
#define OMR_AS(type, x) OMR_CAT(as_, type)(x)
#else
typedef OMR_CAT(BY_PRECISION(float, double), OMR_LANES) real;
typedef OMR_CAT(BY_PRECISION(int, long), OMR_LANES) mask;
typedef OMR_CAT(BY_PRECISION(uint, ulong), OMR_LANES) ireal;
#define OMR_AS(type, x) OMR_CAT(OMR_CAT(as_, type), OMR_LANES)(x)
#define select_real(m, a, b) select((b), (a), (m))
#define mask_not(a) (~(a))
#define any_lane(m) (any(m) != 0)
#define all_lanes(m) (all(m) != 0)
#define load_real(at) OMR_CAT(vload, OMR_LANES)(0, (at))
#define store_real(at, pack) OMR_CAT(vstore, OMR_LANES)((pack), 0, (at))
FN sreal lane_get(real pack, int l) {
  return ((const sreal *)&pack)[l];
}
FN void lane_set(real *pack, int l, sreal x) {
  ((sreal *)pack)[l] = x;
}
FN int lane_test(mask m, int l) {
  return ((const BY_PRECISION(int, long) *)&m)[l] != 0;
}
#endif
#define fma_real(a, b, addend) fma((a), (b), (addend))
#define sqrt_real(a) sqrt(a)
#define round_real(a) rint(a)
#define abs_real(a) fabs(a)
#define max_real(a, b) select_real(gt((a), (b)), (a), (b))
#define min_real(a, b) select_real(lt((a), (b)), (a), (b))
#define real_bits(x) OMR_AS(BY_PRECISION(uint, ulong), x)
#define bits_real(x) OMR_AS(BY_PRECISION(float, double), x)

#elif defined(OMR_COUNTING) /* --------------------------------------------- scalar C whose        \
                               operations count */

/* host/bench/counting_real.h has defined it */

#elif OMR_LANES == 1 /* --------------------------------------------------------------- scalar C   \
                      */

#define OMR_BUILTIN(name) OMR_CAT(__builtin_##name, BY_PRECISION(f, ))
FN real select_real(mask m, real a, real b) {
  return m ? a : b;
}
FN real max_real(real a, real b) {
  return a > b ? a : b;
}
FN real min_real(real a, real b) {
  return a < b ? a : b;
}
FN real fma_real(real a, real b, real addend) {
  return OMR_BUILTIN(fma)(a, b, addend);
}
FN real sqrt_real(real a) {
  return OMR_BUILTIN(sqrt)(a);
}
FN real round_real(real a) {
  return OMR_BUILTIN(rint)(a);
}
FN real abs_real(real a) {
  return OMR_BUILTIN(fabs)(a);
}
FN ireal real_bits(real x) {
  ireal result;
  __builtin_memcpy(&result, &x, sizeof result);
  return result;
}
FN real bits_real(ireal x) {
  real result;
  __builtin_memcpy(&result, &x, sizeof result);
  return result;
}

#else /* -------------------------------------------------------------------------------- lanes in \
         C */

typedef sreal real __attribute__((vector_size(OMR_LANES * sizeof(sreal))));
typedef BY_PRECISION(int, long long) smask;
#define OMR_BUILTIN(name) OMR_CAT(__builtin_##name, BY_PRECISION(f, ))
typedef sbits ireal __attribute__((vector_size(OMR_LANES * sizeof(sbits))));
#define real_bits(x) ((ireal)(x))
#define bits_real(x) ((real)(x))
#define lane_get(pack, l) ((pack)[l])
#define load_real(at) (*(const real *)(at))
#define store_real(at, pack) (*(real *)(at) = (pack))
FN real splat(sreal x) {
  return x - (real){0};
}

#if defined(__AVX512F__) && OMR_LANES * (OMR_SINGLE ? 4 : 8) == 64
#define OMR_VEC(name) OMR_CAT(_mm512_##name, BY_PRECISION(_ps, _pd))
#define OMR_VECMASK(name) OMR_CAT(OMR_VEC(name), _mask)
typedef BY_PRECISION(__mmask16, __mmask8) mask;
#define lt(a, b) OMR_VECMASK(cmp)((a), (b), _CMP_LT_OQ)
#define le(a, b) OMR_VECMASK(cmp)((a), (b), _CMP_LE_OQ)
#define gt(a, b) OMR_VECMASK(cmp)((a), (b), _CMP_GT_OQ)
#define ge(a, b) OMR_VECMASK(cmp)((a), (b), _CMP_GE_OQ)
#define eq(a, b) OMR_VECMASK(cmp)((a), (b), _CMP_EQ_OQ)
#if OMR_SINGLE
#define bit_test(i, b) _mm512_test_epi32_mask((__m512i)(i), _mm512_set1_epi32(b))
#else
#define bit_test(i, b) _mm512_test_epi64_mask((__m512i)(i), _mm512_set1_epi64(b))
#endif
#define mask_and(a, b) ((mask)((a) & (b)))
#define mask_or(a, b) ((mask)((a) | (b)))
#define mask_not(a) ((mask)(~(a)))
#define any_lane(m) ((m) != 0)
#define all_lanes(m) ((m) == (mask)((1 << OMR_LANES) - 1))
#define lane_test(m, l) (((m) >> (l)) & 1)
#define lane_bits(m) ((int)(m))
#define lane_set(pack, l, x)                                                                       \
  (*(pack) = OMR_VEC(mask_blend)((mask)(1 << (l)), *(pack),                                        \
                                 splat(x))) /* a store of one lane would be waited for */
#define select_real(m, a, b) OMR_VEC(mask_blend)((m), (b), (a))
#define max_real(a, b) OMR_VEC(max)((a), (b))
#define min_real(a, b) OMR_VEC(min)((a), (b))
#define fma_real(a, b, addend) OMR_VEC(fmadd)((a), (b), (addend))
#define sqrt_real(a) OMR_VEC(sqrt)(a)
#define round_real(a) OMR_VEC(roundscale)((a), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define abs_real(a) OMR_VEC(abs)(a)

#else /* vector_size with or without AVX2 intrinsics */

#define lane_set(pack, l, x) ((*(pack))[l] = (x))

typedef smask mask __attribute__((vector_size(OMR_LANES * sizeof(smask))));
#define lt(a, b) ((mask)((a) < (b)))
#define le(a, b) ((mask)((a) <= (b)))
#define gt(a, b) ((mask)((a) > (b)))
#define ge(a, b) ((mask)((a) >= (b)))
#define eq(a, b) ((mask)((a) == (b)))
#define bit_test(i, b) ((mask)(((i) & (sbits)(b)) != 0))
#define mask_and(a, b) ((a) & (b))
#define mask_or(a, b) ((a) | (b))
#define mask_not(a) (~(a))
#define lane_test(m, l) ((m)[l] != 0)
#if defined(__AVX2__) && defined(__FMA__) && OMR_LANES * (OMR_SINGLE ? 4 : 8) == 32
#define OMR_VEC(name) OMR_CAT(_mm256_##name, BY_PRECISION(_ps, _pd))
#define lane_bits(m) OMR_VEC(movemask)((real)(m))
#define any_lane(m) (OMR_VEC(movemask)((real)(m)) != 0)
#define all_lanes(m) (OMR_VEC(movemask)((real)(m)) == (1 << OMR_LANES) - 1)
#define select_real(m, a, b) OMR_VEC(blendv)((b), (a), (real)(m))
#define max_real(a, b) OMR_VEC(max)((a), (b))
#define min_real(a, b) OMR_VEC(min)((a), (b))
#define fma_real(a, b, addend) OMR_VEC(fmadd)((a), (b), (addend))
#define sqrt_real(a) OMR_VEC(sqrt)(a)
#define round_real(a) OMR_VEC(round)((a), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#else
#if defined(__aarch64__) && OMR_LANES * (OMR_SINGLE ? 4 : 8) == 16
/* NEON: instructions that compilers do not make of the plain text, which they fuse lane by lane. */
#define any_lane(m) (vmaxvq_u32((uint32x4_t)(m)) != 0)
#define all_lanes(m) (vminvq_u32((uint32x4_t)(m)) != 0)
FN real fma_real(real a, real b, real addend) {
#if OMR_SINGLE
  return (real)vfmaq_f32((float32x4_t)addend, (float32x4_t)a, (float32x4_t)b);
#else
  return (real)vfmaq_f64((float64x2_t)addend, (float64x2_t)a, (float64x2_t)b);
#endif
}
#else /* one call for thousands of uses, most of the compiler's time otherwise: FN_COLD */
FN int any_lane(mask m) {
  int result = 0;
  for (int l = 0; l < OMR_LANES; l++) result |= m[l] != 0;
  return result;
}
FN int all_lanes(mask m) {
  int result = 1;
  for (int l = 0; l < OMR_LANES; l++) result &= m[l] != 0;
  return result;
}
#if defined(__x86_64__) && OMR_LANES * (OMR_SINGLE ? 4 : 8) == 16
#define OMR_FMA_BY_PROCESSOR 1
/* The instruction, where the processor has it though this text may not count on it; elsewhere the C
 * library computes the same bits, lane by lane. */
static __attribute__((noinline, target("fma"))) real fma_of_processor(real a, real b, real addend) {
#if OMR_SINGLE
  return (real)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)addend);
#else
  return (real)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)addend);
#endif
}
#endif
FN_COLD real fma_real(real a, real b, real addend) {
  real result;
#ifdef OMR_FMA_BY_PROCESSOR
  if (__builtin_cpu_supports("fma")) return fma_of_processor(a, b, addend);
#endif
  for (int l = 0; l < OMR_LANES; l++) result[l] = OMR_BUILTIN(fma)(a[l], b[l], addend[l]);
  return result;
}
#endif
FN real select_real(mask m, real a, real b) {
  return (real)((m & (mask)a) | (~m & (mask)b));
}
FN real max_real(real a, real b) {
  return select_real(gt(a, b), a, b);
}
FN real min_real(real a, real b) {
  return select_real(lt(a, b), a, b);
}
FN real sqrt_real(real a) {
  real result;
  for (int l = 0; l < OMR_LANES; l++) result[l] = OMR_BUILTIN(sqrt)(a[l]);
  return result;
}
FN real round_real(real a) {
  real result;
  for (int l = 0; l < OMR_LANES; l++) result[l] = OMR_BUILTIN(rint)(a[l]);
  return result;
}
#endif
FN real abs_real(real a) {
  return (real)((ireal)a & (~(sbits)0 >> 1));
}
#endif
#endif

/* One turn for each lane of the mask; the bits of a mask lead there without a guess at every lane.
 */
#ifdef lane_bits
#define EACH_LANE(m, l)                                                                            \
  for (int l##_left = lane_bits(m), l = 0; l##_left && (l = __builtin_ctz((unsigned)l##_left), 1); \
       l##_left &= l##_left - 1)
#else
#define EACH_LANE(m, l)                                                                            \
  for (int l = 0; l < OMR_LANES; l++)                                                              \
    if (lane_test((m), l))
#endif

/* Asks for memory that will soon be read and written. */
#if defined(__OPENCL_C_VERSION__)
#define PREFETCH(at)
#else
#define PREFETCH(at) __builtin_prefetch((at), 1)
#endif

/* The end of a pass, for the build that counts operations. */
#ifndef COUNT_PASS
#define COUNT_PASS(accepted)
#endif

/* The integer under a real is unsigned (sbits per value): its shifts and sums wrap and are defined
 * for every value. real_bits and bits_real convert, bit_test(i, b) is the mask of the lanes with
 * any bit of the literal b set. */

/* -1 where x < 0, else 1. */
#define sign_real(x) select_real(lt((x), R(0.0)), R(-1.0), R(1.0))
/* x limited to [lo, hi]. */
#define clamp_real(x, lo, hi) min_real(max_real((x), (lo)), (hi))

/* Takes a value into the largest, or the smallest, of the lanes in `which`. */
FN void take_largest(mask which, real value, real *largest) {
  *largest = select_real(which, max_real(value, *largest), *largest);
}
FN void take_smallest(mask which, real value, real *smallest) {
  *smallest = select_real(which, min_real(value, *smallest), *smallest);
}

FN mask no_lane(void) {
  return lt(R(1.0), R(0.0));
}
