/* A convergence as JSON. */
#include "../study/grammar/reader.h"
#include "../support/tree.h"
#include "converge.h"

#include <math.h>

static void way(cJSON *to, const omr_way *w) {
  omr_tree_text(to, "method", omr_method_kinds[w->method].name);
  omr_tree_text(to, "precision", w->precision == OMR_SINGLE_PRECISION ? "single" : "double");
  omr_tree_number(to, "step", w->step > 0 ? w->step : (double)NAN);
  omr_tree_number(to, "tolerance", w->tolerance > 0 ? w->tolerance : (double)NAN);
}

static cJSON *quantity(const omr_converge_quantity *q) {
  cJSON *to = cJSON_CreateObject();
  omr_tree_text(to, "name", q->name);
  omr_tree_text(to, "unit", q->unit);
  omr_tree_text(to, "kind", q->of_criterion ? "criterion" : "observable");
  omr_tree_number(to, "truth", q->truth);
  omr_tree_number(to, "scale", q->scale);
  omr_tree_text(to, "relative_to", q->relative);
  omr_tree_number(to, "accepted", q->most);
  omr_tree_bool(to, "given", q->given);
  omr_tree_number(to, "doubt", q->doubt);
  omr_tree_number(to, "doubt_worst", q->doubt_worst);
  return to;
}

static cJSON *errors(const omr_converge *c, const omr_converge_row *row) {
  cJSON *to = cJSON_CreateObject();
  for (size_t i = 0; i < c->quantity_count; i++) {
    cJSON *one = omr_tree_object(to, c->quantities[i].name);
    omr_tree_number(one, "mean", row->errors[i].mean);
    omr_tree_number(one, "median", row->errors[i].median);
    omr_tree_number(one, "worst", row->errors[i].worst);
  }
  return to;
}

static cJSON *row_json(const omr_converge *c, const omr_converge_row *row) {
  cJSON *to = cJSON_CreateObject();
  way(to, &row->way);
  omr_tree_number(to, "speed", row->speed);
  omr_tree_number(to, "slowest", row->slowest);
  omr_tree_number(to, "rounds", row->rounds);
  omr_tree_number(to, "seconds", row->seconds);
  omr_tree_number(to, "passes", row->passes);
  omr_tree_number(to, "failed", (double)row->failed);
  omr_tree_number(to, "error_over_accepted", row->worst);
  if (isnan(row->worst))
    omr_tree_null(to, "worst_of");
  else
    omr_tree_text(to, "worst_of", c->quantities[row->worst_of].name);
  omr_tree_bool(to, "accepted", row->accepted);
  omr_tree_bool(to, "own", row->own);
  omr_tree_add(to, "errors", errors(c, row));
  return to;
}

/* null: no way is accurate enough */
static void choice(cJSON *to, const char *name, const omr_converge *c, omr_precision precision) {
  const ptrdiff_t row = c->choice[precision];
  if (row < 0) {
    omr_tree_null(to, name);
    return;
  }
  cJSON *one = omr_tree_object(to, name);
  omr_tree_number(one, "row", (double)row);
  way(one, &c->rows[row].way);
  omr_tree_number(one, "speed", c->rows[row].speed);
}

static void add_head(const omr_converge *c, cJSON *root) {
  omr_tree_text(root, "study", c->study->name);
  omr_tree_text(root, "title", c->study->title);
  omr_tree_text(root, "study_hash", c->study->hash);
  omr_tree_number(root, "instances", (double)c->instances);
  omr_tree_number(root, "of", (double)c->of);
  omr_tree_number(root, "used", (double)c->used);
  omr_tree_number(root, "timed", (double)c->timed);
  omr_tree_number(root, "duration", c->study->time.duration);
  omr_tree_text(root, "backend", c->backend);
  omr_tree_text(root, "device", c->device);
  omr_tree_text(root, "speed_per", c->per_device ? "device" : "core");
  omr_tree_bool(root, "by_default", c->by_default);
  cJSON *truth = omr_tree_object(root, "truth");
  omr_tree_bool(truth, "reference", c->by_reference);
  if (!c->by_reference) way(truth, &c->truth);
  omr_tree_number(root, "seconds", c->seconds);
}

cJSON *omr_converge_tree(const omr_converge *c) {
  cJSON *root = cJSON_CreateObject();
  if (!root) return NULL;
  add_head(c, root);

  /* All quantities and rows. */
  cJSON *quantities = omr_tree_list(root, "quantities"), *rows = omr_tree_list(root, "rows");
  for (size_t i = 0; i < c->quantity_count; i++)
    omr_tree_append(quantities, quantity(&c->quantities[i]));
  for (size_t i = 0; i < c->row_count; i++) omr_tree_append(rows, row_json(c, &c->rows[i]));

  /* The names that a table would show. */
  size_t shown[OMR_CONVERGE_SHOWN];
  const size_t count = omr_converge_shown(c, NULL, shown);
  cJSON *names = omr_tree_list(root, "shown");
  for (size_t i = 0; i < count; i++)
    omr_tree_append(names, cJSON_CreateString(c->quantities[shown[i]].name));

  /* The choices, and single against double precision. */
  cJSON *cheapest = omr_tree_object(root, "cheapest");
  choice(cheapest, "double", c, OMR_DOUBLE);
  choice(cheapest, "single", c, OMR_SINGLE_PRECISION);
  omr_tree_number(root, "single_time", c->single_time);
  omr_tree_number(root, "single_difference", c->single_difference);

  cJSON *notes = omr_tree_list(root, "notes");
  for (size_t i = 0; i < c->note_count; i++)
    omr_tree_append(notes, cJSON_CreateString(c->notes[i]));
  return root;
}
