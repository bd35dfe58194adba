/* Settings of a study's statistics (section "statistics"). */
#ifndef OMR_STATISTICS_SETTINGS_H
#define OMR_STATISTICS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Intervals of a probability (host/statistics/intervals.h). */
typedef enum omr_interval { OMR_INTERVAL_WILSON, OMR_INTERVAL_CLOPPER_PEARSON } omr_interval;
enum { OMR_INTERVALS = OMR_INTERVAL_CLOPPER_PEARSON + 1 };

/* A criterion as written (host/study/expression/expression.h). */
typedef struct omr_criterion_text {
  char *name, *text;
  bool good; /* being met is good; otherwise a failure */
} omr_criterion_text;

/* When a run has enough instances (host/statistics/stop.h). */
typedef struct omr_stop_settings {
  bool given;
  bool of_criterion; /* the probability of criterion number `index`; otherwise the mean of column
                        `index` */
  size_t index;
  bool of_goal;     /* of candidates, and `given` is false, since a run takes all of them: evaluate
                       grows     their sample by objective or constraint number `index` of each */
  bool relative;    /* the width is a part of the estimate's size */
  double width;     /* of the interval, from end to end */
  size_t at_least;  /* instances before the first look; 0: one chunk */
  size_t instances; /* at most; the design may have fewer */
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
  bool failed_limit_given; /* without it a run in which every instance failed counts as failed */
  omr_stop_settings stop;
} omr_statistics_settings;

/* One criterion "fail" is written as "fail": "..."; several by name. */
#define OMR_CRITERION_NAME "fail"

#endif
