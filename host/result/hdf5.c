/* Attributes of study and run in a result file; and files that appear complete or not at all. */
#include "attributes.h"
#include "hdf5_sums.h"

omr_status omr_result_files(omr_error *error) {
  (void)error;
  return OMR_OK;
}

static void put_text(void *to, const char *name, const char *value) {
  omr_hdf5 *h5 = to;
  omr_hdf5_text(h5, h5->file, name, value);
}

static void put_number(void *to, const char *name, double value) {
  omr_hdf5 *h5 = to;
  omr_hdf5_number(h5, h5->file, name, value);
}

static void put_integer(void *to, const char *name, int64_t value) {
  omr_hdf5 *h5 = to;
  omr_hdf5_integer(h5, h5->file, name, value);
}

static omr_attributes attributes_of(omr_hdf5 *h5) {
  return (omr_attributes){h5, put_text, put_number, put_integer};
}

void omr_hdf5_created(omr_hdf5 *h5) {
  const omr_attributes to = attributes_of(h5);
  omr_attributes_of_time(&to);
}

void omr_hdf5_study(omr_hdf5 *h5, const omr_result *result) {
  const omr_attributes to = attributes_of(h5);
  omr_attributes_of_study(result, &to);
}

void omr_hdf5_run(omr_hdf5 *h5, const omr_run_record *run, bool retries) {
  const omr_attributes to = attributes_of(h5);
  omr_attributes_of_run(run, &to);
  omr_attributes_of_outcome(run, retries, &to);
}

omr_status omr_hdf5_write(const char *path, omr_hdf5_compose *compose, const void *content,
                          omr_error *error) {
  omr_replace place;
  omr_status status = omr_replace_open(&place, path, error);
  if (status != OMR_OK) return status;
  const omr_hdf5_report report = omr_hdf5_quiet();
  omr_hdf5 h5;
  omr_hdf5_create(&h5, place.descriptor);
  if (!h5.failed) compose(&h5, content);
  if (!h5.failed) omr_hdf5_created(&h5);
  omr_sums_seal(&h5);
  const bool closed = omr_hdf5_close(&h5);
  status = closed ? omr_replace_finish(&place, error) : omr_hdf5_fail(&h5, &place, error);
  if (!closed) omr_replace_discard(&place);
  omr_hdf5_restore(report);
  return status;
}

/* A separate result, whose only instance is the nominal vehicle. */

static void put_rows(omr_hdf5 *h5, const omr_result *nominal) {
  omr_hdf5_rows rows;
  omr_hdf5_rows_open(h5, &rows, nominal, nominal->instances);
  if (!h5->failed) omr_hdf5_rows_put(h5, &rows, nominal, 0);
  if (!h5->failed) omr_hdf5_rows_end(h5, &rows);
  omr_hdf5_rows_close(&rows);
}

static void put_traces(omr_hdf5 *h5, const omr_result *nominal) {
  omr_hdf5_traces traces;
  omr_hdf5_traces_open(h5, &traces, "trajectories", nominal, nominal->traced_count);
  if (!h5->failed) omr_hdf5_traces_put(h5, &traces, nominal, 0);
  omr_hdf5_traces_close(&traces);
  if (traces.group >= 0) H5Gclose(traces.group);
}

/* Writes below the group, which takes the place of the file meanwhile. */
void omr_hdf5_nominal(omr_hdf5 *h5, const omr_result *nominal) {
  const hid_t file = h5->file, group = omr_hdf5_group(h5, "nominal");
  if (h5->failed) return;
  h5->file = group;
  omr_hdf5_study(h5, nominal);
  put_rows(h5, nominal);
  if (!h5->failed && nominal->sample_count) put_traces(h5, nominal);
  h5->file = file;
  H5Gclose(group);
}
