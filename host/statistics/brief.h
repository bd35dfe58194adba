/* What the program prints after a run unless more is asked for: at most 25 lines of 80 columns that
 * hold the answer, what is doubtful about it, and where the rest is. */
#ifndef OMR_BRIEF_H
#define OMR_BRIEF_H

#include "statistics.h"

typedef struct omr_brief {
  const omr_result *head; /* as omr_summary_print takes it */
  const omr_statistics *statistics;
  const char *path;            /* where the result lies */
  double seconds, integrating; /* of this process: by the clock, and what of it was integrating */
} omr_brief;

void omr_brief_print(const omr_brief *brief, FILE *out);

#endif
