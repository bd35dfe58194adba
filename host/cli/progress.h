/* Progress of a run on a terminal, and the log that shares it. */
#ifndef OMR_CLI_PROGRESS_H
#define OMR_CLI_PROGRESS_H

#include "text.h"

typedef struct cli_progress {
  FILE *terminal;     /* NULL: no bar, but a line now and then */
  FILE *log;          /* to stderr; of cli_log_open */
  cli_text *held;     /* short_form.h: lines that the short form withholds; NULL: all are printed */
  bool colour, shown; /* shown: the bar stands on the last line */
  bool quiet;         /* forewarns of nothing */
  bool forewarned;    /* once is enough */
  double started, drawn; /* s, monotonic; drawn: the bar or the line, last */
  double base;           /* done before this process began */
  double done;           /* as shown last, for a new bar */
  const char *rate;      /* work per second: "instance-steps/s" */
} cli_progress;

/* A bar where stderr is a terminal that can redraw a line; elsewhere a line every 20 s, or rarer;
 * nothing when quiet. */
void cli_progress_start(cli_progress *progress, bool quiet, const char *rate);
void cli_progress_show(cli_progress *progress, double done, double total);
/* For options.progress, with a cli_progress as its user; false once the user has interrupted. */
bool cli_progress_watch(void *progress, double done, double total);
/* So much was done before: it fills the bar and does not count for the rate. */
void cli_progress_begin_at(cli_progress *progress, double done);
/* Says once, when a quarter of a minute has shown that more than ten are left, how long the work
 * will take and how to avoid that, unless quiet; on a pipe too, where there is no bar. The text
 * before `remedy` names the work; `remedy` ends the sentence. */
void cli_progress_forewarn(cli_progress *progress, double done, double total, const char *what,
                           const char *remedy);
/* Removes the bar. */
void cli_progress_clear(cli_progress *progress);

/* A stream whose lines go to stderr above the bar; NULL when there is no memory. The caller closes
 * it. */
FILE *cli_log_open(cli_progress *progress);

#endif
