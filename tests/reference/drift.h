/* The present violations of all constraints into their maxima. */
#ifndef TESTS_DRIFT_H
#define TESTS_DRIFT_H

#include "reference/multibody/multibody.h"

static inline void note_drift(omr_mb *mb) {
  for (int i = 0; i < omr_mb_constraints(mb); i++)
    omr_mb_note_constraint(mb, omr_mb_constraint_at(mb, i));
}

#endif
