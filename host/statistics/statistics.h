/* Statistics of a finished run, read in blocks: memory grows with the cells of a nested design,
 * not with the rows. Each column is summed by itself in the order of the rows, so that neither
 * chunks nor threads change a bit.
 *
 * Only instances with status ok enter; instances without a value (not finite) are counted and
 * left out. A criterion that mentions `status` looks at all instances. */
#ifndef OMR_STATISTICS_H
#define OMR_STATISTICS_H

#include "../result/fields.h"
#include "../result/result.h"
#include "../result/source.h"
#include "../study/expression/expression.h"
#include "../support/pool.h"
#include "intervals.h"
#include "sensitivity.h"

/* Numbers of instances that are kept of each way to fail without rows, the smallest. */
enum { OMR_FAILED_NUMBERS = 8 };

/* Moments of the values of a column. */
typedef struct omr_moments {
  uint64_t used, without_value;
  double min, max, mean,
      squares; /* squares: sum of squared distances from the mean; NaN where nothing was used */
} omr_moments;

double
omr_variance_of(const omr_moments *moments); /* of the population, NaN for less than two values */
double omr_deviation_of(const omr_moments *moments);
double omr_standard_error_of(const omr_moments *moments);
/* Interval of the mean by Student's t; NaN for less than two values. */
omr_bounds omr_mean_bounds(const omr_moments *moments, double confidence);

typedef struct omr_quantity {
  char *name, *unit, *meaning;
  omr_moments moments;
  double least, most;      /* of all instances, failed ones too: the range of a varied parameter */
  double first;            /* in row 0, whatever its status */
  double *quantiles;       /* [quantile_count] */
  double *quantile_errors; /* [quantile_count], how far off a quantile from bins can be; NULL: they
                              are exact */
  uint64_t min_at, max_at; /* instances with the extremes, without rows alone; else UINT64_MAX */
  double *edges;           /* [bins + 1]; NaN where there are no values */
  uint64_t *histogram;     /* [bins] */
} omr_quantity;

typedef struct omr_criterion_counts {
  uint64_t met, not_met;
  uint64_t unknown;  /* a missing value decides */
  uint64_t left_out; /* status not ok, where the criterion does not mention the status */
} omr_criterion_counts;

double omr_probability_of(const omr_criterion_counts *counts); /* met / (met + not_met) */

/* The numbers that files and JSON have of moments and of criteria, in the order of their fields. */
typedef struct omr_moment_numbers {
  omr_moments moments;
  double variance, deviation, error;
  omr_bounds bounds;
} omr_moment_numbers;
typedef struct omr_share_numbers {
  omr_criterion_counts counts;
  double probability;
  omr_bounds bounds;
} omr_share_numbers;
enum { OMR_MOMENT_FIELDS = 10, OMR_SHARE_FIELDS = 7 };
extern const omr_field omr_moment_fields[OMR_MOMENT_FIELDS], omr_share_fields[OMR_SHARE_FIELDS];
omr_moment_numbers omr_moment_numbers_of(const omr_moments *moments, double confidence);

typedef struct omr_criterion {
  char *name, *text;
  omr_expression *expression;
  omr_criterion_counts counts;
} omr_criterion;

/* Cells of a nested design; arrays are cell by cell. */
typedef struct omr_cells {
  size_t count, per_cell; /* 0: no nested design */
  size_t refused;         /* cells of a design that has too many of them; count is 0 then */
  size_t design_count;
  size_t *design;       /* [design_count] quantities that are the grid's parameters */
  double *values;       /* [count][design_count] */
  uint64_t *by_status;  /* [count][OMR_INSTANCE_STATUS_COUNT] */
  omr_moments *moments; /* [count][quantity_count] */
  double *quantiles;    /* [count][quantity_count][quantile_count] */
  uint64_t *histogram;  /* [count][quantity_count][bins], over the edges of the whole; NULL where
                           there would be too many */
  omr_criterion_counts *criteria; /* [count][criterion_count] */
} omr_cells;

typedef struct omr_statistics {
  omr_pool memory; /* of its arrays and texts */
  size_t rows;
  uint64_t by_status[OMR_INSTANCE_STATUS_COUNT];
  double earliest[OMR_INSTANCE_STATUS_COUNT]; /* s; infinite where there is none */
  uint64_t failed[OMR_INSTANCE_STATUS_COUNT][OMR_FAILED_NUMBERS]; /* of `no_rows`: the first
                                  instances of each status but ok; UINT64_MAX: none */
  size_t quantity_count,
      parameter_count; /* quantities are the source's columns: parameters first */
  omr_quantity *quantities;
  double *levels; /* [quantile_count] */
  size_t quantile_count;
  int bins;
  double confidence;
  omr_interval interval;
  size_t criterion_count;
  omr_criterion *criteria;
  omr_cells cells;
  omr_sensitivity *sensitivity; /* NULL: no study */
  const char *independence;     /* a sentence on what intervals mean under this design, or "" */
  bool no_rows;                 /* from sums (partial/partial.h): the run kept `kept` of its rows */
  size_t kept;
  bool spread_only; /* intervals do not tell how other draws would spread: instances were chosen, or
                       share values */
  struct omr_step_error *step_error; /* step_error.h; NULL: not measured */
  struct omr_outcome *outcome;       /* of an adaptive run (outcome.h); NULL: none. After a subset
                                        simulation the rest is of level 0 */
  struct omr_answer *answer;         /* what the study asks (answer.h) */
} omr_statistics;

/* Computes the statistics of the rows of `source`, which are the study's rows from its first on
 * (study NULL: moments only, without quantiles, histograms, criteria and cells). The caller
 * destroys *statistics. */
omr_status omr_statistics_compute(const omr_study *study, omr_source *source,
                                  omr_statistics **statistics, omr_error *error);
void omr_statistics_destroy(omr_statistics *statistics); /* NULL-safe */

/* Statistics of `rows` rows without numbers: names, criteria, cells. The caller destroys them, also
 * after a failure. */
omr_status omr_statistics_frame(const omr_study *study, const omr_source *source, size_t rows,
                                omr_statistics **statistics, omr_error *error);
/* Rows first .. first+count-1: how they ended, and the values of every column. */
typedef struct omr_row_block {
  size_t first, count;
  int8_t *codes;
  double *times;
  const double **at; /* [columns] */
} omr_row_block;
/* compute.c: counts how the rows ended, of the whole and of each cell, and keeps the designs of the
 * cells that begin there. */
void omr_count_rows(omr_statistics *statistics, const omr_row_block *rows);
/* Counts a criterion likewise. values: room for a row and its status; truths: [count], 1, 0, or NaN
 * where it is unknown; NULL: not wanted. */
void omr_count_criterion(omr_statistics *statistics, const omr_row_block *rows, size_t number,
                         double *values, double *truths);
/* compute_spread.c: edges of equal bins over the quantity's range. */
void omr_set_edges(omr_quantity *quantity, int bins);
/* keep.c: from the sums that `head` has of rows that are not kept, or from the rows of `source`. */
omr_status omr_statistics_of(const omr_study *study, const omr_result *head, omr_source *source,
                             omr_statistics **statistics, omr_error *error);
/* The same for a result in memory, which keeps them (omr_result_destroy frees them). */
omr_status omr_statistics_keep(const omr_study *study, omr_result *result, omr_error *error);

/* analyze.c: of a result file, by the study that it keeps, with the errors by the step. The caller
 * destroys *study and *statistics. */
omr_status omr_statistics_of_file(const char *path, const omr_result *head, omr_source *source,
                                  omr_study **study, omr_statistics **statistics, omr_error *error);

/* Makes the group /statistics. */
void omr_statistics_write(const omr_statistics *statistics, omr_hdf5 *h5);

/* Tables of parameters, observables, criteria and, where they are few, cells. */
void omr_statistics_print(const omr_statistics *statistics, FILE *out);
/* Prints the mean with its interval, and the quantiles. */
void omr_statistics_print_quantiles(const omr_statistics *statistics, FILE *out);
/* Prints everything as one JSON object, without a line end; null where there is nothing. False when
 * out of memory: then the object is not complete. */
bool omr_statistics_print_json(const omr_statistics *statistics, FILE *out);
/* Prints the members between its braces, without a comma after them; likewise. */
bool omr_statistics_print_members(const omr_statistics *statistics, FILE *out);

omr_share_numbers omr_share_numbers_of(const omr_statistics *statistics,
                                       const omr_criterion_counts *counts);

extern const char *const omr_interval_names[OMR_INTERVALS];

/* compute_spread.c: quantiles and histograms of statistics whose moments are known, with at most
 * `memory` values of a column in memory. */
omr_status omr_statistics_spread(omr_statistics *statistics, omr_source *source, size_t memory,
                                 omr_error *error);
enum { OMR_STATISTICS_MEMORY = 1 << 23 };

#endif
