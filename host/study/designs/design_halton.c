/* Halton sequence with nested scrambling: any number of instances. */
#include "drawn.h"
#include "sequences.h"

#include <stdlib.h>

static double unit(const omr_study *study, omr_place at, const omr_variation *variation) {
  const omr_sampling *sample = &study->sample;
  const uint32_t dimension = (uint32_t)variation->dimension, k = (uint32_t)at.point;
  const uint32_t base = sample->bases[dimension];
  return sample->scramble ? omr_halton_scrambled(at.seed, dimension, base, k)
                          : omr_halton_point(base, k);
}

static omr_status prepare(omr_reader *reader) {
  omr_sampling *sample = &reader->study->sample;
  OMR_TRY(omr_check_dimensions(reader));
  sample->bases = calloc(sample->dimensions, sizeof *sample->bases);
  if (!sample->bases) return omr_fail_memory(reader);
  omr_primes(sample->dimensions, sample->bases);
  return OMR_OK;
}

const omr_drawn omr_drawn_halton = {.unit = unit,
                                    .prepare = prepare,
                                    .most = 0x1p32,
                                    .scrambles = true,
                                    .intervals =
                                        "intervals are those of independent draws: in a "
                                        "quasi-random sequence mostly too long, without guarantee"};
