/* Derivatives of expressions, by the chain rule along the tree (automatic differentiation,
 * forwards, to the second order). */
#include "expression_nodes.h"

#include <math.h>

/* f, f', f''. */
typedef struct jet {
  double f, d, dd;
} jet;

/* g(a) with g and its derivatives at a.f. */
static jet chain(jet a, double g, double slope, double bend) {
  return (jet){g, slope * a.d, slope * a.dd + bend * a.d * a.d};
}

static jet times(jet a, jet b) {
  return (jet){a.f * b.f, a.d * b.f + a.f * b.d, a.dd * b.f + 2 * a.d * b.d + a.f * b.dd};
}

static jet of_one(operation operation, jet a) {
  const double s = sin(a.f), c = cos(a.f), t = tan(a.f), h = tanh(a.f), e = exp(a.f), r = sqrt(a.f);
  const double in = 1 - a.f * a.f, around = 1 + a.f * a.f;
  switch (operation) {
  case NEGATE: return (jet){-a.f, -a.d, -a.dd};
  case ABSOLUTE: return a.f < 0 ? (jet){-a.f, -a.d, -a.dd} : a;
  case ROOT: return chain(a, r, 0.5 / r, -0.25 / (a.f * r));
  case SINE: return chain(a, s, c, -s);
  case COSINE: return chain(a, c, -s, -c);
  case TANGENT: return chain(a, t, 1 + t * t, 2 * t * (1 + t * t));
  case ARCSINE: return chain(a, asin(a.f), 1 / sqrt(in), a.f / (in * sqrt(in)));
  case ARCCOSINE: return chain(a, acos(a.f), -1 / sqrt(in), -a.f / (in * sqrt(in)));
  case ARCTANGENT: return chain(a, atan(a.f), 1 / around, -2 * a.f / (around * around));
  case HYPERBOLIC: return chain(a, h, 1 - h * h, -2 * h * (1 - h * h));
  case EXPONENTIAL: return chain(a, e, e, e);
  case LOGARITHM: return chain(a, log(a.f), 1 / a.f, -1 / (a.f * a.f));
  default: return (jet){(a.f > 0) - (a.f < 0), 0, 0}; /* SIGN */
  }
}

/* atan2(y, x): the rate is (x y' - y x')/(x^2 + y^2). */
static jet angle(jet y, jet x) {
  const double square = x.f * x.f + y.f * y.f, cross = x.f * y.d - y.f * x.d;
  const double slope = 2 * (x.f * x.d + y.f * y.d);
  return (jet){atan2(y.f, x.f), cross / square,
               (x.f * y.dd - y.f * x.dd) / square - cross * slope / (square * square)};
}

static jet derive(const omr_expression *e, size_t at, const double *values, size_t column) {
  const omr_expression_node *n = &e->nodes[at];
  if (n->operation == NUMBER) return (jet){n->number, 0, 0};
  if (n->operation == COLUMN) return (jet){values[n->column], n->column == column ? 1 : 0, 0};
  const jet a = derive(e, n->left, values, column);
  if (n->operation < ADD) return of_one(n->operation, a);
  const jet b = derive(e, n->right, values, column);
  switch (n->operation) {
  case ADD: return (jet){a.f + b.f, a.d + b.d, a.dd + b.dd};
  case SUBTRACT: return (jet){a.f - b.f, a.d - b.d, a.dd - b.dd};
  case MULTIPLY: return times(a, b);
  case DIVIDE: return times(a, chain(b, 1 / b.f, -1 / (b.f * b.f), 2 / (b.f * b.f * b.f)));
  case SMALLER: return a.f <= b.f ? a : b;
  case LARGER: return a.f >= b.f ? a : b;
  default: return angle(a, b);
  }
}

void omr_expression_derive(const omr_expression *expression, const double *values, size_t column,
                           double derived[3]) {
  const jet all = derive(expression, expression->count - 1, values, column);
  derived[0] = all.f;
  derived[1] = all.d;
  derived[2] = all.dd;
}
