/* Objectives and constraints as text: "mean(vibration_rms) + 2 * deviation(vibration_rms)",
 * "probability(off_course) <= 5 %".
 *
 * They are expressions of statistics over the vehicles of a candidate (lists/goal_terms.def), each
 * of an expression of columns and criteria. A constraint compares one with a limit. */
#ifndef OMR_STUDY_GOAL_H
#define OMR_STUDY_GOAL_H

#include "expression.h"

typedef enum omr_term_kind {
#define X(id, ...) OMR_TERM_##id,
#include "../../lists/goal_terms.def"
#undef X
  OMR_TERM_KINDS
} omr_term_kind;

typedef struct omr_term_row {
  const char *name, *form, *meaning;
  bool of_condition;
} omr_term_row;
extern const omr_term_row omr_term_rows[OMR_TERM_KINDS];

/* A statistic of what `of` gives in each vehicle. */
typedef struct omr_term {
  omr_term_kind kind;
  double level; /* OMR_TERM_QUANTILE */
  omr_expression *of;
} omr_term;

enum { OMR_GOAL_TERMS = 16 };

typedef struct omr_goal_expression {
  omr_term term[OMR_GOAL_TERMS];
  size_t term_count;
  omr_expression *number;    /* of the terms, by their places; of a constraint its left side */
  omr_expression *condition; /* of a constraint; NULL: it is an objective */
  double limit;              /* of a constraint, in SI units */
  bool above;                /* the left side has to be above its limit */
} omr_goal_expression;

/* Reads an objective, or a constraint. names: columns and criteria. OMR_ERR_STUDY with the place in
 * the text and a remedy. The caller destroys *goal. */
omr_status omr_goal_parse(const char *text, bool constraint, const omr_names *names,
                          omr_goal_expression **goal, omr_error *error);
void omr_goal_destroy(omr_goal_expression *goal); /* NULL-safe */

/* The one term that the number is, or NULL where it is made of several. */
const omr_term *omr_goal_only(const omr_goal_expression *goal);

/* terms: the value of each. A number, and how far a constraint is from being broken, above 0 where
 * it holds. NaN: not known. */
double omr_goal_value(const omr_goal_expression *goal, const double *terms);
double omr_goal_margin(const omr_goal_expression *goal, const double *terms);

#endif
