/* Runs of one study on different engines, and their comparison bit by bit. For Criterion tests
 * started in the project's root folder, as ctest does it. */
#ifndef OMR_TEST_PARITY_H
#define OMR_TEST_PARITY_H

#include "result/result.h"
#include "tests/skip.h"
#include "tests/unit/built_sets.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* tests/run.sh has PoCL leave out the optimisations of a program's own functions
 * (POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable), which is most of its work on one; bits must not depend
 * on them. A test that calls this has programs as users have them. */
static inline void optimise_programs(void) {
  unsetenv("POCL_EXTRA_BUILD_FLAGS");
}

/* Engine members set over those of the study file; NULL and 0 leave a member out. */
typedef struct engine {
  const char *backend, *device, *precision, *launch_seconds;
  int threads, lanes, chunk;
  const char *other, *more, *last; /* three more overrides, any members */
  bool step_error; /* as the study has it: off otherwise, where it would take half of the time */
} engine;

typedef struct overrides {
  char text[11][512];
  const char *list[11];
  size_t count;
} overrides;

static inline void add_text(overrides *o, const char *path, const char *value) {
  if (!value) return;
  snprintf(o->text[o->count], sizeof *o->text, "%s=%s", path, value);
  o->list[o->count] = o->text[o->count];
  o->count++;
}

static inline void add_number(overrides *o, const char *path, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  if (value) add_text(o, path, text);
}

static inline void add_override(overrides *o, const char *text) {
  snprintf(o->text[o->count], sizeof *o->text, "%s", text);
  o->list[o->count] = o->text[o->count];
  o->count++;
}

static inline void set_overrides(overrides *o, const engine *e) {
  o->count = 0;
  add_text(o, "engine.backend", e->backend ? e->backend : "openmp");
  add_text(o, "engine.device", e->device);
  add_text(o, "engine.precision", e->precision);
  add_text(o, "engine.launch_seconds", e->launch_seconds);
  add_number(o, "engine.threads", e->threads);
  add_number(o, "engine.lanes", e->lanes);
  add_number(o, "engine.chunk", e->chunk);
  if (e->other) add_override(o, e->other);
  if (e->more) add_override(o, e->more);
  if (e->last) add_override(o, e->last);
  if (!e->step_error) add_override(o, "integrator.step_error=off");
}

/* What a run is called in messages; valid until the next call. */
static inline const char *engine_name(const engine *e) {
  static char name[256];
  snprintf(name, sizeof name, "%s %s %s, threads %d, lanes %d, chunk %d, launch %s",
           e->backend ? e->backend : "openmp", e->device ? e->device : "",
           e->precision ? e->precision : "double", e->threads, e->lanes, e->chunk,
           e->launch_seconds ? e->launch_seconds : "0.25");
  return name;
}

static inline bool tells_of_a_missing_engine(const engine *e, const omr_error *error) {
  if (e->backend && !strcmp(e->backend, "opencl")) {
    return strstr(error->message, "no OpenCL") || strstr(error->message, "without OpenCL") ||
           strstr(error->message, "cl_khr_fp64");
  }
  if (!e->device || (!strcmp(e->device, "baseline") && set_is_built("baseline"))) return false;
  return strstr(error->message, "no such instruction set");
}

/* True for what a machine may lack: OpenCL, or an instruction set other than the baseline, which
 * every processor has. The build may have left that out. Says what the test leaves out then. */
static inline bool may_be_missing(const engine *e, const omr_error *error) {
  const bool missing = tells_of_a_missing_engine(e, error);
  if (missing) skip_part("%s", error->message);
  return missing;
}

/* A study file as an engine's members change it. The caller destroys it. */
static inline omr_study *load_study(const char *path, const engine *e) {
  overrides o;
  omr_study *study;
  omr_error error = {.message = ""};
  set_overrides(&o, e);
  cr_assert_eq(omr_study_load(path, o.list, o.count, &study, &error), OMR_OK, "%s", error.message);
  return study;
}

/* The result of a study file on an engine; NULL where this machine has no such engine. The caller
 * destroys it. */
static inline omr_result *run_study(const char *path, const engine *e) {
  omr_result *result;
  omr_error error = {.message = ""};
  omr_study *study = load_study(path, e);
  omr_status status = omr_run(study, NULL, &result, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return NULL;
  cr_assert_eq(status, OMR_OK, "%s: %s", engine_name(e), error.message);
  return result;
}

/* Every NaN counts as the same: sign and payload of one are not specified (IEEE 754, 6.2.3). */
static inline bool same_bits(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* Number of differing values; describes the first one. */
static inline size_t count_differences(const char *label, const char *name, const double *a,
                                       const double *b, size_t count) {
  size_t differences = 0;
  if (!a || !b) return a != b;
  for (size_t i = 0; i < count; i++) {
    if (same_bits(a[i], b[i])) continue;
    if (differences++ == 0)
      cr_log_error("%s: %s[%zu] is %.17g (%a), not %.17g (%a)", label, name, i, b[i], b[i], a[i],
                   a[i]);
  }
  return differences;
}

/* Compares columns, status and status_time of the first `count` instances. */
static inline size_t compare_instances(const char *label, const omr_result *a, const omr_result *b,
                                       size_t count) {
  size_t differences = 0;
  cr_assert_eq(a->column_count, b->column_count);
  for (size_t c = 0; c < a->column_count; c++) {
    cr_assert_str_eq(a->columns[c].name, b->columns[c].name);
    differences += count_differences(label, a->columns[c].name, a->columns[c].values,
                                     b->columns[c].values, count);
  }
  differences += count_differences(label, "status_time", a->status_time, b->status_time, count);
  return differences + (memcmp(a->status, b->status, count * sizeof *a->status) != 0);
}

static inline size_t compare_trajectories(const char *label, const omr_result *a,
                                          const omr_result *b) {
  cr_assert_eq(a->traced_count, b->traced_count);
  cr_assert_eq(a->sample_count, b->sample_count);
  size_t cells = a->traced_count * a->sample_count, wheels = (size_t)a->wheels;
  size_t differences =
      count_differences(label, "time", a->sample_time, b->sample_time, a->sample_count);
  for (int j = 0; j < OMR_VS_COUNT; j++) {
    differences += count_differences(label, omr_vehicle_samples[j].name, a->vehicle_samples[j],
                                     b->vehicle_samples[j], cells);
  }
  for (int j = 0; j < OMR_WS_COUNT; j++) {
    differences += count_differences(label, omr_wheel_samples[j].name, a->wheel_samples[j],
                                     b->wheel_samples[j], cells * wheels);
  }
  cr_assert_eq(a->small_sample_count, b->small_sample_count);
  for (int j = 0; j < a->small_sample_count; j++) {
    differences += count_differences(label, a->small_info[j].name, a->small_samples[j],
                                     b->small_samples[j], cells);
  }
  return differences;
}

static inline size_t compare_results(const char *label, const omr_result *a, const omr_result *b) {
  cr_assert_eq(a->instances, b->instances);
  return compare_instances(label, a, b, a->instances) + compare_trajectories(label, a, b);
}

#endif
