/* omniroll run and resume: study in, result file and summary out. */
#define _GNU_SOURCE /* open_memstream */
#include "file_runs.h"
#include "short_form.h"
#include <stdlib.h>
#include <string.h>

/* studies/first.json -> first.h5, first.nominal.h5, first.instance0_3.h5 */
static void default_output(const cli_arguments *arguments, cli_text *path) {
  const char *study = arguments->operand;
  const char *slash = strrchr(study, '/');
  const char *name = strcmp(study, "-") == 0 ? "study" : slash ? slash + 1 : study;
  const char *dot = strrchr(name, '.');
  cli_text_add(path, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
  if (arguments->nominal) cli_text_print(path, ".nominal");
  if (arguments->instance) cli_text_print(path, ".instance");
  for (const char *c = arguments->instance; c && *c; c++)
    cli_text_print(path, "%c", *c == ',' ? '_' : *c);
  cli_text_add(path, ".h5", 3);
}

/* The study that a vehicle belongs to, and its values: the first values in the short form. */
static void print_made_of(const cli_arguments *arguments, const omr_study *study) {
  char *text = NULL;
  size_t size;
  FILE *out = arguments->verbose ? NULL : open_memstream(&text, &size);
  omr_study_made_of_print(study, out ? out : stdout);
  if (!out) return;
  fclose(out);
  if (text) cli_print_lines(text, 5, stdout);
  free(text);
}

static omr_status run_to_file(const cli_arguments *arguments, const char *output,
                              omr_error *error) {
  omr_study *study = NULL;
  cli_long work;
  omr_status status = omr_check_study_file(arguments->operand, error);
  if (status == OMR_OK) status = omr_check_output(output, arguments->operand, error);
  if (status != OMR_OK) return status;
  status = cli_load(arguments, &study, error);
  if (status == OMR_OK && !arguments->quiet && !arguments->json) print_made_of(arguments, study);
  if (status == OMR_OK) status = cli_long_begin(&work, arguments, study, error);
  if (status == OMR_OK) {
    status = omr_run_file(study, output, &work.options, &work.outcome, error);
    status = cli_long_end(&work, arguments, output, status, error);
  }
  omr_study_destroy(study);
  return status;
}

omr_status cli_run(const cli_arguments *arguments, omr_error *error) {
  if (arguments->hash) return cli_run_hash(arguments, error);
  cli_text output = {0};
  if (arguments->output) {
    cli_text_add(&output, arguments->output, strlen(arguments->output));
  } else {
    default_output(arguments, &output);
  }
  omr_status status = output.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory")
                                    : run_to_file(arguments, output.data, error);
  cli_text_free(&output);
  return status;
}

omr_status cli_resume(const cli_arguments *arguments, omr_error *error) {
  cli_long work;
  char *path = omr_result_path(arguments->operand);
  omr_status status = path ? cli_long_begin(&work, arguments, NULL, error)
                           : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) {
    status = omr_resume(path, &work.options, &work.outcome, error);
    status = cli_long_end(&work, arguments, path, status, error);
  }
  omr_text_destroy(path);
  return status;
}
