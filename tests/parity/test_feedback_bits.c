/* A state feedback gives the same bits whatever computes it. */
#include "tests/parity/runs.h"

#define STUDY "tests/parity/feedback.json"
#define CHOSEN "integrator={\"tolerance\": 0.01, \"duration\": \"0.4 s\"}"

static const char *const others[] = {NULL, CHOSEN, "parameters.contact.law=ideal_rolling",
                                     "output.observables=[\"final_x\", \"final_yaw_rate\"]",
                                     "integrator.step=\"0.1 ms\""};
enum { OTHERS = sizeof others / sizeof *others };

Test(feedback_bits, processors_agree, .timeout = 300) {
  check_family(STUDY, others, OTHERS, "double");
}

Test(feedback_bits, processors_agree_in_single_precision, .timeout = 300) {
  check_family(STUDY, others, OTHERS, "single");
}

Test(feedback_bits, objects_compiled_for_the_run_agree, .timeout = 600) {
  check_compiled_family(STUDY, others, OTHERS, 2);
}

/* On PoCL each is a program of its own, which takes half a minute to build. */
Test(feedback_bits, opencl_agrees, .timeout = 900) {
  check_engine(STUDY, NULL, (engine){.backend = "opencl", .lanes = 4});
  check_engine(STUDY, CHOSEN, (engine){.backend = "opencl", .lanes = 8});
  if (short_form()) return;
  for (int i = 2; i < OTHERS; i++)
    check_engine(STUDY, others[i], (engine){.backend = "opencl", .lanes = 1});
  check_engine(STUDY, NULL, (engine){.backend = "opencl", .lanes = 16, .precision = "single"});
}
