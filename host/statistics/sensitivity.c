#include "sensitivity_table.h"

#include "../study/designs/row_groups.h"
#include "../study/grammar/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const omr_reason_info omr_reasons[OMR_REASON_COUNT] = {
#define X(id, name, meaning) {name, meaning},
    OMR_REASONS(X)
#undef X
};

const omr_measure_info omr_measures[OMR_MEASURES] = {
    [OMR_MEASURE_NONE] = {"", "", {"", ""}, {"", ""}, "", false},
    [OMR_MEASURE_SOBOL] = {"sobol",
                           "Sobol' indices",
                           {"first_order", "total"},
                           {"part of the variance that the parameter has alone (Saltelli et al. "
                            "2010, values from their mean)",
                            "part of the variance that the parameter takes part in (Jansen 1999)"},
                           "row groups",
                           false},
    [OMR_MEASURE_MORRIS] =
        {"morris",
         "elementary effects",
         {"mu_star", "mu"},
         {"mean size of the elementary effects, per unit interval of the parameter's quantile "
          "function",
          "mean of the elementary effects, per unit interval of the parameter's quantile function"},
         "trajectories",
         true},
    [OMR_MEASURE_CORRELATION] = {"correlation",
                                 "correlations",
                                 {"pearson", "spearman"},
                                 {"linear correlation of parameter and observable",
                                  "rank correlation of parameter and observable"},
                                 "instances",
                                 false}};

/* Only the study's own rows from the first on, with its parameters, have a measure. */
omr_measure omr_sensitivity_measure(const omr_study *study, size_t parameters) {
  if (study->variation_count == 0 || parameters != study->variation_count) return OMR_MEASURE_NONE;
  switch (study->design.type) {
  case OMR_DESIGN_SALTELLI: return OMR_MEASURE_SOBOL;
  case OMR_DESIGN_MORRIS: return OMR_MEASURE_MORRIS;
  case OMR_DESIGN_NESTED:
  case OMR_DESIGN_CANDIDATES:
  case OMR_DESIGN_LIST:
  case OMR_DESIGN_TABLE:
  case OMR_DESIGN_POSTERIOR: return OMR_MEASURE_CORRELATION;
  default:
    return omr_design_is_sample(study->design.type) ? OMR_MEASURE_CORRELATION : OMR_MEASURE_NONE;
  }
}

static char *copy_text(omr_sensitivity *s, const char *text) {
  return omr_pool_text(&s->memory, text ? text : "");
}

static void copy_names(omr_sensitivity *s, const omr_source *source) {
  const size_t columns = s->parameters + s->quantities;
  s->info = omr_pool_take(&s->memory, columns, sizeof *s->info);
  for (size_t c = 0; s->info && c < columns; c++) {
    const omr_sample_info *from = &source->info[c];
    s->info[c] = (omr_sample_info){copy_text(s, from->name), copy_text(s, from->unit),
                                   copy_text(s, from->meaning)};
  }
}

static void make_arrays(omr_sensitivity *s) {
  const size_t quantities = s->quantities, cells = quantities * s->parameters;
  omr_pool *memory = &s->memory;
  s->every = omr_pool_take(memory, quantities, sizeof *s->every);
  s->used = omr_pool_take(memory, quantities, sizeof *s->used);
  s->rank_used = omr_pool_take(memory, quantities, sizeof *s->rank_used);
  s->mean = omr_pool_take(memory, quantities, sizeof *s->mean);
  s->variance = omr_pool_take(memory, quantities, sizeof *s->variance);
  s->estimates[0] = omr_pool_take(memory, cells, sizeof *s->estimates[0]);
  s->estimates[1] = omr_pool_take(memory, cells, sizeof *s->estimates[1]);
  s->sigma = omr_pool_take(memory, cells, sizeof *s->sigma);
  s->reason = omr_pool_take(memory, cells, sizeof *s->reason);
}

static omr_status count_groups(omr_sensitivity *s, omr_source *source, omr_error *error) {
  omr_groups groups;
  bool more = true;

  OMR_TRY(omr_groups_open(&groups, source, s->group_rows, s->block_rows, error));
  s->groups = groups.count;
  s->rest = source->rows % s->group_rows;

  /* count ok groups, and failed ones by the status of their first failed instance */
  omr_status status = OMR_OK;
  for (size_t first = 0; status == OMR_OK && more; first += groups.here) {
    status = omr_groups_block(&groups, first, &more, error);
    if (status == OMR_OK) omr_groups_count(&groups, &s->ok, s->failed);
  }

  omr_groups_close(&groups);
  return status;
}

omr_status omr_sensitivity_table(const omr_study *study, const omr_source *source,
                                 omr_sensitivity **table, omr_error *error) {
  omr_sensitivity *s = *table = calloc(1, sizeof *s);
  if (!s) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the sensitivities");
  s->measure = omr_sensitivity_measure(study, source->parameters);
  s->confidence = study->statistics.confidence;
  s->bootstrap = study->statistics.bootstrap;
  s->block_rows = OMR_SENSITIVITY_ROWS;
  if (s->measure == OMR_MEASURE_NONE) return OMR_OK;
  s->parameters = source->parameters;
  s->quantities = source->columns - source->parameters;
  s->group_rows = omr_group_rows(study);
  s->any_scale = !omr_has_measured(study->model);
  copy_names(s, source);
  make_arrays(s);
  if (s->memory.failed)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the sensitivities");
  for (size_t q = 0; source->every && q < s->quantities; q++)
    s->every[q] = source->every[s->parameters + q];
  return OMR_OK;
}

static omr_status compute(omr_sensitivity *s, const omr_study *study, omr_source *source,
                          omr_error *error) {
  OMR_TRY(count_groups(s, source, error));
  switch (s->measure) {
  case OMR_MEASURE_SOBOL: return omr_sobol_indices(s, study, source, error);
  case OMR_MEASURE_MORRIS: return omr_elementary_effects(s, study, source, error);
  case OMR_MEASURE_CORRELATION: return omr_correlations(s, study, source, error);
  case OMR_MEASURE_NONE: break;
  }
  return OMR_OK;
}

omr_status omr_sensitivity_of(const omr_study *study, omr_source *source, size_t bootstrap,
                              size_t block_rows, omr_sensitivity **sensitivity, omr_error *error) {
  omr_sensitivity *s = NULL;
  *sensitivity = NULL;
  omr_status status = omr_sensitivity_table(study, source, &s, error);
  if (status == OMR_OK) {
    s->bootstrap = bootstrap;
    s->block_rows = block_rows;
    if (s->measure != OMR_MEASURE_NONE) status = compute(s, study, source, error);
  }
  if (status == OMR_OK)
    *sensitivity = s;
  else
    omr_sensitivity_destroy(s);
  return status;
}

void omr_sensitivity_destroy(omr_sensitivity *s) {
  if (s) omr_pool_free(&s->memory);
  free(s);
}
