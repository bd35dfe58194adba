/* Numbers and vectors that carry their time derivatives: a formula written with them gives its
 * value and the exact rate (forward differentiation along the motion). */
#ifndef OMR_RATED_H
#define OMR_RATED_H

#include "multibody.h"

typedef struct omr_rate {
  double v, d; /* value and time derivative */
} omr_rate;

typedef struct omr_rated {
  omr_vec v, d;
} omr_rated;

static inline omr_rate omr_rate_of(double v) {
  return (omr_rate){v, 0};
}
static inline omr_rate omr_rate_add(omr_rate a, omr_rate b) {
  return (omr_rate){a.v + b.v, a.d + b.d};
}
static inline omr_rate omr_rate_sub(omr_rate a, omr_rate b) {
  return (omr_rate){a.v - b.v, a.d - b.d};
}
static inline omr_rate omr_rate_mul(omr_rate a, omr_rate b) {
  return (omr_rate){a.v * b.v, a.d * b.v + a.v * b.d};
}
static inline omr_rate omr_rate_div(omr_rate a, omr_rate b) {
  double q = a.v / b.v;
  return (omr_rate){q, (a.d - q * b.d) / b.v};
}
static inline omr_rate omr_rate_root(omr_rate a) {
  double r = sqrt(a.v);
  return (omr_rate){r, a.d / (2 * r)};
}

static inline omr_rated omr_rated_of(omr_vec v) {
  return (omr_rated){v, {0, 0, 0}};
}
static inline omr_rated omr_rated_add(omr_rated a, omr_rated b) {
  return (omr_rated){omr_add(a.v, b.v), omr_add(a.d, b.d)};
}
static inline omr_rated omr_rated_sub(omr_rated a, omr_rated b) {
  return (omr_rated){omr_sub(a.v, b.v), omr_sub(a.d, b.d)};
}
static inline omr_rated omr_rated_neg(omr_rated a) {
  return (omr_rated){omr_neg(a.v), omr_neg(a.d)};
}
static inline omr_rated omr_rated_mul(omr_rate s, omr_rated a) {
  return (omr_rated){omr_scale(s.v, a.v), omr_axpy(omr_scale(s.d, a.v), s.v, a.d)};
}
/* a + s b with a constant s */
static inline omr_rated omr_rated_axpy(omr_rated a, double s, omr_rated b) {
  return (omr_rated){omr_axpy(a.v, s, b.v), omr_axpy(a.d, s, b.d)};
}
static inline omr_rate omr_rated_dot(omr_rated a, omr_rated b) {
  return (omr_rate){omr_dot(a.v, b.v), omr_dot(a.d, b.v) + omr_dot(a.v, b.d)};
}
static inline omr_rated omr_rated_unit(omr_rated a) {
  double scale = 1 / omr_norm(a.v);
  omr_vec u = omr_scale(scale, a.v);
  return (omr_rated){u, omr_scale(scale, omr_axpy(a.d, -omr_dot(a.d, u), u))};
}
/* a without its part along the unit vector u */
static inline omr_rated omr_rated_across(omr_rated a, omr_rated u) {
  return omr_rated_sub(a, omr_rated_mul(omr_rated_dot(a, u), u));
}

/* A direction that is fixed in a body (body axes). */
static inline omr_rated omr_rated_direction(const omr_frame *f, omr_vec body) {
  omr_vec v = omr_times(&f->t, body);
  return (omr_rated){v, omr_cross(f->w, v)};
}
/* A vector in body axes, and one from there back. */
static inline omr_rated omr_rated_to_body(const omr_frame *f, omr_rated a) {
  return (omr_rated){omr_transposed_times(&f->t, a.v),
                     omr_transposed_times(&f->t, omr_sub(a.d, omr_cross(f->w, a.v)))};
}
static inline omr_rated omr_rated_from_body(const omr_frame *f, omr_rated a) {
  omr_vec v = omr_times(&f->t, a.v);
  return (omr_rated){v, omr_add(omr_cross(f->w, v), omr_times(&f->t, a.d))};
}

#endif
