/* Monte Carlo: every instance draws for itself. */
#include "drawn.h"
#include "draws.h"

/* By the place in "vary"; the others draw by the sampled parameter's own number, since the first
 * coordinates of a sequence are its best. */
static double unit(const omr_study *study, omr_place at, const omr_variation *variation) {
  uint64_t bits[2];
  omr_draw_bits(at.seed, at.point, (uint32_t)(variation - study->variations), bits);
  return omr_draw_unit(bits[0]);
}

const omr_drawn omr_drawn_monte_carlo = {.unit = unit, .most = 0x1p53, .intervals = ""};
