/* Angles whose sensor starts again after a whole turn. */
#ifndef OMR_STUDY_UNWRAP_H
#define OMR_STUDY_UNWRAP_H

#include <stdbool.h>
#include <stddef.h>

/* Takes whole periods off the steps of value[rows], so that none is longer than half of one. */
void omr_unwrap(double *value, size_t rows, double period);

/* The signs that a column of a sensor wraps at a period. */
typedef struct omr_wraps {
  bool within;    /* all values lie within one period */
  bool turns;     /* they rise and fall: one that only rises or falls has not wrapped for certain */
  size_t jumps;   /* steps of more than half a period */
  size_t moves;   /* other steps that are none of 0 */
  size_t first;   /* row that the first jump leads to */
  size_t coarse;  /* row that the longest step leads to, whole periods taken off */
  double longest; /* that step's size */
} omr_wraps;
omr_wraps omr_wraps_of(const double *value, size_t rows, double period);

/* The first row to which a step of more than `least` leads that is four times as long as both its
 * neighbours and goes the other way; 0: none. */
size_t omr_lone_jump(const double *value, size_t rows, double least);

#endif
