/* The group /statistics/answer: the answer's rows over what is asked. */
#include "../result/hdf5_file.h"
#include "answer.h"

#include <stdlib.h>

typedef struct writer {
  omr_hdf5 *h5;
  hid_t group;
  const omr_statistics *s;
  const omr_answer *a;
  omr_hdf5_scale asked, row, parameter, threshold;
} writer;

static void variable(writer *w, omr_hdf5_name name, hid_t type, int rank,
                     const omr_hdf5_scale *scales, const void *values) {
  if (w->h5->failed) return;
  const hid_t dataset = omr_hdf5_variable(w->h5, w->group, name, type, rank, scales, values);
  if (dataset >= 0) H5Dclose(dataset);
}

/* Texts along a scale; NULL: they are the scale, which is returned. */
static omr_hdf5_scale words(writer *w, const char *name, const char *meaning,
                            const omr_hdf5_scale *scale, size_t count, const char *const *texts) {
  const hid_t dataset =
      omr_hdf5_words(w->h5, w->group, (omr_hdf5_name){name, NULL, meaning}, scale, count, texts);
  if (!scale) return (omr_hdf5_scale){dataset, count};
  if (dataset >= 0) H5Dclose(dataset);
  return *scale;
}

static void write_asked(writer *w, const char **texts, double *numbers) {
  static const char *const best[] = {"", "smaller", "larger", "target"};
  const omr_answer *a = w->a;
  for (size_t i = 0; i < a->asked_count; i++) texts[i] = a->asked[i].name;
  w->asked = words(w, "asked", "criteria, then observables, in the order asked", NULL,
                   a->asked_count, texts);
  for (size_t i = 0; i < a->asked_count; i++)
    texts[i] = a->asked[i].of_criterion ? "criterion" : "observable";
  words(w, "kind", "criterion or observable", &w->asked, a->asked_count, texts);
  for (size_t i = 0; i < a->asked_count; i++) texts[i] = a->asked[i].unit;
  words(w, "unit", "unit of its values", &w->asked, a->asked_count, texts);
  for (size_t i = 0; i < a->asked_count; i++) texts[i] = best[a->asked[i].best];
  words(w, "best", "which values are better: smaller, larger, or near to the target", &w->asked,
        a->asked_count, texts);
  for (size_t i = 0; i < a->asked_count; i++)
    numbers[i] = a->asked[i].best == OMR_BEST_TARGET ? a->asked[i].target : (double)NAN;
  variable(w, (omr_hdf5_name){"target", NULL, "number to which values are to be near"},
           H5T_NATIVE_DOUBLE, 1, &w->asked, numbers);
}

static void write_designs(writer *w, const char **texts) {
  const omr_answer *a = w->a;
  w->row = omr_hdf5_scale_make(
      w->h5, w->group,
      (omr_hdf5_name){"design", NULL, "cell of the nested design, or row of the instance"},
      H5T_NATIVE_UINT64, a->row_count, a->number);
  if (a->design_count == 0) return;
  for (size_t d = 0; d < a->design_count; d++) texts[d] = w->s->quantities[a->design[d]].name;
  w->parameter = words(w, "parameter", "parameters of the designs", NULL, a->design_count, texts);
  const omr_hdf5_scale scales[2] = {w->row, w->parameter};
  variable(w, (omr_hdf5_name){"parameter_value", NULL, "value of the parameter in the design"},
           H5T_NATIVE_DOUBLE, 2, scales, a->designs);
}

/* Writes a member of the values as an array over designs and what is asked. */
static void write_numbers(writer *w, omr_hdf5_name name, size_t offset, double *numbers) {
  const omr_answer *a = w->a;
  const omr_hdf5_scale scales[2] = {w->row, w->asked};
  for (size_t i = 0; i < a->row_count * a->asked_count; i++)
    numbers[i] = *(const double *)((const char *)&a->values[i] + offset);
  variable(w, name, H5T_NATIVE_DOUBLE, 2, scales, numbers);
}

static void write_values(writer *w, double *numbers, uint64_t *counts) {
  const omr_answer *a = w->a;
  const size_t count = a->row_count * a->asked_count;
  const omr_hdf5_scale scales[2] = {w->row, w->asked};
#define NUMBER(member, name, meaning)                                                              \
  write_numbers(w, (omr_hdf5_name){name, NULL, meaning}, offsetof(omr_answer_value, member),       \
                numbers)
  NUMBER(value, "value", "mean, share, or value of the only instance");
  NUMBER(bounds.low, "low", "lower end of its interval");
  NUMBER(bounds.high, "high", "upper end of its interval");
  NUMBER(least, "least", "smallest value of the instances");
  NUMBER(most, "most", "largest value of the instances");
  NUMBER(step, "step_error", "size of the error that the step makes in it");
#undef NUMBER
  for (size_t i = 0; i < count; i++) counts[i] = a->values[i].used;
  variable(w, (omr_hdf5_name){"used", "1", "instances behind the value"}, H5T_NATIVE_UINT64, 2,
           scales, counts);
  for (size_t i = 0; i < count; i++) counts[i] = a->values[i].of;
  variable(w, (omr_hdf5_name){"of", "1", "instances of the design"}, H5T_NATIVE_UINT64, 2, scales,
           counts);
  int8_t *marks = (int8_t *)counts;
  for (size_t i = 0; i < count; i++) marks[i] = (int8_t)a->values[i].mark;
  variable(w,
           (omr_hdf5_name){"mark", "1", "1: the best design, 2: not to be told from the best, 0"},
           H5T_NATIVE_INT8, 2, scales, marks);
}

/* A number of each threshold, at this place in its struct. */
static void threshold_numbers(writer *w, omr_hdf5_name name, size_t offset, double *numbers) {
  for (size_t t = 0; t < w->a->threshold_count; t++)
    numbers[t] = *(const double *)((const char *)&w->a->thresholds[t] + offset);
  variable(w, name, H5T_NATIVE_DOUBLE, 1, &w->threshold, numbers);
}

static void write_thresholds(writer *w, double *numbers, uint64_t *counts, const char **texts) {
  const omr_answer *a = w->a;
  const omr_threshold *list = a->thresholds;
  const size_t count = a->threshold_count;

  /* what changes, along which parameter, and between which designs */
  for (size_t t = 0; t < count; t++) counts[t] = t;
  w->threshold = omr_hdf5_scale_make(
      w->h5, w->group,
      (omr_hdf5_name){"threshold", NULL, "where a criterion or an asked value changes"},
      H5T_NATIVE_UINT64, count, counts);
  for (size_t t = 0; t < count; t++) texts[t] = w->s->quantities[a->design[list[t].along]].name;
  words(w, "threshold_along", "the parameter along which it changes", &w->threshold, count, texts);
  for (size_t t = 0; t < count; t++) counts[t] = list[t].asked;
  variable(w, (omr_hdf5_name){"threshold_asked", "1", "place of what changes among the asked"},
           H5T_NATIVE_UINT64, 1, &w->threshold, counts);
  for (size_t t = 0; t < count; t++) counts[t] = list[t].row;
  variable(w, (omr_hdf5_name){"threshold_design", "1", "place of the last design before it"},
           H5T_NATIVE_UINT64, 1, &w->threshold, counts);
  int8_t *rising = (int8_t *)counts;
  for (size_t t = 0; t < count; t++) rising[t] = list[t].rising;
  variable(w, (omr_hdf5_name){"threshold_rising", "1", "1: from there on met, or above the target"},
           H5T_NATIVE_INT8, 1, &w->threshold, rising);

  /* where, with its interval */
  threshold_numbers(w, (omr_hdf5_name){"threshold_at", NULL, "value of that parameter"},
                    offsetof(omr_threshold, at), numbers);
  threshold_numbers(w, (omr_hdf5_name){"threshold_low", NULL, "lower end of its interval"},
                    offsetof(omr_threshold, bounds.low), numbers);
  threshold_numbers(w, (omr_hdf5_name){"threshold_high", NULL, "upper end of its interval"},
                    offsetof(omr_threshold, bounds.high), numbers);
}

void omr_answer_write(const omr_statistics *s, omr_hdf5 *h5) {
  static const char *const kinds[] = {[OMR_ANSWER_WHOLE] = "whole",
                                      [OMR_ANSWER_CELLS] = "cells",
                                      [OMR_ANSWER_INSTANCES] = "instances"};
  const omr_answer *a = s->answer;
  if (!a || a->asked_count == 0 || a->row_count == 0) return;
  writer w = {.h5 = h5, .group = omr_hdf5_group(h5, "statistics/answer"), .s = s, .a = a};

  /* scratch for any of the arrays */
  const size_t count = a->row_count * a->asked_count + a->threshold_count + a->asked_count + 1;
  double *numbers = malloc(count * sizeof *numbers);
  uint64_t *counts = malloc(count * sizeof *counts);
  const char **texts = malloc((count + a->design_count) * sizeof *texts);

  if (!numbers || !counts || !texts) {
    omr_hdf5_refuse(h5, "write the answer", "out of memory");
  } else {
    omr_hdf5_text(h5, w.group, "rows_are", kinds[a->rows]);
    omr_hdf5_integer(h5, w.group, "designs", (int64_t)a->of);
    write_asked(&w, texts, numbers);
    write_designs(&w, texts);
    write_values(&w, numbers, counts);
    if (a->threshold_count) write_thresholds(&w, numbers, counts, texts);
  }

  omr_hdf5_scale *const scales[] = {&w.asked, &w.row, &w.parameter, &w.threshold};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
    if (scales[i]->length) omr_hdf5_scale_close(scales[i]);
  free(numbers);
  free(counts);
  free(texts);
  if (w.group >= 0) H5Gclose(w.group);
}
