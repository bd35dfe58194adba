#include "snakeboard_curve.h"

#include "../../kernels/snakeboard_layout.h" /* words */

#include <complex.h>
#include <math.h>

/* cos^3 + i sin^3 and the others of studies/SMALL_MODELS.md, written as pointers. `cusp`: the one
 * that makes the cusps, -1: there are none. */
static const struct {
  double drift, pointer[OMR_POINTERS];
  int turns[OMR_POINTERS], cusp;
} curves[] = {
    [SNAKE_REAR_ASTROID] = {0, {0.75, 0.25}, {1, -3}, 1},
    [SNAKE_REAR_CYCLOID] = {1, {-1}, {-1}, 0}, /* half way up an arch at tau = 0 */
    [SNAKE_REAR_EIGHT] = {0, {0.5, 0.5, 0.25, -0.25}, {1, -1, 2, -2}, -1},
    [SNAKE_REAR_ROSE3] = {0, {0.5, 0.5}, {4, -2}, -1}, /* e^(i tau) cos 3 tau */
    [SNAKE_REAR_ROSE4] = {0, {0.5, 0.5}, {3, -1}, -1},
};

omr_snake_curve omr_snake_curve_of(int word, double size, double rounding, double start) {
  omr_snake_curve curve = {.drift = size * curves[word].drift, .start = start};
  for (int i = 0; i < OMR_POINTERS; i++) {
    const double part = i == curves[word].cusp ? 1 - rounding : 1;
    curve.pointer[i] = size * part * curves[word].pointer[i];
    curve.turns[i] = curves[word].turns[i];
  }
  return curve;
}

/* With q = C''/C' the tangent turns by Im q per tau and |C'| grows by its Re q-th part, so that
 * B = length Im q/|C'| is length times curvature
 * (PHYSICS.md#13-the-reference-in-maximal-coordinates). */
omr_snake_bend omr_snake_bend_at(const omr_snake_curve *curve, double length, double tau) {
  double complex d[5] = {0, curve->drift}; /* derivatives of C */
  for (int i = 0; i < OMR_POINTERS; i++) {
    const double complex turn = (double complex)I * (double)curve->turns[i];
    double complex term = curve->pointer[i] * cexp(turn * tau);
    for (int n = 1; n < 5; n++) d[n] += term *= turn;
  }
  const double complex q = d[2] / d[1], third = d[3] / d[1], q1 = third - q * q,
                       q2 = d[4] / d[1] - third * q - 2 * q * q1;
  const double pace = cabs(d[1]), grow = creal(q), turn = cimag(q), part = length / pace;
  const double bend = part * turn, bend1 = part * (cimag(q1) - turn * grow),
               bend2 = part * (cimag(q2) - 2 * cimag(q1) * grow + turn * (grow * grow - creal(q1)));
  const double inverse = 1 / (1 + bend * bend), slope = bend1 * inverse;
  return (omr_snake_bend){.angle = atan(bend),
                          .slope = slope,
                          .second = bend2 * inverse - 2 * bend * slope * slope,
                          .pace = pace,
                          .hurry = grow};
}
