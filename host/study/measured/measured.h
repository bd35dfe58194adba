/* Measured runs: the section "data" of a study (parse_data.c). A study that is read holds the
 * numbers of one of its runs, the one that it replays; studies of the same text with another
 * "data.run" read the others. */
#ifndef OMR_STUDY_MEASURED_H
#define OMR_STUDY_MEASURED_H

#include "../../lists/frames.h"
#include "../../lists/samples.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of a sample that is compared: its value at every instant, or at the last one; logarithms
 * of the mean power of its rate of change in octaves, or of its mean square at orders of another
 * sample; its means over the instants at which another sample is in a bin. */
typedef enum omr_compared_as {
  OMR_COMPARE_TRACE,
  OMR_COMPARE_END,
  OMR_COMPARE_SPECTRUM,
  OMR_COMPARE_ORDERS,
  OMR_COMPARE_BINS,
  OMR_COMPARED
} omr_compared_as;

/* Most samples of a study that are measured, and numbers of orders or edges of bins of one. */
enum { OMR_MOST_MEASURED = 31, OMR_MOST_NUMBERS = 64 };

/* A sample that was measured. */
typedef struct omr_measured_sample {
  int index;               /* OMR_VS_ of the vehicle, OMR_VS_COUNT + OMR_WS_ of a wheel */
  int wheel;               /* whose sample it is, where it is a wheel's */
  char name[48];           /* as messages name it: "x", "wheels[0].wheel_rate" */
  double noise;            /* standard deviation, in the sample's unit; of a logarithm a number */
  double correlation_time; /* s; 0: white noise */
  double outliers;         /* share of values whose noise is OMR_OUTLIER_NOISE times as large */
  omr_compared_as compared;
  size_t bands;   /* of a spectrum */
  size_t against; /* of orders and bins: which of data.measured they go by */
  double *number; /* [numbers]: orders, in turns or per SI unit of it, or edges of bins; owned */
  size_t numbers;
} omr_measured_sample;

#define OMR_OUTLIER_NOISE 10.

/* Unknowns between model and log (lists/unknowns.def). */
typedef enum omr_unknown_kind {
#define X(id, ...) OMR_UNKNOWN_##id,
#include "../../lists/unknowns.def"
#undef X
  OMR_UNKNOWNS
} omr_unknown_kind;

typedef struct omr_unknown_info {
  const char *key, *told, *unit; /* unit "": the sample's */
  bool of_sensor;                /* of a sample, not of the clock of all of them */
  double known;                  /* its value where it is known */
  bool per_run;                  /* where the study does not say */
} omr_unknown_info;
extern const omr_unknown_info omr_unknown_list[OMR_UNKNOWNS];

/* An unknown of a clock or of a sensor. */
typedef struct omr_unknown {
  omr_unknown_kind kind;
  size_t sample;               /* of a sensor: which of data.measured */
  bool per_run;                /* each run has a value of its own */
  bool assumed;                /* the study does not say it: a start error like the noise */
  struct omr_variation *prior; /* its distribution; owned */
} omr_unknown;

/* A run. */
typedef struct omr_measured_run {
  char *file;    /* as the study names it */
  bool held_out; /* predicted, not fitted to */
  size_t group;  /* the first run of its group; parameters in calibrate.per_run have one value for
                    each group */
} omr_measured_run;

/* All zero: the study has no data; samples without runs: the samples that a planned run would
 * measure, whose values are 0. Owned by the study. */
typedef struct omr_measured {
  omr_measured_run *run; /* [runs] */
  size_t runs;
  size_t chosen;               /* whose numbers follow */
  omr_measured_sample *sample; /* [samples] */
  size_t samples;
  bool world;             /* poses are not taken relative to the start */
  bool from_start;        /* wheels' angles are */
  double interval;        /* s between the instants */
  double start, duration; /* s: of the file, and of the run */
  size_t instants;        /* from 0 to the duration, both included; 0: not read */
  double *value;          /* [samples][instants], SI, in the study's frame */
  omr_unknown *unknown;   /* [unknowns], the clock's first */
  size_t unknowns;
} omr_measured;

/* How parameters are fitted: the section "calibrate". */
typedef struct omr_calibrate_settings {
  size_t members; /* of the ensemble */
  size_t points;  /* of the posterior; 0: the ensemble is the answer */
  uint64_t seed;
  double shared;      /* part of the prior's variance that runs have in common, of parameters that
                         have a value in each run */
  bool unknown_noise; /* each sample has a factor of its noise, to be found */
  int polish;         /* Gauss-Newton steps at most; 0: none */
} omr_calibrate_settings;

/* Families of manoeuvres. */
typedef enum omr_manoeuvre_family {
#define X(id, ...) OMR_MANOEUVRE_##id,
#include "../../lists/manoeuvres.def"
#undef X
  OMR_MANOEUVRE_FAMILIES
} omr_manoeuvre_family;

/* Limits of a manoeuvre, SI. */
typedef struct omr_manoeuvre_limits {
  double duration, speed, yaw_rate, acceleration, yaw_acceleration;
} omr_manoeuvre_limits;

/* How a manoeuvre is looked for: the section "excite". tries 0: the study has none. */
typedef struct omr_excite_settings {
  omr_manoeuvre_limits limits; /* duration 0: the study's */
  bool family[OMR_MANOEUVRE_FAMILIES];
  size_t tries, draws, rounds;
  uint64_t seed;
} omr_excite_settings;

/* Deviation of the logarithm of an unknown noise's factor before anything is known. */
#define OMR_NOISE_SPREAD 0.69314718055994531

/* A sample by its index (omr_measured_sample), as the frame names it; and its unit, SI. */
omr_sample_info omr_measured_info(omr_frame_kind frame, int index);
const char *omr_measured_unit(int index);
/* Takes the value at the first instant off each such angle in values [samples][instants]. */
void omr_measured_turn_back(const omr_measured *measured, double *values);
/* The part of a sample that makes one turn, by which orders count: 2 pi rad of an angle, otherwise
 * its unit. */
double omr_measured_turn(int index);

/* The unit of an unknown of this kind, of a sensor that measures `sample` (its index). */
const char *omr_unknown_unit(int kind, int sample);

void omr_measured_free(omr_measured *measured); /* all zero is allowed */

#endif
