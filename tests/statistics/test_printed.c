/* What is printed of statistics, word by word: small ensembles are run, and what is printed of them
 * is compared with printed.txt beside this file. To renew it after a table was changed on purpose:
 * run this test with OMNIROLL_RENEW=1, and read the difference. The numbers have so few digits that
 * the last bits of the mathematical library do not matter. */
#define _GNU_SOURCE /* open_memstream */
#include "result/result.h"
#include "statistics/statistics.h"
#include "support/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define RECORD "tests/statistics/printed.txt"
#define START "{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"}, "
#define VARY                                                                                       \
  "\"vary\": [{\"path\": \"mass\", \"uniform\": [20, 30]}, {\"path\": \"radius\", \"uniform\": "   \
  "[0.25, 0.35]}, {\"path\": \"brake.torque\", \"uniform\": [0, 40]}], "
#define KEPT "\"output\": {\"observables\": [\"final_x\", \"max_speed\", \"stop_time\"]}, "
#define SIX                                                                                        \
  "\"vary\": [{\"path\": \"mass\", \"uniform\": [25, 25.001]}, {\"path\": \"radius\", "            \
  "\"uniform\": "                                                                                  \
  "[0.3, 0.30001]}, {\"path\": \"inertia\", \"uniform\": [1.125, 1.1251]}, {\"path\": "            \
  "\"gravity\", \"uniform\": [9.81, 9.8101]}, {\"path\": \"drive.torque\", \"uniform\": [20, "     \
  "20.001]}, {\"path\": \"brake.torque\", \"uniform\": [40, 40.001]}], "
#define KEPT_TWO "\"output\": {\"observables\": [\"final_x\", \"drive_work\"]}, "
#define SHORT "\"integrator\": {\"step\": 0.02, \"duration\": 4}, "

static const struct {
  const char *name, *text;
} cases[] = {
    {"draws, criteria, the error of a coarse step", START VARY KEPT
     "\"integrator\": {\"step\": 0.1, \"duration\": 20, \"accept\": {\"final_x\": 1e-9}}, "
     "\"design\": {\"type\": \"monte_carlo\", \"instances\": 200, \"seed\": 3}, "
     "\"statistics\": {\"fail\": {\"far\": \"final_x > 70 m\", \"stops\": \"stop_time < 20 s\"}, "
     "\"quantiles\": [0.05, 0.5, 0.95], \"histogram\": 8}}"},
    {"Sobol indices",
     START VARY KEPT SHORT "\"design\": {\"type\": \"saltelli\", \"groups\": 32, \"seed\": 3}, "
                           "\"statistics\": {\"fail\": {\"far\": \"final_x > 6 m\"}}}"},
    {"elementary effects",
     START VARY KEPT SHORT "\"design\": {\"type\": \"morris\", \"trajectories\": 8, \"seed\": 3}}"},
    {"cells",
     START "\"vary\": [{\"path\": \"mass\", \"values\": [20, 25, 30]}, {\"path\": \"radius\", "
           "\"uniform\": [0.25, 0.35]}], " KEPT "\"integrator\": {\"step\": 0.1, \"duration\": 4}, "
           "\"design\": {\"type\": \"nested\", \"sample\": \"sobol\", \"per_cell\": 16, \"seed\": "
           "1, \"common_random_numbers\": true}, "
           "\"statistics\": {\"fail\": {\"far\": \"final_x > 6 m\"}}}"},
    {"six parameters, and observables that the step limits",
     START SIX KEPT_TWO "\"integrator\": {\"step\": 0.4, \"duration\": 20}, "
                        "\"design\": {\"type\": \"monte_carlo\", \"instances\": 40, \"seed\": 3}}"},
    {"observables that the tolerance limits", START SIX KEPT_TWO
     "\"integrator\": {\"method\": \"dormand_prince\", \"tolerance\": 0.01, \"duration\": 20}, "
     "\"design\": {\"type\": \"monte_carlo\", \"instances\": 40, \"seed\": 3}}"},
    {"one instance", START KEPT SHORT "\"statistics\": {}}"},
};

static void print_case(size_t i, FILE *out) {
  omr_study *study;
  omr_result *result;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(cases[i].text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s: %s",
               cases[i].name, error.message);
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s: %s", cases[i].name,
               error.message);
  fprintf(out, "== %s\n", cases[i].name);
  omr_statistics_print(result->statistics, out);
  omr_statistics_print_quantiles(result->statistics, out);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

static void renew(const char *text) {
  FILE *file = fopen(RECORD, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  fclose(file);
}

/* The first line that differs. */
static void expect_same(const char *printed, const char *recorded) {
  for (int line = 1; *printed || *recorded; line++) {
    const size_t a = strcspn(printed, "\n"), b = strcspn(recorded, "\n");
    cr_assert(a == b && !strncmp(printed, recorded, a), "line %d is\n%.*s\nand was\n%.*s", line,
              (int)a, printed, (int)b, recorded);
    printed += a + (printed[a] == '\n');
    recorded += b + (recorded[b] == '\n');
  }
}

Test(printed, every_table_reads_as_it_did) {
  char *text = NULL, *recorded = NULL;
  size_t size;
  omr_error error = {0};
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) print_case(i, out);
  fclose(out);
  if (getenv("OMNIROLL_RENEW")) renew(text);
  cr_assert_eq(omr_read_file(RECORD, &recorded, &size, &error), OMR_OK, "%s", error.message);
  expect_same(text, recorded);
  free(text);
  free(recorded);
}
