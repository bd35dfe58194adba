/* What a study calls good in a candidate (sections "objectives" and "constraints"). */
#ifndef OMR_STUDY_GOALS_H
#define OMR_STUDY_GOALS_H

#include <stdbool.h>
#include <stddef.h>

/* As written; expression/goal.h reads the text. */
typedef struct omr_goal {
  char *name, *text;
  bool constraint;
  bool maximize; /* of an objective */
} omr_goal;

/* Objectives first, each kind in the order written. Owned by the study. */
typedef struct omr_goals {
  omr_goal *list; /* [count] */
  size_t count, objectives;
} omr_goals;

void omr_goals_free(omr_goals *goals);

#endif
