/* omniroll excite: the run to drive. */
#include "cli.h"
#include "progress.h"

static omr_status report(const cli_arguments *arguments, const omr_excite *e, omr_error *error) {
  char *text;
  const omr_status status =
      arguments->output ? omr_excite_write(e, arguments->output, error) : OMR_OK;
  if (status != OMR_OK) return status;
  if (arguments->json) return cli_print_text(&text, omr_excite_json(e, &text, error));
  omr_excite_print(e, stdout);
  return OMR_OK;
}

omr_status cli_excite(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  omr_excite *e = NULL;
  cli_progress progress;
  const omr_excite_options options = {
      .size = sizeof options, .progress = cli_progress_watch, .progress_user = &progress};
  omr_status status = cli_check_output(arguments, error);
  if (status == OMR_OK) status = cli_load(arguments, &study, error);
  if (status != OMR_OK) return status;
  cli_progress_start(&progress, arguments->quiet, "");
  cli_catch_signals();
  status = omr_excite_create(study, &options, &e, error);
  cli_progress_clear(&progress);
  if (status == OMR_OK) status = report(arguments, e, error);
  omr_excite_destroy(e);
  omr_study_destroy(study);
  return status;
}
