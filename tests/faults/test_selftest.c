#define _GNU_SOURCE
/* `omniroll selftest`: the known answers hold on every backend, device and precision of this
 * machine. */
#include "tests/unit/built_sets.h"

#include "selftest/selftest.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <omniroll/omniroll.h>
#include <stdlib.h>
#include <string.h>

Test(selftest, gives_the_known_answers_with_their_bits_in_double) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  omr_error error = {0};
  omr_status status = omr_selftest(out, &error);
  fclose(out);
  cr_assert_eq(status, OMR_OK, "%s\n%s", error.message, text);
  cr_expect_not_null(strstr(text, "numerics exact"), "%s", text);
  if (strstr(text, "\nopencl  ") && strstr(text, " double  ok      arithmetic"))
    cr_expect_not_null(strstr(text, "hard cases each of division, square root"), "%s", text);
  int doubles = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (!strstr(line, " double ") || !strstr(line, "largest difference")) continue;
    cr_expect_not_null(strstr(line, "the same bits"), "%s", line);
    doubles++;
  }
  cr_expect_geq(doubles, 2);
  free(text);
}

static omr_status selftest_of(const char *device, char **text, omr_error *error) {
  size_t size;
  FILE *out = open_memstream(text, &size);
  const omr_status status = omr_selftest_device(device, out, error);
  fclose(out);
  return status;
}

Test(selftest, tests_one_device_alone_where_it_is_named) {
  char *text = NULL;
  omr_error error = {0};
  const char *set = any_set();
  char lanes[32], scalar[32];
  snprintf(lanes, sizeof lanes, "openmp  %s", set);
  snprintf(scalar, sizeof scalar, "scalar  %s", set);
  cr_assert_eq(selftest_of(set, &text, &error), OMR_OK, "%s", error.message);
  cr_expect(strstr(text, lanes) && strstr(text, scalar), "%s", text);
  static const char *const sets[] = {"avx512", "avx2", "baseline"};
  for (int i = 0; i < 3; i++)
    cr_expect(!strcmp(sets[i], set) || !strstr(text, sets[i]), "%s", text);
  cr_expect(!strstr(text, "opencl"), "%s", text);
  free(text);
  cr_expect_eq(selftest_of("9:9", &text, &error), OMR_ERR_DEVICE);
  cr_expect(strstr(error.message, "device \"9:9\" is not here") ||
                strstr(error.message, "no OpenCL"),
            "%s", error.message);
  free(text);
}

/* A device whose driver promises what its division does not keep, and one that cannot be opened. */
Test(selftest, rows_say_in_json_what_failed) {
  omr_selftest_row row = {
      .check = OMR_CHECK_ROUNDING, .backend = "opencl", .device = "0:0", .ran = true};
  row.probe = (omr_probe){.claims = true,
                          .wrong = {[OMR_PROBE_DIVIDE] = 12},
                          .first = {[OMR_PROBE_DIVIDE] = "of 1, 3, 0"}};
  cJSON *item = omr_selftest_row_json(&row);
  const cJSON *operations = cJSON_GetObjectItem(item, "operations");
  cr_expect(cJSON_IsFalse(cJSON_GetObjectItem(item, "passed")) && !omr_probe_good(&row.probe));
  cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(item, "check")), "rounding");
  cr_assert_eq(cJSON_GetArraySize(operations), OMR_PROBE_OPERATIONS);
  const cJSON *division = cJSON_GetArrayItem(operations, OMR_PROBE_DIVIDE),
              *root = cJSON_GetArrayItem(operations, 1);
  cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(division, "wrong")), 12);
  cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(division, "first_wrong")),
                   "of 1, 3, 0");
  cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(root, "wrong")), 0);
  cr_expect(cJSON_IsNull(cJSON_GetObjectItem(root, "first_wrong")));
  cJSON_Delete(item);
  row = (omr_selftest_row){
      .check = OMR_CHECK_ANSWER, .backend = "opencl", .device = "0:0", .why = "no driver"};
  item = omr_selftest_row_json(&row);
  cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(item, "message")), "no driver");
  cr_expect(cJSON_IsNull(cJSON_GetObjectItem(item, "largest_difference")));
  cJSON_Delete(item);
}
