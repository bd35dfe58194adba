/* What a study asks of its statistics (section "statistics"). */
#ifndef OMR_STATISTICS_SETTINGS_H
#define OMR_STATISTICS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Intervals of a probability (host/statistics/intervals.h). */
typedef enum omr_interval { OMR_INTERVAL_WILSON, OMR_INTERVAL_CLOPPER_PEARSON } omr_interval;
enum { OMR_INTERVALS = OMR_INTERVAL_CLOPPER_PEARSON + 1 };

/* A criterion as written (host/study/expression.h). */
typedef struct omr_criterion_text {
  char *name, *text;
} omr_criterion_text;

/* When a run has enough instances (host/statistics/stop.h). */
typedef struct omr_stop_settings {
  bool given;
  bool of_criterion; /* the probability of criterion number `index`; otherwise the mean of column
                        `index` */
  size_t index;
  bool relative;    /* the width is a part of the estimate's size */
  double width;     /* of the interval, from end to end */
  size_t at_least;  /* instances before the first look; 0: one chunk */
  size_t instances; /* at most; those of the design or fewer */
  double wall_time; /* s at most; 0: any */
} omr_stop_settings;

typedef struct omr_statistics_settings {
  omr_criterion_text *criteria; /* each may use those before it */
  size_t criterion_count;
  double *quantiles; /* ascending probabilities from 0 to 1 */
  size_t quantile_count;
  int bins; /* of histograms; 0: none */
  double confidence;
  omr_interval interval;
  size_t bootstrap;    /* replicates for the intervals of Sobol' indices */
  double failed_limit; /* largest part of instances that may fail before the run counts as failed;
                          1: any */
  omr_stop_settings stop;
} omr_statistics_settings;

/* One criterion "fail" is written as "fail": "..."; several by name. */
#define OMR_CRITERION_NAME "fail"

/* Keys of the section.  X(ENUM, "key", "standard", "meaning") */
/* clang-format off */
#define OMR_STATISTICS_KEYS(X)                                                                                                \
  X(FAIL, "fail", "none", "a criterion as text, or an object of named ones of which each may use those before it: the probability of each is estimated") \
  X(QUANTILES, "quantiles", "[0.05, 0.25, 0.5, 0.75, 0.95]", "probabilities from 0 to 1, at most 100, whose quantiles are wanted") \
  X(HISTOGRAM, "histogram", "40", "number of bins from the smallest to the largest value, at most 10000; 0 for none")                            \
  X(CONFIDENCE, "confidence", "0.95", "probability with which intervals hold the true value, 0.5 to 0.999999")                                             \
  X(INTERVAL, "interval", "wilson", "intervals of probabilities: `wilson` (Wilson's score interval, right on average) or `clopper_pearson` (exact: never too short)") \
  X(BOOTSTRAP, "bootstrap", "1000", "replicates behind the intervals of sensitivity indices; 0 for no such intervals, at most 100000")                    \
  X(FAILED_LIMIT, "failed_limit", "1", "largest part of the instances, 0 to 1, that may fail") \
  X(STOP, "stop", "none", "ends the run once the interval of a quantity is narrow enough, or a budget is spent: {\"quantity\": \"fail.slides\", \"width\": 0.01}")

/* Keys of "stop", likewise. */
#define OMR_STOP_KEYS(X)                                                                                                      \
  X(QUANTITY, "quantity", "required", "`fail.NAME`, the probability of a criterion, or `mean OBSERVABLE`")                    \
  X(WIDTH, "width", "required, or `relative_width`", "of the interval from end to end, at which the run ends; in the observable's unit")   \
  X(RELATIVE_WIDTH, "relative_width", "required, or `width`", "the same as a part of the estimate")                           \
  X(AT_LEAST, "at_least", "one chunk", "instances before the first look")                                                     \
  X(INSTANCES, "instances", "those of the design", "instances at which the run ends in any case")                              \
  X(WALL_TIME, "wall_time", "none", "time at which the run ends in any case, summed over its chunks")
/* clang-format on */

enum {
#define X(id, ...) OMR_STATISTICS_##id,
  OMR_STATISTICS_KEYS(X)
#undef X
      OMR_STATISTICS_KEY_COUNT
};
enum {
#define X(id, ...) OMR_STOP_##id,
  OMR_STOP_KEYS(X)
#undef X
      OMR_STOP_KEY_COUNT
};

#endif
