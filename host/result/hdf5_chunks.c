/* Columns that are filled row by row, all together, and compressed chunk by chunk on several
 * threads; HDF5 would use one. */
#include "../support/team.h"
#include "hdf5_sums.h"
#include "pack.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 8, FILTERS = 2, SUM = 4, MOST_AT_ONCE = 16 };

static bool has_filter(hid_t creation, unsigned place, H5Z_filter_t wanted) {
  unsigned flags, config;
  size_t values = 0;
  return H5Pget_filter2(creation, place, &flags, &values, NULL, 0, NULL, &config) == wanted;
}

size_t omr_hdf5_chunk_rows(hid_t dataset, size_t *length, bool *summed) {
  hsize_t rows = 0, lengths[OMR_HDF5_RANK] = {0};
  const hid_t creation = H5Dget_create_plist(dataset), space = H5Dget_space(dataset),
              type = H5Dget_type(dataset);
  const int filters = H5Pget_layout(creation) == H5D_CHUNKED ? H5Pget_nfilters(creation) : 0;
  *summed = filters == FILTERS + 1 && has_filter(creation, FILTERS, H5Z_FILTER_FLETCHER32);
  const bool ours = (filters == FILTERS || *summed) &&
                    has_filter(creation, 0, H5Z_FILTER_SHUFFLE) &&
                    has_filter(creation, 1, H5Z_FILTER_DEFLATE) &&
                    H5Sget_simple_extent_ndims(space) == 1 && H5Tget_size(type) == VALUE;
  if (ours &&
      (H5Pget_chunk(creation, 1, &rows) < 0 || H5Sget_simple_extent_dims(space, lengths, NULL) < 0))
    rows = 0;
  H5Tclose(type);
  H5Sclose(space);
  H5Pclose(creation);
  *length = lengths[0];
  return rows;
}

static omr_sum *sum_of(omr_hdf5 *h5, hid_t dataset) {
  omr_sum *sum = omr_sum_of(h5, dataset, H5T_NATIVE_DOUBLE);
  return sum ? sum : omr_sum_of(h5, dataset, H5T_NATIVE_UINT64);
}

bool omr_hdf5_chunks_open(omr_hdf5 *h5, omr_hdf5_chunks *c, const hid_t *datasets, size_t columns) {
  *c = (omr_hdf5_chunks){.columns = columns};
  if (h5->failed || columns == 0 || H5Tequal(H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE) <= 0) return false;
  c->rows = omr_hdf5_chunk_rows(datasets[0], &c->length, &c->summed);
  if (c->rows == 0) return false;
  c->datasets = malloc(columns * sizeof *c->datasets);
  c->values = malloc(columns * c->rows * VALUE);
  c->sums = calloc(columns, sizeof *c->sums);
  if (!c->datasets || !c->values || !c->sums) {
    omr_hdf5_refuse(h5, "compress columns", "out of memory");
    omr_hdf5_chunks_close(c);
    return false;
  }
  memcpy(c->datasets, datasets, columns * sizeof *c->datasets);
  for (size_t i = 0; i < columns; i++) c->sums[i] = sum_of(h5, datasets[i]);
  return true;
}

size_t omr_hdf5_chunks_at_once(void) {
  const size_t threads = (size_t)omp_get_max_threads();
  return 4 * threads < MOST_AT_ONCE ? 4 * threads : MOST_AT_ONCE;
}

size_t omr_hdf5_chunks_room(size_t rows) {
  return omr_hdf5_chunks_at_once() * (rows * VALUE + omr_packed_most(rows * VALUE) + SUM);
}

/* The part of the buffer in which a column is packed, while as many as fit are. */
static unsigned char *place_of(const omr_hdf5_chunks *c, size_t column, unsigned char *room) {
  return room + column % omr_hdf5_chunks_at_once() *
                    (c->rows * VALUE + omr_packed_most(c->rows * VALUE) + SUM);
}

static void put_sum(unsigned char *to, uint32_t sum) {
  for (int i = 0; i < SUM; i++) to[i] = (unsigned char)(sum >> 8 * i);
}

static uint32_t get_sum(const unsigned char *from) {
  uint32_t sum = 0;
  for (int i = 0; i < SUM; i++) sum |= (uint32_t)from[i] << 8 * i;
  return sum;
}

static size_t pack_column(const omr_hdf5_chunks *c, const void *values, unsigned char *place) {
  unsigned char *packed = place + c->rows * VALUE;
  const size_t bytes = omr_pack(values, c->rows, VALUE, place, packed);
  if (bytes == 0 || !c->summed) return bytes;
  put_sum(packed + bytes, omr_fletcher32(packed, bytes));
  return bytes + SUM;
}

static void put_column(omr_hdf5 *h5, const omr_hdf5_chunks *c, size_t column, size_t packed,
                       const unsigned char *place) {
  if (packed == 0) omr_hdf5_refuse(h5, "compress columns", "out of memory");
  omr_hdf5_put_chunk(h5, c->datasets[column], c->first, packed, place + c->rows * VALUE);
}

/* Packs the columns, one task each, half of a buffer at a time, and writes each half in order while
 * the next is packed. values: [columns], each a whole chunk. Only one thread calls HDF5. */
static void write_columns(omr_hdf5 *h5, const omr_hdf5_chunks *c,
                          const unsigned char *const *values, unsigned char *room) {
  const size_t at_once = omr_hdf5_chunks_at_once(), half = at_once / 2;
  size_t packed[MOST_AT_ONCE] = {0};
#pragma omp parallel num_threads(omr_team_usual())
#pragma omp master
  for (size_t from = 0; from < c->columns + half; from += half) {
    for (size_t i = from; i < from + half && i < c->columns; i++) {
#pragma omp task firstprivate(i)
      packed[i % at_once] = pack_column(c, values[i], place_of(c, i, room));
    }
    for (size_t i = from < half ? 0 : from - half; i < from && i < c->columns; i++)
      put_column(h5, c, i, packed[i % at_once], place_of(c, i, room));
#pragma omp taskwait
  }
}

/* Writes a chunk whose values begin at row `row` of the columns; NULL: the kept values. */
static void write_chunk(omr_hdf5 *h5, const omr_hdf5_chunks *c, const void *const *columns,
                        size_t row) {
  unsigned char *room = malloc(omr_hdf5_chunks_room(c->rows));
  const unsigned char **values = malloc(c->columns * sizeof *values);
  for (size_t i = 0; values && i < c->columns; i++)
    values[i] =
        columns ? (const unsigned char *)columns[i] + row * VALUE : c->values + i * c->rows * VALUE;
  if (room && values)
    write_columns(h5, c, values, room);
  else
    omr_hdf5_refuse(h5, "compress columns", "out of memory");
  free(values);
  free(room);
}

/* Writes the rows of the chunk so far; rows that the dataset does not have are 0, as HDF5 fills
 * them. */
static void write_kept(omr_hdf5 *h5, const omr_hdf5_chunks *c) {
  const size_t bytes = c->rows * VALUE;
  for (size_t i = 0; i < c->columns; i++)
    memset(c->values + i * bytes + c->count * VALUE, 0, (c->rows - c->count) * VALUE);
  write_chunk(h5, c, NULL, 0);
}

static void keep_rows(omr_hdf5_chunks *c, const void *const *columns, size_t row, size_t count) {
#pragma omp parallel for schedule(static)                                                          \
    num_threads(omr_team_usual()) if (count * c->columns >= OMR_MANY)
  for (size_t i = 0; i < c->columns; i++)
    memcpy(c->values + (i * c->rows + c->count) * VALUE,
           (const unsigned char *)columns[i] + row * VALUE, count * VALUE);
  c->count += count;
}

static void next_chunk(omr_hdf5_chunks *c) {
  c->first += c->rows;
  c->count = 0;
}

/* Hashes each row once, when it comes: a chunk that is shown before it is full is packed again. */
static void sum_rows(const omr_hdf5_chunks *c, const void *const *columns, size_t count) {
#pragma omp parallel for schedule(static)                                                          \
    num_threads(omr_team_usual()) if (count * c->columns >= OMR_MANY)
  for (size_t i = 0; i < c->columns; i++)
    omr_sum_add(c->sums[i], c->first + c->count, count, VALUE, columns[i]);
}

void omr_hdf5_chunks_put(omr_hdf5 *h5, omr_hdf5_chunks *c, const void *const *columns,
                         size_t count) {
  if (!h5->failed) sum_rows(c, columns, count);
  for (size_t done = 0; done < count && !h5->failed;) {
    const size_t room = c->rows - c->count, left = count - done, here = left < room ? left : room;
    if (here == c->rows) {
      write_chunk(h5, c, columns, done);
    } else {
      keep_rows(c, columns, done, here);
      if (c->count < c->rows && c->first + c->count < c->length) return;
      write_kept(h5, c);
    }
    done += here;
    next_chunk(c);
  }
}

void omr_hdf5_chunks_show(omr_hdf5 *h5, omr_hdf5_chunks *c) {
  if (c->count && !h5->failed) write_kept(h5, c);
}

void omr_hdf5_chunks_end(omr_hdf5 *h5, omr_hdf5_chunks *c) {
  omr_hdf5_chunks_show(h5, c);
  omr_hdf5_chunks_close(c);
}

/* Reads one chunk as stored in the file; 0 if that fails. */
static size_t get_packed(hid_t dataset, hsize_t first, void *packed, size_t most) {
  hsize_t bytes = 0;
  uint32_t left_out = 0;
  if (H5Dget_chunk_storage_size(dataset, &first, &bytes) < 0 || bytes == 0 || bytes > most)
    return 0;
  return H5Dread_chunk(dataset, H5P_DEFAULT, &first, &left_out, packed) >= 0 && left_out == 0
             ? (size_t)bytes
             : 0;
}

/* Checks the sum at the end; returns the bytes before it, or 0 if it is wrong. */
static size_t without_sum(const unsigned char *packed, size_t bytes) {
  if (bytes <= SUM) return 0;
  return omr_fletcher32(packed, bytes - SUM) == get_sum(packed + bytes - SUM) ? bytes - SUM : 0;
}

void omr_hdf5_chunks_get(const hid_t *datasets, omr_table_block block, omr_chunk_form form,
                         void *room, double *values, size_t stride, bool *done) {
  const size_t rows = form.rows, bytes = rows * VALUE, most = omr_packed_most(bytes) + SUM;
  size_t packed[MOST_AT_ONCE] = {0};
  unsigned char *own = room;
  for (size_t i = 0; i < block.columns; i++)
    packed[i] =
        get_packed(datasets[block.column + i], block.first, own + i * (bytes + most) + bytes, most);
#pragma omp parallel for schedule(dynamic) num_threads(omr_team_usual())
  for (size_t i = 0; i < block.columns; i++) {
    unsigned char *at = own + i * (bytes + most);
    const size_t held = form.summed ? without_sum(at + bytes, packed[i]) : packed[i];
    done[i] =
        held && omr_unpack(at + bytes, held, rows, VALUE, at, values + i * stride, block.count);
  }
}

void omr_hdf5_chunks_close(omr_hdf5_chunks *c) {
  free(c->datasets);
  free(c->sums);
  free(c->values);
  *c = (omr_hdf5_chunks){0};
}
