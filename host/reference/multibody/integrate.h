/* Integration of a multibody system by SUNDIALS CVODE, with root finding for switches: roller
 * exchange, stick-slip boundaries, lift-off. Between two events the right-hand side is smooth,
 * since the switches are discrete states that only events change. */
#ifndef OMR_INTEGRATE_H
#define OMR_INTEGRATE_H

#include "multibody.h"

enum { OMR_MB_EVENTS = 1024 };

typedef enum omr_mb_method {
  OMR_MB_ADAMS, /* orders to 12, fixed-point iteration */
  OMR_MB_BDF    /* orders to 5, Newton iteration: for stiff friction */
} omr_mb_method;

/* Default tolerances, and the least relative tolerance that rounding in double allows. */
#define OMR_MB_RELATIVE 1e-11
#define OMR_MB_ABSOLUTE 1e-12
#define OMR_MB_LEAST 1e-14

/* Absolute tolerance over the relative one: a state smaller than this (m, rad, m/s, rad/s) has the
 * error of a state of this size. */
#define OMR_MB_FLOOR 0.1

typedef struct omr_mb_tolerance {
  omr_mb_method method;
  double relative, absolute; /* of every state; 0: OMR_MB_RELATIVE and OMR_MB_ABSOLUTE */
  double longest;            /* longest internal step, s; 0: none */
  long steps;                /* most internal steps in one omr_mb_advance; 0: 50 million */
} omr_mb_tolerance;

/* Switches of a model. All but `self` may be NULL. */
typedef struct omr_mb_switches {
  void *self;
  int count; /* of event functions, at most OMR_MB_EVENTS */
  /* Event functions g in the state set last (frames, no accelerations). An event happens when one
   * passes from positive to not positive. */
  void (*values)(void *self, const omr_mb *mb, double *g);
  /* Event `which` has happened at mb->time: change discrete states, own states and, by
   * omr_mb_set_velocity, velocities. Afterwards its function should be positive again; otherwise it
   * is ignored until it has been positive. */
  omr_status (*happen)(void *self, omr_mb *mb, int which, omr_error *error);
  /* Next time after t at which the right-hand side has a kink or jump that only time decides;
   * infinite for none. */
  double (*next_stop)(void *self, double t);
  /* Called there before the next step, so that a look at that instant sees the state before. */
  omr_status (*stop)(void *self, omr_mb *mb, omr_error *error);
  /* Called once, before the first step: the effect of the start after a look at the initial state
   * (an impact). */
  omr_status (*begin)(void *self, omr_mb *mb, omr_error *error);
} omr_mb_switches;

typedef struct omr_mb_counts {
  long steps, evaluations, events, restarts;
  double seconds; /* wall time in omr_mb_advance */
} omr_mb_counts;

typedef struct omr_mb_integrator omr_mb_integrator;

/* The system must outlive the integrator. The initial state is the system's state at its time. */
omr_status omr_mb_integrator_create(omr_mb *mb, const omr_mb_tolerance *tolerance,
                                    const omr_mb_switches *switches, omr_mb_integrator **integrator,
                                    omr_error *error);
void omr_mb_integrator_destroy(omr_mb_integrator *integrator); /* NULL allowed */

/* Called about ten times a second of wall time with the time reached; false stops, and
 * omr_mb_advance ends with OMR_ERR_INTERRUPTED. */
typedef bool omr_mb_watcher(void *user, double time);
void omr_mb_watch(omr_mb_integrator *integrator, omr_mb_watcher *watcher, void *user);

/* Integrates to time `until` exactly; then the system holds the state there (not yet evaluated). */
omr_status omr_mb_advance(omr_mb_integrator *integrator, double until, omr_error *error);

/* Must be called after the caller has changed states. */
omr_status omr_mb_restart(omr_mb_integrator *integrator, omr_error *error);

omr_mb_counts omr_mb_count(const omr_mb_integrator *integrator);
/* CVODE's last step, s: how fast the motion changes there; 0 if it has made none since the last
 * event. */
double omr_mb_pace(const omr_mb_integrator *integrator);

#endif
