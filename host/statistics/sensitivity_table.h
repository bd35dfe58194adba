/* The table of a measure of sensitivity: two estimates for each observable and each varied
 * parameter. */
#ifndef OMR_SENSITIVITY_TABLE_H
#define OMR_SENSITIVITY_TABLE_H

#include "../support/pool.h"
#include "sensitivity.h"

typedef struct omr_estimate {
  double value, low, high;
} omr_estimate;

typedef enum omr_measure {
  OMR_MEASURE_NONE,
  OMR_MEASURE_SOBOL,
  OMR_MEASURE_MORRIS,
  OMR_MEASURE_CORRELATION
} omr_measure;
enum { OMR_MEASURES = OMR_MEASURE_CORRELATION + 1 };

/* Reasons why an estimate has no value. */
#define OMR_REASONS(X)                                                                             \
  X(GIVEN, "given", "there is a value")                                                            \
  X(FEW, "too_few", "too few rows or row groups with a value")                                     \
  X(CONSTANT, "constant_observable", "the observable has one value, but for rounding")             \
  X(FIXED, "constant_parameter", "the parameter has one value")                                    \
  X(RANGE, "squares_out_of_range", "squares are beyond the range of doubles")

typedef enum omr_reason {
#define X(id, ...) OMR_REASON_##id,
  OMR_REASONS(X)
#undef X
      OMR_REASON_COUNT
} omr_reason;
typedef struct omr_reason_info {
  const char *name, *meaning;
} omr_reason_info;
extern const omr_reason_info omr_reasons[OMR_REASON_COUNT];

/* Names of a measure in files; `estimates` are its two in the order of omr_sensitivity. */
typedef struct omr_measure_info {
  const char *name, *title, *estimates[2], *meanings[2], *rows;
  bool in_units; /* of the observable */
} omr_measure_info;
extern const omr_measure_info omr_measures[OMR_MEASURES];

struct omr_sensitivity {
  omr_pool memory; /* of its arrays and texts */
  omr_measure measure;
  double confidence;
  size_t bootstrap;
  size_t parameters, quantities;
  omr_sample_info *info; /* [parameters + quantities] */

  /* Rows, or row groups where the design has them. A group with a failed instance counts by the
   * status of the first that failed. */
  size_t group_rows, groups;
  uint64_t ok, failed[OMR_INSTANCE_STATUS_COUNT];
  size_t rest; /* rows beyond the last whole group */

  bool no_ranks;       /* correlation: too few rows are kept to rank */
  const bool *sampled; /* [rows of the source], while they are ranked: those that were drawn at
                          random; NULL: all may be ranked */
  size_t sampled_all, sampled_ok; /* how many; 0 where every row is kept */
  bool any_scale;                 /* of the model: the magnitudes that cancel to a 0 are unknown */
  bool *every;                    /* [quantities]: has a value in failed instances as well */
  uint64_t *used;                 /* [quantities]: ok ones (or all) with a value of the quantity */
  uint64_t *rank_used;            /* [quantities], correlation: how many of these are ranked */

  omr_estimate *mean, *variance; /* [quantities], sobol: over the parameters' distributions */
  omr_estimate *estimates[2];    /* [quantities][parameters] */
  double *sigma;     /* [quantities][parameters], morris: standard deviation of the effects */
  int8_t *reason;    /* [quantities][parameters], OMR_REASON_ */
  size_t block_rows; /* rows read at a time; the result does not depend on it */
};

static inline size_t omr_sensitivity_at(const omr_sensitivity *s, size_t quantity,
                                        size_t parameter) {
  return quantity * s->parameters + parameter;
}

/* sobol_indices.c, morris.c, correlation.c: each fills a table that has its names and counts. */
omr_status omr_sobol_indices(omr_sensitivity *table, const omr_study *study, omr_source *source,
                             omr_error *error);
omr_status omr_elementary_effects(omr_sensitivity *table, const omr_study *study,
                                  omr_source *source, omr_error *error);
omr_status omr_correlations(omr_sensitivity *table, const omr_study *study, omr_source *source,
                            omr_error *error);

/* Sums over the groups of a batch, of values less their mean m. Of each parameter: b (c - a), c -
 * a, (c - a)^2. */
enum { OMR_SOBOL_BATCHES = 64 };
enum {
  OMR_SOBOL_COUNT,   /* groups */
  OMR_SOBOL_SUM,     /* a + b */
  OMR_SOBOL_SQUARES, /* a^2 + b^2 */
  OMR_SOBOL_HEAD
};
enum { OMR_SOBOL_PRODUCT, OMR_SOBOL_CHANGE, OMR_SOBOL_STEP, OMR_SOBOL_EACH };
static inline size_t omr_sobol_width(size_t parameters) {
  return OMR_SOBOL_HEAD + OMR_SOBOL_EACH * parameters;
}
/* Groups of a batch: a power of two, so that there are OMR_SOBOL_BATCHES batches at most. */
size_t omr_sobol_batch(size_t groups);
/* Mean of a and b, and whether all of them are one value. */
typedef struct omr_sobol_level {
  uint64_t groups;
  double mean, low, high;
} omr_sobol_level;
/* Of sums that were made elsewhere: [quantities][batches][omr_sobol_width]. */
omr_status omr_sobol_of_sums(omr_sensitivity *table, uint64_t seed, size_t groups,
                             const omr_sobol_level *levels, const double *sums, omr_error *error);

/* Welford's sums of an elementary effect and of its size. */
typedef struct omr_effect {
  double mean, squares, mean_size, squares_size;
} omr_effect;
/* Fills a quantity from effects[parameters]; low and high: of all values. */
void omr_effects_fill(omr_sensitivity *table, size_t quantity, omr_effect *effects, double low,
                      double high);

/* Fills a quantity with linear correlations from sums of squares about the means: y of the
 * quantity, which has values from low to high, x[parameters] of the parameters, and of products. */
typedef struct omr_scatter {
  double low, high, y;
  const double *x, *products;
} omr_scatter;
void omr_correlations_fill(omr_sensitivity *table, size_t quantity, const omr_scatter *scatter);

/* sensitivity.c: the measure of a study's rows with so many parameters; a table for it without
 * numbers, but for its names. */
omr_measure omr_sensitivity_measure(const omr_study *study, size_t parameters);
omr_status omr_sensitivity_table(const omr_study *study, const omr_source *source,
                                 omr_sensitivity **table, omr_error *error);

/* Rounding error of a quantity with values from low to high, in its unit: smaller differences would
 * measure the processor. A quantity that is 0 on a vehicle is a difference of lengths, speeds and
 * accelerations of the order of 1 in SI units, or (with a unit of force, energy, ... ) of values
 * that may be a millionth of that; models of any scale have no such magnitudes. */
double omr_rounding_of(const omr_sensitivity *table, size_t quantity, double low, double high);

/* Marks an estimate as missing, for this reason. */
void omr_sensitivity_none(omr_sensitivity *table, size_t quantity, size_t parameter,
                          omr_reason reason);

/* Rows or row groups read in blocks, and which of them are whole and ok. */
typedef struct omr_groups {
  omr_pool memory; /* of the arrays, and of the caller's for the same work */
  omr_source *source;
  size_t rows, count, block; /* of a group; groups; groups of a block */
  size_t first, here;        /* the block: its first group, its groups */
  int8_t *status;            /* [block * rows] */
  int8_t *group_status;      /* [block]: status of the first failed instance of a group, or 0 */
  double *values;            /* [block * rows] */
  bool every;
} omr_groups;

omr_status omr_groups_open(omr_groups *groups, omr_source *source, size_t rows, size_t block_rows,
                           omr_error *error);
void omr_groups_close(omr_groups *groups);
/* Moves to the block that starts with group `first`; *more is false after the last. */
omr_status omr_groups_block(omr_groups *groups, size_t first, bool *more, omr_error *error);
/* Reads values of a column in the block; `every`: failed instances have one too. */
omr_status omr_groups_values(omr_groups *groups, size_t column, bool every, omr_error *error);
/* Fills group_status from status. */
void omr_groups_judge(omr_groups *groups);
/* How many are ok, and how many failed by their status. */
void omr_groups_count(const omr_groups *groups, uint64_t *ok,
                      uint64_t failed[OMR_INSTANCE_STATUS_COUNT]);
/* Values of group g of the block; NULL if an instance failed (unless `every`) or has no value. */
const double *omr_groups_get(const omr_groups *groups, size_t g);

#endif
