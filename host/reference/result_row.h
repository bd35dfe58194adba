/* One row of a result by the reference: shared by instances chosen by hand (ensemble.h) and runs of
 * whole studies (whole_study.h). */
#ifndef OMR_REFERENCE_RESULT_ROW_H
#define OMR_REFERENCE_RESULT_ROW_H

#include "../model/batch.h"
#include "../result/result.h"
#include "reference.h"

/* Settings for the preparation of rows, as the engine would take the study, for the shapes of its
 * wheels. Release with omr_settings_free. */
omr_status omr_reference_settings(const omr_study *study, omr_run_settings *settings,
                                  omr_error *error);

/* The tolerance of an oracle, unless one is given: tighter than the study's own if that is
 * tight. */
omr_mb_tolerance omr_reference_oracle(const omr_study *study, omr_mb_tolerance given);
/* The tolerance of a run. A system of the study's own, which nothing else integrates, has the
 * study's tolerance, relative to the size of each state and to OMR_MB_FLOOR. */
omr_mb_tolerance omr_reference_tolerance(const omr_study *study, omr_mb_tolerance given);

/* The tolerance of a second integration, which shows the error of the first: a tenth of it, or ten
 * times as much if double precision does not allow a tenth. Zeros of `t` are its defaults. */
omr_mb_tolerance omr_reference_beside(omr_mb_tolerance t);

/* True if an observable of the study is found at the starts of steps. */
bool omr_reference_wants_steps(const omr_study *study);

/* Fills the row: varied values, and wheels as they are built. False with a reason if the values
 * make no machine, the same that the engine gives. batch: room for one instance, of this thread
 * only. */
bool omr_reference_prepare(const omr_part *part, const omr_run_settings *settings, omr_batch *batch,
                           omr_result *result, size_t row, char *reason, size_t size);

/* Fills the row: status, end, observables, and the trajectory if the part has one of it. */
void omr_reference_keep(const omr_part *part, omr_result *result, size_t row,
                        const omr_reference_run *run);

/* Fills in the backend of a result of the reference. */
void omr_reference_name(omr_run_record *record);

#endif
