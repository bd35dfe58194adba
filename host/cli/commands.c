/* Commands and options looked up in the tables (tables.c). */
#include "cli.h"

#include <string.h>

enum { MAX_COMMANDS = 32 };

const cli_command *cli_find_command(const char *name, omr_error *error) {
  const char *names[MAX_COMMANDS];
  size_t count = 0;
  for (size_t i = 0; i < cli_command_count && count < MAX_COMMANDS; i++) {
    if (strcmp(name, cli_commands[i].name) == 0) return &cli_commands[i];
    names[count++] = cli_commands[i].name;
  }
  if (cli_explain_word(name, error) != OMR_OK) return NULL;
  const char *nearest = omr_nearest(name, names, count);
  if (nearest) {
    omr_fail(error, OMR_ERR_USAGE, "there is no command \"%s\"; did you mean \"%s\"?", name,
             nearest);
  } else {
    omr_fail(error, OMR_ERR_USAGE, "there is no command \"%s\"; omniroll --help lists them", name);
  }
  return NULL;
}

void cli_option_label(const cli_option *option, char *label, size_t size) {
  char letter[8] = "    ";
  if (option->id < CLI_OPT_LONG && option->id != CLI_OPT_SET)
    snprintf(letter, sizeof letter, "-%c, ", (char)option->id);
  snprintf(label, size, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
           option->argument ? option->argument : "");
}

/* The commands that can end with a code. */
static int who_ends_with(omr_status status) {
  /* All other codes belong to every command. */
  switch (status) {
  case OMR_ERR_STUDY:
    return CLI_ALL & ~(CLI_NEW | CLI_DEVICES | CLI_DESCRIBE | CLI_SCHEMA | CLI_SELFTEST |
                       CLI_BENCH | CLI_HELP);
  case OMR_ERR_DEVICE:
    return CLI_ALL & ~(CLI_NEW | CLI_DEVICES | CLI_DESCRIBE | CLI_SCHEMA | CLI_VALIDATE |
                       CLI_SAMPLE | CLI_EXPORT | CLI_HELP);
  case OMR_ERR_INTERRUPTED:
    return CLI_RUN | CLI_RESUME | CLI_MERGE | CLI_COMPARE | CLI_REFERENCE | CLI_BENCH |
           CLI_CONVERGE | CLI_CALIBRATE | CLI_EXCITE | CLI_EVALUATE | CLI_OPTIMIZE;
  case OMR_ERR_SELFTEST:
    return CLI_SELFTEST | CLI_RUN | CLI_RESUME | CLI_MERGE | CLI_PLAN | CLI_COMPARE | CLI_CONVERGE |
           CLI_BENCH;
  case OMR_ERR_DIFFERS: return CLI_COMPARE;
  case OMR_ERR_FAILURES: return CLI_RUN | CLI_RESUME | CLI_MERGE | CLI_CALIBRATE | CLI_EVALUATE;
  case OMR_ERR_INACCURATE: return CLI_RUN | CLI_RESUME | CLI_MERGE;
  case OMR_ERR_NEGATIVE: return CLI_CALIBRATE;
  default: return CLI_ALL;
  }
}

bool cli_ends_with(const cli_command *command, const cli_exit_code *code) {
  return !command || (who_ends_with(code->status) & command->id);
}
