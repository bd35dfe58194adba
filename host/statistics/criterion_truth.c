/* Which rows of a caller's table meet a criterion. */
#include "../include/omniroll/result.h"
#include "../study/expression/expression.h"

#include <math.h>
#include <stdlib.h>

/* Reads the criteria in turn: each may use those before it. */
static omr_status read_criteria(const omr_criterion_table *table, const char *const *names,
                                const char *const *texts, size_t count, omr_expression **read,
                                omr_error *error) {
  omr_names known = {.columns = table->columns};
  omr_status status = OMR_OK;
  for (size_t c = 0; c < table->columns; c++)
    omr_names_add(&known, table->names[c], table->units[c], c);

  for (size_t i = 0; status == OMR_OK && i < count; i++) {
    status = known.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for criteria")
                          : omr_expression_parse(texts[i], &known, &read[i], error);
    if (status == OMR_OK && !read[i]->truth)
      status = omr_fail(error, OMR_ERR_STUDY, "\"%s\" is a number and no criterion", texts[i]);
    if (status == OMR_OK) omr_names_add_criterion(&known, names[i], read[i]);
  }
  omr_names_free(&known);
  return status;
}

/* row has room for a value of each column and the status. */
static void evaluate(const omr_criterion_table *table, const omr_expression *e, double *row,
                     double *truth) {
  for (size_t k = 0; k < table->rows; k++) {
    for (size_t c = 0; c < e->column_count; c++)
      row[e->columns[c]] = table->values[e->columns[c]][k];
    row[table->columns] = table->status[k];
    const int found = omr_expression_truth(e, row);
    const bool counts = e->status || table->status[k] == OMR_INSTANCE_OK;
    truth[k] = counts && found >= 0 ? found : (double)NAN;
  }
}

omr_status omr_criterion_truth(const omr_criterion_table *table, const char *const *names,
                               const char *const *texts, size_t count, double *truth,
                               omr_error *error) {
  omr_status status = omr_check_size(table->size, sizeof *table, "omr_criterion_table", error);
  if (status != OMR_OK || count == 0) return status;
  omr_expression **read = calloc(count, sizeof(omr_expression *));
  double *row = calloc(table->columns + 1, sizeof *row);

  status = read && row ? read_criteria(table, names, texts, count, read, error)
                       : omr_fail(error, OMR_ERR_MEMORY, "out of memory for criteria");
  if (status == OMR_OK) evaluate(table, read[count - 1], row, truth);

  omr_criteria_free(read, count);
  free(row);
  return status;
}
