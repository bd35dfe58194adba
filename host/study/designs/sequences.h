/* Points in the unit interval, one dimension at a time. The number of a point determines it:
 * nothing is stepped through, so any part of a study can be drawn anywhere. Randomness comes from
 * Philox (instance_values.c) with the seed as key and a purpose of its own. */
#ifndef OMR_STUDY_SEQUENCES_H
#define OMR_STUDY_SEQUENCES_H

#include <stddef.h>
#include <stdint.h>

enum {
  OMR_SOBOL_DIMENSIONS = 1111, /* all polynomials up to degree 13 */
  OMR_SEQUENCE_BITS = 32       /* points are numbered below 2^32 */
};

extern const uint16_t omr_sobol_numbers[];

/* Direction numbers of dimensions 0 to count - 1, OMR_SEQUENCE_BITS each: the j-th is m_(j+1) /
 * 2^(j+1) in units of 2^-32. */
void omr_sobol_directions(size_t count, uint32_t *directions);

/* Coordinate of point k in units of 2^-32, the points in the order of the Gray code (Antonov and
 * Saleev), as Joe and Kuo's own program and scipy have them. `directions` belong to the dimension.
 */
uint32_t omr_sobol_point(const uint32_t *directions, uint32_t k);

/* Owen's nested uniform scrambling: a bit is flipped by a coin that seed, dimension, and the bits
 * above it choose. Returned with the same for the 20 bits beyond, for omr_draw_unit. Points of a
 * digital sequence below 2^32 differ in their first 32 bits, so the bits beyond are coins of the
 * point. */
uint64_t omr_owen_scramble(uint64_t seed, uint32_t dimension, uint32_t point);

/* Coordinate of point k in base `base`: digits mirrored at the point, in the middle of the smallest
 * interval. */
double omr_halton_point(uint32_t base, uint32_t k);

/* The same with nested uniform scrambling in that base. */
double omr_halton_scrambled(uint64_t seed, uint32_t dimension, uint32_t base, uint32_t k);

/* The prime numbers from 2 on. */
void omr_primes(size_t count, uint32_t *primes);

/* Place of x among 0 ... count - 1 (count <= 2^32) under the permutation that key and stream
 * choose: up to 64 a shuffle; above, a Feistel network on the smallest power of two that holds
 * count, walked along its cycles until it comes back below count (Black and Rogaway 2002). */
uint32_t omr_permute(uint64_t key, uint64_t stream, uint64_t count, uint32_t x);

/* Latin hypercube of `count` points: the stratum of point k (a permutation of its own for every
 * dimension), and the coordinate within stratum `stratum` at an offset drawn for point k. */
uint32_t omr_latin_stratum(uint64_t seed, uint32_t dimension, uint64_t count, uint32_t k);
double omr_latin_point(uint64_t seed, uint32_t dimension, uint64_t count, uint32_t k,
                       uint32_t stratum);

/* Strata [dimension][point] of a Latin hypercube whose points keep away from each other: random
 * ones are improved by exchanges of two strata of a dimension that lower the sum of distance^-16
 * over all pairs (Morris and Mitchell 1995), the best of them further. A fixed number of exchanges
 * is tried, the same on every machine. False when out of memory. */
enum { OMR_MAXIMIN_POINTS = 1024 };
int omr_latin_maximin(uint64_t seed, uint32_t dimensions, uint32_t count, uint32_t *strata);

#endif
