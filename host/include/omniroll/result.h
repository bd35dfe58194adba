/* Results: in memory or read from a file, as columns, trajectories, statistics, failures and
 * warnings; export. Conventions of ownership, threads and NULL: base.h. */
#ifndef OMNIROLL_RESULT_H
#define OMNIROLL_RESULT_H

#include <omniroll/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Not changed once it is there, so that several threads may use it. */
typedef struct omr_result omr_result;

/* Reads the whole of a result file: of a run, the reference or a table of `sample`. OMR_ERR_IO for
 * anything else, or a damaged one, naming file and dataset. The caller destroys *result. */
OMR_API omr_status omr_result_open(const char *path, omr_result **result, omr_error *error);
/* The varied parameters of every instance, without running any: a result that has no other columns
 * and no status. The caller destroys *result. */
OMR_API omr_status omr_study_sample(const omr_study *study, omr_result **result, omr_error *error);
/* NULL is allowed. Texts and arrays that accessors returned go with it. */
OMR_API void omr_result_destroy(omr_result *result);
/* Writes HDF5 under a temporary name in the same folder, syncs and renames: path never holds half a
 * result. */
OMR_API omr_status omr_result_write(const omr_result *result, const char *path, omr_error *error);

/* The bytes that omr_result_write would put into a file, made without a disk: *bytes of them, which
 * the caller frees with omr_text_destroy. The run's result has no attributes
 * "chunks" and "sessions" there. OMR_ERR_MEMORY where there is no room. */
OMR_API omr_status omr_result_image(const omr_result *result, char **image, size_t *bytes,
                                    omr_error *error);

/* Rows: the instances that were run and are kept, in ascending order. */
OMR_API size_t omr_result_instances(const omr_result *result);
/* The instances that the statistics are of: more than rows where output.rows keeps a sample or
 * none. */
OMR_API size_t omr_result_total(const omr_result *result);
/* How many columns there are. */
OMR_API size_t omr_result_columns(const omr_result *result);
/* How many of them are varied parameters: the first ones. */
OMR_API size_t omr_result_parameters(const omr_result *result);
/* The column of that name; OMR_NONE where the result has none. */
OMR_API size_t omr_result_find(const omr_result *result, const char *name);
/* Belongs to the result; NULL for a column that does not exist. */
OMR_API const char *omr_result_column_name(const omr_result *result, size_t column);
/* As UDUNITS writes it, "1" of a pure number. Belongs to the result; NULL for a column that does
 * not exist. */
OMR_API const char *omr_result_column_unit(const omr_result *result, size_t column);
/* A value for each row, [omr_result_instances]; NaN is the fill value. Belongs to the result; NULL
 * for a column that does not exist. */
OMR_API const double *omr_result_column(const omr_result *result, size_t column);
/* The instance of row k, where only some of a study were run; otherwise k. */
OMR_API size_t omr_result_instance(const omr_result *result, size_t row);
/* [omr_result_instances]: how each instance ended (0 ok; see omr_instance_status_name); without
 * meaning in a table of values that was not run. Belongs to the result. */
OMR_API const int8_t *omr_result_status(const omr_result *result);
/* [omr_result_instances], s: when each instance ended. Belongs to the result. */
OMR_API const double *omr_result_status_time(const omr_result *result);
/* "ok", "diverged" and so on; "unknown" for any other number. Static text. */
OMR_API const char *omr_instance_status_name(int status);

/* [omr_result_instances]: how often an instance was run again, each time with half the step.
 * Belongs to the result; NULL where the study does not ask for it. */
OMR_API const int8_t *omr_result_retries(const omr_result *result);

/* Trajectories of the traced instances. Every quantity is an array [traced][samples][wheels] of
 * doubles, NaN after an instance's end; a quantity of the vehicle has one "wheel", and one that
 * does not change in time one sample. */
OMR_API size_t omr_result_traced(const omr_result *result);
/* The row of the i-th traced instance; OMR_NONE past the last. */
OMR_API size_t omr_result_traced_row(const omr_result *result, size_t i);
/* The instances that the study traces by name, a line each: "217 largest vibration_rms", "40 first
 * of cell 4"; "" where there is none. Belongs to the result. */
OMR_API const char *omr_result_traced_names(const omr_result *result);
/* The nominal vehicle, which is no instance: a result of one row with its trajectory; NULL where
 * the study does not trace it. Belongs to the result. */
OMR_API const omr_result *omr_result_nominal(const omr_result *result);
/* How many samples over time a trajectory has; 0 without traced instances. */
OMR_API size_t omr_result_samples(const omr_result *result);
/* [omr_result_samples], s. Belongs to the result; NULL without traced instances. */
OMR_API const double *omr_result_sample_times(const omr_result *result);
/* How many quantities the trajectories have; 0 without traced instances. */
OMR_API size_t omr_result_quantities(const omr_result *result);
/* The quantity of that name; OMR_NONE where the result has none. */
OMR_API size_t omr_result_find_quantity(const omr_result *result, const char *name);
/* Belongs to the result; NULL for a quantity that does not exist. */
OMR_API const char *omr_result_quantity_name(const omr_result *result, size_t quantity);
/* Its unit, likewise. */
OMR_API const char *omr_result_quantity_unit(const omr_result *result, size_t quantity);
/* Its values; *samples and *wheels (NULL allowed) are their dimensions besides the traced
 * instance. NULL for a quantity that does not exist. */
OMR_API const double *omr_result_trajectory(const omr_result *result, size_t quantity,
                                            size_t *samples, size_t *wheels);

/* How many instances failed. */
OMR_API size_t omr_result_failures(const omr_result *result);
/* The i-th of them, by the number of the instance: the instance, its status and its time [s], of
 * which each may be NULL. False past the last. */
OMR_API bool omr_result_failure(const omr_result *result, size_t i, size_t *instance, int *status,
                                double *time);
/* Why the i-th made no vehicle. Belongs to the result; NULL where it did, or the reason is not
 * kept. */
OMR_API const char *omr_result_failure_reason(const omr_result *result, size_t i);
/* The quantities of a failed instance's last good state. *wheel is the wheel it belongs to, -1: the
 * vehicle; name, unit and wheel may be NULL. False past the last. */
OMR_API bool omr_result_state_quantity(const omr_result *result, size_t quantity, const char **name,
                                       const char **unit, int *wheel);
/* Their values of the i-th failure, one for each, NaN where it never ran. Belongs to the result;
 * NULL past the last failure. */
OMR_API const double *omr_result_failure_state(const omr_result *result, size_t i);

/* The warnings of the run, a line each; "" for none. Belongs to the result. */
OMR_API const char *omr_result_warnings(const omr_result *result);
/* The study that was run, as JSON; "" where the result does not say. Belongs to the result. */
OMR_API const char *omr_result_study(const omr_result *result);
/* The title of the study; "" where the result does not say. Belongs to the result. */
OMR_API const char *omr_result_title(const omr_result *result);
/* A hash of every number but statistics, as 32 hexadecimal digits and a zero: the same on every
 * backend, device and build in the same precision. */
OMR_API omr_status omr_result_hash(const omr_result *result, char hex[33], omr_error *error);
/* Hash, instances by status, backend, times and speed of a run, as `omniroll run --hash` prints
 * them. */
OMR_API omr_status omr_result_run_print(const omr_result *result, FILE *out, omr_error *error);
/* The same as a JSON object. The caller destroys *json. */
OMR_API omr_status omr_result_run_json(const omr_result *result, char **json, omr_error *error);

/* A result file's content besides its numbers, as a JSON object: "attributes" of the file (the
 * study, versions, times of the run), in three objects "texts", "integers" and "numbers";
 * "dimensions", "instance", "traced", "time" and "wheel", each an object of "units" where it has
 * some and "long_name"; "wheels", their number; "rows", the values of each instance, the columns
 * first: objects of "name", "unit" (null: none), "long_name" and "role" ("parameter", "observable",
 * "status", "status_time", "retries"), and of an observable whose step error is known "step_error",
 * "step_error_low", "step_error_high" and "step_order"; "quantities" of the trajectories likewise,
 * as omr_result_trajectory counts them, with "over": "time", "wheel"; "flag_values" and
 * "flag_meanings" of the status; and "marked": the file has more for each instance, which only
 * omr_result_image has (levels of a subset simulation). Numbers that are not finite are "nan",
 * "inf" and "-inf". The caller destroys *json. */
OMR_API omr_status omr_result_about_json(const omr_result *result, char **json, omr_error *error);

/* Moments, quantiles, histograms, criteria and sensitivities by the settings of the study, as a
 * JSON object: a run's in memory, or computed anew from a result that was opened. The caller
 * destroys *json. OMR_ERR_USAGE for a result that was not run. */
OMR_API omr_status omr_result_statistics_json(const omr_result *result, char **json,
                                              omr_error *error);
/* A table that the caller holds: a column for each name, with its unit ("m s-1"), and the status of
 * every row, as omr_result_status has it. */
typedef struct omr_criterion_table {
  size_t size; /* sizeof(omr_criterion_table) */
  const char *const *names, *const *units;
  const double *const *values; /* [columns][rows], SI; NaN: none */
  const int8_t *status;
  size_t columns, rows;
} omr_criterion_table;

/* Which rows meet the last of `count` criteria, written as in statistics.fail; each may use those
 * before it, by their names. truth[rows], which the caller holds: 1 met, 0 not met, NaN unknown,
 * and NaN too of a row that failed where the criterion does not look at the status. OMR_ERR_STUDY
 * for a text that is no criterion of this table. */
OMR_API omr_status omr_criterion_truth(const omr_criterion_table *table, const char *const *names,
                                       const char *const *texts, size_t count, double *truth,
                                       omr_error *error);
/* What the program prints after a run. */
OMR_API void omr_print_summary(const omr_result *result, FILE *out);
/* OMR_ERR_FAILURES where more instances of a result failed than the study's statistics.failed_limit
 * allows. */
OMR_API omr_status omr_result_check_failures(const omr_study *study, const omr_result *result,
                                             omr_error *error);
/* OMR_ERR_INACCURATE where the error that the step makes of a result of omr_run is larger than the
 * study's integrator.accept allows. A result of a study whose integrator.step_error is "off"
 * passes. */
OMR_API omr_status omr_result_check_accept(const omr_study *study, const omr_result *result,
                                           omr_error *error);

/* A result file as CSV, read in blocks, so that memory does not grow with the rows. Numbers have
 * the digits that bring back the same bits; a value that is not there is an empty field. `columns`
 * are names separated by commas, in the order wanted; NULL: all.
 *
 * One line per instance: its number, the columns with their units in brackets, status as a word,
 * status_time. */
OMR_API omr_status omr_export_instances(const char *path, const char *columns, FILE *out,
                                        omr_error *error);
/* One line per traced instance and time until its end: instance, time, samples; a sample of wheel i
 * as name_i. */
OMR_API omr_status omr_export_trajectories(const char *path, const char *columns, FILE *out,
                                           omr_error *error);

/* Statistics of a result file, computed anew from its rows and the study that is kept in it. */
typedef struct omr_analyze_options {
  size_t size;
  const char *const *settings; /* "statistics.fail=...", or a member of integrator.accept */
  size_t setting_count;
  const char *output; /* a copy of the file with the new statistics; NULL: none */
  bool json;
  bool brief; /* the answer in at most 25 lines of 80 columns; otherwise all there is */
} omr_analyze_options;
#define OMR_ANALYZE_OPTIONS_INIT                                                                   \
  { .size = sizeof(omr_analyze_options) }

/* Prints them to `out`, or writes the copy and says so there. */
OMR_API omr_status omr_analyze(const char *path, const omr_analyze_options *options, FILE *out,
                               omr_error *error);

/* The same as the JSON object that `omniroll analyze --json` prints: settings[count] as in the
 * options, and with `output` (NULL: none) a copy of the file too. The caller destroys *json. */
OMR_API omr_status omr_analyze_json(const char *path, const char *const *settings, size_t count,
                                    const char *output, char **json, omr_error *error);

/* Results of runs side by side: what their studies ask, each mean and share with its interval, and
 * its difference from that of the first result, by pairs where both met the same draws. `names`
 * are those of the results. Prints a table of at most 25 lines of 80 columns with the command that
 * makes a page of it, or a JSON object: "first", "confidence", "unpaired" (why, by names) and
 * "rows" of "name", "unit", "criterion", "variant", "value", "low", "high", "difference",
 * "difference_low", "difference_high", "paired". Numbers that are not known are null. */
OMR_API omr_status omr_side_by_side(const char *const *paths, const char *const *names,
                                    size_t count, bool json, FILE *out, omr_error *error);

/* Holds a result file, or the folder R.h5.parts of an unfinished run, against its checksums: every
 * dataset and group; or the manifest, the journals and every chunk. Prints a line for each problem,
 * and a summary. OMR_ERR_IO where there is a problem, or nothing that can be checked. Changes
 * nothing. Like every reader of result files, by one thread at a time. */
OMR_API omr_status omr_verify(const char *path, FILE *out, omr_error *error);
/* {"path", "kind": "result" or "folder", "checked", "unchecked", "problems": [{"where", "what"},
 * ...], "notes": [...]}, there too with OMR_ERR_IO where problems were found; NULL where nothing
 * could be checked. The caller destroys *json with omr_text_destroy. */
OMR_API omr_status omr_verify_json(const char *path, char **json, omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
