/* omniroll calibrate: from measured runs to parameters. The order of work and its results;
 * conventions of ownership: include/omniroll/calibrate.h. */
#ifndef OMR_CALIBRATE_H
#define OMR_CALIBRATE_H

#include "../include/omniroll/calibrate.h"
#include "ensemble.h"
#include "fit_journal.h"
#include "forward.h"
#include "tempering.h"

#include "../support/pool.h"
#include "../support/tree.h"

#include <stdatomic.h>

enum { CALIBRATE_MOST_STEPS = 100 };

/* A result as unlikely by chance as this speaks against the tested hypothesis. */
#define CALIBRATE_BY_CHANCE 1e-4

/* The longer steps of differences, by which the sensitivities are found a second time. */
#define CALIBRATE_FARTHER 3.

#define CALIBRATE_KEEPS                                                                            \
  ". With -o FILE, FILE.journal keeps what is done, and the same command goes on"

/* The receiver of the progress, which is counted by rounds. The engine calls it within rounds too,
 * from one thread at a time, to learn whether to go on. */
typedef struct calibrate_watch {
  omr_progress_fn *progress; /* NULL: nobody */
  void *user;
  double done, total; /* as last reported */
  atomic_bool stopped;
  atomic_flag asking;
} calibrate_watch;

/* How the work is done: options of runs, and the receiver of its progress. */
typedef struct calibrate_how {
  const omr_run_options *run;
  calibrate_watch *watch; /* NULL: nobody hears of rounds */
  const char *kept;       /* the file that keeps finished work; NULL: none */
  const char *remedy; /* how to keep finished work, as the end of a sentence; NULL: impossible */
} calibrate_how;

/* Arguments of omr_forward_run_members. */
typedef struct calibrate_batch {
  const double *coordinates;
  size_t members;
  double *residuals, *errors; /* errors: may be NULL */
  bool *good;
} calibrate_batch;

/* A step of the ensemble. */
typedef struct omr_calibrate_step {
  double by, reached;     /* the step of the inverse temperature, and their sum */
  double misfit;          /* half the mean square sum of residuals before it, over their number */
  size_t failed, redrawn; /* members that did not reach the end of all runs; how often redrawn */
} omr_calibrate_step;

/* The members' errors in a run, in a sample's unit. */
typedef struct omr_calibrate_error {
  size_t run;           /* in data.runs */
  size_t sample;        /* in data.measured */
  double before, after; /* root mean square over members and instants: of the prior, and fitted */
  double mean_after;    /* of the members' mean */
  double end;           /* of the members' mean at the end of the run */
  double inside;        /* share of instants whose measured value lies in the middle 90 % of the
                           predictions of members and noise */
  double *series;       /* [4][instants]: measured, 5 %, median and 95 % of the predictions of
                           members and noise */
  size_t instants;
  size_t outliers;  /* values that are outliers more likely than not */
  double end_place; /* share of the predictions at the end that lie below the measured value */
} omr_calibrate_error;

/* A finding: a sentence, and how it weighs. */
typedef enum omr_weight { OMR_WEIGHS_NOTHING, OMR_WEIGHS_DOUBT, OMR_WEIGHS_AGAINST } omr_weight;
typedef struct omr_finding {
  omr_weight weight;
  char *text;
} omr_finding;

enum { OMR_FINDINGS = 64 };

/* The top of the posterior, and its width by the Fisher matrix there. Noises are the stated ones.
 */
typedef struct calibrate_mode {
  double *coordinate, *deviation;  /* [dimensions], standard normal; deviation 0 of noises */
  double *value, *value_deviation; /* [variation_count], in the study's frame; of those that have a
                                      value in each run, in another run */
  double *covariance; /* [unknowns][unknowns], of the coordinates that residuals depend on */
  size_t unknowns;
  double evidence;     /* its logarithm, by Laplace's approximation */
  double left;         /* the step that would follow, in deviations of the posterior */
  bool rests;          /* that step is as good as none */
  size_t steps, blind; /* taken; and unknowns whose differences failed on both sides */
  double apart;        /* the largest distance of the members' mean from it, in its deviations */
  size_t apart_at;     /* of this coordinate */
} calibrate_mode;

struct omr_calibrate {
  omr_pool memory;   /* of the arrays and texts below */
  const char **name; /* [dimensions], paths of the coordinates, with the run they belong to, or the
                        sample whose noise they are */
  const omr_study *study;
  uint64_t seed;
  omr_coordinates layout;
  omr_forward fitted, held_out;
  omr_ensemble_size size; /* as it is: of the ensemble, then of the posterior */
  double *coordinates;    /* [members][dimensions] */
  double *values;         /* [members][study->variation_count], in the study's frame */
  bool *good;
  size_t good_count;
  omr_calibrate_step *step; /* [CALIBRATE_MOST_STEPS] */
  size_t steps;
  bool fits_anyway;    /* also where the prior does not predict the data (sbc.c) */
  bool stopped;        /* the prior is far from predicting the data, and no fit was made */
  double *correlation; /* [samples], s: of noise whose correlation in time the study does not state,
                          and with which the fit was repeated; 0: none; NULL: not looked for */
  bool correlated;     /* some are */
  char *conflict;      /* the worst misfit then, and its likely cause; NULL: none; of its own */
  bool checked_only;   /* the prior was held against the data, without a fit */
  double best;         /* mean square of the scaled residuals of the nearest member */
  double prior_distance; /* squared, over the count of data: 1 where the prior predicts them */
  double prior_predicts; /* how often data that the prior predicts would be as far off */
  omr_calibrate_error *error;
  size_t errors;
  double *sensitivity; /* [dimensions], of all residuals together, per deviation of the prior; NaN:
                          its runs failed */
  double *farther;     /* the same by steps CALIBRATE_FARTHER times as long */
  double *along;       /* singular by the longer steps, along its directions */
  double *singular;    /* [coordinates of the model], ascending, then a direction in each row
                          (identify.h) */
  omr_tempering_stage *stage; /* of the posterior; NULL: the ensemble is the answer */
  size_t stages;
  double *log_likelihood; /* [points] */
  double evidence;        /* its logarithm, of the densities of the residuals */
  size_t nearest;         /* the member with the least residuals in the fitted runs */
  calibrate_mode *mode;   /* NULL: not requested */
  omr_finding finding[OMR_FINDINGS];
  size_t findings;
  calibrate_journal *journal; /* NULL: nothing is kept */
};

/* calibrate.c: whether the study draws its unknowns. */
omr_status calibrate_check_prior_drawn(const omr_study *study, omr_error *error);
/* Checks the study and takes memory; the caller destroys *c even if this fails. */
omr_status calibrate_open(const omr_study *study, omr_calibrate **c, omr_error *error);
/* Fits to the values of the runs: the ensemble, and the posterior where the study wants it. */
omr_status calibrate_fit(omr_calibrate *c, const calibrate_how *how, omr_error *error);

/* journal_runs.c: opens the journal that the options name, NULL where they name none. work: the
 * kind of work, one line. */
omr_status calibrate_keep(const omr_calibrate *c, const omr_calibrate_options *options,
                          const char *work, calibrate_journal **journal, omr_error *error);
/* Runs members, or takes their results from the journal. */
omr_status calibrate_run_members(omr_calibrate *c, omr_forward *forward, const calibrate_how *how,
                                 const calibrate_batch *batch, omr_error *error);

/* fit.c: runs the prior's draws and tests whether they predict the data, without a fit. */
omr_status calibrate_check_prior(omr_calibrate *c, const calibrate_how *how, omr_error *error);
/* Members become draws of the prior, and move until the data count in full. */
omr_status calibrate_fit_ensemble(omr_calibrate *c, const calibrate_how *how, omr_error *error);
/* watch.c: options of runs that call the watch. */
omr_run_options calibrate_watched(calibrate_watch *watch);
/* Gives an OMR_ERR_INTERRUPTED of the engine the sentence that says which work is kept. */
omr_status calibrate_interrupted(const calibrate_how *how, omr_status status, omr_error *error);
/* Reports progress; OMR_ERR_INTERRUPTED where the caller wants to stop. */
omr_status calibrate_tell(const calibrate_how *how, double done, double total, omr_error *error);
/* fit.c: the members' coordinates from the dimension `first` on become draws of the prior. */
void calibrate_draw_prior(omr_calibrate *c, size_t first);
/* fit.c: whether the prior predicts the data. */
bool calibrate_is_predicted(const omr_calibrate *c);
/* conflict.c: fills conflict where the prior does not predict the data. */
omr_status calibrate_explain_conflict(omr_calibrate *c, const calibrate_how *how, omr_error *error);
/* How often chi-squared of `freedom` degrees of freedom exceeds `square`. */
double calibrate_chi_tail(double square, double freedom);

/* correlation.c: fills correlation from the ensemble's residuals; the runs' samples have it
 * afterwards. */
omr_status calibrate_find_correlation(omr_calibrate *c, const calibrate_how *how, omr_error *error);

/* sensitivity.c: fills sensitivity and singular about the members' mean. */
omr_status calibrate_find_sensitivity(omr_calibrate *c, const calibrate_how *how, omr_error *error);

/* The members' mean, and steps of differences about it; both [dimensions]. */
void calibrate_choose_steps(const omr_calibrate *c, double *centre, double *steps);

/* values.c: values [n][variation_count] of the study at the coordinates known [n][drawn] of its
 * sample. */
void calibrate_values_of(const omr_calibrate *c, const double *known, size_t n, double *values);
/* Fills values of the members. */
omr_status calibrate_find_values(omr_calibrate *c, omr_error *error);

/* posterior.c: the members become points of the posterior. */
omr_status calibrate_find_posterior(omr_calibrate *c, const calibrate_how *how, omr_error *error);
/* Logarithm of the density of a member's residuals, in the units of the measurement. */
double calibrate_log_likelihood(const omr_calibrate *c, const double *member,
                                const double *residuals);

/* mode.c: fills mode, where the study wants it. */
omr_status calibrate_find_mode(omr_calibrate *c, const calibrate_how *how, omr_error *error);
/* The mode's table, the line of its work, and its JSON. Without a mode the first two print nothing;
 * JSON needs a mode. */
void calibrate_mode_print(const omr_calibrate *c, FILE *out);
void calibrate_mode_print_work(const omr_calibrate *c, FILE *out);
cJSON *calibrate_mode_json(const omr_calibrate *c);

/* errors.c: fills errors of the members as they are; before: they are draws of the prior. */
omr_status calibrate_find_errors(omr_calibrate *c, omr_forward *forward, bool before,
                                 const calibrate_how *how, omr_error *error);

/* names.c: names of parameters, and their moments. */
typedef struct calibrate_moments {
  double mean, deviation, low, high; /* low and high: the middle 95 % */
} calibrate_moments;

/* A row of the answer's tables: first the study's parameters, then the coordinates beyond theirs:
 * of single runs, in deviations of the prior; of clocks and sensors, in their unit; of noises. */
typedef struct calibrate_row {
  const char *name, *unit;
  bool parameter, sensed, noise;
  calibrate_moments m;
  double left;           /* of the prior's deviation, in standard normal coordinates */
  double top, deviation; /* of the mode, where there is one and its unknowns have this row */
} calibrate_row;
size_t calibrate_rows(const omr_calibrate *c);
calibrate_row calibrate_row_of(const omr_calibrate *c, size_t k);

/* Whether a coordinate is of a clock or a sensor, and the value of a coordinate, in its unit. */
bool calibrate_is_sensed(const omr_calibrate *c, size_t dimension);
double calibrate_sensed_value(const omr_calibrate *c, size_t dimension, double coordinate);
void calibrate_name(omr_calibrate *c); /* fills name; a failed memory tells */
/* The deviation left of the prior's in standard normal coordinates: 1 where the data say nothing.
 */
double calibrate_left_of_prior(const omr_calibrate *c, size_t dimension);
/* A singular direction in words: "a + b - c"; the caller frees it, NULL: out of memory. */
char *calibrate_direction_told(const omr_calibrate *c, size_t k);

const char *calibrate_unit_of(const omr_variation *variation);
/* The unit in which a sample is compared. */
const char *calibrate_sample_unit(const omr_calibrate *c, size_t sample);
const char *calibrate_sample_name(const omr_calibrate *c, size_t sample);
const char *calibrate_weight_word(omr_weight weight);
const char *calibrate_verdict_word(const omr_calibrate *c);

/* hdf5_calibrated.c: the outcome as an HDF5 file that xarray opens: at the root the points of the
 * posterior, a variable for each parameter over the dimension "draw"; in the groups run_0, run_1 ..
 * the measured and predicted values. */
omr_status calibrate_write_file(const omr_calibrate *c, const char *path, omr_error *error);

/* verdict.c: fills findings. */
void calibrate_judge(omr_calibrate *c);
omr_weight calibrate_verdict(const omr_calibrate *c); /* the heaviest finding */

#endif
