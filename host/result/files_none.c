/* Replacements in a build without HDF5 (support/no_hdf5.h). */
#include "../support/no_hdf5.h"
#include "../support/support.h"
#include "reader.h"

#include <omniroll/program.h>

omr_status omr_result_files(omr_error *error) {
  return omr_fail(error, OMR_ERR_IO, OMR_NO_HDF5);
}

bool omr_files_left_open(void) {
  return false;
}

void omr_result_answer(const char *path) {
  (void)path;
}

const char *omr_result_last_read(void) {
  return "";
}

omr_status omr_result_write(const omr_result *result, const char *path, omr_error *error) {
  (void)result;
  return omr_fail(error, OMR_ERR_IO, "cannot write %s: " OMR_NO_HDF5, path);
}

omr_status omr_result_image(const omr_result *result, char **image, size_t *bytes,
                            omr_error *error) {
  (void)result;
  *image = NULL;
  *bytes = 0;
  return omr_fail(error, OMR_ERR_IO, "cannot compose a result file: " OMR_NO_HDF5);
}

omr_status omr_result_open(const char *path, omr_result **result, omr_error *error) {
  *result = NULL;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " OMR_NO_HDF5, path);
}

omr_status omr_export_instances(const char *path, const char *columns, FILE *out,
                                omr_error *error) {
  (void)columns, (void)out;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " OMR_NO_HDF5, path);
}

omr_status omr_export_trajectories(const char *path, const char *columns, FILE *out,
                                   omr_error *error) {
  return omr_export_instances(path, columns, out, error);
}

omr_status omr_result_file_open_rows(const char *path, omr_result_file **file, omr_error *error) {
  *file = NULL;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " OMR_NO_HDF5, path);
}

omr_status omr_source_open(const char *path, omr_source **source, omr_error *error) {
  *source = NULL;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " OMR_NO_HDF5, path);
}

/* No file is open. */
const omr_result *omr_result_file_head(const omr_result_file *file) {
  (void)file;
  return NULL;
}

void omr_result_file_close(omr_result_file *file) {
  (void)file;
}
