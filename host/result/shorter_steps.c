#include "shorter_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

omr_status omr_refined_make(const omr_study *study, omr_refined *refined, omr_error *error) {
  *refined =
      (omr_refined){.sample = omr_step_sample_of(study), .parameters = study->variation_count};
  refined->columns = study->variation_count;
  for (int j = 0; j < OMR_OBS_COUNT; j++) refined->columns += omr_study_observes(study, j);
  const size_t count = refined->sample.count, rows = count + omr_refined_slots(refined);
  for (size_t place = 0; place < count; place++)
    refined->instance[place] = refined->sample.row[place];
  refined->status = malloc(rows + 1);
  refined->values = malloc((rows * refined->columns + 1) * sizeof *refined->values);
  if (!refined->status || !refined->values) {
    omr_refined_free(refined);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the step error");
  }
  memset(refined->status, OMR_NOT_RUN, rows);
  for (size_t i = 0; i < rows * refined->columns; i++) refined->values[i] = (double)NAN;
  return OMR_OK;
}

void omr_refined_free(omr_refined *refined) {
  free(refined->status);
  free(refined->values);
  *refined = (omr_refined){0};
}

bool omr_refined_done(const omr_refined *refined) {
  const size_t count = refined->sample.count, rows = count + omr_refined_slots(refined);
  for (size_t i = count; i < rows; i++)
    if (refined->status[i] == OMR_NOT_RUN) return false;
  return true;
}

void omr_refined_note(omr_refined *refined, const omr_result *part) {
  if (part->column_count != refined->columns) return;
  for (size_t place = 0; place < refined->sample.count; place++) {
    const size_t row = omr_result_row(part, refined->instance[place]);
    if (row == part->instances) continue;
    const bool retried = part->retries && part->retries[row] > 0;
    *omr_refined_status(refined, 0, place) = retried ? OMR_RETRIED : part->status[row];
    for (size_t c = 0; c < refined->columns; c++)
      omr_refined_row(refined, 0, place)[c] = omr_refined_value(part->columns[c].values[row]);
  }
}
