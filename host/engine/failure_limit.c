#include "failure_limit.h"

#include "controllers.h"
#include "run.h"

#include <string.h>

/* The remedy for instances with this status; single: the study has one instance, in which nothing
 * varies. A small model has neither platform nor command; its motion itself ends it. */
static const char *remedy_of(const omr_study *study, int status, bool single) {
  const bool small = omr_small_list_of(study->model) != NULL, chosen = omr_controls_steps(study);
  switch (status) {
  /* Numerical failures: a finer or cheaper integration helps. */
  case OMR_INSTANCE_DIVERGED:
  case OMR_INSTANCE_CROWDED:
    if (chosen) return "lower integrator.tolerance";
    return single ? "shorten integrator.step"
                  : "shorten integrator.step, or let them be run again: \"on_failure\": "
                    "\"retry_half_step\"";
  case OMR_INSTANCE_SPENT:
    return chosen ? "raise integrator.budget, or integrator.tolerance"
                  : "raise integrator.budget, or shorten integrator.step";
  default: break;
  }

  /* One of many instances fails because of the varied values. */
  if (!single) return "narrow the range of what is varied";

  /* A vehicle that lifts off or leaves the model's domain needs other parameters. */
  if (status == OMR_INSTANCE_LIFTED && small)
    return "change the initial state, or let integrator.duration end before";
  if (status == OMR_INSTANCE_LIFTED)
    return study->external.kind == OMR_EXTERNAL_NONE
               ? "lower the centre of mass, the torque or the commanded acceleration"
               : "lower the external force or its height, the centre of mass, the torque or the "
                 "commanded acceleration";
  if (status == OMR_INSTANCE_OUTSIDE)
    return small ? "change the initial state or the ground, or let integrator.duration end before"
                 : "lower the friction, and the centre of mass where that is not enough";
  return "mend the parameters that the message of omniroll validate names";
}

/* Whether a controller's loop is unstable, which no step can mend. */
static bool has_unstable_loop(const omr_study *study) {
  char warning[OMR_WARNINGS];
  omr_judge_controllers(study, warning, sizeof warning);
  return strstr(warning, " is unstable ") != NULL;
}

/* With unstable steps the end may say nothing about the vehicle; with a tolerance such steps only
 * cost passes. */
static void find_remedy(const omr_study *study, int status, bool single, char text[OMR_WARNINGS]) {
  const bool vehicle = status == OMR_INSTANCE_LIFTED || status == OMR_INSTANCE_OUTSIDE;
  /* Which cause to name first: the step, the controller or the vehicle. */
  const bool by_step = omr_controls_steps(study) ? status == OMR_INSTANCE_SPENT
                                                 : vehicle || status == OMR_INSTANCE_DIVERGED;
  const bool fast = status == OMR_INSTANCE_LIFTED || status == OMR_INSTANCE_DIVERGED ||
                    status == OMR_INSTANCE_CROWDED; /* a growing oscillation ends so */
  const bool loop = fast && has_unstable_loop(study), last = vehicle || loop;
  const char *remedy =
      loop ? "lower kp and ki, or shorten controller_period (omniroll validate says to what)"
           : remedy_of(study, status, single);

  /* The step comes first where it is too long, and the vehicle's remedy behind it. */
  char step[OMR_WARNINGS / 2];
  if (!by_step || !omr_step_remedy(study, step, sizeof step))
    snprintf(text, OMR_WARNINGS, "%s", remedy);
  else
    snprintf(text, OMR_WARNINGS, "%s%s%s", step, last ? "; if it ends so with a stable step, " : "",
             last ? remedy : "");
}

/* Prints " with wheel_friction = 0.3, platform_mass = 12 kg": the first values only, since there
 * may be a thousand. */
static void print_values(const omr_result *result, size_t row, omr_text *text) {
  enum { MOST = 12 };
  for (size_t c = 0; c < result->parameter_count && c < MOST; c++) {
    const omr_column *column = &result->columns[c];
    const char *unit = strcmp(column->unit, "1") == 0 ? "" : column->unit;
    omr_text_print(text, "%s%s = %.9g%s%s", c ? ", " : " with ", column->name, column->values[row],
                   *unit ? " " : "", unit);
  }
  if (result->parameter_count > MOST)
    omr_text_print(text, " and %zu more", result->parameter_count - MOST);
}

static omr_status fail_at(const omr_part *part, const omr_result *result, size_t row,
                          omr_error *error) {
  const int status = result->status[row];
  const char *invalid =
      status == OMR_INSTANCE_INVALID && result->first_invalid[0] ? result->first_invalid : "";
  omr_text text = {0};
  char remedy[OMR_WARNINGS];

  find_remedy(part->study, status, false, remedy);
  print_values(result, row, &text);

  /* Status, time, values and remedy go into one message. */
  omr_fail(error, OMR_ERR_FAILURES,
           "%s: instance %zu ended as %s at %.9g s%s%s%s; integrator.on_failure is \"abort\". To "
           "have its state in the result instead, set it to \"record\"; else %s.",
           part->study->name, omr_part_row(part, row), omr_instance_status_name(status),
           result->status_time[row], text.data ? text.data : "", *invalid ? ": " : "", invalid,
           remedy);

  omr_text_free(&text);
  return OMR_ERR_FAILURES;
}

omr_status omr_check_none_failed(const omr_part *part, const omr_result *result, size_t first,
                                 size_t last, omr_error *error) {
  for (size_t row = first; row < last; row++) {
    if (result->status[row] != OMR_INSTANCE_OK) return fail_at(part, result, row, error);
  }
  return OMR_OK;
}

/* Whether a criterion uses the status: failures are then a result. */
static bool asks_for_status(const omr_study *study) {
  for (size_t i = 0; i < study->statistics.criterion_count; i++)
    if (strstr(study->statistics.criteria[i].text, "status")) return true;
  return false;
}

/* A run in which no instance reached the end must not look like a success, unless the study allows
 * it. */
static omr_status fail_whole(const omr_study *study, size_t rows, int most, const char *statuses,
                             omr_error *error) {
  char remedy[OMR_WARNINGS];
  find_remedy(study, most, rows == 1, remedy);
  if (rows == 1)
    return omr_fail(error, OMR_ERR_FAILURES,
                    "%s: the only instance failed: it ended as %s. The result is written; its "
                    "group failures has the last state and omniroll report shows it. What helps: "
                    "%s; or say that it may fail: \"failed_limit\": 1 in \"statistics\".",
                    study->name, omr_instance_status_name(most), remedy);
  return omr_fail(error, OMR_ERR_FAILURES,
                  "%s: all %zu instances failed: %s. The result is written; its group failures has "
                  "their last states. Look at them, then %s; or say that all may fail: "
                  "\"failed_limit\": 1 in \"statistics\".",
                  study->name, rows, statuses, remedy);
}

omr_status omr_check_failures(const omr_study *study,
                              const size_t counts[OMR_INSTANCE_STATUS_COUNT], size_t rows,
                              omr_error *error) {
  /* Share of each status, and the most frequent one. */
  const double limit = study->statistics.failed_limit;
  size_t failed = 0, largest = 0;
  int most = OMR_INSTANCE_DIVERGED;
  omr_text text = {0};
  for (int status = 1; status < OMR_INSTANCE_STATUS_COUNT; status++) {
    failed += counts[status];
    if (counts[status] == 0) continue;
    omr_text_print(&text, "%s%s %zu (%.3g %%)", text.length ? ", " : "",
                   omr_instance_status_name(status), counts[status],
                   100.0 * (double)counts[status] / (double)rows);
    if (counts[status] > largest) most = status;
    if (counts[status] > largest) largest = counts[status];
  }

  /* All failed, which is an error by itself, or more than the study allows. */
  omr_status status = OMR_OK;
  if (rows > 0 && failed == rows && !study->statistics.failed_limit_given &&
      !asks_for_status(study)) {
    status = fail_whole(study, rows, most, text.data ? text.data : "", error);
  } else if ((double)failed > limit * (double)rows) {
    char remedy[OMR_WARNINGS];
    find_remedy(study, most, false, remedy);
    status = omr_fail(error, OMR_ERR_FAILURES,
                      "%s: %zu of %zu instances failed (%.3g %%), more than "
                      "statistics.failed_limit allows (%.3g %%): %s. The result is complete; its "
                      "group failures has their last states. Look at them, then %s.",
                      study->name, failed, rows, 100.0 * (double)failed / (double)rows,
                      100.0 * limit, text.data ? text.data : "", remedy);
  }

  omr_text_free(&text);
  return status;
}

omr_status omr_result_check_failures(const omr_study *study, const omr_result *result,
                                     omr_error *error) {
  size_t counts[OMR_INSTANCE_STATUS_COUNT] = {0};
  for (size_t k = 0; k < result->instances; k++) counts[result->status[k]]++;
  return omr_check_failures(study, counts, result->instances, error);
}
