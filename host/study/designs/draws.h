/* Counter-based draws: seed, instance and variation determine a draw, so any part of a study can be
 * run anywhere. */
#ifndef OMR_STUDY_DRAWS_H
#define OMR_STUDY_DRAWS_H

#include <stdint.h>

/* The purpose of a draw is the last word of the counter, so that no two purposes share a random
 * number. */
typedef enum omr_purpose {
  OMR_FOR_VALUES,      /* Monte Carlo */
  OMR_FOR_OWEN,        /* nested scrambling */
  OMR_FOR_SHUFFLE,     /* permutations */
  OMR_FOR_STRATUM,     /* place within a stratum */
  OMR_FOR_CELL,        /* seed of a cell of a nested design */
  OMR_FOR_EXCHANGE,    /* search for a maximin design */
  OMR_FOR_DIGITS,      /* scrambling of Halton sequences */
  OMR_FOR_TRAJECTORY,  /* Morris: start and direction of a parameter */
  OMR_FOR_ORDER,       /* Morris: which parameter moves when */
  OMR_FOR_BOOTSTRAP,   /* weights of a replicate */
  OMR_FOR_SUBSET,      /* rows of which ranks are taken */
  OMR_FOR_RARE,        /* points and steps of subset simulation */
  OMR_FOR_STEP_ERROR,  /* instances that are run again with shorter steps, and their bootstrap */
  OMR_FOR_FLOOR,       /* plane waves of a rough floor */
  OMR_FOR_CALIBRATION, /* members of an ensemble */
  OMR_FOR_TEMPERING,   /* points and moves of tempered sequential Monte Carlo */
  OMR_FOR_POSTERIOR,   /* rows of a posterior's points */
  OMR_FOR_OTHER_RUN,   /* unknowns of each run, in runs that are not fitted */
  OMR_FOR_SBC,         /* truths and noise of simulation-based calibration */
  OMR_FOR_EXCITE,      /* manoeuvres, and draws of the prior that they are tried with */
  OMR_FOR_GYRO,        /* noise of a gyro (kernels/time/heading.h); stream 1: its seed */
  OMR_FOR_ROWS         /* rows that a result keeps */
} omr_purpose;

/* Two 64-bit outputs of Philox4x32-10 (Salmon et al., SC11) with key = seed and counter = (number,
 * stream, purpose), the low word first each time. */
void omr_draw_for(omr_purpose purpose, uint64_t seed, uint64_t number, uint32_t stream,
                  uint64_t bits[2]);

/* The same for values: counter = (instance, variation, 0). */
void omr_draw_bits(uint64_t seed, uint64_t instance, uint32_t variation, uint64_t bits[2]);

/* In (0, 1): the middle of one of 2^52 equal intervals, chosen by the top 52 bits; exact in double.
 */
double omr_draw_unit(uint64_t bits);

/* Standard normal by Box and Muller; the same bits on every machine (kernels/scalar_math.h). */
double omr_draw_normal(const uint64_t bits[2]);

/* Standard normal coordinate `dimension` of point `number` of a subset simulation
 * (host/statistics/subset.h), by its quantile. */
double omr_draw_subset(uint64_t seed, uint64_t number, uint32_t dimension);

#endif
