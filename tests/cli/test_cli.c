/* The built program (environment variable OMNIROLL) as a user meets it: exit codes, help, messages, interruption. Expected
 * exit codes are those of omniroll.h. Every test runs in a temporary folder of its own. */
#include <omniroll/omniroll.h>

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHORT_STUDY                                                                                                              \
  "{\"title\": \"short\", \"model\": \"omni_vehicle\","                                                                          \
  " \"integrator\": {\"method\": \"rk4\", \"step\": \"1 ms\", \"duration\": \"50 ms\"}}"
#define LONG_RUN "integrator.duration=1000000" /* 10^9 steps: minutes at least */

enum { TEXT = 65536, MAX_ARGUMENTS = 24 };

typedef struct outcome {
  int code; /* exit code, or -1 when a signal ended it */
  char out[TEXT], err[TEXT];
} outcome;

static char folder[64];
static outcome last;

static void write_file(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  cr_assert_eq(fclose(file), 0);
}

static void read_file(const char *name, char *text) {
  FILE *file = fopen(name, "r");
  cr_assert_not_null(file, "%s", name);
  text[fread(text, 1, TEXT - 1, file)] = 0;
  fclose(file);
}

static void set_up(void) {
  snprintf(folder, sizeof folder, "/tmp/omniroll-cli-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
  write_file("short.json", SHORT_STUDY);
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert_eq(system(command), 0);
}

TestSuite(cli, .init = set_up, .fini = tear_down, .timeout = 120);

static void redirect(const char *path, int flags, int target) {
  int file = open(path, flags, 0600);
  if (file < 0 || dup2(file, target) < 0) _exit(127);
  close(file);
}

static _Noreturn void become_program(const char *const *arguments) {
  const char *program = getenv("OMNIROLL");
  char *argv[MAX_ARGUMENTS] = {(char *)"omniroll"};
  for (int i = 0; arguments[i] && i < MAX_ARGUMENTS - 2; i++) argv[i + 1] = (char *)arguments[i];
  if (program) execv(program, argv);
  _exit(127);
}

static pid_t start(const char *input, const char *const *arguments) {
  cr_assert_not_null(getenv("OMNIROLL"), "set OMNIROLL to the built program");
  pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child > 0) return child;
  redirect(input, O_RDONLY, STDIN_FILENO);
  redirect("stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect("stderr", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  become_program(arguments);
}

static const outcome *finish(pid_t child) {
  int status;
  cr_assert_eq(waitpid(child, &status, 0), child);
  last.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  read_file("stdout", last.out);
  read_file("stderr", last.err);
  return &last;
}

#define OMNIROLL(...) finish(start("/dev/null", (const char *const[]){__VA_ARGS__, NULL}))

static void expect(const outcome *o, int code) {
  cr_expect_eq(o->code, code, "exit code %d, not %d; standard error: %s", o->code, code, o->err);
}

static void expect_text(const char *text, const char *part) {
  cr_expect_not_null(strstr(text, part), "\"%s\" is not in: %s", part, text);
}

static bool exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0;
}

/* Files in the folder beside the study and what the program printed: a result or a piece of one. */
static int other_files(void) {
  static const char *const known[] = {".", "..", "short.json", "stdout", "stderr"};
  DIR *directory = opendir(".");
  cr_assert_not_null(directory);
  int others = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known = is_known || strcmp(entry->d_name, known[i]) == 0;
    others += !is_known;
  }
  closedir(directory);
  return others;
}

static void sleep_ms(long ms) {
  nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

Test(cli, no_command_prints_the_overview_and_is_a_usage_error) {
  const outcome *o = finish(start("/dev/null", (const char *const[]){NULL}));
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "Usage: omniroll COMMAND");
}

Test(cli, help_lists_every_command_and_exit_code) {
  const outcome *o = OMNIROLL("--help");
  expect(o, OMR_OK);
  const char *parts[] = {"run STUDY", "validate STUDY", "describe MODEL",     "devices",
                         "selftest",  "Exit codes:",    "\n  7   interrupted"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_text(o->out, parts[i]);
}

Test(cli, every_command_explains_itself) {
  const char *commands[] = {"run", "validate", "describe", "devices", "selftest", "help"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    char usage[64];
    snprintf(usage, sizeof usage, "Usage: omniroll %s", commands[i]);
    const outcome *o = OMNIROLL(commands[i], "--help");
    expect(o, OMR_OK);
    expect_text(o->out, usage);
    o = OMNIROLL("help", commands[i]);
    expect(o, OMR_OK);
    expect_text(o->out, usage);
  }
}

Test(cli, help_stays_within_80_columns) {
  const char *commands[] = {"run", "validate", "describe", "devices", "selftest", "help"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    for (const char *line = OMNIROLL("help", commands[i])->out; *line; line += strcspn(line, "\n") + 1)
      cr_expect_leq(strcspn(line, "\n"), 80, "%.*s", (int)strcspn(line, "\n"), line);
}

Test(cli, manual_page_has_the_options_of_help) {
  const outcome *o = OMNIROLL("help", "--man");
  expect(o, OMR_OK);
  expect_text(o->out, ".TH OMNIROLL 1");
  expect_text(o->out, "\\-\\-precision");
  expect_text(o->out, "EXIT STATUS");
}

Test(cli, version_names_number_and_flags) {
  const outcome *o = OMNIROLL("--version");
  expect(o, OMR_OK);
  expect_text(o->out, omr_version());
  expect_text(o->out, "-ffp-contract=off");
}

Test(cli, misspelled_command_names_the_nearest) {
  const outcome *o = OMNIROLL("vaildate", "short.json");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "did you mean \"validate\"");
}

Test(cli, misspelled_option_names_the_nearest) {
  const outcome *o = OMNIROLL("run", "--ouptut=x.h5", "short.json");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "did you mean --output");
}

Test(cli, option_of_another_command_is_refused) {
  expect(OMNIROLL("validate", "-o", "x.h5", "short.json"), OMR_ERR_USAGE);
}

Test(cli, option_without_its_value_is_refused) {
  const outcome *o = OMNIROLL("run", "short.json", "-o");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "--output needs a value");
}

Test(cli, threads_must_be_a_whole_number) {
  expect(OMNIROLL("run", "--threads", "many", "short.json"), OMR_ERR_USAGE);
  expect(OMNIROLL("run", "--threads", "0", "short.json"), OMR_ERR_USAGE);
}

Test(cli, one_study_and_no_more) {
  expect(OMNIROLL("run"), OMR_ERR_USAGE);
  expect(OMNIROLL("run", "short.json", "short.json"), OMR_ERR_USAGE);
}

Test(cli, missing_study_is_named) {
  const outcome *o = OMNIROLL("validate", "nowhere.json");
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "nowhere.json");
}

Test(cli, wrong_study_ends_with_its_own_code) {
  write_file("wrong.json", "{\"model\": \"omni_vehicel\"}");
  const outcome *o = OMNIROLL("validate", "wrong.json");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "wrong.json");
}

Test(cli, validate_says_what_would_run) {
  const outcome *o = OMNIROLL("validate", "short.json", "--set", "integrator.duration=2");
  expect(o, OMR_OK);
  expect_text(o->out, "title      short");
  expect_text(o->out, "omni_vehicle");
  expect_text(o->out, "2000 of 0.001 s = 2 s");
}

Test(cli, set_must_be_an_assignment) {
  expect(OMNIROLL("validate", "short.json", "--set", "integrator.duration"), OMR_ERR_USAGE);
}

Test(cli, backend_is_a_shorthand_of_set) {
  const outcome *o = OMNIROLL("validate", "short.json", "--backend", "abacus");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "engine.backend");
}

Test(cli, study_from_standard_input) {
  const outcome *o = finish(start("short.json", (const char *const[]){"validate", "-", NULL}));
  expect(o, OMR_OK);
  expect_text(o->out, "title      short");
}

Test(cli, describe_refuses_an_unknown_model) {
  expect(OMNIROLL("describe", "omni_vehicle"), OMR_OK);
  expect(OMNIROLL("describe", "omni_boat"), OMR_ERR_USAGE);
}

#define DRAWN_DESIGN                                                                                                             \
  "--set", "vary=[{\"path\":\"gravity\",\"normal\":[9.8,0.1]},{\"path\":\"platform.mass\",\"weibull\":[20,3]}]", "--set",        \
      "design={\"type\":\"sobol\",\"instances\":8,\"seed\":\"6\"}"

Test(cli, validate_prints_the_design_and_what_is_drawn) {
  const outcome *o = OMNIROLL("validate", "short.json", DRAWN_DESIGN);
  expect(o, OMR_OK);
  expect_text(o->out, "instances  8 (sobol, scrambled, seed 6)");
  expect_text(o->out, "varied     gravity, normal\n           platform.mass, weibull\n");
  cr_expect_null(strstr(o->out, "not balanced"));
  o = OMNIROLL("validate", "short.json", DRAWN_DESIGN, "--set", "design.instances=12");
  expect_text(o->out, "12 points of a Sobol' sequence are not balanced; 8 or 16 would be");
}

Test(cli, sample_writes_a_table_that_another_study_takes) {
  static const char table[] = "design={\"type\":\"table\",\"file\":\"%s\"}";
  char first[TEXT], set[64];
  const outcome *o = OMNIROLL("sample", "short.json", DRAWN_DESIGN);
  expect(o, OMR_OK);
  cr_expect_eq(strncmp(o->out, "instance,gravity [m s-2],platform.mass [kg]\n0,", 46), 0, "%s", o->out);
  strcpy(first, o->out);
  static const char *const files[] = {"table.csv", "table.h5"};
  for (int i = 0; i < 2; i++) {
    o = OMNIROLL("sample", "short.json", DRAWN_DESIGN, "-o", files[i]);
    expect(o, OMR_OK);
    cr_expect_str_empty(o->out);
    snprintf(set, sizeof set, table, files[i]);
    o = OMNIROLL("sample", "short.json", "--set", set);
    expect(o, OMR_OK);
    cr_expect_str_eq(o->out, first);
  }
  o = OMNIROLL("run", "short.json", "--set", set, "-o", "result.h5", "--backend", "scalar");
  expect(o, OMR_OK);
  o = OMNIROLL("sample", "short.json", "--set", "design={\"type\":\"table\",\"file\":\"result.h5\"}");
  expect(o, OMR_OK);
  cr_expect_str_eq(o->out, first);
}

Test(cli, sample_refuses_what_has_no_table_and_what_would_do_harm) {
  const outcome *o = OMNIROLL("sample", "short.json");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "nothing varies");
  expect(OMNIROLL("sample", "short.json", DRAWN_DESIGN, "-o", "short.json"), OMR_ERR_USAGE);
  expect(OMNIROLL("sample", "short.json", DRAWN_DESIGN, "-o", "nowhere/table.csv"), OMR_ERR_IO);
  cr_expect_eq(other_files(), 0);
}

Test(cli, run_leaves_a_result_named_after_the_study) {
  cr_assert_eq(mkdir("studies", 0700), 0);
  cr_assert_eq(rename("short.json", "studies/short.json"), 0);
  const outcome *o = OMNIROLL("run", "studies/short.json");
  expect(o, OMR_OK);
  expect_text(o->out, "short.h5");
  cr_expect(exists("short.h5"));
}

Test(cli, piped_run_shows_no_progress) {
  const outcome *o = OMNIROLL("run", "short.json", "--set", "integrator.duration=5");
  expect(o, OMR_OK);
  cr_expect_null(strpbrk(o->err, "\r\033"), "%s", o->err);
  cr_expect_null(strstr(o->err, "instance-steps/s"), "%s", o->err);
}

Test(cli, quiet_run_prints_nothing) {
  const outcome *o = OMNIROLL("run", "--quiet", "short.json");
  expect(o, OMR_OK);
  cr_expect_str_empty(o->out);
  cr_expect_str_empty(o->err);
}

Test(cli, missing_output_folder_is_found_before_the_run) {
  const outcome *o = OMNIROLL("run", "short.json", "--set", LONG_RUN, "-o", "nowhere/result.h5");
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "there is no folder nowhere");
}

Test(cli, output_that_is_no_plain_file_is_refused) {
  expect(OMNIROLL("run", "short.json", "-o", "/dev/null"), OMR_ERR_IO);
  expect(OMNIROLL("run", "short.json", "-o", "."), OMR_ERR_IO);
  expect(OMNIROLL("run", "short.json", "-o", "short.json"), OMR_ERR_USAGE);
  const outcome *o = OMNIROLL("validate", "short.json");
  expect(o, OMR_OK);
}

static void interrupt_leaves_no_file(int signal) {
  pid_t child = start("/dev/null", (const char *const[]){"run", "short.json", "--set", LONG_RUN, NULL});
  sleep_ms(1500);
  cr_assert_eq(kill(child, signal), 0);
  const outcome *o = finish(child);
  expect(o, OMR_ERR_INTERRUPTED);
  expect_text(o->err, "interrupted");
  cr_expect_eq(other_files(), 0);
}

Test(cli, ctrl_c_leaves_no_file) {
  interrupt_leaves_no_file(SIGINT);
}

Test(cli, termination_leaves_no_file) {
  interrupt_leaves_no_file(SIGTERM);
}

Test(cli, interrupted_run_keeps_the_old_result) {
  write_file("short.h5", "old");
  pid_t child = start("/dev/null", (const char *const[]){"run", "short.json", "--set", LONG_RUN, NULL});
  sleep_ms(1500);
  cr_assert_eq(kill(child, SIGINT), 0);
  expect(finish(child), OMR_ERR_INTERRUPTED);
  read_file("short.h5", last.out);
  cr_expect_str_eq(last.out, "old");
}

Test(cli, full_standard_output_is_an_error) {
  pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child == 0) {
    redirect("/dev/full", O_WRONLY, STDOUT_FILENO);
    redirect("stderr", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    become_program((const char *const[]){"--help", NULL});
  }
  write_file("stdout", "");
  expect(finish(child), OMR_ERR_IO);
}

/* What a run writes to a terminal as its standard error. */
static const char *terminal_output(const char *no_color) {
  static char text[TEXT];
  int terminal;
  pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  if (child < 0) cr_skip_test("no pseudo-terminal on this machine: %s", strerror(errno));
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", no_color, 1);
    redirect("stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    become_program((const char *const[]){"run", "short.json", "--set", "integrator.duration=5", NULL});
  }
  size_t length = 0;
  ssize_t count;
  while (length < TEXT - 1 && (count = read(terminal, text + length, TEXT - 1 - length)) > 0) length += (size_t)count;
  text[length] = 0;
  close(terminal);
  int status;
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_expect_eq(status, 0, "%s", text);
  return text;
}

Test(cli, terminal_shows_progress) {
  const char *text = terminal_output("");
  expect_text(text, "instance-steps/s");
  expect_text(text, "\033[36m");
}

Test(cli, no_color_is_respected) {
  const char *text = terminal_output("1");
  expect_text(text, "instance-steps/s");
  cr_expect_null(strstr(text, "\033[36m"), "%s", text);
}
