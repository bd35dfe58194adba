#include "differences.h"

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
      double sum = 0;
      for (size_t i = 0; i < data; i++)
        sum += residuals[2 * a * data + i] * residuals[2 * b * data + i];
      gram[a * dimensions + b] += weight * sum;
      if (a != b) gram[b * dimensions + a] += weight * sum;
    }
}
