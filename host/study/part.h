/* A part of a study: the instances of one run. omr_study is the study file as it was read, and
 * nobody changes it after that; a run, or a chunk of one, chooses the instances here. */
#ifndef OMR_PART_H
#define OMR_PART_H

#include "study.h"

/* The instances that run, a row of the result for each, and those among them whose trajectories are
 * kept. Copied like a number: everything that it points to belongs to others. */
typedef struct omr_part {
  const omr_study *study;
  const size_t *chosen; /* [rows], ascending; NULL: the study's first instances */
  size_t rows;
  const size_t *traced; /* [traced_count], ascending numbers of instances */
  size_t traced_count;
  const double *known; /* standard normal coordinates [known_count][study->sample.dimensions] of the
                          instances from known_first on, of a study that draws: given by the plan of
                          a subset simulation (host/campaign/plan_subset.c) or by a calibration;
                          others are points of the input distribution. NULL: none are given */
  size_t known_first, known_count;
} omr_part;

/* The whole study. */
omr_part omr_part_of(const omr_study *study);
/* Only these instances, ascending, none with a trajectory. */
omr_part omr_part_choose(const omr_study *study, const size_t *chosen, size_t count);

/* The same, each with a trajectory. */
omr_part omr_part_traced(const omr_study *study, const size_t *chosen, size_t count);

/* Which instance has row `row` of the result. */
static inline size_t omr_part_row(const omr_part *part, size_t row) {
  return part->chosen ? part->chosen[row] : row;
}

/* Place of the first traced instance from `instance` on; traced_count where there is none. */
size_t omr_part_traced_from(const omr_part *part, size_t instance);

/* The values of instance k: the study's base with the varied parameters replaced. column_values
 * (NULL or variation_count long) receives them. Depends only on the study, k and, where the part
 * knows it, k's coordinates. */
void omr_part_values(const omr_part *part, size_t k, omr_values *values, double *column_values);

/* Gives a varied parameter a value, in the study's frame. */
void omr_vary(const omr_study *study, const omr_variation *variation, double given,
              omr_values *values);

/* The base value of a varied parameter, in the study's frame. */
double omr_base_value(const omr_study *study, const omr_variation *variation);

/* Rows cut out of a part, with lists of their own. */
typedef struct omr_cut {
  omr_part part;
  size_t *chosen, *traced;
} omr_cut;

/* The rows first .. last-1 of `from`, with the trajectories among them. Release with omr_cut_free;
 * the study of `from`, its traced instances and its coordinates must live as long. */
omr_status omr_cut_make(const omr_part *from, size_t first, size_t last, omr_cut *cut,
                        omr_error *error);
/* The same of several ranges of rows, ascending: firsts[i] .. lasts[i]-1. */
omr_status omr_cut_join(const omr_part *from, const size_t *firsts, const size_t *lasts,
                        size_t ranges, omr_cut *cut, omr_error *error);
void omr_cut_free(omr_cut *cut); /* all zero is allowed */

#endif
