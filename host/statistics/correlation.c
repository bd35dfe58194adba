/* Linear correlation of every varied parameter with every observable; rank_correlation.c has the ranks. */
#include "correlation.h"

#include "../study/parse.h"

#include <math.h>
#include <stdlib.h>

/* Sums of Welford's kind, in row order. */
typedef struct moment {
  double mean, squares;
} moment;
typedef struct range {
  double low, high;
} range;
typedef struct pair {
  moment parameter; /* of the rows in which the quantity has a value */
  double product;
} pair;

typedef struct work {
  omr_sensitivity *table;
  omr_groups rows;
  double *parameters; /* [parameters][block] */
  double *quantities; /* [quantities][block] */
  range *ranges;      /* [quantities] */
  moment *quantity;   /* [quantities] */
  pair *pairs;        /* [quantities][parameters] */
} work;

static omr_status open_work(work *w, omr_sensitivity *table, omr_source *source, omr_error *error) {
  OMR_TRY(omr_groups_open(&w->rows, source, 1, table->block_rows, error));
  w->table = table;
  w->parameters = calloc(table->parameters * w->rows.block, sizeof *w->parameters);
  w->quantities = malloc((table->quantities * w->rows.block + 1) * sizeof *w->quantities);
  w->quantity = calloc(table->quantities + 1, sizeof *w->quantity);
  w->ranges = calloc(table->quantities + 1, sizeof *w->ranges);
  w->pairs = calloc(table->quantities * table->parameters + 1, sizeof *w->pairs);
  if (w->parameters && w->quantities && w->quantity && w->ranges && w->pairs) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the correlations of %zu parameters", table->parameters);
}

static void close_work(work *w) {
  omr_groups_close(&w->rows);
  free(w->parameters);
  free(w->quantities);
  free(w->quantity);
  free(w->ranges);
  free(w->pairs);
}

/* Adds a row; the difference from the new mean. */
static double add(moment *m, double value, double count) {
  const double difference = value - m->mean;
  m->mean += difference / count;
  m->squares += difference * (value - m->mean);
  return value - m->mean;
}

/* Equal values keep their mean to the last bit, so that constants have squares of exactly 0. */
static void add_row(work *w, size_t quantity, size_t row, double y) {
  const double count = (double)++w->table->used[quantity];
  const double before = w->quantity[quantity].mean;
  range *r = &w->ranges[quantity];
  *r = count == 1 ? (range){y, y} : (range){fmin(r->low, y), fmax(r->high, y)};
  add(&w->quantity[quantity], y, count);
  pair *pairs = w->pairs + omr_sensitivity_at(w->table, quantity, 0);
  for (size_t i = 0; i < w->table->parameters; i++)
    pairs[i].product += (y - before) * add(&pairs[i].parameter, w->parameters[i * w->rows.block + row], count);
}

static void add_quantity(work *w, size_t q) {
  const double *values = w->quantities + q * w->rows.block;
  for (size_t row = 0; row < w->rows.here; row++)
    if (isfinite(values[row]) && (w->table->every[q] || w->rows.group_status[row] == OMR_INSTANCE_OK))
      add_row(w, q, row, values[row]);
}

/* Quantities by themselves, each in the order of the rows, so that threads change nothing. */
static omr_status add_block(work *w, omr_error *error) {
  const omr_source *source = w->rows.source;
  OMR_TRY(omr_source_read_columns(w->rows.source, 0, w->table->parameters, w->rows.first, w->rows.here, w->parameters,
                                  w->rows.block, error));
  OMR_TRY(omr_source_read_columns(w->rows.source, source->parameters, w->table->quantities, w->rows.first, w->rows.here,
                                  w->quantities, w->rows.block, error));
#pragma omp parallel for schedule(dynamic)
  for (size_t q = 0; q < w->table->quantities; q++) add_quantity(w, q);
  return OMR_OK;
}

omr_estimate omr_fisher_interval(double r, size_t count, double confidence, bool ranks) {
  if (!(fabs(r) < 1)) return (omr_estimate){r, r, r};
  if (count < 4) return (omr_estimate){r, (double)NAN, (double)NAN};
  const double variance = (ranks ? 1 + r * r / 2 : 1) / ((double)count - 3);
  const double z = atanh(r), width = omr_normal_quantile((1 + confidence) / 2) * sqrt(variance);
  return (omr_estimate){r, tanh(z - width), tanh(z + width)};
}

static void fill(work *w, size_t quantity) {
  omr_sensitivity *table = w->table;
  const size_t n = table->used[quantity];
  const bool constant = omr_is_one_value(w->ranges[quantity].low, w->ranges[quantity].high);
  for (size_t i = 0; i < table->parameters; i++) {
    const size_t at = omr_sensitivity_at(table, quantity, i);
    const double y = w->quantity[quantity].squares, x = w->pairs[at].parameter.squares;
    if (n < 2 || constant || x == 0) {
      omr_sensitivity_none(table, quantity, i, n < 2 ? OMR_REASON_FEW : constant ? OMR_REASON_CONSTANT : OMR_REASON_FIXED);
      continue;
    }
    const double r = fmin(fmax(w->pairs[at].product / (sqrt(x) * sqrt(y)), -1), 1);
    table->estimates[0][at] = omr_fisher_interval(r, n, table->confidence, false);
  }
}

omr_status omr_correlations(omr_sensitivity *table, const omr_study *study, omr_source *source, omr_error *error) {
  work w = {0};
  bool more = true;
  omr_status status = open_work(&w, table, source, error);
  for (size_t first = 0; status == OMR_OK && more; first += w.rows.here) {
    status = omr_groups_block(&w.rows, first, &more, error);
    if (status == OMR_OK && more) status = add_block(&w, error);
  }
  if (status == OMR_OK) status = omr_rank_correlations(table, study->seed, source, error);
  for (size_t q = 0; status == OMR_OK && q < table->quantities; q++) fill(&w, q);
  close_work(&w);
  return status;
}
