/* Tempered sequential Monte Carlo (Del Moral, Doucet and Jasra 2006) in standard normal coordinates
 * u, whose prior is N(0, I): from a normal distribution q = N(m, C), which the ensemble gives, to
 * the posterior. At the inverse temperature t points are draws of q^(1-t) (prior x likelihood)^t. t
 * rises as far as the effective sample size stays at half of the points (Jasra et al. 2011); then
 * points are drawn anew by their weights and move, all of them in one batch: v = a + rho (u - a) +
 * sqrt(1 - rho^2) xi, xi ~ N(0, A), with mean a and covariance A of the other half of the points.
 * That is reversible with respect to N(a, A), so that the ratio of the target to N(a, A) decides
 * whether a move is taken. Points move until they have forgotten where they came from.
 *
 * The caller gives the logarithm of each point's likelihood; NaN or -infinity: none, an instance
 * that failed. The same bits on every machine. */
#ifndef OMR_TEMPERING_H
#define OMR_TEMPERING_H

#include "../support/support.h"

#include <stdint.h>

typedef struct omr_tempering_settings {
  size_t dimensions, points;
  uint64_t seed;
  const double *mean;   /* [dimensions] of q, copied; NULL: q is the prior */
  const double *factor; /* [dimensions][dimensions], lower Cholesky factor of C, copied */
  size_t most_moves;    /* of a temperature; 0: 40 */
} omr_tempering_settings;

/* A temperature. */
typedef struct omr_tempering_stage {
  double reached;    /* t */
  double effective;  /* points that the weights are worth, on the way to t */
  double acceptance; /* share of the moves that were accepted */
  double remembered; /* correlation of the points with their origin, after the moves */
  size_t moves, failed;
} omr_tempering_stage;

enum { OMR_TEMPERING_STAGES = 200 };

typedef struct omr_tempering omr_tempering;

omr_status omr_tempering_make(const omr_tempering_settings *settings, omr_tempering **tempering,
                              omr_error *error);
void omr_tempering_destroy(omr_tempering *tempering); /* NULL-safe */

/* The waiting batch: points [settings.points][dimensions]; NULL: the path has ended. */
const double *omr_tempering_points(const omr_tempering *tempering);
/* Logarithms of the likelihood of the whole batch; the next one then stands ready.
 * OMR_ERR_FAILURES: no point has a likelihood, or there would be too many temperatures. */
omr_status omr_tempering_take(omr_tempering *tempering, const double *likelihoods,
                              omr_error *error);

/* Points of the posterior, equally likely, their log likelihoods, the logarithm of the evidence
 * (the mean of the likelihood over the prior), and the temperatures on the way. */
typedef struct omr_tempering_result {
  const double *states, *likelihoods; /* [points][dimensions], [points] */
  double evidence;
  const omr_tempering_stage *stage; /* [stages] */
  size_t stages;
} omr_tempering_result;

/* The result, once no batch waits; it lives as long as the tempering. */
omr_tempering_result omr_tempering_result_of(const omr_tempering *tempering);

#endif
