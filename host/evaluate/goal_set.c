#include "../study/designs/drawn.h"
#include "estimates.h"

#include <stdlib.h>
#include <string.h>

static void note_columns(omr_goal_set *set, const omr_goal_expression *goal, bool *used) {
  for (size_t t = 0; t < goal->term_count; t++) {
    const omr_expression *of = goal->term[t].of;
    for (size_t c = 0; c < of->column_count; c++) used[of->columns[c]] = true;
  }
  set->used_count = 0;
  for (size_t c = 0; c < set->columns; c++)
    if (used[c]) set->used[set->used_count++] = c;
}

static omr_status read_goals(omr_goal_set *set, const omr_names *names, bool *used,
                             omr_error *error) {
  for (size_t g = 0; g < set->goals->count; g++) {
    const omr_goal *goal = &set->goals->list[g];
    const omr_status status =
        omr_goal_parse(goal->text, goal->constraint, names, &set->goal[g], error);
    if (status != OMR_OK) return status;
    note_columns(set, set->goal[g], used);
  }
  return OMR_OK;
}

omr_status omr_goal_set_make(const omr_study *study, const omr_sample_info *info, size_t columns,
                             omr_goal_set *set, omr_error *error) {
  const size_t criteria = study->statistics.criterion_count;
  *set = (omr_goal_set){.goals = &study->goals,
                        .goal = calloc(study->goals.count + 1, sizeof(omr_goal_expression *)),
                        .criteria = calloc(criteria + 1, sizeof(omr_expression *)),
                        .criterion_count = criteria,
                        .used = calloc(columns + 1, sizeof *set->used),
                        .row = calloc(columns + 1, sizeof *set->row),
                        .columns = columns,
                        .drawn = study->sample.points > 1 || study->sample.dimensions > 0,
                        .common = study->sample.common || study->sample.dimensions == 0,
                        .confidence = study->statistics.confidence,
                        .interval = study->statistics.interval};
  bool *used = calloc(columns + 1, sizeof *used);
  omr_names names;

  /* Criteria first: goals may name them. */
  omr_names_of_columns(info, columns, &names);
  omr_status status =
      set->goal && set->criteria && set->used && set->row && used
          ? omr_criteria_read(&study->statistics, criteria, &names, set->criteria, error)
          : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) status = read_goals(set, &names, used, error);
  omr_names_free(&names);
  free(used);
  return status;
}

void omr_goal_set_free(omr_goal_set *set) {
  for (size_t g = 0; set->goal && g < set->goals->count; g++) omr_goal_destroy(set->goal[g]);
  omr_criteria_free(set->criteria, set->criterion_count);
  free(set->goal);
  free(set->used);
  free(set->row);
  *set = (omr_goal_set){0};
}
