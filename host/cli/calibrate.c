/* omniroll calibrate: parameters from measured runs. */
#include "cli.h"
#include "progress.h"

static bool show(void *user, double done, double total) {
  cli_progress_show(user, done, total);
  return !cli_interrupted();
}

static omr_status report(const cli_arguments *arguments, const omr_calibrate *c, omr_error *error) {
  omr_status status = OMR_OK;
  char *text;
  if (arguments->output) status = omr_calibrate_write(c, arguments->output, error);
  if (status != OMR_OK) return status;
  if (!arguments->json) {
    omr_calibrate_print(c, stdout);
    return OMR_OK;
  }
  status = omr_calibrate_json(c, &text, error);
  return cli_print_text(text, status);
}

static omr_status calibrate(const cli_arguments *arguments, const omr_study *study,
                            omr_error *error) {
  cli_progress progress;
  omr_calibrate *c = NULL;
  cli_progress_start(&progress, arguments->quiet, "");
  cli_catch_signals();
  const omr_calibrate_options options = {
      .size = sizeof options, .progress = show, .progress_user = &progress};
  omr_status status = omr_calibrate_create(study, &options, &c, error);
  cli_progress_clear(&progress);
  if (status == OMR_OK) status = report(arguments, c, error);
  omr_calibrate_destroy(c);
  return status;
}

omr_status cli_calibrate(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  omr_status status = OMR_OK;
  if (arguments->output) status = omr_check_output(arguments->output, arguments->operand, error);
  if (status == OMR_OK)
    status = omr_study_load(arguments->operand, (const char *const *)arguments->overrides,
                            arguments->override_count, &study, error);
  if (status == OMR_OK) status = calibrate(arguments, study, error);
  omr_study_destroy(study);
  return status;
}
