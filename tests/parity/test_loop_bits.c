/* The loop of the heading with its gyro's noise, limits of the rates asked of wheels, slip as
 * encoders see it, and odometry by chosen wheels give the same bits whatever computes them. */
#include "tests/parity/runs.h"

#define STUDY "tests/parity/loops.json"
#define CHOSEN "integrator={\"tolerance\": 0.01, \"duration\": \"0.4 s\"}"

static const char *const others[] = {NULL, CHOSEN, "parameters.command.wheel_limit.limit=each",
                                     "parameters.odometry={\"wheels\": [0, 1, 3]}",
                                     "parameters.contact.law=ideal_rolling"};
enum { OTHERS = sizeof others / sizeof *others };

Test(loop_bits, processors_agree, .timeout = 300) {
  check_family(STUDY, others, OTHERS, "double");
}

Test(loop_bits, processors_agree_in_single_precision, .timeout = 300) {
  check_family(STUDY, others, OTHERS, "single");
}

Test(loop_bits, objects_compiled_for_the_run_agree, .timeout = 600) {
  check_compiled_family(STUDY, others, OTHERS, 2);
}

/* On PoCL each is a program of its own, which takes half a minute to build. */
Test(loop_bits, opencl_agrees, .timeout = 900) {
  check_engine(STUDY, NULL, (engine){.backend = "opencl", .lanes = 4});
  check_engine(STUDY, CHOSEN, (engine){.backend = "opencl", .lanes = 8});
  if (short_form()) return;
  for (int i = 2; i < OTHERS; i++)
    check_engine(STUDY, others[i], (engine){.backend = "opencl", .lanes = 1});
  check_engine(STUDY, NULL, (engine){.backend = "opencl", .lanes = 16, .precision = "single"});
}
