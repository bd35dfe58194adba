/* omniroll compare: chosen instances on the reference and on every backend. */

#include "cli.h"
#include "progress.h"

/* The bar starts anew for the reference and for every run of the engine. */
static bool show(cli_progress *progress, const char *rate, double done, double total) {
  if (progress->rate != rate || done < progress->done) progress->started = cli_seconds();
  progress->rate = rate;
  progress->done = done;
  cli_progress_show(progress, done, total);
  return !cli_interrupted();
}

static bool on_reference(void *user, double done, double total) {
  const bool go_on = show(user, "s of the reference per s", done, total);
  cli_reference_forewarn(user, done, total);
  return go_on;
}

static bool on_engine(void *user, double done, double total) {
  return show(user, "instance-steps/s", done, total);
}

static omr_status report(const cli_arguments *arguments, const omr_comparison *comparison,
                         omr_error *error) {
  omr_status status = OMR_OK;
  char verdict[1024];
  if (arguments->output) status = omr_comparison_write(comparison, arguments->output, error);
  if (status == OMR_OK && arguments->json) {
    status = omr_comparison_print_json(comparison, stdout, error);
  } else if (status == OMR_OK && !arguments->quiet) {
    omr_comparison_print(comparison, stdout);
  }
  if (status != OMR_OK || !omr_comparison_differs(comparison)) return status;
  omr_comparison_verdict(comparison, verdict, sizeof verdict);
  return omr_fail(error, OMR_ERR_DIFFERS, "%s", verdict);
}

static omr_status compare(const cli_arguments *arguments, const omr_study *study,
                          omr_comparison **comparison, omr_error *error) {
  cli_progress progress;
  cli_progress_start(&progress, arguments->quiet, "");

  /* The log shares the terminal with the bar. */
  FILE *log = arguments->quiet ? NULL : cli_log_open(&progress);
  const omr_compare_options options = {.size = sizeof options,
                                       .choice = cli_choice(arguments),
                                       .tolerance = arguments->tolerance,
                                       .tolerance_single = arguments->single_tolerance,
                                       .progress = on_engine,
                                       .reference_progress = on_reference,
                                       .progress_user = &progress,
                                       .log = log};

  /* Run the reference and the backends. */
  cli_catch_signals();
  const omr_status status = omr_comparison_create(study, &options, comparison, error);
  if (log) fclose(log);
  cli_progress_clear(&progress);

  /* An interrupted comparison has no outcome. */
  if (cli_interrupted() && (status == OMR_OK || status == OMR_ERR_INTERRUPTED))
    return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted; nothing is written");
  return status;
}

omr_status cli_compare(const cli_arguments *arguments, omr_error *error) {
  omr_study *study;
  omr_comparison *comparison = NULL;
  if (arguments->with) return cli_compare_with(arguments, error);
  omr_status status = cli_check_output(arguments, error);
  if (status != OMR_OK) return status;
  status = cli_begin_instances(arguments, &study, error);
  if (status == OMR_OK) status = compare(arguments, study, &comparison, error);
  if (status == OMR_OK) status = report(arguments, comparison, error);
  omr_comparison_destroy(comparison);
  omr_study_destroy(study);
  return status;
}
