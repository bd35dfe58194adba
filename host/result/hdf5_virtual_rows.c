/* Datasets of a virtual result: written as a mapping, read from the files themselves. */
#include "hdf5_read.h"
#include "hdf5_virtual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* WRITING */

bool omr_virtual_has(const omr_virtual *v, omr_over over) {
  return v && v->length[over] > 0;
}

static uint64_t rows_of(const omr_virtual_file *f, omr_over over) {
  return over == OMR_OVER_TRACES ? f->traced : f->rows;
}

/* The name as H5Pset_virtual wants it: "%b" would stand for a number. */
static char *escaped(const char *name) {
  char *text = malloc(2 * strlen(name) + 1), *to = text;
  for (; text && *name; *to++ = *name++)
    if (*name == '%') *to++ = '%';
  if (text) *to = '\0';
  return text;
}

static bool map_file(hid_t list, hid_t space, const omr_virtual_file *f, omr_over over,
                     const char *place, int rank, const hsize_t *lengths) {
  hsize_t start[OMR_HDF5_RANK] = {f->first[over]}, count[OMR_HDF5_RANK];
  memcpy(count, lengths, (size_t)rank * sizeof *count);
  count[0] = rows_of(f, over);
  if (count[0] == 0) return true;
  char *name = escaped(f->name);
  const hid_t source = H5Screate_simple(rank, count, NULL);
  const bool good = name && source >= 0 &&
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                    H5Pset_virtual(list, space, name, place, source) >= 0;
  if (source >= 0) H5Sclose(source);
  free(name);
  return good;
}

/* What other programs see where a file is missing: no number, and a status that there is none of.
 */
static bool set_fill(hid_t list, hid_t type) {
  const double none = (double)NAN;
  const int8_t no_status = -1;
  if (H5Tequal(type, H5T_NATIVE_DOUBLE) > 0) return H5Pset_fill_value(list, type, &none) >= 0;
  return H5Tequal(type, H5T_NATIVE_INT8) <= 0 || H5Pset_fill_value(list, type, &no_status) >= 0;
}

hid_t omr_virtual_list(const omr_hdf5 *h5, hid_t group, const char *name, hid_t type, int rank,
                       const hsize_t *lengths) {
  char place[256] = "";
  const omr_virtual *v = h5->files;
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(rank, lengths, NULL);
  H5Iget_name(group, place, sizeof place);
  const size_t length = strlen(place);
  snprintf(place + length, sizeof place - length, "/%s", name);
  bool good = H5Pset_obj_track_times(list, false) >= 0 && set_fill(list, type);
  for (size_t i = 0; good && i < v->count; i++)
    good = map_file(list, space, &v->files[i], h5->over, place, rank, lengths);
  if (space >= 0) H5Sclose(space);
  if (good) return list;
  H5Pclose(list);
  return -1;
}

/* READING */

/* The file that has row `row`: the last one that begins no later. */
static size_t find_file(const omr_virtual *v, omr_over over, uint64_t row) {
  return omr_numbers_before(&v->files->first[over], v->count, sizeof *v->files, row + 1) - 1;
}

typedef struct wanted {
  char name[256]; /* of the dataset */
  omr_over over;
  int rank;
  hsize_t lengths[OMR_HDF5_RANK];
  size_t row; /* bytes of a row in memory */
} wanted;

static bool describe(hid_t dataset, hid_t type, wanted *w) {
  *w = (wanted){.row = H5Tget_size(type)};
  const hid_t space = H5Dget_space(dataset);
  w->rank = H5Sget_simple_extent_ndims(space);
  if (w->rank > OMR_HDF5_RANK || H5Sget_simple_extent_dims(space, w->lengths, NULL) < 0)
    w->rank = -1;
  if (space >= 0) H5Sclose(space);
  if (w->rank < 1 || H5Iget_name(dataset, w->name, sizeof w->name) <= 0) return false;
  for (int d = 1; d < w->rank; d++) w->row *= w->lengths[d];
  w->over = strncmp(w->name, "/trajectories/", 14) == 0 ? OMR_OVER_TRACES
            : strncmp(w->name, "/instances/", 11) == 0  ? OMR_OVER_ROWS
                                                        : OMR_OVER_NOTHING;
  return w->over != OMR_OVER_NOTHING;
}

/* Reads rows of one file. A sample that not every chunk has (omr_series.rare) is NaN there. */
static bool read_file(omr_virtual *v, size_t number, const wanted *w, hid_t type, size_t first,
                      size_t count, void *values) {
  hsize_t lengths[OMR_HDF5_RANK];
  const hid_t file = omr_virtual_file_open(v, number);
  if (file < 0) return false;
  if (w->over == OMR_OVER_TRACES && H5Tequal(type, H5T_NATIVE_DOUBLE) > 0 &&
      H5Lexists(file, w->name, H5P_DEFAULT) == 0) {
    for (size_t i = 0; i < count * w->row / sizeof(double); i++)
      ((double *)values)[i] = (double)NAN;
    return true;
  }
  const hid_t dataset = H5Dopen2(file, w->name, H5P_DEFAULT);
  memcpy(lengths, w->lengths, sizeof lengths);
  lengths[0] = rows_of(&v->files[number], w->over);
  bool good = dataset >= 0 && omr_hdf5_has_lengths(dataset, w->rank, lengths);
  if (!good) omr_hdf5_say("one of the files that hold its rows has other rows");
  good = good && omr_hdf5_get(dataset, type, first, count, values);
  if (dataset >= 0) H5Dclose(dataset);
  return good;
}

bool omr_virtual_get(omr_virtual *v, hid_t dataset, hid_t type, size_t first, size_t count,
                     void *values) {
  wanted w;
  if (count == 0) return true;
  if (!describe(dataset, type, &w) || w.lengths[0] != v->length[w.over] || first > w.lengths[0] ||
      count > w.lengths[0] - first)
    return omr_hdf5_say("its length is not that of the files that hold its rows");
  for (size_t done = 0, f = find_file(v, w.over, first); done < count; f++) {
    const size_t row = first + done - v->files[f].first[w.over],
                 left = rows_of(&v->files[f], w.over) - row,
                 here = count - done < left ? count - done : left;
    if (here && !read_file(v, f, &w, type, row, here, (char *)values + done * w.row)) return false;
    done += here;
  }
  return true;
}
