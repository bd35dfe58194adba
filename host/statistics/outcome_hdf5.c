/* Writes an outcome to the result file. */
#include "../result/hdf5_file.h"
#include "outcome_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static hid_t open_group(omr_hdf5 *h5, const char *name) {
  char path[64];
  if (H5Lexists(h5->file, "statistics", H5P_DEFAULT) <= 0) {
    const hid_t statistics = omr_hdf5_group(h5, "statistics");
    if (statistics >= 0) H5Gclose(statistics);
  }
  snprintf(path, sizeof path, "statistics/%s", name);
  return omr_hdf5_group(h5, path);
}

/* A column over the levels of doubles or counts; `member` is where it stands in omr_subset_level.
 */
static void level_column(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *scale,
                         const omr_outcome *o, omr_hdf5_name name, hid_t type, size_t member) {
  _Static_assert(sizeof(double) == 8 && sizeof(size_t) == 8, "both are written as they stand");
  uint64_t *values = calloc(o->found.levels + 1, sizeof *values);
  if (!values) {
    omr_hdf5_refuse(h5, "write levels", "out of memory");
    return;
  }
  for (size_t l = 0; l < o->found.levels; l++)
    memcpy(&values[l], (const char *)&o->found.level[l] + member, sizeof *values);
  const hid_t dataset = omr_hdf5_variable(h5, group, name, type, 1, scale, values);
  if (dataset >= 0) H5Dclose(dataset);
  free(values);
}

static void write_levels(omr_hdf5 *h5, hid_t group, const omr_outcome *o) {
  uint64_t *numbers = calloc(o->found.levels + 1, sizeof *numbers);
  if (!numbers) {
    omr_hdf5_refuse(h5, "write levels", "out of memory");
    return;
  }

  /* levels are the dimension */
  for (size_t l = 0; l < o->found.levels; l++) numbers[l] = l;
  omr_hdf5_scale scale =
      omr_hdf5_scale_make(h5, group, (omr_hdf5_name){"level", NULL, "level of subset simulation"},
                          H5T_NATIVE_UINT64, o->found.levels, numbers);

#define NUMBER(member, name, unit, meaning)                                                        \
  level_column(h5, group, &scale, o, (omr_hdf5_name){name, unit, meaning}, H5T_NATIVE_DOUBLE,      \
               offsetof(omr_subset_level, member))
#define COUNT(member, name, meaning)                                                               \
  level_column(h5, group, &scale, o, (omr_hdf5_name){name, "1", meaning}, H5T_NATIVE_UINT64,       \
               offsetof(omr_subset_level, member))

  /* a variable for each number of a level */
  NUMBER(threshold, "threshold", NULL, "margin above which instances went on; 0 is failure");
  NUMBER(probability, "conditional_probability", "1",
         "share of the level's states above the threshold");
  NUMBER(acceptance, "acceptance", "1",
         "share of the chains' steps that were taken; NaN at level 0");
  NUMBER(scale, "scale", "1",
         "standard deviation of the last steps in standard normal space; NaN at level 0");
  NUMBER(correlation, "correlation", "1",
         "gamma of Au and Beck: 1 + gamma states of the chains count as one independent");
  COUNT(evaluations, "instances", "instances run");
  COUNT(unknown, "without_margin", "of them left out: failed, or without a value of the criterion");
#undef NUMBER
#undef COUNT

  omr_hdf5_scale_close(&scale);
  free(numbers);
}

static void write_row_words(omr_hdf5 *h5, const omr_outcome *o) {
  const hid_t group = H5Gopen2(h5->file, "instances", H5P_DEFAULT);
  omr_hdf5_scale scale = {group >= 0 ? H5Dopen2(group, "instance", H5P_DEFAULT) : -1, o->rows};
  if (scale.id < 0) omr_hdf5_refuse(h5, "open group instances", "it is not there");

  /* level and acceptance of each instance, unless the run has written them */
  if (scale.id >= 0) {
    const omr_hdf5_name names[] = {
        {"level", "1", "level of subset simulation that the instance was run for"},
        {"accepted", "1", "1 where the instance became a state of its level"}};
    const int8_t *const values[] = {o->level, o->accepted};
    for (int i = 0; i < 2; i++) {
      if (H5Lexists(group, names[i].name, H5P_DEFAULT) > 0) continue; /* as the run left them */
      const hid_t dataset =
          omr_hdf5_variable(h5, group, names[i], H5T_NATIVE_INT8, 1, &scale, values[i]);
      omr_hdf5_text(h5, dataset, "role", "design");
      if (dataset >= 0) H5Dclose(dataset);
    }
    H5Dclose(scale.id);
  }

  if (group >= 0) H5Gclose(group);
}

static void write_rare(const omr_outcome *o, omr_hdf5 *h5) {
  const omr_subset_outcome *found = &o->found;
  const hid_t group = open_group(h5, "subset");

  /* the probability and its interval */
  omr_hdf5_text(h5, group, "criterion", o->quantity);
  omr_hdf5_number(h5, group, "probability", found->probability);
  omr_hdf5_number(h5, group, "probability_low", found->low);
  omr_hdf5_number(h5, group, "probability_high", found->high);
  omr_hdf5_number(h5, group, "confidence", o->confidence);
  omr_hdf5_number(h5, group, "coefficient_of_variation", found->variation);
  omr_hdf5_number(h5, group, "coefficient_of_variation_independent_levels",
                  found->variation_levels);

  /* how the simulation ended, and from how many instances */
  omr_hdf5_text(h5, group, "end", omr_subset_ends[found->end]);
  omr_hdf5_integer(h5, group, "reached", found->end == OMR_SUBSET_REACHED);
  omr_hdf5_integer(h5, group, "failures", (int64_t)found->failures);
  omr_hdf5_integer(h5, group, "families", (int64_t)found->families);
  omr_hdf5_integer(h5, group, "instances", (int64_t)found->evaluations);
  omr_hdf5_integer(h5, group, "left_out_failed", (int64_t)o->failed);
  omr_hdf5_integer(h5, group, "left_out_without_value", (int64_t)o->without_value);

  /* the levels, and the level of each instance */
  write_levels(h5, group, o);
  if (group >= 0) H5Gclose(group);
  write_row_words(h5, o);
}

static void write_stop(const omr_outcome *o, omr_hdf5 *h5) {
  const hid_t group = open_group(h5, "stop");
  omr_hdf5_text(h5, group, "quantity", o->quantity);
  omr_hdf5_text(h5, group, "units", o->unit);
  omr_hdf5_text(h5, group, "ended_by", omr_outcome_reason(o));
  omr_hdf5_number(h5, group, "estimate", o->estimate);
  omr_hdf5_number(h5, group, "low", o->bounds.low);
  omr_hdf5_number(h5, group, "high", o->bounds.high);
  omr_hdf5_number(h5, group, "confidence", o->confidence);
  omr_hdf5_number(h5, group, o->asked.relative ? "relative_width" : "width", o->asked.width);
  omr_hdf5_integer(h5, group, "used", (int64_t)o->used);
  omr_hdf5_integer(h5, group, "instances", (int64_t)o->rows);
  omr_hdf5_integer(h5, group, "most_instances", (int64_t)o->budget);
  omr_hdf5_integer(h5, group, "chunks",
                   (int64_t)(o->rows / o->chunk_rows + (o->rows % o->chunk_rows != 0)));
  omr_hdf5_integer(h5, group, "looks", (int64_t)o->looks);
  if (group >= 0) H5Gclose(group);
}

void omr_outcome_write(const omr_outcome *outcome, omr_hdf5 *h5) {
  if (!outcome || h5->failed) return;
  if (outcome->rare)
    write_rare(outcome, h5);
  else
    write_stop(outcome, h5);
}
