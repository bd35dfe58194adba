/* Every observable, listed once.  X(ENUM, "name", "unit", group, "meaning")
 * group: 0 always computed, else the bit of the kernel's observer that it needs (kernels/layout.h);
 * the models that have it (OMR_FOR_ of host/model/parameters.h), none for the omni models alone;
 * OMR_ON_DEMAND. */
#ifndef OMR_OBSERVABLES_H
#define OMR_OBSERVABLES_H

#include "../model/parameters.h"
#include <stdbool.h>
#include <stdint.h>

#define OMR_OBSERVER_COMMAND 1   /* commanded pose */
#define OMR_OBSERVER_ODOMETRY 2  /* pose from the wheel angles */
#define OMR_OBSERVER_VIBRATION 4 /* accelerations */
#define OMR_OBSERVER_TRACK 8     /* distance across the commanded path; needs the commanded pose */
#define OMR_OBSERVER_RATIO 16    /* contact force over its limit */
#define OMR_OBSERVER_MOTORS 32   /* drives: work by sign, torques, power */
#define OMR_OBSERVER_BEARINGS 64 /* losses in bearings */
#define OMR_OBSERVER_SLIP 128    /* extremes at dense output (kernels/extremes.h): slip ... */
#define OMR_OBSERVER_LOADS (1 << 17) /* ... loads and servo torque */
#define OMR_OBSERVER_ALL (0xff | OMR_OBSERVER_LOADS)
#define OMR_FOR_OMNI_AND_UK (OMR_FOR_OMNI | OMR_FOR_UK_WHEEL)
#define OMR_ON_DEMAND                                                                              \
  (1 << 16) /* off unless the study names it: in output.observables, or in a criterion or a stop   \
               rule */
#define OMR_OF_MOTORS (OMR_OBSERVER_MOTORS | OMR_ON_DEMAND)

/* clang-format off */
#define OMR_OBSERVABLES(X)                                                                                                    \
  X(FINAL_X, "final_x", "m", OMR_FOR_OMNI_AND_UK | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "world x of the body origin at the end")                                                      \
  X(FINAL_Z, "final_z", "m", OMR_FOR_OMNI | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "world z of the body origin at the end")                                                      \
  X(FINAL_YAW, "final_yaw", "rad", OMR_FOR_OMNI | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "yaw angle at the end, full turns included")                                            \
  X(FINAL_VX, "final_vx", "m s-1", OMR_FOR_OMNI_AND_UK | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "forward velocity of the body origin at the end, body axes")                            \
  X(FINAL_VZ, "final_vz", "m s-1", OMR_FOR_OMNI | OMR_FOR_SNAKEBOARD, "velocity of the body origin to the right at the end, body axes")                       \
  X(FINAL_YAW_RATE, "final_yaw_rate", "rad s-1", OMR_FOR_OMNI | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "yaw rate at the end")                                                    \
  X(PATH_LENGTH, "path_length", "m", OMR_FOR_OMNI | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "length of the path of the body origin")                                              \
  X(DEVIATION, "deviation", "m", OMR_OBSERVER_COMMAND, "distance to the commanded position at the end; fill value without command") \
  X(MAX_DEVIATION, "max_deviation", "m", OMR_OBSERVER_COMMAND, "largest distance to the commanded position; fill value without command") \
  X(MAX_CROSS_TRACK, "max_cross_track", "m", OMR_OBSERVER_COMMAND | OMR_OBSERVER_TRACK, "largest distance to the commanded path, across the direction in which the command travels, at step starts and at the end; fill value without command") \
  X(YAW_DEVIATION, "yaw_deviation", "rad", OMR_OBSERVER_COMMAND, "yaw minus commanded yaw at the end; fill value without command") \
  X(ODOMETRY_ERROR, "odometry_error", "m", OMR_OBSERVER_ODOMETRY, "distance of the pose from wheel angles by ideal kinematics to the true one at the end") \
  X(ODOMETRY_YAW_ERROR, "odometry_yaw_error", "rad", OMR_OBSERVER_ODOMETRY, "yaw from wheel angles minus true yaw at the end") \
  X(VIBRATION_RMS, "vibration_rms", "m s-2", OMR_OBSERVER_VIBRATION, "rms of the horizontal acceleration of the body origin less the commanded one (without command: less its mean)") \
  X(VIBRATION_PEAK, "vibration_peak", "m s-2", OMR_OBSERVER_VIBRATION, "largest horizontal acceleration of the body origin less the commanded one (without command: as it is), at dense output") \
  X(VIBRATION_EXCHANGE, "vibration_exchange", "m s-2", OMR_OBSERVER_VIBRATION, "amplitude of that acceleration in step with the roller exchanges (phase n chi), largest over the wheels") \
  X(MAX_SLIP, "max_slip", "m s-1", OMR_OBSERVER_SLIP | OMR_FOR_OMNI_AND_UK | OMR_FOR_ROLLING_DISC, "largest slip speed of any contact, at dense output")                                      \
  X(DISSIPATED_ENERGY, "dissipated_energy", "J", OMR_FOR_OMNI_AND_UK | OMR_FOR_ROLLING_DISC, "energy lost to contact and bearing friction")                            \
  X(DRIVE_WORK, "drive_work", "J", OMR_FOR_OMNI_AND_UK | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "work of the drive torques")                                                            \
  X(ENERGY_ERROR, "energy_error", "1", OMR_FOR_OMNI_AND_UK | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "kinetic energy gained + dissipated + impact loss - drive work, over the largest of these and the initial energy; rolling_disc, wheelset: with gravity and contact spring") \
  X(IMPACT_LOSS, "impact_loss", "J", 0, "energy lost in tangential impacts at the start and at roller exchanges")              \
  X(MAX_FORCE_RATIO, "max_force_ratio", "1", OMR_OBSERVER_RATIO, "largest contact force over its friction limit, F/(mu N), of any wheel, wherever loads are looked at") \
  X(MIN_WEIGHT, "min_weight", "1", OMR_FOR_OMNI_AND_UK, "udwadia_kalaba, uk_wheel: smallest relaxation weight, wherever loads are looked at; 1 rolls, 0 slides; fill value for other laws") \
  X(MIN_LOAD, "min_load", "N", OMR_OBSERVER_LOADS | OMR_FOR_OMNI | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET, "smallest normal load of any wheel, at dense output")                                          \
  X(MAX_LOAD, "max_load", "N", OMR_OBSERVER_LOADS | OMR_FOR_OMNI | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET, "largest normal load of any wheel, at dense output")                                           \
  X(MAX_SERVO_TORQUE, "max_servo_torque", "N m", OMR_OBSERVER_LOADS | OMR_FOR_OMNI | OMR_FOR_SNAKEBOARD, "omni_wheel: largest magnitude of the servo torque that keeps it upright; fill value for vehicles; snakeboard: largest torque of any servo") \
  X(EXCHANGES, "exchanges", "1", 0, "number of roller exchanges of all wheels")                                               \
  X(EDGE_HOLDS, "edge_holds", "1", 0, "number of times that a wheel came to rest on two rollers, at an edge that attracts from both sides") \
  X(FINAL_RATE, "final_rate", "rad s-1", OMR_FOR_UK_WHEEL, "uk_wheel: wheel rate at the end")                                 \
  X(MAX_SPEED, "max_speed", "m s-1", OMR_FOR_UK_WHEEL | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "uk_wheel, rolling_disc, wheelset: largest speed of the wheel centre or the middle of the axle; snakeboard: of the coupler's midpoint")         \
  X(MAX_TRACTION_RATIO, "max_traction_ratio", "1", OMR_FOR_UK_WHEEL, "uk_wheel: largest contact force over the saturation limit mu N_c") \
  X(STOP_TIME, "stop_time", "s", OMR_FOR_UK_WHEEL, "uk_wheel: time from which the speed stays below 1 % of its largest; fill value if it does not") \
  X(BRAKING_DISTANCE, "braking_distance", "m", OMR_FOR_UK_WHEEL, "uk_wheel: way from brake.time to stop_time; fill value without brake or stop") \
  X(MAX_LATERAL_FORCE, "max_lateral_force", "N", OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "wheelset, snakeboard: largest lateral force of the floor on a wheelset, both wheels together") \
  X(DOWNHILL, "downhill", "m", OMR_FOR_WHEELSET, "wheelset: way of the axle's middle down the slope")                           \
  X(DRIFT, "drift", "m", OMR_FOR_WHEELSET, "wheelset: way of the axle's middle across the slope, positive to the left of plane.direction") \
  X(FINAL_HEIGHT, "final_height", "m", OMR_FOR_ROLLING_DISC, "rolling_disc: height of the centre over the plane at the end")    \
  X(FINAL_TILT, "final_tilt", "rad", OMR_FOR_ROLLING_DISC, "rolling_disc: angle of the disc to the plane at the end")           \
  X(FINAL_SPIN, "final_spin", "rad s-1", OMR_FOR_ROLLING_DISC, "rolling_disc: angular velocity about the disc's axis at the end") \
  X(FINAL_SPEED, "final_speed", "m s-1", OMR_FOR_ROLLING_DISC, "rolling_disc: speed of the centre at the end")                  \
  X(MAX_GAP, "max_gap", "m", OMR_FOR_ROLLING_DISC, "rolling_disc: largest height of the disc's lowest point")   \
  X(AIR_TIME, "air_time", "s", OMR_FOR_ROLLING_DISC, "rolling_disc: time without contact")                                      \
  X(LIFT_OFFS, "lift_offs", "1", OMR_FOR_ROLLING_DISC, "rolling_disc: number of times that contact was lost, at step starts")   \
  X(FALL_TIME, "fall_time", "s", OMR_FOR_ROLLING_DISC, "rolling_disc: time when the angle of disc and plane first was below fall_tilt; fill value if never") \
  X(DISTANCE, "distance", "m", OMR_FOR_SNAKEBOARD, "snakeboard: distance of the coupler's midpoint from its start at the end")  \
  X(KINETIC_ENERGY, "kinetic_energy", "J", OMR_FOR_SNAKEBOARD, "snakeboard: kinetic energy at the end, of the prescribed motion too") \
  X(MOTOR_WORK, "motor_work", "J", OMR_OF_MOTORS, "work that the motors do: positive part of each drive's power, integrated") \
  X(REGENERATED_WORK, "regenerated_work", "J", OMR_OF_MOTORS, "work that the motors take up: negative part of each drive's power, integrated, as a positive number; motor_work less this is drive_work") \
  X(ENERGY_PER_METRE, "energy_per_metre", "J m-1", OMR_OF_MOTORS, "motor_work over path_length; fill value where the vehicle has not moved") \
  X(PEAK_POWER, "peak_power", "W", OMR_OF_MOTORS, "largest power of all drives together, at both ends of every pass") \
  X(TORQUE_RMS, "torque_rms", "N m", OMR_OF_MOTORS, "rms over time of the drive torque at the wheel, largest over the wheels") \
  X(TORQUE_PEAK, "torque_peak", "N m", OMR_OF_MOTORS, "largest magnitude of the drive torque of any wheel, at both ends of every pass") \
  X(ENERGY_LOST, "energy_lost", "J", OMR_FOR_OMNI_AND_UK | OMR_FOR_ROLLING_DISC | OMR_ON_DEMAND, "energy lost, by balance: drive work less the energy gained; hardly depends on the step, as dissipated_energy does") \
  X(CONTACT_LOSS, "contact_loss", "J", OMR_OBSERVER_BEARINGS | OMR_ON_DEMAND, "part of it lost in the contacts: energy_lost less bearing_loss and impact_loss") \
  X(BEARING_LOSS, "bearing_loss", "J", OMR_OBSERVER_BEARINGS | OMR_ON_DEMAND, "part of it lost in the bearings of axles and rollers") \
  OMR_WHEEL_OBSERVABLES(X, TORQUE_RMS, "torque_rms", "N m", "rms over time of the drive torque of wheel ") \
  OMR_WHEEL_OBSERVABLES(X, TORQUE_PEAK, "torque_peak", "N m", "largest magnitude of the drive torque of wheel ")

/* One observable per wheel, of the wheels that the vehicle has. */
#define OMR_WHEEL_OBSERVABLES(X, ID, NAME, UNIT, MEANING)                                                                     \
  OMR_WHEEL_OBSERVABLE(X, 0, ID, NAME, UNIT, MEANING) OMR_WHEEL_OBSERVABLE(X, 1, ID, NAME, UNIT, MEANING)                     \
  OMR_WHEEL_OBSERVABLE(X, 2, ID, NAME, UNIT, MEANING) OMR_WHEEL_OBSERVABLE(X, 3, ID, NAME, UNIT, MEANING)                     \
  OMR_WHEEL_OBSERVABLE(X, 4, ID, NAME, UNIT, MEANING) OMR_WHEEL_OBSERVABLE(X, 5, ID, NAME, UNIT, MEANING)                     \
  OMR_WHEEL_OBSERVABLE(X, 6, ID, NAME, UNIT, MEANING) OMR_WHEEL_OBSERVABLE(X, 7, ID, NAME, UNIT, MEANING)
#define OMR_WHEEL_OBSERVABLE(X, N, ID, NAME, UNIT, MEANING) X(WHEEL##N##_##ID, "wheel" #N "_" NAME, UNIT, OMR_OF_MOTORS, MEANING #N)
/* clang-format on */

enum {
#define X(id, ...) OMR_OBS_##id,
  OMR_OBSERVABLES(X)
#undef X
      OMR_OBS_COUNT
};

/* Some of the observables: bit i % 64 of word i / 64 stands for observable i. Zeroed it is empty;
 * copied by value. */
enum { OMR_OBSERVABLE_WORDS = (OMR_OBS_COUNT + 63) / 64 };
typedef struct omr_observable_set {
  uint64_t words[OMR_OBSERVABLE_WORDS];
} omr_observable_set;

static inline bool omr_observable_in(const omr_observable_set *set, int i) {
  return set->words[i / 64] >> (i % 64) & 1;
}

static inline void omr_observable_add(omr_observable_set *set, int i) {
  set->words[i / 64] |= (uint64_t)1 << (i % 64);
}

/* How many there are in the set. */
static inline size_t omr_observables_in(const omr_observable_set *set) {
  size_t count = 0;
  for (int w = 0; w < OMR_OBSERVABLE_WORDS; w++)
    count += (size_t)__builtin_popcountll(set->words[w]);
  return count;
}

typedef struct omr_observable {
  const char *name, *unit;
  int group;
  const char *meaning;
} omr_observable;

extern const omr_observable omr_observables[OMR_OBS_COUNT];

/* clang-format off */
/* X(ENUM, code, "name", "meaning"): what became of an instance; the kernels know the codes. */
#define OMR_INSTANCE_STATUSES(X)                                                                                              \
  X(OK, 0, "ok", "reached the end")                                                                                           \
  X(LIFTED, 1, "wheel_lifted", "a normal load fell below zero: the wheel lifts and the model ends there")                     \
  X(DIVERGED, 2, "diverged", "a state was no longer finite, or faster than anything allows: the step is too long for the friction law, or a controller is unstable")\
  X(OUTSIDE, 3, "outside_model", "the normal loads have no solution (large friction and high centre of mass, Painleve), or a disc lies flat (rolling_disc), or both axles lie along the coupler (snakeboard)")      \
  X(CROWDED, 4, "too_many_exchanges", "more roller exchanges in one step than can be right: the step is too long for the speed") \
  X(INVALID, 5, "invalid_parameters", "the varied values make no vehicle; the instance was not run")                                      \
  X(SPENT, 6, "budget_spent", "more passes than integrator.budget allows: friction that chatters, or too many roller exchanges")
/* clang-format on */

enum {
#define X(id, code, ...) OMR_INSTANCE_##id = code,
  OMR_INSTANCE_STATUSES(X)
#undef X
      OMR_INSTANCE_STATUS_COUNT
};

#endif
