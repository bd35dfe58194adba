/* Brushed motors on a supply that sags give the same bits whatever computes them: under laws of
 * friction and of constraint, with fixed and with chosen steps, with currents that are states. */
#include "tests/parity/runs.h"

#define STUDY "tests/parity/brushed.json"
/* A wheel by voltage and one by duty, as a controller has logged them. */
#define LOGGED(type, column)                                                                       \
  "{\"type\": \"replay_" type "\", \"replay\": {\"file\": \"motor_log.csv\", \"columns\": {"       \
  "\"time\": \"t\", \"" type "\": \"" column "\"}}}"

static const char *const runs[] = {
    NULL,
    "parameters.contact.law=ideal_rolling",
    "integrator.method=rosenbrock",
    "integrator={\"tolerance\": 1e-3, \"duration\": \"0.2 s\", \"budget\": 20000}",
    "parameters.supply.regeneration=false",
    "parameters.wheel.motor.inductance=0.8 mH",
    "parameters.wheels[3].drive=" LOGGED("voltage", "u"),
    "parameters.wheels[1].drive=" LOGGED("duty", "duty")};
enum { RUNS = sizeof runs / sizeof *runs };

Test(brushed_bits, processors_agree) {
  for (int run = 0; run < RUNS; run++) {
    check_processors(STUDY, runs[run], "double");
    check_processors(STUDY, runs[run], "single");
  }
}

/* On PoCL each run, width and precision is a program of its own, which takes seconds to build. */
Test(brushed_bits, opencl_agrees) {
  static const int lanes[RUNS] = {4, 8, 1, 4, 8, 4, 4, 8};
  check_engine(STUDY, runs[0],
               (engine){.backend = "opencl", .precision = "double", .lanes = lanes[0]});
  if (short_form()) return;
  for (int run = 1; run < RUNS; run++)
    check_engine(STUDY, runs[run],
                 (engine){.backend = "opencl", .precision = "double", .lanes = lanes[run]});
  check_engine(STUDY, runs[0], (engine){.backend = "opencl", .precision = "single", .lanes = 4});
}
