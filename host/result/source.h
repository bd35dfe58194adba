/* Rows of a finished run read in blocks, whether they are in memory or in a file. Statistics,
 * export and summaries use it, so that their memory does not depend on the number of instances. */
#ifndef OMR_SOURCE_H
#define OMR_SOURCE_H

#include "result.h"

typedef struct omr_source omr_source;

/* The functions of a source; each fails with the place and leaves the source usable. */
typedef struct omr_source_ops {
  /* values[0 .. count) of rows first .. first+count-1 of a column (parameters first, then
   * observables). */
  omr_status (*read)(omr_source *source, size_t column, size_t first, size_t count, double *values,
                     omr_error *error);
  /* Status codes (OMR_INSTANCE_*) and their times, s; either may be NULL. */
  omr_status (*status)(omr_source *source, size_t first, size_t count, int8_t *codes, double *times,
                       omr_error *error);
  void (*close)(omr_source *source);
  /* The same rows of columns `column` to column+columns-1 at values, values + stride, ...; NULL:
   * one after another. */
  omr_status (*read_columns)(omr_source *source, size_t column, size_t columns, size_t first,
                             size_t count, double *values, size_t stride, omr_error *error);
  /* Address of these rows of a column, one after another in memory for as long as the source is
   * open; NULL if they are not in memory. */
  const double *(*at)(const omr_source *source, size_t column, size_t first, size_t count);
} omr_source_ops;

struct omr_source {
  const omr_source_ops *ops;
  size_t rows, columns, parameters; /* columns: varied parameters come first */
  const omr_sample_info *info;      /* [columns]: name, unit, meaning; owned by the source */
  const bool *every; /* [columns]: has a value in failed instances as well; NULL: none has */
};

/* Reads from a result, which stays the caller's and must outlive the source. Close with
 * omr_source_close. */
omr_status omr_source_of_result(const omr_result *result, omr_source **source, omr_error *error);
void omr_source_close(omr_source *source); /* NULL-safe */

/* Reads rows of neighbouring columns: several are decompressed at a time from a file. */
omr_status omr_source_read_columns(omr_source *source, size_t column, size_t columns, size_t first,
                                   size_t count, double *values, size_t stride, omr_error *error);

/* The same, without a copy if the rows are in memory: at[c] points to the rows of column
 * block.column + c, there or in `room`, which is [block.columns][stride]. */
omr_status omr_source_columns(omr_source *source, omr_table_block block, double *room,
                              size_t stride, const double **at, omr_error *error);

#endif
