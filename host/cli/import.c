/* omniroll import: a study of a robot in URDF or MJCF, made by the Python package. */
#include "analysis.h"
#include "cli.h"

omr_status cli_import(const cli_arguments *arguments, omr_error *error) {
  /* Python takes the options and then the file, whose name may begin with a dash. */
  const char *words[8];
  size_t count = 0;
  if (arguments->output) words[count++] = "--output", words[count++] = arguments->output;
  if (arguments->force) words[count++] = "--force";
  if (arguments->quiet) words[count++] = "--quiet";
  words[count++] = "--";
  words[count++] = arguments->operand;
  return cli_run_python("omniroll.robots", count, words, error);
}
