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
  double limits[128];
  *json = NULL;

  /* The limits of constraints are in the goals' expressions. */
  const omr_status status = make_set(study, &set, error);
  if (status != OMR_OK) {
    omr_goal_set_free(&set);
    return status;
  }
  for (size_t g = 0; g < study->goals.count && g < 128; g++) limits[g] = set.goal[g]->limit;

  cJSON *root = cJSON_CreateObject(), *variables = omr_tree_list(root, "variables");
  omr_tree_text(root, "title", study->title);
  for (size_t v = 0; v < study->candidates.variable_count; v++)
    add_variable(variables, &study->candidates.variables[v]);
  add_goals(root, &study->goals, &set, limits, false);
  add_goals(root, &study->goals, &set, limits, true);

  /* How candidates are sampled and integrated. */
  omr_tree_number(root, "per_candidate", (double)study->sample.points);
  omr_tree_bool(root, "drawn", set.drawn);
  omr_tree_number(root, "failed_limit",
                  study->statistics.failed_limit_given ? study->statistics.failed_limit : 0);
  omr_tree_number(root, "seed", (double)study->design.seed);
  omr_tree_number(root, "tolerance", study->time.tolerance);
  omr_tree_number(root, "step", study->time.step);

  omr_goal_set_free(&set);
  return omr_json_give(root, json, error);
}

/* Numbers of the candidates: one of each, true or false, or one for each objective or constraint.
 */
typedef enum extent { EACH, TRUTH, OBJECTIVES, CONSTRAINTS } extent;

/* The structure that a number is a member of: the candidate, or one of its goals. */
typedef enum owner { CANDIDATE, GOAL, APART, STEP } owner;

static const struct numbers {
  const char *name;
  extent extent;
  owner owner;
  size_t at;
} tables[] = {
#define OF_CANDIDATE(member) CANDIDATE, offsetof(omr_candidate, member)
#define OF_GOAL(member) GOAL, offsetof(omr_goal_estimate, member)
#define OF_APART(member) APART, offsetof(omr_goal_apart, member)
    {"draws", EACH, OF_CANDIDATE(draws)},
    {"failed", EACH, OF_CANDIDATE(failed)},
    {"feasible", TRUTH, OF_CANDIDATE(feasible)},
    {"holds", EACH, OF_CANDIDATE(holds)},
    {"front", TRUTH, OF_CANDIDATE(front)},
    {"values", OBJECTIVES, OF_GOAL(value)},
    {"low", OBJECTIVES, OF_GOAL(bounds.low)},
    {"high", OBJECTIVES, OF_GOAL(bounds.high)},
    {"step", OBJECTIVES, STEP, 0},
    {"difference", OBJECTIVES, OF_APART(difference)},
    {"difference_low", OBJECTIVES, OF_APART(bounds.low)},
    {"difference_high", OBJECTIVES, OF_APART(bounds.high)},
    {"constraint_values", CONSTRAINTS, OF_GOAL(value)},
    {"constraint_low", CONSTRAINTS, OF_GOAL(bounds.low)},
    {"constraint_high", CONSTRAINTS, OF_GOAL(bounds.high)},
    {"constraint_step", CONSTRAINTS, STEP, 0},
    {"margins", CONSTRAINTS, OF_GOAL(margin)},
    {"constraint_holds", CONSTRAINTS, OF_GOAL(holds)},
};
enum { TABLES = sizeof tables / sizeof *tables };

static double number_of(const struct numbers *table, const omr_candidate *c, size_t g) {
  const void *const owners[] = {[CANDIDATE] = c,
                                [GOAL] = &c->goals[g],
                                [APART] = table->owner == APART ? &c->apart[g] : NULL,
                                [STEP] = &c->step[g]};
  const void *at = (const char *)owners[table->owner] + table->at;
  if (table->extent == TRUTH) return *(const bool *)at;
  if (at == &c->draws) return (double)c->draws;
  if (at == &c->failed) return c->draws ? (double)c->failed / (double)c->draws : (double)NAN;
  return *(const double *)at;
}

/* Goals of a table, from the first one to the end. */
static size_t goals_of(const omr_evaluation *e, extent extent, size_t *end) {
  *end = extent == CONSTRAINTS ? e->goals.count : extent == OBJECTIVES ? e->goals.objectives : 1;
  return extent == CONSTRAINTS ? e->goals.objectives : 0;
}

bool omr_evaluation_numbers(const omr_evaluation *e, const char *name, double *numbers) {
  for (size_t t = 0; t < TABLES; t++) {
    if (strcmp(tables[t].name, name) != 0) continue;
    size_t end, at = 0;
    const size_t first = goals_of(e, tables[t].extent, &end);
    for (size_t i = 0; i < e->table.count; i++)
      for (size_t g = first; g < end; g++)
        numbers[at++] = number_of(&tables[t], &e->candidates[i], g);
    return true;
  }
  return false;
}

const char *omr_evaluation_status(const omr_evaluation *e, size_t candidate) {
  if (candidate >= e->table.count) return NULL;
  const char *status = e->candidates[candidate].status;
  return status ? status : "";
}

double omr_evaluation_seconds(const omr_evaluation *e, double *integrating) {
  if (integrating) *integrating = e->integrating;
  return e->seconds;
}

static void add_table(cJSON *root, const omr_evaluation *e, const struct numbers *table) {
  size_t end;
  const size_t first = goals_of(e, table->extent, &end);
  cJSON *list = omr_tree_list(root, table->name);
  for (size_t i = 0; i < e->table.count; i++) {
    const omr_candidate *c = &e->candidates[i];
    cJSON *row =
        table->extent == OBJECTIVES || table->extent == CONSTRAINTS ? cJSON_CreateArray() : NULL;
    for (size_t g = first; row && g < end; g++) append(row, number_of(table, c, g));
    if (row)
      omr_tree_append(list, row);
    else if (table->extent == TRUTH)
      omr_tree_append(list, cJSON_CreateBool(number_of(table, c, 0) != 0));
    else
      append(list, number_of(table, c, 0));
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
  cJSON *status = omr_tree_list(root, "status"), *best = omr_tree_list(root, "best");
  for (size_t i = 0; i < e->table.count; i++)
    omr_tree_append(status, cJSON_CreateString(omr_evaluation_status(e, i)));
  for (size_t o = 0; o < e->goals.objectives; o++)
    append(best, e->best[o] == SIZE_MAX ? (double)NAN : (double)e->best[o]);
  for (size_t t = 0; t < TABLES; t++) add_table(root, e, &tables[t]);
  omr_tree_number(root, "integrating", e->integrating);
  omr_tree_number(root, "seconds", e->seconds);
  return omr_json_give(root, json, error);
}
