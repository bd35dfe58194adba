/* omniroll report: a result as a page, made by the Python package. */
#include "analysis.h"
#include "cli.h"

omr_status cli_report(const cli_arguments *arguments, omr_error *error) {
  const omr_status status =
      arguments->output ? omr_check_output(arguments->output, arguments->operand, error) : OMR_OK;
  if (status != OMR_OK) return status;

  /* Options become words of the Python command. */
  const char *words[8];
  size_t count = 0;
  if (arguments->output) {
    words[count++] = "--output";
    words[count++] = arguments->output;
  }
  if (arguments->observables) {
    words[count++] = "--observables";
    words[count++] = arguments->observables;
  }
  if (arguments->instances) {
    words[count++] = "--instances";
    words[count++] = arguments->instances;
  }

  words[count++] = "--"; /* a result's name may begin with a dash */
  words[count++] = arguments->operand;
  return cli_run_python("omniroll.report", count, words, error);
}
