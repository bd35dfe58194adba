/* Studies of single vehicles whose values are known. */
#ifndef OMR_STUDY_SINGLE_VEHICLE_H
#define OMR_STUDY_SINGLE_VEHICLE_H

#include "study.h"

/* omr_study_of_instances of `count` instances whose varied parameters have these values:
 * [count][study->variation_count]. Instances of later levels of a subset simulation may be among
 * them. */
omr_status omr_study_of_values(const omr_study *study, const size_t *instances,
                               const double *values, size_t count, const char *trace,
                               omr_study **made, omr_error *error);

#endif
