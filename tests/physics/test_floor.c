/* Floors with heights below compliant contacts (appendix/springs.md#floors): the profile itself,
 * its roughness, and vehicles on it against closed forms. */
#include "model/floor.h"
#include "result/result.h"
#include "shared/motion.h"
#include "study/grammar/parse.h"

static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"contact\": {\"normal\": \"compliant\"},"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.4, \"roll_inertia\": 0.2, \"pitch_inertia\": "
    "0.3, \"center_of_mass\": {\"height\": 0.16}},"
    "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.25, \"half_width\": 0.2},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"center_distance\": 0.088, \"friction\": 0.6,"
    "\"contact\": {\"stiffness\": 1e5, \"damping_ratio\": 0.2},"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"50 us\", \"duration\": \"0.2 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}}";

static const double half_length = 0.25, gravity = 9.81, mass = 10 + 4 * (1.2 + 8 * 0.11);

#define WAVE "\"wave\": {\"amplitude\": 0.004, \"length\": 0.4, \"direction\": 0.3}"
#define ROUGH                                                                                      \
  "\"roughness\": {\"degree\": 2e-6, \"longest\": 1, \"shortest\": 0.3, \"waves\": 12, \"seed\": " \
  "5}"

/* A floor by the parameters of a vehicle, those not given at their defaults. */
static void set(double *p) {
  for (int i = 0; i < OMR_VP_COUNT; i++) p[i] = omr_vehicle_parameters[i].standard;
}

static omr_floor made(const omr_values *values) {
  omr_study study = {.contact.compliant = true, .base = *values};
  omr_floor floor;
  omr_floor_make(&study, values, &floor);
  return floor;
}

/* Slopes and their rates are differences of the heights. */
Test(floor, slopes_are_differences_of_heights) {
  omr_values v;
  const double e = 1e-5;
  set(v.vehicle);
  v.vehicle[OMR_VP_FLOOR_WAVE_AMPLITUDE] = 0.01;
  v.vehicle[OMR_VP_FLOOR_WAVE_DIRECTION] = 0.7;
  v.vehicle[OMR_VP_FLOOR_STEP_HEIGHT] = -0.02;
  v.vehicle[OMR_VP_FLOOR_STEP_RAMP] = 0.3;
  v.vehicle[OMR_VP_FLOOR_STEP_WIDTH] = 0.4;
  v.vehicle[OMR_VP_FLOOR_STEP_DIRECTION] = -0.4;
  v.vehicle[OMR_VP_FLOOR_DEGREE] = 1e-5;
  const omr_floor floor = made(&v);
  for (int n = 0; n < 40; n++) {
    const double x = 0.4 + 0.037 * n, z = -0.3 + 0.029 * n;
    const omr_floor_spot at = omr_floor_at(&floor, x, z), east = omr_floor_at(&floor, x + e, z),
                         west = omr_floor_at(&floor, x - e, z),
                         right = omr_floor_at(&floor, x, z + e),
                         left = omr_floor_at(&floor, x, z - e);
    cr_expect_float_eq(at.x, (east.height - west.height) / (2 * e), 1e-8);
    cr_expect_float_eq(at.z, (right.height - left.height) / (2 * e), 1e-8);
    cr_expect_float_eq(at.xx, (east.x - west.x) / (2 * e), 3e-4); /* a step's bends jump */
    cr_expect_float_eq(at.xz, (right.x - left.x) / (2 * e), 3e-4);
    cr_expect_float_eq(at.zz, (right.z - left.z) / (2 * e), 3e-4);
    cr_expect_leq(at.height, floor.columns[F_TOP]);
  }
}

/* J_0 by its integral. */
static double bessel(double x) {
  double sum = 0;
  for (int n = 0; n < 200; n++) sum += cos(x * sin(M_PI * (n + 0.5) / 200));
  return sum / 200;
}

/* The mean square of H(s + r) - H(s) along a line is the integral of 2 (1 - cos 2 pi n r) over the
 * one-sided density G = G_d (n/n_0)^-2 of ISO 8608. The band limits waves, not lines: with G =
 * 2 C/(pi n^2), waves in all directions have the density C n^-2, whose lines give 1 - J_0. */
Test(floor, roughness_has_the_structure_function_of_its_density) {
  enum { FLOORS = 600, DISTANCES = 3, PLACES = 4, PIECES = 4000 };
  static const double distance[DISTANCES] = {0.05, 0.2, 0.7};
  const double degree = 16e-6, longest = 2, shortest = 0.2;
  double found[DISTANCES] = {0};
  omr_values v;
  set(v.vehicle);
  v.vehicle[OMR_VP_FLOOR_DEGREE] = degree;
  for (int seed = 0; seed < FLOORS; seed++) {
    v.vehicle[OMR_VP_FLOOR_SEED] = seed;
    const omr_floor floor = made(&v);
    for (int d = 0; d < DISTANCES; d++)
      for (int n = 0; n < PLACES; n++) {
        const double x = 3.1 * n, yaw = 1.3 * n;
        const double rise =
            omr_floor_at(&floor, x + distance[d] * cos(yaw), distance[d] * sin(yaw)).height -
            omr_floor_at(&floor, x, 0).height;
        found[d] += rise * rise / (FLOORS * PLACES);
      }
  }
  for (int d = 0; d < DISTANCES; d++) {
    double expected = 0;
    for (int n = 0; n < PIECES; n++) { /* by the length l = 1/n: C n^-2 dn = C dl */
      const double length = shortest + (longest - shortest) * (n + 0.5) / PIECES;
      expected += 2 * 0.5 * M_PI * degree * 0.01 * (1 - bessel(2 * M_PI * distance[d] / length)) *
                  (longest - shortest) / PIECES;
    }
    cr_log_info("structure function at %g m: %.4g for %.4g m2", distance[d], found[d], expected);
    cr_expect_float_eq(found[d], expected, 0.08 * expected); /* 2400 squares: 3 % */
  }
}

static omr_result *run_on(const char *floor, const char *more) {
  char member[512];
  snprintf(member, sizeof member, "parameters.floor={%s}", floor);
  return run_study(text, OVERRIDES(member, more));
}

/* A step that lies behind raises everything. */
Test(floor, a_raised_floor_is_the_level_one) {
  const char *rate = "parameters.wheel.initial.rate=-3";
  omr_result *r = run_on("\"step\": {\"height\": 0.05, \"place\": -30}", rate),
             *level = run_study(text, OVERRIDES(rate));
  for (size_t n = 0; n < r->sample_count; n++) {
    cr_expect_float_eq(r->vehicle_samples[OMR_VS_HEIGHT][n],
                       0.05 + level->vehicle_samples[OMR_VS_HEIGHT][n], 1e-12);
    cr_expect_float_eq(r->vehicle_samples[OMR_VS_X][n], level->vehicle_samples[OMR_VS_X][n], 1e-11);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_LOAD][4 * n],
                       level->wheel_samples[OMR_WS_LOAD][4 * n], 1e-6);
  }
  omr_result_destroy(r);
  omr_result_destroy(level);
}

/* At rest on long waves the wheels' mean height counts: sin at the middle times cos(k a), and the
 * pitch is its slope by sin(k a)/a. */
Test(floor, a_vehicle_stands_on_a_long_wave) {
  const double amplitude = 0.002, length = 4, k = 2 * M_PI / length;
  for (int n = 0; n < 3; n++) {
    const double phase = 0.3 + 0.9 * n;
    char floor[128];
    snprintf(floor, sizeof floor,
             "\"wave\": {\"amplitude\": 0.002, \"length\": 4, \"phase\": %.17g}", phase);
    omr_result *r = run_on(floor, "integrator.duration=\"10 ms\"");
    const double sag = mass * gravity / 4e5;
    cr_expect_float_eq(r->vehicle_samples[OMR_VS_HEIGHT][0] + sag,
                       amplitude * sin(phase) * cos(k * half_length), 2e-3 * amplitude);
    cr_expect_float_eq(r->vehicle_samples[OMR_VS_PITCH][0],
                       amplitude * cos(phase) * sin(k * half_length) / half_length,
                       2e-2 * amplitude * k);
    omr_result_destroy(r);
  }
}

/* One of four wheels stands h higher: two loads fall by k h/4 and reach 0 at k = M g/h. */
Test(floor, stiff_wheels_stand_on_a_diagonal) {
  static const double part[] = {0.8, 1.3};
  const double weight = mass * gravity, high = 1e-3;
  for (int n = 0; n < 2; n++) {
    char stiffness[96];
    snprintf(stiffness, sizeof stiffness, "parameters.wheel.contact.stiffness=%.17g",
             part[n] * weight / high);
    /* the wheel in front, to the left */
    omr_result *r = run_on("\"step\": {\"height\": 0.001, \"place\": 0.2, \"ramp\": 0.05, "
                           "\"direction\": \"45 deg\"}",
                           stiffness);
    const double *load = r->wheel_samples[OMR_WS_LOAD],
                 light = n == 0 ? weight * (1 - part[n]) / 4 : 0;
    cr_expect_float_eq(load[0], weight / 2 - light, 5e-3 * weight);
    cr_expect_float_eq(load[3], weight / 2 - light, 5e-3 * weight);
    cr_expect_float_eq(load[1], light, 5e-3 * weight);
    cr_expect_float_eq(load[2], light, 5e-3 * weight);
    cr_log_info("k = %.2g M g/h: loads %.4g %.4g %.4g %.4g N", part[n], load[0], load[1], load[2],
                load[3]);
    omr_result_destroy(r);
  }
}

/* What springs take they give back on waves, steps and rough floors, on a slope too. */
Test(floor, energy_balance_closes_on_a_profile) {
  static const char *const floors[] = {
      WAVE, ROUGH, "\"step\": {\"height\": 0.004, \"place\": 0.3, \"ramp\": 0.12}",
      "\"slope\": 0.1, " WAVE ", " ROUGH};
  for (size_t n = 0; n < sizeof floors / sizeof *floors; n++) {
    omr_result *r =
        run_on(floors[n], "parameters.wheel.drive={\"type\": \"speed\", \"speed\": -8}");
    cr_log_info("energy balance on floor %zu: %.3g", n, value_of(r, "energy_error", 0));
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-7);
    omr_result_destroy(r);
  }
}

/* Heun's method on a smooth wave, without the corners of dry friction: the error falls with h^2. */
Test(floor, a_smooth_wave_keeps_the_order_of_the_method) {
  double height[3];
  char floor[] = "parameters.floor={" WAVE "}";
  for (int n = 0; n < 3; n++) {
    char step[64];
    snprintf(step, sizeof step, "integrator.step=%.17g", 2e-5 / (1 << n));
    omr_result *r =
        run_study(text, OVERRIDES(floor, step, "integrator.method=heun", "integrator.duration=0.04",
                                  "parameters.wheel.friction=0", "parameters.initial.vx=0.6"));
    height[n] = r->vehicle_samples[OMR_VS_HEIGHT][r->sample_count - 1];
    omr_result_destroy(r);
  }
  const double order = log2((height[0] - height[1]) / (height[1] - height[2]));
  cr_log_info("observed order: %.3g", order);
  cr_expect_float_eq(order, 2, 0.3);
}
