/* What the program asks of its process, and signals of a long command. The library leaves both to
 * the program that it is in. */
#define _GNU_SOURCE /* sigaction */
#include "cli.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* A file would get the number of a closed one, and messages would go into it. Opened the wrong way
 * round, so that what is lost stays an error: a table that nobody can read. */
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

static volatile sig_atomic_t interrupted;

static void on_signal(int signal) {
  interrupted = signal;
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
