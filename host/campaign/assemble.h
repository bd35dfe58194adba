/* Puts the chunks of a folder together to the result. */
#ifndef OMR_ASSEMBLE_H
#define OMR_ASSEMBLE_H

#include "../result/result.h"
#include "../result/shorter_steps.h"

/* The times of a process's run into a file, as its caller sees them: from the beginning until the
 * result has its name. */
typedef struct omr_times {
  double begun;                                         /* omr_seconds() */
  double build, kernels, transfer, prepare, statistics; /* s */
  double write; /* chunks and result, except writing while a device or the processor integrated */
} omr_times;

/* Adds the times of a computed part. */
void omr_times_add(omr_times *times, const omr_run_record *record);

/* Chunk i; destroyed by the caller. */
typedef omr_status omr_fetch(void *user, size_t i, omr_result **result, omr_error *error);

typedef struct omr_assembly {
  const char *path; /* of the result */
  const omr_part *whole;
  size_t count;  /* of what is fetched: chunks, or files that have several */
  size_t chunks; /* of the run */
  omr_fetch *fetch;
  void *user;
  size_t sessions; /* processes that worked on them */
  size_t checks;   /* of their devices */
  const omr_file_options
      *options; /* its summary, log, and whether the step error is judged strictly */
  omr_refined
      *refined;     /* made for its study; its missing runs are made here; freed by the caller */
  omr_times *times; /* receives the times */
  struct omr_virtual *files; /* of the chunks, where the rows stay in them; NULL: they are copied */
} omr_assembly;

/* Writes all chunks of the part in row order into the file, which takes its place whole or not at
 * all; then the summary. */
omr_status omr_assemble(const omr_assembly *assembly, omr_error *error);

#endif
