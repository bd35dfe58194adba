/* Sobol' sequence (Joe and Kuo), Owen-scrambled. Saltelli's groups are made of its points too. */
#include "drawn.h"
#include "draws.h"
#include "row_groups.h"
#include "sequences.h"

#include <stdlib.h>

static double unit(const omr_study *study, omr_place at, const omr_variation *variation) {
  const omr_sampling *sample = &study->sample;
  const uint32_t dimension = omr_saltelli_column(study, at.member, (uint32_t)variation->dimension);
  const uint32_t point = omr_sobol_point(sample->directions + (size_t)dimension * OMR_SEQUENCE_BITS,
                                         (uint32_t)at.point);
  return omr_draw_unit(sample->scramble ? omr_owen_scramble(at.seed, dimension, point)
                                        : (uint64_t)point << 32 | 1u << 31);
}

static omr_status prepare(omr_reader *reader) {
  omr_sampling *sample = &reader->study->sample;
  const bool twice = reader->study->design.type == OMR_DESIGN_SALTELLI;
  const size_t dimensions = sample->dimensions * (twice ? 2 : 1);
  if (dimensions > OMR_SOBOL_DIMENSIONS && twice)
    return OMR_REFUSE(reader, reader->design,
                      "%zu parameters are drawn; saltelli takes two of the sequence's %d "
                      "dimensions for each, so %d are the most; morris takes any number",
                      sample->dimensions, OMR_SOBOL_DIMENSIONS, OMR_SOBOL_DIMENSIONS / 2);
  OMR_TRY(omr_check_dimensions(reader));
  sample->directions = calloc(dimensions * OMR_SEQUENCE_BITS, sizeof *sample->directions);
  if (!sample->directions) return omr_fail_memory(reader);
  omr_sobol_directions(dimensions, sample->directions);
  return OMR_OK;
}

const omr_drawn omr_drawn_sobol = {.unit = unit,
                                   .prepare = prepare,
                                   .most = 0x1p32,
                                   .scrambles = true,
                                   .intervals =
                                       "intervals are those of independent draws: in a "
                                       "quasi-random sequence mostly too long, without guarantee"};
