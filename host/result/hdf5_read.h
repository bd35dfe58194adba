/* Reading HDF5 files: functions that reader.c and the writer's source share. */
#ifndef OMR_HDF5_READ_H
#define OMR_HDF5_READ_H

#include "hdf5_file.h"
#include "source.h"

/* The innermost reason of HDF5's last failure, for a message. */
typedef struct omr_hdf5_cause {
  char text[256];
} omr_hdf5_cause;
omr_hdf5_cause omr_hdf5_last_cause(void);

/* Leaves a reason as HDF5's last error; false. */
bool omr_hdf5_say(const char *text);

/* Reads rows first .. first+count-1 of the slowest dimension; false with HDF5's reason kept, also
 * for values that HDF5 would look for in other files. */
bool omr_hdf5_get(hid_t dataset, hid_t type, size_t first, size_t count, void *values);
/* The error for rows of a dataset that omr_hdf5_get could not read. */
omr_status omr_hdf5_unreadable(const char *path, const char *dataset, size_t first, size_t count,
                               omr_error *error);

/* hdf5_probe.c: a separate process reads a result before HDF5 opens it here: of 600 files with a
 * flipped bit HDF5 1.10 crashed on 29, and took the caller along. OMR_ERR_IO if HDF5 crashes on the
 * file or never ends. A thread checks an unchanged file only once. If the program is not found
 * (support/own_program.h), or is another one, the file counts as good. The other side is
 * omr_result_answer (omniroll/program.h), in hdf5_probe_answer.c. */
omr_status omr_hdf5_probe(const char *path, omr_error *error);

/* Text of an attribute of any kind of string, to be freed; NULL where there is none. */
char *omr_hdf5_get_text(hid_t object, const char *name);
/* The same into to[size], cut where it is longer; "" where there is none. */
void omr_hdf5_copy_text(hid_t object, const char *name, char *to, size_t size);
/* A number of an attribute; `missing` where there is none. */
double omr_hdf5_get_number(hid_t object, const char *name, double missing);

/* Whether HDF5 would look for its values in other files: virtual (hdf5_virtual.h) or external. */
bool omr_hdf5_is_virtual(hid_t dataset);
/* False if the lengths of a dataset cannot be right: its values would be more than what the file
 * keeps of it can make. HDF5 would fill them in, for hours. */
bool omr_hdf5_fits(hid_t dataset, int rank, const hsize_t *lengths, size_t size);

/* Length of every dimension; -1 if the dataset does not hold numbers in at most OMR_HDF5_RANK
 * dimensions, or, in a finished file, claims more of them than the file can have. */
int omr_hdf5_lengths(hid_t dataset, hsize_t lengths[OMR_HDF5_RANK]);

/* Whether a dataset has these lengths. */
bool omr_hdf5_has_lengths(hid_t dataset, int rank, const hsize_t *lengths);

/* The owner of a source's open datasets, which closes them. */
typedef struct omr_source_owner {
  void *self;
  void (*close)(void *self);
} omr_source_owner;

/* Makes a source over open datasets, which outlive it; `owner` (NULL allowed, copied) is closed
 * with it. info[columns] is copied. */
omr_status omr_source_of_rows(const char *path, const omr_hdf5_rows *rows,
                              const omr_sample_info *info, size_t parameters, size_t count,
                              const omr_source_owner *owner, omr_source **source, omr_error *error);

#endif
