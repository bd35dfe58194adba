/* In a build without HDF5 (support/no_hdf5.h). */
#include "../support/no_hdf5.h"
#include "into_file.h"

omr_status omr_campaign_run(const omr_study *study, const char *path, bool parts_only,
                            const omr_file_options *options, omr_file_outcome *outcome,
                            omr_error *error) {
  (void)parts_only, (void)options;
  *outcome = (omr_file_outcome){0};
  if (!study) return omr_fail(error, OMR_ERR_IO, "cannot go on with %s: " OMR_NO_HDF5, path);
  return omr_fail(error, OMR_ERR_IO,
                  "cannot write %s: " OMR_NO_HDF5
                  ". Without a file, `omniroll run STUDY --hash` runs the study in memory",
                  path);
}

omr_status omr_campaign_merge(const char *const *folders, size_t count, const char *path,
                              const omr_file_options *options, omr_file_outcome *outcome,
                              omr_error *error) {
  (void)folders, (void)count, (void)options;
  *outcome = (omr_file_outcome){0};
  return omr_fail(error, OMR_ERR_IO, "cannot write %s: " OMR_NO_HDF5, path);
}

omr_status omr_verify(const char *path, FILE *out, omr_error *error) {
  (void)out;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " OMR_NO_HDF5, path);
}

omr_status omr_verify_json(const char *path, char **json, omr_error *error) {
  *json = NULL;
  return omr_verify(path, NULL, error);
}

omr_status omr_study_check_place(const omr_study *study, const char *path, omr_error *error) {
  (void)study;
  return omr_fail(error, OMR_ERR_IO, "cannot write %s: " OMR_NO_HDF5, path);
}
