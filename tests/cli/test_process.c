/* What the program asks of its process: closed standard descriptors, a limit on files, and the end
 * of its terminal. */
#include "program.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

TestSuite(process, .init = set_up, .fini = tear_down);

/* Two chunks, so that one is kept when the second cannot be written. */
#define VARIED                                                                                     \
  "{\"model\": \"omni_vehicle\", \"vary\": [{\"path\": \"platform.mass\", \"linspace\": [\"2 "     \
  "kg\", \"4 kg\", 4096]}], \"integrator\": {\"step\": \"1 ms\", \"duration\": \"10 ms\"}}"
#define LONG "integrator.duration=100000"

/* The program with what `closed` names closed: bits of descriptors. */
static const outcome *run_with_closed(unsigned closed, const char *const *arguments) {
  write_file("stdout", "");
  write_file("stderr", "");
  const pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child > 0) return finish(child);
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect("stdout", O_WRONLY | O_TRUNC, STDOUT_FILENO);
  redirect("stderr", O_WRONLY | O_TRUNC, STDERR_FILENO);
  for (int i = 0; i <= STDERR_FILENO; i++)
    if (closed >> i & 1) close(i);
  become_program(arguments);
}

static const char *const run[] = {"run", "short.json", "-o", "r.h5", "--backend", "openmp", NULL};
static const char *const quiet[] = {"run",       "short.json", "-o",      "r.h5",
                                    "--backend", "openmp",     "--quiet", NULL};

/* The messages of a run must not be in any of its files, and the result is whole. */
Test(process, closed_descriptors_do_not_get_messages_into_files, .timeout = 60) {
  char hash[TEXT];
  expect(OMNIROLL("run", "short.json", "--hash", "--backend", "openmp", "--quiet"), OMR_OK);
  strcpy(hash, last.out);
  for (unsigned closed = 1; closed < 8; closed++) {
    unlink("r.h5");
    const outcome *o = run_with_closed(closed, quiet);
    expect(o, OMR_OK);
    cr_expect(exists("r.h5"), "closed: %u", closed);
    cr_expect_not(exists("r.h5.parts"));
    o = OMNIROLL("export", "r.h5");
    expect(o, OMR_OK);
    expect_text(o->out, "instance");
  }
}

Test(process, what_a_closed_output_loses_is_an_error, .timeout = 60) {
  expect(run_with_closed(2, (const char *const[]){"describe", "omni_wheel", NULL}), OMR_ERR_IO);
  expect_text(last.err, "cannot write");
  expect(run_with_closed(2, run), OMR_ERR_IO);
  cr_expect(exists("r.h5"));
  expect(run_with_closed(7, (const char *const[]){"validate", "-", NULL}), OMR_ERR_IO);
}

static const outcome *run_with_limit(rlim_t bytes, const char *const *arguments) {
  const pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child > 0) return finish(child);
  const struct rlimit limit = {bytes, bytes};
  redirect("stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect("stderr", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  setrlimit(RLIMIT_FSIZE, &limit);
  become_program(arguments);
}

/* Chunks fit, the result does not: they are kept, and the run goes on from them. */
Test(process, a_limit_on_files_is_an_error_and_loses_no_chunk, .timeout = 120) {
  write_file("varied.json", VARIED);
  const char *const arguments[] = {"run",   "varied.json",      "-o", "r.h5", "--backend", "openmp",
                                   "--set", "engine.chunk=512", NULL};
  const outcome *o = run_with_limit(200000, arguments);
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "File too large (files of this process may have 200000 bytes at most");
  expect_text(o->err, "ulimit -f unlimited");
  cr_expect(exists("r.h5.parts"));
  cr_expect_not(exists("r.h5"));
  o = OMNIROLL("resume", "r.h5");
  expect(o, OMR_OK);
  cr_expect(exists("r.h5"));
  /* the write that fails is one before the last, whose cause errno has lost */
  expect(run_with_limit(512, (const char *const[]){"new", "sweep", "-o", "s.json", NULL}),
         OMR_ERR_IO);
  expect_text(last.err, "File too large (files of this process may have 512 bytes at most");
  cr_expect_not(exists("s.json"));
}

static void wait_for(const char *path) {
  const struct timespec pause = {0, 20000000};
  for (int i = 0; i < 1000 && !exists(path); i++) nanosleep(&pause, NULL);
}

/* The program in a run without end, with SIGHUP as `handler` has it. */
static pid_t start_long(void (*handler)(int)) {
  write_file("stdout", "");
  const pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child > 0) return child;
  signal(SIGHUP, handler);
  redirect("stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect("stderr", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  become_program((const char *const[]){"run", "short.json", "-o", "r.h5", "--set", LONG,
                                       "--backend", "openmp", NULL});
}

Test(process, the_end_of_the_terminal_stops_a_run_like_sigterm, .timeout = 60) {
  const pid_t child = start_long(SIG_DFL);
  wait_for("r.h5.parts/manifest.json");
  cr_assert_eq(kill(child, SIGHUP), 0);
  expect(finish(child), OMR_ERR_INTERRUPTED);
  expect_text(last.err, "interrupted");
}

Test(process, nohup_keeps_a_run_alive, .timeout = 60) {
  const pid_t child = start_long(SIG_IGN);
  wait_for("r.h5.parts/manifest.json");
  for (int i = 0; i < 3; i++) cr_assert_eq(kill(child, SIGHUP), 0);
  const struct timespec pause = {0, 300000000};
  nanosleep(&pause, NULL);
  cr_expect_eq(waitpid(child, NULL, WNOHANG), 0, "it ended");
  cr_assert_eq(kill(child, SIGTERM), 0);
  expect(finish(child), OMR_ERR_INTERRUPTED);
}
