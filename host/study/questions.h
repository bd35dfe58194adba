/* What a study asks: observables, goals, and the candidates that are judged by them. */
#ifndef OMR_STUDY_QUESTIONS_H
#define OMR_STUDY_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* What a study asks (key "ask"). */

/* Which values of a quantity are better. */
typedef enum omr_best {
  OMR_BEST_NONE,
  OMR_BEST_SMALLER,
  OMR_BEST_LARGER,
  OMR_BEST_TARGET /* the nearer to a number */
} omr_best;

/* An observable that is asked. */
typedef struct omr_ask {
  int observable; /* OMR_OBS_ */
  omr_best best;
  double target; /* in the observable's unit */
} omr_ask;

/* What a study calls good in a candidate (sections "objectives" and "constraints"). */

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

/* Candidates of a design of that type: in which parameters they differ (design.variables). */

/* A parameter in which candidates differ, with the values that it may have. Owned by the study. */
typedef struct omr_candidate_variable {
  char *path;
  char unit[40];    /* of its numbers */
  double low, high; /* of words and listed values: 0 and their count less 1 */
  bool whole;
  char **words; /* [word_count] words, or listed numbers, as the study writes them; NULL: a range */
  size_t word_count;
} omr_candidate_variable;

typedef struct omr_candidates {
  omr_candidate_variable *variables; /* [variable_count] */
  size_t variable_count;
  size_t count;  /* rows; 1 where the study has none: its own vehicle */
  size_t points; /* of a posterior, that each candidate takes; 0: none */
} omr_candidates;

void omr_candidates_free(omr_candidates *candidates);

#endif
