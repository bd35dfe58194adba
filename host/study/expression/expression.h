/* Criteria as text: "max_deviation > 5 cm && !(status == wheel_lifted) || slow".
 *
 * Terms are observables, varied parameters (by path or column name) and numbers, bare (SI) or with
 * a unit; + - * / ( ), pi, and the functions of lists/functions.def; < <= > >= == !=; && || !;
 * names of criteria defined before; `status` against the words ok, wheel_lifted and so on.
 * Dimensions must fit. Truth has three values: a comparison with a missing value (not finite) is
 * unknown, "false && unknown" is false, "true || unknown" is true. */
#ifndef OMR_STATISTICS_EXPRESSION_H
#define OMR_STATISTICS_EXPRESSION_H

#include "criterion_names.h"

typedef struct omr_expression_node omr_expression_node;

typedef struct omr_expression {
  char *text;
  omr_expression_node *nodes; /* operands before their operation; the last one is the whole */
  size_t count;
  bool truth;      /* a condition; otherwise a number */
  bool status;     /* mentions the status, itself or through a criterion */
  char unit[64];   /* of a number; "" for a condition */
  size_t *columns; /* [column_count]: those used, ascending, without the status */
  size_t column_count;
} omr_expression;

/* OMR_ERR_STUDY with the place in the text ("at character 7") and a remedy. The caller destroys
 * *expression. */
omr_status omr_expression_parse(const char *text, const omr_names *names,
                                omr_expression **expression, omr_error *error);
void omr_expression_destroy(omr_expression *expression); /* NULL-safe */

/* Reads the first `count` criteria, each of which may use the names and those before it, into
 * criteria[count], all NULL before; their names join the others. omr_criteria_free also after a
 * failure. */
omr_status omr_criteria_read(const omr_statistics_settings *settings, size_t count,
                             omr_names *names, omr_expression **criteria, omr_error *error);
void omr_criteria_free(omr_expression **criteria, size_t count); /* NULL-safe */

/* In all of these values[c] is the value in column c of the source (NaN: none; only the used
 * columns are read), and where the expression mentions the status, values[columns of the names] the
 * status code. */

/* A condition: 1 true, 0 false, -1 unknown. */
int omr_expression_truth(const omr_expression *expression, const double *values);
/* A number: its SI value, or NaN. */
double omr_expression_value(const omr_expression *expression, const double *values);
/* A number with its first and second derivative with respect to one column, the others kept. */
void omr_expression_derive(const omr_expression *expression, const double *values, size_t column,
                           double derived[3]);
/* How far a condition is from changing, above 0 where it holds and below 0 where it does not: a > b
 * and a >= b: a - b; == : -|a - b|;
 * !=: |a - b|; &&: the smaller, ||: the larger one; !: the negative; status: infinite. NaN where it
 * is unknown. Meaningful for a combination where its parts are of one unit. */
double omr_expression_margin(const omr_expression *expression, const double *values);

/* Whether a node (0 .. count-1) compares a column, or its size, with a number: then which column,
 * and the number. */
bool omr_expression_threshold(const omr_expression *expression, size_t node, size_t *column,
                              double *threshold);

/* The word of a status, or -1. */
int omr_expression_status_code(const char *word);

#endif
