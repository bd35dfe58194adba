#include "hdf5_file.h"

#include <math.h>
#include <stdlib.h>

enum { INSTANCE, TIME, WHEEL };

omr_hdf5_scale omr_hdf5_wheels(omr_hdf5 *h5, hid_t group, int wheels) {
  uint64_t numbers[OMR_MAX_WHEELS];
  for (int i = 0; i < wheels; i++) numbers[i] = (uint64_t)i;
  return omr_hdf5_scale_make(h5, group, omr_kept_info(OMR_KEPT_WHEEL), H5T_NATIVE_UINT64,
                             (hsize_t)wheels, numbers);
}

static hid_t make_series(omr_hdf5 *h5, hid_t group, omr_series series,
                         const omr_hdf5_scale *scales) {
  const omr_hdf5_name name = {series.info.name, series.info.unit, series.info.meaning};
  omr_hdf5_scale over[3] = {scales[INSTANCE]};
  int rank = 1;
  if (series.over_time) over[rank++] = scales[TIME];
  if (series.over_wheels) over[rank++] = scales[WHEEL];
  return omr_hdf5_variable(h5, group, name, H5T_NATIVE_DOUBLE, rank, over, NULL);
}

static void open_traces(omr_hdf5 *h5, omr_hdf5_traces *traces, const char *name,
                        const omr_result *like, size_t traced) {
  const size_t count = omr_result_series_count(like);

  *traces = (omr_hdf5_traces){
      -1, -1, malloc(count * sizeof *traces->series), 0, {{-1, 0}, {-1, 0}, {-1, 0}}};
  if (!traces->series) omr_hdf5_refuse(h5, "create a group of trajectories", "out of memory");
  if (h5->failed) return;

  /* the dimensions: traced instances, times, wheels */
  traces->group = omr_hdf5_group(h5, name);
  traces->scales[INSTANCE] = omr_hdf5_scale_make(h5, traces->group, omr_kept_info(OMR_KEPT_TRACED),
                                                 H5T_NATIVE_UINT64, traced, NULL);
  traces->scales[TIME] =
      omr_hdf5_scale_make(h5, traces->group, omr_kept_info(OMR_KEPT_TIME), H5T_NATIVE_DOUBLE,
                          like->sample_count, like->sample_time);

  if (like->wheels) traces->scales[WHEEL] = omr_hdf5_wheels(h5, traces->group, like->wheels);
  traces->instance = traces->scales[INSTANCE].id;

  /* quantities that the model lacks, or that not every result has, make no dataset yet */
  for (size_t i = 0; i < count && !h5->failed; i++) {
    const omr_series series = omr_result_series(like, i);
    const bool now = *series.values && !series.rare;
    traces->series[traces->series_count++] =
        now ? make_series(h5, traces->group, series, traces->scales) : -1;
  }
}

void omr_hdf5_traces_open(omr_hdf5 *h5, omr_hdf5_traces *traces, const char *name,
                          const omr_result *like, size_t traced) {
  h5->over = OMR_OVER_TRACES;
  open_traces(h5, traces, name, like, traced);
  h5->over = OMR_OVER_NOTHING;
}

/* Fills the rows of a dataset for a part that does not have it. */
static void put_nothing(omr_hdf5 *h5, hid_t dataset, omr_series series, size_t size, size_t first,
                        size_t count) {
  double *none = malloc((count * size + 1) * sizeof *none);
  if (!none) omr_hdf5_refuse(h5, "write trajectories", "out of memory");
  for (size_t i = 0; none && i < count * size; i++) none[i] = (double)NAN;
  if (none) omr_hdf5_put(h5, dataset, series.info.name, H5T_NATIVE_DOUBLE, first, count, none);
  free(none);
}

static void put_traces(omr_hdf5 *h5, omr_hdf5_traces *traces, const omr_result *part,
                       size_t first) {
  if (part->traced_count == 0) return;
  omr_hdf5_put(h5, traces->instance, "instance", H5T_NATIVE_UINT64, first, part->traced_count,
               part->traced);

  for (size_t i = 0; i < traces->series_count && !h5->failed; i++) {
    const omr_series series = omr_result_series(part, i);
    const size_t size = omr_result_series_size(part, series);
    hid_t *dataset = &traces->series[i];

    /* the first part that has a rare quantity makes its dataset; the rows before are NaN */
    if (*dataset < 0 && series.rare && *series.values) {
      *dataset = make_series(h5, traces->group, series, traces->scales);
      put_nothing(h5, *dataset, series, size, 0, first);
    }

    if (*dataset < 0) continue;
    if (*series.values)
      omr_hdf5_put(h5, *dataset, series.info.name, H5T_NATIVE_DOUBLE, first, part->traced_count,
                   *series.values);
    else
      put_nothing(h5, *dataset, series, size, first, part->traced_count);
  }
}

void omr_hdf5_traces_put(omr_hdf5 *h5, omr_hdf5_traces *traces, const omr_result *part,
                         size_t first) {
  h5->over = OMR_OVER_TRACES;
  put_traces(h5, traces, part, first);
  h5->over = OMR_OVER_NOTHING;
}

void omr_hdf5_traces_close(omr_hdf5_traces *traces) {
  for (size_t i = 0; i < traces->series_count; i++)
    if (traces->series[i] >= 0) H5Dclose(traces->series[i]);
  for (int d = INSTANCE; d <= WHEEL; d++) omr_hdf5_scale_close(&traces->scales[d]);
  free(traces->series);
  traces->series = NULL;
  traces->series_count = 0;
  traces->instance = -1;
}
