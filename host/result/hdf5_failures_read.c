/* Reads the group /failures, which hdf5_failures.c wrote. */
#include "hdf5_read.h"
#include "hdf5_sums.h"
#include "hdf5_visit.h"

#include <stdlib.h>
#include <string.h>

static bool is_state(const char *name) {
  return strcmp(name, "instance") != 0 && strcmp(name, "wheel") != 0 &&
         strncmp(name, "status", 6) != 0 && strncmp(name, "invalid_", 8) != 0;
}

static bool read_list(hid_t group, const char *name, hid_t type, size_t first, size_t count,
                      void *values) {
  const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  const bool good = dataset >= 0 && omr_hdf5_get(dataset, type, first, count, values);
  if (dataset >= 0) H5Dclose(dataset);
  return good;
}

/* Notes a quantity; quantities of the vehicle come before the ones of the wheels. */
static bool note_quantity(hid_t group, const char *name, omr_failures *f) {
  hsize_t lengths[OMR_HDF5_RANK];
  const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  const int rank = dataset >= 0 ? omr_hdf5_lengths(dataset, lengths) : -1;
  size_t *count = rank == 2 ? &f->wheel_count : &f->vehicle_count;
  const bool good =
      (rank == 1 || (rank == 2 && lengths[1] <= OMR_MAX_WHEELS)) && *count < OMR_FAILURE_QUANTITIES;
  if (good) {
    omr_failure_quantity *q = rank == 2 ? &f->wheel[f->wheel_count] : &f->vehicle[f->vehicle_count];
    if (rank == 2) f->wheels = lengths[1];
    snprintf(q->name, sizeof q->name, "%.63s", name);
    omr_hdf5_copy_text(dataset, "units", q->unit, sizeof q->unit);
    omr_hdf5_copy_text(dataset, "long_name", q->meaning, sizeof q->meaning);
    ++*count;
  }
  if (dataset >= 0) H5Dclose(dataset);
  return good;
}

static bool note_quantities(hid_t group, omr_failures *f) {
  omr_members members;
  if (!omr_members_of(group, &members)) return false;
  bool good = true;
  for (size_t i = 0; i < members.count && good; i++)
    good = !is_state(members.name[i]) || note_quantity(group, members.name[i], f);
  omr_members_free(&members);
  return good;
}

/* Reads a quantity's values into their places in the states, from `offset` on. room: [count *
 * wheels]. */
static bool read_quantity(hid_t group, const char *name, size_t first, size_t count, size_t offset,
                          size_t wide, double *room, omr_failures *f) {
  const size_t width = omr_failures_width(f);
  if (!read_list(group, name, H5T_NATIVE_DOUBLE, first, count, room)) return false;
  for (size_t i = 0; i < count; i++)
    memcpy(f->state + i * width + offset, room + i * wide, wide * sizeof *room);
  return true;
}

static bool read_states(hid_t group, size_t first, size_t count, omr_failures *f) {
  double *room = malloc((count * (f->wheels + 1) + 1) * sizeof *room);
  bool good = room != NULL;
  size_t offset = 0;
  for (size_t j = 0; good && j < f->vehicle_count; j++)
    good = read_quantity(group, f->vehicle[j].name, first, count, offset++, 1, room, f);
  for (size_t j = 0; good && j < f->wheel_count; j++, offset += f->wheels)
    good = read_quantity(group, f->wheel[j].name, first, count, offset, f->wheels, room, f);
  free(room);
  return good;
}

static bool read_lists(hid_t group, size_t first, size_t count, omr_failures *f) {
  f->instance = malloc((count + 1) * sizeof *f->instance);
  f->status = malloc(count + 1);
  f->time = malloc((count + 1) * sizeof *f->time);
  f->state = malloc((count * omr_failures_width(f) + 1) * sizeof *f->state);
  if (!f->instance || !f->status || !f->time || !f->state) return false;
  f->count = f->room = count;
  return read_list(group, "instance", H5T_NATIVE_UINT64, first, count, f->instance) &&
         read_list(group, "status", H5T_NATIVE_INT8, first, count, f->status) &&
         read_list(group, "status_time", H5T_NATIVE_DOUBLE, first, count, f->time) &&
         read_states(group, first, count, f);
}

static bool is_here(const omr_failures *f, uint64_t instance) {
  return bsearch(&instance, f->instance, f->count, sizeof instance, omr_by_number) != NULL;
}

/* Copies the texts, `size` bytes each, whose instances are in the list. */
static bool keep_reasons(const uint64_t *instance, const char *packed, size_t size, size_t count,
                         omr_failures *f) {
  f->reasons = calloc(count + 1, sizeof *f->reasons);
  if (!f->reasons) return false;
  for (size_t i = 0; i < count; i++) {
    if (!is_here(f, instance[i])) continue;
    f->reasons[f->reason_count] =
        (omr_failure_reason){instance[i], strndup(packed + i * size, size)};
    if (!f->reasons[f->reason_count++].text) return false;
  }
  return true;
}

static bool read_texts(hid_t dataset, const uint64_t *instance, size_t count, omr_failures *f) {
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const size_t size = H5Tget_size(type);
  const bool right = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                     H5Sget_simple_extent_npoints(space) == (hssize_t)count;
  char *packed = right ? calloc(count + 1, size) : NULL;
  const bool good = packed && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed) >= 0 &&
                    keep_reasons(instance, packed, size, count, f);
  free(packed);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

static bool read_reasons(hid_t group, omr_failures *f) {
  uint64_t instance[OMR_FAILURE_REASONS];
  hsize_t lengths[OMR_HDF5_RANK] = {0};
  if (H5Lexists(group, "invalid_instance", H5P_DEFAULT) == 0) return true;
  const hid_t index = H5Dopen2(group, "invalid_instance", H5P_DEFAULT),
              texts = H5Dopen2(group, "invalid_reason", H5P_DEFAULT);
  bool good = index >= 0 && texts >= 0 && omr_hdf5_lengths(index, lengths) == 1 &&
              lengths[0] <= OMR_FAILURE_REASONS &&
              omr_hdf5_get(index, H5T_NATIVE_UINT64, 0, lengths[0], instance);
  good = good && read_texts(texts, instance, lengths[0], f);
  if (index >= 0) H5Dclose(index);
  if (texts >= 0) H5Dclose(texts);
  return good;
}

/* Checks the checksums of the group's members before the first rows are read. */
static bool check_members(hid_t group) {
  omr_members members;
  if (!omr_members_of(group, &members)) return false;
  bool good = true;
  for (size_t i = 0; i < members.count && good; i++) {
    const hid_t member = H5Oopen(group, members.name[i], H5P_DEFAULT);
    good = member >= 0 && omr_sum_check(member);
    if (member >= 0) H5Oclose(member);
  }
  omr_members_free(&members);
  return good;
}

bool omr_hdf5_failures_read(hid_t file, size_t first, size_t count, omr_failures *f) {
  memset(f, 0, sizeof *f);
  const hid_t group = H5Gopen2(file, "failures", H5P_DEFAULT);
  const bool good = group >= 0 && (first > 0 || check_members(group)) &&
                    note_quantities(group, f) && read_lists(group, first, count, f) &&
                    read_reasons(group, f);
  if (group >= 0) H5Gclose(group);
  return good;
}
