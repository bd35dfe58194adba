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

#endif
