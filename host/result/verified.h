/* Findings of a check of a file or folder. */
#ifndef OMR_VERIFIED_H
#define OMR_VERIFIED_H

#include "../support/support.h"

/* A part of the file or folder, and its fault. */
typedef struct omr_finding {
  char *where, *what;
} omr_finding;

/* Zero-initialise; release with omr_verified_free. */
typedef struct omr_verified {
  const char *kind; /* "result", "folder" */
  omr_finding *problems, *notes;
  size_t problem_count, note_count;
  size_t checked;   /* datasets and groups, or chunks, with checksums */
  size_t unchecked; /* without checksums */
  bool failed;      /* out of memory */
} omr_verified;

void omr_verified_problem(omr_verified *found, const char *where, const char *what);
void omr_verified_note(omr_verified *found, const char *where, const char *what);
void omr_verified_free(omr_verified *found);

/* Checks every dataset and group of a result file. Fails if the file is not a result. */
omr_status omr_verify_result(const char *path, omr_verified *found, omr_error *error);

#endif
