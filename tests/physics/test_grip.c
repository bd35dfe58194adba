/* Time without grip against slides that are known exactly, and against the reference. */
#include "shared/motion.h"

#define GRIP "output.observables=[\"lost_grip_time\",\"max_slip\",\"exchanges\"]"

/* The testbench's wheel, of 1.75 kg, which does not turn: too heavy to. mu g = 2.943 m/s2. */
#define STILL                                                                                      \
  GRIP, "parameters.wheel.inclination=0", "parameters.wheel.initial={}",                           \
      "parameters.wheel.disc.axial_inertia=1e9", "integrator.duration=0.6"

static const char *const steps[] = {
    "integrator={\"method\": \"rk4\", \"step\": 0.0005, \"duration\": 0.6}",
    "integrator={\"method\": \"ros2\", \"tolerance\": 1e-6, \"duration\": 0.6}",
    "engine.backend=reference"};

/* Along the wheel the roller cannot turn: from 1 m/s it slides until mu g t = 1 - 0.02. The slip
 * falls as a straight line, so that the observable is exact on every step; that of the reference to
 * its tolerance, and controlled steps end at the kink of the law. */
Test(grip, a_wheel_that_is_pushed_along_slides_until_friction_has_stopped_it) {
  for (int i = 0; i < 3; i++) {
    omr_result *r =
        run_study(testbench_text, OVERRIDES(STILL, "parameters.initial={\"vx\": 1}", steps[i]));
    cr_expect_float_eq(value_of(r, "lost_grip_time", 0), 0.98 / 2.943, 1e-7, "%s: %.10g", steps[i],
                       value_of(r, "lost_grip_time", 0));
    omr_result_destroy(r);
  }
}

/* grip_speed alone says what slides: it changes no motion. */
Test(grip, the_threshold_is_grip_speed) {
  omr_result *r = run_study(testbench_text, OVERRIDES(STILL, "parameters.initial={\"vx\": 1}",
                                                      "parameters.wheel.grip_speed=0.4"));
  cr_expect_float_eq(value_of(r, "lost_grip_time", 0), 0.6 / 2.943, 1e-7);
  omr_result_destroy(r);
}

/* A slide that the run ends counts to its end. */
Test(grip, a_slide_that_goes_on_counts_to_the_end) {
  omr_result *r = run_study(testbench_text, OVERRIDES(STILL, "parameters.initial={\"vx\": 1}",
                                                      "integrator.duration=0.25"));
  cr_expect_float_eq(value_of(r, "lost_grip_time", 0), 0.25, 1e-9);
  omr_result_destroy(r);
}

/* Across the wheel friction spins the roller up, as it does after an exchange: with the lever
 * h = 0.0228 m the slip falls by mu g (1 + m h^2/I) = 92 m/s2, which ends the slide in 11 ms. Half
 * of what it takes off the roller excuses it for 22 ms. */
Test(grip, a_roller_that_friction_spins_up_has_not_lost_its_grip) {
  for (int i = 0; i < 3; i++) {
    omr_result *r =
        run_study(testbench_text, OVERRIDES(STILL, "parameters.initial={\"vz\": 1}", steps[i]));
    cr_expect_gt(value_of(r, "max_slip", 0), 0.99);
    cr_expect_eq(value_of(r, "lost_grip_time", 0), 0, "%s: %.10g", steps[i],
                 value_of(r, "lost_grip_time", 0));
    omr_result_destroy(r);
  }
}

/* A bearing that jams, 0.03 N m s: the roller turns no faster than mu N h/beta, so that the wheel
 * slides until mu g t = 1 - 0.02 - mu N h^2/beta. Below 0.02 m/s the slip falls five times as
 * slowly, which a fixed step sees too late by a part of itself. */
Test(grip, a_roller_that_does_not_turn_has_lost_it) {
  const double h = 0.1 - 0.0772, force = 2.943 * 1.75, most = force * h * h / 0.03;
  const double margins[] = {5e-4, 2e-6};
  for (int i = 0; i < 2; i++) {
    omr_result *r =
        run_study(testbench_text, OVERRIDES(STILL, "parameters.initial={\"vz\": 1}",
                                            "parameters.wheel.roller.bearing=0.03", steps[i]));
    cr_expect_float_eq(value_of(r, "lost_grip_time", 0), (0.98 - most) / 2.943, margins[i],
                       "%s: %.10g", steps[i], value_of(r, "lost_grip_time", 0));
    omr_result_destroy(r);
  }
}

/* Constraints leave no slip to judge by. */
Test(grip, laws_without_slip_have_no_such_time) {
  omr_result *r = run_study(vehicle_text, OVERRIDES(GRIP, "parameters.contact.law=ideal_rolling",
                                                    "integrator.duration=0.1"));
  cr_expect(isnan(value_of(r, "lost_grip_time", 0)));
  omr_result_destroy(r);
}

/* A mecanum vehicle whose torques swing, on a floor of friction 0.8. */
static const char mecanum_text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": 20, \"yaw_inertia\": "
    "0.8, \"center_of_mass\": {\"x\": 0.02, \"height\": 0.15}}, \"layout\": {\"type\": "
    "\"rectangle\", \"mecanum\": true, \"half_length\": 0.25, \"half_width\": 0.2}, \"wheel\": "
    "{\"radius\": 0.1, \"rollers\": 9, \"inclination\": \"45 deg\", \"tip_radius\": 0.008, "
    "\"friction\": 0.8, \"slip_speed\": 0.05, \"roller\": {\"density\": 1500}, \"drive\": "
    "{\"type\": \"sine\", \"torque\": 2, \"frequency\": 0.5}}}, \"integrator\": {\"method\": "
    "\"ros2\", \"tolerance\": 1e-5, \"duration\": 0.9}, \"output\": {\"observables\": "
    "[\"lost_grip_time\", \"wheel0_lost_grip_time\", \"wheel2_lost_grip_time\", \"max_slip\", "
    "\"exchanges\"]}, \"engine\": {\"backend\": \"openmp\"}}";

/* 60 and more exchanges make the new rollers slide, and nothing else does. */
Test(grip, exchanges_alone_lose_no_grip) {
  omr_result *r =
      run_study(mecanum_text, OVERRIDES("parameters.wheel.drive={\"type\": \"constant\", "
                                        "\"torque\": 2}"));
  cr_expect_gt(value_of(r, "exchanges", 0), 60);
  cr_expect_gt(value_of(r, "max_slip", 0), 0.08);
  cr_expect_eq(value_of(r, "lost_grip_time", 0), 0);
  omr_result_destroy(r);
}

/* Wheels that spin and grip again: the reference looks at both sides of every event, by levers from
 * its bodies' places. Within what a step of 10 us leaves, and 1e-5 of the time. */
Test(grip, the_reference_finds_the_same_times) {
  static const char *const names[] = {"lost_grip_time", "wheel0_lost_grip_time",
                                      "wheel2_lost_grip_time"};
  const char *const spins[] = {"parameters.wheel.friction=0.2",
                               "parameters.wheel.drive.torque=2",
                               "parameters.wheel.drive.frequency=3",
                               "integrator.duration=0.18",
                               NULL,
                               NULL};
  const char *again[6];
  memcpy(again, spins, sizeof again);
  again[4] = "engine.backend=reference";
  omr_result *r = run_study(mecanum_text, spins), *reference = run_study(mecanum_text, again);
  for (int i = 0; i < 3; i++) {
    const double time = value_of(r, names[i], 0);
    cr_expect(time > 0.02 && time < 0.16, "%s: %g", names[i], time);
    cr_expect_float_eq(value_of(reference, names[i], 0), time, 1e-5, "%s: %.10g, reference %.10g",
                       names[i], time, value_of(reference, names[i], 0));
  }
  omr_result_destroy(reference);
  omr_result_destroy(r);
}
