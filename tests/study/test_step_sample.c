/* Which instances a run takes again with shorter steps, and how many. */
#include "../../host/study/step_sample.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* `instances` of the design below, or what the override says of it. */
#define STUDY                                                                                      \
  "{\"model\": \"omni_vehicle\", \"vary\": [{\"path\": \"wheel.rollers\", \"values\": [6, 8, 9, "  \
  "10, 12, 15]},"                                                                                  \
  " {\"path\": \"wheel.friction\", \"uniform\": [0.2, 0.8]}, {\"path\": \"platform.mass\", "       \
  "\"values\": [5, 8, 11, 15]}],"                                                                  \
  " \"design\": {\"type\": \"monte_carlo\", \"instances\": 100, \"seed\": 3},"                     \
  " \"statistics\": {\"fail\": \"max_slip > 1 m/s\"},"                                             \
  " \"integrator\": {\"step\": 1e-4, \"duration\": 1}}"

static omr_study *read(const char *first, const char *second) {
  const char *const overrides[] = {first, second};
  omr_study *study;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(STUDY, "sample.json", overrides, second ? 2 : 1, &study, &error),
               OMR_OK, "%s", error.message);
  return study;
}

static omr_step_sample sample_of(const char *first, const char *second) {
  omr_study *study = read(first, second);
  const omr_step_sample sample = omr_step_sample_of(study);
  cr_expect_leq(sample.count, OMR_STEP_SAMPLE_MOST);
  for (size_t i = 0; i < sample.count; i++) {
    cr_expect_lt(sample.row[i], sample.of);
    cr_expect(i == 0 || sample.row[i] > sample.row[i - 1], "ascending, none twice");
  }
  omr_study_destroy(study);
  return sample;
}

/* Of few instances 8 with half the step, and with a quarter where that is done at once: 8 (2 + 4)
 * times 40 000 steps are, 50 000 are more than 2 million. Of many 16 to 32 as far as a tenth of the
 * work allows, a quarter of the step wherever that leaves 16: (2 + 4) 16 = 96 of 960 instances. */
Test(step_sample, takes_so_many_that_the_work_stays_within_a_tenth) {
  static const struct {
    const char *design, *duration;
    size_t count;
    int levels;
  } cases[] = {
      {"design.instances=1", "2", 1, 2},     {"design.instances=1", "20", 1, 2},
      {"design.instances=1", "40", 1, 1},    {"design.instances=5", "2", 5, 2},
      {"design.instances=5", "20", 5, 1},    {"design.instances=100", "4", 8, 2},
      {"design.instances=100", "5", 8, 1},   {"design.instances=479", "5", 8, 1},
      {"design.instances=480", "5", 8, 2},   {"design.instances=499", "5", 8, 2},
      {"design.instances=500", "5", 24, 1},  {"design.instances=500", "0.01", 24, 1},
      {"design.instances=640", "5", 32, 1},  {"design.instances=959", "5", 32, 1},
      {"design.instances=960", "5", 16, 2},  {"design.instances=1000", "5", 16, 2},
      {"design.instances=1500", "5", 24, 2}, {"design.instances=2000000", "5", 32, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char duration[40];
    snprintf(duration, sizeof duration, "integrator.duration=%s", cases[i].duration);
    omr_study *study = read(cases[i].design, duration);
    const omr_step_sample sample = omr_step_sample_of(study);
    cr_expect_eq(sample.count, cases[i].count, "%s, %s s: %zu", cases[i].design, cases[i].duration,
                 sample.count);
    cr_expect_eq(sample.levels, cases[i].levels, "%s, %s s: %d", cases[i].design, cases[i].duration,
                 sample.levels);
    cr_expect(study->instances < 480 || omr_step_sample_cost(study, &sample) <= 0.1, "%s",
              cases[i].design);
    omr_study_destroy(study);
  }
}

/* With a tolerance a hundredth of it, in about 4.64 times the work: of few instances 16 where the
 * nominal steps of 1 ms that they take are 200 000 at most, 16 4.64 2 s / 1 ms are, else 8. A tenth
 * where single precision (1e-5), or double (1e-11), does not resolve less. A ten-thousandth too, in
 * 26.2 times the work, where packs of 8 of few instances take 2 000 000 steps at most: up to 9.5 s.
 * Blurred are those with friction, one level and a tolerance above a hundred times 1e-5. */
#define WITH(tolerance, duration)                                                                  \
  "integrator={\"tolerance\": " tolerance ", \"duration\": " duration "}"

Test(step_sample, of_a_tolerance_is_a_hundredth_of_it) {
  static const struct {
    const char *design, *more;
    size_t count;
    int decades, levels;
    bool blurred;
  } cases[] = {
      {"design.instances=1", WITH("1e-3", "2"), 1, 2, 2, false},
      {"design.instances=1", WITH("0.01", "9.5"), 1, 2, 2, false},
      {"design.instances=1", WITH("0.01", "9.6"), 1, 2, 1, true},
      {"design.instances=1", WITH("1e-3", "60"), 1, 2, 1, false},
      {"design.instances=64", WITH("1e-3", "2"), 16, 2, 2, false},
      {"design.instances=64", WITH("1e-3", "3"), 8, 2, 2, false},
      {"design.instances=500", WITH("0.01", "2"), 16, 2, 1, true},
      {"design.instances=1000", WITH("1e-3", "2"), 16, 2, 1, false},
      {"design.instances=8000", WITH("1e-3", "2"), 32, 2, 1, false},
      {"design.instances=64", WITH("1e-7", "2"), 16, 2, 2, false},
      {"design.instances=64", WITH("1e-8", "2"), 16, 2, 1, false},
      {"design.instances=64", WITH("1e-10", "2"), 16, 1, 1, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const omr_step_sample sample = sample_of(cases[i].design, cases[i].more);
    cr_expect_eq(sample.count, cases[i].count, "%s, %s: %zu", cases[i].design, cases[i].more,
                 sample.count);
    cr_expect_eq(sample.decades, cases[i].decades, "%s: %d", cases[i].more, sample.decades);
    cr_expect_eq(sample.levels, cases[i].levels, "%s: %d", cases[i].more, sample.levels);
    cr_expect_eq(sample.blurred, cases[i].blurred, "%s", cases[i].more);
    cr_expect_eq(omr_step_sample_parts(&sample, 1), cases[i].decades > 1 ? 100 : 10);
  }
}

Test(step_sample, follows_from_study_and_seed_alone) {
  const omr_step_sample sample = sample_of("design.instances=1000", NULL);
  static const char *const engines[] = {"engine.threads=3", "engine.chunk=7",
                                        "engine.backend=opencl", "engine.launch_seconds=1"};
  for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
    const omr_step_sample other = sample_of("design.instances=1000", engines[i]);
    cr_expect_eq(memcmp(&sample, &other, sizeof sample), 0, "%s", engines[i]);
  }
  const omr_step_sample other = sample_of("design.instances=1000", "design.seed=4");
  cr_expect_neq(memcmp(sample.row, other.row, sizeof sample.row), 0);
}

/* One in each of as many equal parts of the rows. */
Test(step_sample, is_spread_over_the_instances) {
  const omr_step_sample sample = sample_of("design.instances=100000", NULL);
  for (size_t i = 0; i < sample.count; i++) cr_expect_eq(sample.row[i] * sample.count / 100000, i);
}

#define NESTED(cells, per_cell)                                                                    \
  "design={\"type\": \"nested\", \"sample\": \"monte_carlo\", \"per_cell\": " per_cell             \
  ", \"seed\": 1}"

/* 24 cells of the two listed parameters. */
Test(step_sample, is_spread_over_the_cells_of_a_nested_design) {
  const omr_step_sample sample = sample_of(NESTED(24, "100"), NULL);
  size_t in_cell[24] = {0}, of_point[100] = {0};
  cr_assert_eq(sample.cells, 24);
  cr_assert_eq(sample.count, 32);
  cr_assert_eq(sample.levels, 2);
  for (size_t i = 0; i < sample.count; i++) {
    in_cell[sample.row[i] / 100]++;
    of_point[sample.row[i] % 100]++;
  }
  size_t points = 0, everywhere = 0;
  for (size_t c = 0; c < 24; c++)
    cr_expect(in_cell[c] == 1 || in_cell[c] == 2, "cell %zu: %zu", c, in_cell[c]);
  for (size_t p = 0; p < 100; p++) {
    points += of_point[p] > 0;
    everywhere += of_point[p] == 24;
  }
  cr_expect_eq(points, 2);
  cr_expect_eq(everywhere, 1, "every cell has the same point");
}

/* More cells than instances: 6 x 40 cells of 6. */
Test(step_sample, of_more_cells_takes_some_that_can_be_compared) {
  const omr_step_sample sample = sample_of(
      NESTED(240, "6"), "vary[2]={\"path\": \"platform.mass\", \"linspace\": [5, 15, 40]}");
  size_t of_point[6] = {0}, points = 0;
  cr_assert_eq(sample.cells, 240);
  cr_assert_eq(sample.count, 24);
  for (size_t i = 0; i < sample.count; i++) {
    cr_expect(i == 0 || sample.row[i] / 6 > sample.row[i - 1] / 6, "no cell twice");
    of_point[sample.row[i] % 6]++;
  }
  for (size_t p = 0; p < 6; p++) {
    points += of_point[p] > 0;
    cr_expect(of_point[p] != 1,
              "an instance that no other has the point of tells nothing of the ranking");
  }
  cr_expect_eq(points, 4);
}

/* Rows that every run has: the first looks of a stopping rule, the first level of a subset
 * simulation. */
Test(step_sample, of_an_adaptive_run_is_of_what_comes_first) {
  omr_step_sample sample =
      sample_of("design.instances=100000",
                "statistics.stop={\"quantity\": \"fail\", \"width\": 0.01, \"at_least\": 2000}");
  cr_expect_eq(sample.of, 64);
  cr_expect_eq(sample.count, 32);
  sample =
      sample_of("design.instances=40", "statistics.stop={\"quantity\": \"fail\", \"width\": 0.01}");
  cr_expect_eq(sample.of, 40);
  cr_expect_eq(sample.count, 8);
  sample = sample_of("vary=[{\"path\": \"wheel.friction\", \"uniform\": [0.2, 0.8]}]",
                     "design={\"type\": \"subset_simulation\", \"instances\": 1000, \"seed\": 1}");
  cr_expect_eq(sample.of, 1000);
  cr_expect_eq(sample.count, 16);
}

Test(step_sample, is_empty_where_it_is_off_or_cannot_be_counted) {
  cr_expect_eq(sample_of("integrator.step_error=off", NULL).count, 0);
  omr_step_sample sample =
      sample_of("integrator.duration=1000", "engine.precision=single"); /* 1e7 steps of 2^24 */
  cr_expect_eq(sample.count, 0);
  cr_expect_not_null(strstr(sample.why_not, "single precision"));
  sample = sample_of("design.instances=1000", "integrator.duration=500");
  cr_expect_eq(sample.levels, 2);
  omr_study *study = read("integrator.duration=500",
                          "engine.precision=single"); /* 1e7 steps at half the step, not 2e7 */
  study->instances = 1000;
  cr_expect_eq(omr_step_sample_of(study).levels, 1);
  omr_study_destroy(study);
}
