#include "hdf5_read.h"
#include "hdf5_sums.h"

#include <stdlib.h>
#include <string.h>

static herr_t innermost(unsigned level, const H5E_error2_t *entry, void *user) {
  omr_hdf5_cause *cause = user;
  if (level == 0 && entry->desc) snprintf(cause->text, sizeof cause->text, "%s", entry->desc);
  return 0;
}

omr_hdf5_cause omr_hdf5_last_cause(void) {
  omr_hdf5_cause cause = {"HDF5 gave no reason"};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &cause);
  return cause;
}

bool omr_hdf5_say(const char *text) {
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_DATASET, H5E_READERROR, "%s",
           text);
  return false;
}

bool omr_hdf5_is_virtual(hid_t dataset) {
  const hid_t list = H5Dget_create_plist(dataset);
  const bool is =
      list >= 0 && (H5Pget_layout(list) == H5D_VIRTUAL || H5Pget_external_count(list) > 0);
  if (list >= 0) H5Pclose(list);
  return is;
}

bool omr_hdf5_get(hid_t dataset, hid_t type, size_t first, size_t count, void *values) {
  hsize_t start[OMR_HDF5_RANK] = {first}, lengths[OMR_HDF5_RANK] = {0};
  if (count == 0) return true;
  if (omr_hdf5_is_virtual(dataset)) /* a damaged or hostile file may name any */
    return omr_hdf5_say("it names other files, which no result of omniroll does here");

  /* the rows to read are the first lengths of the stored shape */
  hid_t space = H5Dget_space(dataset);
  const int rank = H5Sget_simple_extent_ndims(space);
  bool done =
      rank > 0 && rank <= OMR_HDF5_RANK && H5Sget_simple_extent_dims(space, lengths, NULL) >= 0;

  lengths[0] = count;
  hid_t memory = done ? H5Screate_simple(rank, lengths, NULL) : -1;
  done = done && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, lengths, NULL) >= 0;
  /* this call fails last, so that its reason is the one that is kept */
  done = done && H5Dread(dataset, type, memory, space, H5P_DEFAULT, values) >= 0;

  const omr_hdf5_cause cause = done ? (omr_hdf5_cause){""} : omr_hdf5_last_cause();
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);

  /* closing has cleared the error: put its reason back */
  return done || omr_hdf5_say(cause.text);
}

omr_status omr_hdf5_unreadable(const char *path, const char *dataset, size_t first, size_t count,
                               omr_error *error) {
  return omr_fail_file(
      error, OMR_ERR_IO, path,
      "%s: cannot read rows %zu to %zu of the dataset %s: %s. The file is damaged; write it anew.",
      path, first, first + (count ? count - 1 : 0), dataset, omr_hdf5_last_cause().text);
}

static char *variable_text(hid_t attribute, hid_t type) {
  char *read = NULL, *text = NULL;
  const hid_t memory = H5Tcopy(H5T_C_S1);
  H5Tset_size(memory, H5T_VARIABLE);
  H5Tset_cset(memory, H5Tget_cset(type));
  if (H5Aread(attribute, memory, &read) >= 0 && read) text = strdup(read);
  if (read) H5free_memory(read);
  H5Tclose(memory);
  return text;
}

char *omr_hdf5_get_text(hid_t object, const char *name) {
  if (H5Aexists(object, name) <= 0) return NULL;
  char *text = NULL;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute),
              space = H5Aget_space(attribute);
  const bool one = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
  if (one && H5Tis_variable_str(type) > 0) {
    text = variable_text(attribute, type);
  } else if (one) {
    text = calloc(H5Tget_size(type) + 1, 1);
    if (text && H5Aread(attribute, type, text) < 0) text[0] = 0;
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (attribute >= 0) H5Aclose(attribute);
  return text;
}

void omr_hdf5_copy_text(hid_t object, const char *name, char *to, size_t size) {
  char *text = omr_hdf5_get_text(object, name);
  snprintf(to, size, "%s", text ? text : "");
  free(text);
}

double omr_hdf5_get_number(hid_t object, const char *name, double missing) {
  double value = missing;
  if (H5Aexists(object, name) <= 0) return missing;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), space = H5Aget_space(attribute);
  if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
    value = missing;
  if (space >= 0) H5Sclose(space);
  if (attribute >= 0) H5Aclose(attribute);
  return value;
}

/* Deflate makes nothing smaller than by 1032. Below the second limit nobody waits. */
enum { DENSEST = 1100, ALWAYS = 64 << 20 };

bool omr_hdf5_fits(hid_t dataset, int rank, const hsize_t *lengths, size_t size) {
  for (int d = 0; d < rank; d++)
    if (__builtin_mul_overflow(size, lengths[d], &size)) return false;
  return size <= ALWAYS || size / DENSEST <= H5Dget_storage_size(dataset);
}

int omr_hdf5_lengths(hid_t dataset, hsize_t lengths[OMR_HDF5_RANK]) {
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const H5T_class_t class = H5Tget_class(type);
  int rank = H5Sget_simple_extent_ndims(space);
  const bool numbers = class == H5T_FLOAT || class == H5T_INTEGER;
  if (!numbers || rank < 1 || rank > OMR_HDF5_RANK ||
      H5Sget_simple_extent_dims(space, lengths, NULL) < 0)
    rank = -1;

  /* A file that a run still writes has no checksums, and less than it will have. */
  if (rank > 0 && H5Aexists(dataset, OMR_SUM_NAME) > 0 &&
      !omr_hdf5_fits(dataset, rank, lengths, H5Tget_size(type)) && !omr_hdf5_is_virtual(dataset))
    rank = -1;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return rank;
}

bool omr_hdf5_has_lengths(hid_t dataset, int rank, const hsize_t *lengths) {
  hsize_t found[OMR_HDF5_RANK];
  bool right = omr_hdf5_lengths(dataset, found) == rank;
  for (int d = 0; right && d < rank; d++) right = found[d] == lengths[d];
  return right;
}

omr_hdf5_report omr_hdf5_quiet(void) {
  omr_hdf5_report report = {0};
  H5Eget_auto2(H5E_DEFAULT, &report.print, &report.user);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return report;
}

void omr_hdf5_restore(omr_hdf5_report report) {
  H5Eset_auto2(H5E_DEFAULT, report.print, report.user);
}

static void refuse(omr_hdf5 *h5, const char *task, const char *name, const char *cause) {
  if (h5->failed) return;
  h5->failed = true;
  snprintf(h5->task, sizeof h5->task, "%s%s", task, name);
  snprintf(h5->cause, sizeof h5->cause, "%s", cause);
}

void omr_hdf5_refuse(omr_hdf5 *h5, const char *task, const char *cause) {
  refuse(h5, task, "", cause);
}

void omr_hdf5_refuse_dataset(omr_hdf5 *h5, const char *name, const char *cause) {
  refuse(h5, "write dataset ", name, cause);
}
