/* Jobs whose tasks are containers: Kubernetes, AWS Batch. The study and the result lie in a folder
 * that all of them see. */
#include "job.h"

#include <string.h>

#define FOLDER "/study" /* of the container */

/* A string of JSON, which is one of YAML too. Kubernetes would take $(NAME) for a variable. */
static void print_string(FILE *out, const char *text, bool kubernetes) {
  omr_text kept = {0};
  for (const char *c = text; *c; c++) {
    if (kubernetes && c[0] == '$' && c[1] == '(') omr_text_add(&kept, "$", 1);
    omr_text_add(&kept, c, 1);
  }
  omr_print_quoted(out, kept.data ? kept.data : "");
  omr_text_free(&kept);
}

static void print_path(FILE *out, const char *name, bool kubernetes) {
  omr_text path = {0};
  omr_text_print(&path, FOLDER "/%s", name);
  print_string(out, path.data ? path.data : "", kubernetes);
  omr_text_free(&path);
}

/* shard: of Kubernetes, which tells no number of tasks; NULL: the array's variables say it. */
static void print_command(const omr_job_writing *w, const char *shard, FILE *out) {
  const bool kubernetes = shard != NULL;
  fputs("[\"omniroll\", \"run\", ", out);
  print_path(out, w->study, kubernetes);
  fputs(", \"-o\", ", out);
  print_path(out, w->result, kubernetes);
  if (shard) fprintf(out, ", \"--shard\", \"%s\"", shard);
  for (size_t i = 0; i < w->script->override_count; i++) {
    fputs(", \"--set\", ", out);
    print_string(out, w->script->overrides[i], kubernetes);
  }
  fputc(']', out);
}

/* ---- Kubernetes */

/* The resource that a GPU is. */
static const char *gpu_resource(const omr_job_writing *w) {
  const char *device = w->forecast->engine.device;
  if (strstr(device, "AMD") || strstr(device, "gfx")) return "amd.com/gpu";
  return strstr(device, "Intel") ? "gpu.intel.com/i915" : "nvidia.com/gpu";
}

void omr_job_kubernetes(const omr_job_writing *w, FILE *out) {
  char shard[64];
  snprintf(shard, sizeof shard, "$(JOB_COMPLETION_INDEX)+1/%d", w->job.tasks);
  omr_job_comment(w, out);
  fprintf(out, "# kubectl apply -f FILE; the claim has the study at its top, with the files that "
               "it names; all tasks\n# write there at the same time, so that it must be "
               "ReadWriteMany.\n");

  /* the job, and the container of a task */
  fprintf(out,
          "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: %s\nspec:\n"
          "  completionMode: Indexed\n  completions: %d\n  parallelism: %d\n  backoffLimit: %d\n"
          "  template:\n    spec:\n      restartPolicy: Never\n      activeDeadlineSeconds: %.0f\n"
          "      containers:\n      - name: omniroll\n        image: ",
          w->name, w->job.tasks, w->job.tasks, 2 * w->job.tasks, w->seconds);
  omr_print_quoted(out, w->script->image);
  fprintf(out, "\n        command: ");
  print_command(w, shard, out);
  fprintf(out, "\n        env:\n        - {name: OMP_NUM_THREADS, value: \"%d\"}", w->job.threads);

  /* what it needs, and where it works */
  fprintf(out,
          "\n        resources:\n          requests: {cpu: \"%d\", memory: \"%.0fMi\"}\n"
          "          limits: {memory: \"%.0fMi\"",
          w->job.threads, w->megabytes, w->megabytes);
  if (w->job.gpus) fprintf(out, ", %s: %d", gpu_resource(w), w->job.gpus);
  fprintf(out, "}\n        volumeMounts:\n        - {name: work, mountPath: " FOLDER "}\n"
               "      volumes:\n      - name: work\n        persistentVolumeClaim:\n"
               "          claimName: ");
  omr_print_quoted(out, w->script->storage);
  fputc('\n', out);
}

/* ---- AWS Batch */

void omr_job_aws(const omr_job_writing *w, FILE *out) {
  fprintf(out, "#!/bin/sh\n");
  omr_job_comment(w, out);
  fprintf(out,
          "# sh FILE; the file system has the study at its top, with the files that it names; all "
          "tasks write there.\nset -eu\n");

  /* the container of a task */
  fprintf(out,
          "aws batch register-job-definition --cli-input-json \"$(cat <<'JSON'\n"
          "{\"jobDefinitionName\": \"%s\", \"type\": \"container\",\n"
          " \"retryStrategy\": {\"attempts\": 3},\n"
          " \"timeout\": {\"attemptDurationSeconds\": %.0f},\n"
          " \"containerProperties\": {\n  \"image\": ",
          w->name, w->seconds);
  omr_print_quoted(out, w->script->image);
  fprintf(out, ",\n  \"command\": ");
  print_command(w, NULL, out);
  fprintf(out, ",\n  \"environment\": [{\"name\": \"OMP_NUM_THREADS\", \"value\": \"%d\"}]",
          w->job.threads);

  /* what it needs, and where it works */
  fprintf(out,
          ",\n  \"resourceRequirements\": [{\"type\": \"VCPU\", \"value\": \"%d\"}, "
          "{\"type\": \"MEMORY\", \"value\": \"%.0f\"}",
          w->job.threads, w->megabytes);
  if (w->job.gpus) fprintf(out, ", {\"type\": \"GPU\", \"value\": \"%d\"}", w->job.gpus);
  fprintf(out, "],\n  \"volumes\": [{\"name\": \"work\", \"efsVolumeConfiguration\": "
               "{\"fileSystemId\": ");
  omr_print_quoted(out, w->script->storage);
  fprintf(out, "}}],\n  \"mountPoints\": [{\"sourceVolume\": \"work\", \"containerPath\": "
               "\"" FOLDER "\"}]}}\nJSON\n)\"\n");

  /* the array of tasks */
  fprintf(out,
          "aws batch submit-job --cli-input-json \"$(cat <<'JSON'\n"
          "{\"jobName\": \"%s\", \"jobDefinition\": \"%s\", \"jobQueue\": ",
          w->name, w->name);
  omr_print_quoted(out, w->script->queue);
  fprintf(out, ",\n \"arrayProperties\": {\"size\": %d}}\nJSON\n)\"\n", w->job.tasks);
}
