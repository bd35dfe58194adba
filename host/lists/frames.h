/* Frames of studies and results. The program works in the kernels' frame, the first one: a study is
 * turned when it is read, and a result when it is stored. */
#ifndef OMR_FRAMES_H
#define OMR_FRAMES_H

#include "frame_kinds.h"
#include "kinds.h"
#include "models.h"

typedef struct omr_frame_info {
  const char *name, *meaning;
} omr_frame_info;
extern const omr_frame_info omr_frame_list[OMR_FRAMES];

/* Effects of a frame on a quantity; bits. A quantity without OMR_TURN_LISTED is missing in the
 * frame's lists. */
enum {
  OMR_TURN_LISTED = 1,
  OMR_TURN_NEGATED = 2, /* its value has the other sign */
  OMR_TURN_RENAMED = 4, /* it has another name */
  OMR_TURN_WORDED = 8,  /* its meaning has other words */
};

typedef struct omr_framing {
  int how;
  const char *name, *meaning; /* NULL: as in the quantity's own list */
} omr_framing;

/* The turn of a quantity, by its number in its own list; the first frame turns nothing. */
omr_framing omr_parameter_turn(omr_frame_kind frame, bool per_wheel, int index);
omr_framing omr_observable_turn(omr_frame_kind frame, int index);
omr_framing omr_vehicle_sample_turn(omr_frame_kind frame, int index);
omr_framing omr_wheel_sample_turn(omr_frame_kind frame, int index);
omr_framing omr_wheel_shape_turn(omr_frame_kind frame, int index);
omr_framing omr_drift_turn(omr_frame_kind frame, int index);
/* The turn of a sample, or of an integrated state, of a small model, by the row's ID. */
omr_framing omr_small_sample_turn(omr_frame_kind frame, omr_model model, const char *id);
omr_framing omr_small_state_turn(omr_frame_kind frame, omr_model model, const char *id);

/* Rows of the lists in the words of a frame. */
omr_parameter omr_framed_parameter(omr_frame_kind frame, bool per_wheel, int index);
omr_observable omr_framed_observable(omr_frame_kind frame, int index);
omr_sample_info omr_framed_sample(omr_framing turn, omr_sample_info as_listed);

/* The meaning of a kind of command or patch in the frame; for other kinds the list's meaning. */
const char *omr_framed_kind(omr_frame_kind frame, const omr_kind *kind);

/* What a word of keys/words.def means; `listed` is what that says. */
const char *omr_framed_word(omr_frame_kind frame, const char *path, const char *listed);

/* The path of a parameter, which most callers need. */
const char *omr_vehicle_path(omr_frame_kind frame, int index);
const char *omr_wheel_path(omr_frame_kind frame, int index);

/* A value in the other frame. Exact, and its own inverse; zeros get no sign. */
static inline double omr_turned(omr_framing turn, double value) {
  return turn.how & OMR_TURN_NEGATED ? 0.0 - value : value;
}

/* The same for a list of values. */
static inline void omr_turn_values(omr_framing turn, double *values, size_t count) {
  for (size_t i = 0; i < count; i++) values[i] = omr_turned(turn, values[i]);
}

/* Observables of an instance, [OMR_OBS_COUNT], from the kernels' frame into this one. */
void omr_turn_observables(omr_frame_kind frame, double *observables);

/* A name of another frame. */
typedef enum omr_named_kind {
  OMR_NAMED_PARAMETER,
  OMR_NAMED_OF_WHEEL,
  OMR_NAMED_OBSERVABLE
} omr_named_kind;
typedef struct omr_elsewhere {
  omr_frame_kind frame; /* the frame that has the name */
  const char *here;     /* the quantity's name in this frame */
  bool negated;         /* the value has the other sign here */
} omr_elsewhere;

/* Whether the name belongs to another frame and its quantity has another one in this frame; names
 * of wheel parameters come without "wheel.". */
bool omr_named_elsewhere(omr_frame_kind frame, omr_model model, omr_named_kind kind,
                         const char *name, omr_elsewhere *found);
/* The remedy, for an error: "it is a name of the frame ros, ...". `prefix` is the text before the
 * name in this frame. */
enum { OMR_ELSEWHERE_TEXT = 240 };
void omr_elsewhere_text(omr_frame_kind frame, const omr_elsewhere *found, const char *prefix,
                        char text[OMR_ELSEWHERE_TEXT]);

#endif
