/* The relaxed law of a recorded state in the columns of a slot; after kernel.h, which knows the
 * columns. */
#ifndef TESTS_RELAX_SLOT_H
#define TESTS_RELAX_SLOT_H

#include "kernel.h"
#include "recorded.h"

/* Gives a slot that was prepared under a law of friction the relaxed law of a state: the states
 * have pointed tips too, which a study of that law refuses because of what happens at the tip. */
static inline void relax_slot(fleet *f, size_t slot, const recorded *r) {
  f->settings.integers[K_LAW] = OMR_LAW_RELAXED;
  f->settings.integers[K_CONSTRAINED] = 1;
  f->settings.integers[K_WEIGHTS] = OMR_WEIGHTS_DEMAND;
  f->settings.integers[K_CONTACT_WISE] = 0;
  for (int i = 0; i < r->machine.wheels; i++) {
#define PUT(id, value)                                                                             \
  f->batch.params[(size_t)OMR_PARAM_COLUMN(i, id) * f->batch.stride + slot] = value
    PUT(W_BAUMGARTE, r->baumgarte);
    PUT(W_STICTION_GAIN, r->stiction_gain / 3);
    PUT(W_FRICTION_GAIN, r->friction_gain / 3);
    PUT(W_INV_REFERENCE, 1 / r->reference_speed);
#undef PUT
  }
}

#endif
