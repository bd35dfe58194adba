/* Results are looked at by a process of their own before HDF5 opens them here: of 600 files with a
 * flipped bit HDF5 1.10 crashed on 29, and took who called it along. */
#ifndef OMR_HDF5_PROBE_H
#define OMR_HDF5_PROBE_H

#include <omniroll/base.h>

/* OMR_ERR_IO where HDF5 crashes on the file, or goes round in circles. A file that this thread has
 * had looked at is not looked at again while it stays what it is. Where the program is not found
 * (support/own_program.h), or is another one, nothing is known, and that is no error. */
omr_status omr_hdf5_probe(const char *path, omr_error *error);

/* The other side is omr_result_answer (omniroll/program.h), in hdf5_probe_answer.c. */

#endif
