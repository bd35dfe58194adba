/* The treatment of instances that fail: integrator.budget, on_failure and retries. */
#include "parse.h"

#include <math.h>

static omr_status read_budget(omr_reader *reader, const cJSON *item) {
  if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || item->valuedouble < 1)
    return OMR_REFUSE(
        reader, item,
        "expected a number of at least 1: the most passes that an instance may take, as a multiple "
        "of the number of steps; 4 lets each step take four on average");
  reader->study->time.budget = item->valuedouble;
  return OMR_OK;
}

omr_status omr_read_failures(omr_reader *reader, const cJSON *integrator) {
  const cJSON *budget = omr_json_get(integrator, "budget");
  if (reader->study->on_failure != OMR_FAILURE_RETRY) reader->study->retries = 0;
  return budget ? read_budget(reader, budget) : OMR_OK;
}

/* Why every step of the study is one pass; NULL where roller exchanges split them. */
static const char *fixed_passes(const omr_study *study) {
  if (omr_small_list_of(study->model)) return omr_model_names[study->model];
  if (study->model == OMR_MODEL_DISC_VEHICLE) return "disc_vehicle";
  if (study->contact.law == OMR_LAW_CLASSICAL) return "the law classical_rollers";
  return study->time.split ? NULL : "\"exchange\": \"straddle\"";
}

/* Passes and steps are counted in the working precision. */
static omr_status check_counts(omr_reader *reader, const cJSON *item, const char *what,
                               double count) {
  const bool single = reader->study->engine.precision == OMR_SINGLE_PRECISION;
  if (count <= (single ? 0x1p24 : 0x1p53)) return OMR_OK;
  return OMR_REFUSE(reader, item, "%s: %.0f are more than the 2^%d that %s precision can count",
                    what, count, single ? 24 : 53, single ? "single" : "double");
}

omr_status omr_check_budget(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  const cJSON *integrator = omr_json_get(root, "integrator"),
              *item = omr_json_get(integrator, "budget");
  const double steps = ldexp((double)study->time.steps, study->retries);

  /* Controlled steps have no number that the budget multiplies. */
  if (omr_controls_steps(study))
    return item ? check_counts(reader, item, "the passes of the budget", floor(study->time.budget))
                : OMR_OK;

  /* A budget needs steps that take several passes. */
  if (item) {
    const char *fixed = fixed_passes(study);
    if (fixed)
      return OMR_REFUSE(reader, item,
                        "%s takes one pass per step, since no step is split at roller exchanges; "
                        "leave \"budget\" out",
                        fixed);
    OMR_TRY(
        check_counts(reader, item, "the passes of the budget", floor(study->time.budget * steps)));
  }

  /* The last retry has the shortest steps. */
  if (study->on_failure != OMR_FAILURE_RETRY) return OMR_OK;
  return check_counts(reader, omr_json_get(integrator, "on_failure"), "the steps of the last retry",
                      steps);
}
