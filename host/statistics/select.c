#include "select.h"
#include "../support/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 2048 };

double omr_key_value(uint64_t key) {
  const uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

bool omr_key_starts(uint32_t counts[OMR_KEY_VALUES], size_t count, size_t digit_of_one) {
  uint32_t sum = 0;
  if (counts[digit_of_one] == count) return false;
  for (int v = 0; v < OMR_KEY_VALUES; v++) {
    const uint32_t here = counts[v];
    counts[v] = sum;
    sum += here;
  }
  return true;
}

/* Sorts fewer than 2^32 keys; scratch has the same length. Digits that all keys share are
 * skipped. */
static void sort_keys(uint64_t *keys, size_t count, uint64_t *scratch) {
  if (count < FEW) {
    if (count > 1) qsort(keys, count, sizeof *keys, omr_by_number);
    return;
  }
  omr_key_counts counts = {{0}};
  uint64_t *from = keys, *to = scratch;
  for (size_t i = 0; i < count; i++) omr_count_key(counts, keys[i]);
  for (int d = 0; d < OMR_KEY_DIGITS; d++) {
    if (!omr_key_starts(counts[d], count, omr_key_digit(from[0], d))) continue;
    for (size_t i = 0; i < count; i++) to[counts[d][omr_key_digit(from[i], d)]++] = from[i];
    uint64_t *other = from;
    from = to;
    to = other;
  }
  if (from != keys) memcpy(keys, from, count * sizeof *keys);
}

omr_between omr_between_ranks(size_t count, double level) {
  const double at = (double)(count - 1) * level, whole = floor(at);
  const size_t rank = (size_t)whole;
  return (omr_between){rank, rank + 1 < count ? rank + 1 : rank, at - whole};
}

/* Rounds as numpy's quantile does. */
static double interpolate(double a, double b, double part) {
  const double difference = b - a;
  return part < 0.5 ? a + difference * part : b - difference * (1 - part);
}

/* PARTS */

enum { PART_BITS = 11, PARTS = 1 << PART_BITS };

/* Keys cut into parts of equal width between the least and the largest. */
typedef struct parts {
  uint64_t least;
  int shift;
  size_t below[PARTS + 1]; /* keys in the parts before */
  size_t start[PARTS];     /* in the buffer, of the wanted parts */
  bool wanted[PARTS];
} parts;

static size_t part_of(const parts *p, uint64_t key) {
  return (key - p->least) >> p->shift;
}

static void cut(parts *p, const uint64_t *keys, size_t count) {
  uint64_t least = keys[0], most = keys[0];
  for (size_t i = 1; i < count; i++) {
    least = keys[i] < least ? keys[i] : least;
    most = keys[i] > most ? keys[i] : most;
  }
  p->least = least;
  while (p->shift < 64 - PART_BITS && (most - least) >> p->shift >= PARTS) p->shift++;
  for (size_t i = 0; i < count; i++) p->below[part_of(p, keys[i]) + 1]++;
  for (int part = 0; part < PARTS; part++) p->below[part + 1] += p->below[part];
}

static size_t part_of_rank(const parts *p, size_t rank) {
  return omr_numbers_before(p->below + 1, PARTS - 1, sizeof *p->below, rank + 1);
}

static void want(parts *p, size_t count, const double *levels, size_t level_count) {
  for (size_t q = 0; q < level_count; q++) {
    const omr_between at = omr_between_ranks(count, levels[q]);
    p->wanted[part_of_rank(p, at.rank)] = p->wanted[part_of_rank(p, at.next)] = true;
  }
}

/* Sorts the wanted parts, one after the other, in the buffer. */
static void sort_wanted(parts *p, const uint64_t *keys, size_t count, uint64_t *room,
                        uint64_t *scratch) {
  size_t place[PARTS], end = 0;
  for (int part = 0; part < PARTS; part++) {
    place[part] = p->start[part] = end;
    if (p->wanted[part]) end += p->below[part + 1] - p->below[part];
  }
  for (size_t i = 0; i < count; i++) {
    const size_t part = part_of(p, keys[i]);
    if (p->wanted[part]) room[place[part]++] = keys[i];
  }
  for (int part = 0; part < PARTS; part++)
    if (p->wanted[part])
      sort_keys(room + p->start[part], p->below[part + 1] - p->below[part], scratch);
}

static double value_of_rank(const parts *p, const uint64_t *room, size_t rank) {
  const size_t part = part_of_rank(p, rank);
  return omr_key_value(room[p->start[part] + rank - p->below[part]]);
}

void omr_quantiles_of_keys(const uint64_t *keys, size_t count, uint64_t *room, uint64_t *scratch,
                           const double *levels, size_t level_count, double *quantiles) {
  parts p = {0};
  for (size_t q = 0; q < level_count; q++) quantiles[q] = (double)NAN;
  if (count == 0 || level_count == 0) return;
  cut(&p, keys, count);
  want(&p, count, levels, level_count);
  sort_wanted(&p, keys, count, room, scratch);
  for (size_t q = 0; q < level_count; q++) {
    const omr_between at = omr_between_ranks(count, levels[q]);
    quantiles[q] =
        interpolate(value_of_rank(&p, room, at.rank), value_of_rank(&p, room, at.next), at.part);
  }
}

/* PASSES */

enum { BLOCK = 8192, FIRST_BITS = 16, NEXT_BITS = 12 };

/* Keys that begin with the same bits, among which wanted ranks lie. */
typedef struct bucket {
  uint64_t prefix;     /* key >> shift */
  size_t below;        /* keys before the first of the bucket */
  size_t count, taken; /* in the bucket; already gathered */
  size_t start;        /* of the gathered keys */
} bucket;

typedef struct selection {
  omr_pool memory;
  omr_source *source;
  size_t column, first, last;
  size_t *ranks; /* wanted, ascending, without repetition */
  size_t rank_count;
  uint64_t *keys; /* [rank_count] found */
  bucket *buckets;
  size_t bucket_count;
  int shift; /* bits of a key below its prefix */
  size_t *counts;
  uint64_t *gathered;
  int8_t *codes;
  double *values;
} selection;

typedef void each_key(selection *s, uint64_t key);

static omr_status for_each_key(selection *s, each_key *work, omr_error *error) {
  for (size_t row = s->first; row < s->last; row += BLOCK) {
    const size_t count = s->last - row < BLOCK ? s->last - row : BLOCK;
    omr_status status = s->source->ops->status(s->source, row, count, s->codes, NULL, error);
    if (status == OMR_OK)
      status = s->source->ops->read(s->source, s->column, row, count, s->values, error);
    if (status != OMR_OK) return status;
    for (size_t i = 0; i < count; i++)
      if (s->codes[i] == OMR_INSTANCE_OK && isfinite(s->values[i]))
        work(s, omr_key_of(s->values[i]));
  }
  return OMR_OK;
}

/* The bucket of a key, or bucket_count. */
static size_t find_bucket(const selection *s, uint64_t key) {
  const uint64_t prefix = s->shift < 64 ? key >> s->shift : 0;
  return omr_number_place(s->buckets, s->bucket_count, sizeof *s->buckets, prefix);
}

static int bits_of(const selection *s) {
  return s->shift == 64 ? FIRST_BITS : NEXT_BITS;
}

static void count_key(selection *s, uint64_t key) {
  const size_t b = find_bucket(s, key);
  if (b == s->bucket_count) return;
  const int bits = bits_of(s);
  s->counts[(b << bits) + (size_t)(key >> (s->shift - bits) & (((uint64_t)1 << bits) - 1))]++;
}

static void gather_key(selection *s, uint64_t key) {
  const size_t b = find_bucket(s, key);
  if (b < s->bucket_count) s->gathered[s->buckets[b].start + s->buckets[b].taken++] = key;
}

/* The part of an old bucket in which a rank lies becomes a new bucket, unless the rank before lies
 * there too. */
static void narrow(const selection *s, size_t rank, bucket *finer, size_t *finer_count) {
  const int bits = bits_of(s);
  size_t b = 0;
  while (b + 1 < s->bucket_count && rank >= s->buckets[b].below + s->buckets[b].count) b++;
  const size_t *counts = s->counts + (b << bits);
  size_t digit = 0, below = s->buckets[b].below;
  while (rank >= below + counts[digit]) below += counts[digit++];
  const uint64_t prefix = (s->shift == 64 ? 0 : s->buckets[b].prefix << bits) | digit;
  if (*finer_count > 0 && finer[*finer_count - 1].prefix == prefix) return;
  finer[(*finer_count)++] = (bucket){.prefix = prefix, .below = below, .count = counts[digit]};
}

/* One pass: counts the next digit of the keys in the buckets. */
static omr_status refine(selection *s, omr_error *error) {
  const int bits = bits_of(s);
  bucket *finer = omr_pool_take(&s->memory, s->rank_count, sizeof *finer);
  size_t finer_count = 0;
  s->counts = omr_pool_take(&s->memory, s->bucket_count << bits, sizeof *s->counts);
  if (s->memory.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for quantiles");

  /* count the digit; the parts in which wanted ranks lie replace the buckets */
  const omr_status status = for_each_key(s, count_key, error);
  if (status != OMR_OK) return status;
  for (size_t r = 0; r < s->rank_count; r++) narrow(s, s->ranks[r], finer, &finer_count);
  s->buckets = finer;
  s->bucket_count = finer_count;
  s->shift -= bits;
  return OMR_OK;
}

static size_t in_buckets(const selection *s) {
  size_t sum = 0;
  for (size_t b = 0; b < s->bucket_count; b++) sum += s->buckets[b].count;
  return sum;
}

/* The last pass: gathers the keys in the buckets, which now fit into memory. */
static omr_status gather(selection *s, omr_error *error) {
  const size_t sum = in_buckets(s);
  uint64_t *scratch = omr_pool_take(&s->memory, sum, sizeof *scratch);
  s->gathered = omr_pool_take(&s->memory, sum, sizeof *s->gathered);
  if (s->memory.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for quantiles");
  for (size_t b = 1; b < s->bucket_count; b++)
    s->buckets[b].start = s->buckets[b - 1].start + s->buckets[b - 1].count;
  const omr_status status = for_each_key(s, gather_key, error);
  if (status != OMR_OK) return status;
  for (size_t b = 0; b < s->bucket_count; b++)
    sort_keys(s->gathered + s->buckets[b].start, s->buckets[b].taken, scratch);
  for (size_t r = 0, b = 0; r < s->rank_count; r++) {
    while (s->ranks[r] >= s->buckets[b].below + s->buckets[b].count) b++;
    s->keys[r] = s->gathered[s->buckets[b].start + s->ranks[r] - s->buckets[b].below];
  }
  return OMR_OK;
}

/* No bits are left: every key of a bucket is its prefix. */
static void take_prefixes(selection *s) {
  for (size_t r = 0, b = 0; r < s->rank_count; r++) {
    while (s->ranks[r] >= s->buckets[b].below + s->buckets[b].count) b++;
    s->keys[r] = s->buckets[b].prefix;
  }
}

static omr_status select_keys(selection *s, size_t used, size_t memory, omr_error *error) {
  s->buckets[0] = (bucket){.count = used};
  s->bucket_count = 1;
  s->shift = 64;
  while (s->shift > 0 && in_buckets(s) > memory) {
    const omr_status status = refine(s, error);
    if (status != OMR_OK) return status;
  }
  if (s->shift > 0) return gather(s, error);
  take_prefixes(s);
  return OMR_OK;
}

static void list_ranks(selection *s, size_t used, const double *levels, size_t level_count) {
  for (size_t q = 0; q < level_count; q++) {
    const omr_between at = omr_between_ranks(used, levels[q]);
    const size_t pair[2] = {at.rank, at.next};
    for (int i = 0; i < 2; i++)
      if (s->rank_count == 0 || pair[i] > s->ranks[s->rank_count - 1])
        s->ranks[s->rank_count++] = pair[i];
  }
}

static uint64_t key_of_rank(const selection *s, size_t rank) {
  size_t r = 0;
  while (s->ranks[r] != rank) r++;
  return s->keys[r];
}

omr_status omr_quantiles_of_source(omr_source *source, const omr_ranked *rows, const double *levels,
                                   size_t level_count, double *quantiles, omr_error *error) {
  const size_t used = rows->used;

  for (size_t q = 0; q < level_count; q++) quantiles[q] = (double)NAN;
  if (used == 0 || level_count == 0) return OMR_OK;

  selection s = {
      .source = source, .column = rows->column, .first = rows->first, .last = rows->last};
  s.ranks = omr_pool_take(&s.memory, 2 * level_count, sizeof *s.ranks);
  s.keys = omr_pool_take(&s.memory, 2 * level_count, sizeof *s.keys);
  s.codes = omr_pool_take(&s.memory, BLOCK, sizeof *s.codes);
  s.values = omr_pool_take(&s.memory, BLOCK, sizeof *s.values);
  s.buckets = omr_pool_take(&s.memory, 1, sizeof *s.buckets);
  omr_status status =
      s.memory.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for quantiles") : OMR_OK;

  /* find the keys of the order statistics in a few passes */
  if (status == OMR_OK) {
    list_ranks(&s, used, levels, level_count);
    status = select_keys(&s, used, rows->memory, error);
  }

  /* interpolate between them */
  for (size_t q = 0; status == OMR_OK && q < level_count; q++) {
    const omr_between at = omr_between_ranks(used, levels[q]);
    quantiles[q] = interpolate(omr_key_value(key_of_rank(&s, at.rank)),
                               omr_key_value(key_of_rank(&s, at.next)), at.part);
  }

  omr_pool_free(&s.memory);
  return status;
}
