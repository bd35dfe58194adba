#include "cli.h"

omr_status cli_describe(const cli_arguments *arguments, omr_error *error) {
  return omr_describe(arguments->operand, stdout, error);
}
