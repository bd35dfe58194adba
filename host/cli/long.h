/* What run, resume and merge have in common. */
#ifndef OMR_CLI_LONG_H
#define OMR_CLI_LONG_H

#include "cli.h"
#include "progress.h"

typedef struct cli_long {
  cli_progress progress;
  bool begun, launched; /* launched: the shard is a launcher's choice */
  bool warned;          /* of the first of the warnings that wait */
  cli_text held;        /* short.h */
  FILE *log;
  FILE *summary; /* into summary_text, until the bar is gone */
  char *summary_text;
  size_t summary_size;
  omr_file_options options;
  omr_file_outcome outcome;
} cli_long;

/* What progress counts in a second; study NULL: unknown. */
const char *cli_work_unit(const omr_study *study);

/* Options of the command line and the launcher, signals, progress, log; to be ended. study: what
 * will run, NULL where it is not known yet. */
omr_status cli_long_begin(cli_long *work, const cli_arguments *arguments, const omr_study *study,
                          omr_error *error);
/* Removes progress and closes the log; then prints the summary of the result, or what is still to
 * be done. Returns status, or an error of
 * its own where that was OMR_OK. */
omr_status cli_long_end(cli_long *work, const cli_arguments *arguments, const char *path,
                        omr_status status, omr_error *error);

#endif
