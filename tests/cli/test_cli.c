/* The built program (environment variable OMNIROLL) as a user meets it: exit codes, help, messages,
 * interruption. Expected exit codes are those of omniroll.h. Every test runs in a temporary folder
 * of its own. test_commands.c runs every command. */
#include "tests/cli/program.h"

#include <dirent.h>
#include <errno.h>
#include <pty.h>
#include <signal.h>
#include <time.h>

#define LONG_RUN "integrator.duration=1000000" /* 10^9 steps: minutes at least */

TestSuite(cli, .init = set_up, .fini = tear_down, .timeout = 120);

/* Files in the folder beside the study and what the program printed: a result or a piece of one. */
static int other_files(void) {
  static const char *const known[] = {".", "..", "short.json", "stdout", "stderr"};
  DIR *directory = opendir(".");
  cr_assert_not_null(directory);
  int others = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      is_known = is_known || strcmp(entry->d_name, known[i]) == 0;
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

Test(cli, help_lists_exit_codes) {
  expect_text(OMNIROLL("help", "compare")->out, "\n  9   compare");
  const outcome *o = OMNIROLL("help", "run");
  expect(o, OMR_OK);
  const char *parts[] = {"Exit codes:", "\n  7   interrupted", "\n  10  run: more"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_text(o->out, parts[i]);
}

Test(cli, help_stays_within_80_columns) {
  const char *commands[] = {"run",     "resume",   "merge",   "validate",  "warm", "describe",
                            "devices", "selftest", "compare", "reference", "help"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    for (const char *line = OMNIROLL("help", commands[i])->out; *line;
         line += strcspn(line, "\n") + 1)
      cr_expect_leq(strcspn(line, "\n"), 80, "%.*s", (int)strcspn(line, "\n"), line);
}

Test(cli, help_names_the_variables_of_those_that_start_python) {
  static const char *const commands[] = {"report",       "figures", "converge", "import",
                                         "export-model", "run",     "bench",    "help"};
  for (int i = 0; i < 8; i++) {
    const char *help = OMNIROLL("help", commands[i])->out;
    cr_assert_eq(strstr(help, "OMNIROLL_PYTHON") != NULL, i < 5, "%s", commands[i]);
    cr_assert_eq(strstr(help, "OMNIROLL_STUDIES") != NULL, i == 1, "%s", commands[i]);
  }
}

Test(cli, manual_page_has_the_options_of_help) {
  const outcome *o = OMNIROLL("help", "--man");
  expect(o, OMR_OK);
  expect_text(o->out, ".TH OMNIROLL 1");
  expect_text(o->out, ".BR omniroll\\-run (1)");
  expect_text(o->out, "EXIT STATUS");
  o = OMNIROLL("help", "--man", "run");
  expect(o, OMR_OK);
  expect_text(o->out, ".TH OMNIROLL\\-RUN 1");
  expect_text(o->out, "\\-\\-precision");
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

/* A yaw rate of 1e200 rad/s leaves no number in the first step. */
#define HALF_FAIL                                                                                  \
  "--set", "vary=[{\"path\":\"initial.yaw_rate\",\"values\":[0,1e200]}]", "-o", "half.h5",         \
      "--overwrite"

Test(cli, more_failures_than_allowed_have_their_exit_code_and_leave_the_result) {
  const outcome *o =
      OMNIROLL("run", "short.json", HALF_FAIL, "--set", "statistics.failed_limit=0.4");
  expect(o, OMR_ERR_FAILURES);
  cr_expect_eq(o->code, 10);
  expect_text(o->err, "1 of 2 instances failed (50 %)");
  expect_text(o->out, "result written to half.h5");
  cr_expect_eq(access("half.h5", R_OK), 0);
  expect(OMNIROLL("run", "short.json", HALF_FAIL, "--set", "statistics.failed_limit=0.5"), OMR_OK);
  expect(OMNIROLL("run", "short.json", HALF_FAIL), OMR_OK);
}

Test(cli, abort_ends_with_its_exit_code_and_leaves_no_result) {
  const outcome *o =
      OMNIROLL("run", "short.json", HALF_FAIL, "--set", "integrator.on_failure=abort");
  expect(o, OMR_ERR_FAILURES);
  expect_text(o->err, "instance 1 ended as diverged at 0 s with initial_yaw_rate = 1e+200 rad s-1");
  cr_expect_neq(access("half.h5", F_OK), 0);
}

Test(cli, a_summary_counts_what_was_run_again) {
  const outcome *o =
      OMNIROLL("run", "short.json", HALF_FAIL, "--set", "integrator.on_failure=retry_half_step");
  expect(o, OMR_OK);
  expect_text(o->out, "1 run again with half the step, of which 0 then reached the end");
}

#define DRAWN_DESIGN                                                                               \
  "--set",                                                                                         \
      "vary=[{\"path\":\"gravity\",\"normal\":[9.8,0.1]},{\"path\":\"platform.mass\",\"weibull\":" \
      "[20,3]}]",                                                                                  \
      "--set", "design={\"type\":\"sobol\",\"instances\":8,\"seed\":\"6\"}"

Test(cli, validate_prints_the_design_and_what_is_drawn) {
  const outcome *o = OMNIROLL("validate", "short.json", DRAWN_DESIGN);
  expect(o, OMR_OK);
  expect_text(o->out, "instances  8 (sobol, scrambled, seed 6)");
  expect_text(o->out, "varied     gravity, normal\n           platform.mass, weibull\n");
  cr_expect_null(strstr(o->out, "not balanced"));
  o = OMNIROLL("validate", "short.json", DRAWN_DESIGN, "--set", "design.instances=12");
  expect_text(o->out, "12 points of a Sobol' sequence are not balanced; 8 or 16 would be");
}

Test(cli, validate_says_what_it_unwraps) {
  write_file("log.csv", "time,angle [turn]\n0,0.8\n0.1,0.9\n0.2,0\n0.3,0.1\n");
  const outcome *o =
      OMNIROLL("validate", "short.json", "--set", "integrator.duration=0.3", "--set",
               "parameters.wheel.drive={\"type\":\"replay_rate\",\"replay\":{\"file\":\"log.csv\","
               "\"columns\":{\"angle\":\"angle\"}}}");
  expect(o, OMR_OK);
  expect_text(o->out, "unwrapped  replayed angles of ");
  expect_text(o->out, " wheels, by whole turns of the sensor at ");
}

Test(cli, sample_writes_a_table_that_another_study_takes) {
  static const char table[] = "design={\"type\":\"table\",\"file\":\"%s\"}";
  char first[TEXT], set[64];
  const outcome *o = OMNIROLL("sample", "short.json", DRAWN_DESIGN);
  expect(o, OMR_OK);
  cr_expect_eq(strncmp(o->out, "instance,gravity [m s-2],platform.mass [kg]\n0,", 46), 0, "%s",
               o->out);
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
  o = OMNIROLL("sample", "short.json", "--set",
               "design={\"type\":\"table\",\"file\":\"result.h5\"}");
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
  pid_t child =
      start("/dev/null", (const char *const[]){"run", "short.json", "--set", LONG_RUN, NULL});
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
  pid_t child = start("/dev/null", (const char *const[]){"run", "short.json", "--set", LONG_RUN,
                                                         "--overwrite", NULL});
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
    become_program(
        (const char *const[]){"run", "short.json", "--set", "integrator.duration=5", NULL});
  }
  size_t length = 0;
  ssize_t count;
  while (length < TEXT - 1 && (count = read(terminal, text + length, TEXT - 1 - length)) > 0)
    length += (size_t)count;
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

/* Under the sanitizers too, whose short form leaves cli/new out. */
Test(cli, a_starter_study_is_written_once) {
  expect(OMNIROLL("new", "-o", "first.json"), OMR_OK);
  expect_text(last.out, "written to first.json");
  expect(OMNIROLL("new", "-o", "first.json"), OMR_ERR_USAGE);
  expect_text(last.err, "first.json is there already");
}
