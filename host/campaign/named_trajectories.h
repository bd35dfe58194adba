/* Trajectories that a study names and that come after the run: the instances with the smallest and
 * the largest value of an observable, which run again with the same bits, and the nominal vehicle,
 * which is no instance. */
#ifndef OMR_NAMED_TRAJECTORIES_H
#define OMR_NAMED_TRAJECTORIES_H

#include "../result/result.h"
#include "../statistics/partial/partial.h"

/* An end of an observable. */
typedef struct omr_extreme {
  const omr_study *study;
  int observable; /* OMR_OBS_ */
  bool largest, found;
  char name[64]; /* of its column */
  size_t instance;
  double value;   /* of the observable */
  double *values; /* [study->variation_count], of the varied parameters */
} omr_extreme;

typedef struct omr_named {
  const omr_study *study;
  omr_extreme *extremes; /* [count] */
  size_t count;
  omr_result *again;   /* trajectories of instances that the run did not trace; NULL: none */
  omr_result *nominal; /* NULL: not requested, or it could not run */
  char *names;         /* as omr_result.traced_names */
} omr_named;

/* For a study, which must last as long. Free with omr_named_free, also after a failure. */
omr_status omr_named_make(const omr_study *study, omr_named *named, omr_error *error);
/* The next rows of the run, in any order. */
void omr_named_note(omr_named *named, const omr_result *rows);
/* The same of all rows of the run, by their sums. */
void omr_named_note_partial(omr_named *named, const omr_partial *partial);
/* After the last rows: runs the named trajectories on the study's backend, or, where its device is
 * missing and numerics are exact, on openmp. A trajectory that fails is a line in `warnings`
 * (OMR_WARNINGS, "" at first); a stop, or a lack of memory, is a failure. record: the effort is
 * added. */
omr_status omr_named_run(omr_named *named, const omr_run_options *options, omr_run_record *record,
                         char *warnings, omr_error *error);
void omr_named_free(omr_named *named);

#endif
