/* `omniroll converge`: work and precision of a study's own numbers. Some of its instances run by
 * every method that its law allows, with a ladder of fixed steps or tolerances, in double and
 * single precision. Their errors against the finest run, or the reference, stand next to their
 * speed, and the fastest way that keeps the wanted accuracy is named. */
#ifndef OMR_CONVERGE_H
#define OMR_CONVERGE_H

#include "../study/study.h"

#define OMR_CONVERGE_SECONDS 60.0 /* the default budget */

/* A way to integrate: a fixed step, or with a method that is a pair a tolerance; the other is 0. */
typedef struct omr_way {
  omr_method method;
  omr_precision precision;
  double step, tolerance; /* s; 1 */
} omr_way;

typedef struct omr_converge_request {
  double budget;              /* s of wall time, about; 0: OMR_CONVERGE_SECONDS */
  bool reference;             /* the truth comes from the reference in maximal coordinates */
  double reference_tolerance; /* 0: its default */
  bool reference_bdf;
  const size_t
      *chosen; /* instances to take, ascending; NULL: as a run takes them for its step error */
  size_t chosen_count;
  bool one_precision;  /* the study's only; otherwise both */
  const omr_way *ways; /* these only, in place of ladders; NULL: ladders */
  size_t way_count;
  double least_tolerance;    /* the truth has a hundredth of it; 0: chosen */
  omr_progress_fn *progress; /* seconds of the budget; NULL allowed; returning false stops */
  void *progress_user;
} omr_converge_request;

/* A number with an error: an observable, or a criterion of integrator.accept, whose errors are
 * shares of instances that change sides. */
typedef struct omr_converge_quantity {
  char name[100], unit[32];
  bool of_criterion;
  size_t index;      /* of the result's column, or of the criterion */
  double truth;      /* mean; of a criterion the share that meets it */
  double scale;      /* the whole that errors are a part of, in the unit; 0: all values are zero */
  char relative[40]; /* the scale in words: "its mean size", "path_length" */
  double most;       /* accepted error of the mean, in the unit; NaN: no demand */
  bool given;        /* by the study's integrator.accept */
  char asked[160];   /* the demand in words: "min_load to 1 N (2 % of a criterion's threshold)"; "":
                        by default, or none */
  double doubt; /* of the truth's mean, over scale: half of its change by a tenth of the tolerance;
                   0 for the reference */
  double doubt_worst;
} omr_converge_quantity;

/* Over the quantity's scale; NaN: not known. Of a criterion: the share in `mean`, the others NaN.
 */
typedef struct omr_converge_error {
  double mean;          /* of the mean over the instances */
  double median, worst; /* of single instances */
} omr_converge_error;

typedef struct omr_converge_row {
  omr_way way;
  bool own;              /* the study's own setting */
  double speed, slowest; /* vehicle-seconds per second and core (on OpenCL: and device), of the best
                            round and of the worst */
  double seconds;        /* integrating, of one run of the instances */
  double passes;         /* of an instance in a simulated second, rejected ones too */
  int rounds;            /* how often it was measured */
  size_t failed;         /* instances that fail only with it */
  omr_converge_error *errors; /* [quantity_count]; owned */
  double worst; /* error over the accepted one, of quantity worst_of; NaN: not known */
  size_t worst_of;
  bool accepted; /* and so are the shorter steps of its kind */
} omr_converge_row;

enum { OMR_CONVERGE_NOTES = 24, OMR_CONVERGE_NOTE = 320 };

struct omr_converge {
  const omr_study *study; /* the caller's, which must outlive this */
  size_t instances, of;   /* taken, of the study */
  size_t used;            /* of them, that reach the end in the truth */
  size_t timed;           /* instances that speeds were measured with */
  char backend[32], device[256];
  bool per_device; /* speeds are of an OpenCL device, not of a core */
  bool by_default; /* no demands: 1 % of each observable */
  bool by_reference;
  omr_way truth;  /* where it is not the reference's */
  double seconds; /* wall time of all */
  omr_converge_quantity *quantities;
  size_t quantity_count;
  omr_converge_row *rows;
  size_t row_count;
  ptrdiff_t choice[2]; /* by precision: the fastest row that is accepted; -1: none */
  ptrdiff_t own;       /* row of the study's own setting; -1: not measured */
  double single_time, single_difference; /* the choice in single precision: its time over the time
                                            in double, and the largest difference of a wanted mean
                                            over its scale; NaN: not measured */
  char notes[OMR_CONVERGE_NOTES][OMR_CONVERGE_NOTE]; /* omissions with their reasons, and doubts */
  size_t note_count;
};

/* Runs and judges. The study's backend runs the ways (auto: openmp), openmp the truth, in double
 * precision. Instances that fail in the truth are left out; where all do, or the budget is too
 * short for a truth, that is OMR_ERR_STUDY. OMR_ERR_INTERRUPTED where progress says so. Release
 * with omr_converge_free. */
omr_status omr_converge_make(const omr_study *study, const omr_converge_request *options,
                             omr_converge *converge, omr_error *error);
void omr_converge_free(omr_converge *converge);

/* "rosenbrock", and "0.25 ms" or "tolerance 0.001". */
const char *omr_way_at(const omr_way *way, char text[48]);

/* Vehicle-seconds per second and core at which the quantity's error (of the mean, or the median
 * over instances) is `error` of its scale, on the power law through two neighbouring rows; the
 * fastest of all methods in double precision, which *best names (NULL allowed). NaN where no row is
 * that accurate. A row counts where all finer ones of its method are that accurate too. */
double omr_converge_speed_at(const omr_converge *converge, size_t quantity, double error,
                             bool median, ptrdiff_t *best);
/* The quantity's number; quantity_count where there is none. */
size_t omr_converge_find(const omr_converge *converge, const char *name);

/* The quantities that a table has room for: from a list of names separated by commas; NULL: the
 * demanded ones, or the usual ones. Returns their number. */
enum { OMR_CONVERGE_SHOWN = 3 };
size_t omr_converge_shown(const omr_converge *converge, const char *list,
                          size_t shown[OMR_CONVERGE_SHOWN]);
struct cJSON;
/* A JSON object, which the caller deletes; NULL when out of memory. */
struct cJSON *omr_converge_tree(const omr_converge *converge);

#endif
