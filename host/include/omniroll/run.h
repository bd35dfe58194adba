/* Runs: in memory, into files, and their cost. Conventions of ownership, threads and NULL: base.h.
 */
#ifndef OMNIROLL_RUN_H
#define OMNIROLL_RUN_H

#include <omniroll/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct omr_run_options {
  size_t size;
  omr_progress_fn *progress; /* counts instance-steps, or vehicle-seconds of controlled steps */
  void *progress_user;
  FILE *log; /* one line for each choice made for the user ("auto"), and warnings; NULL for none */
  bool no_step_error; /* as integrator.step_error "off" in the study; only of omr_run */
} omr_run_options;
#define OMR_RUN_OPTIONS_INIT                                                                       \
  { .size = sizeof(omr_run_options) }

/* Runs every instance of the study. Failed instances are data, not errors: see the status column;
 * unless integrator.on_failure is "abort": then the first one is OMR_ERR_FAILURES, without a
 * result. The caller destroys *result. A device that hangs (engine.hang_seconds) is OMR_ERR_DEVICE,
 * as for all runs here; the process goes on, with a thread that stays inside the driver. Drivers
 * may wait for it at exit() or end the process by a signal: end by _exit() then. */
OMR_API omr_status omr_run(const omr_study *study, const omr_run_options *options,
                           omr_result **result, omr_error *error);

/* Compiles the kernels that a run of the study would compile for its processor or device, or finds
 * them kept, and writes a line that says so to `out`; log (NULL: none) as a run's. progress (NULL:
 * none) is called with 0 of 1 while the processor's compiler works; false stops that, and nothing
 * is kept. Kept kernels serve later runs of this user on machines that share the cache's folder.
 * OMR_ERR_DEVICE where there is no compiler or no device, OMR_ERR_USAGE where OMNIROLL_CACHE=0
 * keeps nothing. */
OMR_API omr_status omr_warm(const omr_study *study, FILE *log, omr_progress_fn *progress,
                            void *user, FILE *out, omr_error *error);

/* Long runs. The work is kept in the folder PATH.parts: the identity of the study (manifest.json),
 * and each finished chunk of instances in a file of its own with its checksum. Kill the process,
 * cut the power, fill the disk: finished chunks stay, and the result has the same bits in the end.
 * Memory does not grow with the number of instances. */
typedef struct omr_file_options {
  size_t size;
  omr_run_options run; /* progress counts the work of this process's part, earlier work included,
                          which its first call counts */
  int shard, shards;   /* only the chunks of part `shard`, 1 to `shards`; 0: all of them */
  FILE *summary; /* the text of omr_print_summary, once this call has made the result; NULL: none */
  bool restart;  /* a run, not one that goes on: forget an unfinished one that is there */
  bool overwrite;               /* replace a file that is there, whatever it is */
  bool foreign_folder;          /* path.parts, and files in it, may be a trusted user's */
  const char *const *overrides; /* a run that goes on: members of "engine" that do not decide bits,
                                   "engine.backend=opencl" */
  size_t override_count;
  bool strict; /* the step's error is larger than integrator.accept allows: OMR_ERR_INACCURATE, with
                  the result */
  bool oversize; /* begin also where disk or memory seem too small: see omr_run_file */
  bool brief;    /* the summary of a file in at most 25 lines of 80 columns, with its place and the
                    next steps, as the program prints it without --verbose */
  bool in_place; /* omr_merge: the rows stay in the folders, which have to be in or below the folder
                    of the result and stay there; the result names their files */
  bool partial;  /* omr_merge: join the chunks that are there, of a study that keeps no rows, to a
                    file that omr_merge takes in place of a folder */
} omr_file_options;
#define OMR_FILE_OPTIONS_INIT                                                                      \
  { .size = sizeof(omr_file_options), .run = OMR_RUN_OPTIONS_INIT }

typedef struct omr_file_outcome {
  bool complete;   /* the result is there */
  bool was_there;  /* and this call did not make it */
  size_t chunks;   /* of the study */
  size_t finished; /* of them, by whatever process */
} omr_file_outcome;

/* Runs a study into the file `path`, or the part of it that options choose. Where path.parts holds
 * an unfinished run of the same study, it goes on; of another study, precision or version, it is
 * refused with OMR_ERR_IO, naming the difference. A file at path is replaced where it is a result
 * of the same study, precision and version; any other one, unless it is empty, is OMR_ERR_IO, or
 * replaced with `overwrite`. The process that finishes the last chunk puts the result together.
 * Another process at the same part: OMR_ERR_IO, naming it. A run that needs more memory than the
 * machine has, or whose result and chunks need more than is free on their disk, as omr_forecast
 * counts them, is refused with OMR_ERR_MEMORY or OMR_ERR_IO, naming the numbers, unless `oversize`.
 * `outcome` may be NULL. */
OMR_API omr_status omr_run_file(const omr_study *study, const char *path,
                                const omr_file_options *options, omr_file_outcome *outcome,
                                omr_error *error);
/* Goes on with the unfinished run of `path` (the result's name or the folder's); the study comes
 * from the folder. */
OMR_API omr_status omr_resume(const char *path, const omr_file_options *options,
                              omr_file_outcome *outcome, omr_error *error);
/* Joins the chunks in folders[count] of the same study, made by shards on machines of their own, to
 * the file `path`. The folders stay, except path.parts. A file at path is replaced as by
 * omr_run_file. Fails where chunks are missing, naming them and the shards they belong to. */
OMR_API omr_status omr_merge(const char *const *folders, size_t count, const char *path,
                             const omr_file_options *options, omr_file_outcome *outcome,
                             omr_error *error);

/* The three above as an object that can be stopped: they make one, run it and destroy it. A task
 * belongs to one thread at a time, except omr_task_stop. */
typedef struct omr_task omr_task;
typedef void omr_line_fn(void *user, const char *line);

/* Without options. NULL when out of memory. The caller destroys it. */
OMR_API omr_task *omr_task_create(void);
/* NULL is allowed. Not while it runs. */
OMR_API void omr_task_destroy(omr_task *task);
/* Takes a copy of the options (NULL: the defaults); objects that they point to have to last as long
 * as the task. OMR_ERR_USAGE for a size that is not known. */
OMR_API omr_status omr_task_options(omr_task *task, const omr_file_options *options,
                                    omr_error *error);
/* Single options, for callers that do not know the layout of a struct. progress may be NULL. */
OMR_API void omr_task_on_progress(omr_task *task, omr_progress_fn *progress, void *user);
/* Lines of the log, without their ends, from the thread that runs the task: choices made by "auto",
 * and warnings, which begin with "warning: ". They take the place of the options' log; line NULL:
 * they do not. */
OMR_API void omr_task_on_line(omr_task *task, omr_line_fn *line, void *user);
/* As the member `restart` of the options. */
OMR_API void omr_task_restart(omr_task *task, bool restart);
/* As the member `overwrite`. */
OMR_API void omr_task_overwrite(omr_task *task, bool overwrite);
/* As the member `foreign_folder`. */
OMR_API void omr_task_foreign_folder(omr_task *task, bool foreign_folder);
/* As the member `strict`. */
OMR_API void omr_task_strict(omr_task *task, bool strict);
/* As the member `oversize`. */
OMR_API void omr_task_oversize(omr_task *task, bool oversize);
/* Stops the run where it next would report progress, with OMR_ERR_INTERRUPTED: from any thread, a
 * signal handler, or the callbacks; before the run as well. */
OMR_API void omr_task_stop(omr_task *task);
/* As omr_run_file. The task keeps nothing of study and path. */
OMR_API omr_status omr_task_run(omr_task *task, const omr_study *study, const char *path,
                                omr_error *error);
/* The chunks of part `shard`, 1 to `shards`, into path.parts, as omr_task_run does them, and no
 * more: no call for a shard puts the result together, omr_merge does. OMR_ERR_USAGE for a study
 * whose chunks depend on each other. */
OMR_API omr_status omr_task_run_shard(omr_task *task, const omr_study *study, const char *path,
                                      int shard, int shards, omr_error *error);
/* As omr_run, with callbacks, warnings, summary, `strict` and `oversize` of the task: no file, no
 * folder, nothing kept of a run that is stopped. *result, which the caller destroys, is there too
 * with OMR_ERR_FAILURES of more failures than the study allows and with OMR_ERR_INACCURATE; NULL
 * otherwise. Memory grows with the instances: where the machine has too little, OMR_ERR_MEMORY
 * gives the numbers, unless `oversize`. */
OMR_API omr_status omr_task_run_in_memory(omr_task *task, const omr_study *study,
                                          omr_result **result, omr_error *error);
/* As omr_resume. overrides[count] take the place of the options' where they are not NULL. */
OMR_API omr_status omr_task_resume(omr_task *task, const char *path, const char *const *overrides,
                                   size_t count, omr_error *error);
/* As omr_merge. */
OMR_API omr_status omr_task_merge(omr_task *task, const char *const *folders, size_t count,
                                  const char *path, omr_error *error);
/* Whether the result is there after the last of these. */
OMR_API bool omr_task_complete(const omr_task *task);
/* Whether it was there before. */
OMR_API bool omr_task_was_there(const omr_task *task);
/* Chunks of the study. */
OMR_API size_t omr_task_chunks(const omr_task *task);
/* The finished ones, by whatever process. */
OMR_API size_t omr_task_finished(const omr_task *task);
/* The text of omr_print_summary; "" where this task has made no result, or the options have a
 * stream for it. Belongs to the task, until its next run. */
OMR_API const char *omr_task_summary(const omr_task *task);

/* The result's name of an unfinished run: "result.h5" of "result.h5" or "result.h5.parts", with or
 * without a slash at its end. The caller destroys the text; NULL when out of memory. */
OMR_API char *omr_result_path(const char *path);

/* The part of the chunks that a process takes. */
typedef struct omr_shard {
  int shard, shards; /* as in omr_file_options; 0 of 0: all of them */
  char origin[128];  /* "mpirun: rank 2", as the launcher counts; "" where the user or nobody chose
                        it */
} omr_shard;

/* "2/3", the second of three, the number as a sum too, "1+1/3", for an index that counts from 0; or
 * "none". */
OMR_API omr_status omr_shard_parse(const char *text, omr_shard *shard, omr_error *error);
/* OMNIROLL_SHARD, as omr_shard_parse takes it; else the task of an array job (Slurm, PBS, LSF, SGE,
 * AWS Batch, Kubernetes, Cloud Run) and the rank of mpirun, flux or srun within it: each rank of
 * each task of the array is one shard. All where there is no launcher. OMR_ERR_USAGE where a
 * launcher does not tell the number of tasks or a place, or two tell different places. Reads the
 * environment, which no other thread may change meanwhile. */
OMR_API omr_status omr_shard_from_environment(omr_shard *shard, omr_error *error);

/* The cost of a run: work, memory, disk and time. */
typedef struct omr_forecast omr_forecast;
typedef struct omr_forecast_options {
  size_t size;
  const char *output; /* where the result would go; NULL: the current folder */
  int shards;         /* processes that would share the chunks; 0: one */
  double seconds;     /* to run some instances for, about; 0: 2 */
} omr_forecast_options;
#define OMR_FORECAST_OPTIONS_INIT                                                                  \
  { .size = sizeof(omr_forecast_options) }

/* The study has to outlive *forecast, which the caller destroys. */
OMR_API omr_status omr_forecast_create(const omr_study *study, const omr_forecast_options *options,
                                       omr_forecast **forecast, omr_error *error);
/* NULL is allowed. */
OMR_API void omr_forecast_destroy(omr_forecast *forecast);
/* As `omniroll plan` prints it, and with --json. */
OMR_API void omr_forecast_print(const omr_forecast *forecast, FILE *out);
/* The same as a JSON object. */
OMR_API void omr_forecast_print_json(const omr_forecast *forecast, FILE *out);
/* A job of so many tasks, each a shard of the run: its cost is told too. 0: none. */
OMR_API void omr_forecast_tasks(omr_forecast *forecast, int tasks);
/* A script that starts such a job. */
typedef struct omr_job_script {
  size_t size;
  const char *engine;           /* "slurm", "kubernetes", "aws" or "snakemake" */
  const char *study, *output;   /* files of the study and of the result */
  const char *const *overrides; /* [override_count], "path=value": what the study was changed by */
  size_t override_count;
  const char *image;   /* kubernetes, aws: the container image that has omniroll */
  const char *storage; /* kubernetes: the volume claim, aws: the file system of EFS; all tasks write
                          there */
  const char *queue;   /* aws: the job queue; slurm: the partition, NULL: the cluster's own */
} omr_job_script;

/* Writes it with time, memory, disk, and the cost of putting the result together, as estimates with
 * the factors that its comments state. OMR_ERR_USAGE where the study cannot be shared, where it has
 * fewer chunks than tasks, and for an engine that is not known or needs what is not given. */
OMR_API omr_status omr_forecast_write_job(const omr_forecast *forecast,
                                          const omr_job_script *script, FILE *out,
                                          omr_error *error);
/* All of this in one call: the JSON object for a result at `output` (NULL: in the current folder),
 * of some instances run for about `seconds` (0: 2). The caller destroys *json. */
OMR_API omr_status omr_study_plan_json(const omr_study *study, const char *output, double seconds,
                                       char **json, omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
