/* Drive torque of a wheel, and its place in the multibody system. */
#ifndef OMR_REFERENCE_OMNI_DRIVE_H
#define OMR_REFERENCE_OMNI_DRIVE_H

#include "../contact/dry.h"
#include "../multibody/multibody.h"
#include "study/study.h"
#include "study/tables/replay.h"

/* A table that a drive or the command replays, at the place of an instance. */
typedef struct omr_replayed {
  const omr_replay *table;
  double offset, scale; /* of its time */
  double within;        /* s: an instant of the present stretch between two stops */
} omr_replayed;

/* Value of a column at the run's time t; *slope (or NULL): its derivative in time. */
double omr_replayed_value(const omr_replayed *replayed, size_t column, double t, double *slope);
/* The first corner after t; infinite for none. */
double omr_replayed_stop(const omr_replayed *replayed, double t);
/* The motion goes on from t: corners are evaluated on that side. */
void omr_replayed_go_on(omr_replayed *replayed, double t);

/* Brushed motors of the wheels and the supply that feeds them
 * (appendix/drives.md#drives), in quantities of the rotor. */
typedef struct omr_brushed {
  omr_drive_quantity by;                            /* OMR_BY_TORQUE: no such motor */
  double resistance, torque_constant, emf_constant; /* ohm, N m/A, V s */
  double friction, friction_rate;                   /* N m and rad/s at the rotor */
  double gear, forward, back;                       /* rotor rate per wheel rate; efficiencies */
  double limit;                                     /* A; infinite for none */
  double inductance;                                /* H; 0: the current follows at once */
  bool coasts;
} omr_brushed;

/* State of a motor at one instant. */
typedef struct omr_brushed_state {
  double voltage, current;            /* of the motor, V and A */
  bool held;                          /* not the voltage that its drive commands */
  double growth;                      /* of a current with inductance, A/s */
  double torque;                      /* at the wheel, N m */
  double heat, gear_loss, electrical; /* W */
} omr_brushed_state;

/* A motor as the supply sees it. */
typedef struct omr_supplied {
  const omr_brushed *motor;
  double asked, rate; /* command of the drive; wheel rate, rad/s */
  double current;     /* of a winding with inductance, A */
} omr_supplied;

typedef struct omr_supply {
  double open, inner; /* V, ohm */
  bool recovers;
} omr_supply;

void omr_brushed_read(omr_brushed *motor, const omr_study *study, const omr_values *values,
                      int wheel);
void omr_supply_read(omr_supply *supply, const omr_study *study, const omr_values *values);
/* State of the motor under the command of its drive, on a supply of voltage `bus`. */
omr_brushed_state omr_brushed_at(const omr_supplied *wheel, double bus);
/* Voltage of the supply with `count` motors on it, and the current that it gives. */
double omr_supply_voltage(const omr_supply *supply, const omr_supplied *wheels, int count,
                          double *current);

typedef struct omr_wheel_drive {
  omr_mb_constraint
      base; /* testbench only: torque between base and wheel about k, own state: wheel angle */
  omr_drive kind;
  double torque, ramp_time, frequency, phase; /* N m, s, Hz, rad */
  const omr_table *table;
  const omr_dry *dry; /* dry friction of the axle; NULL: none */
  /* Axle friction by forces of contacts without multipliers, N m; NULL: none. */
  double (*pressed)(const void *self);
  const void *pressed_self;
  omr_replayed replayed; /* a table that is replayed */
  double bearing;        /* beta_a of the axle, N m s */
  double stall, no_load; /* torque-speed line at the wheel, N m and rad/s; stall infinite: none */
  double speed;          /* controller: rate to hold, rad/s */
  double kp, ki, limit;  /* gains, N m s and N m; largest torque, N m */
  omr_brushed motor;
  double (*bus)(const void *self); /* voltage of the supply in the present state; NULL if no wheel
                                      has such a motor */
  const void *bus_self;
  const omr_mb *mb;
  const omr_mb_constraint *winding; /* its state is the current; NULL: that follows at once */
  double held, integral;            /* torque that the controller holds, its integral part, N m */
} omr_wheel_drive;

/* Reads wheel i's drive; the line of the motor is converted to the wheel. */
void omr_wheel_drive_read(omr_wheel_drive *drive, const omr_study *study, const omr_values *values,
                          int wheel);
/* The command of the drive: a torque at the wheel, a voltage or a duty. */
double omr_wheel_drive_asked(const omr_wheel_drive *drive, double t);
/* True if the rate of the wheel is prescribed: then the constraint gives its torque. */
static inline bool omr_wheel_drive_is_rated(const omr_wheel_drive *drive) {
  return omr_is_rated(drive->kind);
}
/* Acceleration of the wheel against the platform where its rate is prescribed: law of their joint.
 */
double omr_wheel_drive_acceleration(void *self, double t, double angle, double rate);
/* Torque on the wheel about k; for a wheel whose rate is prescribed see omr_omni_drive_torque. */
double omr_wheel_drive_torque(const omr_wheel_drive *drive, double t, double rate);
/* Current of a winding with inductance, A; else 0. */
double omr_wheel_drive_current(const omr_wheel_drive *drive);
/* Torque of the wheel's bearing without a load, about -k. */
double omr_wheel_drive_brake(const omr_wheel_drive *drive, double rate);
/* Law of the joint between platform (A) and wheel (B): torque of drive and bearing on A; self is
 * the drive. */
double omr_wheel_drive_law(void *self, double t, double angle, double rate);
/* First time after t at which the torque has a kink; infinite for none. */
double omr_wheel_drive_stop(const omr_wheel_drive *drive, double t);
/* The motion goes on from t: laws with corners are evaluated on that side. */
void omr_wheel_drive_go_on(omr_wheel_drive *drive, double t);
/* Testbench: drive and bearing act between the base and the wheel, whose axis is z. */
void omr_wheel_drive_add(omr_mb *mb, omr_wheel_drive *drive, const char *name, int wheel,
                         double angle);

/* The commanded velocity of a vehicle, and the controllers that follow it. */

/* Column of a piecewise linear table, constant outside; the first knot after t, infinite for
 * none. */
double omr_table_value(const omr_table *table, size_t column, double t);
double omr_table_slope(const omr_table *table, size_t column, double t); /* after t */
double omr_table_stop(const omr_table *table, double t);

typedef struct omr_omni_command {
  omr_command kind;
  double value[3], ramp_time; /* vx, vz, yaw rate */
  const omr_table *table;
  omr_replayed replayed;
} omr_omni_command;

void omr_omni_command_read(omr_omni_command *command, const omr_study *study,
                           const omr_values *values);
/* Commanded vx, vz (body axes) and yaw rate. */
void omr_omni_command_at(const omr_omni_command *command, double t, double velocity[3]);
/* Acceleration of the body origin that the command demands, body axes: the derivative of vx, vz
 * plus omega j x V. */
void omr_omni_command_acceleration(const omr_omni_command *command, double t,
                                   double acceleration[2]);
double omr_omni_command_stop(const omr_omni_command *command, double t);
void omr_omni_command_go_on(omr_omni_command *command, double t);

/* One sampling of the wheel's PI controller, which holds its torque for the period: torque = kp e +
 * I; I grows by ki e period while the torque stays within its limit. wanted: wheel rate of a drive
 * of type body. */
void omr_wheel_drive_control(omr_wheel_drive *drive, double period, double wanted, double rate);
static inline bool omr_wheel_drive_is_controlled(const omr_wheel_drive *drive) {
  return omr_is_controller(drive->kind);
}

#endif
