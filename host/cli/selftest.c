#include "cli.h"

omr_status cli_selftest(const cli_arguments *arguments, omr_error *error) {
  return omr_selftest_device(arguments->device, stdout, error);
}
