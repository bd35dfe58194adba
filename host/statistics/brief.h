/* The short summary that the program prints after a run, and of a result, by default: at most 25
 * lines of 80 columns with the answer, the doubts about it, and where to find the rest. */
#ifndef OMR_BRIEF_H
#define OMR_BRIEF_H

#include "statistics.h"

typedef struct omr_brief {
  const omr_result *head; /* as omr_summary_print takes it */
  const omr_statistics *statistics;
  const char *path;            /* where the result lies */
  bool there;                  /* it was read from there, not written */
  double seconds, integrating; /* of this process: by the clock, and the part spent integrating */
} omr_brief;

void omr_brief_print(const omr_brief *brief, FILE *out);

/* summary.c: prints the summary in full. `head` gives title, model, wheels, the reason of the first
 * invalid instance and the record; its columns are not read, so it may be a result without rows. */
void omr_summary_print(const omr_result *head, const omr_statistics *statistics, FILE *out);

#endif
