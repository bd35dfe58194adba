/* Where a vehicle on compliant contact rests (host/model/compliant_start.c,
 * appendix/springs.md#springs) against levers, springs and the shape of its wheels. */
#include "result/result.h"
#include "shared/motion.h"

/* Four wheels of 2 kg on 8 kg, all of it over the middle: M = 16 kg. */
static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"contact\": {\"normal\": \"compliant\"},"
    "\"platform\": {\"mass\": 8, \"yaw_inertia\": 0.4, \"center_of_mass\": {\"height\": 0.1}},"
    "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.25, \"half_width\": 0.2},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"center_distance\": 0.088, \"friction\": 0.5,"
    "\"contact\": {\"stiffness\": 1e5},"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.1, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"10 us\", \"duration\": \"40 us\", \"step_error\": \"off\"},"
    "\"engine\": {\"backend\": \"scalar\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"20 us\"}}}";
static const double weight = 16 * 9.81, stiffness = 1e5, radius = 0.1;

static double height_of(const omr_result *r) {
  return r->vehicle_samples[OMR_VS_HEIGHT][0];
}

/* Load of a wheel: at the start, where nothing has moved. */
static double load_of(const omr_result *r, int wheel) {
  return r->wheel_samples[OMR_WS_LOAD][wheel];
}

/* At rest nothing accelerates. */
static void expect_rest(const omr_result *r) {
  cr_expect_lt(value_of(r, "vertical_vibration_peak", 0), 1e-6);
  cr_expect_lt(value_of(r, "pitch_vibration_rms", 0), 1e-4);
  cr_expect_lt(value_of(r, "roll_vibration_rms", 0), 1e-4);
}

/* One roller below each wheel, or two of them at an edge, each with an eighth of the weight. */
Test(compliant_rest, sags_by_the_weight_over_all_springs) {
  omr_result *r = run_study(text, OVERRIDES("title=x"));
  cr_expect_float_eq(height_of(r) / (-weight / (4 * stiffness)), 1, 1e-12);
  expect_rest(r);
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("parameters.wheel.initial.angle=22.5 deg"));
  cr_expect_float_eq(height_of(r) / (-weight / (8 * stiffness)), 1, 1e-9);
  expect_rest(r);
  omr_result_destroy(r);
}

/* N = k d^1.5. */
Test(compliant_rest, sags_by_the_law_of_hertz) {
  omr_result *r = run_study(text, OVERRIDES("parameters.contact.spring=hertz",
                                            "parameters.wheel.contact={\"hertz_stiffness\": 3e7}"));
  cr_expect_float_eq(height_of(r) / -pow(weight / (4 * 3e7), 2.0 / 3), 1, 1e-11);
  expect_rest(r);
  omr_result_destroy(r);
}

/* Rollers that span 0.8 of their place end at 18 deg; where the wheel stands between two, at 22.5
 * deg of both, its lowest points have turned 4.5 deg away from below. */
Test(compliant_rest, sinks_between_rollers_with_gaps) {
  omr_result *r = run_study(text, OVERRIDES("parameters.wheel.roller.coverage=0.8",
                                            "parameters.wheel.initial.angle=22.5 deg"));
  const double sunk = radius * (1 - cos(4.5 * M_PI / 180));
  cr_expect_float_eq(height_of(r), -weight / (8 * stiffness) - sunk, 1e-9);
  expect_rest(r);
  omr_result_destroy(r);
}

/* Spheres of r = 12 mm as rollers, R1 = 88 mm from the axle: a profile so short that the fillet is
 * all of it, R1 end to both sides of the middle, which makes a sphere reach R1 end sin(angle)
 * lower; it is thinner than r at its ends by R1 end^2/2 = 7 nm. At 10 deg from below a sphere
 * reaches R1 cos 10 deg + r down, and all contacts lie R1 sin 10 deg before the middle: the vehicle
 * pitches on its springs. At 22.5 deg two carry, on both sides of it. */
Test(compliant_rest, stands_on_rollers_that_are_spheres) {
  static const struct { double degrees, springs; } at[] = {{0, 4}, {10, 4}, {22.5, 8}};
  for (int k = 0; k < 3; k++) {
    char angle[64];
    const double turned = at[k].degrees * M_PI / 180, end = 0.001 * M_PI / 8,
                 before = at[k].springs > 4 ? 0 : 0.088 * sin(turned) / 0.25;
    snprintf(angle, sizeof angle, "parameters.wheel.initial.angle=%g deg", at[k].degrees);
    omr_result *r = run_study(text, OVERRIDES("parameters.wheel.roller.coverage=0.001",
                                              "parameters.wheel.roller.fillet=12 mm", angle));
    cr_expect_float_eq(height_of(r),
                       -weight / (at[k].springs * stiffness) * (1 + before * before) -
                           0.088 * (1 - cos(turned)) + 0.088 * end * sin(turned),
                       3e-8, "%g deg: %.9g", at[k].degrees, height_of(r));
    omr_result_destroy(r);
  }
}

/* A wheel that is smaller by e takes the vehicle's twist: of four equal springs it and the one
 * across carry k e/4 less, the others as much more. The platform tilts by e/4 over half of its
 * sides, which moves the contacts on round rollers by that times R. */
Test(compliant_rest, shares_the_weight_of_uneven_wheels_by_their_springs) {
  const double small = 1e-4, moved = stiffness * small / 4;
  omr_result *r = run_study(
      text, OVERRIDES("parameters.wheels=[{\"roller\": {\"undersize\": 1e-4}}, {}, {}, {}]"));
  const double sign[4] = {-1, 1, 1, -1};
  for (int i = 0; i < 4; i++)
    cr_expect_float_eq(load_of(r, i), weight / 4 + sign[i] * moved, 0.02 * moved,
                       "wheel %d: %.6f N", i, load_of(r, i));
  expect_rest(r);
  omr_result_destroy(r);
}

/* Beyond k e = M g it hangs in the air, and three wheels carry by their levers. The platform's
 * centre of mass stands nearer to the wheel across, so that they can. */
Test(compliant_rest, stands_on_three_wheels_where_the_fourth_hangs) {
  omr_result *r = run_study(
      text, OVERRIDES("parameters.wheels=[{\"roller\": {\"undersize\": 4e-3}}, {}, {}, {}]",
                      "parameters.platform.center_of_mass={\"x\": -0.05, \"z\": 0.04, "
                      "\"height\": 0.1}"));
  const double back = 0.05 * 8 / 16 / 0.25, right = 0.04 * 8 / 16 / 0.2; /* over half sides */
  const double front_right = weight * (1 - back) / 2,
               rear_right = weight * (1 + right) / 2 - front_right,
               rear_left = weight - front_right - rear_right;
  cr_expect_eq(load_of(r, 0), 0);
  cr_expect_float_eq(load_of(r, 1), front_right, 5e-3 * weight);
  cr_expect_float_eq(load_of(r, 2), rear_left, 5e-3 * weight);
  cr_expect_float_eq(load_of(r, 3), rear_right, 5e-3 * weight);
  expect_rest(r);
  omr_result_destroy(r);
}

/* A centre of mass beside the wheels; a height given leaves it to fall. */
Test(compliant_rest, refuses_a_vehicle_that_tips_over) {
  const char *const outside = "parameters.platform.center_of_mass.x=0.6";
  omr_error error = {0};
  omr_study *study = NULL;
  omr_result *r = NULL;
  cr_assert_eq(omr_study_parse(text, "test", OVERRIDES(outside), 1, &study, &error), OMR_OK);
  cr_expect_eq(omr_run(study, NULL, &r, &error), OMR_ERR_STUDY);
  cr_expect_not_null(strstr(error.message, "no rest on its wheels"), "%s", error.message);
  omr_study_destroy(study);
  r = run_study(text, OVERRIDES(outside, "parameters.initial.height=0"));
  cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_OK);
  omr_result_destroy(r);
}
