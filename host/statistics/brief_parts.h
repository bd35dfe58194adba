/* Inside of the short summary: brief.c puts it together, brief_answer.c makes its tables. */
#ifndef OMR_BRIEF_PARTS_H
#define OMR_BRIEF_PARTS_H

#include "brief.h"
#include "wrap.h"

enum { OMR_BRIEF_LINES = 25, OMR_BRIEF_WIDTH = 80, OMR_BRIEF_INDENT = 12, OMR_BRIEF_SHOWN = 5 };

/* The observables of the answer (answer.h), as numbers of quantities. Gives at most `most`; *of
 * receives how many there are to choose from. */
size_t omr_brief_choose(const omr_brief *brief, size_t most, size_t *shown, size_t *of);

/* Whether the answer is a table of designs, which shows the varied parameters. */
bool omr_brief_lists_designs(const omr_statistics *statistics);

/* Appends a path, quoted for the shell. */
void omr_brief_quote(const char *path, omr_text *to);

/* Appends the answer in at most so many lines, with an empty line before and after it. */
void omr_brief_answer(const omr_brief *brief, size_t lines, omr_text *to);

#endif
