/* Designs that draw: the functions that host/study/designs/design_NAME.c gives for each design of
 * class SAMPLE (lists/designs.def). */
#ifndef OMR_STUDY_DRAWN_H
#define OMR_STUDY_DRAWN_H

#include "../grammar/parse.h"

/* Where an instance is: its cell's seed and its number within the cell; in a design of row groups
 * the group and the place in it. */
typedef struct omr_place {
  uint64_t seed;
  size_t point, member;
} omr_place;

typedef struct omr_drawn {
  /* Coordinate, in the unit interval, of a parameter that is drawn. It follows from study and place
   * only. */
  double (*unit)(const omr_study *study, omr_place at, const omr_variation *variation);
  /* Reads the other settings of the design, and makes the tables that `unit` reads; NULL: there are
   * none. The study's sampling has type, points and dimensions by then. */
  omr_status (*prepare)(omr_reader *reader);
  double most;    /* points */
  bool scrambles; /* a sequence: takes "scramble", and a seed only with it */
  bool combines;  /* takes "criterion" */
  /* Why its first instances are no sample, so that no rule can stop it; NULL: they are one. */
  const char *part;
  /* How good intervals for independent draws are in this design; "": they hold. */
  const char *intervals;
} omr_drawn;

#define OMR_DRAWN_NONE(name)
#define OMR_DRAWN_LEVELS(name)
#define OMR_DRAWN_ROWS(name)
#define OMR_DRAWN_SAMPLE(name) extern const omr_drawn omr_drawn_##name;
#define OMR_DRAWN_CELLS(name)
#define OMR_DRAWN_GROUPS(name)
#define OMR_DRAWN_ADAPTIVE(name)
#define X(id, name, word, class, count, meaning) OMR_DRAWN_##class(name)
#include "lists/designs.def"
#undef X
#undef OMR_DRAWN_NONE
#undef OMR_DRAWN_LEVELS
#undef OMR_DRAWN_ROWS
#undef OMR_DRAWN_SAMPLE
#undef OMR_DRAWN_CELLS
#undef OMR_DRAWN_GROUPS
#undef OMR_DRAWN_ADAPTIVE

/* The functions that draw the instances of a design, or of the cells of a nested design; NULL: the
 * design draws nothing. */
const omr_drawn *omr_drawn_of(omr_design sample);

/* Whether a design of this type may have a use for the key of "design", whatever else the study
 * says. */
bool omr_design_may_use(omr_design type, const char *key);

/* Refuses more parameters than a sequence has dimensions (sequences.h). */
omr_status omr_check_dimensions(omr_reader *reader);

#endif
