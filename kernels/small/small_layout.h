/* Columns of the small models: plain ordinary differential equations without rollers. No code here;
 * read by kernels and host.
 *
 * A small model NAME is a row of host/lists/models.def and has, in NAME_layout.h, the prefix of its
 * columns and three lists X(ENUM, "name", "unit", "meaning"): folded parameters (_PARAMS, numbered
 * as PREFIX_P_ENUM), integrated quantities (_MOTION, PREFIX_Y_) and quantities reduced while
 * integrating (_EXTREMES, PREFIX_E_). The outputs of its right-hand side besides the derivatives,
 * which are the samples of a trajectory, are rows of host/lists/small/NAME.def (PREFIX_S_), and so
 * are the choices of words (PREFIX_WORD_CHOICE); cmake/lists.cmake writes the numbers. NAME.h has
 * the equations, and the functions that kernels/small/small.h calls of every model: NAME_rates,
 * NAME_observe, NAME_outside and NAME_lifted (the lanes that have left the model, or lost a
 * contact), NAME_settle (after a step) and NAME_complete (samples that steps do without). */
#ifndef OMR_SMALL_LAYOUT_H
#define OMR_SMALL_LAYOUT_H

#include "lists/small_layouts.h"

/* The number of a model in host/lists/models.def, counted from 1, is the setting MODEL (0: the omni
 * models). */
#define SMALL_NUMBER(id, ...) SMALL_##id,
enum { SMALL_NONE, SMALL_MODELS(SMALL_NUMBER, ) SMALL_END };

/* State columns of every small model: the clock's, the integrated quantities, their compensations,
 * the extremes. */
enum {
  SMALL_STEP,
  SMALL_FRACTION,
  SMALL_STATUS,
  SMALL_STEPS /* of the whole run */,
  SMALL_SUBSTEPS,
  SMALL_FIRST
};
#define SMALL_STATE_COUNT(motion, extremes) (SMALL_FIRST + 2 * (motion) + (extremes))
/* Behind them, where an error estimate chooses the steps: time, its sum's deficit, length of the
 * next pass, tolerance and most passes of the instance, passes so far. */
enum {
  SMALL_TIME,
  SMALL_TIME_LOW,
  SMALL_NEXT,
  SMALL_TOLERANCE,
  SMALL_MOST_PASSES,
  SMALL_PASSES,
  SMALL_PACE_COUNT
};

/* Room for the largest of them. */
enum {
  SMALL_MAX_PARAMS = 96 /* scales included */,
  SMALL_MAX_MOTION = 24,
  SMALL_MAX_EXTREMES = 16,
  SMALL_MAX_SAMPLES = 32,
  SMALL_OPTIONS = 5
};

#endif
