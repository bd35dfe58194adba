/* Reads result files: rows in blocks, or all of them. Results of runs and of shards, files of parts
 * and tables of `sample` have the same layout. Any other or damaged file is an error that names
 * file and dataset. */
#ifndef OMR_RESULT_READER_H
#define OMR_RESULT_READER_H

#include "source.h"

typedef struct omr_result_file omr_result_file;

/* Opens a file with its trajectories. Close with omr_result_file_close. */
omr_status omr_result_file_open(const char *path, omr_result_file **file, omr_error *error);
/* Opens a file for its rows only, without trajectories. */
omr_status omr_result_file_open_rows(const char *path, omr_result_file **file, omr_error *error);
void omr_result_file_close(omr_result_file *file); /* NULL-safe */
/* Reads the whole result from an open file, which the caller keeps, whatever `path` leads to
 * meanwhile; messages name `path`. */
omr_status omr_result_open_descriptor(int descriptor, const char *path, omr_result **result,
                                      omr_error *error);

size_t omr_result_file_rows(const omr_result_file *file);
size_t omr_result_file_traced(const omr_result_file *file);
/* Ends the trajectories at `count`: a file may have room for more, which were never written. */
void omr_result_file_end_traces(omr_result_file *file, size_t count);
/* Study, record, statistics of rows that are not there, and columns without their values; owned by
 * the file. */
const omr_result *omr_result_file_head(const omr_result_file *file);
/* Number of rows that make about 32 MiB with their trajectories. */
size_t omr_result_file_block(const omr_result_file *file);

/* Reads the rows first .. first+count-1 with their trajectories as a result that the caller owns.
 * Without rows it has everything else, as omr_writer_open needs it. */
omr_status omr_result_file_read(omr_result_file *file, size_t first, size_t count,
                                omr_result **result, omr_error *error);

/* The nominal vehicle of a file that was opened with trajectories, owned by the caller; *nominal is
 * NULL if the file has none. */
omr_status omr_result_file_nominal(omr_result_file *file, omr_result **nominal, omr_error *error);

/* Opens the rows of a file as a source of blocks. */
omr_status omr_source_open(const char *path, omr_source **source, omr_error *error);

#endif
