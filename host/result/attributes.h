/* Everything that a result says of itself apart from its numbers: attributes of a result file,
 * members of omr_result_about_json. */
#ifndef OMR_ATTRIBUTES_H
#define OMR_ATTRIBUTES_H

#include "result.h"

/* Receives attributes. The functions are called one after another and get `to` unchanged. */
typedef struct omr_attributes {
  void *to;
  void (*text)(void *to, const char *name, const char *value); /* value NULL: "" */
  void (*number)(void *to, const char *name, double value);
  void (*integer)(void *to, const char *name, int64_t value);
} omr_attributes;

/* Attributes of the study. */
void omr_attributes_of_study(const omr_result *result, const omr_attributes *attributes);
/* Attributes of the run while it is written. */
void omr_attributes_of_run(const omr_run_record *run, const omr_attributes *attributes);
/* Attributes of the outcome. `retries`: the study has them. */
void omr_attributes_of_outcome(const omr_run_record *run, bool retries,
                               const omr_attributes *attributes);
/* The time of creation: now. */
void omr_attributes_of_time(const omr_attributes *attributes);

/* The words of omr_instance_status_name, separated by blanks, and their numbers. */
const char *omr_status_words(void);
const int8_t *omr_status_codes(size_t *count);

/* Names, units and meanings of the arrays that every result has in addition to its columns: over
 * its rows, and over its trajectories. */
typedef enum omr_kept_name {
  OMR_KEPT_INSTANCE,
  OMR_KEPT_STATUS,
  OMR_KEPT_STATUS_TIME,
  OMR_KEPT_RETRIES,
  OMR_KEPT_TRACED,
  OMR_KEPT_TIME,
  OMR_KEPT_WHEEL
} omr_kept_name;
omr_sample_info omr_kept_info(omr_kept_name which);

#endif
