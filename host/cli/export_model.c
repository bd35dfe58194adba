/* omniroll export-model: the vehicle of a study for other simulators, made by the Python package.
 */
#include "analysis.h"
#include "cli.h"

#include <stdlib.h>

/* Options become words of the Python command; returns how many. */
static size_t options_of(const cli_arguments *arguments, const char **words) {
  const struct {
    const char *name, *value;
  } given[] = {{"--mjcf", arguments->mjcf},         {"--newton", arguments->newton},
               {"--cheap", arguments->cheap},       {"--shape", arguments->shape},
               {"--error", arguments->shape_error}, {"--instance", arguments->instance}};
  size_t count = 0;
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    if (given[i].value) words[count++] = given[i].name, words[count++] = given[i].value;
  if (arguments->check) words[count++] = "--check";
  if (arguments->json) words[count++] = "--json";
  if (arguments->quiet) words[count++] = "--quiet";
  if (arguments->force) words[count++] = "--force";
  for (size_t i = 0; i < arguments->override_count; i++)
    words[count++] = "--set", words[count++] = arguments->overrides[i];
  words[count++] = "--"; /* a study's name may begin with a dash */
  words[count++] = arguments->operand;
  return count;
}

omr_status cli_export_model(const cli_arguments *arguments, omr_error *error) {
  enum { OPTIONS = 16 };
  if (!arguments->mjcf && !arguments->newton && !arguments->cheap && !arguments->check)
    return omr_fail(error, OMR_ERR_USAGE,
                    "export-model writes nothing without --mjcf FILE, --cheap FILE or --check; "
                    "such as --mjcf robot.xml");
  const char **words = calloc(OPTIONS + 2 * arguments->override_count, sizeof *words);
  if (!words) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_status status =
      cli_run_python("omniroll.exporting", options_of(arguments, words), words, error);
  free(words);
  return status;
}
