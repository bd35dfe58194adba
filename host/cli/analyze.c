/* omniroll analyze: statistics of a result file, computed anew. */
#include "cli.h"

omr_status cli_analyze(const cli_arguments *arguments, omr_error *error) {
  const omr_analyze_options options = {.size = sizeof options,
                                       .settings = (const char *const *)arguments->overrides,
                                       .setting_count = arguments->override_count,
                                       .output = arguments->output,
                                       .json = arguments->json,
                                       .brief = !arguments->verbose};
  const omr_status status = cli_check_output(arguments, error);
  return status == OMR_OK ? omr_analyze(arguments->operand, &options, stdout, error) : status;
}
