/* The answer for programs. */
#include "../support/tree.h"
#include "answer.h"

#include <math.h>
#include <stdlib.h>

const char *const omr_best_words[] = {[OMR_BEST_NONE] = "",
                                      [OMR_BEST_SMALLER] = "smaller",
                                      [OMR_BEST_LARGER] = "larger",
                                      [OMR_BEST_TARGET] = "target"};
const char *const omr_answer_row_words[] = {[OMR_ANSWER_WHOLE] = "whole",
                                            [OMR_ANSWER_CELLS] = "cells",
                                            [OMR_ANSWER_INSTANCES] = "instances"};
static const char *const mark_words[] = {[OMR_MARK_BEST] = "best", [OMR_MARK_AS_GOOD] = "as_good"};

static void add_asked(cJSON *list, const omr_asked *asked) {
  cJSON *item = omr_tree_row(list);
  omr_tree_text(item, "name", asked->name);
  omr_tree_text(item, "unit", asked->unit);
  omr_tree_text(item, "kind", asked->of_criterion ? "criterion" : "observable");
  omr_tree_text(item, "meaning", asked->meaning);
  if (asked->best != OMR_BEST_NONE) omr_tree_text(item, "best", omr_best_words[asked->best]);
  if (asked->best == OMR_BEST_TARGET) omr_tree_number(item, "target", asked->target);
}

static void add_value(cJSON *object, const omr_statistics *s, size_t row, size_t asked) {
  const omr_answer_value *v = omr_answer_at(s->answer, row, asked);
  cJSON *item = omr_tree_object(object, s->answer->asked[asked].name);
  omr_tree_number(item, "value", v->value);
  if (isnan(v->value)) {
    char why[400];
    omr_answer_absent(s, row, asked, why, sizeof why);
    omr_tree_text(item, "absent", why);
  }
  if (!isnan(v->bounds.low)) omr_tree_number(item, "low", v->bounds.low);
  if (!isnan(v->bounds.high)) omr_tree_number(item, "high", v->bounds.high);
  if (!isnan(v->step)) omr_tree_number(item, "step_error", v->step);
  omr_tree_number(item, "used", (double)v->used);
  omr_tree_number(item, "of", (double)v->of);
  if (v->mark != OMR_MARK_NONE) omr_tree_text(item, "mark", mark_words[v->mark]);
}

static void add_row(cJSON *list, const omr_statistics *s, size_t row) {
  const omr_answer *a = s->answer;
  cJSON *item = omr_tree_row(list);
  if (a->rows != OMR_ANSWER_WHOLE)
    omr_tree_number(item, a->rows == OMR_ANSWER_CELLS ? "cell" : "row", (double)a->number[row]);
  cJSON *design = omr_tree_object(item, "design"), *values;
  for (size_t d = 0; d < a->design_count; d++)
    omr_tree_number(design, s->quantities[a->design[d]].name,
                    a->designs[row * a->design_count + d]);
  values = omr_tree_object(item, "values");
  for (size_t i = 0; i < a->asked_count; i++) add_value(values, s, row, i);
}

static void add_threshold(cJSON *list, const omr_statistics *s, const omr_threshold *t) {
  char text[600];
  cJSON *item = omr_tree_row(list);
  omr_threshold_tell(s, t, text, sizeof text);
  omr_tree_text(item, "says", text);
  omr_tree_text(item, "asked", s->answer->asked[t->asked].name);
  omr_tree_text(item, "along", s->quantities[s->answer->design[t->along]].name);
  omr_tree_number(item, "at", t->at);
  omr_tree_number(item, "low", t->bounds.low);
  omr_tree_number(item, "high", t->bounds.high);
}

void omr_answer_print_json(const omr_statistics *s, FILE *out) {
  const omr_answer *a = s->answer;
  cJSON *root = cJSON_CreateObject();
  if (a) {
    omr_tree_text(root, "rows_are", omr_answer_row_words[a->rows]);
    omr_tree_number(root, "designs", (double)a->of);
    cJSON *asked = omr_tree_list(root, "asked"), *rows = omr_tree_list(root, "rows"),
          *thresholds = omr_tree_list(root, "thresholds");
    for (size_t i = 0; i < a->asked_count; i++) add_asked(asked, &a->asked[i]);
    for (size_t r = 0; r < a->row_count; r++) add_row(rows, s, r);
    for (size_t t = 0; t < a->threshold_count; t++) add_threshold(thresholds, s, &a->thresholds[t]);
  }
  char *text = omr_tree_whole(root) ? cJSON_PrintUnformatted(root) : NULL;
  fprintf(out, "%s", text ? text : "null");
  free(text);
  cJSON_Delete(root);
}
