/* What is asked of a run. */
#include "../study/formulas.h"
#include "../study/own_names.h"
#include "answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The choice where the study makes none; the figures and the report have the same
 * (analysis/omniroll/plot.py). */
static const char *const usual[] = {
    "max_servo_torque", "max_cross_track",   "max_deviation", "odometry_error", "vibration_rms",
    "path_length",      "max_slip",          "min_load",      "final_x",        "final_z",
    "final_y",          "dissipated_energy", "final_yaw"};

#define ROUNDING 1e-12

static size_t find(const omr_statistics *s, const char *name) {
  for (size_t q = s->parameter_count; q < s->quantity_count; q++)
    if (strcmp(s->quantities[q].name, name) == 0) return q;
  return s->quantity_count;
}

static bool is_asked(const omr_answer *a, size_t quantity) {
  for (size_t i = 0; i < a->asked_count; i++)
    if (!a->asked[i].of_criterion && a->asked[i].index == quantity) return true;
  return false;
}

static omr_asked *take(const omr_statistics *s, size_t q, omr_answer *a) {
  if (q < s->parameter_count || q >= s->quantity_count || is_asked(a, q)) return NULL;
  const omr_quantity *quantity = &s->quantities[q];
  omr_asked *asked = &a->asked[a->asked_count++];
  *asked = (omr_asked){quantity->name, quantity->unit, quantity->meaning, .index = q,
                       .target = (double)NAN};
  return asked;
}

static void take_criteria(const omr_study *study, const omr_statistics *s, omr_answer *a) {
  for (size_t c = 0; c < s->criterion_count; c++) {
    const bool good = study && study->statistics.criteria[c].good;
    a->asked[a->asked_count++] = (omr_asked){.name = s->criteria[c].name,
                                             .unit = "1",
                                             .meaning = s->criteria[c].text,
                                             .of_criterion = true,
                                             .index = c,
                                             .target = (double)NAN,
                                             .best = good ? OMR_BEST_LARGER : OMR_BEST_SMALLER};
  }
}

static void take_list(const omr_study *study, const omr_statistics *s, omr_answer *a) {
  for (size_t i = 0; i < study->ask_count; i++) {
    const omr_ask *ask = &study->ask[i];
    omr_asked *asked = take(s, find(s, omr_study_observable_name(study, ask->observable)), a);
    if (!asked) continue;
    asked->best = ask->best;
    if (ask->best == OMR_BEST_TARGET) asked->target = ask->target;
    asked->derived = omr_formula_of(study, ask->observable) != NULL;
  }
}

static bool has_value(const omr_statistics *s, size_t q) {
  return q < s->quantity_count && (s->rows == 1 || s->quantities[q].moments.used > 0);
}

/* The observables that criteria name. */
static void take_named(const omr_statistics *s, omr_answer *a) {
  for (size_t i = 0; i < s->criterion_count; i++) {
    const omr_expression *e = s->criteria[i].expression;
    for (size_t k = 0; e && k < e->column_count; k++)
      if (has_value(s, e->columns[k])) take(s, e->columns[k], a);
  }
}

/* True if the observable differs between instances; energy_error is an error, not an answer. */
static bool differs(const omr_statistics *s, size_t q) {
  const omr_moments *m = &s->quantities[q].moments;
  if (strcmp(s->quantities[q].name, "energy_error") == 0) return false;
  if (s->rows == 1) return isfinite(s->quantities[q].first);
  const double largest = fmax(fabs(m->min), fabs(m->max));
  return m->used > 0 && largest > ROUNDING && m->max - m->min > ROUNDING * largest;
}

static void take_usual(const omr_statistics *s, omr_answer *a) {
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
    const size_t q = find(s, usual[i]);
    if (q < s->quantity_count && differs(s, q)) take(s, q, a);
  }
  for (size_t q = s->parameter_count; q < s->quantity_count; q++)
    if (differs(s, q)) take(s, q, a);
  for (size_t q = s->parameter_count; q < s->quantity_count && a->asked_count == 0; q++)
    if (has_value(s, q)) take(s, q, a);
}

bool omr_answer_ask(const omr_study *study, const omr_statistics *s, omr_answer *a) {
  a->asked = omr_pool_take(&a->memory, s->criterion_count + s->quantity_count, sizeof *a->asked);
  if (!a->asked) return false;
  take_criteria(study, s, a);
  const size_t criteria = a->asked_count;
  const bool asks = study && study->asks;
  if (study && (asks || criteria == 0)) take_list(study, s, a);
  if (!asks) take_named(s, a);
  a->given = a->asked_count > 0;
  if (a->asked_count == criteria && !asks) take_usual(s, a);
  return true;
}
