/* The floor below compliant contacts where it is no level plane (PHYSICS.md#19-floors). */
#ifndef OMR_FLOOR_H
#define OMR_FLOOR_H

#include "fold.h"

/* Bits of the setting FLOOR (kernels/layout.h): what some instance has. */
int omr_floor_bits(const omr_study *study);

/* Number of parameter columns of the study's floor; 0 on a level plane. */
int omr_floor_columns(const omr_study *study);

/* Columns of the floor of one instance, in the order of OMR_FLOOR_COLUMNS; as many as
 * omr_floor_columns. */
void omr_fold_floor(const omr_study *study, const omr_values *values, double *columns);

/* The direction against gravity in world axes; (0, 1, 0) but on a slope. */
void omr_floor_up(const omr_values *values, double up[3]);

#endif
