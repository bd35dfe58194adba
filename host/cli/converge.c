/* omniroll converge: the cost of accuracy, method by method, and the cheapest way to the accuracy
 * that the study needs. */

#include "cli.h"
#include "progress.h"

#include <omniroll/program.h>

#include <errno.h>
#include <string.h>

/* --precision alone makes one of both; a study that names its own still is told of the other. */
static bool asks_precision(const cli_arguments *arguments) {
  for (size_t i = 0; i < arguments->override_count; i++)
    if (strncmp(arguments->overrides[i], "engine.precision=", strlen("engine.precision=")) == 0)
      return true;
  return false;
}

static const char *json_path(const cli_arguments *arguments, cli_text *path) {
  cli_text_print(path, "%s.json", arguments->output);
  return path->failed ? NULL : path->data;
}

static omr_status write_json(const omr_converge *c, const char *path, omr_error *error) {
  char *text;
  const omr_status status = omr_converge_json(c, &text, error);
  if (status != OMR_OK) return status;
  FILE *file = fopen(path, "w");
  const bool written = file && fputs(text, file) >= 0 && fputc('\n', file) >= 0;
  const int failed = errno;
  omr_text_destroy(text);
  if (file && fclose(file) == 0 && written) return OMR_OK;
  return omr_fail(error, OMR_ERR_IO, "%s cannot be written: %s", path,
                  strerror(written ? errno : failed));
}

/* Python takes the place of this program, so that this comes last. */
static omr_status draw(const cli_arguments *arguments, const char *path, omr_error *error) {
  const char *words[8];
  size_t count = 0;
  words[count++] = "--output", words[count++] = arguments->output;
  if (arguments->observables)
    words[count++] = "--observables", words[count++] = arguments->observables;
  if (arguments->json || arguments->quiet) words[count++] = "--quiet";
  words[count++] = "--";
  words[count++] = path;
  fflush(stdout);
  return cli_run_python("omniroll.work_precision", count, words, error);
}

static omr_status report(const cli_arguments *arguments, const omr_converge *c, const char *path,
                         omr_error *error) {
  char *text;
  const omr_status status = path ? write_json(c, path, error) : OMR_OK;
  if (status != OMR_OK) return status;
  if (arguments->json) return cli_print_text(&text, omr_converge_json(c, &text, error));
  omr_converge_print(c, arguments->observables, stdout);
  return OMR_OK;
}

static omr_status converge(const cli_arguments *arguments, const omr_study *study, const char *path,
                           omr_error *error) {
  cli_progress progress;
  omr_converge *c;

  /* The bar shows the budget. */
  cli_progress_start(&progress, arguments->quiet, "");
  cli_catch_signals();

  /* The options of the command line. */
  const omr_converge_options options = {.size = sizeof options,
                                        .choice = cli_choice(arguments),
                                        .budget = arguments->budget,
                                        .reference = arguments->reference,
                                        .one_precision = asks_precision(arguments),
                                        .observables = arguments->observables,
                                        .progress = cli_progress_watch,
                                        .progress_user = &progress};

  /* Measure; an interrupted ladder is dropped. */
  omr_status status = omr_converge_create(study, &options, &c, error);
  cli_progress_clear(&progress);
  if (cli_interrupted() && status == OMR_ERR_INTERRUPTED)
    return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted; nothing is written");

  if (status == OMR_OK) status = report(arguments, c, path, error);
  omr_converge_destroy(c);
  return status;
}

omr_status cli_converge(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  cli_text path = {0};
  const char *file = arguments->output ? json_path(arguments, &path) : NULL;
  omr_status status =
      arguments->output && !file ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;
  if (status == OMR_OK && file) status = omr_check_output(file, arguments->operand, error);
  if (status == OMR_OK) status = cli_load_whole(arguments, &study, error);
  if (status == OMR_OK && file) status = omr_study_check_output(study, file, error);
  if (status == OMR_OK) status = converge(arguments, study, file, error);
  omr_study_destroy(study);
  if (status == OMR_OK && file) status = draw(arguments, file, error);
  cli_text_free(&path);
  return status;
}
