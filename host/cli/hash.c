/* omniroll run --hash: a run in memory, told by the hash of its numbers and its speed. */
#include "cli.h"
#include "long.h"
#include "progress.h"
#include "result/result.h"
#include "study/json.h"
#include "support/support.h"
#include <math.h>
#include <stdlib.h>

typedef struct told {
  const omr_result *result;
  char hash[33];
  size_t by_status[OMR_INSTANCE_STATUS_COUNT];
} told;

static bool on_progress(void *user, double done, double total) {
  cli_progress_show(user, done, total);
  return !cli_interrupted();
}

static double steps_per_second(const omr_run_record *run) {
  return run->kernel_seconds > 0 ? omr_steps_per_second(run) : (double)NAN;
}

static void print_text(const told *t) {
  const omr_run_record *run = &t->result->record;
  const char *between = ": ";
  printf("hash       %s\n", t->hash);
  printf("instances  %zu", t->result->instances);
  for (int i = 0; i < OMR_INSTANCE_STATUS_COUNT; i++) {
    if (!t->by_status[i]) continue;
    printf("%s%zu %s", between, t->by_status[i], omr_instance_status_name(i));
    between = ", ";
  }
  printf("\nbackend    %s, %s; precision %s, lanes %d, numerics %s\n", run->backend, run->device,
         run->precision, run->lanes, run->numerics);
  if (t->result->tolerance > 0)
    printf("steps      %.6g passes at a tolerance of %g\n", run->instance_steps,
           t->result->tolerance);
  else
    printf("steps      %.6g instance-steps of %g s\n", run->instance_steps, t->result->step);
  printf("time       wall %.4g s: build %.3g, prepare %.3g, transfer %.3g, kernels %.4g\n",
         run->wall_seconds, run->build_seconds, run->prepare_seconds, run->transfer_seconds,
         run->kernel_seconds);
  if (run->kernel_seconds > 0)
    printf("speed      %.4g %s per second in the kernels\n", steps_per_second(run),
           t->result->tolerance > 0 ? "passes" : "instance-steps");
}

/* null where it is not known */
static void add_count(cJSON *root, const char *name, int count) {
  if (count < 0)
    cJSON_AddNullToObject(root, name);
  else
    cJSON_AddNumberToObject(root, name, count);
}

static void add_run(cJSON *root, const omr_run_record *run) {
  cJSON_AddStringToObject(root, "backend", run->backend);
  cJSON_AddStringToObject(root, "device", run->device);
  cJSON_AddStringToObject(root, "precision", run->precision);
  cJSON_AddStringToObject(root, "numerics", run->numerics);
  cJSON_AddStringToObject(root, "rounding", run->rounding);
  cJSON_AddNumberToObject(root, "lanes", run->lanes);
  cJSON_AddNumberToObject(root, "threads", run->threads);
  add_count(root, "registers", run->registers);
  add_count(root, "spill_bytes", run->spill_bytes);
  add_count(root, "private_bytes", run->private_bytes);
  cJSON_AddNumberToObject(root, "instance_steps", run->instance_steps);
  cJSON_AddNumberToObject(root, "build_seconds", run->build_seconds);
  cJSON_AddNumberToObject(root, "prepare_seconds", run->prepare_seconds);
  cJSON_AddNumberToObject(root, "transfer_seconds", run->transfer_seconds);
  cJSON_AddNumberToObject(root, "kernel_seconds", run->kernel_seconds);
  cJSON_AddNumberToObject(root, "wall_seconds", run->wall_seconds);
  cJSON_AddNumberToObject(root, "steps_per_second",
                          steps_per_second(run)); /* null where nothing was measured */
}

static omr_status print_json(const told *t, omr_error *error) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "omniroll", omr_version());
  cJSON_AddStringToObject(root, "hash", t->hash);
  cJSON_AddStringToObject(root, "study_hash", t->result->study_hash);
  cJSON_AddNumberToObject(root, "instances", (double)t->result->instances);
  cJSON *status = cJSON_AddObjectToObject(root, "status");
  for (int i = 0; i < OMR_INSTANCE_STATUS_COUNT; i++) {
    if (t->by_status[i])
      cJSON_AddNumberToObject(status, omr_instance_status_name(i), (double)t->by_status[i]);
  }
  add_run(root, &t->result->record);
  cJSON_AddItemToObject(root, "warnings", omr_json_lines(t->result->warnings));
  char *text = root ? omr_json_print(root) : NULL;
  cJSON_Delete(root);
  if (!text) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  printf("%s\n", text);
  free(text);
  return OMR_OK;
}

static omr_status tell(const cli_arguments *arguments, const omr_result *result, omr_error *error) {
  told t = {.result = result};
  omr_status status = omr_result_hash(result, t.hash, error);
  if (status != OMR_OK) return status;
  for (size_t k = 0; k < result->instances; k++) t.by_status[result->status[k]]++;
  if (arguments->json) return print_json(&t, error);
  if (arguments->quiet)
    printf("%s\n", t.hash);
  else
    print_text(&t);
  return OMR_OK;
}

static omr_status run_in_memory(const cli_arguments *arguments, const omr_study *study,
                                omr_error *error) {
  cli_progress progress;
  omr_result *result = NULL;
  cli_progress_start(&progress, arguments->quiet, cli_work_unit(study));
  FILE *log = arguments->quiet ? NULL : cli_log_open(&progress);
  const omr_run_options options = {.progress = on_progress, .progress_user = &progress, .log = log};
  cli_catch_signals();
  omr_status status = omr_run(study, &options, &result, error);
  if (log) fclose(log);
  cli_progress_clear(&progress);
  if (status == OMR_OK) status = tell(arguments, result, error);
  if (status == OMR_OK) status = omr_result_check_failures(study, result, error);
  if (status == OMR_OK && arguments->strict) status = omr_result_check_accept(study, result, error);
  omr_result_destroy(result);
  return status;
}

/* Nothing that is printed here tells of the step error. */
static omr_status choose_step_error(const cli_arguments *arguments, omr_study *study,
                                    omr_error *error) {
  if (arguments->strict && study->step_error.off)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: --strict asks for the error of the step, which integrator.step_error "
                    "\"off\" does not measure; leave one of "
                    "them out",
                    study->name);
  study->step_error.off = !arguments->strict;
  return OMR_OK;
}

omr_status cli_run_hash(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  const char *refused = arguments->output      ? "--output"
                        : arguments->shard     ? "--shard"
                        : arguments->restart   ? "--restart"
                        : arguments->overwrite ? "--overwrite"
                                               : NULL;
  if (refused)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "--hash runs in memory and writes nothing: %s has no meaning there; leave it out", refused);
  omr_status status = omr_study_load(arguments->operand, (const char *const *)arguments->overrides,
                                     arguments->override_count, &study, error);
  if (status == OMR_OK) status = choose_step_error(arguments, study, error);
  if (status == OMR_OK) status = run_in_memory(arguments, study, error);
  omr_study_destroy(study);
  return status;
}
