#include "forewarn.h"

#include "../model/doubts.h"
#include "../study/command.h"
#include "controllers.h"

omr_status omr_judge_study(const omr_study *study, char *warnings, omr_error *error) {
  char line[OMR_WARNINGS];
  size_t row;
  /* The step must be stable; controllers must settle; the vehicle must be plausible. */
  omr_status status = omr_judge_stability(study, line, sizeof line, error);
  if (status != OMR_OK) return status;
  omr_add_warnings(warnings, line);
  omr_judge_controllers(study, line, sizeof line);
  omr_add_warnings(warnings, line);
  omr_judge_vehicle(study, line, sizeof line);
  omr_add_warnings(warnings, line);

  if (study->statistics.stop.of_goal && !study->doubted)
    omr_add_warnings(warnings, "statistics.stop: `omniroll evaluate` grows the sample of "
                               "candidates by it; here each has all its design.per_cell vehicles");

  /* Notes from reading the study's files. */
  if (study->log_note) omr_add_warnings(warnings, study->log_note);
  if (study->traces.note) omr_add_warnings(warnings, study->traces.note);

  /* A command that jumps within a step has no acceleration. */
  if (!omr_command_jumps(study, &row)) return OMR_OK;
  snprintf(line, sizeof line,
           "command: the velocity of parameters.command.table jumps from row %zu to row %zu, which "
           "are %.3g s apart, less than a step: the commanded acceleration has no size, and "
           "vibration_rms, vibration_peak and vibration_exchange have no value; put the rows at "
           "least a step apart, or start with a command of type constant",
           row, row + 1, study->command.table.time[row + 1] - study->command.table.time[row]);
  omr_add_warnings(warnings, line);
  return OMR_OK;
}

omr_status omr_check_study(const omr_study *study, FILE *log, omr_error *error) {
  char warnings[OMR_WARNINGS] = "";
  const omr_status status = omr_judge_study(study, warnings, error);
  if (status == OMR_OK) omr_log_warnings(log, warnings);
  return status;
}
