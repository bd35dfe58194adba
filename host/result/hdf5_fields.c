/* Variables that stand in members of structures. */
#include "hdf5_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(size_t) == 8, "counts are written as they stand");

void omr_hdf5_put_variable(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, hid_t type, int rank,
                           const omr_hdf5_scale *scales, const void *values) {
  if (h5->failed) return;
  const hid_t dataset = omr_hdf5_variable(h5, group, name, type, rank, scales, values);
  if (dataset >= 0) H5Dclose(dataset);
}

omr_hdf5_scale omr_hdf5_scale_count(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, size_t count) {
  uint64_t *numbers = malloc((count + 1) * sizeof *numbers);
  if (!numbers) omr_hdf5_refuse_dataset(h5, name.name, "out of memory");
  if (!numbers) return OMR_HDF5_NO_SCALE;
  for (size_t i = 0; i < count; i++) numbers[i] = i;
  const omr_hdf5_scale scale =
      omr_hdf5_scale_make(h5, group, name, H5T_NATIVE_UINT64, count, numbers);
  free(numbers);
  return scale;
}

/* Puts a member of structure `i` among the values. */
static void take(omr_field_kind kind, const char *at, size_t i, void *values) {
  switch (kind) {
  case OMR_FIELD_NUMBER:
  case OMR_FIELD_COUNT: memcpy((uint64_t *)values + i, at, sizeof(uint64_t)); break;
  case OMR_FIELD_TRUTH: ((int8_t *)values)[i] = *(const bool *)at; break;
  case OMR_FIELD_WORD: ((int8_t *)values)[i] = (int8_t) * (const int *)at; break;
  case OMR_FIELD_TEXT: ((const char **)values)[i] = *(const char *const *)at; break;
  case OMR_FIELD_LABEL: ((const char **)values)[i] = at; break;
  }
}

static void *gather(const omr_structures *s, const omr_field *field) {
  void *values = calloc(s->blank + s->count + 1, sizeof(uint64_t));
  for (size_t i = 0; values && i < s->blank && field->kind == OMR_FIELD_NUMBER; i++)
    ((double *)values)[i] = (double)NAN;
  for (size_t i = 0; values && i < s->count; i++)
    take(field->kind, (const char *)s->first + i * s->size + field->at, s->blank + i, values);
  return values;
}

omr_hdf5_scale omr_hdf5_scale_texts(omr_hdf5 *h5, const omr_structures *s, const omr_field *field) {
  void *texts = gather(s, field);
  if (!texts) omr_hdf5_refuse_dataset(h5, field->info.name, "out of memory");
  if (!texts) return OMR_HDF5_NO_SCALE;
  const omr_hdf5_scale scale = {omr_hdf5_words(h5, s->group, field->info, NULL, s->count, texts),
                                s->count};
  free(texts);
  return scale;
}

static void put_field(omr_hdf5 *h5, const omr_structures *s, const omr_field *field) {
  void *values = gather(s, field);
  if (!values) omr_hdf5_refuse_dataset(h5, field->info.name, "out of memory");
  if (field->kind == OMR_FIELD_TEXT && !h5->failed) {
    const hid_t dataset = omr_hdf5_words(h5, s->group, field->info, s->scales, s->count, values);
    if (dataset >= 0) H5Dclose(dataset);
  } else {
    const hid_t type = field->kind == OMR_FIELD_NUMBER  ? H5T_NATIVE_DOUBLE
                       : field->kind == OMR_FIELD_COUNT ? H5T_NATIVE_UINT64
                                                        : H5T_NATIVE_INT8;
    omr_hdf5_put_variable(h5, s->group, field->info, type, s->rank, s->scales, values);
  }
  free(values);
}

void omr_hdf5_put_fields(omr_hdf5 *h5, const omr_structures *s, const omr_field *fields,
                         size_t count) {
  for (size_t m = 0; m < count && !h5->failed; m++) put_field(h5, s, &fields[m]);
}
