/* omniroll run: study in, result file and summary out. */
#include "cli.h"
#include "progress.h"
#include "support/support.h"
#include <string.h>

static bool on_progress(void *user, double done, double total) {
  cli_progress_show(user, done, total);
  return !cli_interrupted();
}

static omr_status fail_interrupted(omr_error *error) {
  return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted; no result is written");
}

/* studies/first.json -> first.h5 */
static void default_output(const char *study, omr_text *path) {
  const char *slash = strrchr(study, '/');
  const char *name = strcmp(study, "-") == 0 ? "study" : slash ? slash + 1 : study;
  const char *dot = strrchr(name, '.');
  omr_text_add(path, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
  omr_text_add(path, ".h5", 3);
}

static omr_status run_study(const omr_study *study, bool quiet, omr_result **result, omr_error *error) {
  cli_progress progress;
  cli_progress_start(&progress, quiet, "instance-steps/s");
  FILE *log = quiet ? NULL : cli_log_open(&progress);
  omr_run_options options = {.progress = on_progress, .progress_user = &progress, .log = log};
  cli_catch_signals();
  omr_status status = omr_run(study, &options, result, error);
  if (log) fclose(log);
  cli_progress_clear(&progress);
  if (cli_interrupted() && (status == OMR_OK || status == OMR_ERR_INTERRUPTED)) return fail_interrupted(error);
  return status;
}

static omr_status run_to_file(const cli_arguments *arguments, const char *output, omr_error *error) {
  omr_study *study = NULL;
  omr_result *result = NULL;
  omr_status status = cli_check_output(output, arguments->operand, error);
  if (status != OMR_OK) return status;
  status =
      omr_study_load(arguments->operand, (const char *const *)arguments->overrides, arguments->override_count, &study, error);
  if (status == OMR_OK) status = run_study(study, arguments->quiet, &result, error);
  if (status == OMR_OK) status = omr_result_write(result, output, error);
  if (status == OMR_OK && !arguments->quiet) {
    omr_print_summary(result, stdout);
    printf("result written to %s\n", output);
  }
  if (status == OMR_OK) status = omr_result_check_failures(study, result, error);
  omr_result_destroy(result);
  omr_study_destroy(study);
  return status;
}

omr_status cli_run(const cli_arguments *arguments, omr_error *error) {
  omr_text output = {0};
  if (arguments->output) {
    omr_text_add(&output, arguments->output, strlen(arguments->output));
  } else {
    default_output(arguments->operand, &output);
  }
  omr_status status =
      output.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : run_to_file(arguments, output.data, error);
  omr_text_free(&output);
  return status;
}
