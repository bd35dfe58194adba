/* The command line of one command: getopt_long driven by the option table. */
#include "cli.h"

#include <float.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 40 };

/* Keeps "path=value"; takes over the memory of text. */
static omr_status add_override(cli_arguments *arguments, cli_text *text, omr_error *error) {
  char **grown = realloc(arguments->overrides, (arguments->override_count + 1) * sizeof *grown);
  if (grown) arguments->overrides = grown;
  if (!grown || text->failed || !text->data) {
    cli_text_free(text);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  grown[arguments->override_count++] = text->data;
  return OMR_OK;
}

/* A shorthand's value is always a string, even where it reads as a number ("--device 0"). */
static omr_status add_string(cli_arguments *arguments, const char *path, const char *value,
                             omr_error *error) {
  cli_text text = {0};
  cli_text_print(&text, "%s=\"", path);
  for (const char *c = value; *c; c++) {
    if (*c == '"' || *c == '\\') cli_text_add(&text, "\\", 1);
    cli_text_add(&text, c, 1);
  }
  cli_text_add(&text, "\"", 1);
  return add_override(arguments, &text, error);
}

static omr_status add_set(cli_arguments *arguments, const char *assignment, omr_error *error) {
  const char *equal = strchr(assignment, '=');
  if (!equal || equal == assignment)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--set %s: expected PATH=VALUE, such as --set integrator.step=1e-4",
                    assignment);
  cli_text text = {0};
  cli_text_add(&text, assignment, strlen(assignment));
  return add_override(arguments, &text, error);
}

/* NAME=ERROR becomes a member of integrator.accept; all of them together replace the study's. */
static omr_status add_accept(cli_arguments *arguments, const char *value, omr_error *error) {
  const char *equal = strchr(value, '='),
             *error_of = equal ? equal + 1 + strspn(equal + 1, " ") : NULL;
  char *end = NULL;
  if (!equal || equal == value || !*error_of || strpbrk(value, "\"\\"))
    return omr_fail(error, OMR_ERR_USAGE,
                    "--accept %s: expected NAME=ERROR, such as --accept \"vibration_rms=1 %%\"",
                    value);
  cli_strtod(error_of, &end);
  const char *quote = *end ? "\"" : "";
  cli_text text = {0};
  cli_text_print(&text, "%s%s\"%.*s\": %s%s%s", arguments->accept ? arguments->accept : "",
                 arguments->accept ? ", " : "", (int)(equal - value), value, quote, error_of,
                 quote);
  if (text.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(arguments->accept);
  arguments->accept = text.data;
  return OMR_OK;
}

static omr_status finish_accept(cli_arguments *arguments, omr_error *error) {
  cli_text text = {0};
  if (!arguments->accept) return OMR_OK;
  cli_text_print(&text, "integrator.accept={%s}", arguments->accept);
  return add_override(arguments, &text, error);
}

static omr_status take_method(cli_arguments *arguments, const char *value, omr_error *error) {
  arguments->reference_bdf = strcmp(value, "bdf") == 0;
  if (arguments->reference_bdf || strcmp(value, "adams") == 0) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE, "--reference-method %s: expected adams or bdf", value);
}

static omr_status take_json_file(cli_arguments *arguments, const char *value, omr_error *error) {
  (void)error;
  arguments->json = true;
  arguments->json_file = value;
  return OMR_OK;
}

/* How the value of an option is taken (lists/options.def). */
typedef struct taking {
  int id;
  const char *name;
  enum {
    FLAG,
    WORD,
    REAL,
    INT,
    SIZE,
    TEXT
  } type;                           /* of the member; TEXT: a number as it is written */
  enum { ANY, WHOLE, DIGITS } form; /* of a number */
  size_t member;                    /* of cli_arguments; NONE: the value goes elsewhere */
  const char *path;                 /* of the study's member that the option sets; NULL: none */
  double least, most;
  const char *expected; /* of a number; NULL: the option has none */
  omr_status (*own)(cli_arguments *arguments, const char *value, omr_error *error);
} taking;

#define NONE SIZE_MAX
#define ABOVE_0 DBL_TRUE_MIN
#define BELOW_1 (1 - DBL_EPSILON / 2)

#define AT(field) .member = offsetof(cli_arguments, field)
#define FLAG(field) .type = FLAG, AT(field)
#define WORD(field) .type = WORD, AT(field)
#define BOTH(field, to) .type = WORD, .path = to, AT(field)
#define PATH(to) .path = to, .member = NONE
#define OWN(function) .own = function, .member = NONE
#define NUMBER(kind, field, shape, low, high, text)                                                \
  .type = kind, .form = shape, .least = low, .most = high, .expected = text, AT(field)
#define SETTING(field, to, low, high, text) .path = to, NUMBER(INT, field, DIGITS, low, high, text)

static const taking takings[] = {
#define NAME(place, letter, word, ...) {.id = CLI_OPT_##place, .name = word, __VA_ARGS__},
#define USE(...)
#include "../lists/options.def"
#undef NAME
#undef USE
};

static const taking *taking_of(int id) {
  size_t i = 0;
  while (takings[i].id != id) i++;
  return &takings[i];
}

static omr_status read_number(const taking *t, const char *value, double *number,
                              omr_error *error) {
  char *end;
  *number = t->form == DIGITS ? (double)strtoll(value, &end, 10) : cli_strtod(value, &end);
  if (*end || end == value || !(*number >= t->least && *number <= t->most) ||
      (t->form == WHOLE && *number != floor(*number)))
    return omr_fail(error, OMR_ERR_USAGE, "--%s %s: expected %s", t->name, value, t->expected);
  return OMR_OK;
}

/* Puts a value, which is none for flags, into its member. */
static void put_value(cli_arguments *arguments, const taking *t, const char *value, double number) {
  void *at = (char *)arguments + t->member;
  switch (t->type) {
  case FLAG: *(bool *)at = true; break;
  case REAL: *(double *)at = number; break;
  case INT: *(int *)at = (int)number; break;
  case SIZE: *(size_t *)at = (size_t)number; break;
  default: *(const char **)at = value ? value : "";
  }
}

static omr_status take_option(cli_arguments *arguments, int id, const char *value,
                              omr_error *error) {
  const taking *t = taking_of(id);
  double number = 0;
  if (t->own) return t->own(arguments, value, error);
  const omr_status status = t->expected ? read_number(t, value, &number, error) : OMR_OK;
  if (status != OMR_OK) return status;
  if (t->member != NONE) put_value(arguments, t, value, number);
  if (!t->path) return OMR_OK;
  if (!t->expected) return add_string(arguments, t->path, value, error);
  cli_text text = {0};
  cli_text_print(&text, "%s=%.0f", t->path, number);
  return add_override(arguments, &text, error);
}

bool cli_is_given(const cli_arguments *arguments, const cli_option *option, const char **value) {
  const taking *t = taking_of((int)option->id);
  const bool word = t->type == WORD || t->type == TEXT;
  *value = NULL;
  if (t->member == NONE || t->path || !(t->type == FLAG || word)) return false;
  const void *at = (const char *)arguments + t->member;
  if (word) *value = *(const char *const *)at;
  return word ? *value != NULL : *(const bool *)at;
}

/* A command that has the option: run, if it does. */
static const char *who_knows(const char *name) {
  const char *found = NULL;
  for (size_t i = 0; i < cli_option_count; i++) {
    if (strcmp(cli_options[i].name, name) != 0 || !cli_options[i].help) continue;
    for (size_t c = 0; c < cli_command_count; c++) {
      if (!(cli_options[i].commands & cli_commands[c].id)) continue;
      if (!found || strcmp(cli_commands[c].name, "run") == 0) found = cli_commands[c].name;
    }
  }
  return found;
}

/* Refuses an option that getopt_long reported as '?' or ':'; letter is its optopt, 0 for an unknown
 * long option. */
static omr_status refuse_option(const cli_command *command, const char *word, int kind, int letter,
                                const struct option *known, size_t count, omr_error *error) {
  const char *names[MAX_OPTIONS];

  /* A known option with a missing or needless value. */
  for (size_t i = 0; i < count; i++) {
    names[i] = known[i].name;
    if (letter == 0 || letter != known[i].val) continue;
    return omr_fail(error, OMR_ERR_USAGE, "--%s %s; see omniroll %s --help", names[i],
                    kind == ':' ? "needs a value" : "takes no value", command->name);
  }

  /* Another program's option, or a member of a study. */
  char name[64];
  const char *start = word + strspn(word, "-");
  snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "="), start);
  const char *hint = cli_option_hint(command, name);
  if (hint)
    return omr_fail(error, OMR_ERR_USAGE, "omniroll %s does not know the option %s; %s",
                    command->name, word, hint);

  /* A mistyped option. */
  const char *nearest = omr_nearest(name, names, count);
  if (nearest)
    return omr_fail(error, OMR_ERR_USAGE,
                    "omniroll %s does not know the option %s; did you mean --%s?", command->name,
                    word, nearest);

  /* An option of another command. */
  const char *other = who_knows(name);
  if (other)
    return omr_fail(error, OMR_ERR_USAGE,
                    "omniroll %s does not know the option %s, which is one of omniroll %s; see "
                    "omniroll %s --help",
                    command->name, word, other, command->name);

  return omr_fail(error, OMR_ERR_USAGE,
                  "omniroll %s does not know the option %s; see omniroll %s --help", command->name,
                  word, command->name);
}

/* The option table as getopt wants it; returns the number of options of the command. */
static size_t getopt_tables(const cli_command *command, struct option known[MAX_OPTIONS],
                            char letters[2 * MAX_OPTIONS + 2]) {
  size_t count = 0;
  char *letter = letters;

  /* A leading colon makes getopt report a missing value as ':'. */
  *letter++ = ':';

  for (size_t i = 0; i < cli_option_count && count < MAX_OPTIONS - 1; i++) {
    const cli_option *option = &cli_options[i];
    if (!(option->commands & command->id)) continue;
    const int kind = !option->argument          ? no_argument
                     : *option->argument == '[' ? optional_argument
                                                : required_argument;
    known[count++] = (struct option){option->name, kind, NULL, (int)option->id};
    if (option->id >= CLI_OPT_LONG) continue;
    *letter++ = (char)option->id;
    if (option->argument) *letter++ = ':';
  }

  *letter = 0;
  known[count] = (struct option){0};
  return count;
}

static omr_status check_operands(const cli_command *command, int count, char **operands,
                                 cli_arguments *arguments, omr_error *error) {
  const bool several = command->operand && strstr(command->operand, "...");
  int most = command->operand ? 1 : 0;
  arguments->operands = operands;
  arguments->operand_count = (size_t)count;
  if (count > most && !several)
    return cli_refuse_operands(command, arguments, most, count, operands, error);
  if (count >= 1) arguments->operand = operands[0];
  if (count == 0 && most && command->operand[0] != '[')
    return omr_fail(error, OMR_ERR_USAGE, "omniroll %s needs a %s; see omniroll %s --help",
                    command->name, command->operand, command->name);
  return OMR_OK;
}

/* "10ms", "0.01", "10 ms": no study's name. */
static bool is_time(const char *word) {
  static const char *const units[] = {"", "s", "ms", "us", "ns", "min"};
  char *end;
  if (!strchr(".0123456789", *word)) return false;
  cli_strtod(word, &end);
  end += strspn(end, " ");
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(end, units[i]) == 0) return true;
  return false;
}

/* Whether the next word is the argument of an option that may be without one. */
static bool is_for(int id, const char *word) {
  return (id == CLI_OPT_JSON_FILE && *word != '-') || (id == CLI_OPT_TRACE && is_time(word));
}

/* Options that exclude or need each other. */
static omr_status check_together(const cli_arguments *arguments, omr_error *error) {
  /* Quiet and verbose exclude each other. */
  if (arguments->quiet && arguments->verbose)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--quiet prints nothing and --verbose all there is; give one of them");

  /* Two choices of instances. */
  if (arguments->instances && arguments->sample)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--instances and --sample both choose instances; give one of them");
  if (arguments->nominal && (arguments->instance || arguments->instances || arguments->sample))
    return omr_fail(error, OMR_ERR_USAGE,
                    "the nominal vehicle is no instance of the study: --nominal goes without %s",
                    arguments->instance    ? "--instance"
                    : arguments->instances ? "--instances"
                                           : "--sample");

  /* A job runs the study that was planned, and its parts are the tasks'. */
  if (arguments->emit && !arguments->tasks)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--emit %s needs --tasks N, the number of tasks that share the run",
                    arguments->emit);
  if (arguments->emit && (arguments->nominal || arguments->instance || arguments->json))
    return omr_fail(error, OMR_ERR_USAGE, "--emit is for a run of the whole study, without %s",
                    arguments->json      ? "--json"
                    : arguments->nominal ? "--nominal"
                                         : "--instance");
  if (arguments->tasks && arguments->shard)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "--tasks and --shard both say how many processes share the run; give one of them");
  if (!arguments->emit && (arguments->image || arguments->storage || arguments->queue))
    return omr_fail(error, OMR_ERR_USAGE, "--image, --storage and --queue belong to --emit");

  /* A trace needs a vehicle. */
  if (arguments->trace && !arguments->nominal && !arguments->instance)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "--trace goes with --nominal or --instance K; a run of the whole study traces what the "
        "study names: --set output.trajectories='{\"instances\": [0], \"interval\": \"10 ms\"}'");
  return OMR_OK;
}

omr_status cli_parse(const cli_command *command, int argc, char **argv, cli_arguments *arguments,
                     omr_error *error) {
  struct option known[MAX_OPTIONS];
  char letters[2 * MAX_OPTIONS + 2];
  size_t count = getopt_tables(command, known, letters);

  /* getopt would read -output as -o utput. */
  const omr_status dashes = cli_refuse_single_dash(command, argc, argv, error);
  if (dashes != OMR_OK) return dashes;

  /* Take the options one by one. */
  opterr = 0;
  optind = 1;
  arguments->tolerance = arguments->single_tolerance = -1;
  for (;;) {
    int id = getopt_long(argc, argv, letters, known, NULL);
    if (id == -1) break;
    if (id == '?' || id == ':') {
      const char letter[3] = {'-', (char)optopt, 0};
      bool by_letter = optopt > 0 && optopt < CLI_OPT_LONG;
      const char *whole = argv[optind - (optind > 1 && argv[optind - 1][0] == '-' ? 1 : 0)];
      const bool single_dash =
          by_letter && whole && whole[0] == '-' && whole[1] != '-' && strlen(whole) > 2;
      return refuse_option(command,
                           by_letter && !single_dash ? letter
                           : single_dash             ? whole
                                                     : argv[optind - 1],
                           id, single_dash ? 0 : optopt, known, count, error);
    }

    /* An optional value may also be the next word, where that is no option and the command has no
     * other use for it. */
    if (!optarg && optind < argc && is_for(id, argv[optind])) optarg = argv[optind++];
    omr_status status = take_option(arguments, id, optarg, error);
    if (status != OMR_OK) return status;
  }

  /* Check the options together, then the operands. */
  if (arguments->help) return OMR_OK;
  omr_status accepted = finish_accept(arguments, error);
  if (accepted != OMR_OK) return accepted;
  accepted = check_together(arguments, error);
  if (accepted != OMR_OK) return accepted;
  return check_operands(command, argc - optind, argv + optind, arguments, error);
}

void cli_arguments_free(cli_arguments *arguments) {
  for (size_t i = 0; i < arguments->override_count; i++) free(arguments->overrides[i]);
  free(arguments->overrides);
  free(arguments->accept);
  *arguments = (cli_arguments){0};
}
