/* A test that leaves a part out says so; tests/count.py collects these lines and those of Criterion
 * about tests that are skipped as a whole. */
#ifndef OMR_TESTS_SKIP_H
#define OMR_TESTS_SKIP_H

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints "[PART] SUITE::TEST: REASON"; of the reason only the first line. */
static inline void skip_part(const char *format, ...) {
  char reason[512];
  va_list values;
  va_start(values, format);
  vsnprintf(reason, sizeof reason, format, values);
  va_end(values);
  reason[strcspn(reason, "\n")] = 0;
  fprintf(stderr, "[PART] %s::%s: %s\n", criterion_current_test->category,
          criterion_current_test->name, reason);
}

/* With OMNIROLL_TESTS=short, as tests/run.sh has it, a test leaves out what takes long and has its
 * like in what stays: of programs of OpenCL, which take seconds to build on a processor, each
 * setting is compared at one or two widths, otherwise at all that the tests name. A test that is
 * shortened says so. */
static inline bool short_form(void) {
  const char *form = getenv("OMNIROLL_TESTS");
  if (!form || strcmp(form, "short") != 0) return false;
  skip_part("shortened by OMNIROLL_TESTS=short; tests/nightly.sh runs it whole");
  return true;
}

#endif
