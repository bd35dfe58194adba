/* The parts of a convergence that its files share. */
#ifndef OMR_CONVERGE_WORK_H
#define OMR_CONVERGE_WORK_H

#include "../engine/run.h"
#include "../statistics/margin.h"
#include "converge.h"

/* The results of a way: columns of each instance, as in the result, and one place more. */
typedef struct outcome {
  double *values; /* [instances][columns + 1] */
  int8_t *status; /* [instances] */
} outcome;

typedef struct timing {
  double seconds, vehicle_seconds, passes; /* in the kernels, of all runs together */
  int runs;
} timing;

typedef struct work {
  const omr_study *study;
  const omr_converge_request *options;
  omr_converge *c;
  size_t *chosen, instances;  /* of the study */
  size_t *timed, timed_count; /* instances that speeds are measured with */
  omr_engine_options engine;
  size_t columns, parameters;
  outcome truth, doubt; /* doubt: a tenth as fine as the truth; none for the reference */
  outcome *outcomes;    /* [row_count], of the rows */
  bool *used;           /* [instances] */
  omr_margin *margins;  /* [quantity_count], of criteria */
  double started, deadline, latest; /* s; latest: where a run is stopped */
  double pass_seconds;              /* of one instance on one core, as far as known; */
  double fixed_pass_seconds;        /* of fixed steps; 0: not known */
  bool stopped, late;
} work;

/* measure.c: all run w->chosen. */
omr_status converge_run(work *w, const omr_way *way, bool all_threads, outcome *outcome,
                        omr_error *error);
/* Runs it until it took `least` seconds. */
omr_status converge_time(work *w, const omr_way *way, double least, timing *timing,
                         omr_error *error);
omr_status converge_reference(work *w, outcome *outcome, omr_error *error);
void outcome_free(outcome *outcome);

/* accepted_errors.c: the quantities, from the truth; then errors of a row. */
omr_status converge_quantities_make(work *w, omr_error *error);
omr_status converge_judge(work *w, size_t row, omr_error *error);
/* A row counts as accepted where all finer rows of its kind are accepted, too: a single one may be
 * right by chance. */
void converge_accept(omr_converge *c);
/* Largest difference of the wanted means between two rows, over their scales. */
double converge_difference(const work *w, size_t one, size_t other);

static inline double way_size(const omr_way *way) {
  return way->tolerance > 0 ? way->tolerance : way->step;
}
static inline bool same_family(const omr_way *a, const omr_way *b) {
  return a->method == b->method && a->precision == b->precision;
}

/* The row of a way; -1: none. */
ptrdiff_t converge_row_of(const omr_converge *c, const omr_way *way);

void converge_note(omr_converge *c, const char *format, ...) OMR_PRINTF(2, 3);

/* steps_to_try.c: the rows, into c->rows. */
omr_status converge_row(work *w, const omr_way *way, omr_error *error);
/* One more measurement of a row. */
omr_status converge_round(work *w, size_t row, omr_error *error);
omr_status converge_ladders(work *w, omr_error *error);

#endif
