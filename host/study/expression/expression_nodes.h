/* The tree of an expression. Private to expression*.c. */
#ifndef OMR_STATISTICS_EXPRESSION_NODES_H
#define OMR_STATISTICS_EXPRESSION_NODES_H

#include "expression.h"

typedef enum operation {
  NUMBER,
  COLUMN,
  NEGATE,
  ABSOLUTE,
  ROOT,
  SINE,
  COSINE,
  TANGENT,
  ARCSINE,
  ARCCOSINE,
  ARCTANGENT,
  HYPERBOLIC,
  EXPONENTIAL,
  LOGARITHM,
  SIGN,
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  SMALLER,
  LARGER,
  ANGLE,
  LESS,
  LESS_EQUAL,
  GREATER,
  GREATER_EQUAL,
  EQUAL,
  NOT_EQUAL,
  STATUS_IS,
  STATUS_IS_NOT,
  NOT,
  AND,
  OR
} operation;

struct omr_expression_node {
  operation operation;
  size_t left, right; /* operands, nodes before this one */
  double number;      /* NUMBER; status code */
  size_t column;      /* COLUMN; of the status */
};

/* Appends a node; false without memory. */
bool omr_expression_append(omr_expression *expression, omr_expression_node node);

#endif
