/* omniroll figures: figures of the source papers, drawn by the Python package. */
#define _GNU_SOURCE /* readlink */
#include "analysis.h"
#include "cli.h"
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* The reference is part of the program, and Python calls it. */
static bool this_program(char path[PATH_MAX]) {
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length <= 0) return false;
  path[length] = 0;
  return true;
}

static size_t options_of(const cli_arguments *arguments, const char *program, const char **words) {
  size_t count = 0;
  if (program) words[count++] = "--program", words[count++] = program;
  if (arguments->output) words[count++] = "--output", words[count++] = arguments->output;
  if (arguments->formats) words[count++] = "--format", words[count++] = arguments->formats;
  if (arguments->list) words[count++] = "--list";
  if (arguments->quick) words[count++] = "--quick";
  if (arguments->restart) words[count++] = "--restart";
  words[count++] = "--"; /* names come after it */
  return count;
}

omr_status cli_figures(const cli_arguments *arguments, omr_error *error) {
  enum { OPTIONS = 16 };
  char program[PATH_MAX];
  const char **words = calloc(OPTIONS + arguments->operand_count, sizeof *words);
  if (!words) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  size_t count = options_of(arguments, this_program(program) ? program : NULL, words);
  for (size_t i = 0; i < arguments->operand_count; i++) words[count++] = arguments->operands[i];
  const omr_status status = cli_run_python("omniroll.papers", count, words, error);
  free(words);
  return status;
}
