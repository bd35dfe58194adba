/* Vectors in space and even draws, for the independent computations of the physics tests. y is up.
 */
#ifndef TESTS_VECTORS_H
#define TESTS_VECTORS_H

#include <math.h>
#include <stdint.h>

typedef struct vec {
  double x, y, z;
} vec;

static const vec UP = {0, 1, 0};

static inline vec add(vec a, vec b) {
  return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec scale(double f, vec a) {
  return (vec){f * a.x, f * a.y, f * a.z};
}

static inline vec sub(vec a, vec b) {
  return add(a, scale(-1, b));
}

static inline double dot(vec a, vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec cross(vec a, vec b) {
  return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double length(vec a) {
  return sqrt(dot(a, a));
}

/* a turned by `angle` about the unit vector `axis` (Rodrigues). */
static inline vec turned(vec a, vec axis, double angle) {
  double c = cos(angle), s = sin(angle);
  return add(add(scale(c, a), scale(s, cross(axis, a))), scale((1 - c) * dot(axis, a), axis));
}

/* The larger of a largest difference so far and the magnitude of another; infinite where that is
 * not a number. */
static inline double larger(double largest, double difference) {
  double magnitude = fabs(difference);
  if (magnitude <= largest) return largest;
  return magnitude > largest ? magnitude : (double)INFINITY;
}

/* Even in [low, high); splitmix64. */
static inline double draw(uint64_t *state, double low, double high) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

/* Even among low .. high. */
static inline int draw_whole(uint64_t *state, int low, int high) {
  return low + (int)draw(state, 0, high - low + 1);
}

#endif
