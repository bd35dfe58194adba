/* Checksums of a result file: XXH3 with 64 bits and seed 0 of every dataset and group, kept in its
 * attribute "checksum". docs/reference/results.md specifies the hash exactly, so that other
 * programs can check it. Files without checksums are read unchecked. */
#ifndef OMR_HDF5_SUMS_H
#define OMR_HDF5_SUMS_H

#include "hdf5_file.h"

#define OMR_SUM_NAME "checksum"

/* WRITING: hashes values while they are written, from the first row on and in order. */
typedef struct omr_sum omr_sum;

/* The sum of a dataset; NULL if nothing is hashed while writing (a temporary file, a type that is
 * stored in another way, no memory), and omr_sums_seal reads the values back. Belongs to h5. */
omr_sum *omr_sum_of(omr_hdf5 *h5, hid_t dataset, hid_t type);
/* Adds rows first .. first+count-1 of `size` bytes each; sum may be NULL. Different threads may use
 * different sums. */
void omr_sum_add(omr_sum *sum, size_t first, size_t count, size_t size, const void *values);

/* Writes all checksums that are due, before the file is closed; nothing may be written
 * after it. */
void omr_sums_seal(omr_hdf5 *h5);
void omr_sums_free(omr_hdf5 *h5);

/* READING */

/* True if a dataset or group, read whole, agrees with its checksum, or has none in a file without
 * checksums. If not, or if it cannot be read, the reason is HDF5's last error
 * (omr_hdf5_last_cause). */
bool omr_sum_check(hid_t object);
/* The same of a dataset whose rows stand in other files. */
bool omr_sum_check_over(hid_t object, struct omr_virtual *files);

/* True if the values of a dataset can be read, for a file without checksums. */
bool omr_sum_readable(hid_t object);

/* Checks datasets while they are read from the first row to the last. Zero-initialise. */
typedef struct omr_watch {
  const char *path; /* of the file, for messages */
  struct omr_watched *list;
  size_t count, room;
  bool off;                  /* the file has no checksums */
  struct omr_virtual *files; /* that hold the rows of virtual datasets; NULL: there are none */
} omr_watch;

/* Takes the rows that were read of a dataset as `type`. False if these are its last rows and it
 * disagrees with its checksum; the reason is HDF5's last error. */
bool omr_watch_rows(omr_watch *watch, hid_t dataset, hid_t type, size_t first, size_t count,
                    const void *values);
void omr_watch_free(omr_watch *watch);

/* omr_hdf5_get, and watched; the second names the file and the dataset in its error. */
bool omr_watch_get(omr_watch *watch, hid_t dataset, hid_t type, size_t first, size_t count,
                   void *values);
omr_status omr_watch_read(omr_watch *watch, hid_t dataset, const char *name, hid_t type,
                          size_t first, size_t count, void *values, omr_error *error);

#endif
