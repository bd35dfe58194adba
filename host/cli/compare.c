/* omniroll compare: chosen instances on the reference and on every backend. */
#include "reference/compare.h"

#include "cli.h"
#include "progress.h"
#include <math.h>

/* The bar starts anew for the reference and for every run of the engine. */
static bool show(cli_progress *progress, const char *rate, double done, double total) {
  if (progress->rate != rate || done < progress->done) progress->started = omr_seconds();
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

static omr_compare_options make_options(const cli_arguments *arguments, cli_progress *progress,
                                        FILE *log, const size_t *chosen, size_t count) {
  omr_compare_options options = {.instances = chosen,
                                 .count = count,
                                 .tolerance = arguments->tolerance,
                                 .tolerance_single = arguments->single_tolerance,
                                 .progress = on_engine,
                                 .progress_user = progress,
                                 .log = log};
  if (options.tolerance < 0) options.tolerance = OMR_COMPARE_TOLERANCE;
  if (options.tolerance_single < 0) options.tolerance_single = HUGE_VAL;
  options.reference.progress = on_reference;
  options.reference.progress_user = progress;
  cli_reference_options(arguments, &options.reference);
  return options;
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
  if (status != OMR_OK || !comparison->differs) return status;
  omr_comparison_verdict(comparison, verdict, sizeof verdict);
  return omr_fail(error, OMR_ERR_DIFFERS, "%s", verdict);
}

static omr_status compare_chosen(const cli_arguments *arguments, const omr_study *study,
                                 const size_t *chosen, size_t count, omr_error *error) {
  cli_progress progress;
  omr_comparison comparison;
  cli_progress_start(&progress, arguments->quiet, "");
  FILE *log = arguments->quiet ? NULL : cli_log_open(&progress);
  const omr_compare_options options = make_options(arguments, &progress, log, chosen, count);
  cli_catch_signals();
  omr_status status = omr_compare(study, &options, &comparison, error);
  if (log) fclose(log);
  cli_progress_clear(&progress);
  if (cli_interrupted() && (status == OMR_OK || status == OMR_ERR_INTERRUPTED)) {
    if (status == OMR_OK) omr_comparison_free(&comparison);
    return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted; nothing is written");
  }
  if (status != OMR_OK) return status;
  status = report(arguments, &comparison, error);
  omr_comparison_free(&comparison);
  return status;
}

omr_status cli_compare(const cli_arguments *arguments, omr_error *error) {
  return cli_with_instances(arguments, compare_chosen, error);
}
