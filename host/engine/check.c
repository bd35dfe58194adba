/* Checks that the values of a study's instances make vehicles. */
#include "run.h"

#include "../model/prepare.h"

enum { LOOKED_AT = 256 };

static size_t spread(const omr_study *study, size_t j, size_t looked) {
  return looked > 1 ? (size_t)((double)j * (double)(study->instances - 1) / (double)(looked - 1))
                    : 0;
}

omr_status omr_study_check(const omr_study *study, size_t *looked_at, size_t *invalid, char *reason,
                           size_t size, omr_error *error) {
  omr_run_settings settings;
  *looked_at = study->instances < LOOKED_AT ? study->instances : LOOKED_AT;
  *invalid = 0;
  omr_status status = omr_settings_make(study, &settings, error);
  if (status != OMR_OK) return status;

  /* One padded slot is enough: the instances are prepared one after the other. */
  omr_batch batch;
  if (!omr_batch_make(&settings, OMR_PAD, &batch))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* Instances spread evenly over the study stand for all of them. */
  for (size_t j = 0; status == OMR_OK && j < *looked_at; j++) {
    size_t k = spread(study, j, *looked_at);
    omr_values values;
    char why[400];
    omr_study_values(study, k, &values, NULL);
    if (omr_prepare_instance(study, &settings, &values, &batch, 0, why, sizeof why)) continue;

    /* The first invalid instance gives the reason, and a study of one instance fails with it. */
    if ((*invalid)++ == 0) snprintf(reason, size, "instance %zu: %s", k, why);
    if (study->instances == 1) status = omr_fail(error, OMR_ERR_STUDY, "%s: %s", study->name, why);
  }

  omr_batch_free(&batch);
  omr_settings_free(&settings);
  return status;
}
