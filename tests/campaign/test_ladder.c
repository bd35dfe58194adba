/* The step that an accuracy needs, by `omniroll plan`: against the exact solution of a wheelset
 * (tests/statistics/test_step_error.c). */
#include "../../host/campaign/step_ladder.h"
#include "../../host/study/derived.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define WHEELSET                                                                                   \
  "{\"model\": \"wheelset\","                                                                      \
  " \"parameters\": {\"radius\": 0.15, \"half_track\": 0.3, \"left_wheel\": {\"mass\": 2, "        \
  "\"axial_inertia\": 0.02},"                                                                      \
  "                  \"rod\": {\"mass\": 3}, \"plane\": {\"slope\": 0.08, \"direction\": 0}, "     \
  "\"initial\": {\"vx\": 0.9}},"                                                                   \
  " \"vary\": [{\"path\": \"initial.yaw_rate\", \"linspace\": [1, 3, 8]}],"                        \
  " \"design\": {\"type\": \"grid\"},"                                                             \
  " \"integrator\": {\"method\": \"heun\", \"step\": 0.02, \"duration\": 2, \"accept\": "          \
  "{\"final_vx\": \"0.1 mm/s\"}},"                                                                 \
  " \"engine\": {\"backend\": \"openmp\"}}"

static omr_study *read(const char *const *overrides, size_t count) {
  omr_study *study;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(WHEELSET, "s.json", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static omr_ladder climb(const omr_study *study, double budget) {
  omr_ladder ladder;
  omr_error error = {0};
  cr_assert_eq(omr_ladder_climb(study, budget, &ladder, &error), OMR_OK, "%s", error.message);
  return ladder;
}

/* Error of the mean speed over the grid: Heun's method sums the acceleration a cos(W t) by the
 * trapezoidal rule. */
static double true_error(double step) {
  const double a = 7 * 9.81 * sin(0.08) / (7 + 2 * 0.02 / (0.15 * 0.15));
  double sum = 0;
  for (int i = 0; i < 8; i++) {
    const double rate = 1 + 2.0 * i / 7, half = rate * step / 2;
    sum += a / rate * sin(2 * rate) *
           (half / tan(half) - 1); /* of the rule over the integral, summed exactly */
  }
  return fabs(sum / 8);
}

Test(ladder, finds_the_longest_step_that_is_accepted) {
  static const char *const accepts[] = {"integrator.accept={\"final_vx\": \"0.1 mm/s\"}",
                                        "integrator.accept={\"final_vx\": \"10 mm/s\"}",
                                        "integrator.accept={\"final_vx\": \"1e-3 mm/s\"}"};
  static const double most[] = {1e-4, 1e-2, 1e-6};
  for (size_t i = 0; i < 3; i++) {
    omr_study *study = read(&accepts[i], 1);
    const omr_ladder ladder = climb(study, 20);
    cr_assert_str_empty(ladder.why_not);
    cr_expect_not(ladder.extrapolated);
    cr_expect_geq(ladder.count, 3);
    for (size_t j = 0; j < ladder.count; j++)
      cr_expect_float_eq(ladder.rung[j].worst * most[i], true_error(ladder.rung[j].step),
                         0.05 * true_error(ladder.rung[j].step), "step %g: %g of %g",
                         ladder.rung[j].step, ladder.rung[j].worst, most[i]);
    const double error = true_error(ladder.needed);
    cr_expect(error <= most[i] && error > most[i] / 2, "%s: %g has %g", accepts[i], ladder.needed,
              error);
    const double steps = 2 / ladder.needed;
    cr_expect_float_eq(steps, round(steps), 1e-9 * steps,
                       "the duration is no whole number of steps of %.17g s", ladder.needed);
    omr_study_destroy(study);
  }
}

/* Time between samples, and controllers' periods: a step of theirs is no step of all. */
Test(ladder, takes_steps_in_which_all_times_fit) {
  static const char *const traced[] = {
      "output.trajectories={\"instances\": [0], \"interval\": 0.3}", "integrator.duration=2.1",
      "integrator.step=0.05"};
  omr_study *study = read(traced, 3);
  cr_expect_eq(omr_study_common_steps(study), 6); /* of 42 and 6 */
  const omr_ladder ladder = climb(study, 20);
  for (size_t j = 0; j < ladder.count; j++) {
    const double steps = 0.3 / ladder.rung[j].step;
    cr_expect_float_eq(steps, round(steps), 1e-9 * steps);
  }
  const omr_study longer = omr_study_with_steps(study, 2, 6);
  cr_expect_float_eq(longer.time.step, 0.15, 1e-15);
  cr_expect(longer.time.steps == 14 && longer.traces.stride == 2);
  omr_study_destroy(study);
}

Test(ladder, says_why_it_measures_nothing) {
  static const char *const off[] = {"integrator.accept={}", "integrator.step_error=measure"};
  omr_study *study = read(off, 2);
  cr_expect_not_null(strstr(climb(study, 20).why_not, "no accuracy is asked for"));
  omr_study_destroy(study);
  static const char *const slow[] = {"integrator.step=1e-7"};
  study = read(slow, 1);
  const omr_ladder ladder = climb(study, 0.05);
  cr_expect_not_null(strstr(ladder.why_not, "takes too long"), "%s", ladder.why_not);
  cr_expect_eq(ladder.count, 0);
  omr_study_destroy(study);
}

/* Time is up before a step is short enough: the power law of the last two goes on. */
Test(ladder, extrapolates_where_time_is_up) {
  static const char *const fine[] = {"integrator.accept={\"final_vx\": \"1e-10 mm/s\"}",
                                     "integrator.step=0.1"};
  omr_study *study = read(fine, 2);
  const omr_ladder ladder = climb(study, 1e3);
  cr_expect_eq(ladder.count, OMR_LADDER_RUNGS);
  cr_assert(ladder.extrapolated);
  cr_expect_float_eq(true_error(ladder.needed), 1e-13, 0.5e-13, "%g: %g", ladder.needed,
                     true_error(ladder.needed));
  omr_study_destroy(study);
}

/* Values of the first level: the run itself needs what came out of the one before. */
Test(ladder, takes_the_first_level_of_an_adaptive_design) {
  static const char *const adaptive[] = {
      "vary=[{\"path\": \"initial.yaw_rate\", \"normal\": [2, 0.3]}]",
      "design={\"type\": \"subset_simulation\", \"instances\": 500}",
      "statistics={\"fail\": \"final_vx > 2 m/s\"}"};
  omr_study *study = read(adaptive, 3);
  const omr_ladder ladder = climb(study, 20);
  cr_assert_str_empty(ladder.why_not);
  cr_expect_geq(ladder.count, 2);
  cr_expect_gt(ladder.rung[0].worst, 0);
  omr_study_destroy(study);
}
