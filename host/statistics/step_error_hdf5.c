/* The group /statistics/step_error: numbers over the quantities of /statistics, quantiles and
 * criteria, and the rows of the instances that were run again, from which all of it can be computed
 * anew. */
#include "../result/hdf5_probe.h"
#include "../result/hdf5_read.h"
#include "../result/hdf5_sums.h"
#include "step_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUP "statistics/step_error"

/* WRITING */

typedef struct writer {
  omr_hdf5 *h5;
  hid_t group;
  const omr_statistics *s;
  const omr_step_error *e;
  omr_hdf5_scale substeps, instance, quantity, quantile, criterion, accept;
} writer;

static void variable(writer *w, const char *name, const char *unit, const char *meaning, hid_t type,
                     int rank, const omr_hdf5_scale *scales, const void *values) {
  if (w->h5->failed) return;
  const hid_t dataset = omr_hdf5_variable(w->h5, w->group, (omr_hdf5_name){name, unit, meaning},
                                          type, rank, scales, values);
  if (dataset >= 0) H5Dclose(dataset);
}

static omr_hdf5_scale words(writer *w, const char *name, const char *meaning, size_t count,
                            const char *const *texts) {
  return (omr_hdf5_scale){
      omr_hdf5_words(w->h5, w->group, (omr_hdf5_name){name, NULL, meaning}, NULL, count, texts),
      count};
}

static void open_dimensions(writer *w, const char **texts) {
  const omr_refined *r = &w->e->refined;
  uint64_t substeps[OMR_STEP_LEVELS + 1], instances[OMR_STEP_SAMPLE_MOST];

  /* steps and instances of the rows that were run again */
  for (int level = 0; level <= r->sample.levels; level++)
    substeps[level] = (uint64_t)omr_step_sample_parts(&r->sample, level);
  for (size_t i = 0; i < r->sample.count; i++) instances[i] = r->instance[i];

  w->substeps = omr_hdf5_scale_make(
      w->h5, w->group,
      (omr_hdf5_name){"substeps", NULL,
                      "steps to one of the run, or how many times smaller the tolerance was"},
      H5T_NATIVE_UINT64, (hsize_t)r->sample.levels + 1, substeps);

  w->instance = omr_hdf5_scale_make(
      w->h5, w->group, (omr_hdf5_name){"instance", NULL, "instances that were run again"},
      H5T_NATIVE_UINT64, r->sample.count, instances);

  /* quantities, quantiles and criteria have the names that /statistics has */
  for (size_t q = 0; q < w->s->quantity_count; q++) texts[q] = w->s->quantities[q].name;
  w->quantity =
      words(w, "quantity", "varied parameters, then observables", w->s->quantity_count, texts);

  if (w->s->quantile_count)
    w->quantile = omr_hdf5_scale_make(
        w->h5, w->group, (omr_hdf5_name){"quantile", "1", "probability of a smaller value"},
        H5T_NATIVE_DOUBLE, w->s->quantile_count, w->s->levels);

  for (size_t c = 0; c < w->s->criterion_count; c++) texts[c] = w->s->criteria[c].name;
  if (w->s->criterion_count)
    w->criterion = words(w, "criterion", "criterion", w->s->criterion_count, texts);
}

static void close_dimensions(writer *w) {
  omr_hdf5_scale *const scales[] = {&w->substeps, &w->instance,  &w->quantity,
                                    &w->quantile, &w->criterion, &w->accept};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) omr_hdf5_scale_close(scales[i]);
}

static void write_rows(writer *w) {
  const omr_hdf5_scale scales[3] = {w->substeps, w->instance, w->quantity};
  variable(w, "status", NULL, "how each ended, -2: taken again after a failure", H5T_NATIVE_INT8, 2,
           scales, w->e->refined.status);
  variable(w, "value", NULL, "value with so many substeps", H5T_NATIVE_DOUBLE, 3, scales,
           w->e->refined.values);
}

enum { ERROR, LOW, HIGH, ORDER, MEDIAN, WORST, NUMBERS };

static double number_of(const omr_step_quantity *q, int which) {
  switch (which) {
  case ERROR: return q->mean.error;
  case LOW: return q->mean.low;
  case HIGH: return q->mean.high;
  case ORDER: return q->order;
  case MEDIAN: return q->median_size;
  default: return q->largest_size;
  }
}

static void write_quantities(writer *w, double *values, uint64_t *counts) {
  static const char *const names[NUMBERS][2] = {
      {"error", "error of the mean by the step: the mean less what it tends to with shorter steps"},
      {"error_low", "lower end of its range"},
      {"error_high", "upper end of its range"},
      {"order", "observed order, from the ratio of the sums of differences"},
      {"instance_median", "median of the sizes of single instances' errors"},
      {"instance_worst", "largest of the sizes of single instances' errors"}};
  const omr_step_error *e = w->e;

  /* a variable for each number; parameters have no error */
  for (int which = 0; which < NUMBERS; which++) {
    for (size_t q = 0; q < w->s->quantity_count; q++)
      values[q] = q < e->parameter_count ? (double)NAN
                                         : number_of(&e->quantities[q - e->parameter_count], which);
    variable(w, names[which][0], NULL, names[which][1], H5T_NATIVE_DOUBLE, 1, &w->quantity, values);
  }

  for (size_t q = 0; q < w->s->quantity_count; q++)
    counts[q] = q < e->parameter_count ? 0 : e->quantities[q - e->parameter_count].used;

  variable(w, "used", NULL, "instances with a value at every step", H5T_NATIVE_UINT64, 1,
           &w->quantity, counts);
}

static void write_quantiles(writer *w, double *values) {
  static const char *const names[3][2] = {{"quantile_error", "error of the quantile by the step"},
                                          {"quantile_error_low", "lower end of its range"},
                                          {"quantile_error_high", "upper end of its range"}};
  const omr_hdf5_scale scales[2] = {w->quantity, w->quantile};
  const size_t levels = w->s->quantile_count;

  /* error and range of each level, by quantity; parameters have none */
  for (int which = 0; which < 3 && levels; which++) {
    for (size_t q = 0; q < w->s->quantity_count; q++)
      for (size_t l = 0; l < levels; l++) {
        const bool parameter = q < w->e->parameter_count;
        const omr_step_estimate *e =
            parameter ? NULL : &w->e->quantities[q - w->e->parameter_count].quantiles[l];
        values[q * levels + l] = !e           ? (double)NAN
                                 : which == 0 ? e->error
                                 : which == 1 ? e->low
                                              : e->high;
      }

    variable(w, names[which][0], NULL, names[which][1], H5T_NATIVE_DOUBLE, 2, scales, values);
  }
}

static double share_of(const omr_step_criterion *c, int which) {
  const double shares[] = {c->flips, c->flips_high, c->share.error, c->share.low, c->share.high};
  return shares[which];
}

static void write_criteria(writer *w, double *values, uint64_t *counts) {
  static const char *const shares[5][2] = {
      {"flips", "share of the instances in which the criterion changes sides with a shorter step"},
      {"flips_high", "one-sided upper bound of that share, exact"},
      {"probability_error", "error of the probability by the step"},
      {"probability_error_low", "lower end of its range"},
      {"probability_error_high", "upper end of its range"}};
  static const char *const numbers[3][2] = {
      {"flip_used", "instances in which the criterion is known at every step"},
      {"gained", "of them those that meet it with the run's step alone"},
      {"lost", "and those that meet it with the shorter step alone"}};
  const size_t count = w->s->criterion_count;

  /* shares of the instances that change sides, with their bounds */
  for (int which = 0; which < 5 && count; which++) {
    for (size_t c = 0; c < count; c++) values[c] = share_of(&w->e->criteria[c], which);
    variable(w, shares[which][0], "1", shares[which][1], H5T_NATIVE_DOUBLE, 1, &w->criterion,
             values);
  }

  /* the counts that the shares are made of */
  for (int which = 0; which < 3 && count; which++) {
    for (size_t c = 0; c < count; c++) {
      const omr_step_criterion *step = &w->e->criteria[c];
      counts[c] = which == 0 ? step->used : which == 1 ? step->gained : step->lost;
    }

    variable(w, numbers[which][0], NULL, numbers[which][1], H5T_NATIVE_UINT64, 1, &w->criterion,
             counts);
  }
}

static void write_rankings(writer *w, uint64_t *counts) {
  static const char *const names[2][2] = {
      {"pairs", "pairs of cells that the run tells apart, and whose order was looked at"},
      {"reversed", "of them those that change places without the step's error"}};
  const omr_step_error *e = w->e;
  char name[64];

  /* pairs of cells by quantity, then by criterion */
  for (int which = 0; which < 2 && e->refined.sample.cells; which++) {
    for (size_t q = 0; q < w->s->quantity_count; q++) {
      const omr_step_ranking *r =
          q < e->parameter_count ? NULL : &e->quantities[q - e->parameter_count].ranking;
      counts[q] = !r ? 0 : which == 0 ? r->pairs : r->reversed;
    }

    variable(w, names[which][0], NULL, names[which][1], H5T_NATIVE_UINT64, 1, &w->quantity, counts);
    for (size_t c = 0; c < w->s->criterion_count; c++)
      counts[c] = which == 0 ? e->criteria[c].ranking.pairs : e->criteria[c].ranking.reversed;

    snprintf(name, sizeof name, "criterion_%s", names[which][0]);
    if (w->s->criterion_count)
      variable(w, name, NULL, names[which][1], H5T_NATIVE_UINT64, 1, &w->criterion, counts);
  }
}

static void write_verdicts(writer *w, double *values, int8_t *missed) {
  const omr_step_error *e = w->e;
  const size_t count = e->verdict_count;
  const char **texts = calloc(count + 1, sizeof *texts);
  if (!texts) omr_hdf5_refuse(w->h5, "write " GROUP, "out of memory");
  for (size_t i = 0; texts && i < count; i++) texts[i] = e->verdicts[i].label;
  if (count && !w->h5->failed) {
    w->accept = words(w, "accept", "observable or criterion of integrator.accept", count, texts);
    for (size_t i = 0; i < count; i++) values[i] = e->verdicts[i].most;
    variable(w, "accepted", NULL, "error, or share of changes, that is accepted", H5T_NATIVE_DOUBLE,
             1, &w->accept, values);
    for (size_t i = 0; i < count; i++) values[i] = e->verdicts[i].error;
    variable(w, "accept_error", NULL, "what was found", H5T_NATIVE_DOUBLE, 1, &w->accept, values);
    for (size_t i = 0; i < count; i++) missed[i] = e->verdicts[i].missed;
    variable(w, "missed", NULL, "1 where it is larger than accepted, or not known", H5T_NATIVE_INT8,
             1, &w->accept, missed);
  }
  free(texts);
}

static void write_all(writer *w) {
  const omr_statistics *s = w->s;
  const size_t most = s->quantity_count + s->criterion_count + w->e->verdict_count + 1;

  /* scratch for the largest variable */
  double *values = calloc(most * (s->quantile_count + 1), sizeof *values);
  uint64_t *counts = calloc(most, sizeof *counts);
  int8_t *missed = calloc(most, sizeof *missed);
  const char **texts = calloc(most, sizeof *texts);

  /* write dimensions and variables */
  if (values && counts && missed && texts) {
    omr_hdf5_integer(w->h5, w->group, "left_out", (int64_t)w->e->left_out);
    open_dimensions(w, texts);
    write_rows(w);
    write_quantities(w, values, counts);
    write_quantiles(w, values);
    write_criteria(w, values, counts);
    write_rankings(w, counts);
    write_verdicts(w, values, missed);
    close_dimensions(w);
  } else {
    omr_hdf5_refuse(w->h5, "write " GROUP, "out of memory");
  }

  free(values);
  free(counts);
  free(missed);
  free(texts);
}

void omr_step_error_write(const omr_statistics *s, omr_hdf5 *h5) {
  const omr_hdf5_scale none = {-1, 0};
  if (!s->step_error || h5->failed) return;
  writer w = {h5, omr_hdf5_group(h5, GROUP), s, s->step_error, none, none, none, none, none, none};
  if (!h5->failed) write_all(&w);
  if (w.group >= 0) H5Gclose(w.group);
}

/* READING */

/* Reads a dataset of so many values whole. */
static bool read_whole(hid_t group, const char *name, hid_t type, int rank, const hsize_t *lengths,
                       void *values) {
  hsize_t found[OMR_HDF5_RANK];
  const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  if (dataset < 0) return false;
  bool right = omr_hdf5_lengths(dataset, found) == rank;
  for (int d = 0; right && d < rank; d++) right = found[d] == lengths[d];
  right =
      right && omr_sum_check(dataset) && omr_hdf5_get(dataset, type, 0, (size_t)lengths[0], values);
  H5Dclose(dataset);
  return right;
}

/* Reads the rows and checks that the instances and their steps are the ones that the study
 * chooses. */
static bool read_group(hid_t group, omr_refined *r) {
  const hsize_t count = r->sample.count,
                lengths[3] = {(hsize_t)r->sample.levels + 1, count, r->columns};
  uint64_t instances[OMR_STEP_SAMPLE_MOST], substeps[OMR_STEP_LEVELS + 1];
  if (!read_whole(group, "instance", H5T_NATIVE_UINT64, 1, &count, instances) ||
      !read_whole(group, "substeps", H5T_NATIVE_UINT64, 1, lengths, substeps))
    return false;
  for (int level = 0; level <= r->sample.levels; level++)
    if (substeps[level] != (uint64_t)omr_step_sample_parts(&r->sample, level)) return false;
  for (size_t i = 0; i < r->sample.count; i++)
    if (instances[i] != r->instance[i]) return false;
  return read_whole(group, "status", H5T_NATIVE_INT8, 2, lengths, r->status) &&
         read_whole(group, "value", H5T_NATIVE_DOUBLE, 3, lengths, r->values);
}

/* Opens the group if the file has one; *failed if HDF5 cannot say. */
static hid_t open_group(hid_t file, bool *failed) {
  const htri_t statistics = file < 0 ? -1 : H5Lexists(file, "statistics", H5P_DEFAULT);
  const htri_t has = statistics > 0 ? H5Lexists(file, GROUP, H5P_DEFAULT) : statistics;
  const hid_t group = has > 0 ? H5Gopen2(file, GROUP, H5P_DEFAULT) : -1;
  *failed = has < 0 || (has > 0 && group < 0);
  return group;
}

omr_status omr_step_error_read(const char *path, const omr_study *study, omr_refined *refined,
                               bool *there, omr_error *error) {
  if (omr_hdf5_probe(path, error) != OMR_OK) return OMR_ERR_IO;

  /* open the group; a file without one is no error */
  const omr_hdf5_report report = omr_hdf5_quiet();
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  bool failed;
  const hid_t group = open_group(file, &failed);

  /* keep HDF5's own cause before anything else replaces it */
  const omr_hdf5_cause cause = omr_hdf5_last_cause();

  omr_status status = failed
                          ? omr_fail(error, OMR_ERR_IO, "%s: cannot read the group /" GROUP ": %s.",
                                     path, cause.text)
                          : omr_refined_make(study, refined, error);

  /* read the rows, which have to fit the study */
  *there = status == OMR_OK && group >= 0 && refined->sample.count;
  if (*there && !read_group(group, refined))
    status = omr_fail(error, OMR_ERR_IO,
                      "%s: the group /" GROUP
                      " is not that of its study: the file is damaged; write it anew",
                      path);

  if (group >= 0) H5Gclose(group);
  if (file >= 0) H5Fclose(file);
  omr_hdf5_restore(report);
  if (status != OMR_OK || !*there) omr_refined_free(refined);
  return status;
}
