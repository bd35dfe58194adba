/* What a stepped batch gives: samples as those of trajectories, and observables. What the state has
 * as it is comes from its columns; other samples are computed as a trajectory's. */
#include "stepped.h"

#include "../../kernels/layout.h"
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
#define TURN 6.283185307179586 /* TURN_HIGH of kernels/steps/methods.h */

/* The state columns that a sample is made of: low + unit * high; -1: there is none. */
typedef struct made_of {
  int low, high;
} made_of;

static made_of vehicle_columns(int sample) {
  switch (sample) {
  case OMR_VS_X: return (made_of){S_X, -1};
  case OMR_VS_Z: return (made_of){S_Z, -1};
  case OMR_VS_YAW: return (made_of){S_YAW, S_TURNS};
  case OMR_VS_VX: return (made_of){S_VX, -1};
  case OMR_VS_VZ: return (made_of){S_VZ, -1};
  case OMR_VS_YAW_RATE: return (made_of){S_YAW_RATE, -1};
  default: return (made_of){-1, -1};
  }
}

static made_of wheel_columns(int sample, int wheel) {
  switch (sample) {
  case OMR_WS_ANGLE:
    return (made_of){OMR_STATE_COLUMN(wheel, T_Q), OMR_STATE_COLUMN(wheel, T_INDEX)};
  case OMR_WS_RATE: return (made_of){OMR_STATE_COLUMN(wheel, T_RATE), -1};
  default: return (made_of){-1, -1};
  }
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

static made_of columns_of(const omr_sight *sight, int wheel) {
  return sight->what == OMR_SEEN_VEHICLE  ? vehicle_columns(sight->index)
         : sight->what == OMR_SEEN_WHEELS ? wheel_columns(sight->index, wheel)
                                          : (made_of){-1, -1};
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
      const made_of made = columns_of(sight, wheel);
      const int wanted[] = {made.low, made.high};
      columns = (omr_columns){.states = wanted, .state_count = made.high < 0 ? 1 : 2};
      if (made.low >= 0)
        status = r->ops->get(r->backend, &r->batch, &columns, error);
      else
        sampled |= sight->what != OMR_SEEN_OBSERVABLE;
    }
  }

  if (status == OMR_OK && reduced) status = r->ops->fetch(r->backend, &r->batch, error);
  if (status == OMR_OK && sampled)
    status = r->ops->sample(r->backend, b->longest, r->samples, error);
  return status;
}

/* high * unit + low, rounded as the kernels do (sample_omni). */
static double sum_of(const omr_stepped_batch *b, double high, double unit, double low) {
  if (b->engine->study->engine.precision == OMR_SINGLE_PRECISION)
    return (double)fmaf((float)high, (float)unit, (float)low);
  return fma(high, unit, low);
}

/* A sample that the state's columns make. */
static double state_sample(const omr_stepped_batch *b, const made_of *made, int wheel,
                           size_t slot) {
  const omr_batch *batch = &b->engine->batch;
  const double low = batch->state[(size_t)made->low * batch->stride + slot];
  if (made->high < 0) return low;
  const double high = batch->state[(size_t)made->high * batch->stride + slot];
  if (made->high == S_TURNS) return sum_of(b, high, TURN, low);
  const size_t alpha = (size_t)OMR_PARAM_COLUMN(wheel, W_ALPHA) * batch->stride + slot;
  return sum_of(b, high, 2 * batch->params[alpha], low);
}

/* The value of a sample of the vehicle, or of a wheel, in the kernels' frame. */
static double sample_of(const omr_stepped_batch *b, const omr_sight *sight, int wheel,
                        size_t slot) {
  const omr_engine *r = b->engine;
  const size_t stride = r->batch.stride;
  const made_of made = columns_of(sight, wheel);
  if (sight->what == OMR_SEEN_VEHICLE)
    return made.low >= 0 ? state_sample(b, &made, 0, slot)
                         : r->samples[(size_t)sight->index * stride + slot];

  /* As in a trajectory, a wheel on one roller has no share of a second one. */
  if (!omr_wheel_has_sample(r->study, wheel, sight->index)) return (double)NAN;
  if (made.low >= 0) return state_sample(b, &made, wheel, slot);
  const size_t place = (size_t)(OMR_VS_COUNT + wheel * OMR_WS_COUNT + sight->index);
  const double value = r->samples[place * stride + slot];
  return sight->index == OMR_WS_EDGE_SHARE && value >= 2 ? (double)NAN : value;
}

static void read_slot(const omr_stepped_batch *b, size_t slot, bool reduced, double *to) {
  const omr_engine *r = b->engine;
  const omr_frame_kind frame = r->study->frame;
  double observables[OMR_OBS_COUNT];

  /* A vehicle that failed has no values. */
  if (r->batch.state[(size_t)S_STATUS * r->batch.stride + slot] != OMR_INSTANCE_OK) {
    for (size_t j = 0; j < b->width; j++) to[j] = (double)NAN;
    return;
  }
  if (reduced) {
    omr_reduce(r->study, &r->settings, &r->batch, slot, r->energy[slot], observables);
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
  const size_t work = b->count * (b->width + (reduced ? OMR_OBS_COUNT : 0));
#pragma omp parallel for schedule(static) num_threads(b->engine->threads) if (work >= WORTH_THREADS)
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
  const double *from = r->batch.state + (size_t)S_STATUS * r->batch.stride;
  for (size_t slot = 0; slot < b->count; slot++) status[slot] = (signed char)from[slot];
  return OMR_OK;
}
