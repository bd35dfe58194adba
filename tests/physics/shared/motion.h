/* Runs a study text with overrides and reads its observables; for tests of whole motions. */
#ifndef OMR_TESTS_MOTION_H
#define OMR_TESTS_MOTION_H

#include <criterion/criterion.h>
#include <math.h>
#include <omniroll/omniroll.h>
#include <string.h>

/* A vehicle of the kind of tests/data/accelerations.json: three wheels with six cut rollers,
 * inclined by 0.3, centre of mass off the middle. No friction, no drive. */
static const char vehicle_text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.7, \"center_of_mass\": {\"x\": 0.02, "
    "\"height\": 0.17, \"z\": -0.03}},"
    "\"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.3, \"first_angle\": \"90 "
    "deg\"}, \"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"inclination\": 0.3, \"center_distance\": "
    "0.0822, \"friction\": 0,"
    "\"slip_speed\": 0.5, \"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, "
    "\"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}},"
    "\"wheels\": [{\"initial\": {\"rate\": 7}}, {\"initial\": {\"rate\": -5}}, {\"initial\": "
    "{\"rate\": 6}}],"
    "\"initial\": {\"vx\": 0.3, \"vz\": -0.2, \"yaw_rate\": 1.5}},"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"10 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"}}";

/* The testbench with five cut rollers, inclined by 0.4. */
static const char testbench_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 5, \"inclination\": 0.4, \"center_distance\": "
    "0.0772, \"friction\": 0.3,"
    "\"slip_speed\": 0.02, \"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, "
    "\"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5},"
    "\"initial\": {\"rate\": -4.4198, \"angle\": -0.253}},"
    "\"initial\": {\"vx\": -0.2576, \"vz\": -0.1202, \"yaw_rate\": 2.5965}},"
    "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"2 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"}}";

/* A study of the text, or with NULL of the file, with overrides (ended by NULL), without the step
 * error, which would take half of the time of a run; the caller destroys. */
static inline omr_study *make_study(const char *text, const char *file,
                                    const char *const *overrides) {
  const char *all[32];
  omr_error error = {0};
  omr_study *study = NULL;
  size_t count = 0;
  for (; overrides && overrides[count]; count++) all[count] = overrides[count];
  cr_assert_lt(count, 31);
  all[count++] = "integrator.step_error=off";
  if (text)
    omr_study_parse(text, "test", all, count, &study, &error);
  else
    omr_study_load(file, all, count, &study, &error);
  cr_assert_not_null(study, "%s", error.message);
  return study;
}

/* Runs a study and destroys it; the caller destroys the result. */
static inline omr_result *run_made(omr_study *study) {
  omr_error error = {0};
  omr_result *result = NULL;
  omr_run(study, NULL, &result, &error);
  omr_study_destroy(study);
  cr_assert_not_null(result, "%s", error.message);
  return result;
}

static inline omr_result *run_study(const char *text, const char *const *overrides) {
  return run_made(make_study(text, NULL, overrides));
}

static inline omr_result *run_file(const char *file, const char *const *overrides) {
  return run_made(make_study(NULL, file, overrides));
}

static inline double value_of(const omr_result *result, const char *name, size_t instance) {
  for (size_t c = 0; c < omr_result_columns(result); c++) {
    if (!strcmp(omr_result_column_name(result, c), name))
      return omr_result_column(result, c)[instance];
  }
  cr_assert_fail("no column %s", name);
  return 0;
}

#define OVERRIDES(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
