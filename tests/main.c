/* The main of the Criterion programs, one a folder of tests/:
 *   PROGRAM [SUITE...] [OPTION...]
 * runs the suites named as if the files of the others were not linked; without any, all of them. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Tests and suites as Criterion finds them: arrays that the linker puts together, in which it
 * passes over NULL. A folder may have no TestSuite. */
extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];
extern struct criterion_suite *__start_cr_sts[] __attribute__((weak));
extern struct criterion_suite *__stop_cr_sts[] __attribute__((weak));

static bool is_among(const char *name, char **names, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static bool has_suite(char *name) {
  for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++)
    if (is_among((*test)->category, &name, 1)) return true;
  return false;
}

static void keep_only(char **names, int count) {
  for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++)
    if (!is_among((*test)->category, names, count)) *test = NULL;
  for (struct criterion_suite **suite = __start_cr_sts; suite < __stop_cr_sts; suite++)
    if (!is_among((*suite)->name, names, count)) *suite = NULL;
}

int main(int argc, char **argv) {
  int named = 0;
  for (; named + 1 < argc && argv[named + 1][0] != '-'; named++) {
    if (has_suite(argv[named + 1])) continue;
    fprintf(stderr, "%s: there is no suite %s\n", argv[0], argv[named + 1]);
    return 2;
  }
  if (named) keep_only(argv + 1, named);
  argv[named] = argv[0];
  struct criterion_test_set *tests = criterion_initialize();
  bool passed = true;
  if (criterion_handle_args(argc - named, argv + named, true))
    passed = criterion_run_all_tests(tests);
  criterion_finalize(tests);
  return !passed;
}
