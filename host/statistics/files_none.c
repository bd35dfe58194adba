/* In a build without HDF5 (support/no_hdf5.h). */
#include "../support/no_hdf5.h"
#include "statistics.h"

omr_status omr_analyze(const char *path, const omr_analyze_options *options, FILE *out,
                       omr_error *error) {
  (void)options, (void)out;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " OMR_NO_HDF5, path);
}

/* Nothing calls it: omr_result_write has failed before. */
void omr_statistics_write(const omr_statistics *statistics, omr_hdf5 *h5) {
  (void)statistics, (void)h5;
}
