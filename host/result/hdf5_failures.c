/* The group /failures: the failed instances with their last good state. Its datasets are like the
 * ones of /instances and /trajectories, over the failed rows only. */
#include "hdf5_file.h"

#include <stdlib.h>
#include <string.h>

static void close_dataset(hid_t dataset) {
  if (dataset >= 0) H5Dclose(dataset);
}

/* Writes one quantity of the states, from `offset` on; rank 2: of each wheel. room: [count *
 * wheels]. */
static void write_quantity(omr_hdf5 *h5, hid_t group, int rank, const omr_hdf5_scale *scales,
                           const omr_failures *f, const omr_failure_quantity *quantity,
                           size_t offset, double *room) {
  const size_t wide = rank == 2 ? f->wheels : 1;
  const size_t width = omr_failures_width(f);
  const omr_hdf5_name name = {quantity->name, quantity->unit, quantity->meaning};
  for (size_t i = 0; i < f->count; i++)
    memcpy(room + i * wide, f->state + i * width + offset, wide * sizeof *room);
  close_dataset(omr_hdf5_variable(h5, group, name, H5T_NATIVE_DOUBLE, rank, scales, room));
}

static void write_states(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *scales,
                         const omr_failures *f) {
  double *room = malloc((f->count * (f->wheels + 1)) * sizeof *room);
  if (!room) {
    omr_hdf5_refuse_dataset(h5, "failures", "out of memory");
    return;
  }
  size_t offset = 0;
  for (size_t j = 0; j < f->vehicle_count; j++)
    write_quantity(h5, group, 1, scales, f, &f->vehicle[j], offset++, room);
  for (size_t j = 0; j < f->wheel_count; j++, offset += f->wheels)
    write_quantity(h5, group, 2, scales, f, &f->wheel[j], offset, room);
  free(room);
}

/* Writes texts of equal length, `size` bytes each in `packed`, so that files of equal content have
 * equal bytes. */
static void write_texts(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *scale, omr_hdf5_name name,
                        size_t size, const char *packed) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &scale->length, NULL);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  bool good = H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
              H5Pset_obj_track_times(creation, false) >= 0 &&
              (h5->plain || (H5Pset_chunk(creation, 1, &scale->length) >= 0 &&
                             H5Pset_fletcher32(creation) >= 0));
  hid_t dataset =
      good ? H5Dcreate2(group, name.name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT) : -1;
  good = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed) >= 0 &&
         H5DSattach_scale(dataset, scale->id, 0) >= 0;
  if (!good) omr_hdf5_refuse_dataset(h5, name.name, "HDF5 cannot store the texts");
  if (good) omr_hdf5_text(h5, dataset, "long_name", name.meaning);
  close_dataset(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
}

static void write_reasons(omr_hdf5 *h5, hid_t group, const omr_failures *f) {
  const size_t count =
      f->reason_count < OMR_FAILURE_REASONS ? f->reason_count : OMR_FAILURE_REASONS;
  uint64_t instance[OMR_FAILURE_REASONS];
  size_t size = 1;
  if (count == 0) return;

  /* all texts take as many bytes as the longest */
  for (size_t i = 0; i < count; i++) {
    const size_t length = strlen(f->reasons[i].text) + 1;
    if (length > size) size = length;
  }

  char *packed = calloc(count, size);
  if (!packed) return omr_hdf5_refuse_dataset(h5, "invalid_reason", "out of memory");
  for (size_t i = 0; i < count; i++) {
    instance[i] = f->reasons[i].instance;
    memcpy(packed + i * size, f->reasons[i].text, strlen(f->reasons[i].text));
  }

  /* instances are the dimension, reasons the values */
  const omr_hdf5_name index = {"invalid_instance", NULL,
                               "the first instances whose values make no vehicle"};
  const omr_hdf5_name reason = {"invalid_reason", NULL, "why they make none"};
  omr_hdf5_scale scale = omr_hdf5_scale_make(h5, group, index, H5T_NATIVE_UINT64, count, instance);
  if (!h5->failed) write_texts(h5, group, &scale, reason, size, packed);

  omr_hdf5_scale_close(&scale);
  free(packed);
}

void omr_hdf5_failures(omr_hdf5 *h5, const omr_failures *f) {
  if (f->count == 0 || h5->failed) return;
  hid_t group = omr_hdf5_group(h5, "failures");
  const omr_hdf5_name instance = {"instance", NULL, "index of the failed instance"};
  omr_hdf5_scale scales[] = {
      omr_hdf5_scale_make(h5, group, instance, H5T_NATIVE_UINT64, f->count, f->instance), {-1, 0}};
  if (f->wheels && !h5->failed) scales[1] = omr_hdf5_wheels(h5, group, (int)f->wheels);
  if (!h5->failed) omr_hdf5_status(h5, group, &scales[0], f->status, f->time);
  if (!h5->failed) write_states(h5, group, scales, f);
  if (!h5->failed) write_reasons(h5, group, f);
  omr_hdf5_scale_close(&scales[0]);
  omr_hdf5_scale_close(&scales[1]);
  if (group >= 0) H5Gclose(group);
}
