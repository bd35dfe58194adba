/* What an engine holds: for the files that open it (open.c) and run it (run.c). */
#ifndef OMR_ENGINE_STATE_H
#define OMR_ENGINE_STATE_H

#include "device_check.h"
#include "retry.h"
#include "run.h"

#include <omp.h>

struct omr_engine {
  omr_integrator as;
  omr_part whole;         /* that the engine was opened for */
  omr_part part;          /* that runs */
  const omr_study *study; /* part.study */
  const omr_run_options *options;
  omr_run_record record; /* of the backend; what a part took is counted in its own result */
  const omr_backend_ops *ops;
  omr_backend *backend;
  omr_device_check *check; /* NULL: the processor integrates, which is not checked by itself */
  omr_run_settings settings;
  omr_batch batch;
  omr_refined *carry; /* what the next batch carries; NULL: nothing */
  size_t carried;  /* slots that it takes in the batch that runs, before those of rows: the longest
                      first */
  size_t *index;   /* row of the result of each slot: the instance, unless instances are chosen */
  double *energy;  /* initial kinetic energy of each slot */
  double *drawn;   /* varied values of each slot */
  double *samples; /* sample columns of the batch */
  char **reasons;  /* why each slot makes no vehicle; NULL where it does */
  omr_retry *retry;
  size_t slots, capacity; /* of a batch; of them for rows */
  omr_batch *blocks;      /* [threads] */
  int threads;
  size_t parts;                 /* that have run */
  double work_done, work_total; /* omr_study_work of all instances */
  omr_watch watch;              /* over the device */
  double step_seconds;          /* of the last launch, for a step; 0: not known */
  double reported;              /* of the batch that runs */
  double slice;                 /* steps per launch, nominal ones where steps are controlled */
  omr_result *result;
  size_t first_invalid;
  omp_lock_t lock;             /* of result->first_invalid and first_invalid */
  char warnings[OMR_WARNINGS]; /* of the whole study, for the results of its parts */
};

/* run.c */

/* What runs from now on. */
void omr_engine_turn_to(omr_engine *engine, const omr_part *part);
/* The same for a device that takes its time: `user` is the engine. */
bool omr_engine_goes_on(void *user);
/* Tells the caller of what is done, with batch_work of the batch that runs; false stops. */
bool omr_engine_report(const omr_engine *engine, double batch_work);
void omr_engine_forget_reasons(omr_engine *engine);

#endif
