/* omniroll converge: what accuracy costs, method by method, and the cheapest way to the accuracy
 * asked for. */
#include "converge/converge.h"

#include "analysis.h"
#include "cli.h"
#include "progress.h"
#include "reference/ensemble.h"
#include "study/json.h"
#include "study/names.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool show(void *user, double done, double total) {
  cli_progress_show(user, done, total);
  return !cli_interrupted();
}

/* --precision alone makes one of both; a study that names its own still is told of the other. */
static bool asks_precision(const cli_arguments *arguments) {
  for (size_t i = 0; i < arguments->override_count; i++)
    if (strncmp(arguments->overrides[i], "engine.precision=", strlen("engine.precision=")) == 0)
      return true;
  return false;
}

static omr_status choose_instances(const cli_arguments *arguments, const omr_study *study,
                                   size_t **chosen, size_t *count, omr_error *error) {
  if (arguments->instances)
    return omr_instances_read(arguments->instances, study, chosen, count, error);
  if (arguments->sample)
    return omr_instances_spread(study, arguments->sample, chosen, count, error);
  return OMR_OK;
}

static const char *json_path(const cli_arguments *arguments, omr_text *path) {
  omr_text_print(path, "%s.json", arguments->output);
  return path->failed ? NULL : path->data;
}

static omr_status write_json(const omr_converge *c, const char *path, omr_error *error) {
  cJSON *root = omr_converge_json(c);
  char *text = root ? omr_json_print(root) : NULL;
  cJSON_Delete(root);
  if (!text) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  FILE *file = fopen(path, "w");
  const bool written = file && fputs(text, file) >= 0 && fputc('\n', file) >= 0;
  const int failed = errno;
  free(text);
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
  omr_status status = OMR_OK;
  if (path) status = write_json(c, path, error);
  if (status == OMR_OK && arguments->json)
    status = cli_print_json(omr_converge_json(c), error);
  else if (status == OMR_OK)
    omr_converge_print(c, arguments->observables, stdout);
  return status;
}

/* A name of the list that no run of the study has. */
static omr_status check_name(const omr_names *names, const char *word, omr_error *error) {
  const omr_name *found = omr_names_find(names, word);
  if (strncmp(word, "fail", strlen("fail")) == 0 && !found)
    return OMR_OK; /* a criterion of integrator.accept */
  if (found && found->absent)
    return omr_fail(error, OMR_ERR_USAGE, "--observables: %s %s", word, found->absent);
  if (found) return OMR_OK;
  return omr_fail(
      error, OMR_ERR_USAGE,
      "--observables: the study has no observable \"%s\" (omniroll describe lists them)", word);
}

static omr_status check_observables(const cli_arguments *arguments, const omr_study *study,
                                    omr_error *error) {
  char word[100];
  omr_names names;
  if (!arguments->observables) return OMR_OK;
  omr_names_of_study(study, &names);
  omr_status status = names.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;
  for (const char *at = arguments->observables; status == OMR_OK && *at;
       at += strcspn(at, ","), at += *at == ',') {
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
    status = check_name(&names, word, error);
  }
  omr_names_free(&names);
  return status;
}

static omr_status converge(const cli_arguments *arguments, const omr_study *study, const char *path,
                           omr_error *error) {
  size_t *chosen = NULL, count = 0;
  cli_progress progress;
  omr_converge c;
  omr_status status = choose_instances(arguments, study, &chosen, &count, error);
  if (status == OMR_OK) status = check_observables(arguments, study, error);
  if (status != OMR_OK) return status;
  cli_progress_start(&progress, arguments->quiet, "");
  cli_catch_signals();
  const omr_converge_options options = {.budget = arguments->budget,
                                        .reference = arguments->reference,
                                        .reference_tolerance = arguments->reference_tolerance,
                                        .reference_bdf = arguments->reference_bdf,
                                        .chosen = chosen,
                                        .chosen_count = count,
                                        .one_precision = asks_precision(arguments),
                                        .progress = show,
                                        .progress_user = &progress};
  status = omr_converge_make(study, &options, &c, error);
  cli_progress_clear(&progress);
  free(chosen);
  if (cli_interrupted() && status == OMR_ERR_INTERRUPTED)
    return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted; nothing is written");
  if (status != OMR_OK) return status;
  status = report(arguments, &c, path, error);
  omr_converge_free(&c);
  return status;
}

omr_status cli_converge(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  omr_text path = {0};
  const char *file = arguments->output ? json_path(arguments, &path) : NULL;
  omr_status status =
      arguments->output && !file ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;
  if (status == OMR_OK && file) status = omr_check_output(file, arguments->operand, error);
  if (status == OMR_OK)
    status = omr_study_load(arguments->operand, (const char *const *)arguments->overrides,
                            arguments->override_count, &study, error);
  if (status == OMR_OK) status = converge(arguments, study, file, error);
  omr_study_destroy(study);
  if (status == OMR_OK && file) status = draw(arguments, file, error);
  omr_text_free(&path);
  return status;
}
