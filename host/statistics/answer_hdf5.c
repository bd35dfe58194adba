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

static void put_words(writer *w, const char *name, const char *meaning, const omr_hdf5_scale *scale,
                      const char *const *texts) {
  const hid_t dataset = omr_hdf5_words(w->h5, w->group, (omr_hdf5_name){name, NULL, meaning}, scale,
                                       scale->length, texts);
  if (dataset >= 0) H5Dclose(dataset);
}

static void write_asked(writer *w, const char **texts) {
  static const omr_field name = OMR_FIELD(TEXT, omr_asked, name, "asked", NULL,
                                          "criteria, then observables, in the order asked"),
                         unit =
                             OMR_FIELD(TEXT, omr_asked, unit, "unit", NULL, "unit of its values"),
                         target = OMR_FIELD(NUMBER, omr_asked, target, "target", NULL,
                                            "number to which values are to be near");
  const omr_answer *a = w->a;
  const omr_structures asked = {w->group, a->asked, a->asked_count, sizeof *a->asked,
                                0,        1,        &w->asked};
  w->asked = omr_hdf5_scale_texts(w->h5, &asked, &name);
  for (size_t i = 0; i < a->asked_count; i++)
    texts[i] = a->asked[i].of_criterion ? "criterion" : "observable";
  put_words(w, "kind", "criterion or observable", &w->asked, texts);
  omr_hdf5_put_fields(w->h5, &asked, &unit, 1);
  for (size_t i = 0; i < a->asked_count; i++) texts[i] = omr_best_words[a->asked[i].best];
  put_words(w, "best", "which values are better: smaller, larger, or near to the target", &w->asked,
            texts);
  omr_hdf5_put_fields(w->h5, &asked, &target, 1);
}

static void write_designs(writer *w, const char **texts) {
  const omr_answer *a = w->a;
  const omr_hdf5_name design = {"design", NULL,
                                "cell of the nested design, or row of the instance"},
                      parameter = {"parameter", NULL, "parameters of the designs"},
                      value = {"parameter_value", NULL, "value of the parameter in the design"};
  w->row = omr_hdf5_scale_make(w->h5, w->group, design, H5T_NATIVE_UINT64, a->row_count, a->number);
  if (a->design_count == 0) return;
  for (size_t d = 0; d < a->design_count; d++) texts[d] = w->s->quantities[a->design[d]].name;
  w->parameter = (omr_hdf5_scale){
      omr_hdf5_words(w->h5, w->group, parameter, NULL, a->design_count, texts), a->design_count};
  const omr_hdf5_scale scales[2] = {w->row, w->parameter};
  omr_hdf5_put_variable(w->h5, w->group, value, H5T_NATIVE_DOUBLE, 2, scales, a->designs);
}

static void write_values(writer *w) {
  static const omr_field fields[] = {
      OMR_FIELD(NUMBER, omr_answer_value, value, "value", NULL,
                "mean, share, or value of the only instance"),
      OMR_FIELD(NUMBER, omr_answer_value, bounds.low, "low", NULL, "lower end of its interval"),
      OMR_FIELD(NUMBER, omr_answer_value, bounds.high, "high", NULL, "upper end of its interval"),
      OMR_FIELD(NUMBER, omr_answer_value, least, "least", NULL, "smallest value of the instances"),
      OMR_FIELD(NUMBER, omr_answer_value, most, "most", NULL, "largest value of the instances"),
      OMR_FIELD(NUMBER, omr_answer_value, step, "step_error", NULL,
                "size of the error that the step makes in it"),
      OMR_FIELD(COUNT, omr_answer_value, used, "used", "1", "instances behind the value"),
      OMR_FIELD(COUNT, omr_answer_value, of, "of", "1", "instances of the design"),
      OMR_FIELD(WORD, omr_answer_value, mark, "mark", "1",
                "1: the best design, 2: not to be told from the best, 0")};
  const omr_answer *a = w->a;
  const omr_hdf5_scale scales[2] = {w->row, w->asked};
  const omr_structures values = {
      w->group, a->values, a->row_count * a->asked_count, sizeof *a->values, 0, 2, scales};
  omr_hdf5_put_fields(w->h5, &values, fields, sizeof fields / sizeof *fields);
}

/* What changes, along which parameter, between which designs, and where. */
static void write_thresholds(writer *w, const char **texts) {
  static const omr_field fields[] = {
      OMR_FIELD(COUNT, omr_threshold, asked, "threshold_asked", "1",
                "place of what changes among the asked"),
      OMR_FIELD(COUNT, omr_threshold, row, "threshold_design", "1",
                "place of the last design before it"),
      OMR_FIELD(TRUTH, omr_threshold, rising, "threshold_rising", "1",
                "1: from there on met, or above the target"),
      OMR_FIELD(NUMBER, omr_threshold, at, "threshold_at", NULL, "value of that parameter"),
      OMR_FIELD(NUMBER, omr_threshold, bounds.low, "threshold_low", NULL,
                "lower end of its interval"),
      OMR_FIELD(NUMBER, omr_threshold, bounds.high, "threshold_high", NULL,
                "upper end of its interval")};
  const omr_answer *a = w->a;
  const omr_hdf5_name name = {"threshold", NULL, "where a criterion or an asked value changes"};
  const omr_structures thresholds = {
      w->group, a->thresholds, a->threshold_count, sizeof *a->thresholds, 0, 1, &w->threshold};
  w->threshold = omr_hdf5_scale_count(w->h5, w->group, name, a->threshold_count);
  for (size_t t = 0; t < a->threshold_count; t++)
    texts[t] = w->s->quantities[a->design[a->thresholds[t].along]].name;
  put_words(w, "threshold_along", "the parameter along which it changes", &w->threshold, texts);
  omr_hdf5_put_fields(w->h5, &thresholds, fields, sizeof fields / sizeof *fields);
}

void omr_answer_write(const omr_statistics *s, omr_hdf5 *h5) {
  const omr_answer *a = s->answer;
  if (!a || a->asked_count == 0 || a->row_count == 0) return;
  writer w = {.h5 = h5, .group = omr_hdf5_group(h5, "statistics/answer"), .s = s, .a = a};

  const char **texts =
      malloc((a->asked_count + a->design_count + a->threshold_count) * sizeof *texts);
  if (!texts) {
    omr_hdf5_refuse(h5, "write the answer", "out of memory");
  } else {
    omr_hdf5_text(h5, w.group, "rows_are", omr_answer_row_words[a->rows]);
    omr_hdf5_integer(h5, w.group, "designs", (int64_t)a->of);
    write_asked(&w, texts);
    write_designs(&w, texts);
    write_values(&w);
    if (a->threshold_count) write_thresholds(&w, texts);
  }

  omr_hdf5_scale *const scales[] = {&w.asked, &w.row, &w.parameter, &w.threshold};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
    if (scales[i]->length) omr_hdf5_scale_close(scales[i]);
  free(texts);
  if (w.group >= 0) H5Gclose(w.group);
}
