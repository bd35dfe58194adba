/* Statistics of differences between two trajectories of one instance: pure functions of arrays
 * [times][wheels]; a quantity of the whole vehicle has one wheel. */
#ifndef OMR_DIFFERENCE_H
#define OMR_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

/* Smallest and largest finite value, and largest magnitude; count 0: there is none. */
typedef struct omr_extent {
  double low, high, size;
  size_t count;
} omr_extent;

omr_extent omr_extent_of(const double *values, size_t count);
static inline double omr_extent_range(omr_extent extent) {
  return extent.count ? extent.high - extent.low : 0;
}

/* The scale that differences of a quantity are divided by. */
typedef enum omr_measure_kind {
  OMR_SCALE_RANGE, /* its own range over time and wheels, or an observable's own magnitude */
  OMR_SCALE_KIN,   /* it hardly moves: the largest size among the samples of the same unit, or the
                      size that the motion gives to the unit */
  OMR_SCALE_ONE    /* nothing of that unit moves: 1 of the unit */
} omr_measure_kind;

typedef struct omr_measure {
  double value;
  omr_measure_kind kind;
} omr_measure;

/* A range below OMR_SCALE_TINY of `kin` is rounding, or a motion that symmetry forbids: kin
 * replaces it. */
#define OMR_SCALE_TINY 1e-6
omr_measure omr_measure_of(double range, double kin);

/* Largest difference of two series. `mask` (NULL: none) leaves out samples that are not 0 in it. */
typedef struct omr_difference {
  double largest; /* |b - a|; NaN where nothing was compared */
  double time;    /* time of the largest */
  int wheel;
  size_t compared;
  size_t left_out;  /* by the mask */
  size_t one_sided; /* samples with a value in only one of the series, at times up to `until` */
} omr_difference;

omr_difference omr_difference_of(const double *a, const double *b, const double *time, size_t times,
                                 int wheels, const unsigned char *mask, double until);

/* Samples with different rollers in contact. An exchange within rounding, or within the last step,
 * of a sample's time gives one side the roller before and the other side the one after: then the
 * contact angles are on both sides of the same edge, q_a = -q_b, to within `near`. Any other case
 * is not a matter of time. */
typedef struct omr_roller_mismatch {
  size_t compared, differ; /* samples of wheels */
  size_t unexplained;      /* of the different ones, the samples away from an edge */
  double time;             /* of the first different one, or of the first unexplained one */
  int wheel;
} omr_roller_mismatch;

/* Turning of the wheels in two runs: arrays [times][wheels], of run 0 and 1. */
typedef struct omr_roller_series {
  const double *roller[2]; /* the one in contact */
  const double *angle[2];  /* of its contact, rad */
  const double *rate;      /* of the wheels of run 0, rad/s */
  const double *time;      /* [times], s */
  size_t times;
  int wheels;
} omr_roller_series;

/* Sets wheel_mask and vehicle_mask, [times * wheels] and [times], to 1 where the wheel's, or any
 * wheel's, rollers differ, and to 0 elsewhere. `step` is the longer of the steps, s; `slack` an
 * angle, rad. */
omr_roller_mismatch omr_rollers_compare(const omr_roller_series *series, double step, double slack,
                                        unsigned char *wheel_mask, unsigned char *vehicle_mask);

#endif
