/* What was measured: the section "data" of a study (parse_data.c). A study that is read holds the
 * numbers of one of its runs, the one that it replays; the others are read by studies of the same
 * text with another "data.run". */
#ifndef OMR_STUDY_MEASURED_H
#define OMR_STUDY_MEASURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sample that was measured. */
typedef struct omr_measured_sample {
  int index;               /* OMR_VS_ */
  double noise;            /* standard deviation, in the sample's unit */
  double correlation_time; /* s; 0: white noise */
} omr_measured_sample;

/* A run. */
typedef struct omr_measured_run {
  char *file;    /* as the study names it */
  bool held_out; /* predicted, not fitted to */
} omr_measured_run;

/* All zero: the study has no data. Owned by the study. */
typedef struct omr_measured {
  omr_measured_run *run; /* [runs] */
  size_t runs;
  size_t chosen;               /* whose numbers follow */
  omr_measured_sample *sample; /* [samples] */
  size_t samples;
  bool world;             /* poses are not taken relative to the start */
  double interval;        /* s between the instants */
  double start, duration; /* s: of the file, and of the run */
  size_t instants;        /* from 0 to the duration, both included; 0: not read */
  double *value;          /* [samples][instants], SI, in the study's frame */
} omr_measured;

/* How parameters are fitted: the section "calibrate". */
typedef struct omr_calibrate_settings {
  size_t members; /* of the ensemble */
  size_t points;  /* of the posterior; 0: the ensemble is the answer */
  uint64_t seed;
  double shared;      /* part of the prior's variance that runs have in common, of parameters that
                         have a value in each run */
  bool unknown_noise; /* each sample has a factor of its noise, to be found */
} omr_calibrate_settings;

/* Deviation of the logarithm of an unknown noise's factor before anything is known. */
#define OMR_NOISE_SPREAD 0.69314718055994531

void omr_measured_free(omr_measured *measured); /* all zero is allowed */

#endif
