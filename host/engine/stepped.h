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

/* What is read: a sample of the vehicle or of each wheel, or an observable. */
typedef enum omr_seen { OMR_SEEN_VEHICLE, OMR_SEEN_WHEELS, OMR_SEEN_OBSERVABLE } omr_seen;
typedef struct omr_sight {
  omr_seen what;
  int index; /* OMR_VS_, OMR_WS_, OMR_OBS_ */
} omr_sight;

enum { OMR_INPUTS = 6 + 3 + 2 * OMR_MAX_WHEELS };

struct omr_stepped_batch {
  omr_run_options options;
  omr_engine *engine; /* its batch has a slot for each vehicle, engine->index its instance */
  size_t count;
  double longest; /* no instance has gone further, steps */
  char device[300];
  omr_input input[OMR_INPUTS];
  size_t input_count;
  omr_sight *sights;
  size_t sight_count, width;
  bool broken; /* a call failed halfway */
};

/* Finds the inputs that the study has. */
void omr_stepped_find_inputs(omr_stepped_batch *b);
/* OMR_ERR_USAGE after a call that failed halfway. */
static inline omr_status omr_stepped_usable(const omr_stepped_batch *b, omr_error *error) {
  if (!b->broken) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "an earlier call of this batch failed halfway: close it and open another one");
}

#endif
