/* Result files read back: rows in blocks, or all of them. Results of runs and of shards, files of
 * parts and tables of `sample` have the same layout. A file that is something else, or damaged, is
 * an error that names file and dataset. */
#ifndef OMR_RESULT_READER_H
#define OMR_RESULT_READER_H

#include "source.h"

typedef struct omr_result_file omr_result_file;

/* Close with omr_result_file_close. */
omr_status omr_result_file_open(const char *path, omr_result_file **file, omr_error *error);
/* Rows alone, without their trajectories. */
omr_status omr_result_file_open_rows(const char *path, omr_result_file **file, omr_error *error);
void omr_result_file_close(omr_result_file *file); /* NULL-safe */
/* The whole result in a file that is open to be read, the caller's, whatever `path` leads to
 * meanwhile; messages name `path`. */
omr_status omr_result_open_descriptor(int descriptor, const char *path, omr_result **result,
                                      omr_error *error);

size_t omr_result_file_rows(const omr_result_file *file);
size_t omr_result_file_traced(const omr_result_file *file);
/* Of the trajectories that a file has room for, those from `count` on were never written. */
void omr_result_file_end_traces(omr_result_file *file, size_t count);
/* Study, record and columns without their values; the file's own. */
const omr_result *omr_result_file_head(const omr_result_file *file);
/* Rows that make about 32 MiB with their trajectories. */
size_t omr_result_file_block(const omr_result_file *file);

/* The rows first .. first+count-1 with the trajectories among them as a result of the caller's.
 * Without rows it has all but those: what omr_writer_open asks for. */
omr_status omr_result_file_read(omr_result_file *file, size_t first, size_t count,
                                omr_result **result, omr_error *error);

/* The nominal vehicle of a file that was opened with trajectories, the caller's; *nominal is NULL
 * where it has none. */
omr_status omr_result_file_nominal(omr_result_file *file, omr_result **nominal, omr_error *error);

/* Rows of a file in blocks. */
omr_status omr_source_open(const char *path, omr_source **source, omr_error *error);

#endif
