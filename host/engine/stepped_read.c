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

typedef enum kind { VEHICLE, WHEELS, OBSERVABLE } kind;
typedef struct named {
  kind kind;
  int index; /* OMR_VS_, OMR_WS_, OMR_OBS_ */
} named;

static omr_sample_info framed(const omr_study *study, const named *what) {
  const omr_frame_kind frame = study->frame;
  return what->kind == VEHICLE ? omr_framed_sample(omr_vehicle_sample_turn(frame, what->index),
                                                   omr_vehicle_samples[what->index])
                               : omr_framed_sample(omr_wheel_sample_turn(frame, what->index),
                                                   omr_wheel_samples[what->index]);
}

/* Whether the study has such a sample or observable, by its name in the study's frame. */
static bool find(const omr_study *study, const char *name, named *what) {
  for (int j = 0; j < OMR_VS_COUNT; j++) {
    *what = (named){VEHICLE, j};
    if (omr_has_vehicle_sample(study, j) && !strcmp(framed(study, what).name, name)) return true;
  }
  for (int j = 0; j < OMR_WS_COUNT; j++) {
    *what = (named){WHEELS, j};
    if (omr_has_wheel_sample(study, j) && !strcmp(framed(study, what).name, name)) return true;
  }
  for (int j = 0; j < OMR_OBS_COUNT; j++) {
    *what = (named){OBSERVABLE, j};
    if (omr_study_observes(study, j) && !strcmp(omr_study_observable_name(study, j), name))
      return true;
  }
  return false;
}

const char *omr_batch_unit(const omr_stepped_batch *b, const char *name) {
  named what;
  if (!find(b->engine->study, name, &what)) return NULL;
  return what.kind == OBSERVABLE ? omr_study_observable(b->engine->study, what.index).unit
                                 : framed(b->engine->study, &what).unit;
}

/* The state has the pose and the velocities; other samples are computed. */
static omr_seen see_vehicle(int sample) {
  switch (sample) {
  case OMR_VS_X: return (omr_seen){.column = S_X};
  case OMR_VS_Z: return (omr_seen){.column = S_Z};
  case OMR_VS_YAW: return (omr_seen){.origin = OMR_FROM_YAW, .column = S_YAW, .turns = S_TURNS};
  case OMR_VS_VX: return (omr_seen){.column = S_VX};
  case OMR_VS_VZ: return (omr_seen){.column = S_VZ};
  case OMR_VS_YAW_RATE: return (omr_seen){.column = S_YAW_RATE};
  default: return (omr_seen){.origin = OMR_FROM_SAMPLE, .column = sample};
  }
}

static omr_seen see_wheel(const omr_study *study, int wheel, int sample) {
  const int column = OMR_VS_COUNT + wheel * OMR_WS_COUNT + sample;
  if (!omr_wheel_has_sample(study, wheel, sample)) return (omr_seen){.origin = OMR_FROM_NOTHING};
  switch (sample) {
  case OMR_WS_RATE: return (omr_seen){.column = OMR_STATE_COLUMN(wheel, T_RATE)};
  case OMR_WS_ANGLE:
    return (omr_seen){.origin = OMR_FROM_ANGLE,
                      .column = OMR_STATE_COLUMN(wheel, T_Q),
                      .turns = OMR_STATE_COLUMN(wheel, T_INDEX),
                      .wheel = wheel};
  case OMR_WS_EDGE_SHARE: return (omr_seen){.origin = OMR_FROM_SHARE, .column = column};
  default: return (omr_seen){.origin = OMR_FROM_SAMPLE, .column = column};
  }
}

/* Appends the values of a sample or observable; their number. */
static size_t see(const omr_study *study, const named *what, omr_seen *to) {
  const omr_frame_kind frame = study->frame;
  if (what->kind == OBSERVABLE) {
    *to = (omr_seen){.origin = OMR_FROM_OBSERVABLE, .column = what->index};
    return 1;
  }
  if (what->kind == VEHICLE) {
    *to = see_vehicle(what->index);
    to->negated = omr_vehicle_sample_turn(frame, what->index).how & OMR_TURN_NEGATED;
    return 1;
  }
  for (int wheel = 0; wheel < study->wheels; wheel++) {
    to[wheel] = see_wheel(study, wheel, what->index);
    to[wheel].negated = omr_wheel_sample_turn(frame, what->index).how & OMR_TURN_NEGATED;
  }
  return (size_t)study->wheels;
}

omr_status omr_batch_observe(omr_stepped_batch *b, const char *const *names, size_t count,
                             omr_error *error) {
  const omr_study *study = b->engine->study;
  omr_seen *seen = calloc(count * (size_t)study->wheels + 1, sizeof *seen);
  if (!seen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  size_t width = 0;
  for (size_t i = 0; i < count; i++) {
    named what;
    if (!find(study, names[i], &what)) {
      free(seen);
      return omr_fail(error, OMR_ERR_USAGE,
                      "\"%s\" is neither a sample of trajectories nor among output.observables of "
                      "this study: omniroll describe %s lists both",
                      names[i], omr_model_names[study->model]);
    }
    width += see(study, &what, seen + width);
  }

  free(b->seen);
  b->seen = seen;
  b->width = width;
  return OMR_OK;
}

size_t omr_batch_width(const omr_stepped_batch *b) {
  return b->width;
}

static bool is_seen(const omr_stepped_batch *b, omr_origin first, omr_origin last) {
  for (size_t j = 0; j < b->width; j++)
    if (b->seen[j].origin >= first && b->seen[j].origin <= last) return true;
  return false;
}

/* Brings what will be read from the device. */
static omr_status bring(omr_stepped_batch *b, omr_error *error) {
  omr_engine *r = b->engine;
  const int status_column = S_STATUS;
  omr_columns columns = {.states = &status_column, .state_count = 1};
  omr_status status = r->ops->get(r->backend, &r->batch, &columns, error);
  for (size_t j = 0; status == OMR_OK && j < b->width; j++) {
    const omr_seen *seen = &b->seen[j];
    const int wanted[] = {seen->column, seen->turns};
    if (seen->origin > OMR_FROM_ANGLE) continue;
    columns =
        (omr_columns){.states = wanted, .state_count = seen->origin == OMR_FROM_STATE ? 1 : 2};
    status = r->ops->get(r->backend, &r->batch, &columns, error);
  }

  if (status == OMR_OK && is_seen(b, OMR_FROM_OBSERVABLE, OMR_FROM_OBSERVABLE))
    status = r->ops->fetch(r->backend, &r->batch, error);
  if (status == OMR_OK && is_seen(b, OMR_FROM_SAMPLE, OMR_FROM_SHARE))
    status = r->ops->sample(r->backend, b->longest, r->samples, error);
  return status;
}

/* value + count * unit, with the one rounding of the run's precision (kernels/entry.h). */
static double with_turns(bool single, double value, double count, double unit) {
  return single ? (double)fmaf((float)count, (float)unit, (float)value) : fma(count, unit, value);
}

static double sample_at(const omr_engine *r, int column, size_t slot) {
  return r->samples[omr_batch_place(&r->batch, r->settings.sample_columns, column, slot)];
}

/* A value in the kernels' frame. */
static double value_of(const omr_stepped_batch *b, const omr_seen *seen, const double *observables,
                       size_t slot) {
  const omr_engine *r = b->engine;
  const bool single = r->study->engine.precision == OMR_SINGLE_PRECISION;
  double value;
  switch (seen->origin) {
  case OMR_FROM_STATE: return *omr_stepped_state(b, seen->column, slot);
  case OMR_FROM_YAW:
    return with_turns(single, *omr_stepped_state(b, seen->column, slot),
                      *omr_stepped_state(b, seen->turns, slot), 2 * PI);
  case OMR_FROM_ANGLE:
    value = 2 * *omr_stepped_param(b, OMR_PARAM_COLUMN(seen->wheel, W_ALPHA), slot);
    return with_turns(single, *omr_stepped_state(b, seen->column, slot),
                      *omr_stepped_state(b, seen->turns, slot), value);
  case OMR_FROM_SAMPLE: return sample_at(r, seen->column, slot);
  case OMR_FROM_SHARE:
    value = sample_at(r, seen->column, slot);
    return value >= 2 ? (double)NAN : value; /* as in a trajectory */
  case OMR_FROM_OBSERVABLE: return observables[seen->column];
  default: return (double)NAN;
  }
}

static void read_slot(const omr_stepped_batch *b, size_t slot, bool reduced, double *to) {
  const omr_engine *r = b->engine;
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

  for (size_t j = 0; j < b->width; j++) {
    const double value = value_of(b, &b->seen[j], observables, slot);
    to[j] = b->seen[j].negated ? 0.0 - value : value;
  }
}

omr_status omr_batch_read(omr_stepped_batch *b, double *values, omr_error *error) {
  omr_status status = omr_stepped_usable(b, error);
  if (status == OMR_OK) status = bring(b, error);
  if (status != OMR_OK) return status;
  const bool reduced = is_seen(b, OMR_FROM_OBSERVABLE, OMR_FROM_OBSERVABLE);
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
