#include "integrate.h"

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

struct omr_mb_integrator {
  omr_mb *mb;
  omr_mb_switches switches;
  omr_mb_counts counts;
  SUNContext context;
  void *cvode;
  N_Vector state, output; /* start of the run; what CVODE returns */
  SUNMatrix matrix;
  SUNLinearSolver linear;
  SUNNonlinearSolver nonlinear;
  double time;       /* of the system */
  bool begun;        /* `begin` of the switches has been called */
  bool stopped;      /* at a stop whose function must still be called */
  omr_error failure; /* of the last right-hand side */
  omr_mb_watcher *watcher;
  void *watcher_user;
  double watched; /* s of wall time of the watcher's last call */
};

#define WATCH 0.1 /* s of wall time between calls of the watcher */

void omr_mb_watch(omr_mb_integrator *g, omr_mb_watcher *watcher, void *user) {
  g->watcher = watcher;
  g->watcher_user = user;
  g->watched = omr_seconds();
}

static bool may_go_on(omr_mb_integrator *g, double t) {
  if (g->failure.status == OMR_ERR_INTERRUPTED)
    return false; /* CVODE goes on after a single failed evaluation */
  if (!g->watcher || omr_seconds() - g->watched < WATCH) return true;
  g->watched = omr_seconds();
  if (g->watcher(g->watcher_user, t)) return true;
  omr_fail(&g->failure, OMR_ERR_INTERRUPTED, "stopped");
  return false;
}

/* The right-hand side that CVODE integrates
 * (appendix/reference.md#bodies). */
static int right_hand_side(double t, N_Vector y, N_Vector rate, void *user) {
  omr_mb_integrator *g = user;
  if (!may_go_on(g, t)) return -1; /* for good; CVODE would answer 1 with a shorter step */
  g->counts.evaluations++;
  omr_mb_set_state(g->mb, t, N_VGetArrayPointer(y));
  return omr_mb_evaluate(g->mb, N_VGetArrayPointer(rate), &g->failure) == OMR_OK ? 0 : 1;
}

static int event_functions(double t, N_Vector y, double *value, void *user) {
  omr_mb_integrator *g = user;
  omr_mb_set_state(g->mb, t, N_VGetArrayPointer(y));
  g->switches.values(g->switches.self, g->mb, value);
  return 0;
}

static omr_status fail_cvode(const omr_mb_integrator *g, int flag, omr_error *error) {
  if (g->failure.status == OMR_ERR_INTERRUPTED)
    return omr_fail(error, OMR_ERR_INTERRUPTED, "%s", g->failure.message);
  char *name = CVodeGetReturnFlagName(flag);
  omr_status status =
      flag == CV_MEM_FAIL
          ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for the integration of the reference")
          : omr_fail(error, OMR_ERR_INTERNAL,
                     "the reference stopped at t = %.9g s: CVODE says %s%s%s", g->time, name,
                     g->failure.message[0] ? "; " : "", g->failure.message);
  free(name);
  return status;
}

/* Drops CVODE's own output, which is already in the message. */
static void keep_quiet(int code, const char *module, const char *function, char *message,
                       void *user) {
  (void)code, (void)module, (void)function, (void)message, (void)user;
}

static int choose_solver(omr_mb_integrator *g, const omr_mb_tolerance *t) {
  if (t->method == OMR_MB_ADAMS) {
    g->nonlinear = SUNNonlinSol_FixedPoint(g->state, 0, g->context);
    return g->nonlinear ? CVodeSetNonlinearSolver(g->cvode, g->nonlinear) : CV_MEM_FAIL;
  }
  sunindextype n = g->mb->states;
  g->matrix = SUNDenseMatrix(n, n, g->context);
  g->linear = g->matrix ? SUNLinSol_Dense(g->state, g->matrix, g->context) : NULL;
  return g->linear ? CVodeSetLinearSolver(g->cvode, g->linear, g->matrix) : CV_MEM_FAIL;
}

static int set_up(omr_mb_integrator *g, const omr_mb_tolerance *t) {
  int n = g->mb->states;

  if (SUNContext_Create(NULL, &g->context) != 0) return CV_MEM_FAIL;
  g->state = N_VNew_Serial(n, g->context);
  g->output = N_VNew_Serial(n, g->context);
  g->cvode = CVodeCreate(t->method == OMR_MB_ADAMS ? CV_ADAMS : CV_BDF, g->context);
  if (!g->state || !g->output || !g->cvode) return CV_MEM_FAIL;

  /* start from the present state of the system */
  memcpy(N_VGetArrayPointer(g->state), g->mb->state, (size_t)n * sizeof(double));
  int flag = CVodeSetErrHandlerFn(g->cvode, keep_quiet, NULL);
  if (flag == 0) flag = CVodeInit(g->cvode, right_hand_side, g->time, g->state);

  if (flag == 0)
    flag = CVodeSStolerances(g->cvode, t->relative > 0 ? t->relative : OMR_MB_RELATIVE,
                             t->absolute > 0 ? t->absolute : OMR_MB_ABSOLUTE);
  if (flag == 0) flag = CVodeSetUserData(g->cvode, g);

  /* limits, and the method of solution */
  if (flag == 0) flag = CVodeSetMaxNumSteps(g->cvode, t->steps > 0 ? t->steps : 50000000L);
  if (flag == 0 && t->longest > 0) flag = CVodeSetMaxStep(g->cvode, t->longest);
  if (flag == 0) flag = choose_solver(g, t);

  /* events happen where a function falls through zero */
  if (flag == 0 && g->switches.count > 0)
    flag = CVodeRootInit(g->cvode, g->switches.count, event_functions);
  int downwards[OMR_MB_EVENTS];
  for (int i = 0; i < OMR_MB_EVENTS; i++) downwards[i] = -1;
  if (flag == 0 && g->switches.count > 0) flag = CVodeSetRootDirection(g->cvode, downwards);
  if (flag == 0 && g->switches.count > 0) flag = CVodeSetNoInactiveRootWarn(g->cvode);

  return flag;
}

omr_status omr_mb_integrator_create(omr_mb *mb, const omr_mb_tolerance *tolerance,
                                    const omr_mb_switches *switches, omr_mb_integrator **integrator,
                                    omr_error *error) {
  *integrator = NULL;

  if (switches && switches->count > OMR_MB_EVENTS)
    return omr_fail(error, OMR_ERR_INTERNAL, "the reference has %d event functions, more than %d",
                    switches->count, OMR_MB_EVENTS);
  omr_status status = omr_mb_complete(mb, error);
  if (status != OMR_OK) return status;

  omr_mb_integrator *g = calloc(1, sizeof *g);
  if (!g)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the integration of the reference");
  g->mb = mb;
  g->time = mb->time;
  if (switches) g->switches = *switches;

  /* a failure in part leaves an integrator that can be destroyed */
  int flag = set_up(g, tolerance);
  if (flag != 0) {
    status = fail_cvode(g, flag, error);
    omr_mb_integrator_destroy(g);
    return status;
  }

  *integrator = g;
  return OMR_OK;
}

void omr_mb_integrator_destroy(omr_mb_integrator *g) {
  if (!g) return;
  if (g->cvode) CVodeFree(&g->cvode);
  if (g->linear) SUNLinSolFree(g->linear);
  if (g->nonlinear) SUNNonlinSolFree(g->nonlinear);
  if (g->matrix) SUNMatDestroy(g->matrix);
  if (g->state) N_VDestroy(g->state);
  if (g->output) N_VDestroy(g->output);
  if (g->context) SUNContext_Free(&g->context);
  free(g);
}

static void take_counts(omr_mb_integrator *g) {
  long steps = 0;
  if (CVodeGetNumSteps(g->cvode, &steps) == 0) g->counts.steps += steps;
}

/* Starts CVODE anew, and its counters with it. */
omr_status omr_mb_restart(omr_mb_integrator *g, omr_error *error) {
  take_counts(g);
  g->counts.restarts++;
  g->time = g->mb->time;
  memcpy(N_VGetArrayPointer(g->state), g->mb->state, (size_t)g->mb->states * sizeof(double));
  int flag = CVodeReInit(g->cvode, g->time, g->state);
  return flag == 0 ? OMR_OK : fail_cvode(g, flag, error);
}

/* Handles the events that CVODE has found at the present time. */
static omr_status happen(omr_mb_integrator *g, omr_error *error) {
  int found[OMR_MB_EVENTS] = {0};
  int flag = CVodeGetRootInfo(g->cvode, found);
  if (flag != 0) return fail_cvode(g, flag, error);
  omr_status status = OMR_OK;
  for (int i = 0; i < g->switches.count && status == OMR_OK; i++) {
    if (found[i] == 0) continue;
    g->counts.events++;
    status = g->switches.happen(g->switches.self, g->mb, i, error);
  }
  return status == OMR_OK ? omr_mb_restart(g, error) : status;
}

/* Does the work that the last stop, or the start, has left for the present time. */
static omr_status catch_up(omr_mb_integrator *g, omr_error *error) {
  const omr_mb_switches *s = &g->switches;
  omr_status status = OMR_OK;
  bool begins = !g->begun && s->begin, stops = g->stopped && s->stop;
  if (begins) status = s->begin(s->self, g->mb, error);
  if (status == OMR_OK && stops) status = s->stop(s->self, g->mb, error);
  if (status == OMR_OK && (begins || g->stopped)) status = omr_mb_restart(g, error);
  g->begun = true;
  g->stopped = false;
  return status;
}

/* True for times that differ by rounding only: CVODE makes no step that short. */
static bool same_time(double a, double b) {
  return fabs(a - b) <= 16 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

/* Declares the present state to be the state at `t`, a rounding error later. */
static omr_status move_time(omr_mb_integrator *g, double t, omr_error *error) {
  omr_mb_set_state(g->mb, t, g->mb->state);
  return omr_mb_restart(g, error);
}

static omr_status advance(omr_mb_integrator *g, double until, omr_error *error) {
  while (g->time < until) {
    omr_status status = catch_up(g, error);
    if (status != OMR_OK) return status;

    /* stops of the model come before the end */
    double stop =
        g->switches.next_stop ? g->switches.next_stop(g->switches.self, g->time) : HUGE_VAL;
    if (stop < HUGE_VAL && same_time(stop, until)) stop = until;
    double target = stop < until ? stop : until, reached = target;
    /* set anew even if there is none: CVODE keeps an old stop that `until` reached first */
    int flag =
        g->switches.next_stop ? CVodeSetStopTime(g->cvode, stop < HUGE_VAL ? stop : DBL_MAX) : 0;

    if (same_time(g->time, target)) {
      status = move_time(g, target, error);
    } else {
      /* a step of CVODE ends at the target or at an event */
      if (flag == 0) flag = CVode(g->cvode, target, g->output, &reached, CV_NORMAL);
      if (flag < 0) return fail_cvode(g, flag, error);
      g->time = reached;
      omr_mb_set_state(g->mb, reached, N_VGetArrayPointer(g->output));
      if (flag == CV_ROOT_RETURN) status = happen(g, error);
    }

    if (status != OMR_OK) return status;
    g->stopped = reached >= stop;
  }
  return OMR_OK;
}

omr_status omr_mb_advance(omr_mb_integrator *g, double until, omr_error *error) {
  double start = omr_seconds();
  omr_status status = advance(g, until, error);
  g->counts.seconds += omr_seconds() - start;
  return status;
}

omr_mb_counts omr_mb_count(const omr_mb_integrator *g) {
  omr_mb_counts counts = g->counts;
  long steps = 0;
  if (CVodeGetNumSteps(g->cvode, &steps) == 0) counts.steps += steps;
  return counts;
}

double omr_mb_pace(const omr_mb_integrator *g) {
  double step = 0;
  return CVodeGetLastStep(g->cvode, &step) == 0 ? step : 0;
}
