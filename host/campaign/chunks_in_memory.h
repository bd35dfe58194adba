/* Stored chunks that stay in memory, as far as there is room, so that they need not be read back.
 */
#ifndef OMR_CHUNKS_IN_MEMORY_H
#define OMR_CHUNKS_IN_MEMORY_H

#include "../result/result.h"

typedef struct omr_kept {
  omr_result **results; /* in the order of their numbers */
  size_t *numbers;
  size_t count, bytes;
  omr_result *last; /* the chunk finished last, where it had no room */
  size_t last_number;
} omr_kept;

/* Takes a result; numbers grow. */
void omr_kept_add(omr_kept *kept, size_t number, omr_result *result);
/* Gives a result back, to the caller; NULL where it is not there. */
omr_result *omr_kept_take(omr_kept *kept, size_t number);
void omr_kept_free(omr_kept *kept);

#endif
