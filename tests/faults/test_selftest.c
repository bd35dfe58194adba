#define _GNU_SOURCE
/* `omniroll selftest`: the known answers hold on every backend, device and precision of this machine. */
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
  if (strstr(text, "opencl  0:0")) cr_expect_not_null(strstr(text, "hard cases each of division, square root"), "%s", text);
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
  cr_assert_eq(selftest_of("baseline", &text, &error), OMR_OK, "%s", error.message);
  cr_expect(strstr(text, "openmp  baseline") && strstr(text, "scalar  baseline"), "%s", text);
  cr_expect(!strstr(text, "avx") && !strstr(text, "opencl"), "%s", text);
  free(text);
  cr_expect_eq(selftest_of("9:9", &text, &error), OMR_ERR_DEVICE);
  cr_expect_not_null(strstr(error.message, "device \"9:9\" is not here"), "%s", error.message);
  free(text);
}
