/* Instances that the caller of the library chooses, and their integration by the reference. */
#ifndef OMR_CHOSEN_H
#define OMR_CHOSEN_H

#include "ensemble.h"

/* The instances of a choice, ascending; *chosen is malloc'ed. */
omr_status omr_chosen_find(const omr_reference_choice *choice, const omr_study *study,
                           size_t **chosen, size_t *count, omr_error *error);
omr_mb_tolerance omr_chosen_tolerance(const omr_reference_choice *choice);

#endif
