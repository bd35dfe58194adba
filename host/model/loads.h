/* Loads of a vehicle that stands on rigid contacts. */
#ifndef OMR_LOADS_H
#define OMR_LOADS_H

#include <stdbool.h>

/* Loads of the contact points place[count][2], m, on a plane N_i = nu_0 + nu_1 x_i + nu_2 z_i in N
 * that carries weight and centre of mass: weight (1, x, z) (appendix/vehicle.md#loads,
 * without accelerations). False, with equal loads, where the points lie on a line. */
bool omr_plane_loads(const double (*place)[2], int count, const double carried[3], double *loads);

#endif
