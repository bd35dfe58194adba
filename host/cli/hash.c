/* omniroll run --hash: a run in memory, reported by the hash of its numbers and its speed. */
#include "cli.h"
#include "file_runs.h"
#include "progress.h"

/* The JSON has an empty line after it. */
static omr_status print_json(const omr_result *result, omr_error *error) {
  char *json = NULL;
  const omr_status status = omr_result_run_json(result, &json, error);
  if (json) printf("%s\n", json);
  omr_text_destroy(json);
  return status;
}

static omr_status print_hash(const omr_result *result, omr_error *error) {
  char hash[33];
  const omr_status status = omr_result_hash(result, hash, error);
  if (status == OMR_OK) printf("%s\n", hash);
  return status;
}

static omr_status tell(const cli_arguments *arguments, const omr_result *result, omr_error *error) {
  if (arguments->json) return print_json(result, error);
  return arguments->quiet ? print_hash(result, error) : omr_result_run_print(result, stdout, error);
}

static omr_status run_in_memory(const cli_arguments *arguments, const omr_study *study,
                                omr_error *error) {
  cli_progress progress;
  omr_result *result = NULL;
  cli_progress_start(&progress, arguments->quiet, cli_work_unit(study));
  FILE *log = arguments->quiet ? NULL : cli_log_open(&progress);

  /* Only --strict needs the step error. */
  const omr_run_options options = {.size = sizeof options,
                                   .progress = cli_progress_watch,
                                   .progress_user = &progress,
                                   .log = log,
                                   .no_step_error = !arguments->strict};

  /* Run in memory. */
  cli_catch_signals();
  omr_status status = omr_run(study, &options, &result, error);
  if (log) fclose(log);
  cli_progress_clear(&progress);

  /* Print the result and judge it by the study's limits. */
  if (status == OMR_OK) status = tell(arguments, result, error);
  if (status == OMR_OK) status = omr_result_check_failures(study, result, error);
  if (status == OMR_OK && arguments->strict) status = omr_result_check_accept(study, result, error);

  omr_result_destroy(result);
  return status;
}

/* Nothing printed here shows the step error, which is measured only with --strict. */
static omr_status check_step_error(const cli_arguments *arguments, const omr_study *study,
                                   omr_error *error) {
  if (!arguments->strict || omr_study_measures_step_error(study)) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s: --strict asks for the error of the step, which integrator.step_error "
                  "\"off\" does not measure; leave one of them out",
                  omr_study_name(study));
}

omr_status cli_run_hash(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  const char *refused = arguments->output           ? "--output"
                        : arguments->shard          ? "--shard"
                        : arguments->restart        ? "--restart"
                        : arguments->overwrite      ? "--overwrite"
                        : arguments->foreign_folder ? "--foreign-folder"
                                                    : NULL;
  if (refused)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "--hash runs in memory and writes nothing: %s has no meaning there; leave it out", refused);
  omr_status status = cli_load(arguments, &study, error);
  if (status == OMR_OK && !arguments->quiet) omr_study_made_of_print(study, stderr);
  if (status == OMR_OK) status = check_step_error(arguments, study, error);
  if (status == OMR_OK) status = run_in_memory(arguments, study, error);
  omr_study_destroy(study);
  return status;
}
