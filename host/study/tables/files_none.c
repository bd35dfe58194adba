/* In a build without HDF5 (support/no_hdf5.h). */
#include "../../support/no_hdf5.h"
#include "columns.h"

#include <omniroll/program.h>

omr_status omr_columns_read_hdf5(omr_columns *columns, const char *path, omr_error *error) {
  (void)columns;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " OMR_NO_HDF5 ", or give the table as CSV",
                  path);
}

omr_status omr_columns_ask_hdf5(omr_columns *columns, const char *path, omr_error *error) {
  return omr_columns_read_hdf5(columns, path, error);
}

bool omr_table_answer(const char *path, FILE *out) {
  (void)path, (void)out;
  return false;
}
