/* A finished run in memory. */
#ifndef OMR_RESULT_H
#define OMR_RESULT_H

#include "../lists/frames.h"
#include "../lists/observables.h"
#include "../lists/samples.h"
#include "../study/part.h"
#include "failures.h"

typedef struct omr_column {
  char *name, *unit, *meaning;
  double *values; /* [instances], NaN is the fill value */
} omr_column;

/* Times and versions that the file records. */
typedef struct omr_run_record {
  char backend[32];  /* "openmp", "scalar", "opencl" */
  char device[256];  /* device and driver, or instruction set and threads */
  char precision[8]; /* "double", "single" */
  char numerics[12]; /* "exact", "fast", "reference" */
  char rounding[8];  /* of division and square root: "correct" as IEEE 754 requires, or "device", so
                        bits may differ */
  char
      kernels[128]; /* openmp: "general", or "compiled for the run (gcc 12.2.0, kept)"; "" elsewhere
                     */
  int lanes, threads;
  int registers, spill_bytes,
      private_bytes; /* OpenCL, of a work-item of omr_advance; -1: unknown */
  int work_group;    /* OpenCL: work-items of a work-group; 0 elsewhere */
  double build_seconds, prepare_seconds, transfer_seconds, kernel_seconds, wall_seconds;
  double statistics_seconds,
      write_seconds;     /* of a run into a file: of the process that put it together */
  double instance_steps; /* integrated, without rejected passes and padding; with controlled steps
                            all passes */
  double refined_steps;  /* in addition, for the step error; 0 if it was not measured */
  double retried, recovered; /* instances run again with half the step, and how many of them then
                                reached the end */
  double device_checks;      /* comparisons of the device with the processor, all good; 0: none */
  double unbalanced; /* instances that reached the end with an energy_error above OMR_BALANCE_LIMIT
                        (balance.h) */
  double energy_error; /* the largest energy_error of these; 0: none */
} omr_run_record;

/* Adds times and steps. */
void omr_record_add(omr_run_record *to, const omr_run_record *from);

/* Of all that was integrated, in the kernels; 0 where nothing was measured. */
static inline double omr_steps_per_second(const omr_run_record *run) {
  return run->kernel_seconds > 0 ? (run->instance_steps + run->refined_steps) / run->kernel_seconds
                                 : 0;
}

enum { OMR_WARNINGS = 8192 }; /* their capacity */

/* An HDF5 file that is being composed; hdf5_file.h, in builds with HDF5. */
typedef struct omr_hdf5 omr_hdf5;

/* Operations of a result and its file on statistics, which are opaque here. */
struct omr_statistics;
typedef struct omr_statistics_ops {
  void (*write)(const struct omr_statistics *statistics, omr_hdf5 *h5); /* the group */
  void (*destroy)(struct omr_statistics *statistics);                   /* NULL-safe */
} omr_statistics_ops;

struct omr_result {
  size_t instances;
  uint64_t *numbers; /* [instances], the instances that were run; NULL: row k is instance k */
  int wheels;
  char *study_name, *study_title, *study_text;
  char study_hash[33];
  char *scene; /* appearance of the nominal vehicle as JSON; NULL or "": unknown */
  char model[32];
  omr_frame_kind frame; /* of the columns and series, names and values */
  uint64_t seed;
  double step, duration;                /* s; step is 0 if steps are controlled, */
  double tolerance;                     /* and this is 0 if they are not */
  size_t column_count, parameter_count; /* columns: parameters first */
  omr_column *columns;
  /* slice.c copies every array over instances or traced ones, and the file has a place for each */
  int8_t *status;      /* [instances] */
  double *status_time; /* [instances], s */
  double *row_steps;   /* [instances], integrated; NULL if the result was read from a file */
  double *row_balance; /* [instances], energy_error of the ones that reached the end, else NaN; NULL
                          likewise */
  int8_t *retries;     /* [instances], halvings of a row's step; NULL: the study has none */
  char warnings[OMR_WARNINGS]; /* warnings of the run, a line each; "": none */
  char first_invalid[512];     /* why the first invalid instance was refused; "" if none */
  omr_failures failures;       /* of the instances whose status is not ok */
  /* trajectories: [traced][samples] and [traced][samples][wheels]; NaN after an instance's end */
  size_t traced_count, sample_count;
  uint64_t *traced;
  double *sample_time;                    /* [samples] */
  double *vehicle_samples[OMR_VS_COUNT];  /* each [traced * samples] */
  double *wheel_samples[OMR_WS_COUNT];    /* each [traced * samples * wheels] */
  double *drift_samples[OMR_DRIFT_COUNT]; /* each [traced * samples]; NULL but for the reference */
  double *wheel_shapes[OMR_SHAPE_COUNT];  /* each [traced * wheels]; NaN without a vehicle */
  int small_sample_count;                 /* a small model has samples of its own instead */
  omr_sample_info *small_info;            /* [small_sample_count], with its texts in one block */
  double **small_samples;                 /* [small_sample_count], each [traced * samples] */
  char *traced_names;         /* of the instances that the study names, a line each: "217 largest
                                 vibration_rms"; NULL or "": none. Made once all rows are there */
  struct omr_result *nominal; /* the nominal vehicle: one row, and its trajectory; owned; NULL: not
                                 in the study. Made likewise */
  omr_run_record record;
  bool design_only; /* only the values of the varied parameters, of a study that was not run */
  /* Owned; NULL: not computed. host/statistics makes them and passes the functions with them, since
   * it stands above this room. */
  struct omr_statistics *statistics;
  const omr_statistics_ops *statistics_ops;
  unsigned char *partial; /* [partial_bytes] statistics of all rows, where the result keeps some of
                             them (statistics/partial/partial.h); NULL: all rows are here */
  size_t partial_bytes;
  char *coverage; /* of a part of a study that merge joined: which chunks, and the manifest, as JSON
                     (campaign/partial_file.h); NULL: the whole study */
};

/* stored_samples.c: true if the study of an omni model has the sample of its vehicle (OMR_VS_) or
 * of its wheels (OMR_WS_). */
bool omr_has_vehicle_sample(const omr_study *study, int index);
bool omr_has_wheel_sample(const omr_study *study, int index);
/* Whether a wheel has the sample, which the study has: a bare one has no roller. */
bool omr_wheel_has_sample(const omr_study *study, int wheel, int index);

/* Appends lines to warnings[OMR_WARNINGS], as far as there is room. */
void omr_add_warnings(char *warnings, const char *lines);
/* Prints "warning: LINE" for each of the lines; log NULL: nothing. */
void omr_log_warnings(FILE *log, const char *lines);
/* Statistics and packing use as many threads as usual. If they get fewer, adds a warning, unless
 * there is one already. log may be NULL. */
void omr_note_fewer_threads(char *warnings, FILE *log);

/* Some cells of the table of a result: columns column .. column+columns-1 in the rows first ..
 * first+count-1. */
typedef struct omr_table_block {
  size_t column, columns, first, count;
} omr_table_block;

/* True if the reference integrated the run: its steps are its own, not the study's. */
bool omr_record_of_reference(const omr_run_record *record);

/* Makes an empty result for a part of a study, with a row for each instance, columns for the varied
 * parameters and the study's observables, and its trajectories; NaN and "not run" everywhere. */
omr_status omr_result_make(const omr_part *part, omr_result **result, omr_error *error);

static inline omr_sample_info omr_column_info(const omr_column *column) {
  return (omr_sample_info){column->name, column->unit, column->meaning};
}
/* Adds a column, for which result->columns has room, without its values. False when out of
 * memory. */
bool omr_result_add_column(omr_result *result, omr_sample_info info, size_t rows);
/* Gives an empty result the study and the columns of another, for so many rows without values.
 * False when out of memory. */
bool omr_result_take_head(omr_result *to, const omr_result *from, size_t rows);
/* The columns' names, in an array that the caller frees; NULL when out of memory. */
omr_sample_info *omr_result_infos(const omr_result *result);

/* Row of an instance; result->instances if the result does not have it. Numbers ascend. */
size_t omr_result_row(const omr_result *result, size_t instance);

/* Notes why an instance makes no machine, if no instance before `*first` is known to fail: `*first`
 * begins at SIZE_MAX. Threads call it one at a time. */
void omr_result_note_invalid(omr_result *result, size_t *first, size_t instance,
                             const char *reason);

/* The arrays of traced instances, as one list: samples over time, then shapes. */
typedef struct omr_series {
  omr_sample_info info;
  bool over_time, over_wheels; /* dimensions in addition to the traced instance */
  bool rare; /* not every result has it: *values is NULL if no traced instance has a value */
  double *const
      *values; /* their place in the result; *values is NULL if the model has no such quantity */
} omr_series;

/* Rows of samples/vehicle.def and samples/wheel.def in the words of the result's frame. */
omr_sample_info omr_result_vehicle_sample(const omr_result *result, int index);
omr_sample_info omr_result_wheel_sample(const omr_result *result, int index);

size_t omr_result_series_count(const omr_result *result);
omr_series omr_result_series(const omr_result *result, size_t index);
/* Turns the samples of the instance at a place among the traced ones from the frame of the kernels
 * into the result's. */
void omr_result_turn_samples(omr_result *result, size_t place);
/* Copies a small model's list of samples into a result that has none: names, and places without
 * values. False when out of memory. */
bool omr_result_take_small_list(omr_result *result, const omr_sample_info *list, int count);
/* Drops rare series without a value, once all samples are there. */
void omr_result_drop_rare(omr_result *result);
/* Values per traced instance. */
size_t omr_result_series_size(const omr_result *result, omr_series series);

#endif
