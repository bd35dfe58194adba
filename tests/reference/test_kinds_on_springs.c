/* Wheels on forks, and vehicles of two wheels, on compliant contact: against the reference, closed
 * forms and rigid contact. */
#include "tests/physics/shared/caster.h"

#define FORKS "tests/reference/wheels_on_springs.json"
#define TWO "tests/reference/two_tyres.json"
#define FINE "integrator={\"tolerance\": 1e-10, \"duration\": 0.2}"

static void expect_like_reference(const char *path, const char *change, const char *more) {
  static const int quantities[] = {OMR_VS_X,  OMR_VS_Z,      OMR_VS_YAW,   OMR_VS_VX,
                                   OMR_VS_VZ, OMR_VS_HEIGHT, OMR_VS_PITCH, OMR_VS_ROLL};
  omr_result *r = run_file(path, OVERRIDES(FINE, "engine.backend=openmp", change, more)),
             *other = run_file(path, OVERRIDES(FINE, "engine.backend=reference", change, more));
  cr_assert_eq(r->sample_count, other->sample_count);
  for (size_t s = 0; s < r->sample_count; s++) {
    for (size_t j = 0; j < sizeof quantities / sizeof *quantities; j++) {
      const double ours = r->vehicle_samples[quantities[j]][s],
                   theirs = other->vehicle_samples[quantities[j]][s];
      cr_expect_float_eq(ours, theirs, 1e-8, "%s %s: quantity %d, %.12g, %.12g", path, change,
                         quantities[j], ours, theirs);
    }
    for (int i = 0; i < r->wheels; i++) {
      const double ours = sample(r, OMR_WS_LOAD, s, i), theirs = sample(other, OMR_WS_LOAD, s, i);
      cr_expect_float_eq(ours, theirs, 1e-8 * 300, "%s: load %d, %.12g, %.12g", change, i, ours,
                         theirs);
      if (!r->wheel_samples[OMR_WS_STEER] || isnan(sample(r, OMR_WS_STEER, s, i))) continue;
      cr_expect_float_eq(sample(r, OMR_WS_STEER, s, i), sample(other, OMR_WS_STEER, s, i), 1e-8,
                         "%s: angle of %d", change, i);
    }
  }
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8, "%s", change);
  cr_expect_float_eq(value_of(r, "drive_work", 0), value_of(other, "drive_work", 0), 1e-7);
  cr_expect_float_eq(value_of(r, "dissipated_energy", 0), value_of(other, "dissipated_energy", 0),
                     1e-7);
  omr_result_destroy(r);
  omr_result_destroy(other);
}

/* Dropped while it pitches and rolls; from rest on suspensions, whose travel moves the whole fork;
 * on waves; on tyres; with rolling resistance, which acts about the axles of wheels without rollers
 * and on their forks. */
Test(kinds_on_springs, the_reference_finds_the_same_motion) {
  expect_like_reference(FORKS, "title=x", "title=x");
  expect_like_reference(
      FORKS, "parameters.initial={\"vx\": 0.8, \"pitch_rate\": 0.8, \"roll_rate\": -0.6}",
      "parameters.wheel.suspension={\"stiffness\": 4000, \"damping\": 60, \"mass\": 0.1}");
  expect_like_reference(
      FORKS, "parameters.floor={\"slope\": 0.03, \"wave\": {\"amplitude\": 0.002, \"length\": 1}}",
      "title=x");
  expect_like_reference(FORKS, "parameters.contact.tyre_law=magic_formula",
                        "parameters.wheel.roller.rolling_resistance=0.002");
}

/* The nearest roller of a tracking wheel alone touches, under its preload and what its spring adds.
 */
Test(kinds_on_springs, tracking_wheels_move_as_in_the_reference) {
  expect_like_reference("tests/reference/wheels_tracking.json",
                        "parameters.contact.normal=compliant",
                        "parameters.initial={\"vx\": 0.1, \"yaw_rate\": 0.2, \"pitch_rate\": 0.2}");
}

/* Two wheels balance where the mass centre of platform and wheels is over the axle, above it or
 * below, and on a slope too. */
Test(kinds_on_springs, two_wheels_move_as_in_the_reference) {
  expect_like_reference(TWO, "parameters.platform.center_of_mass.x=0.02", "title=x");
  expect_like_reference(
      TWO, "parameters.platform.center_of_mass={\"x\": 0.02, \"height\": 0.03}",
      "parameters.wheel.suspension={\"stiffness\": 4000, \"damping\": 60, \"mass\": 0.1}");
  expect_like_reference(TWO, "parameters.wheels=[{\"x\": 0.2, \"z\": 0}, {\"x\": -0.2, \"z\": 0}]",
                        "parameters.initial={\"roll\": 0.01, \"vx\": 0.5}");
}

/* Platform m with its centre h over the axle, wheels m_w: J_p + h^2 m (M - m)/M turns, where M is m
 * and what goes along at the axle: m_w on a slippery floor, m_w + J_w/R^2 where wheels roll, which
 * hang on free axles. m g h tips it over, as cosh(t sqrt(m g h/J)), or with h < 0 swings it.
 * Rolling wheels creep by v_s F/(mu N). */
Test(kinds_on_springs, two_wheels_are_a_pendulum) {
  const double mass = 10, inertia = 0.25, wheels = 0.8, turn = 2 * 1e-3 / (0.08 * 0.08);
  static const struct {
    const char *height, *friction;
    double over, rolls, within;
  } cases[] = {{"0.3", "0", 0.22, 0, 1e-6},
               {"0.02", "0", -0.06, 0, 1e-6},
               {"0.3", "0.8", 0.22, 1, 1e-3},
               {"0.02", "0.8", -0.06, 1, 1e-3}};
  static const char *const backends[] = {"engine.backend=openmp", "engine.backend=reference"};
  for (size_t n = 0; n < 2 * sizeof cases / sizeof *cases; n++) {
    char height[80], friction[80];
    const size_t of = n / 2;
    snprintf(height, sizeof height, "parameters.platform.center_of_mass.height=%s",
             cases[of].height);
    snprintf(friction, sizeof friction, "parameters.wheel.friction=%s", cases[of].friction);
    omr_result *r =
        run_file(TWO, OVERRIDES(height, friction, backends[n % 2],
                                "integrator={\"tolerance\": 1e-10, \"duration\": 0.4}"));
    const double along = wheels + cases[of].rolls * turn, h = cases[of].over,
                 effective = inertia + h * h * mass * along / (mass + along),
                 rate = sqrt(fabs(mass * 9.81 * h / effective));
    for (size_t s = 0; s < r->sample_count; s++) {
      const double t = r->sample_time[s], angle = r->vehicle_samples[OMR_VS_PITCH][s],
                   expected = 1e-5 * (h > 0 ? cosh(rate * t) : cos(rate * t));
      cr_expect_float_eq(angle, expected, cases[of].within * 1e-5 * (h > 0 ? cosh(rate * t) : 1),
                         "%s, %s at %g: %.9g, %.9g", height, friction, t, angle, expected);
    }
    omr_result_destroy(r);
  }
}

/* A vehicle that tips over ends at 60 degrees, with chosen steps as with fixed ones. */
Test(kinds_on_springs, what_tips_over_leaves_the_model) {
  static const char *const steps[] = {
      "integrator={\"tolerance\": 1e-4, \"duration\": 1}",
      "integrator={\"tolerance\": 1e-3, \"method\": \"ros2\", \"duration\": 1}",
      "integrator={\"step\": 1e-4, \"duration\": 1, \"stability\": \"warn\"}"};
  for (int n = 0; n < 3; n++) {
    omr_result *r = run_file(TWO, OVERRIDES(steps[n], "parameters.initial.pitch=0.1",
                                            "statistics.failed_limit=1", "engine.backend=openmp"));
    cr_expect_eq(r->status[0], OMR_INSTANCE_OUTSIDE, "%s: %d", steps[n], r->status[0]);
    cr_expect_float_eq(cos(r->vehicle_samples[OMR_VS_PITCH][0]), cos(0.1), 1e-9);
    omr_result_destroy(r);
  }
}

Test(kinds_on_springs, a_caster_falls_in_behind) {
  expect_caster_falls_in(run_study(
      caster_text, OVERRIDES("parameters.contact.normal=compliant",
                             "parameters.wheel.contact={\"stiffness\": 1e8}",
                             "parameters.platform.roll_inertia=1e6",
                             "parameters.platform.pitch_inertia=1e6", "engine.backend=openmp")));
}

/* As springs grow stiffer, a motion that excites them little comes to that on rigid contact, by the
 * first order of their give. */
Test(kinds_on_springs, stiff_springs_come_to_rigid_contact) {
  static const char *const contacts[] = {"parameters.contact.normal=rigid",
                                         "parameters.contact.normal=compliant"},
                           *const springs[] = {"title=x", "parameters.wheel.contact.stiffness=4e5",
                                               "parameters.wheel.contact.stiffness=1.6e6"};
  double steer[3], yaw[3];
  for (int n = 0; n < 3; n++) {
    omr_result *r = run_file(
        "tests/reference/wheels_differential.json",
        OVERRIDES(
            contacts[n > 0], springs[n], "engine.backend=openmp",
            "parameters.wheel.drive={\"type\": \"tanh\", \"torque\": -0.4, \"ramp_time\": 0.2}",
            "parameters.wheels[0].drive={}",
            "parameters.wheels[1].drive={\"type\": \"tanh\", \"torque\": -0.6, \"ramp_time\": 0.2}",
            "parameters.wheels[2].drive={\"type\": \"none\"}",
            "parameters.wheels[2].initial={\"steer\": 1.5}", "parameters.wheel.slip_speed=0.2",
            "integrator={\"tolerance\": 1e-9, \"duration\": 1}"));
    steer[n] = sample(r, OMR_WS_STEER, r->sample_count - 1, 2);
    yaw[n] = value_of(r, "final_yaw", 0);
    omr_result_destroy(r);
  }
  cr_expect_lt(fabs(steer[1] - steer[0]), 1e-3, "%g of %g", steer[1] - steer[0], steer[0]);
  cr_expect_float_eq((steer[1] - steer[0]) / (steer[2] - steer[0]), 4, 0.02);
  cr_expect_float_eq((yaw[1] - yaw[0]) / (yaw[2] - yaw[0]), 4, 0.02);
}

/* Every method comes to the same motion: forks are in the matrix of the implicit pairs. */
Test(kinds_on_springs, methods_agree) {
  static const char *const names[] = {"final_x", "final_yaw", "final_height", "final_vz"};
  static const struct {
    const char *integrator;
    double within;
  } others[] = {{"integrator={\"tolerance\": 1e-6, \"duration\": 0.2}", 1e-5},
                {"integrator={\"tolerance\": 1e-6, \"method\": \"ros2\", \"duration\": 0.2}", 2e-4},
                {"integrator={\"step\": 2e-5, \"method\": \"heun\", \"duration\": 0.2}", 1e-5},
                {"integrator={\"step\": 2e-5, \"method\": \"semi_implicit_euler\", \"duration\": "
                 "0.2}",
                 2e-3}};
  omr_result *truth = run_file(
      FORKS, OVERRIDES("integrator={\"step\": 1e-5, \"duration\": 0.2}", "engine.backend=openmp"));
  for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
    omr_result *r = run_file(FORKS, OVERRIDES(others[n].integrator, "engine.backend=openmp"));
    for (size_t j = 0; j < sizeof names / sizeof *names; j++)
      cr_expect_float_eq(value_of(r, names[j], 0), value_of(truth, names[j], 0), others[n].within,
                         "%s: %s, %.9g, %.9g", others[n].integrator, names[j],
                         value_of(r, names[j], 0), value_of(truth, names[j], 0));
    const size_t end = truth->sample_count - 1;
    for (int i = 2; i < 4; i++)
      cr_expect_float_eq(
          sample(r, OMR_WS_STEER, r->sample_count - 1, i), sample(truth, OMR_WS_STEER, end, i),
          10 * others[n].within, "%s: %.9g, %.9g", others[n].integrator,
          sample(r, OMR_WS_STEER, r->sample_count - 1, i), sample(truth, OMR_WS_STEER, end, i));
    omr_result_destroy(r);
  }
  omr_result_destroy(truth);
}
