/* The lane objects for the plain case are there to be taken: some ordinary study has the settings
 * of each. */
#include "../../host/lanes/lanes.h"
#include "../../host/model/prepare.h"
#include "../../host/study/parse.h"

#include <criterion/criterion.h>

static const char wheel_text[] = "{\"model\": \"omni_wheel\", \"parameters\": {\"wheel\": "
                                 "{\"radius\": 0.1, \"rollers\": 8, \"friction\": 0.3}}, "
                                 "\"integrator\": {\"duration\": 1}}";
static const char vehicle_text[] = "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": "
                                   "{\"mass\": 12, \"yaw_inertia\": 0.3}, \"layout\": {\"type\": "
                                   "\"ring\", \"wheels\": 3, \"radius\": 0.25}, \"wheel\": "
                                   "{\"radius\": 0.1, \"rollers\": 6, \"friction\": 0.3}}, "
                                   "\"integrator\": {\"duration\": 1}}";

/* Whether an object suits what its own numbers say, by a method and a law. */
static bool suits(const omr_lane_object *o, const char *method) {
  char law[80], wheels[80], with[80];
  const char *overrides[4];
  int count = 0;
  snprintf(law, sizeof law, "parameters.contact.law=%s", omr_law_kinds[o->law].name);
  snprintf(wheels, sizeof wheels, "parameters.layout.wheels=%d", o->wheels);
  snprintf(with, sizeof with, "integrator.method=%s", method);
  overrides[count++] = o->controlled ? "integrator.tolerance=1e-3" : "integrator.step=1e-3";
  overrides[count++] = with;
  overrides[count++] = law;
  if (o->wheels > 1) overrides[count++] = wheels;
  omr_study *study = NULL;
  omr_run_settings settings;
  omr_error error;
  const char *text = o->wheels > 1 ? vehicle_text : wheel_text;
  cr_assert_eq(omr_study_parse(text, "text", overrides, (size_t)count, &study, &error), OMR_OK,
               "%s", error.message);
  cr_assert_eq(omr_settings_make(study, &settings, &error), OMR_OK, "%s", error.message);
  const bool result = omr_plain_suits(o, settings.integers);
  omr_settings_free(&settings);
  omr_study_destroy(study);
  return result;
}

/* A tolerance takes them too, whatever its pair: for a time none did, since fixed steps' method was
 * asked for, and nothing but the speed told. */
Test(objects, each_for_the_plain_case_is_that_of_ordinary_studies) {
  const omr_lane_object *o;
  int fixed = 0, controlled = 0;
  for (size_t i = 0; (o = omr_lane_object_at(i)); i++) {
    if (!o->plain) continue;
    fixed += !o->controlled;
    controlled += o->controlled;
    if (o->controlled && o->constrained)
      cr_expect(suits(o, "dormand_prince"), "%s %s, %d wheels", o->isa, o->kind, o->wheels);
    if (o->controlled && !o->constrained) {
      cr_expect(suits(o, "ros34pw2"), "%s %s, %d wheels", o->isa, o->kind, o->wheels);
      cr_expect(suits(o, "ros2"), "%s %s, %d wheels", o->isa, o->kind, o->wheels);
    }
    if (!o->controlled) {
      cr_expect(suits(o, omr_method_kinds[o->method].name), "%s %s, %d wheels, law %d", o->isa,
                o->kind, o->wheels, o->law);
      cr_expect_not(suits(o, "heun"), "its stages are constants");
    }
  }
  cr_log_info("%d for fixed steps, %d for controlled ones\n", fixed, controlled);
}
