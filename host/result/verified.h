/* What a check of a file or folder found. */
#ifndef OMR_VERIFIED_H
#define OMR_VERIFIED_H

#include "../support/support.h"

/* A part of the file or folder, and what is wrong with it. */
typedef struct omr_finding {
  char *where, *what;
} omr_finding;

/* Zero-initialise; release with omr_verified_free. */
typedef struct omr_verified {
  const char *kind; /* "result", "folder" */
  omr_finding *problems, *notes;
  size_t problem_count, note_count;
  size_t checked;   /* datasets and groups, or chunks, that have checksums */
  size_t unchecked; /* that have none */
  bool failed;      /* out of memory */
} omr_verified;

void omr_verified_problem(omr_verified *found, const char *where, const char *what);
void omr_verified_note(omr_verified *found, const char *where, const char *what);
void omr_verified_free(omr_verified *found);

/* Every dataset and group of a result file. Fails where it is none. */
omr_status omr_verify_result(const char *path, omr_verified *found, omr_error *error);

#endif
