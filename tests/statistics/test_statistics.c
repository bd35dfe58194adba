/* Statistics of made rows: exact cases, what is used and left out, cells, and the same numbers
 * whatever the memory and threads.
 */
#include "../../host/statistics/statistics.h"
#include "made_source.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum { MASS, FINAL_X, MAX_SPEED, STOP_TIME, COLUMNS };
static const omr_sample_info info[] = {{"mass", "kg", "mass"},
                                       {"final_x", "m", "way"},
                                       {"max_speed", "m s-1", "speed"},
                                       {"stop_time", "s", "time"}};

/* One value for ever. */
static omr_status repeated_read(omr_source *source, size_t column, size_t first, size_t count,
                                double *values, omr_error *error) {
  (void)source, (void)column, (void)first, (void)error;
  for (size_t i = 0; i < count; i++) values[i] = 1;
  return OMR_OK;
}

static omr_status repeated_status(omr_source *source, size_t first, size_t count, int8_t *codes,
                                  double *times, omr_error *error) {
  (void)source, (void)first, (void)error;
  for (size_t i = 0; i < count; i++) codes[i] = 0;
  for (size_t i = 0; times && i < count; i++) times[i] = 1;
  return OMR_OK;
}

static const omr_source_ops repeated_ops = {repeated_read, repeated_status, NULL, NULL, NULL};

/* A study whose columns are those above; in a nested one mass has the levels 1, 2, 3 and radius is
 * drawn, but not looked at. */
static omr_study *study_of(const char *design, const char *statistics) {
  char text[2000];
  const bool nested = strstr(design, "nested");
  omr_study *study;
  omr_error error = {0};
  snprintf(text, sizeof text,
           "{\"model\": \"uk_wheel\", \"integrator\": {\"step\": 1e-3, \"duration\": 1}, \"vary\": "
           "[{\"path\": \"mass\", %s}%s],"
           "\"design\": {%s}, \"output\": {\"observables\": [\"final_x\", \"max_speed\", "
           "\"stop_time\"]}, \"statistics\": {%s}}",
           nested ? "\"values\": [1, 2, 3]" : "\"uniform\": [1, 3]",
           nested ? ", {\"path\": \"radius\", \"uniform\": [1, 2]}" : "", design, statistics);
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

#define DRAWN "\"type\": \"monte_carlo\", \"instances\": 1000"

static omr_statistics *computed(const omr_study *study, made_source *made) {
  omr_statistics *s;
  omr_error error = {0};
  cr_assert_eq(omr_statistics_compute(study, &made->source, &s, &error), OMR_OK, "%s",
               error.message);
  return s;
}

/* Of one column of a source of one column. */
static omr_statistics *of_values(const double *values, size_t count) {
  made_source made = make_source(count, 1, 0, info + FINAL_X, &values, NULL);
  omr_study *study = study_of(DRAWN, "");
  omr_statistics *s = computed(study, &made);
  omr_study_destroy(study);
  return s;
}

Test(statistics, moments_of_whole_numbers_are_exact) {
  double values[1001];
  for (int i = 0; i < 1001; i++) values[i] = (double)(i * 5 % 1001); /* 0 to 1000, mixed */
  omr_statistics *s = of_values(values, 1001);
  const omr_moments *m = &s->quantities[0].moments;
  cr_expect_eq(m->used, 1001);
  cr_expect_eq(m->min, 0);
  cr_expect_eq(m->max, 1000);
  cr_expect_float_eq(m->mean, 500, 1e-12);
  cr_expect_float_eq(omr_variance_of(m), 1001.0 * 1002 / 12, 1e-9, "n (n + 1)/12");
  cr_expect_float_eq(s->quantities[0].quantiles[0], 50, 1e-12);
  cr_expect_eq(s->quantities[0].quantiles[2], 500);
  omr_statistics_destroy(s);
}

/* NIST StRD, NumAcc3 and NumAcc4 (highest difficulty): 1001 values, mean 1000000.2 and 10000000.2,
 * standard deviation 0.1. */
Test(statistics, nists_hard_cases_keep_their_digits) {
  static const double whole[] = {1000000, 10000000};
  double values[1001];
  for (int k = 0; k < 2; k++) {
    values[0] = whole[k] + 0.2;
    for (int i = 1; i < 1001; i++) values[i] = whole[k] + (i % 2 ? 0.1 : 0.3);
    omr_statistics *s = of_values(values, 1001);
    const omr_moments *m = &s->quantities[0].moments;
    cr_expect_float_eq(m->mean, whole[k] + 0.2, nextafter(whole[k], HUGE_VAL) - whole[k]);
    cr_expect_float_eq(omr_deviation_of(m), 0.1, nextafter(whole[k], HUGE_VAL) - whole[k],
                       "values are stored to within this");
    omr_statistics_destroy(s);
  }
}

/* 1 to 10: mean 5.5, deviation sqrt(55/6), t of 9 degrees of freedom 2.2621571627982 (mpmath). */
Test(statistics, the_mean_has_students_interval) {
  double values[10];
  for (int i = 0; i < 10; i++) values[i] = i + 1;
  omr_statistics *s = of_values(values, 10);
  const omr_moments *m = &s->quantities[0].moments;
  const omr_bounds b = omr_mean_bounds(m, 0.95);
  const double half = 2.2621571627982 * sqrt(55.0 / 6 / 10);
  cr_expect_float_eq(omr_standard_error_of(m), sqrt(55.0 / 6 / 10), 1e-15);
  cr_expect_float_eq(b.low, 5.5 - half, 1e-12);
  cr_expect_float_eq(b.high, 5.5 + half, 1e-12);
  omr_statistics_destroy(s);
  s = of_values(values, 1);
  cr_expect(isnan(omr_variance_of(&s->quantities[0].moments)), "one value has no spread");
  cr_expect(isnan(omr_mean_bounds(&s->quantities[0].moments, 0.95).low));
  omr_statistics_destroy(s);
}

#define NONE (double)NAN

/* Rows: ok, ok without final_x, lifted, ok, diverged, invalid, ok. */
static const double mass[] = {1, 2, 3, 4, 5, 6, 7}, way[] = {1, NONE, 30, 2, 40, NONE, 6},
                    speed[] = {1, 2, 9, 3, 9, NONE, 0},
                    stop[] = {NONE, NONE, NONE, NONE, NONE, NONE, NONE};
static const double *const rows[] = {mass, way, speed, stop};
static const int8_t codes[] = {0, 0, 1, 0, 2, 5, 0};

static void expect_counts(const omr_criterion *c, uint64_t met, uint64_t not_met, uint64_t unknown,
                          uint64_t left_out) {
  const omr_criterion_counts *n = &c->counts;
  cr_expect(n->met == met && n->not_met == not_met && n->unknown == unknown &&
                n->left_out == left_out,
            "%s: %zu %zu %zu %zu instead of %zu %zu %zu %zu", c->name, n->met, n->not_met,
            n->unknown, n->left_out, met, not_met, unknown, left_out);
}

Test(statistics, failed_instances_enter_nothing_silently) {
  made_source made = make_source(7, COLUMNS, 1, info, rows, codes);
  omr_study *study = study_of(
      DRAWN, "\"fail\": {\"far\": \"final_x > 1.5 m\", \"either\": \"far || max_speed > 1.5\", "
             "\"lost\": \"status != ok\", \"bad\": \"lost || far\", \"light\": \"mass < 3.5 kg\"}, "
             "\"quantiles\": [0.5]");
  omr_statistics *s = computed(study, &made);
  static const uint64_t statuses[OMR_INSTANCE_STATUS_COUNT] = {4, 1, 1, 0, 0, 1, 0};
  for (int i = 0; i < OMR_INSTANCE_STATUS_COUNT; i++) cr_expect_eq(s->by_status[i], statuses[i]);
  cr_expect_eq(s->earliest[2], 4);
  cr_expect_eq(s->quantities[FINAL_X].moments.used, 3);
  cr_expect_eq(s->quantities[FINAL_X].moments.without_value, 1);
  cr_expect_eq(s->quantities[FINAL_X].moments.mean, 3);
  cr_expect_eq(s->quantities[FINAL_X].moments.max, 6);
  cr_expect_eq(s->quantities[FINAL_X].quantiles[0], 2);
  cr_expect_eq(s->quantities[STOP_TIME].moments.used, 0);
  cr_expect(isnan(s->quantities[STOP_TIME].moments.mean) &&
            isnan(s->quantities[STOP_TIME].quantiles[0]));
  cr_expect_eq(s->quantities[MASS].moments.max, 7);
  cr_expect_eq(s->quantities[MASS].moments.mean, 3.5, "parameters of ok instances alone");
  cr_expect_eq(s->quantities[MASS].most, 7, "but the range of all");
  expect_counts(&s->criteria[0], 2, 1, 1, 3);
  expect_counts(&s->criteria[1], 3, 1, 0, 3); /* row 1: unknown || true */
  expect_counts(&s->criteria[2], 3, 4, 0, 0);
  expect_counts(&s->criteria[3], 5, 1, 1, 0); /* row 1 is unknown */
  expect_counts(&s->criteria[4], 2, 2, 0, 3);
  cr_expect_eq(omr_probability_of(&s->criteria[0].counts), 2.0 / 3);
  omr_statistics_destroy(s);
  omr_study_destroy(study);
}

/* Histogram counts against the edges one by one. */
Test(statistics, a_histogram_counts_every_value_once) {
  enum { COUNT = 5000 };
  static double values[COUNT];
  static const double *const columns[] = {values};
  uint64_t state = 3;
  for (int i = 0; i < COUNT; i++) values[i] = floor(noise(&state) * 50) / 10; /* many on edges */
  made_source made = make_source(COUNT, 1, 0, info, columns, NULL);
  omr_study *study = study_of(DRAWN, "\"histogram\": 7");
  omr_statistics *s = computed(study, &made);
  const omr_quantity *q = &s->quantities[0];
  uint64_t sum = 0;
  cr_expect_eq(q->edges[0], 0);
  cr_expect_eq(q->edges[7], 4.9);
  for (int b = 0; b < 7; b++) {
    uint64_t count = 0;
    for (int i = 0; i < COUNT; i++)
      count += values[i] >= q->edges[b] &&
               (values[i] < q->edges[b + 1] || (b == 6 && values[i] == q->edges[7]));
    cr_expect_eq(q->histogram[b], count);
    sum += count;
  }
  cr_expect_eq(sum, COUNT);
  omr_statistics_destroy(s);
  for (int i = 0; i < COUNT; i++) values[i] = 4;
  s = computed(study, &made);
  cr_expect_eq(s->quantities[0].edges[0], 2, "a single value has half of itself on each side");
  cr_expect_eq(s->quantities[0].edges[7], 6);
  cr_expect_eq(s->quantities[0].histogram[3], COUNT);
  omr_statistics_destroy(s);
  omr_study_destroy(study);
}

enum { CELLS = 3, PER_CELL = 30000, MANY = CELLS * PER_CELL };
static double many[COLUMNS][MANY];
static int8_t many_codes[MANY];

static made_source make_many(void) {
  static const double *const columns[] = {many[0], many[1], many[2], many[3]};
  uint64_t state = 11;
  for (int i = 0; i < MANY; i++) {
    many[MASS][i] = 1.0 + i / PER_CELL;
    many[FINAL_X][i] = noise(&state) * many[MASS][i];
    many[MAX_SPEED][i] = noise(&state) < 0.5 ? 1.0 : noise(&state);
    many[STOP_TIME][i] = noise(&state) < 0.3 ? (double)NAN : exp(20 * noise(&state));
    many_codes[i] = noise(&state) < 0.05;
  }
  return make_source(MANY, COLUMNS, 1, info, columns, many_codes);
}

static omr_study *nested_study(void) {
  return study_of("\"type\": \"nested\", \"sample\": \"monte_carlo\", \"per_cell\": 30000",
                  "\"fail\": \"final_x > 90 cm\", \"histogram\": 20");
}

static void expect_same_moments(const omr_moments *a, const omr_moments *b) {
  cr_expect(a->used == b->used && a->without_value == b->without_value && a->min == b->min &&
            a->max == b->max && a->mean == b->mean && a->squares == b->squares);
}

/* A cell is what a run of its rows alone would be. */
Test(statistics, a_cell_is_a_run_of_its_own) {
  made_source made = make_many();
  omr_study *study = nested_study(),
            *plain = study_of(DRAWN, "\"fail\": \"final_x > 90 cm\", \"histogram\": 20");
  omr_statistics *whole = computed(study, &made);
  cr_assert_eq(whole->cells.count, CELLS);
  cr_assert_eq(whole->cells.design_count, 1);
  for (size_t cell = 0; cell < CELLS; cell++) {
    const double *columns[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) columns[c] = many[c] + cell * PER_CELL;
    made_source part =
        make_source(PER_CELL, COLUMNS, 1, info, columns, many_codes + cell * PER_CELL);
    omr_statistics *alone = computed(plain, &part);
    cr_expect_eq(whole->cells.values[cell], (double)cell + 1);
    cr_expect_eq(memcmp(whole->cells.by_status + cell * OMR_INSTANCE_STATUS_COUNT, alone->by_status,
                        sizeof alone->by_status),
                 0);
    cr_expect_eq(memcmp(&whole->cells.criteria[cell], &alone->criteria[0].counts,
                        sizeof alone->criteria[0].counts),
                 0);
    for (size_t q = 0; q < COLUMNS; q++) {
      expect_same_moments(&whole->cells.moments[cell * COLUMNS + q], &alone->quantities[q].moments);
      cr_expect_eq(memcmp(whole->cells.quantiles + (cell * COLUMNS + q) * whole->quantile_count,
                          alone->quantities[q].quantiles, whole->quantile_count * sizeof(double)),
                   0);
    }
    omr_statistics_destroy(alone);
  }
  for (size_t q = 0; q < COLUMNS; q++) { /* the cells' bins add up to those of the whole */
    for (int b = 0; b < whole->bins; b++) {
      uint64_t sum = 0;
      for (size_t cell = 0; cell < CELLS; cell++)
        sum += whole->cells.histogram[(cell * COLUMNS + q) * (size_t)whole->bins + (size_t)b];
      cr_expect_eq(sum, whole->quantities[q].histogram[b]);
    }
  }
  omr_statistics_destroy(whole);
  omr_study_destroy(study);
  omr_study_destroy(plain);
}

static void expect_same(const omr_statistics *a, const omr_statistics *b) {
  const size_t numbers = a->cells.count * a->quantity_count;
  for (size_t q = 0; q < a->quantity_count; q++) {
    expect_same_moments(&a->quantities[q].moments, &b->quantities[q].moments);
    cr_expect_eq(memcmp(a->quantities[q].quantiles, b->quantities[q].quantiles,
                        a->quantile_count * sizeof(double)),
                 0);
    cr_expect_eq(memcmp(a->quantities[q].edges, b->quantities[q].edges,
                        (size_t)(a->bins + 1) * sizeof(double)),
                 0);
    cr_expect_eq(memcmp(a->quantities[q].histogram, b->quantities[q].histogram,
                        (size_t)a->bins * sizeof(uint64_t)),
                 0);
  }
  cr_expect_eq(
      memcmp(a->cells.quantiles, b->cells.quantiles, numbers * a->quantile_count * sizeof(double)),
      0);
  cr_expect_eq(
      memcmp(a->cells.histogram, b->cells.histogram, numbers * (size_t)a->bins * sizeof(uint64_t)),
      0);
}

/* Memory for all rows, for a cell, for less than a cell, and for nearly nothing; threads. */
Test(statistics, neither_memory_nor_threads_change_a_bit) {
  static const size_t memories[] = {MANY, PER_CELL, 1000, 1};
  made_source made = make_many();
  omr_study *study = nested_study();
  omp_set_num_threads(1);
  omr_statistics *one = computed(study, &made);
  omp_set_num_threads(3);
  omr_statistics *other = computed(study, &made);
  expect_same(one, other);
  for (int m = 0; m < 4; m++) {
    memset(other->cells.histogram, 0, CELLS * COLUMNS * (size_t)other->bins * sizeof(uint64_t));
    cr_assert_eq(omr_statistics_spread(other, &made.source, memories[m], NULL), OMR_OK);
    expect_same(one, other);
  }
  omr_statistics_destroy(one);
  omr_statistics_destroy(other);
  omr_study_destroy(study);
}

Test(statistics, the_last_cell_may_be_cut_short) {
  made_source made = make_many();
  omr_study *study = nested_study();
  made.source.rows = PER_CELL + 10;
  omr_statistics *s = computed(study, &made);
  cr_expect_eq(s->cells.count, 2);
  cr_expect_eq(s->cells.by_status[OMR_INSTANCE_STATUS_COUNT] +
                   s->cells.by_status[OMR_INSTANCE_STATUS_COUNT + 1],
               10);
  omr_statistics_destroy(s);
  omr_study_destroy(study);
}

/* What could fill the memory at the end of a long run is left out and said. */
Test(statistics, too_many_cells_are_refused_in_words) {
  static double zeros[1];
  static const double *const columns[] = {zeros, zeros, zeros, zeros};
  omr_study *study = study_of("\"type\": \"nested\", \"sample\": \"monte_carlo\", \"per_cell\": 1",
                              "\"quantiles\": [], \"histogram\": 0");
  made_source made = make_source(1, COLUMNS, 1, info, columns, NULL);
  omr_statistics *s = computed(study, &made);
  cr_expect(s->cells.count == 1 && s->cells.refused == 0);
  omr_statistics_destroy(s);
  made.source.ops = &repeated_ops;
  made.source.rows = 900000;
  s = computed(study, &made);
  cr_expect(s->cells.count == 0 && s->cells.refused == 900000);
  cr_expect_eq(s->quantities[MASS].moments.used, 900000);
  omr_statistics_destroy(s);
  omr_study_destroy(study);
}

static void print_json(const omr_statistics *s, FILE *out) {
  cr_expect(omr_statistics_print_json(s, out));
}

static char *printed(const omr_statistics *s, void (*print)(const omr_statistics *, FILE *)) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  print(s, out);
  fclose(out);
  return text;
}

Test(statistics, json_reads_back_to_the_same_bits) {
  made_source made = make_many();
  omr_study *study = nested_study();
  omr_statistics *s = computed(study, &made);
  char *text = printed(s, print_json);
  cJSON *root = cJSON_Parse(text);
  cr_assert_not_null(root, "%.200s", text);
  const cJSON *quantity = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "quantities"), FINAL_X);
  cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(quantity, "name")), "final_x");
  cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(quantity, "mean")),
               s->quantities[FINAL_X].moments.mean);
  const cJSON *cell = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "cells"), 2);
  cr_expect_eq(
      cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(cell, "design"), "mass")), 3);
  const cJSON *fail = cJSON_GetObjectItem(cJSON_GetObjectItem(cell, "criteria"), "fail");
  cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(fail, "probability")),
               omr_probability_of(&s->cells.criteria[2]));
  cJSON_Delete(root);
  free(text);
  omr_statistics_destroy(s);
  omr_study_destroy(study);
}

Test(statistics, people_see_criteria_and_cells) {
  made_source made = make_many();
  omr_study *study = nested_study();
  omr_statistics *s = computed(study, &made);
  char *text = printed(s, omr_statistics_print),
       *spread = printed(s, omr_statistics_print_quantiles), number[64];
  snprintf(number, sizeof number, "%.2g", omr_probability_of(&s->cells.criteria[1]));
  cr_expect_not_null(strstr(text, number));
  cr_expect_not_null(strstr(text, "failed left out"));
  cr_expect_not_null(strstr(text, "95 % interval"));
  cr_expect_not_null(strstr(text, "cells share their draws"));
  snprintf(number, sizeof number, "%12.5g", s->quantities[STOP_TIME].quantiles[4]);
  cr_expect_not_null(strstr(spread, number));
  free(text);
  free(spread);
  omr_statistics_destroy(s);
  omr_study_destroy(study);
}
