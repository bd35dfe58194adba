/* Products of vectors that are arrays of three numbers. */
#ifndef OMR_TRIPLE_H
#define OMR_TRIPLE_H

static inline double omr_dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = a x b; out must be neither a nor b. */
static inline void omr_cross3(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
