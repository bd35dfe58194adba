/* Curves that a snakeboard follows (kernels/small/snakeboard_path.h). */
#ifndef OMR_SNAKEBOARD_PATH_H
#define OMR_SNAKEBOARD_PATH_H

#include "../study/study.h"

/* Folds the curve that the study's word gait.wheelsets names; false with a reason where its turns
 * are too sharp. */
bool omr_snakeboard_fold_path(const omr_study *study, const double *values, double *p, char *reason,
                              size_t size);
/* Angle of the front wheelset at tau, rad, and its change per length of path, rad/m. */
void omr_snakeboard_path_angle(const double *p, double tau, double *angle, double *slope);

#endif
