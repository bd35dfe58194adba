#include "hdf5_file.h"

enum { INSTANCE, TIME, WHEEL, SCALES };

/* A quantity that the model does not have (NULL) makes no dataset. */
static void sample(omr_hdf5 *h5, hid_t group, omr_sample_info info, int rank, const omr_hdf5_scale *scales,
                   const double *values) {
  if (!values) return;
  omr_hdf5_name name = {info.name, info.unit, info.meaning};
  hid_t dataset = omr_hdf5_variable(h5, group, name, H5T_NATIVE_DOUBLE, rank, scales, values);
  if (dataset >= 0) H5Dclose(dataset);
}

static omr_hdf5_scale wheel_scale(omr_hdf5 *h5, hid_t group, int wheels) {
  uint64_t numbers[OMR_MAX_WHEELS];
  for (int i = 0; i < wheels; i++) numbers[i] = (uint64_t)i;
  omr_hdf5_name name = {"wheel", NULL, "number of the wheel"};
  return omr_hdf5_scale_make(h5, group, name, H5T_NATIVE_UINT64, (hsize_t)wheels, numbers);
}

/* Everything that was sampled, under a group of its own. */
static void samples(omr_hdf5 *h5, hid_t group, const omr_result *result) {
  omr_hdf5_name instance = {"instance", NULL, "index of the traced instance"}, time = {"time", "s", "time"};
  omr_hdf5_scale scales[SCALES] = {
      [INSTANCE] = omr_hdf5_scale_make(h5, group, instance, H5T_NATIVE_UINT64, result->traced_count, result->traced),
      [TIME] = omr_hdf5_scale_make(h5, group, time, H5T_NATIVE_DOUBLE, result->sample_count, result->sample_time),
      [WHEEL] = {0}};
  if (result->wheels) scales[WHEEL] = wheel_scale(h5, group, result->wheels);
  for (int i = 0; i < result->small_sample_count; i++)
    sample(h5, group, result->small_info[i], 2, scales, result->small_samples[i]);
  for (int i = 0; i < OMR_VS_COUNT; i++) sample(h5, group, omr_vehicle_samples[i], 2, scales, result->vehicle_samples[i]);
  for (int i = 0; i < OMR_WS_COUNT; i++) sample(h5, group, omr_wheel_samples[i], 3, scales, result->wheel_samples[i]);
  for (int i = 0; i < OMR_DRIFT_COUNT; i++) sample(h5, group, omr_drift_samples[i], 2, scales, result->drift_samples[i]);
  const omr_hdf5_scale across[] = {scales[INSTANCE], scales[WHEEL]};
  for (int i = 0; i < OMR_SHAPE_COUNT; i++) sample(h5, group, omr_wheel_shapes[i], 2, across, result->wheel_shapes[i]);
  for (int i = 0; i < (result->wheels ? SCALES : WHEEL); i++) omr_hdf5_scale_close(&scales[i]);
}

hid_t omr_hdf5_samples(omr_hdf5 *h5, const char *name, const omr_result *result) {
  hid_t group = omr_hdf5_group(h5, name);
  samples(h5, group, result);
  return group;
}

void omr_hdf5_trajectories(omr_hdf5 *h5, const omr_result *result) {
  if (result->traced_count == 0 || result->sample_count == 0) return;
  hid_t group = omr_hdf5_samples(h5, "trajectories", result);
  if (group >= 0) H5Gclose(group);
}
