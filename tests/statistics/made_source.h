/* A source over arrays of the test. */
#ifndef OMR_TESTS_MADE_SOURCE_H
#define OMR_TESTS_MADE_SOURCE_H

#include "../../host/result/source.h"

#include <string.h>

typedef struct made_source {
  omr_source source;
  const double *const *columns;
  const int8_t *codes;
} made_source;

static omr_status made_read(omr_source *source, size_t column, size_t first, size_t count,
                            double *values, omr_error *error) {
  (void)error;
  memcpy(values, ((made_source *)source)->columns[column] + first, count * sizeof *values);
  return OMR_OK;
}

static omr_status made_status(omr_source *source, size_t first, size_t count, int8_t *codes,
                              double *times, omr_error *error) {
  (void)error;
  const int8_t *all = ((made_source *)source)->codes;
  for (size_t i = 0; i < count; i++) {
    codes[i] = all ? all[first + i] : 0;
    if (times) times[i] = (double)(first + i);
  }
  return OMR_OK;
}

static const omr_source_ops made_ops = {made_read, made_status, NULL, NULL, NULL};

/* codes NULL: all ok. */
static inline made_source make_source(size_t rows, size_t columns, size_t parameters,
                                      const omr_sample_info *info, const double *const *values,
                                      const int8_t *codes) {
  return (made_source){{&made_ops, rows, columns, parameters, info, NULL}, values, codes};
}

/* Reproducible noise, 0 to 1 (xorshift64*). */
static inline double noise(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)(*state * 2685821657736338717u >> 11) * 0x1p-53;
}

#endif
