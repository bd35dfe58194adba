/* The outcome of a run in memory: the hash of its numbers, and its speed. */
#include "../study/json/json.h"
#include "result.h"

#include <math.h>

typedef struct told {
  const omr_result *result;
  char hash[33];
  size_t by_status[OMR_INSTANCE_STATUS_COUNT];
} told;

static double steps_per_second(const omr_run_record *run) {
  return run->kernel_seconds > 0 ? omr_steps_per_second(run) : (double)NAN;
}

static void print_text(const told *t, FILE *out) {
  const omr_run_record *run = &t->result->record;
  const char *between = ": ";

  /* the outcome: hash and counts of each status */
  fprintf(out, "hash       %s\n", t->hash);
  fprintf(out, "instances  %zu", t->result->instances);
  for (int i = 0; i < OMR_INSTANCE_STATUS_COUNT; i++) {
    if (!t->by_status[i]) continue;
    fprintf(out, "%s%zu %s", between, t->by_status[i], omr_instance_status_name(i));
    between = ", ";
  }

  /* where it ran, and in which arithmetic */
  fprintf(out, "\nbackend    %s, %s; precision %s, lanes %d, numerics %s\n", run->backend,
          run->device, run->precision, run->lanes, run->numerics);
  if (run->kernels[0]) fprintf(out, "kernels    %s\n", run->kernels);

  /* the reference counts its own steps, a tolerance counts passes */
  if (omr_record_of_reference(run))
    fprintf(out, "steps      %.6g of the reference's own\n", run->instance_steps);
  else if (t->result->tolerance > 0)
    fprintf(out, "steps      %.6g passes at a tolerance of %g\n", run->instance_steps,
            t->result->tolerance);
  else
    fprintf(out, "steps      %.6g instance-steps of %g s\n", run->instance_steps, t->result->step);

  /* where the time went */
  fprintf(out, "time       wall %.4g s: build %.3g, prepare %.3g, transfer %.3g, kernels %.4g\n",
          run->wall_seconds, run->build_seconds, run->prepare_seconds, run->transfer_seconds,
          run->kernel_seconds);

  if (run->kernel_seconds > 0)
    fprintf(out, "speed      %.4g %s per second in the kernels\n", steps_per_second(run),
            omr_record_of_reference(run) ? "steps"
            : t->result->tolerance > 0   ? "passes"
                                         : "instance-steps");
}

/* null if unknown */
static void add_count(cJSON *root, const char *name, int count) {
  if (count < 0)
    omr_tree_null(root, name);
  else
    omr_tree_number(root, name, count);
}

static void add_run(cJSON *root, const omr_run_record *run) {
  /* where it ran, and in which arithmetic */
  omr_tree_text(root, "backend", run->backend);
  omr_tree_text(root, "device", run->device);
  omr_tree_text(root, "precision", run->precision);
  omr_tree_text(root, "numerics", run->numerics);
  omr_tree_text(root, "rounding", run->rounding);
  omr_tree_text(root, "kernels", run->kernels);

  omr_tree_number(root, "device_checks", run->device_checks);
  omr_tree_number(root, "lanes", run->lanes);
  omr_tree_number(root, "threads", run->threads);

  /* resources of an OpenCL kernel */
  add_count(root, "registers", run->registers);
  add_count(root, "spill_bytes", run->spill_bytes);
  add_count(root, "private_bytes", run->private_bytes);

  /* steps and time */
  omr_tree_number(root, "instance_steps", run->instance_steps);
  omr_tree_number(root, "build_seconds", run->build_seconds);
  omr_tree_number(root, "prepare_seconds", run->prepare_seconds);
  omr_tree_number(root, "transfer_seconds", run->transfer_seconds);
  omr_tree_number(root, "kernel_seconds", run->kernel_seconds);
  omr_tree_number(root, "wall_seconds", run->wall_seconds);
  omr_tree_number(root, "steps_per_second",
                  steps_per_second(run)); /* null if nothing was measured */
}

static cJSON *make_tree(const told *t) {
  cJSON *root = cJSON_CreateObject();
  omr_tree_text(root, "omniroll", omr_version());
  omr_tree_text(root, "hash", t->hash);
  omr_tree_text(root, "study_hash", t->result->study_hash);
  omr_tree_number(root, "instances", (double)t->result->instances);
  cJSON *status = omr_tree_object(root, "status");
  for (int i = 0; i < OMR_INSTANCE_STATUS_COUNT; i++) {
    if (t->by_status[i])
      omr_tree_number(status, omr_instance_status_name(i), (double)t->by_status[i]);
  }
  add_run(root, &t->result->record);
  omr_tree_add(root, "warnings", omr_json_lines(t->result->warnings));
  return root;
}

static omr_status look(const omr_result *result, told *t, omr_error *error) {
  *t = (told){.result = result};
  const omr_status status = omr_result_hash(result, t->hash, error);
  for (size_t k = 0; status == OMR_OK && result->status && k < result->instances; k++)
    t->by_status[result->status[k]]++;
  return status;
}

omr_status omr_result_run_print(const omr_result *result, FILE *out, omr_error *error) {
  told t;
  const omr_status status = look(result, &t, error);
  if (status == OMR_OK) print_text(&t, out);
  return status;
}

omr_status omr_result_run_json(const omr_result *result, char **json, omr_error *error) {
  told t;
  *json = NULL;
  const omr_status status = look(result, &t, error);
  return status == OMR_OK ? omr_json_give(make_tree(&t), json, error) : status;
}
