#include "batch.h"

#include <stdlib.h>
#include <string.h>

void omr_settings_free(omr_run_settings *s) {
  free(s->integers);
  free(s->tables);
  memset(s, 0, sizeof *s);
}

static bool make_batch(const omr_run_settings *s, size_t slots, void *(*allocate)(size_t, size_t),
                       omr_batch *batch) {
  *batch = (omr_batch){.count = slots, .stride = slots};
  batch->params = allocate((size_t)s->param_columns * slots, sizeof(double));
  batch->state = allocate((size_t)s->state_columns * slots, sizeof(double));
  batch->spins = allocate((size_t)s->spin_columns * slots, sizeof(double));
  return batch->params && batch->state && batch->spins;
}

bool omr_batch_make(const omr_run_settings *s, size_t slots, omr_batch *batch) {
  return make_batch(s, slots, omr_aligned_calloc, batch);
}

bool omr_batch_room(const omr_run_settings *s, size_t slots, omr_batch *batch) {
  return make_batch(s, slots, omr_aligned_room, batch);
}

omr_batch omr_batch_block(const omr_run_settings *s, const omr_batch *batch, size_t slot,
                          size_t *at) {
  const size_t first = batch->blocked ? slot / OMR_PAD * OMR_PAD : 0;
  omr_batch block = *batch;
  *at = slot - first;
  if (!batch->blocked) return block;
  block.blocked = false;
  block.count = block.stride = OMR_PAD;
  block.params += first * (size_t)s->param_columns;
  block.state += first * (size_t)s->state_columns;
  block.spins += first * (size_t)s->spin_columns;
  return block;
}

void omr_batch_free(omr_batch *batch) {
  free(batch->params);
  free(batch->state);
  free(batch->spins);
  memset(batch, 0, sizeof *batch);
}

double omr_slot_time(const omr_run_settings *s, const omr_batch *batch, size_t slot) {
  const double *state = batch->state + slot;
  const double steps = state[(size_t)s->step_column * batch->stride] +
                       state[(size_t)s->fraction_column * batch->stride];
  return steps * s->step / state[(size_t)s->substeps_column * batch->stride];
}
