/* The data's information on the parameters near a point: the singular directions of the scaled
 * sensitivity S = d residuals/d u, u in standard normal coordinates of the prior. Along a direction
 * with the singular value s the posterior has the deviation 1/sqrt(1 + s^2) of the prior's 1, where
 * the model is straight: below s = 1 the data say less than the prior did. Jacobi's method on S^T
 * S, the same bits on every machine. */
#ifndef OMR_IDENTIFY_H
#define OMR_IDENTIFY_H

#include <stdbool.h>
#include <stddef.h>

/* values [dimensions], ascending; directions [dimensions][dimensions], a unit vector in each row,
 * its largest component above 0. gram: S^T S, destroyed. */
void omr_identify(double *gram, size_t dimensions, double *values, double *directions);

/* Sensitivities by differences across lanes, two members for each coordinate, one step to either
 * side of a point: points [2 dimensions][dimensions] about `centre`, up and down, by steps
 * [dimensions]. */
void omr_differences_lay(size_t dimensions, const double *centre, const double *steps,
                         double *points);

/* Adds S^T S of S = (r(u + h e) - r(u - h e))/(2 h) to gram [dimensions][dimensions], weighed by
 * `weight`. residuals [2 dimensions][data] of the points, destroyed; a coordinate with a side that
 * is not good counts as one that says nothing. */
void omr_differences_gram(size_t dimensions, size_t data, double *residuals, const bool *good,
                          const double *steps, double weight, double *gram);

/* "a + b - c" for a unit vector [dimensions]: its parts, largest first, down to a quarter of the
 * largest. name: the name of a coordinate. The caller frees the result; NULL: out of
 * memory. */
char *omr_direction_told(const double *direction, size_t dimensions,
                         const char *(*name)(const void *who, size_t dimension), const void *who);

#endif
