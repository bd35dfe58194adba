/* omniroll: finds the command, runs it, ends with its status. */
#include "cli.h"
#include <errno.h>
#include <omniroll/program.h>
#include <string.h>
#include <unistd.h>

/* A full disk or a closed pipe behind standard output is an error like any other. */
static omr_status flush_output(omr_status status, omr_error *error) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  if (status != OMR_OK) return status;
  return omr_fail(error, OMR_ERR_IO, "cannot write to standard output: %s", strerror(errno));
}

typedef omr_status command_function(const cli_arguments *arguments, omr_error *error);

static command_function *function_of(const cli_command *command) {
  static command_function *const functions[] = {
#define X(id, word, ...) cli_##word,
#include "../lists/commands.def"
#undef X
  };
  return functions[command - cli_commands];
}

/* Commands that read results and run no study. */
enum { READ_RESULTS = CLI_ANALYZE | CLI_EXPORT | CLI_VERIFY };

static omr_status run_command(int argc, char **argv, omr_error *error) {
  const cli_command *command = cli_find_command(argv[0], error);
  if (!command) return OMR_ERR_USAGE;
  cli_arguments arguments = {0};
  omr_status status = cli_parse(command, argc, argv, &arguments, error);
  if (status == OMR_OK && arguments.help) {
    cli_print_help(command, stdout);
  } else if (status == OMR_OK) {
    if (command->id & READ_RESULTS) cli_catch_crashes();
    status = function_of(command)(&arguments, error);
  }
  cli_arguments_free(&arguments);
  return status;
}

/* Options before the command: --help and --version. */
static omr_status run_option(const char *option, omr_error *error) {
  static const char *const known[] = {"help", "version"};
  if (strcmp(option, "-v") == 0)
    return omr_fail(error, OMR_ERR_USAGE, "there is no option -v; did you mean --version?");
  if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
    cli_print_overview(stdout);
    return OMR_OK;
  }
  if (strcmp(option, "--version") == 0 || strcmp(option, "-V") == 0) {
    printf("omniroll %s\n%s\n", omr_version(), omr_build_info());
    return OMR_OK;
  }
  const char *nearest = omr_nearest(option + strspn(option, "-"), known, 2);
  if (nearest)
    return omr_fail(error, OMR_ERR_USAGE, "there is no option %s; did you mean --%s?", option,
                    nearest);
  return omr_fail(error, OMR_ERR_USAGE,
                  "there is no option %s before the command; see omniroll --help", option);
}

int main(int argc, char **argv) {
  cli_guard();
  omr_own_program_runs();
  if (argc < 2) {
    cli_print_overview(stderr);
    return OMR_ERR_USAGE;
  }

  /* The library starts this program to read a file in another process. */
  if (argc == 3 && strcmp(argv[1], "read-table") == 0)
    return omr_table_answer(argv[2], stdout) ? OMR_OK : OMR_ERR_IO;
  if (argc == 3 && strcmp(argv[1], "read-result") == 0) {
    omr_result_answer(argv[2]);
    return OMR_OK;
  }

  /* Run the command and print its error. */
  static omr_error error;
  omr_status status = cli_show_output(&error);
  if (status == OMR_OK)
    status =
        argv[1][0] == '-' ? run_option(argv[1], &error) : run_command(argc - 1, argv + 1, &error);
  status = flush_output(status, &error);
  if (status != OMR_OK) cli_print_error(&error);

  /* A device that hangs keeps a thread inside its driver, and drivers would wait for it at exit. */
  if (status == OMR_ERR_DEVICE || status == OMR_ERR_INTERRUPTED ||
      (status != OMR_OK && omr_files_left_open())) {
    cli_end_output();
    fflush(NULL);
    omr_stop_compiling();
    _exit((int)status);
  }

  return (int)status;
}
