#include "nominal.h"

#include "designs/distributions.h"
#include "part.h"

#include <stdlib.h>

typedef struct weighed {
  double value, weight;
} weighed;

/* The smallest value with half of the weight at it and below, up to rounding of the sums. */
static bool median_of_levels(const omr_variation *v, double *value) {
  weighed *sorted = malloc((v->levels + 1) * sizeof *sorted);
  if (!sorted) return false;
  for (size_t j = 0; j < v->levels; j++) {
    const double upto = j + 1 < v->levels && v->cumulative ? v->cumulative[j] : 1,
                 from = j && v->cumulative ? v->cumulative[j - 1] : 0;
    sorted[j] = (weighed){v->values[j], v->cumulative ? upto - from : 1};
  }
  qsort(sorted, v->levels, sizeof *sorted, omr_by_value);
  const double half = (v->cumulative ? 1 : (double)v->levels) / 2 * (1 - 1e-12);
  double sum = 0;
  size_t at = 0;
  while (at + 1 < v->levels && (sum += sorted[at].weight) < half) at++;
  *value = sorted[at].value;
  free(sorted);
  return true;
}

bool omr_nominal_value(const omr_study *study, const omr_variation *v, double *value,
                       omr_nominal_source *source) {
  const bool base = v->written || study->design.type == OMR_DESIGN_ONE_AT_A_TIME;
  *source = v->written ? OMR_NOMINAL_WRITTEN : base ? OMR_NOMINAL_BASE : OMR_NOMINAL_MEDIAN;
  if (base) {
    *value = omr_base_value(study, v);
    return true;
  }
  if (v->values) return median_of_levels(v, value);
  *value = omr_quantile(v, 0.5);
  return true;
}

const char *omr_nominal_words(const omr_variation *v, omr_nominal_source source) {
  static const char *const medians[OMR_DRAWS] = {
#define X(id, word, ...) "median of " word,
#include "../lists/distributions.def"
#undef X
  };
  if (source == OMR_NOMINAL_WRITTEN) return "base value, from \"parameters\"";
  if (source == OMR_NOMINAL_BASE) return "base value, the default";
  return medians[v->draw];
}
