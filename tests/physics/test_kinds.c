/* Kinds of wheels against closed forms, and against the reference, whose own test of them is
 * tests/reference/test_wheel_kinds.c. */
#include "shared/caster.h"

static const char *const methods[] = {
    "integrator={\"method\": \"rk4\", \"step\": 0.0001, \"duration\": 1}",
    "integrator={\"method\": \"rosenbrock\", \"step\": 0.0002, \"duration\": 1}",
    "integrator={\"tolerance\": 1e-7, \"duration\": 1}"};

/* Two driven tyres on the axle through the centre of mass, and two casters that hardly weigh
 * anything: once the wheels turn evenly hardly any force acts along the tyres, so that they roll.
 * They turn at -(vx + omega z)/R with z = -+W/2, so omega = (R/W)(left - right) with W the full
 * track; and the middle of the axle goes sideways by no more than the creep v_s F/(mu N) of the
 * force F = M omega v that holds the vehicle on its circle. The creep turns that force back by
 * creep/v, which the wheels make up for by slipping along by creep^2/v, 8e-6 m/s. */
#define CASTER(x)                                                                                  \
  "{\"kind\": \"caster\", \"x\": " x ", \"z\": 0, \"radius\": 0.03, \"disc\": {\"mass\": 1e-6, "   \
  "\"axial_inertia\": 1e-9, \"diametral_inertia\": 6e-10}, \"swivel\": {\"trail\": 0.04, "         \
  "\"mass\": "                                                                                     \
  "1e-6, \"inertia\": 1e-7, \"bearing\": 0}}"

static const char differential[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": 10, \"yaw_inertia\": "
    "0.3, "
    "\"center_of_mass\": {\"x\": 0, \"height\": 0.05}}, \"layout\": {\"type\": \"explicit\"}, "
    "\"wheel\": {\"radius\": 0.08, \"friction\": 0.8, \"slip_speed\": 0.05, \"kind\": \"plain\", "
    "\"drive\": {\"type\": \"speed\", \"kp\": 0.5, \"ki\": 5}}, \"wheels\": ["
    "{\"x\": 0, \"z\": -0.2, \"drive\": {\"speed\": -5}}, {\"x\": 0, \"z\": 0.2, \"drive\": "
    "{\"speed\": -8}}, " CASTER("-0.3") ", " CASTER(
        "0.3") "]}, \"integrator\": {\"tolerance\": 1e-9, "
               "\"duration\": 4}, \"output\": {\"trajectories\": {\"instances\": [0], "
               "\"interval\": 0.5}}}";

Test(kinds, two_tyres_turn_about_their_axle) {
  omr_result *r = run_study(differential, OVERRIDES("title=x"));
  const size_t end = r->sample_count - 1;
  const double track = 0.4, radius = 0.08, yaw_rate = r->vehicle_samples[OMR_VS_YAW_RATE][end],
               left = sample(r, OMR_WS_RATE, end, 0), right = sample(r, OMR_WS_RATE, end, 1),
               ahead = r->vehicle_samples[OMR_VS_VX][end];
  const double force = (10 + 2 * 0.5) * yaw_rate * ahead, /* discs of 0.5 kg are the default */
      creep =
          0.05 * force / (0.8 * (sample(r, OMR_WS_LOAD, end, 0) + sample(r, OMR_WS_LOAD, end, 1)));
  const double along = creep * creep / ahead;
  cr_expect_gt(yaw_rate, 0.5);
  cr_expect_float_eq(yaw_rate, radius / track * (left - right), 1.5 * along / track, "%.9g",
                     yaw_rate);
  cr_expect_float_eq(ahead, -radius * (left + right) / 2, 1.5 * along, "%.9g", ahead);
  cr_expect_float_eq(fabs(r->vehicle_samples[OMR_VS_VZ][end]), creep, 1e-3 * creep);
  omr_result_destroy(r);
}

/* On a circle of radius rho of its axis a caster's rolling direction leaves that of the axis by an
 * angle whose sine is trail/rho. */
Test(kinds, a_caster_on_a_circle) {
  omr_result *r = run_study(differential, OVERRIDES("title=x"));
  const size_t end = r->sample_count - 1;
  const double yaw_rate = r->vehicle_samples[OMR_VS_YAW_RATE][end],
               vx = r->vehicle_samples[OMR_VS_VX][end],
               vz = r->vehicle_samples[OMR_VS_VZ][end] + 0.3 * yaw_rate;
  const double behind = atan2(-vz, vx) - sample(r, OMR_WS_STEER, end, 2);
  cr_expect_float_eq(sin(behind), 0.04 * yaw_rate / hypot(vx, vz), 1e-6, "%.9g", sin(behind));
  omr_result_destroy(r);
}

Test(kinds, a_caster_falls_in_behind) {
  expect_caster_falls_in(
      run_study(caster_text, OVERRIDES("integrator={\"method\": \"rosenbrock\", \"step\": 1e-5, "
                                       "\"duration\": 0.2, \"stability\": \"warn\"}")));
}

/* A vehicle that starts rolling: a wheel on a fork rolls along its turned axle, at
 * -(V i + omega (a sin + b cos))/R of the angle at which the axle stands. */
Test(kinds, forks_roll_along_at_their_angle_from_the_start) {
  static const char text[] =
      "{\"model\": \"omni_vehicle\", \"parameters\": {\"initial\": \"rolling\", \"layout\": "
      "{\"type\": "
      "\"explicit\"}, \"wheel\": {\"radius\": 0.08, \"kind\": \"plain\"}, \"wheels\": [{\"x\": 0, "
      "\"z\": "
      "-0.2, \"drive\": {\"type\": \"rate\", \"rate\": -5}}, {\"x\": 0, \"z\": 0.2, \"drive\": "
      "{\"type\": "
      "\"rate\", \"rate\": -8}}, {\"x\": -0.3, \"z\": 0.1, \"kind\": \"caster\", \"axis_angle\": "
      "0.2, "
      "\"initial\": {\"steer\": 0.7}}]}, \"integrator\": {\"tolerance\": 1e-4, \"duration\": "
      "0.01}, "
      "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": 0.01}}}";
  omr_result *r = run_study(text, OVERRIDES("title=x"));
  const double vx = 0.08 * 6.5, omega = 0.08 * 3 / 0.4;
  cr_expect_float_eq(r->vehicle_samples[OMR_VS_VX][0], vx, 1e-14);
  cr_expect_float_eq(r->vehicle_samples[OMR_VS_YAW_RATE][0], omega, 1e-14);
  cr_expect_float_eq(sample(r, OMR_WS_RATE, 0, 2),
                     -(vx * cos(0.9) + omega * (-0.3 * sin(0.9) + 0.1 * cos(0.9))) / 0.08, 1e-13);
  omr_result_destroy(r);
}

/* Casters, and tracking wheels without a drive of their own, have no part in the motor of all
 * wheels, nor in what varies of it: the study is the one whose driven wheels have it alone. */
Test(kinds, what_nothing_drives_has_no_motor) {
#define MOTOR(resistance)                                                                          \
  "\"motor\": {\"gear_ratio\": 20, \"rotor_inertia\": 1e-5, \"resistance\": " resistance           \
  ", \"torque_constant\": 0.02}"
#define DRIVEN(x, z, more) "{\"x\": " x ", \"z\": " z ", \"kind\": \"plain\"" more "}"
#define MOTORED(shared, own, vary)                                                                 \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"supply\": {\"voltage\": 12}, \"layout\": "     \
  "{\"type\": \"explicit\"}, \"overlap\": \"allow\", \"wheel\": {\"drive\": {\"type\": "           \
  "\"constant\", "                                                                                 \
  "\"by\": \"duty\", \"duty\": -0.3}" shared "}, \"wheels\": [{\"x\": -0.2, \"z\": 0, \"kind\": "  \
  "\"caster\"}, " DRIVEN("0.2", "-0.2", own) ", " DRIVEN(                                          \
      "0.2", "0.2", own) ", {\"x\": 0, \"z\": 0, \"kind\": \"tracking\"}]}, " vary                 \
                         "\"integrator\": {\"tolerance\": 1e-4, \"duration\": 0.5}}"
  static const char *const texts[] = {
      MOTORED(", " MOTOR("2"), "",
              "\"vary\": [{\"path\": \"wheel.motor.resistance\", \"values\": [0.8]}], "),
      MOTORED("", ", " MOTOR("0.8"), "")};
  omr_result *r[2];
  for (int i = 0; i < 2; i++) r[i] = run_study(texts[i], OVERRIDES("title=x"));
  cr_expect_gt(value_of(r[0], "final_x", 0), 0.1);
  cr_expect_eq(value_of(r[0], "final_x", 0), value_of(r[1], "final_x", 0));
  cr_expect_eq(value_of(r[0], "dissipated_energy", 0), value_of(r[1], "dissipated_energy", 0));
  for (int i = 0; i < 2; i++) omr_result_destroy(r[i]);
}

/* A tracking wheel carries its preload whatever the vehicle does, and the others the rest. */
Test(kinds, tracking_wheels_carry_their_preload) {
  const double weight = 9.81 * (10 + 6 * (0.4 + 6 * 0.05));
  for (int m = 0; m < 3; m++) {
    omr_result *r = run_file("tests/reference/wheels_tracking.json",
                             OVERRIDES(methods[m], "engine.backend=openmp"));
    for (size_t s = 0; s < r->sample_count; s++) {
      double all = 0;
      for (int i = 0; i < r->wheels; i++) all += sample(r, OMR_WS_LOAD, s, i);
      cr_expect_float_eq(all, weight, 1e-9 * weight, "%.12g", all);
      cr_expect_float_eq(sample(r, OMR_WS_LOAD, s, 4), 13, 1e-12);
      cr_expect_float_eq(sample(r, OMR_WS_LOAD, s, 5), 7, 1e-12);
    }
    omr_result_destroy(r);
  }
}

/* Energy is balanced within the step's error, on compliant contact too. */
Test(kinds, energy_is_balanced) {
  static const char *const overrides[][2] = {
      {"integrator={\"method\": \"rk4\", \"step\": 2e-5, \"duration\": 0.1}", "title=x"},
      {"integrator={\"method\": \"rk4\", \"step\": 2e-5, \"duration\": 0.1, \"stability\": "
       "\"warn\"}",
       "design={\"type\": \"monte_carlo\", \"instances\": 3, \"seed\": \"5\"}"}};
  omr_result *r = run_file("tests/reference/wheels_every_kind.json",
                           OVERRIDES(overrides[0][0], "engine.backend=openmp"));
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8, "%g", value_of(r, "energy_error", 0));
  omr_result_destroy(r);
  r = run_file("tests/parity/kinds_compliant.json",
               OVERRIDES(overrides[1][0], overrides[1][1],
                         "output.trajectories={\"instances\": [0], \"interval\": 0.01}",
                         "engine.backend=openmp"));
  for (size_t k = 0; k < 3; k++)
    cr_expect_lt(fabs(value_of(r, "energy_error", k)), 1e-5, "%g", value_of(r, "energy_error", k));
  omr_result_destroy(r);
}

static void expect_like_reference(const char *path, const char *change) {
  static const char *const names[] = {"final_x",    "final_z",          "final_yaw",
                                      "final_vx",   "final_vz",         "final_yaw_rate",
                                      "drive_work", "dissipated_energy"};
  const char *integrator = "integrator={\"tolerance\": 1e-10, \"duration\": 0.2}";
  omr_result *r = run_file(path, OVERRIDES(integrator, "engine.backend=openmp", change)),
             *reference = run_file(path, OVERRIDES(integrator, "engine.backend=reference", change));
  for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
    const double ours = value_of(r, names[j], 0), theirs = value_of(reference, names[j], 0);
    cr_expect_float_eq(ours, theirs, 1e-8 * fmax(1, fabs(theirs)), "%s %s: %s %.12g, %.12g", path,
                       change, names[j], ours, theirs);
  }
  omr_result_destroy(r);
  omr_result_destroy(reference);
}

Test(kinds, the_reference_finds_the_same_motion) {
  static const char *const paths[] = {
      "tests/reference/wheels_differential.json", "tests/reference/wheels_swerve.json",
      "tests/reference/wheels_tracking.json", "tests/reference/wheels_every_kind.json"};
  for (size_t j = 0; j < 4; j++) expect_like_reference(paths[j], "title=x");
  expect_like_reference(paths[3], "parameters.contact={\"tyre_law\": \"brush\"}");
  expect_like_reference(paths[0], "parameters.contact={\"tyre_law\": \"magic_formula\"}");
}
