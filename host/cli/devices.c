#include "cli.h"

omr_status cli_devices(const cli_arguments *arguments, omr_error *error) {
  (void)arguments;
  return omr_print_devices(stdout, error);
}
