/* Instances of the reference assembled and evaluated by tests. */
#ifndef TESTS_ASSEMBLED_H
#define TESTS_ASSEMBLED_H

#include "host/reference/reference.h"
#include "host/result/result.h"

#include <criterion/criterion.h>
#include <stdlib.h>

typedef struct assembled {
  const omr_reference_model *model;
  omr_reference reference;
} assembled;

/* Fills `a` with instance 0, which holds pointers to itself. */
static inline void assemble_instance(const omr_study *study, assembled *a) {
  omr_reason why;
  omr_values values;
  *a = (assembled){.model = omr_reference_model_of(study->model)};
  cr_assert_not_null(a->model);
  const char *never = a->model->refuse(study);
  cr_assert_null(never, "%s", never);
  omr_study_values(study, 0, &values, NULL);
  cr_assert(a->model->assemble(study, &values, &a->reference, &why), "%s", why.text);
}

static inline void release_instance(assembled *a) {
  omr_reference_close(&a->reference);
}

/* Samples of the present state; freed by the caller. */
static inline double *sample_instance(assembled *a, int wheels) {
  omr_error error = {0};
  cr_assert_eq(omr_mb_evaluate(a->reference.mb, NULL, &error), OMR_OK, "%s", error.message);
  double *samples = malloc((size_t)(OMR_VS_COUNT + wheels * OMR_WS_COUNT) * sizeof *samples);
  cr_assert_not_null(samples);
  a->model->sample(&a->reference, samples);
  return samples;
}

static inline const double *wheel_samples(const double *samples, int wheel) {
  return samples + OMR_VS_COUNT + wheel * OMR_WS_COUNT;
}

#endif
