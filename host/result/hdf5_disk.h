/* HDF5's way to the disk. HDF5 (1.10) does not survive a close whose writes fail: it frees the file
 * but keeps its number, and crashes when the process ends. So this driver never lets it know: the
 * first failed write is kept here, what HDF5 writes after it is dropped, and whoever composes the
 * file looks at `cause` and throws the file away. Entries of HDF5's cache of metadata stay in
 * memory until the file is closed, so that nothing dropped is ever read again. HDF5 writes what it
 * still holds when a process ends, in the child of a fork too, which must not touch its parent's
 * file: what such a child writes is dropped as well. */
#ifndef OMR_HDF5_DISK_H
#define OMR_HDF5_DISK_H

#include "../support/hdf5.h"

typedef struct omr_disk {
  int descriptor; /* to read and write, the caller's; HDF5 does not close it */
  int cause;      /* errno of the first access that failed; 0: none */
  unsigned forks; /* omr_forks() of the process that opened it */
} omr_disk;

/* File access properties for H5Fcreate and H5Fopen (which ignore the name given to them), to be
 * closed with H5Pclose; negative where HDF5 refuses. *disk has to outlive the file. */
hid_t omr_disk_access(omr_disk *disk);

#endif
