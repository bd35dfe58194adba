/* Designs whose instances belong together in groups of contiguous rows: for Sobol' indices and for
 * elementary effects. */
#ifndef OMR_STUDY_ROW_GROUPS_H
#define OMR_STUDY_ROW_GROUPS_H

#include "../study.h"

static inline bool omr_has_groups(const omr_study *study) {
  return study->design.type == OMR_DESIGN_SALTELLI || study->design.type == OMR_DESIGN_MORRIS;
}

/* Instances of a group: d + 2, d + 1, and 1 in designs without groups. Instance k is number k %
 * rows of group k / rows. */
size_t omr_group_rows(const omr_study *study);

/* Saltelli: rows of a group are A, then for each parameter A with its value from B, then B, where A
 * and B are the two halves of a Sobol' point of 2 d dimensions. Which of these has the value of
 * parameter `dimension` in row `member`; in other designs the parameter's own. */
uint32_t omr_saltelli_column(const omr_study *study, size_t member, uint32_t dimension);

/* Morris: the value of a parameter in row `member` of a trajectory. */
double omr_morris_value(const omr_study *study, const omr_variation *variation, size_t trajectory,
                        size_t member);

/* The rows between which the parameter moves are *before and *before + 1; returned is by how much,
 * in the unit interval that its quantile function starts from. */
double omr_morris_step(const omr_study *study, const omr_variation *variation, size_t trajectory,
                       size_t *before);

#endif
