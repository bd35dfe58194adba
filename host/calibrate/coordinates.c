#include "coordinates.h"

#include "../../kernels/scalar_math.h"
#include "../study/draws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

omr_status omr_coordinates_make(const omr_study *study, omr_coordinates *layout, omr_error *error) {
  const omr_measured *measured = &study->measured;
  *layout = (omr_coordinates){.drawn = study->sample.dimensions,
                              .noises = study->calibrate.unknown_noise ? measured->samples : 0,
                              .shared = study->calibrate.shared,
                              .seed = study->calibrate.seed,
                              .own = calloc(study->sample.dimensions + 1, sizeof *layout->own)};
  if (!layout->own) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t r = 0; r < measured->runs; r++) layout->runs += !measured->run[r].held_out;
  for (size_t v = 0; v < study->variation_count; v++)
    if (study->variations[v].per_run)
      layout->own[layout->owns++] = (size_t)study->variations[v].dimension;
  return OMR_OK;
}

void omr_coordinates_free(omr_coordinates *layout) {
  free(layout->own);
  *layout = (omr_coordinates){0};
}

size_t omr_coordinates_of_model(const omr_coordinates *layout) {
  return layout->drawn + layout->runs * layout->owns;
}

size_t omr_coordinates_all(const omr_coordinates *layout) {
  return omr_coordinates_of_model(layout) + layout->noises;
}

/* own [owns]: what is the run's. */
static void put_own(const omr_coordinates *layout, const double *own, double *to) {
  const double common = sqrt(layout->shared), alone = sqrt(1 - layout->shared);
  for (size_t k = 0; k < layout->owns; k++) {
    double *here = &to[layout->own[k]];
    *here = common * *here + alone * own[k];
  }
}

void omr_coordinates_in_run(const omr_coordinates *layout, const double *member, size_t run,
                            double *to) {
  memcpy(to, member, layout->drawn * sizeof *to);
  put_own(layout, member + layout->drawn + run * layout->owns, to);
}

void omr_coordinates_in_other(const omr_coordinates *layout, const double *member, size_t number,
                              size_t run, double *to) {
  memcpy(to, member, layout->drawn * sizeof *to);
  for (size_t k = 0; k < layout->owns; k++) {
    uint64_t bits[2];
    double own[1];
    omr_draw_for(OMR_FOR_OTHER_RUN, layout->seed, (uint64_t)run << 40 | number, (uint32_t)k, bits);
    own[0] = omr_draw_normal(bits);
    const omr_coordinates one = {.own = layout->own + k, .owns = 1, .shared = layout->shared};
    put_own(&one, own, to);
  }
}

double omr_coordinates_noise(const omr_coordinates *layout, const double *member, size_t sample) {
  if (layout->noises == 0) return 1;
  return omr_math_exp(OMR_NOISE_SPREAD * member[omr_coordinates_of_model(layout) + sample]);
}
