#include "formulas.h"

#include "system/graph.h"

#include <math.h>
#include <stdlib.h>

int omr_formula_first(const omr_study *study) {
  return OMR_OBS_GRAPH_0 + (study->graph ? study->graph->measures : 0);
}

const omr_formula *omr_formula_of(const omr_study *study, int observable) {
  const int at = observable - omr_formula_first(study);
  return at >= 0 && (size_t)at < study->formula_count ? &study->formulas[at] : NULL;
}

void omr_formulas_add(const omr_study *study, const double *parameters, double *observables) {
  double terms[OMR_FORMULA_TERMS];
  for (size_t i = 0; i < study->formula_count; i++) {
    const omr_formula *f = &study->formulas[i];
    for (size_t t = 0; t < f->expression->column_count; t++)
      terms[t] = f->from[t] < OMR_OBS_COUNT ? observables[f->from[t]]
                                            : parameters[f->from[t] - OMR_OBS_COUNT];
    const double value = omr_expression_value(f->expression, terms);
    observables[omr_formula_first(study) + (int)i] = isfinite(value) ? value : (double)NAN;
  }
}

void omr_formulas_free(omr_formula *list, size_t count) {
  for (size_t i = 0; list && i < count; i++) {
    free(list[i].name);
    free(list[i].unit);
    free(list[i].meaning);
    omr_expression_destroy(list[i].expression);
    free(list[i].from);
  }
  free(list);
}
