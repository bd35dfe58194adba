/* The loop that follows a path, with lanes that are on different legs of it, gives the same bits
 * whatever computes it. */
#include "tests/parity/runs.h"

#define STUDY "tests/parity/path.json"
#define CHOSEN "integrator={\"tolerance\": 0.01, \"duration\": \"0.6 s\"}"
#define SPRINGS "parameters.contact={\"normal\": \"compliant\", \"damper\": \"kelvin_voigt\"}"
/* Around a path by its distance, with an integral part, and held headings. */
#define AROUND                                                                                     \
  "parameters.command={\"type\": \"path\", \"law\": \"cross_track\", \"motion\": \"translate\", "  \
  "\"gain\": 8, \"integral_gain\": 20, \"look_ahead\": 0.1, \"period\": \"4 ms\", \"speed\": 1, "  \
  "\"acceleration\": 9, \"closed\": true, "                                                        \
  "\"points\": [[0, 0], [-0.1, 0], [-0.1, -0.01], [-0.105, -0.012], [0, -0.05]], "                 \
  "\"heading_hold\": {\"gain\": 5, \"period\": \"8 ms\", \"gyro_noise\": 0.1}}"

static const char *const others[] = {NULL, CHOSEN, AROUND, "parameters.command.law=cross_track",
                                     SPRINGS};
enum { OTHERS = sizeof others / sizeof *others };

Test(path_bits, processors_agree, .timeout = 300) {
  check_family(STUDY, others, OTHERS, "double");
}

Test(path_bits, processors_agree_in_single_precision, .timeout = 300) {
  check_family(STUDY, others, OTHERS, "single");
}

Test(path_bits, objects_compiled_for_the_run_agree, .timeout = 600) {
  check_compiled_family(STUDY, others, OTHERS, 3);
}

/* On PoCL each is a program of its own, which takes half a minute to build. */
Test(path_bits, opencl_agrees, .timeout = 900) {
  check_engine(STUDY, NULL, (engine){.backend = "opencl", .lanes = 4});
  check_engine(STUDY, AROUND, (engine){.backend = "opencl", .lanes = 1});
  if (short_form()) return;
  check_engine(STUDY, CHOSEN, (engine){.backend = "opencl", .lanes = 8});
  check_engine(STUDY, SPRINGS, (engine){.backend = "opencl", .lanes = 1});
  check_engine(STUDY, NULL, (engine){.backend = "opencl", .lanes = 16, .precision = "single"});
}
