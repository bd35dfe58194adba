/* omniroll validate: the mistakes of a study, or the run that it describes. */
#define _GNU_SOURCE /* open_memstream */
#include "cli.h"
#include "short_form.h"
#include "variants.h"

#include <stdlib.h>

static omr_status print_run(const omr_study *study, omr_error *error) {
  enum { LABEL = 11 };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  omr_status status = out ? omr_study_validate_print(study, out, error) : OMR_ERR_MEMORY;
  if ((!out || fclose(out) != 0) && status != OMR_ERR_STUDY)
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (text) cli_print_labelled(text, LABEL, stdout);
  free(text);
  return status;
}

/* {"mistakes": [...]}: the text of standard error, for programs. */
static omr_status print_mistakes(omr_error *mistakes) {
  char *list = NULL, *json = NULL;
  cli_text text = {0};
  if (omr_error_json(mistakes, &list, NULL) == OMR_OK)
    cli_text_print(&text, "{\"mistakes\": %s}", list);
  if (text.data && omr_json_format(text.data, &json, NULL) == OMR_OK) fputs(json, stdout);
  const bool printed = json != NULL;
  omr_text_destroy(json);
  omr_text_destroy(list);
  cli_text_free(&text);
  if (printed) return OMR_ERR_STUDY;
  return omr_fail(mistakes, OMR_ERR_MEMORY, "out of memory for the list of mistakes");
}

static omr_status validate(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  char *assembly = NULL, *json = NULL;
  omr_status status = cli_load(arguments, &study, error);
  if (status == OMR_OK) status = omr_study_assembly(study, &assembly, error);
  if (status == OMR_OK && !arguments->json) omr_study_made_of_print(study, stdout);
  if (status == OMR_OK)
    status = arguments->json ? cli_print_text(&json, omr_study_validate_json(study, &json, error))
                             : print_run(study, error);
  if (arguments->json && status == OMR_ERR_STUDY) status = print_mistakes(error);
  if (status == OMR_OK && assembly && !arguments->json) fputs(assembly, stdout);
  omr_text_destroy(assembly);
  omr_study_destroy(study);
  return status;
}

/* Programs get one list of mistakes, whichever variant has them. */
static omr_status check_variants(const cli_arguments *arguments, omr_error *error) {
  cli_variants all;
  omr_status status = cli_variants_begin(arguments, &all, error);
  for (size_t i = 0; i < all.count && status == OMR_OK; i++) {
    omr_study *study = NULL;
    status = cli_load(&all.variant[i].arguments, &study, error);
    omr_study_destroy(study);
  }
  cli_variants_end(&all);
  return status == OMR_ERR_STUDY ? print_mistakes(error) : status;
}

omr_status cli_validate(const cli_arguments *arguments, omr_error *error) {
  const omr_status status = arguments->json ? check_variants(arguments, error) : OMR_OK;
  if (status != OMR_OK) return status;
  return cli_each_variant(arguments, validate, error);
}
