/* The file of a comparison. It holds the same trajectories from the reference (group /reference),
 * from its second integration (/reference_again) and from every run of the engine
 * (/fast/<backend>_<precision> at the study's step, /fast/<backend>_<precision>_half at half of it;
 * at a tenth of the tolerance for controlled steps), in the layout of /trajectories: each group is
 * a separate data set with its scales. */
#include "../../result/hdf5_file.h"
#include "compare.h"

#include <string.h>

/* Writes the ends. Every instance of a comparison is traced, so the trajectories' own scale
 * fits. */
static void write_ends(omr_hdf5 *h5, hid_t group, const omr_result *result) {
  if (h5->failed) return;
  const omr_hdf5_scale instance = {H5Dopen2(group, "instance", H5P_DEFAULT), result->instances};
  omr_hdf5_status(h5, group, &instance, result->status, result->status_time);
  H5Dclose(instance.id);
}

/* Writes one run. step: s; 0: it has the tolerance instead. */
static void write_side(omr_hdf5 *h5, const char *name, const omr_result *result, double step,
                       double tolerance) {
  if (h5->failed) return;

  omr_hdf5_traces traces;
  omr_hdf5_traces_open(h5, &traces, name, result, result->traced_count);
  omr_hdf5_traces_put(h5, &traces, result, 0);
  omr_hdf5_traces_close(&traces);

  /* attributes say how it ran */
  const hid_t group = traces.group;
  omr_hdf5_text(h5, group, "backend", result->record.backend);
  omr_hdf5_text(h5, group, "device", result->record.device);
  omr_hdf5_text(h5, group, "precision", result->record.precision);
  omr_hdf5_text(h5, group, "numerics", result->record.numerics);
  omr_hdf5_number(h5, group, "seconds", result->record.kernel_seconds);

  if (step > 0)
    omr_hdf5_number(h5, group, "step", step);
  else
    omr_hdf5_number(h5, group, "tolerance", tolerance);

  write_ends(h5, group, result);
  if (group >= 0) H5Gclose(group);
}

/* Turns "opencl 0:0 single" into "opencl_0_0_single". */
static void group_name(const omr_compared_run *run, int half, char *name, size_t size) {
  snprintf(name, size, "fast/%s%s", run->name, half ? "_half" : "");
  for (char *c = name + 5; *c; c++)
    if (*c == ' ' || *c == ':' || *c == '/') *c = '_';
}

static void compose(omr_hdf5 *h5, const void *content) {
  const omr_comparison *c = content;
  char name[96];

  /* the study, the program and the verdict */
  omr_hdf5_study(h5, c->reference.result);
  if (c->reference.result->first_invalid[0])
    omr_hdf5_text(h5, h5->file, "first_invalid", c->reference.result->first_invalid);
  omr_hdf5_text(h5, h5->file, "omniroll_version", omr_version());
  omr_hdf5_text(h5, h5->file, "sources", omr_sources());
  omr_hdf5_text(h5, h5->file, "build", omr_build_info());
  omr_hdf5_text(h5, h5->file, "content", "comparison with the reference");
  char verdict[1024];
  omr_comparison_verdict(c, verdict, sizeof verdict);
  omr_hdf5_text(h5, h5->file, "verdict", verdict);

  /* both integrations of the reference */
  write_side(h5, "reference", c->reference.result, 0, c->reference_tolerance[0]);
  write_side(h5, "reference_again", c->again.result, 0, c->reference_tolerance[1]);

  /* the engine's runs at h and h/2 */
  hid_t fast = omr_hdf5_group(h5, "fast");
  if (fast >= 0) H5Gclose(fast);
  for (size_t i = 0; i < c->run_count; i++) {
    for (int half = 0; half < 2 && !c->runs[i].skipped[0]; half++) {
      const omr_study *study = &c->study[half];
      group_name(&c->runs[i], half, name, sizeof name);
      write_side(h5, name, c->runs[i].results[half],
                 omr_controls_steps(study) ? 0 : study->time.step, study->time.tolerance);
    }
  }
}

omr_status omr_comparison_write(const omr_comparison *c, const char *path, omr_error *error) {
  return omr_hdf5_write(path, compose, c, error);
}
