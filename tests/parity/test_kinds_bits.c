/* Kinds of wheels in one vehicle give the same bits whatever computes them: with fixed and chosen
 * steps, under the linearly implicit method, and on compliant contact, on suspensions too. */
#include "tests/parity/runs.h"

#define STUDY "tests/parity/kinds.json"
#define ON_SPRINGS "tests/parity/kinds_compliant.json"
#define TWO "tests/reference/two_tyres.json"
#define SPRUNG "parameters.wheel.suspension={\"stiffness\": 2e4, \"damping\": 60, \"mass\": 0.3}"

static const char *const runs[] = {
    NULL,
    "integrator={\"method\": \"rosenbrock\", \"step\": \"1 ms\", \"duration\": \"0.4 s\"}",
    "integrator={\"tolerance\": 1e-3, \"duration\": \"0.2 s\", \"budget\": 20000}",
    "parameters.contact={\"law\": \"regularized_coulomb\", \"tyre_law\": \"magic_formula\"}",
    "parameters.wheel.dry_load.exponent=0.8",
    "parameters.wheel.roller.bearing=1e-4"};
enum { RUNS = sizeof runs / sizeof *runs };

Test(kinds_bits, processors_agree) {
  for (int run = 0; run < RUNS; run++) {
    check_processors(STUDY, runs[run], "double");
    if (run < 3) check_processors(STUDY, runs[run], "single");
  }
}

Test(kinds_bits, processors_agree_on_compliant_contact) {
  check_processors(ON_SPRINGS, NULL, "double");
  check_processors(ON_SPRINGS, NULL, "single");
  check_processors(ON_SPRINGS, runs[2], "double");
  check_processors(ON_SPRINGS, SPRUNG, "double");
  check_processors(TWO, NULL, "double");
}

Test(kinds_bits, objects_compiled_for_the_run_agree) {
  check_engine(STUDY, NULL, (engine){.backend = "openmp", .more = "engine.compile=always"});
  check_engine(STUDY, runs[2], (engine){.backend = "openmp", .more = "engine.compile=always"});
  check_engine(ON_SPRINGS, NULL, (engine){.backend = "openmp", .more = "engine.compile=always"});
  check_engine(ON_SPRINGS, runs[2], (engine){.backend = "openmp", .more = "engine.compile=always"});
}

/* On PoCL each run, width and precision is a program of its own, which takes seconds to build. The
 * check of the device compares the states of wheels without rollers, too. */
Test(kinds_bits, opencl_agrees) {
  check_engine(STUDY, runs[RUNS - 1],
               (engine){.backend = "opencl", .precision = "double", .lanes = 4});
  if (short_form()) return;
  check_engine(STUDY, runs[2], (engine){.backend = "opencl", .precision = "double", .lanes = 8});
  check_engine(ON_SPRINGS, NULL, (engine){.backend = "opencl", .precision = "double", .lanes = 4});
  check_engine(ON_SPRINGS, runs[2],
               (engine){.backend = "opencl", .precision = "single", .lanes = 8});
}
