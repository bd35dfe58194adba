/* The rows of section "tracking" that the reference measures. */
#ifndef OMR_BENCH_TRACKING_FILE
#define OMR_BENCH_TRACKING_FILE

#include "cases.h"

/* Appends a row for each tracking where the options want them; a row that cannot be measured says
 * why. The rows are compared with explicit tracking over the same motion, not by step. */
omr_status bench_tracking_measure(const omr_bench_request *options, omr_bench *bench,
                                  omr_error *error);

#endif
