/* The coordinates of a member, all of them N(0, 1) before any data: first one for each parameter
 * that the study draws; then, for each group of fitted runs (data.runs[].group; a run without one
 * is a group), one for each parameter that has a value in each run (calibrate.per_run); then the
 * coordinates of clocks and sensors, in the order of data's unknowns, one for each fitted run or
 * one for all; then one for each sample whose noise is unknown. A parameter's coordinate in group r
 * is sqrt(shared) u + sqrt(1 - shared) u_r: N(0, 1) in each run, with the correlation `shared`
 * between groups. */
#ifndef OMR_COORDINATES_H
#define OMR_COORDINATES_H

#include "../study/study.h"
#include "../support/pool.h"

typedef struct omr_coordinates {
  omr_pool memory; /* of the arrays */
  size_t drawn;    /* dimensions of the study's sample */
  size_t *own;     /* [owns], parameters that have a value in each run */
  size_t owns, runs, noises;
  size_t groups;    /* of fitted runs */
  size_t *group;    /* [runs], of each fitted run */
  size_t *group_of; /* [data.runs + 1], of each run, the last for a run that nobody measured; >=
                       groups: of no fitted run */
  size_t *fitted;   /* [data.runs], its number among the fitted runs; SIZE_MAX: none */
  size_t *first_of; /* [data.runs + 1], the first run of its group */
  const omr_unknown *unknown; /* [unknowns], of clocks and sensors; the study's */
  size_t unknowns, sensors;   /* sensors: their coordinates */
  double shared;
  uint64_t seed;
} omr_coordinates;

omr_status omr_coordinates_make(const omr_study *study, omr_coordinates *layout, omr_error *error);
void omr_coordinates_free(omr_coordinates *layout); /* all zero is allowed */

/* The effect of clocks and sensors on a run: values of each kind, a sensor's by its sample. */
typedef struct omr_sensed {
  double value[OMR_UNKNOWNS][OMR_MOST_MEASURED];
} omr_sensed;

/* The number of coordinates that residuals depend on, all but the noises; and of all coordinates.
 */
size_t omr_coordinates_of_model(const omr_coordinates *layout);
size_t omr_coordinates_all(const omr_coordinates *layout);

/* Coordinates of the study's sample, to[drawn], of a member in a run of data.runs: where runs of
 * its group were fitted, the group's coordinates are the member's; otherwise they are drawn, for
 * the member's number and the group. */
void omr_coordinates_in_run(const omr_coordinates *layout, const double *member, size_t number,
                            size_t run, double *to);

/* Values of clocks and sensors in a run of data.runs, those of a run that is not fitted drawn in
 * the same way; known ones keep their value. */
void omr_coordinates_sense(const omr_coordinates *layout, const double *member, size_t number,
                           size_t run, omr_sensed *sensed);
/* The coordinate of an unknown (its number in `unknown`) in a fitted run, and the reverse. */
size_t omr_coordinates_of_unknown(const omr_coordinates *layout, size_t unknown, size_t run);
size_t omr_coordinates_unknown_at(const omr_coordinates *layout, size_t dimension, size_t *run);

/* The factor of a sample's stated noise: 1 where the noise is known. */
double omr_coordinates_noise(const omr_coordinates *layout, const double *member, size_t sample);

#endif
