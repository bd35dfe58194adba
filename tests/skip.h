/* A test that leaves a part out says so; tests/count.py collects these lines and those of Criterion
 * about tests that are skipped as a whole. */
#ifndef OMR_TESTS_SKIP_H
#define OMR_TESTS_SKIP_H

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
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

#endif
