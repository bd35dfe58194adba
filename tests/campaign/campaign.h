/* A study of six chunks with trajectories and instances that fail, run by the program in a folder
 * of its own; results compared byte by byte. */
#ifndef OMR_TESTS_CAMPAIGN_H
#define OMR_TESTS_CAMPAIGN_H

#include "tests/cli/program.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>

/* tests/parity/parity.json cut into 6 chunks of at most 16 of its 83 instances; trajectories in the
 * first, third and last. */
#ifndef LEAST_DATASETS
#define LEAST_DATASETS 60 /* that a result has */
#endif
#define DURATION "integrator.duration=0.05"
#ifndef SHORTER
#define SHORTER "--set", "engine.chunk=16", "--set", DURATION
#endif
enum { CHUNKS = 6 };

static char study[512]; /* path of parity.json */

static inline void set_up_campaign(void) {
  char root[256];
  cr_assert_not_null(getcwd(root, sizeof root));
  snprintf(study, sizeof study, "%s/tests/parity/parity.json", root);
  /* in memory where there is such a place: what is synced often is not to wait for a disk */
  snprintf(folder, sizeof folder, "%s/omniroll-campaign-XXXXXX",
           access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp");
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
  write_file("short.json", SHORT_STUDY);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static inline void set_failpoint(const char *name) {
  if (name)
    setenv("OMNIROLL_FAILPOINT", name, 1);
  else
    unsetenv("OMNIROLL_FAILPOINT");
}

#define RUN(output, ...)                                                                           \
  OMNIROLL("run", study, "-o", output, "-q", "--backend", "openmp", SHORTER, ##__VA_ARGS__)

/* Runs the study until the failpoint kills the program. */
static inline void run_and_die(const char *output, const char *failpoint) {
  set_failpoint(failpoint);
  const int code = RUN(output)->code;
  set_failpoint(NULL);
  cr_assert_eq(code, -1, "the program outlived %s with code %d", failpoint, code);
}

typedef struct comparison {
  hid_t other;
  const char *label;
  size_t datasets, differences;
} comparison;

/* The words that a dataset points to, one after the other. */
static inline void *join_words(char **words, size_t count, size_t *bytes) {
  char *text = calloc(1, 1);
  *bytes = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t length = strlen(words[i]) + 1;
    text = realloc(text, *bytes + length);
    memcpy(text + *bytes, words[i], length);
    *bytes += length;
    H5free_memory(words[i]);
  }
  free(words);
  return text;
}

static inline void *read_raw(hid_t dataset, size_t *bytes) {
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const size_t count = (size_t)H5Sget_simple_extent_npoints(space);
  *bytes = H5Tget_size(type) * count;
  void *data = calloc(*bytes + 1, 1);
  cr_assert_geq(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
  if (H5Tis_variable_str(type) > 0) data = join_words(data, count, bytes);
  H5Tclose(type);
  H5Sclose(space);
  return data;
}

static inline herr_t compare_object(hid_t file, const char *name, const H5O_info_t *info,
                                    void *user) {
  comparison *c = user;
  if (info->type != H5O_TYPE_DATASET) return 0;
  size_t size_a = 0, size_b = 0;
  const hid_t a = H5Dopen2(file, name, H5P_DEFAULT), b = H5Dopen2(c->other, name, H5P_DEFAULT);
  cr_assert_geq(a, 0);
  c->datasets++;
  void *data_a = read_raw(a, &size_a), *data_b = b >= 0 ? read_raw(b, &size_b) : NULL;
  if (!data_b || size_a != size_b || memcmp(data_a, data_b, size_a) != 0) {
    cr_log_error("%s: %s differs", c->label, name);
    c->differences++;
  }
  free(data_a);
  free(data_b);
  H5Dclose(a);
  if (b >= 0) H5Dclose(b);
  return 0;
}

static inline size_t compare_datasets(const char *label, hid_t a, hid_t b, size_t *count) {
  comparison c = {.other = b, .label = label};
  cr_assert_geq(H5Ovisit(a, H5_INDEX_NAME, H5_ITER_INC, compare_object, &c), 0);
  *count = c.datasets;
  return c.differences;
}

/* What an interruption must not change: everything but times, dates and the number of sessions. */
static inline size_t compare_attributes(const char *label, hid_t a, hid_t b) {
  static const char *const texts[] = {"study", "study_hash", "study_name", "seed",
                                      "title", "model",      "precision",  "first_invalid"};
  size_t differences = 0;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *x = NULL, *y = NULL;
    cr_assert_geq(H5LTget_attribute_string(a, "/", texts[i], (char *)&x), 0, "%s", texts[i]);
    const bool there = H5LTget_attribute_string(b, "/", texts[i], (char *)&y) >= 0;
    if (!there || strcmp(x, y) != 0) {
      cr_log_error("%s: attribute %s differs", label, texts[i]);
      differences++;
    }
    H5free_memory(x);
    H5free_memory(y);
  }
  double x = 0, y = 1;
  H5LTget_attribute_double(a, "/", "instance_steps", &x);
  H5LTget_attribute_double(b, "/", "instance_steps", &y);
  if (memcmp(&x, &y, sizeof x) != 0)
    cr_log_error("%s: %.17g instance-steps, not %.17g", label, y, x);
  return differences + (memcmp(&x, &y, sizeof x) != 0);
}

static inline void expect_same(const char *label, const char *reference, const char *result) {
  const hid_t a = H5Fopen(reference, H5F_ACC_RDONLY, H5P_DEFAULT),
              b = H5Fopen(result, H5F_ACC_RDONLY, H5P_DEFAULT);
  size_t there = 0, here = 0;
  cr_assert_geq(a, 0, "%s: %s", label, reference);
  cr_assert_geq(b, 0, "%s: no result %s", label, result);
  cr_expect_eq(compare_datasets(label, a, b, &there), 0);
  cr_expect_eq(compare_datasets(label, b, a, &here), 0);
  cr_expect_gt(there, LEAST_DATASETS, "trajectories of every wheel and all observables");
  cr_expect_eq(there, here);
  cr_expect_eq(compare_attributes(label, a, b), 0);
  H5Fclose(a);
  H5Fclose(b);
}

static inline long long integer_attribute(const char *path, const char *name) {
  long long value = -1;
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0);
  H5LTget_attribute_long_long(file, "/", name, &value);
  H5Fclose(file);
  return value;
}

/* Byte `at` of a file (from its end where negative) is changed. */
static inline void damage(const char *path, long at) {
  FILE *file = fopen(path, "r+");
  cr_assert_not_null(file, "%s", path);
  fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
  const int byte = fgetc(file);
  fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
  fputc(byte ^ 1, file);
  cr_assert_eq(fclose(file), 0);
}

static inline void shell(const char *format, ...) {
  char command[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(command, sizeof command, format, args);
  va_end(args);
  cr_assert_eq(system(command), 0, "%s", command);
}

static inline void pause_ms(long ms) {
  nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* Waits until the text is in the file; at most 40 seconds, which sanitizers on a busy machine may
 * need. */
static inline void wait_for(const char *path, const char *part) {
  static char text[TEXT];
  for (int i = 0; i < 4000; i++) {
    FILE *file = fopen(path, "r");
    text[file ? fread(text, 1, TEXT - 1, file) : 0] = 0;
    if (file) fclose(file);
    if (strstr(text, part)) return;
    pause_ms(10);
  }
  cr_assert_fail("%s never had \"%s\"", path, part);
}

#endif
