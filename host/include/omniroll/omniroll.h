/* omniroll: ensembles of omni-wheel and mecanum vehicles with explicit rollers.
 *
 * A study is read from JSON, run on a backend, and gives a result that is written as HDF5. Objects
 * are made and destroyed by the functions here; strings returned by accessors belong to their
 * object. Functions that can fail return an omr_status and, where an omr_error is passed (NULL is
 * allowed), a message with place and remedy. Units are SI, angles in radians. */
#ifndef OMNIROLL_OMNIROLL_H
#define OMNIROLL_OMNIROLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are also the exit codes of the program. */
typedef enum omr_status {
  OMR_OK = 0,
  OMR_ERR_INTERNAL = 1,
  OMR_ERR_USAGE = 2,  /* command line or call */
  OMR_ERR_STUDY = 3,  /* the study file */
  OMR_ERR_DEVICE = 4, /* backend, device, driver */
  OMR_ERR_IO = 5,     /* files */
  OMR_ERR_MEMORY = 6,
  OMR_ERR_INTERRUPTED = 7, /* stopped by the caller; no result is written */
  OMR_ERR_SELFTEST = 8,    /* a device gives wrong numbers */
  OMR_ERR_DIFFERS = 9,     /* compare: a difference from the reference exceeds the tolerance */
  OMR_ERR_FAILURES = 10,   /* more instances failed than the study allows */
  OMR_ERR_INACCURATE = 11  /* strict: the step's error is larger than integrator.accept allows */
} omr_status;

typedef struct omr_error {
  omr_status status;
  char message[4096];
} omr_error;

typedef struct omr_study omr_study;
typedef struct omr_result omr_result;

/* "0.1.0" */
const char *omr_version(void);
/* Compiler, flags that decide the bits, and instruction sets of this build, one line. */
const char *omr_build_info(void);

/* Reads and checks a study. `overrides` are `count` texts "path=value" that replace or add members
 * of the JSON before it is checked (value is JSON, or a bare word taken as a string). Errors carry
 * file, line and JSON path. The caller destroys *study. */
omr_status omr_study_load(const char *path, const char *const *overrides, size_t count,
                          omr_study **study, omr_error *error);
/* The same from memory; `name` appears in messages. */
omr_status omr_study_parse(const char *text, const char *name, const char *const *overrides,
                           size_t count, omr_study **study, omr_error *error);
void omr_study_destroy(omr_study *study);
size_t omr_study_instances(const omr_study *study);
const char *omr_study_title(const omr_study *study);

/* Called between kernel launches from the calling thread; steps counts instance-steps. Returning
 * false stops the run. */
typedef bool omr_progress_fn(void *user, double steps_done, double steps_total);

/* The varied parameters of every instance, without running any: as a result that has no other
 * columns and no status ... */
omr_status omr_study_sample(const omr_study *study, omr_result **result, omr_error *error);
/* ... or as CSV, one line per instance after a header of paths and units. The numbers read back to
 * the same bits. */
omr_status omr_study_sample_print(const omr_study *study, FILE *out, omr_error *error);

typedef struct omr_run_options {
  omr_progress_fn *progress; /* may be NULL */
  void *progress_user;
  FILE *log; /* one line for each choice made for the user ("auto"), and warnings; NULL for none */
} omr_run_options;

/* Runs every instance of the study. Failed instances are data, not errors: see the status column;
 * unless integrator.on_failure is "abort": then the first one is OMR_ERR_FAILURES, without a
 * result. Caller destroys *result. */
omr_status omr_run(const omr_study *study, const omr_run_options *options, omr_result **result,
                   omr_error *error);
void omr_result_destroy(omr_result *result);
/* OMR_ERR_FAILURES where more instances of a result failed than the study's statistics.failed_limit
 * allows. */
omr_status omr_result_check_failures(const omr_study *study, const omr_result *result,
                                     omr_error *error);
/* OMR_ERR_INACCURATE where the error that the step makes of a result of omr_run is larger than the
 * study's integrator.accept allows. A result of a study whose integrator.step_error is "off"
 * passes. */
omr_status omr_result_check_accept(const omr_study *study, const omr_result *result,
                                   omr_error *error);

/* Writes HDF5 under a temporary name in the same folder, syncs and renames: path never holds half a
 * result. */
omr_status omr_result_write(const omr_result *result, const char *path, omr_error *error);

/* Long runs. The work is kept in the folder PATH.parts: what the study is (manifest.json), and each
 * finished chunk of instances in a file of its own with its checksum. Kill the process, cut the
 * power, fill the disk: what was finished stays, and the result has the same bits in the end.
 * Memory does not grow with the number of instances. */
typedef struct omr_file_options {
  omr_run_options run; /* progress counts the instance-steps of this process's part, what was there
                          before included; its first call tells how much that was */
  int shard, shards;   /* only the chunks of part `shard`, 1 to `shards`; 0: all of them */
  FILE *summary; /* what omr_print_summary prints, once this call has made the result; NULL: nowhere
                  */
  bool restart;  /* omr_run_file: forget an unfinished run that is there */
  bool overwrite;               /* replace a file that is there, whatever it is */
  const char *const *overrides; /* omr_resume: members of "engine" that do not decide bits,
                                   "engine.backend=opencl" */
  size_t override_count;
  bool strict; /* the step's error is larger than integrator.accept allows: OMR_ERR_INACCURATE, with
                  the result */
} omr_file_options;

/* Refuses what would fail or do harm after a long run: a folder, no folder, no permission, or the
 * file of the study (NULL: of none) in the place of the result. */
omr_status omr_check_output(const char *path, const char *study, omr_error *error);

typedef struct omr_file_outcome {
  bool complete;   /* the result is there */
  bool was_there;  /* and this call did not make it */
  size_t chunks;   /* of the study */
  size_t finished; /* of them, by whatever process */
} omr_file_outcome;

/* Runs a study into the file `path`, or the part of it that options (NULL: everything) choose.
 * Where path.parts holds an unfinished run of the same study, it goes on; of another study,
 * precision or version, it is refused with OMR_ERR_IO, naming what differs. A file at path is
 * replaced where it is a result of the same study, precision and version; any other one, unless it
 * is empty, is OMR_ERR_IO, or replaced with `overwrite`. Whoever finishes the last chunk puts the
 * result together. Another process at the same part: OMR_ERR_IO, naming it. Stopped by progress:
 * OMR_ERR_INTERRUPTED. */
omr_status omr_run_file(const omr_study *study, const char *path, const omr_file_options *options,
                        omr_file_outcome *outcome, omr_error *error);
/* Goes on with the unfinished run of `path` (the result's name or the folder's); the study comes
 * from the folder. */
omr_status omr_resume(const char *path, const omr_file_options *options, omr_file_outcome *outcome,
                      omr_error *error);
/* Joins the chunks in folders of the same study, made by shards on machines of their own, to the
 * file `path`. The folders stay, except path.parts. A file at path is replaced as by omr_run_file.
 * Fails where chunks are missing, naming them and the shards they belong to. */
omr_status omr_merge(const char *const *folders, size_t count, const char *path,
                     const omr_file_options *options, omr_file_outcome *outcome, omr_error *error);

/* Columns with one double per instance: varied parameters, then observables. NaN is the fill value.
 */
size_t omr_result_instances(const omr_result *result);
size_t omr_result_columns(const omr_result *result);
const char *omr_result_column_name(const omr_result *result, size_t column);
const char *omr_result_column_unit(const omr_result *result, size_t column);
const double *omr_result_column(const omr_result *result, size_t column);
/* Status of each instance (0 ok; see omr_instance_status_name) and the time it ended [s]. */
const int8_t *omr_result_status(const omr_result *result);
const double *omr_result_status_time(const omr_result *result);
const char *omr_instance_status_name(int status);

/* Text tables, as the program prints them. */
omr_status omr_describe(const char *model, FILE *out, omr_error *error);
omr_status omr_print_devices(FILE *out, omr_error *error);
void omr_print_summary(const omr_result *result, FILE *out);
/* Known answer on every backend, device and precision; OMR_ERR_SELFTEST where one is wrong. */
omr_status omr_selftest(FILE *out, omr_error *error);
/* The same on one of them: an instruction set, or "platform:device" of OpenCL. */
omr_status omr_selftest_device(const char *device, FILE *out, omr_error *error);

/* For callers that know no layout of a struct, such as other languages: the same by functions
 * alone. Python's package calls these (analysis/omniroll/library.py). */

/* 1. Raised where a function of this header changes its arguments or its meaning; a new function
 * does not raise it. */
int omr_interface_version(void);

/* The word for a status: "ok", "internal", "usage", "study", "device", "io", "memory",
 * "interrupted", "selftest", "differs", "failures", "inaccurate"; NULL for a number that is none.
 */
const char *omr_status_name(int status);

/* An empty error; NULL when out of memory. */
omr_error *omr_error_create(void);
void omr_error_destroy(omr_error *error);
omr_status omr_error_status(const omr_error *error);
const char *omr_error_message(const omr_error *error);

/* Frees a text that a function has given to its caller; NULL is allowed. */
void omr_text_destroy(char *text);

/* Names of the models, from 0 on; NULL past the last. */
const char *omr_model_name(size_t index);
/* What omr_describe prints, as a JSON object: "model", "meaning", and a list of objects for each
 * table, such as "parameters" (of "name", "unit", "default", "low", "high", "low_open", "meaning";
 * null: no default, no bound) and "observables". The caller destroys *json. */
omr_status omr_describe_json(const char *model, char **json, omr_error *error);
/* What the study would run, as a JSON object: "title", "model", "wheels", "instances", "design",
 * "varied", "step", "duration", "instance_steps", "traced", "warnings" and more; some of its
 * instances are prepared, and one that makes no vehicle is told as in `omniroll validate`. The
 * caller destroys *json. */
omr_status omr_study_validate_json(const omr_study *study, char **json, omr_error *error);
/* Floating-point operations per instance-step, counted on the first steps of some instances by
 * running the equations in numbers that count: a JSON object of "useful" (additions,
 * multiplications, divisions and roots are one each, fused multiply-adds two), of each kind, and of
 * "steps", the instance-steps that were counted. The same on every machine. OMR_ERR_DEVICE in
 * builds that cannot count. The caller destroys *json. */
omr_status omr_study_operations_json(const omr_study *study, char **json, omr_error *error);

/* One run into a file, as omr_run_file and omr_resume do it. */
typedef struct omr_task omr_task;
typedef void omr_line_fn(void *user, const char *line);

omr_task *omr_task_create(void); /* NULL when out of memory */
void omr_task_destroy(omr_task *task);
void omr_task_on_progress(omr_task *task, omr_progress_fn *progress, void *user);
/* Lines of the log, without their ends, from the thread that runs the task: choices made by "auto",
 * and those that begin with "warning: ". */
void omr_task_on_line(omr_task *task, omr_line_fn *line, void *user);
/* omr_task_run forgets an unfinished run that is there. */
void omr_task_restart(omr_task *task, bool restart);
/* omr_task_run replaces a file that is there, whatever it is. */
void omr_task_overwrite(omr_task *task, bool overwrite);
/* The step's error is larger than integrator.accept allows: the run ends with OMR_ERR_INACCURATE,
 * once the result is there. */
void omr_task_strict(omr_task *task, bool strict);
/* Has the run stop where it next would report progress, with OMR_ERR_INTERRUPTED: from any thread,
 * a signal handler, or the callbacks; before the run as well. */
void omr_task_stop(omr_task *task);
omr_status omr_task_run(omr_task *task, const omr_study *study, const char *path, omr_error *error);
omr_status omr_task_resume(omr_task *task, const char *path, const char *const *overrides,
                           size_t count, omr_error *error);
/* How the last of the two ended: the result is there; it was there before; chunks of the study, and
 * those of them that are finished; what omr_print_summary prints, "" where this task has made no
 * result. */
bool omr_task_complete(const omr_task *task);
bool omr_task_was_there(const omr_task *task);
size_t omr_task_chunks(const omr_task *task);
size_t omr_task_finished(const omr_task *task);
const char *omr_task_summary(const omr_task *task);

#ifdef __cplusplus
}
#endif
#endif
