/* Jobs of tasks that share a run, each a shard: what they cost, and scripts that start them. */
#ifndef OMR_JOB_H
#define OMR_JOB_H

#include "../forecast.h"

/* Limits of a script, over the estimates. */
#define OMR_JOB_TIME_FACTOR 2.0
#define OMR_JOB_MEMORY_FACTOR 1.25
#define OMR_JOB_SPARE_BYTES 256e6 /* of program and libraries, beside that */

typedef struct omr_job {
  int tasks;
  size_t chunks;     /* of a task, at most */
  double seconds;    /* of a task, without putting together; */
  double assembling; /* that, with statistics and the runs for the step error */
  double memory;     /* bytes of a task, the last one's included; at most */
  double disk;       /* bytes of chunks and result; at most */
  size_t files;      /* beside each other in the folder of the chunks */
  int threads, gpus; /* of a task */
} omr_job;

/* tasks > 0, else one. */
omr_job omr_job_of(const omr_forecast *forecast);

/* "1.2 GB", "12 min". */
const char *omr_bytes_text(double count, char text[32]);
const char *omr_duration_text(double seconds, char text[32]);

/* A script that is being written (job_script.c). */
typedef struct omr_job_writing {
  const omr_forecast *forecast;
  const omr_job_script *script;
  omr_job job;
  char name[48];              /* of the job: lower case, digits and hyphens */
  const char *study, *result; /* names without folders, for a container */
  bool apart;                 /* a folder for each task, which a job of its own merges */
  double seconds;             /* limit of a task */
  double merging;             /* and of that job */
  double megabytes;           /* limit of memory, of 2^20 bytes */
} omr_job_writing;

/* job_text.c: lines of a comment that state estimates and factors. */
void omr_job_comment(const omr_job_writing *w, FILE *out);
/* A word of a shell. */
void omr_job_word(FILE *out, const char *text);
/* " --set 'a=1'" for each change of the study. */
void omr_job_changes(const omr_job_writing *w, FILE *out);

void omr_job_slurm(const omr_job_writing *w, FILE *out);
void omr_job_snakemake(const omr_job_writing *w, FILE *out);
void omr_job_kubernetes(const omr_job_writing *w, FILE *out);
void omr_job_aws(const omr_job_writing *w, FILE *out);

#endif
