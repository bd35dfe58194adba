/* Broken studies: each is refused with a status, and with a message that says where it is wrong and
 * what to do.
 *
 * The studies are written with ' for ", and V and W put what is given into a sound study: the model
 * on line 1, the integrator (step 0.1 ms, duration 1 s) on line 2, the parameters on line 3,
 * further sections from line 4. */
#ifndef OMR_TESTS_REFUSALS_H
#define OMR_TESTS_REFUSALS_H

#include "../../host/study/study.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define INTEGRATOR "'integrator': {'step': 1e-4, 'duration': 1},\n"
#define V(parameters, sections)                                                                    \
  "{'model': 'omni_vehicle',\n" INTEGRATOR "'parameters': {" parameters "}" sections "}"
#define W(parameters, sections)                                                                    \
  "{'model': 'omni_wheel',\n" INTEGRATOR "'parameters': {" parameters "}" sections "}"
#define D(parameters, sections)                                                                    \
  "{'model': 'disc_vehicle',\n" INTEGRATOR "'parameters': {" parameters "}" sections "}"
#define VARY(entries) ",\n'vary': [" entries "]"
#define RANDOM ",\n'design': {'type': 'monte_carlo', 'instances': 10}"

typedef struct broken {
  const char *text;
  const char *expected[4]; /* fragments of the message */
} broken;

static inline char *double_quoted(const char *text) {
  char *copy = strdup(text);
  for (char *c = copy; *c; c++)
    if (*c == '\'') *c = '"';
  return copy;
}

static inline void expect_refused(const broken *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    omr_study *study;
    omr_error error = {0};
    char *text = double_quoted(cases[i].text);
    const omr_status status = omr_study_parse(text, "s.json", NULL, 0, &study, &error);
    cr_expect_eq(status, OMR_ERR_STUDY, "accepted: %s", text);
    cr_expect_eq(error.status, status);
    cr_expect_null(study);
    for (const char *const *fragment = cases[i].expected; *fragment; fragment++)
      cr_expect_not_null(strstr(error.message, *fragment), "\"%s\" is not in \"%s\"\nfor %s",
                         *fragment, error.message, text);
    omr_study_destroy(study);
    free(text);
  }
}

#define EXPECT_REFUSED(...)                                                                        \
  static const broken cases[] = {__VA_ARGS__};                                                     \
  expect_refused(cases, sizeof cases / sizeof *cases)

/* A study that is no mistake, with ' for the quotes: one that a remedy makes. */
static inline void expect_accepted(const char *text) {
  omr_study *study;
  omr_error error = {0};
  char *quoted = double_quoted(text);
  cr_expect_eq(omr_study_parse(quoted, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  omr_study_destroy(study);
  free(quoted);
}

#endif
