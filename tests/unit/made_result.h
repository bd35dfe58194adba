/* A folder of the test's own, and results with known figures in every place. */
#ifndef OMR_TEST_MADE_RESULT_H
#define OMR_TEST_MADE_RESULT_H

#include "../../host/result/result.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[64];

static inline const char *in_folder(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static inline void make_folder(void) {
  snprintf(folder, sizeof folder, "/tmp/omniroll-test-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
}

/* Entries of the folder; with `remove_them`, it ends empty. */
static inline size_t entries(bool remove_them) {
  DIR *listing = opendir(folder);
  cr_assert_not_null(listing);
  size_t count = 0;
  for (struct dirent *entry; (entry = readdir(listing));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (remove_them) unlinkat(dirfd(listing), entry->d_name, 0);
    count++;
  }
  closedir(listing);
  return count;
}

static inline void remove_folder(void) {
  entries(true);
  rmdir(folder);
}

enum { PARAMETERS = 1, COLUMNS = 3, WHEELS = 3 };

static double *ramp(size_t count, double start) {
  double *values = malloc(count * sizeof *values);
  cr_assert_not_null(values);
  for (size_t i = 0; i < count; i++) values[i] = start + 0.25 * (double)i;
  return values;
}

static omr_column make_column(const char *name, const char *unit, size_t count, double start) {
  char meaning[64];
  snprintf(meaning, sizeof meaning, "meaning of %s", name);
  return (omr_column){strdup(name), strdup(unit), strdup(meaning), ramp(count, start)};
}

static void add_columns(omr_result *result) {
  result->column_count = COLUMNS;
  result->parameter_count = PARAMETERS;
  result->columns = calloc(COLUMNS, sizeof *result->columns);
  result->columns[0] = make_column("wheel_friction", "1", result->instances, 0.1);
  result->columns[1] = make_column("path_length", "m", result->instances, 2.0);
  result->columns[2] = make_column("max_slip", "m s-1", result->instances, -1.0);
  result->columns[2].values[0] = (double)NAN;
}

static inline void add_trajectories(omr_result *result, size_t traced, size_t samples) {
  result->traced_count = traced;
  result->sample_count = samples;
  result->traced = malloc(traced * sizeof *result->traced);
  for (size_t i = 0; i < traced; i++) result->traced[i] = 2 * i;
  result->sample_time = ramp(samples, 0.0);
  for (int i = 0; i < OMR_VS_COUNT; i++) result->vehicle_samples[i] = ramp(traced * samples, i);
  for (int i = 0; i < OMR_WS_COUNT; i++)
    result->wheel_samples[i] = ramp(traced * samples * WHEELS, 10.0 * i);
  for (int i = 0; i < OMR_SHAPE_COUNT; i++)
    result->wheel_shapes[i] = ramp(traced * WHEELS, 20.0 * i);
}

static inline omr_result *make_result(size_t instances) {
  omr_result *result = calloc(1, sizeof *result);
  result->instances = instances;
  result->wheels = WHEELS;
  result->study_name = strdup("square.json");
  result->study_title = strdup("Quadrat über Eck");
  result->study_text = strdup("{\"model\": \"omni_vehicle\"}");
  snprintf(result->study_hash, sizeof result->study_hash, "0123456789abcdef0123456789abcdef");
  snprintf(result->model, sizeof result->model, "omni_vehicle");
  result->seed = UINT64_MAX;
  result->step = 1e-4;
  result->duration = 2.5;
  result->record = (omr_run_record){.backend = "openmp",
                                    .device = "avx2",
                                    .precision = "double",
                                    .numerics = "exact",
                                    .rounding = "correct",
                                    .lanes = 8,
                                    .threads = 2,
                                    .kernel_seconds = 2.0,
                                    .instance_steps = 5e6};
  add_columns(result);
  result->status = calloc(instances, sizeof *result->status);
  result->status[instances - 1] = OMR_INSTANCE_LIFTED;
  result->status_time = ramp(instances, 1.0);
  return result;
}

static inline void expect_message(const omr_error *error, const char *part) {
  cr_expect_not_null(strstr(error->message, part), "'%s' is not in: %s", part, error->message);
}

static inline void limit_files(rlim_t bytes) {
  struct rlimit limit;
  omp_get_max_threads(); /* clang's OpenMP makes a file in shared memory when it starts, and ends
                            the process where it cannot */
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

#endif
