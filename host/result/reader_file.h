/* An open result file, shared by the files that open it (reader_open.c) and read its rows
 * (reader.c). */
#ifndef OMR_RESULT_READER_FILE_H
#define OMR_RESULT_READER_FILE_H

#include "hdf5_disk.h"
#include "hdf5_read.h"
#include "hdf5_sums.h"
#include "reader.h"

struct omr_result_file {
  char *path;
  omr_disk disk; /* of a file opened before; descriptor -1: HDF5 opens it */
  hid_t file;
  omr_hdf5_rows rows;
  omr_result *head; /* shared by all rows: study, columns without values, sample times; series that
                       are present */
  size_t row_count, traced; /* in the file */
  hid_t traces, traced_id, *series;
  uint64_t *traced_numbers;    /* [traced] */
  size_t next_row, next_trace; /* place of the trajectories of row next_row */
  bool has_failures;
  size_t failed_row, next_failure; /* place of the failures from row failed_row on */
  omr_watch watch;
  struct omr_result_file *nominal; /* the group /nominal as a file; NULL: none */
};

/* Opens a file with trajectories or without. `descriptor`: the caller's open file; -1: opened by
 * its path. */
omr_status omr_reader_open(int descriptor, const char *path, bool traces, omr_result_file **file,
                           omr_error *error);
omr_status omr_reader_no_memory(const omr_result_file *file, omr_error *error);

#endif
