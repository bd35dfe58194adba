/* The command line of one command: getopt_long driven by the option table. */
#include "unknown_words.h"

#include <getopt.h>
#include <math.h>
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

static omr_status take_budget(cli_arguments *arguments, const char *value, omr_error *error) {
  char *end;
  arguments->budget = cli_strtod(value, &end);
  if (*end || end == value || !(arguments->budget >= 0.1) || !(arguments->budget <= 1e6))
    return omr_fail(error, OMR_ERR_USAGE,
                    "--budget %s: expected a time in seconds, from 0.1 to 1e6", value);
  return OMR_OK;
}

static omr_status add_threads(cli_arguments *arguments, const char *value, omr_error *error) {
  char *end;
  long threads = strtol(value, &end, 10);
  if (*end || end == value || threads < 1 || threads > 4096)
    return omr_fail(error, OMR_ERR_USAGE, "--threads %s: expected a whole number from 1 to 4096",
                    value);
  cli_text text = {0};
  cli_text_print(&text, "engine.threads=%ld", threads);
  return add_override(arguments, &text, error);
}

/* A positive number, or 0 where that is allowed. */
static omr_status take_number(const char *option, const char *value, bool zero, double *number,
                              omr_error *error) {
  char *end;
  *number = cli_strtod(value, &end);
  if (*end || end == value || !(*number < 1) || *number < 0 || (*number <= 0 && !zero))
    return omr_fail(error, OMR_ERR_USAGE, "--%s %s: expected a number from 0 to 1, such as 1e-8",
                    option, value);
  return OMR_OK;
}

static omr_status take_sample(cli_arguments *arguments, const char *value, omr_error *error) {
  char *end;
  long long count = strtoll(value, &end, 10);
  if (*end || end == value || count < 1)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--sample %s: expected how many instances, a whole number from 1", value);
  arguments->sample = (size_t)count;
  return OMR_OK;
}

/* Rounds and seconds of a bench. */
static omr_status take_rounds(cli_arguments *arguments, const char *value, omr_error *error) {
  char *end;
  long rounds = strtol(value, &end, 10);
  if (*end || end == value || rounds < 1 || rounds > 1000)
    return omr_fail(error, OMR_ERR_USAGE, "--rounds %s: expected a whole number from 1 to 1000",
                    value);
  arguments->rounds = (int)rounds;
  return OMR_OK;
}

static omr_status take_seconds(cli_arguments *arguments, const char *value, omr_error *error) {
  char *end;
  arguments->seconds = cli_strtod(value, &end);
  if (*end || end == value || !(arguments->seconds >= 1e-3) || !(arguments->seconds <= 3600))
    return omr_fail(error, OMR_ERR_USAGE,
                    "--seconds %s: expected the time of a row, from 0.001 to 3600", value);
  return OMR_OK;
}

static omr_status take_sbc(cli_arguments *arguments, const char *value, omr_error *error) {
  char *end;
  const double count = cli_strtod(value, &end);
  if (*end || end == value || !(count >= 1) || !(count <= 100000) || count != floor(count))
    return omr_fail(
        error, OMR_ERR_USAGE,
        "--sbc %s: expected how often to repeat the fit, a whole number from 1 to 100000", value);
  arguments->sbc = (int)count;
  return OMR_OK;
}

/* A number of a search, which Python is given as it is written. */
static omr_status take_of_search(cli_arguments *arguments, int id, const char *value,
                                 omr_error *error) {
  static const struct {
    int id;
    bool whole;
    double least, most;
    const char *name, *expected;
  } known[] = {
      {CLI_OPT_BUDGET_INSTANCES, false, 1, 1e15, "budget", "instances, such as 1e6"},
      {CLI_OPT_SEARCH_SECONDS, false, 1e-3, 1e9, "seconds", "a time in seconds, from 0.001"},
      {CLI_OPT_SEED, true, 0, 0x1p53, "seed", "a whole number from 0"},
      {CLI_OPT_POPULATION, true, 6, 1e6, "population", "a whole number from 6 to 1000000"},
  };
  size_t i = 0;
  while (known[i].id != id) i++;
  char *end;
  const double number = cli_strtod(value, &end);
  if (*end || end == value || !(number >= known[i].least && number <= known[i].most) ||
      (known[i].whole && number != floor(number)))
    return omr_fail(error, OMR_ERR_USAGE, "--%s %s: expected %s", known[i].name, value,
                    known[i].expected);
  arguments->of_search[i] = value;
  return OMR_OK;
}

static omr_status take_tasks(cli_arguments *arguments, const char *value, omr_error *error) {
  char *end;
  const long tasks = strtol(value, &end, 10);
  if (*end || end == value || tasks < 1 || tasks > 1000000)
    return omr_fail(error, OMR_ERR_USAGE, "--tasks %s: expected a whole number from 1 to 1000000",
                    value);
  arguments->tasks = (int)tasks;
  return OMR_OK;
}

static omr_status take_method(cli_arguments *arguments, const char *value, omr_error *error) {
  arguments->reference_bdf = strcmp(value, "bdf") == 0;
  if (arguments->reference_bdf || strcmp(value, "adams") == 0) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE, "--reference-method %s: expected adams or bdf", value);
}

static omr_status take_option(cli_arguments *arguments, int id, const char *value,
                              omr_error *error) {
  /* Values that need a check have a function of their own. */
  switch (id) {
  case CLI_OPT_OUTPUT: arguments->output = value; return OMR_OK;
  case CLI_OPT_QUIET: arguments->quiet = true; return OMR_OK;
  case CLI_OPT_VERBOSE: arguments->verbose = true; return OMR_OK;
  case CLI_OPT_HELP: arguments->help = true; return OMR_OK;
  case CLI_OPT_MAN: arguments->man = true; return OMR_OK;
  case CLI_OPT_COMPLETION: arguments->completion = value; return OMR_OK;
  case CLI_OPT_SET: return add_set(arguments, value, error);
  case CLI_OPT_VARIANT:
    arguments->variant = value;
    return add_string(arguments, "variant", value, error);
  case CLI_OPT_THREADS: return add_threads(arguments, value, error);
  case CLI_OPT_BACKEND: return add_string(arguments, "engine.backend", value, error);
  case CLI_OPT_DEVICE:
    arguments->device = value;
    return add_string(arguments, "engine.device", value, error);
  case CLI_OPT_DEVICES: return add_string(arguments, "engine.devices", value, error);
  case CLI_OPT_TASKS: return take_tasks(arguments, value, error);
  case CLI_OPT_EMIT: arguments->emit = value; return OMR_OK;
  case CLI_OPT_IMAGE: arguments->image = value; return OMR_OK;
  case CLI_OPT_STORAGE: arguments->storage = value; return OMR_OK;
  case CLI_OPT_QUEUE: arguments->queue = value; return OMR_OK;
  case CLI_OPT_PRECISION: return add_string(arguments, "engine.precision", value, error);
  case CLI_OPT_INSTANCES: arguments->instances = value; return OMR_OK;
  case CLI_OPT_SAMPLE: return take_sample(arguments, value, error);
  case CLI_OPT_TOLERANCE:
    return take_number("tolerance", value, true, &arguments->tolerance, error);
  case CLI_OPT_SINGLE_TOLERANCE:
    return take_number("single-tolerance", value, true, &arguments->single_tolerance, error);
  case CLI_OPT_REFERENCE_TOLERANCE:
    return take_number("reference-tolerance", value, false, &arguments->reference_tolerance, error);
  case CLI_OPT_WITH: arguments->with = value; return OMR_OK;
  case CLI_OPT_CANDIDATES: arguments->candidates = value; return OMR_OK;
  case CLI_OPT_REFERENCE_METHOD: return take_method(arguments, value, error);

  case CLI_OPT_JSON: arguments->json = true; return OMR_OK;
  case CLI_OPT_SHARD: arguments->shard = value; return OMR_OK;
  case CLI_OPT_COLUMNS: arguments->columns = value; return OMR_OK;
  case CLI_OPT_OBSERVABLES: arguments->observables = value; return OMR_OK;
  case CLI_OPT_FORMAT: arguments->formats = value; return OMR_OK;
  case CLI_OPT_LIST: arguments->list = true; return OMR_OK;
  case CLI_OPT_TRAJECTORIES: arguments->trajectories = true; return OMR_OK;
  case CLI_OPT_HASH: arguments->hash = true; return OMR_OK;
  case CLI_OPT_SECTION: arguments->sections = value; return OMR_OK;
  case CLI_OPT_ROUNDS: return take_rounds(arguments, value, error);
  case CLI_OPT_SECONDS: return take_seconds(arguments, value, error);
  case CLI_OPT_QUICK: arguments->quick = true; return OMR_OK;
  case CLI_OPT_JSON_FILE:
    arguments->json = true;
    arguments->json_file = value;
    return OMR_OK;

  case CLI_OPT_CSV: arguments->csv = value; return OMR_OK;
  case CLI_OPT_MODEL: arguments->model = value; return OMR_OK;
  case CLI_OPT_FRAME: arguments->frame = value; return OMR_OK;
  case CLI_OPT_SEARCH: arguments->search = value; return OMR_OK;
  case CLI_OPT_ALL_ROWS: arguments->all = true; return OMR_OK;
  case CLI_OPT_KINDS: arguments->list_kinds = true; return OMR_OK;
  case CLI_OPT_FORCE: arguments->force = true; return OMR_OK;
  case CLI_OPT_MAN_FOLDER: arguments->man_folder = value; return OMR_OK;
  case CLI_OPT_PATHS: arguments->paths = true; return OMR_OK;
  case CLI_OPT_RESTART: arguments->restart = true; return OMR_OK;
  case CLI_OPT_OVERWRITE: arguments->overwrite = true; return OMR_OK;
  case CLI_OPT_OVERSIZE: arguments->oversize = true; return OMR_OK;
  case CLI_OPT_PARTIAL: arguments->partial = true; return OMR_OK;
  case CLI_OPT_VIRTUAL: arguments->in_place = true; return OMR_OK;
  case CLI_OPT_FOREIGN_FOLDER: arguments->foreign_folder = true; return OMR_OK;
  case CLI_OPT_STRICT: arguments->strict = true; return OMR_OK;
  case CLI_OPT_ACCEPT: return add_accept(arguments, value, error);
  case CLI_OPT_BUDGET: return take_budget(arguments, value, error);
  case CLI_OPT_REFERENCE: arguments->reference = true; return OMR_OK;
  case CLI_OPT_BUDGET_INSTANCES:
  case CLI_OPT_SEARCH_SECONDS:
  case CLI_OPT_SEED:
  case CLI_OPT_POPULATION: return take_of_search(arguments, id, value, error);
  case CLI_OPT_MJCF: arguments->mjcf = value; return OMR_OK;
  case CLI_OPT_NEWTON: arguments->newton = value; return OMR_OK;
  case CLI_OPT_CHEAP: arguments->cheap = value; return OMR_OK;
  case CLI_OPT_SHAPE: arguments->shape = value; return OMR_OK;
  case CLI_OPT_SHAPE_ERROR: arguments->shape_error = value; return OMR_OK;
  case CLI_OPT_COMPARED:
  case CLI_OPT_CHECK: arguments->check = true; return OMR_OK;
  case CLI_OPT_SBC: return take_sbc(arguments, value, error);
  case CLI_OPT_NOMINAL: arguments->nominal = true; return OMR_OK;
  case CLI_OPT_INSTANCE: arguments->instance = value; return OMR_OK;
  case CLI_OPT_TRACE: arguments->trace = value ? value : ""; return OMR_OK;
  default: return omr_fail(error, OMR_ERR_INTERNAL, "option %d has no meaning", id);
  }
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
  if (several) {
    arguments->operands = operands;
    arguments->operand_count = (size_t)count;
  }
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
