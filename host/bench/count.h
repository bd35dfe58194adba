/* Floating-point operations of a study's instances, counted by running the kernel text
 * (host/bench/counting_real.h): a measure of useful work that is the same for every backend,
 * precision and number of lanes. */
#ifndef OMR_COUNT_H
#define OMR_COUNT_H

#include "../engine/backend.h"
#include "../lanes/lanes.h"
#include "counted.h"

#include <omniroll/omniroll.h>

/* Runs a few instances that make a vehicle, spread over the study, for at most some hundred steps
 * each, in the counting build of the text and the precision of the study's engine. The text is
 * compiled for the study (lanes/compiled.h); OMR_ERR_DEVICE where it cannot be compiled. */
omr_status omr_count_operations(const omr_study *study, omr_operations *per_step, omr_error *error);

/* The operations that the fraction of the peak counts: add + multiply + 2 fma + divide + sqrt. */
double omr_useful_operations(const omr_operations *o);

/* --- for tests: the object behind it --- */

/* An object that counts, and its counts: this thread's since the last call; `rejected` (NULL
 * allowed) receives the counts of rejected passes. */
typedef struct omr_counter {
  const omr_lane_object *object;
  omr_operations (*take)(omr_operations *rejected);
} omr_counter;

/* The counting object for these settings, compiled where no kept one fits. */
omr_status omr_count_open(const int *settings, bool single, omr_counter *counter, omr_error *error);

/* Integrates the batch's instances up to step `until` with the counter's object. */
omr_status omr_count_batch(const omr_counter *counter, const omr_run_settings *settings,
                           double until, omr_batch *batch, omr_error *error);

#endif
