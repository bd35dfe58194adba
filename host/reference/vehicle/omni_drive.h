/* Drive torque of a wheel, and its place in the multibody system. */
#ifndef OMR_REFERENCE_OMNI_DRIVE_H
#define OMR_REFERENCE_OMNI_DRIVE_H

#include "../contact/dry.h"
#include "../multibody/multibody.h"
#include "omni_replay.h"
#include "omni_supply.h"

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

#endif
