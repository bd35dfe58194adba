/* What a new user does wrong: the message says what is there, why it does not do, and what does.
 * What needs more than one command; the long list is mistakes.txt, which test_mistake_list.c runs.
 * And colour: on terminals alone.
 */
#include "program.h"

#include <hdf5.h>
#include <pty.h>

#define SMALL                                                                                      \
  "{\"model\": \"omni_vehicle\", \"integrator\": {\"step\": \"1 ms\", \"duration\": \"20 ms\", "   \
  "\"stability\": \"ignore\"},"                                                                    \
  " \"engine\": {\"backend\": \"openmp\"}}"

static void start_up(void) {
  set_up();
  write_file("s.json", SMALL);
  expect(OMNIROLL("run", "s.json", "-q", "-o", "s.h5"), OMR_OK);
  cr_assert_eq(mkdir("folder", 0700), 0);
  cr_assert_eq(mkdir("left.h5.parts", 0700), 0);
}

TestSuite(mistakes, .init = start_up, .fini = tear_down, .timeout = 120);

static void expect_words(const outcome *o, int code, const char *first, const char *second) {
  expect(o, code);
  expect_text(o->err, first);
  expect_text(o->err, second);
  cr_expect_null(strchr(o->err, '\033'), "no colour in a pipe: %s", o->err);
}

Test(mistakes, something_else_in_place_of_a_command) {
  expect_words(OMNIROLL("s.json"), OMR_ERR_USAGE, "is a study", "omniroll run s.json");
  expect_words(OMNIROLL("./s.json"), OMR_ERR_USAGE, "is a study", "omniroll run ./s.json");
  expect_words(OMNIROLL("s.h5"), OMR_ERR_USAGE, "is a result", "s.h5?");
  expect_words(OMNIROLL("left.h5.parts"), OMR_ERR_USAGE, "unfinished run",
               "omniroll resume left.h5.parts");
  expect_words(OMNIROLL("./left.h5.parts/"), OMR_ERR_USAGE, "unfinished run",
               "omniroll resume ./left.h5.parts/");
  expect_words(OMNIROLL("left.h5"), OMR_ERR_USAGE, "no command \"left.h5\"",
               "omniroll resume left.h5.parts?");
  expect_words(OMNIROLL("s"), OMR_ERR_USAGE, "no command \"s\"",
               "did you mean omniroll run s.json?");
  expect_words(OMNIROLL("t.json"), OMR_ERR_USAGE, "no command \"t.json\"",
               "did you mean omniroll run s.json?");
  expect_words(OMNIROLL("t.h5"), OMR_ERR_USAGE, "no command \"t.h5\"", " s.h5?");
  expect_words(OMNIROLL("runn"), OMR_ERR_USAGE, "no command \"runn\"", "did you mean \"run\"?");
  expect_words(OMNIROLL("omni_wheel"), OMR_ERR_USAGE, "is a model", "omniroll describe omni_wheel");
  expect_words(OMNIROLL("none.json"), OMR_ERR_USAGE, "nor a study", "omniroll run STUDY.json");
  expect_words(OMNIROLL("simulate", "s.json"), OMR_ERR_USAGE, "no command \"simulate\"",
               "omniroll run");
  expect_words(OMNIROLL("init"), OMR_ERR_USAGE, "no command \"init\"", "omniroll new");
  expect_words(OMNIROLL("version"), OMR_ERR_USAGE, "no command", "omniroll --version");
  expect_words(OMNIROLL("help", "omni_wheel"), OMR_ERR_USAGE, "is a model",
               "omniroll describe omni_wheel");
  expect_words(OMNIROLL("-v"), OMR_ERR_USAGE, "no option -v", "--version");
}

/* What is in a folder is what is meant, by kind. */
Test(mistakes, a_folder_in_place_of_a_command) {
  expect_words(OMNIROLL("folder"), OMR_ERR_USAGE, "\"folder\" is a folder, no command",
               "holds no study");
  write_file("folder/text", "words");
  expect_words(OMNIROLL("folder/"), OMR_ERR_USAGE, "is a folder, no command", "holds no study");
  expect_words(OMNIROLL("folder/text"), OMR_ERR_USAGE, "is a file, no command", "neither a study");
  write_file("folder/b.json", SMALL);
  write_file("folder/a.json", SMALL);
  expect_words(OMNIROLL("folder/"), OMR_ERR_USAGE, "is a folder",
               "did you mean omniroll run folder/a.json?");
  expect(OMNIROLL("run", "s.json", "-q", "-o", "folder/r.h5"), OMR_OK);
  cr_assert_eq(mkdir("folder/left.h5.parts", 0700), 0);
  expect_words(OMNIROLL("folder"), OMR_ERR_USAGE,
               "omniroll resume folder/left.h5.parts or omniroll run folder/a.json or omniroll ",
               " folder/r.h5?");
}

Test(mistakes, no_study) {
  expect_words(OMNIROLL("run", "t.json"), OMR_ERR_IO, "\"t.json\": No such file",
               "did you mean s.json?");
  expect_words(OMNIROLL("validate", "s"), OMR_ERR_IO, "\"s\": No such file",
               "did you mean s.json?");
  expect_words(OMNIROLL("plan", "./t.json"), OMR_ERR_IO, "No such file", "did you mean ./s.json?");
  expect_words(OMNIROLL("run", "something.json"), OMR_ERR_IO, "No such file", "omniroll new");
  expect_words(OMNIROLL("run", "folder"), OMR_ERR_IO, "folder is a folder", "folder/study.json");
  expect_words(OMNIROLL("run", "left.h5.parts"), OMR_ERR_IO, "unfinished run",
               "omniroll resume left.h5.parts");
  static const char *const commands[] = {"run", "validate", "plan", "sample"};
  for (size_t i = 0; i < 4; i++)
    expect_words(OMNIROLL(commands[i], "s.h5"), OMR_ERR_STUDY, "is a result",
                 "omniroll analyze s.h5");
  expect_words(OMNIROLL("describe", "s.json"), OMR_ERR_USAGE, "is a file",
               "omniroll validate s.json");
  expect_words(OMNIROLL("describe", "omni_vehicel"), OMR_ERR_USAGE, "unknown model",
               "did you mean \"omni_vehicle\"");
}

Test(mistakes, no_result) {
  expect_words(OMNIROLL("analyze", "s.json"), OMR_ERR_IO, "JSON, a study", "omniroll run s.json");
  expect_words(OMNIROLL("export", "s.json"), OMR_ERR_IO, "no HDF5 file", "omniroll run s.json");
  expect_words(OMNIROLL("analyze", "t.h5"), OMR_ERR_IO, "No such file", "did you mean s.h5?");
  expect_words(OMNIROLL("analyze", "left.h5"), OMR_ERR_IO, "left.h5.parts is, an unfinished run",
               "omniroll resume left.h5");
  expect_words(OMNIROLL("analyze", "left.h5.parts"), OMR_ERR_IO, "unfinished run",
               "omniroll resume");
  expect_words(OMNIROLL("export", "folder"), OMR_ERR_IO, "is a folder", "folder/study.h5");
  expect_words(OMNIROLL("resume", "s.json"), OMR_ERR_IO, "but a study", "omniroll run begins one");
  expect_words(OMNIROLL("merge", "s.h5", "-o", "x.h5"), OMR_ERR_IO, "s.h5 is a file, no folder",
               "part1.h5.parts");
}

Test(mistakes, a_result_of_another_version_says_so) {
  hid_t file = H5Fopen("s.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  cr_assert_geq(file, 0);
  H5Adelete(file, "checksum"); /* which old versions did not write */
  H5Adelete(file, "omniroll_version");
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, 6);
  const hid_t attribute =
      H5Acreate2(file, "omniroll_version", type, space, H5P_DEFAULT, H5P_DEFAULT);
  cr_assert_geq(H5Awrite(attribute, type, "0.0.1"), 0);
  cr_assert_geq(H5Ldelete(file, "instances/status_time", H5P_DEFAULT), 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  H5Fclose(file);
  expect_words(OMNIROLL("export", "s.h5"), OMR_ERR_IO, "status_time is missing",
               "written by omniroll 0.0.1");
}

Test(mistakes, options) {
  expect_words(OMNIROLL("run", "s.json", "-backend", "openmp"), OMR_ERR_USAGE, "-backend",
               "did you mean --backend?");
  expect_words(OMNIROLL("run", "s.json", "--columns", "a"), OMR_ERR_USAGE, "--columns",
               "one of omniroll export");
  expect_words(OMNIROLL("run", "s.json", "-x"), OMR_ERR_USAGE, "-x", "omniroll run --help");
  expect_words(OMNIROLL("run", "s.json", "--backend", "cuda"), OMR_ERR_STUDY,
               "unknown word \"cuda\"", "run by \"opencl\"");
  expect_words(OMNIROLL("run", "s.json", "--precision", "float"), OMR_ERR_STUDY,
               "unknown word \"float\"", "\"single\"");
  expect_words(OMNIROLL("run", "s.json", "--set", "wheel.friction=0.2"), OMR_ERR_STUDY,
               "unknown key \"wheel\"", "--set parameters.");
  expect_words(OMNIROLL("run", "s.json", "--set", "step=1e-3"), OMR_ERR_STUDY,
               "unknown key \"step\"", "\"integrator\"");
  expect_words(OMNIROLL("run", "s.json", "--set", "fail=x"), OMR_ERR_STUDY, "unknown key \"fail\"",
               "\"statistics\"");
}

/* What `omniroll ARGUMENTS` writes to a terminal, standard output and error together. */
static const char *on_terminal(const char *no_color, const char *term,
                               const char *const *arguments) {
  static char text[TEXT];
  int terminal, status;
  pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  if (child < 0) cr_skip_test("no pseudo-terminal on this machine");
  if (child == 0) {
    setenv("TERM", term, 1);
    setenv("NO_COLOR", no_color, 1);
    become_program(arguments);
  }
  size_t length = 0;
  ssize_t count;
  while (length < TEXT - 1 && (count = read(terminal, text + length, TEXT - 1 - length)) > 0)
    length += (size_t)count;
  text[length] = 0;
  close(terminal);
  cr_assert_eq(waitpid(child, &status, 0), child);
  return text;
}

#define TERMINAL(no_color, term, ...)                                                              \
  on_terminal(no_color, term, (const char *const[]){__VA_ARGS__, NULL})
#define UNSTABLE                                                                                   \
  "--set", "integrator.stability=warn", "--set", "parameters.wheel.slip_speed=1e-4", "--overwrite"

Test(mistakes, errors_warnings_and_headings_are_coloured_on_a_terminal_alone) {
  expect_text(TERMINAL("", "xterm", "run", "none.json"), "\033[1;31momniroll:\033[0m");
  expect_text(TERMINAL("", "xterm", "help", "run"), "\033[1mOptions:\033[0m");
  expect_text(TERMINAL("", "xterm", "run", "s.json", UNSTABLE, "-v"), "\033[33mwarning:\033[0m");
  static const char *const none[][2] = {{"1", "xterm"}, {"", "dumb"}};
  for (int i = 0; i < 2; i++) {
    cr_expect_null(strchr(TERMINAL(none[i][0], none[i][1], "run", "none.json"), '\033'));
    cr_expect_null(strchr(TERMINAL(none[i][0], none[i][1], "help", "run"), '\033'));
    cr_expect_null(
        strstr(TERMINAL(none[i][0], none[i][1], "run", "s.json", UNSTABLE, "-v"), "\033[33m"));
  }
  const outcome *o = OMNIROLL("run", "s.json", UNSTABLE, "-v");
  expect_text(o->err, "warning: ");
  cr_expect_null(strchr(o->err, '\033'), "%s", o->err);
  cr_expect_null(strchr(OMNIROLL("help", "run")->out, '\033'));
}
