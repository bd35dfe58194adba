/* Starter studies of `omniroll new`: a machine (what is looked at) and a kind (which question). The
 * comments beside members are made of the lists that `describe` prints, so that they say what the
 * program does. */
#ifndef OMR_STUDY_STARTER_H
#define OMR_STUDY_STARTER_H

#include "study.h"

enum { OMR_STARTER_ITEMS = 8 };

/* Lines of these texts end, where they need explaining, in a marker: two blanks and
 *   @PATH           the parameter of that path: unit, bounds, default, meaning
 *   @PATH +DRAW     the same of a varied parameter, and how its values are drawn
 *   @LIST:NAME      a row of one of the lists: law, drive, command, design, statistics, observable,
 *                   word (small models: @word:PATH=NAME)
 *   @=TEXT          plain text */
typedef struct omr_starter_machine {
  const char *name; /* as --model takes it: a model, or "mecanum" */
  omr_model model;
  const char *title; /* "Three omni wheels in a ring": begins the study's title */
  const char *parameters;
  const char *system; /* of models whose studies list bodies and edges: that list; else NULL */
  const char *levels[OMR_STARTER_ITEMS]; /* varied parameters with a few values, for grids */
  const char *drawn[OMR_STARTER_ITEMS];  /* and those with distributions; three at most, so that
                                            groups stay small */
  const char *cases[OMR_STARTER_ITEMS];  /* rows of a list over the paths of the levels */
  const char *fail,
      *rare; /* criteria on observables: met by some of the drawn instances; by hardly any */
  const char *question; /* "Does the vehicle stray from its path?": what the criteria mean */
  const char *observables[OMR_STARTER_ITEMS];
  const char *tolerance; /* NULL: steps of fixed length */
  const char *step, *duration, *interval;
} omr_starter_machine;

typedef struct omr_starter_kind {
  const char *name;
  const char *machine;  /* the one that this kind is about; NULL: the first, or any */
  const char *question; /* one line for lists */
  const char *guide;    /* paragraphs on top of the study, parted by line ends */
  const char *text;     /* members; lines that begin with $ are filled in from the machine */
} omr_starter_kind;

extern const omr_starter_machine omr_starter_machines[];
extern const size_t omr_starter_machine_count;
extern const omr_starter_kind omr_starter_kinds[];
extern const size_t omr_starter_kind_count;

/* Finds kind and machine (NULL: the kind's own, or the first); errors name the nearest or all there
 * are. */
omr_status omr_starter_find(const char *kind, const char *machine,
                            const omr_starter_kind **found_kind,
                            const omr_starter_machine **found_machine, omr_error *error);
/* The text of the study; the caller frees it with omr_text_free. */
omr_status omr_starter_write(const omr_starter_kind *kind, const omr_starter_machine *machine,
                             const omr_starter_step *steps, size_t step_count, omr_text *text,
                             omr_error *error);

#endif
