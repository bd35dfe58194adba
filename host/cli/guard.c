/* Signals of a long command. */
#define _GNU_SOURCE /* sigaction */
#include "cli.h"
#include <signal.h>

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
}

bool cli_interrupted(void) {
  return interrupted != 0;
}
