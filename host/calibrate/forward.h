/* The residuals of a vehicle in measured runs: the runs of a study's "data" that are fitted (or
 * predicted), and for members, points in standard normal coordinates, the measured values less the
 * engine's, scaled by the noise. */
#ifndef OMR_FORWARD_H
#define OMR_FORWARD_H

#include "../engine/integrator.h"
#include "coordinates.h"

/* A run. `study` replays it, and `compared` is the same with a trajectory's sample at each compared
 * instant. */
typedef struct omr_forward_run {
  size_t number; /* in data.runs */
  omr_study *study;
  omr_study compared;
  size_t data;   /* numbers that it adds to the residuals of a member */
  double *value; /* [data], the measured values, sample by sample; owned */
} omr_forward_run;

typedef struct omr_forward {
  omr_forward_run *run; /* [runs], in the order of data.runs */
  size_t runs;
  const omr_coordinates *layout; /* of a member's coordinates; the caller's */
  size_t data;                   /* numbers of a member */
  double steps;                  /* integrated so far */
} omr_forward;

/* The numbers of a sample of a run: `count` of a member's, from `at` on, and the measured ones. */
typedef struct omr_forward_series {
  const omr_measured *measured; /* of the run */
  const double *value;
  size_t run, sample, at, count; /* run: in the forward's list */
} omr_forward_series;

/* Goes on to the next series, run by run; false after the last. All zero is before the first. */
bool omr_forward_next(const omr_forward *forward, omr_forward_series *series);

/* Reads the study once for each of its runs. held_out: the runs to predict, otherwise the runs to
 * fit. */
omr_status omr_forward_make(const omr_study *study, const omr_coordinates *layout, bool held_out,
                            omr_forward *forward, omr_error *error);
/* The fitted runs at `split` times as many instants, so that values between the fit's instants are
 * there too. */
omr_status omr_forward_make_finer(const omr_study *study, const omr_coordinates *layout,
                                  size_t split, omr_forward *forward, omr_error *error);
/* Numbers [finer's data] of one member at the instants of `forward`; samples are traces and ends.
 */
void omr_forward_thin(const omr_forward *finer, size_t split, const double *numbers,
                      const omr_forward *forward, double *thin);
/* One run that was not measured, of a study without "data.runs", read with `count` assignments as
 * --set has them; its measured values are 0. */
omr_status omr_forward_plan(const omr_study *study, const omr_coordinates *layout,
                            const char *const *set, size_t count, omr_forward *forward,
                            omr_error *error);
void omr_forward_free(omr_forward *forward); /* all zero is allowed */

/* Runs members of coordinates [members][omr_coordinates_all] through all runs. residuals
 * [members][data], good [members]: whether all runs of a member reached their ends. errors (NULL or
 * [members][data]): the residuals before they are scaled, in the samples' units. */
omr_status omr_forward_run_members(omr_forward *forward, const double *coordinates, size_t members,
                                   const omr_run_options *options, double *residuals,
                                   double *errors, bool *good, omr_error *error);

/* The measured values less `off`, the unscaled residuals of one member. */
void omr_forward_given(const omr_forward *forward, const double *off, double *given);
/* From now on `values` [data], in the order of a member's numbers, were measured. */
void omr_forward_take(omr_forward *forward, const double *values);

/* Residuals [members][data] of samples with outliers (outliers.h), in place: their normal scores,
 * for tests of the noise; and clipped, for least squares. */
void omr_forward_score(const omr_forward *forward, size_t members, double *residuals);
void omr_forward_clip(const omr_forward *forward, size_t members, double *residuals);

/* Share of a sample's noise that remains at the next instant. */
double omr_forward_keeps(const omr_measured *measured, size_t sample);

#endif
