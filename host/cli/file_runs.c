#define _GNU_SOURCE /* open_memstream */
#include "file_runs.h"
#include "short_form.h"

#include <stdlib.h>
#include <string.h>

enum { LONG = 10 }; /* s: a longer run prints a warning before its summary */

static bool on_progress(void *user, double done, double total) {
  cli_long *work = user;
  if (!work->begun) cli_progress_begin_at(&work->progress, done);
  work->begun = true;
  if (!work->warned && work->held.length && cli_seconds() - work->progress.started > LONG) {
    cli_progress_clear(&work->progress);
    work->warned = true;
    cli_print_first_warning(&work->held, work->progress.log);
    fflush(work->progress.log);
  }
  cli_progress_show(&work->progress, done, total);
  return !cli_interrupted();
}

const char *cli_work_unit(const omr_study *study) {
  if (!study) return "of the work/s";
  return omr_study_tolerance(study) > 0 ? "vehicle-seconds/s" : "instance-steps/s";
}

omr_status cli_long_begin(cli_long *work, const cli_arguments *arguments, const omr_study *study,
                          omr_error *error) {
  omr_shard shard = {0};
  *work = (cli_long){0};

  /* The option or the launcher chooses the shard. */
  omr_status status = arguments->shard ? omr_shard_parse(arguments->shard, &shard, error)
                                       : omr_shard_from_environment(&shard, error);
  if (status != OMR_OK) return status;
  work->launched = shard.origin[0] != '\0';

  /* One bar is enough for all ranks. */
  const bool silent =
      arguments->quiet ||
      (work->launched && shard.shard > 1); /* bars of ranks would overwrite each other */
  cli_progress_start(&work->progress, silent, cli_work_unit(study));
  if (!arguments->verbose) work->progress.held = &work->held;

  /* The log goes above the bar, the summary waits until the bar is gone. */
  work->log = arguments->quiet ? NULL : cli_log_open(&work->progress);
  const bool summed = !arguments->quiet && !arguments->json && !arguments->untold;
  work->summary = summed ? open_memstream(&work->summary_text, &work->summary_size) : NULL;
  if (!arguments->quiet && (!work->log || (summed && !work->summary))) {
    if (work->log) fclose(work->log);
    if (work->summary) fclose(work->summary);
    free(work->summary_text);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }

  /* The log names the shard that a launcher has chosen. */
  if (work->log && shard.origin[0])
    fprintf(work->log, "%s does shard %d/%d: every %d%s chunk\n", shard.origin, shard.shard,
            shard.shards, shard.shards,
            shard.shards == 2   ? "nd"
            : shard.shards == 3 ? "rd"
                                : "th");

  /* The options of the run. */
  work->options = (omr_file_options){.size = sizeof(omr_file_options),
                                     .run = {.size = sizeof(omr_run_options),
                                             .progress = on_progress,
                                             .progress_user = work,
                                             .log = work->log},
                                     .shard = shard.shard,
                                     .shards = shard.shards,
                                     .summary = work->summary,
                                     .restart = arguments->restart,
                                     .overwrite = arguments->overwrite,
                                     .foreign_folder = arguments->foreign_folder,
                                     .strict = arguments->strict,
                                     .oversize = arguments->oversize,
                                     .in_place = arguments->in_place,
                                     .brief = !arguments->verbose,
                                     .partial = arguments->partial,
                                     .overrides = (const char *const *)arguments->overrides,
                                     .override_count = arguments->override_count};

  cli_catch_signals();
  return OMR_OK;
}

/* Closes the streams and prints the summary; the flag says whether there is one. False when out of
 * memory. */
static bool end_streams(cli_long *work, const char *variant, omr_status status, bool *told) {
  const bool whole = !work->summary || fclose(work->summary) == 0;
  *told = work->summary_size > 0;
  cli_progress_clear(&work->progress);
  if (work->log) {
    fflush(work->log);
    if (variant && work->held.length && strstr(work->held.data, "warning: "))
      fprintf(work->progress.log, "%s:\n", variant);
    cli_print_held(&work->held, *told ? work->summary_text : NULL,
                   status != OMR_OK && !*told && !variant, work->progress.log);
    fclose(work->log);
  }
  if (work->summary_text) fputs(work->summary_text, stdout);
  free(work->summary_text);
  cli_text_free(&work->held);
  return whole;
}

/* Says on standard output how far a shard is. */
static void print_shard(const cli_long *work, const char *path) {
  const omr_file_outcome *o = &work->outcome;
  printf("shard %d/%d is done: %zu of %zu chunks are in %s.parts\n", work->options.shard,
         work->options.shards, o->finished, o->chunks, path);
  if (work->launched) return;
  printf("The shard that finishes the last one there puts the result together; folders\n"
         "of several machines are joined by\n"
         "omniroll merge -o %s DIR...\n",
         path);
}

/* Prints the statistics of the result that is there now, or how many chunks of it are. */
static omr_status print_json(const omr_file_outcome *o, const char *path, omr_error *error) {
  const omr_analyze_options options = {.size = sizeof options, .json = true};
  if (o->complete || o->was_there) return omr_analyze(path, &options, stdout, error);
  printf("{\n  \"complete\": false,\n  \"chunks\": %zu,\n  \"finished\": %zu\n}\n", o->chunks,
         o->finished);
  return OMR_OK;
}

omr_status cli_long_end(cli_long *work, const cli_arguments *arguments, const char *path,
                        omr_status status, omr_error *error) {
  const omr_file_outcome *o = &work->outcome;
  bool told;

  /* Close the streams first. */
  if (!end_streams(work, arguments->untold ? arguments->variant : NULL, status, &told) &&
      status == OMR_OK)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the summary; %s has the result",
                    path);

  /* A result beyond the study's limits is complete all the same. */
  const bool exceeded = (status == OMR_ERR_FAILURES || status == OMR_ERR_INACCURATE) &&
                        o->complete; /* said at the end */
  if (status != OMR_OK && !exceeded) return status;
  if (arguments->json) {
    const omr_status printed = print_json(o, path, exceeded ? NULL : error);
    return status != OMR_OK ? status : printed;
  }
  if (arguments->quiet || arguments->untold) return status;

  /* Say where the result is, or which part of it is done. */
  if (o->was_there)
    printf("%s is complete: there is nothing to do\n", path);
  else if (!o->complete)
    print_shard(work, path);
  else if (!told || arguments->verbose)
    printf("result written to %s\n", path);
  return status;
}
