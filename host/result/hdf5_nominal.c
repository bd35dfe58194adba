/* The group /nominal: a separate result, whose only instance is the nominal vehicle. */
#include "hdf5_file.h"

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
