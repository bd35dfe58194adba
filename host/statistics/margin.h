/* A criterion evaluated on rows: whether it holds, and how far it is from changing. */
#ifndef OMR_STATISTICS_MARGIN_H
#define OMR_STATISTICS_MARGIN_H

#include "../study/expression/expression.h"

typedef struct omr_margin {
  omr_names names;
  omr_expression **criteria; /* of the study, up to and including the one in use */
  size_t count;
  const omr_expression *criterion;
} omr_margin;

/* Prepares criterion number `index` of the study's section "statistics". Release with
 * omr_margin_free, also after a failure. */
omr_status omr_margin_make(const omr_study *study, size_t index, omr_margin *margin,
                           omr_error *error);
void omr_margin_free(omr_margin *margin);

/* values: the columns of a row, with one more place for the status. A failed instance is unknown
 * unless the criterion mentions the status. */
int omr_margin_truth(const omr_margin *margin, double *values, int status);
/* Above 0 exactly where the criterion holds; NaN where that is unknown. */
double omr_margin_of(const omr_margin *margin, double *values, int status);

#endif
