/* Replacements in a build without HDF5 (support/no_hdf5.h). */
#include "../support/no_hdf5.h"
#include "compare/compare.h"

omr_status omr_comparison_write(const omr_comparison *comparison, const char *path,
                                omr_error *error) {
  (void)comparison;
  return omr_fail(error, OMR_ERR_IO, "cannot write %s: " OMR_NO_HDF5, path);
}
