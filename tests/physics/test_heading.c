/* The loop that holds the heading, and limits of the rates asked of wheels: poles of the sampled
 * loop, the gyro, and what is left of the drift of a loaded vehicle
 * (appendix/drives.md#drives). */
#include "result/result.h"
#include "shared/motion.h"

#include "host/study/designs/draws.h"
#include "host/study/study.h"

#define STILL "parameters.initial={\"vx\":0,\"vz\":0,\"yaw_rate\":0}"
/* Rollers that are not inclined roll as ideal ones do. */
#define ROLLS "parameters.contact.law=ideal_rolling", "parameters.wheel.inclination=0"
/* Wheels that follow what they are asked for within 2 ms, of a loop sampled every second. */
#define DRIVEN(kp, ki) "parameters.wheel.drive={\"type\":\"body\",\"kp\":" #kp ",\"ki\":" #ki "}"
#define FOLLOWS                                                                                    \
  "parameters.wheels=[{},{},{}]", DRIVEN(30, 300), "parameters.controller_period=\"1 ms\""
#define SAMPLED "output={\"trajectories\":{\"instances\":[0],\"interval\":\"1 s\"}}"
#define PERIOD 1.0
#define BIAS 0.01

/* Yaw of the traced instance at sample n. */
static double yaw_at(const omr_result *r, size_t n) {
  return r->vehicle_samples[OMR_VS_YAW][n];
}

static omr_result *run_held(const char *hold, const char *duration) {
  char command[320], time[64];
  snprintf(command, sizeof command,
           "parameters.command={\"type\":\"constant\",\"heading_hold\":{\"period\":\"1 s\","
           "\"gyro_bias\":%g,%s}}",
           BIAS, hold);
  snprintf(time, sizeof time, "integrator.duration=%s", duration);
  return run_study(vehicle_text, OVERRIDES(STILL, ROLLS, FOLLOWS, SAMPLED, command, time));
}

/* Errors of the loop from the sampled yaws: the heading asked for stays 0. */
static double error_of(const omr_result *r, size_t n) {
  return -yaw_at(r, n) - BIAS * PERIOD * (double)n;
}

/* A vehicle that turns as it is asked obeys e[n+1] = e[n] - T u[n] - b T, u[n] = k e[n] + k_i T
 * sum e + k_d (e[n] - e[n-1])/T, late by `late` samples. The wheels take about 2 ms, a
 * five-hundredth of a sample. */
static void expect_recursion(const char *hold, const double gain[3], int late) {
  omr_result *r = run_held(hold, "20 s");
  double error = 0, before = 0, sum = 0, asked[32] = {0}, size = 0;
  for (int n = 0; n <= 20; n++) {
    sum += error;
    asked[n] = gain[0] * error + gain[1] * PERIOD * sum + gain[2] * (error - before) / PERIOD;
    size = fmax(size, fabs(error));
    cr_expect_float_eq(error_of(r, (size_t)n), error, 0.01 * size + 1e-12, "%s, sample %d: %g, %g",
                       hold, n, error_of(r, (size_t)n), error);
    before = error;
    error -= PERIOD * (n >= late ? asked[n - late] : 0) + BIAS * PERIOD;
  }
  omr_result_destroy(r);
}

Test(heading, the_loop_obeys_its_recursion) {
  expect_recursion("\"gain\":0.4", (double[]){0.4, 0, 0}, 0);
  expect_recursion("\"gain\":0.4,\"delay\":\"1 s\"", (double[]){0.4, 0, 0}, 1);
  expect_recursion("\"gain\":0.1,\"delay\":\"3 s\"", (double[]){0.1, 0, 0}, 3);
  expect_recursion("\"gain\":0.4,\"integral_gain\":0.06", (double[]){0.4, 0.06, 0}, 0);
  expect_recursion("\"gain\":0.4,\"rate_gain\":0.3", (double[]){0.4, 0, 0.3}, 0);
  expect_recursion("\"gain\":0.2,\"integral_gain\":0.02,\"delay\":\"1 s\"",
                   (double[]){0.2, 0.02, 0}, 1);
}

/* The error nears -b/k by the pole 1 - k T. */
Test(heading, the_error_decays_by_the_pole_of_the_sampled_loop) {
  static const double gains[] = {0.1, 0.2, 0.4, 0.7, 1.4};
  for (size_t i = 0; i < sizeof gains / sizeof *gains; i++) {
    char hold[32];
    snprintf(hold, sizeof hold, "\"gain\":%g", gains[i]);
    omr_result *r = run_held(hold, "2 s");
    const double rest = -BIAS / gains[i], pole = (error_of(r, 2) - rest) / (error_of(r, 1) - rest);
    cr_log_info("gain %g: pole %.4f, 1 - k T is %.4f", gains[i], pole, 1 - gains[i] * PERIOD);
    cr_expect_float_eq(pole, 1 - gains[i] * PERIOD, 0.01, "gain %g: %g", gains[i], pole);
    omr_result_destroy(r);
  }
}

/* Whether the distance to the rest grows from the tenth sample to the thirtieth. */
static bool grows(double gain, const char *delay) {
  char hold[64];
  snprintf(hold, sizeof hold, "\"gain\":%g,\"delay\":\"%s\"", gain, delay);
  omr_result *r = run_held(hold, "30 s");
  double early = 0, late = 0;
  for (size_t n = 0; n < 6; n++) {
    early = fmax(early, fabs(error_of(r, 5 + n) + BIAS / gain));
    late = fmax(late, fabs(error_of(r, 24 + n) + BIAS / gain));
  }
  omr_result_destroy(r);
  return late > early;
}

Test(heading, the_loop_is_unstable_beyond_two_and_with_a_delay_of_a_period_beyond_one) {
  cr_expect(!grows(1.9 / PERIOD, "0 s"));
  cr_expect(grows(2.1 / PERIOD, "0 s"));
  cr_expect(!grows(0.95 / PERIOD, "1 s"));
  cr_expect(grows(1.05 / PERIOD, "1 s"));
}

/* A delay of half a period acts for the second half: e[n+1] = e[n] - T/2 (u[n-1] + u[n]) - b T. */
Test(heading, a_delay_of_half_a_period_acts_for_the_other_half) {
  omr_result *r = run_held("\"gain\":0.4,\"delay\":\"0.5 s\"", "15 s");
  double error = 0, before = 0;
  for (size_t n = 0; n <= 15; n++) {
    cr_expect_float_eq(error_of(r, n), error, 2e-4, "sample %zu: %g, %g", n, error_of(r, n), error);
    const double next = error - 0.5 * PERIOD * 0.4 * (error + before) - BIAS * PERIOD;
    before = error;
    error = next;
  }
  omr_result_destroy(r);
}

/* A run says so. */
Test(heading, a_loop_that_grows_is_warned_of) {
  omr_result *r = run_held("\"gain\":2.1", "1 s");
  cr_expect_not_null(
      strstr(r->warnings, "the sampled loop of the heading in instance 0 is unstable"), "%s",
      r->warnings);
  cr_expect_not_null(strstr(r->warnings, "by 0.95 or less"), "%s", r->warnings);
  omr_result_destroy(r);
  r = run_held("\"gain\":1.05,\"delay\":\"1 s\"", "1 s");
  cr_expect_not_null(strstr(r->warnings, "is unstable"), "%s", r->warnings);
  omr_result_destroy(r);
  r = run_held("\"gain\":0.95,\"delay\":\"1 s\"", "1 s");
  cr_expect_null(strstr(r->warnings, "heading"), "%s", r->warnings);
  omr_result_destroy(r);
}

/* ---- the gyro */

#define NOISY(seed)                                                                                \
  "parameters.command={\"type\":\"constant\",\"heading_hold\":{\"gain\":0,\"period\":\"10 ms\","   \
  "\"gyro_noise\":0.02" seed "}}"
#define ERRORS "output.observables=[\"heading_error\",\"final_yaw\"]"
/* A vehicle at rest, for 50 samples of a noisy gyro. */
#define LISTENS STILL, FOLLOWS, NOISY(""), ERRORS, "integrator.duration=0.505"

/* What the gyro adds to its heading in n samples, of a seed: Philox and Box and Muller by the
 * host's means. */
static double added_by_noise(double seed, int samples) {
  double sum = 0;
  for (int n = 1; n <= samples; n++) {
    uint64_t bits[2];
    omr_draw_for(OMR_FOR_GYRO, (uint64_t)seed, (uint64_t)n, 0, bits);
    const double u = ((double)((uint32_t)bits[0] >> 9) + 0.5) * 0x1p-23,
                 v = ((double)(bits[0] >> 41) + 0.5) * 0x1p-23;
    sum += 0.01 * 0.02 * sqrt(-2 * log(u)) * sin(2 * M_PI * v);
  }
  return sum;
}

Test(heading, noise_is_drawn_from_the_seed_of_each_instance) {
  enum { INSTANCES = 400, SAMPLES = 50 };
  const char *const overrides[] = {
      LISTENS, "vary=[{\"path\":\"platform.mass\",\"uniform\":[10,11]}]",
      "design={\"type\":\"monte_carlo\",\"instances\":400,\"seed\":5}", NULL};
  omr_result *r = run_study(vehicle_text, overrides);
  omr_study *study = make_study(vehicle_text, NULL, overrides);

  double square = 0, product = 0, last = 0;
  for (size_t k = 0; k < INSTANCES; k++) {
    const double found = value_of(r, "heading_error", k);
    cr_expect_float_eq(found, -added_by_noise(omr_gyro_seed(study, k), SAMPLES), 1e-15,
                       "instance %zu", k);
    square += found * found;
    product += found * last;
    last = found;
  }

  /* Standard deviation sigma T sqrt n, to 4 standard errors; neighbours have nothing in common. */
  const double expected = 0.02 * 0.01 * sqrt(SAMPLES), sd = sqrt(square / INSTANCES);
  cr_expect_float_eq(sd / expected, 1, 4 / sqrt(2.0 * INSTANCES), "%g, %g", sd, expected);
  cr_expect_lt(fabs(product / square), 4 / sqrt(INSTANCES));
  omr_study_destroy(study);
  omr_result_destroy(r);
}

/* An instance that is run again by itself has its noise, not that of another number. */
Test(heading, a_single_vehicle_keeps_its_noise) {
  omr_error error = {0};
  omr_study *study = make_study(
                vehicle_text, NULL,
                OVERRIDES(LISTENS, "vary=[{\"path\":\"platform.mass\",\"values\":[10,11,12]}]")),
            *made = NULL;
  omr_study_of_instances(study, "2", NULL, &made, &error);
  cr_assert_not_null(made, "%s", error.message);
  omr_result *single = run_made(made);
  cr_expect_float_eq(value_of(single, "heading_error", 0),
                     -added_by_noise(omr_gyro_seed(study, 2), 50), 1e-15);
  omr_result_destroy(single);
  omr_study_destroy(study);
}

Test(heading, a_given_seed_is_that_of_all_instances) {
  omr_result *r =
      run_study(vehicle_text, OVERRIDES(STILL, FOLLOWS, NOISY(",\"gyro_seed\":281474976710655"),
                                        ERRORS, "integrator.duration=0.5",
                                        "vary=[{\"path\":\"platform.mass\",\"values\":[10,11]}]"));
  const double expected = -added_by_noise(281474976710655.0, 49);
  cr_expect_float_eq(value_of(r, "heading_error", 0), expected, 1e-15);
  cr_expect_float_eq(value_of(r, "heading_error", 1), expected, 1e-15);
  omr_result_destroy(r);
}

/* A vehicle that turns twice around: what the gyro has of it is scaled, and has the bias. */
Test(heading, scale_and_bias_of_the_gyro_add_up) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES(STILL, ROLLS, FOLLOWS, ERRORS, "integrator.duration=7.005",
                "parameters.command={\"type\":\"constant\",\"yaw_rate\":2,\"heading_hold\":{"
                "\"gain\":0,\"period\":\"10 ms\",\"gyro_scale\":0.9,\"gyro_bias\":0.03},"
                "\"wheel_limit\":{\"acceleration\":20}}"));
  const double yaw = value_of(r, "final_yaw", 0);
  cr_expect_gt(yaw, 12);
  cr_expect_float_eq(value_of(r, "heading_error", 0), 2 * 7.005 - (0.9 * yaw + 0.03 * 7.005), 1e-9);
  omr_result_destroy(r);
}

/* Heading asked for and the gyro's are those of the end, wherever it lies between samples of the
 * loop and of the controllers, which come every 20 ms and every ms. */
Test(heading, the_error_is_that_of_the_end) {
  static const char *const ends[] = {"0.5", "0.513", "0.52", "0.5134", "0.0004"};
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    char duration[48];
    snprintf(duration, sizeof duration, "integrator.duration=%s", ends[k]);
    omr_result *r =
        run_study(vehicle_text,
                  OVERRIDES(STILL, ROLLS, FOLLOWS, ERRORS, duration, "integrator.step=\"0.1 ms\"",
                            "parameters.command={\"type\":\"constant\",\"yaw_rate\":0.4,"
                            "\"heading_hold\":{\"gain\":3,\"period\":\"20 ms\"}}"));
    const double expected = 0.4 * atof(ends[k]) - value_of(r, "final_yaw", 0);
    cr_expect_float_eq(value_of(r, "heading_error", 0), expected, 1e-12, "%s s: %.9g, not %.9g",
                       ends[k], value_of(r, "heading_error", 0), expected);
    omr_result_destroy(r);
  }
}

/* ---- a robot that is loaded off centre, on its way 2 m to the right */

static double drift(const char *more) {
  omr_result *result = run_file("studies/how-to/heading_hold.json",
                                OVERRIDES(more, "vary=[]", "design={\"type\":\"grid\"}", "ask=null",
                                          "parameters.command.heading_hold.gyro_noise=0"));
  const double yaw = value_of(result, "yaw_deviation", 0);
  omr_result_destroy(result);
  return yaw;
}

Test(heading, a_load_off_centre_turns_the_robot_less_with_the_loop) {
  const double without = drift("parameters.command.heading_hold.gain=0"),
               with = drift("parameters.command.heading_hold.gain=3");
  cr_log_info("drift of the heading: %.4f deg without the loop, %.4f deg with it",
              without * 180 / M_PI, with * 180 / M_PI);
  cr_expect_gt(fabs(without), 5e-3);
  cr_expect_lt(fabs(with), 0.1 * fabs(without));
}

/* ---- limits of the rates asked of wheels */

#define LIMITED(limit)                                                                             \
  "parameters.command={\"type\":\"constant\",\"vx\":0.6,\"vz\":0.2,\"wheel_limit\":" limit "}"
#define ENDS                                                                                       \
  "output={\"observables\":[\"final_vx\",\"final_vz\",\"final_yaw_rate\"],"                        \
  "\"trajectories\":{\"instances\":[0],\"interval\":\"0.1 s\"}}"

static omr_result *run_limited(const char *command, const char *duration) {
  return run_study(vehicle_text, OVERRIDES(STILL, ROLLS, FOLLOWS, ENDS, command, duration));
}

static double rate_at(const omr_result *r, size_t sample, int wheel) {
  return r->wheel_samples[OMR_WS_RATE][sample * 3 + (size_t)wheel];
}

static double fastest_wheel(const omr_result *r, size_t sample) {
  double most = 0;
  for (int i = 0; i < 3; i++) most = fmax(most, fabs(rate_at(r, sample, i)));
  return most;
}

Test(wheel_limits, together_they_keep_the_direction_and_each_by_itself_they_do_not) {
  omr_result *together =
                 run_limited(LIMITED("{\"rate\":3,\"acceleration\":20}"), "integrator.duration=1"),
             *each = run_limited(LIMITED("{\"rate\":3,\"acceleration\":20,\"limit\":\"each\"}"),
                                 "integrator.duration=1");
  cr_expect_float_eq(fastest_wheel(together, 10), 3, 1e-2, "%g", fastest_wheel(together, 10));
  cr_expect_float_eq(fastest_wheel(each, 10), 3, 1e-2, "%g", fastest_wheel(each, 10));
  const double vx = value_of(together, "final_vx", 0), vz = value_of(together, "final_vz", 0);
  cr_expect_float_eq(vz / vx, 0.2 / 0.6, 2e-3, "%g, %g", vx, vz);
  cr_expect_lt(fabs(value_of(together, "final_yaw_rate", 0)), 1e-3);
  cr_expect_gt(fabs(value_of(each, "final_yaw_rate", 0)), 0.05);
  omr_result_destroy(together);
  omr_result_destroy(each);
}

Test(wheel_limits, rates_asked_for_rise_at_the_acceleration) {
  omr_result *r = run_limited(LIMITED("{\"acceleration\":4}"), "integrator.duration=0.5");
  for (size_t s = 1; s <= 5; s++)
    cr_expect_float_eq(fastest_wheel(r, s), 4 * 0.1 * (double)s, 0.02, "%zu: %g", s,
                       fastest_wheel(r, s));
  cr_expect_float_eq(value_of(r, "final_vz", 0) / value_of(r, "final_vx", 0), 0.2 / 0.6, 2e-3);
  omr_result_destroy(r);
}
