/* Chunks of a study that does not keep all rows (output.rows): they run in pieces, each of which
 * joins the chunk's sums and leaves the rows that are kept. Memory does not grow with the chunk. */
#ifndef OMR_SUMMED_ROWS_H
#define OMR_SUMMED_ROWS_H

#include "../engine/integrator.h"
#include "../statistics/partial/partial.h"

/* Runs the rows first .. last-1 of a part. The result has sums, and the rows of the instances that
 * omr_rows_kept lists with `more`; its record counts all of them. */
omr_status omr_run_summed(omr_integrator *integrator, const omr_part *whole, size_t first,
                          size_t last, omr_result **result, omr_error *error);

/* Chunks of a study: `count` of `rows` rows each; there: which of them are meant, NULL: all. */
typedef struct omr_covered {
  size_t count, rows;
  const bool *there;
} omr_covered;

/* Parts that are put together in any order: the rows that they keep, and their sums. */
typedef struct omr_gathered {
  omr_result *rows;
  omr_partial *partial;
  bool begun;
} omr_gathered;

/* more: as for omr_rows_kept. Release with omr_gathered_free, also after a failure. */
omr_status omr_gathered_make(const omr_part *whole, const omr_covered *covered, bool more,
                             omr_gathered *gathered, omr_error *error);
omr_status omr_gathered_add(omr_gathered *gathered, const omr_result *part, omr_error *error);
/* Adds rows that were run again, with their trajectories. */
omr_status omr_gathered_add_again(omr_gathered *gathered, const omr_part *whole,
                                  const omr_result *again, omr_error *error);
/* Gives the sums to the rows as bytes. */
omr_status omr_gathered_pack(omr_gathered *gathered, omr_error *error);
void omr_gathered_free(omr_gathered *gathered);

/* Replaces a result of the whole study by one without the rows that only the end of a run needs. */
omr_status omr_keep_file_rows(const omr_part *whole, omr_result **result, omr_error *error);

#endif
