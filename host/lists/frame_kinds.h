/* The frames in which a study can be written. */
#ifndef OMR_FRAME_KINDS_H
#define OMR_FRAME_KINDS_H

typedef enum omr_frame_kind {
#define X(id, ...) OMR_FRAME_##id,
#include "frames.def"
#undef X
  OMR_FRAMES
} omr_frame_kind;

#endif
