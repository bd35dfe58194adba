#include "file.h"

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
    H5Dclose(dataset);
  }
}

static void write_points(omr_hdf5 *h5, const omr_calibrate *c) {
  const size_t n = c->size.members;
  uint64_t *number = malloc(n * sizeof *number);
  double *column = malloc(n * sizeof *column);
  if (!number || !column) {
    omr_hdf5_refuse(h5, "write points", "out of memory");
  } else {
    for (size_t j = 0; j < n; j++) number[j] = j;
    omr_hdf5_scale scale =
        omr_hdf5_scale_make(h5, h5->file, (omr_hdf5_name){"draw", NULL, "point of the posterior"},
                            H5T_NATIVE_UINT64, n, number);
    write_parameters(h5, c, &scale, column);
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
  const char *unit = omr_vehicle_samples[c->study->measured.sample[e->sample].index].unit;
  for (size_t k = 0; k < 4; k++) {
    char name[80];
    snprintf(name, sizeof name, "%.60s%s", sample, endings[k]);
    H5Dclose(omr_hdf5_variable(h5, group, (omr_hdf5_name){name, unit, meanings[k]},
                               H5T_NATIVE_DOUBLE, 1, time, e->series + k * e->instants));
  }
}

static void write_run(omr_hdf5 *h5, const omr_calibrate *c, size_t first) {
  const omr_measured *m = &c->study->measured;
  const omr_calibrate_error *e = &c->error[first];
  const omr_measured_run *run = &m->run[e->run];
  char name[40];
  double *times = malloc(e->instants * sizeof *times);
  if (!times) {
    omr_hdf5_refuse(h5, "write runs", "out of memory");
    return;
  }
  for (size_t i = 0; i < e->instants; i++)
    times[i] = (double)(i + (m->world ? 0 : 1)) * m->interval;
  snprintf(name, sizeof name, "run_%zu", e->run);
  const hid_t group = omr_hdf5_group(h5, name);
  omr_hdf5_text(h5, group, "file", run->file);
  omr_hdf5_text(h5, group, "use", run->held_out ? "predict" : "fit");
  omr_hdf5_scale time =
      omr_hdf5_scale_make(h5, group, (omr_hdf5_name){"time", "s", "time from the start of the run"},
                          H5T_NATIVE_DOUBLE, e->instants, times);
  for (size_t s = 0; s < m->samples; s++) write_series(h5, group, c, e + s, &time);
  omr_hdf5_scale_close(&time);
  H5Gclose(group);
  free(times);
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

static void compose(omr_hdf5 *h5, const void *content) {
  const omr_calibrate *c = content;
  char *json = NULL;
  omr_error error = {0};
  omr_hdf5_text(h5, h5->file, "Conventions", "CF-1.10");
  omr_hdf5_text(h5, h5->file, "kind", "calibration");
  omr_hdf5_text(h5, h5->file, "frame", omr_frame_list[c->study->frame].name);
  omr_hdf5_text(h5, h5->file, "omniroll_version", omr_version());
  omr_hdf5_text(h5, h5->file, "study", c->study->text);
  omr_hdf5_text(h5, h5->file, "verdict", calibrate_verdict_word(c));
  if (c->stages) omr_hdf5_number(h5, h5->file, "log_evidence", c->evidence);
  if (omr_calibrate_json(c, &json, &error) == OMR_OK)
    omr_hdf5_text(h5, h5->file, "summary", json);
  else
    omr_hdf5_refuse(h5, "write the summary", error.message);
  omr_text_destroy(json);
  write_points(h5, c);
  if (c->findings) write_findings(h5, c);
  for (size_t i = 0; i < c->errors; i += c->study->measured.samples) write_run(h5, c, i);
}

omr_status calibrate_write_file(const omr_calibrate *c, const char *path, omr_error *error) {
  return omr_hdf5_write(path, compose, c, error);
}
