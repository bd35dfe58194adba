/* Unknown words on a command line. */
#include "cli.h"

#include <string.h>
#include <unistd.h>

static bool takes(const cli_command *command, cli_option_id id) {
  for (size_t i = 0; i < cli_option_count; i++)
    if (cli_options[i].id == id && cli_options[i].commands & command->id) return true;
  return false;
}

/* Options of other programs, and members of a study in the place of options. `with`: the option
 * that the command needs for the hint to apply. */
static const struct {
  const char *words; /* parted by blanks */
  cli_option_id with;
  const char *hint;
} hints[] = {
#define MEMBER(words, path)                                                                        \
  { words, CLI_OPT_SET, "it is a member of the study: --set " path "=VALUE" }
    MEMBER("step dt timestep time-step", "integrator.step"),
    MEMBER("duration time", "integrator.duration"),
    MEMBER("method solver", "integrator.method"),
    MEMBER("seed", "design.seed"),
    MEMBER("samples runs", "design.instances"),
    MEMBER("fail", "statistics.fail"),
    MEMBER("friction", "parameters.wheel.friction"),
#undef MEMBER
    {"gpu", CLI_OPT_BACKEND, "GPUs are run by --backend opencl"},
    {"cuda", CLI_OPT_BACKEND, "NVIDIA's GPUs are run by --backend opencl"},
    {"cpu", CLI_OPT_BACKEND, "the processor is run by --backend openmp"},
    {"float fp32", CLI_OPT_PRECISION, "that is --precision single"},
    {"jobs cores workers nproc j n t", CLI_OPT_THREADS, "the number of threads is --threads N"},
    {"rank nodes", CLI_OPT_SHARD, "the part of a process is --shard I/N"},
    {"force f", CLI_OPT_OVERWRITE, "a file that is there is replaced by --overwrite"},
    {"resume continue", CLI_OPT_RESTART, "omniroll resume FILE goes on with an unfinished run"},
    {"dry-run check", CLI_OPT_RESTART, "omniroll validate STUDY says what a run would do"},
    {"csv", CLI_OPT_RESTART, "omniroll export RESULT writes CSV when the run is over"},
    {"verbose v debug", CLI_OPT_QUIET,
     "progress and log are printed without it, and --quiet leaves them out"},
};

static bool has_word(const char *words, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = words; *at; at += strspn(at, " ")) {
    const size_t next = strcspn(at, " ");
    if (next == length && strncmp(at, word, length) == 0) return true;
    at += next;
  }
  return false;
}

const char *cli_option_hint(const cli_command *command, const char *name) {
  char letter[2] = {name[0], '\0'}; /* of -j4 */
  const bool numbered = name[0] && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (has_word(hints[i].words, numbered ? letter : name) && takes(command, hints[i].with))
      return hints[i].hint;
  return NULL;
}

omr_status cli_refuse_single_dash(const cli_command *command, int argc, char **argv,
                                  omr_error *error) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (argv[i][0] != '-' || argv[i][1] == '-') continue;
    const size_t length = strcspn(argv[i] + 1, "=");
    for (size_t o = 0; length > 1 && o < cli_option_count; o++)
      if (cli_options[o].commands & command->id && strlen(cli_options[o].name) == length &&
          strncmp(argv[i] + 1, cli_options[o].name, length) == 0)
        return omr_fail(error, OMR_ERR_USAGE,
                        "omniroll %s does not know the option %s; did you mean --%s?",
                        command->name, argv[i], cli_options[o].name);
  }
  return OMR_OK;
}

/* Joins words that the shell made of one name with blanks; false where there is no such file. */
static bool is_one_name(int count, char **operands, int most, char *name, size_t size) {
  int length = snprintf(name, size, "%s", operands[most > 0 ? most - 1 : 0]);
  for (int i = most > 0 ? most : 1; i < count; i++) {
    if (length < 0 || (size_t)length >= size) return false;
    length += snprintf(name + length, size - (size_t)length, " %s", operands[i]);
    if ((size_t)length < size && access(name, F_OK) == 0) return true;
  }
  return false;
}

static bool are_files(int count, char **operands) {
  for (int i = 0; i < count; i++)
    if (access(operands[i], F_OK) != 0) return false;
  return true;
}

omr_status cli_refuse_operands(const cli_command *command, const cli_arguments *arguments, int most,
                               int count, char **operands, omr_error *error) {
  char what[96], name[1024];
  const char *extra = operands[most];
  snprintf(what, sizeof what, "omniroll %s takes %s %s", command->name, most ? "one" : "no",
           most ? command->operand : "argument");

  /* A name with blanks. */
  if (most && is_one_name(count, operands, most, name, sizeof name))
    return omr_fail(error, OMR_ERR_USAGE, "%s; a name with blanks needs quotes: omniroll %s \"%s\"",
                    what, command->name, name);

  /* Several files. */
  if (most && are_files(count, operands))
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s; \"%s\" is too many: for several, for f in %s %s; do omniroll %s \"$f\"; "
                    "done",
                    what, extra, operands[0], extra, command->name);

  /* A value with blanks. */
  if (arguments->override_count && strlen(extra) < 12 && !strchr(extra, '.'))
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s; \"%s\" is too many. A value with blanks needs quotes: --set \"%s %s\"",
                    what, extra, arguments->overrides[arguments->override_count - 1], extra);

  return omr_fail(error, OMR_ERR_USAGE, "%s; \"%s\" is too many; see omniroll %s --help", what,
                  extra, command->name);
}
