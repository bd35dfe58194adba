/* What a study asks (key "ask"). */
#ifndef OMR_STUDY_ASK_H
#define OMR_STUDY_ASK_H

#include <stddef.h>

/* Which values of a quantity are better. */
typedef enum omr_best {
  OMR_BEST_NONE,
  OMR_BEST_SMALLER,
  OMR_BEST_LARGER,
  OMR_BEST_TARGET /* the nearer to a number */
} omr_best;

/* An observable that is asked. */
typedef struct omr_ask {
  int observable; /* OMR_OBS_ */
  omr_best best;
  double target; /* in the observable's unit */
} omr_ask;

#endif
