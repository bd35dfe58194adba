/* The loop of the heading with its gyro's noise, and limits of the rates asked of wheels, give the
 * same bits whatever computes them, with fixed steps and with chosen ones. */
#include "tests/parity/runs.h"

#define STUDY "tests/parity/heading.json"
#define CHOSEN "integrator={\"tolerance\": 0.01, \"duration\": \"0.4 s\"}"
#define EACH "parameters.command.wheel_limit.limit=each"

static const char *const others[] = {NULL, CHOSEN, EACH};
enum { OTHERS = sizeof others / sizeof *others };

Test(heading_bits, processors_agree, .timeout = 300) {
  for (int i = 0; i < OTHERS; i++) check_processors(STUDY, others[i], "double");
}

Test(heading_bits, processors_agree_in_single_precision, .timeout = 300) {
  for (int i = 0; i < OTHERS; i++) check_processors(STUDY, others[i], "single");
}

Test(heading_bits, objects_compiled_for_the_run_agree, .timeout = 600) {
  for (int i = 0; i < OTHERS - 1; i++)
    check_engine(STUDY, others[i], (engine){.backend = "openmp", .more = "engine.compile=always"});
}

/* On PoCL each is a program of its own, which takes half a minute to build. */
Test(heading_bits, opencl_agrees, .timeout = 900) {
  check_engine(STUDY, NULL, (engine){.backend = "opencl", .lanes = 4});
  check_engine(STUDY, CHOSEN, (engine){.backend = "opencl", .lanes = 8});
  if (short_form()) return;
  check_engine(STUDY, EACH, (engine){.backend = "opencl", .lanes = 1});
  check_engine(STUDY, NULL, (engine){.backend = "opencl", .lanes = 16, .precision = "single"});
}
