/* omniroll analyze: statistics of a result file, computed anew. */
#include "statistics/analyze.h"
#include "cli.h"

omr_status cli_analyze(const cli_arguments *arguments, omr_error *error) {
  const omr_analysis analysis = {arguments->operand, (const char *const *)arguments->overrides,
                                 arguments->override_count, arguments->output, arguments->json};
  omr_status status =
      arguments->output ? omr_check_output(arguments->output, arguments->operand, error) : OMR_OK;
  return status == OMR_OK ? omr_analyze(&analysis, stdout, error) : status;
}
