/* One row of a result by the reference: what the instances chosen by hand (ensemble.h) and the runs
 * of whole studies (swept.h) share. */
#ifndef OMR_REFERENCE_ROW_H
#define OMR_REFERENCE_ROW_H

#include "../model/batch.h"
#include "../result/result.h"
#include "reference.h"

/* What the preparation of rows needs: settings of the study as the engine would take it, for the
 * shapes of its wheels. Release with omr_settings_free. */
omr_status omr_reference_settings(const omr_study *study, omr_run_settings *settings,
                                  omr_error *error);

/* The tolerance of an oracle, unless one is given: where the study's own is tight, a tighter one.
 */
omr_mb_tolerance omr_reference_oracle(const omr_study *study, omr_mb_tolerance given);
/* That of a run: of a system of the study's own, which nothing else integrates, the study's own, of
 * each state relative to its size and to OMR_MB_FLOOR. */
omr_mb_tolerance omr_reference_tolerance(const omr_study *study, omr_mb_tolerance given);

/* The tolerance of a second integration, which shows what the first one leaves: a tenth of it, or
 * ten times as much where double precision carries no tenth. Zeros of `t` are its defaults. */
omr_mb_tolerance omr_reference_beside(omr_mb_tolerance t);

/* Whether an observable of the study is found at the starts of steps. */
bool omr_reference_wants_steps(const omr_study *study);

/* Into the row: varied values, and wheels as they are built. False with a reason where the values
 * make no machine: what the engine says of them too. batch: room for one instance, of this thread
 * alone. */
bool omr_reference_prepare(const omr_part *part, const omr_run_settings *settings, omr_batch *batch,
                           omr_result *result, size_t row, char *reason, size_t size);

/* Into the row: status, end, observables, and the trajectory where the part has one of it. */
void omr_reference_keep(const omr_part *part, omr_result *result, size_t row,
                        const omr_reference_run *run);

/* What a result of the reference says of its backend. */
void omr_reference_name(omr_run_record *record);

#endif
