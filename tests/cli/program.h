/* The built program (environment variable OMNIROLL) run in a temporary folder that holds
 * short.json; its exit code and output. */
#ifndef OMR_TESTS_PROGRAM_H
#define OMR_TESTS_PROGRAM_H

#include "tests/skip.h"

#include <omniroll/omniroll.h>

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHORT_STUDY                                                                                \
  "{\"title\": \"short\", \"model\": \"omni_vehicle\","                                            \
  " \"integrator\": {\"method\": \"rk4\", \"step\": \"1 ms\", \"duration\": \"50 ms\"}}"

enum { TEXT = 1 << 18, MAX_ARGUMENTS = 24 };

typedef struct outcome {
  int code; /* exit code, or -1 when a signal ended it */
  char out[TEXT], err[TEXT];
} outcome;

static char folder[64];
static outcome last;

static inline void write_file(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  cr_assert_eq(fclose(file), 0);
}

static inline void read_file(const char *name, char *text) {
  FILE *file = fopen(name, "r");
  cr_assert_not_null(file, "%s", name);
  text[fread(text, 1, TEXT - 1, file)] = 0;
  fclose(file);
}

static inline void set_up(void) {
  snprintf(folder, sizeof folder, "/tmp/omniroll-cli-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
  write_file("short.json", SHORT_STUDY);
}

static inline void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert_eq(system(command), 0);
}

static inline void redirect(const char *path, int flags, int target) {
  int file = open(path, flags, 0600);
  if (file < 0 || dup2(file, target) < 0) _exit(127);
  close(file);
}

/* Where a failure point is set, the program that has failure points. */
static inline const char *program_path(void) {
  return getenv(getenv("OMNIROLL_FAILPOINT") ? "OMNIROLL_FAILPOINTS" : "OMNIROLL");
}

static inline _Noreturn void become_program(const char *const *arguments) {
  const char *program = program_path();
  char *argv[MAX_ARGUMENTS] = {(char *)"omniroll"};
  for (int i = 0; arguments[i] && i < MAX_ARGUMENTS - 2; i++) argv[i + 1] = (char *)arguments[i];
  if (program) execv(program, argv);
  _exit(127);
}

static inline pid_t start(const char *input, const char *const *arguments) {
  cr_assert_not_null(program_path(), "set OMNIROLL and OMNIROLL_FAILPOINTS to the built programs");
  pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child > 0) return child;
  redirect(input, O_RDONLY, STDIN_FILENO);
  redirect("stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect("stderr", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  become_program(arguments);
}

static inline const outcome *finish(pid_t child) {
  int status;
  cr_assert_eq(waitpid(child, &status, 0), child);
  last.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  read_file("stdout", last.out);
  read_file("stderr", last.err);
  return &last;
}

#define OMNIROLL(...) finish(start("/dev/null", (const char *const[]){__VA_ARGS__, NULL}))

static inline void expect(const outcome *o, int code) {
  cr_expect_eq(o->code, code, "exit code %d, not %d; standard error: %s", o->code, code, o->err);
}

/* Whether the part stands at the start of a text whose lines may be broken at its spaces. */
static inline bool begins_broken(const char *text, const char *part) {
  for (; *part; text++, part++) {
    if (*part == ' ' && *text == '\n')
      text += 1 + strspn(text + 1, " ") - 1;
    else if (*text != *part)
      return false;
  }
  return true;
}

/* A text of a screen of 80 columns may go on below. */
static inline void expect_text(const char *text, const char *part) {
  bool found = strstr(text, part) != NULL;
  for (const char *at = text; !found && *at; at++) found = begins_broken(at, part);
  cr_expect(found, "\"%s\" is not in: %s", part, text);
}

static inline bool exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0;
}

#endif
