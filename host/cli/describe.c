#include "cli.h"

omr_status cli_describe(const cli_arguments *arguments, omr_error *error) {
  char *json = NULL;
  if (!arguments->json) return omr_describe(arguments->operand, stdout, error);
  const omr_status status = omr_describe_json(arguments->operand, &json, error);
  if (json) fputs(json, stdout);
  omr_text_destroy(json);
  return status;
}
