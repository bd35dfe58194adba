/* A comparison in one call, for callers that do not know the layout of a struct. */
#define _GNU_SOURCE /* open_memstream */
#include "compare.h"

#include <stdlib.h>

omr_status omr_study_compare_json(const omr_study *study, const char *instances, double tolerance,
                                  omr_progress_fn *progress, void *user, char **json,
                                  omr_error *error) {
  const omr_compare_options options = {.size = sizeof options,
                                       .choice = {.instances = instances},
                                       .tolerance = tolerance,
                                       .tolerance_single = -1,
                                       .progress = progress,
                                       .reference_progress = progress,
                                       .progress_user = user};

  omr_comparison *comparison = NULL;
  size_t size;
  *json = NULL;

  /* compare */
  omr_status status = omr_comparison_create(study, &options, &comparison, error);
  if (status != OMR_OK) return status;

  /* print into memory */
  FILE *out = open_memstream(json, &size);
  if (out) status = omr_comparison_print_json(comparison, out, error);
  omr_comparison_destroy(comparison);

  if ((!out || fclose(out) != 0) && status == OMR_OK)
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  if (status == OMR_OK) return status;
  free(*json);
  *json = NULL;
  return status;
}
