/* Vehicles on a slope (appendix/springs.md#floors) against closed forms: loads and friction at
 * rest, rolling down, energy. */
#include "result/result.h"
#include "shared/motion.h"

static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"contact\": {\"normal\": \"compliant\"},"
    "\"floor\": {\"slope\": \"6 deg\", \"slope_direction\": \"30 deg\"},"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.4, \"roll_inertia\": 0.2, \"pitch_inertia\": "
    "0.3, \"center_of_mass\": {\"height\": 0.16}},"
    "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.25, \"half_width\": 0.2},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"center_distance\": 0.088, \"friction\": 0.6,"
    "\"contact\": {\"stiffness\": 4e6, \"damping_ratio\": 0.3},"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"20 us\", \"duration\": \"0.2 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}}";

static const double half_length = 0.25, half_width = 0.2, radius = 0.1, gravity = 9.81;
static const double wheel_mass = 1.2 + 8 * 0.11, mass = 10 + 4 * (1.2 + 8 * 0.11);
static const double slope = 6 * M_PI / 180;

static double centre_height(void) {
  return (10 * 0.16 + 4 * wheel_mass * radius) / mass;
}

static double last(const omr_result *r, const double *samples) {
  cr_assert_not_null(samples);
  return samples[r->sample_count - 1];
}

/* Wheels stand at (+-a, -+b): the moment of the weight about the floor's plane is borne by
 * differences of loads, by springs of one stiffness. */
Test(floor_slope, loads_at_the_start_are_those_of_statics) {
  static const char *const yaws[] = {"parameters.initial.yaw=0", "parameters.initial.yaw=1.1"};
  static const double angles[] = {0, 1.1};
  for (int n = 0; n < 2; n++) {
    omr_result *r = run_study(text, OVERRIDES(yaws[n]));
    const double uphill = M_PI / 6 - angles[n], weight = mass * gravity;
    const double pull = weight * sin(slope) * centre_height(); /* downhill, at that height */
    const double fore = pull * cos(uphill) / (4 * half_length),
                 aside = pull * -sin(uphill) / (4 * half_width);
    for (int i = 0; i < 4; i++) {
      const double expected = weight * cos(slope) / 4 + (i < 2 ? -fore : fore) +
                              (i % 2 ? -aside : aside); /* left wheels stand at -b */
      cr_expect_float_eq(r->wheel_samples[OMR_WS_LOAD][i], expected, 2e-3 * expected,
                         "yaw %g wheel %d: %g for %g", angles[n], i,
                         r->wheel_samples[OMR_WS_LOAD][i], expected);
    }
    omr_result_destroy(r);
  }
}

/* Free wheels roll down along the heading: (M + 4 J/R^2) a = M g sin s, and energy is kept. */
Test(floor_slope, free_wheels_roll_down_as_the_weight_says) {
  omr_result *r = run_study(
      text, OVERRIDES("parameters.floor.slope_direction=0", "parameters.wheel.friction=2"));
  const double axial = 0.006 + 8 * (0.11 * 0.088 * 0.088 + 7e-5);
  const double expected = -mass * gravity * sin(slope) / (mass + 4 * axial / (radius * radius));
  const double found = last(r, r->vehicle_samples[OMR_VS_VX]) / 0.2;
  cr_log_info("down the slope: %.6g m/s2 for %.6g", found, expected);
  cr_expect_float_eq(found, expected, 2e-3 * fabs(expected));
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-7);
  omr_result_destroy(r);
}

/* Without friction everything slides: g sin s downhill, in any heading, with exact energy. */
Test(floor_slope, no_friction_slides_with_the_weight) {
  omr_result *r = run_study(text, OVERRIDES("parameters.wheel.friction=0",
                                            "parameters.wheel.contact.damping_ratio=0",
                                            "parameters.initial.yaw=0.4"));
  const double way = 0.5 * gravity * sin(slope) * 0.2 * 0.2;
  /* of the body origin, which swings with the platform a little: the centre of mass slides */
  cr_expect_float_eq(last(r, r->vehicle_samples[OMR_VS_X]), -way * cos(M_PI / 6), 2e-2 * way);
  cr_expect_float_eq(last(r, r->vehicle_samples[OMR_VS_Z]), way * sin(M_PI / 6), 2e-2 * way);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-9);
  omr_result_destroy(r);
}
