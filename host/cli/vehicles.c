/* The vehicles of a study that a command takes: all, the nominal one, or some instances. */
#include "cli.h"

#include <omniroll/program.h>

omr_status cli_load_whole(const cli_arguments *arguments, omr_study **study, omr_error *error) {
  cli_rewind(arguments->operand);
  return omr_study_load(arguments->operand, (const char *const *)arguments->overrides,
                        arguments->override_count, study, error);
}

omr_status cli_check_output(const cli_arguments *arguments, omr_error *error) {
  return arguments->output ? omr_check_output(arguments->output, arguments->operand, error)
                           : OMR_OK;
}

omr_status cli_load(const cli_arguments *arguments, omr_study **study, omr_error *error) {
  omr_study *whole = NULL;
  *study = NULL;

  /* Load the study and check the output. */
  omr_status status = cli_load_whole(arguments, &whole, error);
  if (status == OMR_OK && arguments->output)
    status = omr_study_check_output(whole, arguments->output, error);
  if (status != OMR_OK) {
    omr_study_destroy(whole);
    return status;
  }

  /* Without a choice it is the whole study. */
  if (!arguments->nominal && !arguments->instance) {
    *study = whole;
    return OMR_OK;
  }

  /* The chosen vehicles are a study of their own. */
  status = arguments->nominal
               ? omr_study_nominal(whole, arguments->trace, study, error)
               : omr_study_of_instances(whole, arguments->instance, arguments->trace, study, error);
  omr_study_destroy(whole);
  return status;
}
