/* Private to the room: the members of an evaluator. */
#ifndef OMR_EVALUATOR_H
#define OMR_EVALUATOR_H

#include "table.h"

struct omr_evaluator {
  omr_study *study; /* without rows: its one candidate is its own vehicle */
  omr_candidate_table given;
};

#endif
