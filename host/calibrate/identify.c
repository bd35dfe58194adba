#include "identify.h"

#include "cholesky.h"

#include "../support/support.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 60 };

/* Turns rows and columns p and q of the symmetric matrix so that its element (p, q) vanishes, and
 * the rows p and q of the directions with them (Golub and Van Loan, Matrix Computations, 8.5). */
static void turn(double *m, double *directions, size_t n, size_t p, size_t q) {
  const double apart = m[q * n + q] - m[p * n + p], off = m[p * n + q];
  if (off == 0) return;

  /* The smaller angle that makes the element vanish. */
  const double theta = apart / (2 * off);
  const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;

  /* Turn the columns. */
  for (size_t k = 0; k < n; k++) {
    const double a = m[k * n + p], b = m[k * n + q];
    m[k * n + p] = c * a - s * b;
    m[k * n + q] = s * a + c * b;
  }

  /* Turn the rows, and the directions with them. */
  for (size_t k = 0; k < n; k++) {
    const double a = m[p * n + k], b = m[q * n + k];
    m[p * n + k] = c * a - s * b;
    m[q * n + k] = s * a + c * b;
    const double e = directions[p * n + k], f = directions[q * n + k];
    directions[p * n + k] = c * e - s * f;
    directions[q * n + k] = s * e + c * f;
  }
}

static double off_diagonal(const double *m, size_t n) {
  double sum = 0;
  for (size_t p = 0; p < n; p++)
    for (size_t q = 0; q < p; q++) sum += m[p * n + q] * m[p * n + q];
  return sum;
}

static void swap_rows(double *directions, size_t n, size_t a, size_t b) {
  for (size_t k = 0; k < n; k++) {
    const double kept = directions[a * n + k];
    directions[a * n + k] = directions[b * n + k];
    directions[b * n + k] = kept;
  }
}

static void face_up(double *direction, size_t n) {
  size_t most = 0;
  for (size_t k = 1; k < n; k++)
    if (fabs(direction[k]) > fabs(direction[most])) most = k;
  if (direction[most] > 0) return;
  for (size_t k = 0; k < n; k++) direction[k] = -direction[k];
}

void omr_identify(double *gram, size_t n, double *values, double *directions) {
  double whole = 0;
  memset(directions, 0, n * n * sizeof *directions);
  for (size_t k = 0; k < n; k++) {
    directions[k * n + k] = 1;
    whole += gram[k * n + k] * gram[k * n + k];
  }

  /* Sweep until the elements off the diagonal are negligible. */
  for (int sweep = 0; sweep < SWEEPS && off_diagonal(gram, n) > 1e-32 * whole; sweep++)
    for (size_t p = 0; p < n; p++)
      for (size_t q = p + 1; q < n; q++) turn(gram, directions, n, p, q);

  /* Sort the singular values with their directions. */
  for (size_t k = 0; k < n; k++) values[k] = sqrt(fmax(gram[k * n + k], 0));
  for (size_t a = 0; a < n; a++) {
    size_t least = a;
    for (size_t b = a + 1; b < n; b++)
      if (values[b] < values[least]) least = b;
    const double kept = values[a];
    values[a] = values[least];
    values[least] = kept;
    swap_rows(directions, n, a, least);
    face_up(directions + a * n, n);
  }
}

void omr_differences_lay(size_t dimensions, const double *centre, const double *steps,
                         double *points) {
  for (size_t k = 0; k < 2 * dimensions; k++)
    for (size_t d = 0; d < dimensions; d++) points[k * dimensions + d] = centre[d];
  for (size_t d = 0; d < dimensions; d++) {
    points[2 * d * dimensions + d] += steps[d];
    points[(2 * d + 1) * dimensions + d] -= steps[d];
  }
}

void omr_differences_gram(size_t dimensions, size_t data, double *residuals, const bool *good,
                          const double *steps, double weight, double *gram) {
  for (size_t d = 0; d < dimensions; d++) {
    double *up = residuals + 2 * d * data, *down = up + data;
    const bool known = good[2 * d] && good[2 * d + 1];
    for (size_t i = 0; i < data; i++) up[i] = known ? (up[i] - down[i]) / (2 * steps[d]) : 0;
  }
  for (size_t a = 0; a < dimensions; a++)
    for (size_t b = 0; b <= a; b++) {
      const double sum = weight * omr_dot(residuals + 2 * a * data, residuals + 2 * b * data, data);
      gram[a * dimensions + b] += sum;
      if (a != b) gram[b * dimensions + a] += sum;
    }
}

char *omr_direction_told(const double *direction, size_t d,
                         const char *(*name)(const void *who, size_t dimension), const void *who) {
  double above = HUGE_VAL, largest = 0;
  size_t last = d;
  omr_text text = {0};
  for (;;) {
    /* The next largest part; equal parts keep their order. */
    size_t next = d;
    for (size_t k = 0; k < d; k++) {
      const double size = fabs(direction[k]);
      const bool left = size < above || (size == above && k > last);
      if (left && (next == d || size > fabs(direction[next]))) next = k;
    }

    /* Parts below a quarter of the largest are left out. */
    if (next == d || fabs(direction[next]) < 0.25 * largest) return text.data;
    const char *sign = direction[next] > 0 ? " + " : " - ";
    omr_text_print(&text, "%s%s", largest == 0 ? "" : sign, name(who, next));

    above = fabs(direction[next]);
    last = next;
    if (largest == 0) largest = above;
  }
}
