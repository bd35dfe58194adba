/* Instances of a study by their numbers. */
#ifndef OMR_INSTANCE_LIST_H
#define OMR_INSTANCE_LIST_H

#include "study.h"

/* "0,3,7-9": ascending, each once; the caller frees *chosen. Messages name `option`. */
omr_status omr_instances_read(const char *option, const char *list, const omr_study *study,
                              size_t **chosen, size_t *count, omr_error *error);

#endif
