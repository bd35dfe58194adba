#include "row_groups.h"

#include "distributions.h"
#include "draws.h"
#include "sequences.h"

size_t omr_group_rows(const omr_study *study) {
  if (study->design.type == OMR_DESIGN_SALTELLI) return study->sample.dimensions + 2;
  if (study->design.type == OMR_DESIGN_MORRIS) return study->sample.dimensions + 1;
  return 1;
}

uint32_t omr_saltelli_column(const omr_study *study, size_t member, uint32_t dimension) {
  if (study->design.type != OMR_DESIGN_SALTELLI) return dimension;
  const uint32_t dimensions = (uint32_t)study->sample.dimensions;
  return member == dimension + 1 || member == dimensions + 1 ? dimension + dimensions : dimension;
}

/* Morris (1991): one of the lower half of the levels is drawn, and whether the parameter goes from
 * it up by half their number or from there down to it; and the parameters' order is drawn. */
typedef struct move {
  size_t low;    /* the lower of the two levels */
  bool up;       /* from it to the higher one */
  size_t before; /* the row before the move */
} move;

static move move_of(const omr_study *study, const omr_variation *variation, size_t trajectory) {
  const uint32_t dimension = (uint32_t)variation->dimension;
  const uint64_t half = study->sample.grid_levels / 2;
  uint64_t bits[2], order[2];
  omr_draw_for(OMR_FOR_TRAJECTORY, study->design.seed, trajectory, dimension, bits);
  omr_draw_for(OMR_FOR_ORDER, study->design.seed, trajectory, 0, order);
  return (move){(size_t)((bits[0] >> 32) * half >> 32), bits[1] & 1,
                omr_permute(order[0], 0, study->sample.dimensions, dimension)};
}

/* Levels are spread over a distribution that ends on both sides as Morris has them, from 0 to 1.
 * One without an end on some side has no value there: its levels are the middles of as many equally
 * likely parts, which is the same as cutting off half a part on either side. */
static double unit_of_level(const omr_study *study, size_t level, bool ends) {
  const double levels = (double)study->sample.grid_levels;
  return ends ? (double)level / (levels - 1) : ((double)level + 0.5) / levels;
}

static double value_of_level(const omr_study *study, const omr_variation *variation, size_t level) {
  double low, high;
  const bool ends = omr_draw_ends(variation, &low, &high);
  if (ends && level == 0) return low;
  if (ends && level == study->sample.grid_levels - 1) return high;
  return omr_quantile(variation, unit_of_level(study, level, ends));
}

double omr_morris_value(const omr_study *study, const omr_variation *variation, size_t trajectory,
                        size_t member) {
  const move m = move_of(study, variation, trajectory);
  const bool high = (member > m.before) == m.up;
  return value_of_level(study, variation, high ? m.low + study->sample.grid_levels / 2 : m.low);
}

double omr_morris_step(const omr_study *study, const omr_variation *variation, size_t trajectory,
                       size_t *before) {
  const move m = move_of(study, variation, trajectory);
  double low, high;
  const bool ends = omr_draw_ends(variation, &low, &high);
  const double from = unit_of_level(study, 0, ends),
               step = unit_of_level(study, study->sample.grid_levels / 2, ends) - from;
  *before = m.before;
  return m.up ? step : -step;
}
