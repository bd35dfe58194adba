/* Spearman's rank correlation of every varied parameter with every observable. */
#include "../study/designs/draws.h"
#include "../study/grammar/reader.h"
#include "../support/team.h"
#include "correlation.h"
#include "select.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETER_RANKS = 1 << 26 }; /* ranks of parameters in memory at a time: 256 MiB */
enum { LEAST_DESKS = 3 };           /* even with the most rows */
enum { FEW_DESKS = 4 };

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

/* The keys of a column lie in a range. The leading digits of their distance from its lower end,
 * sorted in three passes, mostly tell all of them apart. */
enum { FEW = 2048, DIGITS = 3 };

typedef struct leading {
  uint64_t least;
  int shift;
} leading;

static uint64_t leading_of(const leading *l, double value) {
  return (omr_key_of(value) - l->least) >> l->shift;
}

static leading look_at(const omr_rank_entry *entries, size_t count) {
  uint64_t least = omr_key_of(entries[0].value), most = least;
  for (size_t i = 1; i < count; i++) {
    const uint64_t key = omr_key_of(entries[i].value);
    least = key < least ? key : least;
    most = key > most ? key : most;
  }
  leading l = {least, 0};
  while ((most - least) >> l.shift >> (DIGITS * OMR_KEY_DIGIT)) l.shift++;
  return l;
}

static void sort_by_digits(omr_rank_entry *entries, size_t count, omr_rank_entry *scratch,
                           const leading *l) {
  uint32_t counts[DIGITS][OMR_KEY_VALUES] = {{0}};
  omr_rank_entry *from = entries, *to = scratch;
  for (size_t i = 0; i < count; i++) {
    const uint64_t key = leading_of(l, entries[i].value);
    for (int d = 0; d < DIGITS; d++) counts[d][omr_key_digit(key, d)]++;
  }
  for (int d = 0; d < DIGITS; d++) {
    if (!omr_key_starts(counts[d], count, omr_key_digit(leading_of(l, from[0].value), d))) continue;
    for (size_t i = 0; i < count; i++)
      to[counts[d][omr_key_digit(leading_of(l, from[i].value), d)]++] = from[i];
    omr_rank_entry *other = from;
    from = to;
    to = other;
  }
  if (from != entries) memcpy(entries, from, count * sizeof *entries);
}

/* Sorts entries by their leading digits, then runs of equal ones by the remaining digits. */
static void sort_entries(omr_rank_entry *entries, size_t count, omr_rank_entry *scratch) {
  if (count < FEW) {
    qsort(entries, count, sizeof *entries, compare);
    return;
  }
  const leading l = look_at(entries, count);
  sort_by_digits(entries, count, scratch, &l);
  for (size_t first = 0, end; l.shift && first < count; first = end) {
    const uint64_t digits = leading_of(&l, entries[first].value);
    for (end = first + 1; end < count && leading_of(&l, entries[end].value) == digits;) end++;
    if (end > first + 1) sort_entries(entries + first, end - first, scratch);
  }
}

void omr_mid_ranks(omr_rank_entry *entries, size_t count, uint32_t *ranks,
                   omr_rank_entry *scratch) {
  for (size_t k = 0; k < count; k++) entries[k].place = (uint32_t)k;
  sort_entries(entries, count, scratch);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && entries[end].value == entries[first].value;) end++;
    for (size_t k = first; k < end; k++) ranks[entries[k].place] = (uint32_t)(first + 1 + end);
  }
}

/* Sum of squares of the ranks about their mean, which is count + 1. */
static double sum_of_squares(const uint32_t *x, size_t count) {
  const double mean = (double)count + 1;
  double sum = 0;
  for (size_t k = 0; k < count; k++) {
    const double a = x[k] - mean;
    sum += a * a;
  }
  return sum;
}

/* Sums of products of one list with ALONG lists, which may repeat: each sum waits only for
 * itself. */
enum { ALONG = 4 };
static void sum_products(const uint32_t *const x[ALONG], const uint32_t *y, size_t count,
                         double sums[ALONG]) {
  const uint32_t *const x0 = x[0], *const x1 = x[1], *const x2 = x[2], *const x3 = x[3];
  const double mean = (double)count + 1;
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (size_t k = 0; k < count; k++) {
    const double b = y[k] - mean;
    s0 += (x0[k] - mean) * b;
    s1 += (x1[k] - mean) * b;
    s2 += (x2[k] - mean) * b;
    s3 += (x3[k] - mean) * b;
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

static double coefficient(double xx, double yy, double xy) {
  return xx > 0 && yy > 0 ? fmin(fmax(xy / sqrt(xx * yy), -1), 1) : (double)NAN;
}

/* What the ranks of one column are made in. */
typedef struct desk {
  size_t count;                      /* rows that take part */
  double *values;                    /* [most] */
  omr_rank_entry *entries, *scratch; /* [most] */
  uint32_t *ranks,
      *other;      /* [most]: of the quantity; of a parameter in the rows that have the quantity */
  uint32_t *tally; /* [2 most + 2] */
} desk;

typedef struct work {
  omr_sensitivity *table;
  uint64_t seed;
  bool every;   /* true: failed instances take part, for the quantities that have a value there */
  size_t whole; /* rows of that set before any are drawn */
  omr_groups rows;
  size_t most;  /* capacity in rows */
  bool *takes;  /* [block]: whether the row takes part */
  double *room; /* [desks][block] */
  desk desks[OMR_RANK_DESKS];
  int desk_count;
  uint32_t *parameters; /* [at_once][most] */
  double *squares;      /* [at_once]: of the parameters' ranks, where all rows count */
  size_t at_once;
} work;

int omr_rank_desks(size_t rows) {
  const size_t threads = (size_t)omp_get_max_threads(),
               taken = rows < OMR_RANK_ROWS ? rows + 1 : OMR_RANK_ROWS;
  const size_t fit = OMR_RANK_ROWS / taken * LEAST_DESKS,
               most = fit < OMR_RANK_DESKS ? fit : OMR_RANK_DESKS;
  return (int)(threads < most ? threads : most);
}

static void open_desk(desk *d, size_t most, omr_pool *memory) {
  d->values = omr_pool_take(memory, most, sizeof *d->values);
  d->entries = omr_pool_take(memory, most, sizeof *d->entries);
  d->scratch = omr_pool_take(memory, most, sizeof *d->scratch);
  d->ranks = omr_pool_take(memory, most, sizeof *d->ranks);
  d->other = omr_pool_take(memory, most, sizeof *d->other);
  d->tally = omr_pool_take(memory, 2 * most + 2, sizeof *d->tally);
}

static omr_status open_work(work *w, omr_sensitivity *table, omr_source *source, omr_error *error) {
  w->whole = w->every ? source->rows : table->ok;
  if (table->sampled) w->whole = w->every ? table->sampled_all : table->sampled_ok;
  OMR_TRY(omr_groups_open(&w->rows, source, 1, table->block_rows, error));
  w->table = table;
  /* the number of drawn rows is random: 10 000 is ten of its standard deviations */
  w->most = w->whole <= OMR_RANK_ROWS ? w->whole : OMR_RANK_ROWS + 10000;

  /* as many parameters at once as memory allows */
  w->at_once = w->most ? PARAMETER_RANKS / w->most : 1;
  if (w->at_once < 1) w->at_once = 1;
  if (w->at_once > table->parameters) w->at_once = table->parameters;
  omr_pool *memory = &w->rows.memory;
  w->desk_count = omr_rank_desks(w->most);
  w->parameters = omr_pool_take(memory, w->at_once * w->most, sizeof *w->parameters);
  w->squares = omr_pool_take(memory, w->at_once, sizeof *w->squares);
  w->takes = omr_pool_take(memory, w->rows.block, sizeof *w->takes);
  w->room = omr_pool_take(memory, (size_t)w->desk_count * w->rows.block, sizeof *w->room);
  for (int d = 0; d < w->desk_count && !memory->failed; d++)
    open_desk(&w->desks[d], w->most, memory);

  return memory->failed ? omr_fail(error, OMR_ERR_MEMORY,
                                   "out of memory for the ranks of %zu instances", w->most)
                        : OMR_OK;
}

static void choose_rows(work *w, size_t first) {
  for (size_t row = 0; row < w->rows.here; row++)
    w->takes[row] = (w->every || w->rows.group_status[row] == OMR_INSTANCE_OK) &&
                    (!w->table->sampled || w->table->sampled[first + row]) &&
                    omr_rank_takes(w->seed, first + row, w->whole);
}

static void take_rows(const work *w, const double *values, desk *d) {
  size_t count = d->count;
  for (size_t row = 0; row < w->rows.here && count < w->most; row++)
    if (w->takes[row]) d->values[count++] = values[row];
  d->count = count;
}

/* Reads the block's values of columns; neighbouring columns are read together. */
static omr_status read_block(work *w, const size_t *columns, size_t count, const double **at,
                             omr_error *error) {
  omr_groups *rows = &w->rows;
  for (size_t d = 0, end; d < count; d = end) {
    for (end = d + 1; end < count && columns[end] == columns[end - 1] + 1;) end++;
    OMR_TRY(omr_source_columns(rows->source,
                               (omr_table_block){columns[d], end - d, rows->first, rows->here},
                               w->room + d * rows->block, rows->block, at + d, error));
  }
  return OMR_OK;
}

/* Copies the columns' values in the rows that take part, each to a desk. */
static omr_status gather(work *w, const size_t *columns, size_t count, omr_error *error) {
  const double *at[OMR_RANK_DESKS];
  bool more = true;
  for (size_t d = 0; d < count; d++) w->desks[d].count = 0;
  for (size_t first = 0; more; first += w->rows.here) {
    OMR_TRY(omr_groups_block(&w->rows, first, &more, error));
    if (!more) break;
    OMR_TRY(read_block(w, columns, count, at, error));
    choose_rows(w, first);
#pragma omp parallel for schedule(static, 1) num_threads(                                          \
    omr_team_usual()) if (count >                                                                  \
                          FEW_DESKS) /* waiting for threads costs more than so few copies */
    for (size_t d = 0; d < count; d++) take_rows(w, at[d], &w->desks[d]);
  }
  return OMR_OK;
}

/* Ranks among the rows whose quantity has a value, from the ranks among all rows: the order is the
 * same. */
static void rank_again(desk *d, const uint32_t *ranks, size_t count) {
  uint32_t below = 0;
  for (size_t r = 0; r < 2 * d->count + 2; r++) d->tally[r] = 0;
  for (size_t k = 0; k < d->count; k++)
    if (isfinite(d->values[k])) d->tally[ranks[k]]++;
  for (size_t r = 0; r < 2 * d->count + 2; r++) {
    const uint32_t equal = d->tally[r];
    d->tally[r] = 2 * below + equal + 1;
    below += equal;
  }
  for (size_t k = 0, place = 0; k < d->count && place < count; k++)
    if (isfinite(d->values[k])) d->other[place++] = d->tally[ranks[k]];
}

/* Ranks the values that are finite; returns how many there are. */
static size_t rank_values(desk *d, uint32_t *ranks) {
  size_t count = 0;
  for (size_t k = 0; k < d->count; k++)
    if (isfinite(d->values[k])) d->entries[count++].value = d->values[k];
  omr_mid_ranks(d->entries, count, ranks, d->scratch);
  return count;
}

/* Products of the desk's quantity with the parameters i .. i+lists-1 in memory, and the sums of
 * squares of these parameters' ranks. */
static void add_products(const work *w, desk *d, size_t count, size_t i, size_t lists, double *xx,
                         double *xy) {
  const uint32_t *ranks[ALONG];
  for (size_t l = 0; l < ALONG; l++) {
    const size_t at = l < lists ? i + l : i;
    ranks[l] = w->parameters + at * w->most;
    xx[l] = w->squares[at];
  }
  if (count < d->count) { /* one by one: each needs the buffer for its new ranks */
    rank_again(d, ranks[0], count);
    ranks[0] = ranks[1] = ranks[2] = ranks[3] = d->other;
    xx[0] = sum_of_squares(d->other, count);
  }
  sum_products(ranks, d->ranks, count, xy);
}

/* Correlates the quantity on the desk with the parameters first .. first+parameters-1. */
static void correlate(const work *w, desk *d, size_t quantity, size_t first, size_t parameters) {
  omr_sensitivity *table = w->table;
  const size_t count = rank_values(d, d->ranks), most = count < d->count ? 1 : ALONG;
  const double yy = sum_of_squares(d->ranks, count);
  table->rank_used[quantity] = count;
  for (size_t i = 0; i < parameters; i += most) {
    const size_t lists = parameters - i < most ? parameters - i : most;
    double xx[ALONG], xy[ALONG];
    add_products(w, d, count, i, lists, xx, xy);
    for (size_t l = 0; l < lists; l++)
      table->estimates[1][omr_sensitivity_at(table, quantity, first + i + l)] =
          omr_fisher_interval(coefficient(xx[l], yy, xy[l]), count, table->confidence, true);
  }
}

static omr_status rank_parameters(work *w, size_t first, size_t count, omr_error *error) {
  for (size_t i = 0; i < count; i += (size_t)w->desk_count) {
    const size_t here = count - i < (size_t)w->desk_count ? count - i : (size_t)w->desk_count;
    size_t columns[OMR_RANK_DESKS];
    for (size_t d = 0; d < here; d++) columns[d] = first + i + d;
    OMR_TRY(gather(w, columns, here, error));
#pragma omp parallel for schedule(static, 1) num_threads(omr_team_usual())
    for (size_t d = 0; d < here; d++) {
      uint32_t *ranks = w->parameters + (i + d) * w->most;
      const size_t count =
          rank_values(&w->desks[d], ranks); /* all rows: parameters always have a value */
      w->squares[i + d] = sum_of_squares(ranks, count);
    }
  }
  return OMR_OK;
}

static omr_status correlate_parameters(work *w, size_t first, size_t count, omr_error *error) {
  size_t on_desk[OMR_RANK_DESKS], columns[OMR_RANK_DESKS];
  OMR_TRY(rank_parameters(w, first, count, error));
  for (size_t q = 0; q < w->table->quantities;) {
    size_t here = 0;
    for (; q < w->table->quantities && here < (size_t)w->desk_count; q++) {
      if (w->table->every[q] != w->every) continue;
      columns[here] = w->rows.source->parameters + q;
      on_desk[here++] = q;
    }
    if (here) OMR_TRY(gather(w, columns, here, error));
#pragma omp parallel for schedule(static, 1) num_threads(omr_team_usual())
    for (size_t d = 0; d < here; d++) correlate(w, &w->desks[d], on_desk[d], first, count);
  }
  return OMR_OK;
}

static omr_status correlate_rows(omr_sensitivity *table, bool every, uint64_t seed,
                                 omr_source *source, omr_error *error) {
  work w = {.seed = seed, .every = every};
  omr_status status = open_work(&w, table, source, error);
  for (size_t first = 0; status == OMR_OK && first < table->parameters; first += w.at_once) {
    const size_t left = table->parameters - first;
    status = correlate_parameters(&w, first, left < w.at_once ? left : w.at_once, error);
  }
  omr_groups_close(&w.rows);
  return status;
}

omr_status omr_rank_correlations(omr_sensitivity *table, uint64_t seed, omr_source *source,
                                 omr_error *error) {
  bool some[2] = {false, false};
  for (size_t q = 0; q < table->quantities; q++) some[table->every[q]] = true;
  for (int every = 0; every < 2; every++)
    if (some[every]) OMR_TRY(correlate_rows(table, every, seed, source, error));
  return OMR_OK;
}
