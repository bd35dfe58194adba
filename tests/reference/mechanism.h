/* What the tests of joints, gears and forces share: start, go on, end. */
#ifndef TESTS_MECHANISM_H
#define TESTS_MECHANISM_H

#include "drift.h"
#include "reference/multibody/integrate.h"

#include <criterion/criterion.h>

static const omr_vec NOWHERE = {0, 0, 0};
static const double UPRIGHT[4] = {1, 0, 0, 0};

static inline omr_mb_integrator *start_finely(omr_mb *mb) {
  static const omr_mb_tolerance fine = {.relative = 1e-13, .absolute = 1e-14};
  omr_mb_integrator *g = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_mb_integrator_create(mb, &fine, NULL, &g, &error), OMR_OK, "%s", error.message);
  return g;
}

/* The state at time t, evaluated, with the drift of all constraints noted. */
static inline void go_on(omr_mb_integrator *g, omr_mb *mb, double t) {
  omr_error error = {0};
  cr_assert_eq(omr_mb_advance(g, t, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_mb_evaluate(mb, NULL, &error), OMR_OK, "%s", error.message);
  note_drift(mb);
}

static inline void end_both(omr_mb_integrator *g, omr_mb *mb) {
  omr_mb_integrator_destroy(g);
  omr_mb_destroy(mb);
}

static inline void evaluate(omr_mb *mb) {
  omr_error error = {0};
  cr_assert_eq(omr_mb_evaluate(mb, NULL, &error), OMR_OK, "%s", error.message);
}

#endif
