#include "margin.h"

#include "../study/study.h"

#include <math.h>
#include <stdlib.h>

omr_status omr_margin_make(const omr_study *study, size_t index, omr_margin *margin,
                           omr_error *error) {
  *margin = (omr_margin){.count = index + 1};
  omr_names_of_study(study, &margin->names);
  margin->criteria = calloc(margin->count, sizeof(omr_expression *));
  if (!margin->criteria) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the criteria");
  const omr_status status =
      omr_criteria_read(&study->statistics, margin->count, &margin->names, margin->criteria, error);
  margin->criterion = margin->criteria[index];
  return status;
}

void omr_margin_free(omr_margin *margin) {
  omr_criteria_free(margin->criteria, margin->count);
  omr_names_free(&margin->names);
  *margin = (omr_margin){0};
}

int omr_margin_truth(const omr_margin *margin, double *values, int status) {
  if (status != OMR_INSTANCE_OK && !margin->criterion->status) return -1;
  values[margin->names.columns] = status;
  return omr_expression_truth(margin->criterion, values);
}

/* Margin of a >= b and a > b alike is a - b, but only a >= b holds at 0: a margin of 0 is moved to
 * the side of the truth. */
double omr_margin_of(const omr_margin *margin, double *values, int status) {
  const int truth = omr_margin_truth(margin, values, status);
  if (truth < 0) return (double)NAN;
  const double distance = omr_expression_margin(margin->criterion, values);
  if (truth) return distance > 0 ? distance : 0x1p-1074;
  return distance > 0 ? 0 : distance;
}
