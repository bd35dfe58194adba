/* Sampled controllers: poles of the loop, the inertia that it moves, what a user is told; commands
 * that jump. */
#include "host/engine/controllers.h"
#include "host/engine/stability_rates.h"
#include "host/study/grammar/parse.h"
#include "kernels/layout.h"
#include "result/result.h"
#include "shared/motion.h"

#define DRIVEN(kp, ki)                                                                             \
  "parameters.wheels=[{\"drive\":{\"type\":\"speed\",\"speed\":0.01,\"kp\":" kp ",\"ki\":" ki      \
  "}},{},{}]"
#define AT_REST "parameters.initial={\"vx\":0,\"vz\":0,\"yaw_rate\":0}"

/* The wheel of motion.h turns by itself where there is no friction and its rollers are not
 * inclined. */
static const double own = 0.006 + 6 * (0.11 * 0.0822 * 0.0822 + 7e-5), period = 1e-3;

/* Largest error of the rate over the loop's last tenth of many samples, by its recursion; starts
 * at 1. */
static double error_left(double gain, double reset) {
  double error = 1, integral = 0, most = 0;
  for (int k = 0; k < 2000; k++) {
    integral += reset * error;
    error -= gain * error + integral;
    if (!(fabs(error) < 1e9)) return HUGE_VAL;
    if (k >= 1800) most = fmax(most, fabs(error));
  }
  return most;
}

Test(loops, are_called_unstable_where_the_loop_grows) {
  for (double gain = 0.05; gain < 2.5; gain += 0.1) {
    for (double reset = 0.02; reset < 4; reset += 0.13) {
      if (fabs(gain + 0.5 * reset - 2) < 0.02) continue;
      const double left = error_left(gain, reset);
      cr_expect_eq(omr_judge_loop(gain, reset) == OMR_LOOP_UNSTABLE, !(left < 1),
                   "gain %g, reset %g: %g", gain, reset, left);
    }
  }
  cr_expect_eq(omr_judge_loop(0.5, 0), OMR_LOOP_SETTLES, "without an integral part");
  cr_expect_eq(omr_judge_loop(2.1, 0), OMR_LOOP_UNSTABLE);
  cr_expect_eq(omr_judge_loop(-0.1, 0.1), OMR_LOOP_UNSTABLE);
  cr_expect_eq(omr_judge_loop(0.1, -0.1), OMR_LOOP_UNSTABLE);
  cr_expect_eq(omr_judge_loop(0, 0.1), OMR_LOOP_UNSTABLE, "an integral part alone does not settle");
  cr_expect_eq(omr_judge_loop(0, 0), OMR_LOOP_SETTLES, "no controller");
}

/* Of two real poles p and q: gain = 1 - p q, reset = (1 - p)(1 - q). */
Test(loops, are_called_badly_damped_by_their_poles) {
  cr_expect_eq(omr_judge_loop(1 - -0.45 * 0.9, 1.45 * 0.1), OMR_LOOP_SETTLES);
  cr_expect_eq(omr_judge_loop(1 - -0.55 * 0.9, 1.55 * 0.1), OMR_LOOP_ALTERNATES);
  cr_expect_eq(omr_judge_loop(1.45, 0), OMR_LOOP_SETTLES);
  cr_expect_eq(omr_judge_loop(1.55, 0), OMR_LOOP_ALTERNATES);
  /* sampled fast, a loop has the damping ratio kp/(2 sqrt(ki J)) = gain/(2 sqrt(reset)) */
  cr_expect_eq(omr_judge_loop(0.02, 0.01 * 0.01 / (0.7 * 0.7)), OMR_LOOP_SETTLES,
               "0.7 of the critical damping");
  cr_expect_eq(omr_judge_loop(0.02, 0.01 * 0.01 / (0.2 * 0.2)), OMR_LOOP_RINGS, "0.2 of it");
}

/* ---- the inertia */

/* Of the study's first instance; *mass, *yaw: of the whole vehicle, about its centre of mass. */
static double least_inertia(const char *const *overrides, double *mass, double *yaw) {
  omr_error error;
  omr_study *study;
  omr_run_settings settings;
  omr_batch batch;
  omr_values values;
  char reason[400];
  size_t count = 0;
  while (overrides[count]) count++;
  cr_assert_eq(omr_study_parse(vehicle_text, "test", overrides, count, &study, &error), OMR_OK,
               "%s", error.message);
  cr_assert_eq(omr_settings_make(study, &settings, &error), OMR_OK);
  cr_assert(omr_batch_make(&settings, OMR_PAD, &batch));
  omr_study_values(study, 0, &values, NULL);
  cr_assert(omr_prepare_instance(study, &settings, &values, &batch, 0, reason, sizeof reason));
  const double least = omr_least_inertia(settings.integers, batch.params, 0);
  *mass = batch.params[(size_t)P_MASS * OMR_PAD];
  *yaw = 1 / batch.params[(size_t)P_INV_YAW * OMR_PAD];
  omr_batch_free(&batch);
  omr_settings_free(&settings);
  omr_study_destroy(study);
  return least;
}

/* Rollers have no mass under that law. Three wheels at 0.3 m, the centre of mass in the middle:
 * they turn alike when the vehicle yaws, R chi' = 0.3 yaw', and sum chi'^2 = 1.5 (V/R)^2 when it
 * travels. */
#define CENTERED "parameters.platform.center_of_mass.x=0", "parameters.platform.center_of_mass.z=0"

Test(loops, move_the_least_reduced_inertia_while_wheels_roll) {
  double m, yaw;
  const char *const light[] = {CENTERED, "parameters.contact.law=classical_rollers",
                               "parameters.wheel.inclination=0", NULL};
  const char *const heavy[] = {CENTERED, "parameters.contact.law=classical_rollers",
                               "parameters.wheel.inclination=0",
                               "parameters.platform.yaw_inertia=5", NULL};
  double least = least_inertia(light, &m, &yaw);
  cr_expect_float_eq(least, 0.006 + fmin(yaw * 0.01 / (3 * 0.09), m * 0.01 / 1.5), 1e-6 * least,
                     "%g", least);
  least = least_inertia(heavy, &m, &yaw);
  cr_assert_gt(yaw * 0.01 / (3 * 0.09), m * 0.01 / 1.5);
  cr_expect_float_eq(least, 0.006 + m * 0.01 / 1.5, 1e-6 * least, "%g", least);
  const char *const friction[] = {CENTERED, NULL};
  least = least_inertia(friction, &m, &yaw);
  cr_expect_lt(least, own + 1e-3, "the wheel's own: %g", least);
}

/* ---- what a run says, and what it does */

static omr_result *run_loop(const char *drive, const char *duration) {
  return run_study(vehicle_text,
                   OVERRIDES(AT_REST, "parameters.wheel.inclination=0",
                             "integrator.step=\"0.5 ms\"", duration, drive,
                             "parameters.controller_period=\"1 ms\"", "integrator.step_error=off",
                             "output.trajectories={\"instances\":[0],\"interval\":\"1 ms\"}"));
}

/* Poles of the wheel alone: 1 - kp Tc/J, so that kp = J/Tc makes it settle in a sample, and twice
 * that never. */
Test(loops, that_do_not_settle_are_told_of) {
  char drive[200];
  for (int grows = 0; grows < 2; grows++) {
    const double gain = grows ? 2.1 : 1.9;
    snprintf(drive, sizeof drive, DRIVEN("%.17g", "0"), gain * own / period);
    omr_result *r = run_loop(drive, "integrator.duration=0.02");
    const double *rate = r->wheel_samples[OMR_WS_RATE];
    const double first = fabs(rate[1 * 3] - 0.01), last = fabs(rate[20 * 3] - 0.01);
    cr_expect_float_eq(last / first, pow(gain - 1, 19), 1e-6 * last / first, "gain %g: %g %g %g",
                       gain, first, last, pow(gain - 1, 19));
    cr_expect_not_null(
        strstr(r->warnings,
               grows ? "controller: the sampled loop of wheel 0 in instance 0 is unstable"
                     : "controller: the sampled loop of wheel 0 in instance 0 is badly damped"),
        "%s", r->warnings);
    cr_expect_not_null(strstr(r->warnings, "shorten controller_period"), "%s", r->warnings);
    omr_result_destroy(r);
  }
  snprintf(drive, sizeof drive, DRIVEN("%.17g", "%.17g"), 0.2 * own / period,
           0.005 * own / (period * period));
  omr_result *r = run_loop(drive, "integrator.duration=0.01");
  cr_expect_null(strstr(r->warnings, "controller"), "%s", r->warnings);
  omr_result_destroy(r);
}

/* ---- commands that jump */

static double vibration(const char *command, const char *step, const char *word, bool *told) {
  omr_result *r = run_study(vehicle_text, OVERRIDES(AT_REST, "integrator.duration=0.2", step,
                                                    command, "integrator.step_error=off"));
  const double value = value_of(r, word, 0);
  *told =
      strstr(r->warnings,
             "command: the velocity of parameters.command.table jumps from row 1 to row 2") != NULL;
  omr_result_destroy(r);
  return value;
}

#define TABLE(rows) "parameters.command={\"type\":\"table\",\"table\":[" rows "]}"

Test(command, whose_rows_are_closer_than_a_step_leaves_no_value_for_the_vibration) {
  static const char *const words[] = {"vibration_rms", "vibration_peak", "vibration_exchange"};
  const char *const jumps = TABLE("[0,0,0,0],[0.1,0,0,0],[0.1000001,0.5,0,0]");
  bool told;
  for (int i = 0; i < 3; i++) {
    cr_expect(isnan(vibration(jumps, "integrator.step=\"1 ms\"", words[i], &told)) && told, "%s",
              words[i]);
    cr_expect(isfinite(vibration(TABLE("[0,0,0,0],[0.1,0,0,0],[0.101,0.5,0,0]"),
                                 "integrator.step=\"1 ms\"", words[i], &told)) &&
              !told);
    cr_expect(isfinite(vibration("parameters.command={\"type\":\"constant\",\"vx\":0.5}",
                                 "integrator.step=\"1 ms\"", words[i], &told)) &&
                  !told,
              "%s: a constant command is valid", words[i]);
    cr_expect(isfinite(vibration(TABLE("[0,0,0,0],[0.1,0,0,0],[0.1000001,0,0,1]"),
                                 "integrator.step=\"1 ms\"", words[i], &told)) &&
                  !told,
              "yaw alone accelerates no origin");
    cr_expect(isfinite(vibration(TABLE("[0,0,0,0],[0.3,0,0,0],[0.3000001,0.5,0,0]"),
                                 "integrator.step=\"1 ms\"", words[i], &told)) &&
                  !told,
              "after the end");
  }
  cr_expect(isfinite(vibration(jumps, "integrator.step=\"1 ms\"", "max_deviation", &told)),
            "poses have their values");
}
