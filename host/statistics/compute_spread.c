/* Second pass over the rows: quantiles and histograms, which need the range of the values. */
#include "../support/team.h"
#include "select.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 65536 };

/* Equal bins from the smallest to the largest value; a single value gets a bin around it. */
void omr_set_edges(omr_quantity *quantity, int bins) {
  double low = quantity->moments.min, high = quantity->moments.max;
  if (low == high) {
    const double half = low == 0.0 ? 0.5 : fabs(low) / 2;
    low -= half;
    high += half;
  }
  const double step = high / bins - low / bins;
  for (int e = 0; e < bins; e++) quantity->edges[e] = low + e * step;
  quantity->edges[bins] = high;
}

/* A bin holds its lower edge, the last one its upper edge too. The edges decide where the division
 * rounds across one. */
static int bin_of(const double *edges, int bins, double width, double value) {
  const double at = (value - edges[0]) / width;
  int bin = !(at > 0) ? 0 : at >= bins ? bins - 1 : (int)at;
  while (bin > 0 && value < edges[bin]) bin--;
  while (bin + 1 < bins && value >= edges[bin + 1]) bin++;
  return bin;
}

/* A pass over one column. The keys of the whole column are kept if they fit, else the keys of one
 * cell. */
typedef struct column_pass {
  size_t column;
  uint64_t *keys, *scratch, *sorted; /* [capacity] */
  size_t count, capacity;
  size_t cell, cell_start; /* the cell of the last keys; where they start */
  bool whole;              /* all keys fit */
  bool cells;              /* the keys of one cell fit */
} column_pass;

typedef struct spread {
  omr_statistics *s;
  size_t first, count; /* rows of the block */
  int8_t *codes;
  double *room;      /* [columns of the group][BLOCK]: buffers for rows that are not in memory */
  const double **at; /* [columns of the group]: the values */
} spread;

static void finish_cell(omr_statistics *s, column_pass *p) {
  const size_t count = p->count - p->cell_start;
  if (s->cells.count == 0 || !p->cells) return;
  double *quantiles =
      s->cells.quantiles + (p->cell * s->quantity_count + p->column) * s->quantile_count;
  omr_quantiles_of_keys(p->keys + p->cell_start, count, p->scratch, p->sorted, s->levels,
                        s->quantile_count, quantiles);
  if (p->whole)
    p->cell_start = p->count;
  else
    p->count = 0;
}

static void add_bin(omr_statistics *s, size_t column, size_t cell, double width, double value) {
  omr_quantity *quantity = &s->quantities[column];
  const size_t bin = (size_t)bin_of(quantity->edges, s->bins, width, value);
  quantity->histogram[bin]++;
  if (s->cells.histogram)
    s->cells.histogram[(cell * s->quantity_count + column) * (size_t)s->bins + bin]++;
}

static void add_column(const spread *a, column_pass *p, const double *values) {
  omr_statistics *s = a->s;
  const double *edges = s->quantities[p->column].edges,
               width = s->bins ? edges[s->bins] / s->bins - edges[0] / s->bins : 0;
  for (size_t i = 0; i < a->count; i++) {
    const size_t cell = s->cells.count ? (a->first + i) / s->cells.per_cell : 0;
    if (cell != p->cell) {
      finish_cell(s, p);
      p->cell = cell;
    }
    if (a->codes[i] != OMR_INSTANCE_OK || !isfinite(values[i])) continue;
    if (s->bins) add_bin(s, p->column, cell, width, values[i]);
    if (p->whole || p->cells) p->keys[p->count++] = omr_key_of(values[i]);
  }
}

static void finish_column(omr_statistics *s, column_pass *p) {
  finish_cell(s, p);
  if (!p->whole) return;
  omr_quantiles_of_keys(p->keys, p->count, p->scratch, p->keys, s->levels, s->quantile_count,
                        s->quantities[p->column].quantiles);
}

/* values: at most so many of a column are kept. */
static void open_pass(const omr_statistics *s, size_t column, size_t values, omr_pool *memory,
                      column_pass *p) {
  *p = (column_pass){.column = column};
  p->whole = s->quantile_count > 0 && s->rows <= values;
  p->cells = s->quantile_count > 0 && s->cells.count > 0 && s->cells.per_cell <= values;
  p->capacity = p->whole ? s->rows : p->cells ? s->cells.per_cell : 0;
  p->keys = omr_pool_take(memory, p->capacity, sizeof *p->keys);
  p->scratch = omr_pool_take(memory, p->capacity, sizeof *p->scratch);
  p->sorted = omr_pool_take(memory, p->cells ? s->cells.per_cell : 0, sizeof *p->sorted);
}

static omr_status read_group(spread *a, omr_source *source, const column_pass *passes, size_t group,
                             omr_error *error) {
  omr_status status = source->ops->status(source, a->first, a->count, a->codes, NULL, error);
  if (status == OMR_OK)
    status =
        omr_source_columns(source, (omr_table_block){passes[0].column, group, a->first, a->count},
                           a->room, BLOCK, a->at, error);
  return status;
}

static omr_status pass_group(spread *a, omr_source *source, column_pass *passes, size_t group,
                             omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t first = 0; status == OMR_OK && first < source->rows; first += BLOCK) {
    a->first = first;
    a->count = source->rows - first < BLOCK ? source->rows - first : BLOCK;
    status = read_group(a, source, passes, group, error);
    if (status != OMR_OK) return status;
#pragma omp parallel for schedule(dynamic) num_threads(omr_team_usual())
    for (long g = 0; g < (long)group; g++) add_column(a, &passes[g], a->at[g]);
  }
#pragma omp parallel for schedule(dynamic) num_threads(omr_team_usual())
  for (long g = 0; g < (long)group; g++) finish_column(a->s, &passes[g]);
  return OMR_OK;
}

/* Runs the columns first .. first+group-1 together. */
static omr_status run_group(omr_statistics *s, omr_source *source, size_t first, size_t group,
                            size_t memory, omr_error *error) {
  omr_pool pool = {0};
  spread a = {.s = s,
              .codes = omr_pool_take(&pool, BLOCK, sizeof *a.codes),
              .room = omr_pool_take(&pool, group * BLOCK, sizeof *a.room),
              .at = omr_pool_take(&pool, group, sizeof *a.at)};
  column_pass *passes = omr_pool_take(&pool, group, sizeof *passes);
  for (size_t g = 0; passes && g < group; g++) open_pass(s, first + g, memory, &pool, &passes[g]);
  const omr_status status = pool.failed
                                ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for quantiles")
                                : pass_group(&a, source, passes, group, error);
  omr_pool_free(&pool);
  return status;
}

/* Quantiles of a column, or of cells, that do not fit into memory. */
static omr_status run_large(omr_statistics *s, omr_source *source, size_t column, size_t memory,
                            omr_error *error) {
  const omr_cells *c = &s->cells;
  omr_quantity *quantity = &s->quantities[column];
  omr_status status = OMR_OK;

  /* the whole column, in several passes */
  if (s->rows > memory)
    status = omr_quantiles_of_source(
        source,
        &(omr_ranked){
            .column = column, .last = s->rows, .used = quantity->moments.used, .memory = memory},
        s->levels, s->quantile_count, quantity->quantiles, error);

  /* each cell by itself */
  if (c->count == 0 || c->per_cell <= memory) return status;
  for (size_t cell = 0; status == OMR_OK && cell < c->count; cell++) {
    const size_t at = cell * s->quantity_count + column, first = cell * c->per_cell,
                 left = s->rows - first;
    const omr_ranked rows = {.column = column,
                             .first = first,
                             .last = first + (left < c->per_cell ? left : c->per_cell),
                             .used = c->moments[at].used,
                             .memory = memory};
    status = omr_quantiles_of_source(source, &rows, s->levels, s->quantile_count,
                                     c->quantiles + at * s->quantile_count, error);
  }
  return status;
}

/* Number of columns held at once: as many of the largest size as fit into memory, at most 16. */
static size_t group_size(const omr_statistics *s, size_t memory) {
  const size_t each = s->rows < memory ? s->rows : memory, fit = each ? memory / each : 1;
  return fit < 1 ? 1 : fit > 16 ? 16 : fit;
}

omr_status omr_statistics_spread(omr_statistics *statistics, omr_source *source, size_t memory,
                                 omr_error *error) {
  omr_statistics *s = statistics;
  omr_status status = OMR_OK;

  for (size_t q = 0; q < s->quantity_count; q++) {
    omr_quantity *quantity = &s->quantities[q];
    for (size_t l = 0; l < s->quantile_count; l++) quantity->quantiles[l] = (double)NAN;
    memset(quantity->histogram, 0, (size_t)s->bins * sizeof *quantity->histogram);
    if (s->bins) omr_set_edges(quantity, s->bins);
  }

  for (size_t i = 0; i < s->cells.count * s->quantity_count * s->quantile_count; i++)
    s->cells.quantiles[i] = (double)NAN;
  if (s->quantile_count == 0 && s->bins == 0) return OMR_OK;

  /* columns that fit are read in groups */
  const size_t group = group_size(s, memory);
  for (size_t q = 0; status == OMR_OK && q < s->quantity_count; q += group) {
    const size_t left = s->quantity_count - q;
    status = run_group(s, source, q, left < group ? left : group, memory, error);
  }

  /* the others need several passes each */
  for (size_t q = 0; status == OMR_OK && q < s->quantity_count; q++)
    status = run_large(s, source, q, memory, error);
  return status;
}
