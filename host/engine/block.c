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
  put(s->param_columns, block->params, block->count, batch->params + first, batch->stride);
  put(s->state_columns, block->state, block->count, batch->state + first, batch->stride);
  size_t columns = (size_t)s->spin_columns; /* spins are stored in blocks already */
  memcpy(batch->spins + first * columns, block->spins, OMR_BLOCK * columns * sizeof *batch->spins);
}
