#include "hdf5_sums.h"

#include "hdf5_read.h"
#include "hdf5_virtual.h"
#include "hdf5_visit.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
  PLACE = 256,    /* bytes before the values: the place of the object */
  BLOCK = 4 << 20 /* bytes read at a time */
};

struct omr_sum {
  haddr_t address; /* of the dataset in the file */
  size_t next;     /* the row that has to follow */
  bool lost;       /* rows came in another order and have to be read back */
  XXH3_state_t *state;
};

/* HASHING */

/* Begins a hash with the place of the object, "/" and the names of the groups above, filled with
 * zeros to a fixed length: XXH3 then always uses its form for long texts, which is short to
 * specify. */
static void begin(XXH3_state_t *state, hid_t object) {
  char place[PLACE] = "", name[PLACE] = "";
  if (H5Iget_name(object, name, sizeof name) > 0) memcpy(place, name, strlen(name));
  XXH3_64bits_reset(state);
  XXH3_64bits_update(state, place, sizeof place);
}

static void add_text(XXH3_state_t *state, const char *text, size_t length) {
  XXH3_64bits_update(state, text, length);
  XXH3_64bits_update(state, "", 1);
}

/* Hashes `count` texts of variable or fixed length, each with a zero at its end. */
static void add_texts(XXH3_state_t *state, hid_t type, size_t count, const void *values) {
  const bool variable = H5Tis_variable_str(type) > 0;
  const size_t size = H5Tget_size(type);
  for (size_t i = 0; i < count; i++) {
    const char *text =
        variable ? ((const char *const *)values)[i] : (const char *)values + i * size;
    if (!text) text = "";
    add_text(state, text, variable ? strlen(text) : strnlen(text, size));
  }
}

/* Frees the texts or lists that HDF5 allocated for an array. */
static void reclaim(hid_t type, hid_t space, void *values) {
  const H5T_class_t class = H5Tget_class(type);
  if (class == H5T_VLEN || (class == H5T_STRING && H5Tis_variable_str(type) > 0))
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
}

/* Hashes the names of the dimension scales that an attribute DIMENSION_LIST refers to. */
static bool add_scales(XXH3_state_t *state, hid_t object, size_t count, const hvl_t *lists) {
  bool good = true;
  for (size_t i = 0; good && i < count; i++)
    for (size_t k = 0; good && k < lists[i].len; k++) {
      const hid_t scale =
          H5Rdereference2(object, H5P_DEFAULT, H5R_OBJECT, (hobj_ref_t *)lists[i].p + k);
      /* not by H5DSget_scale_name, which leaves its attribute open if that is not a text */
      char *name = scale >= 0 ? omr_hdf5_get_text(scale, "NAME") : NULL;
      good = name != NULL;
      if (good) add_text(state, name, strlen(name));
      free(name);
      if (scale >= 0) H5Oclose(scale);
    }
  return good;
}

typedef struct attributes {
  XXH3_state_t *state;
  hid_t object;
} attributes;

static bool add_value(const attributes *to, hid_t attribute, hid_t type, hid_t space) {
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const size_t size = H5Tget_size(type);
  const H5T_class_t class = H5Tget_class(type);
  if (count < 0 || size == 0 || (size_t)count > SIZE_MAX / 2 / size) return false;
  void *values = calloc((size_t)count + 1, size);
  bool good = values && H5Aread(attribute, type, values) >= 0;
  if (good && class == H5T_STRING)
    add_texts(to->state, type, (size_t)count, values);
  else if (good && class == H5T_VLEN)
    good = add_scales(to->state, to->object, (size_t)count, values);
  else if (good)
    XXH3_64bits_update(to->state, values, (size_t)count * size);
  if (values) reclaim(type, space, values);
  free(values);
  return good;
}

/* True for attributes that dimension scales keep for themselves: they are in headers, which have
 * HDF5's own checksums. */
static bool is_left_out(const char *name) {
  static const char *const names[] = {OMR_SUM_NAME, "CLASS", "NAME", "REFERENCE_LIST"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static herr_t add_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user) {
  const attributes *to = user;
  (void)info;
  if (is_left_out(name)) return 0;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT),
              type = attribute < 0 ? -1 : H5Aget_type(attribute),
              space = attribute < 0 ? -1 : H5Aget_space(attribute);
  bool good = type >= 0 && space >= 0;
  if (good) add_text(to->state, name, strlen(name));
  good = good && add_value(to, attribute, type, space);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (attribute >= 0) H5Aclose(attribute);
  return good ? 0 : -1;
}

/* Hashes the attributes in the order of their names. */
static bool add_attributes(XXH3_state_t *state, hid_t object) {
  attributes to = {state, object};
  return H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, add_attribute, &to) >= 0;
}

/* Bytes of a row; false if the lengths cannot be right: a file may claim any. */
static bool row_bytes(hid_t dataset, bool elsewhere, hid_t type, int rank, const hsize_t *lengths,
                      size_t *size) {
  *size = H5Tget_size(type);
  if (!elsewhere && !omr_hdf5_fits(dataset, rank, lengths, *size))
    return omr_hdf5_say("its lengths cannot be right");
  for (int d = 1; d < rank; d++)
    if (__builtin_mul_overflow(*size, lengths[d], size))
      return omr_hdf5_say("its lengths cannot be right");
  return true;
}

/* Reads rows from the dataset, or, of a virtual one, from the files that hold them. */
static bool get_rows(omr_virtual *files, hid_t dataset, hid_t type, size_t first, size_t count,
                     void *values) {
  return files ? omr_virtual_get(files, dataset, type, first, count, values)
               : omr_hdf5_get(dataset, type, first, count, values);
}

/* Hashes the rows of a dataset in blocks, as they are stored. */
static bool add_rows(XXH3_state_t *state, omr_virtual *files, hid_t dataset, hid_t type,
                     hid_t space) {
  hsize_t lengths[OMR_HDF5_RANK] = {0};
  const int rank = H5Sget_simple_extent_ndims(space);
  const bool texts = H5Tget_class(type) == H5T_STRING;
  size_t size;

  if (rank < 1 || rank > OMR_HDF5_RANK || H5Sget_simple_extent_dims(space, lengths, NULL) < 0)
    return false;

  /* a dimension of length 0 still has a buffer */
  for (int d = 1; d < rank; d++) lengths[d] += !lengths[d];
  if (!row_bytes(dataset, files != NULL, type, rank, lengths, &size) || size == 0) return false;

  const size_t rows = lengths[0], most = size < BLOCK ? BLOCK / size : 1;
  void *values = calloc(rows < most ? rows + 1 : most, size);
  bool good = values != NULL;

  /* read and hash block by block */
  for (size_t first = 0; good && first < rows; first += most) {
    const size_t count = rows - first < most ? rows - first : most;
    good = get_rows(files, dataset, type, first, count, values);

    if (good && texts)
      add_texts(state, type, count, values);
    else if (good)
      XXH3_64bits_update(state, values, count * size);

    /* texts of variable length belong to HDF5 */
    if (good && texts) {
      const hsize_t here = count;
      const hid_t memory = H5Screate_simple(1, &here, NULL);
      reclaim(type, memory, values);
      H5Sclose(memory);
    }
  }

  free(values);
  return good;
}

/* Hashes a dataset; keeps HDF5's reason if it fails. */
static bool add_dataset(XXH3_state_t *state, omr_virtual *files, hid_t dataset) {
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const bool good = type >= 0 && space >= 0 && add_rows(state, files, dataset, type, space);
  const omr_hdf5_cause cause = good ? (omr_hdf5_cause){""} : omr_hdf5_last_cause();
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return good || omr_hdf5_say(cause.text);
}

/* True if the bits in memory are the bits in the file. */
static bool is_stored_so(hid_t dataset, hid_t type) {
  const hid_t stored = H5Dget_type(dataset);
  const bool same = stored >= 0 && H5Tequal(stored, type) > 0;
  if (stored >= 0) H5Tclose(stored);
  return same;
}

static haddr_t address_of(hid_t object) {
  H5O_info_t info;
  return H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0 ? HADDR_UNDEF : info.addr;
}

/* WRITING */

static omr_sum *find(const omr_hdf5 *h5, haddr_t address) {
  for (size_t i = 0; i < h5->sum_count; i++)
    if (h5->sums[i]->address == address) return h5->sums[i];
  return NULL;
}

/* Makes a sum of a dataset, added to the list of h5; NULL without memory. */
static omr_sum *new_sum(omr_hdf5 *h5, hid_t dataset, haddr_t address) {
  omr_sum **list = realloc(h5->sums, (h5->sum_count + 1) * sizeof *list);
  if (list) h5->sums = list;
  omr_sum *sum = list ? calloc(1, sizeof *sum) : NULL;
  XXH3_state_t *state = sum ? XXH3_createState() : NULL;
  if (!state) {
    free(sum);
    return NULL;
  }
  *sum = (omr_sum){.address = address, .state = state};
  begin(state, dataset);
  return h5->sums[h5->sum_count++] = sum;
}

omr_sum *omr_sum_of(omr_hdf5 *h5, hid_t dataset, hid_t type) {
  if (h5->plain || h5->failed || dataset < 0) return NULL;
  const haddr_t address = address_of(dataset);
  omr_sum *sum = address == HADDR_UNDEF ? NULL : find(h5, address);
  if (sum || address == HADDR_UNDEF || !is_stored_so(dataset, type)) return sum;
  return new_sum(h5, dataset, address);
}

void omr_sum_add(omr_sum *sum, size_t first, size_t count, size_t size, const void *values) {
  if (!sum || sum->lost || count == 0) return;
  if (first != sum->next) {
    sum->lost = true;
    return;
  }
  XXH3_64bits_update(sum->state, values, count * size);
  sum->next += count;
}

static size_t rows_of(hid_t dataset) {
  hsize_t lengths[OMR_HDF5_RANK] = {0};
  const hid_t space = H5Dget_space(dataset);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > OMR_HDF5_RANK || H5Sget_simple_extent_dims(space, lengths, NULL) < 0)
    lengths[0] = 0;
  if (space >= 0) H5Sclose(space);
  return lengths[0];
}

/* True if the checksum of an object has to be written: of a group, and of a dataset that has none
 * or was written since the file was opened. */
static bool is_due(const omr_hdf5 *h5, hid_t object) {
  return H5Iget_type(object) != H5I_DATASET || H5Aexists(object, OMR_SUM_NAME) <= 0 ||
         find(h5, address_of(object));
}

/* The checksum of a dataset or group, from the values hashed while writing, else read back; once
 * for each. False with HDF5's last error. */
static bool sum_of_object(const omr_hdf5 *h5, hid_t object, uint64_t *value) {
  const bool dataset = H5Iget_type(object) == H5I_DATASET;
  const omr_sum *sum = dataset ? find(h5, address_of(object)) : NULL;
  const bool done = sum && !sum->lost && sum->next == rows_of(object);
  XXH3_state_t *own = done ? NULL : XXH3_createState(), *state = done ? sum->state : own;
  if (!state) return omr_hdf5_say("out of memory");
  if (own) begin(own, object);
  const bool good =
      (done || !dataset || add_dataset(state, NULL, object)) && add_attributes(state, object);
  if (good) *value = XXH3_64bits_digest(state);
  XXH3_freeState(own);
  return good;
}

static bool put_sum(hid_t object, uint64_t value) {
  if (H5Aexists(object, OMR_SUM_NAME) > 0) H5Adelete(object, OMR_SUM_NAME);
  const hid_t space = H5Screate(H5S_SCALAR),
              attribute =
                  H5Acreate2(object, OMR_SUM_NAME, H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_UINT64, &value) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return good;
}

static bool seal(hid_t object, const char *path, void *user) {
  omr_hdf5 *h5 = user;
  uint64_t value = 0;
  (void)path;
  if (object >= 0 && !is_due(h5, object)) return true;
  if (object >= 0 && sum_of_object(h5, object, &value) && put_sum(object, value)) return true;
  omr_hdf5_refuse(h5, "write the checksums", omr_hdf5_last_cause().text);
  return false;
}

void omr_sums_seal(omr_hdf5 *h5) {
  if (h5->failed || h5->plain) return;
  omr_hdf5_visit(h5->file, seal, h5);
}

void omr_sums_free(omr_hdf5 *h5) {
  for (size_t i = 0; i < h5->sum_count; i++) {
    XXH3_freeState(h5->sums[i]->state);
    free(h5->sums[i]);
  }
  free(h5->sums);
  h5->sums = NULL;
  h5->sum_count = 0;
}

/* READING */

static bool stored_sum(hid_t object, uint64_t *value) {
  if (H5Aexists(object, OMR_SUM_NAME) <= 0) return false;
  const hid_t attribute = H5Aopen(object, OMR_SUM_NAME, H5P_DEFAULT);
  const bool good = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_UINT64, value) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  return good;
}

/* Reports a difference, above any reason of the calls since. */
static bool differs(void) {
  H5Eclear2(H5E_DEFAULT);
  return omr_hdf5_say("the checksum of its values and attributes differs");
}

/* True if an object has no checksum in a file that has them: somebody removed it, and may have
 * changed the values. */
static bool has_lost_its_sum(hid_t object) {
  return H5Aexists(object, OMR_SUM_NAME) == 0 &&
         H5Aexists_by_name(object, "/", OMR_SUM_NAME, H5P_DEFAULT) > 0;
}

bool omr_sum_check_over(hid_t object, omr_virtual *files) {
  uint64_t stored = 0;
  if (has_lost_its_sum(object)) return omr_hdf5_say("it has lost its checksum");
  if (H5Aexists(object, OMR_SUM_NAME) == 0) return true;
  if (!stored_sum(object, &stored)) return omr_hdf5_say("its checksum cannot be read");
  XXH3_state_t *state = XXH3_createState();
  if (!state) return omr_hdf5_say("out of memory");
  begin(state, object);
  const bool read = (H5Iget_type(object) != H5I_DATASET || add_dataset(state, files, object)) &&
                    add_attributes(state, object);
  const omr_hdf5_cause cause = read ? (omr_hdf5_cause){""} : omr_hdf5_last_cause();
  const uint64_t found = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  if (!read) return omr_hdf5_say(cause.text);
  return found == stored || differs();
}

bool omr_sum_check(hid_t object) {
  return omr_sum_check_over(object, NULL);
}

bool omr_sum_readable(hid_t object) {
  XXH3_state_t *state = XXH3_createState();
  if (!state) return omr_hdf5_say("out of memory");
  begin(state, object);
  const bool read = H5Iget_type(object) != H5I_DATASET || add_dataset(state, NULL, object);
  XXH3_freeState(state);
  return read;
}

struct omr_watched {
  hid_t dataset;
  size_t next, rows, size; /* of a row, bytes */
  uint64_t stored;
  bool off;           /* nothing to hash while reading */
  bool elsewhere;     /* its rows stand in other files */
  const char *reason; /* why the dataset is not trusted, whatever is read; NULL: no reason */
  XXH3_state_t *state;
};

/* Begins to watch a dataset. If it is stored in another type than it was written, it is checked at
 * once. */
static void begin_watch(struct omr_watched *w, hid_t type) {
  hsize_t lengths[OMR_HDF5_RANK];
  const int rank = omr_hdf5_lengths(w->dataset, lengths);
  if (has_lost_its_sum(w->dataset)) w->reason = "it has lost its checksum";
  if (w->reason || rank <= 0 || !stored_sum(w->dataset, &w->stored)) return;
  if (!is_stored_so(w->dataset, type)) {
    if (!omr_sum_check(w->dataset)) w->reason = "the checksum of its values and attributes differs";
    return;
  }
  const bool right = row_bytes(w->dataset, w->elsewhere, type, rank, lengths, &w->size);
  w->state = right ? XXH3_createState() : NULL;
  w->off = !w->state;
  if (w->off) w->reason = right ? "out of memory" : "its lengths cannot be right";
}

static struct omr_watched *watched(omr_watch *watch, hid_t dataset, hid_t type) {
  for (size_t i = 0; i < watch->count; i++)
    if (watch->list[i].dataset == dataset) return &watch->list[i];
  if (watch->count == watch->room) {
    const size_t room = watch->room ? 2 * watch->room : 64;
    struct omr_watched *list = realloc(watch->list, room * sizeof *list);
    if (!list) return NULL;
    watch->list = list;
    watch->room = room;
  }
  struct omr_watched *w = &watch->list[watch->count];
  *w = (struct omr_watched){.dataset = dataset,
                            .rows = rows_of(dataset),
                            .off = true,
                            .elsewhere = watch->files && omr_hdf5_is_virtual(dataset)};
  begin_watch(w, type);
  watch->count++;
  return w;
}

bool omr_watch_rows(omr_watch *watch, hid_t dataset, hid_t type, size_t first, size_t count,
                    const void *values) {
  struct omr_watched *w = watch->off || count == 0 ? NULL : watched(watch, dataset, type);
  if (w && w->reason) return omr_hdf5_say(w->reason);
  if (!w || w->off) return true;
  if (first == 0) {
    begin(w->state, dataset);
    w->next = 0;
  }
  if (first != w->next) return true;
  XXH3_64bits_update(w->state, values, count * w->size);
  w->next += count;
  if (w->next != w->rows) return true;
  if (!add_attributes(w->state, dataset)) return omr_hdf5_say(omr_hdf5_last_cause().text);
  return XXH3_64bits_digest(w->state) == w->stored || differs();
}

void omr_watch_free(omr_watch *watch) {
  for (size_t i = 0; i < watch->count; i++) XXH3_freeState(watch->list[i].state);
  free(watch->list);
  *watch = (omr_watch){0};
}

bool omr_watch_get(omr_watch *watch, hid_t dataset, hid_t type, size_t first, size_t count,
                   void *values) {
  struct omr_watched *w = watch->files && count ? watched(watch, dataset, type) : NULL;
  return get_rows(w && w->elsewhere ? watch->files : NULL, dataset, type, first, count, values) &&
         omr_watch_rows(watch, dataset, type, first, count, values);
}

omr_status omr_watch_read(omr_watch *watch, hid_t dataset, const char *name, hid_t type,
                          size_t first, size_t count, void *values, omr_error *error) {
  omr_status status = OMR_OK;
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (!omr_watch_get(watch, dataset, type, first, count, values))
    status = omr_hdf5_unreadable(watch->path, name, first, count, error);
  omr_hdf5_restore(report);
  return status;
}
