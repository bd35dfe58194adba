/* omniroll verify: a result or a folder of parts against its checksums. */
#include "cli.h"

omr_status cli_verify(const cli_arguments *arguments, omr_error *error) {
  if (!arguments->json) return omr_verify(arguments->operand, stdout, error);
  char *json = NULL;
  return cli_print_text(&json, omr_verify_json(arguments->operand, &json, error));
}
