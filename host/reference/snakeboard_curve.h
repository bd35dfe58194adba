/* Curves that a snakeboard steers along, as sums of turning pointers in the complex plane:
 * C(tau) = drift tau + sum of A e^(i k tau), x ahead and y to the left. */
#ifndef OMR_REFERENCE_SNAKEBOARD_CURVE_H
#define OMR_REFERENCE_SNAKEBOARD_CURVE_H

#include <stdbool.h>

enum { OMR_POINTERS = 4 };

typedef struct omr_snake_curve {
  double drift;                 /* m per tau */
  double pointer[OMR_POINTERS]; /* A, m; imaginary parts are 0 in all of them */
  int turns[OMR_POINTERS];      /* k */
  double start;                 /* tau at t = 0 */
} omr_snake_curve;

/* What wheelsets that keep the board on the curve do at tau: tan phi = length times curvature. */
typedef struct omr_snake_bend {
  double angle;  /* phi, rad */
  double slope;  /* d phi / d tau, rad */
  double second; /* d2 phi / d tau2, rad */
  double pace;   /* |C'|, m */
  double hurry;  /* d ln pace / d tau */
} omr_snake_bend;

/* word: SNAKE_REAR_ASTROID and what follows it; size, m; rounding: part by which the pointer that
 * makes the cusps is shorter. */
omr_snake_curve omr_snake_curve_of(int word, double size, double rounding, double start);
omr_snake_bend omr_snake_bend_at(const omr_snake_curve *curve, double length, double tau);

#endif
