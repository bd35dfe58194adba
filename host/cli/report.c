/* omniroll report: a result, or several side by side, as a page, made by the Python package. */
#include "analysis.h"
#include "cli.h"

#include <stdlib.h>

/* Options become words of the Python command; returns how many. */
static size_t options_of(const cli_arguments *arguments, const char **words) {
  size_t count = 0;
  if (arguments->output) words[count++] = "--output", words[count++] = arguments->output;
  if (arguments->observables)
    words[count++] = "--observables", words[count++] = arguments->observables;
  if (arguments->instances) words[count++] = "--instances", words[count++] = arguments->instances;
  words[count++] = "--"; /* a result's name may begin with a dash */
  return count;
}

omr_status cli_report(const cli_arguments *arguments, omr_error *error) {
  /* The page must not replace a result. */
  for (size_t i = 0; arguments->output && i < arguments->operand_count; i++) {
    const omr_status status = omr_check_output(arguments->output, arguments->operands[i], error);
    if (status != OMR_OK) return status;
  }

  /* Python takes the options and then the files. */
  enum { OPTIONS = 8 };
  const char **words = calloc(OPTIONS + arguments->operand_count, sizeof *words);
  if (!words) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  size_t count = options_of(arguments, words);
  for (size_t i = 0; i < arguments->operand_count; i++) words[count++] = arguments->operands[i];
  const omr_status status = cli_run_python("omniroll.report", count, words, error);
  free(words);
  return status;
}
