/* Columns that are filled row by row, all at once, and compressed chunk by chunk on several threads; HDF5 would do it with one.
 */
#include "hdf5_file.h"
#include "pack.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 8, FILTERS = 2, MOST_AT_ONCE = 16 };

/* Rows per chunk of a dataset whose bytes are shuffled and deflated; 0 where it is stored in another way. */
static size_t chunk_rows(hid_t dataset, size_t *length) {
  hsize_t rows = 0, lengths[OMR_HDF5_RANK] = {0};
  const hid_t creation = H5Dget_create_plist(dataset), space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const bool ours = H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_nfilters(creation) == FILTERS &&
                    H5Sget_simple_extent_ndims(space) == 1 && H5Tget_size(type) == VALUE;
  if (ours && (H5Pget_chunk(creation, 1, &rows) < 0 || H5Sget_simple_extent_dims(space, lengths, NULL) < 0)) rows = 0;
  H5Tclose(type);
  H5Sclose(space);
  H5Pclose(creation);
  *length = lengths[0];
  return rows;
}

bool omr_hdf5_chunks_open(omr_hdf5 *h5, omr_hdf5_chunks *c, const hid_t *datasets, size_t columns) {
  *c = (omr_hdf5_chunks){.columns = columns};
  if (h5->failed || columns == 0 || H5Tequal(H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE) <= 0) return false;
  c->rows = chunk_rows(datasets[0], &c->length);
  if (c->rows == 0) return false;
  c->datasets = malloc(columns * sizeof *c->datasets);
  c->values = malloc(columns * c->rows * VALUE);
  if (!c->datasets || !c->values) {
    omr_hdf5_refuse(h5, "compress columns", "out of memory");
    omr_hdf5_chunks_close(c);
    return false;
  }
  memcpy(c->datasets, datasets, columns * sizeof *c->datasets);
  return true;
}

/* Packs columns from..to-1, one task each, and writes them in their order. */
static void write_columns(omr_hdf5 *h5, omr_hdf5_chunks *c, size_t from, size_t to, unsigned char *room) {
  const size_t bytes = c->rows * VALUE, most = omr_packed_most(bytes);
  size_t packed[MOST_AT_ONCE] = {0};
#pragma omp parallel for schedule(dynamic)
  for (size_t i = from; i < to; i++) {
    unsigned char *own = room + (i - from) * (bytes + most);
    packed[i - from] = omr_pack(c->values + i * bytes, c->rows, VALUE, own, own + bytes);
  }
  for (size_t i = from; i < to; i++) {
    if (packed[i - from] == 0) omr_hdf5_refuse(h5, "compress columns", "out of memory");
    omr_hdf5_put_chunk(h5, c->datasets[i], c->first, packed[i - from], room + (i - from) * (bytes + most) + bytes);
  }
}

/* What is there of the chunk; rows that the dataset does not have are 0, as HDF5 fills them. */
static void write_chunk(omr_hdf5 *h5, omr_hdf5_chunks *c) {
  const size_t bytes = c->rows * VALUE, threads = (size_t)omp_get_max_threads();
  size_t at_once = 2 * threads < MOST_AT_ONCE ? 2 * threads : MOST_AT_ONCE;
  if (at_once > c->columns) at_once = c->columns;
  unsigned char *room = malloc(at_once * (bytes + omr_packed_most(bytes)));
  if (!room) return omr_hdf5_refuse(h5, "compress columns", "out of memory");
  for (size_t i = 0; i < c->columns; i++) memset(c->values + i * bytes + c->count * VALUE, 0, (c->rows - c->count) * VALUE);
  for (size_t i = 0; i < c->columns && !h5->failed; i += at_once)
    write_columns(h5, c, i, c->columns - i < at_once ? c->columns : i + at_once, room);
  free(room);
}

static void next_chunk(omr_hdf5_chunks *c) {
  c->first += c->rows;
  c->count = 0;
}

void omr_hdf5_chunks_put(omr_hdf5 *h5, omr_hdf5_chunks *c, const void *const *columns, size_t count) {
  for (size_t done = 0; done < count && !h5->failed;) {
    const size_t room = c->rows - c->count, left = count - done, here = left < room ? left : room;
    for (size_t i = 0; i < c->columns; i++)
      memcpy(c->values + (i * c->rows + c->count) * VALUE, (const unsigned char *)columns[i] + done * VALUE, here * VALUE);
    c->count += here;
    done += here;
    if (c->count < c->rows && c->first + c->count < c->length) continue;
    write_chunk(h5, c);
    next_chunk(c);
  }
}

void omr_hdf5_chunks_show(omr_hdf5 *h5, omr_hdf5_chunks *c) {
  if (c->count && !h5->failed) write_chunk(h5, c);
}

void omr_hdf5_chunks_end(omr_hdf5 *h5, omr_hdf5_chunks *c) {
  omr_hdf5_chunks_show(h5, c);
  omr_hdf5_chunks_close(c);
}

void omr_hdf5_chunks_close(omr_hdf5_chunks *c) {
  free(c->datasets);
  free(c->values);
  *c = (omr_hdf5_chunks){0};
}
