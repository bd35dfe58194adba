/* What the dampers of compliant contacts take of a vehicle that rolls out: the doubt's formula
 * against its closed form, and against runs (appendix/springs.md#springs). */
#include "host/model/doubts.h"
#include "shared/motion.h"

#include <stdlib.h>

/* Omni wheels in line, whose rollers need not spin; set off as fast as they roll. */
static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"contact\": {\"normal\": \"compliant\"},"
    "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.2, \"half_width\": 0.2},"
    "\"platform\": {\"mass\": 13}, \"wheel\": {\"radius\": 0.05, \"rollers\": 10, \"inclination\": "
    "0,"
    "\"friction\": 0.6, \"contact\": {\"stiffness\": 5e4, \"damping_ratio\": 0.1},"
    "\"initial\": {\"rate\": -20}}, \"initial\": {\"vx\": 1}},"
    "\"integrator\": {\"step\": \"20 us\", \"duration\": \"0.5 s\", \"step_error\": \"off\"},"
    "\"engine\": {\"backend\": \"openmp\"}, \"output\": {\"observables\": [\"energy_lost\","
    "\"path_length\"]}}";

#define ZETA "parameters.wheel.contact.damping_ratio="
#define STIFF "parameters.wheel.contact.stiffness="
#define KELVIN "parameters.contact.damper=kelvin_voigt"

/* By the formula, m/s2; *mass: of the vehicle, kg. */
static double told(const char *const *with, double *mass) {
  size_t count = 0;
  omr_study *study = NULL;
  omr_scene scene;
  omr_error error = {0};
  char reason[400];
  double axles;
  while (with[count]) count++;
  cr_assert_eq(omr_study_parse(text, "s.json", with, count, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert(omr_scene_make(study, OMR_NONE, &scene, reason, sizeof reason), "%s", reason);
  const double slowed = omr_damper_deceleration(&scene, 1, 0, &axles);
  cr_expect_eq(axles, 0);
  *mass = scene.mass;
  omr_study_destroy(study);
  return slowed;
}

static double lost_per_metre(const char *const *with) {
  omr_result *r = run_study(text, with);
  const double force = value_of(r, "energy_lost", 0) / value_of(r, "path_length", 0);
  omr_result_destroy(r);
  return force;
}

/* a = 2 n/(15 pi) g c v phi^3, phi = sqrt(2 d0/R), c = 2 zeta/sqrt(g d0), d0 = m g/(4 k): the sum
 * over 64 parts of the angle is within a thousandth of it. */
Test(coast_down, the_formula_is_that_of_the_page) {
  double mass;
  const double slowed = told(OVERRIDES("title=x"), &mass), g = 9.81, sag = mass * g / (4 * 5e4),
               angle = sqrt(2 * sag / 0.05), c = 2 * 0.1 / sqrt(g * sag);
  cr_expect_float_eq(slowed / (20 / (15 * acos(-1.0)) * g * c * angle * angle * angle), 1, 1e-3);
  cr_expect_float_eq(slowed, 0.05, 5e-3, "what was measured of such a vehicle");
}

/* What a damper takes of a run beside one without: the axle's height is not constant, nor the load
 * that of one roller, which makes up to a third of it. */
Test(coast_down, runs_lose_what_the_formula_says, .timeout = 120) {
  const char *const damped[][4] = {{ZETA "0.1", NULL},
                                   {ZETA "0.3", NULL},
                                   {ZETA "0.1", STIFF "2e5", NULL},
                                   {ZETA "0.3", KELVIN, NULL}};
  const char *const free_of[][4] = {
      {ZETA "0", NULL}, {ZETA "0", NULL}, {ZETA "0", STIFF "2e5", NULL}, {ZETA "0", KELVIN, NULL}};
  for (int i = 0; i < 4; i++) {
    double mass;
    const double formula = told(damped[i], &mass),
                 run = (lost_per_metre(damped[i]) - lost_per_metre(free_of[i])) / mass;
    cr_expect(run < 1.5 * formula && formula < 1.5 * run, "%s: %.3g m/s2, by the formula %.3g",
              damped[i][0], run, formula);
  }
}
