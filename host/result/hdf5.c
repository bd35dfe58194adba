/* What a result file says of its study and its run; and files that come into being without ever
 * being half there. */
#include "hdf5_sums.h"

#include <time.h>

omr_status omr_result_files(omr_error *error) {
  (void)error;
  return OMR_OK;
}

void omr_hdf5_created(omr_hdf5 *h5) {
  char text[32] = "";
  time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  omr_hdf5_text(h5, h5->file, "created", text);
}

void omr_hdf5_study(omr_hdf5 *h5, const omr_result *result) {
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)result->seed);
  omr_hdf5_text(h5, h5->file, "Conventions", "CF-1.10");
  omr_hdf5_text(h5, h5->file, "title", result->study_title);
  omr_hdf5_text(h5, h5->file, "model", result->model);
  omr_hdf5_integer(h5, h5->file, "wheels", result->wheels);
  omr_hdf5_text(h5, h5->file, "study", result->study_text);
  omr_hdf5_text(h5, h5->file, "study_hash", result->study_hash);
  omr_hdf5_text(h5, h5->file, "study_name", result->study_name);
  if (result->scene && result->scene[0]) omr_hdf5_text(h5, h5->file, "scene", result->scene);
  omr_hdf5_text(h5, h5->file, "seed", seed); /* 64 bits: more than a reader's double can hold */
  if (result->tolerance > 0)
    omr_hdf5_number(h5, h5->file, "tolerance", result->tolerance);
  else
    omr_hdf5_number(h5, h5->file, "step", result->step);
  omr_hdf5_number(h5, h5->file, "duration", result->duration);
}

void omr_hdf5_run(omr_hdf5 *h5, const omr_run_record *run) {
  omr_hdf5_text(h5, h5->file, "omniroll_version", omr_version());
  omr_hdf5_text(h5, h5->file, "build", omr_build_info());
  omr_hdf5_text(h5, h5->file, "backend", run->backend);
  omr_hdf5_text(h5, h5->file, "device", run->device);
  omr_hdf5_text(h5, h5->file, "precision", run->precision);
  omr_hdf5_text(h5, h5->file, "numerics", run->numerics);
  omr_hdf5_text(h5, h5->file, "rounding", run->rounding);
  omr_hdf5_integer(h5, h5->file, "lanes", run->lanes);
  omr_hdf5_integer(h5, h5->file, "threads", run->threads);
  omr_hdf5_integer(h5, h5->file, "device_checks", (int64_t)run->device_checks);
  if (run->work_group > 0) omr_hdf5_integer(h5, h5->file, "work_group", run->work_group);
  if (run->registers >= 0) omr_hdf5_integer(h5, h5->file, "registers", run->registers);
  if (run->spill_bytes >= 0) omr_hdf5_integer(h5, h5->file, "spill_bytes", run->spill_bytes);
  if (run->private_bytes >= 0) omr_hdf5_integer(h5, h5->file, "private_bytes", run->private_bytes);
  omr_hdf5_number(h5, h5->file, "build_seconds", run->build_seconds);
  omr_hdf5_number(h5, h5->file, "prepare_seconds", run->prepare_seconds);
  omr_hdf5_number(h5, h5->file, "transfer_seconds", run->transfer_seconds);
  omr_hdf5_number(h5, h5->file, "kernel_seconds", run->kernel_seconds);
  omr_hdf5_number(h5, h5->file, "wall_seconds", run->wall_seconds);
  omr_hdf5_number(h5, h5->file, "statistics_seconds", run->statistics_seconds);
  omr_hdf5_number(h5, h5->file, "write_seconds", run->write_seconds);
  omr_hdf5_number(h5, h5->file, "instance_steps", run->instance_steps);
  if (run->refined_steps > 0) omr_hdf5_number(h5, h5->file, "step_error_steps", run->refined_steps);
  omr_hdf5_number(h5, h5->file, "steps_per_second", omr_steps_per_second(run));
}

omr_status omr_hdf5_write(const char *path, omr_hdf5_compose *compose, const void *content,
                          omr_error *error) {
  omr_replace place;
  omr_status status = omr_replace_open(&place, path, error);
  if (status != OMR_OK) return status;
  const omr_hdf5_report report = omr_hdf5_quiet();
  omr_hdf5 h5;
  omr_hdf5_create(&h5, place.descriptor);
  if (!h5.failed) compose(&h5, content);
  if (!h5.failed) omr_hdf5_created(&h5);
  omr_sums_seal(&h5);
  const bool closed = omr_hdf5_close(&h5);
  status = closed ? omr_replace_finish(&place, error) : omr_hdf5_fail(&h5, &place, error);
  if (!closed) omr_replace_discard(&place);
  omr_hdf5_restore(report);
  return status;
}
