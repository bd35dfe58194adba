/* What a data sheet says of a brushed motor. */
#ifndef OMR_STUDY_MOTOR_SHEET_H
#define OMR_STUDY_MOTOR_SHEET_H

#include "../study.h"

typedef struct omr_motor_sheet {
  double voltage;         /* V, of all the others */
  double stall_torque;    /* N m */
  double stall_current;   /* A */
  double no_load_speed;   /* rad/s */
  double no_load_current; /* A */
} omr_motor_sheet;

#endif
