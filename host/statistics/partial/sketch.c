#include "sketch.h"

#include "../select.h"

#include <math.h>
#include <stdlib.h>

static size_t place_of(const omr_sketch *s, uint64_t key) {
  return (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (s->capacity - 1);
}

/* The place of a bin, or a free one. */
static inline omr_sketch_bin *find(const omr_sketch *s, uint64_t key) {
  size_t at = place_of(s, key);
  while (s->places[at].count && s->places[at].key != key) at = (at + 1) & (s->capacity - 1);
  return &s->places[at];
}

/* Puts every bin into new places, with keys shorter by `bits`. */
static bool renew(omr_sketch *s, size_t capacity, int bits) {
  omr_sketch renewed = {.capacity = capacity, .most = s->most, .dropped = s->dropped + bits};
  renewed.places = calloc(capacity, sizeof *renewed.places);
  if (!renewed.places) return false;
  for (size_t i = 0; i < s->capacity; i++) {
    if (!s->places[i].count) continue;
    omr_sketch_bin *bin = find(&renewed, s->places[i].key >> bits);
    renewed.taken += bin->count == 0;
    bin->key = s->places[i].key >> bits;
    bin->count += s->places[i].count;
  }
  free(s->places);
  *s = renewed;
  return true;
}

/* Makes room after a bin was taken: twice the places, or bins twice as wide. */
static bool make_room(omr_sketch *s) {
  while (s->taken > s->most)
    if (!renew(s, s->capacity, 1)) return false;
  return 2 * s->taken <= s->capacity || renew(s, 2 * s->capacity, 0);
}

static bool begin(omr_sketch *s) {
  if (s->places) return true;
  s->capacity = 16;
  s->places = calloc(s->capacity, sizeof *s->places);
  return s->places != NULL;
}

static inline bool take(omr_sketch *s, uint64_t key, uint64_t count) {
  omr_sketch_bin *bin = find(s, key);
  const bool is_new = bin->count == 0;
  bin->key = key;
  bin->count += count;
  if (!is_new) return true;
  s->taken++;
  return make_room(s);
}

bool omr_sketch_add(omr_sketch *s, const double *values, size_t count) {
  if (count && !begin(s)) return false;
  for (size_t i = 0; i < count; i++)
    if (!take(s, omr_key_of(values[i]) >> s->dropped, 1)) return false;
  return true;
}

bool omr_sketch_count(omr_sketch *s, uint64_t key, uint64_t count, int dropped) {
  if (!begin(s)) return false;
  if (s->dropped < dropped && !renew(s, s->capacity, dropped - s->dropped)) return false;
  return take(s, key >> (s->dropped - dropped), count);
}

bool omr_sketch_join(omr_sketch *s, const omr_sketch *other) {
  for (size_t i = 0; i < other->capacity; i++) {
    const omr_sketch_bin *bin = &other->places[i];
    if (bin->count && !omr_sketch_count(s, bin->key, bin->count, other->dropped)) return false;
  }
  return true;
}

void omr_sketch_free(omr_sketch *s) {
  free(s->places);
  *s = (omr_sketch){.most = s->most};
}

static int by_key(const void *a, const void *b) {
  const uint64_t x = ((const omr_sketch_bin *)a)->key, y = ((const omr_sketch_bin *)b)->key;
  return (x > y) - (x < y);
}

omr_sketch_bin *omr_sketch_sorted(const omr_sketch *s) {
  omr_sketch_bin *sorted = malloc((s->taken + 1) * sizeof *sorted);
  size_t count = 0;
  for (size_t i = 0; sorted && i < s->capacity; i++)
    if (s->places[i].count) sorted[count++] = s->places[i];
  if (sorted) qsort(sorted, count, sizeof *sorted, by_key);
  return sorted;
}

omr_bounds omr_sketch_range(const omr_sketch *s, uint64_t key) {
  const uint64_t low = key << s->dropped, rest = ((uint64_t)1 << s->dropped) - 1;
  return (omr_bounds){omr_key_value(low), omr_key_value(low | rest)};
}

/* The bounds of order statistic number `rank`, and where it would be in an even spread; the first
 * and the last of them are the ends of the range. */
static double order_statistic(const omr_sketch *s, const omr_sketch_bin *sorted, uint64_t rank,
                              bool last, omr_bounds range, omr_bounds *bounds) {
  if (rank == 0 || last) {
    const double end = rank == 0 ? range.low : range.high;
    *bounds = (omr_bounds){end, end};
    return end;
  }
  size_t bin = 0;
  uint64_t before = 0;
  while (bin + 1 < s->taken && before + sorted[bin].count <= rank) before += sorted[bin++].count;
  *bounds = omr_sketch_range(s, sorted[bin].key);
  bounds->low = fmax(bounds->low, range.low);
  bounds->high = fmin(bounds->high, range.high);
  const double part = ((double)(rank - before) + 0.5) / (double)sorted[bin].count;
  return bounds->low + part * (bounds->high - bounds->low);
}

double omr_sketch_quantile(const omr_sketch *s, const omr_sketch_bin *sorted, uint64_t used,
                           double level, omr_bounds range, double *error) {
  *error = (double)NAN;
  if (used == 0 || s->taken == 0) return (double)NAN;
  const double place = (double)(used - 1) * level, part = place - floor(place);
  const uint64_t below = (uint64_t)place, above = below + 1 < used ? below + 1 : below;
  omr_bounds low, high;
  const double from = order_statistic(s, sorted, below, below + 1 == used, range, &low),
               to = order_statistic(s, sorted, above, above + 1 == used, range, &high);
  const double value = from + part * (to - from);
  const double least = low.low + part * (high.low - low.low),
               most = low.high + part * (high.high - low.high);
  *error = fmax(value - least, most - value);
  return value;
}
