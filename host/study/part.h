/* A part of a study: some of its rows, run and stored alone. */
#ifndef OMR_PART_H
#define OMR_PART_H

#include "study.h"

/* Shares everything with the study that it was made of, which must outlive it, except the list of
 * its instances. */
typedef struct omr_part {
  omr_study study; /* for omr_engine_run, omr_result_make */
  size_t *chosen, *traced;
} omr_part;

/* The rows first .. last-1 (rows as in omr_study_rows, so a study of chosen instances has parts as
 * well) with the trajectories among them. Release with omr_part_free. */
omr_status omr_part_make(const omr_study *study, size_t first, size_t last, omr_part *part,
                         omr_error *error);
/* The same of several ranges of rows, ascending: firsts[i] .. lasts[i]-1. */
omr_status omr_part_join(const omr_study *study, const size_t *firsts, const size_t *lasts,
                         size_t ranges, omr_part *part, omr_error *error);
void omr_part_free(omr_part *part);

#endif
