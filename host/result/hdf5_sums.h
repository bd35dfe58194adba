/* Checksums of a result file: XXH3 with 64 bits and seed 0 of every dataset and group, kept in its
 * attribute "checksum". studies/RESULTS.md says what exactly is hashed, so that other programs can
 * check it. Files without them are read unchecked. */
#ifndef OMR_HDF5_SUMS_H
#define OMR_HDF5_SUMS_H

#include "hdf5_file.h"

#define OMR_SUM_NAME "checksum"

/* WRITING: hashes values as they are written, from the first row on and in their order. */
typedef struct omr_sum omr_sum;

/* That of a dataset; NULL where nothing is hashed on the way (a file that does not stay, a type
 * that is stored in another way, no memory), and omr_sums_seal reads the values back. Belongs to
 * h5. */
omr_sum *omr_sum_of(omr_hdf5 *h5, hid_t dataset, hid_t type);
/* Rows first .. first+count-1 of `size` bytes each; sum may be NULL. Different sums may be used by
 * different threads. */
void omr_sum_add(omr_sum *sum, size_t first, size_t count, size_t size, const void *values);

/* Whether the checksum of an object is to be written: that of a group, and of a dataset that has
 * none or was written since the file was opened. */
bool omr_sum_is_due(const omr_hdf5 *h5, hid_t object);
/* The checksum of a dataset or group, of what was hashed on the way, else read back; once for each.
 * False with HDF5's last error. */
bool omr_sum_of_object(const omr_hdf5 *h5, hid_t object, uint64_t *value);
/* hdf5_seal.c: writes all that are due, before the file is closed; nothing may be written after it.
 */
void omr_sums_seal(omr_hdf5 *h5);
void omr_sums_free(omr_hdf5 *h5);

/* READING */

/* Whether a dataset or group is what its checksum says; one without is, in a file without. It is
 * read whole. Where it is not, or cannot be read, the reason is HDF5's last error
 * (omr_hdf5_last_cause). */
bool omr_sum_check(hid_t object);

/* Whether the values of a dataset can be read, of a file without checksums. */
bool omr_sum_readable(hid_t object);

/* Datasets that are read from the first row to the last are checked on the way. Zero-initialise. */
typedef struct omr_watch {
  struct omr_watched *list;
  size_t count, room;
  bool off; /* the file has no checksums */
} omr_watch;

/* The rows that were read of a dataset as `type`. False where it ends here and is not what its
 * checksum says; the reason is HDF5's last error. */
bool omr_watch_rows(omr_watch *watch, hid_t dataset, hid_t type, size_t first, size_t count,
                    const void *values);
void omr_watch_free(omr_watch *watch);

/* omr_hdf5_get, and watched. */
bool omr_watch_get(omr_watch *watch, hid_t dataset, hid_t type, size_t first, size_t count,
                   void *values);

#endif
