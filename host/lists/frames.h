/* Frames in which a study is written and its results are told. Everything inside is in the frame of
 * the kernels, the first one: a study is turned as it is read, and a result as it is stored. */
#ifndef OMR_FRAMES_H
#define OMR_FRAMES_H

#include "frame_kinds.h"
#include "kinds.h"
#include "models.h"

typedef struct omr_frame_info {
  const char *name, *meaning;
} omr_frame_info;
extern const omr_frame_info omr_frame_list[OMR_FRAMES];

/* What a frame does to a quantity; bits. Without OMR_TURN_LISTED its lists forget the quantity. */
enum {
  OMR_TURN_LISTED = 1,
  OMR_TURN_NEGATED = 2, /* its value has the other sign */
  OMR_TURN_RENAMED = 4, /* it has another name */
  OMR_TURN_WORDED = 8,  /* its meaning has other words */
};

typedef struct omr_framing {
  int how;
  const char *name, *meaning; /* NULL: as the quantity's own list has it */
} omr_framing;

/* How a quantity turns, by its number in its own list; nothing does in the first frame. */
omr_framing omr_parameter_turn(omr_frame_kind frame, bool per_wheel, int index);
omr_framing omr_observable_turn(omr_frame_kind frame, int index);
omr_framing omr_vehicle_sample_turn(omr_frame_kind frame, int index);
omr_framing omr_wheel_sample_turn(omr_frame_kind frame, int index);
omr_framing omr_wheel_shape_turn(omr_frame_kind frame, int index);
omr_framing omr_drift_turn(omr_frame_kind frame, int index);
/* What a trajectory of a small model holds, and what it integrates: by the row's ID. */
omr_framing omr_small_sample_turn(omr_frame_kind frame, omr_model model, const char *id);
omr_framing omr_small_state_turn(omr_frame_kind frame, omr_model model, const char *id);

/* Rows of the lists in the words of a frame. */
omr_parameter omr_framed_parameter(omr_frame_kind frame, bool per_wheel, int index);
omr_observable omr_framed_observable(omr_frame_kind frame, int index);
omr_sample_info omr_framed_sample(omr_framing turn, omr_sample_info as_listed);

/* What a kind of command or patch means; of any other kind what its list says. */
const char *omr_framed_kind(omr_frame_kind frame, const omr_kind *kind);

/* What a word of keys_words.def means; `listed` is what that says. */
const char *omr_framed_word(omr_frame_kind frame, const char *path, const char *listed);

/* Shorter, for what is asked most: the path of a parameter. */
const char *omr_vehicle_path(omr_frame_kind frame, int index);
const char *omr_wheel_path(omr_frame_kind frame, int index);

/* A value seen from the other frame. Exact, and its own inverse; no zero gets a sign. */
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
  omr_frame_kind frame; /* which has the name */
  const char *here;     /* what this frame calls the quantity */
  bool negated;         /* whose value has the other sign here */
} omr_elsewhere;

/* Whether another frame has the name for what this one calls otherwise; the names of wheel
 * parameters are told without "wheel.". */
bool omr_named_elsewhere(omr_frame_kind frame, omr_model model, omr_named_kind kind,
                         const char *name, omr_elsewhere *found);
/* What to do about it, for an error: "it is a name of the frame ros, ...". `prefix` is what stands
 * before the name here. */
enum { OMR_ELSEWHERE_TEXT = 240 };
void omr_elsewhere_text(omr_frame_kind frame, const omr_elsewhere *found, const char *prefix,
                        char text[OMR_ELSEWHERE_TEXT]);

#endif
