/* Counter-based draws: a draw is known by seed, instance and variation alone, so any part of a study can be run anywhere. */
#ifndef OMR_STUDY_SAMPLING_H
#define OMR_STUDY_SAMPLING_H

#include <stdint.h>

/* Two 64-bit outputs of Philox4x32-10 (Salmon et al., SC11) with key = seed and counter = (instance, variation, 0), the low
 * word first each time. */
void omr_draw_bits(uint64_t seed, uint64_t instance, uint32_t variation, uint64_t bits[2]);

/* In (0, 1): the middle of one of 2^52 equal intervals, chosen by the top 52 bits; exact in double. */
double omr_draw_unit(uint64_t bits);

/* Standard normal by Box and Muller; the same bits on every machine (kernels/scalar_math.h). */
double omr_draw_normal(const uint64_t bits[2]);

#endif
