/* Inside of an outcome: outcome.c computes it, outcome_hdf5.c and outcome_print.c show it. */
#ifndef OMR_OUTCOME_PARTS_H
#define OMR_OUTCOME_PARTS_H

#include "../support/pool.h"
#include "outcome.h"
#include "stop.h"
#include "subset.h"

struct omr_outcome {
  omr_pool memory; /* of its arrays and texts */
  bool rare;       /* a subset simulation; otherwise a stopped run */
  size_t rows;
  double confidence;
  const char
      *quantity; /* the criterion's text; "mean max_slip", "probability of max_slip > 0.1 m/s" */
  const char *unit;
  /* subset simulation */
  omr_subset *subset;
  omr_subset_settings settings;
  omr_subset_outcome found;
  int8_t *level, *accepted; /* [rows] */
  size_t failed;            /* instances without a margin because they failed */
  size_t without_value;     /* instances that did not fail but have no value of the criterion */
  /* stopped */
  omr_stop_settings asked;
  omr_bounds bounds;
  double estimate;
  uint64_t used;
  size_t budget, chunk_rows, looks;
  bool reached;
};

/* Why a stopped run ended. */
const char *omr_outcome_reason(const omr_outcome *outcome);

#endif
