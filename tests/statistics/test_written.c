/* Statistics of a nested design as programs read them, from JSON and from the result file, against
 * plain sums over the rows of the result; and what the summary says. */
#define _GNU_SOURCE /* open_memstream */
#include "../unit/made_result.h"
#include "result/hdf5_file.h"
#include "statistics/statistics.h"
#include "statistics/step_error.h"

#include <cjson/cJSON.h>
#include <hdf5.h>
#include <hdf5_hl.h>

TestSuite(written, .init = make_folder, .fini = remove_folder);

enum { CELLS = 6, PER_CELL = 12, ROWS = CELLS * PER_CELL, LEVELS = 3, BINS = 4, CRITERIA = 2 };

#define STUDY                                                                                      \
  "{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"},"                               \
  " \"vary\": [{\"path\": \"mass\", \"values\": [20, 25, 30]}, {\"path\": \"radius\", "            \
  "\"values\": [0.25, 0.35]}, {\"path\": \"brake.torque\", \"uniform\": [0, 40]}],"                \
  " \"output\": {\"observables\": [\"final_x\", \"max_speed\", \"stop_time\"]},"                   \
  " \"integrator\": {\"step\": 0.1, \"duration\": 20, \"accept\": {\"final_x\": 1e-9, "            \
  "\"max_speed\": \"50 %\"}},"                                                                     \
  " \"design\": {\"type\": \"nested\", \"sample\": \"monte_carlo\", \"per_cell\": 12, \"seed\": "  \
  "3},"                                                                                            \
  " \"statistics\": {\"fail\": {\"far\": \"final_x > 70 m\", \"stops\": \"stop_time < 20 s\"},"    \
  " \"confidence\": 0.9, \"quantiles\": [0.05, 0.5, 0.95], \"histogram\": 4}}"

static omr_study *study;
static omr_result *result;
static const omr_statistics *s;

static void run_study(const char *text) {
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s", error.message);
  s = result->statistics;
}

static void end_study(void) {
  omr_result_destroy(result);
  omr_study_destroy(study);
}

static cJSON *json_of(void) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  cr_assert(omr_statistics_print_json(s, out));
  fclose(out);
  cJSON *root = cJSON_ParseWithOpts(text, NULL, true);
  cr_assert_not_null(root, "%s", text);
  free(text);
  return root;
}

static size_t column_of(const char *name) {
  size_t c = 0;
  while (c < result->column_count && strcmp(result->columns[c].name, name) != 0) c++;
  cr_assert_lt(c, result->column_count, "%s", name);
  return c;
}

static double number(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItem(object, key);
  cr_assert_not_null(item, "%s", key);
  return cJSON_IsNull(item) ? (double)NAN : cJSON_GetNumberValue(item);
}

static int ascending(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Of the values of rows first .. last-1 that are finite (type 7); NaN where there are none. */
static double quantile(size_t column, size_t first, size_t last, double level) {
  double values[ROWS];
  size_t count = 0;
  for (size_t k = first; k < last; k++)
    if (isfinite(result->columns[column].values[k]))
      values[count++] = result->columns[column].values[k];
  if (!count) return (double)NAN;
  qsort(values, count, sizeof *values, ascending);
  const double place = level * (double)(count - 1);
  const size_t low = (size_t)place, high = low + 1 < count ? low + 1 : low;
  return values[low] + (place - (double)low) * (values[high] - values[low]);
}

static void expect_near(const char *what, double found, double expected) {
  if (isnan(expected))
    cr_expect(isnan(found), "%s: %g, not NaN", what, found);
  else
    cr_expect_float_eq(found, expected, 1e-12 * (1 + fabs(expected)), "%s: %.17g, not %.17g", what,
                       found, expected);
}

/* Criterion 0 is final_x > 70, criterion 1 stop_time < 20, whose value is mostly missing. */
static void count_criterion(size_t c, size_t first, size_t last, double counts[3]) {
  const size_t column = column_of(c ? "stop_time" : "final_x");
  counts[0] = counts[1] = counts[2] = 0;
  for (size_t k = first; k < last; k++) {
    const double value = result->columns[column].values[k];
    counts[isnan(value) ? 2 : (c ? value < 20 : value > 70) ? 0 : 1]++;
  }
}

/* Wilson's interval, by its formula; z(0.95) from tables. */
static double wilson(double met, double n, double side) {
  const double z = 1.6448536269514722, p = met / n;
  return (p + z * z / (2 * n) + side * z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))) /
         (1 + z * z / n);
}

static void expect_criterion(const cJSON *found, size_t c, size_t first, size_t last) {
  double counts[3];
  count_criterion(c, first, last, counts);
  const double n = counts[0] + counts[1];
  cr_expect_eq(number(found, "met"), counts[0]);
  cr_expect_eq(number(found, "not_met"), counts[1]);
  cr_expect_eq(number(found, "unknown"), counts[2]);
  expect_near("probability", number(found, "probability"), n > 0 ? counts[0] / n : (double)NAN);
  if (n == 0) return;
  expect_near("low", number(found, "low"), fmax(0, wilson(counts[0], n, -1)));
  expect_near("high", number(found, "high"), fmin(1, wilson(counts[0], n, 1)));
}

static void expect_cell(const cJSON *cell, size_t number_of_cell) {
  static const char *const grid[] = {"mass", "radius"};
  const size_t first = number_of_cell * PER_CELL, last = first + PER_CELL;
  const cJSON *quantities = cJSON_GetObjectItem(cell, "quantities");
  cr_expect_eq(number(cell, "cell"), (double)number_of_cell);
  cr_expect_eq(number(cJSON_GetObjectItem(cell, "instances"), "ok"), PER_CELL);
  for (int d = 0; d < 2; d++)
    cr_expect_eq(number(cJSON_GetObjectItem(cell, "design"), grid[d]),
                 result->columns[column_of(grid[d])].values[first]);
  for (size_t c = 0; c < CRITERIA; c++)
    expect_criterion(
        cJSON_GetObjectItem(cJSON_GetObjectItem(cell, "criteria"), c ? "stops" : "far"), c, first,
        last);
  for (size_t q = 0; q < result->column_count; q++) {
    const cJSON *list =
        cJSON_GetObjectItem(cJSON_GetObjectItem(quantities, result->columns[q].name), "quantiles");
    cr_assert_eq(cJSON_GetArraySize(list), LEVELS);
    for (int l = 0; l < LEVELS; l++) {
      const cJSON *item = cJSON_GetArrayItem(list, l);
      expect_near(result->columns[q].name,
                  cJSON_IsNull(item) ? (double)NAN : cJSON_GetNumberValue(item),
                  quantile(q, first, last, s->levels[l]));
    }
  }
}

Test(written, json_has_the_cells_that_the_rows_have) {
  run_study(STUDY);
  cJSON *root = json_of();
  const cJSON *cells = cJSON_GetObjectItem(root, "cells"),
              *criteria = cJSON_GetObjectItem(root, "criteria");
  cr_assert_eq(cJSON_GetArraySize(cells), CELLS);
  cr_assert_eq(cJSON_GetArraySize(criteria), CRITERIA);
  for (int c = 0; c < CELLS; c++) expect_cell(cJSON_GetArrayItem(cells, c), (size_t)c);
  for (int c = 0; c < CRITERIA; c++)
    expect_criterion(cJSON_GetArrayItem(criteria, c), (size_t)c, 0, ROWS);
  cJSON_Delete(root);
  end_study();
}

Test(written, json_has_the_step_error_with_its_instances_and_what_is_accepted) {
  run_study(STUDY);
  const omr_refined *r = &s->step_error->refined;
  cJSON *root = json_of();
  const cJSON *e = cJSON_GetObjectItem(root, "step_error"),
              *instances = cJSON_GetObjectItem(e, "instances"),
              *substeps = cJSON_GetObjectItem(e, "substeps"),
              *accept = cJSON_GetObjectItem(e, "accept");
  cr_assert_eq((size_t)cJSON_GetArraySize(instances), r->sample.count);
  for (int i = 0; i < cJSON_GetArraySize(instances); i++)
    cr_expect_eq(cJSON_GetNumberValue(cJSON_GetArrayItem(instances, i)), (double)r->instance[i]);
  cr_assert_eq(cJSON_GetArraySize(substeps), 3);
  for (int i = 0; i < 3; i++) /* the run, half its step, a quarter */
    cr_expect_eq(cJSON_GetNumberValue(cJSON_GetArrayItem(substeps, i)), 1 << i);
  cr_assert_eq(cJSON_GetArraySize(cJSON_GetObjectItem(e, "criteria")), CRITERIA);
  cr_assert_eq(cJSON_GetArraySize(cJSON_GetObjectItem(e, "quantities")), 3);
  for (size_t q = 0; q < 3; q++) {
    const cJSON *entry = cJSON_GetArrayItem(cJSON_GetObjectItem(e, "quantities"), (int)q);
    const omr_step_quantity *step = &s->step_error->quantities[q];
    cr_expect_eq(number(entry, "pairs"), (double)step->ranking.pairs);
    cr_expect_eq(number(entry, "reversed"), (double)step->ranking.reversed);
  }
  /* Two entries, and the value that a criterion compares: to 2 % of the 20 s of its threshold. */
  cr_assert_eq(cJSON_GetArraySize(accept), 3);
  for (int i = 0; i < 3; i++) {
    static const char *const names[] = {"final_x", "max_speed", "stop_time"};
    const cJSON *entry = cJSON_GetArrayItem(accept, i);
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(entry, "name")), names[i]);
    cr_expect_eq(cJSON_IsTrue(cJSON_GetObjectItem(entry, "missed")), i == 0);
    cr_expect_eq(cJSON_IsTrue(cJSON_GetObjectItem(entry, "given")), i < 2);
  }
  expect_near("accepted", number(cJSON_GetArrayItem(accept, 2), "accepted"), 0.02 * 20);
  cJSON_Delete(root);
  end_study();
}

Test(written, json_without_a_step_error_has_null) {
  run_study("{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"}, \"integrator\": "
            "{\"step\": 0.02, \"duration\": 1, \"step_error\": \"off\"}, \"statistics\": {}}");
  cJSON *root = json_of();
  cr_expect(cJSON_IsNull(cJSON_GetObjectItem(root, "step_error")));
  cJSON_Delete(root);
  end_study();
}

/* Of a result that keeps its statistics those; of one that has none they are computed. */
Test(written, json_of_a_result_needs_no_statistics_in_it) {
  run_study(STUDY);
  char *kept = NULL, *computed = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_result_statistics_json(result, &kept, &error), OMR_OK, "%s", error.message);
  omr_statistics_destroy(result->statistics);
  result->statistics = NULL;
  cr_assert_eq(omr_result_statistics_json(result, &computed, &error), OMR_OK, "%s", error.message);
  const char *end = strstr(kept, "\"step_error\""), *other = strstr(computed, "\"step_error\"");
  cr_assert(end && other);
  cr_expect(end - kept == other - computed && strncmp(kept, computed, (size_t)(end - kept)) == 0,
            "the same up to the step error, whose runs are kept with the statistics alone");
  cr_expect_eq(strncmp(end, "\"step_error\": {", 15), 0);
  cr_expect_eq(strncmp(other, "\"step_error\": null", 18), 0);
  free(kept);
  free(computed);
  end_study();
}

/* The first is told in full, the others are counted. */
Test(written, how_many_errors_are_too_large_is_told) {
  omr_error error = {0};
  run_study(
      "{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"}, \"vary\": [{\"path\": "
      "\"mass\", \"values\": [20, 30]}], \"integrator\": {\"step\": 0.1, \"duration\": 20, "
      "\"accept\": {\"final_x\": 1e-12, \"max_speed\": 1e-12, \"drive_work\": 1e-12}}, "
      "\"statistics\": {}}");
  cr_assert_eq(omr_result_check_accept(study, result, &error), OMR_ERR_INACCURATE);
  cr_expect_not_null(strstr(error.message, ", and so for 2 more. "), "%s", error.message);
  end_study();
}

/* Quantiles need no histogram, and a histogram no quantiles. */
Test(written, json_has_quantiles_or_a_histogram_alone) {
#define FEW(statistics)                                                                            \
  "{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"}, \"vary\": [{\"path\": "        \
  "\"mass\", \"values\": [20, 24, 30]}], \"integrator\": {\"step\": 0.02, \"duration\": 1, "       \
  "\"step_error\": \"off\"}, \"statistics\": {" statistics "}}"
  for (int histogram = 0; histogram < 2; histogram++) {
    run_study(histogram ? FEW("\"quantiles\": [], \"histogram\": 2")
                        : FEW("\"quantiles\": [0.5], \"histogram\": 0"));
    cJSON *root = json_of();
    const cJSON *mass = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "quantities"), 0),
                *median = cJSON_GetArrayItem(cJSON_GetObjectItem(mass, "quantiles"), 0),
                *counts = cJSON_GetObjectItem(cJSON_GetObjectItem(mass, "histogram"), "counts");
    if (histogram) { /* edges 20, 25, 30 */
      cr_expect_null(median);
      cr_expect_eq(cJSON_GetNumberValue(cJSON_GetArrayItem(counts, 0)), 2);
      cr_expect_eq(cJSON_GetNumberValue(cJSON_GetArrayItem(counts, 1)), 1);
    } else {
      cr_expect_eq(cJSON_GetNumberValue(median), 24);
      cr_expect_null(counts);
    }
    cJSON_Delete(root);
    end_study();
  }
#undef FEW
}

/* What JSON has to escape comes back as it was. */
Test(written, json_escapes_quotes_backslashes_and_line_ends) {
  static const char *const text = "a \"b\" \\ c\nd\x01";
  run_study(STUDY);
  result->statistics->independence = text;
  cJSON *root = json_of();
  cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(root, "independence")), text);
  cJSON_Delete(root);
  end_study();
}

static hid_t write_and_open(void) {
  omr_error error = {0};
  cr_assert_eq(omr_result_write(result, in_folder("r.h5"), &error), OMR_OK, "%s", error.message);
  const hid_t file = H5Fopen(in_folder("r.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0);
  return file;
}

static void read_numbers(hid_t file, const char *name, size_t count, double *values) {
  char path[128];
  hsize_t shape[3] = {1, 1, 1};
  snprintf(path, sizeof path, "/statistics/%s", name);
  cr_assert_geq(H5LTget_dataset_info(file, path, shape, NULL, NULL), 0, "no %s", path);
  cr_assert_eq(shape[0] * shape[1] * shape[2], count, "%s", path);
  cr_assert_geq(H5LTread_dataset_double(file, path, values), 0, "%s", path);
}

static double attribute(hid_t file, const char *group, const char *name) {
  double value = (double)NAN;
  cr_assert_gt(H5Aexists_by_name(file, group, name, H5P_DEFAULT), 0, "%s of %s", name, group);
  cr_assert_geq(H5LTget_attribute_double(file, group, name, &value), 0, "%s of %s", name, group);
  return value;
}

static void expect_text(hid_t file, const char *name, const char *expected) {
  char *text = NULL;
  const hid_t attribute_id = H5Aopen_by_name(file, "/statistics", name, H5P_DEFAULT, H5P_DEFAULT);
  cr_assert_geq(attribute_id, 0, "%s", name);
  const hid_t type = H5Aget_type(attribute_id);
  cr_assert_geq(H5Aread(attribute_id, type, &text), 0);
  cr_expect_str_eq(text, expected);
  H5free_memory(text);
  H5Tclose(type);
  H5Aclose(attribute_id);
}

static void expect_written_counts(hid_t file, const char *prefix, size_t parts) {
  static const char *const names[] = {"met", "not_met", "unknown"};
  double found[CELLS * CRITERIA], counts[3];
  char name[64];
  for (int which = 0; which < 3; which++) {
    snprintf(name, sizeof name, "%s%s", prefix, names[which]);
    read_numbers(file, name, parts * CRITERIA, found);
    for (size_t i = 0; i < parts * CRITERIA; i++) {
      const size_t rows = ROWS / parts, part = i / CRITERIA;
      count_criterion(i % CRITERIA, part * rows, (part + 1) * rows, counts);
      cr_expect_eq(found[i], counts[which], "%s[%zu]", name, i);
    }
  }
  snprintf(name, sizeof name, "%sprobability", prefix);
  read_numbers(file, name, parts * CRITERIA, found);
  for (size_t i = 0; i < parts; i++) {
    count_criterion(0, i * ROWS / parts, (i + 1) * ROWS / parts, counts);
    expect_near(name, found[i * CRITERIA], counts[0] / (counts[0] + counts[1]));
  }
}

static void expect_written_quantiles(hid_t file, const char *name, size_t parts) {
  double found[CELLS * 8 * LEVELS];
  const size_t columns = result->column_count, rows = ROWS / parts;
  cr_assert_leq(columns, 8);
  read_numbers(file, name, parts * columns * LEVELS, found);
  for (size_t i = 0; i < parts * columns; i++)
    for (size_t l = 0; l < LEVELS; l++)
      expect_near(
          name, found[i * LEVELS + l],
          quantile(i % columns, i / columns * rows, (i / columns + 1) * rows, s->levels[l]));
}

Test(written, file_has_what_the_rows_have) {
  run_study(STUDY);
  const hid_t file = write_and_open();
  double sum = 0, histogram[CELLS * 8 * BINS];
  cr_expect_eq(attribute(file, "/statistics", "confidence"), 0.9);
  cr_expect_eq(attribute(file, "/statistics", "per_cell"), PER_CELL);
  cr_expect_eq(attribute(file, "/statistics/correlation", "count"), ROWS);
  expect_text(file, "interval", "wilson");
  expect_written_counts(file, "", 1);
  expect_written_counts(file, "cell_", CELLS);
  expect_written_quantiles(file, "quantiles", 1);
  expect_written_quantiles(file, "cell_quantiles", CELLS);
  read_numbers(file, "cell_histogram", CELLS * result->column_count * BINS, histogram);
  for (int b = 0; b < BINS; b++) sum += histogram[b];
  cr_expect_eq(sum, PER_CELL, "all values of the first column in the first cell");
  H5Fclose(file);
  end_study();
}

/* Words of a dimension, of which the first and the last are compared. */
static void expect_words(hid_t file, const char *path, size_t count, const char *first,
                         const char *last) {
  char *words[16] = {0};
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(dataset),
              type = H5Dget_type(dataset);
  cr_assert_eq((size_t)H5Sget_simple_extent_npoints(space), count, "%s", path);
  cr_assert_gt(H5Tis_variable_str(type), 0, "%s", path);
  cr_assert_geq(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words), 0);
  cr_expect(words[0] && strcmp(words[0], first) == 0, "%s", path);
  cr_expect(words[count - 1] && strcmp(words[count - 1], last) == 0, "%s", path);
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, words);
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(dataset);
}

Test(written, file_names_its_dimensions_and_leaves_nothing_open) {
  run_study(STUDY);
  const hid_t file = write_and_open();
  expect_words(file, "/statistics/quantity", 6, "mass", "stop_time");
  expect_words(file, "/statistics/criterion", CRITERIA, "far", "stops");
  expect_words(file, "/statistics/correlation/parameter", 3, "mass", "brake_torque");
  expect_words(file, "/statistics/step_error/quantity", 6, "mass", "stop_time");
  expect_words(file, "/statistics/step_error/criterion", CRITERIA, "far", "stops");
  H5Fclose(file);
  omr_hdf5 h5;
  FILE *disk = tmpfile();
  cr_assert_not_null(disk);
  omr_hdf5_create(&h5, fileno(disk));
  omr_statistics_write(s, &h5);
  cr_assert_not(h5.failed);
  cr_expect_eq(H5Fget_obj_count(h5.file, H5F_OBJ_DATASET | H5F_OBJ_GROUP | H5F_OBJ_ATTR), 0);
  omr_hdf5_close(&h5);
  fclose(disk);
  end_study();
}

/* Pairs of cells that the run tells apart are those of the observable, and parameters have none. */
static void expect_written_verdicts(hid_t file) {
  double pairs[8], missed[3], accepted[3];
  read_numbers(file, "step_error/pairs", result->column_count, pairs);
  for (size_t q = 0; q < result->column_count; q++) {
    const omr_step_quantity *step = omr_step_quantity_of(s, q);
    cr_expect_eq(pairs[q], step ? (double)step->ranking.pairs : 0, "%zu", q);
  }
  cr_expect_gt(pairs[column_of("final_x")], 0);
  read_numbers(file, "step_error/missed", 3, missed);
  read_numbers(file, "step_error/accepted", 3, accepted);
  for (int i = 0; i < 3; i++) cr_expect_eq(missed[i], i == 0);
  expect_near("accepted", accepted[2], 0.02 * 20);
}

/* Sizes of errors are no less than 0, and the median no more than the largest; of criteria as many
 * change sides as the run and the shortest step tell. */
Test(written, file_has_the_step_error) {
  run_study(STUDY);
  const hid_t file = write_and_open();
  const omr_step_error *e = s->step_error;
  const size_t x = column_of("final_x");
  double median[8], worst[8], used[8], flips[CRITERIA], gained[CRITERIA], lost[CRITERIA], here = 0;
  read_numbers(file, "step_error/instance_median", result->column_count, median);
  read_numbers(file, "step_error/instance_worst", result->column_count, worst);
  read_numbers(file, "step_error/used", result->column_count, used);
  cr_expect_eq(used[x], (double)e->refined.sample.count);
  cr_expect(0 < median[x] && median[x] <= worst[x], "%g, %g", median[x], worst[x]);
  read_numbers(file, "step_error/flips", CRITERIA, flips);
  read_numbers(file, "step_error/gained", CRITERIA, gained);
  read_numbers(file, "step_error/lost", CRITERIA, lost);
  for (size_t place = 0; place < e->refined.sample.count; place++)
    here += (omr_refined_row(&e->refined, 0, place)[x] > 70) !=
            (omr_refined_row(&e->refined, 2, place)[x] > 70);
  cr_expect_eq(gained[0] + lost[0], here);
  expect_near("flips", flips[0], here / (double)e->refined.sample.count);
  expect_written_verdicts(file);
  H5Fclose(file);
  end_study();
}

/* Where a result has statistics and a step error already, new ones take their place. */
Test(written, step_error_is_replaced) {
  run_study(STUDY);
  omr_refined refined;
  omr_error error = {0};
  const omr_refined *old = &s->step_error->refined;
  cr_assert_eq(omr_refined_make(study, &refined, &error), OMR_OK);
  memcpy(refined.values, old->values,
         ((size_t)old->sample.levels + 1) * old->sample.count * old->columns * sizeof(double));
  memcpy(refined.status, old->status, ((size_t)old->sample.levels + 1) * old->sample.count);
  const double before = omr_step_quantity_of(s, column_of("final_x"))->mean.error;
  cr_assert_eq(omr_step_error_keep(study, &refined, result, &error), OMR_OK);
  cr_expect_eq(omr_step_quantity_of(s, column_of("final_x"))->mean.error, before);
  end_study();
}

/* Not inlined: gcc 12 takes what open_memstream gives for a pointer to the variable that holds it.
 */
static __attribute__((noinline)) char *summary_of(void) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  omr_print_summary(result, out);
  fclose(out);
  return text;
}

/* One instance of few seconds: the value that is missing is told, and the error by the step. */
Test(written, summary_of_one_instance_tells_the_step_error_and_what_has_no_value) {
  run_study("{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"}, \"output\": "
            "{\"observables\": [\"final_x\", \"stop_time\"]}, \"integrator\": {\"step\": 0.02, "
            "\"duration\": 4}, \"statistics\": {}}");
  char *text = summary_of();
  const char *missing = strstr(text, "  stop_time ");
  cr_assert_not_null(missing, "%s", text);
  cr_expect_eq(strncmp(missing + strcspn(missing, "n"), "no value\n", 9), 0, "%s", text);
  cr_assert_gt(result->record.refined_steps, 0);
  cr_expect_not_null(strstr(text, " shorter ones for the step error"), "%s", text);
  cr_expect_not_null(strstr(text, "by the step: 1 instance run again with half the step"), "%s",
                     text);
  free(text);
  end_study();
}

/* Passes per vehicle and second: their number over instances times duration. */
Test(written, summary_of_controlled_steps_tells_passes_per_second) {
  run_study(
      "{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"}, \"vary\": [{\"path\": "
      "\"mass\", \"values\": [20, 30]}], \"integrator\": {\"method\": \"dormand_prince\", "
      "\"tolerance\": 1e-6, \"duration\": 4}, \"statistics\": {}}");
  char *text = summary_of(), expected[64];
  snprintf(expected, sizeof expected, " %.0f per vehicle and second",
           result->record.instance_steps / (2 * 4.0));
  cr_expect_not_null(strstr(text, expected), "%s is not in %s", expected, text);
  free(text);
  end_study();
}

/* Results without statistics get those that their study asks for, if their rows are the study's
 * from its first on; chosen instances the plain ones, which know no criteria. */
Test(written, summary_of_chosen_instances_has_no_criteria) {
  uint64_t *numbers = malloc(ROWS * sizeof *numbers);
  run_study(STUDY);
  for (size_t k = 0; k < ROWS; k++) numbers[k] = k;
  omr_statistics_destroy(result->statistics);
  result->statistics = NULL;
  free(result->numbers);
  result->numbers = numbers;
  char *whole = summary_of();
  cr_expect_not_null(strstr(whole, "  far  "), "%s", whole);
  numbers[ROWS - 1]++;
  char *chosen = summary_of();
  cr_expect_null(strstr(chosen, "  far  "), "%s", chosen);
  free(whole);
  free(chosen);
  end_study();
}
