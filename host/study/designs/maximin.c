#include "draws.h"
#include "sequences.h"

#include <stdlib.h>
#include <string.h>

enum { STARTS = 16, EXCHANGES = 1 << 15 };

/* Squared distances are whole numbers of strata. */
static double closeness(const uint32_t *strata, uint32_t dimensions, uint32_t count, uint32_t i,
                        uint32_t j) {
  double square = 0;
  for (uint32_t d = 0; d < dimensions; d++) {
    const double difference =
        (double)strata[d * (size_t)count + i] - (double)strata[d * (size_t)count + j];
    square += difference * difference;
  }
  const double inverse = (double)count / square, fourth = inverse * inverse * (inverse * inverse);
  return fourth * fourth;
}

static double closeness_of(const uint32_t *strata, uint32_t dimensions, uint32_t count, uint32_t i,
                           uint32_t except) {
  double sum = 0;
  for (uint32_t j = 0; j < count; j++)
    if (j != i && j != except) sum += closeness(strata, dimensions, count, i, j);
  return sum;
}

static double closeness_of_all(const uint32_t *strata, uint32_t dimensions, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < i; j++) sum += closeness(strata, dimensions, count, i, j);
  return sum;
}

/* Start number `start`: the permutations of dimensions that no other start has. */
static void fill(uint64_t seed, uint32_t dimensions, uint32_t count, uint32_t start,
                 uint32_t *strata) {
  for (uint32_t d = 0; d < dimensions; d++)
    for (uint32_t k = 0; k < count; k++)
      strata[d * (size_t)count + k] = omr_latin_stratum(seed, start * dimensions + d, count, k);
}

static void exchange(uint32_t *column, uint32_t i, uint32_t j) {
  const uint32_t kept = column[i];
  column[i] = column[j];
  column[j] = kept;
}

/* The distance of the two points themselves does not change when they exchange a coordinate. */
static void improve(uint64_t seed, uint32_t dimensions, uint32_t count, uint32_t first,
                    uint32_t end, uint32_t *strata) {
  for (uint32_t attempt = first; attempt < end; attempt++) {
    uint64_t bits[2];
    omr_draw_for(OMR_FOR_EXCHANGE, seed, attempt, 0, bits);
    const uint32_t i = (uint32_t)((bits[0] >> 32) % count),
                   j = (uint32_t)((bits[0] & UINT32_MAX) % count);
    uint32_t *column = strata + (bits[1] >> 32) % dimensions * count;
    if (i == j) continue;
    const double before = closeness_of(strata, dimensions, count, i, j) +
                          closeness_of(strata, dimensions, count, j, i);
    exchange(column, i, j);
    const double after = closeness_of(strata, dimensions, count, i, j) +
                         closeness_of(strata, dimensions, count, j, i);
    if (after >= before) exchange(column, i, j);
  }
}

/* Every start gets its share of half the exchanges, the best one the other half: few points need
 * many starts, many points many exchanges. */
int omr_latin_maximin(uint64_t seed, uint32_t dimensions, uint32_t count, uint32_t *strata) {
  const size_t size = (size_t)dimensions * count * sizeof *strata;
  const uint32_t share = count > 2 ? EXCHANGES / 2 / STARTS : 0;
  uint32_t *trial = malloc(size);
  if (!trial) return 0;
  double best = 0;
  for (uint32_t start = 0; start < STARTS; start++) {
    fill(seed, dimensions, count, start, trial);
    improve(seed, dimensions, count, start * share, (start + 1) * share, trial);
    const double sum = closeness_of_all(trial, dimensions, count);
    if (start > 0 && sum >= best) continue;
    best = sum;
    memcpy(strata, trial, size);
  }
  free(trial);
  improve(seed, dimensions, count, STARTS * share, 2 * STARTS * share, strata);
  return 1;
}
