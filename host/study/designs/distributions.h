/* The distributions of varied parameters by their quantile functions, the same bits on every
 * machine. */
#ifndef OMR_STUDY_DISTRIBUTIONS_H
#define OMR_STUDY_DISTRIBUTIONS_H

#include "../study.h"

/* The arguments that a study writes for a distribution, in the order of a, b, c, d. `arguments` has
 * a letter for each: l a value of the parameter, within its bounds; q one of its unit; s a spread
 * in its unit, not negative; p a pure number above 0. */
typedef struct omr_draw_kind {
  const char *name, *form, *arguments, *meaning;
} omr_draw_kind;
extern const omr_draw_kind omr_draw_kinds[OMR_DRAWS];

/* True for all but values and linspace. */
bool omr_is_random(omr_draw draw);

/* Computes the numbers that the draws need from the arguments. */
void omr_draw_fold(omr_variation *variation);

/* The value that lies above a part `unit` (0 < unit < 1) of the distribution; of levels, one of
 * them. */
double omr_quantile(const omr_variation *variation, double unit);

/* The value at the quantile of the standard normal number z. */
double omr_quantile_of_normal(const omr_variation *variation, double z);

/* Whether the distribution has ends: no value lies below *low or above *high. Where it has none,
 * both stay as they are. */
bool omr_draw_ends(const omr_variation *variation, double *low, double *high);

/* No value lies above this one, or infinity where none is the highest. */
double omr_draw_highest(const omr_variation *variation);

#endif
