/* omniroll run and resume: study in, result file and summary out. */
#define _GNU_SOURCE /* open_memstream */
#include "file_runs.h"
#include "short_form.h"
#include "variants.h"

#include <omniroll/program.h>
#include <stdlib.h>
#include <string.h>

/* studies/first.json -> first.h5, first.omni3.h5, first.nominal.h5, first.instance0_3.h5 */
void cli_default_output(const cli_arguments *arguments, cli_text *path) {
  const char *study = arguments->operand;
  const char *slash = strrchr(study, '/');
  const char *name = strcmp(study, "-") == 0 ? "study" : slash ? slash + 1 : study;
  const char *dot = strrchr(name, '.');
  cli_text_add(path, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
  if (arguments->variant) cli_text_print(path, ".%s", arguments->variant);
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

static omr_status check(const cli_arguments *arguments, const char *output, omr_study **study,
                        omr_error *error) {
  *study = NULL;
  omr_status status = omr_check_study_file(arguments->operand, error);
  if (status == OMR_OK) status = omr_check_output(output, arguments->operand, error);
  return status == OMR_OK ? cli_load(arguments, study, error) : status;
}

static omr_status run_to_file(const cli_arguments *arguments, const char *output,
                              omr_error *error) {
  omr_study *study = NULL;
  cli_long work;
  omr_status status = check(arguments, output, &study, error);
  if (status == OMR_OK && !arguments->quiet && !arguments->json) print_made_of(arguments, study);
  if (status == OMR_OK) status = cli_long_begin(&work, arguments, study, error);
  if (status == OMR_OK) {
    status = omr_run_file(study, output, &work.options, &work.outcome, error);
    status = cli_long_end(&work, arguments, output, status, error);
  }
  omr_study_destroy(study);
  return status;
}

/* The file of the result. The caller frees the text; failed when out of memory. */
static cli_text output_of(const cli_arguments *arguments) {
  cli_text output = {0};
  if (arguments->output)
    cli_text_add(&output, arguments->output, strlen(arguments->output));
  else
    cli_default_output(arguments, &output);
  return output;
}

static omr_status run_one(const cli_arguments *arguments, omr_error *error) {
  cli_text output = output_of(arguments);
  omr_status status = output.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory")
                                    : run_to_file(arguments, output.data, error);
  cli_text_free(&output);
  return status;
}

/* VARIANTS */

static omr_status check_one(const cli_arguments *arguments, cli_text *output, omr_error *error) {
  omr_study *study = NULL;
  *output = output_of(arguments);
  omr_status status = output->failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory")
                                     : check(arguments, output->data, &study, error);
  if (status == OMR_OK && !arguments->overwrite)
    status = omr_study_check_place(study, output->data, error);
  omr_study_destroy(study);
  return status;
}

/* Parts of several studies would have to be put together at several times. */
static omr_status refuse_shards(const cli_arguments *arguments, const char *first,
                                omr_error *error) {
  omr_shard shard = {0};
  const omr_status status = arguments->shard ? omr_shard_parse(arguments->shard, &shard, error)
                                             : omr_shard_from_environment(&shard, error);
  if (status != OMR_OK || shard.shards < 2) return status;
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s: shards are parts of one study, and this one holds variants; run each for "
                  "itself, beginning with --variant %s",
                  arguments->operand, first);
}

static omr_status run_each(const cli_variants *all, const char **paths,
                           const cli_arguments *arguments, omr_error *error) {
  omr_status status = OMR_OK;
  if (arguments->json) printf("{\"variants\": {\n");
  for (size_t i = 0; i < all->count && cli_has_result(status); i++) {
    cli_arguments one = all->variant[i].arguments;
    one.untold = !arguments->verbose;
    if (arguments->json) printf("%s\"%s\": ", i ? ",\n" : "", all->variant[i].name);
    if (arguments->verbose && !arguments->json) cli_heading(stdout, all->variant[i].name);
    fflush(stdout);
    const omr_status ended = run_to_file(&one, paths[i], error);
    if (arguments->json && !cli_has_result(ended)) printf("null");
    if (status == OMR_OK || !cli_has_result(ended)) status = ended;
  }
  if (arguments->json) printf("},\n\"side_by_side\": ");
  return status;
}

static omr_status run_variants(const cli_arguments *arguments, const cli_variants *all,
                               omr_error *error) {
  cli_text *outputs = calloc(all->count, sizeof *outputs);
  const char **paths = calloc(all->count, sizeof *paths),
             **names = calloc(all->count, sizeof *names);
  omr_status status = outputs && paths && names
                          ? refuse_shards(arguments, all->variant[0].name, error)
                          : omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* A mistake in the last variant, or a file in its place, is found before the first one runs. */
  if (status == OMR_OK && arguments->output)
    status = omr_check_output(arguments->output, arguments->operand, error);
  for (size_t i = 0; i < all->count && status == OMR_OK; i++) {
    names[i] = all->variant[i].name;
    status = check_one(&all->variant[i].arguments, &outputs[i], error);
    paths[i] = outputs[i].data;
    if (status == OMR_ERR_STUDY) fprintf(stderr, "omniroll: the variant %s:\n", names[i]);
  }

  /* Run them, and set the results side by side. */
  if (status == OMR_OK) {
    status = run_each(all, paths, arguments, error);
    if (cli_has_result(status) && (arguments->json || !arguments->quiet)) {
      const omr_status shown = omr_side_by_side(paths, names, all->count, arguments->json, stdout,
                                                status == OMR_OK ? error : NULL);
      if (status == OMR_OK) status = shown;
    }
    if (arguments->json) printf("%s}\n", cli_has_result(status) ? "" : "null");
  }

  for (size_t i = 0; outputs && i < all->count; i++) cli_text_free(&outputs[i]);
  free(outputs);
  free(paths);
  free(names);
  return status;
}

omr_status cli_run(const cli_arguments *arguments, omr_error *error) {
  cli_variants all;
  if (arguments->hash) return cli_each_variant(arguments, cli_run_hash, error);
  omr_status status = cli_variants_begin(arguments, &all, error);
  if (status == OMR_OK)
    status = all.count ? run_variants(arguments, &all, error) : run_one(arguments, error);
  cli_variants_end(&all);
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
