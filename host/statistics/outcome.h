/* The outcome of an adaptive run: the probability of a subset simulation, or the reason why a run
 * with "stop" ended. It follows from the study and the rows in order, so any file of such a run
 * gives it. */
#ifndef OMR_OUTCOME_H
#define OMR_OUTCOME_H

#include "../result/result.h"
#include "../result/source.h"

typedef struct omr_outcome omr_outcome;

/* Computes the outcome. *outcome is NULL if the study is not adaptive (then nothing is read) or if
 * the rows are not all of a run. The caller destroys it. */
omr_status omr_outcome_compute(const omr_study *study, omr_source *source, omr_outcome **outcome,
                               omr_error *error);
void omr_outcome_destroy(omr_outcome *outcome); /* NULL-safe */

/* Writes the group /statistics/subset or /statistics/stop (and /statistics where it is missing);
 * for a subset simulation the datasets `level` and `accepted` in /instances as well. */
void omr_outcome_write(const omr_outcome *outcome, omr_hdf5 *h5); /* NULL-safe */

/* Prints a few lines for people. */
void omr_outcome_print(const omr_outcome *outcome, FILE *out); /* NULL-safe */

/* The same in the lines of the short summary (brief.h). */
void omr_outcome_tell(const omr_outcome *outcome, omr_text *to); /* NULL-safe */
/* True for a subset simulation, whose later rows are not a sample. */
bool omr_outcome_is_rare(const omr_outcome *outcome); /* NULL-safe */

/* Prints an object with the member "subset" or "stop", or null. */
void omr_outcome_print_json(const omr_outcome *outcome, FILE *out); /* NULL-safe */

#endif
