/* Values of expressions, and the nodes that make them up. */
#include "expression_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool omr_expression_append(omr_expression *expression, omr_expression_node node) {
  if (!omr_grow(&expression->nodes, expression->count + 1, sizeof node)) return false;
  expression->nodes[expression->count++] = node;
  return true;
}

void omr_expression_destroy(omr_expression *expression) {
  if (!expression) return;
  free(expression->text);
  free(expression->nodes);
  free(expression->columns);
  free(expression);
}

int omr_expression_status_code(const char *word) {
#define X(id, code, name, ...)                                                                     \
  if (strcmp(word, name) == 0) return code;
#include "../../lists/statuses.def"
#undef X
  return -1;
}

/* Numbers; where a result is not finite there is none. */
static double number_at(const omr_expression *e, size_t at, const double *values) {
  const omr_expression_node *n = &e->nodes[at];
  if (n->operation == NUMBER) return n->number;
  if (n->operation == COLUMN) return isfinite(values[n->column]) ? values[n->column] : (double)NAN;

  /* Operations of one number. */
  const double a = number_at(e, n->left, values);
  switch (n->operation) {
  case NEGATE: return -a;
  case ABSOLUTE: return fabs(a);
  case ROOT: return sqrt(a);
  case SINE: return sin(a);
  case COSINE: return cos(a);
  case TANGENT: return tan(a);
  case ARCSINE: return asin(a);
  case ARCCOSINE: return acos(a);
  case ARCTANGENT: return atan(a);
  case HYPERBOLIC: return tanh(a);
  case EXPONENTIAL: return exp(a);
  case LOGARITHM: return log(a);
  case SIGN: return (a > 0) - (a < 0);
  default: break;
  }

  /* Operations of two numbers. */
  const double b = number_at(e, n->right, values);
  if (isnan(a) || isnan(b)) return (double)NAN; /* fmin and fmax would take the other one */
  switch (n->operation) {
  case ADD: return a + b;
  case SUBTRACT: return a - b;
  case MULTIPLY: return a * b;
  case DIVIDE: return b == 0.0 ? (double)NAN : a / b;
  case SMALLER: return fmin(a, b);
  case ANGLE: return atan2(a, b);
  default: return fmax(a, b);
  }
}

static int compared(operation operation, double a, double b) {
  if (isnan(a) || isnan(b)) return -1;
  switch (operation) {
  case LESS: return a < b;
  case LESS_EQUAL: return a <= b;
  case GREATER: return a > b;
  case GREATER_EQUAL: return a >= b;
  case EQUAL: return a == b;
  default: return a != b;
  }
}

/* Kleene's logic. */
static int truth_at(const omr_expression *e, size_t at, const double *values) {
  const omr_expression_node *n = &e->nodes[at];
  if (n->operation == STATUS_IS || n->operation == STATUS_IS_NOT)
    return (values[n->column] == n->number) == (n->operation == STATUS_IS);
  if (n->operation < NOT)
    return compared(n->operation, number_at(e, n->left, values), number_at(e, n->right, values));
  const int a = truth_at(e, n->left, values);
  if (n->operation == NOT) return a < 0 ? -1 : !a;
  const int decisive = n->operation == OR;
  if (a == decisive) return decisive;
  const int b = truth_at(e, n->right, values);
  if (b == decisive) return decisive;
  return a < 0 || b < 0 ? -1 : !decisive;
}

static double distance(operation operation, double a, double b) {
  switch (operation) {
  case LESS:
  case LESS_EQUAL: return b - a;
  case GREATER:
  case GREATER_EQUAL: return a - b;
  case EQUAL: return -fabs(a - b);
  default: return fabs(a - b);
  }
}

/* As with the truth, a part that is unknown matters only where the other one does not decide. */
static double margin_at(const omr_expression *e, size_t at, const double *values) {
  const omr_expression_node *n = &e->nodes[at];
  if (n->operation == STATUS_IS || n->operation == STATUS_IS_NOT)
    return truth_at(e, at, values) ? HUGE_VAL : -HUGE_VAL;
  if (n->operation < NOT)
    return distance(n->operation, number_at(e, n->left, values), number_at(e, n->right, values));
  const double a = margin_at(e, n->left, values);
  if (n->operation == NOT) return -a;
  const double b = margin_at(e, n->right, values), sign = n->operation == AND ? 1.0 : -1.0;
  if (isnan(a) || isnan(b)) {
    const double known = isnan(a) ? b : a;
    return sign * known < 0 ? known : (double)NAN;
  }
  return n->operation == AND ? fmin(a, b) : fmax(a, b);
}

static bool is_number(const omr_expression *e, size_t at, double *number) {
  const omr_expression_node *n = &e->nodes[at];
  if (n->operation == NEGATE) return is_number(e, n->left, number);
  *number = n->number;
  return n->operation == NUMBER;
}

static bool is_column(const omr_expression *e, size_t at, size_t *column) {
  const omr_expression_node *n = &e->nodes[at];
  if (n->operation == NEGATE || n->operation == ABSOLUTE) return is_column(e, n->left, column);
  *column = n->column;
  return n->operation == COLUMN;
}

bool omr_expression_threshold(const omr_expression *e, size_t node, size_t *column,
                              double *threshold) {
  const omr_expression_node *n = &e->nodes[node];
  if (n->operation < LESS || n->operation > NOT_EQUAL) return false;
  return (is_column(e, n->left, column) && is_number(e, n->right, threshold)) ||
         (is_number(e, n->left, threshold) && is_column(e, n->right, column));
}

int omr_expression_truth(const omr_expression *expression, const double *values) {
  return truth_at(expression, expression->count - 1, values);
}

double omr_expression_value(const omr_expression *expression, const double *values) {
  return number_at(expression, expression->count - 1, values);
}

double omr_expression_margin(const omr_expression *expression, const double *values) {
  return margin_at(expression, expression->count - 1, values);
}
