#include "drawn.h"

/* By the design's number; NULL where it is no sample. */
#define OF_NONE(id, name)
#define OF_LEVELS(id, name)
#define OF_ROWS(id, name)
#define OF_SAMPLE(id, name) [OMR_DESIGN_##id] = &omr_drawn_##name,
#define OF_CELLS(id, name)
#define OF_GROUPS(id, name)
#define OF_ADAPTIVE(id, name)
static const omr_drawn *const drawn[OMR_DESIGNS] = {
#define X(id, name, word, class, count, meaning) OF_##class(id, name)
#include "lists/designs.def"
#undef X
};

const omr_drawn *omr_drawn_of(omr_design sample) {
  return drawn[sample];
}
