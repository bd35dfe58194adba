/* Random poses for the tests of the multibody reference. */
#ifndef TESTS_MULTIBODY_RANDOM_H
#define TESTS_MULTIBODY_RANDOM_H

#include "../physics/shared/vectors.h"
#include "reference/multibody/multibody.h"

static inline omr_vec random_vec(uint64_t *s, double size) {
  double x = draw(s, -size, size), y = draw(s, -size, size), z = draw(s, -size, size);
  return omr_vec_of(x, y, z);
}

static inline omr_vec random_direction(uint64_t *s) {
  omr_vec v;
  do v = random_vec(s, 1);
  while (omr_norm(v) < 0.1 || omr_norm(v) > 1);
  return omr_unit(v);
}

/* Pose and velocities of a body, and what it is `dt` later when both velocities stay (to second
 * order in the rotation). */
static inline omr_frame random_frame(uint64_t *s) {
  double q[4] = {draw(s, -1, 1), draw(s, -1, 1), draw(s, -1, 1), draw(s, 0.2, 1)};
  omr_vec r = random_vec(s, 1), v = random_vec(s, 2), w = random_vec(s, 3);
  return (omr_frame){r, omr_rotation(q), v, w};
}

/* The frame after dt of constant velocities: exact rotation about the axis of w. */
static inline omr_frame moved(const omr_frame *f, double dt) {
  omr_frame out = *f;
  double rate = omr_norm(f->w), q[4];
  out.r = omr_axpy(f->r, dt, f->v);
  if (rate == 0) return out;
  omr_quaternion(omr_scale(1 / rate, f->w), rate * dt, q);
  omr_mat turn = omr_rotation(q);
  omr_mat t = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  for (int i = 0; i < 3; i++) t.row[i] = omr_transposed_times(&f->t, turn.row[i]);
  out.t = t;
  return out;
}

#endif
