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
  int doubles = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (!strstr(line, " double ") || !strstr(line, "largest difference")) continue;
    cr_expect_not_null(strstr(line, "the same bits"), "%s", line);
    doubles++;
  }
  cr_expect_geq(doubles, 2);
  free(text);
}
