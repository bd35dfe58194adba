/* Statistics of rows that are not kept (output.rows): partial sums of any part of a study, which
 * join to the same bits by whatever tree.
 *
 * Rows are taken in blocks of the study (omr_partial_block): within one, values are added in a
 * fixed order; sums of blocks are exact (exact.h), quantiles come from bins (sketch.h), the rest
 * are counts, extremes and the numbers of their instances. Memory grows with columns, cells and
 * parameters, not with rows.
 *
 * A sum of sums has the bits of the whole where every part begins and ends at a block. */
#ifndef OMR_STATISTICS_PARTIAL_H
#define OMR_STATISTICS_PARTIAL_H

#include "../../result/result.h"
#include "../../study/chunk_rows.h"
#include "../../support/support.h"
#include "../sensitivity_table.h"
#include "../statistics.h"
#include "exact.h"
#include "sketch.h"

#include <math.h>

/* The smaller and the larger of two values; -0 lies below 0, so that no order of rows matters. */
static inline double omr_lower(double a, double b) {
  return b < a || (b == a && signbit(b)) ? b : a;
}
static inline double omr_higher(double a, double b) {
  return b > a || (b == a && signbit(a)) ? b : a;
}

/* A column, of all rows or of a cell. */
typedef struct omr_partial_column {
  uint64_t used, without_value;
  double min, max;           /* of ok rows */
  uint64_t min_at, max_at;   /* instances that have them, the first of several */
  double least, most, first; /* as in omr_quantity */
  omr_exact sum, squares;
  omr_sketch sketch;
} omr_partial_column;

/* Keeps a value that is beyond the best, or equals it in an earlier instance. */
static inline void omr_take_extreme(double value, uint64_t at, bool larger, double *best,
                                    uint64_t *best_at) {
  const bool better = larger ? value > *best : value < *best;
  if (!better && !(value == *best && at < *best_at)) return;
  *best = value;
  *best_at = at;
}

/* A parameter and an observable or criterion. x_apart and squares_apart are 0 where both have a
 * value in the same rows: of every other block, what it added to the parameter's sums less the sums
 * of the rows that count for both. */
typedef union omr_partial_terms {
  struct {
    omr_exact product, x_apart, squares_apart; /* correlations */
  };
  struct {
    omr_exact sum, size, squares; /* elementary effects */
  };
  omr_exact each[3];
} omr_partial_terms;

/* Row groups of a batch, for an observable or criterion. */
typedef struct omr_partial_batch {
  uint64_t groups;
  double low, high;       /* of a and b */
  omr_exact sum, squares; /* a + b; a^2 + b^2 */
  omr_exact (*each)[3];   /* [parameters]: b (c - a), c - a, (c - a)^2 */
} omr_partial_batch;

typedef struct omr_partial {
  omr_pool memory; /* of its arrays, but for sketches and `each` */
  const omr_study *study;
  omr_statistics *frame; /* names, and counts: of statuses and criteria, of cells too; its moments
                            and quantiles are not used */
  size_t whole;          /* rows of the study */
  uint64_t rows;         /* taken so far */
  omr_partial_column *columns;      /* [quantity_count] */
  omr_partial_column *cell_columns; /* [cells][quantity_count] */

  /* sensitivities; quantities are the observables, then the criteria */
  omr_measure measure;
  size_t parameters, quantities, group_rows, per_batch;
  uint64_t groups, groups_ok, groups_failed[OMR_INSTANCE_STATUS_COUNT];
  uint64_t *group_used;           /* [quantities]: row groups with a value */
  double *group_low, *group_high; /* [quantities] of a trajectory's rows */
  omr_partial_terms *terms;       /* [quantities][parameters], but for Sobol' indices */
  omr_partial_batch *batches;     /* [quantities][OMR_SOBOL_BATCHES], Sobol' indices */
} omr_partial;

/* Numbers of a nested design that there is room for; more cells are refused, as those of rows are.
 */
enum { OMR_PARTIAL_CELL_NUMBERS = 1 << 14 };
/* omr_statistics_frame within these limits. */
omr_status omr_partial_frame(const omr_study *study, const omr_source *source, size_t rows,
                             omr_statistics **statistics, omr_error *error);

/* Empty sums of a study, which must last as long, with the columns of `like`. Free with
 * omr_partial_free. */
omr_status omr_partial_make(const omr_study *study, const omr_result *like, omr_partial **sums,
                            omr_error *error);
void omr_partial_free(omr_partial *sums); /* NULL-safe */
/* The sums of an observable that the study observes. */
const omr_partial_column *omr_partial_observable(const omr_partial *sums, int observable);

/* Adds the rows of a part of the study: neighbours, from a multiple of the block on. */
omr_status omr_partial_add(omr_partial *sums, const omr_result *rows, omr_error *error);
/* Adds sums of other rows of the same study. */
omr_status omr_partial_join(omr_partial *sums, const omr_partial *other, omr_error *error);

/* partial_groups.c: adds the row groups among the rows, of designs that have them. values:
 * [quantities] columns of the rows. */
omr_status omr_partial_add_groups(omr_partial *sums, const omr_result *rows, uint64_t first,
                                  const double *const *values, omr_error *error);

/* Makes room for a batch; NULL when out of memory. */
omr_partial_batch *omr_partial_open_batch(omr_partial *sums, size_t quantity, size_t batch);

/* partial_sensitivity.c: fills statistics->sensitivity. */
omr_status omr_partial_sensitivity(const omr_partial *sums, omr_source *source,
                                   omr_statistics *statistics, omr_error *error);

/* partial_statistics.c: the statistics of the rows that were taken; source: those that are kept, if
 * any, with the columns of all. The caller destroys them. */
omr_status omr_partial_statistics(const omr_partial *sums, omr_source *source,
                                  omr_statistics **statistics, omr_error *error);

/* partial_bytes.c: the sums as bytes, which are equal where the sums are; the caller frees them. */
omr_status omr_partial_pack(const omr_partial *sums, unsigned char **bytes, size_t *count,
                            omr_error *error);
/* The rows that such bytes are of; 0 where they are damaged. */
uint64_t omr_partial_rows(const unsigned char *bytes, size_t count);
/* The sums that a result has. */
omr_status omr_partial_of(const omr_study *study, const omr_result *result, omr_partial **sums,
                          omr_error *error);
/* Fills empty sums; bytes from a file may say anything. */
omr_status omr_partial_unpack(omr_partial *sums, const unsigned char *bytes, size_t count,
                              omr_error *error);

#endif
