/* omniroll warm: the kernels of a run, compiled ahead. */
#include "variants.h"

static bool on_wait(void *user, double done, double total) {
  (void)user, (void)done, (void)total;
  return !cli_interrupted();
}

static omr_status warm(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  omr_status status = cli_load(arguments, &study, error);
  cli_catch_signals();
  if (status == OMR_OK) status = omr_warm(study, stderr, on_wait, NULL, stdout, error);
  omr_study_destroy(study);
  return status;
}

omr_status cli_warm(const cli_arguments *arguments, omr_error *error) {
  return cli_each_variant(arguments, warm, error);
}
