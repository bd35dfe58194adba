/* Odometry by chosen wheels and by a gyro, and slip as encoders see it: identities of least
 * squares, exact motions, and the reference (appendix/observables.md#observables). */
#include "host/model/doubts.h"
#include "shared/motion.h"

/* Five wheels whose axes point to all sides, which roll as ideal kinematics say; two may have no
 * drive. The command drives the vehicle along a curve. */
static const char rolling_text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": 10, \"yaw_inertia\": "
    "0.3, \"center_of_mass\": {\"height\": 0.02}}, \"layout\": {\"type\": \"explicit\"}, "
    "\"contact\": {\"law\": \"classical_rollers\"}, \"overlap\": \"allow\", \"wheel\": "
    "{\"radius\": 0.05, \"rollers\": 9, "
    "\"tip_radius\": 0.004, \"friction\": 0.5, \"drive\": {\"type\": \"body\", \"kp\": 0.3, "
    "\"ki\": 3}}, \"wheels\": [{\"x\": 0.2, \"z\": -0.15, \"axis_angle\": 0, \"inclination\": "
    "0.7}, {\"x\": 0.2, \"z\": 0.16, \"axis_angle\": 0, \"inclination\": -0.7}, {\"x\": -0.2, "
    "\"z\": 0.02, \"axis_angle\": \"90 deg\"}, {\"x\": -0.15, \"z\": 0.1, \"axis_angle\": \"40 "
    "deg\", \"inclination\": 0.2}, {\"x\": -0.1, \"z\": -0.12, \"axis_angle\": 0}], \"command\": "
    "{\"type\": \"tanh\", \"vx\": 0.3, \"vz\": 0.2, \"yaw_rate\": 0.5}}, \"integrator\": "
    "{\"step\": \"0.5 ms\", \"duration\": \"1 s\"}, \"output\": {\"observables\": "
    "[\"odometry_error\", \"odometry_yaw_error\", \"tracking_slip\", \"max_tracking_slip\", "
    "\"wheel3_tracking_slip\", \"final_yaw\"]}, \"engine\": {\"backend\": \"openmp\"}}";

static void choose(char *text, size_t size, const char *wheels, const char *gyro) {
  snprintf(text, size, "parameters.odometry={\"wheels\": [%s]%s%s%s}", wheels,
           gyro ? ", \"gyro\": {" : "", gyro ? gyro : "", gyro ? "}" : "");
}

/* The folded columns of the study's nominal vehicle. */
static void fold(const char *odometry, omr_scene *scene, omr_study **study) {
  omr_error error = {0};
  char reason[400];
  cr_assert_eq(omr_study_parse(rolling_text, "s.json", &odometry, 1, study, &error), OMR_OK, "%s",
               error.message);
  cr_assert(omr_scene_make(*study, OMR_NONE, scene, reason, sizeof reason), "%s", reason);
}

/* Rounding by the condition of H^T H, which squares that of H: of 300 at most here. */
#define INVERSE_MARGIN (300 * 300 * 2.2e-16)

/* The pseudo-inverse of the chosen rows gives every motion back from the rates that it makes, vx
 * and vz alone where a gyro tells the yaw; wheels that are not chosen have no part in it. */
Test(odometry, a_pseudo_inverse_gives_the_seen_motions_back) {
  for (unsigned chosen = 1; chosen < 32; chosen++) {
    for (int gyro = 0; gyro < 2; gyro++) {
      if (__builtin_popcount(chosen) + gyro < 3) continue;
      char list[32] = "", text[128];
      for (int i = 0; i < 5; i++)
        if (chosen >> i & 1)
          snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", *list ? "," : "", i);
      choose(text, sizeof text, list, gyro ? "" : NULL);
      omr_study *study;
      omr_scene scene;
      fold(text, &scene, &study);
      const int motions = gyro ? 2 : 3;
      double product[3][3] = {{0}};
      for (int i = 0; i < 5; i++) {
        const double *w = omr_scene_place(&scene, i);
        for (int r = 0; r < 3; r++) {
          for (int c = 0; c < motions; c++) product[r][c] += w[W_ODO_X + r] * w[W_IDEAL_X + c];
          if (!(chosen >> i & 1)) cr_expect_eq(w[W_ODO_X + r], 0, "%s: wheel %d", text, i);
        }
      }
      for (int r = 0; r < motions; r++)
        for (int c = 0; c < motions; c++)
          cr_expect_float_eq(product[r][c], r == c, INVERSE_MARGIN, "%s: (%d, %d) is %g", text, r,
                             c, product[r][c]);
      omr_study_destroy(study);
    }
  }
}

#define DIFFERENTIAL                                                                               \
  "parameters.wheels=[{\"kind\":\"plain\",\"x\":0,\"z\":-0.2,\"axis_angle\":0},"                   \
  "{\"kind\":\"plain\",\"x\":0,\"z\":0.2,\"axis_angle\":0},"                                       \
  "{\"x\":-0.3,\"z\":0,\"axis_angle\":0,\"drive\":{\"type\":\"none\"}}]"

/* Two tyres on one axle are enough: vx = -R (chi'_0 + chi'_1)/2, omega = R (chi'_0 - chi'_1)/0.4 m,
 * and vz = 0, with a gyro too. */
Test(odometry, two_tyres_tell_the_motion_of_a_differential_drive) {
  static const char *const odometry[] = {"parameters.odometry={\"wheels\":[0,1]}",
                                         "parameters.odometry={\"wheels\":[0,1],\"gyro\":{}}",
                                         "parameters.odometry={\"wheels\":[1],\"gyro\":{}}"};
  for (int n = 0; n < 3; n++) {
    const char *const overrides[] = {DIFFERENTIAL, "parameters.contact={}", odometry[n],
                                     "output={}"};
    const double radius = 0.05, each = n == 2 ? 0 : -radius / 2, turns = n == 0 ? radius / 0.4 : 0;
    omr_error error = {0};
    omr_study *study;
    omr_scene scene;
    char reason[400];
    cr_assert_eq(omr_study_parse(rolling_text, "s.json", overrides, 4, &study, &error), OMR_OK,
                 "%s", error.message);
    cr_assert(omr_scene_make(study, OMR_NONE, &scene, reason, sizeof reason), "%s", reason);
    const double *left = omr_scene_place(&scene, 0), *right = omr_scene_place(&scene, 1);
    cr_expect_float_eq(left[W_ODO_X], each, 1e-15);
    cr_expect_float_eq(right[W_ODO_X], n == 2 ? -radius : each, 1e-15);
    cr_expect_float_eq(left[W_ODO_YAW], turns, 1e-15);
    cr_expect_float_eq(right[W_ODO_YAW], -turns, 1e-15);
    for (int i = 0; i < 3; i++) cr_expect_eq(omr_scene_place(&scene, i)[W_ODO_Z], 0);
    omr_study_destroy(study);
  }
}

/* On wheels that roll ideally every choice gives the true pose, and no wheel slips against it. */
Test(odometry, wheels_that_roll_tell_the_true_pose) {
  static const struct {
    const char *wheels, *gyro;
  } cases[] = {{"0,1,2", NULL},     {"0,2,3", NULL}, {"1,3,4", NULL}, {"2,3,4", NULL},
               {"0,1,2,3,4", NULL}, {"2,4", ""},     {"0,1", ""},     {"0,2,3", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[128];
    choose(text, sizeof text, cases[i].wheels, cases[i].gyro);
    omr_result *r = run_study(rolling_text, OVERRIDES(text));
    cr_expect_gt(value_of(r, "final_yaw", 0), 0.3);
    cr_expect_float_eq(value_of(r, "odometry_error", 0), 0, 1e-13, "%s", text);
    cr_expect_float_eq(value_of(r, "odometry_yaw_error", 0), 0, 1e-13, "%s", text);
    cr_expect_float_eq(value_of(r, "max_tracking_slip", 0), 0, 1e-13, "%s", text);
    omr_result_destroy(r);
  }
}

/* A gyro with a bias b and a scale s turns the yaw by b t + s yaw. The wheel along the vehicle and
 * the one across it keep what they measure, so that wheel 3 seems to slip by h_yaw b R, where only
 * the bias is wrong: R h_yaw is r.k - tan psi r.i, and the motion of the others shifts by theirs.
 */
Test(odometry, a_gyro_drifts_by_its_bias) {
  char text[128];
  choose(text, sizeof text, "2,4", "\"bias\": 0.01, \"scale\": 0.02");
  omr_result *r = run_study(rolling_text, OVERRIDES(text));
  cr_expect_float_eq(value_of(r, "odometry_yaw_error", 0),
                     0.01 + 0.02 * value_of(r, "final_yaw", 0), 1e-13);
  omr_result_destroy(r);

  choose(text, sizeof text, "2,4", "\"bias\": 0.01");
  omr_study *study;
  omr_scene scene;
  fold(text, &scene, &study);
  const double *w[5];
  for (int i = 0; i < 5; i++) w[i] = omr_scene_place(&scene, i);
  /* Wheel 4 sees vx alone, and wheel 2 vz alone. */
  const double vx = -0.01 * w[4][W_IDEAL_YAW] / w[4][W_IDEAL_X],
               vz = -0.01 * w[2][W_IDEAL_YAW] / w[2][W_IDEAL_Z],
               slip = 0.05 *
                      fabs(w[3][W_IDEAL_X] * vx + w[3][W_IDEAL_Z] * vz + w[3][W_IDEAL_YAW] * 0.01);
  r = run_study(rolling_text, OVERRIDES(text));
  cr_expect_gt(slip, 1e-4);
  cr_expect_float_eq(value_of(r, "wheel3_tracking_slip", 0), slip, 1e-12);
  omr_result_destroy(r);
  omr_study_destroy(study);
}

/* Four wheels around the vehicle without friction keep their rates. Opposite ones have h0 + h2 =
 * h1 + h3, so that odometry of three makes the fourth turn at r0 + r2 - r1. */
Test(odometry, a_wheel_that_turns_at_its_own_rate_slips_by_the_difference) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES("output.observables=[\"tracking_slip\",\"wheel0_tracking_slip\"]",
                "parameters.layout.wheels=4", "parameters.wheel.inclination=0",
                "parameters.wheels=[{\"initial\":{\"rate\":7}},{\"initial\":{\"rate\":-5}},"
                "{\"initial\":{\"rate\":6}},{\"initial\":{\"rate\":2}}]",
                "parameters.initial={}", "parameters.odometry.wheels=[0,1,2]",
                "integrator.duration=1"));
  cr_expect_float_eq(value_of(r, "tracking_slip", 0), 0.1 * (7 + 6 + 5 - 2), 1e-9);
  cr_expect_float_eq(value_of(r, "wheel0_tracking_slip", 0), 0, 1e-13);
  omr_result_destroy(r);
}

/* A controller at its limit speeds a free wheel up at a rate a: of 10 rad/s that it is asked for,
 * 10 - a t lack. The mean square is 100 - 10 a T + a^2 T^2/3. */
Test(odometry, encoders_tell_what_a_controller_lacks) {
  const double inertia = 1 + 5 * (0.11 * 0.0772 * 0.0772 + 7e-5), a = 2 / inertia;
  static const char *const steps[] = {
      "integrator={\"method\": \"rk4\", \"step\": 0.0005, \"duration\": 2}",
      "engine.backend=reference"};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(
        testbench_text,
        OVERRIDES("output.observables=[\"encoder_slip\",\"max_encoder_slip\"]",
                  "parameters.wheel.friction=0", "parameters.wheel.inclination=0",
                  "parameters.wheel.initial={}", "parameters.initial={}",
                  "parameters.wheel.disc.axial_inertia=1", "parameters.wheel.error.radius=0.001",
                  "parameters.wheel.drive={\"type\":\"speed\",\"speed\":10,\"kp\":1000,\"ki\":0,"
                  "\"torque_limit\":2}",
                  steps[i]));
    cr_expect_float_eq(value_of(r, "encoder_slip", 0), 0.1 * sqrt(100 - 20 * a + a * a * 4 / 3),
                       1e-7, "%s: %.10g", steps[i], value_of(r, "encoder_slip", 0));
    cr_expect_float_eq(value_of(r, "max_encoder_slip", 0), 1, 1e-12);
    omr_result_destroy(r);
  }
}

/* The same of a vehicle whose command asks for more than a limit of 4 rad/s lets through. */
Test(odometry, encoders_compare_with_the_rate_that_a_limit_leaves) {
  const double a = 2 / (1 + 6 * (0.11 * 0.0822 * 0.0822 + 7e-5));
  static const char *const steps[] = {
      "integrator={\"method\": \"rk4\", \"step\": 0.0005, \"duration\": 2}",
      "engine.backend=reference"};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(
        vehicle_text,
        OVERRIDES("output.observables=[\"encoder_slip\",\"max_encoder_slip\"]",
                  "parameters.wheel.inclination=0", "parameters.wheels=[{},{},{}]",
                  "parameters.initial={}", "parameters.wheel.disc.axial_inertia=1",
                  "parameters.wheel.drive={\"type\":\"body\",\"kp\":1000,\"ki\":0,"
                  "\"torque_limit\":2}",
                  "parameters.command={\"type\":\"constant\",\"yaw_rate\":10,\"wheel_limit\":"
                  "{\"rate\":4}}",
                  "integrator.duration=2", steps[i]));
    cr_expect_float_eq(value_of(r, "encoder_slip", 0), 0.1 * sqrt(16 - 8 * a + a * a * 4 / 3), 1e-7,
                       "%s: %.10g", steps[i], value_of(r, "encoder_slip", 0));
    cr_expect_float_eq(value_of(r, "max_encoder_slip", 0), 0.4, 1e-12);
    omr_result_destroy(r);
  }
}

/* Without a controller, or without chosen wheels, there is nothing to compare a rate with. */
Test(odometry, slips_need_a_rate_to_compare_with) {
  omr_result *r = run_study(
      vehicle_text, OVERRIDES("output.observables=[\"encoder_slip\",\"wheel1_tracking_slip\"]",
                              "integrator.duration=0.1"));
  cr_expect(isnan(value_of(r, "encoder_slip", 0)));
  cr_expect(isnan(value_of(r, "wheel1_tracking_slip", 0)));
  omr_result_destroy(r);
}

/* Discs that slide, and an omni vehicle: a pseudo-inverse by singular values and integrals to a
 * tolerance, against the engine's cofactors and trapezoids of 20 us. */
static void compare_with_reference(const char *text, const char *const *with, double margin) {
  static const char *const names[] = {"odometry_error",      "odometry_yaw_error", "encoder_slip",
                                      "wheel1_encoder_slip", "max_encoder_slip",   "tracking_slip",
                                      "max_tracking_slip"};
  const char *again[12] = {"engine.backend=reference"};
  for (int i = 0; with[i]; i++) again[i + 1] = with[i];
  omr_result *r = run_study(text, with), *reference = run_study(text, again);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const double value = value_of(r, names[i], 0), other = value_of(reference, names[i], 0);
    cr_expect_gt(fabs(value), 1e-3, "%s: %g", names[i], value);
    cr_expect_float_eq(other, value, margin, "%s: %.10g, reference %.10g", names[i], value, other);
  }
  omr_result_destroy(reference);
  omr_result_destroy(r);
}

Test(odometry, the_reference_sees_the_same) {
#define SLIDES                                                                                     \
  "output.observables=[\"odometry_error\",\"odometry_yaw_error\",\"encoder_slip\","                \
  "\"wheel1_encoder_slip\",\"max_encoder_slip\",\"tracking_slip\",\"max_tracking_slip\"]",         \
      "parameters.wheel.friction=0.15",                                                            \
      "parameters.command={\"type\":\"tanh\",\"vx\":0.6,\"vz\":0.3,\"yaw_rate\":0.9,\"ramp_"       \
      "time\":"                                                                                    \
      "0.2}",                                                                                      \
      "integrator={\"method\":\"rk4\",\"step\":\"20 us\",\"duration\":\"0.2 s\"}"
  static const char disc_text[] =
      "{\"model\": \"disc_vehicle\", \"parameters\": {\"platform\": {\"mass\": 10, "
      "\"yaw_inertia\": 0.3, \"center_of_mass\": {\"height\": 0.02}}, \"layout\": {\"type\": "
      "\"explicit\"}, \"wheel\": {\"radius\": 0.05, \"slip_speed\": 0.02, \"drive\": {\"type\": "
      "\"body\", \"kp\": 0.3, \"ki\": 3}}, \"wheels\": [{\"x\": 0.2, \"z\": -0.15, "
      "\"axis_angle\": 0}, {\"x\": 0.2, \"z\": 0.15, \"axis_angle\": 0}, {\"x\": -0.2, \"z\": 0, "
      "\"axis_angle\": \"90 deg\"}, {\"x\": -0.15, \"z\": 0.1, \"axis_angle\": \"40 deg\"}]}, "
      "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"1 s\"}, \"engine\": {\"backend\": "
      "\"openmp\"}}";
  compare_with_reference(disc_text, OVERRIDES(SLIDES, "parameters.odometry.wheels=[0,2,3]"), 2e-7);
  compare_with_reference(disc_text,
                         OVERRIDES(SLIDES,
                                   "parameters.odometry={\"wheels\":[1,2],\"gyro\":{\"bias\":0.1,"
                                   "\"scale\":0.1}}"),
                         2e-7);
  compare_with_reference(
      vehicle_text,
      OVERRIDES(SLIDES, "parameters.wheel.slip_speed=0.05", "parameters.wheel.inclination=0",
                "parameters.wheels=[{},{},{}]", "parameters.initial={\"spins\":\"locked\"}",
                "parameters.wheel.drive={\"type\":\"body\",\"kp\":0.3,\"ki\":2}",
                "parameters.odometry={\"wheels\":[0,1],\"gyro\":{\"bias\":0.1}}"),
      1e-5);
  compare_with_reference(rolling_text,
                         OVERRIDES(SLIDES, DIFFERENTIAL, "parameters.contact={}",
                                   "parameters.odometry={\"wheels\":[0,1]}"),
                         1e-5);
}
