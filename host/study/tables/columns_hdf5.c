#include "columns.h"

#include "../../lists/frames.h"
#include "../../support/hdf5.h"
#include <stdlib.h>
#include <string.h>

enum { NAME = 256 };

/* Text of an attribute of any kind of string, "" where there is none. */
static void read_text(hid_t object, const char *name, char *text) {
  text[0] = 0;
  if (H5Aexists(object, name) <= 0) return;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
  if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
    char *read = NULL;
    const hid_t memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    if (H5Aread(attribute, memory, &read) >= 0 && read) snprintf(text, NAME, "%s", read);
    if (read) H5free_memory(read);
    H5Tclose(memory);
  } else if (H5Tget_class(type) == H5T_STRING && H5Tget_size(type) < NAME) {
    char read[NAME] = "";
    if (H5Aread(attribute, type, read) >= 0) memcpy(text, read, NAME);
  }
  H5Tclose(type);
  H5Aclose(attribute);
}

/* A dataset of numbers in one dimension: its length; -1 for anything else. */
static long long length_of(hid_t dataset) {
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const H5T_class_t class = H5Tget_class(type);
  hsize_t length = 0;
  const bool good = (class == H5T_FLOAT || class == H5T_INTEGER) &&
                    H5Sget_simple_extent_ndims(space) == 1 &&
                    H5Sget_simple_extent_dims(space, &length, NULL) == 1;
  H5Tclose(type);
  H5Sclose(space);
  return good ? (long long)length : -1;
}

static bool read_column(omr_columns *columns, hid_t dataset, const char *name, size_t length) {
  char unit[NAME];
  if (!omr_columns_add(columns, name, strlen(name))) return false;
  omr_named_column *column = &columns->column[columns->count - 1];
  read_text(dataset, "units", unit);
  column->unit = *unit ? strdup(unit) : NULL;
  column->values = calloc(length + 1, sizeof *column->values);
  if (!column->values || (*unit && !column->unit)) return false;
  return H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column->values) >= 0;
}

static omr_status take_dataset(omr_columns *columns, hid_t dataset, const char *name,
                               const char *path, omr_error *error) {
  const long long length = length_of(dataset);
  if (length < 0 || strcmp(name, "instance") == 0) return OMR_OK;
  if (columns->count > 0 && (size_t)length != columns->rows)
    return omr_fail(error, OMR_ERR_STUDY, "%s: \"%s\" has %lld values, \"%s\" has %zu", path, name,
                    length, columns->column[0].name, columns->rows);
  columns->rows = (size_t)length;
  if (read_column(columns, dataset, name, columns->rows)) return OMR_OK;
  return omr_fail(error, OMR_ERR_IO, "%s: cannot read \"%s\"", path, name);
}

/* The columns found on the way through a group. */
typedef struct taking {
  omr_columns *columns;
  bool parameters;
  const char *path;
  omr_status status;
  omr_error *error;
} taking;

static herr_t take_member(hid_t group, const char *name, const H5L_info_t *info, void *user) {
  taking *t = user;
  char role[NAME];
  (void)info;
  const hid_t dataset = strlen(name) < NAME ? H5Dopen2(group, name, H5P_DEFAULT) : -1;
  if (dataset < 0) return 0;
  read_text(dataset, "role", role);
  if (!t->parameters || strcmp(role, "parameter") == 0)
    t->status = take_dataset(t->columns, dataset, name, t->path, t->error);
  H5Dclose(dataset);
  return t->status == OMR_OK ? 0 : -1;
}

/* The order of creation where the group keeps it, else of the alphabet. */
static H5_index_t order_of(hid_t group) {
  unsigned flags = 0;
  const hid_t list = H5Gget_create_plist(group);
  if (list >= 0 && H5Pget_link_creation_order(list, &flags) < 0) flags = 0;
  if (list >= 0) H5Pclose(list);
  return flags & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

/* The datasets, or only the ones whose role is "parameter". */
static omr_status take_group(omr_columns *columns, hid_t group, bool parameters, const char *path,
                             omr_error *error) {
  taking t = {columns, parameters, path, OMR_OK, error};
  if (H5Literate(group, order_of(group), H5_ITER_INC, NULL, take_member, &t) < 0 &&
      t.status == OMR_OK)
    return omr_fail(error, OMR_ERR_IO, "%s: cannot list what it holds", path);
  return t.status;
}

/* A result of this program without the word is in the first frame; tables of others do not tell. */
static void read_frame(omr_columns *columns, hid_t file) {
  char text[NAME];
  read_text(file, "frame", text);
  if (!text[0] && H5Aexists(file, "study_hash") > 0)
    snprintf(text, sizeof text, "%s", omr_frame_list[OMR_FRAME_Y_UP].name);
  snprintf(columns->frame, sizeof columns->frame, "%.15s", text);
}

static omr_status read_file(omr_columns *columns, hid_t file, const char *path, omr_error *error) {
  read_frame(columns, file);
  const bool inside = H5Lexists(file, "instances", H5P_DEFAULT) > 0;
  const hid_t group = H5Gopen2(file, inside ? "/instances" : "/", H5P_DEFAULT);
  omr_status status = group < 0 ? omr_fail(error, OMR_ERR_IO, "%s: cannot open /instances", path)
                                : take_group(columns, group, true, path, error);
  if (status == OMR_OK && columns->count == 0)
    status = take_group(columns, group, false, path, error);
  if (group >= 0) H5Gclose(group);
  if (status != OMR_OK || (columns->count > 0 && columns->rows > 0)) return status;
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s: has no one-dimensional datasets of numbers in /instances or at the root",
                  path);
}

omr_status omr_columns_read_hdf5(omr_columns *columns, const char *path, omr_error *error) {
  H5E_auto2_t report;
  void *data;
  H5Eget_auto2(H5E_DEFAULT, &report, &data); /* this program reports mistakes, not the library */
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  omr_status status =
      file < 0 ? omr_fail(error, OMR_ERR_IO, "%s: is no HDF5 file that can be read", path)
               : read_file(columns, file, path, error);
  if (file >= 0) H5Fclose(file);
  H5Eset_auto2(H5E_DEFAULT, report, data);
  return status;
}
