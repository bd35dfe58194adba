#include "pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct omr_pool_block {
  struct omr_pool_block *before;
  max_align_t room[];
} block;

void *omr_pool_take(omr_pool *pool, size_t count, size_t size) {
  size_t bytes;
  const bool fits = !__builtin_mul_overflow(count, size, &bytes) && bytes < PTRDIFF_MAX / 2;
  block *taken = fits ? calloc(1, sizeof *taken + bytes + 1) : NULL;
  pool->failed = pool->failed || !taken;
  if (!taken) return NULL;
  taken->before = pool->last;
  pool->last = taken;
  return taken->room;
}

char *omr_pool_text(omr_pool *pool, const char *text) {
  char *copy = omr_pool_take(pool, strlen(text), 1);
  return copy ? strcpy(copy, text) : NULL;
}

void omr_pool_free(omr_pool *pool) {
  for (block *last = pool->last, *before; last; last = before) {
    before = last->before;
    free(last);
  }
  *pool = (omr_pool){0};
}
