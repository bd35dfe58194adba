/* How a study's instances are cut into chunks, which are run, stored and lost as one. */
#ifndef OMR_CHUNK_ROWS_H
#define OMR_CHUNK_ROWS_H

#include "study.h"

/* Trajectories that stand in memory at a time, about. */
#define OMR_TRAJECTORY_BYTES ((size_t)64 << 20)

/* Instances per chunk. engine.chunk where the study gives it; otherwise it follows from the study,
 * never from the machine, so that everyone who works on a study cuts it alike. */
size_t omr_chunk_rows(const omr_study *study);

/* The largest chunk with which each of `tasks` processes has one: a value of engine.chunk. 0: there
 * is none, since without rows a chunk holds whole blocks of the sums. */
size_t omr_chunk_for(const omr_study *study, size_t tasks);

/* The same of a study that keeps all rows: about what is in memory at a time. */
size_t omr_piece_rows(const omr_study *study);

/* Largest number of traced instances in one chunk of `rows` instances. */
size_t omr_most_traced(const omr_study *study, size_t rows);

/* Bytes of one instance's trajectory, where it has one. */
size_t omr_trajectory_bytes(const omr_study *study);

/* Which rows a result keeps (output.rows). Without all of them its numbers come from sums over
 * chunks (statistics/partial/partial.h). */

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
