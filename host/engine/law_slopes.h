/* Slopes of the laws of friction, for the step check. */
#ifndef OMR_LAW_SLOPES_H
#define OMR_LAW_SLOPES_H

/* Largest slopes of the force per load over the slip [s/m], along an axis x, which is k turned to
 * cosine k + sine i, and along y, the one across it. */
typedef struct omr_law_slopes {
  double x, y, cosine, sine;
} omr_law_slopes;

/* Slopes of a law under `settings` (K_) for a wheel with the folded parameters `wheel` (W_) that
 * meets friction coefficients up to `peak`: NAME_steepest of kernels/laws/NAME.h. 0 for
 * constraints.
 */
omr_law_slopes omr_friction_slopes(const int *settings, int law, const double *wheel, double peak);

#endif
