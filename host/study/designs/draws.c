#include "draws.h"
#include "../../../kernels/scalar_math.h"
#include "special_functions.h"

#include <Random123/philox.h>

void omr_draw_for(omr_purpose purpose, uint64_t seed, uint64_t number, uint32_t stream,
                  uint64_t bits[2]) {
  const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
  const philox4x32_ctr_t counter = {
      {(uint32_t)number, (uint32_t)(number >> 32), stream, (uint32_t)purpose}};
  const philox4x32_ctr_t out = philox4x32_R(10, counter, key);
  bits[0] = (uint64_t)out.v[0] | (uint64_t)out.v[1] << 32;
  bits[1] = (uint64_t)out.v[2] | (uint64_t)out.v[3] << 32;
}

void omr_draw_bits(uint64_t seed, uint64_t instance, uint32_t variation, uint64_t bits[2]) {
  omr_draw_for(OMR_FOR_VALUES, seed, instance, variation, bits);
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

double omr_draw_subset(uint64_t seed, uint64_t number, uint32_t dimension) {
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_RARE, seed, number, dimension, bits);
  return omr_normal_quantile(omr_draw_unit(bits[0]));
}
