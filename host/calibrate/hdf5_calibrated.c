#include "calibrate.h"

#include "../model/drawing/scene.h"
#include "../result/hdf5_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static hid_t draws(omr_hdf5 *h5, omr_hdf5_name name, const omr_hdf5_scale *scale,
                   const double *values) {
  return omr_hdf5_variable(h5, h5->file, name, H5T_NATIVE_DOUBLE, 1, scale, values);
}

static void write_parameters(omr_hdf5 *h5, const omr_calibrate *c, const omr_hdf5_scale *scale,
                             double *column) {
  for (size_t v = 0; v < c->study->variation_count; v++) {
    const omr_variation *variation = &c->study->variations[v];
    for (size_t j = 0; j < c->size.members; j++)
      column[j] = c->values[j * c->study->variation_count + v];
    const omr_hdf5_name name = {variation->path, calibrate_unit_of(variation), "parameter"};
    const hid_t dataset = draws(h5, name, scale, column);
    omr_hdf5_text(h5, dataset, "role", "parameter");
    if (c->mode) omr_hdf5_number(h5, dataset, "mode", c->mode->value[v]);
    if (c->mode) omr_hdf5_number(h5, dataset, "mode_deviation", c->mode->value_deviation[v]);
    H5Dclose(dataset);
  }
}

/* The values of clocks and sensors, by names without blanks. */
static void write_sensors(omr_hdf5 *h5, const omr_calibrate *c, const omr_hdf5_scale *scale,
                          double *column) {
  for (size_t d = 0; d < c->size.dimensions; d++) {
    if (!calibrate_is_sensed(c, d)) continue;
    const calibrate_row row = calibrate_row_of(c, c->study->variation_count + d - c->layout.drawn);
    char *name = strdup(row.name);

    if (!name) {
      omr_hdf5_refuse(h5, "write points", "out of memory");
      return;
    }

    /* Names of variables have no blanks. */
    for (char *letter = name; *letter; letter++)
      if (*letter == ' ') *letter = '_';

    /* A value for each point, in the sensor's unit. */
    for (size_t j = 0; j < c->size.members; j++)
      column[j] = calibrate_sensed_value(c, d, c->coordinates[j * c->size.dimensions + d]);
    const omr_hdf5_name named = {name, row.unit, "of a clock or a sensor"};
    const hid_t dataset = draws(h5, named, scale, column);
    omr_hdf5_text(h5, dataset, "role", "sensor");
    H5Dclose(dataset);

    free(name);
  }
}

/* The group "mode" of xarray: unknowns in standard normal coordinates of the prior. */
static void write_mode(omr_hdf5 *h5, const omr_calibrate *c) {
  const calibrate_mode *mode = c->mode;
  const size_t m = mode->unknowns;
  /* The unknowns are both dimensions of the covariance. */
  const hid_t group = omr_hdf5_group(h5, "mode");
  const char *const *words = (const char *const *)c->name;
  const omr_hdf5_name row = {"unknown", NULL, "an unknown"}, column = {"other", NULL, "the same"};
  omr_hdf5_scale scales[2] = {{omr_hdf5_words(h5, group, row, NULL, m, words), m},
                              {omr_hdf5_words(h5, group, column, NULL, m, words), m}};

  /* Values, deviations and covariance over them. */
  const omr_hdf5_name value = {"coordinate", "1", "most likely, standard normal by the prior"};
  const omr_hdf5_name deviation = {"deviation", "1", "by the Fisher matrix and the prior"};
  const omr_hdf5_name covariance = {"covariance", "1", "by the Fisher matrix and the prior"};
  H5Dclose(omr_hdf5_variable(h5, group, value, H5T_NATIVE_DOUBLE, 1, scales, mode->coordinate));
  H5Dclose(omr_hdf5_variable(h5, group, deviation, H5T_NATIVE_DOUBLE, 1, scales, mode->deviation));
  H5Dclose(
      omr_hdf5_variable(h5, group, covariance, H5T_NATIVE_DOUBLE, 2, scales, mode->covariance));
  omr_hdf5_number(h5, group, "log_evidence", mode->evidence);

  omr_hdf5_scale_close(&scales[0]);
  omr_hdf5_scale_close(&scales[1]);
  H5Gclose(group);
}

static void write_points(omr_hdf5 *h5, const omr_calibrate *c) {
  const size_t n = c->size.members;
  uint64_t *number = malloc(n * sizeof *number);
  double *column = malloc(n * sizeof *column);
  if (!number || !column) {
    omr_hdf5_refuse(h5, "write points", "out of memory");
  } else {
    /* Parameters and sensors stand over the numbers of the draws. */
    for (size_t j = 0; j < n; j++) number[j] = j;
    omr_hdf5_scale scale =
        omr_hdf5_scale_make(h5, h5->file, (omr_hdf5_name){"draw", NULL, "point of the posterior"},
                            H5T_NATIVE_UINT64, n, number);
    write_parameters(h5, c, &scale, column);
    write_sensors(h5, c, &scale, column);

    /* Only tempered points have a likelihood. */
    if (c->stages)
      H5Dclose(draws(h5, (omr_hdf5_name){"log_likelihood", "1", "logarithm of the likelihood"},
                     &scale, c->log_likelihood));
    omr_hdf5_scale_close(&scale);
  }

  free(number);
  free(column);
}

static void write_series(omr_hdf5 *h5, hid_t group, const omr_calibrate *c,
                         const omr_calibrate_error *e, const omr_hdf5_scale *time) {
  static const char *const endings[] = {"_measured", "_low", "_median", "_high"};
  static const char *const meanings[] = {"measured", "5 % of what is predicted, with noise",
                                         "median of what is predicted, with noise",
                                         "95 % of what is predicted, with noise"};
  const char *sample = calibrate_sample_name(c, e->sample);
  const char *unit = calibrate_sample_unit(c, e->sample);
  for (size_t k = 0; k < 4; k++) {
    char name[80];
    snprintf(name, sizeof name, "%.60s%s", sample, endings[k]);
    H5Dclose(omr_hdf5_variable(h5, group, (omr_hdf5_name){name, unit, meanings[k]},
                               H5T_NATIVE_DOUBLE, 1, time, e->series + k * e->instants));
  }
}

/* Over the compared instants, from `first` on. */
static omr_hdf5_scale times_make(omr_hdf5 *h5, hid_t group, const omr_measured *m, size_t first) {
  const size_t count = m->instants - first;
  const omr_hdf5_name name = {"time", "s", "time from the start of the run"};
  double *times = malloc(count * sizeof *times);
  if (!times) omr_hdf5_refuse(h5, "write runs", "out of memory");
  for (size_t i = 0; times && i < count; i++) times[i] = (double)(i + first) * m->interval;
  const omr_hdf5_scale scale =
      omr_hdf5_scale_make(h5, group, name, H5T_NATIVE_DOUBLE, times ? count : 0, times);
  free(times);
  return scale;
}

/* by: the unit of the sample that orders and bins go by. An order of an angle is a pure number,
 * since it counts cycles in a turn. */
static void place_unit(const omr_measured_sample *sample, const char *by, char *unit, size_t size) {
  const bool pure = strcmp(by, "rad") == 0 || strchr(by, ' ');
  if (sample->compared == OMR_COMPARE_ORDERS)
    snprintf(unit, size, "%s%s", pure ? "1" : by, pure ? "" : "-1");
  else
    snprintf(unit, size, "%s", sample->compared == OMR_COMPARE_BINS ? by : "Hz");
}

/* The k-th of `count` places. */
static double place_at(const omr_measured_sample *sample, double interval, size_t k, size_t count) {
  switch (sample->compared) {
  case OMR_COMPARE_ORDERS: return sample->number[k];
  case OMR_COMPARE_BINS: return 0.5 * (sample->number[k] + sample->number[k + 1]);
  default: return sqrt(0.125) / interval / (double)((size_t)1 << (count - 1 - k));
  }
}

/* The places of a summary's numbers: the middles of octaves, by their logarithm, orders, or the
 * middles of bins. */
static omr_hdf5_scale places_make(omr_hdf5 *h5, hid_t group, const omr_calibrate *c,
                                  const omr_calibrate_error *e) {
  static const char *const endings[OMR_COMPARED] = {[OMR_COMPARE_SPECTRUM] = "frequency",
                                                    [OMR_COMPARE_ORDERS] = "order",
                                                    [OMR_COMPARE_BINS] = "bin"},
                           *const meanings[OMR_COMPARED] = {
                               [OMR_COMPARE_SPECTRUM] = "middle of an octave of the spectrum",
                               [OMR_COMPARE_ORDERS] = "order",
                               [OMR_COMPARE_BINS] = "middle of a bin"};

  const omr_measured *measured = &c->study->measured;
  const omr_measured_sample *sample = &measured->sample[e->sample];
  const int by = measured->sample[sample->against].index;

  /* Orders and bins go by another sample, whose unit they have. */
  double middle[OMR_MOST_NUMBERS];
  char name[80], unit[20];
  place_unit(sample, omr_measured_unit(by), unit, sizeof unit);
  for (size_t k = 0; k < e->instants; k++)
    middle[k] = place_at(sample, measured->interval, k, e->instants);

  /* The name of the dimension begins with the sample's. */
  snprintf(name, sizeof name, "%.60s_%s", sample->name, endings[sample->compared]);
  return omr_hdf5_scale_make(h5, group, (omr_hdf5_name){name, unit, meanings[sample->compared]},
                             H5T_NATIVE_DOUBLE, e->instants, middle);
}

/* The measurement of a run of data.runs, with its own instants. */
static const omr_measured *measured_of(const omr_calibrate *c, size_t run) {
  for (size_t r = 0; r < c->fitted.runs; r++)
    if (c->fitted.run[r].number == run) return &c->fitted.run[r].study->measured;
  for (size_t r = 0; r < c->held_out.runs; r++)
    if (c->held_out.run[r].number == run) return &c->held_out.run[r].study->measured;
  return &c->study->measured;
}

/* Writes the samples [samples] of a run that are compared in this way; all but traces stand in a
 * group below the run's. */
static void write_compared(omr_hdf5 *h5, const omr_calibrate *c, hid_t run, omr_compared_as as,
                           const omr_calibrate_error *e) {
  static const char *const groups[OMR_COMPARED] = {[OMR_COMPARE_TRACE] = NULL,
                                                   [OMR_COMPARE_END] = "end",
                                                   [OMR_COMPARE_SPECTRUM] = "spectrum",
                                                   [OMR_COMPARE_ORDERS] = "orders",
                                                   [OMR_COMPARE_BINS] = "bins"};
  const bool timed = as == OMR_COMPARE_TRACE || as == OMR_COMPARE_END;
  const omr_measured *m = measured_of(c, e->run);

  /* A group without samples is left out. */
  size_t found = 0;
  for (size_t s = 0; s < m->samples; s++) found += m->sample[s].compared == as;
  if (found == 0 && groups[as]) return;

  /* Traces stand in the run's group, others in one of their own. */
  char name[60];
  snprintf(name, sizeof name, "run_%zu/%s", e->run, groups[as] ? groups[as] : "");
  const hid_t group = groups[as] ? omr_hdf5_group(h5, name) : run;

  /* Traces and ends share the axis of time. */
  omr_hdf5_scale times = {0};
  if (timed)
    times = times_make(h5, group, m, as == OMR_COMPARE_END ? m->instants - 1 : m->world ? 0 : 1);

  /* Each other sample has places of its own. */
  for (size_t s = 0; s < m->samples; s++) {
    if (m->sample[s].compared != as) continue;
    omr_hdf5_scale places = {0};
    if (!timed) places = places_make(h5, group, c, e + s);
    write_series(h5, group, c, e + s, timed ? &times : &places);
    if (!timed) omr_hdf5_scale_close(&places);
  }

  if (timed) omr_hdf5_scale_close(&times);
  if (groups[as]) H5Gclose(group);
}

static void write_run(omr_hdf5 *h5, const omr_calibrate *c, size_t first) {
  const omr_calibrate_error *e = &c->error[first];
  const omr_measured_run *run = &c->study->measured.run[e->run];
  char name[40];
  snprintf(name, sizeof name, "run_%zu", e->run);
  const hid_t group = omr_hdf5_group(h5, name);
  omr_hdf5_text(h5, group, "file", run->file);
  omr_hdf5_text(h5, group, "use", run->held_out ? "predict" : "fit");
  for (int as = 0; as < OMR_COMPARED; as++) write_compared(h5, c, group, (omr_compared_as)as, e);
  H5Gclose(group);
}

static void write_findings(omr_hdf5 *h5, const omr_calibrate *c) {
  const char *words[OMR_FINDINGS], *weights[OMR_FINDINGS];
  for (size_t f = 0; f < c->findings; f++) {
    words[f] = c->finding[f].text;
    weights[f] = calibrate_weight_word(c->finding[f].weight);
  }
  uint64_t number[OMR_FINDINGS];
  for (size_t f = 0; f < c->findings; f++) number[f] = f;
  omr_hdf5_scale scale =
      omr_hdf5_scale_make(h5, h5->file, (omr_hdf5_name){"finding", NULL, "number of a finding"},
                          H5T_NATIVE_UINT64, c->findings, number);
  H5Dclose(omr_hdf5_words(h5, h5->file, (omr_hdf5_name){"findings", NULL, "what was found"}, &scale,
                          c->findings, words));
  H5Dclose(omr_hdf5_words(h5, h5->file, (omr_hdf5_name){"weights", NULL, "how a finding weighs"},
                          &scale, c->findings, weights));
  omr_hdf5_scale_close(&scale);
}

/* The nominal vehicle, which the page of the file shows. */
static void write_scene(omr_hdf5 *h5, const omr_study *study) {
  char *scene = omr_scene_kept(study);
  if (scene) omr_hdf5_text(h5, h5->file, "scene", scene);
  free(scene);
}

static void compose(omr_hdf5 *h5, const void *content) {
  const omr_calibrate *c = content;
  char *json = NULL;
  omr_error error = {0};

  /* The origin of the file. */
  omr_hdf5_text(h5, h5->file, "Conventions", "CF-1.10");
  omr_hdf5_text(h5, h5->file, "kind", "calibration");
  omr_hdf5_text(h5, h5->file, "frame", omr_frame_list[c->study->frame].name);
  omr_hdf5_text(h5, h5->file, "omniroll_version", omr_version());
  omr_hdf5_text(h5, h5->file, "sources", omr_sources());
  omr_hdf5_text(h5, h5->file, "study", c->study->text);
  write_scene(h5, c->study);

  /* The verdict and the summary. */
  omr_hdf5_text(h5, h5->file, "verdict", calibrate_verdict_word(c));
  if (c->stages) omr_hdf5_number(h5, h5->file, "log_evidence", c->evidence);
  if (omr_calibrate_json(c, &json, &error) == OMR_OK)
    omr_hdf5_text(h5, h5->file, "summary", json);
  else
    omr_hdf5_refuse(h5, "write the summary", error.message);
  omr_text_destroy(json);

  /* The points and the runs. */
  write_points(h5, c);
  if (c->mode) write_mode(h5, c);
  if (c->findings) write_findings(h5, c);
  for (size_t i = 0; i < c->errors; i += c->study->measured.samples) write_run(h5, c, i);
}

omr_status calibrate_write_file(const omr_calibrate *c, const char *path, omr_error *error) {
  return omr_hdf5_write(path, compose, c, error);
}
