/* Chooses the observables that the short summary shows. */
#include "../study/expression/expression.h"
#include "../study/json/json.h"
#include "brief_parts.h"

#include <math.h>
#include <string.h>

/* The default choice; the figures and the report have the same (analysis/omniroll/plot.py). */
static const char *const usual[] = {
    "max_servo_torque", "max_cross_track",   "max_deviation", "odometry_error", "vibration_rms",
    "path_length",      "max_slip",          "min_load",      "final_x",        "final_z",
    "final_y",          "dissipated_energy", "final_yaw"};

#define ROUNDING 1e-12

typedef struct choice {
  const omr_statistics *s;
  size_t most, count, of;
  size_t *shown;
} choice;

static size_t find(const omr_statistics *s, const char *name) {
  for (size_t q = s->parameter_count; q < s->quantity_count; q++)
    if (strcmp(s->quantities[q].name, name) == 0) return q;
  return s->quantity_count;
}

static void take(choice *c, size_t q) {
  if (q < c->s->parameter_count || q >= c->s->quantity_count) return;
  if (c->s->quantities[q].moments.used == 0 && c->s->rows > 1) return;
  for (size_t i = 0; i < c->count; i++)
    if (c->shown[i] == q) return;
  if (c->count < c->most) c->shown[c->count++] = q;
}

static void take_criteria(choice *c) {
  for (size_t i = 0; i < c->s->criterion_count; i++) {
    const omr_expression *e = c->s->criteria[i].expression;
    for (size_t k = 0; e && k < e->column_count; k++) take(c, e->columns[k]);
  }
}

static void take_asked(choice *c, const char *study) {
  cJSON *root = study && *study ? cJSON_Parse(study) : NULL;
  const cJSON *list = omr_json_get(omr_json_get(root, "output"), "observables"), *item;
  cJSON_ArrayForEach(item, list) if (cJSON_IsString(item)) take(c, find(c->s, item->valuestring));
  cJSON_Delete(root);
}

/* True if the observable differs between instances; energy_error is an error, not an answer. */
static bool differs(const omr_statistics *s, size_t q) {
  const omr_moments *m = &s->quantities[q].moments;
  if (strcmp(s->quantities[q].name, "energy_error") == 0) return false;
  if (s->rows == 1) return isfinite(s->quantities[q].first);
  const double largest = fmax(fabs(m->min), fabs(m->max));
  return m->used > 0 && largest > ROUNDING && m->max - m->min > ROUNDING * largest;
}

static void take_usual(choice *c) {
  const omr_statistics *s = c->s;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
    const size_t q = find(s, usual[i]);
    if (q < s->quantity_count && differs(s, q)) take(c, q);
  }
  for (size_t q = s->parameter_count; q < s->quantity_count; q++)
    if (differs(s, q)) take(c, q);
  for (size_t q = s->parameter_count; q < s->quantity_count && c->count == 0; q++) take(c, q);
}

size_t omr_brief_choose(const omr_brief *brief, size_t most, size_t *shown, size_t *of) {
  const omr_statistics *s = brief->statistics;
  choice c = {.s = s, .most = most, .shown = shown};
  *of = 0;
  for (size_t q = s->parameter_count; q < s->quantity_count; q++)
    *of += s->rows == 1 ? isfinite(s->quantities[q].first) != 0 : s->quantities[q].moments.used > 0;
  take_criteria(&c);
  if (c.count == 0) take_asked(&c, brief->head->study_text);
  if (c.count == 0) take_usual(&c);
  return c.count;
}
