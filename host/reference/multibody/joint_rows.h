/* Kinematics and rows of two bodies in the axes of the first, private to host/reference. */
#ifndef OMR_JOINT_ROWS_H
#define OMR_JOINT_ROWS_H

#include "joints.h"

/* Kinematics that every joint needs: equations (2) to (4). */
typedef struct joint_state {
  omr_vec n, e1, e2; /* inertial axes */
  omr_vec pa, pb;    /* from the centres of mass to B's point */
  omr_vec gap;       /* from A's point to B's point */
  omr_vec slip;      /* v_Br */
  omr_vec turning;   /* w_r */
} joint_state;

static inline joint_state look(const omr_joint *j, const omr_frame *a, const omr_frame *b) {
  joint_state s = {
      .n = omr_times(&a->t, j->axis), .e1 = omr_times(&a->t, j->e1), .e2 = omr_times(&a->t, j->e2)};
  s.pb = omr_times(&b->t, j->point_b);
  s.pa = omr_sub(omr_add(b->r, s.pb), a->r);
  s.gap = omr_sub(s.pa, omr_times(&a->t, j->point_a));
  s.slip = omr_sub(omr_point_velocity(b, s.pb), omr_point_velocity(a, s.pa));
  s.turning = omr_sub(b->w, a->w);
  return s;
}

/* Relative acceleration of the points along e equals `value`: equations (3). Forces act along e at
 * B's point. */
static inline void slide_row(const joint_state *s, const omr_frame *a, const omr_frame *b,
                             omr_vec e, double value, omr_mb_row *row) {
  omr_vec known = omr_sub(omr_sub(omr_centripetal(b, s->pb), omr_centripetal(a, s->pa)),
                          omr_scale(2, omr_cross(a->w, s->slip)));
  omr_mb_point_row(row, e, s->pa, s->pb, value - omr_dot(e, known));
}

/* Relative angular acceleration about e equals `value`: equations (4). */
static inline void turn_row(const joint_state *s, const omr_frame *a, omr_vec e, double value,
                            omr_mb_row *row) {
  omr_mb_turn_row(row, e, value + omr_dot(e, omr_cross(a->w, s->turning)));
}

#endif
