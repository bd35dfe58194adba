/* The uniform settings of a run, and the bits of some of them. Read by the kernels and by the host;
 * no code here.
 *
 * X(ENUM, "meaning") */
#ifndef OMR_SETTINGS_LAYOUT_H
#define OMR_SETTINGS_LAYOUT_H

/* clang-format off */
/* Uniform integer settings, an array of int; on a device each is a macro of the same name, see config.h. */
#define OMR_SETTINGS(X)                                                                               \
  X(MODEL, "0: an omni model; else the number of the small model in kernels/small/small_layout.h")          \
  X(OPTION_0, "words of a small model") X(OPTION_1, "") X(OPTION_2, "")                                \
  X(OPTION_3, "") X(OPTION_4, "")                                                                     \
  X(WHEELS, "number of wheels, 0 for small models")                                                   \
  X(MAX_ROLLERS, "largest number of rollers on a wheel")                                              \
  X(SPLIT, "1: steps are split at roller exchanges")                                                  \
  X(METHOD, "method of integration (host/lists/methods.def)")                                                     \
  X(BEARING, "1: some roller has bearing friction")                                                   \
  X(BUDGET, "1: the passes of an instance are counted and limited")                                   \
  X(CONTROLLED, "1: an error estimate chooses the steps (kernels/time/controlled.h)")                      \
  X(STEPPED, "1: a caller steps the batch, and each instance has an end of its own (UNTIL)")           \
  X(CLOCK, "where the settings of the time stand in the tables (kernels/time/pace.h)")                     \
  X(CORNERS, "number of corners of tables")                                                           \
  X(OBSERVERS, "bits of host/lists/observers.def")                                                              \
  X(OBSERVED, "bits of the observables with state columns of their own (kernels/observed.h)")            \
  X(ODO_GYRO, "1: a gyro gives the yaw rate of the odometry")                                             \
  X(COMMAND, "kind of command (host/lists/motions.def)")                                                         \
  X(COMMAND_ROWS, "rows of the command table; of a path: its legs")                                   \
  X(REPLAYS, "1: some drive replays a table of torques; 2: one of wheel rates, or some rate is constant; 3: both (kernels/replay.h)") \
  X(CONTROL, "1: some wheel has a controller")                                                        \
  X(CONTROL_STEPS, "steps per controller period")                                                     \
  X(HEADING, "samples of the controllers to one of the heading's loop; 0: there is none")             \
  X(HEADING_LAG, "whole samples of the loop by which it acts late")                                   \
  X(HEADING_PHASE, "and samples of the controllers beyond them")                                      \
  X(GYRO_NOISE, "1: some gyro is noisy")                                                              \
  X(WAY, "samples of the controllers to one of the loop that follows a path; 0: there is none")       \
  X(WAY_BITS, "bits WAY_...: law, motion, form and pose of that loop")                                \
  X(ASKED_LIMIT, "limit of the rates asked of the controllers: 1 for each wheel, 2 for all together")  \
  X(FEEDBACK, "1: some drive is a state feedback (kernels/time/feedback.h)")                          \
  X(GAINS, "where its matrix starts in the tables: a row of FEEDBACK_RATE + wheels numbers for each wheel") \
  X(LINE, "1: some motor has a torque-speed line")                                                    \
  X(MOTOR, "1: some wheel has a motor that takes current (kernels/motor.h)")                          \
  X(SAG, "1: the supply has an internal resistance")                                                  \
  X(CURRENT_LIMIT, "1: some motor's current is limited")                                              \
  X(INDUCTANCE, "1: some motor's current is a state, which follows its voltage by its inductance")    \
  X(RECOVERS, "1: the supply takes back what motors give")                                            \
  X(BY_0, "what the drive of wheel 0 gives (host/lists/drive_quantities.def), then of the others")    \
  X(BY_1, "") X(BY_2, "") X(BY_3, "") X(BY_4, "") X(BY_5, "") X(BY_6, "") X(BY_7, "")                 \
  X(LAW, "law of contact (host/lists/laws.def)")                                                                  \
  X(TYRE_LAW, "law of the wheels without rollers")                                                     \
  X(CONSTRAINED, "1: the law is a constraint")                                                        \
  X(LINEAR_ZONE, "1: regularised law with a linear zone")                                             \
  X(WEIGHTS, "relaxation weights (host/lists/weights.def)")                                                      \
  X(CONTACT_WISE, "1: relaxation without cross terms")                                                \
  X(WEIGHT_COUPLING, "1: the weights of some wheel are coupled")                                      \
  X(PASSIVE, "1: relaxed constraints do no work on the slip")                                         \
  X(IMPACT, "1: constraints are met by tangential impacts")                                           \
  X(TRACKING, "contact tracking (host/lists/trackings.def), or the number after them: both")                                     \
  X(KINDS, "bits KINDS_...: which kinds of wheels there are besides those with rollers")               \
  X(KIND_0, "kind of wheel 0 (host/lists/wheel_kinds.def), then of the others")                         \
  X(KIND_1, "") X(KIND_2, "") X(KIND_3, "") X(KIND_4, "") X(KIND_5, "") X(KIND_6, "") X(KIND_7, "")    \
  X(CONTACT, "0: rollers, 1: discs without rollers")                                                  \
  X(COMPONENTS, "1: discs, regularised law: each direction of friction saturates by its own slip")      \
  X(PENALTY, "1: discs with penalty normal contact and heave")                                        \
  X(ROLLING_FRICTION, "1: some wheel has rolling friction")                                           \
  X(YAW_LOSS, "1: the vehicle loses yaw on its way (kernels/laws/yaw_loss.h)")                             \
  X(DRY, "bits DRY_...: dry friction of bearings and rolling resistance (kernels/laws/dry.h)")             \
  X(GROUND, "kind of ground (host/lists/grounds.def)")                                                            \
  X(PATCH_0, "shape of patch 0 of the ground (host/lists/patches.def), then of the others")                        \
  X(PATCH_1, "") X(PATCH_2, "") X(PATCH_3, "")                                                        \
  X(EXTERNAL, "kind of external force and torque (host/lists/externals.def)")                          \
  X(EXTERNAL_WORLD, "1: their components are along world axes, 0: body axes")                          \
  X(EXTERNAL_START, "where their table starts in the tables")                                          \
  X(EXTERNAL_ROWS, "rows of their table")                                                              \
  X(DRIVE_0, "kind of drive of wheel 0 (host/lists/drives.def), then of the others")                              \
  X(DRIVE_1, "") X(DRIVE_2, "") X(DRIVE_3, "") X(DRIVE_4, "") X(DRIVE_5, "") X(DRIVE_6, "") X(DRIVE_7, "") \
  X(TABLE_0, "where the drive table of wheel 0 starts in the tables, then of the others")             \
  X(TABLE_1, "") X(TABLE_2, "") X(TABLE_3, "") X(TABLE_4, "") X(TABLE_5, "") X(TABLE_6, "") X(TABLE_7, "") \
  X(ROWS_0, "rows of the drive table of wheel 0, then of the others")                                 \
  X(ROWS_1, "") X(ROWS_2, "") X(ROWS_3, "") X(ROWS_4, "") X(ROWS_5, "") X(ROWS_6, "") X(ROWS_7, "") \
  X(COMPLIANT, "1: rollers on compliant contact, the platform free to heave, pitch and roll") \
  X(HERTZ, "1: its spring is that of Hertz") \
  X(KELVIN_VOIGT, "1: its damper is that of Kelvin and Voigt, 0: of Hunt and Crossley") \
  X(SUSPENSION, "1: its wheels are on springs") \
  X(FLOOR, "bits FLOOR_...: what the floor below compliant contacts is besides a level plane") \
  X(FLOOR_WAVES, "number of its plane waves") \
  X(FLOOR_MAP, "where its map starts in the tables")
/* clang-format on */

enum {
#define X(id, a) K_##id,
  OMR_SETTINGS(X)
#undef X
      K_COUNT
};
/* Bits of the setting KINDS. */
enum {
  KINDS_BARE = 1,    /* a wheel without rollers */
  KINDS_SWIVEL = 2,  /* one that turns about an upright axis: the heading of its axle is a state */
  KINDS_STEERED = 4, /* one that a servo turns */
  KINDS_TRACKED = 8  /* one whose load is given */
};
/* Bits of the setting FLOOR. */
enum {
  FLOOR_SLOPE = 1,   /* gravity leans from the floor's normal */
  FLOOR_PROFILE = 2, /* it has heights, by waves, a step or a map */
  FLOOR_STEP = 4,
  FLOOR_MAP = 8
};
/* Bits of the setting WAY_BITS. */
enum {
  WAY_CROSS = 1,     /* law cross_track; else pure pursuit */
  WAY_TRANSLATE = 2, /* without a yaw rate */
  WAY_CLOSED = 4,
  WAY_ODOMETRY = 8 /* the loop sees the pose of odometry */
};
/* Values of the setting ASKED_LIMIT, the limits of commanded rates. */
enum { ASKED_EACH = 1, ASKED_TOGETHER };
/* Bits of the setting DRY: kinds of dry friction that some wheel has. */
enum {
  DRY_ROLLER = 1,    /* dry friction of roller bearings */
  DRY_AXLE = 2,      /* of axles */
  DRY_RISE = 4,      /* static friction above the kinetic one, of either */
  DRY_ROLLING = 8,   /* rolling resistance */
  DRY_LOADED = 16,   /* a part by the load, of any of them */
  DRY_EXPONENT = 32, /* an exponent of the load other than 1 */
  DRY_DRILLING = 64, /* drilling friction of the contact */
  DRY_FIXED = 128,   /* a constant torque of roller bearings */
  DRY_END = 256,     /* friction of their end faces */
  DRY_AXLE_PIN = 512 /* friction of axles by the load */
};

#endif
