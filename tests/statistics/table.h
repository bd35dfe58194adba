/* Rows in memory whose observables the test computes from the varied parameters of a real study. */
#ifndef OMR_TESTS_STATISTICS_TABLE_H
#define OMR_TESTS_STATISTICS_TABLE_H

#include "../../host/statistics/sensitivity_table.h"
#include "../study/sampling_data.h"

#include <math.h>

enum { TABLE_COLUMNS = 16 };

typedef double test_function(const double *x);

typedef struct table {
  omr_source source;
  double *values[TABLE_COLUMNS];
  int8_t *status;
  omr_sample_info info[TABLE_COLUMNS];
} table;

static inline omr_status table_read(omr_source *source, size_t column, size_t first, size_t count,
                                    double *values, omr_error *error) {
  (void)error;
  cr_assert(column < source->columns && first + count <= source->rows);
  memcpy(values, ((table *)source)->values[column] + first, count * sizeof *values);
  return OMR_OK;
}

static inline omr_status table_status(omr_source *source, size_t first, size_t count, int8_t *codes,
                                      double *times, omr_error *error) {
  (void)times;
  (void)error;
  cr_assert(first + count <= source->rows);
  memcpy(codes, ((table *)source)->status + first, count);
  return OMR_OK;
}

static inline void table_free(table *t) {
  for (size_t c = 0; c < t->source.columns; c++) free(t->values[c]);
  free(t->status);
  free(t);
}

/* Columns for the parameters, and behind them the functions of these. */
static inline table *table_of(const omr_study *study, test_function *const *functions,
                              size_t count) {
  static const omr_source_ops ops = {table_read, table_status, NULL, NULL, NULL};
  static const char *const names[] = {"y0", "y1", "y2", "y3", "y4", "y5"};
  const size_t parameters = study->variation_count, rows = study->instances;
  table *t = calloc(1, sizeof *t);
  double x[TABLE_COLUMNS];
  cr_assert_leq(parameters + count, (size_t)TABLE_COLUMNS);
  t->source = (omr_source){&ops, rows, parameters + count, parameters, t->info, NULL};
  t->status = calloc(rows, 1);
  for (size_t c = 0; c < parameters + count; c++) {
    t->values[c] = calloc(rows, sizeof **t->values);
    t->info[c] = (omr_sample_info){
        c < parameters ? study->variations[c].column : names[c - parameters], "m", ""};
  }
  for (size_t k = 0; k < rows; k++) {
    omr_values values;
    omr_study_values(study, k, &values, x);
    for (size_t c = 0; c < parameters; c++) t->values[c][k] = x[c];
    for (size_t f = 0; f < count; f++) t->values[parameters + f][k] = functions[f](x);
  }
  return t;
}

static inline omr_sensitivity *sensitivity_of(const omr_study *study, table *t, size_t bootstrap) {
  omr_sensitivity *s = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_sensitivity_of(study, &t->source, bootstrap, OMR_SENSITIVITY_ROWS, &s, &error),
               OMR_OK, "%s", error.message);
  return s;
}

/* All numbers of two tables, NaN equal to NaN. */
static inline void expect_same_numbers(const omr_sensitivity *a, const omr_sensitivity *b,
                                       const char *what) {
  const size_t cells = a->quantities * a->parameters;
  cr_assert(a->measure == b->measure && a->quantities == b->quantities &&
            a->parameters == b->parameters);
  for (int e = 0; e < 2; e++)
    cr_expect_eq(memcmp(a->estimates[e], b->estimates[e], cells * sizeof *a->estimates[e]), 0,
                 "%s: estimates %d", what, e);
  cr_expect_eq(memcmp(a->sigma, b->sigma, cells * sizeof *a->sigma), 0, "%s", what);
  cr_expect_eq(memcmp(a->mean, b->mean, a->quantities * sizeof *a->mean), 0, "%s", what);
  cr_expect_eq(memcmp(a->variance, b->variance, a->quantities * sizeof *a->variance), 0, "%s",
               what);
  cr_expect_eq(memcmp(a->used, b->used, a->quantities * sizeof *a->used), 0, "%s", what);
  cr_expect_eq(memcmp(a->reason, b->reason, cells), 0, "%s", what);
}

/* Whatever the number of rows that are read at a time. */
static inline void expect_same_in_any_blocks(const omr_study *study, table *t) {
  static const size_t blocks[] = {1, 7, 100, 1000000};
  omr_sensitivity *first = sensitivity_of(study, t, 50);
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    omr_sensitivity *other = NULL;
    omr_error error;
    char what[32];
    cr_assert_eq(omr_sensitivity_of(study, &t->source, 50, blocks[i], &other, &error), OMR_OK);
    snprintf(what, sizeof what, "blocks of %zu", blocks[i]);
    expect_same_numbers(first, other, what);
    omr_sensitivity_destroy(other);
  }
  omr_sensitivity_destroy(first);
}

/* The group that a measure makes in a file, and what it prints. */
static inline cJSON *json_of(const omr_sensitivity *s) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  omr_sensitivity_print_json(s, out);
  fclose(out);
  cJSON *root = cJSON_Parse(text);
  cr_assert_not_null(root, "%s", text);
  free(text);
  return root;
}

/* Not inlined: gcc 12 takes what open_memstream gives for a pointer to the variable that holds it.
 */
static __attribute__((noinline, unused)) char *printed(const omr_sensitivity *s) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  omr_sensitivity_print(s, out);
  fclose(out);
  return text;
}

#endif
