/* Ground of rolling_disc with a given motion: its folded parameters, and the energy of a disc on
 * it. */
#ifndef OMR_DISC_GROUND_H
#define OMR_DISC_GROUND_H

#include <stdbool.h>

/* Folds the plate's motion from the study's values (OMR_VP_) into the kernels' columns p (DISC_P_),
 * and sets the mark that there is one. */
void omr_disc_fold_ground(const double *values, double *p);

/* An upper bound of the ground's speed near the disc, m/s: turns count at a radius from the pivot.
 * 0 where it rests. */
double omr_disc_ground_speed(const double *p);

/* Kinetic energy, gravity and contact spring of the state y (DISC_Y_) at a time in s, J, by the
 * kernels' own right-hand side in double, in the frame at rest. `rolls`: contact "rolling". */
double omr_disc_ground_energy(bool rolls, const double *p, const double *y, double time);

#endif
