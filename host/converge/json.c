/* A convergence for programs. */
#include "../study/parse.h"
#include "converge.h"

#include <cjson/cJSON.h>
#include <math.h>

/* null where it is not finite */
static void number(cJSON *to, const char *name, double value) {
  cJSON_AddItemToObject(to, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void text(cJSON *to, const char *name, const char *value) {
  cJSON_AddStringToObject(to, name, value ? value : "");
}

static void way(cJSON *to, const omr_way *w) {
  text(to, "method", omr_method_kinds[w->method].name);
  text(to, "precision", w->precision == OMR_SINGLE_PRECISION ? "single" : "double");
  number(to, "step", w->step > 0 ? w->step : (double)NAN);
  number(to, "tolerance", w->tolerance > 0 ? w->tolerance : (double)NAN);
}

static cJSON *quantity(const omr_converge_quantity *q) {
  cJSON *to = cJSON_CreateObject();
  text(to, "name", q->name);
  text(to, "unit", q->unit);
  text(to, "kind", q->of_criterion ? "criterion" : "observable");
  number(to, "truth", q->truth);
  number(to, "scale", q->scale);
  text(to, "relative_to", q->relative);
  number(to, "accepted", q->most);
  cJSON_AddBoolToObject(to, "given", q->given);
  number(to, "doubt", q->doubt);
  number(to, "doubt_worst", q->doubt_worst);
  return to;
}

static cJSON *errors(const omr_converge *c, const omr_converge_row *row) {
  cJSON *to = cJSON_CreateObject();
  for (size_t i = 0; i < c->quantity_count; i++) {
    cJSON *one = cJSON_AddObjectToObject(to, c->quantities[i].name);
    number(one, "mean", row->errors[i].mean);
    number(one, "median", row->errors[i].median);
    number(one, "worst", row->errors[i].worst);
  }
  return to;
}

static cJSON *row_json(const omr_converge *c, const omr_converge_row *row) {
  cJSON *to = cJSON_CreateObject();
  way(to, &row->way);
  number(to, "speed", row->speed);
  number(to, "slowest", row->slowest);
  number(to, "rounds", row->rounds);
  number(to, "seconds", row->seconds);
  number(to, "passes", row->passes);
  number(to, "failed", (double)row->failed);
  number(to, "error_over_accepted", row->worst);
  if (isnan(row->worst))
    cJSON_AddNullToObject(to, "worst_of");
  else
    text(to, "worst_of", c->quantities[row->worst_of].name);
  cJSON_AddBoolToObject(to, "accepted", row->accepted);
  cJSON_AddBoolToObject(to, "own", row->own);
  cJSON_AddItemToObject(to, "errors", errors(c, row));
  return to;
}

/* null: none is accurate enough */
static void choice(cJSON *to, const char *name, const omr_converge *c, omr_precision precision) {
  const ptrdiff_t row = c->choice[precision];
  if (row < 0) {
    cJSON_AddNullToObject(to, name);
    return;
  }
  cJSON *one = cJSON_AddObjectToObject(to, name);
  number(one, "row", (double)row);
  way(one, &c->rows[row].way);
  number(one, "speed", c->rows[row].speed);
}

static void add_head(const omr_converge *c, cJSON *root) {
  text(root, "study", c->study->name);
  text(root, "title", c->study->title);
  text(root, "study_hash", c->study->hash);
  number(root, "instances", (double)c->instances);
  number(root, "of", (double)c->of);
  number(root, "used", (double)c->used);
  number(root, "timed", (double)c->timed);
  number(root, "duration", c->study->duration);
  text(root, "backend", c->backend);
  text(root, "device", c->device);
  text(root, "speed_per", c->per_device ? "device" : "core");
  cJSON_AddBoolToObject(root, "by_default", c->by_default);
  cJSON *truth = cJSON_AddObjectToObject(root, "truth");
  cJSON_AddBoolToObject(truth, "reference", c->by_reference);
  if (!c->by_reference) way(truth, &c->truth);
  number(root, "seconds", c->seconds);
}

cJSON *omr_converge_tree(const omr_converge *c) {
  cJSON *root = cJSON_CreateObject();
  if (!root) return NULL;
  add_head(c, root);
  cJSON *quantities = cJSON_AddArrayToObject(root, "quantities"),
        *rows = cJSON_AddArrayToObject(root, "rows");
  for (size_t i = 0; i < c->quantity_count; i++)
    cJSON_AddItemToArray(quantities, quantity(&c->quantities[i]));
  for (size_t i = 0; i < c->row_count; i++) cJSON_AddItemToArray(rows, row_json(c, &c->rows[i]));
  size_t shown[OMR_CONVERGE_SHOWN];
  const size_t count = omr_converge_shown(c, NULL, shown);
  cJSON *names = cJSON_AddArrayToObject(root, "shown");
  for (size_t i = 0; i < count; i++)
    cJSON_AddItemToArray(names, cJSON_CreateString(c->quantities[shown[i]].name));
  cJSON *cheapest = cJSON_AddObjectToObject(root, "cheapest");
  choice(cheapest, "double", c, OMR_DOUBLE);
  choice(cheapest, "single", c, OMR_SINGLE_PRECISION);
  number(root, "single_time", c->single_time);
  number(root, "single_difference", c->single_difference);
  cJSON *notes = cJSON_AddArrayToObject(root, "notes");
  for (size_t i = 0; i < c->note_count; i++)
    cJSON_AddItemToArray(notes, cJSON_CreateString(c->notes[i]));
  return root;
}
