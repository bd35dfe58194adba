/* The nominal vehicle of a study: the value of each varied parameter there; and studies of single
 * vehicles. */
#ifndef OMR_NOMINAL_H
#define OMR_NOMINAL_H

#include "study.h"

/* Where a value is from. */
typedef enum omr_nominal_source {
  OMR_NOMINAL_WRITTEN, /* "parameters" gives it */
  OMR_NOMINAL_BASE,    /* the default, which is the base that a one_at_a_time design steps from */
  OMR_NOMINAL_MEDIAN   /* of the values that the design gives the parameter */
} omr_nominal_source;

/* The value of a varied parameter: the base that "parameters" gives it, or the median of its
 * distribution, of its levels or of its column; of an even number of values the lower of the two in
 * the middle, so that it is one of them. False when out of memory. */
bool omr_nominal_value(const omr_study *study, const omr_variation *variation, double *value,
                       omr_nominal_source *source);

/* "median of uniform": static text. */
const char *omr_nominal_words(const omr_variation *variation, omr_nominal_source source);

/* single_vehicle.c: omr_study_of_instances of `count` instances whose varied parameters have these
 * values: [count][study->variation_count]. Instances of later levels of a subset simulation may be
 * among them. */
omr_status omr_study_of_values(const omr_study *study, const size_t *instances,
                               const double *values, size_t count, const char *trace,
                               omr_study **made, omr_error *error);

#endif
