/* The list of the files that hold the rows of a virtual result. */
#include "hdf5_virtual.h"

#include "hdf5_read.h"
#include "hdf5_sums.h"

#include <stdlib.h>
#include <string.h>

#define LIST "files" /* the attribute: a line for each file */

void omr_virtual_store(omr_hdf5 *h5, const omr_virtual *v) {
  omr_text text = {0};
  for (size_t i = 0; i < v->count; i++) {
    const omr_virtual_file *f = &v->files[i];
    omr_text_print(&text, "%llu %llu %llu %s %s\n", (unsigned long long)f->rows,
                   (unsigned long long)f->traced, (unsigned long long)f->bytes, f->hash, f->name);
  }
  const hid_t group = omr_hdf5_group(h5, OMR_VIRTUAL_NAME);
  if (text.failed) omr_hdf5_refuse(h5, "list the files of rows", "out of memory");
  if (!h5->failed) {
    omr_hdf5_text(h5, group, "long_name",
                  "files that hold the rows: rows, traced instances, bytes, XXH3 (128 bits), name");
    omr_hdf5_text(h5, group, LIST, text.data);
  }
  if (group >= 0) H5Gclose(group);
  omr_text_free(&text);
}

static omr_status add_line(omr_virtual *v, const char *line, omr_error *error) {
  omr_virtual_file file = {0};
  unsigned long long rows = 0, traced = 0, bytes = 0;
  int end = 0;
  if (sscanf(line, "%llu %llu %llu %32[0-9a-f] %n", &rows, &traced, &bytes, file.hash, &end) != 4 ||
      end == 0)
    return omr_fail_file(error, OMR_ERR_IO, v->path,
                         "%s: its list of files cannot be read at \"%.100s\". It is damaged; write "
                         "it anew.",
                         v->path, line);
  file.rows = rows;
  file.traced = traced;
  file.bytes = bytes;
  file.name = (char *)(uintptr_t)(line + end);
  return omr_virtual_add(v, &file, error);
}

static omr_status read_list(hid_t group, omr_virtual *v, omr_error *error) {
  char *text = group >= 0 && omr_sum_check(group) ? omr_hdf5_get_text(group, LIST) : NULL;
  omr_status status =
      text ? OMR_OK
           : omr_fail_file(error, OMR_ERR_IO, v->path,
                           "%s: its list of files cannot be read. It is damaged; write it anew.",
                           v->path);
  char *rest = text;
  for (char *line; status == OMR_OK && (line = strsep(&rest, "\n"));)
    if (*line) status = add_line(v, line, error);
  free(text);
  return status;
}

omr_status omr_virtual_open(hid_t file, const char *path, omr_virtual **v, omr_error *error) {
  *v = NULL;
  if (H5Lexists(file, OMR_VIRTUAL_NAME, H5P_DEFAULT) == 0) return OMR_OK;
  omr_status status = omr_virtual_make(path, v, error);
  if (status != OMR_OK) return status;
  const hid_t group = H5Gopen2(file, OMR_VIRTUAL_NAME, H5P_DEFAULT);
  status = read_list(group, *v, error);
  if (group >= 0) H5Gclose(group);
  if (status == OMR_OK) status = omr_virtual_check(*v, error);
  if (status == OMR_OK) return OMR_OK;
  omr_virtual_free(*v);
  *v = NULL;
  return status;
}
