/* One line that is redrawn ten times a second: bar, percentage, instance-steps/s, time left. Where
 * no line can be redrawn, a new one now and then. */
#define _GNU_SOURCE /* fopencookie */
#include "progress.h"
#include "cli.h"
#include "short_form.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR = 24, LINE = 160 };
enum { SOON = 2, PERIOD = 20, SURE = 15, LONG = 600 }; /* s */

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

/* "0:45 left"; "finishing" where only the end of the command remains. */
static void print_left(const cli_progress *progress, double done, double total, double rate,
                       char *text, size_t size) {
  if (done >= total) {
    snprintf(text, size, "finishing");
  } else if (rate > 0) {
    print_duration((total - done) / rate, text, size - 5);
    strcat(text, " left");
  } else if (cli_seconds() - progress->started < SOON) {
    snprintf(text, size, "? left");
  } else {
    print_duration(cli_seconds() - progress->started, text, size - 14);
    strcat(text, ", nothing yet");
  }
}

static void draw_bar(cli_progress *progress, double part, const char *text) {
  char bar[BAR + 1], line[LINE];
  memset(bar, '.', BAR);
  memset(bar, '#', (size_t)(part * BAR));
  bar[BAR] = 0;
  snprintf(line, sizeof line, "[%s] %s", bar, text);
  int room = terminal_width(progress->terminal) - 1;
  if (room < LINE && room > 0) line[room] = 0; /* a wrapped line could not be redrawn */
  fprintf(progress->terminal, "\r%s%s%s\033[K", progress->colour ? "\033[36m" : "", line,
          progress->colour ? "\033[0m" : "");
  fflush(progress->terminal);
  progress->shown = true;
}

/* The first line soon, where the run is not over at once; then one a period, and for hours of work
 * one at each further tenth. */
static bool is_time(const cli_progress *progress, double time, double left) {
  if (progress->terminal) return time - progress->drawn >= 0.1;
  if (progress->drawn > 0)
    return time - progress->drawn >= fmax(PERIOD, 0.1 * (progress->drawn - progress->started));
  return time - progress->started >= SOON && left >= PERIOD / 2.0;
}

void cli_progress_show(cli_progress *progress, double done, double total) {
  double time = cli_seconds(), elapsed = time - progress->started;
  if (progress->quiet || !(total > 0)) return;
  double part = done < total ? done / total : 1.0;
  double rate = elapsed > 0 ? (done - progress->base) / elapsed : 0;
  char left[48], speed[64] = "", text[LINE - BAR - 8];
  if (!is_time(progress, time, rate > 0 ? (total - done) / rate : HUGE_VAL)) return;
  progress->drawn = time;
  print_left(progress, done, total, rate, left, sizeof left);
  if (*progress->rate) snprintf(speed, sizeof speed, "  %.3g %s", rate, progress->rate);
  snprintf(text, sizeof text, "%5.1f %%%s  %s", 100.0 * part, speed, left);
  if (progress->terminal)
    draw_bar(progress, part, text);
  else
    fprintf(stderr, "%s\n", text);
}

bool cli_progress_watch(void *progress, double done, double total) {
  cli_progress_show(progress, done, total);
  return !cli_interrupted();
}

void cli_progress_forewarn(cli_progress *progress, double done, double total, const char *what,
                           const char *remedy) {
  const double elapsed = cli_seconds() - progress->started,
               rate = (done - progress->base) / elapsed;

  /* Where nothing is done yet there is no rate, which may be the fault of a busy machine. */
  const bool begun = rate > 0;
  if (progress->quiet || progress->forewarned || elapsed < (begun ? SURE : 10 * SURE) ||
      !((total - done) > LONG * rate))
    return;

  /* Say how long it takes, or that it does not begin. */
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

static void write_line(cli_progress *progress, const char *line, size_t length) {
  static const char warning[] = "warning:";
  const size_t head = strlen(warning);
  const bool colour = length > head && strncmp(line, warning, head) == 0 && cli_has_colour(stderr);
  if (colour) fprintf(stderr, "\033[33m%s\033[0m", warning);
  const size_t skipped = colour ? head : 0;
  fwrite(line + skipped, 1, length - skipped, progress->log);
}

static ssize_t write_log(void *cookie, const char *bytes, size_t count) {
  cli_progress *progress = cookie;
  for (size_t at = 0, length; at < count; at += length) {
    const char *end = memchr(bytes + at, '\n', count - at);
    length = end ? (size_t)(end - bytes) + 1 - at : count - at;
    if (progress->held && cli_is_withheld(bytes + at, length)) {
      cli_text_add(progress->held, bytes + at, length);
      if (!progress->held->failed) continue;
    }
    cli_progress_clear(progress);
    if (progress->held && progress->terminal)
      cli_print_wrapped(bytes + at, length, progress->log);
    else
      write_line(progress, bytes + at, length);
  }
  fflush(progress->log);
  return (ssize_t)count;
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
