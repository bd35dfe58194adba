/* tests/data/sampling.json: quantiles and points by scipy; and studies that vary initial.x,
 * initial.z, ..., which take any value.
 */
#ifndef OMR_TESTS_SAMPLING_DATA_H
#define OMR_TESTS_SAMPLING_DATA_H

#include "../../host/study/study.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static inline cJSON *recorded_sampling(void) {
  char *data;
  size_t size;
  omr_error error = {0};
  cr_assert_eq(omr_read_file("tests/data/sampling.json", &data, &size, &error), OMR_OK, "%s",
               error.message);
  cJSON *root = cJSON_Parse(data);
  free(data);
  cr_assert_not_null(root, "sampling.json is no JSON");
  return root;
}

/* A vehicle with these sections, ' standing for ". */
static inline omr_study *study_with(const char *sections) {
  omr_text text = {0};
  omr_study *study = NULL;
  omr_error error = {0};
  omr_text_print(&text,
                 "{'model': 'omni_vehicle', 'integrator': {'step': 1e-3, 'duration': 1}, %s}",
                 sections);
  for (char *c = text.data; *c; c++)
    if (*c == '\'') *c = '"';
  cr_assert_eq(omr_study_parse(text.data, "s.json", NULL, 0, &study, &error), OMR_OK, "%s\n%s",
               error.message, text.data);
  omr_text_free(&text);
  return study;
}

enum { MOST = 8 };

/* The varied values of instance k. */
static inline void values_of(const omr_study *study, size_t k, double *row) {
  omr_values values;
  cr_assert_leq(study->variation_count, (size_t)MOST);
  omr_study_values(study, k, &values, row);
}

/* Two levels by three, and draws: four values of the vehicle and one of each wheel. */
#define LEVELS                                                                                     \
  "{'path': 'wheel.rollers', 'values': [6, 8]}, {'path': 'wheel.inclination', 'linspace': [0, "    \
  "'45 deg', 3]}, "
#define DRAWN                                                                                      \
  "{'path': 'wheel.friction', 'beta': [2, 3, 0.1, 0.6]}, {'path': 'platform.mass', 'normal': "     \
  "['20 kg', '2 kg']}, "                                                                           \
  "{'path': 'wheel.error.radius', 'uniform': ['-0.2 mm', '0.2 mm'], 'each': true}"

#define GROUPS_OF(type, count)                                                                     \
  "'vary': [" DRAWN "], 'design': {'type': '" type "', " count ", 'seed': 3}"

#endif
