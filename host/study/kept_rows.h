/* Which rows a result keeps (output.rows). Without all of them its numbers come from sums over
 * chunks (statistics/partial/partial.h). */
#ifndef OMR_STUDY_KEPT_ROWS_H
#define OMR_STUDY_KEPT_ROWS_H

#include "study.h"

/* Rows of a block of sums: chunks begin and end at multiples of it. */
size_t omr_partial_block(const omr_study *study);

/* The instances first .. last-1 whose rows are kept: those with trajectories, and the sample, one
 * of each of study->rows.sample equal parts of the study, drawn by its seed; `more` adds those that
 * run again with shorter steps, which the end of a run needs. The caller frees *instances, which
 * ascend. */
omr_status omr_rows_kept(const omr_study *study, size_t first, size_t last, bool more,
                         size_t **instances, size_t *count, omr_error *error);
/* Those of the sample alone, which are a random draw. */
omr_status omr_rows_sampled(const omr_study *study, size_t **instances, size_t *count,
                            omr_error *error);

#endif
