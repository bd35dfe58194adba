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

#endif
