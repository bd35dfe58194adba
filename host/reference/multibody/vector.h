/* Vectors, rotation matrices and quaternions of the maximal-coordinate reference. Everything by
 * value, in double. */
#ifndef OMR_VECTOR_H
#define OMR_VECTOR_H

#include <math.h>

typedef struct omr_vec {
  double x, y, z;
} omr_vec;

/* Rows of the matrix. */
typedef struct omr_mat {
  omr_vec row[3];
} omr_mat;

static inline omr_vec omr_vec_of(double x, double y, double z) {
  return (omr_vec){x, y, z};
}
static inline omr_vec omr_add(omr_vec a, omr_vec b) {
  return (omr_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline omr_vec omr_sub(omr_vec a, omr_vec b) {
  return (omr_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline omr_vec omr_scale(double s, omr_vec a) {
  return (omr_vec){s * a.x, s * a.y, s * a.z};
}
/* a + s b */
static inline omr_vec omr_axpy(omr_vec a, double s, omr_vec b) {
  return (omr_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline omr_vec omr_neg(omr_vec a) {
  return (omr_vec){-a.x, -a.y, -a.z};
}
static inline double omr_dot(omr_vec a, omr_vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline omr_vec omr_cross(omr_vec a, omr_vec b) {
  return (omr_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double omr_norm(omr_vec a) {
  return sqrt(omr_dot(a, a));
}
static inline omr_vec omr_unit(omr_vec a) {
  return omr_scale(1 / omr_norm(a), a);
}

/* m a and m^T a */
static inline omr_vec omr_times(const omr_mat *m, omr_vec a) {
  return (omr_vec){omr_dot(m->row[0], a), omr_dot(m->row[1], a), omr_dot(m->row[2], a)};
}
static inline omr_vec omr_transposed_times(const omr_mat *m, omr_vec a) {
  return omr_axpy(omr_axpy(omr_scale(a.x, m->row[0]), a.y, m->row[1]), a.z, m->row[2]);
}

/* Two unit vectors that make a right-handed frame (*e1, *e2, n) with the unit vector n. */
static inline void omr_perpendicular(omr_vec n, omr_vec *e1, omr_vec *e2) {
  omr_vec away = fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z) ? omr_vec_of(1, 0, 0)
                 : fabs(n.y) <= fabs(n.z)                         ? omr_vec_of(0, 1, 0)
                                                                  : omr_vec_of(0, 0, 1);
  *e1 = omr_unit(omr_cross(away, n));
  *e2 = omr_cross(n, *e1);
}

/* Rotation matrix T of a quaternion q0 + q1 i + q2 j + q3 k of any length (source 1, section 2.1).
 */
static inline omr_mat omr_rotation(const double q[4]) {
  double a = q[0], b = q[1], c = q[2], d = q[3], s = 1 / (a * a + b * b + c * c + d * d);
  omr_mat t = {
      {{s * (a * a + b * b - c * c - d * d), 2 * s * (b * c - a * d), 2 * s * (b * d + a * c)},
       {2 * s * (a * d + b * c), s * (a * a - b * b + c * c - d * d), 2 * s * (c * d - a * b)},
       {2 * s * (b * d - a * c), 2 * s * (a * b + c * d), s * (a * a - b * b - c * c + d * d)}}};
  return t;
}

/* Unit quaternion of the rotation by `angle` about the unit vector n. */
static inline void omr_quaternion(omr_vec n, double angle, double q[4]) {
  double s = sin(angle / 2);
  q[0] = cos(angle / 2);
  q[1] = s * n.x;
  q[2] = s * n.y;
  q[3] = s * n.z;
}

/* q = p o r: first the rotation r, then p. q may be p or r. */
static inline void omr_quaternion_product(const double p[4], const double r[4], double q[4]) {
  double a = p[0] * r[0] - p[1] * r[1] - p[2] * r[2] - p[3] * r[3];
  double b = p[0] * r[1] + p[1] * r[0] + p[2] * r[3] - p[3] * r[2];
  double c = p[0] * r[2] - p[1] * r[3] + p[2] * r[0] + p[3] * r[1];
  double d = p[0] * r[3] + p[1] * r[2] - p[2] * r[1] + p[3] * r[0];
  q[0] = a;
  q[1] = b;
  q[2] = c;
  q[3] = d;
}

#endif
