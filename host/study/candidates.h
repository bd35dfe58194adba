/* Candidates of a design of that type: in which parameters they differ (design.variables). */
#ifndef OMR_STUDY_CANDIDATES_H
#define OMR_STUDY_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

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
