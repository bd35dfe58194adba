/* The state of an engine, shared by the files that open it (open.c) and run it (run.c). */
#ifndef OMR_ENGINE_STATE_H
#define OMR_ENGINE_STATE_H

#include "device_check.h"
#include "retry.h"
#include "run.h"

#include <omp.h>

struct omr_engine {
  omr_integrator as;
  omr_part whole;         /* the part that the engine was opened for */
  omr_part part;          /* the part that runs */
  const omr_study *study; /* part.study */
  const omr_run_options *options;
  omr_run_record record; /* of the backend; each result counts the work of its part */
  const omr_backend_ops *ops;
  omr_backend *backend;
  omr_device_check *check; /* NULL: the processor integrates, which needs no check */
  omr_run_settings settings;
  omr_batch batch;
  omr_refined *carry; /* instances that the next batch carries; NULL: none */
  bool stepped;       /* a caller steps its one batch of all rows (stepped.h) */
  size_t carried;     /* slots of carried instances in the present batch, before the rows' slots,
                         longest first */
  size_t *index;   /* row of the result of each slot: the instance, unless instances are chosen */
  double *energy;  /* initial kinetic energy of each slot */
  double *drawn;   /* varied values of each slot */
  double *samples; /* sample columns of the batch */
  char **reasons;  /* why each slot makes no vehicle; NULL where it does */
  omr_retry *retry;
  size_t slots, capacity; /* of a batch; of them for rows */
  omr_batch *blocks;      /* [threads] */
  int threads;
  size_t parts;                 /* number of parts run */
  double work_done, work_total; /* omr_study_work of all instances */
  omr_watch watch;              /* over the device */
  double step_seconds;          /* duration of a step in the last launch; 0: unknown */
  double reported;              /* work of the present batch */
  double slice;                 /* steps per launch, nominal ones where steps are controlled */
  omr_result *result;
  size_t first_invalid;
  omp_lock_t lock;             /* of result->first_invalid and first_invalid */
  char warnings[OMR_WARNINGS]; /* of the whole study, for the results of its parts */
};

/* run.c */

/* Advances the batch from `from` to `to` on the clock in launches of about launch_seconds. Only
 * time decides where a launch ends, and the results do not depend on it. */
omr_status omr_engine_advance(omr_engine *engine, double from, double to, omr_error *error);
/* Makes `part` the one that runs. */
void omr_engine_turn_to(omr_engine *engine, const omr_part *part);
/* The same for a device that is slow: `user` is the engine. */
bool omr_engine_goes_on(void *user);
/* Reports the progress to the caller, with batch_work of the present batch; false: stop. */
bool omr_engine_report(const omr_engine *engine, double batch_work);
void omr_engine_forget_reasons(omr_engine *engine);

#endif
