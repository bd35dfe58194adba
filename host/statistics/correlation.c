/* Linear correlation of every varied parameter with every observable; rank_correlation.c has the
 * ranks. */
#include "correlation.h"

#include "../study/grammar/reader.h"
#include "../support/team.h"

#include <math.h>

enum { ALONG = 4 };

/* Sums of Welford's kind, in row order. */
typedef struct moment {
  double mean, squares;
} moment;
/* State of a quantity while rows are added. */
typedef struct running {
  size_t used;
  double low, high;
  moment values;
} running;
typedef struct pair {
  moment parameter; /* of the rows in which the quantity has a value */
  double product;
} pair;

/* Most quantities have a value in every row of one set (the ok rows, or all rows). Their
 * parameters' moments are the same and are kept once. */
typedef struct shared {
  bool wanted;
  size_t count;         /* rows up to the end of the block */
  moment *before, *now; /* [parameters]: at the block's begin and end */
  double *differences;  /* [parameters][block]: each row's value less the mean up to it; valid in
                           counted rows only */
} shared;

typedef struct work {
  omr_sensitivity *table;
  omr_groups rows;
  double *room;      /* [parameters and quantities][block] */
  const double **at; /* [parameters and quantities]: the block's values */
  shared sets[2];    /* by whether failed instances count */
  bool *whole;       /* [quantities]: true as long as every row of its set had a value */
  running *running;  /* [quantities] */
  pair *pairs;       /* [quantities][parameters] */
} work;

static void open_set(work *w, bool every, shared *set) {
  const size_t parameters = w->table->parameters;
  omr_pool *memory = &w->rows.memory;
  for (size_t q = 0; q < w->table->quantities; q++)
    set->wanted = set->wanted || w->table->every[q] == every;
  set->before = omr_pool_take(memory, parameters, sizeof *set->before);
  set->now = omr_pool_take(memory, parameters, sizeof *set->now);
  set->differences =
      omr_pool_take(memory, set->wanted ? parameters * w->rows.block : 0, sizeof *set->differences);
}

static omr_status open_work(work *w, omr_sensitivity *table, omr_source *source, omr_error *error) {
  const size_t columns = table->parameters + table->quantities;
  OMR_TRY(omr_groups_open(&w->rows, source, 1, table->block_rows, error));
  omr_pool *memory = &w->rows.memory;
  w->table = table;
  w->room = omr_pool_take(memory, (columns + table->parameters) * w->rows.block, sizeof *w->room);
  w->at = omr_pool_take(memory, columns, sizeof *w->at);
  w->whole = omr_pool_take(memory, table->quantities, sizeof *w->whole);
  w->running = omr_pool_take(memory, table->quantities, sizeof *w->running);
  w->pairs = omr_pool_take(memory, table->quantities * table->parameters, sizeof *w->pairs);
  for (size_t q = 0; w->whole && q < table->quantities; q++) w->whole[q] = true;
  for (int every = 0; every < 2; every++) open_set(w, every, &w->sets[every]);
  if (!memory->failed) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the correlations of %zu parameters",
                  table->parameters);
}

/* Adds a row and returns its difference from the new mean. */
static double add(moment *m, double value, double count) {
  const double difference = value - m->mean;
  m->mean += difference / count;
  m->squares += difference * (value - m->mean);
  return value - m->mean;
}

static bool counts(const work *w, bool every, size_t row) {
  return every || w->rows.group_status[row] == OMR_INSTANCE_OK;
}

/* Adds the block's rows of a set for one parameter; returns the number of rows so far. */
static size_t add_parameter(work *w, bool every, size_t i) {
  shared *set = &w->sets[every];
  const double *values = w->at[i];
  double *differences = set->differences + i * w->rows.block;
  size_t count = set->count;
  moment m = set->before[i] = set->now[i];
  for (size_t row = 0; row < w->rows.here; row++)
    if (counts(w, every, row)) differences[row] = add(&m, values[row], (double)++count);
  set->now[i] = m;
  return count;
}

static void add_set(work *w, bool every) {
  shared *set = &w->sets[every];
  size_t count = set->count;
#pragma omp parallel for schedule(dynamic) num_threads(omr_team_usual()) lastprivate(count)
  for (size_t i = 0; i < w->table->parameters; i++) count = add_parameter(w, every, i);
  set->count = count;
}

/* Adds a value and returns its difference from the mean of the rows before. Equal values keep their
 * mean to the last bit, so that constants have squares of exactly 0. */
static inline double add_value(running *r, double y) {
  const double before = r->values.mean;
  if (++r->used == 1) r->low = r->high = y;
  if (y < r->low) r->low = y;
  if (y > r->high) r->high = y;
  add(&r->values, y, (double)r->used);
  return y - before;
}

/* Adds up to ALONG quantities that have a value in every row of the same set: their divisions run
 * side by side, since none waits for the other. */
static void add_whole(work *w, const size_t *quantities, size_t count) {
  const bool every = w->table->every[quantities[0]];
  const double *differences = w->sets[every].differences, *values[ALONG];
  const size_t parameters = w->table->parameters, block = w->rows.block;
  running r[ALONG]; /* copies: neighbours in the list belong to other threads */
  pair *pairs[ALONG];
  double y[ALONG];

  /* start from the sums of the blocks before */
  for (size_t k = 0; k < count; k++) {
    r[k] = w->running[quantities[k]];
    values[k] = w->at[parameters + quantities[k]];
    pairs[k] = w->pairs + omr_sensitivity_at(w->table, quantities[k], 0);
  }

  /* add the products with every parameter row by row */
  for (size_t row = 0; row < w->rows.here; row++) {
    if (!counts(w, every, row)) continue;
    for (size_t k = 0; k < count; k++) y[k] = add_value(&r[k], values[k][row]);
    for (size_t k = 0; k < count; k++)
      for (size_t i = 0; i < parameters; i++)
        pairs[k][i].product += y[k] * differences[i * block + row];
  }

  for (size_t k = 0; k < count; k++) w->running[quantities[k]] = r[k];
}

static void add_some(work *w, size_t q, const double *values) {
  pair *pairs = w->pairs + omr_sensitivity_at(w->table, q, 0);
  running r = w->running[q];
  for (size_t row = 0; row < w->rows.here; row++) {
    if (!isfinite(values[row]) || !counts(w, w->table->every[q], row)) continue;
    const double y = add_value(&r, values[row]), count = (double)r.used;
    for (size_t i = 0; i < w->table->parameters; i++)
      pairs[i].product += y * add(&pairs[i].parameter, w->at[i][row], count);
  }
  w->running[q] = r;
}

static bool has_values(const work *w, bool every, const double *values) {
  for (size_t row = 0; row < w->rows.here; row++)
    if (!isfinite(values[row]) && counts(w, every, row)) return false;
  return true;
}

/* Gives a quantity its set's moments of the parameters, before the block or including it. */
static void take_moments(work *w, size_t q, bool with_block) {
  const shared *set = &w->sets[w->table->every[q]];
  pair *pairs = w->pairs + omr_sensitivity_at(w->table, q, 0);
  for (size_t i = 0; i < w->table->parameters; i++)
    pairs[i].parameter = with_block ? set->now[i] : set->before[i];
}

/* Takes a quantity out of its set where the block has a row without a value. */
static void look_at(work *w, size_t q) {
  if (!w->whole[q] || has_values(w, w->table->every[q], w->at[w->table->parameters + q])) return;
  w->whole[q] = false;
  take_moments(w, q, false);
}

/* Adds the quantities first .. last-1. */
static void add_quantities(work *w, size_t first, size_t last) {
  size_t along[ALONG], count = 0;
  for (size_t q = first; q < last; q++) {
    look_at(w, q);
    const bool whole = w->whole[q];
    if (count && whole && w->table->every[q] != w->table->every[along[0]]) {
      add_whole(w, along, count);
      count = 0;
    }
    if (whole)
      along[count++] = q;
    else
      add_some(w, q, w->at[w->table->parameters + q]);
  }
  if (count) add_whole(w, along, count);
}

/* Adds a block. Each quantity is added by itself in the order of the rows, so that the number of
 * threads changes nothing. */
static omr_status add_block(work *w, omr_error *error) {
  const size_t columns = w->table->parameters + w->table->quantities;
  OMR_TRY(omr_source_columns(w->rows.source,
                             (omr_table_block){0, columns, w->rows.first, w->rows.here}, w->room,
                             w->rows.block, w->at, error));
  for (int every = 0; every < 2; every++)
    if (w->sets[every].wanted) add_set(w, every);
#pragma omp parallel for schedule(dynamic) num_threads(omr_team_usual())
  for (size_t q = 0; q < w->table->quantities; q += ALONG)
    add_quantities(w, q, w->table->quantities - q < ALONG ? w->table->quantities : q + ALONG);
  return OMR_OK;
}

void omr_correlations_fill(omr_sensitivity *table, size_t quantity, const omr_scatter *s) {
  const size_t n = table->used[quantity];
  const bool constant = s->high - s->low <= omr_rounding_of(table, quantity, s->low, s->high);
  for (size_t i = 0; i < table->parameters; i++) {
    const size_t at = omr_sensitivity_at(table, quantity, i);
    const double y = s->y, x = s->x[i];
    const bool in_range = isnormal(x) && isnormal(y) && isfinite(s->products[i]);
    if (n < 2 || constant || !in_range) {
      omr_sensitivity_none(table, quantity, i,
                           n < 2      ? OMR_REASON_FEW
                           : constant ? OMR_REASON_CONSTANT
                           : x == 0   ? OMR_REASON_FIXED
                                      : OMR_REASON_RANGE);
      continue;
    }
    const double pearson = fmin(fmax(s->products[i] / (sqrt(x) * sqrt(y)), -1), 1);
    table->estimates[0][at] = omr_fisher_interval(pearson, n, table->confidence, false);
  }
}

/* x: room for twice the parameters. */
static void fill(work *w, size_t quantity, double *x) {
  omr_sensitivity *table = w->table;
  const running *r = &w->running[quantity];
  const pair *pairs = w->pairs + omr_sensitivity_at(table, quantity, 0);
  double *products = x + table->parameters;
  table->used[quantity] = r->used;
  for (size_t i = 0; i < table->parameters; i++) {
    x[i] = pairs[i].parameter.squares;
    products[i] = pairs[i].product;
  }
  omr_correlations_fill(table, quantity,
                        &(omr_scatter){r->low, r->high, r->values.squares, x, products});
}

omr_status omr_correlations(omr_sensitivity *table, const omr_study *study, omr_source *source,
                            omr_error *error) {
  work w = {0};
  bool more = true;
  omr_status status = open_work(&w, table, source, error);
  for (size_t first = 0; status == OMR_OK && more; first += w.rows.here) {
    status = omr_groups_block(&w.rows, first, &more, error);
    if (status == OMR_OK && more) status = add_block(&w, error);
  }
  if (status == OMR_OK) status = omr_rank_correlations(table, study->design.seed, source, error);
  for (size_t q = 0; status == OMR_OK && q < table->quantities; q++) {
    if (w.whole[q]) take_moments(&w, q, true);
    fill(&w, q, w.room);
  }
  omr_groups_close(&w.rows);
  return status;
}
