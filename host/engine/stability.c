/* Checks that the step is short enough for the method (explanation/steps.md#methods). */
#include "../../kernels/layout.h"
#include "../model/fold.h"
#include "../model/prepare.h"
#include "../model/small.h"
#include "../study/grammar/reader.h"
#include "run.h"
#include "stability_rates.h"
#include <math.h>

enum { LOOKED_AT = 64 };

/* The bounds that count: all, all but inductances, or only bearings, which no other law hides. */
typedef enum counted { ALL, NO_WINDINGS, BEARINGS } counted;

/* An implicit method leaves the bounds that no method has in its matrix, as of bearings. */
static double longest_step(const omr_study *study, counted what, size_t *instance) {
  omr_run_settings settings;
  double largest = (double)INFINITY;
  const bool implicit = what == BEARINGS || omr_is_implicit(study->time.method);
  const omr_method method = implicit ? OMR_METHOD_ROSENBROCK : study->time.method;
  if (study->engine.backend == OMR_BACKEND_REFERENCE) return largest; /* its steps are its own */

  const omr_small_model *small = omr_small_model_of(study->model);
  if (omr_settings_make(study, &settings, NULL) != OMR_OK) return largest;

  /* Bounds that do not count are switched off in the settings. */
  if (what != ALL) settings.integers[K_INDUCTANCE] = 0;
  if (what == BEARINGS && !settings.integers[K_BEARING]) {
    omr_settings_free(&settings);
    return largest;
  }

  /* The shortest of the longest stable steps of instances spread over the study. */
  omr_batch batch;
  bool made = omr_batch_make(&settings, OMR_PAD, &batch);
  size_t looked = study->instances < LOOKED_AT ? study->instances : LOOKED_AT;
  for (size_t j = 0; made && j < looked; j++) {
    size_t k = looked > 1 ? j * (study->instances - 1) / (looked - 1) : 0;
    omr_values values;
    char reason[400];
    omr_study_values(study, k, &values, NULL);
    if (!omr_prepare_instance(study, &settings, &values, &batch, 0, reason, sizeof reason))
      continue;
    double step = omr_stable_step(method, small, settings.integers, batch.params);
    if (step < largest) {
      largest = step;
      *instance = k;
    }
  }

  omr_batch_free(&batch);
  omr_settings_free(&settings);
  return largest;
}

/* With a tolerance there is no bound: an unstable pass is rejected. */
double omr_largest_step(const omr_study *study, size_t *instance) {
  return omr_controls_steps(study) ? (double)INFINITY : longest_step(study, ALL, instance);
}

/* The part of the model that the step is too long for, and a remedy other than a shorter step. */
typedef struct omr_stiff_part {
  const char *name, *remedy;
} omr_stiff_part;

/* Whether a longer step would be stable if the motors' currents followed their voltages at once. */
static bool windings_bound(const omr_study *study, double largest) {
  size_t instance;
  return longest_step(study, NO_WINDINGS, &instance) > largest;
}

/* Whether the bearings of rollers need a shorter step by themselves: no method has them in its
 * matrix. */
static bool bearings_bound(const omr_study *study, double step) {
  size_t instance;
  return longest_step(study, BEARINGS, &instance) < step;
}

static omr_stiff_part stiff_part(const omr_study *study, double step, double largest) {
  /* The stiffest part first: windings, then bearings of rollers. */
  if (omr_small_model_of(study->model)) return (omr_stiff_part){"", ""};
  if (windings_bound(study, largest))
    return (omr_stiff_part){"the winding of a motor in ",
                            ", or leave motor.inductance out: the current then follows its voltage "
                            "at once, as it does within L/R"};
  if (bearings_bound(study, step))
    return (omr_stiff_part){"the bearings of rollers in ",
                            omr_is_implicit(study->time.method)
                                ? ", lower roller.bearing, or hold rollers by roller.dry.torque "
                                  "instead"
                                : ", lower roller.bearing, or hold rollers by roller.dry.torque "
                                  "instead, with \"method\": \"rosenbrock\""};

  /* Constraints are stabilised at their own rate. */
  if (study->contact.law == OMR_LAW_RELAXED)
    return (omr_stiff_part){"the law udwadia_kalaba in ",
                            ", or raise contact.reference_speed or lower contact.baumgarte"};
  if (!omr_law_is_friction(study->contact.law))
    return (omr_stiff_part){"the stabilisation of the constraints in ",
                            ", or lower contact.baumgarte"};

  /* Laws of friction on springs, whose contact is stiff as a whole. */
  const bool tyre = omr_law_is_tyre(study->contact.law);
  if (study->contact.penalty)
    return (omr_stiff_part){"the contact of ",
                            tyre ? ", or raise tyre.low_speed, or take a softer contact"
                                 : ", or raise slip_speed, or take a softer contact"};
  if (omr_law_is_bristle(study->contact.law))
    return (omr_stiff_part){"the contact of ",
                            ", or lower contact.bristle_damping_ratio, raise the rollers' inertia, "
                            "or take softer bristles or springs"};
  if (study->contact.compliant)
    return (omr_stiff_part){
        "the contact of ", omr_dry_bits(study)
                               ? ", or raise slip_speed, roller.dry.smoothing_rate or the rollers' "
                                 "inertia, or take softer springs"
                               : ", or raise slip_speed or the rollers' inertia, or take softer "
                                 "springs"};

  /* Laws of friction on rigid contact. */
  if (study->model == OMR_MODEL_DISC_VEHICLE)
    return (omr_stiff_part){"the friction law of ",
                            tyre ? ", use \"method\": \"rosenbrock\", or raise tyre.low_speed"
                                 : ", use \"method\": \"rosenbrock\", or raise slip_speed"};
  if (omr_dry_bits(study))
    return (omr_stiff_part){"the friction of floor and bearings in ",
                            ", use \"method\": \"rosenbrock\", or raise slip_speed, "
                            "roller.dry.smoothing_rate or the rollers' inertia"};
  return (omr_stiff_part){
      "the friction law of ",
      ", use \"method\": \"rosenbrock\", or raise slip_speed or the rollers' inertia"};
}

/* Describes the step's fault and its remedy in one line; false where the step is short enough. */
static bool describe(const omr_study *study, char *text, size_t size) {
  size_t instance = 0;
  const double largest = omr_largest_step(study, &instance);
  if (!(study->time.step > largest)) return false;
  const omr_stiff_part part = stiff_part(study, study->time.step, largest);
  snprintf(text, size,
           "a step of %.3g ms is too long for %sinstance %zu, where %s is stable up to about %.3g "
           "ms: shorten integrator.step%s",
           1e3 * study->time.step, part.name, instance, omr_method_kinds[study->time.method].name,
           1e3 * largest, part.remedy);
  return true;
}

bool omr_step_remedy(const omr_study *study, char *text, size_t size) {
  const bool chosen = omr_controls_steps(study);
  const double most =
      study->time.budget > 0 ? study->time.budget : 1e6 * (1 + study->time.duration);
  const double step = chosen ? study->time.duration / most : study->time.step;
  size_t instance = 0;
  const double largest = longest_step(study, ALL, &instance);
  if (!(step > largest)) return false;
  const omr_stiff_part part = stiff_part(study, step, largest);
  char what[64] = "shorten integrator.step";
  if (chosen)
    snprintf(what, sizeof what, "raise integrator.budget to %.2g",
             2 * study->time.duration / largest);
  snprintf(text, size, "%s%s (steps above about %.3g ms are unstable for %sinstance %zu)", what,
           part.remedy, 1e3 * largest, part.name, instance);
  return true;
}

omr_status omr_judge_stability(const omr_study *study, char *warnings, size_t size,
                               omr_error *error) {
  warnings[0] = '\0';
  if (study->time.stability == OMR_STABILITY_IGNORE || !describe(study, warnings, size))
    return OMR_OK;
  if (study->time.stability == OMR_STABILITY_WARN) return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s: integrator.step: %s (integrator.stability is \"refuse\")", study->name,
                  warnings);
}
