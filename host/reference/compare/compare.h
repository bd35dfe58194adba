/* Chosen instances of a study on the reference and on every backend and precision, at the
 * study's step h and at h/2.
 *
 * The engine's run at h differs from the reference by its step error and by the difference of
 * the two models. The runs at h and h/2 differ by the step error at h, up to the smaller one of
 * h/2; the run at h/2 and the reference differ by the models, up to that smaller one. The
 * verdict is how far the second difference exceeds the first.
 *
 * The reference has an error of its own, which its tolerance leaves. It is integrated twice, the
 * second time at a tolerance ten times smaller; the difference of both is the error of the
 * first. A difference of engine and reference that exceeds the tolerance, but not by twice that
 * error, tells nothing about the models: it is neither agreement nor a difference. */
#ifndef OMR_COMPARE_H
#define OMR_COMPARE_H

#include "../ensemble.h"
#include "difference.h"

/* Kinds of quantities that are compared. */
typedef enum omr_quantity_place {
  OMR_Q_SMALL,
  OMR_Q_VEHICLE,
  OMR_Q_WHEEL,
  OMR_Q_OBSERVABLE
} omr_quantity_place;
/* The effect of an exchange at a sample's time: none on the quantity, an abrupt change for the
 * wheel, or one for the whole vehicle. */
typedef enum omr_abrupt { OMR_ABRUPT_NEVER, OMR_ABRUPT_WHEEL, OMR_ABRUPT_VEHICLE } omr_abrupt;

typedef struct omr_quantity {
  omr_quantity_place place;
  int index; /* in the list of its place; of an observable: the result's column */
  const char *name, *unit;
  omr_abrupt abrupt;
} omr_quantity;

/* One quantity of one instance. */
typedef struct omr_compared {
  bool there; /* the reference and the run have such a number */
  omr_measure scale;
  double reference, fast[2]; /* observables: their values; fast at h and h/2 */
  omr_difference whole;      /* run at h and reference */
  omr_difference step;       /* runs at h and h/2 */
  omr_difference model;      /* run at h/2 and reference */
  omr_difference own;        /* the reference and its second integration */
  bool differs;              /* beyond step error and tolerance */
  bool limited;              /* it differs, but the reference's own error may be all of it */
} omr_compared;

/* Two results that are compared. */
typedef enum omr_compared_pair {
  OMR_PAIR_WHOLE, /* run at h and reference */
  OMR_PAIR_STEP,  /* runs at h and h/2 */
  OMR_PAIR_MODEL, /* run at h/2 and reference */
  OMR_PAIR_OWN,   /* the reference and its second integration */
  OMR_PAIRS
} omr_compared_pair;

typedef struct omr_compared_instance {
  size_t instance;
  int status[4]; /* reference, h, h/2, second integration of the reference */
  double end[4];
  bool status_differs;
  omr_roller_mismatch rollers[OMR_PAIRS];
  double holds[2];          /* edge_holds at h and h/2; NaN: not in the study */
  omr_compared *quantities; /* [quantity_count] */
} omr_compared_instance;

/* One backend with one precision. */
typedef struct omr_compared_run {
  char name[64]; /* "openmp double", "opencl 0:0 single" */
  omr_engine_options engine;
  char device[24];
  char skipped[512];                /* why it did not run; "" if it did */
  int same_as;                      /* an earlier run with the same bits; -1: none */
  omr_result *results[2];           /* at h and h/2 */
  omr_compared_instance *instances; /* [count] */
  double tolerance;                 /* infinite: not judged */
  double lane_seconds;              /* kernel time at h per simulated second of an instance */
  double largest_model;             /* relative, over all quantities */
  double largest_step;
  double largest_own;                                       /* of the reference, likewise */
  const omr_quantity *worst_model, *worst_step, *worst_own; /* NULL: there is none */
  bool differs;
  bool limited; /* it differs, and nowhere by more than the reference's own error may be */
} omr_compared_run;

struct omr_comparison {
  omr_pool memory;         /* of the arrays below */
  omr_study study[2];      /* at h and h/2 */
  const size_t *instances; /* [count], those compared, ascending */
  size_t count;
  bool own_interval;             /* the study has no trajectories: the interval was chosen here */
  double reference_tolerance[2]; /* relative, of both integrations of the reference */
  omr_ensemble reference, again; /* again: the second one */
  omr_quantity *quantities;
  size_t quantity_count;
  omr_compared_run *runs;
  size_t run_count;
  bool differs, unresolved; /* unresolved: a step error is above the tolerance */
  bool limited;             /* all that differs may be the reference's own error */
  bool inexact;             /* the reference's own error is above the tolerance */
  size_t *chosen;           /* owned; NULL: the caller's */
};

/* Relative to the quantity's scale. The integration of the reference and rounding leave less than
 * 1e-8 in a few seconds, a term missing in one of the models much more. Single precision is
 * reported and not judged unless a tolerance is given: its rounding errors grow with the number of
 * steps, so that halving the steps does not separate them from the model. */
#define OMR_COMPARE_TOLERANCE 1e-6
/* Multiple of the step error that is allowed for a wheel that came to rest on two rollers. */
#define OMR_COMPARE_HELD 10
/* The rest of an error of first order (vibration_exchange) at h/2 is as large as the change by
 * halving, up to terms of higher order; so twice the step error is allowed. */
#define OMR_COMPARE_STEP 2
/* Multiple of the reference's own error that a difference may reach and still be only that error.
 * Its second integration shows that error up to its own, a tenth, and up to the irregular way in
 * which errors follow a tolerance. */
#define OMR_COMPARE_OWN 2

typedef struct omr_compare_request {
  const size_t *instances; /* ascending; must outlive the comparison */
  size_t count;
  double tolerance, tolerance_single; /* infinite: not judged */
  omr_ensemble_options reference;
  omr_progress_fn *progress; /* for the engine's runs */
  void *progress_user;
  FILE *log; /* warnings; NULL for none */
} omr_compare_request;

/* The compared instances, with the study at h (half 0) or h/2 (half 1); valid as long as the
 * comparison stays where it is. */
static inline omr_part omr_comparison_part(const omr_comparison *comparison, int half) {
  return omr_part_traced(&comparison->study[half], comparison->instances, comparison->count);
}

/* The study must outlive the comparison. Differences are no error: see `differs`. */
omr_status omr_compare(const omr_study *study, const omr_compare_request *options,
                       omr_comparison *comparison, omr_error *error);
void omr_comparison_free(omr_comparison *comparison);

/* compare_runs.c: the backends and precisions that the study leaves open. */
omr_status omr_compare_runs_make(const omr_study *study, const omr_compare_request *options,
                                 omr_comparison *comparison, omr_error *error);
/* compare_quantities.c: the list of compared quantities, and one run against the reference. */
omr_status omr_compare_quantities_make(omr_comparison *comparison, omr_error *error);
omr_status omr_compare_run(omr_comparison *comparison, omr_compared_run *run, omr_error *error);

#endif
