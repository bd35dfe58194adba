/* The summary after a run. */
#ifndef OMR_SUMMARY_H
#define OMR_SUMMARY_H

#include "statistics.h"

/* Prints it. `head` gives title, model, wheels, the reason of the first invalid instance and the
 * record; its columns are not read, so it may be a result without rows. */
void omr_summary_print(const omr_result *head, const omr_statistics *statistics, FILE *out);

#endif
