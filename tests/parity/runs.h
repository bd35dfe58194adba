/* A study under an override, held to itself on one thread of the openmp backend: what tests of
 * whole families of runs have in common. other: an override as KEY=VALUE; NULL: none. */
#ifndef TESTS_RUNS_H
#define TESTS_RUNS_H

#include "tests/parity/parity.h"

static inline omr_result *run_alone(const char *study, const char *other, const char *precision) {
  const engine reference = {
      .backend = "openmp", .threads = 1, .precision = precision, .other = other};
  return run_study(study, &reference);
}

static inline void hold_to(const omr_result *expected, const char *study, const char *other,
                           engine e) {
  e.other = other;
  omr_result *result = run_study(study, &e);
  if (!result) return;
  cr_expect_eq(compare_results(engine_name(&e), expected, result), 0, "%s, %s on %s", study,
               other ? other : "as it is", engine_name(&e));
  omr_result_destroy(result);
}

static inline void check_engine(const char *study, const char *other, engine e) {
  omr_result *expected = run_alone(study, other, e.precision);
  hold_to(expected, study, other, e);
  omr_result_destroy(expected);
}

/* Lanes and the scalar yardstick of every instruction set; lanes on two threads, in chunks and in
 * short slices. */
static inline void check_processors(const char *study, const char *other, const char *precision) {
  static const char *const sets[] = {"avx512", "avx2", "baseline"};
  omr_result *expected = run_alone(study, other, precision);
  for (int i = 0; i < 3; i++) {
    hold_to(expected, study, other,
            (engine){.backend = "openmp",
                     .device = sets[i],
                     .precision = precision,
                     .threads = 2,
                     .chunk = 16,
                     .launch_seconds = "1e-3"});
    hold_to(expected, study, other,
            (engine){.backend = "scalar", .device = sets[i], .precision = precision});
  }
  omr_result_destroy(expected);
}

/* A study under each of `count` overrides, the first of which are in the short form too. */
static inline void check_family(const char *study, const char *const *others, int count,
                                const char *precision) {
  for (int i = 0; i < count; i++) check_processors(study, others[i], precision);
}

static inline void check_compiled_family(const char *study, const char *const *others, int count,
                                         int first) {
  for (int i = 0; i < (short_form() ? first : count); i++)
    check_engine(study, others[i], (engine){.backend = "openmp", .more = "engine.compile=always"});
}

#endif
