/* The instances that a run repeats with shorter steps, in a run of their own: where the process
 * that puts a result together has not computed them with its chunks. */
#ifndef OMR_REMEASURE_H
#define OMR_REMEASURE_H

#include "../engine/run.h"
#include "../result/refined.h"

/* The study on openmp, which has the same bits, where its device is gone and its numerics are
 * exact. False where it is there already, or its bits would differ. */
bool omr_study_elsewhere(const omr_study *study, omr_study *elsewhere);

/* Runs the missing part of `refined` on the study's backend; where its device is missing and
 * numerics are exact, on openmp, which has the same bits, and the log says so. record: the effort
 * is added. */
omr_status omr_remeasure(const omr_study *study, const omr_run_options *options,
                         omr_refined *refined, omr_run_record *record, omr_error *error);

#endif
