/* The answer of a run: what the study asks, for each of its designs. Screen, JSON, result file and
 * through it the report show the same rows.
 *
 * Asked are the criteria in their order, then the observables of "ask"; without "ask" those that
 * criteria name, else those that output.observables lists, else a usual few that differ.
 *
 * Rows are the designs: cells of a nested design, the instances where the study chose them (grid,
 * one at a time, list, table), or one row for all instances together. */
#ifndef OMR_ANSWER_H
#define OMR_ANSWER_H

#include "statistics.h"

enum { OMR_ANSWER_ROWS = 4096 }; /* designs that are listed; of more instances only the best */

typedef enum omr_answer_rows {
  OMR_ANSWER_WHOLE,    /* one row: means and shares of all instances */
  OMR_ANSWER_CELLS,    /* means and shares of each cell */
  OMR_ANSWER_INSTANCES /* values of single instances; criteria are 1 or 0 */
} omr_answer_rows;

/* Asked item. Texts belong to the statistics. */
typedef struct omr_asked {
  const char *name, *unit; /* of a criterion unit "1" */
  const char *meaning;     /* of a criterion its text */
  bool of_criterion;
  size_t index;  /* of the criterion, or of the quantity */
  omr_best best; /* of a criterion smaller, or larger where being met is good */
  double target; /* in the quantity's unit; NaN: not OMR_BEST_TARGET */
  bool derived;  /* by an expression of the study */
} omr_asked;

typedef enum omr_mark {
  OMR_MARK_NONE,
  OMR_MARK_BEST,
  OMR_MARK_AS_GOOD /* not to be told from the best: intervals overlap, or the step's errors span the
                      difference */
} omr_mark;

typedef struct omr_answer_value {
  double value;       /* mean, share, or value of the only instance; NaN: none */
  omr_bounds bounds;  /* by chance, with the statistics' confidence; NaN: none */
  double least, most; /* of the instances; of a criterion NaN */
  double step;        /* size of the error that the step makes in it; NaN: not measured */
  uint64_t used, of;  /* instances behind the value, and of the row */
  omr_mark mark;
} omr_answer_value;

/* Where something changes along one ordered parameter, the other ones kept: the share of a
 * criterion goes through one half (of single instances: it begins or ends to be met), or an
 * asked value through its target. */
typedef struct omr_threshold {
  size_t asked;      /* number of the asked item */
  size_t along;      /* place among the design's parameters */
  size_t row;        /* the last row before the change: its other parameters are those of all */
  double at;         /* interpolated, in the parameter's unit */
  omr_bounds bounds; /* neighbouring values of single instances; where the ends of the intervals
                        cross, of shares and means, as far as values were run */
  bool rising;       /* from there on met, or above the target */
} omr_threshold;

typedef struct omr_answer {
  omr_pool memory; /* of all arrays but thresholds */
  omr_answer_rows rows;
  size_t asked_count, row_count, design_count, threshold_count;
  omr_asked *asked;
  size_t *design;           /* [design_count] quantities: the parameters in which the rows differ */
  double *designs;          /* [row_count][design_count] */
  uint64_t *number;         /* [row_count] of the cell, or of the instance's row in the result */
  uint64_t *by_status;      /* [row_count][OMR_INSTANCE_STATUS_COUNT] */
  omr_answer_value *values; /* [row_count][asked_count] */
  omr_threshold *thresholds;
  size_t of;  /* designs of the study; more than row_count where only the best are listed */
  bool given; /* the study says what it asks: by criteria, "ask" or output.observables */
} omr_answer;

/* Makes statistics->answer from rows whose statistics are known, and its marks and thresholds.
 * study NULL: one row of the usual observables. */
omr_status omr_answer_make(const omr_study *study, omr_source *source, omr_statistics *statistics,
                           omr_error *error);
/* Takes the step's errors into the answer and marks again; called once they are known. */
void omr_answer_take_step(omr_statistics *statistics);
void omr_answer_destroy(omr_answer *answer); /* NULL-safe */

static inline const omr_answer_value *omr_answer_at(const omr_answer *answer, size_t row,
                                                    size_t asked) {
  return &answer->values[row * answer->asked_count + asked];
}

/* Why a row has no value of an asked item, as the end of a sentence: "wheel_lifted", "2
 * wheel_lifted, 1 diverged", "its expression has no value there". */
void omr_answer_absent(const omr_statistics *statistics, size_t row, size_t asked, char *text,
                       size_t size);
/* "slips from 42.1 kg on (40 to 45) at wheel_friction 0.3" */
void omr_threshold_tell(const omr_statistics *statistics, const omr_threshold *threshold,
                        char *text, size_t size);

/* By omr_best and omr_answer_rows, as files and JSON have them. */
extern const char *const omr_best_words[], *const omr_answer_row_words[];

/* answer_print.c, answer_hdf5.c: as an object of JSON; as the group /statistics/answer. */
void omr_answer_print_json(const omr_statistics *statistics, FILE *out);
void omr_answer_write(const omr_statistics *statistics, omr_hdf5 *h5);

/* answer_asked.c: fills asked, asked_count and given; false without memory. */
bool omr_answer_ask(const omr_study *study, const omr_statistics *statistics, omr_answer *answer);
/* answer_thresholds.c: finds the thresholds of the rows; margins: [row_count][asked_count], how far
 * a criterion is from changing in a row, above 0 where it is met, NaN: unknown. */
bool omr_answer_find_thresholds(const omr_study *study, const omr_statistics *statistics,
                                const double *margins, omr_answer *answer);

#endif
