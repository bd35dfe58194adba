/* The design of a study as a table. */
#include "../study/derived.h"
#include "../study/grammar/reader.h"
#include "../study/own_names.h"
#include "result.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static omr_status require_variations(const omr_study *study, omr_error *error) {
  if (study->variation_count > 0) return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s: nothing varies, so there is no table of values; give \"vary\"", study->name);
}

omr_status omr_study_sample(const omr_study *study, omr_result **result, omr_error *error) {
  const omr_study bare = omr_study_bare(study); /* leaves out arrays that only a run fills */
  const size_t rows =
      omr_study_sample_rows(study, study->instances); /* later levels are not known before a run */
  const omr_part part = {.study = &bare, .rows = rows};
  *result = NULL;

  omr_status status = require_variations(study, error);
  if (status == OMR_OK) status = omr_result_make(&part, result, error);
  double *row = status == OMR_OK ? calloc(study->variation_count, sizeof *row) : NULL;
  if (status == OMR_OK && !row) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* a row holds the values of the varied parameters */
  for (size_t k = 0; status == OMR_OK && k < rows; k++) {
    omr_values values;
    omr_study_values(study, k, &values, row);
    for (size_t v = 0; v < study->variation_count; v++) (*result)->columns[v].values[k] = row[v];
  }
  free(row);

  if (status == OMR_OK) {
    (*result)->design_only = true;
  } else {
    omr_result_destroy(*result);
    *result = NULL;
  }
  return status;
}

static void print_header(const omr_study *study, FILE *out) {
  fprintf(out, "instance");
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *varied = &study->variations[v];
    const char *unit = omr_study_parameter(study, varied->per_wheel, varied->index).unit;
    const bool pure = strcmp(unit, "1") == 0;
    fprintf(out, ",%s%s%s%s", study->variations[v].path, pure ? "" : " [", pure ? "" : unit,
            pure ? "" : "]");
  }
  fprintf(out, "\n");
}

omr_status omr_study_sample_print(const omr_study *study, FILE *out, omr_error *error) {
  omr_status status = require_variations(study, error);
  if (status != OMR_OK) return status;
  double *row = calloc(study->variation_count, sizeof *row);
  if (!row) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  print_header(study, out);
  for (size_t k = 0; k < omr_study_sample_rows(study, study->instances) && !ferror(out); k++) {
    omr_values values;
    omr_study_values(study, k, &values, row);
    fprintf(out, "%zu", k);
    for (size_t v = 0; v < study->variation_count; v++) fprintf(out, ",%.17g", row[v]);
    fprintf(out, "\n");
  }
  free(row);
  if (fflush(out) == 0 && !ferror(out)) return OMR_OK;
  return omr_fail(error, OMR_ERR_IO, "cannot write the table: %s", omr_cause_of_write(errno).text);
}
