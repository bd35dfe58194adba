/* Sensitivities by differences across lanes: two members for each coordinate, one step to either
 * side of a point. */
#ifndef OMR_DIFFERENCES_H
#define OMR_DIFFERENCES_H

#include <stdbool.h>
#include <stddef.h>

/* points [2 dimensions][dimensions] about `centre`, up and down, by steps [dimensions]. */
void omr_differences_lay(size_t dimensions, const double *centre, const double *steps,
                         double *points);

/* Adds S^T S of S = (r(u + h e) - r(u - h e))/(2 h) to gram [dimensions][dimensions], weighed by
 * `weight`. residuals [2 dimensions][data] of the points, destroyed; a coordinate with a side that
 * is not good counts as one that says nothing. */
void omr_differences_gram(size_t dimensions, size_t data, double *residuals, const bool *good,
                          const double *steps, double weight, double *gram);

#endif
