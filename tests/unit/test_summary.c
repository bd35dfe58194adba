/* The table for the terminal. The expected figures follow from the values that make_result puts in.
 */
#include "../../host/result/result.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static omr_column make_column(const char *name, const char *unit, const double *values,
                              size_t count) {
  omr_column column = {strdup(name), strdup(unit), strdup(name), malloc(count * sizeof(double))};
  memcpy(column.values, values, count * sizeof(double));
  return column;
}

/* Friction 1 2 3 4, slip 10 20 30 and 1e6 in the last. */
static omr_result *make_result(size_t instances) {
  const double friction[] = {1, 2, 3, 4}, slip[] = {10, 20, 30, 1e6}, time[] = {5, 5, 5, 0.75};
  omr_result *result = calloc(1, sizeof *result);
  result->instances = instances;
  result->wheels = 4;
  result->study_title = strdup("A title");
  result->column_count = 2;
  result->parameter_count = 1;
  result->columns = calloc(2, sizeof *result->columns);
  result->columns[0] = make_column("wheel_friction", "1", friction, instances);
  result->columns[1] = make_column("max_slip", "m s-1", slip, instances);
  result->status = calloc(instances, 1);
  result->status_time = malloc(instances * sizeof(double));
  memcpy(result->status_time, time, instances * sizeof(double));
  result->record =
      (omr_run_record){.backend = "openmp", .kernel_seconds = 2, .instance_steps = 5e6};
  return result;
}

/* Not inlined: gcc 12 takes what open_memstream gives for a pointer to the variable that holds it.
 */
static __attribute__((noinline)) char *summary(omr_result *result) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  omr_print_summary(result, out);
  fclose(out);
  omr_result_destroy(result);
  return text;
}

/* Blanks in a row count as one, so that the test does not depend on the widths of the columns. */
static void expect(const char *text, const char *part) {
  char *squeezed = malloc(strlen(text) + 1), *end = squeezed;
  for (const char *c = text; *c; c++)
    if (*c != ' ' || c == text || c[-1] != ' ') *end++ = *c;
  *end = '\0';
  cr_expect_not_null(strstr(squeezed, part), "'%s' is not in:\n%s", part, text);
  free(squeezed);
}

Test(summary, failed_instances_are_counted_and_stay_out_of_the_statistics) {
  omr_result *result = make_result(4);
  result->status[3] = OMR_INSTANCE_LIFTED;
  char *text = summary(result);
  expect(text, "instances 4: 3 ok, 1 failed");
  expect(text, "wheel_lifted 1 25 %, earliest at 0.75 s");
  expect(text, "max_slip m s-1 10 20 30 10\n");
  expect(text, "of 3 ok instances; failed ones are left out");
  expect(text,
         "wheel_friction 1 1 4\n"); /* the range of the study, whatever became of the instances */
  free(text);
}

Test(summary, the_reason_of_the_first_invalid_instance_is_told) {
  omr_result *result = make_result(4);
  result->status[0] = OMR_INSTANCE_INVALID;
  snprintf(result->first_invalid, sizeof result->first_invalid,
           "instance 0: the bore is wider than the roller");
  char *text = summary(result);
  expect(text, "invalid_parameters 1 25 %\n");
  expect(text, "instance 0: the bore is wider than the roller");
  free(text);
}

Test(summary, instances_without_a_value_are_counted) {
  omr_result *result = make_result(4);
  result->columns[1].values[3] = (double)NAN;
  char *text = summary(result);
  expect(text, "max_slip m s-1 10 20 30 10 of 3 with a value");
  free(text);
}

Test(summary, one_instance_is_listed_by_name_value_and_unit) {
  char *text = summary(make_result(1));
  expect(text, "A title\n");
  expect(text, "wheel_friction 1 1\n");
  expect(text, "max_slip 10 m s-1\n");
  free(text);
}

Test(summary, a_study_of_failures_alone_says_so) {
  omr_result *result = make_result(2);
  result->status[0] = result->status[1] = OMR_INSTANCE_DIVERGED;
  char *text = summary(result);
  expect(text, "2: 0 ok, 2 failed");
  expect(text, "No instance reached the end");
  free(text);
}

Test(summary, speed_is_instance_steps_over_kernel_time) {
  char *text = summary(make_result(4)); /* 5e6 in 2 s */
  expect(text, "2.5e+06 instance-steps per second");
  free(text);
}

/* Of 89 letters, which with the indent of 12 are one too many, only the first word stays. */
Test(summary, long_texts_are_broken_so_that_no_line_has_more_than_100_letters) {
  omr_result *result = make_result(4);
  snprintf(result->warnings, sizeof result->warnings, "aa %086d and more words, %060d", 1, 2);
  char *text = summary(result);
  const char *warning = strstr(text, "warning   aa");
  cr_assert_not_null(warning, "%s", text);
  cr_expect_eq(strcspn(warning, "\n"), strlen("warning   aa"), "%s", text);
  free(text);
}
