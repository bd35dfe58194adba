/* Both trackings of the contact, and studies whose instances differ in it, give the same bits
 * whatever computes them. */
#include "tests/parity/runs.h"

/* tracking.json mixes both; the others follow the override. */
static const struct {
  const char *study, *other;
} runs[] = {{"tests/parity/tracking.json", NULL},
            {"tests/parity/bearing.json", "parameters.contact.tracking=explicit"},
            {"tests/parity/bearing.json", "parameters.contact.tracking=implicit"},
            {"tests/parity/one_wheel.json", "parameters.contact.tracking=implicit"},
            {"tests/parity/five_wheels.json", "parameters.contact.tracking=implicit"}};
enum { RUNS = sizeof runs / sizeof *runs };

Test(tracking_bits, processors_agree) {
  for (int run = 0; run < RUNS; run++) {
    check_processors(runs[run].study, runs[run].other, "double");
    check_processors(runs[run].study, runs[run].other, "single");
  }
}

/* On PoCL each run, width and precision is a program of its own, which takes seconds to build. */
Test(tracking_bits, opencl_agrees) {
  static const int lanes[RUNS] = {1, 8, 1, 4, 8};
  const bool few = short_form(); /* both trackings at once */
  for (int run = 0; run < (few ? 1 : RUNS); run++)
    check_engine(runs[run].study, runs[run].other,
                 (engine){.backend = "opencl", .precision = "double", .lanes = lanes[run]});
  if (few) return;
  check_engine(runs[0].study, runs[0].other,
               (engine){.backend = "opencl", .precision = "double", .lanes = 8});
  check_engine(runs[0].study, runs[0].other,
               (engine){.backend = "opencl", .precision = "single", .lanes = 4});
}

/* An instance does not notice that its neighbours track their contacts in another way. */
Test(tracking_bits, an_instance_among_others_is_as_alone_with_its_tracking) {
  engine both = {.backend = "openmp"},
         same[] = {{.other = "vary[0].values=[0, 0]"}, {.other = "vary[0].values=[1, 1]"}};
  omr_result *mixed = run_study("tests/parity/tracking.json", &both);
  for (int kind = 0; kind < 2; kind++) {
    omr_result *uniform = run_study("tests/parity/tracking.json", &same[kind]);
    size_t seen = 0, other = 0;
    cr_assert_str_eq(mixed->columns[0].name, "contact_tracking");
    for (size_t k = 0; k < mixed->instances; k++) {
      size_t differences = 0;
      for (size_t c = 1; c < mixed->column_count; c++) {
        differences += !same_bits(mixed->columns[c].values[k], uniform->columns[c].values[k]);
      }
      const bool alike = mixed->columns[0].values[k] == kind;
      seen += alike;
      other += !alike && differences > 0;
      if (alike)
        cr_expect_eq(differences, 0, "instance %zu, tracking %d: %zu values differ", k, kind,
                     differences);
    }
    cr_expect(seen > 5 && seen < mixed->instances - 5);
    cr_expect_gt(other, 5, "the other tracking gives the same bits: it is no other computation");
    omr_result_destroy(uniform);
  }
  omr_result_destroy(mixed);
}
