/* Composing one HDF5 file in memory: thin layer over the HDF5 library for hdf5.c and hdf5_trajectories.c. The first failure is
 * kept and the calls after it do nothing harmful, so that a caller checks once, at the end. Every dataset carries its
 * dimension scales, `units` and `long_name`: then h5py, MATLAB, netCDF and xarray open the file as it is.
 *
 * In memory, because HDF5 (1.10) does not survive a close whose writes fail: it frees the file but keeps its number, and
 * crashes when the process ends. The bytes reach the disk in hdf5.c, where a full disk is an ordinary error. */
#ifndef OMR_HDF5_FILE_H
#define OMR_HDF5_FILE_H

#include "result.h"

#include <hdf5.h>

#define OMR_HDF5_RANK 3

typedef struct omr_hdf5 {
  hid_t file;
  bool failed;
  char task[128];  /* what failed first */
  char cause[512]; /* and why, as the innermost HDF5 function says it */
} omr_hdf5;

/* A dimension and its coordinate values. */
typedef struct omr_hdf5_scale {
  hid_t id;
  hsize_t length;
} omr_hdf5_scale;

/* What a variable is; unit in CF spelling or NULL for none. */
typedef struct omr_hdf5_name {
  const char *name, *unit, *meaning;
} omr_hdf5_name;

/* `name` is that of no existing file. Groups keep the order in which things are made; no times are stored. */
omr_hdf5 omr_hdf5_create(const char *name);
/* The bytes of the finished file, valid until it is closed. False where this or anything before it failed. */
bool omr_hdf5_image(omr_hdf5 *h5, const void **bytes, size_t *count);
void omr_hdf5_close(omr_hdf5 *h5);

/* The caller closes the group with H5Gclose. */
hid_t omr_hdf5_group(omr_hdf5 *h5, const char *name);

/* Attributes of a file, group or dataset. Text is UTF-8 of any length; NULL writes "". */
void omr_hdf5_text(omr_hdf5 *h5, hid_t object, const char *name, const char *text);
void omr_hdf5_number(omr_hdf5 *h5, hid_t object, const char *name, double value);
void omr_hdf5_integer(omr_hdf5 *h5, hid_t object, const char *name, int64_t value);
void omr_hdf5_bytes(omr_hdf5 *h5, hid_t object, const char *name, const int8_t *values, size_t count);

/* A coordinate: one-dimensional dataset of H5T_NATIVE_DOUBLE or H5T_NATIVE_UINT64. Close with omr_hdf5_scale_close. */
omr_hdf5_scale omr_hdf5_scale_make(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, hid_t type, hsize_t length, const void *values);
void omr_hdf5_scale_close(omr_hdf5_scale *scale);

/* A dataset over `rank` dimensions, slowest first; type is also H5T_NATIVE_INT8. Returns it for further attributes; the
 * caller closes it with H5Dclose. Doubles get the fill value NaN. */
hid_t omr_hdf5_variable(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, hid_t type, int rank, const omr_hdf5_scale *scales,
                        const void *values);

/* hdf5_trajectories.c: the group /trajectories; nothing where no instance was traced. */
void omr_hdf5_trajectories(omr_hdf5 *h5, const omr_result *result);
/* The same in a group of any name, which the caller closes. */
hid_t omr_hdf5_samples(omr_hdf5 *h5, const char *name, const omr_result *result);

/* hdf5_failures.c: the group /failures; nothing where none failed. */
void omr_hdf5_failures(omr_hdf5 *h5, const omr_failures *failures);
/* How often each instance was run again; nothing for NULL. */
void omr_hdf5_retries(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *instance, const int8_t *retries);

/* hdf5.c: what a file says of its study; and a file at `path` that `compose` fills, whole or not at all. */
void omr_hdf5_study(omr_hdf5 *h5, const omr_result *result);
/* How each instance ended, and when. */
void omr_hdf5_status(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *instance, const omr_result *result);
typedef void omr_hdf5_compose(omr_hdf5 *h5, const void *content);
omr_status omr_hdf5_write(const char *path, omr_hdf5_compose *compose, const void *content, omr_error *error);

#endif
