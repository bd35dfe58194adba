/* The motion of a vehicle that rolls at given rates of its wheels. */
#ifndef OMR_ROLLING_H
#define OMR_ROLLING_H

#include "fold.h"

/* Jacobi's method for a symmetric 3 x 3 matrix; the columns of `v`, the identity before, become its
 * eigenvectors, and the diagonal of `a` its eigenvalues. */
void omr_diagonalize(double a[3][3], double v[3][3]);

/* Where the study starts rolling: sets the motion of the body that fits the rates of the wheels
 * that are told best, by least squares and through ideal massless rollers of the wheels as built,
 * and the rates of the others. Returns by how much the rates disagree with it, rms over rms. */
double omr_start_rolling(const omr_study *study, const omr_vehicle_body *body, omr_values *values);

#endif
