#include "hdf5_file.h"
#include "../support/support.h"
#include "hdf5_sums.h"
#include "hdf5_virtual.h"

#include <omniroll/program.h>

#include <string.h>

#define LARGE_BYTES ((hsize_t)65536) /* larger datasets are chunked and compressed */
#define CHUNK_VALUES ((hsize_t)65536)
/* For columns of observables, level 1 with shuffled bytes leaves 65 % of the bytes, level 4 64 %,
 * and without shuffling both leave 73 %; for trajectories 68, 68 and 82 %. Level 1 takes a tenth
 * less time (71 against 64 MB/s), and shuffling saves time too. */
#define DEFLATE_LEVEL 1
#define ROOM_BYTES ((size_t)32 << 20)
#define CHUNK_SLOTS                                                                                \
  ((size_t)521) /* HDF5's default: a prime far above the number of chunks in memory */

static herr_t innermost(unsigned level, const H5E_error2_t *entry, void *user) {
  omr_hdf5 *h5 = user;
  if (level == 0 && entry->desc) snprintf(h5->cause, sizeof h5->cause, "%s", entry->desc);
  return 0;
}

/* Keeps the first failure. Must be called before any other HDF5 function, which would clear the
 * error stack. */
static void note(omr_hdf5 *h5, int64_t outcome, const char *task, const char *name) {
  if (h5->disk.cause) h5->failed = true;
  if (outcome >= 0 || h5->failed) return;
  h5->failed = true;
  snprintf(h5->task, sizeof h5->task, "%s %s", task, name);
  snprintf(h5->cause, sizeof h5->cause, "HDF5 gave no reason");
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, h5);
}

static hid_t ordered(omr_hdf5 *h5, hid_t class) {
  hid_t list = H5Pcreate(class);
  note(h5, H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
       "set up", "groups");
  note(h5, H5Pset_obj_track_times(list, false), "set up", "groups");
  return list;
}

omr_status omr_hdf5_room(const char *path, omr_error *error) {
  if (!omr_room(ROOM_BYTES))
    return omr_fail(
        error, OMR_ERR_MEMORY,
        "%s: out of memory: HDF5 may need %d MiB, which this process cannot have. Give "
        "it more (ulimit -v, the batch system), or use fewer threads or smaller chunks.",
        path, (int)(ROOM_BYTES >> 20));
  return OMR_OK;
}

void omr_hdf5_create(omr_hdf5 *h5, int descriptor) {
  *h5 = (omr_hdf5){.file = -1, .disk = {.descriptor = descriptor}};
  hid_t access = omr_disk_access(&h5->disk);
  hid_t creation = ordered(h5, H5P_FILE_CREATE);
  h5->file = H5Fcreate("omniroll", H5F_ACC_TRUNC, creation, access);
  note(h5, h5->file, "create", "the file");
  H5Pclose(creation);
  H5Pclose(access);
}

void omr_hdf5_open(omr_hdf5 *h5, int descriptor) {
  *h5 = (omr_hdf5){.file = -1, .disk = {.descriptor = descriptor}};
  hid_t access = omr_disk_access(&h5->disk);
  h5->file = H5Fopen("omniroll", H5F_ACC_RDWR, access);
  note(h5, h5->file, "open", "the file");
  H5Pclose(access);
}

bool omr_hdf5_close(omr_hdf5 *h5) {
  if (h5->file >= 0) note(h5, H5Fclose(h5->file), "finish", "the file");
  omr_sums_free(h5);
  h5->file = -1;
  return !h5->failed;
}

bool omr_files_left_open(void) {
  return !omr_room(ROOM_BYTES) || H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) != 0;
}

omr_status omr_hdf5_fail(const omr_hdf5 *h5, const omr_replace *place, omr_error *error) {
  if (h5->disk.cause) return omr_replace_fail(place, h5->disk.cause, error);
  return omr_fail(error, OMR_ERR_IO,
                  "%s: cannot compose the result: failed to %s: %s. If memory ran out, trace fewer "
                  "instances or samples.",
                  place->path, h5->task, h5->cause);
}

hid_t omr_hdf5_group(omr_hdf5 *h5, const char *name) {
  hid_t creation = ordered(h5, H5P_GROUP_CREATE);
  hid_t group = H5Gcreate2(h5->file, name, H5P_DEFAULT, creation, H5P_DEFAULT);
  note(h5, group, "create group", name);
  H5Pclose(creation);
  return group;
}

hid_t omr_hdf5_subgroup(omr_hdf5 *h5, const char *group, const char *name) {
  char path[128];
  if (H5Lexists(h5->file, group, H5P_DEFAULT) == 0) {
    const hid_t above = omr_hdf5_group(h5, group);
    if (above >= 0) H5Gclose(above);
  }
  snprintf(path, sizeof path, "%s/%s", group, name);
  return omr_hdf5_group(h5, path);
}

static void write_attribute(omr_hdf5 *h5, hid_t object, const char *name, hid_t stored, hid_t space,
                            hid_t type, const void *value) {
  hid_t attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
  note(h5, attribute, "create attribute", name);
  note(h5, H5Awrite(attribute, type, value), "write attribute", name);
  H5Aclose(attribute);
}

static void scalar_attribute(omr_hdf5 *h5, hid_t object, const char *name, hid_t stored, hid_t type,
                             const void *value) {
  hid_t space = H5Screate(H5S_SCALAR);
  write_attribute(h5, object, name, stored, space, type, value);
  H5Sclose(space);
}

/* Writes a text of variable length: it is stored outside the object's header, which holds at most
 * 64 KiB, and h5py shows it as str. */
void omr_hdf5_text(omr_hdf5 *h5, hid_t object, const char *name, const char *text) {
  const char *value = text ? text : "";
  hid_t type = H5Tcopy(H5T_C_S1);
  note(h5, H5Tset_size(type, H5T_VARIABLE), "set up text", name);
  note(h5, H5Tset_cset(type, H5T_CSET_UTF8), "set up text", name);
  scalar_attribute(h5, object, name, type, type, &value);
  H5Tclose(type);
}

void omr_hdf5_number(omr_hdf5 *h5, hid_t object, const char *name, double value) {
  scalar_attribute(h5, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void omr_hdf5_integer(omr_hdf5 *h5, hid_t object, const char *name, int64_t value) {
  scalar_attribute(h5, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void omr_hdf5_bytes(omr_hdf5 *h5, hid_t object, const char *name, const int8_t *values,
                    size_t count) {
  hsize_t length = count;
  hid_t space = H5Screate_simple(1, &length, NULL);
  write_attribute(h5, object, name, H5T_STD_I8LE, space, H5T_NATIVE_INT8, values);
  H5Sclose(space);
}

/* Sets the shape of chunks. A small dataset is one chunk, not worth compressing but with its
 * sum. */
static size_t set_chunks(omr_hdf5 *h5, hid_t creation, const char *name, size_t size, int rank,
                         const hsize_t *lengths) {
  hsize_t bytes = size;
  for (int d = 0; d < rank; d++) bytes *= lengths[d];
  hsize_t chunk[OMR_HDF5_RANK] = {0}, room = CHUNK_VALUES;
  for (int d = rank - 1; d >= 0; d--) {
    chunk[d] = lengths[d] < room ? lengths[d] : room;
    room /= chunk[d];
    if (room == 0) room = 1;
    size *= chunk[d];
  }
  note(h5, H5Pset_chunk(creation, rank, chunk), "set chunks of", name);
  if (!h5->plain && bytes > LARGE_BYTES && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    note(h5, H5Pset_shuffle(creation), "set compression of", name);
    note(h5, H5Pset_deflate(creation, DEFLATE_LEVEL), "set compression of", name);
  }
  if (!h5->plain) note(h5, H5Pset_fletcher32(creation), "set the checksum of", name);
  return size;
}

static hid_t stored_type(hid_t type) {
  if (H5Tequal(type, H5T_NATIVE_UINT64) > 0) return H5T_STD_U64LE;
  if (H5Tequal(type, H5T_NATIVE_INT8) > 0) return H5T_STD_I8LE;
  return H5T_IEEE_F64LE;
}

/* Makes the storage properties of a dataset; the chunk being filled stays in memory. */
static hid_t creation_list(omr_hdf5 *h5, const char *name, hid_t type, int rank,
                           const hsize_t *lengths, hid_t access) {
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const size_t size = H5Tget_size(type);
  hsize_t bytes = size;
  for (int d = 0; d < rank; d++) bytes *= lengths[d];
  note(h5, H5Pset_obj_track_times(creation, false), "set up", name);
  if (bytes > LARGE_BYTES || (!h5->plain && bytes > 0)) {
    const size_t chunk = set_chunks(h5, creation, name, size, rank, lengths);
    note(h5, H5Pset_chunk_cache(access, CHUNK_SLOTS, chunk, H5D_CHUNK_CACHE_W0_DEFAULT),
         "set chunks of", name);
  }
  return creation;
}

static bool is_elsewhere(const omr_hdf5 *h5) {
  return omr_virtual_has(h5->files, h5->over);
}

static hid_t make_dataset(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, hid_t type, int rank,
                          const hsize_t *lengths, const void *values) {
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  const omr_over over = h5->over;
  if (values) h5->over = OMR_OVER_NOTHING; /* other files have none of these */
  hid_t creation = is_elsewhere(h5) ? omr_virtual_list(h5, group, name.name, type, rank, lengths)
                                    : creation_list(h5, name.name, type, rank, lengths, access);
  hid_t space = H5Screate_simple(rank, lengths, NULL);
  hid_t dataset =
      H5Dcreate2(group, name.name, stored_type(type), space, H5P_DEFAULT, creation, access);
  note(h5, dataset, "create dataset", name.name);
  H5Sclose(space);
  H5Pclose(creation);
  H5Pclose(access);
  if (values) omr_hdf5_put(h5, dataset, name.name, type, 0, lengths[0], values);
  h5->over = over;
  if (name.unit) omr_hdf5_text(h5, dataset, "units", name.unit);
  omr_hdf5_text(h5, dataset, "long_name", name.meaning);
  return dataset;
}

void omr_hdf5_put(omr_hdf5 *h5, hid_t dataset, const char *name, hid_t type, hsize_t first,
                  hsize_t count, const void *values) {
  hsize_t start[OMR_HDF5_RANK] = {first}, lengths[OMR_HDF5_RANK] = {0};
  if (h5->failed || count == 0) return;
  hid_t space = H5Dget_space(dataset);
  const int rank = H5Sget_simple_extent_dims(space, lengths, NULL);
  lengths[0] = count;
  hid_t memory = H5Screate_simple(rank, lengths, NULL);
  if (!is_elsewhere(h5)) {
    note(h5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, lengths, NULL),
         "choose rows of", name);
    note(h5, H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, values), "write dataset", name);
  }
  size_t size = H5Tget_size(type);
  for (int d = 1; d < rank; d++) size *= lengths[d];
  omr_sum_add(omr_sum_of(h5, dataset, type), first, count, size, values);
  H5Sclose(memory);
  H5Sclose(space);
}

void omr_hdf5_put_chunk(omr_hdf5 *h5, hid_t dataset, hsize_t first, size_t bytes,
                        const void *packed) {
  if (h5->failed) return;
  note(h5, H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &first, bytes, packed), "write",
       "compressed columns");
}

omr_hdf5_scale omr_hdf5_scale_make(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, hid_t type,
                                   hsize_t length, const void *values) {
  omr_hdf5_scale scale = {make_dataset(h5, group, name, type, 1, &length, values), length};
  note(h5, H5DSset_scale(scale.id, name.name), "make a dimension scale of", name.name);
  return scale;
}

void omr_hdf5_scale_close(omr_hdf5_scale *scale) {
  if (scale->id >= 0) H5Dclose(scale->id);
  scale->id = -1;
}

hid_t omr_hdf5_variable(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, hid_t type, int rank,
                        const omr_hdf5_scale *scales, const void *values) {
  hsize_t lengths[OMR_HDF5_RANK] = {0};
  for (int d = 0; d < rank; d++) lengths[d] = scales[d].length;
  hid_t dataset = make_dataset(h5, group, name, type, rank, lengths, values);
  for (int d = 0; d < rank && !h5->plain; d++) /* for other programs */
    note(h5, H5DSattach_scale(dataset, scales[d].id, (unsigned)d), "attach the dimensions of",
         name.name);
  if (H5Tequal(type, H5T_NATIVE_DOUBLE) > 0)
    omr_hdf5_number(h5, dataset, "_FillValue", (double)NAN);
  return dataset;
}

/* HDF5 has no filters for texts of variable length: they only have the hash (hdf5_sums.h). */
hid_t omr_hdf5_words(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, const omr_hdf5_scale *scale,
                     size_t count, const char *const *words) {
  const hsize_t length = count;
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &length, NULL),
              list = H5Pcreate(H5P_DATASET_CREATE);

  /* text of any length in UTF-8, without times of creation */
  note(h5, H5Tset_size(type, H5T_VARIABLE), "set up text", name.name);
  note(h5, H5Tset_cset(type, H5T_CSET_UTF8), "set up text", name.name);
  note(h5, H5Pset_obj_track_times(list, false), "set up", name.name);

  const hid_t dataset = H5Dcreate2(group, name.name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  note(h5, dataset, "create dataset", name.name);
  if (count)
    note(h5, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words), "write dataset",
         name.name);

  /* values over a dimension, or the dimension itself */
  if (scale)
    note(h5, H5DSattach_scale(dataset, scale->id, 0), "attach the dimensions of", name.name);
  else
    note(h5, H5DSset_scale(dataset, name.name), "make a dimension scale of", name.name);

  omr_hdf5_text(h5, dataset, "long_name", name.meaning);
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
  return dataset;
}
