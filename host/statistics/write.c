/* The group /statistics: one variable per kind of number, over the dimensions quantity, quantile,
 * bin, criterion, status and cell, so that xarray opens it as one Dataset. Units differ between
 * quantities and stand in the variable `unit`. */
#include "../result/hdf5_file.h"
#include "answer.h"
#include "outcome.h"
#include "statistics.h"
#include "step_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
  omr_hdf5 *h5;
  hid_t group;
  const omr_statistics *s;
  omr_hdf5_scale quantity, quantile, bin, edge, criterion, status, cell;
} writer;

static omr_hdf5_scale word_scale(writer *w, const char *name, const char *meaning, size_t count,
                                 const char *const *words) {
  return (omr_hdf5_scale){
      omr_hdf5_words(w->h5, w->group, (omr_hdf5_name){name, NULL, meaning}, NULL, count, words),
      count};
}

static void word_variable(writer *w, const char *name, const char *meaning,
                          const omr_hdf5_scale *scale, size_t count, const char *const *words) {
  const hid_t dataset =
      omr_hdf5_words(w->h5, w->group, (omr_hdf5_name){name, NULL, meaning}, scale, count, words);
  if (dataset >= 0) H5Dclose(dataset);
}

static void variable(writer *w, const char *name, const char *unit, const char *meaning, hid_t type,
                     int rank, const omr_hdf5_scale *scales, const void *values) {
  if (w->h5->failed) return;
  const hid_t dataset = omr_hdf5_variable(w->h5, w->group, (omr_hdf5_name){name, unit, meaning},
                                          type, rank, scales, values);
  if (dataset >= 0) H5Dclose(dataset);
}

/* DIMENSIONS */

static void open_quantity(writer *w, const char **words) {
  const omr_statistics *s = w->s;
  for (size_t q = 0; q < s->quantity_count; q++) words[q] = s->quantities[q].name;
  w->quantity =
      word_scale(w, "quantity", "varied parameters, then observables", s->quantity_count, words);
  for (size_t q = 0; q < s->quantity_count; q++) words[q] = s->quantities[q].unit;
  word_variable(w, "unit", "unit of the quantity's values", &w->quantity, s->quantity_count, words);
  for (size_t q = 0; q < s->quantity_count; q++) words[q] = s->quantities[q].meaning;
  word_variable(w, "meaning", "what the quantity is", &w->quantity, s->quantity_count, words);
}

static void open_criterion(writer *w, const char **words) {
  const omr_statistics *s = w->s;
  if (s->criterion_count == 0) return;
  for (size_t c = 0; c < s->criterion_count; c++) words[c] = s->criteria[c].name;
  w->criterion = word_scale(w, "criterion", "criterion whose probability is estimated",
                            s->criterion_count, words);
  for (size_t c = 0; c < s->criterion_count; c++) words[c] = s->criteria[c].text;
  word_variable(w, "criterion_text", "the criterion as written", &w->criterion, s->criterion_count,
                words);
}

static void open_status(writer *w) {
#define X(id, code, name, ...) name,
  static const char *const names[] = {
#include "../lists/statuses.def"
  };
#undef X
  w->status =
      word_scale(w, "status", "what became of the instance", OMR_INSTANCE_STATUS_COUNT, names);
}

static omr_hdf5_scale counted(writer *w, const char *name, const char *meaning, size_t count) {
  uint64_t *numbers = malloc((count + 1) * sizeof *numbers);
  if (!numbers) {
    omr_hdf5_refuse_dataset(w->h5, name, "out of memory");
    return (omr_hdf5_scale){-1, 0};
  }
  for (size_t i = 0; i < count; i++) numbers[i] = i;
  const omr_hdf5_scale scale = omr_hdf5_scale_make(
      w->h5, w->group, (omr_hdf5_name){name, NULL, meaning}, H5T_NATIVE_UINT64, count, numbers);
  free(numbers);
  return scale;
}

static void open_dimensions(writer *w, const char **words) {
  const omr_statistics *s = w->s;
  open_quantity(w, words);
  open_criterion(w, words);
  open_status(w);
  if (s->quantile_count)
    w->quantile = omr_hdf5_scale_make(
        w->h5, w->group, (omr_hdf5_name){"quantile", "1", "probability of a smaller value"},
        H5T_NATIVE_DOUBLE, s->quantile_count, s->levels);
  if (s->bins) w->bin = counted(w, "bin", "bin of the histograms", (size_t)s->bins);
  if (s->bins) w->edge = counted(w, "edge", "edge between bins", (size_t)s->bins + 1);
  if (s->cells.count)
    w->cell =
        counted(w, "cell", "cell of the nested design: instance div per_cell", s->cells.count);
}

static void close_dimensions(writer *w) {
  omr_hdf5_scale *const scales[] = {&w->quantity,  &w->quantile, &w->bin, &w->edge,
                                    &w->criterion, &w->status,   &w->cell};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) omr_hdf5_scale_close(scales[i]);
}

/* NUMBERS: of all instances (cells 1, prefix "") or of each cell (prefix "cell_"). */

typedef struct part {
  const char *prefix;
  size_t cells;
  int rank; /* of a variable over quantities */
  omr_hdf5_scale scales[2], criterion_scales[2];
} part;

static part part_of(const writer *w, bool cells) {
  if (!cells) return (part){"", 1, 1, {w->quantity}, {w->criterion}};
  return (part){"cell_", w->s->cells.count, 2, {w->cell, w->quantity}, {w->cell, w->criterion}};
}

static const omr_moments *moments_at(const omr_statistics *s, bool cells, size_t i) {
  return cells ? &s->cells.moments[i] : &s->quantities[i].moments;
}

typedef enum number {
  USED,
  WITHOUT,
  MIN,
  MAX,
  MEAN,
  VARIANCE,
  DEVIATION,
  ERROR,
  LOW,
  HIGH,
  NUMBERS
} number;

static double number_of(const omr_statistics *s, const omr_moments *m, number which) {
  switch (which) {
  case USED: return (double)m->used;
  case WITHOUT: return (double)m->without_value;
  case MIN: return m->min;
  case MAX: return m->max;
  case MEAN: return m->mean;
  case VARIANCE: return omr_variance_of(m);
  case DEVIATION: return omr_deviation_of(m);
  case ERROR: return omr_standard_error_of(m);
  case LOW: return omr_mean_bounds(m, s->confidence).low;
  default: return omr_mean_bounds(m, s->confidence).high;
  }
}

/* Counts are whole numbers in the file too. */
static void write_counts(writer *w, const part *p, bool cells, const char *name,
                         const char *meaning, number which, uint64_t *counts) {
  for (size_t i = 0; i < p->cells * w->s->quantity_count; i++) {
    const omr_moments *m = moments_at(w->s, cells, i);
    counts[i] = which == USED ? m->used : m->without_value;
  }
  variable(w, name, NULL, meaning, H5T_NATIVE_UINT64, p->rank, p->scales, counts);
}

static void write_moments(writer *w, bool cells) {
  static const struct {
    const char *name, *meaning;
  } kinds[NUMBERS] = {{"used", "ok instances with a value, which the numbers are of"},
                      {"without_value", "ok instances without a value, left out"},
                      {"min", "smallest value"},
                      {"max", "largest value"},
                      {"mean", "mean"},
                      {"variance", "variance of the population (n - 1)"},
                      {"standard_deviation", "standard deviation of the population (n - 1)"},
                      {"standard_error", "standard error of the mean"},
                      {"mean_low", "lower end of the mean's confidence interval, Student's t"},
                      {"mean_high", "upper end of the mean's confidence interval, Student's t"}};

  const part p = part_of(w, cells);
  const size_t count = p.cells * w->s->quantity_count;
  double *values = malloc((count + 1) * sizeof *values);
  uint64_t *counts = malloc((count + 1) * sizeof *counts);
  if (!values || !counts) omr_hdf5_refuse(w->h5, "write statistics", "out of memory");
  for (number which = 0; which < NUMBERS && !w->h5->failed; which++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", p.prefix, kinds[which].name);
    if (which <= WITHOUT) {
      write_counts(w, &p, cells, name, kinds[which].meaning, which, counts);
      continue;
    }

    for (size_t i = 0; i < count; i++)
      values[i] = number_of(w->s, moments_at(w->s, cells, i), which);
    variable(w, name, NULL, kinds[which].meaning, H5T_NATIVE_DOUBLE, p.rank, p.scales, values);
  }

  free(values);
  free(counts);
}

/* Writes [quantity][length] from the arrays of the quantities. */
static void write_gathered(writer *w, const char *name, const char *meaning, hid_t type,
                           const omr_hdf5_scale *along, const void *(*of)(const omr_quantity *)) {
  const omr_statistics *s = w->s;
  const size_t bytes = (size_t)along->length * 8;
  char *values = malloc(s->quantity_count * bytes + 1);
  if (!values) omr_hdf5_refuse_dataset(w->h5, name, "out of memory");
  for (size_t q = 0; values && q < s->quantity_count; q++)
    memcpy(values + q * bytes, of(&s->quantities[q]), bytes);
  const omr_hdf5_scale scales[2] = {w->quantity, *along};
  variable(w, name, NULL, meaning, type, 2, scales, values);
  free(values);
}

static const void *quantiles_of(const omr_quantity *quantity) {
  return quantity->quantiles;
}

static const void *edges_of(const omr_quantity *quantity) {
  return quantity->edges;
}

static const void *histogram_of(const omr_quantity *quantity) {
  return quantity->histogram;
}

static void write_spread(writer *w) {
  const omr_statistics *s = w->s;
  const omr_hdf5_scale over_quantiles[3] = {w->cell, w->quantity, w->quantile},
                       over_bins[3] = {w->cell, w->quantity, w->bin};

  /* quantiles and histograms of all instances */
  if (s->quantile_count)
    write_gathered(w, "quantiles", "quantiles, interpolated between order statistics",
                   H5T_NATIVE_DOUBLE, &w->quantile, quantiles_of);

  if (s->bins)
    write_gathered(w, "histogram_edges", "edges of the bins", H5T_NATIVE_DOUBLE, &w->edge,
                   edges_of);

  if (s->bins)
    write_gathered(w, "histogram", "number of values in the bin, its lower edge included",
                   H5T_NATIVE_UINT64, &w->bin, histogram_of);

  /* and of each cell */
  if (s->cells.count && s->quantile_count)
    variable(w, "cell_quantiles", NULL, "quantiles in the cell", H5T_NATIVE_DOUBLE, 3,
             over_quantiles, s->cells.quantiles);

  if (s->cells.histogram)
    variable(w, "cell_histogram", NULL,
             "number of values of the cell in the bin, edges as for the whole", H5T_NATIVE_UINT64,
             3, over_bins, s->cells.histogram);
}

static const void *errors_of(const omr_quantity *quantity) {
  return quantity->quantile_errors;
}

/* The first instances of each way to fail, and when the earliest did. */
static void write_first_failed(writer *w) {
  const omr_statistics *s = w->s;
  enum { NUMBERS_OF_ALL = OMR_INSTANCE_STATUS_COUNT * OMR_FAILED_NUMBERS };
  omr_hdf5_scale scales[2] = {
      w->status,
      counted(w, "failed_number", "first, second, ... of the status", OMR_FAILED_NUMBERS)};
  int64_t numbers[NUMBERS_OF_ALL];
  double earliest[OMR_INSTANCE_STATUS_COUNT];
  for (int i = 0; i < NUMBERS_OF_ALL; i++) {
    const uint64_t number = s->failed[i / OMR_FAILED_NUMBERS][i % OMR_FAILED_NUMBERS];
    numbers[i] = number == UINT64_MAX ? -1 : (int64_t)number;
  }
  for (int i = 0; i < OMR_INSTANCE_STATUS_COUNT; i++)
    earliest[i] = isfinite(s->earliest[i]) ? s->earliest[i] : (double)NAN;
  variable(w, "failed_instances", NULL, "first instances of the status, -1 for none",
           H5T_NATIVE_INT64, 2, scales, numbers);
  variable(w, "earliest", "s", "when the first of the status ended", H5T_NATIVE_DOUBLE, 1,
           &w->status, earliest);
  omr_hdf5_scale_close(&scales[1]);
}

/* Of rows that are not kept: the instances of extremes and failures, how far off quantiles from
 * bins can be. */
static void write_unkept(writer *w) {
  const omr_statistics *s = w->s;
  uint64_t *numbers = malloc((s->quantity_count + 1) * sizeof *numbers);
  if (!numbers) return omr_hdf5_refuse(w->h5, "write statistics", "out of memory");
  omr_hdf5_integer(w->h5, w->group, "kept_rows", (int64_t)s->kept);
  for (size_t q = 0; q < s->quantity_count; q++) numbers[q] = s->quantities[q].min_at;
  variable(w, "min_instance", NULL, "instance with the smallest value", H5T_NATIVE_UINT64, 1,
           &w->quantity, numbers);
  for (size_t q = 0; q < s->quantity_count; q++) numbers[q] = s->quantities[q].max_at;
  variable(w, "max_instance", NULL, "instance with the largest value", H5T_NATIVE_UINT64, 1,
           &w->quantity, numbers);
  free(numbers);
  if (s->quantile_count)
    write_gathered(w, "quantile_errors", "how far off the quantile can be, as it is from bins",
                   H5T_NATIVE_DOUBLE, &w->quantile, errors_of);
  write_first_failed(w);
}

static uint64_t count_of(const omr_criterion_counts *counts, int which) {
  switch (which) {
  case 0: return counts->met;
  case 1: return counts->not_met;
  case 2: return counts->unknown;
  default: return counts->left_out;
  }
}

static void write_criterion_counts(writer *w, const part *p, const omr_criterion_counts *counts,
                                   uint64_t *numbers) {
  static const char *const names[] = {"met", "not_met", "unknown", "left_out"};
  static const char *const meanings[] = {
      "instances that meet the criterion", "instances that do not",
      "instances that lack a value that decides",
      "instances whose status is not ok, where the criterion does not mention the status"};
  for (int which = 0; which < 4; which++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", p->prefix, names[which]);
    for (size_t i = 0; i < p->cells * w->s->criterion_count; i++)
      numbers[i] = count_of(&counts[i], which);
    variable(w, name, NULL, meanings[which], H5T_NATIVE_UINT64, p->rank, p->criterion_scales,
             numbers);
  }
}

static void write_probabilities(writer *w, const part *p, const omr_criterion_counts *counts,
                                double *values) {
  static const char *const names[] = {"probability", "probability_low", "probability_high"};
  static const char *const meanings[] = {
      "part of the instances that meet the criterion, of those that do or do not",
      "lower end of the probability's confidence interval",
      "upper end of the probability's confidence interval"};
  const omr_statistics *s = w->s;

  /* the share that meets each criterion, and its bounds */
  for (int which = 0; which < 3; which++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", p->prefix, names[which]);

    for (size_t i = 0; i < p->cells * s->criterion_count; i++) {
      const omr_bounds bounds = omr_probability_bounds(
          s->interval, counts[i].met, counts[i].met + counts[i].not_met, s->confidence);
      values[i] = which == 0   ? omr_probability_of(&counts[i])
                  : which == 1 ? bounds.low
                               : bounds.high;
    }

    variable(w, name, "1", meanings[which], H5T_NATIVE_DOUBLE, p->rank, p->criterion_scales,
             values);
  }
}

static void write_criteria(writer *w, bool cells) {
  const omr_statistics *s = w->s;
  const part p = part_of(w, cells);
  const size_t count = p.cells * s->criterion_count;
  omr_criterion_counts *counts = malloc((count + 1) * sizeof *counts);
  uint64_t *numbers = malloc((count + 1) * sizeof *numbers);
  double *values = malloc((count + 1) * sizeof *values);
  if (!counts || !numbers || !values) {
    omr_hdf5_refuse(w->h5, "write criteria", "out of memory");
  } else {
    for (size_t i = 0; i < count; i++)
      counts[i] = cells ? s->cells.criteria[i] : s->criteria[i].counts;
    write_criterion_counts(w, &p, counts, numbers);
    write_probabilities(w, &p, counts, values);
  }
  free(counts);
  free(numbers);
  free(values);
}

/* Writes the values of the grid's parameters in each cell, as coordinates of the dimension. */
static void write_design(writer *w) {
  const omr_cells *c = &w->s->cells;
  double *values = malloc((c->count + 1) * sizeof *values);
  if (!values) omr_hdf5_refuse(w->h5, "write cells", "out of memory");
  for (size_t d = 0; d < c->design_count && !w->h5->failed; d++) {
    const omr_quantity *quantity = &w->s->quantities[c->design[d]];
    const omr_hdf5_name name = {quantity->name, quantity->unit, quantity->meaning};
    for (size_t i = 0; i < c->count; i++) values[i] = c->values[i * c->design_count + d];
    const hid_t dataset =
        omr_hdf5_variable(w->h5, w->group, name, H5T_NATIVE_DOUBLE, 1, &w->cell, values);
    omr_hdf5_text(w->h5, dataset, "role", "design");
    if (dataset >= 0) H5Dclose(dataset);
  }
  free(values);
}

static void write_attributes(writer *w) {
  const omr_statistics *s = w->s;
  omr_hdf5_number(w->h5, w->group, "confidence", s->confidence);
  omr_hdf5_text(w->h5, w->group, "interval", omr_interval_names[s->interval]);
  omr_hdf5_text(w->h5, w->group, "interval_note",
                "two-sided: each side is exceeded with probability (1 - confidence)/2, also where "
                "none or all meet a criterion");
  omr_hdf5_text(w->h5, w->group, "independence", s->independence);
  if (s->cells.count) omr_hdf5_integer(w->h5, w->group, "per_cell", (int64_t)s->cells.per_cell);
}

static void write_numbers(writer *w) {
  const omr_statistics *s = w->s;
  const omr_hdf5_scale statuses[2] = {w->cell, w->status};
  variable(w, "instances", NULL, "number of instances by their status", H5T_NATIVE_UINT64, 1,
           &w->status, s->by_status);
  write_moments(w, false);
  if (s->criterion_count) write_criteria(w, false);
  if (s->cells.count) {
    write_design(w);
    variable(w, "cell_instances", NULL, "number of instances of the cell by their status",
             H5T_NATIVE_UINT64, 2, statuses, s->cells.by_status);
    write_moments(w, true);
    if (s->criterion_count) write_criteria(w, true);
  }
  write_spread(w);
  if (s->no_rows) write_unkept(w);
}

void omr_statistics_write(const omr_statistics *statistics, omr_hdf5 *h5) {
  const size_t most = statistics->quantity_count + statistics->criterion_count + 1;
  const omr_hdf5_scale none = {-1, 0};
  const char **words = calloc(most, sizeof *words);
  writer w = {h5,  omr_hdf5_group(h5, "statistics"), statistics, none, none, none, none, none, none,
              none};
  if (!words) omr_hdf5_refuse(h5, "write statistics", "out of memory");
  if (!h5->failed && statistics->quantity_count > 0) {
    write_attributes(&w);
    open_dimensions(&w, words);
    if (!h5->failed) write_numbers(&w);
    close_dimensions(&w);
  }
  if (w.group >= 0) H5Gclose(w.group);
  if (!h5->failed && statistics->sensitivity) omr_sensitivity_write(statistics->sensitivity, h5);
  omr_step_error_write(statistics, h5);
  if (!h5->failed) omr_answer_write(statistics, h5);
  omr_outcome_write(statistics->outcome, h5);
  free(words);
}
