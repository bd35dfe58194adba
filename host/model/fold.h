/* Steps of omr_prepare_instance, private to host/model. */
#ifndef OMR_FOLD_H
#define OMR_FOLD_H

#include "prepare.h"
#include "roller.h"

#include "../../kernels/layout.h"

/* One wheel with its roller shape, mass and place; SI. */
typedef struct omr_wheel_body {
  omr_roller roller;
  omr_roller_mass mass;                                       /* of one roller */
  double a, b, delta;                                         /* as built: nominal + error */
  double nominal_a, nominal_b, nominal_delta, nominal_radius; /* as controller and odometry know it */
  double cos_delta, sin_delta;
  double total_mass;    /* disc and rollers */
  double axial_inertia; /* J_chi without rotor */
  double yaw_inertia;   /* J_dd */
} omr_wheel_body;

typedef struct omr_vehicle_body {
  int wheels;
  omr_wheel_body wheel[OMR_MAX_WHEELS];
} omr_vehicle_body;

/* Column access of one slot. */
static inline double *omr_at(double *columns, const omr_batch *batch, size_t slot, int column) {
  return columns + (size_t)column * batch->stride + slot;
}

/* Whether a value lies within the parameter's bounds; wheel -1 for a parameter of no wheel. */
bool omr_check_bounds(const omr_parameter *p, double value, int wheel, char *reason, size_t size);

/* Places, shapes and masses of the wheels; false with a reason where there is no such vehicle. */
bool omr_build_body(const omr_study *study, const omr_values *values, omr_vehicle_body *body, char *reason, size_t size);

/* Folded parameter columns. */
bool omr_fold_parameters(const omr_study *study, const omr_values *values, const omr_vehicle_body *body, omr_batch *batch,
                         size_t slot, char *reason, size_t size);

/* Initial state and spin columns. */
bool omr_set_initial(const omr_study *study, const omr_run_settings *settings, const omr_values *values,
                     const omr_vehicle_body *body, omr_batch *batch, size_t slot, char *reason, size_t size);

#endif
