/* Sections "objectives" and "constraints": what is good in a candidate, and what it has to keep. */
#include "../accept.h"
#include "../expression/goal.h"
#include "../system/graph_names.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_GOALS = 64 };

void omr_goals_free(omr_goals *goals) {
  for (size_t i = 0; i < goals->count; i++) {
    free(goals->list[i].name);
    free(goals->list[i].text);
  }
  free(goals->list);
  *goals = (omr_goals){0};
}

/* A study that asks for nothing asks for what its objectives and constraints are made of. */
static omr_status ask_for(omr_reader *reader, const omr_goal_expression *goal, omr_best best) {
  for (size_t t = 0; t < goal->term_count; t++) {
    const omr_expression *of = goal->term[t].of;
    for (size_t c = 0; c < of->column_count; c++) {
      const int j = omr_observable_of_column(reader->study, of->columns[c]);
      if (j >= 0) OMR_TRY(omr_ask_for(reader, j, best));
    }
  }
  return OMR_OK;
}

static omr_status check_text(omr_reader *reader, const cJSON *item, const omr_names *names,
                             bool constraint, omr_best best) {
  omr_goal_expression *goal = NULL;
  omr_error found = {0};
  const omr_status status = omr_goal_parse(item->valuestring, constraint, names, &goal, &found);
  const bool only = status == OMR_OK && omr_goal_only(goal) != NULL && !constraint;
  const omr_status asked = status == OMR_OK && reader->asks_for_goals
                               ? ask_for(reader, goal, only ? best : OMR_BEST_NONE)
                               : OMR_OK;
  omr_goal_destroy(goal);
  if (status == OMR_OK) return asked;
  return status == OMR_ERR_STUDY ? OMR_REFUSE(reader, item, "%s", found.message)
                                 : omr_fail_memory(reader);
}

/* The text of an objective, and its direction. */
static omr_status read_objective(omr_reader *reader, const cJSON *item, const cJSON **text,
                                 bool *maximize) {
  if (!cJSON_IsObject(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected an object: {\"minimize\": \"mean(vibration_rms)\"}");
  OMR_TRY(omr_read_keys(reader, item, OMR_SECTION_OBJECTIVE, NULL));
  const cJSON *small = omr_json_get(item, "minimize"), *large = omr_json_get(item, "maximize");
  if (!small == !large)
    return OMR_REFUSE(reader, item, "an objective has either \"minimize\" or \"maximize\"");
  *text = small ? small : large;
  *maximize = large != NULL;
  return OMR_OK;
}

static omr_status read_goal(omr_reader *reader, const cJSON *item, bool constraint,
                            const omr_names *names) {
  omr_goals *goals = &reader->study->goals;
  const cJSON *text = item;
  bool maximize = false;
  OMR_TRY(omr_check_given_name(reader, item, item->string));
  for (size_t i = 0; i < goals->count; i++)
    if (strcmp(goals->list[i].name, item->string) == 0)
      return OMR_REFUSE(reader, item, "\"%s\" is an objective already; choose another name",
                        item->string);
  if (constraint && strcmp(item->string, "failed") == 0)
    return OMR_REFUSE(reader, item,
                      "\"failed\" is the share of failed vehicles, which statistics.failed_limit "
                      "bounds; choose another name");
  if (!constraint) OMR_TRY(read_objective(reader, item, &text, &maximize));
  if (!cJSON_IsString(text))
    return OMR_MISTAKEN(reader, text, OMR_MISTAKE_TYPE,
                        "expected a comparison as text, \"probability(off_course) <= 5 %%\"");
  OMR_TRY(
      check_text(reader, text, names, constraint, maximize ? OMR_BEST_LARGER : OMR_BEST_SMALLER));
  omr_goal *goal = &goals->list[goals->count++];
  *goal = (omr_goal){strdup(item->string), strdup(text->valuestring), constraint, maximize};
  goals->objectives += !constraint;
  return goal->name && goal->text ? OMR_OK : omr_fail_memory(reader);
}

static omr_status read_goals(omr_reader *reader, const cJSON *objectives, const cJSON *constraints,
                             const omr_names *names) {
  const cJSON *item;
  cJSON_ArrayForEach(item, objectives) OMR_TRY(read_goal(reader, item, false, names));
  cJSON_ArrayForEach(item, constraints) OMR_TRY(read_goal(reader, item, true, names));
  return OMR_OK;
}

omr_status omr_read_objectives(omr_reader *reader, const cJSON *root) {
  const size_t criteria = reader->study->statistics.criterion_count;
  const cJSON *objectives, *constraints;
  OMR_TRY(omr_read_object(reader, root, "objectives", &objectives));
  OMR_TRY(omr_read_object(reader, root, "constraints", &constraints));
  if (!objectives && !constraints) return OMR_OK;
  reader->asks_for_goals = reader->study->ask_count == 0;
  const size_t count =
      (size_t)cJSON_GetArraySize(objectives) + (size_t)cJSON_GetArraySize(constraints);
  if (count > MOST_GOALS)
    return OMR_REFUSE(reader, objectives ? objectives : constraints,
                      "objectives and constraints are %zu; at most %d", count, MOST_GOALS);

  /* a text may use columns, and criteria, whose expressions are kept so long */
  omr_names names;
  omr_names_of_study(reader->study, &names);
  omr_expression **expressions = calloc(criteria + 1, sizeof(omr_expression *));
  reader->study->goals.list = calloc(count + 1, sizeof *reader->study->goals.list);
  omr_status status = expressions && reader->study->goals.list ? OMR_OK : omr_fail_memory(reader);
  if (status == OMR_OK)
    status =
        omr_criteria_read(&reader->study->statistics, criteria, &names, expressions, reader->error);
  if (status == OMR_OK) status = read_goals(reader, objectives, constraints, &names);
  omr_criteria_free(expressions, criteria);
  omr_names_free(&names);
  return status;
}
