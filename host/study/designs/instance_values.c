#include "draws.h"

#include "../../../kernels/scalar_math.h"
#include "../part.h"
#include "../tables/replay.h"
#include "distributions.h"
#include "drawn.h"
#include "row_groups.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static omr_place place_of(const omr_study *study, size_t k) {
  const size_t group = omr_group_rows(study);
  omr_place at = {study->design.seed, k / group, k % group};
  if (!omr_design_has_cells(study->design.type)) return at;
  at.point = k % study->sample.points;
  if (study->sample.common) return at;
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_CELL, study->design.seed, k / study->sample.points, 0, bits);
  at.seed = bits[0];
  return at;
}

static double unit_of(const omr_study *study, omr_place at, const omr_variation *variation) {
  return omr_drawn_of(study->sample.type)->unit(study, at, variation);
}

/* Row of the Cholesky factor, NULL for a parameter without correlations. */
static const double *factor_row(const omr_sampling *sample, int dimension) {
  if (!sample->factor) return NULL;
  const double *row = sample->factor + (size_t)dimension * sample->dimensions;
  for (size_t e = 0; e < sample->dimensions; e++) {
    const double *other = sample->factor + e * sample->dimensions;
    if ((int)e != dimension && (row[e] != 0 || other[dimension] != 0)) return row;
  }
  return NULL;
}

static bool is_known(const omr_part *part, omr_place at) {
  return part->known && at.point >= part->known_first &&
         at.point - part->known_first < part->known_count;
}

/* The standard normal number that a parameter is made of, before correlation. */
static double normal_of(const omr_part *part, omr_place at, const omr_variation *variation) {
  const omr_study *study = part->study;
  const size_t dimension = (size_t)variation->dimension;
  if (is_known(part, at))
    return part->known[(at.point - part->known_first) * study->sample.dimensions + dimension];
  if (study->sample.type != OMR_DESIGN_SUBSET)
    return omr_normal_quantile(unit_of(study, at, variation));
  return omr_draw_subset(at.seed, at.point, (uint32_t)dimension);
}

/* Gaussian copula: the factor's row times the normal quantiles of the independent units. */
static double correlated_normal(const omr_part *part, omr_place at, const double *row) {
  const omr_study *study = part->study;
  double z = 0;
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    if (variation->dimension < 0 || row[variation->dimension] == 0) continue;
    z += row[variation->dimension] * normal_of(part, at, variation);
  }
  return z;
}

static double draw(const omr_part *part, const omr_variation *variation, omr_place at) {
  const omr_study *study = part->study;
  if (study->design.type == OMR_DESIGN_MORRIS)
    return omr_morris_value(study, variation, at.point, at.member);
  const double *row = factor_row(&study->sample, variation->dimension);
  if (row) return omr_quantile_of_normal(variation, correlated_normal(part, at, row));
  if (study->sample.type == OMR_DESIGN_SUBSET || is_known(part, at))
    return omr_quantile_of_normal(variation, normal_of(part, at, variation));
  if (study->sample.type == OMR_DESIGN_MONTE_CARLO && variation->draw == OMR_DRAW_NORMAL) {
    uint64_t bits[2];
    omr_draw_bits(at.seed, at.point, (uint32_t)(variation - study->variations), bits);
    return variation->a + variation->b * omr_draw_normal(bits);
  }
  return omr_quantile(variation, unit_of(study, at, variation));
}

/* A value of the study into the frame of the kernels, and one of that into the study's. */
static double turned(const omr_variation *variation, double value) {
  return variation->negated ? 0.0 - value : value;
}

const omr_variation *omr_variation_of(const omr_study *study, bool per_wheel, int index,
                                      int wheel) {
  for (size_t j = 0; j < study->variation_count; j++) {
    const omr_variation *v = &study->variations[j];
    if (v->per_wheel == per_wheel && v->index == index &&
        (!per_wheel || wheel < 0 || v->wheel < 0 || v->wheel == wheel))
      return v;
  }
  return NULL;
}

bool omr_wheel_lacks(const omr_study *study, int wheel, int index) {
  const omr_wheel_kind kind = study->kind[wheel];
  return (kind == OMR_WHEEL_CASTER || kind == OMR_WHEEL_TRACKING) &&
         study->drives.law[wheel] == OMR_DRIVE_NONE &&
         strncmp(omr_wheel_parameters[index].path, "motor.", 6) == 0;
}

void omr_vary(const omr_study *study, const omr_variation *variation, double given,
              omr_values *values) {
  const double value = turned(variation, given);
  if (!variation->per_wheel) {
    values->vehicle[variation->index] = value;
    return;
  }
  const int first = variation->wheel < 0 ? 0 : variation->wheel;
  const int end = variation->wheel < 0 ? study->wheels : variation->wheel + 1;
  for (int wheel = first; wheel < end; wheel++) {
    if (variation->wheel < 0 && omr_wheel_lacks(study, wheel, variation->index)) continue;
    values->wheel[wheel][variation->index] =
        variation->alternate ? value * omr_mecanum_sign(wheel) : value;
  }
}

/* The reader lets a path of all wheels vary only where they are alike. */
double omr_base_value(const omr_study *study, const omr_variation *variation) {
  if (!variation->per_wheel) return turned(variation, study->base.vehicle[variation->index]);
  int wheel = variation->wheel < 0 ? 0 : variation->wheel;
  while (variation->wheel < 0 && wheel < study->wheels - 1 &&
         omr_wheel_lacks(study, wheel, variation->index))
    wheel++;
  const double value = turned(variation, study->base.wheel[wheel][variation->index]);
  return variation->alternate ? value * omr_mecanum_sign(wheel) : value;
}

/* Instance 0 is the base; then each parameter takes its levels in turn while the others keep their
 * base. */
static void one_at_a_time(const omr_study *study, size_t k, omr_values *values,
                          double *column_values) {
  size_t rest =
      k - 1; /* from the first level of the first parameter on; of the base more than all of them */
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    const bool varied = rest < variation->levels;
    if (varied) omr_vary(study, variation, variation->values[rest], values);
    if (column_values)
      column_values[v] = varied ? variation->values[rest] : omr_base_value(study, variation);
    rest = varied || k == 0 ? SIZE_MAX : rest - variation->levels;
  }
}

/* 48 bits, which the kernels keep in two numbers of single precision too. A point of a nested
 * design with common random numbers, and a group of rows, have one. */
double omr_gyro_seed(const omr_study *study, size_t k) {
  const omr_place at = place_of(study, k);
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_GYRO, at.seed, at.point, 1, bits);
  return (double)(bits[0] >> 16);
}

/* Wheels that the study lacks keep what they are. */
static void copy_base(const omr_study *study, omr_values *values) {
  memcpy(values, &study->base, offsetof(omr_values, wheel));
  memcpy(values->wheel, study->base.wheel, (size_t)study->wheels * sizeof *values->wheel);
}

static void draw_values(const omr_part *part, size_t k, omr_values *values, double *column_values) {
  const omr_study *study = part->study;
  copy_base(study, values);
  if (study->design.type == OMR_DESIGN_ONE_AT_A_TIME) {
    one_at_a_time(study, k, values, column_values);
    return;
  }
  const bool rows = omr_design_has_rows(study->design.type);
  const omr_place at = place_of(study, k);
  const size_t cell = omr_design_has_cells(study->design.type) ? k / study->sample.points : k;
  size_t rest = cell; /* a grid counts like digits, the last variation fastest */
  for (size_t v = study->variation_count; v-- > 0;) {
    const omr_variation *variation = &study->variations[v];
    double value;
    if (rows) {
      value = variation->values[k];
    } else if (variation->listed) {
      value = variation->values[variation->listed == OMR_LISTED_BY_CELL ? cell : at.point];
    } else if (variation->dimension >= 0) {
      value = draw(part, variation, at);
    } else {
      value = variation->values[rest % variation->levels];
      rest /= variation->levels;
    }
    omr_vary(study, variation, value, values);
    if (column_values) column_values[v] = value;
  }
}

void omr_part_values(const omr_part *part, size_t k, omr_values *values, double *column_values) {
  draw_values(part, k, values, column_values);
  if (part->study->command.hold.given && isnan(values->vehicle[OMR_VP_GYRO_SEED]))
    values->vehicle[OMR_VP_GYRO_SEED] = omr_gyro_seed(part->study, k);
  omr_replay_start(part->study, values);
}

void omr_study_values(const omr_study *study, size_t k, omr_values *values, double *column_values) {
  const omr_part whole = omr_part_of(study);
  *values = study->base;
  omr_part_values(&whole, k, values, column_values);
}
