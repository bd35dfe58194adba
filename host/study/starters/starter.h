/* Starter studies of `omniroll new`: a machine (the vehicle or wheel) and a kind (the question).
 * Comments next to members come from the lists that `describe` prints, by the path of the member,
 * so that they agree with the program. */
#ifndef OMR_STUDY_STARTER_H
#define OMR_STUDY_STARTER_H

#include "../study.h"

/* A file of starters/machines: members that kinds refer to. "parameters", and "system" where the
 * study lists bodies and joints; "levels", varied parameters with a few values, and "drawn", those
 * with distributions; "paths" and "rows" of a list of cases; "question" with the criteria "fail"
 * (some of the drawn instances meet it) and "rare" (hardly any do); "integrator", "observables" and
 * "interval". A member that has a comment in the file gets none from the lists. */
typedef struct omr_starter_machine {
  const char *name; /* as --model takes it: a model, or "mecanum" */
  omr_model model;
  const char *title; /* begins the title of the study */
  const char *text;
} omr_starter_machine;

/* A file of starters/kinds: a guide as comments, then the study without title and model. "$NAME"
 * stands for the machine's member of that name; as an item of a list, for that member's items. */
typedef struct omr_starter_kind {
  const char *name;
  const char *machine;  /* the one that this kind is about; NULL: the first, or any */
  const char *question; /* one line for lists */
  const char *text;
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
/* The text of the study; the caller frees it with omr_text_free. OMR_ERR_INTERNAL: a parameter,
 * observable, law or design that no list has, or a "$NAME" that the machine has not. */
omr_status omr_starter_write(const omr_starter_kind *kind, const omr_starter_machine *machine,
                             const omr_starter_step *steps, size_t step_count, omr_text *text,
                             omr_error *error);

#endif
