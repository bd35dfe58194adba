/* A study after reading and checking: everything that its file says, nothing a device knows. It is
 * constant from then on. The instances of a run are a part (study/part.h); another step or engine
 * is a study of its own (study/derived.h), which shares all unchanged members. */
#ifndef OMR_STUDY_H
#define OMR_STUDY_H

#include "../lists/frame_kinds.h"
#include "../lists/kinds.h"
#include "../lists/models.h"
#include "../support/support.h"
#include "designs/special_functions.h"
#include "measured/measured.h"
#include "questions.h"
#include "statistics_settings.h"

typedef enum omr_layout { OMR_LAYOUT_RING, OMR_LAYOUT_RECTANGLE, OMR_LAYOUT_EXPLICIT } omr_layout;

/* Piecewise-linear table: `rows` times and rows x columns values (row-major), constant outside.
 * Owned by the study. */
typedef struct omr_table {
  size_t rows, columns;
  double *time, *value;
} omr_table;

/* A table that is replayed from a file (study/tables/replay.h). Owned by the study. */
typedef struct omr_replay {
  omr_table table; /* values in SI and the frame of the kernels */
  double *terms;   /* [rows - 1][columns][4] of the pieces between the rows */
  bool corners;    /* the pieces are straight lines */
  bool held;       /* level ones */
  double largest;  /* size of the largest value of the first column */
  size_t wraps; /* rows of an angle at which its sensor started again, by which it is unwrapped */
} omr_replay;

/* Heights of the floor over a regular grid, from a file (study/tables/height_map.h). Owned by the
 * study.
 */
typedef struct omr_height_map {
  bool given;  /* the study has one; nothing else is known of it in a study kept with its result */
  bool smooth; /* cubic between the nodes instead of bilinear */
  size_t nodes[2];             /* along x and z, 2 at least; 0: not read */
  double first[2], spacing[2]; /* place of the first node, m */
  double *height;   /* [nodes[1] + 2][nodes[0] + 2], m: with a frame of nodes that go straight on */
  double low, high; /* bounds of all heights on and between the nodes */
} omr_height_map;

/* Whether the values of a varied parameter are listed, one for each candidate, or one for each
 * point of their sample (points of a posterior). */
typedef enum omr_listed { OMR_NOT_LISTED, OMR_LISTED_BY_CELL, OMR_LISTED_BY_POINT } omr_listed;

/* One varied parameter. */
typedef struct omr_variation {
  char *path;     /* as written: "wheel.friction", "wheels[0].friction", "platform.mass" */
  char *column;   /* HDF5 and table name: "wheel_friction", "wheels0_friction", "platform_mass" */
  bool per_wheel; /* index is an OMR_WP_, otherwise an OMR_VP_ */
  bool sensed; /* of a clock or a sensor and no parameter: index is its kind (OMR_UNKNOWN_), wheel
                  the sample that the sensor measures (OMR_VS_) */
  int index;
  int wheel;       /* -1: all wheels alike */
  bool each_wheel; /* "wheel.*" with "each": true draws a value per wheel; the reader expands it to
                      one variation per wheel */
  bool written;    /* "parameters" gives the base a value of it; otherwise that is a default */
  bool alternate; /* rectangle layout, inclination of all wheels: the value is multiplied by + - - +
                   */
  bool negated;   /* the study's frame turns the parameter: values here are the study's, an instance
                     has them with the other sign */
  omr_draw draw;
  double *values;     /* values, linspace, integer, discrete: the levels (levels of them); list and
                         table: one value per instance */
  double *cumulative; /* discrete: probability of a level or one before it, without the last */
  size_t levels;
  double a, b, c,
      d; /* the distribution's arguments as the study lists them (study/designs/distributions.h) */
  double tail, width; /* truncated normal: probability below low (or above high) and between, before
                         truncation */
  omr_beta beta;
  int dimension;     /* of the sample within a cell; -1: the parameter is not sampled */
  omr_listed listed; /* design of type candidates */
  bool per_run;      /* calibrate.per_run: a value of its own in each measured run */
} omr_variation;

/* Whether it tells the cells of a design apart. */
static inline bool omr_is_of_design(const omr_variation *variation) {
  return variation->dimension < 0 && variation->listed != OMR_LISTED_BY_POINT;
}

/* How the sampled parameters are drawn: all instances, or the points of each cell of a nested
 * design. Owned by the study. */
typedef struct omr_sampling {
  omr_design type; /* monte_carlo, latin_hypercube, sobol (saltelli too), halton, morris or subset;
                      single: nothing is sampled */
  size_t points;   /* in a cell; saltelli, morris: row groups; subset: of a level */
  size_t dimensions;    /* number of sampled parameters */
  bool scramble;        /* sobol, halton */
  bool maximin;         /* latin_hypercube */
  bool common;          /* nested: the same points in every cell */
  size_t grid_levels;   /* morris */
  size_t parts, levels; /* subset: 1 / level probability; most levels */
  char *criterion;      /* subset: as the design names it; NULL: the only one */
  size_t failure;       /* subset: its number among study->statistics.criteria */
  /* sobol: [dimensions][OMR_SEQUENCE_BITS]; saltelli: twice as many, A first */
  uint32_t *directions;
  uint32_t *bases;  /* halton: [dimensions] */
  uint32_t *strata; /* maximin: [dimensions][points] */
  double *factor;   /* Cholesky factor of the copula's correlations: [dimensions][dimensions]; NULL:
                       independent */
} omr_sampling;

typedef enum omr_precision { OMR_DOUBLE, OMR_SINGLE_PRECISION } omr_precision;
/* exact: the same bits on every backend; fast: whatever the compiler or device makes quicker
 * without losing accuracy. */
typedef enum omr_numerics { OMR_NUMERICS_EXACT, OMR_NUMERICS_FAST } omr_numerics;
/* "exact", "fast" */
const char *omr_numerics_name(omr_numerics numerics);

/* engine.compile: whether a run's kernels are compiled for it (host/engine/own_object.h). */
typedef enum omr_compile_mode {
  OMR_COMPILE_AUTO,   /* where it pays */
  OMR_COMPILE_ALWAYS, /* the run waits for it */
  OMR_COMPILE_NEVER
} omr_compile_mode;

/* Engine section; NULL or 0 means "choose". */
typedef struct omr_engine_options {
  omr_backend_kind backend;
  char *device;  /* OpenCL: "platform:device" numbers or part of the device's name; OpenMP:
                    instruction set (avx512, avx2, baseline) */
  char *devices; /* OpenCL: "all", or names parted by commas, which share a run */
  omr_precision precision;
  bool precision_given; /* the study names it */
  omr_numerics numerics;
  omr_compile_mode compile;
  int threads;           /* OpenMP threads */
  int lanes;             /* OpenCL: lanes of a pack (1, 2, 4, 8, 16) */
  int max_registers;     /* OpenCL, NVIDIA: registers of a work-item */
  int work_group;        /* OpenCL: work-items of a work-group */
  bool emulated_double;  /* OpenCL: double precision by software is allowed */
  size_t chunk;          /* largest number of instances in memory at a time */
  double launch_seconds; /* wall time that one kernel launch should take, default 0.25 */
  double check_seconds;  /* between two checks of a device, default 600 */
  double
      hang_seconds; /* that a device may need at least, before it counts as hanging, default 60 */
} omr_engine_options;

/* integrator.accept: how large the error of a quantity by the step may be. */
typedef struct omr_accept {
  bool of_criterion; /* the share of instances whose criterion flips */
  size_t index;      /* of the criterion, or of the observable's column in the result */
  bool relative;     /* to the size of the mean */
  double most;       /* a part of it, or in the observable's unit */
  bool given;        /* by the study; otherwise follows from a criterion's threshold */
} omr_accept;

/* Settings of a study's step error (host/statistics/step_error.h). Owned by the study. */
typedef struct omr_step_error_settings {
  bool off;
  omr_accept *accept; /* [accept_count] */
  size_t accept_count;
} omr_step_error_settings;

/* Where a study of single vehicles comes from (study/nominal.h). Owned by the study. */
typedef struct omr_made_of {
  char *study; /* the file name of the one that it was made of; NULL: it was made of none */
  bool nominal;
  size_t *instances; /* [count] numbers that the rows have there; NULL: nominal */
  size_t count;
} omr_made_of;

/* Bytes of a wheel's name. */
enum { OMR_WHEEL_NAME = 40 };

struct omr_study {
  char *name; /* file name */
  char *title;
  char *text;    /* resolved study: the JSON after --set, printed; the HDF5 file keeps it */
  char hash[33]; /* of text */
  omr_made_of made_of;
  omr_model model;
  omr_frame_kind frame; /* in which the study and its results are written; values below are in the
                           frame of the kernels */
  omr_layout layout;
  bool allow_overlap;
  omr_wheel_kind kind[OMR_MAX_WHEELS];
  int wheels;              /* 0: a small model (host/model/small.h) */
  int options[5];          /* small models: their words */
  struct omr_graph *graph; /* OMR_MODEL_MULTIBODY: its system, and the names it gives (graph.h);
                              NULL of others */
  omr_values base; /* layout positions are not resolved here but per instance (model/prepare.h) */
  /* What turns each wheel. */
  struct {
    omr_drive law[OMR_MAX_WHEELS];
    omr_table table[OMR_MAX_WHEELS];       /* OMR_DRIVE_TABLE */
    omr_replay replay[OMR_MAX_WHEELS];     /* omr_is_replay: of one column */
    omr_drive_quantity by[OMR_MAX_WHEELS]; /* with a brushed motor never OMR_BY_TORQUE */
    bool coasts[OMR_MAX_WHEELS];           /* its circuit is open where the drive asks for 0 */
    bool no_regeneration;                  /* the supply does not take back what motors give */
    double period;                         /* s; whole multiple of a fixed step */
  } drives;
  /* The motion that controllers follow. */
  struct {
    omr_command type;  /* as the study has it */
    omr_command kind;  /* the same, but a table where it is a path */
    bool fixed, right; /* paths: the yaw stays; the path lies to the right */
    omr_table table;   /* columns vx, vz, yaw_rate; OMR_COMMAND_PATH: the points' ways from the
                          first one along the path, m, with columns x, z */
    omr_replay replay; /* OMR_COMMAND_REPLAY: the same columns */
    struct {
      bool given;
      double period, delay; /* s; whole multiples of the controllers' period */
    } hold;                 /* the loop of the heading */
    bool each;              /* limits of the rates asked of wheels are each wheel's own */
    struct {
      unsigned states; /* bits of the columns that the study names; 0: no drive is a feedback */
      double gain[OMR_MAX_WHEELS][OMR_FEEDBACK_RATE + OMR_MAX_WHEELS]; /* by wheel and column */
    } feedback;
    struct {
      bool cross, translate, closed, odometry; /* law, motion, form and pose */
      double period;                           /* s; whole multiple of the controllers' period */
    } way;                                     /* the loop that follows a path of points */
  } command;
  /* What odometry reads. */
  struct {
    bool chosen;     /* the study names the wheels */
    unsigned wheels; /* bits of their numbers */
    bool gyro;       /* which gives the yaw rate */
  } odometry;
  /* The load on the platform. */
  struct {
    omr_external kind;
    bool in_world;   /* its components are along world axes, not body axes */
    omr_table table; /* OMR_EXTERNAL_TABLE: force x, y, z, torque x, y, z */
  } external;
  /* How rollers touch the floor. */
  struct {
    omr_law law;
    omr_law tyre_law;    /* of wheels without rollers */
    bool linear_zone;    /* regularized_coulomb: linear below the slip speed instead of quadratic */
    omr_weights weights; /* udwadia_kalaba */
    bool contact_wise;   /* udwadia_kalaba: F = W lambda + (I - W) f, without cross terms */
    bool passive;        /* udwadia_kalaba: contact forces do no work on the slip */
    bool impact;         /* constraints: tangential impact at the start and at roller exchanges */
    bool penalty;      /* disc_vehicle: penalty normal contact with heave instead of a rigid one */
    bool compliant;    /* omni_vehicle: a spring and a damper below each roller, platform free to
                          heave, pitch and roll */
    bool suspension;   /* compliant: wheels on springs */
    bool hertz;        /* compliant: force by the penetration to 1.5 instead of to 1 */
    bool kelvin_voigt; /* compliant: damping by the rate alone instead of by rate and spring */
    bool components;   /* disc_vehicle, regularised law: each direction of friction saturates by its
                          own slip */
    bool ballast[OMR_MAX_WHEELS]; /* disc_vehicle: rollers are given, and their mass and inertia
                                     belong to the disc */
  } contact;
  /* The floor itself. */
  struct {
    omr_ground kind;
    omr_patch patch[OMR_PATCHES]; /* OMR_GROUND_PATCHES */
    omr_height_map map;
  } floor;
  char wheel_name[OMR_MAX_WHEELS][OMR_WHEEL_NAME]; /* "": it has none */
  struct {
    bool rolls;                  /* the motion at the start follows from the wheels' rates */
    bool told[OMR_MAX_WHEELS];   /* rolls: the study says the wheel's rate, others roll along */
    bool turned[OMR_MAX_WHEELS]; /* the same of the rate of its fork */
  } start;
  omr_spins spins;
  double *spin_values; /* OMR_SPINS_VALUES: [OMR_MAX_WHEELS][OMR_MAX_ROLLERS] axial spins, rad/s */
  omr_variation *variations;
  size_t variation_count;
  /* Which instances there are. */
  struct {
    omr_design type;
    char *table; /* OMR_DESIGN_TABLE, OMR_DESIGN_POSTERIOR: the file */
    uint64_t seed;
  } design;
  omr_sampling sample;
  omr_candidates candidates; /* design of type candidates */
  size_t instances;
  /* How a run steps. */
  struct {
    omr_method method;
    bool stiff; /* OMR_MODEL_MULTIBODY: by BDF instead of Adams' method */
    omr_stability stability;
    double tolerance;      /* error-controlled steps; 0: fixed ones */
    double step, duration; /* s; step is 0 where steps are controlled */
    uint64_t steps; /* duration / step, whole; of controlled ones a nominal number, by which work is
                       weighed */
    bool split;     /* steps split at roller exchanges (default true) */
    double budget;  /* most passes of an instance, in multiples of the number of fixed steps; 0: any
                       number */
  } time;
  omr_step_error_settings step_error;
  omr_on_failure on_failure;
  int retries; /* OMR_FAILURE_RETRY: how often a failed instance is run again, each time with half
                  the step */
  omr_observable_set observables; /* those asked for */
  struct omr_formula *formulas; /* [formula_count] observables by expression (formulas.h); owned */
  size_t formula_count;
  omr_ask *ask; /* [ask_count] of "ask", else of output.observables, in the order written; owned */
  size_t ask_count;
  bool asks;    /* the study has "ask" */
  bool doubted; /* its doubts were looked for already: a run does not do so again */
  /* Which rows a result keeps (study/chunk_rows.h); all of them where `summed` is false. */
  struct {
    bool summed;
    size_t sample;
  } rows;
  /* Which instances have a trajectory. */
  struct {
    size_t *instances; /* instances with a trajectory, ascending */
    size_t count;
    bool nominal;  /* the nominal vehicle, which is no instance, is run and traced too */
    bool cells;    /* the traced ones have the first of each cell among them */
    int *extremes; /* [extreme_count] observables (OMR_OBS_), each listed once: the instances with
                      the smallest and largest value are traced after the run */
    size_t extreme_count;
    char *note;      /* which instances are not traced because --set left fewer; NULL: none */
    uint64_t stride; /* steps between samples; 0 where steps are controlled */
    double interval; /* s between samples */
  } traces;
  char *log_note; /* what is doubtful of logs, a line each; NULL: nothing */
  omr_engine_options engine;
  omr_statistics_settings statistics;
  omr_goals goals;
  omr_measured measured; /* section "data" */
  omr_calibrate_settings calibrate;
  omr_excite_settings excite;
};

/* The word that decides the bits of a run besides its precision: "exact", "fast", or "reference"
 * where the reference integrates. */
const char *omr_study_numerics(const omr_study *study);

/* The law of contact of a wheel. */
static inline omr_law omr_wheel_law(const omr_study *study, int wheel) {
  return omr_wheel_is_bare(study->kind[wheel]) ? study->contact.tyre_law : study->contact.law;
}

/* Whether a parameter of all wheels is none of this one: what nothing drives by its kind, casters
 * and tracking wheels without a drive of their own, has no part in the motor of the others. */
bool omr_wheel_lacks(const omr_study *study, int wheel, int index);

/* The first variation of a parameter of the vehicle, or of a wheel (-1: of any); NULL: none. */
const omr_variation *omr_variation_of(const omr_study *study, bool per_wheel, int index, int wheel);
static inline bool omr_varies(const omr_study *study, bool per_wheel, int index) {
  return omr_variation_of(study, per_wheel, index, -1) != NULL;
}

/* The seed of the gyro's noise that instance k has where the study gives none. */
double omr_gyro_seed(const omr_study *study, size_t k);

/* Whether some instance loses yaw on its way (platform.yaw_loss; yaw_loss.c). */
bool omr_loses_yaw(const omr_study *study);

/* Whether the study keeps observable `j` (OMR_OBS_). */
static inline bool omr_study_observes(const omr_study *study, int j) {
  return omr_observable_in(&study->observables, j);
}

/* How many of the first rows of a result are a sample of the input distribution: all but the later
 * levels of a subset simulation, which lie where failures are. Only these rows enter means,
 * quantiles and shares. */
static inline size_t omr_study_sample_rows(const omr_study *study, size_t rows) {
  return study->design.type == OMR_DESIGN_SUBSET && rows > study->sample.points
             ? study->sample.points
             : rows;
}

/* Whether the study has trajectories, and with them a time between samples. */
static inline bool omr_study_traces(const omr_study *study) {
  return study->traces.count || study->traces.extreme_count || study->traces.nominal;
}

/* How many instances at most are traced after the run, and how many vehicles run for it. */
static inline size_t omr_study_traced_later(const omr_study *study) {
  return 2 * study->traces.extreme_count;
}
static inline size_t omr_study_runs_later(const omr_study *study) {
  return omr_study_traced_later(study) + study->traces.nominal;
}

/* Whether steps are controlled by their error, instead of fixed. */
static inline bool omr_controls_steps(const omr_study *study) {
  return study->time.tolerance > 0;
}

/* The shortest time between two moments that differ, or are looked at: a fixed step, s; with
 * controlled ones a millisecond. */
static inline double omr_study_tick(const omr_study *study) {
  return omr_controls_steps(study) ? 1e-3 : study->time.step;
}

/* The work of an instance's run: fixed steps, or the seconds that controlled ones simulate. */
static inline double omr_study_work(const omr_study *study) {
  return omr_controls_steps(study) ? study->time.duration : (double)study->time.steps;
}

/* Time between samples of a trajectory, s. */
static inline double omr_study_interval(const omr_study *study) {
  return omr_controls_steps(study) ? study->traces.interval
                                   : (double)study->traces.stride * study->time.step;
}

/* Samples of a trajectory, the start included, and the time of the s-th, s. */
static inline size_t omr_study_samples(const omr_study *study) {
  if (!omr_controls_steps(study)) return (size_t)(study->time.steps / study->traces.stride) + 1;
  return (size_t)((study->time.duration / study->traces.interval) * (1 + 1e-12)) + 1;
}
static inline double omr_study_sample_time(const omr_study *study, size_t s) {
  if (!omr_controls_steps(study)) return (double)(s * study->traces.stride) * study->time.step;
  const double time = (double)s * study->traces.interval;
  return time < study->time.duration ? time : study->time.duration;
}

/* The values of instance k: base with the varied parameters replaced. column_values (NULL or
 * variation_count long) receives them. Depends only on the study and k: an instance of a later
 * level of a subset simulation is a point of the input distribution here (study/part.h). */
void omr_study_values(const omr_study *study, size_t k, omr_values *values, double *column_values);

#endif
