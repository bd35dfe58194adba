/* omniroll reference: chosen instances as multibody systems in maximal coordinates. */

#include "cli.h"
#include "progress.h"

omr_status cli_begin_instances(const cli_arguments *arguments, omr_study **study,
                               omr_error *error) {
  *study = NULL;
  omr_status status = arguments->output ? omr_result_files(error) : OMR_OK;
  if (status == OMR_OK) status = cli_check_output(arguments, error);
  if (status == OMR_OK) status = cli_load(arguments, study, error);
  if (status == OMR_OK && !arguments->json && !arguments->quiet)
    omr_study_made_of_print(*study, stdout);
  return status;
}

omr_reference_choice cli_choice(const cli_arguments *arguments) {
  return (omr_reference_choice){.instances = arguments->instances,
                                .sample = arguments->sample,
                                .tolerance = arguments->reference_tolerance,
                                .bdf = arguments->reference_bdf};
}

void cli_reference_forewarn(cli_progress *progress, double done, double total) {
  cli_progress_forewarn(progress, done, total, "the reference",
                        "it solves for all rollers together, each a body of its own; shorten "
                        "integrator.duration, take fewer instances (--instances 0) or fewer "
                        "rollers, or try --reference-method bdf where friction is stiff");
}

bool cli_reference_watch(void *progress, double done, double total) {
  cli_progress_show(progress, done, total);
  cli_reference_forewarn(progress, done, total);
  return !cli_interrupted();
}

static omr_status integrate(const cli_arguments *arguments, const omr_study *study,
                            omr_multibody **multibody, omr_error *error) {
  cli_progress progress;
  const omr_multibody_options options = {.size = sizeof options,
                                         .choice = cli_choice(arguments),
                                         .progress = cli_reference_watch,
                                         .progress_user = &progress};
  cli_progress_start(&progress, arguments->quiet, "simulated s/s");
  cli_catch_signals();
  const omr_status status = omr_multibody_create(study, &options, multibody, error);
  cli_progress_clear(&progress);
  if (cli_interrupted() && (status == OMR_OK || status == OMR_ERR_INTERRUPTED))
    return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted; no result is written");
  return status;
}

static omr_status report(const cli_arguments *arguments, const omr_multibody *multibody,
                         omr_error *error) {
  omr_status status = OMR_OK;
  char *json;
  if (arguments->json)
    status = cli_print_text(&json, omr_multibody_json(multibody, &json, error));
  else if (!arguments->quiet)
    omr_multibody_print(multibody, stdout);
  if (status != OMR_OK || !arguments->output) return status;
  status = omr_result_write(omr_multibody_result(multibody), arguments->output, error);
  if (status == OMR_OK && !arguments->quiet && !arguments->json)
    printf("result written to %s\n", arguments->output);
  return status;
}

omr_status cli_reference(const cli_arguments *arguments, omr_error *error) {
  omr_study *study;
  omr_multibody *multibody = NULL;
  omr_status status = cli_begin_instances(arguments, &study, error);
  if (status == OMR_OK) status = integrate(arguments, study, &multibody, error);
  if (status == OMR_OK) status = report(arguments, multibody, error);
  omr_multibody_destroy(multibody);
  omr_study_destroy(study);
  return status;
}
