/* Memory that is freed together: the arrays and texts of an object. */
#ifndef OMR_POOL_H
#define OMR_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise. One thread at a time may use it. */
typedef struct omr_pool {
  struct omr_pool_block *last;
  bool failed; /* out of memory at some point */
} omr_pool;

/* Room for `count` values of `size` bytes and one more byte, all zero; NULL when out of memory. */
void *omr_pool_take(omr_pool *pool, size_t count, size_t size);
/* A copy of a text; NULL likewise. */
char *omr_pool_text(omr_pool *pool, const char *text);
void omr_pool_free(omr_pool *pool);

#endif
