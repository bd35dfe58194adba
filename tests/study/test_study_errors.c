/* Broken studies: each is refused with a status, and with a message that says where it is wrong and
 * what to do. */
#include "refusals.h"

Test(study_errors, the_top_level_is_checked) {
  EXPECT_REFUSED(
      {"[]", {"a study is an object"}}, {"{}", {"\"model\" is missing"}},
      {"{'model': 'omni_vehicel'}", {"s.json:1: model", "did you mean \"omni_vehicle\"?"}},
      {"{'model': 3}", {"expected one of \"omni_vehicle\", \"omni_wheel\""}},
      {"{'model': 'omni_wheel',\n\n'integratr': {}}",
       {"s.json:3: integratr", "did you mean \"integrator\"?"}},
      {"{'model': 'omni_wheel'}", {"\"integrator\" is missing", "\"step\": \"0.2 ms\""}},
      {V("", ",\n'title': 7"), {"s.json:4: title: expected text in quotes"}},
      {V("", ",\n'description': ['a',\n4]"), {"s.json:5: description[1]"}},
      {"{'model': 'omni_wheel',\n" INTEGRATOR "'parameters': []}",
       {"s.json:3: parameters: expected an object"}});
}

/* What is known elsewhere, or by another word (host/study/grammar/hints.c). */
Test(study_errors, what_is_meant_is_said) {
  EXPECT_REFUSED(
      {"{'model': 'mecanum'}", {"s.json:1: model", "\"mecanum\": true"}},
      {"{'model': 'omni_wheel',\n'wheel': {}}", {"s.json:2: wheel", "it stands in \"parameters\""}},
      {"{'model': 'omni_wheel',\n'friction': 1}", {"s.json:2: friction", "parameters.wheel.NAME"}},
      {"{'model': 'omni_wheel',\n'duration': 1}",
       {"s.json:2: duration", "it stands in \"integrator\""}},
      {"{'model': 'omni_wheel',\n'quantiles': [0.5]}",
       {"s.json:2: quantiles", "it stands in \"statistics\""}},
      {V("'friction': 0.3", ""), {"parameters.friction", "it stands in \"wheel\""}},
      {V("'contact': {'law': 'coulomb'}", ""),
       {"parameters.contact.law", "that is \"saturated_coulomb\""}},
      {V("", ",\n'vary': [{'path': 'wheel.friction', 'min': 0.1, 'max': 0.3}]"),
       {"vary[0].min", "\"uniform\": [low, high]"}},
      {V("", ",\n'engine': {'backend': 'gpu'}"), {"engine.backend", "GPUs are run by \"opencl\""}},
      {V("'gravity': 9,81", ""), {"a decimal point is a point, not a comma"}});
}

#define TIMES(text) "{'model': 'omni_wheel',\n'integrator': {" text "}}"

Test(study_errors, the_integrator_is_checked) {
  EXPECT_REFUSED(
      {TIMES("'step': 1e-3"), {"s.json:2: integrator", "\"duration\" is missing"}},
      {TIMES("'duration': 1"), {"\"step\" is missing"}},
      {TIMES("'method': 'euler', 'step': 1e-3, 'duration': 1"),
       {"s.json:2: integrator.method", "\"semi_implicit_euler\"", "\"rosenbrock\""}},
      {TIMES("'method': 'hein', 'step': 1e-3, 'duration': 1"), {"did you mean \"heun\"?"}},
      {TIMES("'stability': 'refuze', 'step': 1e-3, 'duration': 1"),
       {"integrator.stability", "\"refuse\""}},
      {"{'model': 'omni_vehicle',\n'integrator': {'method': 'rosenbrock', 'step': 1e-3, "
       "'duration': 1},\n"
       "'parameters': {'contact': {'law': 'ideal_rolling'}}}",
       {"s.json:2: integrator.method", "ideal_rolling is a constraint", "use \"rk4\""}},
      {"{'model': 'uk_wheel',\n'integrator': {'method': 'semi_implicit_euler', 'step': 1e-3, "
       "'duration': 1}}",
       {"s.json:2: integrator.method", "\"semi_implicit_euler\" is for the omni models",
        "\"midpoint\""}},
      {TIMES("'exchange': 'slpit', 'step': 1e-3, 'duration': 1"), {"did you mean \"split\"?"}},
      {TIMES("'step': 0, 'duration': 1"), {"integrator.step: is 0 s; it must be above 0"}},
      {TIMES("'step': 1e-3, 'duration': '-2 s'"),
       {"integrator.duration: is -2 s; it must be above 0"}},
      {TIMES("'step': '1 mm', 'duration': 1"), {"integrator.step"}},
      {TIMES("'step': '0.3 ms', 'duration': 1"),
       {"a duration of 1 s is not a whole number of steps of 0.0003 s; the nearest is 0.9999 s"}},
      {TIMES("'step': 2, 'duration': 0.5"), {"shorter than the step of 2 s", "\"0.2 ms\""}},
      {TIMES("'step': 1e-17, 'duration': 1"), {"at most 2^53 can be counted"}},
      {TIMES("'stepp': 1, 'step': 1e-3, 'duration': 1"), {"did you mean \"step\"?"}});
}

#define OF_TOLERANCE(model, times, more)                                                           \
  "{'model': '" model "',\n'integrator': {'tolerance': " times "}" more "}"

/* A tolerance stands in place of a step, and chooses method and exchanges. */
Test(study_errors, a_tolerance_excludes_what_fixed_steps_have) {
  EXPECT_REFUSED(
      {OF_TOLERANCE("omni_wheel", "1e-3, 'step': 1e-3, 'duration': 1", ""),
       {"s.json:2: integrator.tolerance", "leave out \"tolerance\", or \"step\"",
        "null in a --set"}},
      {OF_TOLERANCE("omni_wheel", "0.6, 'duration': 1", ""),
       {"integrator.tolerance: is 0.6", "from 1e-10 to 0.5", "such as 1e-3"}},
      {OF_TOLERANCE("omni_wheel", "1e-11, 'duration': 1", ""), {"is 1e-11; expected a tolerance"}},
      {OF_TOLERANCE("omni_wheel", "'1e-3 m', 'duration': 1", ""), {"integrator.tolerance"}},
      {OF_TOLERANCE("omni_wheel", "1e-3", ""), {"\"duration\" is missing"}},
      {OF_TOLERANCE("omni_wheel", "1e-3, 'duration': 1, 'exchange': 'straddle'", ""),
       {"integrator.exchange", "a tolerance has none; leave \"exchange\" out"}},
      {OF_TOLERANCE("omni_wheel", "1e-3, 'duration': 1, 'method': 'rk4'", ""),
       {"integrator.method", "\"rk4\" takes fixed steps; leave \"method\" out"}},
      {OF_TOLERANCE("omni_wheel", "1e-3, 'duration': 1, 'method': 'dormand_prince'", ""),
       {"with a tolerance saturated_coulomb is integrated by \"ros34pw2\" or \"ros2\""}},
      {OF_TOLERANCE("snakeboard", "1e-3, 'duration': 1, 'method': 'ros34pw2'", ""),
       {"with a tolerance snakeboard is integrated by \"dormand_prince\""}},
      {OF_TOLERANCE("omni_vehicle", "1e-3, 'duration': 1, 'method': 'ros2'",
                    ",\n'parameters': {'contact': {'law': 'ideal_rolling'}}"),
       {"with a tolerance ideal_rolling is integrated by \"dormand_prince\"; leave"}},
      {TIMES("'step': 1e-3, 'duration': 1, 'method': 'ros34pw2'"),
       {"integrator.method", "\"ros34pw2\" chooses its own steps: give \"tolerance\""}},
      {OF_TOLERANCE("omni_wheel", "1e-6, 'duration': 1", ", 'engine': {'precision': 'single'}"),
       {"integrator.tolerance", "more than single precision resolves: use at least 1e-05"}},
      {OF_TOLERANCE("omni_wheel", "1e-3, 'duration': 1, 'budget': 1e8",
                    ", 'engine': {'precision': 'single'}"),
       {"integrator.budget", "2^24"}});
}

#define FAILING(model, more)                                                                       \
  "{'model': '" model "',\n'integrator': {'step': 1e-3, 'duration': 1, " more "}}"

Test(study_errors, the_words_on_failures_are_checked) {
  EXPECT_REFUSED(
      {FAILING("omni_vehicle", "'on_failure': 'retry'"),
       {"integrator.on_failure", "\"record\", \"retry_half_step\", \"abort\""}},
      {FAILING("omni_vehicle", "'retries': 2"),
       {"integrator.retries", "\"on_failure\": \"retry_half_step\""}},
      {FAILING("omni_vehicle", "'on_failure': 'abort', 'retries': 2"), {"\"retries\" belongs to"}},
      {FAILING("omni_vehicle", "'on_failure': 'retry_half_step', 'retries': 9"),
       {"integrator.retries", "8"}},
      {FAILING("omni_vehicle", "'on_failure': 'retry_half_step', 'retries': 1.5"),
       {"integrator.retries"}},
      {FAILING("omni_vehicle", "'budget': 0.9"),
       {"s.json:2: integrator.budget", "at least 1", "multiple of the number of steps"}},
      {FAILING("omni_vehicle", "'budget': '3 s'"), {"integrator.budget"}},
      {FAILING("rolling_disc", "'budget': 4"),
       {"integrator.budget", "rolling_disc takes one pass per step", "leave \"budget\" out"}},
      {FAILING("disc_vehicle", "'budget': 4"), {"disc_vehicle takes one pass per step"}},
      {FAILING("omni_vehicle", "'budget': 4, 'exchange': 'straddle'"),
       {"\"straddle\" takes one pass per step"}},
      {"{'model': 'omni_vehicle', 'integrator': {'step': 1e-3, 'duration': 1, 'budget': 4},\n"
       "'parameters': {'contact': {'law': 'classical_rollers'}}}",
       {"classical_rollers takes one pass per step"}},
      {"{'model': 'omni_vehicle', 'integrator': {'step': 1e-6, 'duration': 10, 'budget': 4},\n"
       "'engine': {'precision': 'single'}}",
       {"integrator.budget", "40000000 are more than the 2^24 that single precision can count"}},
      {"{'model': 'omni_vehicle', 'integrator': {'step': 1e-6, 'duration': 10, 'on_failure': "
       "'retry_half_step'},\n"
       "'engine': {'precision': 'single'}}",
       {"integrator.on_failure", "20000000 are more than the 2^24"}},
      {V("", ",\n'statistics': {'failed_limit': 2}"),
       {"s.json:4: statistics.failed_limit", "0 to 1"}},
      {V("", ",\n'statistics': {'failed_limit': 'few'}"), {"statistics.failed_limit"}});
}

Test(study_errors, an_unknown_or_foreign_parameter_is_named) {
  EXPECT_REFUSED(
      {V("'wheel': {'radios': 0.05}", ""),
       {"s.json:3: parameters.wheel.radios", "did you mean \"radius\"?"}},
      {V("'wheel': {'roller': {'density': 1000, 'bor': 1}}", ""),
       {"parameters.wheel.roller.bor", "\"bore\""}},
      {V("'wheel': {'roller': 5}", ""), {"parameters.wheel.roller: expected an object"}},
      {V("'Gravity': 9.81", ""), {"\"gravity\""}},
      {V("'platform': {'weight': 3}", ""), {"parameters.platform.weight", "mass"}},
      {W("'platform': {'mass': 3}", ""),
       {"\"platform.mass\" is a parameter of omni_vehicle, disc_vehicle; the model", "omni_wheel"}},
      {W("'command': {'type': 'constant'}", ""), {"\"command\" is a parameter of omni_vehicle"}},
      {W("'wheel': {'error': {'x': 1e-3}}", ""), {"\"error.x\" is a parameter of omni_vehicle"}},
      {W("'wheel': {'x': 1}", ""), {"\"x\" is a parameter of omni_vehicle"}});
}

Test(study_errors, a_value_outside_its_bounds_is_named) {
  EXPECT_REFUSED(
      {V("'gravity': 0", ""),
       {"s.json:3: parameters.gravity: gravity is 0 m s-2; it must be above 0"}},
      {V("'wheel': {'friction': -0.1}", ""), {"friction is -0.1; it must be at least 0"}},
      {V("'wheel': {'radius': '0 cm'}", ""), {"radius is 0 m; it must be above 0"}},
      {V("'wheel': {'radius': '5 kg'}", ""), {"parameters.wheel.radius"}},
      {V("'wheel': {'radius': [1]}", ""), {"parameters.wheel.radius"}},
      {V("'wheel': {'rollers': 2}", ""), {"rollers is 2; it must be at least 3 and at most 64"}},
      {V("'wheel': {'rollers': 65}", ""), {"at most 64"}},
      {V("'wheel': {'rollers': 7.5}", ""), {"rollers is 7.5; it must be a whole number"}},
      {V("'wheel': {'inclination': '90 deg'}", ""), {"inclination is", "at most 1.553"}},
      {V("'wheel': {'motor': {'gear_ratio': 0}}", ""), {"motor.gear_ratio must not be 0"}},
      {V("'wheels': [{}, {'slip_speed': 0}, {}]", ""),
       {"parameters.wheels[1].slip_speed", "must be above 0"}},
      {V("'overlap': 'ignore'", ""), {"\"refuse\", \"allow\""}});
}

Test(study_errors, a_layout_and_its_wheels_must_fit) {
  EXPECT_REFUSED(
      {V("'layout': {'type': 'circle'}", ""),
       {"parameters.layout.type", "\"ring\", \"rectangle\", \"explicit\""}},
      {V("'layout': {'type': 'ring', 'wheels': 2}", ""),
       {"2 wheels cannot carry a platform; 3 to 8", "\"normal\": \"compliant\"", "omni_wheel"}},
      {V("'contact': {'normal': 'compliant'}, 'layout': {'wheels': 1}", ""),
       {"1 wheel cannot carry a platform; 3 to 8 are needed, or 2"}},
      {V("'contact': {'normal': 'compliant'}, 'layout': {'wheels': 2}, 'wheels': [{'kind': "
         "'tracking'}, {}]",
         ""),
       {"1 of the wheels carries the platform"}},
      {V("'layout': {'wheels': 9}", ""), {"9 wheels; at most 8"}},
      {V("'layout': {'wheels': '3'}", ""), {"expected a whole number"}},
      {V("'layout': {'type': 'rectangle', 'wheels': 4}", ""),
       {"\"wheels\" belongs to the layout of type ring"}},
      {V("'layout': {'type': 'rectangle', 'radius': 0.2}", ""),
       {"\"layout.radius\" belongs to the layout of type ring"}},
      {V("'layout': {'type': 'ring', 'half_width': 0.2}", ""),
       {"belongs to the layout of type rectangle; here it is ring"}},
      {V("'layout': {'mecanum': true}", ""),
       {"\"mecanum\" belongs to the layout of type rectangle"}},
      {V("'layout': {'type': 'rectangle', 'mecanum': 1}", ""), {"expected true or false"}},
      {V("'layout': {'type': 'explicit'}", ""), {"an explicit layout needs \"wheels\""}},
      {V("'layout': {'type': 'explicit'}, 'wheels': [{}, {}]", ""),
       {"2 wheels cannot carry a platform"}},
      {V("'layout': {'type': 'explicit'}, 'wheels': [{'x': 0, 'z': 1, 'axis_angle': 0},\n{'x': 0, "
         "'z': 1}, {}]",
         ""),
       {"s.json:4: parameters.wheels[2]: \"x\" is missing", "each wheel gives \"x\" and \"z\""}},
      {V("'wheel': {'x': 0.1}", ""),
       {"\"x\" belongs to the layout of type explicit; here it is ring"}},
      {V("'wheels': [{}, {}]", ""), {"lists 2 wheels, but the layout has 3"}},
      {V("'wheels': [{}, 4, {}]", ""), {"parameters.wheels[1]: expected an object"}},
      {V("'wheels': {}", ""), {"parameters.wheels: expected a list of wheels"}},
      {W("'layout': {'type': 'ring'}", ""),
       {"omni_wheel has one wheel and no layout", "axis_angle"}},
      {W("'wheels': [{}, {}]", ""), {"lists 2 wheels, but the omni_wheel has 1"}});
}

#define GROUND(text) "'ground': {" text "}"

Test(study_errors, a_ground_uses_what_is_its_own) {
  EXPECT_REFUSED(
      {V(GROUND("'factor': 0.5"), ""), {"s.json:3: parameters.ground", "\"type\" is missing"}},
      {V(GROUND("'type': 'ice'"), ""),
       {"parameters.ground.type", "\"dip\", \"step\", \"patches\""}},
      {V(GROUND("'type': 'constant', 'factor': 0.5"), ""),
       {"a ground of type constant does not use \"factor\""}},
      {V(GROUND("'type': 'dip', 'edge': 0.1"), ""),
       {"a ground of type dip does not use \"edge\"; it uses \"factor\", \"time\""}},
      {V(GROUND("'type': 'dip', 'factor': -0.5"), ""),
       {"ground.factor is -0.5; it must be at least 0"}},
      {V(GROUND("'type': 'step', 'width': 0"), ""), {"ground.width is 0 s; it must be above 0"}},
      {V(GROUND("'type': 'step', 'patch0': {}"), ""),
       {"parameters.ground.patch0", "a ground of type step does not use \"patch0\""}},
      {V(GROUND("'type': 'patches'"), ""),
       {"s.json:3: parameters.ground", "needs some: \"patch0\"", "up to \"patch3\""}},
      {V(GROUND("'type': 'patches', 'patch0': {}, 'patch4': {}"), ""),
       {"parameters.ground.patch4: unknown key"}},
      {V(GROUND("'type': 'patches', 'patch0': 3"), ""),
       {"parameters.ground.patch0: expected an object"}},
      {V(GROUND("'type': 'patches', 'patch0': {'shape': 'circle'}"), ""),
       {"ground.patch0.shape", "\"rectangle\", \"half_plane\""}},
      {V(GROUND("'type': 'patches', 'patch0': {'shape': 'half_plane',\n'length': 1}"), ""),
       {"s.json:4: parameters.ground.patch0.length",
        "a patch of shape half_plane has no \"length\""}},
      {V(GROUND("'type': 'patches', 'patch0': {'friction': -1}"), ""),
       {"ground.patch0.friction is -1"}},
      {V(GROUND("'type': 'patches', 'factor': 0.5, 'patch0': {}"), ""),
       {"a ground of type patches does not use \"factor\""}},
      {V(GROUND("'type': 'patches', 'patch0': {}"),
         VARY("{'path': 'ground.patch1.x', 'values': [1]}")),
       {"vary[0].path", "there is no such patch; put \"patch1\""}},
      {V(GROUND("'type': 'patches', 'patch0': {'shape': 'half_plane'}"),
         VARY("{'path': 'ground.patch0.width', 'values': [1]}")),
       {"a patch of shape half_plane has no \"width\""}},
      {V(GROUND("'type': 'dip'"), VARY("{'path': 'ground.patch0.x', 'values': [1]}")),
       {"a ground of type dip does not use"}},
      {V("", VARY("{'path': 'ground.factor', 'values': [1]}")),
       {"a ground of type constant does not use \"factor\""}});
}

Test(study_errors, values_that_exclude_or_need_each_other_are_named) {
  EXPECT_REFUSED(
      {V("'wheel': {'roller': {'mass': 0.01, 'density': 1200}}", ""),
       {"\"roller.mass\" and \"roller.density\" say the same"}},
      {V("'wheel': {'roller': {'mass': 0.01}}", ""),
       {"\"roller.mass\" needs \"roller.axial_inertia\" too"}},
      {V("'wheel': {'roller': {'mass': 0.01, 'axial_inertia': 1e-6}}", ""),
       {"needs \"roller.diametral_inertia\" too"}},
      {V("'wheel': {'roller': {'axial_inertia': 1e-6}}", ""),
       {"\"roller.axial_inertia\" needs \"roller.mass\" too"}},
      {V("'wheel': {'roller': {'mass': 1, 'axial_inertia': 1, 'diametral_inertia': 1, 'bore': "
         "1e-3}}",
         ""),
       {"\"roller.bore\" shapes a roller given by its density"}},
      {V("'wheel': {'tip_radius': 1e-3, 'center_distance': 0.04}", ""),
       {"\"tip_radius\" and \"center_distance\" say the same"}},
      {V("'wheel': {'motor': {'stall_torque': 1}}", ""),
       {"\"motor.stall_torque\" needs \"motor.no_load_speed\" too"}},
      {V("'wheel': {'motor': {'no_load_speed': 1}}", ""),
       {"\"motor.no_load_speed\" needs \"motor.stall_torque\" too"}},
      {V("'wheel': {'rollers': 7, 'row_distance': 0.02}", ""),
       {"wheel 0", "two rows need an even number"}},
      {V("'wheel': {'row_distance': 0.02}", VARY("{'path': 'wheel.rollers', 'values': [6, 7]}")),
       {"two rows need an even number"}},
      {V("'wheel': {'rollers': 9}", VARY("{'path': 'wheel.row_distance', 'values': [0, 0.01]}")),
       {"two rows need an even number"}});
}

Test(study_errors, initial_spins_must_fit_the_wheels) {
  EXPECT_REFUSED({W("'initial': {'spins': 'roling'}", ""), {"did you mean \"rolling\"?"}},
                 {W("'initial': {'spins': 4}", ""), {"expected \"locked\", \"rolling\" or a list"}},
                 {W("'initial': {'spins': [[1, 2, 3], [1, 2, 3]]}", ""),
                  {"lists spins of 2 wheels; the study has 1"}},
                 {W("'wheel': {'rollers': 3}, 'initial': {'spins': [[1, 2]]}", ""),
                  {"has 2 spins, but wheel 0 has 3 rollers"}},
                 {W("'initial': {'spins': [4]}", ""), {"expected a list of spins"}},
                 {W("'wheel': {'rollers': 3}, 'initial': {'spins': [[1, 2, '3 m']]}", ""),
                  {"parameters.initial.spins[0][2]"}},
                 {W("'wheel': {'rollers': 3}, 'initial': {'spins': [[1, 2, 3]]}",
                    VARY("{'path': 'wheel.rollers', 'values': [3, 4]}")),
                  {"\"rollers\" cannot be varied while initial.spins lists one spin per roller"}});
}

Test(study_errors, a_drive_takes_only_what_it_uses) {
  EXPECT_REFUSED(
      {W("'wheel': {'drive': {'type': 'cosine'}}", ""),
       {"parameters.wheel.drive.type", "\"sine\""}},
      {W("'wheel': {'drive': {'torque': 1}}", ""), {"no drive here uses \"torque\""}},
      {W("'wheel': {'drive': {'type': 'constant', 'ramp_time': 1}}", ""),
       {"of type constant does not use \"ramp_time\"; it uses \"torque\""}},
      {W("'wheel': {'drive': {'type': 'sine', 'speed': 1}}", ""),
       {"it uses \"torque\", \"voltage\", \"duty\", \"frequency\", \"phase\""}},
      {W("'wheel': {'drive': {'type': 'speed', 'torque': 1}}", ""),
       {"of type speed does not use \"torque\""}},
      {W("'wheel': {'drive': {'type': 'constant', 'table': [[0, 1], [1, 2]]}}", ""),
       {"of type constant does not use \"table\""}},
      {W("'wheel': {'drive': {'type': 'table'}}", ""), {"\"table\" is missing"}},
      {W("'wheel': {'drive': {'type': 'table', 'table': [[0, 1]]}}", ""),
       {"has 1 rows; at least 2 needed"}},
      {W("'wheel': {'drive': {'type': 'table', 'table': [[0, 1],\n[0, 2]]}}", ""),
       {"s.json:4: parameters.wheel.drive.table[1][0]", "time 0 s does not come after 0 s"}},
      {W("'wheel': {'drive': {'type': 'table', 'table': [[0, 1], [1, 2, 3]]}}", ""),
       {"expected a row of 2 numbers"}},
      {W("'wheel': {'drive': {'type': 'table', 'torque': '2 N m', 'table': [[0, 1], [1, 2]]}}", ""),
       {"parameters.wheel.drive.torque"}},
      {W("'wheel': {'drive': {'type': 'body'}}", ""), {"follows the command of an omni_vehicle"}},
      {V("'wheel': {'drive': {'type': 'body'}}", ""),
       {"needs a command to follow", "\"command\": {\"type\""}},
      {V("'wheels': [{}, {'drive': {'type': 'tanh', 'phase': 1}}, {}]", ""),
       {"wheels[1].drive.phase", "\"ramp_time\""}},
      {V("'wheel': {'drive': {'table': [[0, 1], [1, 2]]}}", ""), {"no drive here uses \"table\""}},
      {W("'wheel': {'drive': 'tanh'}", ""), {"parameters.wheel.drive: expected an object"}});
}

Test(study_errors, a_controller_period_is_a_whole_number_of_steps) {
  EXPECT_REFUSED({W("'controller_period': '0.25 ms', 'wheel': {'drive': {'type': 'speed'}}", ""),
                  {"parameters.controller_period",
                   "a controller period of 0.00025 s is not a whole number of steps of 0.0001 s"}},
                 {W("'controller_period': '0.04 ms', 'wheel': {'drive': {'type': 'speed'}}", ""),
                  {"the nearest is 0.0001 s"}},
                 {W("'controller_period': 0", ""), {"it must be above 0"}});
}

Test(study_errors, a_command_takes_only_what_it_uses) {
  EXPECT_REFUSED(
      {V("'command': {'vx': 1}", ""), {"parameters.command: \"type\" is missing"}},
      {V("'command': {'type': 'sine'}", ""),
       {"a velocity that swings is a \"table\" or a \"replay\""}},
      {V("'command': {'type': 'constant', 'ramp_time': 1}", ""),
       {"a command of type constant does not use \"ramp_time\""}},
      {V("'command': {'type': 'constant', 'table': []}", ""),
       {"a command of type constant does not use \"table\""}},
      {V("'command': {'type': 'table', 'table': [[0, 0, 0, 0], [1, 0, 0, 0]], 'vx': 1}", ""),
       {"takes its values from \"table\""}},
      {V("'command': {'type': 'table', 'table': [[0, 0, 0], [1, 0, 0]]}", ""),
       {"expected a row of 4 numbers"}},
      {V("'command': {'type': 'table', 'table': [[0, 0, 0, '1 m'], [1, 0, 0, 0]]}", ""),
       {"parameters.command.table[0][3]"}});
}

Test(study_errors, a_varied_parameter_must_exist_and_have_effect) {
  EXPECT_REFUSED(
      {V("", ",\n'vary': {}"), {"s.json:4: vary: expected a list"}},
      {V("", VARY("3")), {"vary[0]: expected an object"}},
      {V("", VARY("{'values': [1]}")), {"vary[0]: \"path\" is missing"}},
      {V("", VARY("{'path': 1, 'values': [1]}")), {"expected a path"}},
      {V("", VARY("{'path': 'gravity', 'values': [9],\n'valuess': 3}")),
       {"s.json:5: vary[0].valuess", "did you mean \"values\"?"}},
      {V("", VARY("\n{'path': 'wheel.frictoin', 'values': [1]}")),
       {"s.json:5: vary[0].path",
        "unknown parameter \"wheel.frictoin\"; did you mean \"wheel.friction\"?"}},
      {V("", VARY("{'path': 'wheels[1].frictoin', 'values': [1]}")),
       {"did you mean \"wheels[1].friction\"?"}},
      {V("", VARY("{'path': 'platform.mas', 'values': [1]}")), {"did you mean \"platform.mass\"?"}},
      {V("", VARY("{'path': 'colour', 'values': [1]}")),
       {"unknown parameter \"colour\"; expected a path such as"}},
      {V("", VARY("{'path': 'parameters.wheel.friction', 'values': [1]}")),
       {"write \"wheel.friction\""}},
      {V("", VARY("{'path': 'wheels[3].friction', 'values': [1]}")),
       {"there is no such wheel: the study has 3"}},
      {V("", VARY("{'path': 'layout.half_width', 'values': [1]}")),
       {"belongs to the layout of type rectangle"}},
      {V("", VARY("{'path': 'command.vx', 'values': [1]}")), {"no command here uses \"vx\""}},
      {V("'command': {'type': 'table', 'table': [[0, 0, 0, 0], [1, 0, 0, 0]]}",
         VARY("{'path': 'command.vx', 'values': [1]}")),
       {"takes its values from \"table\""}},
      {V("", VARY("{'path': 'wheel.drive.torque', 'values': [1]}")),
       {"no drive here uses \"torque\""}},
      {W("'wheel': {'drive': {'type': 'constant'}}",
         VARY("{'path': 'wheel.drive.phase', 'values': [1]}")),
       {"of type constant does not use \"phase\""}},
      {W("", VARY("{'path': 'platform.mass', 'values': [1]}")), {"is a parameter of omni_vehicle"}},
      {V("", VARY("{'path': 'wheel.roller.mass', 'values': [1]}")),
       {"given by \"roller.density\"", "base value of the same kind"}},
      {V("'wheel': {'roller': {'mass': 1, 'axial_inertia': 1, 'diametral_inertia': 1}}",
         VARY("{'path': 'wheel.roller.density', 'values': [1]}")),
       {"given by \"roller.mass\"", "base value of the same kind"}},
      {V("'wheel': {'center_distance': 0.04}",
         VARY("{'path': 'wheel.tip_radius', 'values': [1e-3]}")),
       {"given by \"center_distance\""}},
      {V("", VARY("{'path': 'wheel.motor.stall_torque', 'values': [1]}")),
       {"has no \"motor.stall_torque\" to vary"}},
      {V("'wheels': [{}, {'friction': 0.2}, {}]",
         VARY("{'path': 'wheel.friction', 'values': [0.1]}")),
       {"wheels[1] has its own \"friction\" (line 3)"}},
      {V("", VARY("{'path': 'gravity', 'values': [9]}, {'path': 'gravity', 'values': [9]}")),
       {"vary[1].path: \"gravity\" is varied twice"}},
      {V("", VARY("{'path': 'wheel.x', 'values': [9]}")),
       {"belongs to the layout of type explicit"}},
      {V("", VARY("{'path': 'wheel.friction', 'values': [0.1]}, {'path': 'wheels[0].friction', "
                  "'values': [0.2]}")),
       {"\"wheels[0].friction\" is varied twice: \"wheel.friction\" stands above"}});
}

Test(study_errors, levels_and_ranges_are_checked_as_values_are) {
  EXPECT_REFUSED(
      {V("", VARY("{'path': 'gravity'}")), {"vary[0]: needs one of \"values\""}},
      {V("", VARY("{'path': 'gravity', 'values': [1], 'linspace': [1, 2, 3]}")),
       {"\"values\" and \"linspace\" are given"}},
      {V("", VARY("{'path': 'gravity', 'values': []}")), {"has 0 values; at least 1 needed"}},
      {V("", VARY("{'path': 'gravity', 'values': [9, 0]}")),
       {"vary[0].values[1]: gravity is 0 m s-2; it must be above 0"}},
      {V("", VARY("{'path': 'gravity', 'linspace': [1, 2]}")), {"expected [first, last, count]"}},
      {V("", VARY("{'path': 'gravity', 'linspace': [1, 2, 1]}")),
       {"expected a whole number from 2"}},
      {V("", VARY("{'path': 'gravity', 'linspace': [0, 2, 3]}")),
       {"vary[0].linspace[0]", "it must be above 0"}},
      {V("", VARY("{'path': 'wheel.rollers', 'linspace': [4, 9, 3]}")),
       {"rollers is 6.5; it must be a whole number"}},
      {V("", VARY("{'path': 'wheel.rollers', 'uniform': [4, 9]}") RANDOM),
       {"rollers is a whole number; list its \"values\""}},
      {V("", VARY("{'path': 'gravity', 'uniform': [9, 9]}") RANDOM), {"low 9 is not below high 9"}},
      {V("", VARY("{'path': 'gravity', 'uniform': [-1, 9]}") RANDOM),
       {"vary[0].uniform[0]", "it must be above 0"}},
      {V("", VARY("{'path': 'gravity', 'uniform': 9}") RANDOM), {"expected [low, high]"}},
      {V("", VARY("{'path': 'gravity', 'normal': [9, -1]}") RANDOM),
       {"vary[0].normal[1]: the standard deviation -1 is negative"}},
      {V("", VARY("{'path': 'gravity', 'normal': [9]}") RANDOM),
       {"expected [mean, standard deviation]"}},
      {V("", VARY("{'path': 'gravity', 'each': true, 'normal': [9, 1]}") RANDOM),
       {"vary[0].each", "start with \"wheel.\""}},
      {V("", VARY("{'path': 'wheels[0].friction', 'each': true, 'uniform': [0, 1]}") RANDOM),
       {"start with \"wheel.\""}},
      {V("", VARY("{'path': 'wheel.friction', 'each': 1, 'uniform': [0, 1]}") RANDOM),
       {"expected true or false"}},
      {V("", VARY("{'path': 'wheel.friction', 'each': true, 'uniform': [0, 1]}, {'path': "
                  "'wheels[2].friction', 'values': [1]}") RANDOM),
       {"vary[1].path", "varied twice"}});
}

Test(study_errors, a_design_must_suit_what_is_varied) {
  EXPECT_REFUSED(
      {V("", VARY("{'path': 'gravity', 'uniform': [1, 9]}")),
       {"s.json:4: vary[0]", "\"uniform\" draws at random", "monte_carlo"}},
      {V("", VARY("{'path': 'wheel.radius', 'values': [1]}, {'path': 'gravity', 'normal': [9, "
                  "1]}") ",'design': {'type': 'grid'}"),
       {"vary[1]", "\"normal\" draws at random", "monte_carlo"}},
      {V("", VARY("{'path': 'wheel.radius', 'each': true, 'values': [1, 2]}")),
       {"\"each\" draws at random", "monte_carlo"}},
      {V("", VARY("{'path': 'wheel.radius', 'each': true, 'values': [1, 2]},\n{'path': 'gravity', "
                  "'linspace': [8, 9, 3]}") RANDOM),
       {"s.json:5: vary[1]", "\"linspace\" is for a grid", "\"uniform\""}},
      {V("", ",\n'design': {'type': 'monte_carlo'}"),
       {"s.json:4: design: \"instances\" is missing"}},
      {V("", RANDOM), {"monte_carlo has nothing to draw"}},
      {V("", ",\n'design': {}"), {"\"type\" is missing"}},
      {V("", ",\n'design': {'type': 'random'}"), {"unknown word \"random\""}},
      {V("", ",\n'design': {'type': 'grid', 'seed': 1}"),
       {"design.seed", "\"seed\" has no use in a design of type grid"}},
      {V("", ",\n'design': {'type': 'grid', 'instances': 1}"),
       {"design.instances", "as its levels combine to"}},
      {V("", ",\n'design': {'type': 'monte_carlo', 'instances': 0}"),
       {"is 0; expected a whole number from 1"}},
      {V("", ",\n'design': {'type': 'monte_carlo', 'instances': 1.5}"),
       {"is 1.5; expected a whole number"}},
      {V("", ",\n'design': {'type': 'monte_carlo', 'instances': 1, 'seed': '12x'}"),
       {"seed \"12x\" is not a whole number"}},
      {V("",
         ",\n'design': {'type': 'monte_carlo', 'instances': 1, 'seed': '18446744073709551616'}"),
       {"is not a whole number from 0 to"}},
      {V("", ",\n'design': {'type': 'monte_carlo', 'instances': 1, 'seed': 1e17}"),
       {"design.seed: is 1e+17"}},
      {V("", ",\n'design': {'type': 'monte_carlo', 'instances': 1, 'seed': -1}"),
       {"design.seed: is -1"}},
      {V("", VARY("{'path': 'gravity', 'linspace': [8, 9, 300000]}, {'path': 'wheel.radius', "
                  "'linspace': [1, 2, 300000]},"
                  "{'path': 'platform.mass', 'linspace': [1, 2, 300000]}")),
       {"vary[2]", "more instances than can be counted"}});
}

Test(study_errors, an_override_is_named_instead_of_a_line) {
  const char *overrides[] = {"parameters.wheel.friction=-1"};
  omr_study *study;
  omr_error error;
  char *text = double_quoted(W("", ""));
  cr_assert_eq(omr_study_parse(text, "s.json", overrides, 1, &study, &error), OMR_ERR_STUDY);
  cr_assert_not_null(strstr(error.message, "--set parameters.wheel.friction"), "%s", error.message);
  cr_assert_not_null(strstr(error.message, "friction is -1; it must be at least 0"), "%s",
                     error.message);
  free(text);
}

Test(study_errors, a_missing_file_is_an_input_error_that_names_it) {
  omr_study *study;
  omr_error error;
  cr_assert_eq(omr_study_load("/nonexistent/study.json", NULL, 0, &study, &error), OMR_ERR_IO);
  cr_assert_not_null(strstr(error.message, "/nonexistent/study.json"));
  cr_assert_null(study);
}

Test(study_errors, an_error_need_not_be_asked_for) {
  omr_study *study;
  cr_assert_eq(omr_study_parse("{}", "s.json", NULL, 0, &study, NULL), OMR_ERR_STUDY);
}
