/* Sound studies: what the reader makes of them. Expected values are those of the study texts,
 * converted by hand, and the defaults of host/lists/parameters.h. */
#include "../../host/lists/observables.h"
#include "../../host/model/small.h"
#include "../../host/study/grammar/parse.h"
#include "read_study.h"

/* A slope in per cent rises by so much of its way. Levels in per cent are even in per cent, those
 * in degrees are even in degrees, and a roller's inclination is no slope. */
Test(study_reading, slopes_may_be_given_in_per_cent) {
  omr_study *study = read_study(V(
      "'contact': {'normal': 'compliant'}, 'floor': {'slope': '12 %', 'slope_direction': '30 deg'}",
      ", 'vary': [{'path': 'floor.slope', 'linspace': ['0 %', '100%', 3]}], 'design': {'type': "
      "'grid'}"));
  cr_expect_float_eq(VEHICLE(study, FLOOR_SLOPE), 0.11942892601833845, 1e-16); /* atan 0.12 */
  cr_expect_eq(study->variations[0].values[0], 0);
  cr_expect_float_eq(study->variations[0].values[1], 0.46364760900080609, 1e-16); /* atan 0.5 */
  cr_expect_float_eq(study->variations[0].values[2], PI / 4, 1e-16);
  omr_study_destroy(study);

  study = read_study(V("'contact': {'normal': 'compliant'}, 'floor': {'slope': '9 deg'}",
                       ", 'vary': [{'path': 'floor.slope', 'linspace': ['0 deg', '45 deg', 3]}], "
                       "'design': {'type': 'grid'}"));
  cr_expect_float_eq(VEHICLE(study, FLOOR_SLOPE), PI / 20, 1e-16);
  cr_expect_float_eq(study->variations[0].values[1], PI / 8, 1e-16);
  omr_study_destroy(study);
}

/* Pololu's geared motor 4753: 12 V, 21 kgf cm and 5.5 A at rest, 200 rpm and 0.2 A without load. By
 * hand: R = 12/5.5, k = (12 - 0.2 R)/20.943951, efficiency 2.0593965/(5.3 k). Wheel 1 has a motor
 * of its own without losses, behind a gear of 80 %. */
Test(study_reading, a_data_sheet_gives_the_motor) {
  omr_study *study = read_study(
      V("'supply': {'voltage': '12 V'}, 'wheel': {'drive': {'type': 'constant', 'by': 'duty'}, "
        "'motor': {'data_sheet': {'voltage': '12 V', 'stall_torque': '21 kgf cm', "
        "'stall_current': '5.5 A', 'no_load_speed': '200 rpm', 'no_load_current': '0.2 A'}}}, "
        "'wheels': [{}, {'motor': {'efficiency': 0.8, 'data_sheet': {'voltage': 24, "
        "'stall_torque': 1.2, 'stall_current': 20, 'no_load_speed': 400, 'no_load_current': 0}}}, "
        "{}]",
        ""));
  cr_expect_float_eq(WHEEL(study, 0, RESISTANCE), 2.1818182, 1e-7);
  cr_expect_float_eq(WHEEL(study, 0, TORQUE_CONSTANT), 0.5521230, 1e-7);
  cr_expect_float_eq(WHEEL(study, 0, EFFICIENCY), 0.7037660, 1e-7);
  cr_expect_eq(WHEEL(study, 2, NO_LOAD_CURRENT), 0.2);
  cr_expect_float_eq(WHEEL(study, 1, RESISTANCE), 1.2, 1e-12);
  cr_expect_float_eq(WHEEL(study, 1, TORQUE_CONSTANT), 0.06, 1e-12);
  cr_expect_float_eq(WHEEL(study, 1, EFFICIENCY), 0.8, 1e-12);
  omr_study_destroy(study);
}

/* Times need not be multiples of anything, and the method goes with the law. */
Test(study_reading, a_tolerance_leaves_times_free) {
  static const char text[] =
      "{'model': 'omni_vehicle', 'integrator': {'tolerance': 2e-3, 'duration': 1.2345}, "
      "'parameters': "
      "{'controller_period': '0.7 ms', 'wheel': {'drive': {'type': 'speed'}}}, "
      "'output': {'trajectories': {'instances': 'all', 'interval': 0.1}}}";
  omr_study *study = read_study(text);
  cr_expect_eq(study->time.tolerance, 2e-3);
  cr_expect_eq(study->time.duration, 1.2345);
  cr_expect_eq(study->drives.period, 0.7e-3);
  cr_expect_eq(study->time.method, OMR_METHOD_ROS34PW2);
  cr_expect_eq(omr_study_samples(study), 13u); /* 0, 0.1 .. 1.2 */
  cr_expect_eq(omr_study_sample_time(study, 12), 12 * 0.1);
  omr_study_destroy(study);
  static const char *const two[] = {"integrator.method=ros2"};
  study = read_with(text, two, 1);
  cr_expect_eq(study->time.method, OMR_METHOD_ROS2);
  omr_study_destroy(study);
  static const char *const laws[] = {"parameters.contact.law=ideal_rolling",
                                     "parameters.contact.law=udwadia_kalaba"};
  for (int i = 0; i < 2; i++) {
    study = read_with(text, &laws[i], 1);
    cr_expect_eq(study->time.method, OMR_METHOD_DOPRI);
    omr_study_destroy(study);
  }
}

/* A member that an override sets to null is as if it were not there. */
Test(study_reading, an_override_with_null_takes_a_member_away) {
  static const char *const instead[] = {"integrator.step=null", "integrator.tolerance=1e-4"};
  omr_study *study = read_with("{'model': 'omni_vehicle', " TIMES "}", instead, 2);
  cr_expect_eq(study->time.tolerance, 1e-4);
  omr_study_destroy(study);
}

Test(study_reading, the_shortest_study_is_model_and_times) {
  omr_study *study = read_study("{'model': 'omni_vehicle', " TIMES "}");
  cr_expect_eq(study->model, OMR_MODEL_VEHICLE);
  cr_expect_eq(study->layout, OMR_LAYOUT_RING);
  cr_expect_eq(study->wheels, 3);
  cr_expect_eq(study->design.type, OMR_DESIGN_SINGLE);
  cr_expect_eq(omr_study_instances(study), 1u);
  cr_expect_str_eq(omr_study_title(study), "");
  cr_expect_eq(study->time.steps, 4000u);
  cr_expect_eq(study->time.step, 0.5e-3);
  cr_expect_eq(study->drives.period, 1e-3);
  cr_expect(study->time.split);
  cr_expect_not(study->allow_overlap);
  cr_expect_eq(study->spins, OMR_SPINS_LOCKED);
  cr_expect_eq(study->command.kind, OMR_COMMAND_NONE);
  cr_expect_eq(study->drives.law[2], OMR_DRIVE_NONE);
  cr_expect_eq(study->traces.count, 0u);
  cr_expect_eq(study->engine.backend, OMR_BACKEND_AUTO);
  cr_expect_eq(study->engine.precision, OMR_DOUBLE);
  cr_expect_eq(study->engine.numerics, OMR_NUMERICS_EXACT);
  cr_expect_eq(study->engine.launch_seconds, 0.25);
  omr_study_destroy(study);
}

static void expect_spring(const char *text, double stiffness, double damping) {
  omr_study *study = read_study(text);
  const double *values = study->base.wheel[1];
  cr_expect_eq(values[OMR_WP_STIFFNESS], stiffness, "%s", text);
  cr_expect(isnan(damping) ? isnan(values[OMR_WP_DAMPING]) : values[OMR_WP_DAMPING] == damping,
            "%s", text);
  omr_study_destroy(study);
}

/* As their meanings say. */
Test(study_reading, a_springs_default_is_that_of_its_contact) {
  expect_spring("{'model': 'disc_vehicle', " TIMES "}", 4e4, 400);
  expect_spring(
      "{'model': 'omni_vehicle', 'parameters': {'contact': {'normal': 'compliant'}}, " TIMES "}",
      4e5, OMR_UNSET);
}

Test(study_reading, defaults_are_those_of_the_lists) {
  omr_study *study = read_study("{'model': 'omni_vehicle', " TIMES "}");
  for (int i = 0; i < OMR_VP_COUNT; i++) {
    const double value = study->base.vehicle[i], standard = omr_vehicle_parameters[i].standard;
    cr_expect(isnan(standard) ? isnan(value) : value == standard, "%s",
              omr_vehicle_parameters[i].path);
  }
  for (int wheel = 0; wheel < 3; wheel++)
    for (int i = 0; i < OMR_WP_COUNT; i++) {
      const double value = study->base.wheel[wheel][i], standard = omr_wheel_parameters[i].standard;
      if (i == OMR_WP_STIFFNESS || i == OMR_WP_DAMPING) continue; /* below: by the contact */
      cr_expect(isnan(standard) ? isnan(value) : value == standard, "%s",
                omr_wheel_parameters[i].path);
    }
  omr_study_destroy(study);
}

Test(study_reading, default_values_lie_within_their_bounds) {
  for (int i = 0; i < OMR_VP_COUNT + OMR_WP_COUNT; i++) {
    const omr_parameter *p =
        i < OMR_VP_COUNT ? &omr_vehicle_parameters[i] : &omr_wheel_parameters[i - OMR_VP_COUNT];
    if (isnan(p->standard)) continue;
    cr_expect(p->standard >= p->low && p->standard <= p->high, "%s", p->path);
    cr_expect(!(p->flags & OMR_P_OPEN_LOW) || p->standard > p->low, "%s", p->path);
  }
}

Test(study_reading, quantities_become_si) {
  omr_study *study = read_study(V(
      "'gravity': '981 cm/s2', 'platform': {'mass': '500 g', 'center_of_mass': {'height': '7 cm'}},"
      "'wheel': {'radius': '30 mm', 'inclination': '45 deg', 'friction': '20 %', 'initial': "
      "{'rate': '60 rpm'}}",
      ""));
  cr_expect_float_eq(VEHICLE(study, GRAVITY), 9.81, 1e-14);
  cr_expect_float_eq(VEHICLE(study, PLATFORM_MASS), 0.5, 1e-15);
  cr_expect_float_eq(VEHICLE(study, COM_HEIGHT), 0.07, 1e-15);
  cr_expect_float_eq(WHEEL(study, 2, RADIUS), 0.03, 1e-16);
  cr_expect_float_eq(WHEEL(study, 2, INCLINATION), M_PI / 4, 1e-15);
  cr_expect_float_eq(WHEEL(study, 2, FRICTION), 0.2, 1e-15);
  cr_expect_float_eq(WHEEL(study, 2, RATE), 2 * M_PI, 1e-14);
  omr_study_destroy(study);
}

Test(study_reading, a_wheel_replaces_what_all_wheels_share) {
  omr_study *study = read_study(
      V("'wheel': {'friction': 0.2, 'disc': {'mass': 1}}, 'wheels': [{}, {'friction': 0.4}, {}]",
        ""));
  cr_expect_eq(WHEEL(study, 0, FRICTION), 0.2);
  cr_expect_eq(WHEEL(study, 1, FRICTION), 0.4);
  cr_expect_eq(WHEEL(study, 1, DISC_MASS), 1);
  cr_expect_eq(WHEEL(study, 2, FRICTION), 0.2);
  omr_study_destroy(study);
}

Test(study_reading, layouts_give_the_number_of_wheels) {
  omr_study *study = read_study(V("'layout': {'type': 'ring', 'wheels': 5, 'radius': 0.3}", ""));
  cr_expect_eq(study->wheels, 5);
  cr_expect_eq(VEHICLE(study, LAYOUT_RADIUS), 0.3);
  omr_study_destroy(study);
  study = read_study(V("'layout': {'type': 'rectangle', 'half_length': 0.4}", ""));
  cr_expect_eq(study->layout, OMR_LAYOUT_RECTANGLE);
  cr_expect_eq(study->wheels, 4);
  omr_study_destroy(study);
  study = read_study(
      V("'layout': {'type': 'explicit'}, "
        "'wheels': [{'x': 1, 'z': 0}, {'x': 0, 'z': 1}, {'x': 0, 'z': -1, 'axis_angle': '90 deg'}]",
        ""));
  cr_expect_eq(study->layout, OMR_LAYOUT_EXPLICIT);
  cr_expect_eq(study->wheels, 3);
  cr_expect_eq(WHEEL(study, 2, Z), -1);
  cr_expect_eq(WHEEL(study, 0, AXIS_ANGLE), 0);
  cr_expect_float_eq(WHEEL(study, 2, AXIS_ANGLE), M_PI / 2, 1e-15);
  omr_study_destroy(study);
  study = read_study(W("'wheel': {'axis_angle': 0.5}", ""));
  cr_expect_eq(study->wheels, 1);
  cr_expect_eq(WHEEL(study, 0, AXIS_ANGLE), 0.5);
  omr_study_destroy(study);
}

/* Signs + - - + of front-left, front-right, rear-left, rear-right. */
Test(study_reading, a_mecanum_rectangle_alternates_inclinations_varied_ones_too) {
  static const double sign[] = {1, -1, -1, 1};
  omr_study *study = read_study(
      V("'layout': {'type': 'rectangle', 'mecanum': true}, 'wheel': {'inclination': 0.5}",
        ", 'vary': [{'path': 'wheel.inclination', 'values': [0.6, 0.7]}]"));
  omr_values values;
  double column;
  omr_study_values(study, 1, &values, &column);
  cr_expect_eq(column, 0.7);
  for (int wheel = 0; wheel < 4; wheel++) {
    cr_expect_eq(WHEEL(study, wheel, INCLINATION), 0.5 * sign[wheel]);
    cr_expect_eq(values.wheel[wheel][OMR_WP_INCLINATION], 0.7 * sign[wheel]);
  }
  omr_study_destroy(study);
}

Test(study_reading, roller_mass_replaces_density_and_a_wheel_may_choose_the_other_way) {
  omr_study *study = read_study(
      V("'wheel': {'roller': {'mass': 0.01, 'axial_inertia': 1e-6, 'diametral_inertia': 2e-6}}, "
        "'wheels': [{}, {'roller': {'density': 900, 'bore': 1e-3}}, {}]",
        ""));
  cr_expect_eq(WHEEL(study, 0, ROLLER_MASS), 0.01);
  cr_expect(isnan(WHEEL(study, 0, ROLLER_DENSITY)));
  cr_expect_eq(WHEEL(study, 1, ROLLER_DENSITY), 900);
  cr_expect(isnan(WHEEL(study, 1, ROLLER_MASS)));
  cr_expect(isnan(WHEEL(study, 1, ROLLER_AXIAL_INERTIA)));
  cr_expect_eq(WHEEL(study, 1, ROLLER_BORE), 1e-3);
  omr_study_destroy(study);
}

Test(study_reading, a_wheel_with_another_drive_inherits_nothing_of_the_shared_one) {
  omr_study *study =
      read_study(V("'wheel': {'drive': {'type': 'tanh', 'torque': 2, 'ramp_time': 3}}, "
                   "'wheels': [{}, {'drive': {'type': 'constant'}}, {'drive': {'torque': 5}}]",
                   ""));
  cr_expect_eq(study->drives.law[0], OMR_DRIVE_TANH);
  cr_expect_eq(WHEEL(study, 0, TORQUE), 2);
  cr_expect_eq(study->drives.law[1], OMR_DRIVE_CONSTANT);
  cr_expect_eq(WHEEL(study, 1, TORQUE), 0);
  cr_expect_eq(study->drives.law[2], OMR_DRIVE_TANH);
  cr_expect_eq(WHEEL(study, 2, TORQUE), 5);
  cr_expect_eq(WHEEL(study, 2, RAMP_TIME), 3);
  omr_study_destroy(study);
}

Test(study_reading, a_torque_table_has_a_factor_of_one_unless_given) {
  omr_study *study = read_study(
      V("'wheel': {'drive': {'type': 'table', 'table': [[0, 1], ['1 s', '200 N cm']]}}, "
        "'wheels': [{}, {'drive': {'torque': 3}}, {'drive': {'table': [[1, 2], [2, 3], [4, 5]]}}]",
        ""));
  cr_expect_eq(WHEEL(study, 0, TORQUE), 1);
  cr_expect_eq(WHEEL(study, 1, TORQUE), 3);
  cr_expect_eq(study->drives.table[1].rows, 2u);
  cr_expect_float_eq(study->drives.table[1].value[1], 2, 1e-14);
  cr_expect_eq(study->drives.table[2].rows, 3u);
  cr_expect_eq(study->drives.table[2].time[2], 4);
  omr_study_destroy(study);
}

Test(study_reading, a_command_table_keeps_time_and_three_velocities) {
  omr_study *study =
      read_study(V("'command': {'type': 'table', 'table': [[0, 1, 2, 3], [1, 4, 5, '180 deg/s']]}, "
                   "'wheel': {'drive': {'type': 'body', 'kp': 0.5}}",
                   ""));
  cr_expect_eq(study->command.kind, OMR_COMMAND_TABLE);
  cr_expect_eq(study->command.table.columns, 3u);
  cr_expect_eq(study->command.table.rows, 2u);
  cr_expect_eq(study->command.table.time[1], 1);
  cr_expect_eq(study->command.table.value[2], 3);
  cr_expect_eq(study->command.table.value[4], 5);
  cr_expect_float_eq(study->command.table.value[5], M_PI, 1e-14);
  cr_expect_eq(study->drives.law[2], OMR_DRIVE_BODY);
  omr_study_destroy(study);
}

Test(study_reading, spins_stand_one_per_roller) {
  omr_study *study =
      read_study(W("'wheel': {'rollers': 3}, 'initial': {'spins': [[1, '2 rad/s', 3]]}", ""));
  cr_expect_eq(study->spins, OMR_SPINS_VALUES);
  cr_expect_eq(study->spin_values[0], 1);
  cr_expect_float_eq(study->spin_values[1], 2, 1e-15);
  cr_expect_eq(study->spin_values[2], 3);
  omr_study_destroy(study);
  study = read_study(W("'initial': {'spins': 'rolling'}", ""));
  cr_expect_eq(study->spins, OMR_SPINS_ROLLING);
  omr_study_destroy(study);
}

Test(study_reading, the_controller_period_follows_the_step_where_1_ms_does_not_fit) {
  static const struct {
    const char *text;
    double period;
  } cases[] = {{"{'model': 'omni_wheel', 'integrator': {'step': 3e-4, 'duration': 3}}", 3e-4},
               {"{'model': 'omni_wheel', 'integrator': {'step': 1e-2, 'duration': 3}}", 1e-2},
               {"{'model': 'omni_wheel', 'integrator': {'step': 1e-4, 'duration': 3}}", 1e-3},
               {"{'model': 'omni_wheel', 'integrator': {'step': 1e-4, 'duration': 3}, "
                "'parameters': {'controller_period': '5 ms', "
                "'wheel': {'drive': {'type': 'speed', 'speed': 3}}}}",
                5e-3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    omr_study *study = read_study(cases[i].text);
    cr_expect_float_eq(study->drives.period, cases[i].period, 1e-15, "%s", cases[i].text);
    omr_study_destroy(study);
  }
}

Test(study_reading, durations_that_are_whole_but_for_rounding_are_accepted) {
  omr_study *study = read_study("{'model': 'omni_wheel', 'integrator': {'step': 0.1, 'duration': "
                                "0.3, 'exchange': 'straddle'}}");
  cr_expect_eq(study->time.steps, 3u);
  cr_expect_not(study->time.split);
  omr_study_destroy(study);
}

Test(study_reading, columns_are_named_after_the_paths) {
  omr_study *study = read_study(V("", ", 'vary': [{'path': 'wheel.friction', 'values': [0.1]}, "
                                      "{'path': 'wheels[0].disc.mass', 'values': [1, 2]}, {'path': "
                                      "'platform.mass', 'linspace': [1, 2, 5]}]"));
  static const char *const columns[] = {"wheel_friction", "wheel0_disc_mass", "platform_mass"};
  cr_assert_eq(study->variation_count, 3u);
  for (size_t v = 0; v < 3; v++) cr_expect_str_eq(study->variations[v].column, columns[v]);
  cr_expect_str_eq(study->variations[1].path, "wheels[0].disc.mass");
  cr_expect_eq(study->design.type, OMR_DESIGN_GRID);
  cr_expect_eq(study->instances, 10u);
  omr_study_destroy(study);
}

Test(study_reading, each_becomes_one_variation_per_wheel) {
  omr_study *study = read_study(
      V("'wheels': [{}, {'friction': 0.1}, {}]",
        ", 'design': {'type': 'monte_carlo', 'instances': 7, 'seed': '18446744073709551615'}, "
        "'vary': [{'path': 'wheel.friction', 'uniform': [0.1, 0.3], 'each': true}]"));
  static const char *const columns[] = {"wheel0_friction", "wheel1_friction", "wheel2_friction"};
  cr_assert_eq(study->variation_count, 3u);
  for (int wheel = 0; wheel < 3; wheel++) {
    cr_expect_str_eq(study->variations[wheel].column, columns[wheel]);
    cr_expect_eq(study->variations[wheel].wheel, wheel);
  }
  cr_expect_eq(study->design.seed, UINT64_MAX);
  cr_expect_eq(study->instances, 7u);
  omr_study_destroy(study);
}

Test(study_reading, a_limit_alone_may_be_varied) {
  omr_study *study =
      read_study(W("'wheel': {'drive': {'type': 'speed'}}",
                   ", 'vary': [{'path': 'wheel.drive.torque_limit', 'values': [1]}]"));
  cr_expect_eq(study->instances, 1u);
  omr_study_destroy(study);
}

Test(study_reading, output_and_engine_are_kept) {
  omr_study *study =
      read_study(W("", ", 'vary': [{'path': 'gravity', 'linspace': [1, 9, 9]}], "
                       "'output': {'observables': ['max_load', 'final_x'], 'trajectories': "
                       "{'instances': [5, 0], 'interval': '10 ms'}}, "
                       "'engine': {'backend': 'opencl', 'device': 'H100', 'precision': 'single', "
                       "'numerics': 'fast', 'threads': 3, 'lanes': "
                       "8, 'chunk': 100, "
                       "'launch_seconds': '50 ms'}"));
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    cr_expect_eq(omr_observable_in(&study->observables, i),
                 i == OMR_OBS_FINAL_X || i == OMR_OBS_MAX_LOAD);
  cr_assert_eq(study->traces.count, 2u);
  cr_expect_eq(study->traces.instances[0], 0u);
  cr_expect_eq(study->traces.instances[1], 5u);
  cr_expect_eq(study->traces.stride, 20u);
  cr_expect_eq(study->engine.backend, OMR_BACKEND_OPENCL);
  cr_expect_eq(study->engine.precision, OMR_SINGLE_PRECISION);
  cr_expect_eq(study->engine.numerics, OMR_NUMERICS_FAST);
  cr_expect_str_eq(study->engine.device, "H100");
  cr_expect_eq(study->engine.threads, 3);
  cr_expect_eq(study->engine.lanes, 8);
  cr_expect_eq(study->engine.chunk, 100u);
  cr_expect_float_eq(study->engine.launch_seconds, 0.05, 1e-16);
  omr_study_destroy(study);
}

Test(study_reading, all_instances_can_be_traced) {
  omr_study *study =
      read_study(W("", ", 'vary': [{'path': 'gravity', 'linspace': [1, 9, 9]}], "
                       "'output': {'trajectories': {'instances': 'all', 'interval': 2}}"));
  cr_assert_eq(study->traces.count, 9u);
  cr_expect_eq(study->traces.instances[8], 8u);
  cr_expect_eq(study->traces.stride, study->time.steps);
  omr_study_destroy(study);
}

Test(study_reading, the_kept_text_is_the_study_after_overrides_and_reads_back_as_itself) {
  const char *overrides[] = {"title=fast", "parameters.wheel.friction=0.7"};
  omr_study *study = read_with(W("'wheel': {'friction': 0.2}", ""), overrides, 2), *again;
  cr_expect_str_eq(omr_study_title(study), "fast");
  cr_expect_eq(WHEEL(study, 0, FRICTION), 0.7);
  cr_assert_not_null(strstr(study->text, "\"fast\""));
  cr_assert_eq(omr_study_parse(study->text, "again.json", NULL, 0, &again, NULL), OMR_OK);
  cr_expect_str_eq(again->text, study->text);
  cr_expect_str_eq(again->hash, study->hash);
  cr_expect_eq(strlen(study->hash), 32u);
  cr_expect_eq(WHEEL(again, 0, FRICTION), 0.7);
  omr_study_destroy(again);
  omr_study_destroy(study);
}

Test(study_reading, a_small_model_has_words_values_and_variations) {
  const char *text =
      "{\"model\": \"uk_wheel\", \"parameters\": {\"mass\": \"30 kg\", \"friction\": \"physical\","
      "\"drive\": {\"type\": \"constant\", \"torque\": 7}, \"ground\": {\"type\": \"step\", "
      "\"rate\": 3}},"
      "\"vary\": [{\"path\": \"ground.lower\", \"values\": [0.1, 0.2]}, {\"path\": \"gravity\", "
      "\"values\": [9, 10]}],"
      "\"integrator\": {\"step\": 1e-3, \"duration\": 1}}";
  omr_study *study;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  cr_expect_eq(study->model, OMR_MODEL_UK_WHEEL);
  cr_expect_eq(study->wheels, 0);
  cr_expect_eq(study->options[0], 2); /* ground step */
  cr_expect_eq(study->options[1], 1); /* drive constant */
  cr_expect_eq(study->options[2], 0); /* demand drive, the default */
  cr_expect_eq(study->options[3], 1); /* friction physical */
  cr_expect_eq(study->base.vehicle[OMR_VP_UK_MASS], 30);
  cr_expect_eq(study->base.vehicle[OMR_VP_UK_GROUND_RATE], 3);
  cr_expect_eq(study->base.vehicle[OMR_VP_UK_GROUND_UPPER], 0.9);
  omr_values values;
  omr_study_values(study, 3, &values, NULL);
  cr_expect_eq(values.vehicle[OMR_VP_UK_GROUND_LOWER], 0.2);
  cr_expect_eq(values.vehicle[OMR_VP_GRAVITY], 10);
  omr_study_destroy(study);
}

Test(study_reading, instance_statuses_have_names) {
  cr_expect_str_eq(omr_instance_status_name(0), "ok");
  cr_expect_str_eq(omr_instance_status_name(5), "invalid_parameters");
  cr_expect_str_eq(omr_instance_status_name(77), "unknown");
}

static bool keeps(const omr_study *study, int observable) {
  return omr_observable_in(&study->observables, observable);
}

Test(study_reading, some_observables_are_off_unless_they_are_named) {
  omr_study *study = read_study("{'model': 'omni_vehicle', " TIMES "}");
  size_t named = 0;
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    const bool on_demand = omr_observables[i].group & OMR_ON_DEMAND,
               of_springs = omr_observables[i].group & OMR_OF_COMPLIANT,
               fits = omr_observable_fits(i, OMR_MODEL_VEHICLE, 3);
    named += on_demand && fits;
    cr_expect_eq(keeps(study, i), fits && !on_demand && !of_springs, "%s", omr_observables[i].name);
  }
  cr_expect_eq(named, 42 + 3 * 8, "forty-two of the whole and eight of each wheel, not %zu", named);
  cr_expect_gt(OMR_OBS_COUNT, 64, "a set of them is more than one word");
  omr_study_destroy(study);
  study = read_study(V("", ", 'output': {'observables': ['wheel2_torque_peak', 'final_x']}"));
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    cr_expect_eq(keeps(study, i), i == OMR_OBS_FINAL_X || i == OMR_OBS_WHEEL2_TORQUE_PEAK, "%s",
                 omr_observables[i].name);
  cr_expect_eq(omr_observables_in(&study->observables), 2);
  omr_study_destroy(study);
}

Test(study_reading, a_criterion_or_a_stop_rule_switches_on_the_observables_that_it_names) {
  omr_study *study = read_study(
      V("", ", 'output': {'observables': ['final_x']}, 'statistics': {'fail': {"
            "'hot': 'wheel1_torque_rms > 2 N m || peak_power>=40 W', 'far': 'final_x > 1'}}"));
  cr_expect(keeps(study, OMR_OBS_WHEEL1_TORQUE_RMS));
  cr_expect(keeps(study, OMR_OBS_PEAK_POWER));
  cr_expect_eq(omr_observables_in(&study->observables), 3);
  omr_study_destroy(study);
  study = read_study(V("", ", 'vary': [{'path': 'wheel.friction', 'uniform': [0.1, 0.5]}], "
                           "'design': {'type': 'monte_carlo', "
                           "'instances': 100}, 'statistics': {'stop': {'quantity': 'mean "
                           "motor_work', 'width': '1 J'}}"));
  cr_expect(keeps(study, OMR_OBS_MOTOR_WORK));
  cr_expect_not(keeps(study, OMR_OBS_REGENERATED_WORK));
  cr_expect(keeps(study, OMR_OBS_FINAL_X), "those that are on stay on");
  omr_study_destroy(study);
}
