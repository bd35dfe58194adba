/* The group /statistics/step_error: numbers over the quantities of /statistics, quantiles and
 * criteria, and the rows of the instances that were run again, from which all of it can be computed
 * anew. */
#include "../result/hdf5_read.h"
#include "../result/hdf5_sums.h"
#include "step_error.h"

#define GROUP "statistics/step_error"

/* WRITING */

typedef struct writer {
  omr_hdf5 *h5;
  hid_t group;
  const omr_statistics *s;
  const omr_step_error *e;
  omr_hdf5_scale substeps, instance, quantity, quantile, criterion, accept;
} writer;

static void open_dimensions(writer *w) {
  static const omr_field quantity = OMR_FIELD(TEXT, omr_quantity, name, "quantity", NULL,
                                              "varied parameters, then observables"),
                         criterion =
                             OMR_FIELD(TEXT, omr_criterion, name, "criterion", NULL, "criterion");
  const omr_statistics *s = w->s;
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
  w->quantity = omr_hdf5_scale_texts(w->h5,
                                     &(omr_structures){w->group, s->quantities, s->quantity_count,
                                                       sizeof *s->quantities, 0, 1, NULL},
                                     &quantity);

  if (s->quantile_count)
    w->quantile = omr_hdf5_scale_make(
        w->h5, w->group, (omr_hdf5_name){"quantile", "1", "probability of a smaller value"},
        H5T_NATIVE_DOUBLE, s->quantile_count, s->levels);

  if (s->criterion_count)
    w->criterion = omr_hdf5_scale_texts(w->h5,
                                        &(omr_structures){w->group, s->criteria, s->criterion_count,
                                                          sizeof *s->criteria, 0, 1, NULL},
                                        &criterion);
}

static void close_dimensions(writer *w) {
  omr_hdf5_scale *const scales[] = {&w->substeps, &w->instance,  &w->quantity,
                                    &w->quantile, &w->criterion, &w->accept};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) omr_hdf5_scale_close(scales[i]);
}

static void write_rows(writer *w) {
  const omr_hdf5_scale scales[3] = {w->substeps, w->instance, w->quantity};
  const omr_hdf5_name status = {"status", NULL, "how each ended, -2: taken again after a failure"},
                      value = {"value", NULL, "value with so many substeps"};
  omr_hdf5_put_variable(w->h5, w->group, status, H5T_NATIVE_INT8, 2, scales, w->e->refined.status);
  omr_hdf5_put_variable(w->h5, w->group, value, H5T_NATIVE_DOUBLE, 3, scales, w->e->refined.values);
}

/* Parameters have no error. */
static omr_structures quantities_of(const writer *w) {
  const omr_step_error *e = w->e;
  return (omr_structures){
      w->group, e->quantities, e->observable_count, sizeof *e->quantities, e->parameter_count,
      1,        &w->quantity};
}

static omr_structures criteria_of(const writer *w) {
  const omr_step_error *e = w->e;
  return (omr_structures){w->group, e->criteria, e->criterion_count, sizeof *e->criteria,
                          0,        1,           &w->criterion};
}

static void write_quantities(writer *w) {
  static const omr_field fields[] = {
      OMR_FIELD(NUMBER, omr_step_quantity, mean.error, "error", NULL,
                "error of the mean by the step: the mean less what it tends to with shorter steps"),
      OMR_FIELD(NUMBER, omr_step_quantity, mean.low, "error_low", NULL, "lower end of its range"),
      OMR_FIELD(NUMBER, omr_step_quantity, mean.high, "error_high", NULL, "upper end of its range"),
      OMR_FIELD(NUMBER, omr_step_quantity, order, "order", NULL,
                "observed order, from the ratio of the sums of differences"),
      OMR_FIELD(NUMBER, omr_step_quantity, median_size, "instance_median", NULL,
                "median of the sizes of single instances' errors"),
      OMR_FIELD(NUMBER, omr_step_quantity, largest_size, "instance_worst", NULL,
                "largest of the sizes of single instances' errors"),
      OMR_FIELD(COUNT, omr_step_quantity, used, "used", NULL,
                "instances with a value at every step")};
  const omr_structures quantities = quantities_of(w);
  omr_hdf5_put_fields(w->h5, &quantities, fields, sizeof fields / sizeof *fields);
}

/* Error and range of each level, by quantity. */
static void write_quantiles(writer *w) {
  static const omr_field fields[] = {OMR_FIELD(NUMBER, omr_step_estimate, error, "quantile_error",
                                               NULL, "error of the quantile by the step"),
                                     OMR_FIELD(NUMBER, omr_step_estimate, low, "quantile_error_low",
                                               NULL, "lower end of its range"),
                                     OMR_FIELD(NUMBER, omr_step_estimate, high,
                                               "quantile_error_high", NULL,
                                               "upper end of its range")};
  const omr_hdf5_scale scales[2] = {w->quantity, w->quantile};
  const omr_step_error *e = w->e;
  const size_t levels = e->quantile_count;
  const omr_structures quantiles = {w->group,
                                    e->quantiles,
                                    e->observable_count * levels,
                                    sizeof *e->quantiles,
                                    e->parameter_count * levels,
                                    2,
                                    scales};
  if (levels) omr_hdf5_put_fields(w->h5, &quantiles, fields, sizeof fields / sizeof *fields);
}

/* Shares of the instances that change sides, and the counts that they are made of. */
static void write_criteria(writer *w) {
  static const omr_field fields[] = {
      OMR_FIELD(NUMBER, omr_step_criterion, flips, "flips", "1",
                "share of the instances in which the criterion changes sides with a shorter step"),
      OMR_FIELD(NUMBER, omr_step_criterion, flips_high, "flips_high", "1",
                "one-sided upper bound of that share, exact"),
      OMR_FIELD(NUMBER, omr_step_criterion, share.error, "probability_error", "1",
                "error of the probability by the step"),
      OMR_FIELD(NUMBER, omr_step_criterion, share.low, "probability_error_low", "1",
                "lower end of its range"),
      OMR_FIELD(NUMBER, omr_step_criterion, share.high, "probability_error_high", "1",
                "upper end of its range"),
      OMR_FIELD(COUNT, omr_step_criterion, used, "flip_used", NULL,
                "instances in which the criterion is known at every step"),
      OMR_FIELD(COUNT, omr_step_criterion, gained, "gained", NULL,
                "of them those that meet it with the run's step alone"),
      OMR_FIELD(COUNT, omr_step_criterion, lost, "lost", NULL,
                "and those that meet it with the shorter step alone")};
  const omr_structures criteria = criteria_of(w);
  if (criteria.count) omr_hdf5_put_fields(w->h5, &criteria, fields, sizeof fields / sizeof *fields);
}

/* Pairs of cells by quantity, then by criterion. */
static void write_rankings(writer *w) {
  static const char pairs[] =
      "pairs of cells that the run tells apart, and whose order was looked at",
                    reversed[] = "of them those that change places without the step's error";
  static const omr_field of_quantities[] = {
      OMR_FIELD(COUNT, omr_step_quantity, ranking.pairs, "pairs", NULL, pairs),
      OMR_FIELD(COUNT, omr_step_quantity, ranking.reversed, "reversed", NULL, reversed)};
  static const omr_field of_criteria[] = {
      OMR_FIELD(COUNT, omr_step_criterion, ranking.pairs, "criterion_pairs", NULL, pairs),
      OMR_FIELD(COUNT, omr_step_criterion, ranking.reversed, "criterion_reversed", NULL, reversed)};
  const omr_structures quantities = quantities_of(w), criteria = criteria_of(w);
  for (int which = 0; which < 2 && w->e->refined.sample.cells; which++) {
    omr_hdf5_put_fields(w->h5, &quantities, &of_quantities[which], 1);
    if (criteria.count) omr_hdf5_put_fields(w->h5, &criteria, &of_criteria[which], 1);
  }
}

static void write_verdicts(writer *w) {
  static const omr_field label = OMR_FIELD(LABEL, omr_step_verdict, label, "accept", NULL,
                                           "observable or criterion of integrator.accept");
  static const omr_field fields[] = {
      OMR_FIELD(NUMBER, omr_step_verdict, most, "accepted", NULL,
                "error, or share of changes, that is accepted"),
      OMR_FIELD(NUMBER, omr_step_verdict, error, "accept_error", NULL, "what was found"),
      OMR_FIELD(TRUTH, omr_step_verdict, missed, "missed", NULL,
                "1 where it is larger than accepted, or not known")};
  const omr_step_error *e = w->e;
  const omr_structures verdicts = {w->group, e->verdicts, e->verdict_count, sizeof *e->verdicts,
                                   0,        1,           &w->accept};
  if (e->verdict_count == 0 || w->h5->failed) return;
  w->accept = omr_hdf5_scale_texts(w->h5, &verdicts, &label);
  omr_hdf5_put_fields(w->h5, &verdicts, fields, sizeof fields / sizeof *fields);
}

void omr_step_error_write(const omr_statistics *s, omr_hdf5 *h5) {
  const omr_hdf5_scale none = OMR_HDF5_NO_SCALE;
  if (!s->step_error || h5->failed) return;
  writer w = {h5, omr_hdf5_group(h5, GROUP), s, s->step_error, none, none, none, none, none, none};
  if (!h5->failed) {
    omr_hdf5_integer(h5, w.group, "left_out", (int64_t)w.e->left_out);
    open_dimensions(&w);
    write_rows(&w);
    write_quantities(&w);
    write_quantiles(&w);
    write_criteria(&w);
    write_rankings(&w);
    write_verdicts(&w);
    close_dimensions(&w);
  }
  if (w.group >= 0) H5Gclose(w.group);
}

/* READING */

/* Reads a dataset of so many values whole. */
static bool read_whole(hid_t group, const char *name, hid_t type, int rank, const hsize_t *lengths,
                       void *values) {
  const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  if (dataset < 0) return false;
  const bool right = omr_hdf5_has_lengths(dataset, rank, lengths) && omr_sum_check(dataset) &&
                     omr_hdf5_get(dataset, type, 0, (size_t)lengths[0], values);
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
