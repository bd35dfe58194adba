/* omniroll merge: folders of shards in, result file and summary out. */
#include "file_runs.h"

omr_status cli_merge(const cli_arguments *arguments, omr_error *error) {
  cli_long work;
  cli_arguments whole = *arguments;
  whole.shard = "none"; /* joining is no work to share */
  if (!arguments->output)
    return omr_fail(error, OMR_ERR_USAGE, "omniroll merge needs -o FILE, where the result goes");
  omr_status status = omr_check_output(arguments->output, arguments->operand, error);
  if (status == OMR_OK) status = cli_long_begin(&work, &whole, NULL, error);
  if (status != OMR_OK) return status;
  status = omr_merge((const char *const *)arguments->operands, arguments->operand_count,
                     arguments->output, &work.options, &work.outcome, error);
  return cli_long_end(&work, arguments, arguments->output, status, error);
}
