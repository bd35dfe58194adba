#include "frames.h"

#include <stdio.h>
#include <string.h>

const omr_frame_info omr_frame_list[OMR_FRAMES] = {
#define X(id, name, meaning) [OMR_FRAME_##id] = {name, meaning},
#include "frames.def"
#undef X
};

typedef struct turns {
  omr_framing vehicle_parameters[OMR_VP_COUNT], wheel_parameters[OMR_WP_COUNT],
      observables[OMR_OBS_COUNT], vehicle_samples[OMR_VS_COUNT], wheel_samples[OMR_WS_COUNT],
      wheel_shapes[OMR_SHAPE_COUNT], drift_samples[OMR_DRIFT_COUNT], commands[OMR_COMMAND_KINDS],
      patches[OMR_PATCH_KINDS];
} turns;

enum {
  TURN_SAME = OMR_TURN_LISTED,
  TURN_WORDED = OMR_TURN_LISTED | OMR_TURN_WORDED,
  TURN_NEGATED = OMR_TURN_LISTED | OMR_TURN_NEGATED,
  TURN_RENAMED = OMR_TURN_LISTED | OMR_TURN_RENAMED,
  TURN_RENAMED_NEGATED = OMR_TURN_LISTED | OMR_TURN_RENAMED | OMR_TURN_NEGATED
};

#define VP(id) .vehicle_parameters[OMR_VP_##id]
#define WP(id) .wheel_parameters[OMR_WP_##id]
#define OBS(id) .observables[OMR_OBS_##id]
#define VS(id) .vehicle_samples[OMR_VS_##id]
#define WS(id) .wheel_samples[OMR_WS_##id]
#define SHAPE(id) .wheel_shapes[OMR_SHAPE_##id]
#define DRIFT(id) .drift_samples[OMR_DRIFT_##id]
#define COMMAND(id) .commands[OMR_COMMAND_##id]
#define PATCH(id) .patches[OMR_PATCH_##id]
#define SAME(kind, id) kind(id) = {TURN_SAME, NULL, NULL},
#define WORDED(kind, id, meaning) kind(id) = {TURN_WORDED, NULL, meaning},
#define NEGATED(kind, id, meaning) kind(id) = {TURN_NEGATED, NULL, meaning},
#define RENAMED(kind, id, name, meaning) kind(id) = {TURN_RENAMED, name, meaning},
#define RENAMED_NEGATED(kind, id, name, meaning) kind(id) = {TURN_RENAMED_NEGATED, name, meaning},

/* The compiler warns of a second row for the same quantity. */
static const turns all_turns[OMR_FRAMES] = {
    [OMR_FRAME_ROS] =
        {
#include "frame_ros.def"
/* A study with its own names has its own axes. */
#define SLOT(n) SAME(VP, GRAPH_##n) SAME(OBS, GRAPH_##n)
#include "slots.def"
#undef SLOT
        },
};

typedef struct small_turn {
  const char *model, *id;
  omr_framing turn;
} small_turn;

#define ROW(model, id, class, name, meaning) {#model, #id, {TURN_##class, name, meaning}},
#define STATE(...)
#define SAMPLE ROW
static const small_turn ros_samples[] = {
#include "frame_ros_small.def"
};
#undef STATE
#undef SAMPLE
#define STATE ROW
#define SAMPLE(...)
static const small_turn ros_states[] = {
#include "frame_ros_small.def"
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* OMR_FOR_ of the models whose quantities are the same in every frame. */
enum {
  ALIKE_MODELS = 0
#define OMNI(...)
#define SMALL(...)
#define ALIKE(id) | OMR_FOR_##id
#include "models.def"
#undef OMNI
#undef SMALL
#undef ALIKE
};

/* The row, or that of a quantity which such models alone have. */
static omr_framing alike(omr_framing row, int flags) {
  const int models = flags & OMR_FOR_ALL;
  if (!row.how && models && !(models & ~ALIKE_MODELS)) row.how = TURN_SAME;
  return row;
}

omr_framing omr_parameter_turn(omr_frame_kind frame, bool per_wheel, int index) {
  if (per_wheel) return all_turns[frame].wheel_parameters[index];
  return alike(all_turns[frame].vehicle_parameters[index], omr_vehicle_parameters[index].flags);
}

omr_framing omr_observable_turn(omr_frame_kind frame, int index) {
  return alike(all_turns[frame].observables[index], omr_observables[index].group);
}

omr_framing omr_vehicle_sample_turn(omr_frame_kind frame, int index) {
  return all_turns[frame].vehicle_samples[index];
}

omr_framing omr_wheel_sample_turn(omr_frame_kind frame, int index) {
  return all_turns[frame].wheel_samples[index];
}

omr_framing omr_wheel_shape_turn(omr_frame_kind frame, int index) {
  return all_turns[frame].wheel_shapes[index];
}

omr_framing omr_drift_turn(omr_frame_kind frame, int index) {
  return all_turns[frame].drift_samples[index];
}

/* Finds the row; "" in it means: as listed. */
static omr_framing find(omr_frame_kind frame, const small_turn *rows, size_t count, omr_model model,
                        const char *id) {
  if (frame != OMR_FRAME_ROS) return (omr_framing){0, NULL, NULL};
  for (size_t i = 0; i < count; i++) {
    const omr_framing turn = rows[i].turn;
    if (strcmp(rows[i].model, omr_model_names[model]) != 0 || strcmp(rows[i].id, id) != 0) continue;
    return (omr_framing){turn.how, *turn.name ? turn.name : NULL,
                         *turn.meaning ? turn.meaning : NULL};
  }
  return alike((omr_framing){0, NULL, NULL}, omr_small_list_of(model)->flag);
}

omr_framing omr_small_sample_turn(omr_frame_kind frame, omr_model model, const char *id) {
  return find(frame, ros_samples, COUNT(ros_samples), model, id);
}

omr_framing omr_small_state_turn(omr_frame_kind frame, omr_model model, const char *id) {
  return find(frame, ros_states, COUNT(ros_states), model, id);
}

omr_parameter omr_framed_parameter(omr_frame_kind frame, bool per_wheel, int index) {
  omr_parameter row = per_wheel ? omr_wheel_parameters[index] : omr_vehicle_parameters[index];
  const omr_framing turn = omr_parameter_turn(frame, per_wheel, index);
  if (turn.name) row.path = turn.name;
  if (turn.meaning) row.meaning = turn.meaning;
  return row;
}

omr_observable omr_framed_observable(omr_frame_kind frame, int index) {
  omr_observable row = omr_observables[index];
  const omr_framing turn = omr_observable_turn(frame, index);
  if (turn.name) row.name = turn.name;
  if (turn.meaning) row.meaning = turn.meaning;
  return row;
}

omr_sample_info omr_framed_sample(omr_framing turn, omr_sample_info as_listed) {
  omr_sample_info row = as_listed;
  if (turn.name) row.name = turn.name;
  if (turn.meaning) row.meaning = turn.meaning;
  return row;
}

const char *omr_framed_kind(omr_frame_kind frame, const omr_kind *kind) {
  const char *meaning = NULL;
  for (int i = 0; i < OMR_COMMAND_KINDS; i++)
    if (kind == &omr_command_kinds[i]) meaning = all_turns[frame].commands[i].meaning;
  for (int i = 0; i < OMR_PATCH_KINDS; i++)
    if (kind == &omr_patch_kinds[i]) meaning = all_turns[frame].patches[i].meaning;
  return meaning ? meaning : kind->meaning;
}

const char *omr_framed_word(omr_frame_kind frame, const char *path, const char *listed) {
#define X(word, meaning)                                                                           \
  if (frame == OMR_FRAME_ROS && strcmp(path, word) == 0) return meaning;
#include "frame_ros_words.def"
#undef X
  return listed;
}

const char *omr_vehicle_path(omr_frame_kind frame, int index) {
  const char *name = all_turns[frame].vehicle_parameters[index].name;
  return name ? name : omr_vehicle_parameters[index].path;
}

const char *omr_wheel_path(omr_frame_kind frame, int index) {
  const char *name = all_turns[frame].wheel_parameters[index].name;
  return name ? name : omr_wheel_parameters[index].path;
}

void omr_turn_observables(omr_frame_kind frame, double *observables) {
  for (int j = 0; frame != OMR_FRAME_Y_UP && j < OMR_OBS_COUNT; j++)
    observables[j] = omr_turned(all_turns[frame].observables[j], observables[j]);
}

typedef struct named {
  const char *name;
  omr_framing turn;
} named;

/* The i-th quantity of a kind, in the words of a frame; "" where the model lacks it. */
static named name_of(omr_frame_kind frame, omr_model model, omr_named_kind kind, int i) {
  if (kind == OMR_NAMED_OBSERVABLE)
    return (named){omr_observable_fits(i, model, -1) ? omr_framed_observable(frame, i).name : "",
                   omr_observable_turn(frame, i)};
  const bool per_wheel = kind == OMR_NAMED_OF_WHEEL;
  const omr_parameter row = omr_framed_parameter(frame, per_wheel, i);
  return (named){omr_parameter_belongs(&row, model) ? row.path : "",
                 omr_parameter_turn(frame, per_wheel, i)};
}

bool omr_named_elsewhere(omr_frame_kind frame, omr_model model, omr_named_kind kind,
                         const char *name, omr_elsewhere *found) {
  static const int counts[] = {[OMR_NAMED_PARAMETER] = OMR_VP_COUNT,
                               [OMR_NAMED_OF_WHEEL] = OMR_WP_COUNT,
                               [OMR_NAMED_OBSERVABLE] = OMR_OBS_COUNT};
  for (int f = 0; f < OMR_FRAMES; f++) {
    for (int i = 0; i < counts[kind]; i++) {
      const named there = name_of((omr_frame_kind)f, model, kind, i);
      if (!*name || strcmp(there.name, name) != 0) continue;
      const named here = name_of(frame, model, kind, i);
      if (strcmp(here.name, name) == 0) continue;
      *found = (omr_elsewhere){(omr_frame_kind)f, here.name,
                               (here.turn.how ^ there.turn.how) & OMR_TURN_NEGATED};
      return true;
    }
  }
  return false;
}

void omr_elsewhere_text(omr_frame_kind frame, const omr_elsewhere *found, const char *prefix,
                        char text[OMR_ELSEWHERE_TEXT]) {
  const char *other = omr_frame_list[found->frame].name;
  snprintf(text, OMR_ELSEWHERE_TEXT,
           "it is a name of the frame %s, and this study is in the frame %s: write \"%.40s%s\"%s, "
           "or give the study \"frame\": \"%s\" and all of it in that frame",
           other, omr_frame_list[frame].name, prefix, found->here,
           found->negated ? ", with the other sign" : "", other);
}
