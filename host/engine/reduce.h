/* From the final state columns of an instance to its observables. */
#ifndef OMR_REDUCE_H
#define OMR_REDUCE_H

#include "../model/prepare.h"
#include "../result/result.h"

/* All OMR_OBS_COUNT observables of a slot after integration; initial_energy [J] is the kinetic
 * energy before it. NaN where an observable does not exist. */
void omr_reduce(const omr_study *study, const omr_run_settings *settings, const omr_batch *batch,
                size_t slot, double initial_energy, double observables[OMR_OBS_COUNT]);

/* Time at which the instance stopped, s. */
double omr_end_time(const omr_run_settings *settings, const omr_batch *batch, size_t slot);

/* The state of an instance at its end, in the order of the failures' quantities (last_state.c). */
void omr_last_state(const omr_failures *failures, const omr_run_settings *settings,
                    const omr_batch *batch, size_t slot, double *state);

#endif
