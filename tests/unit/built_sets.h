/* Which instruction sets a build has lane objects of: OMNIROLL_LANE_SETS chooses them. */
#ifndef OMR_TEST_BUILT_SETS_H
#define OMR_TEST_BUILT_SETS_H

#include "lane_objects.h"

#include <stdbool.h>
#include <string.h>

static inline bool set_is_built(const char *isa) {
#define X(set, kind, precision, law)                                                               \
  if (!strcmp(isa, #set)) return true;
  OMR_LANE_OBJECTS(X)
#undef X
  return false;
}

/* An instruction set that this build has and every machine that it is built for. */
static inline const char *any_set(void) {
  return set_is_built("baseline") ? "baseline" : set_is_built("avx2") ? "avx2" : "avx512";
}

#endif
