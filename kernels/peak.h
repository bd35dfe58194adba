/* Peak rates of the hardware: a loop of fused multiply-adds and a copy. The yardstick of
 * `omniroll bench`; no part of all.cl.
 *
 * A fused multiply-add waits for its own result 4 cycles or more, so that many chains run side by
 * side: 16 where there are 32 vector registers, else 12, so that chains and factors stay in
 * registers. */

#define PEAK_CHAINS_12(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define PEAK_CHAINS_16(X) PEAK_CHAINS_12(X) X(12) X(13) X(14) X(15)
#if defined(__AVX512F__) || defined(__aarch64__) ||                                                \
    (defined(__OPENCL_C_VERSION__) && OMR_LANES == 1)
#define PEAK_CHAINS(X) PEAK_CHAINS_16(X)
#define PEAK_CHAIN_COUNT 16
#else
#define PEAK_CHAINS(X) PEAK_CHAINS_12(X)
#define PEAK_CHAIN_COUNT 12
#endif

/* Links of every chain in a round; enough that the round's own counter costs nothing. */
#define PEAK_LINKS 8
#define PEAK_OPERATIONS                                                                            \
  (2.0 * PEAK_LINKS * PEAK_CHAIN_COUNT) /* of a lane in a round; an fma is two */

#define PEAK_START(i) real x##i = splat((sreal)(i)*start);
#define PEAK_LINK(i) x##i = fma_real(x##i, a, b);
#define PEAK_ADD(i) sum = sum + x##i;

/* The sum of the chains x = a x + b after `rounds` rounds; its limit is their number, for a = 1 -
 * b. */
FN real peak_chains(sreal start, sreal factor, sreal addend, int rounds) {
  real a = splat(factor), b = splat(addend), sum = R(0.0);
  PEAK_CHAINS(PEAK_START)
  for (int n = 0; n < rounds; n++) {
    PEAK_CHAINS(PEAK_LINK)
    PEAK_CHAINS(PEAK_LINK)
    PEAK_CHAINS(PEAK_LINK)
    PEAK_CHAINS(PEAK_LINK)
    PEAK_CHAINS(PEAK_LINK)
    PEAK_CHAINS(PEAK_LINK)
    PEAK_CHAINS(PEAK_LINK)
    PEAK_CHAINS(PEAK_LINK)
  }
  PEAK_CHAINS(PEAK_ADD)
  return sum;
}

#if defined(__OPENCL_C_VERSION__)
__kernel void omr_peak(sreal start, sreal factor, sreal addend, int rounds, __global sreal *sums) {
  store_real(sums + get_global_id(0) * OMR_LANES, peak_chains(start, factor, addend, rounds));
}

/* Numbers for the host: chains and operations of a lane in a round. */
__kernel void omr_peak_size(__global int *size) {
  size[0] = PEAK_CHAIN_COUNT;
  size[1] = (int)PEAK_OPERATIONS;
}

__kernel void omr_copy(__global const sreal *from, __global sreal *to) {
  size_t i = get_global_id(0) * OMR_LANES;
  store_real(to + i, load_real(from + i));
}
#endif
