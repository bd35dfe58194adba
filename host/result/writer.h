/* Writes a result file part by part: in memory are a few HDF5 chunks, whatever the number of rows.
 * The file takes its place when it is finished, complete or not at all. Written in one part or in
 * many, its datasets and attributes are the same. */
#ifndef OMR_WRITER_H
#define OMR_WRITER_H

#include "hdf5_file.h"
#include "source.h"

typedef struct omr_writer omr_writer;

/* Opens a writer at `path` with room for `rows` instances, `traced` of them with trajectories, of
 * results like `like`: its study, columns and wheels and, if traced > 0, its sample times and the
 * quantities that have samples. Nothing of like is needed afterwards. */
omr_status omr_writer_open(const char *path, const omr_result *like, size_t rows, size_t traced,
                           omr_writer **writer, omr_error *error);
/* Writes a whole result as omr_result_write does, without compression: for temporary files. It
 * appears in the open folder `at` under the last component of `path`, which messages name. */
omr_status omr_result_write_plain(const omr_result *result, int at, const char *path,
                                  omr_error *error);
/* Opens a writer for the rows of a part of a study, with room for the trajectories of instances
 * that are traced by name. Where `files` (hdf5_virtual.h) hold the rows, and go on doing so, they
 * are to be appended all the same, for their checksums; NULL: they are copied. */
omr_status omr_writer_open_part(const char *path, const omr_part *part, struct omr_virtual *files,
                                omr_writer **writer, omr_error *error);

/* Appends the next rows and their trajectories. After a failure the writer can only be
 * discarded. */
omr_status omr_writer_append(omr_writer *writer, const omr_result *part, omr_error *error);

/* Lines to add to the result's warnings. */
void omr_writer_warn(omr_writer *writer, const char *lines);

/* omr_note_fewer_threads, after the first rows, which bring the warnings of their run. */
void omr_writer_note_threads(omr_writer *writer, FILE *log);

/* Adds the parts that became known with all rows, before omr_writer_end: trajectories of rows that
 * have none, which take their places among the others (then the file is written once more), the
 * names of traced instances, and the nominal vehicle. Each may be NULL, and must last until the
 * writer is finished or discarded. */
void omr_writer_name_traces(omr_writer *writer, const omr_result *again, const char *names,
                            const omr_result *nominal);

/* The rows appended so far as a source; close it before the writer is finished or discarded. */
omr_status omr_writer_source(omr_writer *writer, omr_source **source, omr_error *error);

/* Ends the rows: if there are fewer than announced, the file is made shorter. */
omr_status omr_writer_end(omr_writer *writer, omr_error *error);
/* The file, to add groups; after omr_writer_end, and with HDF5 silenced (omr_hdf5_quiet).
 * omr_writer_finish reports failures. */
omr_hdf5 *omr_writer_file(omr_writer *writer);

/* Adds the record of the run (NULL: nothing ran, a design only), ends, closes and syncs the file
 * and puts it in its place. Frees the writer, also after a failure; then no file was made. */
omr_status omr_writer_finish(omr_writer *writer, const omr_run_record *total, omr_error *error);
/* Leaves no file and frees the writer; NULL-safe. */
void omr_writer_discard(omr_writer *writer);

#endif
