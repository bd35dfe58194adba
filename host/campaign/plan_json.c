/* The cost of a run, for callers that do not know the layout of a struct. */
#define _GNU_SOURCE /* open_memstream */
#include "forecast.h"

#include <stdlib.h>

omr_status omr_study_plan_json(const omr_study *study, const char *output, double seconds,
                               char **json, omr_error *error) {
  const omr_forecast_options options = {
      .size = sizeof options, .output = output, .seconds = seconds};
  omr_forecast *forecast = NULL;
  size_t size;
  *json = NULL;
  const omr_status status = omr_forecast_create(study, &options, &forecast, error);
  if (status != OMR_OK) return status;
  FILE *out = open_memstream(json, &size);
  if (out) omr_forecast_print_json(forecast, out);
  omr_forecast_destroy(forecast);
  if (out && fclose(out) == 0) return OMR_OK;
  free(*json);
  *json = NULL;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}
