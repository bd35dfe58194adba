/* Making, adding rows, joining. */
#include "partial.h"

#include "../../study/designs/row_groups.h"
#include "../../study/grammar/parse.h"
#include "../../support/team.h"
#include "../criteria_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8 };

/* MAKING */

static void begin_column(omr_partial_column *c, size_t bins) {
  c->min = c->least = HUGE_VAL;
  c->max = c->most = -HUGE_VAL;
  c->min_at = c->max_at = UINT64_MAX;
  c->first = (double)NAN;
  c->sketch.most = bins;
}

/* Each measure has sums of its own. */
static void make_measure(omr_partial *s) {
  s->group_used = omr_pool_take(&s->memory, s->quantities, sizeof *s->group_used);
  s->group_low = omr_pool_take(&s->memory, s->quantities, sizeof *s->group_low);
  s->group_high = omr_pool_take(&s->memory, s->quantities, sizeof *s->group_high);
  for (size_t q = 0; !s->memory.failed && q < s->quantities; q++) {
    s->group_low[q] = HUGE_VAL;
    s->group_high[q] = -HUGE_VAL;
  }
  if (s->measure == OMR_MEASURE_CORRELATION || s->measure == OMR_MEASURE_MORRIS)
    s->terms = omr_pool_take(&s->memory, s->quantities * s->parameters, sizeof *s->terms);
  if (s->measure == OMR_MEASURE_SOBOL)
    s->batches = omr_pool_take(&s->memory, s->quantities * OMR_SOBOL_BATCHES, sizeof *s->batches);
}

static bool make_numbers(omr_partial *s) {
  const size_t columns = s->frame->quantity_count, of_cells = s->frame->cells.count * columns;
  s->columns = omr_pool_take(&s->memory, columns, sizeof *s->columns);
  s->cell_columns = omr_pool_take(&s->memory, of_cells, sizeof *s->cell_columns);
  for (size_t c = 0; s->columns && c < columns; c++) begin_column(&s->columns[c], OMR_SKETCH_BINS);
  for (size_t c = 0; s->cell_columns && c < of_cells; c++)
    begin_column(&s->cell_columns[c], OMR_SKETCH_CELL_BINS);
  make_measure(s);
  return !s->memory.failed;
}

omr_status omr_partial_frame(const omr_study *study, const omr_source *source, size_t rows,
                             omr_statistics **statistics, omr_error *error) {
  const omr_status status = omr_statistics_frame(study, source, rows, statistics, error);
  if (status != OMR_OK) return status;
  omr_cells *cells = &(*statistics)->cells;
  (*statistics)->no_rows = true;
  for (int i = 0; i < OMR_INSTANCE_STATUS_COUNT * OMR_FAILED_NUMBERS; i++)
    (*statistics)->failed[i / OMR_FAILED_NUMBERS][i % OMR_FAILED_NUMBERS] = UINT64_MAX;
  for (size_t i = 0; i < cells->count * cells->design_count; i++) cells->values[i] = (double)NAN;
  if (cells->count * (*statistics)->quantity_count <= OMR_PARTIAL_CELL_NUMBERS) return OMR_OK;
  cells->refused = cells->count;
  cells->count = 0;
  return OMR_OK;
}

omr_status omr_partial_make(const omr_study *study, const omr_result *like, omr_partial **sums,
                            omr_error *error) {
  omr_source *source = NULL;
  omr_partial *s = *sums = calloc(1, sizeof *s);
  if (!s) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for sums");
  s->study = study;
  s->whole = study->instances;

  /* names, criteria and cells are those of any statistics */
  omr_status status = omr_source_of_result(like, &source, error);
  if (status == OMR_OK) status = omr_partial_frame(study, source, s->whole, &s->frame, error);
  if (status == OMR_OK) {
    s->measure = omr_sensitivity_measure(study, source->parameters);
    s->parameters = source->parameters;
    s->quantities = source->columns - source->parameters + s->frame->criterion_count;
    s->group_rows = omr_group_rows(study);
    s->per_batch = omr_sobol_batch(s->whole / s->group_rows);
  }
  omr_source_close(source);
  if (status == OMR_OK && !make_numbers(s))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for sums");
  if (status == OMR_OK) return OMR_OK;
  omr_partial_free(s);
  *sums = NULL;
  return status;
}

const omr_partial_column *omr_partial_observable(const omr_partial *s, int observable) {
  size_t column = s->study->variation_count; /* then those observed, in their order */
  for (int i = 0; i < observable; i++) column += omr_study_observes(s->study, i);
  return &s->columns[column];
}

void omr_partial_free(omr_partial *s) {
  if (!s) return;

  /* bins of quantiles, and batches */
  if (s->frame) {
    const size_t columns = s->frame->quantity_count;
    for (size_t c = 0; s->columns && c < columns; c++) omr_sketch_free(&s->columns[c].sketch);
    for (size_t c = 0; s->cell_columns && c < s->frame->cells.count * columns; c++)
      omr_sketch_free(&s->cell_columns[c].sketch);
  }
  for (size_t b = 0; s->batches && b < s->quantities * OMR_SOBOL_BATCHES; b++)
    free(s->batches[b].each);

  omr_statistics_destroy(s->frame);
  omr_pool_free(&s->memory);
  free(s);
}

/* ROWS */

/* Rows of a part, and which of them are ok. */
typedef struct taken {
  omr_pool memory;
  omr_row_block b;
  double *criteria;   /* [criterion_count][count]: 1, 0, or NaN where it is unknown */
  double *deviations; /* [parameters][count], from the mean of the block; correlations only */
  struct block_sum *parameter_sums; /* [parameters][pieces] */
  size_t pieces;
} taken;

/* Values of a block less what was left out: their sum to twice the precision, the mean that
 * deviations are taken from, and the sum of their squares. */
typedef struct block_sum {
  size_t used;
  double mean, high, low, squares;
} block_sum;

/* Rows begin .. end-1 of `taken` that share block and cell. */
typedef struct piece {
  size_t begin, end, cell, number;
} piece;

static bool next_piece(const omr_partial *s, const taken *t, piece *p) {
  if (p->end == t->b.count) return false;
  const size_t block = omr_partial_block(s->study), per_cell = s->frame->cells.per_cell;
  const uint64_t at = t->b.first + p->end;
  uint64_t end = at - at % block + block;
  p->cell = 0;
  if (s->frame->cells.count) {
    p->cell = (size_t)(at / per_cell);
    const uint64_t cell_end = ((uint64_t)p->cell + 1) * per_cell;
    if (cell_end < end) end = cell_end;
  }
  p->number++;
  p->begin = p->end;
  p->end = end - t->b.first < t->b.count ? (size_t)(end - t->b.first) : t->b.count;

  return true;
}
static const piece before_first = {0, 0, 0, SIZE_MAX};

/* s + value and its rounding error (Knuth). */
static inline void add_both(double *sum, double *error, double value) {
  const double total = *sum + value, part = total - *sum;
  *error += (*sum - (total - part)) + (value - part);
  *sum = total;
}

/* values: 0 where a row is left out. deviations: room for count, 0 there likewise. The lanes make
 * the order independent of the processor's vectors. */
static block_sum sum_block(const double *values, const bool *used, size_t count,
                           double *deviations) {
  double sum[LANES] = {0}, error[LANES] = {0}, squares[LANES] = {0};
  block_sum b = {0};
  for (size_t i = 0; i < count; i++) b.used += used[i];
  size_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (size_t l = 0; l < LANES; l++) add_both(&sum[l], &error[l], values[i + l]);
  for (size_t l = 0; i + l < count; l++) add_both(&sum[l], &error[l], values[i + l]);

  /* join the lanes */
  double rest = 0;
  for (size_t l = 0; l < LANES; l++) {
    add_both(&b.high, &rest, sum[l]);
    rest += error[l];
  }
  add_both(&b.high, &b.low, rest);
  b.mean = b.used ? b.high / (double)b.used : 0;

  /* deviations from the mean as it is rounded */
  for (i = 0; i < count; i++) deviations[i] = used[i] ? values[i] - b.mean : 0;
  for (i = 0; i + LANES <= count; i += LANES)
    for (size_t l = 0; l < LANES; l++) squares[l] += deviations[i + l] * deviations[i + l];
  for (size_t l = 0; i + l < count; l++) squares[l] += deviations[i + l] * deviations[i + l];
  for (size_t l = 0; l < LANES; l++) b.squares += squares[l];
  return b;
}

static bool is_whole(const block_sum *b) {
  return isfinite(b->high) && isfinite(b->low) && isfinite(b->squares);
}

/* Sums of values and squares: sum x^2 = sum d^2 + 2 m sum x - n m^2 with x = m + d. */
static void add_sums(const block_sum *b, const double *values, const bool *used, size_t count,
                     omr_exact *sum, omr_exact *squares) {
  if (is_whole(b)) {
    omr_exact_add(sum, b->high);
    omr_exact_add(sum, b->low);
    omr_exact_add(squares, b->squares);
    omr_exact_add_product(squares, b->mean, b->high, 2);
    omr_exact_add_product(squares, b->mean, b->low, 2);
    omr_exact_add_product(squares, b->mean, b->mean, -(int)b->used);
    return;
  }
  /* squares beyond the largest double */
  for (size_t i = 0; i < count; i++) {
    if (!used[i]) continue;
    omr_exact_add(sum, values[i]);
    omr_exact_add_product(squares, values[i], values[i], 1);
  }
}

/* Smallest and largest of a block, then where they are. */
static void take_extremes(omr_partial_column *c, const double *values, const bool *used,
                          size_t count, uint64_t first) {
  double min = HUGE_VAL, max = -HUGE_VAL;
  for (size_t i = 0; i < count; i++) {
    const double low = used[i] ? values[i] : HUGE_VAL, high = used[i] ? values[i] : -HUGE_VAL;
    min = low < min ? low : min;
    max = high > max ? high : max;
  }
  if (min > max) return;
  for (size_t i = 0; min <= c->min && i < count; i++)
    if (used[i] && values[i] == min) {
      omr_take_extreme(min, first + i, false, &c->min, &c->min_at);
      break;
    }
  for (size_t i = 0; max >= c->max && i < count; i++)
    if (used[i] && values[i] == max) {
      omr_take_extreme(max, first + i, true, &c->max, &c->max_at);
      break;
    }
}

/* Room of a thread for a block. */
typedef struct room {
  omr_pool memory;
  double *values, *deviations, *counted, *others; /* others: deviations of a second column */
  bool *used, *both;
} room;

static bool make_room(const omr_partial *s, room *r) {
  const size_t block = omr_partial_block(s->study);
  r->values = omr_pool_take(&r->memory, block, sizeof *r->values);
  r->deviations = omr_pool_take(&r->memory, block, sizeof *r->deviations);
  r->counted = omr_pool_take(&r->memory, block, sizeof *r->counted);
  r->others = omr_pool_take(&r->memory, block, sizeof *r->others);
  r->used = omr_pool_take(&r->memory, block, sizeof *r->used);
  r->both = omr_pool_take(&r->memory, block, sizeof *r->both);
  return !r->memory.failed;
}

/* Copies the values that count, and 0 for the others; how many are ok and have no value. */
static size_t gather(const double *values, const int8_t *codes, bool every, size_t count, room *r) {
  size_t missing = 0, used = 0;
  for (size_t i = 0; i < count; i++) {
    const bool counts = every || codes[i] == OMR_INSTANCE_OK, there = isfinite(values[i]);
    missing += counts && !there;
    r->used[i] = counts && there;
    r->values[i] = r->used[i] ? values[i] : 0;
    if (r->used[i]) r->counted[used++] = values[i];
  }
  return missing;
}

/* Adds a block to a column, of the whole or of a cell. */
static bool add_to_column(omr_partial_column *c, const block_sum *b, const room *r, size_t count,
                          size_t missing, uint64_t first) {
  c->used += b->used;
  c->without_value += missing;
  add_sums(b, r->values, r->used, count, &c->sum, &c->squares);
  take_extremes(c, r->values, r->used, count, first);
  return omr_sketch_add(&c->sketch, r->counted, b->used);
}

static void widen(omr_partial_column *c, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(values[i])) continue;
    c->least = omr_lower(c->least, values[i]);
    c->most = omr_higher(c->most, values[i]);
  }
}

static bool add_column(omr_partial *s, const taken *t, size_t column, room *r) {
  const double *values = t->b.at[column];
  omr_partial_column *whole = &s->columns[column];
  const size_t columns = s->frame->quantity_count;
  if (t->b.first == 0 && isfinite(values[0])) whole->first = values[0];

  for (piece p = before_first; next_piece(s, t, &p);) {
    /* the deviations of parameters are kept for their products */
    const size_t count = p.end - p.begin;
    const double *at = values + p.begin;
    const bool keeps = column < s->parameters && t->deviations;
    double *deviations = keeps ? t->deviations + column * t->b.count + p.begin : r->deviations;
    const size_t missing = gather(at, t->b.codes + p.begin, false, count, r);
    const block_sum b = sum_block(r->values, r->used, count, deviations);
    if (keeps) t->parameter_sums[column * t->pieces + p.number] = b;

    /* the whole, and the cell that the rows belong to */
    widen(whole, at, count);
    if (!add_to_column(whole, &b, r, count, missing, t->b.first + p.begin)) return false;
    if (!s->frame->cells.count) continue;
    omr_partial_column *cell = &s->cell_columns[p.cell * columns + column];
    if (!add_to_column(cell, &b, r, count, missing, t->b.first + p.begin)) return false;
  }

  return true;
}

/* CORRELATIONS */

static double dot(const double *a, const double *b, size_t count) {
  double sum[LANES] = {0}, total = 0;
  size_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (size_t l = 0; l < LANES; l++) sum[l] += a[i + l] * b[i + l];
  for (size_t l = 0; i + l < count; l++) sum[l] += a[i + l] * b[i + l];
  for (size_t l = 0; l < LANES; l++) total += sum[l];
  return total;
}

/* sum x y = sum d e + m_x sum y + m_y sum x - n m_x m_y with x = m_x + d, y = m_y + e. */
static void add_products(omr_partial_terms *pair, const block_sum *x, const block_sum *y,
                         double product) {
  omr_exact_add(&pair->product, product);
  omr_exact_add_product(&pair->product, x->mean, y->high, 1);
  omr_exact_add_product(&pair->product, x->mean, y->low, 1);
  omr_exact_add_product(&pair->product, y->mean, x->high, 1);
  omr_exact_add_product(&pair->product, y->mean, x->low, 1);
  omr_exact_add_product(&pair->product, x->mean, y->mean, -(int)x->used);
}

/* Adds a block whose rows do not all count for both. `own`: sums of the parameter's rows, x; y: of
 * the quantity's, r->values. */
static void add_apart(omr_partial_terms *pair, const block_sum *own, const double *x,
                      const int8_t *codes, const block_sum *y, room *r, size_t count) {
  omr_exact sum = {{0}, 0}, squares = {{0}, 0};

  /* what the block added to the parameter's sums, to the same bits */
  for (size_t i = 0; i < count; i++) r->both[i] = codes[i] == OMR_INSTANCE_OK && isfinite(x[i]);
  add_sums(own, x, r->both, count, &pair->x_apart, &pair->squares_apart);

  /* less the rows that count for both, about a mean of their own: nothing large cancels */
  for (size_t i = 0; i < count; i++) {
    r->both[i] = r->used[i] && isfinite(x[i]);
    r->counted[i] = r->both[i] ? x[i] : 0;
  }
  const block_sum b = sum_block(r->counted, r->both, count, r->others);
  add_sums(&b, r->counted, r->both, count, &sum, &squares);
  omr_exact_subtract(&pair->x_apart, &sum);
  omr_exact_subtract(&pair->squares_apart, &squares);

  /* their products */
  const double product = dot(r->others, r->deviations, count);
  if (is_whole(&b) && is_whole(y) && isfinite(product) && b.used == y->used) {
    add_products(pair, &b, y, product);
    return;
  }
  for (size_t i = 0; i < count; i++)
    if (r->both[i]) omr_exact_add_product(&pair->product, x[i], r->values[i], 1);
}

static const double *quantity_values(const omr_partial *s, const taken *t, size_t quantity) {
  const size_t observables = s->frame->quantity_count - s->parameters;
  return quantity < observables ? t->b.at[s->parameters + quantity]
                                : t->criteria + (quantity - observables) * t->b.count;
}

static bool is_every(const omr_partial *s, size_t quantity) {
  const size_t observables = s->frame->quantity_count - s->parameters;
  return quantity >= observables && s->frame->criteria[quantity - observables].expression->status;
}

static void add_pairs(omr_partial *s, const taken *t, size_t quantity, room *r) {
  const double *values = quantity_values(s, t, quantity);
  const bool every = is_every(s, quantity);
  for (piece p = before_first; next_piece(s, t, &p);) {
    const size_t count = p.end - p.begin;
    const int8_t *codes = t->b.codes + p.begin;
    gather(values + p.begin, codes, every, count, r);
    const block_sum y = sum_block(r->values, r->used, count, r->deviations);

    /* rows of the parameters are mostly the same */
    bool same = is_whole(&y);
    for (size_t i = 0; same && i < count; i++) same = r->used[i] == (codes[i] == OMR_INSTANCE_OK);

    for (size_t i = 0; i < s->parameters; i++) {
      omr_partial_terms *pair = &s->terms[quantity * s->parameters + i];
      const block_sum *x = &t->parameter_sums[i * t->pieces + p.number];
      const double product = dot(t->deviations + i * t->b.count + p.begin, r->deviations, count);
      if (same && is_whole(x) && isfinite(product) && x->used == y.used)
        add_products(pair, x, &y, product);
      else
        add_apart(pair, x, t->b.at[i] + p.begin, codes, &y, r, count);
    }
  }
}

/* ADDING */

static omr_status check_rows(const omr_partial *s, const taken *t, const omr_result *rows,
                             omr_error *error) {
  bool follows = rows->column_count == s->frame->quantity_count &&
                 t->b.first % omr_partial_block(s->study) == 0;
  for (size_t k = 0; follows && rows->numbers && k < t->b.count; k++)
    follows = rows->numbers[k] == t->b.first + k;
  return follows ? OMR_OK
                 : omr_fail(error, OMR_ERR_USAGE,
                            "sums take neighbouring rows from a multiple of %zu on",
                            omr_partial_block(s->study));
}

/* Columns, and room for truths and deviations. */
static bool open_taken(const omr_partial *s, const omr_result *rows, taken *t) {
  t->b.at = omr_pool_take(&t->memory, rows->column_count, sizeof *t->b.at);
  for (size_t c = 0; t->b.at && c < rows->column_count; c++) t->b.at[c] = rows->columns[c].values;
  for (piece p = before_first; next_piece(s, t, &p);) t->pieces++;
  t->criteria =
      omr_pool_take(&t->memory, s->frame->criterion_count * t->b.count, sizeof *t->criteria);
  if (s->measure == OMR_MEASURE_CORRELATION) {
    t->deviations = omr_pool_take(&t->memory, s->parameters * t->b.count, sizeof *t->deviations);
    t->parameter_sums =
        omr_pool_take(&t->memory, s->parameters * t->pieces, sizeof *t->parameter_sums);
  }
  return !t->memory.failed;
}

/* Criteria and columns, then what needs both. Every task has its own numbers, so that threads
 * change nothing. */
static bool add_all(omr_partial *s, const taken *t) {
  const size_t columns = s->frame->quantity_count, criteria = s->frame->criterion_count;
  const size_t quantities = s->measure == OMR_MEASURE_CORRELATION ? s->quantities : 0;
  bool good = true;
#pragma omp parallel num_threads(omr_team_usual()) if (t->b.count >= OMR_MANY)
  {
    room r = {0};
    double *row = omr_pool_take(&r.memory, columns + 1, sizeof *row);
    bool own = make_room(s, &r);

    /* criteria and columns */
#pragma omp for schedule(dynamic)
    for (size_t task = 0; task < columns + criteria; task++) {
      if (own && task < criteria)
        omr_count_criterion(s->frame, &t->b, task, row, t->criteria + task * t->b.count);
      if (own && task >= criteria) own = add_column(s, t, task - criteria, &r);
    }

    /* products, of which criteria are a part */
#pragma omp for schedule(dynamic)
    for (size_t q = 0; q < quantities; q++)
      if (own) add_pairs(s, t, q, &r);

    if (!own) {
#pragma omp atomic write
      good = false;
    }
    omr_pool_free(&r.memory);
  }
  return good;
}

static omr_status add_groups(omr_partial *s, const taken *t, const omr_result *rows,
                             omr_error *error) {
  const double **values = calloc(s->quantities + 1, sizeof *values);
  if (!values) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for sums");
  for (size_t q = 0; q < s->quantities; q++) values[q] = quantity_values(s, t, q);
  const omr_status status = omr_partial_add_groups(s, rows, t->b.first, values, error);
  free(values);
  return status;
}

omr_status omr_partial_add(omr_partial *s, const omr_result *rows, omr_error *error) {
  taken t = {.b = {.count = rows->instances, .codes = rows->status, .times = rows->status_time}};
  if (rows->instances == 0) return OMR_OK;
  if (rows->numbers) t.b.first = rows->numbers[0];
  omr_status status = check_rows(s, &t, rows, error);
  if (status != OMR_OK) return status;

  /* counts, columns and row groups */
  const bool opened = open_taken(s, rows, &t);
  s->rows += t.b.count;
  if (opened) omr_count_rows(s->frame, &t.b);
  if (!opened || !add_all(s, &t))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for sums");
  if (status == OMR_OK) status = add_groups(s, &t, rows, error);

  omr_pool_free(&t.memory);
  return status;
}
