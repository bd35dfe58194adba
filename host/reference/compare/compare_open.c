/* Comparisons for callers that do not know the layout of the structs. */
#define _GNU_SOURCE /* open_memstream */
#include "../ensemble.h"
#include "compare.h"

#include <math.h>
#include <stdlib.h>

static omr_compare_request request_of(const omr_compare_options *o, const size_t *chosen,
                                      size_t count) {
  return (omr_compare_request){.instances = chosen,
                               .count = count,
                               .tolerance = o->tolerance < 0 ? OMR_COMPARE_TOLERANCE : o->tolerance,
                               .tolerance_single =
                                   o->tolerance_single < 0 ? HUGE_VAL : o->tolerance_single,
                               .reference = {.tolerance = omr_chosen_tolerance(&o->choice),
                                             .progress = o->reference_progress,
                                             .progress_user = o->progress_user},
                               .progress = o->progress,
                               .progress_user = o->progress_user,
                               .log = o->log};
}

omr_status omr_comparison_create(const omr_study *study, const omr_compare_options *options,
                                 omr_comparison **comparison, omr_error *error) {
  static const omr_compare_options none = OMR_COMPARE_OPTIONS_INIT;

  const omr_compare_options *o = options ? options : &none;
  size_t *chosen = NULL, count = 0;

  *comparison = NULL;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_compare_options", error);
  if (status == OMR_OK) status = omr_chosen_find(&o->choice, study, &chosen, &count, error);
  if (status != OMR_OK) return status;

  /* the comparison keeps the list of chosen instances */
  omr_comparison *c = malloc(sizeof *c);
  const omr_compare_request request = request_of(o, chosen, count);
  status =
      c ? omr_compare(study, &request, c, error) : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status != OMR_OK) {
    free(chosen);
    free(c);
    return status;
  }

  c->chosen = chosen;
  *comparison = c;
  return OMR_OK;
}

void omr_comparison_destroy(omr_comparison *comparison) {
  if (!comparison) return;
  omr_comparison_free(comparison);
  free(comparison);
}

bool omr_comparison_differs(const omr_comparison *comparison) {
  return comparison->differs;
}

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
