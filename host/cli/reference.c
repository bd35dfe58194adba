/* omniroll reference: chosen instances as multibody systems in maximal coordinates. */
#include "reference/ensemble.h"

#include "cli.h"
#include "progress.h"
#include <stdlib.h>

static omr_status choose_instances(const cli_arguments *arguments, const omr_study *study,
                                   size_t **chosen, size_t *count, omr_error *error) {
  if (arguments->instances)
    return omr_instances_read(arguments->instances, study, chosen, count, error);
  if (arguments->sample)
    return omr_instances_spread(study, arguments->sample, chosen, count, error);
  return omr_instances_default(study, chosen, count, error);
}

omr_status cli_with_instances(const cli_arguments *arguments, cli_instances_work *work,
                              omr_error *error) {
  omr_study *study = NULL;
  size_t *chosen = NULL, count = 0;
  omr_status status = arguments->output ? omr_result_files(error) : OMR_OK;
  if (status == OMR_OK && arguments->output)
    status = omr_check_output(arguments->output, arguments->operand, error);
  if (status == OMR_OK)
    status = omr_study_load(arguments->operand, (const char *const *)arguments->overrides,
                            arguments->override_count, &study, error);
  if (status == OMR_OK) status = choose_instances(arguments, study, &chosen, &count, error);
  if (status == OMR_OK) status = work(arguments, study, chosen, count, error);
  free(chosen);
  omr_study_destroy(study);
  return status;
}

void cli_reference_options(const cli_arguments *arguments, omr_ensemble_options *options) {
  options->tolerance.method = arguments->reference_bdf ? OMR_MB_BDF : OMR_MB_ADAMS;
  options->tolerance.relative = arguments->reference_tolerance;
  options->tolerance.absolute = arguments->reference_tolerance / 10;
}

void cli_reference_forewarn(cli_progress *progress, double done, double total) {
  cli_progress_forewarn(progress, done, total, "the reference",
                        "it solves for all rollers together, each a body of its own; shorten "
                        "integrator.duration, take fewer "
                        "instances (--instances 0) or fewer rollers, or try --reference-method bdf "
                        "where friction is stiff");
}

static bool on_progress(void *user, double done, double total) {
  cli_progress_show(user, done, total);
  cli_reference_forewarn(user, done, total);
  return !cli_interrupted();
}

static omr_status run_chosen(const cli_arguments *arguments, const omr_study *study,
                             const size_t *chosen, size_t count, omr_error *error) {
  cli_progress progress;
  omr_ensemble ensemble = {0};
  const omr_study alone = omr_study_choose(study, chosen, count);
  omr_ensemble_options options = {.progress = on_progress, .progress_user = &progress};
  cli_reference_options(arguments, &options);
  cli_progress_start(&progress, arguments->quiet, "simulated s/s");
  cli_catch_signals();
  omr_status status = omr_ensemble_run(&alone, &options, &ensemble, error);
  cli_progress_clear(&progress);
  if (cli_interrupted() && (status == OMR_OK || status == OMR_ERR_INTERRUPTED))
    status = omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted; no result is written");
  if (status == OMR_OK && arguments->json)
    status = cli_print_json(omr_ensemble_json(&alone, &ensemble), error);
  else if (status == OMR_OK && !arguments->quiet)
    omr_ensemble_print(&alone, &ensemble, stdout);
  if (status == OMR_OK && arguments->output) {
    status = omr_result_write(ensemble.result, arguments->output, error);
    if (status == OMR_OK && !arguments->quiet && !arguments->json)
      printf("result written to %s\n", arguments->output);
  }
  omr_ensemble_free(&ensemble);
  return status;
}

omr_status cli_reference(const cli_arguments *arguments, omr_error *error) {
  return cli_with_instances(arguments, run_chosen, error);
}
