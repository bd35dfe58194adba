/* omniroll excite: the manoeuvre with the most information on the unknown parameters, out of
 * families of manoeuvres (manoeuvre.h). S is the sensitivity of the planned measurement, over its
 * noise, in standard normal coordinates of the prior; the criterion is log det(I + S^T S), twice
 * the information in nats that a run gives where the model is straight (Chaloner and Verdinelli,
 * Statistical Science 10, 273, 1995), averaged over draws of the prior. */
#ifndef OMR_EXCITE_H
#define OMR_EXCITE_H

#include "../include/omniroll/excite.h"
#include "calibrate.h"
#include "manoeuvre.h"

enum { EXCITE_NEAR = 8 }; /* manoeuvres of a round of refinement */

typedef struct omr_excite_try {
  omr_manoeuvre manoeuvre;
  double criterion;
  size_t failed; /* runs that did not reach the end; they count as runs without information */
  double *left;  /* [dimensions], the diagonal of (I + S^T S)^-1, a mean over the draws */
  double *gram;  /* [dimensions][dimensions], S^T S, a mean over the draws */
} omr_excite_try;

struct omr_excite {
  omr_pool memory; /* of the arrays */
  const omr_study *study;
  omr_coordinates layout; /* of one run, in which every parameter is the run's */
  omr_manoeuvre_limits limits;
  double *points, *steps; /* [draws][2 dimensions][dimensions]; [dimensions] */
  omr_excite_try *tried;  /* [count], the refinement's at the end */
  size_t count, done;
  omr_excite_try ahead;       /* straight ahead */
  size_t best, median, worst; /* of tried; the last two of the tries before the refinement */
  double *singular;           /* of the best try, as in omr_calibrate */
};

/* The manoeuvre found, and others to compare it with. */
enum { EXCITE_SHOWN = 4 };
typedef struct excite_shown {
  const char *name, *key; /* in the table and in JSON */
  const omr_excite_try *it;
} excite_shown;

#endif
