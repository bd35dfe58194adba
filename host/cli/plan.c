/* omniroll plan: the cost of a study. */
#define _GNU_SOURCE /* open_memstream */
#include "cli.h"
#include "short_form.h"
#include "variants.h"

#include <stdlib.h>
#include <string.h>

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

static omr_status write_job(const cli_arguments *arguments, const omr_forecast *forecast, FILE *out,
                            omr_error *error) {
  cli_text result = {0};
  cli_default_output(arguments, &result);
  const omr_job_script script = {.size = sizeof script,
                                 .engine = arguments->emit,
                                 .study = arguments->operand,
                                 .output = result.data ? result.data : "",
                                 .overrides = (const char *const *)arguments->overrides,
                                 .override_count = arguments->override_count,
                                 .image = arguments->image,
                                 .storage = arguments->storage,
                                 .queue = arguments->queue};
  const omr_status status = result.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory")
                                          : omr_forecast_write_job(forecast, &script, out, error);
  cli_text_free(&result);
  return status;
}

/* Into the file, which is whole or not there, or on standard output. */
static omr_status emit(const cli_arguments *arguments, const omr_forecast *forecast,
                       omr_error *error) {
  omr_output *file = NULL;
  if (!arguments->output) return write_job(arguments, forecast, stdout, error);
  omr_status status = omr_output_open(arguments->output, &file, error);
  if (status != OMR_OK) return status;
  status = write_job(arguments, forecast, omr_output_stream(file), error);
  if (status == OMR_OK) return omr_output_finish(file, error);
  omr_output_discard(file);
  return status;
}

static omr_status print_plan(const cli_arguments *arguments, const omr_forecast *forecast,
                             omr_error *error) {
  if (arguments->emit) return emit(arguments, forecast, error);
  if (!arguments->json) return print_forecast(forecast, error);
  omr_forecast_print_json(forecast, stdout);
  return OMR_OK;
}

static omr_status plan(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  omr_forecast *forecast = NULL;
  omr_shard shard = {0};
  omr_status status = OMR_OK;

  /* the shard, the file and the study */
  if (!arguments->tasks)
    status = arguments->shard ? omr_shard_parse(arguments->shard, &shard, error)
                              : omr_shard_from_environment(&shard, error);
  if (status == OMR_OK && arguments->emit && arguments->output)
    status = omr_check_output(arguments->output, arguments->operand, error);
  if (status == OMR_OK) status = cli_load(arguments, &study, error);
  if (status == OMR_OK && !arguments->json && !arguments->emit)
    omr_study_made_of_print(study, stdout);

  /* the forecast of one task, or of the whole */
  const omr_forecast_options options = {.size = sizeof options,
                                        .output = arguments->emit ? NULL : arguments->output,
                                        .shards =
                                            arguments->tasks ? arguments->tasks : shard.shards};
  if (status == OMR_OK) status = omr_forecast_create(study, &options, &forecast, error);
  if (status == OMR_OK) omr_forecast_tasks(forecast, arguments->tasks);
  if (status == OMR_OK) status = print_plan(arguments, forecast, error);
  omr_forecast_destroy(forecast);
  omr_study_destroy(study);

  return status;
}

/* A job is of one study, whose file its tasks read. */
static omr_status check_emit(const cli_arguments *arguments, omr_error *error) {
  cli_variants all;
  if (strcmp(arguments->operand, "-") == 0)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--emit needs a file that the tasks can read, not standard input");
  omr_status status = cli_variants_begin(arguments, &all, error);
  if (status == OMR_OK && all.count)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "%s holds variants, and tasks share one study: write a script for each, "
                      "beginning with --variant %s",
                      arguments->operand, all.variant[0].name);
  cli_variants_end(&all);
  return status;
}

omr_status cli_plan(const cli_arguments *arguments, omr_error *error) {
  const omr_status status = arguments->emit ? check_emit(arguments, error) : OMR_OK;
  return status == OMR_OK ? cli_each_variant(arguments, plan, error) : status;
}
