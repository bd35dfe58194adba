#include "cli.h"

omr_status cli_selftest(const cli_arguments *arguments, omr_error *error) {
  (void)arguments;
  return omr_selftest(stdout, error);
}
