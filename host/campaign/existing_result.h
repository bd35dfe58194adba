/* The file in the place of a new result, and whether it may be replaced. */
#ifndef OMR_EXISTING_RESULT_H
#define OMR_EXISTING_RESULT_H

#include "manifest.h"

typedef enum omr_occupant {
  OMR_NOBODY, /* no file, or an empty one */
  OMR_SAME_RESULT,
  OMR_OTHER_RESULT, /* of another study, precision, numerics or version */
  OMR_NO_RESULT
} omr_occupant;

/* Whether `path` is a result; where `manifest` is given, of its study, precision and version. */
bool omr_is_result(const char *path, const omr_manifest *manifest);

/* OMR_ERR_USAGE where the study reads the file at `path`. */
omr_status omr_check_not_read(const char *path, const omr_manifest *now, omr_error *error);

/* The same, and before anything is computed: OMR_ERR_IO where a file would be lost that this run
 * does not make again, unless `overwrite`. The log (NULL: none) names the file that will be
 * replaced. */
omr_status omr_check_occupied(const char *path, const omr_manifest *now, bool overwrite, FILE *log,
                              omr_error *error);

#endif
