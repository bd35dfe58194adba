/* Whole motions: energy, order of the integration across exchanges, symmetry, attracting edges,
 * long runs in single precision. */
#include "shared/motion.h"

enum { STATES = 6 };
static const char *const state_names[STATES] = {"final_x",  "final_z",  "final_yaw",
                                                "final_vx", "final_vz", "final_yaw_rate"};

/* Final state, and the number of exchanges; fails where the instance did. */
static void final_state(const char *text, const char *const *overrides, double state[STATES],
                        double *exchanges) {
  omr_result *r = run_study(text, overrides);
  cr_assert_eq(omr_result_status(r)[0], 0, "ended as %s",
               omr_instance_status_name(omr_result_status(r)[0]));
  for (int i = 0; i < STATES; i++) state[i] = value_of(r, state_names[i], 0);
  if (exchanges) *exchanges = value_of(r, "exchanges", 0);
  omr_result_destroy(r);
}

static double largest_difference(const double a[STATES], const double b[STATES]) {
  double largest = 0;
  for (int i = 0; i < STATES; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

Test(energy, undriven_frictionless_motion_keeps_it_to_1e_9_over_10_s) {
  omr_result *r = run_study(vehicle_text, NULL);
  cr_assert_lt(fabs(value_of(r, "energy_error", 0)), 1e-9);
  cr_assert_gt(value_of(r, "exchanges", 0), 100);
  cr_assert_eq(value_of(r, "dissipated_energy", 0), 0);
  omr_result_destroy(r);
}

/* Exact: without friction the floor does nothing, the centre of mass moves straight on and the
 * wheels' gyroscopic coupling to the yaw is the only interaction; with locked rollers and psi = 0
 * there is none. */
Test(energy, frictionless_centre_of_mass_moves_straight_on) {
  double state[STATES];
  final_state(
      vehicle_text,
      OVERRIDES("parameters.platform.center_of_mass.x=0", "parameters.platform.center_of_mass.z=0"),
      state, NULL);
  cr_assert_float_eq(state[0], 3.0, 1e-11);
  cr_assert_float_eq(state[1], -2.0, 1e-11);
}

static double friction_balance(const char *step, double *exchanges) {
  omr_result *r =
      run_study(vehicle_text,
                OVERRIDES("parameters.wheel.friction=0.3", "integrator.duration=20", step,
                          "parameters.wheels=[{\"drive\":{\"type\":\"constant\",\"torque\":0.6}},"
                          "{\"drive\":{\"type\":\"sine\",\"torque\":0.5,\"frequency\":0.4}},"
                          "{\"drive\":{\"type\":\"tanh\",\"torque\":-0.7}}]"));
  cr_assert_eq(omr_result_status(r)[0], 0);
  double error = fabs(value_of(r, "energy_error", 0));
  cr_assert_gt(value_of(r, "dissipated_energy", 0), 1);
  *exchanges = value_of(r, "exchanges", 0);
  omr_result_destroy(r);
  return error;
}

Test(energy, balance_with_friction_and_drives_falls_at_least_8_fold_with_half_the_step) {
  double exchanges;
  double coarse = friction_balance("integrator.step=0.4 ms", &exchanges),
         fine = friction_balance("integrator.step=0.2 ms", &exchanges);
  cr_log_info("energy balance error %.3e, with half the step %.3e, %.0f exchanges\n", coarse, fine,
              exchanges);
  cr_assert_geq(exchanges, 100);
  cr_assert_lt(coarse, 1e-7);
  cr_assert_geq(coarse / fine, 8);
}

static double bearing_balance(const char *step) {
  omr_result *r =
      run_study(vehicle_text,
                OVERRIDES("parameters.wheel.friction=0.3", "parameters.wheel.roller.bearing=1e-4",
                          step, "parameters.wheel.axle_bearing=1e-3", "integrator.duration=3"));
  cr_assert_eq(omr_result_status(r)[0], 0);
  cr_assert_gt(value_of(r, "exchanges", 0), 15);
  double error = fabs(value_of(r, "energy_error", 0));
  omr_result_destroy(r);
  return error;
}

Test(energy, balance_with_bearing_friction_has_order_4) {
  double coarse = bearing_balance("integrator.step=0.4 ms"),
         fine = bearing_balance("integrator.step=0.2 ms");
  cr_log_info("energy balance error with bearings %.3e, with half the step %.3e\n", coarse, fine);
  cr_assert_lt(coarse, 1e-7);
  cr_assert_geq(coarse / fine, 8);
}

static double order_of(const char *const *common, const char *mode, double *exchanges) {
  double state[3][STATES];
  static const char *const steps[3] = {"integrator.step=0.8 ms", "integrator.step=0.4 ms",
                                       "integrator.step=0.2 ms"};
  for (int i = 0; i < 3; i++) {
    const char *overrides[16] = {steps[i], mode};
    for (int j = 0; common[j]; j++) overrides[2 + j] = common[j];
    final_state(vehicle_text, overrides, state[i], exchanges);
  }
  double coarse = largest_difference(state[0], state[1]),
         fine = largest_difference(state[1], state[2]);
  cr_log_info("%s: differences %.3e and %.3e, order %.2f\n", mode, coarse, fine,
              log2(coarse / fine));
  return log2(coarse / fine);
}

/* Slip stays below v_s = 3 m/s throughout, so that nothing but the exchanges could cost order. */
static const char *const smooth[] = {"parameters.wheel.friction=0.3",
                                     "parameters.wheel.slip_speed=3", "integrator.duration=4",
                                     NULL};

Test(order, is_4_across_split_roller_exchanges) {
  double exchanges, order = order_of(smooth, "integrator.exchange=split", &exchanges);
  cr_assert_gt(exchanges, 20);
  cr_assert_gt(order, 3.7);
  cr_assert_lt(order, 4.5);
}

Test(order, is_lost_where_steps_straddle_the_exchanges) {
  double exchanges;
  cr_assert_lt(order_of(smooth, "integrator.exchange=straddle", &exchanges), 2.5);
}

Test(order, split_and_straddled_motion_agree_in_the_limit) {
  double split[STATES], straddled[STATES];
  final_state(vehicle_text,
              OVERRIDES("parameters.wheel.friction=0.3", "integrator.duration=2",
                        "integrator.step=0.05 ms"),
              split, NULL);
  final_state(vehicle_text,
              OVERRIDES("parameters.wheel.friction=0.3", "integrator.duration=2",
                        "integrator.step=0.05 ms", "integrator.exchange=straddle"),
              straddled, NULL);
  cr_assert_lt(largest_difference(split, straddled), 2e-4);
}

/* Three like wheels spinning alike about the middle: the body origin must stay, and all wheels
 * exchange at the same instant. */
Test(symmetry, a_symmetric_spin_stays_symmetric) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES("parameters.platform.center_of_mass.x=0", "parameters.platform.center_of_mass.z=0",
                "parameters.wheels=[{},{},{}]", "parameters.wheel.initial.rate=-5",
                "parameters.wheel.friction=0.3", "parameters.initial.vx=0",
                "parameters.initial.vz=0", "integrator.step=0.2 ms", "integrator.duration=5"));
  double exchanges = value_of(r, "exchanges", 0);
  cr_assert_lt(value_of(r, "path_length", 0), 1e-13);
  cr_assert_gt(exchanges, 30);
  cr_assert_eq(fmod(exchanges, 3), 0);
  cr_assert_float_eq(value_of(r, "min_load", 0), value_of(r, "max_load", 0), 1e-9);
  omr_result_destroy(r);
}

/* With two rows and equal wheels as well. */
Test(symmetry, two_rows_keep_it) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES("parameters.platform.center_of_mass.x=0", "parameters.platform.center_of_mass.z=0",
                "parameters.wheels=[{},{},{}]", "parameters.wheel.initial.rate=-5",
                "parameters.wheel.friction=0.3", "parameters.wheel.row_distance=0.03",
                "parameters.initial.vx=0", "parameters.initial.vz=0", "integrator.step=0.2 ms",
                "integrator.duration=5"));
  cr_assert_lt(value_of(r, "path_length", 0), 1e-13);
  cr_assert_eq(fmod(value_of(r, "exchanges", 0), 3), 0);
  omr_result_destroy(r);
}

/* appendix/rollers.md#exchange: a wheel bounces at an edge that attracts from both sides until
 * it rests on two rollers, and leaves. */
Test(attracting_edge, ends_is_counted_and_converges) {
  double state[3][STATES], holds[3];
  static const char *const steps[3] = {"integrator.step=0.1 ms", "integrator.step=0.025 ms",
                                       "integrator.step=0.0125 ms"};
  for (int i = 0; i < 3; i++) {
    omr_result *r = run_study(testbench_text, OVERRIDES(steps[i]));
    cr_assert_eq(omr_result_status(r)[0], 0);
    for (int j = 0; j < STATES; j++) state[i][j] = value_of(r, state_names[j], 0);
    holds[i] = value_of(r, "edge_holds", 0);
    cr_assert_lt(fabs(value_of(r, "energy_error", 0)), 1e-8);
    cr_assert_gt(value_of(r, "exchanges", 0), 100);
    omr_result_destroy(r);
  }
  /* the pose; velocities at an instant also carry the phase of the bounces that remain */
  double coarse = 0, fine = 0;
  for (int j = 0; j < 3; j++) {
    coarse = fmax(coarse, fabs(state[0][j] - state[2][j]));
    fine = fmax(fine, fabs(state[1][j] - state[2][j]));
  }
  cr_log_info("holds %.0f %.0f %.0f, pose off the finest by %.2e and %.2e\n", holds[0], holds[1],
              holds[2], coarse, fine);
  for (int i = 0; i < 3; i++) cr_assert(holds[i] >= 1 && holds[i] <= 3);
  cr_assert_lt(coarse, 5e-6); /* found 1.5e-6, and 1.0e-7 with a quarter of the step: order 2 by the
                                 kinks at v_s and the way in */
  cr_assert_lt(fine, coarse / 4);
}

/* Neighbours in a pack bounce and rest at times of their own. */
Test(attracting_edge, has_the_same_bits_in_lanes_and_scalar) {
  static const char *const vary = "vary=[{\"path\":\"wheel.initial.rate\",\"uniform\":[-5,-3]}]";
  static const char *const design =
      "design={\"type\":\"monte_carlo\",\"instances\":21,\"seed\":\"3\"}";
  omr_result *lanes = run_study(testbench_text, OVERRIDES(vary, design, "integrator.duration=1"));
  omr_result *scalar = run_study(
      testbench_text, OVERRIDES(vary, design, "integrator.duration=1", "engine.backend=scalar"));
  double holds = 0;
  for (size_t k = 0; k < omr_result_instances(lanes); k++)
    holds += value_of(lanes, "edge_holds", k);
  cr_assert_geq(holds, 3);
  for (size_t c = 0; c < omr_result_columns(lanes); c++) {
    size_t size = omr_result_instances(lanes) * sizeof(double);
    cr_assert_eq(memcmp(omr_result_column(lanes, c), omr_result_column(scalar, c), size), 0, "%s",
                 omr_result_column_name(lanes, c));
  }
  omr_result_destroy(lanes);
  omr_result_destroy(scalar);
}

static const char *const drifting[] = {"engine.precision=single",
                                       "integrator.duration=60",
                                       "parameters.wheels=[{},{},{}]",
                                       "parameters.platform.center_of_mass.x=0",
                                       "parameters.platform.center_of_mass.z=0",
                                       "parameters.initial.yaw_rate=0",
                                       NULL,
                                       NULL};

/* Compensated sums: 600 000 steps in single precision. The velocities 0.3 and -0.2 round to single
 * within 5e-8. */
Test(single_precision, constant_velocity_is_right_to_1e_6_after_60_s) {
  const char *overrides[9];
  memcpy(overrides, drifting, sizeof drifting);
  overrides[6] = "integrator.step=0.1 ms";
  double state[STATES];
  final_state(vehicle_text, overrides, state, NULL);
  cr_log_info("x %.9g, z %.9g\n", state[0], state[1]);
  cr_assert_float_eq(state[0] / 18, 1, 1e-6);
  cr_assert_float_eq(state[1] / -12, 1, 1e-6);
}

Test(single_precision, follows_double) {
  double one[STATES], two[STATES];
  final_state(vehicle_text, OVERRIDES("parameters.wheel.friction=0.3", "integrator.duration=2"),
              one, NULL);
  final_state(vehicle_text,
              OVERRIDES("parameters.wheel.friction=0.3", "integrator.duration=2",
                        "engine.precision=single"),
              two, NULL);
  double difference = largest_difference(one, two);
  cr_assert_lt(difference, 1e-4);
  cr_assert_gt(difference, 0, "single precision was not used");
}

/* A spinning vehicle turns many times: the yaw is wrapped inside, and whole outside. Exact: theta =
 * omega t. */
Test(yaw, counts_full_turns) {
  double state[STATES];
  final_state(vehicle_text,
              OVERRIDES("parameters.wheel.inclination=0", "parameters.wheels=[{},{},{}]",
                        "parameters.initial.yaw_rate=9"),
              state, NULL);
  cr_assert_float_eq(state[2], 90, 1e-10);
}
