/* omniroll run --hash: in memory, the same numbers told by the same hash.
 * tests/parity/test_golden.c holds the hashes themselves.
 */
#include "tests/cli/program.h"

TestSuite(hash, .init = set_up, .fini = tear_down);

static void hash_of(char hash[64], const char *backend, const char *duration) {
  char set[64];
  snprintf(set, sizeof set, "integrator.duration=%s", duration);
  expect(OMNIROLL("run", "short.json", "--hash", "--quiet", "--backend", backend, "--set", set), 0);
  cr_assert_eq(strlen(last.out), 33, "%s", last.out); /* 32 digits and the end of the line */
  memcpy(hash, last.out, 34);
}

Test(hash, is_the_same_for_the_same_numbers_alone) {
  char openmp[64], scalar[64], longer[64];
  hash_of(openmp, "openmp", "0.05");
  hash_of(scalar, "scalar", "0.05");
  hash_of(longer, "openmp", "0.051");
  cr_expect_str_eq(openmp, scalar);
  cr_expect_str_neq(openmp, longer);
  cr_expect_not(exists("short.h5") || exists("short.h5.parts"));
}

Test(hash, tells_what_ran_and_how_fast) {
  expect(OMNIROLL("run", "short.json", "--hash", "--backend", "openmp"), 0);
  expect_text(last.out, "1: 1 ok");
  expect_text(last.out, "precision double");
  expect_text(last.out, "50 instance-steps of 0.001 s"); /* 50 ms in steps of 1 ms */
  expect(OMNIROLL("run", "short.json", "--hash", "--json", "--backend", "openmp", "--precision",
                  "single"),
         0);
  expect_text(last.out, "\"precision\": \"single\"");
  expect_text(last.out, "\"ok\": 1");
  expect_text(last.out, "\"instance_steps\": 50");
  expect_text(last.out, "\"steps_per_second\": ");
}

/* A negative coefficient of friction makes no vehicle; `omniroll sample` tells which draws are
 * negative. */
Test(hash, counts_instances_by_how_they_ended) {
  static const char vary[] = "vary=[{\"path\": \"wheel.friction\", \"normal\": [0.1, 0.2]}]";
  static const char design[] =
      "design={\"type\": \"monte_carlo\", \"instances\": 20, \"seed\": \"3\"}";
  int negative = 0;
  char expected[64];
  expect(OMNIROLL("sample", "short.json", "--set", vary, "--set", design), 0);
  for (const char *c = last.out; (c = strstr(c, ",-")); c++) negative++;
  cr_assert(negative > 0 && negative < 20, "%s", last.out);
  snprintf(expected, sizeof expected, "20: %d ok, %d invalid_parameters", 20 - negative, negative);
  expect(OMNIROLL("run", "short.json", "--hash", "--set", vary, "--set", design), 0);
  expect_text(last.out, expected);
}

Test(hash, refuses_what_is_about_files) {
  expect(OMNIROLL("run", "short.json", "--hash", "-o", "x.h5"), OMR_ERR_USAGE);
  expect_text(last.err, "--output");
  expect(OMNIROLL("run", "short.json", "--hash", "--shard", "1/2"), OMR_ERR_USAGE);
  expect_text(last.err, "--shard");
  expect(OMNIROLL("run", "short.json", "--hash", "--restart"), OMR_ERR_USAGE);
  expect_text(last.err, "--restart");
  expect_text(last.err, "--hash");
}
