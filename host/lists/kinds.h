/* Words of a study that choose one of several: laws, methods, drives and so on. Numbers are the
 * positions of rows in the lists, and the last one is how many there are; the kernels use the same
 * (kernels/lists.h). */
#ifndef OMR_KINDS_H
#define OMR_KINDS_H

#include <stdbool.h>

/* Laws of tangential contact (appendix/laws.md). */
typedef enum omr_law {
#define X(id, ...) OMR_LAW_##id,
#include "laws.def"
#undef X
  OMR_LAW_KINDS
} omr_law;
/* Methods of integration. */
typedef enum omr_method {
#define X(id, ...) OMR_METHOD_##id,
#include "methods.def"
#undef X
  OMR_METHOD_KINDS
} omr_method;
/* Kinds of drive of a wheel. */
typedef enum omr_drive {
#define X(id, ...) OMR_DRIVE_##id,
#include "drives.def"
#undef X
  OMR_DRIVE_KINDS
} omr_drive;
/* Kinds of wheels. */
typedef enum omr_wheel_kind {
#define X(id, ...) OMR_WHEEL_##id,
#include "wheel_kinds.def"
#undef X
  OMR_WHEEL_KINDS
} omr_wheel_kind;
/* Columns of the matrix of a state feedback; from OMR_FEEDBACK_RATE on they are the wheels'. */
typedef enum omr_feedback_state {
#define X(id, ...) OMR_FEEDBACK_##id,
#include "feedback_states.def"
#undef X
  OMR_FEEDBACK_STATES
} omr_feedback_state;
/* The output of a wheel's drive. */
typedef enum omr_drive_quantity {
#define X(id, ...) OMR_BY_##id,
#include "drive_quantities.def"
#undef X
  OMR_DRIVE_QUANTITIES
} omr_drive_quantity;
/* Kinds of commanded motion. */
typedef enum omr_command {
#define X(id, ...) OMR_COMMAND_##id,
#define PATHS
#include "motions.def"
#undef PATHS
#undef X
  OMR_COMMAND_KINDS
} omr_command;
/* The source of relaxation weights: the demand as in source 5, tanh(rho)/rho, or the study. */
typedef enum omr_weights {
#define X(id, ...) OMR_WEIGHTS_##id,
#include "weights.def"
#undef X
  OMR_WEIGHTS_KINDS
} omr_weights;
/* Spins of the rollers at the start. */
typedef enum omr_spins {
#define X(id, ...) OMR_SPINS_##id,
#include "spins.def"
#undef X
  OMR_SPINS_KINDS
} omr_spins;
/* Variation of friction in time and place. */
typedef enum omr_ground {
#define X(id, ...) OMR_GROUND_##id,
#include "grounds.def"
#undef X
  OMR_GROUND_KINDS
} omr_ground;
/* Kinds of external force and torque. */
typedef enum omr_external {
#define X(id, ...) OMR_EXTERNAL_##id,
#include "externals.def"
#undef X
  OMR_EXTERNAL_KINDS
} omr_external;
/* Shapes of a patch of the ground. */
typedef enum omr_patch {
#define X(id, ...) OMR_PATCH_##id,
#include "patches.def"
#undef X
  OMR_PATCH_KINDS
} omr_patch;
/* The consequence of a step that is too long for the method. */
typedef enum omr_stability {
#define X(id, ...) OMR_STABILITY_##id,
#include "stabilities.def"
#undef X
  OMR_STABILITY_KINDS
} omr_stability;
/* The backend that integrates a study. */
typedef enum omr_backend_kind {
#define X(id, ...) OMR_BACKEND_##id,
#include "backends.def"
#undef X
  OMR_BACKEND_KINDS
} omr_backend_kind;
/* The treatment of an instance that fails. */
typedef enum omr_on_failure {
#define X(id, ...) OMR_FAILURE_##id,
#include "failures.def"
#undef X
  OMR_FAILURE_KINDS
} omr_on_failure;
/* Ways to track the contact point. */
typedef enum omr_tracking {
#define X(id, ...) OMR_TRACKING_##id,
#include "trackings.def"
#undef X
  OMR_TRACKING_KINDS
} omr_tracking;
/* Ways to combine varied values into instances. */
typedef enum omr_design {
#define X(id, ...) OMR_DESIGN_##id,
#include "designs.def"
#undef X
  OMR_DESIGNS
} omr_design;
/* Sources of a varied parameter's values: levels, or a distribution. */
typedef enum omr_draw {
#define X(id, ...) OMR_DRAW_##id,
#include "distributions.def"
#undef X
  OMR_DRAWS
} omr_draw;

/* A word, and the parameters that it uses (OMR_WP_ or OMR_VP_), ended by -1. */
typedef struct omr_kind {
  const char *name;
  int uses[10];
  const char *meaning;
} omr_kind;

extern const omr_kind omr_law_kinds[OMR_LAW_KINDS]; /* uses OMR_WP_ */
extern const omr_kind omr_method_kinds[OMR_METHOD_KINDS];
extern const omr_kind omr_drive_kinds[OMR_DRIVE_KINDS]; /* uses OMR_WP_ */
extern const omr_kind omr_wheel_kinds[OMR_WHEEL_KINDS];
extern const omr_kind omr_drive_quantities[OMR_DRIVE_QUANTITIES];
extern const omr_kind omr_command_kinds[OMR_COMMAND_KINDS]; /* uses OMR_VP_ */
extern const omr_kind omr_weights_kinds[OMR_WEIGHTS_KINDS];
extern const omr_kind omr_spins_kinds[OMR_SPINS_KINDS];
extern const omr_kind omr_ground_kinds[OMR_GROUND_KINDS];     /* uses OMR_VP_ */
extern const omr_kind omr_external_kinds[OMR_EXTERNAL_KINDS]; /* uses OMR_VP_ */
extern const omr_kind omr_patch_kinds[OMR_PATCH_KINDS];       /* uses OMR_VP_ of patch 0 */
extern const omr_kind omr_stability_kinds[OMR_STABILITY_KINDS];
extern const omr_kind omr_backend_kinds[OMR_BACKEND_KINDS];
extern const omr_kind omr_failure_kinds[OMR_FAILURE_KINDS];
extern const char *const omr_tracking_names[OMR_TRACKING_KINDS];

bool omr_kind_uses(const omr_kind *kind, int index);

/* Whether a wheel is a tyre or disc without rollers; whether it turns about an upright axis. */
bool omr_wheel_is_bare(omr_wheel_kind kind);
bool omr_wheel_swivels(omr_wheel_kind kind);

/* Whether forces follow from the slip; otherwise the law is a constraint. */
bool omr_law_is_friction(omr_law law);
/* Whether these forces have states of their own, the deflections of bristles. */
bool omr_law_is_bristle(omr_law law);
/* Whether the law assumes massless rollers. */
bool omr_law_is_massless(omr_law law);
/* Whether the law tolerates no slip: an impact removes the slip at a roller exchange. */
bool omr_law_has_impacts(omr_law law);
/* Whether it is the law of a tyre: for discs, by the slip over the rolling speed. */
bool omr_law_is_tyre(omr_law law);
/* Whether rollers exchange their places under the law. */
bool omr_law_has_exchanges(omr_law law);

/* Whether the method estimates its error, and takes a tolerance instead of a step. */
bool omr_is_pair(omr_method method);
/* Whether the method is linearly implicit in the slip, which requires a law of friction. */
bool omr_is_implicit(omr_method method);
/* Whether the method is explicit, and therefore works for every model. */
bool omr_is_explicit(omr_method method);

extern const omr_kind omr_design_kinds[OMR_DESIGNS];
/* Whether instances are drawn from distributions. */
bool omr_design_is_sample(omr_design design);
/* Whether instances do not count alike: groups, and levels of an adaptive design. */
bool omr_design_is_weighed(omr_design design);
/* Whether a study has it without a design: a study cannot name it. */
bool omr_design_is_given(omr_design design);
/* Whether each instance has a row of values. */
bool omr_design_has_rows(omr_design design);
/* Whether instances are cells, with a sample in each. */
bool omr_design_has_cells(omr_design design);
/* Whether each parameter has levels, which combine. */
bool omr_design_has_levels(omr_design design);
/* The key of its number: "instances", "per_cell", "groups" ... */
const char *omr_design_count(omr_design design);

/* Whether the drive replays a table of a file. */
bool omr_is_replay(omr_drive drive);
/* Drives that prescribe the wheel's rate, by a table or as a constant. */
bool omr_is_rated(omr_drive drive);
/* Whether it replays a torque, a voltage or a duty; the kernels see these as one kind of drive
 * (OMR_DRIVE_REPLAY_TORQUE), since the quantity is a separate setting. */
bool omr_replays_effort(omr_drive drive);
/* Whether a controller makes the torque, sampled every controller_period; one that follows the
 * vehicle's command. */
bool omr_is_controller(omr_drive drive);
bool omr_follows_command(omr_drive drive);

#endif
