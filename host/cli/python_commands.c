/* Commands that the Python package carries out, which has the options by the same names. */
#include "cli.h"

#include <limits.h>
#include <stdlib.h>

/* Python takes the options that are given, the changes of the study and then the operands, whose
 * names may begin with a dash; returns the number of words. */
static size_t words_of(const cli_arguments *arguments, int command, const char **words) {
  size_t count = 0;
  for (size_t i = 0; i < cli_option_count; i++) {
    const char *value;
    if (!(cli_options[i].commands & command)) continue;
    if (!cli_is_given(arguments, &cli_options[i], &value)) continue;
    words[count++] = cli_options[i].dashed;
    if (value) words[count++] = value;
  }
  for (size_t i = 0; i < arguments->override_count; i++)
    words[count++] = "--set", words[count++] = arguments->overrides[i];
  words[count++] = "--";
  for (size_t i = 0; i < arguments->operand_count; i++) words[count++] = arguments->operands[i];
  return count;
}

/* program: for a module that calls this program; NULL: it does not. */
static omr_status become(const cli_arguments *arguments, int command, const char *module,
                         const char *program, omr_error *error) {
  const size_t most = 2 * (cli_option_count + arguments->override_count) + 3;
  const char **words = calloc(most + arguments->operand_count, sizeof *words);
  if (!words) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  size_t count = 0;
  if (program) words[count++] = "--program", words[count++] = program;
  count += words_of(arguments, command, words + count);
  const omr_status status = cli_run_python(module, count, words, error);
  free(words);
  return status;
}

/* A study of a robot in URDF or MJCF. */
omr_status cli_import(const cli_arguments *arguments, omr_error *error) {
  return become(arguments, CLI_IMPORT, "omniroll.robots", NULL, error);
}

/* The best candidates of a study. */
omr_status cli_optimize(const cli_arguments *arguments, omr_error *error) {
  return become(arguments, CLI_OPTIMIZE, "omniroll.optimising", NULL, error);
}

/* The vehicle of a study for other simulators. */
omr_status cli_export_model(const cli_arguments *arguments, omr_error *error) {
  if (!arguments->mjcf && !arguments->newton && !arguments->cheap && !arguments->check)
    return omr_fail(error, OMR_ERR_USAGE,
                    "export-model writes nothing without --mjcf FILE, --cheap FILE or --check; "
                    "such as --mjcf robot.xml");
  return become(arguments, CLI_EXPORT_MODEL, "omniroll.exporting", NULL, error);
}

/* Figures of the source papers; the reference is part of this program, and Python calls it. */
omr_status cli_figures(const cli_arguments *arguments, omr_error *error) {
  char program[PATH_MAX];
  const char *path = cli_program_path(program) ? program : NULL;
  return become(arguments, CLI_FIGURES, "omniroll.papers", path, error);
}

/* A result, or several side by side, as a page, which must not replace one of them. */
omr_status cli_report(const cli_arguments *arguments, omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t i = 0; arguments->output && i < arguments->operand_count && status == OMR_OK; i++)
    status = omr_check_output(arguments->output, arguments->operands[i], error);
  return status == OMR_OK ? become(arguments, CLI_REPORT, "omniroll.report", NULL, error) : status;
}
