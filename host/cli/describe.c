/* omniroll describe: the parameters, observables, laws and methods of a model. */
#include "cli.h"

omr_status cli_describe(const cli_arguments *arguments, omr_error *error) {
  char *json = NULL;
  const omr_input_kind kind = omr_input_kind_of(arguments->operand);
  if (kind == OMR_INPUT_JSON || kind == OMR_INPUT_HDF5)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "%s is a file; describe takes the name of a model, and omniroll %s %s tells what is in it",
        arguments->operand, kind == OMR_INPUT_JSON ? "validate" : "analyze", arguments->operand);
  if (!arguments->json) return omr_describe_in(arguments->operand, arguments->frame, stdout, error);
  const omr_status status =
      omr_describe_json_in(arguments->operand, arguments->frame, &json, error);
  return cli_print_text(json, status);
}
