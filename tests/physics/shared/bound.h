/* The longest step that the host's look at stability allows a study text. */
#ifndef OMR_TESTS_BOUND_H
#define OMR_TESTS_BOUND_H

#include "host/engine/run.h"
#include <criterion/criterion.h>

/* overrides end with NULL. s. */
static inline double bound_of(const char *text, const char *const *overrides) {
  omr_error error = {0};
  omr_study *study;
  size_t count = 0, instance;
  while (overrides[count]) count++;
  cr_assert_eq(omr_study_parse(text, "test", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  double bound = omr_largest_step(study, &instance);
  omr_study_destroy(study);
  return bound;
}

#endif
