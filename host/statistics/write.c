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

static void variable(writer *w, const char *name, const char *unit, const char *meaning, hid_t type,
                     int rank, const omr_hdf5_scale *scales, const void *values) {
  omr_hdf5_put_variable(w->h5, w->group, (omr_hdf5_name){name, unit, meaning}, type, rank, scales,
                        values);
}

/* The quantities, or the criteria, with a variable along `scale` for each field. */
static omr_structures quantities_of(const writer *w, const omr_hdf5_scale *scale) {
  const omr_statistics *s = w->s;
  return (omr_structures){w->group, s->quantities, s->quantity_count, sizeof *s->quantities, 0,
                          1,        scale};
}

static omr_structures criteria_of(const writer *w, const omr_hdf5_scale *scale) {
  const omr_statistics *s = w->s;
  return (omr_structures){w->group, s->criteria, s->criterion_count, sizeof *s->criteria, 0,
                          1,        scale};
}

/* DIMENSIONS */

static void open_quantity(writer *w) {
  static const omr_field name =
      OMR_FIELD(TEXT, omr_quantity, name, "quantity", NULL, "varied parameters, then observables");
  static const omr_field texts[] = {
      OMR_FIELD(TEXT, omr_quantity, unit, "unit", NULL, "unit of the quantity's values"),
      OMR_FIELD(TEXT, omr_quantity, meaning, "meaning", NULL, "what the quantity is")};
  const omr_structures quantities = quantities_of(w, &w->quantity);
  w->quantity = omr_hdf5_scale_texts(w->h5, &quantities, &name);
  omr_hdf5_put_fields(w->h5, &quantities, texts, 2);
}

static void open_criterion(writer *w) {
  static const omr_field name = OMR_FIELD(TEXT, omr_criterion, name, "criterion", NULL,
                                          "criterion whose probability is estimated");
  static const omr_field text =
      OMR_FIELD(TEXT, omr_criterion, text, "criterion_text", NULL, "the criterion as written");
  const omr_structures criteria = criteria_of(w, &w->criterion);
  if (w->s->criterion_count == 0) return;
  w->criterion = omr_hdf5_scale_texts(w->h5, &criteria, &name);
  omr_hdf5_put_fields(w->h5, &criteria, &text, 1);
}

static void open_status(writer *w) {
#define X(id, code, name, ...) name,
  static const char *const names[] = {
#include "../lists/statuses.def"
  };
#undef X
  const omr_hdf5_name status = {"status", NULL, "what became of the instance"};
  w->status = (omr_hdf5_scale){
      omr_hdf5_words(w->h5, w->group, status, NULL, OMR_INSTANCE_STATUS_COUNT, names),
      OMR_INSTANCE_STATUS_COUNT};
}

static omr_hdf5_scale counted(writer *w, const char *name, const char *meaning, size_t count) {
  return omr_hdf5_scale_count(w->h5, w->group, (omr_hdf5_name){name, NULL, meaning}, count);
}

static void open_dimensions(writer *w) {
  const omr_statistics *s = w->s;
  open_quantity(w);
  open_criterion(w);
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

/* NUMBERS: of all instances, or of each cell, with names of their own. */

static void put_numbers(writer *w, bool cells, const omr_hdf5_scale *along, const omr_field *fields,
                        size_t count, omr_structures numbers) {
  const omr_hdf5_scale scales[2] = {cells ? w->cell : *along, *along};
  numbers.group = w->group;
  numbers.rank = cells ? 2 : 1;
  numbers.scales = scales;
  if (!numbers.first) omr_hdf5_refuse(w->h5, "write statistics", "out of memory");
  for (size_t f = 0; f < count && !w->h5->failed; f++) {
    char name[64];
    omr_field field = fields[f];
    snprintf(name, sizeof name, "%s%s", cells ? "cell_" : "", field.info.name);
    field.info.name = name;
    omr_hdf5_put_fields(w->h5, &numbers, &field, 1);
  }
}

static void write_moments(writer *w, bool cells) {
  const omr_statistics *s = w->s;
  const size_t count = (cells ? s->cells.count : 1) * s->quantity_count;
  omr_moment_numbers *numbers = malloc((count + 1) * sizeof *numbers);
  for (size_t i = 0; numbers && i < count; i++)
    numbers[i] = omr_moment_numbers_of(cells ? &s->cells.moments[i] : &s->quantities[i].moments,
                                       s->confidence);
  put_numbers(w, cells, &w->quantity, omr_moment_fields, OMR_MOMENT_FIELDS,
              (omr_structures){.first = numbers, .count = count, .size = sizeof *numbers});
  free(numbers);
}

static void write_criteria(writer *w, bool cells) {
  const omr_statistics *s = w->s;
  const size_t count = (cells ? s->cells.count : 1) * s->criterion_count;
  omr_share_numbers *numbers = malloc((count + 1) * sizeof *numbers);
  for (size_t i = 0; numbers && i < count; i++)
    numbers[i] = omr_share_numbers_of(s, cells ? &s->cells.criteria[i] : &s->criteria[i].counts);
  put_numbers(w, cells, &w->criterion, omr_share_fields, OMR_SHARE_FIELDS,
              (omr_structures){.first = numbers, .count = count, .size = sizeof *numbers});
  free(numbers);
}

/* Writes [quantity][length] from the arrays that a member of the quantities points to. */
static void write_gathered(writer *w, const char *name, const char *meaning, hid_t type,
                           const omr_hdf5_scale *along, size_t member) {
  const omr_statistics *s = w->s;
  const size_t bytes = (size_t)along->length * 8;
  char *values = malloc(s->quantity_count * bytes + 1);
  if (!values) omr_hdf5_refuse_dataset(w->h5, name, "out of memory");
  for (size_t q = 0; values && q < s->quantity_count; q++)
    memcpy(values + q * bytes, *(void *const *)((const char *)&s->quantities[q] + member), bytes);
  const omr_hdf5_scale scales[2] = {w->quantity, *along};
  variable(w, name, NULL, meaning, type, 2, scales, values);
  free(values);
}

static void write_spread(writer *w) {
  const omr_statistics *s = w->s;
  const omr_hdf5_scale over_quantiles[3] = {w->cell, w->quantity, w->quantile},
                       over_bins[3] = {w->cell, w->quantity, w->bin};

  /* quantiles and histograms of all instances */
  if (s->quantile_count)
    write_gathered(w, "quantiles", "quantiles, interpolated between order statistics",
                   H5T_NATIVE_DOUBLE, &w->quantile, offsetof(omr_quantity, quantiles));

  if (s->bins)
    write_gathered(w, "histogram_edges", "edges of the bins", H5T_NATIVE_DOUBLE, &w->edge,
                   offsetof(omr_quantity, edges));

  if (s->bins)
    write_gathered(w, "histogram", "number of values in the bin, its lower edge included",
                   H5T_NATIVE_UINT64, &w->bin, offsetof(omr_quantity, histogram));

  /* and of each cell */
  if (s->cells.count && s->quantile_count)
    variable(w, "cell_quantiles", NULL, "quantiles in the cell", H5T_NATIVE_DOUBLE, 3,
             over_quantiles, s->cells.quantiles);

  if (s->cells.histogram)
    variable(w, "cell_histogram", NULL,
             "number of values of the cell in the bin, edges as for the whole", H5T_NATIVE_UINT64,
             3, over_bins, s->cells.histogram);
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
  static const omr_field extremes[] = {OMR_FIELD(COUNT, omr_quantity, min_at, "min_instance", NULL,
                                                 "instance with the smallest value"),
                                       OMR_FIELD(COUNT, omr_quantity, max_at, "max_instance", NULL,
                                                 "instance with the largest value")};
  const omr_structures quantities = quantities_of(w, &w->quantity);
  omr_hdf5_integer(w->h5, w->group, "kept_rows", (int64_t)w->s->kept);
  omr_hdf5_put_fields(w->h5, &quantities, extremes, 2);
  if (w->s->quantile_count)
    write_gathered(w, "quantile_errors", "how far off the quantile can be, as it is from bins",
                   H5T_NATIVE_DOUBLE, &w->quantile, offsetof(omr_quantity, quantile_errors));
  write_first_failed(w);
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
  const omr_hdf5_scale none = OMR_HDF5_NO_SCALE;
  writer w = {h5,  omr_hdf5_group(h5, "statistics"), statistics, none, none, none, none, none, none,
              none};
  if (!h5->failed && statistics->quantity_count > 0) {
    write_attributes(&w);
    open_dimensions(&w);
    if (!h5->failed) write_numbers(&w);
    close_dimensions(&w);
  }
  if (w.group >= 0) H5Gclose(w.group);
  if (!h5->failed && statistics->sensitivity) omr_sensitivity_write(statistics->sensitivity, h5);
  omr_step_error_write(statistics, h5);
  if (!h5->failed) omr_answer_write(statistics, h5);
  omr_outcome_write(statistics->outcome, h5);
}
