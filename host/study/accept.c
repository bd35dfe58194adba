#include "accept.h"

#include "own_names.h"

#include <string.h>

int omr_observable_of_column(const omr_study *study, size_t column) {
  size_t at = study->variation_count;
  for (int j = 0; j < OMR_OBS_COUNT; j++)
    if (omr_study_observes(study, j) && at++ == column) return j;
  return -1;
}

void omr_accept_name(const omr_study *study, const omr_accept *accept, char *name, size_t size) {
  const int observable = accept->of_criterion ? -1 : omr_observable_of_column(study, accept->index);
  const char *criterion =
      accept->of_criterion ? study->statistics.criteria[accept->index].name : "";
  if (!accept->of_criterion)
    snprintf(name, size, "%s", observable < 0 ? "" : omr_study_observable_name(study, observable));
  else if (strcmp(criterion, OMR_CRITERION_NAME) == 0)
    snprintf(name, size, "%s", criterion);
  else
    snprintf(name, size, "%s.%s", OMR_CRITERION_NAME, criterion);
}

const char *omr_accept_unit(const omr_study *study, const omr_accept *accept) {
  const int observable = accept->of_criterion ? -1 : omr_observable_of_column(study, accept->index);
  return observable < 0 ? "1" : omr_study_observable(study, observable).unit;
}

void omr_accept_text(const omr_study *study, const omr_accept *accept, char *text, size_t size) {
  const char *unit = omr_accept_unit(study, accept),
             *why = accept->given ? "" : " (2 % of a criterion's threshold)";
  char name[100];
  omr_accept_name(study, accept, name, sizeof name);
  if (accept->relative || accept->of_criterion)
    snprintf(text, size, "%s to %.6g %%%s", name, 100 * accept->most, why);
  else
    snprintf(text, size, "%s to %.6g%s%s%s", name, accept->most, strcmp(unit, "1") == 0 ? "" : " ",
             strcmp(unit, "1") == 0 ? "" : unit, why);
}
