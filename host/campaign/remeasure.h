/* The instances that a run repeats with shorter steps, in a run of their own: where the process
 * that puts a result together has not computed them with its chunks. */
#ifndef OMR_REMEASURE_H
#define OMR_REMEASURE_H

#include "../engine/run.h"
#include "../result/shorter_steps.h"

/* The study on openmp, which has the same bits, where its device is gone and its numerics are
 * exact. False where it is there already, or its bits would differ. */
bool omr_study_elsewhere(const omr_study *study, omr_study *elsewhere);

/* For options.progress of a run after the run, with that one's omr_run_options as its user: the bar
 * stands at its end, and a stop still ends the work. */
bool omr_bar_at_end(void *options, double done, double total);

/* Runs what is not known of `refined`. On the study's backend; where its device is not there, with
 * exact numerics, on openmp, which has the same bits, and the log says so. record: what it took is
 * added. */
omr_status omr_remeasure(const omr_study *study, const omr_run_options *options,
                         omr_refined *refined, omr_run_record *record, omr_error *error);

#endif
