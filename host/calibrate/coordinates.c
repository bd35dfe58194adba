#include "coordinates.h"

#include "../../kernels/scalar_math.h"
#include "../study/designs/distributions.h"
#include "../study/designs/draws.h"

#include <math.h>
#include <string.h>

/* Coordinates of an unknown of a clock or sensor. */
static size_t count_of(const omr_coordinates *layout, size_t unknown) {
  return layout->unknown[unknown].per_run ? layout->runs : 1;
}

/* Numbers the groups of fitted runs in the order of the runs. The run after the last stands for a
 * run that nobody measured. */
static void number_groups(const omr_measured *measured, omr_coordinates *layout) {
  for (size_t r = 0; r <= measured->runs; r++) layout->group_of[r] = SIZE_MAX;
  layout->first_of[measured->runs] = measured->runs;
  for (size_t r = 0; r < measured->runs; r++) {
    const size_t first = measured->run[r].group;
    layout->first_of[r] = first;
    layout->fitted[r] = SIZE_MAX;
    if (measured->run[r].held_out) continue;
    layout->fitted[r] = layout->runs;
    if (layout->group_of[first] == SIZE_MAX) layout->group_of[first] = layout->groups++;
    layout->group[layout->runs++] = layout->group_of[first];
  }
  for (size_t r = 0; r < measured->runs; r++)
    layout->group_of[r] = layout->group_of[measured->run[r].group];
}

omr_status omr_coordinates_make(const omr_study *study, omr_coordinates *layout, omr_error *error) {
  const omr_measured *measured = &study->measured;
  *layout = (omr_coordinates){.drawn = study->sample.dimensions,
                              .noises = study->calibrate.unknown_noise ? measured->samples : 0,
                              .shared = study->calibrate.shared,
                              .seed = study->calibrate.seed,
                              .unknown = measured->unknown,
                              .unknowns = measured->unknowns};

  omr_pool *memory = &layout->memory;
  layout->own = omr_pool_take(memory, study->sample.dimensions, sizeof *layout->own);
  layout->group = omr_pool_take(memory, measured->runs, sizeof *layout->group);
  layout->group_of = omr_pool_take(memory, measured->runs + 1, sizeof *layout->group_of);
  layout->fitted = omr_pool_take(memory, measured->runs, sizeof *layout->fitted);
  layout->first_of = omr_pool_take(memory, measured->runs + 1, sizeof *layout->first_of);
  if (memory->failed) {
    omr_coordinates_free(layout);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }

  /* Number the groups and collect the parameters that each run draws anew. */
  number_groups(measured, layout);
  for (size_t v = 0; v < study->variation_count; v++)
    if (study->variations[v].per_run)
      layout->own[layout->owns++] = (size_t)study->variations[v].dimension;

  /* Unknowns of a sensor may have a coordinate in each run. */
  for (size_t u = 0; u < layout->unknowns; u++) layout->sensors += count_of(layout, u);
  return OMR_OK;
}

void omr_coordinates_free(omr_coordinates *layout) {
  omr_pool_free(&layout->memory);
  *layout = (omr_coordinates){0};
}

size_t omr_coordinates_of_model(const omr_coordinates *layout) {
  return layout->drawn + layout->groups * layout->owns + layout->sensors;
}

size_t omr_coordinates_all(const omr_coordinates *layout) {
  return omr_coordinates_of_model(layout) + layout->noises;
}

/* own [owns]: the run's coordinates. */
static void put_own(const omr_coordinates *layout, const double *own, double *to) {
  const double common = sqrt(layout->shared), alone = sqrt(1 - layout->shared);
  for (size_t k = 0; k < layout->owns; k++) {
    double *here = &to[layout->own[k]];
    *here = common * *here + alone * own[k];
  }
}

/* Coordinate k of a run that is not fitted, for a member and a run. */
static double draw_own(const omr_coordinates *layout, size_t number, size_t run, size_t k) {
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_OTHER_RUN, layout->seed, (uint64_t)run << 40 | number, (uint32_t)k, bits);
  return omr_draw_normal(bits);
}

void omr_coordinates_in_run(const omr_coordinates *layout, const double *member, size_t number,
                            size_t run, double *to) {
  memcpy(to, member, layout->drawn * sizeof *to);
  if (layout->owns == 0) return;
  const size_t group = layout->group_of[run];
  if (group < layout->groups) { /* its group was fitted */
    put_own(layout, member + layout->drawn + group * layout->owns, to);
    return;
  }
  for (size_t k = 0; k < layout->owns; k++) {
    const double own[] = {draw_own(layout, number, layout->first_of[run], k)};
    const omr_coordinates one = {.own = layout->own + k, .owns = 1, .shared = layout->shared};
    put_own(&one, own, to);
  }
}

/* ---- clocks and sensors */

size_t omr_coordinates_of_unknown(const omr_coordinates *layout, size_t unknown, size_t run) {
  size_t at = layout->drawn + layout->groups * layout->owns;
  for (size_t u = 0; u < unknown; u++) at += count_of(layout, u);
  return layout->unknown[unknown].per_run ? at + run : at;
}

size_t omr_coordinates_unknown_at(const omr_coordinates *layout, size_t dimension, size_t *run) {
  size_t unknown = 0, left = dimension - layout->drawn - layout->groups * layout->owns;
  for (; left >= count_of(layout, unknown); unknown++) left -= count_of(layout, unknown);
  *run = left;
  return unknown;
}

void omr_coordinates_sense(const omr_coordinates *layout, const double *member, size_t number,
                           size_t run, omr_sensed *sensed) {
  for (int kind = 0; kind < OMR_UNKNOWNS; kind++)
    for (int s = 0; s < OMR_MOST_MEASURED; s++)
      sensed->value[kind][s] = omr_unknown_list[kind].known;
  for (size_t u = 0; u < layout->unknowns; u++) {
    const omr_unknown *unknown = &layout->unknown[u];
    const size_t fitted = layout->fitted[run];
    const double here = unknown->per_run && fitted == SIZE_MAX
                            ? draw_own(layout, number, run, layout->owns + u)
                            : member[omr_coordinates_of_unknown(layout, u, fitted)];
    sensed->value[unknown->kind][unknown->sample] = omr_quantile_of_normal(unknown->prior, here);
  }
}

double omr_coordinates_noise(const omr_coordinates *layout, const double *member, size_t sample) {
  if (layout->noises == 0) return 1;
  return omr_math_exp(OMR_NOISE_SPREAD * member[omr_coordinates_of_model(layout) + sample]);
}
