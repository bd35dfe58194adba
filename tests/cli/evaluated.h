/* A study of candidates, and what `omniroll evaluate --json` says of it. */
#ifndef OMR_TESTS_EVALUATED_H
#define OMR_TESTS_EVALUATED_H

#include "program.h"

#include <cjson/cJSON.h>
#include <math.h>

#define CANDIDATE_STUDY                                                                            \
  "{\"title\": \"wheels\", \"model\": \"omni_vehicle\",\n"                                         \
  " \"parameters\": {\"layout\": {\"type\": \"rectangle\", \"mecanum\": true, \"half_length\": "   \
  "\"25 cm\", \"half_width\": \"20 cm\"},\n"                                                       \
  "  \"wheel\": {\"radius\": \"10 cm\", \"rollers\": 9, \"inclination\": \"45 deg\", "             \
  "\"tip_radius\": \"8 mm\", \"friction\": 0.4, \"slip_speed\": \"5 cm/s\", \"drive\": "           \
  "{\"type\": \"body\", \"kp\": \"2 N m s\", \"ki\": \"20 N m\"}},\n"                              \
  "  \"command\": {\"type\": \"tanh\", \"vz\": \"0.2 m/s\", \"ramp_time\": \"0.1 s\"}},\n"         \
  " \"vary\": [{\"path\": \"wheel.friction\", \"beta\": [2, 3, 0.15, 0.7]}, {\"path\": "           \
  "\"platform.mass\", \"uniform\": [\"12 kg\", \"40 kg\"]}],\n"                                    \
  " \"design\": {\"type\": \"candidates\", \"sample\": \"sobol\", \"per_cell\": 8, \"seed\": 1,\n" \
  "  \"paths\": [\"wheel.rollers\", \"wheel.inclination\"],\n"                                     \
  "  \"rows\": [[6, \"45 deg\"], [9, \"45 deg\"], [12, \"30 deg\"]]},\n"                           \
  " \"integrator\": {\"tolerance\": 1e-3, \"duration\": \"0.2 s\", \"stability\": \"ignore\"},\n"  \
  " \"engine\": {\"backend\": \"openmp\"},\n"                                                      \
  " \"objectives\": {\"shaking\": {\"minimize\": \"mean(vibration_rms)\"}, \"way\": "              \
  "{\"maximize\": \"quantile(path_length, 30 %) + 0.1 * smallest(path_length)\"}},\n"              \
  " \"constraints\": {\"slips\": \"probability(max_slip > 3 cm/s) <= 60 %\", \"spread\": "         \
  "\"deviation(vibration_rms) / mean(vibration_rms) < 0.8\"}}\n"

/* What takes the place of the study's rows. */
#define ROWS_OF(paths, rows) "--set", "design.paths=" paths, "--set", "design.rows=" rows

/* The evaluation without its times. The caller deletes it. */
static inline cJSON *evaluation_of(const outcome *o) {
  cJSON *root = cJSON_Parse(o->out);
  cr_assert_not_null(root, "no JSON: %.300s %.600s", o->out, o->err);
  cr_expect(cJSON_HasObjectItem(root, "seconds") && cJSON_HasObjectItem(root, "integrating"));
  cJSON_DeleteItemFromObject(root, "seconds");
  cJSON_DeleteItemFromObject(root, "integrating");
  return root;
}

#define EVALUATE(...) OMNIROLL("evaluate", __VA_ARGS__, "--json", "-q")
#define EVALUATED(...) evaluation_of(EVALUATE(__VA_ARGS__))

static inline cJSON *member(const cJSON *root, const char *name) {
  cJSON *item = cJSON_GetObjectItemCaseSensitive(root, name);
  cr_assert_not_null(item, "%s is not there", name);
  return item;
}

/* Element [i] of a list, or [i][j] (j < 0: i alone); NaN where it is null. */
static inline double number_at(const cJSON *root, const char *name, int i, int j) {
  const cJSON *item = cJSON_GetArrayItem(member(root, name), i);
  if (j >= 0) item = cJSON_GetArrayItem(item, j);
  cr_assert_not_null(item, "%s[%d][%d] is not there", name, i, j);
  return cJSON_IsBool(item) ? cJSON_IsTrue(item) : cJSON_GetNumberValue(item);
}

static inline const char *status_at(const cJSON *root, int i) {
  return cJSON_GetArrayItem(member(root, "status"), i)->valuestring;
}

/* All that is told of one candidate, but for the differences from the best one. */
static inline void expect_candidate(const cJSON *one, int i, const cJSON *other, int k) {
  static const char *const lists[] = {"status",
                                      "draws",
                                      "failed",
                                      "feasible",
                                      "holds",
                                      "values",
                                      "low",
                                      "high",
                                      "constraint_values",
                                      "constraint_low",
                                      "constraint_high",
                                      "margins",
                                      "constraint_holds",
                                      NULL};
  for (const char *const *name = lists; *name; name++) {
    const cJSON *x = cJSON_GetArrayItem(member(one, *name), i),
                *y = cJSON_GetArrayItem(member(other, *name), k);
    cr_assert(x && y, "%s of candidates %d and %d", *name, i, k);
    char *a = cJSON_PrintUnformatted(x), *b = cJSON_PrintUnformatted(y);
    cr_expect_str_eq(a, b, "%s of candidates %d and %d: %s, not %s", *name, i, k, b, a);
    free(a);
    free(b);
  }
}

/* The same evaluation, to the last digit; `without`: a member that may differ, NULL: none. */
static inline void expect_same_evaluation(const char *label, cJSON *one, cJSON *other,
                                          const char *without) {
  const cJSON *item;
  cr_expect_eq(cJSON_GetArraySize(one), cJSON_GetArraySize(other), "%s", label);
  cJSON_ArrayForEach(item, one) {
    if (without && strcmp(item->string, without) == 0) continue;
    char *a = cJSON_PrintUnformatted(item),
         *b = cJSON_PrintUnformatted(member(other, item->string));
    cr_expect_str_eq(a, b, "%s: %s is %s, not %s", label, item->string, b, a);
    free(a);
    free(b);
  }
}

#endif
