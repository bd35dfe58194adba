/* What a long command sees to first and while it runs: that its file can be written, and signals. */
#define _GNU_SOURCE /* sigaction */
#include "cli.h"
#include "support/support.h"
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

omr_status cli_check_output(const char *path, const char *study, omr_error *error) {
  struct stat target, source;
  if (stat(path, &target) == 0) {
    if (S_ISDIR(target.st_mode))
      return omr_fail(error, OMR_ERR_IO, "%s is a folder; give a file name with -o %s/result.h5", path, path);
    if (!S_ISREG(target.st_mode)) return omr_fail(error, OMR_ERR_IO, "%s is no plain file; choose another with -o FILE", path);
    if (stat(study, &source) == 0 && source.st_dev == target.st_dev && source.st_ino == target.st_ino)
      return omr_fail(error, OMR_ERR_USAGE, "the result would replace the study %s; choose another file with -o FILE", study);
  }
  omr_text copy = {0};
  omr_text_add(&copy, path, strlen(path));
  if (copy.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const char *folder = dirname(copy.data);
  omr_status status = OMR_OK;
  if (access(folder, F_OK) != 0) {
    status = omr_fail(error, OMR_ERR_IO, "cannot write %s: there is no folder %s; make it first, or choose another with -o FILE",
                      path, folder);
  } else if (access(folder, W_OK | X_OK) != 0) {
    status = omr_fail(error, OMR_ERR_IO, "cannot write %s: no file can be made in %s (%s); choose another folder with -o FILE",
                      path, folder, strerror(errno));
  }
  omr_text_free(&copy);
  return status;
}
