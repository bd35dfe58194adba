/* Results side by side: side_by_side.c reads and compares them, print_sides.c prints. */
#ifndef OMR_SIDE_BY_SIDE_H
#define OMR_SIDE_BY_SIDE_H

#include "../answer.h"

/* An asked item of a result. NaN: not known. */
typedef struct omr_side_value {
  double value;
  omr_bounds bounds;
  double difference; /* from the first result, with what chance makes of it */
  omr_bounds apart;
  double step; /* size of what the step can add to the difference */
} omr_side_value;

/* A result. */
typedef struct omr_side {
  const char *name, *path;
  omr_study *study;
  omr_statistics *statistics;
  struct omr_result_file *file;
  omr_source *rows, *source; /* source: with a column for each criterion behind the others */
  char unpaired[160];        /* why its rows are no pairs with those of the first; "": they are */
} omr_side;

typedef struct omr_sides {
  omr_side *side;
  size_t count;
  omr_asked *asked; /* as the first result has them; of all results */
  size_t asked_count;
  omr_side_value *value;   /* [asked_count][count] */
  const omr_side *weighed; /* whose instances do not count alike, so that nothing is compared */
  omr_text left_out;       /* names that only some of the results have */
  omr_text unlike;         /* names of criteria that results give different texts */
} omr_sides;

/* pair_bounds.c: intervals of differences. Sums over pairs of the one less the other. */
omr_bounds omr_welch_bounds(const omr_moments *one, const omr_moments *other, double confidence);
omr_bounds omr_tango_bounds(uint64_t gained, uint64_t lost, uint64_t pairs, double confidence);
omr_bounds omr_newcombe_bounds(const omr_criterion_counts *one, const omr_criterion_counts *other,
                               double confidence);

/* print_sides.c */
void omr_sides_print(const omr_sides *sides, FILE *out);
omr_status omr_sides_print_json(const omr_sides *sides, FILE *out, omr_error *error);

#endif
