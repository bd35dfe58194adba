/* The outcome of a calibration as an HDF5 file that xarray opens: at the root the points of the
 * posterior, a variable for each parameter over the dimension "draw"; in the groups run_0, run_1 ..
 * the measured and predicted values. */
#ifndef OMR_CALIBRATE_FILE_H
#define OMR_CALIBRATE_FILE_H

#include "calibrate.h"

omr_status calibrate_write_file(const omr_calibrate *c, const char *path, omr_error *error);

#endif
