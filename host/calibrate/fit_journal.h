/* The results of a calibration on disk while it works, so that the same command goes on where it
 * was killed: FILE.journal next to FILE. Every decision is a function of earlier results of runs,
 * so their results in order are all that is needed.
 *
 * The file: some lines that say which work it belongs to, then blocks. A block has a head (its
 * number, the bytes of its content, the hash of the question), its content, and the hash of both. A
 * block that is not whole, or answers another question, is cut off with everything after it, and
 * computed again. */
#ifndef OMR_CALIBRATE_FIT_JOURNAL_H
#define OMR_CALIBRATE_FIT_JOURNAL_H

#include "../support/support.h"

typedef struct calibrate_journal calibrate_journal;

/* A journal belongs to work that agrees in these. */
typedef struct calibrate_journal_of {
  const char *engine; /* version and kernels */
  const char *numbers;
  const char *study; /* hash of the study without its engine, and of its data */
  const char *work;
} calibrate_journal_of;

typedef struct calibrate_journal_options {
  const char *path;
  bool restart; /* forget its content */
  bool foreign; /* it may belong to another user */
} calibrate_journal_options;

/* A block: the question, and up to four arrays of the caller's that hold the answer. */
enum { CALIBRATE_PARTS = 4 };
typedef struct calibrate_block {
  const void *asked;
  size_t asked_size;
  struct {
    void *bytes;
    size_t size;
  } part[CALIBRATE_PARTS]; /* size 0: none */
} calibrate_block;

/* Opens or makes the journal, and locks it for this process. OMR_ERR_IO where another process has
 * it, where it belongs to other work, or where it is no plain file of the user's. */
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
