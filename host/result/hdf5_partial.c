/* The group /partial: statistics of rows that were not kept, as bytes
 * (statistics/partial/partial.h). */
#include "hdf5_read.h"
#include "hdf5_sums.h"

#include <stdlib.h>
#include <string.h>

#define GROUP "partial"
enum { WORD = 8 };

void omr_hdf5_partial(omr_hdf5 *h5, const unsigned char *bytes, size_t count) {
  const size_t words = (count + WORD - 1) / WORD;
  uint64_t *values = calloc(words + 1, sizeof *values);
  if (!values) omr_hdf5_refuse(h5, "write group " GROUP, "out of memory");
  if (h5->failed) {
    free(values);
    return;
  }
  for (size_t i = 0; i < count; i++) values[i / WORD] |= (uint64_t)bytes[i] << 8 * (i % WORD);
  const hid_t group = omr_hdf5_group(h5, GROUP);
  omr_hdf5_integer(h5, group, "bytes", (int64_t)count);
  omr_hdf5_scale words_of = omr_hdf5_scale_make(
      h5, group, (omr_hdf5_name){"words", NULL, "statistics of all rows, as exact sums"},
      H5T_NATIVE_UINT64, words, values);
  omr_hdf5_scale_close(&words_of);
  if (group >= 0) H5Gclose(group);
  free(values);
}

static bool read_words(hid_t dataset, size_t count, unsigned char **bytes) {
  hsize_t lengths[OMR_HDF5_RANK];
  if (dataset < 0 || omr_hdf5_lengths(dataset, lengths) != 1 ||
      lengths[0] != (count + WORD - 1) / WORD || !omr_sum_check(dataset))
    return false;
  const size_t words = (size_t)lengths[0];
  uint64_t *values = malloc((words + 1) * sizeof *values);
  *bytes = malloc(words * WORD + 1);
  const bool read = values && *bytes && omr_hdf5_get(dataset, H5T_NATIVE_UINT64, 0, words, values);
  for (size_t i = 0; read && i < words * WORD; i++)
    (*bytes)[i] = (unsigned char)(values[i / WORD] >> 8 * (i % WORD));
  free(values);
  if (read) return true;
  free(*bytes);
  *bytes = NULL;

  return false;
}

bool omr_hdf5_get_partial(hid_t file, unsigned char **bytes, size_t *count) {
  *bytes = NULL;
  *count = 0;
  const htri_t there = H5Lexists(file, GROUP, H5P_DEFAULT);
  if (there <= 0) return there == 0;
  const hid_t group = H5Gopen2(file, GROUP, H5P_DEFAULT);
  if (group < 0) return false;
  const double number = omr_hdf5_get_number(group, "bytes", -1);
  const hid_t dataset = H5Dopen2(group, "words", H5P_DEFAULT);
  const bool read = number >= 1 && number < 1e12 && read_words(dataset, (size_t)number, bytes);
  if (read) *count = (size_t)number;
  if (dataset >= 0) H5Dclose(dataset);
  H5Gclose(group);
  return read;
}
