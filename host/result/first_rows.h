/* The first rows of a result stay in memory while it is put together, as long as there is room, so
 * that its statistics need not read them back. */
#ifndef OMR_FIRST_ROWS_H
#define OMR_FIRST_ROWS_H

#include "source.h"

/* Limit of the held rows; as much as a batch of the engine takes, which is closed by then. */
#define OMR_HELD_BYTES ((size_t)96 << 20)

typedef struct omr_held {
  omr_result **parts; /* in row order */
  size_t *ends;       /* the row after each part */
  size_t count, rows, bytes;
  bool full;
} omr_held;

/* Memory of a result's rows, and of its trajectories. */
size_t omr_result_row_bytes(const omr_result *result);
size_t omr_result_series_bytes(const omr_result *result);

/* Takes the result that follows the ones before. Drops its trajectories, and all of it if there is
 * no more room. */
void omr_held_add(omr_held *held, omr_result *result);
void omr_held_free(omr_held *held);

/* Makes a source whose first rows are the held ones, which outlive it, and whose other rows come
 * from `rest`, which is closed with it. If this fails, `rest` is closed. */
omr_status omr_source_of_held(const omr_held *held, omr_source *rest, omr_source **source,
                              omr_error *error);

#endif
