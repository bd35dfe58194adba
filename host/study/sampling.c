#include "sampling.h"

#include "../../kernels/scalar_math.h"
#include "parse.h"

#include <Random123/philox.h>

void omr_draw_bits(uint64_t seed, uint64_t instance, uint32_t variation, uint64_t bits[2]) {
  const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
  const philox4x32_ctr_t counter = {{(uint32_t)instance, (uint32_t)(instance >> 32), variation, 0}};
  const philox4x32_ctr_t out = philox4x32_R(10, counter, key);
  bits[0] = (uint64_t)out.v[0] | (uint64_t)out.v[1] << 32;
  bits[1] = (uint64_t)out.v[2] | (uint64_t)out.v[3] << 32;
}

double omr_draw_unit(uint64_t bits) {
  return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

double omr_draw_normal(const uint64_t bits[2]) {
  const double two_pi = 6.283185307179586;
  double sine, cosine;
  omr_math_sincos(two_pi * omr_draw_unit(bits[1]), &sine, &cosine);
  return __builtin_sqrt(-2.0 * omr_math_log(omr_draw_unit(bits[0]))) * cosine;
}

/* Products and sums below must not be fused: the build switches contraction off. */
static double draw(const omr_study *study, size_t v, size_t k) {
  const omr_variation *variation = &study->variations[v];
  uint64_t bits[2];
  omr_draw_bits(study->seed, k, (uint32_t)v, bits);
  const double unit = omr_draw_unit(bits[0]);
  if (variation->draw == OMR_DRAW_UNIFORM) return variation->a + (variation->b - variation->a) * unit;
  if (variation->draw == OMR_DRAW_NORMAL) return variation->a + variation->b * omr_draw_normal(bits);
  const size_t level = (size_t)(unit * (double)variation->levels);
  return variation->values[level < variation->levels ? level : variation->levels - 1];
}

static void apply(const omr_study *study, const omr_variation *variation, double value, omr_values *values) {
  if (!variation->per_wheel) {
    values->vehicle[variation->index] = value;
    return;
  }
  const int first = variation->wheel < 0 ? 0 : variation->wheel;
  const int end = variation->wheel < 0 ? study->wheels : variation->wheel + 1;
  for (int wheel = first; wheel < end; wheel++)
    values->wheel[wheel][variation->index] = variation->alternate ? value * omr_mecanum_sign(wheel) : value;
}

void omr_study_values(const omr_study *study, size_t k, omr_values *values, double *column_values) {
  *values = study->base;
  size_t rest = k; /* a grid counts like digits, the last variation fastest */
  for (size_t v = study->variation_count; v-- > 0;) {
    const omr_variation *variation = &study->variations[v];
    double value;
    if (study->design == OMR_DESIGN_GRID) {
      value = variation->values[rest % variation->levels];
      rest /= variation->levels;
    } else {
      value = draw(study, v, k);
    }
    apply(study, variation, value, values);
    if (column_values) column_values[v] = value;
  }
}
