/* Writes an outcome to the result file. */
#include "../result/hdf5_file.h"
#include "outcome_parts.h"

static void write_levels(omr_hdf5 *h5, hid_t group, const omr_outcome *o) {
  static const omr_field fields[] = {
      OMR_FIELD(NUMBER, omr_subset_level, threshold, "threshold", NULL,
                "margin above which instances went on; 0 is failure"),
      OMR_FIELD(NUMBER, omr_subset_level, probability, "conditional_probability", "1",
                "share of the level's states above the threshold"),
      OMR_FIELD(NUMBER, omr_subset_level, acceptance, "acceptance", "1",
                "share of the chains' steps that were taken; NaN at level 0"),
      OMR_FIELD(NUMBER, omr_subset_level, scale, "scale", "1",
                "standard deviation of the last steps in standard normal space; NaN at level 0"),
      OMR_FIELD(NUMBER, omr_subset_level, correlation, "correlation", "1",
                "gamma of Au and Beck: 1 + gamma states of the chains count as one independent"),
      OMR_FIELD(COUNT, omr_subset_level, evaluations, "instances", "1", "instances run"),
      OMR_FIELD(COUNT, omr_subset_level, unknown, "without_margin", "1",
                "of them left out: failed, or without a value of the criterion")};
  const omr_hdf5_name name = {"level", NULL, "level of subset simulation"};
  omr_hdf5_scale scale = omr_hdf5_scale_count(h5, group, name, o->found.levels);
  const omr_structures levels = {group, o->found.level, o->found.levels, sizeof *o->found.level, 0,
                                 1,     &scale};
  omr_hdf5_put_fields(h5, &levels, fields, sizeof fields / sizeof *fields);
  omr_hdf5_scale_close(&scale);
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
  const hid_t group = omr_hdf5_subgroup(h5, "statistics", "subset");

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
  const hid_t group = omr_hdf5_subgroup(h5, "statistics", "stop");
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
