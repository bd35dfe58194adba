#include "kinds.h"
#include "parameters.h"

#include <stddef.h>

#define USES(...)                                                                                  \
  { __VA_ARGS__, -1 }

#define X(id, name, word, class, exchanges, uses, meaning) [OMR_LAW_##id] = {word, uses, meaning},
const omr_kind omr_law_kinds[OMR_LAW_KINDS] = {
#include "laws.def"
};
#undef X

#define X(id, word, steps, form, meaning) [OMR_METHOD_##id] = {word, {-1}, meaning},
const omr_kind omr_method_kinds[OMR_METHOD_KINDS] = {
#include "methods.def"
};
#undef X

#define X(id, word, class, uses, meaning) {word, uses, meaning},
const omr_kind omr_drive_kinds[OMR_DRIVE_KINDS] = {
#include "drives.def"
};
const omr_kind omr_wheel_kinds[OMR_WHEEL_KINDS] = {
#include "wheel_kinds.def"
};
#undef X

#define X(id, word, meaning) [OMR_BY_##id] = {word, {-1}, meaning},
const omr_kind omr_drive_quantities[OMR_DRIVE_QUANTITIES] = {
#include "drive_quantities.def"
};
#undef X

#define X(id, word, uses, meaning) {word, uses, meaning},
const omr_kind omr_command_kinds[OMR_COMMAND_KINDS] = {
#define PATHS
#include "motions.def"
#undef PATHS
};
const omr_kind omr_weights_kinds[OMR_WEIGHTS_KINDS] = {
#include "weights.def"
};
const omr_kind omr_spins_kinds[OMR_SPINS_KINDS] = {
#include "spins.def"
};
const omr_kind omr_ground_kinds[OMR_GROUND_KINDS] = {
#include "grounds.def"
};
const omr_kind omr_external_kinds[OMR_EXTERNAL_KINDS] = {
#include "externals.def"
};
const omr_kind omr_patch_kinds[OMR_PATCH_KINDS] = {
#include "patches.def"
};
const omr_kind omr_stability_kinds[OMR_STABILITY_KINDS] = {
#include "stabilities.def"
};
const omr_kind omr_backend_kinds[OMR_BACKEND_KINDS] = {
#include "backends.def"
};
const omr_kind omr_failure_kinds[OMR_FAILURE_KINDS] = {
#include "failures.def"
};
#undef X

const char *const omr_tracking_names[OMR_TRACKING_KINDS] = {
#define X(id, word, class) #word,
#include "trackings.def"
#undef X
};

bool omr_kind_uses(const omr_kind *kind, int index) {
  for (const int *used = kind->uses; *used >= 0; used++)
    if (*used == index) return true;
  return false;
}

/* Classes of wheels. */
enum { ROLLERS, BARE, SWIVEL };
static const int wheels[OMR_WHEEL_KINDS] = {
#define X(id, word, class, uses, meaning) [OMR_WHEEL_##id] = class,
#include "wheel_kinds.def"
#undef X
};

bool omr_wheel_is_bare(omr_wheel_kind kind) {
  return wheels[kind] != ROLLERS;
}

bool omr_wheel_swivels(omr_wheel_kind kind) {
  return wheels[kind] == SWIVEL;
}

/* Classes of laws. */
enum { FRICTION, ROLLING, RELAXED, MASSLESS, BRISTLE };
static const struct {
  int class, exchanges;
} laws[OMR_LAW_KINDS] = {
#define X(id, name, word, class, exchanges, uses, meaning) {class, exchanges},
#include "laws.def"
#undef X
};

bool omr_law_is_friction(omr_law law) {
  return laws[law].class == FRICTION || laws[law].class == BRISTLE;
}

bool omr_law_is_bristle(omr_law law) {
  return laws[law].class == BRISTLE;
}

bool omr_law_is_massless(omr_law law) {
  return laws[law].class == MASSLESS;
}

bool omr_law_has_impacts(omr_law law) {
  return laws[law].class == ROLLING || laws[law].class == MASSLESS;
}

bool omr_law_is_tyre(omr_law law) {
  return omr_kind_uses(&omr_law_kinds[law], OMR_WP_TYRE_LATERAL);
}

bool omr_law_has_exchanges(omr_law law) {
  return laws[law].exchanges != 0;
}

enum { FIXED, PAIR };
enum { EXPLICIT, PARTED, IMPLICIT };
static const struct {
  int steps, form;
} methods[OMR_METHOD_KINDS] = {
#define X(id, word, steps, form, meaning) {steps, form},
#include "methods.def"
#undef X
};

bool omr_is_pair(omr_method method) {
  return methods[method].steps == PAIR;
}

bool omr_is_implicit(omr_method method) {
  return methods[method].form == IMPLICIT;
}

bool omr_is_explicit(omr_method method) {
  return methods[method].form == EXPLICIT;
}

enum { TORQUE, CONTROL, COMMAND };
static const int drive_classes[OMR_DRIVE_KINDS] = {
#define X(id, word, class, uses, meaning) class,
#include "drives.def"
#undef X
};

bool omr_is_controller(omr_drive drive) {
  return drive_classes[drive] != TORQUE;
}

bool omr_follows_command(omr_drive drive) {
  return drive_classes[drive] == COMMAND;
}

bool omr_is_replay(omr_drive drive) {
  return omr_replays_effort(drive) || drive == OMR_DRIVE_REPLAY_RATE;
}

bool omr_is_rated(omr_drive drive) {
  return drive == OMR_DRIVE_REPLAY_RATE || drive == OMR_DRIVE_RATE;
}

bool omr_replays_effort(omr_drive drive) {
  return drive == OMR_DRIVE_REPLAY_TORQUE || drive == OMR_DRIVE_REPLAY_VOLTAGE ||
         drive == OMR_DRIVE_REPLAY_DUTY;
}

enum { NONE, LEVELS, ROWS, SAMPLE, CELLS, GROUPS, ADAPTIVE };
static const struct {
  int class;
  const char *count;
} designs[OMR_DESIGNS] = {
#define X(id, name, word, class, count, meaning) {class, count},
#include "designs.def"
#undef X
};

const omr_kind omr_design_kinds[OMR_DESIGNS] = {
#define X(id, name, word, class, count, meaning) {word, {-1}, meaning},
#include "designs.def"
#undef X
};

bool omr_design_is_sample(omr_design design) {
  return designs[design].class == SAMPLE;
}

bool omr_design_is_weighed(omr_design design) {
  return designs[design].class == GROUPS || designs[design].class == ADAPTIVE;
}

bool omr_design_is_given(omr_design design) {
  return designs[design].class == NONE;
}

bool omr_design_has_rows(omr_design design) {
  return designs[design].class == ROWS;
}

bool omr_design_has_cells(omr_design design) {
  return designs[design].class == CELLS;
}

bool omr_design_has_levels(omr_design design) {
  return designs[design].class == NONE || designs[design].class == LEVELS;
}

const char *omr_design_count(omr_design design) {
  return designs[design].count;
}
