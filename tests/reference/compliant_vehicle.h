/* Studies of vehicles on compliant contacts, for tests of the reference. */
#ifndef TESTS_COMPLIANT_VEHICLE_H
#define TESTS_COMPLIANT_VEHICLE_H

#include "against_engine.h"

static inline omr_study *compliant_study(const char *text, const char *const *overrides) {
  const char *all[MOST_OVERRIDES + 2] = {"parameters.contact={\"normal\": \"compliant\"}"};
  int count = 0;
  for (; overrides[count]; count++) {
    cr_assert_lt(count, MOST_OVERRIDES);
    all[count + 1] = overrides[count];
  }
  return study_of(text, all);
}

#endif
