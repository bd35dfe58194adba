/* HDF5's access to the disk. HDF5 (1.10) does not survive a close whose writes fail: it frees the
 * file but keeps its number, and crashes when the process ends. So this driver hides failures from
 * it: it keeps the first failed write, drops everything that HDF5 writes after it, and the caller
 * that composes the file looks at `cause` and discards the file. Entries of HDF5's metadata cache
 * stay in memory until the file is closed, so nothing dropped is ever read again. HDF5 also writes
 * its remaining data when a process ends, even in the child of a fork, which must not touch its
 * parent's file: writes of such a child are dropped as well. */
#ifndef OMR_HDF5_DISK_H
#define OMR_HDF5_DISK_H

#include "../support/hdf5.h"

typedef struct omr_disk {
  int descriptor; /* open for reading and writing, owned by the caller; HDF5 does not close it */
  int cause;      /* errno of the first access that failed; 0: none */
  unsigned forks; /* omr_forks() of the process that opened it */
} omr_disk;

/* File access properties for H5Fcreate and H5Fopen (which ignore the name given to them), to be
 * closed with H5Pclose; negative if HDF5 refuses. *disk must outlive the file. */
hid_t omr_disk_access(omr_disk *disk);

#endif
