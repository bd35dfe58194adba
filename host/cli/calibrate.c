/* omniroll calibrate: parameters from measured runs. */
#include "cli.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static omr_status report(const cli_arguments *arguments, const omr_calibrate *c, omr_error *error) {
  omr_status status = OMR_OK;
  char *text;
  if (arguments->output) status = omr_calibrate_write(c, arguments->output, error);
  if (status != OMR_OK && status != OMR_ERR_NEGATIVE) return status; /* negative: no points */
  if (arguments->json) {
    status = cli_print_text(&text, omr_calibrate_json(c, &text, error));
  } else {
    omr_calibrate_print(c, stdout);
  }
  return status == OMR_OK ? omr_calibrate_verdict(c, error) : status;
}

static omr_status calibrate(const cli_arguments *arguments, const omr_study *study,
                            const omr_calibrate_options *options, cli_progress *progress,
                            omr_error *error) {
  omr_calibrate *c = NULL;
  omr_status status = omr_calibrate_create(study, options, &c, error);
  cli_leave_soon(NULL);
  cli_progress_clear(progress);
  if (status == OMR_OK) status = report(arguments, c, error);
  omr_calibrate_destroy(c);
  return status;
}

static omr_status repeat(const cli_arguments *arguments, const omr_study *study,
                         const omr_calibrate_options *options, cli_progress *progress,
                         omr_error *error) {
  omr_sbc *sbc = NULL;
  char *text;

  /* Make the runs and fit to them. */
  omr_status status = omr_sbc_create(study, (size_t)arguments->sbc, options, &sbc, error);
  cli_leave_soon(NULL);
  cli_progress_clear(progress);

  /* Without its file the command prints nothing; a negative verdict is a status of its own. */
  if (status == OMR_OK && arguments->output) status = omr_sbc_write(sbc, arguments->output, error);
  if (status == OMR_OK && arguments->json)
    status = cli_print_text(&text, omr_sbc_json(sbc, &text, error));
  else if (status == OMR_OK)
    omr_sbc_print(sbc, stdout);
  if (status == OMR_OK) status = omr_sbc_verdict(sbc, error);
  omr_sbc_destroy(sbc);
  return status;
}

/* A file next to a journal was begun by this same command, which checked it then. */
static omr_status check_occupied(const cli_arguments *arguments, const char *journal,
                                 omr_error *error) {
  struct stat there;
  if (arguments->overwrite || stat(arguments->output, &there) != 0 || there.st_size == 0 ||
      access(journal, F_OK) == 0)
    return OMR_OK;
  return omr_fail(error, OMR_ERR_IO,
                  "%s is there. Replace it with --overwrite, or choose another file with -o FILE.",
                  arguments->output);
}

static omr_status check_arguments(const cli_arguments *arguments, omr_error *error) {
  if (arguments->sbc && arguments->check)
    return omr_fail(error, OMR_ERR_USAGE, "--sbc repeats fits and --check makes none; give one");
  if (arguments->output && arguments->check)
    return omr_fail(error, OMR_ERR_USAGE, "--check leaves no members to write; leave --output out");
  if ((arguments->restart || arguments->overwrite) && !arguments->output)
    return omr_fail(error, OMR_ERR_USAGE, "--%s; give --output FILE with it",
                    arguments->restart ? "restart forgets what FILE.journal holds"
                                       : "overwrite replaces FILE");
  return cli_check_output(arguments, error);
}

/* Prints the warnings of `validate`, before the work begins. */
static void print_warnings(const omr_study *study) {
  char *warnings = NULL;
  if (omr_study_warnings(study, &warnings, NULL) != OMR_OK) return; /* the fit says why */
  for (const char *line = warnings; *line; line += strspn(line, "\n")) {
    const size_t length = strcspn(line, "\n");
    fprintf(stderr, "warning: %.*s\n", (int)length, line);
    line += length;
  }
  omr_text_destroy(warnings);
}

static omr_status load_and_fit(const cli_arguments *arguments, const char *journal,
                               omr_error *error) {
  omr_study *study = NULL;
  cli_progress progress;
  const omr_calibrate_options options = {.size = sizeof options,
                                         .check = arguments->check,
                                         .progress = cli_progress_watch,
                                         .progress_user = &progress,
                                         .journal = journal,
                                         .restart = arguments->restart,
                                         .foreign_journal = arguments->foreign_folder};

  /* Load the study and print its warnings. */
  omr_status status = cli_load(arguments, &study, error);
  if (status != OMR_OK) return status;
  if (!arguments->quiet) print_warnings(study);

  /* From here on an interruption says which work is kept. */
  cli_progress_start(&progress, arguments->quiet, "");
  char kept[240] = "nothing is kept";
  if (journal)
    snprintf(kept, sizeof kept, "%.180s keeps what is done, and the same command goes on", journal);
  cli_leave_soon(kept);
  cli_catch_signals();

  status = (arguments->sbc ? repeat : calibrate)(arguments, study, &options, &progress, error);
  omr_study_destroy(study);
  return status;
}

omr_status cli_calibrate(const cli_arguments *arguments, omr_error *error) {
  char *journal = NULL;
  omr_status status = check_arguments(arguments, error);
  if (status == OMR_OK && arguments->output) {
    const size_t size = strlen(arguments->output) + sizeof ".journal";
    journal = malloc(size);
    if (!journal) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
    snprintf(journal, size, "%s.journal", arguments->output);
    status = check_occupied(arguments, journal, error);
  }
  if (status == OMR_OK) status = load_and_fit(arguments, journal, error);
  free(journal);
  return status;
}
