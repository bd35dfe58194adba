/* An evaluation: candidates, the runs of their groups, and the results. */
#ifndef OMR_EVALUATION_H
#define OMR_EVALUATION_H

#include "../result/reader.h"
#include "../support/pool.h"
#include "estimates.h"
#include "table.h"

/* Candidates with the same words: a study, and its run. */
typedef struct omr_candidate_group {
  omr_study *study;
  omr_goal_set set;
  omr_study running; /* the same, in memory: its doubts are in the log */
  omr_source *source;
  size_t draws;               /* vehicles of each candidate in the source */
  omr_result_file *file;      /* NULL: in memory */
  omr_statistics *statistics; /* of the file */
  omr_refined own;            /* in memory: vehicles with shorter steps */
  const omr_refined *refined; /* of either; NULL: not measured */
  double integrating;         /* s */
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
  omr_pool memory; /* of the candidates, and of the values of goals */
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
  size_t reference;          /* 1 + the candidate from which differences are; 0: the best ones */
  double integrating, seconds;
  char *name; /* of the study */
};

void omr_group_free(omr_candidate_group *group); /* all zero is allowed */

/* growth.c: runs the vehicles from group->draws on to `draws` of every candidate, in memory, and
 * adds them to the source. */
omr_status omr_group_extend(omr_candidate_group *group, size_t draws, bool measured,
                            const omr_run_options *options, omr_error *error);
/* Whether the interval of a goal is narrow beside its value, as statistics.stop asks, in each
 * candidate that has one: *narrow stays true. */
omr_status omr_group_is_narrow(const omr_candidate_group *group, bool *narrow, omr_error *error);

/* Rows of a candidate, with room for values made of them. */
typedef struct omr_candidate_reading {
  omr_pool memory;
  omr_vehicles vehicles;
  double *work;              /* [2 * draws] */
  omr_goal_influence *parts; /* [goals] */
} omr_candidate_reading;

/* Reads the rows of a cell, and estimates its goals from `first` to `end`. Release r->memory in any
 * case. */
omr_status omr_group_read(const omr_candidate_group *group, size_t cell, size_t first, size_t end,
                          omr_goal_estimate *goals, omr_candidate_reading *r, omr_error *error);
/* evaluation.c: reads the rows of every group, which have run, and fills the candidates. */
omr_status omr_evaluation_fill(omr_evaluation *evaluation, omr_error *error);

#endif
