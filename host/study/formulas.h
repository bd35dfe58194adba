/* Observables that a study derives of others, by expressions (output.derived, ask). They take the
 * places among the observables that the study's system leaves free (host/lists/slots.def), behind
 * all others, so that a result keeps them as it keeps any observable. */
#ifndef OMR_STUDY_FORMULAS_H
#define OMR_STUDY_FORMULAS_H

#include "../lists/observables.h"
#include "expression/expression.h"

enum {
  OMR_FORMULA_NAMES = 64, /* most of them, and of the system's measures, in one study */
  OMR_FORMULA_TERMS = 64  /* most columns that one expression uses */
};

typedef struct omr_formula {
  char *name, *unit, *meaning; /* unit: the SI unit of the expression, as written where it is */
  omr_expression *expression;  /* its columns are numbers of `from` */
  size_t *from; /* [column_count] below OMR_OBS_COUNT an observable, from there on a varied
                   parameter */
} omr_formula;

/* Number (OMR_OBS_) of the first of them; formula i is observable first + i. */
int omr_formula_first(const omr_study *study);
/* The formula behind an observable; NULL: it is none. */
const omr_formula *omr_formula_of(const omr_study *study, int observable);

/* Computes them of the varied parameters of an instance [variation_count] and its observables
 * [OMR_OBS_COUNT], in the study's frame, where their values go too. NaN where a term has no value,
 * at a division by zero, and wherever else the result is not finite. */
void omr_formulas_add(const omr_study *study, const double *parameters, double *observables);

void omr_formulas_free(omr_formula *list, size_t count); /* the list too */

#endif
