/* Studies of a test as the reader makes them; the texts are written with ' for ". */
#ifndef READ_STUDY_H
#define READ_STUDY_H

#include "../../host/study/study.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIMES "'integrator': {'step': '0.5 ms', 'duration': '2 s'}"
#define V(parameters, sections)                                                                    \
  "{'model': 'omni_vehicle', " TIMES ", 'parameters': {" parameters "}" sections "}"
#define W(parameters, sections)                                                                    \
  "{'model': 'omni_wheel', " TIMES ", 'parameters': {" parameters "}" sections "}"

static inline omr_study *read_with(const char *text, const char *const *overrides, size_t count) {
  omr_study *study;
  omr_error error = {0};
  char *copy = strdup(text);
  for (char *c = copy; *c; c++)
    if (*c == '\'') *c = '"';
  const omr_status status = omr_study_parse(copy, "s.json", overrides, count, &study, &error);
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  free(copy);
  return study;
}

static inline omr_study *read_study(const char *text) {
  return read_with(text, NULL, 0);
}

#define WHEEL(study, wheel_, id) ((study)->base.wheel[wheel_][OMR_WP_##id])
#define VEHICLE(study, id) ((study)->base.vehicle[OMR_VP_##id])

#endif
