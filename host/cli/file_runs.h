/* The common part of run, resume and merge. */
#ifndef OMR_CLI_FILE_RUNS_H
#define OMR_CLI_FILE_RUNS_H

#include "cli.h"
#include "progress.h"

typedef struct cli_long {
  cli_progress progress;
  bool begun, launched; /* launched: the shard is a launcher's choice */
  bool warned;          /* of the first of the waiting warnings */
  cli_text held;        /* short_form.h */
  FILE *log;
  FILE *summary; /* into summary_text, until the bar is gone */
  char *summary_text;
  size_t summary_size;
  omr_file_options options;
  omr_file_outcome outcome;
} cli_long;

/* The unit of the work that progress counts in a second; study NULL: unknown. */
const char *cli_work_unit(const omr_study *study);

/* Sets up options of the command line and the launcher, signals, progress and log; cli_long_end
 * ends them. study: the study to run, NULL where it is not known yet. */
omr_status cli_long_begin(cli_long *work, const cli_arguments *arguments, const omr_study *study,
                          omr_error *error);
/* Removes progress and closes the log; then prints the summary of the result, or the work still to
 * be done. Returns status, or an error of its own where status was OMR_OK. */
omr_status cli_long_end(cli_long *work, const cli_arguments *arguments, const char *path,
                        omr_status status, omr_error *error);

#endif
