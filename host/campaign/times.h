/* What a process's run into a file took, seen by who waits for it: from its begin to the result's
 * name being there. */
#ifndef OMR_TIMES_H
#define OMR_TIMES_H

#include "../result/result.h"

typedef struct omr_times {
  double begun;                                         /* omr_seconds() */
  double build, kernels, transfer, prepare, statistics; /* s */
  double write; /* chunks and result, but for what was written while a device or the processor
                   integrated */
} omr_times;

/* Adds what a computed part took. */
void omr_times_add(omr_times *times, const omr_run_record *record);

/* "integrating 97.3 % of 35.5 s (preparing 0.9 %, statistics 0.6 %, writing 1.2 %)"; nothing where
 * nothing was integrated. */
void omr_times_print(const omr_times *times, FILE *out);

#endif
