/* What a calibration has computed, on disk while it works, so that the same command goes on where
 * it was killed: FILE.journal beside FILE. All that is decided is a function of what the runs gave
 * before, so that their results in order are all that is needed.
 *
 * The file: some lines that say what the work depends on, then blocks. A block has a head (its
 * number, the bytes of its content, the hash of what was asked), its content, and the hash of both.
 * A block that is not whole, or answers something else than what is asked, is cut off with
 * everything after it, and computed again. */
#ifndef OMR_CALIBRATE_JOURNAL_H
#define OMR_CALIBRATE_JOURNAL_H

#include "../support/support.h"

typedef struct calibrate_journal calibrate_journal;

/* What a journal has to agree in. */
typedef struct calibrate_journal_of {
  const char *engine; /* version and kernels */
  const char *numbers;
  const char *study; /* hash of the study without its engine, and of its data */
  const char *work;
} calibrate_journal_of;

typedef struct calibrate_journal_options {
  const char *path;
  bool restart; /* forget what it holds */
  bool foreign; /* it may belong to another user */
} calibrate_journal_options;

/* A block: what is asked, and up to four arrays of the caller's that are the answer. */
enum { CALIBRATE_PARTS = 4 };
typedef struct calibrate_block {
  const void *asked;
  size_t asked_size;
  struct {
    void *bytes;
    size_t size;
  } part[CALIBRATE_PARTS]; /* size 0: none */
} calibrate_block;

/* Opens the journal, or makes it, for this process alone. OMR_ERR_IO where another process has it,
 * where it is one of other work, or what stands there is no plain file of the user's. */
omr_status calibrate_journal_open(const calibrate_journal_options *options,
                                  const calibrate_journal_of *of, calibrate_journal **journal,
                                  omr_error *error);
/* The file stays. NULL is allowed. */
void calibrate_journal_close(calibrate_journal *journal);
/* Removes the file, and closes the journal at its calibrate_journal_close. NULL is allowed. */
void calibrate_journal_remove(calibrate_journal *journal);

/* Whether the next block is there; if so, it fills the arrays. NULL: there is none. */
bool calibrate_journal_take(calibrate_journal *journal, const calibrate_block *block);
/* Appends the block; it is on disk when this returns. NULL is allowed. */
omr_status calibrate_journal_add(calibrate_journal *journal, const calibrate_block *block,
                                 omr_error *error);

#endif
