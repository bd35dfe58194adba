/* Inside of the short form: brief.c puts it together, brief_answer.c makes its tables,
 * brief_choice.c says which observables they show. */
#ifndef OMR_BRIEF_PARTS_H
#define OMR_BRIEF_PARTS_H

#include "brief.h"
#include "wrap.h"

enum { OMR_BRIEF_LINES = 25, OMR_BRIEF_WIDTH = 80, OMR_BRIEF_INDENT = 12, OMR_BRIEF_SHOWN = 5 };

/* The observables that tell most, as numbers of quantities: those that criteria name, else those
 * that the study asks for, else the usual ones that differ. At most `most`; *of is how many there
 * are to choose from. */
size_t omr_brief_choose(const omr_brief *brief, size_t most, size_t *shown, size_t *of);

/* Appends the answer in at most so many lines, with an empty one before and behind it. */
void omr_brief_answer(const omr_brief *brief, size_t lines, omr_text *to);

#endif
