/* Floating-point operations that a study's instances take, counted by running the kernel text
 * (host/bench/counting_real.h says how): the measure of useful work that is the same for every
 * backend, precision and number of lanes. */
#ifndef OMR_COUNT_H
#define OMR_COUNT_H

#include "../engine/backend.h"
#include "../lanes/lanes.h"
#include "counted.h"

#include <omniroll/omniroll.h>

/* Runs a few instances that make a vehicle, spread over the study, some hundred steps each at most,
 * in the counting build of the text in the precision of the study's engine. The
 * text is compiled for the study (lanes/compiled.h); OMR_ERR_DEVICE where nothing can compile it.
 */
omr_status omr_count_operations(const omr_study *study, omr_operations *per_step, omr_error *error);

/* What a fraction of the peak is made of: add + multiply + 2 fma + divide + sqrt. */
double omr_useful_operations(const omr_operations *o);

/* --- for tests: the object behind it --- */

/* An object that counts, and its counts: those of this thread since the last call, where `rejected`
 * (NULL allowed) receives those of rejected passes. */
typedef struct omr_counter {
  const omr_lane_object *object;
  omr_operations (*take)(omr_operations *rejected);
} omr_counter;

/* The one for these settings, compiled where it is not kept. */
omr_status omr_count_open(const int *settings, bool single, omr_counter *counter, omr_error *error);

/* Integrates the batch's instances up to step `until` with that object. */
omr_status omr_count_batch(const omr_counter *counter, const omr_run_settings *settings,
                           double until, omr_batch *batch, omr_error *error);

#endif
