/* What a bench says of measurements that are made up here. */
#include "../../host/bench/bench.h"
#include "../../host/bench/cases.h"
#include "../../host/support/support.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static omr_bench_row row(const char *name, double speed, double spread) {
  omr_bench_row r = {
      .section = OMR_BENCH_METHODS, .steps_per_second = speed, .spread = spread, .registers = -1};
  r.operations_per_step = r.flops = r.fraction_of_peak = r.bytes_per_step = r.build_seconds =
      r.transfer_seconds = (double)NAN;
  r.peak_flops = r.ratio = r.deviation = (double)NAN;
  r.spill_bytes = r.private_bytes = -1;
  snprintf(r.name, sizeof r.name, "%s", name);
  return r;
}

static omr_bench made_up(omr_bench_peak *peak, omr_bench_row *rows) {
  *peak = (omr_bench_peak){
      .backend = "openmp", .isa = "avx2", .precision = "double", .fma_flops = 100e9};
  peak->fma_first = 100e9;
  peak->fma_last = 95e9;
  rows[0] = row("one", 2e6, 1.1);
  rows[1] = row("two", 1e6, 3.0);
  rows[2] = row("three", 1e6, 1.05);
  return (omr_bench){.peaks = peak, .peak_count = 1, .rows = rows, .row_count = 3};
}

/* 5 % between the peaks, and half of the rows below 15 %: idle. 11 %, or two of three rows above:
 * not. */
Test(bench_report, other_work_shows_in_peaks_and_rounds) {
  omr_bench_peak peak;
  omr_bench_row rows[3];
  omr_bench bench = made_up(&peak, rows);
  cr_expect_not(omr_bench_was_busy(&bench));
  peak.fma_last = 89e9;
  cr_expect(omr_bench_was_busy(&bench), "the later peak is 11 %% lower");
  peak.fma_last = 112e9;
  cr_expect(omr_bench_was_busy(&bench), "the earlier one is");
  peak.fma_last = 100e9;
  rows[0].spread = 1.2;
  cr_expect(omr_bench_was_busy(&bench), "half of the rows have rounds that differ by a fifth");
  rows[0].spread = (double)NAN; /* measured once */
  rows[1].spread = 1.0;
  cr_expect_not(omr_bench_was_busy(&bench));
}

static char *printed(const omr_bench *bench) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  omr_bench_print(bench, out);
  fclose(out);
  return text;
}

/* Columns that no row knows are left out; a row without numbers says why. */
Test(bench_report, the_table_shows_what_is_known) {
  omr_bench_peak peak;
  omr_bench_row rows[3];
  omr_bench bench = made_up(&peak, rows);
  snprintf(rows[2].error, sizeof rows[2].error, "no such device");
  char *text = printed(&bench);
  cr_expect_not_null(strstr(text, "three  not measured: no such device\n"), "%s", text);
  cr_expect_not_null(strstr(text, "2.000e+06"));
  cr_expect_null(strstr(text, "spill B"), "no row knows its spills");
  free(text);
  rows[0].spill_bytes = 0;
  text = printed(&bench);
  cr_expect_not_null(strstr(text, "spill B"), "one knows that it has none");
  free(text);
}

Test(bench_report, sections_are_chosen_by_name) {
  unsigned sections;
  omr_error error = {0};
  cr_expect_eq(omr_bench_parse_sections("laws,threads", &sections, &error), OMR_OK);
  cr_expect_eq(sections, 1u << OMR_BENCH_LAWS | 1u << OMR_BENCH_THREADS);
  cr_expect_eq(omr_bench_parse_sections("law", &sections, &error), OMR_ERR_USAGE);
  cr_expect_not_null(strstr(error.message, "did you mean \"laws\"?"), "%s", error.message);
}

/* The yardstick of section accuracy is that of tests/bench, with which other measurements are made.
 */
Test(bench_report, yardstick_is_that_of_the_tests) {
  char *text;
  size_t length;
  cr_assert_eq(omr_read_file("tests/bench/yardstick.json", &text, &length, NULL), OMR_OK);
  cJSON *file = cJSON_Parse(text), *own = cJSON_Parse(bench_yardstick);
  cr_assert(file && own);
  cr_expect(cJSON_Compare(file, own, true));
  cJSON_Delete(file);
  cJSON_Delete(own);
  free(text);
}
