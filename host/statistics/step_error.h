/* The error that a run's step makes in its numbers, from some instances that were run again with
 * half the step, and a quarter (host/result/shorter_steps.h; the estimate: step_estimate.h). An
 * error is the number at the run's step less its limit for shorter steps.
 *
 * Only instances that reached the end with a value at every step enter; an instance that was
 * taken again after a failure has a step of its own and does not. A criterion that mentions
 * `status` looks at all of them. */
#ifndef OMR_STATISTICS_STEP_ERROR_H
#define OMR_STATISTICS_STEP_ERROR_H

#include "../result/shorter_steps.h"
#include "statistics.h"
#include "step_estimate.h"
#include "step_ranking.h"

/* Error of an observable. */
typedef struct omr_step_quantity {
  size_t used; /* instances; 0: nothing is known */
  omr_step_estimate mean;
  double order;                     /* observed; NaN: cannot be seen */
  double median_size, largest_size; /* of the errors of single instances */
  omr_step_estimate *quantiles;     /* [quantile_count], a part of omr_step_error's */
  omr_step_ranking ranking;
} omr_step_quantity;

/* Flips of a criterion between the run's step and the shortest one. */
typedef struct omr_step_criterion {
  size_t used, gained,
      lost;                 /* instances; met with the run's step only, with the shorter one only */
  double flips, flips_high; /* share of either, and its one-sided upper bound */
  omr_step_estimate share;  /* error of the probability */
  omr_step_ranking ranking;
} omr_step_criterion;

/* An entry of integrator.accept with the error that was found. */
typedef struct omr_step_verdict {
  omr_accept accept;
  char label[100];    /* as in integrator.accept: "vibration_rms", "fail.slides" */
  double error, most; /* sizes in the observable's unit, or shares; error NaN: not known */
  bool missed;
} omr_step_verdict;

typedef struct omr_step_error {
  omr_pool memory;     /* of its arrays */
  omr_refined refined; /* owned */
  size_t left_out;     /* instances that failed, or were taken again, at some step */
  size_t rows;         /* of the run */
  size_t parameter_count, observable_count, criterion_count, quantile_count;
  omr_step_quantity *quantities; /* [observable_count] */
  omr_step_estimate *quantiles;  /* [observable_count][quantile_count] */
  omr_step_criterion *criteria;  /* [criterion_count] */
  omr_step_verdict *verdicts;    /* [verdict_count] */
  size_t verdict_count, missed;
} omr_step_error;

/* Computes statistics->step_error from the rows of their source; takes `refined`, which is empty
 * afterwards. Without instances (off, none chosen) nothing is made. */
omr_status omr_step_error_compute(const omr_study *study, omr_source *source, omr_refined *refined,
                                  omr_statistics *statistics, omr_error *error);
/* The same for a result in memory that has its statistics. */
omr_status omr_step_error_keep(const omr_study *study, omr_refined *refined, omr_result *result,
                               omr_error *error);
void omr_step_error_destroy(omr_step_error *step_error); /* NULL-safe */

/* step_verdict.c: fills the verdicts. */
omr_status omr_step_error_judge(const omr_study *study, const omr_statistics *statistics,
                                omr_step_error *step_error, omr_error *error);
/* Appends a line with the remedy for each missed verdict to `warnings` (line ends between them).
 * The lines begin with: */
#define OMR_STEP_WARNING "step error: "
void omr_step_error_warn(const omr_statistics *statistics, char *warnings, size_t size);
/* OMR_ERR_INACCURATE if a verdict is missed. */
omr_status omr_step_error_check(const omr_study *study, const omr_statistics *statistics,
                                omr_error *error);

/* The observable of column q of the statistics; NULL for a parameter, or without step error. */
const omr_step_quantity *omr_step_quantity_of(const omr_statistics *statistics, size_t q);
/* True if the errors of extremes are left out: the run's few instances are all that there are, and
 * their tolerances leave instants of exchanges open (omr_step_sample.blurred). */
static inline bool omr_step_extremes_unknown(const omr_step_error *step_error) {
  return step_error->refined.sample.blurred && step_error->refined.sample.count == step_error->rows;
}
/* True if the step's error of the mean is larger than half the interval of the mean by chance. */
bool omr_step_dominates(const omr_statistics *statistics, size_t q);

/* step_error_print.c: for people and programs. */
void omr_step_error_print(const omr_statistics *statistics, FILE *out);
/* For the short summary (brief.h): writes parts of a sentence on some observables, by the numbers
 * of their quantities; "" where nothing was measured. */
void omr_step_error_tell(const omr_statistics *statistics, const size_t *shown, size_t count,
                         char *text, size_t size);
void omr_step_error_print_json(const omr_statistics *statistics, FILE *out);

/* step_error_hdf5.c: writes the group /statistics/step_error, and reads its instances back; *there
 * is false where the file has none. */
void omr_step_error_write(const omr_statistics *statistics, omr_hdf5 *h5);
omr_status omr_step_error_read(const char *path, const omr_study *study, omr_refined *refined,
                               bool *there, omr_error *error);

#endif
