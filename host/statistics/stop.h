/* Sequential stopping: the interval of one quantity, checked as rows come in. */
#ifndef OMR_STATISTICS_STOP_H
#define OMR_STATISTICS_STOP_H

#include "../study/study.h"
#include "intervals.h"
#include "margin.h"

/* Looks come at numbers of rows that grow by at least a tenth: an interval that is checked often is
 * too narrow at some time by chance, and would end the run too early too often. With n rows there
 * are at most about 24 log10(n / at_least) looks. */
typedef struct omr_stop {
  const omr_study *study;
  omr_margin margin; /* of a criterion */
  size_t rows;       /* seen */
  uint64_t used, met;
  omr_sums sums;      /* of the observable */
  size_t next, looks; /* number of rows at which to look next; looks so far */
  double estimate;    /* at the last look */
  omr_bounds bounds;
  bool reached;
} omr_stop;

/* study->statistics.stop must be given. Release with omr_stop_free, also after a failure. */
omr_status omr_stop_make(const omr_study *study, omr_stop *stop, omr_error *error);
void omr_stop_free(omr_stop *stop);

/* Adds the next row; values as for omr_margin_truth. */
void omr_stop_add(omr_stop *stop, double *values, int status);
/* Computes estimate and interval of the rows so far. */
void omr_stop_estimate(omr_stop *stop);
/* At the end of a chunk: looks if it is time to, and returns true if the interval is narrow
 * enough. */
bool omr_stop_look(omr_stop *stop);

/* Number of rows at which the run ends in any case. */
size_t omr_stop_budget(const omr_study *study);

#endif
