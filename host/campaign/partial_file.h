/* A part of a study that keeps no rows: what `merge --partial` makes of the chunks of some shards,
 * and takes again. It is a result whose statistics are of these chunks. */
#ifndef OMR_PARTIAL_FILE_H
#define OMR_PARTIAL_FILE_H

#include "manifest.h"
#include "summed_rows.h"

typedef struct omr_partial_file {
  const char *name; /* the caller's */
  omr_result *result;
  omr_manifest manifest;
  bool *there; /* [manifest.chunks] */
  size_t sessions, checks;
} omr_partial_file;

/* Reads a file. Release with omr_partial_file_free, also after a failure. */
omr_status omr_partial_file_open(const char *path, omr_partial_file *file, omr_error *error);
void omr_partial_file_free(omr_partial_file *file);

/* Gives a result the text of its chunks. */
omr_status omr_partial_file_cover(omr_result *result, const omr_manifest *manifest,
                                  const bool *there, size_t sessions, size_t checks,
                                  omr_error *error);

#endif
