/* The commanded velocity of a vehicle, and the controllers that follow it. */
#ifndef OMR_REFERENCE_OMNI_CONTROL_H
#define OMR_REFERENCE_OMNI_CONTROL_H

#include "omni_drive.h"

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
