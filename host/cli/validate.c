/* omniroll validate: what a study would run. */
#include "cli.h"

static omr_status print_json(const omr_study *study, omr_error *error) {
  char *json = NULL;
  const omr_status status = omr_study_validate_json(study, &json, error);
  return cli_print_text(json, status);
}

omr_status cli_validate(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  omr_status status = omr_study_load(arguments->operand, (const char *const *)arguments->overrides,
                                     arguments->override_count, &study, error);
  if (status == OMR_OK)
    status =
        arguments->json ? print_json(study, error) : omr_study_validate_print(study, stdout, error);
  omr_study_destroy(study);
  return status;
}
