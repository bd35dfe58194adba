/* Brushed motors of the wheels and the supply that feeds them
 * (appendix/drives.md#drives), in quantities of the rotor. */
#ifndef OMR_REFERENCE_OMNI_SUPPLY_H
#define OMR_REFERENCE_OMNI_SUPPLY_H

#include "study/study.h"

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

#endif
