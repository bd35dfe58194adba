/* Names of a calibration's parameters, samples and directions, and moments of its points. */
#include "calibrate.h"
#include "identify.h"
#include "summary.h"

#include "../lists/frames.h"
#include "../study/designs/distributions.h"

#include <math.h>
#include <stdlib.h>

/* Of a column of the members. */
static calibrate_moments moments_of(const omr_calibrate *c, const double *values, size_t stride) {
  const size_t n = c->size.members;
  calibrate_moments m = {0};
  double *sorted = malloc(n * sizeof *sorted);

  /* Mean and deviation. */
  for (size_t j = 0; j < n; j++) m.mean += values[j * stride];
  m.mean /= (double)n;
  for (size_t j = 0; j < n; j++) {
    const double off = values[j * stride] - m.mean;
    m.deviation += off * off;
  }
  m.deviation = sqrt(m.deviation / (double)(n - 1));

  /* The middle 95 % by rank; it is unknown where memory runs out. */
  m.low = m.high = (double)NAN;
  if (!sorted) return m;
  for (size_t j = 0; j < n; j++) sorted[j] = values[j * stride];
  qsort(sorted, n, sizeof *sorted, omr_by_value);
  m.low = sorted[(size_t)(0.025 * (double)(n - 1) + 0.5)];
  m.high = sorted[(size_t)(0.975 * (double)(n - 1) + 0.5)];

  free(sorted);
  return m;
}

/* ---- clocks and sensors */

bool calibrate_is_sensed(const omr_calibrate *c, size_t dimension) {
  const size_t model = omr_coordinates_of_model(&c->layout);
  return dimension < model && dimension >= model - c->layout.sensors;
}

static const omr_unknown *unknown_of(const omr_calibrate *c, size_t dimension, size_t *run) {
  return &c->layout.unknown[omr_coordinates_unknown_at(&c->layout, dimension, run)];
}

double calibrate_sensed_value(const omr_calibrate *c, size_t dimension, double coordinate) {
  size_t run;
  return omr_quantile_of_normal(unknown_of(c, dimension, &run)->prior, coordinate);
}

const char *calibrate_unit_of(const omr_variation *variation) {
  return variation->per_wheel ? omr_wheel_parameters[variation->index].unit
                              : omr_vehicle_parameters[variation->index].unit;
}

double calibrate_left_of_prior(const omr_calibrate *c, size_t dimension) {
  return moments_of(c, c->coordinates + dimension, c->size.dimensions).deviation;
}

/* In a run that was not measured, the common part is known, and the run's own is the prior's. */
static double left_of_variation(const omr_calibrate *c, const omr_variation *variation) {
  if (variation->dimension < 0) return (double)NAN;
  const double left = calibrate_left_of_prior(c, (size_t)variation->dimension);
  const double shared = c->layout.shared;
  return variation->per_run ? sqrt(shared * left * left + (1 - shared)) : left;
}

size_t calibrate_rows(const omr_calibrate *c) {
  return c->study->variation_count + c->size.dimensions - c->layout.drawn;
}

static calibrate_row row_of_parameter(const omr_calibrate *c, size_t v) {
  const size_t count = c->study->variation_count;
  const omr_variation *variation = &c->study->variations[v];
  calibrate_row row = {variation->path, calibrate_unit_of(variation), .parameter = true};
  row.m = moments_of(c, c->values + v, count);
  row.left = left_of_variation(c, variation);
  if (c->mode) row.top = c->mode->value[v];
  if (c->mode) row.deviation = c->mode->value_deviation[v];
  return row;
}

/* A clock's or a sensor's numbers are of its values. */
static void sense_row(const omr_calibrate *c, size_t d, calibrate_row *row) {
  size_t run;
  const size_t n = c->size.members;
  const omr_variation *prior = unknown_of(c, d, &run)->prior;
  const double u = row->top, step = row->deviation;
  double *values = malloc(n * sizeof *values);
  row->unit = omr_unknown_unit(prior->index, prior->wheel);
  row->top = calibrate_sensed_value(c, d, u);
  row->deviation =
      0.5 * fabs(calibrate_sensed_value(c, d, u + step) - calibrate_sensed_value(c, d, u - step));
  row->m = (calibrate_moments){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
  if (!values) return;
  for (size_t j = 0; j < n; j++)
    values[j] = calibrate_sensed_value(c, d, c->coordinates[j * c->size.dimensions + d]);
  row->m = moments_of(c, values, 1);
  free(values);
}

calibrate_row calibrate_row_of(const omr_calibrate *c, size_t k) {
  if (k < c->study->variation_count) return row_of_parameter(c, k);
  const size_t d = c->layout.drawn + k - c->study->variation_count;
  calibrate_row row = {c->name[d], "of prior", .sensed = calibrate_is_sensed(c, d)};
  row.noise = d >= omr_coordinates_of_model(&c->layout);
  row.m = moments_of(c, c->coordinates + d, c->size.dimensions);
  row.left = row.m.deviation;
  if (c->mode) row.top = c->mode->coordinate[d];
  if (c->mode) row.deviation = c->mode->deviation[d];
  if (row.sensed) sense_row(c, d, &row);
  return row;
}

const char *calibrate_sample_name(const omr_calibrate *c, size_t s) {
  return c->study->measured.sample[s].name;
}

const char *calibrate_sample_unit(const omr_calibrate *c, size_t s) {
  const omr_measured_sample *sample = &c->study->measured.sample[s];
  return omr_summary_is_logarithm(sample) ? "1" : omr_measured_unit(sample->index);
}

static const char *path_of(const omr_calibrate *c, size_t dimension) {
  for (size_t v = 0; v < c->study->variation_count; v++)
    if (c->study->variations[v].dimension == (int)dimension) return c->study->variations[v].path;
  return "";
}

/* The number in data.runs of the fitted run k. */
static size_t number_of(const omr_calibrate *c, size_t k) {
  return c->fitted.run[k].number;
}

/* "time offset of run 0", "bias of x", "gain of x in run 0". */
static void print_sensed(const omr_calibrate *c, size_t dimension, omr_text *text) {
  size_t run;
  const omr_unknown *unknown = unknown_of(c, dimension, &run);
  const omr_unknown_info *info = &omr_unknown_list[unknown->kind];
  omr_text_print(text, "%s", info->told);
  if (info->of_sensor) omr_text_print(text, " of %s", calibrate_sample_name(c, unknown->sample));
  if (unknown->per_run)
    omr_text_print(text, " %s run %zu", info->of_sensor ? "in" : "of", number_of(c, run));
}

/* "wheel.friction in run 0", "wheel.friction in runs 0, 2": of the group's fitted runs. */
static void print_own(const omr_calibrate *c, size_t place, omr_text *text) {
  const omr_coordinates *l = &c->layout;
  const size_t group = place / l->owns;
  size_t runs = 0;
  for (size_t k = 0; k < l->runs; k++) runs += l->group[k] == group;
  omr_text_print(text, "%s in run%s", path_of(c, l->own[place % l->owns]), runs > 1 ? "s" : "");
  for (size_t k = 0, told = 0; k < l->runs; k++)
    if (l->group[k] == group) omr_text_print(text, "%s%zu", told++ ? ", " : " ", number_of(c, k));
}

static void print_name(const omr_calibrate *c, size_t d, omr_text *text) {
  const size_t model = omr_coordinates_of_model(&c->layout);
  if (d < c->layout.drawn)
    omr_text_print(text, "%s", path_of(c, d));
  else if (calibrate_is_sensed(c, d))
    print_sensed(c, d, text);
  else if (d < model)
    print_own(c, d - c->layout.drawn, text);
  else
    omr_text_print(text, "noise of %s", calibrate_sample_name(c, d - model));
}

void calibrate_name(omr_calibrate *c) {
  c->name = omr_pool_take(&c->memory, c->size.dimensions, sizeof *c->name);
  for (size_t d = 0; c->name && d < c->size.dimensions; d++) {
    omr_text text = {0};
    print_name(c, d, &text);
    c->name[d] = omr_pool_text(&c->memory, text.data ? text.data : "");
    c->memory.failed |= text.failed;
    free(text.data);
  }
}

static const char *name_of(const void *who, size_t dimension) {
  return ((const omr_calibrate *)who)->name[dimension];
}

char *calibrate_direction_told(const omr_calibrate *c, size_t number) {
  const size_t d = omr_coordinates_of_model(&c->layout);
  return omr_direction_told(c->singular + d + number * d, d, name_of, c);
}
