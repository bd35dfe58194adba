/* In a build without HDF5 (support/no_hdf5.h). */
#include "../support/no_hdf5.h"
#include "calibrate.h"

omr_status calibrate_write_file(const omr_calibrate *c, const char *path, omr_error *error) {
  (void)c;
  return omr_fail(
      error, OMR_ERR_IO,
      "cannot write %s: " OMR_NO_HDF5 ". A name that ends in .csv gets the points alone", path);
}
