/* omniroll plan: the cost of a study. */
#define _GNU_SOURCE /* open_memstream */
#include "cli.h"
#include "short_form.h"
#include "variants.h"

#include <stdlib.h>

static omr_status print_forecast(const omr_forecast *forecast, omr_error *error) {
  enum { LABEL = 13 };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out) omr_forecast_print(forecast, out);
  const bool whole = out && fclose(out) == 0;
  if (whole) cli_print_labelled(text, LABEL, stdout);
  free(text);
  return whole ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static omr_status plan(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  omr_forecast *forecast = NULL;
  omr_shard shard = {0};
  omr_status status = arguments->shard ? omr_shard_parse(arguments->shard, &shard, error)
                                       : omr_shard_from_environment(&shard, error);
  if (status == OMR_OK) status = cli_load(arguments, &study, error);
  if (status == OMR_OK && !arguments->json) omr_study_made_of_print(study, stdout);
  const omr_forecast_options options = {
      .size = sizeof options, .output = arguments->output, .shards = shard.shards};
  if (status == OMR_OK) status = omr_forecast_create(study, &options, &forecast, error);
  if (status == OMR_OK && arguments->json)
    omr_forecast_print_json(forecast, stdout);
  else if (status == OMR_OK)
    status = print_forecast(forecast, error);
  omr_forecast_destroy(forecast);
  omr_study_destroy(study);
  return status;
}

omr_status cli_plan(const cli_arguments *arguments, omr_error *error) {
  return cli_each_variant(arguments, plan, error);
}
