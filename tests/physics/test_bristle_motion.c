/* Vehicles that stand and slide on bristles (appendix/laws.md#friction) against closed forms.
 * A sled is a vehicle whose wheels, rollers and platform are so heavy to turn that it moves level:
 * one mass on bristles of the stiffness sigma_0 M g. */
#include "result/result.h"
#include "shared/bound.h"
#include "shared/motion.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SLED                                                                                       \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","                         \
  "\"contact\": {\"normal\": \"compliant\", \"law\": \"bristle\"},"                                \
  "\"platform\": {\"mass\": 10, \"yaw_inertia\": 1e15, \"roll_inertia\": 1e15, "                   \
  "\"pitch_inertia\": 1e15, \"center_of_mass\": {\"height\": 0.16}},"                              \
  "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.25, \"half_width\": 0.2},"             \
  "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"center_distance\": 0.088, \"friction\": 0.5,"    \
  "\"contact\": {\"stiffness\": 1e5, \"bristle_damping_ratio\": 1},"                               \
  "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 1e12, \"diametral_inertia\": 0.0035},"             \
  "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 1e12, \"diametral_inertia\": 7e-5}}},"          \
  "\"integrator\": {\"step\": \"0.2 ms\", \"duration\": \"0.2 s\"},"                               \
  "\"engine\": {\"backend\": \"scalar\"},"                                                         \
  "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}}"
static const char sled[] = SLED;
static const double mass = 10 + 4 * (1.2 + 8 * 0.11), gravity = 9.81, mu = 0.5, stiffness = 5000;

static const double *samples_of(const omr_result *r, int quantity) {
  cr_assert_not_null(r->vehicle_samples[quantity]);
  return r->vehicle_samples[quantity];
}

static double last_of(const omr_result *r, int quantity) {
  return samples_of(r, quantity)[r->sample_count - 1];
}

/* The sample at the time t, s; samples are 10 ms apart. */
static double at_time(const omr_result *r, int quantity, double t) {
  return samples_of(r, quantity)[lrint(t / 0.01)];
}

static const char *set(char text[400], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *set(char text[400], const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(text, 400, format, values);
  va_end(values);
  return text;
}

/* ---- sticking */

/* x'' + sigma_1 g x' + sigma_0 g x = 0 for a small push: x = v_0/w e^(-zeta w_0 t) sin w t. */
Test(bristle_motion, a_vehicle_that_sticks_swings_on_its_bristles) {
  const double zeta = 0.2, omega0 = sqrt(stiffness * gravity), push = 1e-8;
  const double omega = omega0 * sqrt(1 - zeta * zeta);
  char speed[400];
  omr_result *r = run_study(sled, OVERRIDES("parameters.wheel.contact.bristle_damping_ratio=0.2",
                                            set(speed, "parameters.initial.vx=%.17g", push)));
  double worst = 0;
  for (size_t n = 0; n < r->sample_count; n++) {
    const double t = 0.01 * (double)n, x = push / omega * exp(-zeta * omega0 * t) * sin(omega * t);
    worst = fmax(worst, fabs(samples_of(r, OMR_VS_X)[n] - x) * omega / push);
  }
  cr_log_info("%.2g of the swing off", worst);
  cr_expect_lt(worst, 2e-6);
  omr_result_destroy(r);
}

/* Slowly up to f mu N, and back: bristles bend by -(mu/sigma_0) ln(1 - f), of which
 * -(mu/sigma_0) ln(1 - f^2) stays, so that a small push is elastic: f to f^2. Damped enough not to
 * overshoot: bristles near sliding have the damping ratio zeta sqrt(1 - f). */
Test(bristle_motion, a_push_below_sliding_bends_and_returns_by_the_closed_form) {
  const double parts[] = {0.01, 0.5, 0.9};
  for (int n = 0; n < 3; n++) {
    const double f = parts[n], most = f * mu * mass * gravity;
    char push[400];
    omr_result *r = run_study(
        sled,
        OVERRIDES("integrator.duration=3 s", "parameters.wheel.contact.bristle_damping_ratio=4",
                  set(push,
                      "parameters.external={\"type\": \"table\", \"table\": [[0, 0, 0, 0, 0, "
                      "0, 0], [1, %.17g, 0, 0, 0, 0, 0], [1.5, %.17g, 0, 0, 0, 0, 0], [2.5, "
                      "0, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0]]}",
                      most, most)));
    const double give = -mu / stiffness * log(1 - f), stays = -mu / stiffness * log(1 - f * f);
    cr_expect_float_eq(at_time(r, OMR_VS_X, 1.49) / give, 1, 1e-5, "f = %g: %.9g of %.9g", f,
                       at_time(r, OMR_VS_X, 1.49), give);
    cr_expect_float_eq(last_of(r, OMR_VS_X), stays, 1e-5 * give, "f = %g: %.9g of %.9g", f,
                       last_of(r, OMR_VS_X), stays);
    omr_result_destroy(r);
  }
}

/* A force that grows slowly moves it when it comes to the static friction, not before. */
Test(bristle_motion, a_growing_force_breaks_away_at_static_friction) {
  const double ratios[] = {1, 1.5};
  for (int n = 0; n < 2; n++) {
    const double ratio = ratios[n], most = mu * mass * gravity;
    char push[400], statics[400];
    omr_result *r = run_study(
        sled,
        OVERRIDES("integrator.duration=4 s", "parameters.wheel.contact.stribeck_speed=0.01",
                  set(statics, "parameters.wheel.contact.static_ratio=%g", ratio),
                  set(push,
                      "parameters.external={\"type\": \"table\", \"table\": [[0, 0, 0, 0, 0, 0, "
                      "0], [4, %.17g, 0, 0, 0, 0, 0]]}",
                      2 * most)));
    double broke = 0;
    for (size_t k = 0; k < r->sample_count && broke == 0; k++)
      if (samples_of(r, OMR_VS_VX)[k] > 0.01) broke = 0.01 * (double)k / 4 * 2;
    cr_log_info("static ratio %g: moves at %.4f mu N", ratio, broke);
    /* bristles that bend more and more move it by (mu/sigma_0) f'/(1 - f), 1 cm/s at f = 0.995 */
    cr_expect_gt(broke, ratio * 0.98);
    /* beyond, mu g (f - 1) makes 1 cm/s in the time of 0.045 */
    cr_expect_lt(broke, ratio + 0.05);
    omr_result_destroy(r);
  }
}

/* ---- on a slope */

/* The last five of ten seconds move it by nothing; saturated friction creeps by v_s tan/mu. */
Test(bristle_motion, a_vehicle_on_a_slope_stays_where_it_is) {
  const double angle = 5 * M_PI / 180;
  const char *const slope = "parameters.floor.slope=5 deg";
  omr_result *r = run_study(sled, OVERRIDES(slope, "integrator.duration=10 s",
                                            "parameters.wheel.contact.bristle_damping_ratio=2"));
  const double moved = last_of(r, OMR_VS_X) - at_time(r, OMR_VS_X, 5);
  cr_log_info("moves by %.2g m in 5 s, %.6g m in all", moved, last_of(r, OMR_VS_X));
  cr_expect_lt(fabs(moved), 1e-11); /* its wheels of 1e12 kg m^2 turn by 1.5e-12 m */
  cr_expect_float_eq(last_of(r, OMR_VS_X), mu / stiffness * log(1 - tan(angle) / mu), 1e-8);
  omr_result_destroy(r);
  r = run_study(sled, OVERRIDES(slope, "integrator.duration=10 s",
                                "parameters.contact.law=saturated_coulomb",
                                "parameters.wheel.slip_speed=0.02"));
  const double crept = last_of(r, OMR_VS_X) - at_time(r, OMR_VS_X, 5);
  cr_expect_float_eq(crept / (-5 * 0.02 * tan(angle) / mu), 1, 1e-9, "creeps by %.9g m", crept);
  omr_result_destroy(r);
}

/* Beyond arctan mu it slides: g (sin - mu cos). */
Test(bristle_motion, a_vehicle_on_a_steep_slope_slides_as_the_closed_form) {
  const double angle = 35 * M_PI / 180, pull = gravity * (sin(angle) - mu * cos(angle));
  omr_result *r = run_study(sled, OVERRIDES("parameters.floor.slope=35 deg",
                                            "integrator.duration=0.5 s", "integrator.step=0.1 ms"));
  const double faster = at_time(r, OMR_VS_VX, 0.5) - at_time(r, OMR_VS_VX, 0.3);
  /* along the body, which leans back on its springs by half a milliradian */
  cr_expect_float_eq(faster / (-0.2 * pull), 1, 1e-6, "%.12g", faster / -0.2);
  omr_result_destroy(r);
}

/* ---- sliding */

/* It slows down by g mu, and with the viscous part as v' = -g (mu + sigma_2 v). */
Test(bristle_motion, a_slide_slows_down_by_kinetic_friction) {
  const double viscous = 0.2;
  omr_result *r = run_study(sled, OVERRIDES("parameters.initial.vx=1", "integrator.step=0.1 ms"));
  const double lost = at_time(r, OMR_VS_VX, 0.05) - at_time(r, OMR_VS_VX, 0.15);
  cr_expect_float_eq(lost / (0.1 * mu * gravity), 1, 1e-9, "%.12g", lost);
  omr_result_destroy(r);
  r = run_study(sled, OVERRIDES("parameters.initial.vx=1", "integrator.step=0.1 ms",
                                "parameters.wheel.contact.bristle_viscous=0.2"));
  const double end = (at_time(r, OMR_VS_VX, 0.05) + mu / viscous) * exp(-viscous * gravity * 0.1);
  cr_expect_float_eq(at_time(r, OMR_VS_VX, 0.15), end - mu / viscous, 1e-10);
  omr_result_destroy(r);
}

/* Stiffer bristles are Coulomb's friction: the way to a stop is v^2/(2 mu g) but for what they
 * give, which is in proportion to 1/sigma_0. */
Test(bristle_motion, stiff_bristles_stop_it_as_coulombs_friction) {
  const double speed = 0.3, way = speed * speed / (2 * mu * gravity);
  double error[3];
  for (int n = 0; n < 3; n++) {
    char stiff[400], start[400];
    omr_result *r = run_study(
        sled,
        OVERRIDES(set(start, "parameters.initial.vx=%g", speed), "integrator.step=20 us",
                  set(stiff, "parameters.wheel.contact.bristle_stiffness=%g", 2000.0 * (1 << n))));
    error[n] = last_of(r, OMR_VS_X) - way;
    cr_expect_float_eq(last_of(r, OMR_VS_VX), 0, 1e-7);
    omr_result_destroy(r);
  }
  const double order = log2((error[0] - error[1]) / (error[1] - error[2]));
  cr_log_info("%.3g, %.3g, %.3g m off: order %.3f", error[0], error[1], error[2], order);
  cr_expect_lt(fabs(error[2]), 1e-4);
  cr_expect_float_eq(order, 1, 0.1);
}

/* ---- numerics */

/* While it slides everything is smooth. */
Test(bristle_motion, methods_keep_their_order) {
  const char *const method[] = {"integrator.method=rk4", "integrator.method=heun",
                                "integrator.method=semi_implicit_euler"};
  const double expected[] = {4, 2, 1};
  for (int m = 0; m < 3; m++) {
    double x[3];
    for (int n = 0; n < 3; n++) {
      char step[400];
      omr_result *r = run_study(
          sled, OVERRIDES(method[m], set(step, "integrator.step=%g", 2e-4 / (1 << n)),
                          "parameters.initial.vx=0.12", "integrator.duration=20 ms",
                          "parameters.wheel.contact={\"stiffness\": 1e5, \"bristle_stiffness\": "
                          "2000, \"bristle_viscous\": 0.3, \"static_ratio\": 1.3}"));
      x[n] = last_of(r, OMR_VS_X);
      omr_result_destroy(r);
    }
    const double order = log2(fabs((x[0] - x[1]) / (x[1] - x[2])));
    cr_log_info("%s: order %.3f", method[m], order);
    cr_expect_float_eq(order, expected[m], 0.3, "%s: order %.3f", method[m], order);
  }
}

/* Three closed forms on the sled: bristles bent against the slip double the damping sigma_1 g;
 * hardly damped it swings at sqrt(sigma_0 g); at the speed of the start bristles slide at the rate
 * sigma_0 v/mu beside what is left of the damping. */
Test(bristle_motion, bristles_bound_the_step) {
  const double limit = 2.785293563405282, damping = 2 * sqrt(stiffness / gravity),
               held = 2 * damping * gravity, v = 5;
  cr_expect_float_eq(bound_of(sled, OVERRIDES("title=x")) / (limit / held), 1, 1e-6);
  cr_expect_float_eq(
      bound_of(sled, OVERRIDES("parameters.wheel.contact.bristle_damping_ratio=0.02")) /
          (limit / sqrt(stiffness * gravity)),
      1, 1e-6);
  const double slides = stiffness * v / mu + held * mu / (mu + damping * v);
  const double fast = bound_of(sled, OVERRIDES("parameters.initial.vx=5"));
  cr_expect_float_eq(fast / (limit / slides), 1, 1e-6);
  const double spins =
      bound_of(sled, OVERRIDES("parameters.wheel.drive={\"type\": \"speed\", \"speed\": -50}"));
  cr_expect_float_eq(spins / fast, 1, 1e-6); /* 0.1 m of radius */
  for (int n = 0; n < 2; n++) {
    char step[400], duration[400];
    const double h = (n ? 1.1 : 0.95) * fast;
    omr_result *r = run_study(
        sled, OVERRIDES("parameters.initial.vx=5", set(step, "integrator.step=%.17g", h),
                        set(duration, "integrator.duration=%.17g", 400 * h), "output={}"));
    cr_expect_eq(omr_result_status(r)[0], n ? OMR_INSTANCE_DIVERGED : OMR_INSTANCE_OK);
    omr_result_destroy(r);
  }
}

/* A step that is too long for a slip: the instance ends, and says so. */
Test(bristle_motion, a_step_too_long_for_the_slip_ends_the_instance) {
  const char *const fast = "parameters.initial.vx=5";
  omr_result *r = run_study(sled, OVERRIDES(fast, "integrator.step=20 us"));
  cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_OK);
  omr_result_destroy(r);
  r = run_study(sled, OVERRIDES(fast, "integrator.step=0.2 ms"));
  cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_DIVERGED);
  omr_result_destroy(r);
}

/* ---- rollers */

static char path[] = "/tmp/omniroll-bristle-XXXXXX";

/* Wheels whose rate is prescribed to be 0, by a table. */
static void lock_wheels(void) {
  const int file = mkstemp(path);
  cr_assert_geq(file, 0);
  const char rows[] = "time,rate\n0,0\n100,0\n";
  cr_assert_eq(write(file, rows, sizeof rows - 1), (ssize_t)(sizeof rows - 1));
  close(file);
}

static void unlock_wheels(void) {
  unlink(path);
}

static const char mecanum[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"contact\": {\"normal\": \"compliant\", \"law\": \"bristle\"},"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.4, \"roll_inertia\": 0.2, "
    "\"pitch_inertia\": 0.3, \"center_of_mass\": {\"height\": 0.12}},"
    "\"layout\": {\"type\": \"rectangle\", \"mecanum\": true, \"half_length\": 0.2, "
    "\"half_width\": 0.18},"
    "\"wheel\": {\"radius\": 0.05, \"rollers\": 9, \"inclination\": \"45 deg\", "
    "\"tip_radius\": 0.004, \"friction\": 0.5, \"slip_speed\": 0.02,"
    "\"contact\": {\"stiffness\": 1e5, \"bristle_damping_ratio\": 0.1},"
    "\"disc\": {\"mass\": 0.26, \"axial_inertia\": 2e-4, \"diametral_inertia\": 1.2e-4},"
    "\"roller\": {\"mass\": 0.04, \"axial_inertia\": 4e-6, \"diametral_inertia\": 6e-6}}},"
    "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"10 s\"},"
    "\"engine\": {\"backend\": \"scalar\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}}";

/* Rollers are free to turn, and hold all the same: each contact pushes along its roller's axis. So
 * does saturated friction, which therefore creeps twice as fast as on a sled: cos^2 45 deg. */
Test(bristle_motion, a_mecanum_vehicle_with_locked_wheels_holds_on_its_rollers, .init = lock_wheels,
     .fini = unlock_wheels) {
  const char *const slope = "parameters.floor.slope=5 deg";
  char drive[400];
  set(drive, "parameters.wheel.drive={\"type\": \"replay_rate\", \"replay\": {\"file\": \"%s\"}}",
      path);
  omr_result *r = run_study(mecanum, OVERRIDES(slope, drive));
  const double moved = last_of(r, OMR_VS_X) - at_time(r, OMR_VS_X, 5);
  cr_log_info("moves by %.2g m in 5 s, %.3g m in all", moved, last_of(r, OMR_VS_X));
  cr_expect_lt(fabs(moved), 1e-9);
  for (size_t n = 4 * (r->sample_count - 100); n < 4 * r->sample_count; n++)
    cr_expect_lt(fabs(r->wheel_samples[OMR_WS_SPIN][n]), 1e-9);
  omr_result_destroy(r);
  r = run_study(mecanum, OVERRIDES(slope, drive, "parameters.contact.law=saturated_coulomb",
                                   "integrator.duration=2 s"));
  const double crept = last_of(r, OMR_VS_X) - at_time(r, OMR_VS_X, 1);
  cr_expect_float_eq(crept / (-2 * 0.02 * tan(5 * M_PI / 180) / 0.5), 1, 0.02, "%.6g m", crept);
  omr_result_destroy(r);
}

/* Over patches, exchanges in both directions, wheels that lift: what goes in is in the balance. */
Test(bristle_motion, energy_balance_closes) {
  omr_result *r = run_study(
      mecanum,
      OVERRIDES("integrator.duration=1 s", "integrator.step=20 us",
                "parameters.initial={\"vx\": 0.3, \"height\": 0.001}",
                "parameters.wheel.drive={\"type\": \"sine\", \"torque\": \"1 N m\", "
                "\"frequency\": \"2 Hz\"}",
                "parameters.wheels=[{\"drive\": {\"torque\": -1}}, {}, {\"drive\": {\"torque\": "
                "0.3}}, {}]",
                "parameters.wheel.contact={\"stiffness\": 1e5, \"bristle_stiffness\": 3000, "
                "\"bristle_damping\": 2, \"static_ratio\": 1.3, \"bristle_viscous\": 0.05}",
                "parameters.ground={\"type\": \"patches\", \"edge\": 0.02, \"patch0\": {\"shape\": "
                "\"rectangle\", \"x\": 0.25, \"z\": 0.1, \"length\": 0.2, \"width\": 0.4, "
                "\"friction\": 0.15}}"));
  cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_OK);
  cr_expect_gt(value_of(r, "exchanges", 0), 4);
  cr_expect_gt(value_of(r, "wheel_liftings", 0), 0);
  cr_log_info("%g exchanges, %g liftings, energy %.2g", value_of(r, "exchanges", 0),
              value_of(r, "wheel_liftings", 0), value_of(r, "energy_error", 0));
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-7);
  omr_result_destroy(r);
}
