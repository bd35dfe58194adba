/* Latin hypercube: each parameter's distribution in as many equally likely parts as there are
 * instances, each part drawn from once. */
#include "drawn.h"
#include "sequences.h"

#include <stdlib.h>

static double unit(const omr_study *study, omr_place at, const omr_variation *variation) {
  const omr_sampling *sample = &study->sample;
  const uint32_t k = (uint32_t)at.point, dimension = (uint32_t)variation->dimension;
  const uint32_t stratum = sample->strata
                               ? sample->strata[dimension * sample->points + k]
                               : omr_latin_stratum(at.seed, dimension, sample->points, k);
  return omr_latin_point(at.seed, dimension, sample->points, k, stratum);
}

static omr_status prepare(omr_reader *reader) {
  omr_sampling *sample = &reader->study->sample;
  const cJSON *item = omr_json_get(reader->design, "criterion");
  if (!sample->maximin) return OMR_OK;
  if (sample->points > OMR_MAXIMIN_POINTS)
    return OMR_REFUSE(reader, item,
                      "a maximin design is searched for and kept, up to %d points; here are %zu: "
                      "choose \"plain\", or a design of type sobol",
                      OMR_MAXIMIN_POINTS, sample->points);
  if (!sample->common)
    return OMR_REFUSE(reader, item,
                      "a maximin design is searched for once and is the same in every cell: leave "
                      "\"common_random_numbers\" true, or choose \"plain\"");
  sample->strata = calloc(sample->dimensions * sample->points, sizeof *sample->strata);
  if (!sample->strata ||
      !omr_latin_maximin(reader->study->design.seed, (uint32_t)sample->dimensions,
                         (uint32_t)sample->points, sample->strata))
    return omr_fail_memory(reader);
  return OMR_OK;
}

const omr_drawn omr_drawn_latin_hypercube = {
    .unit = unit,
    .prepare = prepare,
    .most = 0x1p32,
    .combines = true,
    .part = "is a sample only as a whole, its first instances are none",
    .intervals = "intervals are those of independent draws: in a Latin hypercube mostly too long, "
                 "without guarantee"};
