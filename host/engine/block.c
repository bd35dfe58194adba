#include "block.h"

#include "../../kernels/layout.h"

#include <string.h>

_Static_assert(SPIN_BLOCK == OMR_PAD, "a block of spins is a block of slots");

static void put(int columns, const double *from, size_t count, double *to, size_t stride) {
  for (int j = 0; j < columns; j++, from += OMR_BLOCK, to += stride)
    memcpy(to, from, count * sizeof *to);
}

void omr_block_put(const omr_run_settings *s, const omr_batch *block, omr_batch *batch,
                   size_t first) {
  const size_t params = (size_t)s->param_columns, states = (size_t)s->state_columns,
               spins = (size_t)s->spin_columns; /* which are in blocks always */
  if (batch->blocked) {
    memcpy(batch->params + first * params, block->params, OMR_BLOCK * params * sizeof(double));
    memcpy(batch->state + first * states, block->state, OMR_BLOCK * states * sizeof(double));
  } else {
    put(s->param_columns, block->params, block->count, batch->params + first, batch->stride);
    put(s->state_columns, block->state, block->count, batch->state + first, batch->stride);
  }
  memcpy(batch->spins + first * spins, block->spins, OMR_BLOCK * spins * sizeof(double));
}
