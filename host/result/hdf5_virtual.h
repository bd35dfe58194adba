/* Virtual results: their rows stay in the files of chunks, below the folder of the result. The
 * group /virtual lists these files, and the datasets over rows and traced instances are virtual
 * datasets of HDF5 over them.
 *
 * HDF5 follows links and looks in other folders for a file, and where it finds none it gives fill
 * values without a word. Other programs read such a result by HDF5; omniroll finds and checks the
 * files itself and never has HDF5 read a virtual dataset. */
#ifndef OMR_HDF5_VIRTUAL_H
#define OMR_HDF5_VIRTUAL_H

#include "hdf5_file.h"

#define OMR_VIRTUAL_NAME "virtual" /* of the group */

typedef struct omr_virtual_file {
  char *name; /* from the result's folder on */
  uint64_t rows, traced;
  uint64_t first[3]; /* place among all rows and traced instances, by omr_over */
  uint64_t bytes;
  char hash[33]; /* XXH3 of the file */
  bool trusted;  /* it was compared with the hash */
} omr_virtual_file;

enum { OMR_VIRTUAL_OPEN = 16 }; /* files that are open at a time */

typedef struct omr_virtual_opened {
  omr_disk disk; /* HDF5 keeps its address */
  hid_t file;    /* -1: none */
  size_t number;
} omr_virtual_opened;

typedef struct omr_virtual {
  char *path; /* of the result, for messages */
  int folder; /* that holds it */
  omr_virtual_file *files;
  size_t count;
  uint64_t length[3]; /* by omr_over */
  omr_virtual_opened open[OMR_VIRTUAL_OPEN];
  unsigned turn;
} omr_virtual;

/* hdf5_virtual_files.c: the list, without files, of a result at `path`. Release with
 * omr_virtual_free (NULL-safe). */
omr_status omr_virtual_make(const char *path, omr_virtual **made, omr_error *error);
void omr_virtual_free(omr_virtual *v);
/* Adds a file after the others; only name, rows, traced, bytes and hash of *file are read. */
omr_status omr_virtual_add(omr_virtual *v, const omr_virtual_file *file, omr_error *error);
/* Every file is there with its length. Otherwise the error names it and says what to do. */
omr_status omr_virtual_check(const omr_virtual *v, omr_error *error);
/* Compares a file with its hash. False with the reason, from what comes after its name on. */
bool omr_virtual_trust(omr_virtual *v, size_t number, char *why, size_t size);
/* The file as one of HDF5, compared with its hash before HDF5 sees it; belongs to the list, until
 * others are opened. Negative with HDF5's last error. */
hid_t omr_virtual_file_open(omr_virtual *v, size_t number);

/* hdf5_virtual_rows.c: whether datasets of this kind stand in other files. */
bool omr_virtual_has(const omr_virtual *v, omr_over over);
/* Properties of a dataset `name` of a group that stands in the files. */
hid_t omr_virtual_list(const omr_hdf5 *h5, hid_t group, const char *name, hid_t type, int rank,
                       const hsize_t *lengths);
/* As omr_hdf5_get, of a virtual dataset. */
bool omr_virtual_get(omr_virtual *v, hid_t dataset, hid_t type, size_t first, size_t count,
                     void *values);

/* hdf5_virtual.c: writes the group /virtual. */
void omr_virtual_store(omr_hdf5 *h5, const omr_virtual *v);
/* Reads it, and checks that the files are there. *v is NULL for a result that has its rows. */
omr_status omr_virtual_open(hid_t file, const char *path, omr_virtual **v, omr_error *error);

#endif
