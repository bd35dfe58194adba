/* The times of a process's run into a file, as its caller sees them: from the beginning until the
 * result has its name. */
#ifndef OMR_TIMES_H
#define OMR_TIMES_H

#include "../result/result.h"

typedef struct omr_times {
  double begun;                                         /* omr_seconds() */
  double build, kernels, transfer, prepare, statistics; /* s */
  double write; /* chunks and result, except writing while a device or the processor integrated */
} omr_times;

/* Adds the times of a computed part. */
void omr_times_add(omr_times *times, const omr_run_record *record);

/* "integrating 97.3 % of 35.5 s (preparing 0.9 %, statistics 0.6 %, writing 1.2 %)"; nothing where
 * nothing was integrated. */
void omr_times_print(const omr_times *times, FILE *out);

#endif
