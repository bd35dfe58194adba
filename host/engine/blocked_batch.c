#include "blocked_batch.h"

#include "../support/support.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64 }; /* bytes of a cache line */

struct omr_blocked_batch {
  const char *params;
  int param_columns, state_columns, threads;
  size_t value, column; /* bytes of a value, and of a column of a block */
  bool *varies;         /* [param_columns] */
  int *varied, *used;   /* numbers of those columns, and of the state's columns in use */
  int varied_count, used_count;
  char *rooms; /* [threads][param_columns] columns of a block */
};

static const char *param_at(const omr_blocked_batch *b, size_t block, int column) {
  return b->params + (block * (size_t)b->param_columns + (size_t)column) * b->column;
}

static char *room_of(const omr_blocked_batch *b, int thread) {
  return b->rooms + (size_t)thread * (size_t)b->param_columns * b->column;
}

void omr_blocked_batch_vary(omr_blocked_batch *b, int column) {
  if (b->varies[column]) return;
  b->varies[column] = true;
  b->varied[b->varied_count++] = column;
}

/* Shared values are those of the first slot, which the rooms hold from the beginning. */
void omr_blocked_batch_renew(omr_blocked_batch *b, size_t slot) {
  const char *room = room_of(b, 0);
  for (int j = 0; j < b->param_columns; j++) {
    const char *own = param_at(b, slot / OMR_PAD, j) + slot % OMR_PAD * b->value;
    if (!b->varies[j] && memcmp(own, room + (size_t)j * b->column, b->value) != 0)
      omr_blocked_batch_vary(b, j);
  }
}

static void fill_rooms(omr_blocked_batch *b) {
  for (int thread = 0; thread < b->threads; thread++) {
    char *room = room_of(b, thread);
    for (int j = 0; j < b->param_columns; j++)
      for (size_t i = 0; i < OMR_PAD; i++)
        memcpy(room + (size_t)j * b->column + i * b->value, param_at(b, 0, j), b->value);
  }
}

/* A block whose columns are all those of the rooms has nothing of its own. */
static void compare_block(omr_blocked_batch *b, size_t block) {
  const char *room = room_of(b, 0);
  for (int j = 0; j < b->param_columns; j++)
    if (!b->varies[j] &&
        memcmp(param_at(b, block, j), room + (size_t)j * b->column, b->column) != 0)
      omr_blocked_batch_vary(b, j);
}

omr_blocked_batch *omr_blocked_batch_make(const omr_run_settings *s, const void *params,
                                          size_t slots, bool single, int threads) {
  omr_blocked_batch *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->params = params;
  b->param_columns = s->param_columns;
  b->state_columns = s->state_columns;
  b->threads = threads;
  b->value = single ? sizeof(float) : sizeof(double);
  b->column = OMR_PAD * b->value;
  b->varies = calloc((size_t)s->param_columns, sizeof *b->varies);
  b->varied = calloc((size_t)s->param_columns, sizeof *b->varied);
  b->used = calloc((size_t)s->state_columns, sizeof *b->used);
  b->rooms = omr_aligned_room((size_t)threads * (size_t)s->param_columns, b->column);
  if (!b->varies || !b->varied || !b->used || !b->rooms) {
    omr_blocked_batch_free(b);
    return NULL;
  }

  fill_rooms(b);
  for (size_t block = 0; block < slots / OMR_PAD; block++) compare_block(b, block);
  return b;
}

void omr_blocked_batch_free(omr_blocked_batch *b) {
  if (!b) return;
  free(b->varies);
  free(b->varied);
  free(b->used);
  free(b->rooms);
  free(b);
}

/* Columns that a study does not use mostly are 0. A wrong choice costs time alone. */
void omr_blocked_batch_begin(omr_blocked_batch *b, const void *state) {
  static const char zeros[OMR_PAD * sizeof(double)];
  b->used_count = 0;
  for (int j = 0; j < b->state_columns; j++)
    if (memcmp((const char *)state + (size_t)j * b->column, zeros, b->column) != 0)
      b->used[b->used_count++] = j;
}

const void *omr_blocked_batch_params(omr_blocked_batch *b, size_t block, int thread) {
  char *room = room_of(b, thread);
  if (2 * b->varied_count > b->param_columns) return param_at(b, block, 0);
  for (int i = 0; i < b->varied_count; i++)
    memcpy(room + (size_t)b->varied[i] * b->column, param_at(b, block, b->varied[i]), b->column);
  return room;
}

static void ask_for(const char *column, size_t bytes) {
  for (size_t at = 0; at < bytes; at += LINE) __builtin_prefetch(column + at, 0, 2);
}

void omr_blocked_batch_ahead(const omr_blocked_batch *b, const void *state, size_t block) {
  const char *own = (const char *)state + block * (size_t)b->state_columns * b->column;
  for (int i = 0; i < b->varied_count; i++) ask_for(param_at(b, block, b->varied[i]), b->column);
  for (int i = 0; i < b->used_count; i++) ask_for(own + (size_t)b->used[i] * b->column, b->column);
}
