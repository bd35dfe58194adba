/* The top of the posterior by Gauss-Newton steps with differences across lanes, in standard normal
 * coordinates u, whose prior is N(0, I). r(u) are residuals whose noise is N(0, I); the objective,
 * to be made least, is (|r|^2 + |u|^2)/2. With S = dr/du, by differences to both sides, and A = S^T
 * S + I, a step is -(A + c diag A)^-1 (S^T r + u) with a damping c (Levenberg 1944, Marquardt
 * 1963): several are tried side by side. The last step's damping, or the next smaller one, is taken
 * unless it loses half a nat; another one where it gains half a nat more. A^-1 is the covariance
 * about the top where the model is straight, S^T S the Fisher matrix.
 *
 * One batch a step: the batch that tries the likely point has the differences about it too; where
 * another point is taken, another batch has them. The same bits on every machine. */
#ifndef OMR_POLISH_H
#define OMR_POLISH_H

#include "../support/support.h"

typedef struct omr_polish_settings {
  size_t dimensions, data;
  size_t most_steps;
  const double *start; /* [dimensions], copied */
  const double *other; /* the same: the start where it is better; NULL: none */
  const double *steps; /* [dimensions] of the differences, above 0, copied */
} omr_polish_settings;

typedef struct omr_polish omr_polish;

omr_status omr_polish_make(const omr_polish_settings *settings, omr_polish **polish,
                           omr_error *error);
void omr_polish_destroy(omr_polish *polish); /* NULL-safe */

/* The waiting batch, points [count][dimensions]; 0: the climb has ended. */
size_t omr_polish_points(const omr_polish *polish, const double **points);
/* Most points of a batch. */
size_t omr_polish_most(size_t dimensions);
/* Residuals [count][data] of the whole batch, destroyed; good [count]: whether a point has any. The
 * next batch then stands ready. OMR_ERR_FAILURES: neither start has any. */
omr_status omr_polish_take(omr_polish *polish, double *residuals, const bool *good,
                           omr_error *error);

typedef struct omr_polish_top {
  const double *mode, *residuals; /* [dimensions], [data] */
  const double *covariance;       /* [dimensions][dimensions], A^-1 */
  double log_determinant;         /* of A */
  double left;                    /* the step that would follow, in deviations of the posterior */
  bool rests;                     /* that step is below OMR_POLISH_REST */
  size_t steps;                   /* steps taken */
  size_t blind; /* coordinates without residuals on either side: they count as if the data said
                   nothing of them */
} omr_polish_top;

#define OMR_POLISH_REST 1e-3

/* The result, once no batch waits; it lives as long as the polish. */
omr_polish_top omr_polish_top_of(const omr_polish *polish);

#endif
