/* A vehicle that starts rolling: the motion of the body is the least-squares fit of its wheels'
 * rates (docs/reference/vehicle.md#initial-state). */
#include "result/result.h"
#include "shared/motion.h"

/* Mecanum wheels in an X: chi' = -(vx + t vz + (b - t a) omega)/R with t = +-1 and places (a, b).
 * The three columns are orthogonal, so that each motion is a sum of its own. */
static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": 10, \"yaw_inertia\": "
    "0.2, \"center_of_mass\": {\"height\": 0.1}}, \"layout\": {\"type\": \"rectangle\", "
    "\"mecanum\": true, \"half_length\": 0.3, \"half_width\": 0.2}, \"wheel\": {\"radius\": 0.1, "
    "\"rollers\": 9, \"inclination\": \"45 deg\", \"tip_radius\": \"8 mm\", \"slip_speed\": 0.2, "
    "\"drive\": {\"type\": \"rate\"}}, \"initial\": \"rolling\"}, "
    "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"10 ms\", \"stability\": \"ignore\"}, "
    "\"engine\": {\"backend\": \"openmp\"}, \"output\": {\"trajectories\": {\"instances\": [0], "
    "\"interval\": \"10 ms\"}}}";

static const double a[4] = {0.3, 0.3, -0.3, -0.3}, b[4] = {-0.2, 0.2, -0.2, 0.2},
                    t[4] = {1, -1, -1, 1}, radius = 0.1;

static double rate_of(int i, double vx, double vz, double omega) {
  return -(vx + t[i] * vz + (b[i] - t[i] * a[i]) * omega) / radius;
}

/* The first `drives` wheels have rates of a drive; the others none. */
static omr_result *start(const double rate[4], int drives, const char *more) {
  char wheels[400] = "parameters.wheels=[";
  for (int i = 0; i < 4; i++) {
    char one[80] = "{\"drive\":{\"type\":\"none\"}}";
    if (i < drives) snprintf(one, sizeof one, "{\"drive\":{\"rate\":%.17g}}", rate[i]);
    strcat(wheels, i ? "," : "");
    strcat(wheels, one);
  }
  strcat(wheels, "]");
  return run_study(text, (const char *const[]){wheels, more, NULL});
}

static double first(const omr_result *r, int sample) {
  return r->vehicle_samples[sample][0];
}

Test(rolling_start, the_motion_fits_the_rates_best) {
  const double rate[4] = {-3, -7, 2, -4.5};
  double fit[3] = {0}, square = 0;
  for (int i = 0; i < 4; i++) {
    const double turn = b[i] - t[i] * a[i];
    fit[0] -= radius * rate[i] / 4;
    fit[1] -= radius * rate[i] * t[i] / 4;
    fit[2] -= radius * rate[i] * turn;
    square += turn * turn;
  }
  omr_result *r = start(rate, 4, NULL);
  cr_expect_float_eq(first(r, OMR_VS_VX), fit[0], 1e-14);
  cr_expect_float_eq(first(r, OMR_VS_VZ), fit[1], 1e-14);
  cr_expect_float_eq(first(r, OMR_VS_YAW_RATE), fit[2] / square, 1e-14);
  for (int i = 0; i < 4; i++) cr_expect_eq(r->wheel_samples[OMR_WS_RATE][i], rate[i]);
  omr_result_destroy(r);
}

/* Rates of one motion: nothing slips. A wheel without a drive rolls along. */
Test(rolling_start, contacts_do_not_slip_where_the_rates_agree) {
  double rate[4];
  for (int i = 0; i < 4; i++) rate[i] = rate_of(i, 0.4, -0.25, 0.7);
  for (int drives = 3; drives <= 4; drives++) {
    omr_result *r = start(rate, drives, NULL);
    cr_expect_float_eq(first(r, OMR_VS_VX), 0.4, 1e-14);
    cr_expect_float_eq(first(r, OMR_VS_VZ), -0.25, 1e-14);
    cr_expect_float_eq(first(r, OMR_VS_YAW_RATE), 0.7, 1e-14);
    for (int i = 0; i < 4; i++) {
      cr_expect_float_eq(r->wheel_samples[OMR_WS_RATE][i], rate[i], 1e-13);
      cr_expect_lt(fabs(r->wheel_samples[OMR_WS_SLIP_I][i]), 1e-14);
      cr_expect_lt(fabs(r->wheel_samples[OMR_WS_SLIP_K][i]), 1e-14);
    }
    omr_result_destroy(r);
  }
}

/* Spins that the study asks for stay. */
Test(rolling_start, locked_rollers_stay_locked) {
  const double rate[4] = {-5, -5, -5, -5};
  omr_result *r =
      start(rate, 4, "parameters.initial={\"motion\":\"rolling\",\"spins\":\"locked\"}");
  cr_expect_float_eq(first(r, OMR_VS_VX), 0.5, 1e-14);
  omr_result_destroy(r);
  r = start(rate, 4, "parameters.initial={\"motion\":\"rolling\",\"yaw\":0.5}");
  cr_expect_float_eq(first(r, OMR_VS_YAW), 0.5, 1e-15);
  cr_expect_lt(fabs(r->wheel_samples[OMR_WS_SLIP_I][0]), 1e-14);
  omr_result_destroy(r);
}

/* ---- tyres */

#define TYRED(wheels)                                                                              \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"initial\": \"rolling\", \"layout\": "          \
  "{\"type\": \"explicit\"}, \"wheel\": {\"radius\": 0.08, \"kind\": \"plain\"}, \"wheels\": "     \
  "[" wheels "]}, \"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"1 ms\", \"stability\": "  \
  "\"ignore\"}, "                                                                                  \
  "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"1 ms\"}}}"
#define TYRE(x, z, rate)                                                                           \
  "{\"x\": " #x ", \"z\": " #z ", \"drive\": {\"type\": \"rate\", \"rate\": " #rate "}}"

/* On the processor and on the reference. */
static omr_result *start_on(const char *study, int backend) {
  return run_study(study, backend ? OVERRIDES("engine.backend=reference") : OVERRIDES("title=x"));
}

/* The motion of tyres 0.1 m ahead of the origin, 0.4 m apart, at -5 and -8 rad/s. */
static void expect_swing_out(const omr_result *r) {
  const double omega = 0.08 * 3 / 0.4;
  cr_expect_float_eq(first(r, OMR_VS_VX), 0.08 * 6.5, 1e-13);
  cr_expect_float_eq(first(r, OMR_VS_YAW_RATE), omega, 1e-13);
  cr_expect_float_eq(first(r, OMR_VS_VZ), 0.1 * omega, 1e-13);
}

/* Tyres ahead of the origin swing it out by omega x; a caster's wheel and its fork roll along, too:
 * nothing slips. */
Test(rolling_start, tyres_do_not_go_sideways) {
  static const char study[] = TYRED(TYRE(0.1, -0.2, -5) "," TYRE(
      0.1, 0.2,
      -8) ", {\"x\": -0.3, \"z\": 0.1, \"kind\": \"caster\", \"initial\": {\"steer\": 0.7}}");
  for (int k = 0; k < 2; k++) {
    omr_result *r = start_on(study, k);
    expect_swing_out(r);
    for (int i = 0; i < 3; i++) {
      cr_expect_lt(fabs(r->wheel_samples[OMR_WS_SLIP_I][i]), 1e-13, "wheel %d", i);
      cr_expect_lt(fabs(r->wheel_samples[OMR_WS_SLIP_K][i]), 1e-13, "wheel %d: %g", i,
                   r->wheel_samples[OMR_WS_SLIP_K][i]);
    }
    omr_result_destroy(r);
  }
}

/* Tyres that skid: the rates stay, and sideways the slip is least, about the mean place of the
 * four. */
Test(rolling_start, tyres_that_contradict_each_other_change_no_rate) {
  static const char study[] = TYRED(
      TYRE(0.3, -0.2, -5) "," TYRE(0.3, 0.2, -8) "," TYRE(-0.1, -0.2, -5) "," TYRE(-0.1, 0.2, -8));
  for (int k = 0; k < 2; k++) {
    omr_result *r = start_on(study, k);
    expect_swing_out(r);
    omr_result_destroy(r);
  }
}

/* A rate of the fork that the study gives stays. */
Test(rolling_start, a_given_rate_of_a_fork_stays) {
  static const char study[] = TYRED(TYRE(0.1, -0.2, -5) "," TYRE(
      0.1, 0.2,
      -8) ", {\"x\": -0.3, \"z\": 0.1, \"kind\": \"caster\", \"initial\": {\"steer_rate\": "
          "0}}");
  for (int k = 0; k < 2; k++) {
    omr_result *r = start_on(study, k);
    /* The axis goes by vz + omega*0.3 along the axle, and the trail of 3 cm turns with the body. */
    cr_expect_float_eq(fabs(r->wheel_samples[OMR_WS_SLIP_K][2]), 0.6 * (0.1 + 0.3 + 0.03), 1e-12,
                       "%g", r->wheel_samples[OMR_WS_SLIP_K][2]);
    omr_result_destroy(r);
  }
}
