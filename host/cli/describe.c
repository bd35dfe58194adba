/* omniroll describe: the parameters, observables, laws and methods of a model. */
#include "cli.h"

/* Everything of a model, without a filter. */
static omr_status describe_all(const cli_arguments *arguments, omr_error *error) {
  char *json = NULL;
  if (arguments->operand_count != 1 || arguments->search)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--all prints every row of a model and takes its name alone: omniroll describe "
                    "omni_vehicle --all");
  if (!arguments->json) return omr_describe_in(arguments->operand, arguments->frame, stdout, error);
  return cli_print_text(&json,
                        omr_describe_json_in(arguments->operand, arguments->frame, &json, error));
}

omr_status cli_describe(const cli_arguments *arguments, omr_error *error) {
  const bool named = arguments->operand_count > 1;
  const omr_describe_options options = {
      .size = sizeof options,
      .model = arguments->operand,
      .frame = arguments->frame,
      .names = named ? (const char *const *)arguments->operands + 1 : NULL,
      .name_count = named ? arguments->operand_count - 1 : 0,
      .search = arguments->search,
      .json = arguments->json};

  /* a file is described by other commands */
  const omr_input_kind kind =
      arguments->operand ? omr_input_kind_of(arguments->operand) : OMR_INPUT_MISSING;
  if (kind == OMR_INPUT_JSON || kind == OMR_INPUT_HDF5)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "%s is a file; describe takes the name of a model, and omniroll %s %s tells what is in it",
        arguments->operand, kind == OMR_INPUT_JSON ? "validate" : "analyze", arguments->operand);

  return arguments->all ? describe_all(arguments, error)
                        : omr_describe_part(&options, stdout, error);
}
