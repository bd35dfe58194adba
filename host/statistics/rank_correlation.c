/* Spearman's rank correlation of every varied parameter with every observable. */
#include "../study/parse.h"
#include "../study/sampling.h"
#include "correlation.h"
#include "select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETER_RANKS = 1 << 26 }; /* parameters' ranks in memory at a time: 256 MiB */

bool omr_rank_takes(uint64_t seed, size_t row, size_t rows) {
  uint64_t bits[2];
  if (rows <= OMR_RANK_ROWS) return true;
  omr_draw_for(OMR_FOR_SUBSET, seed, row, 0, bits);
  return omr_draw_unit(bits[0]) * (double)rows < (double)OMR_RANK_ROWS;
}

static int compare(const void *a, const void *b) {
  const omr_rank_entry *x = a, *y = b;
  return (x->value > y->value) - (x->value < y->value);
}

/* By eight digits of eight bits, the last first; digits that all values share are passed over. */
static void sort_by_digits(omr_rank_entry *entries, size_t count, omr_rank_entry *scratch) {
  enum { DIGIT = 8, DIGITS = 1 << DIGIT };
  omr_rank_entry *from = entries, *to = scratch;
  for (int shift = 0; shift < 64; shift += DIGIT) {
    size_t start[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++) start[omr_key_of(from[i].value) >> shift & (DIGITS - 1)]++;
    if (start[omr_key_of(from[0].value) >> shift & (DIGITS - 1)] == count) continue;
    for (int d = 0; d < DIGITS; d++) {
      const size_t here = start[d];
      start[d] = sum;
      sum += here;
    }
    for (size_t i = 0; i < count; i++) to[start[omr_key_of(from[i].value) >> shift & (DIGITS - 1)]++] = from[i];
    omr_rank_entry *other = from;
    from = to;
    to = other;
  }
  if (from != entries) memcpy(entries, from, count * sizeof *entries);
}

void omr_mid_ranks(omr_rank_entry *entries, size_t count, uint32_t *ranks, omr_rank_entry *scratch) {
  enum { FEW = 1000 };
  for (size_t k = 0; k < count; k++) entries[k].place = (uint32_t)k;
  if (count < FEW)
    qsort(entries, count, sizeof *entries, compare);
  else
    sort_by_digits(entries, count, scratch);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && entries[end].value == entries[first].value;) end++;
    for (size_t k = first; k < end; k++) ranks[entries[k].place] = (uint32_t)(first + 1 + end);
  }
}

/* Both means are count + 1. */
double omr_rank_correlation(const uint32_t *x, const uint32_t *y, size_t count) {
  const double mean = (double)count + 1;
  double xx = 0, yy = 0, xy = 0;
  for (size_t k = 0; k < count; k++) {
    const double a = x[k] - mean, b = y[k] - mean;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return xx > 0 && yy > 0 ? fmin(fmax(xy / sqrt(xx * yy), -1), 1) : (double)NAN;
}

typedef struct work {
  omr_sensitivity *table;
  uint64_t seed;
  bool every;   /* failed instances take part: another set of rows, for the quantities that have a value there */
  size_t whole; /* rows of that set before any are drawn */
  omr_groups rows;
  size_t most, count;                /* rows that there is room for; that take part */
  double *values;                    /* [most] */
  omr_rank_entry *entries, *scratch; /* [most] */
  uint32_t *ranks, *other;           /* [most]: of the quantity; of a parameter in the rows that have the quantity */
  uint32_t *tally;                   /* [2 most + 2] */
  uint32_t *parameters;              /* [at_once][most] */
  size_t at_once;
} work;

static omr_status open_work(work *w, omr_sensitivity *table, omr_source *source, omr_error *error) {
  w->whole = w->every ? source->rows : table->ok;
  OMR_TRY(omr_groups_open(&w->rows, source, 1, table->block_rows, error));
  w->table = table;
  /* a random number of rows: 10 000 is ten of its standard deviations */
  w->most = w->whole <= OMR_RANK_ROWS ? w->whole : OMR_RANK_ROWS + 10000;
  w->at_once = w->most ? PARAMETER_RANKS / w->most : 1;
  if (w->at_once < 1) w->at_once = 1;
  if (w->at_once > table->parameters) w->at_once = table->parameters;
  w->values = calloc(w->most + 1, sizeof *w->values);
  w->entries = calloc(w->most + 1, sizeof *w->entries);
  w->scratch = calloc(w->most + 1, sizeof *w->scratch);
  w->ranks = calloc(w->most + 1, sizeof *w->ranks);
  w->other = calloc(w->most + 1, sizeof *w->other);
  w->tally = calloc(2 * w->most + 2, sizeof *w->tally);
  w->parameters = calloc(w->at_once * w->most + 1, sizeof *w->parameters);
  if (w->values && w->entries && w->scratch && w->ranks && w->other && w->tally && w->parameters) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the ranks of %zu instances", w->most);
}

static void close_work(work *w) {
  omr_groups_close(&w->rows);
  free(w->values);
  free(w->entries);
  free(w->scratch);
  free(w->ranks);
  free(w->other);
  free(w->tally);
  free(w->parameters);
}

/* The column's values in the rows that take part. */
static omr_status gather(work *w, size_t column, omr_error *error) {
  bool more = true;
  w->count = 0;
  for (size_t first = 0; more; first += w->rows.here) {
    OMR_TRY(omr_groups_block(&w->rows, first, &more, error));
    if (more) OMR_TRY(omr_groups_values(&w->rows, column, w->every, error));
    for (size_t row = 0; more && row < w->rows.here; row++)
      if ((w->every || w->rows.group_status[row] == OMR_INSTANCE_OK) && w->count < w->most &&
          omr_rank_takes(w->seed, first + row, w->whole))
        w->values[w->count++] = w->rows.values[row];
  }
  return OMR_OK;
}

/* Ranks among the rows whose quantity has a value (present is not NaN), from those among all: their order is the same. */
static void rank_again(work *w, const uint32_t *ranks, const double *present, size_t count) {
  uint32_t below = 0;
  for (size_t r = 0; r < 2 * w->count + 2; r++) w->tally[r] = 0;
  for (size_t k = 0; k < w->count; k++)
    if (isfinite(present[k])) w->tally[ranks[k]]++;
  for (size_t r = 0; r < 2 * w->count + 2; r++) {
    const uint32_t equal = w->tally[r];
    w->tally[r] = 2 * below + equal + 1;
    below += equal;
  }
  for (size_t k = 0, place = 0; k < w->count && place < count; k++)
    if (isfinite(present[k])) w->other[place++] = w->tally[ranks[k]];
}

/* Ranks of the values that are there; how many. */
static size_t rank_values(work *w, uint32_t *ranks) {
  size_t count = 0;
  for (size_t k = 0; k < w->count; k++)
    if (isfinite(w->values[k])) w->entries[count++].value = w->values[k];
  omr_mid_ranks(w->entries, count, ranks, w->scratch);
  return count;
}

static omr_status correlate(work *w, size_t quantity, size_t first, size_t parameters, omr_error *error) {
  omr_sensitivity *table = w->table;
  OMR_TRY(gather(w, w->rows.source->parameters + quantity, error));
  const size_t count = rank_values(w, w->ranks);
  table->rank_used[quantity] = count;
  for (size_t i = 0; i < parameters; i++) {
    const uint32_t *ranks = w->parameters + i * w->most;
    if (count < w->count) {
      rank_again(w, ranks, w->values, count);
      ranks = w->other;
    }
    const double r = omr_rank_correlation(ranks, w->ranks, count);
    table->estimates[1][omr_sensitivity_at(table, quantity, first + i)] = omr_fisher_interval(r, count, table->confidence, true);
  }
  return OMR_OK;
}

static omr_status correlate_parameters(work *w, size_t first, size_t count, omr_error *error) {
  for (size_t i = 0; i < count; i++) {
    OMR_TRY(gather(w, first + i, error));
    rank_values(w, w->parameters + i * w->most); /* all of them: parameters always have a value */
  }
  for (size_t q = 0; q < w->table->quantities; q++)
    if (w->table->every[q] == w->every) OMR_TRY(correlate(w, q, first, count, error));
  return OMR_OK;
}

static omr_status correlate_rows(omr_sensitivity *table, bool every, uint64_t seed, omr_source *source, omr_error *error) {
  work w = {.seed = seed, .every = every};
  omr_status status = open_work(&w, table, source, error);
  for (size_t first = 0; status == OMR_OK && first < table->parameters; first += w.at_once) {
    const size_t left = table->parameters - first;
    status = correlate_parameters(&w, first, left < w.at_once ? left : w.at_once, error);
  }
  close_work(&w);
  return status;
}

omr_status omr_rank_correlations(omr_sensitivity *table, uint64_t seed, omr_source *source, omr_error *error) {
  bool some[2] = {false, false};
  for (size_t q = 0; q < table->quantities; q++) some[table->every[q]] = true;
  for (int every = 0; every < 2; every++)
    if (some[every]) OMR_TRY(correlate_rows(table, every, seed, source, error));
  return OMR_OK;
}
