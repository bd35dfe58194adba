/* Whether the cells of a nested design keep their order without the error of the step.
 *
 * It compares cells that have an instance of the same point among the chosen instances and that
 * the run tells apart: their means, or shares, differ by more than the interval of their
 * difference (of the same points where the design has common random numbers). The change by the
 * step is measured on the points that both cells have.
 *
 * Without rows the interval comes from the moments of both cells. With common random numbers one
 * from the differences at the chosen points takes its place where it is narrower. */
#ifndef OMR_STATISTICS_STEP_RANKING_H
#define OMR_STATISTICS_STEP_RANKING_H

#include "../result/shorter_steps.h"
#include "statistics.h"

typedef struct omr_step_ranking {
  size_t pairs, reversed; /* of cells; pairs 0: there is nothing to compare */
  size_t cells[2];        /* the reversed pair that is farthest apart in the run */
} omr_step_ranking;

/* A chosen instance, and the error that the step makes in it. In the order of the cells. */
typedef struct omr_step_seen {
  size_t cell, point;
  double value, error; /* value: of the run */
} omr_step_seen;

/* Rows of the chosen cells, of one column at a time. */
typedef struct omr_step_cells {
  omr_pool memory; /* of its arrays */
  const omr_statistics *statistics;
  omr_source *source; /* criteria are columns after the others; NULL: nothing to compare */
  bool summed;        /* without rows: from the cells' moments and counts */
  double confidence;
  size_t count, rows; /* rows: rows of each cell in use */
  size_t cell[OMR_STEP_SAMPLE_MOST];
  bool common;
  int8_t *status; /* [count][rows] */
  double *values; /* [count][rows] */
} omr_step_cells;

/* Opens the cells. Close in any case. The source outlives them. */
omr_status omr_step_cells_open(omr_source *source, const omr_statistics *statistics,
                               const omr_refined *refined, omr_step_cells *cells, omr_error *error);
void omr_step_cells_close(omr_step_cells *cells);

/* Ranks the cells by a column, or by criterion c where column is the number of columns + c;
 * every_status: failed instances count too. */
omr_status omr_step_rank(omr_step_cells *cells, size_t column, bool every_status,
                         const omr_step_seen *seen, size_t count, omr_step_ranking *ranking,
                         omr_error *error);

#endif
