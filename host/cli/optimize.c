/* omniroll optimize: the best candidates of a study, searched by the Python package. */
#include "analysis.h"
#include "cli.h"

#include <stdlib.h>

/* Options become words of the Python command; returns how many. */
static size_t options_of(const cli_arguments *arguments, const char **words) {
  static const char *const of_search[] = {"--budget", "--seconds", "--seed", "--population"};
  size_t count = 0;
  if (arguments->output) words[count++] = "--output", words[count++] = arguments->output;
  if (arguments->json) words[count++] = "--json";
  if (arguments->quiet) words[count++] = "--quiet";
  if (arguments->restart) words[count++] = "--restart";
  for (size_t i = 0; i < sizeof of_search / sizeof *of_search; i++)
    if (arguments->of_search[i])
      words[count++] = of_search[i], words[count++] = arguments->of_search[i];
  for (size_t i = 0; i < arguments->override_count; i++)
    words[count++] = "--set", words[count++] = arguments->overrides[i];
  words[count++] = "--"; /* a study's name may begin with a dash */
  words[count++] = arguments->operand;
  return count;
}

omr_status cli_optimize(const cli_arguments *arguments, omr_error *error) {
  enum { OPTIONS = 16 };
  const char **words = calloc(OPTIONS + 2 * arguments->override_count, sizeof *words);
  if (!words) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_status status =
      cli_run_python("omniroll.optimising", options_of(arguments, words), words, error);
  free(words);
  return status;
}
