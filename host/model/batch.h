/* The columns of a batch of instances, and the settings that all instances of a run share. */
#ifndef OMR_BATCH_H
#define OMR_BATCH_H

#include "../study/study.h"

/* Instances of a batch are padded to a multiple of this, the widest pack. The padding repeats the
 * last instance with a status other than OK, so it never runs. */
#define OMR_PAD 16

/* Settings that are uniform over a run. */
typedef struct omr_run_settings {
  int *integers;  /* K_COUNT of kernels/settings_layout.h */
  double *tables; /* table_count values */
  size_t table_count;
  double step; /* s: unit of the clock, a step (of a slot h over its substeps); a second where steps
                  are controlled */
  bool controlled;  /* an error estimate chooses the steps */
  double end;       /* the last instant on the clock */
  int count_column; /* state column of the instance's cost, in steps or passes */
  int param_columns, state_columns, spin_columns, sample_columns;
  int step_column, fraction_column, status_column,
      substeps_column;  /* state columns of the clock, in every model */
  int tolerance_column; /* likewise, with controlled steps */
} omr_run_settings;

/* Columns in double; owned by the engine. */
typedef struct omr_batch {
  size_t count, stride; /* stride: count rounded up to OMR_PAD */
  bool blocked; /* the columns of each OMR_PAD slots lie together: a batch goes through memory from
                   one end to the other */
  bool revisited;         /* it does so every few steps */
  double *params, *state; /* [column * stride + instance]; blocked: [block][column][instance] */
  double *spins;          /* of blocks of OMR_PAD instances, one block after another:
                             [block][column][instance] (pack_spins, kernels/entry.h) */
} omr_batch;

/* run_tables.c: makes the tables of a run, and sets where they begin; false when out of memory. */
bool omr_make_tables(const omr_study *study, omr_run_settings *settings);
void omr_settings_free(omr_run_settings *settings);
/* The place of a slot in one of `columns` columns. */
static inline size_t omr_batch_place(const omr_batch *batch, int columns, int column, size_t slot) {
  return batch->blocked
             ? (slot / OMR_PAD * (size_t)columns + (size_t)column) * OMR_PAD + slot % OMR_PAD
             : (size_t)column * batch->stride + slot;
}
/* The block of a slot as a batch of its own, in which it has the place *at; all of a batch that is
 * not blocked. The arrays stay the batch's. */
omr_batch omr_batch_block(const omr_run_settings *settings, const omr_batch *batch, size_t slot,
                          size_t *at);
/* Columns for `slots` instances (a multiple of OMR_PAD), zeroed; false when out of memory.
 * Call omr_batch_free in either case.
 */
bool omr_batch_make(const omr_run_settings *settings, size_t slots, omr_batch *batch);
/* The same without initial values, for a batch whose columns will all be written. */
bool omr_batch_room(const omr_run_settings *settings, size_t slots, omr_batch *batch);
void omr_batch_free(omr_batch *batch);
/* The time that a slot has reached, s. */
double omr_slot_time(const omr_run_settings *settings, const omr_batch *batch, size_t slot);

#endif
