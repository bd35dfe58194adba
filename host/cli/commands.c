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

static void option_label(const cli_option *option, char *label, size_t size) {
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

/* The commands of this build. */
static int all_commands(void) {
  int commands = 0;
  for (size_t i = 0; i < cli_command_count; i++) commands |= cli_commands[i].id;
  return commands;
}

bool cli_find_entry(const cli_command *command, cli_section section, size_t i, cli_entry *entry) {
  static const size_t *const counts[] = {[CLI_OPTIONS] = &cli_option_count,
                                         [CLI_EXAMPLES] = &cli_example_count,
                                         [CLI_FILES] = &cli_file_count,
                                         [CLI_VARIABLES] = &cli_variable_count,
                                         [CLI_EXIT_CODES] = &cli_exit_code_count};
  const int commands = command ? command->id : all_commands();
  const char *name = command ? command->name : "";
  *entry = (cli_entry){0};
  if (i >= *counts[section]) return false;

  /* Each table says in its own way whose entry it is. */
  if (section == CLI_OPTIONS && cli_options[i].commands & commands) {
    entry->text = cli_options[i].help;
    option_label(&cli_options[i], entry->label, sizeof entry->label);
  } else if (section == CLI_EXAMPLES && strcmp(cli_examples[i].command, name) == 0) {
    entry->text = cli_examples[i].meaning;
    snprintf(entry->label, sizeof entry->label, "omniroll %s", cli_examples[i].line);
  } else if (section == CLI_FILES && strcmp(cli_files[i].command, name) == 0) {
    entry->text = cli_files[i].meaning;
    snprintf(entry->label, sizeof entry->label, "%s", cli_files[i].line);
  } else if (section == CLI_VARIABLES && cli_variables[i].commands & commands) {
    entry->text = cli_variables[i].meaning;
    snprintf(entry->label, sizeof entry->label, "%s", cli_variables[i].name);
  } else if (section == CLI_EXIT_CODES && cli_ends_with(command, &cli_exit_codes[i])) {
    entry->text = cli_exit_codes[i].meaning;
    snprintf(entry->label, sizeof entry->label, "%d", (int)cli_exit_codes[i].status);
  }
  return true;
}
