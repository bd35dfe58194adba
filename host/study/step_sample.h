/* The instances that a run takes again with shorter steps, to see the error of its own
 * (host/statistics/step_error.h). They follow only from the study and its seed, so that machine,
 * threads, chunks and shards do not matter. */
#ifndef OMR_STEP_SAMPLE_H
#define OMR_STEP_SAMPLE_H

#include "study.h"

enum { OMR_STEP_SAMPLE_MOST = 32, OMR_STEP_LEVELS = 2 };

typedef struct omr_step_sample {
  size_t count;           /* 0: none */
  int levels;             /* 1: half the step, or a smaller tolerance; 2: a quarter, or one as much
                             smaller again, too */
  int decades;            /* error-controlled steps: powers of ten by which a level's tolerance is
                             smaller; 0 with fixed ones */
  size_t of;              /* rows that they were chosen among, the first of the study */
  size_t cells, per_cell; /* of a nested design; 0: none */
  bool common;            /* its cells have the same points */
  bool blurred;           /* friction with a tolerance: even the smallest one leaves instants of
                             exchanges open by 10 us and more, which extremes may hang on */
  size_t row[OMR_STEP_SAMPLE_MOST]; /* ascending */
  const char *why_not;              /* where count is 0, a sentence's end: "..., since WHY" */
} omr_step_sample;

/* The number of them: of 500 instances or more 16 to 32, where all levels together stay within a
 * tenth of the run's work (with a tolerance 16 at least); of fewer 8, or all that there are. A
 * quarter of the step is taken too where that holds then, and where fewer than 500 instances have 2
 * million steps to take again or less, since two steps do not tell an order. Of fewer than 500 with
 * a tolerance 16 are taken where that is done within some tenths of a second, and a ten-thousandth
 * of it too where all is done within a second, since a hundredth of a large one is no better than
 * it is (controllers and exchanges end the passes of both). In a nested design the cells share them
 * evenly, each with the same points; where there are more cells than instances to take, some cells
 * are chosen, each with one point. Designs that end by their results take them from the rows that
 * any run has. */
omr_step_sample omr_step_sample_of(const omr_study *study);

/* "half the step and a quarter", "a hundredth of the tolerance" and so on. */
const char *omr_step_sample_words(const omr_step_sample *sample);

/* Steps of a level to one of the run, or how many times smaller its tolerance is. */
int omr_step_sample_parts(const omr_step_sample *sample, int level);

/* Work of all levels over the work of the run: exact for fixed steps, an estimate for controlled
 * ones. */
double omr_step_sample_cost(const omr_study *study, const omr_step_sample *sample);

#endif
