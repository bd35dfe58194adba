/* The program's demands on its process, and signals of a long command. The library leaves both to
 * its program. */
#define _GNU_SOURCE /* sigaction */
#include "cli.h"
#include <errno.h>
#include <fcntl.h>
#include <omniroll/program.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Otherwise a file would get the number of a closed descriptor, and messages would go into it.
 * Opened the wrong way round, so that lost output stays an error: a table that nobody can read. */
static void fill_standard_descriptors(void) {
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
    if (fcntl(i, F_GETFD) < 0 && errno == EBADF &&
        open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) != i)
      _exit(OMR_ERR_IO); /* without a place to say why */
}

void cli_guard(void) {
  fill_standard_descriptors();
  signal(SIGXFSZ, SIG_IGN); /* a file over the limit is an error of its write */
}

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED /* its own handlers report more */
void cli_catch_crashes(void) {
}
#else
static bool told(const char *text) {
  return write(STDERR_FILENO, text, strlen(text)) >= 0;
}

/* Another process has read the file unharmed. HDF5 still crashes here on 1 of 10 000 damaged files,
 * where a text that claims too much ends in other memory. */
static void on_crash(int signal) {
  const char *path = omr_result_last_read();
  (void)signal;
  if (!*path) return; /* the fault comes again, with its usual effect */
  if (told("omniroll: ") && told(path))
    told(": HDF5 crashed while it read this file: it is damaged; write it anew.\n");
  _exit(OMR_ERR_IO);
}

void cli_catch_crashes(void) {
  static char room[65536]; /* HDF5 may have used up the stack */
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  struct sigaction action = {.sa_handler = on_crash,
                             .sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK)};
  sigemptyset(&action.sa_mask);
  if (sigaltstack(&stack, NULL) != 0) return;
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    sigaction(crashes[i], &action, NULL);
}
#endif

static volatile sig_atomic_t interrupted;

enum { PATIENCE = 1 };    /* s that a piece of work gets to stop by itself */
static char leaving[300]; /* printed where the work goes on; "": the process waits for it */

static void on_signal(int signal) {
  interrupted = signal;
  if (*leaving) alarm(PATIENCE);
}

static void on_alarm(int signal) {
  (void)signal;
  if (*leaving && write(STDERR_FILENO, leaving, strlen(leaving)) < 0) _exit(OMR_ERR_IO);
  if (*leaving) _exit(OMR_ERR_INTERRUPTED);
}

void cli_leave_soon(const char *told) {
  *leaving = 0;
  if (!told) return;
  char line[sizeof leaving];
  snprintf(line, sizeof line, "omniroll: interrupted; %s\n", told);
  memcpy(leaving + 1, line + 1, sizeof line - 1);
  struct sigaction action = {.sa_handler = on_alarm};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  *leaving = *line; /* the handler reads it whole or not at all */
}

/* The first signal asks the run to stop, the second has its usual effect. */
void cli_catch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction before;
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL); /* nohup has it ignored */
}

bool cli_interrupted(void) {
  return interrupted != 0;
}
