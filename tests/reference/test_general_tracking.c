/* A testbench wheel whose contact is tracked in the four ways of source 1: same accelerations, same
 * motion. */
#include "reference/vehicle/omni.h"
#include "result/result.h"

#include "../physics/shared/vectors.h"
#include <criterion/criterion.h>
#include <criterion/logging.h>

static const char STUDY[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"wheel\": {\"radius\": 0.1, \"rollers\": 6, "
    "\"inclination\": 0.5, "
    "\"tip_radius\": 0.012,"
    "\"friction\": 0.3, \"slip_speed\": 0.05, \"initial\": {\"rate\": 5}}, \"initial\": {\"vx\": "
    "-0.5, \"vz\": 0.1, "
    "\"yaw_rate\": 0.8}}, \"integrator\": {\"step\": 1e-4, \"duration\": 1},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": 0.05}}}";

static omr_study *study_of(const char *tracking) {
  char word[64];
  snprintf(word, sizeof word, "parameters.contact.tracking=%s", tracking);
  const char *const overrides[] = {word, "parameters.overlap=allow"};
  omr_study *study = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(STUDY, "s", overrides, 2, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static void integrate(const char *tracking, omr_reference_run *run) {
  omr_study *study = study_of(tracking);
  omr_error error = {0};
  const omr_reference_options options = {.tolerance = {.relative = 1e-11, .absolute = 1e-12}};
  cr_assert_eq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, run, &error),
               OMR_OK, "%s: %s", tracking, error.message);
  cr_log_info("%s: %ld steps, %ld evaluations, %.0f exchanges, %.2f s, contact drift %.2g m",
              tracking, run->counts.steps, run->counts.evaluations,
              run->observables[OMR_OBS_EXCHANGES], run->counts.seconds,
              run->drift_time[OMR_DRIFT_COUNT * (run->times - 1) + OMR_DRIFT_CONTACT]);
  omr_study_destroy(study);
}

Test(general_tracking, gives_the_motion_of_explicit_tracking) {
  static const char *const trackings[] = {"implicit", "general", "general_differential"};
  omr_reference_run plain, other;
  integrate("explicit", &plain);
  cr_assert_gt(plain.observables[OMR_OBS_EXCHANGES], 2);
  for (size_t n = 0; n < 3; n++) {
    integrate(trackings[n], &other);
    double worst = 0;
    const int compared[] = {OMR_VS_X, OMR_VS_Z, OMR_VS_YAW, OMR_VS_VX, OMR_VS_VZ, OMR_VS_YAW_RATE};
    for (size_t s = 0; s < plain.times; s++) {
      for (size_t j = 0; j < sizeof compared / sizeof *compared; j++) {
        size_t at = s * (size_t)plain.columns + (size_t)compared[j];
        worst = larger(worst, other.samples[at] - plain.samples[at]);
      }
    }
    cr_log_info("explicit and %s: %.2g", trackings[n], worst);
    cr_expect_lt(worst, 1e-8); /* both integrated to 1e-11 over 1 s; source 1 saw 1e-6 */
    omr_reference_run_free(&other);
  }
  omr_reference_run_free(&plain);
}
