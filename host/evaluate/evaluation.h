/* An evaluation: candidates, the runs of their groups, and what they show. */
#ifndef OMR_EVALUATION_H
#define OMR_EVALUATION_H

#include "../result/reader.h"
#include "estimates.h"
#include "table.h"

/* Candidates with the same words: a study, and its run. */
typedef struct omr_candidate_group {
  omr_study *study;
  omr_goal_set set;
  omr_source *source;
  omr_result *result;         /* in memory, or NULL */
  omr_result_file *file;      /* or in a file */
  omr_statistics *statistics; /* with the step's errors; NULL: those of the result, or none */
  const omr_refined *refined; /* NULL: not measured */
  size_t cells;
} omr_candidate_group;

/* An objective of a candidate beside the best one. */
typedef struct omr_goal_apart {
  double difference;
  omr_bounds bounds;
} omr_goal_apart;

typedef struct omr_candidate {
  size_t group, cell;
  char *status; /* why it has no value, or which of its vehicles failed; NULL: nothing */
  size_t draws, failed;
  omr_goal_estimate *goals; /* [goals] */
  omr_goal_apart *apart;    /* [objectives] */
  double *step;             /* [goals] */
  double holds;             /* NaN: not known */
  bool known, feasible, front;
} omr_candidate;

struct omr_evaluation {
  omr_candidate_table table;
  omr_candidate_group *groups; /* [group_count] */
  size_t group_count;
  omr_goals goals;   /* of the first study; texts are copies */
  char (*units)[64]; /* [goals.count] */
  double *limits;    /* [goals.count]; of constraints */
  bool *above;
  double failed_limit;       /* largest share of a candidate's vehicles that may fail */
  omr_candidate *candidates; /* [table.count] */
  size_t *best;              /* [goals.objectives] candidate; SIZE_MAX: none */
  double integrating, seconds;
  char *name; /* of the study */
};

/* evaluation.c: reads the rows of every group, which have run, and fills the candidates. */
omr_status omr_evaluation_fill(omr_evaluation *evaluation, omr_error *error);

#endif
