/* Every word of --help and the manual page on commands, options and exit codes. */
#include "cli.h"
#include "lists/words.h"

#include <string.h>

const char cli_about[] =
    "Runs ensembles of omni-wheel and mecanum vehicles with explicit rollers: a study in JSON goes "
    "in, an HDF5 file with one value per instance comes out.";

const cli_command cli_commands[] = {
#define NAMED(id, word, name, group, operand, summary, text)                                       \
  {CLI_##id, name, group, operand, summary, text},
#define X(id, word, group, operand, summary, text) {CLI_##id, #word, group, operand, summary, text},
#include "../lists/commands.def"
#undef X
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

/* The name of each option. */
#define NAME(id, letter, name, ...) static const char dashed_##id[] = "--" name;
#define USE(...)
#include "../lists/options.def"
#undef NAME
#undef USE

const cli_option cli_options[] = {
#define NAME(...)
#define USE(id, argument, help, commands)                                                          \
  {CLI_OPT_##id, dashed_##id + 2, dashed_##id, argument, help, commands},
#include "../lists/options.def"
#undef NAME
#undef USE
};
const size_t cli_option_count = sizeof cli_options / sizeof *cli_options;

const cli_exit_code cli_exit_codes[] = {
    {OMR_OK, "done; instances that failed are data in the result"},
    {OMR_ERR_INTERNAL, "internal error"},
    {OMR_ERR_USAGE, "wrong command line"},
    {OMR_ERR_STUDY, "the study is wrong"},
    {OMR_ERR_DEVICE, "backend, device or driver; the reference is not in this build; Python or a "
                     "package of it is missing"},
    {OMR_ERR_IO, "a file cannot be read or written"},
    {OMR_ERR_MEMORY, "out of memory"},
    {OMR_ERR_INTERRUPTED, "interrupted; run: omniroll resume goes on"},
    {OMR_ERR_SELFTEST, "a device gives wrong numbers"},
    {OMR_ERR_DIFFERS,
     "compare: a difference from the reference exceeds the tolerance, or is not decided"},
    {OMR_ERR_FAILURES,
     "run: more instances failed than statistics.failed_limit allows, or without it every one (the "
     "result is written), or one failed and integrator.on_failure is \"abort\" (it is not)"},
    {OMR_ERR_INACCURATE,
     "run --strict: the error that the step makes is larger than integrator.accept allows, or not "
     "known where the study asks for it (the result is written)"},
    {OMR_ERR_NEGATIVE, "calibrate: the verdict is negative: the parameters are not to be trusted "
                       "(none are told where the prior does not predict the data)"},
};
const size_t cli_exit_code_count = sizeof cli_exit_codes / sizeof *cli_exit_codes;

bool cli_is_command(const char *name) {
  for (size_t i = 0; i < cli_command_count; i++)
    if (strcmp(name, cli_commands[i].name) == 0) return true;
  return false;
}
