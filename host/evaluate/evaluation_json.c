/* Evaluators and evaluations for programs. */
#include "../include/omniroll/evaluate.h"
#include "../study/json/json.h"
#include "evaluation.h"
#include "evaluator.h"

#include <math.h>
#include <string.h>

static void append(cJSON *list, double value) {
  omr_tree_append(list, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

/* The goals of one kind. */
static void add_goals(cJSON *root, const omr_goals *goals, const omr_goal_set *set,
                      const double *limits, bool constraints) {
  cJSON *list = omr_tree_list(root, constraints ? "constraints" : "objectives");
  for (size_t g = 0; g < goals->count; g++) {
    if (goals->list[g].constraint != constraints) continue;
    cJSON *goal = omr_tree_row(list);
    omr_tree_text(goal, "name", goals->list[g].name);
    omr_tree_text(goal, "text", goals->list[g].text);
    omr_tree_text(goal, "unit", set->goal ? set->goal[g]->number->unit : "1");
    if (!constraints) omr_tree_bool(goal, "maximize", goals->list[g].maximize);
    if (!constraints) continue;
    omr_tree_number(goal, "limit", limits[g]);
    omr_tree_bool(goal, "above", set->goal && set->goal[g]->above);
  }
}

static void add_variable(cJSON *list, const omr_candidate_variable *variable) {
  cJSON *item = omr_tree_row(list);
  omr_tree_text(item, "path", variable->path);
  omr_tree_text(item, "unit", variable->unit);
  omr_tree_number(item, "low", variable->low);
  omr_tree_number(item, "high", variable->high);
  omr_tree_bool(item, "whole", variable->whole);
  if (!variable->words) return;
  cJSON *words = omr_tree_list(item, "words");
  for (size_t w = 0; w < variable->word_count; w++)
    omr_tree_append(words, cJSON_CreateString(variable->words[w]));
}

/* The columns that a run of the study will have. */
static omr_status make_set(const omr_study *study, omr_goal_set *set, omr_error *error) {
  omr_result *empty = NULL;
  omr_source *source = NULL;
  omr_part none = omr_part_of(study);
  none.rows = 0;
  none.traced_count = 0;
  omr_status status = omr_result_make(&none, &empty, error);
  if (status == OMR_OK) status = omr_source_of_result(empty, &source, error);
  if (status == OMR_OK)
    status = omr_goal_set_make(study, source->info, source->columns, set, error);
  omr_source_close(source);
  omr_result_destroy(empty);
  return status;
}

omr_status omr_evaluator_about_json(const omr_evaluator *evaluator, char **json, omr_error *error) {
  const omr_study *study = evaluator->study;
  omr_goal_set set = {0};
  double limits[128], terms[OMR_GOAL_TERMS] = {0};
  *json = NULL;
  const omr_status status = make_set(study, &set, error);
  if (status != OMR_OK) {
    omr_goal_set_free(&set);
    return status;
  }
  for (size_t g = 0; g < study->goals.count && g < 128; g++)
    limits[g] = set.goal[g]->condition ? omr_goal_limit(set.goal[g], terms) : (double)NAN;

  cJSON *root = cJSON_CreateObject(), *variables = omr_tree_list(root, "variables");
  omr_tree_text(root, "title", study->title);
  for (size_t v = 0; v < study->candidates.variable_count; v++)
    add_variable(variables, &study->candidates.variables[v]);
  add_goals(root, &study->goals, &set, limits, false);
  add_goals(root, &study->goals, &set, limits, true);
  omr_tree_number(root, "per_candidate", (double)study->sample.points);
  omr_tree_bool(root, "drawn", set.drawn);
  omr_tree_number(root, "seed", (double)study->design.seed);
  omr_tree_number(root, "tolerance", study->time.tolerance);
  omr_tree_number(root, "step", study->time.step);
  omr_goal_set_free(&set);
  return omr_json_give(root, json, error);
}

/* A list with an element for each candidate: of goals of one kind, what `of` takes of them. */
static void add_table(cJSON *root, const char *name, const omr_evaluation *e, bool constraints,
                      double (*of)(const omr_candidate *, size_t)) {
  cJSON *list = omr_tree_list(root, name);
  for (size_t i = 0; i < e->table.count; i++) {
    cJSON *row = cJSON_CreateArray();
    for (size_t g = 0; g < e->goals.count; g++)
      if (e->goals.list[g].constraint == constraints) append(row, of(&e->candidates[i], g));
    omr_tree_append(list, row);
  }
}

static double value_of(const omr_candidate *c, size_t g) {
  return c->goals[g].value;
}
static double low_of(const omr_candidate *c, size_t g) {
  return c->goals[g].bounds.low;
}
static double high_of(const omr_candidate *c, size_t g) {
  return c->goals[g].bounds.high;
}
static double step_of(const omr_candidate *c, size_t g) {
  return c->step[g];
}
static double margin_of(const omr_candidate *c, size_t g) {
  return c->goals[g].margin;
}
static double holds_of(const omr_candidate *c, size_t g) {
  return c->goals[g].holds;
}
static double difference_of(const omr_candidate *c, size_t g) {
  return c->apart[g].difference;
}
static double least_of(const omr_candidate *c, size_t g) {
  return c->apart[g].bounds.low;
}
static double most_of(const omr_candidate *c, size_t g) {
  return c->apart[g].bounds.high;
}

static void add_candidates(cJSON *root, const omr_evaluation *e) {
  cJSON *status = omr_tree_list(root, "status"), *draws = omr_tree_list(root, "draws"),
        *failed = omr_tree_list(root, "failed"), *feasible = omr_tree_list(root, "feasible"),
        *holds = omr_tree_list(root, "holds"), *front = omr_tree_list(root, "front");
  for (size_t i = 0; i < e->table.count; i++) {
    const omr_candidate *c = &e->candidates[i];
    omr_text text = {0};
    if (e->table.refused[i])
      omr_text_print(&text, "refused: %s", e->table.refused[i]);
    else
      omr_text_print(&text, "%s", c->status ? c->status : "");
    omr_tree_append(status, text.failed ? NULL : cJSON_CreateString(text.data));
    omr_text_free(&text);
    append(draws, (double)c->draws);
    append(failed, c->draws ? (double)c->failed / (double)c->draws : (double)NAN);
    omr_tree_append(feasible, cJSON_CreateBool(c->feasible));
    append(holds, c->holds);
    omr_tree_append(front, cJSON_CreateBool(c->front));
  }
}

omr_status omr_evaluation_json(const omr_evaluation *e, char **json, omr_error *error) {
  cJSON *root = cJSON_CreateObject();
  const omr_goal_set none = {0}, *set = &none;
  for (size_t g = 0; g < e->group_count && !set->goal; g++) set = &e->groups[g].set;
  omr_tree_text(root, "study", e->name);
  omr_tree_add(root, "paths", cJSON_Duplicate(e->table.paths, true));
  omr_tree_add(root, "rows", cJSON_Duplicate(e->table.rows, true));
  add_goals(root, &e->goals, set, e->limits, false);
  add_goals(root, &e->goals, set, e->limits, true);
  add_candidates(root, e);

  /* Objectives, and how far they are from the best. */
  add_table(root, "values", e, false, value_of);
  add_table(root, "low", e, false, low_of);
  add_table(root, "high", e, false, high_of);
  add_table(root, "step", e, false, step_of);
  cJSON *best = omr_tree_list(root, "best");
  for (size_t o = 0; o < e->goals.objectives; o++)
    append(best, e->best[o] == SIZE_MAX ? (double)NAN : (double)e->best[o]);
  add_table(root, "difference", e, false, difference_of);
  add_table(root, "difference_low", e, false, least_of);
  add_table(root, "difference_high", e, false, most_of);

  /* Constraints. */
  add_table(root, "constraint_values", e, true, value_of);
  add_table(root, "constraint_low", e, true, low_of);
  add_table(root, "constraint_high", e, true, high_of);
  add_table(root, "constraint_step", e, true, step_of);
  add_table(root, "margins", e, true, margin_of);
  add_table(root, "constraint_holds", e, true, holds_of);
  omr_tree_number(root, "integrating", e->integrating);
  omr_tree_number(root, "seconds", e->seconds);
  return omr_json_give(root, json, error);
}
