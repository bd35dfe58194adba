/* Floating-point operations that a study's instances take, counted by running the kernel text
 * (host/bench/counting_real.h says how): the measure of useful work that is the same for every
 * backend, precision and number of lanes. */
#ifndef OMR_COUNT_H
#define OMR_COUNT_H

#include "../engine/backend.h"
#include "../engine/lanes.h"

#include <omniroll/omniroll.h>

/* Per accepted instance-step; of rejected passes (one that crosses an edge between rollers
 * unforeseen is cut there and repeated) nothing is in it. Where an error estimate chooses the
 * steps, per pass, rejected ones too, as speeds are. */
typedef struct omr_operations {
  double add, multiply, fma, divide, sqrt; /* add: subtractions too */
  double compare, minmax, select;
  double round; /* to whole numbers, other than by adding and subtracting a large one */
  double
      sign; /* absolute values and what is put together from bits; plain negation is not counted */
  double steps; /* instance-steps that were counted */
} omr_operations;

/* Runs a few instances that make a vehicle, spread over the study, some hundred steps each at most,
 * in the counting build of the text in the precision of the study's engine. OMR_ERR_DEVICE where
 * this build has no counting text. Numbers of wheels without a counting object of their own
 * (cmake/counting.cmake) count more, since their text carries columns for eight wheels (4 wheels: 3
 * to 4 %, 6 wheels: 1.7 %). */
omr_status omr_count_operations(const omr_study *study, omr_operations *per_step, omr_error *error);

/* What a fraction of the peak is made of: add + multiply + 2 fma + divide + sqrt. */
double omr_useful_operations(const omr_operations *o);

/* --- for tests: the lane objects behind it, and their counts --- */

/* The object for these settings, NULL where this build has none. */
const omr_lane_object *omr_counting_object(const int *settings, bool single);

/* Integrates the batch's instances up to step `until` with that object. */
omr_status omr_count_batch(const omr_run_settings *settings, bool single, double until,
                           omr_batch *batch, omr_error *error);

/* The counts of this thread since the last call; `steps` is 0. `rejected`, if not NULL, receives
 * those of rejected passes. */
omr_operations omr_take_counts(omr_operations *rejected);

#endif
