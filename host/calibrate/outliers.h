/* Noise with outliers: a share p of the values has noise k = OMR_OUTLIER_NOISE times as large
 * (contaminated normal, Tukey 1960), so that a residual r, in units of the noise, has the density
 * (1 - p) phi(r) + p phi(r/k)/k. */
#ifndef OMR_OUTLIERS_H
#define OMR_OUTLIERS_H

/* How often a residual is below r. */
double omr_outliers_below(double share, double r);
/* Logarithm of its density over phi(0). */
double omr_outliers_log_density(double share, double r);
/* The probability that this residual has the larger noise. */
double omr_outliers_probability(double share, double r);
/* The residual's normal score: N(0, 1) where r has this noise, about r within the noise, r/k far
 * beyond it. Tests of white noise N(0, 1) take it for the residual. */
double omr_outliers_score(double share, double r);
/* The residual whose half square is Huber's loss (1964): r up to OMR_HUBER, and beyond it as the
 * root of its size, with r's sign. Least squares of it are little moved by outliers, and drawn to
 * the measured values from afar. Without outliers: r. */
double omr_outliers_clip(double share, double r);

/* Estimates lose 5 % of their efficiency where there are no outliers. */
#define OMR_HUBER 1.345

#endif
