#include "balance.h"

#include "../study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void omr_balance_take(omr_run_record *record, double energy_error) {
  const double size = fabs(energy_error);
  if (!(size > OMR_BALANCE_LIMIT)) return;
  record->unbalanced++;
  record->energy_error = fmax(record->energy_error, size);
}

void omr_balance_join(omr_run_record *total, const omr_run_record *part) {
  total->unbalanced += part->unbalanced;
  total->energy_error = fmax(total->energy_error, part->energy_error);
}

/* Explains an energy error: friction is summed over the steps as force times slip, which decays
 * faster than most steps are long. */
static const char *meaning(const omr_study *study) {
  const bool friction = study->wheels > 0 && omr_law_is_friction(study->contact.law);
  return friction ? "the steps are too long for how slip decays, so that dissipated_energy, "
                    "max_slip and vibration are not to be trusted (energy_lost, by balance, hardly "
                    "depends on that)"
                  : "the steps are too long for the motion, which is in doubt altogether";
}

void omr_balance_warn(const omr_study *study, const omr_run_record *record, char *warning,
                      size_t size) {
  warning[0] = '\0';
  if (!(record->unbalanced > 0)) return;
  const bool tolerance = omr_controls_steps(study);
  snprintf(warning, size,
           OMR_BALANCE_WARNING "energy_error is above %g in %.0f instance%s, up to %.2g: %s; %s, "
                               "`omniroll plan STUDY` measures the %s that an accuracy needs",
           OMR_BALANCE_LIMIT, record->unbalanced, record->unbalanced > 1 ? "s" : "",
           record->energy_error, meaning(study),
           tolerance ? "lower integrator.tolerance" : "shorten integrator.step",
           tolerance ? "tolerance" : "step");
}

/* "openmp" and "opencl" are "openmp, opencl". */
static void join_words(char *text, size_t size, const char *word) {
  const size_t length = strlen(text);
  if (!strstr(text, word)) snprintf(text + length, size - length, "%s%s", length ? ", " : "", word);
}

void omr_record_join(omr_run_record *total, const omr_run_record *part, bool first) {
  if (first) {
    *total = *part;
    return;
  }
  join_words(total->backend, sizeof total->backend, part->backend);
  join_words(total->device, sizeof total->device, part->device);
  omr_record_add(total, part);
  total->wall_seconds += part->wall_seconds;
  total->refined_steps += part->refined_steps;
  total->retried += part->retried;
  total->recovered += part->recovered;
  omr_balance_join(total, part);
}
