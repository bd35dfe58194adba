/* Holds the step error against the limits of integrator.accept. */
#include "../study/accept.h"
#include "step_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 8, LINE = 400 };

static void judge_criterion(const omr_step_error *e, omr_step_verdict *v) {
  v->most = v->accept.most;
  v->error = e->criteria[v->accept.index].flips;
}

static void judge_quantity(const omr_statistics *s, const omr_step_error *e, omr_step_verdict *v) {
  const omr_quantity *quantity = &s->quantities[v->accept.index];
  v->most = v->accept.most * (v->accept.relative ? fabs(quantity->moments.mean) : 1);
  v->error = fabs(e->quantities[v->accept.index - e->parameter_count].mean.error); /* or NaN */
}

static bool fits(const omr_statistics *s, const omr_accept *accept) {
  return accept->of_criterion
             ? accept->index < s->criterion_count
             : accept->index >= s->parameter_count && accept->index < s->quantity_count;
}

/* An unknown error misses a limit that the study sets, but not one that a criterion's threshold
 * suggests. */
omr_status omr_step_error_judge(const omr_study *study, const omr_statistics *s, omr_step_error *e,
                                omr_error *error) {
  const omr_step_error_settings *settings = &study->step_error;
  e->verdicts = omr_pool_take(&e->memory, settings->accept_count, sizeof *e->verdicts);

  if (!e->verdicts) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the step error");
  for (size_t i = 0; i < settings->accept_count; i++) {
    /* skip entries of quantities that these statistics do not have */
    omr_step_verdict *v = &e->verdicts[e->verdict_count];
    v->accept = settings->accept[i];
    if (!fits(s, &v->accept)) continue;
    omr_accept_name(study, &v->accept, v->label, sizeof v->label);

    /* find the error and its limit */
    if (v->accept.of_criterion)
      judge_criterion(e, v);
    else
      judge_quantity(s, e, v);

    v->missed = isnan(v->error) ? v->accept.given : !(v->error <= v->most);
    e->missed += v->missed;
    e->verdict_count++;
  }

  return OMR_OK;
}

/* " m s-2", "" for pure numbers */
static const char *unit_of(const omr_statistics *s, const omr_step_verdict *v, char text[80]) {
  const char *unit = s->quantities[v->accept.index].unit;
  snprintf(text, 80, "%s%.70s", strcmp(unit, "1") == 0 ? "" : " ",
           strcmp(unit, "1") == 0 ? "" : unit);
  return text;
}

static void describe_criterion(const omr_step_error *e, const omr_step_verdict *v, char *line) {
  const omr_step_criterion *c = &e->criteria[v->accept.index];
  snprintf(line, LINE,
           "%s: %zu of %zu instances change sides with a shorter step, more than the %.3g %% that "
           "integrator.accept allows",
           v->label, c->gained + c->lost, c->used, 100 * v->most);
}

static void describe_quantity(const omr_statistics *s, const omr_step_error *e,
                              const omr_step_verdict *v, char *line) {
  const omr_step_estimate *mean = &e->quantities[v->accept.index - e->parameter_count].mean;
  const double sign = mean->error < 0 ? -1 : 1, one = sign * mean->low, other = sign * mean->high;
  char unit[80];
  snprintf(line, LINE,
           "%s: the step makes its mean about %.3g%s too %s (%.3g to %.3g), more than the %.3g%s "
           "that %s",
           v->label, v->error, unit_of(s, v, unit), sign < 0 ? "small" : "large", fmin(one, other),
           fmax(one, other), v->most, unit,
           v->accept.given ? "integrator.accept allows" : "are 2 % of a criterion's threshold");
}

static void describe(const omr_statistics *s, const omr_step_verdict *v, char *line) {
  const omr_step_error *e = s->step_error;
  if (isnan(v->error))
    snprintf(line, LINE, "%s: its error by the step is not known, since %s", v->label,
             !v->accept.of_criterion && omr_step_extremes_unknown(e)
                 ? "extremes of single vehicles ask for a tolerance of 1e-3 or less"
                 : "no instance has a value at every step");
  else if (v->accept.of_criterion)
    describe_criterion(e, v, line);
  else
    describe_quantity(s, e, v, line);
}

static void add_line(const char *line, char *lines, size_t size) {
  const size_t length = strlen(lines);
  if (length + strlen(line) + 2 < size)
    snprintf(lines + length, size - length, "%s%s", length ? "\n" : "", line);
}

void omr_step_error_warn(const omr_statistics *s, char *warnings, size_t size) {
  const omr_step_error *e = s->step_error;

  /* the remedy is a smaller tolerance or a shorter step */
  const bool tenth = e && e->refined.sample.decades > 0;
  const char *remedy =
      tenth ? "lower integrator.tolerance; `omniroll plan STUDY` measures the tolerance that is "
              "needed"
            : "shorten integrator.step; `omniroll plan STUDY` measures the step that is needed";
  char line[LINE], whole[LINE + 100 + sizeof OMR_STEP_WARNING];

  /* a line for each that is missed, up to a limit */
  size_t lines = 0;
  for (size_t i = 0; e && i < e->verdict_count; i++) {
    if (!e->verdicts[i].missed) continue;
    if (lines++ == MOST_LINES) break;
    describe(s, &e->verdicts[i], line);

    snprintf(whole, sizeof whole, OMR_STEP_WARNING "%s: %s", line, remedy);
    add_line(whole, warnings, size);
  }
  if (lines <= MOST_LINES) return;

  /* say how many more there are */
  snprintf(line, sizeof line,
           OMR_STEP_WARNING "of %zu more it is larger than accepted: see /statistics/step_error",
           e->missed - MOST_LINES);
  add_line(line, warnings, size);
}

omr_status omr_step_error_check(const omr_study *study, const omr_statistics *s, omr_error *error) {
  const omr_step_error *e = s->step_error;
  char line[LINE] = "";
  if (!e || e->missed == 0) return OMR_OK;
  for (size_t i = 0; i < e->verdict_count; i++) {
    if (!e->verdicts[i].missed) continue;
    describe(s, &e->verdicts[i], line);
    break;
  }
  char more[80] = "";
  if (e->missed > 1) snprintf(more, sizeof more, ", and so for %zu more", e->missed - 1);
  return omr_fail(
      error, OMR_ERR_INACCURATE,
      "%s: %s%s. The result is complete. %s (`omniroll plan` measures the %s that is needed), or "
      "accept more (integrator.accept).",
      study->name, line, more,
      omr_controls_steps(study) ? "Lower integrator.tolerance" : "Shorten integrator.step",
      omr_controls_steps(study) ? "tolerance" : "step");
}
