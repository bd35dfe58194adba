/* In the place of everything that reads or writes result files where the library is built without
 * HDF5: says so. Runs in memory, designs, devices and checks need none of it. */
#include "../reference/compare.h"
#include "../statistics/analyze.h"
#include "../study/columns.h"
#include "export.h"

#define REMEDY                                                                                     \
  "this build reads and writes no result files, since it was made without HDF5: install "          \
  "libhdf5-dev and build again with "                                                              \
  "-DOMNIROLL_HDF5=ON"

omr_status omr_result_files(omr_error *error) {
  return omr_fail(error, OMR_ERR_IO, REMEDY);
}

omr_status omr_result_write(const omr_result *result, const char *path, omr_error *error) {
  (void)result;
  return omr_fail(error, OMR_ERR_IO, "cannot write %s: " REMEDY, path);
}

omr_status omr_comparison_write(const omr_comparison *comparison, const char *path,
                                omr_error *error) {
  (void)comparison;
  return omr_fail(error, OMR_ERR_IO, "cannot write %s: " REMEDY, path);
}

omr_status omr_run_file(const omr_study *study, const char *path, const omr_file_options *options,
                        omr_file_outcome *outcome, omr_error *error) {
  (void)study, (void)options;
  if (outcome) *outcome = (omr_file_outcome){0};
  return omr_fail(error, OMR_ERR_IO,
                  "cannot write %s: " REMEDY
                  ". Without a file, `omniroll run STUDY --hash` runs the study in memory",
                  path);
}

omr_status omr_resume(const char *path, const omr_file_options *options, omr_file_outcome *outcome,
                      omr_error *error) {
  (void)options;
  if (outcome) *outcome = (omr_file_outcome){0};
  return omr_fail(error, OMR_ERR_IO, "cannot go on with %s: " REMEDY, path);
}

omr_status omr_merge(const char *const *folders, size_t count, const char *path,
                     const omr_file_options *options, omr_file_outcome *outcome, omr_error *error) {
  (void)folders, (void)count, (void)options;
  if (outcome) *outcome = (omr_file_outcome){0};
  return omr_fail(error, OMR_ERR_IO, "cannot write %s: " REMEDY, path);
}

omr_status omr_analyze(const omr_analysis *a, FILE *out, omr_error *error) {
  (void)out;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " REMEDY, a->path);
}

omr_status omr_export_instances(const char *path, const char *columns, FILE *out,
                                omr_error *error) {
  (void)columns, (void)out;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " REMEDY, path);
}

omr_status omr_export_trajectories(const char *path, const char *columns, FILE *out,
                                   omr_error *error) {
  return omr_export_instances(path, columns, out, error);
}

omr_status omr_columns_read_hdf5(omr_columns *columns, const char *path, omr_error *error) {
  (void)columns;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " REMEDY ", or give the table as CSV", path);
}
