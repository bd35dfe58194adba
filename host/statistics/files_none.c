/* Replacements in a build without HDF5 (support/no_hdf5.h). */
#include "../support/no_hdf5.h"
#include "statistics.h"

omr_status omr_analyze(const char *path, const omr_analyze_options *options, FILE *out,
                       omr_error *error) {
  (void)options, (void)out;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " OMR_NO_HDF5, path);
}

omr_status omr_analyze_json(const char *path, const char *const *settings, size_t count,
                            const char *output, char **json, omr_error *error) {
  (void)settings, (void)count, (void)output;
  *json = NULL;
  return omr_analyze(path, NULL, NULL, error);
}

omr_status omr_statistics_of_file(const char *path, const omr_result *head, omr_source *source,
                                  omr_study **study, omr_statistics **statistics,
                                  omr_error *error) {
  (void)head, (void)source;
  *study = NULL;
  *statistics = NULL;
  return omr_analyze(path, NULL, NULL, error);
}

omr_status omr_side_by_side(const char *const *paths, const char *const *names, size_t count,
                            bool json, FILE *out, omr_error *error) {
  (void)names, (void)json, (void)out;
  return omr_fail(error, OMR_ERR_IO, "cannot read %s: " OMR_NO_HDF5, count ? paths[0] : "results");
}

/* Is never called: omr_result_write has failed before. */
void omr_statistics_write(const omr_statistics *statistics, omr_hdf5 *h5) {
  (void)statistics, (void)h5;
}
