/* Broken sections of a study that say what comes out: output, statistics, criteria, engine. */
#include "refusals.h"

#define OUTPUT(text) ",\n'output': {" text "}"

Test(section_errors, an_output_must_exist) {
  EXPECT_REFUSED(
      {W("", OUTPUT("'observabels': []")),
       {"s.json:4: output.observabels", "did you mean \"observables\"?"}},
      {W("", OUTPUT("'observables': ['final_X']")),
       {"output.observables[0]", "did you mean \"final_x\"?"}},
      {W("", OUTPUT("'observables': ['vibration_*']")), {"output.observables[0]"}},
      {W("", OUTPUT("'observables': ['final_x', 'final_x']")),
       {"output.observables[1]", "listed twice"}},
      {V("", OUTPUT("'observables': ['wheel3_torque_rms']")),
       {"output.observables[0]", "\"wheel3_torque_rms\"", "numbered from 0, and the study has 3"}},
      {W("", OUTPUT("'observables': ['wheel1_torque_peak']")),
       {"numbered from 0, and the study has 1"}},
      {V("", ",\n'statistics': {'fail': 'wheel3_torque_rms > 1'}"),
       {"unknown name \"wheel3_torque_rms\"", "wheel"}},
      {W("", OUTPUT("'observables': 'final_x'")), {"expected a list"}},
      {W("", OUTPUT("'trajectories': {'interval': '10 ms'}")), {"\"instances\" is missing"}},
      {W("", OUTPUT("'trajectories': {'instances': [0]}")), {"\"interval\" is missing"}},
      {W("", OUTPUT("'trajectories': {'instances': [], 'interval': 0.1}")),
       {"has 0 instance numbers"}},
      {W("", OUTPUT("'trajectories': {'instances': 'every', 'interval': 0.1}")),
       {"there is: numbers from 0 on, \"all\""}},
      {V("", VARY("{'path': 'gravity', 'linspace': [8, 9, 1048577]}")
                 OUTPUT("'trajectories': {'instances': 'all', 'interval': 0.1}")),
       {"output.trajectories.instances", "1048577 instances, too many trajectories"}},
      {W("", OUTPUT("'trajectories': {'instances': [1], 'interval': 0.1}")),
       {"there is no instance 1: the study has 1"}},
      {W("", OUTPUT("'trajectories': {'instances': [0, 0], 'interval': 0.1}")),
       {"instance 0 is listed twice"}},
      {W("", OUTPUT("'trajectories': {'instances': [0], 'interval': '0.25 ms'}")),
       {"output.trajectories.interval", "the nearest is 0.0002 s"}},
      {W("", OUTPUT("'trajectories': {'instances': [0], 'interval': 2}")),
       {"is longer than the duration of 1 s"}});
}

#define ENGINE(text) ",\n'engine': {" text "}"

#define S(statistics) V("", ",\n'statistics': {" statistics "}")

Test(section_errors, statistics_are_checked) {
  EXPECT_REFUSED(
      {V("", ",\n'statistics': 3"), {"s.json:4: statistics: expected an object"}},
      {S("'fial': 'max_slip > 1'"), {"s.json:4: statistics.fial", "did you mean \"fail\"?"}},
      {S("'quantiles': 0.5"), {"statistics.quantiles: expected a list"}},
      {S("'quantiles': [0.5, 1.5]"), {"statistics.quantiles[1]: is 1.5; it must be from 0 to 1"}},
      {S("'quantiles': [0.5, '5 %']"), {"statistics.quantiles[1]: 0.05 does not come after 0.5"}},
      {S("'histogram': 2.5"), {"statistics.histogram"}},
      {S("'histogram': 10001"), {"statistics.histogram", "10000"}},
      {S("'confidence': 1"), {"statistics.confidence: is 1; it must be from 0.5 to 0.999999"}},
      {S("'interval': 'wilsn'"), {"statistics.interval", "did you mean \"wilson\"?"}},
      {S("'bootstrap': -1"), {"statistics.bootstrap"}},
      {S("'failed_limit': '120 %'"), {"statistics.failed_limit: is 1.2; it must be from 0 to 1"}});
}

Test(section_errors, criteria_are_checked) {
  EXPECT_REFUSED(
      {S("'fail': 3"), {"s.json:4: statistics.fail: expected a criterion as text"}},
      {S("'fail': {'a': 3}"), {"statistics.fail.a: expected a criterion as text"}},
      {S("'fail': 'max_slip'"),
       {"statistics.fail: \"max_slip\" is a number; a criterion compares it"}},
      {S("'fail': 'max_slp > 1'"),
       {"s.json:4: statistics.fail: \"max_slp > 1\", at character 1",
        "did you mean \"max_slip\"?"}},
      {S("'fail': 'max_slip > 5 cm'"),
       {"at character 12", "\"m s-1\" and one in \"cm\" do not go together"}},
      {S("'fail': {'a': 'b || max_slip > 1', 'b': 'max_slip > 2'}"),
       {"statistics.fail.a", "unknown name \"b\""}},
      {S("'fail': {'max_slip': 'max_slip > 1'}"),
       {"\"max_slip\" means something else in criteria"}},
      {S("'fail': {'diverged': 'max_slip > 1'}"),
       {"\"diverged\" means something else in criteria"}},
      {S("'fail': {'2fast': 'max_slip > 1'}"), {"a criterion's name has letters, digits and _"}},
      {S("'fail': {'too-fast': 'max_slip > 1'}"), {"a criterion's name has letters, digits and _"}},
      {V("", ",\n'output': {'observables': ['final_x']},\n'statistics': {'fail': 'max_slip > 1'}"),
       {"s.json:5: statistics.fail", "does not store: add it to output.observables"}},
      {S("'fail': 'platform.mass > 3 kg'"),
       {"\"platform.mass\" is a parameter that the study does not vary"}},
      {S("'fail': 'wheels[0].friction > 1'"),
       {"unknown name \"wheels[0].friction\"", "did you mean \"wheel_friction\"?"}},
      {"{'model': 'uk_wheel',\n" INTEGRATOR "'statistics': {'fail': 'impact_loss > 1'}}",
       {"unknown name \"impact_loss\""}});
}

Test(section_errors, an_engine_must_exist) {
  EXPECT_REFUSED(
      {W("", ENGINE("'backend': 'cuda'")),
       {"s.json:4: engine.backend", "\"auto\", \"openmp\", \"scalar\", \"opencl\""}},
      {W("", ENGINE("'precision': 'half'")), {"\"double\", \"single\""}},
      {W("", ENGINE("'numerics': 'quick'")), {"engine.numerics", "\"exact\", \"fast\""}},
      {W("", ENGINE("'backend': 'scalar', 'numerics': 'fast'")),
       {"engine.numerics: the backend \"scalar\"", "\"openmp\""}},
      {W("", ENGINE("'lanes': 3")), {"3 lanes; a pack has 1, 2, 4, 8 or 16"}},
      {W("", ENGINE("'lanes': 32")), {"from 1 to 16"}},
      {W("", ENGINE("'threads': 0")), {"engine.threads: is 0"}},
      {W("", ENGINE("'chunk': 0.5")), {"engine.chunk: is 0.5"}},
      {W("", ENGINE("'max_registers': 128")),
       {"engine.max_registers: max_registers is for OpenCL devices", "leave it out"}},
      {W("", ENGINE("'work_group': 64")), {"engine.work_group: work_group is for OpenCL devices"}},
      {W("", ENGINE("'emulated_double': 'allow'")),
       {"engine.emulated_double: \"allow\" is for OpenCL devices", "leave it out"}},
      {W("", ENGINE("'backend': 'opencl', 'max_registers': 1.5")), {"engine.max_registers"}},
      {W("", ENGINE("'launch_seconds': 0")), {"engine.launch_seconds: is 0 s"}},
      {W("", ENGINE("'device': 0")), {"engine.device: expected the name of a device"}},
      {W("", ENGINE("'gpu': true")), {"engine.gpu"}},
      {"{'model': 'omni_wheel',\n'integrator': {'step': 1e-6, 'duration': 20}" ENGINE(
           "'precision': 'single'") "}",
       {"s.json:2: integrator.step: 20000000 steps are more than the 2^24", "\"double\"",
        "longer step"}});
}
