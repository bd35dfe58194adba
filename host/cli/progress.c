/* One line that is redrawn ten times a second: bar, percentage, instance-steps/s, time left. */
#define _GNU_SOURCE /* fopencookie */
#include "progress.h"
#include "cli.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR = 24, LINE = 160, SURE = 15, LONG = 600 }; /* SURE, LONG: s */

void cli_progress_start(cli_progress *progress, bool quiet, const char *rate) {
  const char *term = getenv("TERM");
  bool redraws = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
  *progress = (cli_progress){.started = cli_seconds(), .rate = rate, .quiet = quiet};
  if (!quiet && redraws) progress->terminal = stderr;
  progress->colour = cli_has_colour(stderr);
}

void cli_progress_begin_at(cli_progress *progress, double done) {
  progress->base = done;
  progress->started = cli_seconds();
}

void cli_progress_clear(cli_progress *progress) {
  if (!progress->shown) return;
  fputs("\r\033[K", progress->terminal);
  fflush(progress->terminal);
  progress->shown = false;
}

/* "12:05:09", "5:09" */
static void print_duration(double seconds, char *text, size_t size) {
  if (!(seconds < 359999.0)) {
    snprintf(text, size, "more than 99 h");
    return;
  }
  int s = (int)(seconds + 0.5);
  if (s >= 3600) {
    snprintf(text, size, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
  } else {
    snprintf(text, size, "%d:%02d", s / 60, s % 60);
  }
}

static int terminal_width(FILE *terminal) {
  struct winsize size;
  if (ioctl(fileno(terminal), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void cli_progress_show(cli_progress *progress, double done, double total) {
  double time = cli_seconds(), elapsed = time - progress->started;
  if (!progress->terminal || !(total > 0) || time - progress->drawn < 0.1) return;
  progress->drawn = time;
  double part = done < total ? done / total : 1.0;
  double rate = elapsed > 0 ? (done - progress->base) / elapsed : 0;
  char bar[BAR + 1], left[32] = "?", line[LINE];
  memset(bar, '.', BAR);
  memset(bar, '#', (size_t)(part * BAR));
  bar[BAR] = 0;
  if (rate > 0) print_duration((total - done) / rate, left, sizeof left);
  snprintf(line, sizeof line, "[%s] %5.1f %%  %.3g %s  %s left", bar, 100.0 * part, rate,
           progress->rate, left);
  int room = terminal_width(progress->terminal) - 1;
  if (room < LINE && room > 0) line[room] = 0; /* a wrapped line could not be redrawn */
  fprintf(progress->terminal, "\r%s%s%s\033[K", progress->colour ? "\033[36m" : "", line,
          progress->colour ? "\033[0m" : "");
  fflush(progress->terminal);
  progress->shown = true;
}

void cli_progress_forewarn(cli_progress *progress, double done, double total, const char *what,
                           const char *remedy) {
  const double elapsed = cli_seconds() - progress->started,
               rate = (done - progress->base) / elapsed;
  /* where nothing is done yet there is no rate, which a busy machine alone may be the cause of */
  const bool begun = rate > 0;
  if (progress->quiet || progress->forewarned || elapsed < (begun ? SURE : 10 * SURE) ||
      !((total - done) > LONG * rate))
    return;
  char left[32];
  cli_progress_clear(progress);
  if (begun) {
    print_duration((total - done) / rate, left, sizeof left);
    fprintf(stderr, "warning: at this rate %s takes %s: %s\n", what, left, remedy);
  } else {
    print_duration(elapsed, left, sizeof left);
    fprintf(stderr, "warning: %s has done nothing in %s: %s\n", what, left, remedy);
  }
  progress->forewarned = true;
}

static ssize_t write_log(void *cookie, const char *bytes, size_t count) {
  static const char warning[] = "warning:";
  const size_t length = strlen(warning);
  cli_progress *progress = cookie;
  cli_progress_clear(progress);
  const bool colour =
      count > length && strncmp(bytes, warning, length) == 0 && cli_has_colour(stderr);
  if (colour) fprintf(stderr, "\033[33m%s\033[0m", warning);
  const size_t skipped = colour ? length : 0,
               written = fwrite(bytes + skipped, 1, count - skipped, progress->log);
  fflush(progress->log);
  return (ssize_t)(skipped + written);
}

static int close_log(void *cookie) {
  cli_progress *progress = cookie;
  return fclose(progress->log);
}

FILE *cli_log_open(cli_progress *progress) {
  progress->log = omr_shown_stream(stderr); /* names of files and devices are in it */
  if (!progress->log) return NULL;
  const cookie_io_functions_t functions = {.write = write_log, .close = close_log};
  FILE *log = fopencookie(progress, "w", functions);
  if (log)
    setvbuf(log, NULL, _IOLBF, 0);
  else
    fclose(progress->log);
  return log;
}
