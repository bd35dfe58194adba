/* Slopes of the curves of tyres, for the step check. */
#ifndef OMR_TYRE_SLOPE_H
#define OMR_TYRE_SLOPE_H

/* The steepest slope of the magic formula with the curvature factor E, over its slope at slip 0. */
double omr_magic_steepness(double curvature);

#endif
