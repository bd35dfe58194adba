/* Sequential stopping: the interval of one quantity, looked at as rows come in. */
#ifndef OMR_STATISTICS_STOP_H
#define OMR_STATISTICS_STOP_H

#include "../study/study.h"
#include "intervals.h"
#include "margin.h"

/* Looks come at numbers of rows that grow by a tenth at least: an interval that is looked at often
 * is too narrow at some time by chance, and so the run would end too early too often; with n rows
 * there are about 24 log10(n / at_least) looks at most. */
typedef struct omr_stop {
  const omr_study *study;
  omr_margin margin; /* of a criterion */
  size_t rows;       /* seen */
  uint64_t used, met;
  double mean, squares; /* of the observable: sum of squared distances from the mean */
  size_t next, looks;   /* rows from which on to look; looks so far */
  double estimate;      /* at the last look */
  omr_bounds bounds;
  bool reached;
} omr_stop;

/* study->statistics.stop must be given. Release with omr_stop_free, also after a failure. */
omr_status omr_stop_make(const omr_study *study, omr_stop *stop, omr_error *error);
void omr_stop_free(omr_stop *stop);

/* The next row; values as for omr_margin_truth. */
void omr_stop_add(omr_stop *stop, double *values, int status);
/* Computes estimate and interval of the rows so far. */
void omr_stop_estimate(omr_stop *stop);
/* At the end of a chunk: looks where it is time to, and says whether the interval is narrow enough.
 */
bool omr_stop_look(omr_stop *stop);

/* Rows at which the run ends in any case. */
size_t omr_stop_budget(const omr_study *study);

#endif
