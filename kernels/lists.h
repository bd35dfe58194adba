/* Numbers of a study's choices, from host/lists; the host has the same (lists/kinds.h). */

#define X(id, ...) LAW_##id,
enum {
#include "../host/lists/laws.def"
  LAW_END
};
#undef X
#define X(id, ...) METHOD_##id,
enum {
#include "../host/lists/methods.def"
  METHOD_END
};
#undef X
#define X(id, ...) WEIGHTS_##id,
enum {
#include "../host/lists/weights.def"
  WEIGHTS_END
};
#undef X
#define X(id, ...) GROUND_##id,
enum {
#include "../host/lists/grounds.def"
  GROUND_END
};
#undef X
#define X(id, ...) PATCH_##id,
enum {
#include "../host/lists/patches.def"
  PATCH_END
};
#undef X
#define X(id, ...) DRIVE_##id,
enum {
#include "../host/lists/drives.def"
  DRIVE_END
};
#undef X
/* Columns of the matrix of a state feedback; from FEEDBACK_RATE on they are the wheels'. */
#define X(id, ...) FEEDBACK_##id,
enum {
#include "../host/lists/feedback_states.def"
  FEEDBACK_STATES
};
#undef X
#define X(id, ...) WHEEL_##id,
enum {
#include "../host/lists/wheel_kinds.def"
  WHEEL_END
};
#undef X
#define X(id, ...) BY_##id,
enum {
#include "../host/lists/drive_quantities.def"
  BY_END
};
#undef X
#define X(id, ...) COMMAND_##id,
enum {
#include "../host/lists/motions.def"
  COMMAND_END
};
#undef X
#define X(id, ...) EXTERNAL_##id,
enum {
#include "../host/lists/externals.def"
  EXTERNAL_END
};
#undef X
/* Bits of the setting OBSERVERS. */
#define X(id, bit, ...) OBSERVER_##id = 1 << bit,
enum {
#include "../host/lists/observers.def"
  OBSERVER_END
};
#undef X
/* Observables with state columns of their own: bits of the setting OBSERVED. */
#define X(...)
#define COLUMN(...)
#define KEPT(id, ...) KEPT_##id,
enum {
#include "../host/lists/observables.def"
  KEPT_END
};
#undef KEPT
#undef COLUMN
#undef X
/* How an instance ended (column STATUS). */
#define X(id, code, word, meaning) STATUS_##id = code,
enum {
#include "../host/lists/statuses.def"
  STATUS_END
};
#undef X
/* The code in all lanes. */
#define STATUS(id) splat((sreal)STATUS_##id)

/* The contact point by formulas of the contact angle, by vectors (host/lists/trackings.def; others
 * are only of the reference), or by either where instances differ in it: setting TRACKING. */
#define KERNEL(id) TRACKING_##id,
#define REFERENCE(id)
#define X(id, word, class) class(id)
enum {
#include "../host/lists/trackings.def"
  TRACKING_BOTH
};
#undef KERNEL
#undef REFERENCE
#undef X
