/* What a study would take: work, memory, disk and time, before it is run. */
#ifndef OMR_FORECAST_H
#define OMR_FORECAST_H

#include "../engine/run.h"
#include "ladder.h"

enum { OMR_FORECAST_WARNINGS = 8 };

/* Upper bounds in bytes. */
typedef struct omr_forecast_memory {
  double engine;     /* what the device works on at a time, on the host */
  double device;     /* and, with OpenCL, again on the device */
  double chunks;     /* results of the chunks that run together, before and after they are parted */
  double writer;     /* HDF5's buffers while the result is put together */
  double statistics; /* some columns at a time */
  double study;      /* tables, lists and searched designs */
} omr_forecast_memory;

typedef struct omr_forecast_trial {
  size_t instances;
  double work;    /* of an instance: steps, or of controlled ones seconds (omr_study_work) */
  double seconds; /* of the last trial, which counts */
  double rate;    /* instance-steps, or vehicle-seconds, per second */
  double prepare; /* s per instance */
} omr_forecast_trial;

struct omr_forecast {
  const omr_study *study;
  size_t rows, cells, per_cell; /* cells: 0 without a nested design */
  double work;                  /* of all: instance-steps, or vehicle-seconds */
  size_t chunk_rows, chunks;
  bool at_most; /* the run may end sooner */
  size_t traced;
  double values_per_trace; /* of one trajectory */
  double row_bytes, trace_bytes;
  omr_forecast_memory memory;
  double result_bytes, parts_bytes, free_bytes; /* free: of the folder; NaN where unknown */
  char folder[256];
  omr_run_record engine;
  omr_forecast_trial trial;
  double seconds;         /* estimated for the whole run of this process alone */
  omr_step_sample sample; /* instances that are run again, */
  double refined_work;    /* and what they take, as `work` */
  omr_ladder ladder;      /* the step that an accuracy needs */
  double largest_step;
  size_t stiff_instance;
  size_t looked_at, invalid;
  char invalid_reason[512];
  size_t warning_count;
  char warnings[OMR_FORECAST_WARNINGS][512];
};

double omr_forecast_memory_total(const omr_forecast_memory *memory); /* of the host */

#endif
