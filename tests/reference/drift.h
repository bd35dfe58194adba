/* The present violations of all constraints into their maxima. */
#ifndef TESTS_DRIFT_H
#define TESTS_DRIFT_H

#include "reference/multibody/multibody.h"

static inline void note_drift(omr_mb *mb) {
  for (int i = 0; i < mb->constraints; i++) {
    omr_mb_constraint *c = mb->constraint[i];
    const omr_mb_drift d = omr_mb_drift_of(mb, c);
    c->max_position = fmax(c->max_position, fabs(d.position));
    c->max_velocity = fmax(c->max_velocity, fabs(d.velocity));
  }
}

#endif
