/* Jobs whose tasks see the user's own files: Slurm, Snakemake. */
#define _GNU_SOURCE /* open_memstream */
#include "job.h"

#include <stdlib.h>

#define ON_PATH "# omniroll must be on the PATH of the nodes.\n"

/* ---- Slurm */

enum { SLURM_INDEX = 1000 }; /* the largest one of an array where MaxArraySize is the default */

static void slurm_head(const omr_job_writing *w, double seconds, FILE *out) {
  const long minutes = (long)(seconds / 60);
  fprintf(out, "#!/bin/sh\n#SBATCH --job-name=%s\n", w->name);
  if (w->script->queue) {
    fputs("#SBATCH --partition=", out);
    omr_job_word(out, w->script->queue);
    fputc('\n', out);
  }
  fprintf(out, "#SBATCH --cpus-per-task=%d\n#SBATCH --mem=%.0fM\n#SBATCH --time=%ld:%02ld:00\n",
          w->job.threads, w->megabytes, minutes / 60, minutes % 60);
}

static void slurm_task(const omr_job_writing *w, FILE *out) {
  slurm_head(w, w->seconds, out);
  fprintf(out, "#SBATCH --array=1-%d\n", w->job.tasks);
  if (w->job.gpus) fprintf(out, "#SBATCH --gres=gpu:%d\n", w->job.gpus);
  fprintf(out, "export OMP_NUM_THREADS=%d\nexec omniroll run ", w->job.threads);
  omr_job_word(out, w->script->study);
  fputs(" -o ", out);
  if (w->apart) {
    omr_job_word(out, w->script->output);
    fputs(".shards/\"$SLURM_ARRAY_TASK_ID\".h5", out);
  } else {
    omr_job_word(out, w->script->output);
  }
  omr_job_changes(w, out);
  fputc('\n', out);
}

/* The script is run, not sent, and sends the jobs itself, since the second one waits for the first.
 */
void omr_job_slurm(const omr_job_writing *w, FILE *out) {
  fprintf(out, "#!/bin/sh\n");
  omr_job_comment(w, out);
  fprintf(out, "# Run it where sbatch is: sh FILE. Run again, it sends all tasks again; finished "
               "ones end at once.\n" ON_PATH);
  if (w->job.tasks > SLURM_INDEX)
    fprintf(out,
            "# Slurm's default MaxArraySize of %d takes arrays of at most %d tasks; scontrol show "
            "config says\n# what it is here.\n",
            SLURM_INDEX + 1, SLURM_INDEX);
  fprintf(out, "set -eu\n");

  /* the tasks */
  if (w->apart) {
    fputs("mkdir -p ", out);
    omr_job_word(out, w->script->output);
    fputs(".shards\n", out);
  }
  fprintf(out, "tasks=$(sbatch --parsable <<'JOB'\n");
  slurm_task(w, out);
  fprintf(out, "JOB\n)\necho \"tasks: job ${tasks%%%%;*}\"\n");
  if (!w->apart) return;

  /* and the job that merges */
  fprintf(out, "merge=$(sbatch --parsable --dependency=\"afterok:${tasks%%%%;*}\" <<'JOB'\n");
  slurm_head(w, w->merging, out);
  fputs("exec omniroll merge -o ", out);
  omr_job_word(out, w->script->output);
  fputc(' ', out);
  omr_job_word(out, w->script->output);
  fputs(".shards/*.h5.parts\nJOB\n)\necho \"merge: job ${merge%%;*}\"\n", out);
}

/* ---- Snakemake */

/* A string of Python that Snakemake fills in: braces of the user's are doubled. */
static void snake_string(FILE *out, const char *text) {
  fputc('"', out);
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') fputc('\\', out);
    fputc(*c, out);
    if (*c == '{' || *c == '}') fputc(*c, out);
  }
  fputc('"', out);
}

/* As snake_string, for a word of the shell. */
static void snake_changes(const omr_job_writing *w, FILE *out) {
  char *text = NULL;
  size_t size;
  FILE *words = open_memstream(&text, &size);
  if (words) omr_job_changes(w, words);
  if (words) fclose(words);
  if (text && *text) {
    fputs("\n        ", out);
    snake_string(out, text);
  }
  free(text);
}

void omr_job_snakemake(const omr_job_writing *w, FILE *out) {
  omr_job_comment(w, out);
  fprintf(out, "# snakemake --cores N -s FILE\n" ON_PATH "STUDY = ");
  omr_print_quoted(out, w->script->study);
  fprintf(out, "\nRESULT = ");
  omr_print_quoted(out, w->script->output);
  fprintf(out, "\nTASKS = %d\n\n", w->job.tasks);
  fprintf(out, "rule all:\n    input:\n        RESULT,\n\n");

  /* A mark is the task's output: Snakemake would delete the chunks of a task that it begins again.
   */
  fprintf(out,
          "rule shard:\n    input:\n        STUDY,\n    output:\n        "
          "touch(RESULT + \".shards/{task}.done\"),\n    params:\n        "
          "part=RESULT + \".shards/{task}.h5\",\n    threads: %d\n    resources:\n"
          "        mem_mb=%.0f,\n        runtime=%.0f,\n        disk_mb=%.0f,\n",
          w->job.threads, w->megabytes, w->seconds / 60,
          w->forecast->needs.parts_bytes / w->job.tasks / 1e6 + 1);
  if (w->job.gpus) fprintf(out, "        gpu=%d,\n", w->job.gpus);
  fprintf(out,
          "    shell:\n        \"OMP_NUM_THREADS={threads} omniroll run {input:q} -o "
          "{params.part:q} --shard {wildcards.task}/%d\"",
          w->job.tasks);
  snake_changes(w, out);

  /* the last rule merges */
  fprintf(out,
          "\n\nrule merge:\n    input:\n        expand(RESULT + \".shards/{task}.done\", "
          "task=range(1, TASKS + 1)),\n    output:\n        RESULT,\n    params:\n"
          "        parts=expand(RESULT + \".shards/{task}.h5.parts\", task=range(1, TASKS + 1)),\n"
          "    resources:\n        mem_mb=%.0f,\n        runtime=%.0f,\n        disk_mb=%.0f,\n"
          "    shell:\n        \"omniroll merge -o {output:q} {params.parts:q}\"\n",
          w->megabytes, w->merging / 60, w->forecast->needs.result_bytes / 1e6 + 1);
}
