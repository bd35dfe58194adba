/* The hash that shows if two runs gave the same numbers. */
#include "../support/support.h"
#include "result.h"

#include <math.h>
#include <string.h>

/* Size of the buffer for bytes that enter the hash: name and values of each dataset in turn. */
enum { BLOCK = 512 };

/* Gives every NaN the same bits: its sign and payload are not specified (IEEE 754, 6.2.3). */
static uint64_t bits_of(double value) {
  uint64_t bits = 0x7ff8000000000000u;
  if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void add_dataset(omr_hash *hash, const char *name, const double *values, size_t count) {
  uint64_t block[BLOCK];
  if (!values) return;
  omr_hash_add(hash, name, strlen(name) + 1);
  for (size_t first = 0; first < count; first += BLOCK) {
    const size_t part = count - first < BLOCK ? count - first : BLOCK;
    for (size_t i = 0; i < part; i++) block[i] = bits_of(values[first + i]);
    omr_hash_add(hash, block, part * sizeof *block);
  }
}

static void add_trajectories(omr_hash *hash, const omr_result *r) {
  const size_t cells = r->traced_count * r->sample_count;
  for (int j = 0; j < OMR_VS_COUNT; j++)
    add_dataset(hash, omr_result_vehicle_sample(r, j).name, r->vehicle_samples[j], cells);
  for (int j = 0; j < OMR_WS_COUNT; j++)
    add_dataset(hash, omr_result_wheel_sample(r, j).name, r->wheel_samples[j],
                cells * (size_t)r->wheels);
  for (int j = 0; j < r->small_sample_count; j++)
    add_dataset(hash, r->small_info[j].name, r->small_samples[j], cells);
}

static void add_result(omr_hash *hash, const omr_result *r) {
  for (size_t c = 0; c < r->column_count; c++)
    add_dataset(hash, r->columns[c].name, r->columns[c].values, r->instances);
  omr_hash_add(hash, r->status, r->instances * sizeof *r->status);
  add_dataset(hash, "status_time", r->status_time, r->instances);
  add_trajectories(hash, r);
}

omr_status omr_result_hash(const omr_result *r, char hex[33], omr_error *error) {
  omr_hash *hash = omr_hash_begin();
  hex[0] = '\0';
  if (!hash) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  add_result(hash, r);
  if (r->nominal) add_result(hash, r->nominal);
  if (r->partial) omr_hash_add(hash, r->partial, r->partial_bytes);
  omr_hash_end(hash, hex);
  return OMR_OK;
}
