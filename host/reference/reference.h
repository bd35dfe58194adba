/* Models assembled from the multibody library, by the studies' own names and parameters, and their
 * runs. A study's values are numbers; every equation here is the multibody system's. */
#ifndef OMR_REFERENCE_H
#define OMR_REFERENCE_H

#include "lists/observables.h"
#include "multibody/integrate.h"
#include "study/part.h"
#include "support/pool.h"

/* Why values make no machine. */
typedef struct omr_reason {
  char text[400];
} omr_reason;
/* Always false. */
bool omr_refuse(omr_reason *why, const char *format, ...) OMR_PRINTF(2, 3);

/* One assembled instance. */
typedef struct omr_reference {
  omr_pool memory; /* of the model's own data and its arrays */
  omr_mb *mb;
  omr_mb_switches switches;
  void *self; /* the model's own data */
  int failed; /* omr_instance_status that ended the model (a lifted wheel, ...); 0: running */
  bool paced; /* looks for extremes keep the integration's own pace, not the study's steps, which
                 mean nothing to this system */
  omr_text notes; /* lines about the system as assembled */
} omr_reference;

typedef struct omr_reference_model {
  /* NULL, or the reason why this study cannot run on the reference ("law X has no counterpart in
   * maximal coordinates"). */
  const char *(*refuse)(const omr_study *study);
  /* Builds the system in its initial state. False with a reason if the values make no such
   * machine. */
  bool (*assemble)(const omr_study *study, const omr_values *values, omr_reference *reference,
                   omr_reason *why);
  /* Samples in the evaluated state, in the order of the study's trajectories: OMR_VS_COUNT, then
   * OMR_WS_COUNT per wheel; or the small model's own list. NaN if the reference has no such
   * number. */
  void (*sample)(const omr_reference *reference, double *samples);
  /* Called at step starts of the study (t = k h) in the evaluated state, for extremes: at every one
   * or, if the reference is `paced`, at as many as its motion needs; NULL allowed. */
  void (*observe)(omr_reference *reference);
  /* Observables (OMR_OBS_COUNT; NaN where there is none) at the end. */
  void (*reduce)(const omr_reference *reference, double *observables);
} omr_reference_model;

/* Gives the reference zeroed data of the model's own, and a system with this gravity, m/s^2. NULL,
 * with a reason, where memory is short. */
void *omr_reference_open(omr_reference *reference, size_t own, omr_vec gravity, omr_reason *why);
/* Frees the system, the memory and the notes, after a failed assembly too. */
void omr_reference_close(omr_reference *reference);
/* Vertex of the parabola through (t[k], f[k]) if it lies between them; else f[2]. */
double omr_vertex(const double t[3], const double f[3]);

const omr_reference_model *omr_reference_model_of(omr_model model); /* NULL: none */

/* Worst drift of a class of constraints. */
typedef struct omr_reference_drift {
  char kind[OMR_MB_NAME], worst[OMR_MB_NAME]; /* class, name of the worst constraint */
  int count;
  double position, velocity;
} omr_reference_drift;

enum { OMR_REFERENCE_KINDS = 16 };

typedef struct omr_reference_options {
  omr_mb_tolerance tolerance;
  bool extremes; /* evaluate at step starts for extremes */
  int finer;     /* number of looks in place of one, with a tolerance; 0: 1 */
  bool (*progress)(void *user, double time, double duration); /* false stops; NULL allowed */
  void *progress_user;
} omr_reference_options;

/* A run of one instance. Freed by omr_reference_run_free. */
typedef struct omr_reference_run {
  omr_pool memory;    /* of the arrays */
  int columns;        /* samples per time */
  size_t times;       /* as in the study's trajectories: trace_stride steps apart, start included */
  double *time;       /* [times] */
  double *samples;    /* [times][columns], NaN after the end */
  double *drift_time; /* [times][OMR_DRIFT_COUNT] (result/result.h) */
  char *notes;        /* lines about the system, such as redundant conditions; NULL: none */
  double *last;       /* [columns], the last samples of a run that failed; NULL for others */
  double observables[OMR_OBS_COUNT];
  int status; /* omr_instance_status */
  double end; /* s */
  int bodies, states, constraints, rows, redundant;
  omr_reference_drift drift[OMR_REFERENCE_KINDS];
  int drift_count;
  omr_mb_counts counts;
} omr_reference_run;

/* Integrates instance k of the part's study, chosen or not. OMR_ERR_STUDY with the reason if the
 * reference has no such model or the values make none. */
omr_status omr_reference_integrate(const omr_part *part, size_t k,
                                   const omr_reference_options *options, omr_reference_run *run,
                                   omr_error *error);
void omr_reference_run_free(omr_reference_run *run);

#endif
