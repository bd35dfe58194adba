/* A batch that the caller steps: opened and reset (stepped.c), its inputs (stepped_inputs.c) and
 * what is read of it (stepped_read.c). */
#ifndef OMR_STEPPED_H
#define OMR_STEPPED_H

#include "state.h"

/* An input: a column of parameters, and for a wheel of prescribed rate its column of the state. */
typedef struct omr_input {
  char path[80]; /* in the study's frame */
  bool per_wheel;
  int wheel, parameter; /* OMR_VP_ or OMR_WP_ */
  int column, state;    /* state: -1 for none */
} omr_input;

/* Where a value that is read comes from. */
typedef enum omr_origin {
  OMR_FROM_STATE,      /* a column of the state */
  OMR_FROM_YAW,        /* that and the full turns of another one */
  OMR_FROM_ANGLE,      /* likewise the rollers that the wheel has passed */
  OMR_FROM_SAMPLE,     /* a column of samples */
  OMR_FROM_SHARE,      /* that of resting on two rollers, which others do not have */
  OMR_FROM_OBSERVABLE, /* an observable's number */
  OMR_FROM_NOTHING     /* this wheel has no such sample */
} omr_origin;
typedef struct omr_seen {
  omr_origin origin;
  int column, turns, wheel;
  bool negated; /* in the study's frame */
} omr_seen;

enum { OMR_INPUTS = 6 + 3 + 2 * OMR_MAX_WHEELS };

typedef struct omr_stepped_batch omr_stepped_batch;
struct omr_stepped_batch {
  omr_run_options options;
  omr_engine *engine; /* its batch has a slot for each vehicle, engine->index its instance */
  size_t count;
  double longest; /* no instance has gone further, steps */
  char device[300];
  omr_input input[OMR_INPUTS];
  size_t input_count;
  omr_seen *seen; /* [width] */
  size_t width;
  bool broken; /* a call failed halfway */
};

/* A value of a vehicle: a folded parameter, or a column of its state. */
static inline double *omr_stepped_param(const omr_stepped_batch *b, int column, size_t slot) {
  const omr_engine *r = b->engine;
  return r->batch.params + omr_batch_place(&r->batch, r->settings.param_columns, column, slot);
}
static inline double *omr_stepped_state(const omr_stepped_batch *b, int column, size_t slot) {
  const omr_engine *r = b->engine;
  return r->batch.state + omr_batch_place(&r->batch, r->settings.state_columns, column, slot);
}

/* Finds the inputs that the study has. */
void omr_stepped_find_inputs(omr_stepped_batch *b);
/* OMR_ERR_USAGE after a call that failed halfway. */
static inline omr_status omr_stepped_usable(const omr_stepped_batch *b, omr_error *error) {
  if (!b->broken) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "an earlier call of this batch failed halfway: close it and open another one");
}

#endif
