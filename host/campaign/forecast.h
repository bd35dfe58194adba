/* The cost of a study before it runs: work, memory, disk and time. */
#ifndef OMR_FORECAST_H
#define OMR_FORECAST_H

#include "../engine/run.h"
#include "needs.h"
#include "step_ladder.h"

enum { OMR_FORECAST_WARNINGS = 20 };

typedef struct omr_forecast_trial {
  size_t instances;
  double work;    /* of an instance: steps, or seconds of controlled ones (omr_study_work) */
  double seconds; /* of the last trial, which counts */
  double rate;    /* instance-steps, or vehicle-seconds, per second */
  double prepare; /* s per instance */
} omr_forecast_trial;

struct omr_forecast {
  const omr_study *study;
  omr_needs needs;
  double work; /* of all: instance-steps, or vehicle-seconds */
  omr_run_record engine;
  char kernels[256]; /* of the run, in words; "": the backend has one kind */
  omr_forecast_trial trial;
  double seconds;         /* estimated for the whole run in one process */
  double rows_seconds;    /* of them in the rows, */
  double again_seconds;   /* and in runs for the step error and in later ones */
  bool in_order;          /* chunks depend on earlier ones */
  int tasks;              /* of a job that shares the run; 0: none */
  omr_step_sample sample; /* instances that run again, */
  double refined_work;    /* and their work, as `work` */
  omr_ladder ladder;      /* the step that an accuracy needs */
  double largest_step;
  size_t stiff_instance;
  size_t looked_at, invalid;
  char invalid_reason[512];
  size_t warning_count;
  char warnings[OMR_FORECAST_WARNINGS][512];
};

/* forecast_fits.c: the cost of `omniroll calibrate` or `omniroll excite`, for a study with a
 * section for it. */
typedef struct omr_fits_forecast {
  const char *command; /* NULL: the study has neither section */
  double fewest, most; /* runs, each as long as the study's */
} omr_fits_forecast;

omr_fits_forecast omr_forecast_fits(const omr_study *study);

#endif
