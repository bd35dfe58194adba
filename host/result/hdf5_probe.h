/* A separate process reads a result before HDF5 opens it here: of 600 files with a flipped bit HDF5
 * 1.10 crashed on 29, and took the caller along. */
#ifndef OMR_HDF5_PROBE_H
#define OMR_HDF5_PROBE_H

#include <omniroll/base.h>

/* OMR_ERR_IO if HDF5 crashes on the file or never ends. A thread checks an unchanged file only
 * once. If the program is not found (support/own_program.h), or is another one, the file counts as
 * good. */
omr_status omr_hdf5_probe(const char *path, omr_error *error);

/* The other side is omr_result_answer (omniroll/program.h), in hdf5_probe_answer.c. */

#endif
