/* Compliant contacts give the same bits whatever computes them: both springs and dampers, wheels
 * that lift and land, discrete controllers, methods and precisions; bristles. */
#include "tests/parity/runs.h"

#define STUDY "tests/parity/compliant.json"
#define BRISTLES "tests/parity/bristle.json"

/* All that a floor may have. */
#define FLOOR                                                                                      \
  "parameters.floor={\"slope\": 0.05, \"slope_direction\": 0.4, \"wave\": {\"amplitude\": 0.001, " \
  "\"length\": 0.3}, \"step\": {\"height\": 0.001, \"place\": 0.02, \"ramp\": 0.05}, "             \
  "\"roughness\": "                                                                                \
  "{\"degree\": 1e-6, \"seed\": 3}}"

/* A map of heights, turned, whose border the wheels cross; smooth and with edges. */
#define MAP(word)                                                                                  \
  "parameters.floor={\"map\": {\"file\": \"bumps.csv\", \"interpolation\": \"" word                \
  "\", \"x\": 0.1, \"direction\": 0.5, \"offset\": 0.001}}"

/* Slides of the wheels, beside the study's own observables: a criterion adds what it names. */
#define GRIP "statistics.fail.slides=\"lost_grip_time > 0.1 s\""

static const char *const runs[] = {
    GRIP,
    "parameters.contact={\"normal\": \"compliant\", \"damper\": \"kelvin_voigt\"}",
    "parameters.contact.law=regularized_coulomb",
    "integrator.method=heun",
    "integrator.method=semi_implicit_euler",
    "parameters.wheel.suspension={\"stiffness\": 2e4, \"damping\": 60, \"mass\": 0.3}",
    "parameters.wheel.roller={\"rolling_resistance\": 0.0003, \"dry\": {\"torque\": 0.002, "
    "\"friction\": 0.2, \"pin_radius\": 0.002, \"static_ratio\": 1.3}}",
    FLOOR,
    MAP("cubic"),
    MAP("linear")};
enum { RUNS = sizeof runs / sizeof *runs };

Test(compliant_bits, processors_agree) {
  const bool whole = !short_form(); /* Heun is in parity/methods, a map in parity/golden */
  for (int run = 0; run < RUNS; run++) {
    if (!whole && (run == 3 || run >= 8)) continue;
    check_processors(STUDY, runs[run], "double");
    if (whole || run == 0) check_processors(STUDY, runs[run], "single");
  }
}

/* Deflections that go on with their rollers, spring back in the air and bend over a patch. */
Test(compliant_bits, processors_agree_on_bristles) {
  check_processors(BRISTLES, NULL, "double");
  check_processors(BRISTLES, NULL, "single");
}

/* On PoCL each run, width and precision is a program of its own, which takes seconds to build. */
Test(compliant_bits, opencl_agrees) {
  static const int lanes[RUNS] = {4, 8, 1, 4, 8, 4, 8, 8, 4, 8};
  check_engine(STUDY, runs[0],
               (engine){.backend = "opencl", .precision = "double", .lanes = lanes[0]});
  if (short_form()) return;
  check_engine(BRISTLES, NULL, (engine){.backend = "opencl", .precision = "double", .lanes = 4});
  for (int run = 1; run < RUNS; run++)
    check_engine(STUDY, runs[run],
                 (engine){.backend = "opencl", .precision = "double", .lanes = lanes[run]});
  check_engine(STUDY, runs[0], (engine){.backend = "opencl", .precision = "single", .lanes = 4});
}
