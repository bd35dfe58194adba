/* omniroll warm: what a run would compile, compiled ahead. */
#include "cli.h"

omr_status cli_warm(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  omr_status status = cli_load(arguments, &study, error);
  if (status == OMR_OK) status = omr_warm(study, stderr, stdout, error);
  omr_study_destroy(study);
  return status;
}
