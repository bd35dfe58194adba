#include "attributes.h"

#include <stdio.h>
#include <time.h>

#define X(id, code, ...) code,
static const int8_t codes[] = {
#include "../lists/statuses.def"
};
#undef X
#define X(id, code, name, ...) " " name
static const char words[] =
#include "../lists/statuses.def"
    ;
#undef X

const char *omr_status_words(void) {
  return words + 1;
}

const int8_t *omr_status_codes(size_t *count) {
  *count = sizeof codes;
  return codes;
}

omr_sample_info omr_kept_info(omr_kept_name which) {
  static const omr_sample_info infos[] = {
      [OMR_KEPT_INSTANCE] = {"instance", NULL, "index of the instance"},
      [OMR_KEPT_STATUS] = {"status", NULL, "what became of the instance"},
      [OMR_KEPT_STATUS_TIME] = {"status_time", "s", "time at which the instance ended"},
      [OMR_KEPT_RETRIES] = {"retries", NULL,
                            "how often the instance was run again, each time with half the step"},
      [OMR_KEPT_TRACED] = {"instance", NULL, "index of the traced instance"},
      [OMR_KEPT_TIME] = {"time", "s", "time"},
      [OMR_KEPT_WHEEL] = {"wheel", NULL, "number of the wheel"}};
  return infos[which];
}

void omr_attributes_of_time(const omr_attributes *a) {
  char text[32] = "";
  time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  a->text(a->to, "created", text);
}

void omr_attributes_of_study(const omr_result *result, const omr_attributes *a) {
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)result->seed);

  /* the study: its model, its text, and the names it goes by */
  a->text(a->to, "Conventions", "CF-1.10");
  a->text(a->to, "title", result->study_title);
  a->text(a->to, "model", result->model);
  if (result->frame != OMR_FRAME_Y_UP) /* a file without it is in the first frame */
    a->text(a->to, "frame", omr_frame_list[result->frame].name);
  a->integer(a->to, "wheels", result->wheels);
  a->text(a->to, "study", result->study_text);
  a->text(a->to, "study_hash", result->study_hash);
  a->text(a->to, "study_name", result->study_name);
  if (result->scene && result->scene[0]) a->text(a->to, "scene", result->scene);
  if (result->coverage) a->text(a->to, "coverage", result->coverage);
  a->text(a->to, "seed", seed); /* 64 bits: more than a reader's double can hold */

  /* the steps of the run: of a fixed length, or controlled by a tolerance */
  if (result->tolerance > 0)
    a->number(a->to, "tolerance", result->tolerance);
  else
    a->number(a->to, "step", result->step);
  a->number(a->to, "duration", result->duration);
}

void omr_attributes_of_run(const omr_run_record *run, const omr_attributes *a) {
  /* the program */
  a->text(a->to, "omniroll_version", omr_version());
  a->text(a->to, "sources", omr_sources());
  a->text(a->to, "build", omr_build_info());

  /* where the run took place, and in which arithmetic */
  a->text(a->to, "backend", run->backend);
  a->text(a->to, "device", run->device);
  a->text(a->to, "precision", run->precision);
  a->text(a->to, "numerics", run->numerics);
  a->text(a->to, "rounding", run->rounding);
  if (run->kernels[0]) a->text(a->to, "kernels", run->kernels);
  a->integer(a->to, "lanes", run->lanes);
  a->integer(a->to, "threads", run->threads);
  a->integer(a->to, "device_checks", (int64_t)run->device_checks);

  /* OpenCL only; negative numbers are unknown */
  if (run->work_group > 0) a->integer(a->to, "work_group", run->work_group);
  if (run->registers >= 0) a->integer(a->to, "registers", run->registers);
  if (run->spill_bytes >= 0) a->integer(a->to, "spill_bytes", run->spill_bytes);
  if (run->private_bytes >= 0) a->integer(a->to, "private_bytes", run->private_bytes);

  /* where the time went */
  a->number(a->to, "build_seconds", run->build_seconds);
  a->number(a->to, "prepare_seconds", run->prepare_seconds);
  a->number(a->to, "transfer_seconds", run->transfer_seconds);
  a->number(a->to, "kernel_seconds", run->kernel_seconds);
  a->number(a->to, "wall_seconds", run->wall_seconds);
  a->number(a->to, "statistics_seconds", run->statistics_seconds);
  a->number(a->to, "write_seconds", run->write_seconds);

  a->number(a->to, "instance_steps", run->instance_steps);
  if (run->refined_steps > 0) a->number(a->to, "step_error_steps", run->refined_steps);
  a->number(a->to, "steps_per_second", omr_steps_per_second(run));
}

void omr_attributes_of_outcome(const omr_run_record *run, bool retries, const omr_attributes *a) {
  a->integer(a->to, "unbalanced_instances", (int64_t)run->unbalanced);
  a->number(a->to, "largest_energy_error", run->energy_error);
  if (!retries) return;
  a->integer(a->to, "retried_instances", (int64_t)run->retried);
  a->integer(a->to, "recovered_instances", (int64_t)run->recovered);
}
