/* The disk and memory that a run needs, counted from its study and plan, and whether it can have
 * them. */
#ifndef OMR_NEEDS_H
#define OMR_NEEDS_H

#include "plan.h"

/* Upper bounds in bytes. */
typedef struct omr_needs_bytes {
  double engine;     /* instances in work on the device at a time, on the host */
  double device;     /* and, with OpenCL, again on the device */
  double chunks;     /* results of the chunks that run together, before and after they are split */
  double writer;     /* HDF5's buffers while the result is put together */
  double statistics; /* some columns at a time */
  double study;      /* tables, lists and searched designs, and the record of each chunk */
} omr_needs_bytes;

typedef struct omr_needs {
  const omr_study *study;
  size_t rows, cells, per_cell; /* cells: 0 without a nested design */
  size_t chunk_rows, chunks;
  bool at_most; /* the run may end sooner */
  size_t traced;
  double values_per_trace; /* of one trajectory */
  double row_bytes, trace_bytes;
  omr_needs_bytes memory;
  double result_bytes, parts_bytes, free_bytes; /* free: of the folder; NaN where unknown */
  char folder[256];
} omr_needs;

/* Without the engine, which knows its own needs when it is open. The study must outlive *needs. */
omr_status omr_needs_count(const omr_study *study, const omr_plan *plan, omr_needs *needs,
                           omr_error *error);
/* Memory of the results of so many rows that run together. */
void omr_needs_together(const omr_study *study, size_t rows, omr_needs *needs);
/* The free space where the result would go; NULL: the current folder. */
void omr_needs_look_at_disk(const char *output, omr_needs *needs);
double omr_needs_memory(const omr_needs_bytes *memory); /* of the host */
/* For a run whose result is kept in memory: the result, and a copy for its receiver. */
double omr_needs_all_in_memory(const omr_needs *needs);
/* The memory of this machine, bytes; 0 where unknown. */
double omr_machine_memory(void);

/* Whether a run can have its needs. `share`: the share of the chunks that this process still has to
 * write, 0 to 1, to `parts`, which is there or will be next to the result. A run that may end
 * sooner is not refused for its disk. OMR_ERR_IO or OMR_ERR_MEMORY with the numbers and a remedy.
 */
omr_status omr_needs_check_memory(const omr_needs *needs, omr_error *error);
/* The same of a run whose result is kept in memory. */
omr_status omr_needs_check_all_in_memory(const omr_needs *needs, omr_error *error);
omr_status omr_needs_check_disk(const omr_needs *needs, const char *parts, double share,
                                omr_error *error);

#endif
