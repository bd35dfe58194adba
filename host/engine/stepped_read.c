/* What a stepped batch gives: samples as those of trajectories, and observables. What the state has
 * as it is comes from its columns; other samples are computed as a trajectory's. */
#include "stepped.h"

#include "../../kernels/layout.h"
#include "../../kernels/scalar_math.h"
#include "../lists/frames.h"
#include "../study/formulas.h"
#include "../study/own_names.h"
#include "reduce.h"

#include <math.h>
#include <omniroll/batch.h>
#include <stdlib.h>
#include <string.h>

/* Values that take about 2 ms: for fewer, waiting for a thread of a busy machine takes longer. */
#define WORTH_THREADS 200000

/* The state columns that make a sample; their number is 0 where it has to be computed. */
typedef struct source {
  int count, column[2];
} source;

static source source_of(const omr_sight *sight, int wheel) {
  if (sight->what == OMR_SEEN_WHEELS) {
    switch (sight->index) {
    case OMR_WS_RATE: return (source){1, {OMR_STATE_COLUMN(wheel, T_RATE)}};
    case OMR_WS_ANGLE:
      return (source){2, {OMR_STATE_COLUMN(wheel, T_Q), OMR_STATE_COLUMN(wheel, T_INDEX)}};
    default: return (source){0};
    }
  }
  if (sight->what != OMR_SEEN_VEHICLE) return (source){0};
  switch (sight->index) {
  case OMR_VS_X: return (source){1, {S_X}};
  case OMR_VS_Z: return (source){1, {S_Z}};
  case OMR_VS_YAW: return (source){2, {S_YAW, S_TURNS}};
  case OMR_VS_VX: return (source){1, {S_VX}};
  case OMR_VS_VZ: return (source){1, {S_VZ}};
  case OMR_VS_YAW_RATE: return (source){1, {S_YAW_RATE}};
  default: return (source){0};
  }
}

/* value + count * unit, with the one rounding of the run's precision (kernels/entry.h). */
static double with_turns(bool single, double value, double count, double unit) {
  return single ? (double)fmaf((float)count, (float)unit, (float)value) : fma(count, unit, value);
}

static omr_sample_info framed(const omr_study *study, const omr_sight *sight) {
  const omr_frame_kind frame = study->frame;
  return sight->what == OMR_SEEN_VEHICLE
             ? omr_framed_sample(omr_vehicle_sample_turn(frame, sight->index),
                                 omr_vehicle_samples[sight->index])
             : omr_framed_sample(omr_wheel_sample_turn(frame, sight->index),
                                 omr_wheel_samples[sight->index]);
}

/* Whether the study has such a sample or observable, by its name in the study's frame. */
static bool find(const omr_study *study, const char *name, omr_sight *sight) {
  for (int j = 0; j < OMR_VS_COUNT; j++) {
    *sight = (omr_sight){OMR_SEEN_VEHICLE, j};
    if (omr_has_vehicle_sample(study, j) && !strcmp(framed(study, sight).name, name)) return true;
  }
  for (int j = 0; j < OMR_WS_COUNT; j++) {
    *sight = (omr_sight){OMR_SEEN_WHEELS, j};
    if (omr_has_wheel_sample(study, j) && !strcmp(framed(study, sight).name, name)) return true;
  }
  for (int j = 0; j < OMR_OBS_COUNT; j++) {
    *sight = (omr_sight){OMR_SEEN_OBSERVABLE, j};
    if (omr_study_observes(study, j) && !strcmp(omr_study_observable_name(study, j), name))
      return true;
  }
  return false;
}

const char *omr_batch_unit(const omr_stepped_batch *b, const char *name) {
  omr_sight sight;
  if (!find(b->engine->study, name, &sight)) return NULL;
  return sight.what == OMR_SEEN_OBSERVABLE
             ? omr_study_observable(b->engine->study, sight.index).unit
             : framed(b->engine->study, &sight).unit;
}

omr_status omr_batch_observe(omr_stepped_batch *b, const char *const *names, size_t count,
                             omr_error *error) {
  const omr_study *study = b->engine->study;
  omr_sight *sights = calloc(count + 1, sizeof *sights);
  if (!sights) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  size_t width = 0;
  for (size_t i = 0; i < count; i++) {
    if (!find(study, names[i], &sights[i])) {
      free(sights);
      return omr_fail(error, OMR_ERR_USAGE,
                      "\"%s\" is neither a sample of trajectories nor among output.observables of "
                      "this study: omniroll describe %s lists both",
                      names[i], omr_model_names[study->model]);
    }
    width += sights[i].what == OMR_SEEN_WHEELS ? (size_t)study->wheels : 1;
  }

  free(b->sights);
  b->sights = sights;
  b->sight_count = count;
  b->width = width;
  return OMR_OK;
}

size_t omr_batch_width(const omr_stepped_batch *b) {
  return b->width;
}

/* Brings what will be read from the device. */
static omr_status bring(omr_stepped_batch *b, omr_error *error) {
  omr_engine *r = b->engine;
  bool sampled = false, reduced = false;
  const int status_column = S_STATUS;
  omr_columns columns = {.states = &status_column, .state_count = 1};
  omr_status status = r->ops->get(r->backend, &r->batch, &columns, error);
  for (size_t i = 0; status == OMR_OK && i < b->sight_count; i++) {
    const omr_sight *sight = &b->sights[i];
    const int wheels = sight->what == OMR_SEEN_WHEELS ? r->study->wheels : 1;
    reduced |= sight->what == OMR_SEEN_OBSERVABLE;
    for (int wheel = 0; status == OMR_OK && wheel < wheels; wheel++) {
      const source from = source_of(sight, wheel);
      columns = (omr_columns){.states = from.column, .state_count = (size_t)from.count};
      sampled |= !from.count && sight->what != OMR_SEEN_OBSERVABLE;
      status = r->ops->get(r->backend, &r->batch, &columns, error);
    }
  }

  if (status == OMR_OK && reduced) status = r->ops->fetch(r->backend, &r->batch, error);
  if (status == OMR_OK && sampled)
    status = r->ops->sample(r->backend, b->longest, r->samples, error);
  return status;
}

/* The value of a sample of the vehicle, or of a wheel, in the kernels' frame. */
static double sample_of(const omr_stepped_batch *b, const omr_sight *sight, int wheel,
                        size_t slot) {
  const omr_engine *r = b->engine;
  const bool of_wheel = sight->what == OMR_SEEN_WHEELS,
             single = r->study->engine.precision == OMR_SINGLE_PRECISION;
  if (of_wheel && !omr_wheel_has_sample(r->study, wheel, sight->index)) return (double)NAN;

  /* The state has it. */
  const source from = source_of(sight, wheel);
  if (from.count) {
    const double value = *omr_stepped_state(b, from.column[0], slot);
    if (from.count == 1) return value;
    const double unit =
        of_wheel ? 2 * *omr_stepped_param(b, OMR_PARAM_COLUMN(wheel, W_ALPHA), slot) : 2 * PI;
    return with_turns(single, value, *omr_stepped_state(b, from.column[1], slot), unit);
  }

  /* As in a trajectory, a wheel on one roller has no share of a second one. */
  const int place = of_wheel ? OMR_VS_COUNT + wheel * OMR_WS_COUNT + sight->index : sight->index;
  const double value =
      r->samples[omr_batch_place(&r->batch, r->settings.sample_columns, place, slot)];
  return of_wheel && sight->index == OMR_WS_EDGE_SHARE && value >= 2 ? (double)NAN : value;
}

static void read_slot(const omr_stepped_batch *b, size_t slot, bool reduced, double *to) {
  const omr_engine *r = b->engine;
  const omr_frame_kind frame = r->study->frame;
  double observables[OMR_OBS_COUNT];

  /* A vehicle that failed has no values. */
  if (*omr_stepped_state(b, S_STATUS, slot) != OMR_INSTANCE_OK) {
    for (size_t j = 0; j < b->width; j++) to[j] = (double)NAN;
    return;
  }
  if (reduced) {
    size_t at;
    const omr_batch block = omr_batch_block(&r->settings, &r->batch, slot, &at);
    omr_reduce(r->study, &r->settings, &block, at, r->energy[slot], observables);
    omr_formulas_add(r->study, r->drawn + slot * r->study->variation_count, observables);
  }

  for (size_t i = 0; i < b->sight_count; i++) {
    const omr_sight *sight = &b->sights[i];
    if (sight->what == OMR_SEEN_OBSERVABLE) {
      *to++ = observables[sight->index];
    } else if (sight->what == OMR_SEEN_VEHICLE) {
      *to++ =
          omr_turned(omr_vehicle_sample_turn(frame, sight->index), sample_of(b, sight, 0, slot));
    } else {
      const omr_framing turn = omr_wheel_sample_turn(frame, sight->index);
      for (int wheel = 0; wheel < r->study->wheels; wheel++)
        *to++ = omr_turned(turn, sample_of(b, sight, wheel, slot));
    }
  }
}

omr_status omr_batch_read(omr_stepped_batch *b, double *values, omr_error *error) {
  omr_status status = omr_stepped_usable(b, error);
  if (status == OMR_OK) status = bring(b, error);
  if (status != OMR_OK) return status;
  bool reduced = false;
  for (size_t i = 0; i < b->sight_count; i++) reduced |= b->sights[i].what == OMR_SEEN_OBSERVABLE;
#pragma omp parallel for schedule(static)                                                          \
    num_threads(b->engine->threads) if (b->count * b->width >= WORTH_THREADS)
  for (size_t slot = 0; slot < b->count; slot++)
    read_slot(b, slot, reduced, values + slot * b->width);
  return OMR_OK;
}

omr_status omr_batch_status(omr_stepped_batch *b, signed char *status, omr_error *error) {
  omr_engine *r = b->engine;
  const int column = S_STATUS;
  const omr_columns columns = {.states = &column, .state_count = 1};
  omr_status done = omr_stepped_usable(b, error);
  if (done == OMR_OK) done = r->ops->get(r->backend, &r->batch, &columns, error);
  if (done != OMR_OK) return done;
  for (size_t slot = 0; slot < b->count; slot++)
    status[slot] = (signed char)*omr_stepped_state(b, S_STATUS, slot);
  return OMR_OK;
}
