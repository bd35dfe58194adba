/* Steps of omr_prepare_instance, private to host/model. */
#ifndef OMR_FOLD_H
#define OMR_FOLD_H

#include "prepare.h"
#include "roller.h"

#include "../../kernels/layout.h"

/* One wheel with its roller shape, mass and place; SI. */
typedef struct omr_wheel_body {
  omr_roller roller;
  omr_roller_mass mass; /* of one roller */
  double a, b, delta;   /* as built: nominal + error */
  double nominal_a, nominal_b, nominal_delta,
      nominal_radius; /* the values that controller and odometry use */
  double cos_delta, sin_delta;
  double total_mass;    /* disc and rollers */
  double axial_inertia; /* J_chi without rotor */
  double yaw_inertia;   /* J_dd */
  double trail;         /* of a caster's wheel behind its swivel axis, which is at (a, b) */
  bool swivels;
  double level, spread; /* then moment of inertia of fork and wheel about the rolling direction, and
                           what they have more of it about the axle, kg m2 */
} omr_wheel_body;

typedef struct omr_vehicle_body {
  int wheels;
  omr_wheel_body wheel[OMR_MAX_WHEELS];
} omr_vehicle_body;

/* Where a wheel stands: its centre, the sine and cosine of its axis's angle, its radius. */
typedef struct omr_stand {
  double x, z, sine, cosine, radius;
} omr_stand;

/* Rate of a wheel per vx, vz and yaw rate of the body: a massless roller forbids slip along cos psi
 * i + sin psi k, so that chi' = -[V.i + omega r.k + tan psi (V.k - omega r.i)]/R
 * (appendix/drives.md#drives). */
void omr_ideal_rates(const omr_stand *at, double tan_psi, double rate[3]);

/* Contact angle of a bare wheel's edge, which it never comes to, rad; finite in single precision.
 */
#define NO_EDGE 1e30

/* Column access of one slot. */
static inline double *omr_spin_at(const omr_run_settings *settings, const omr_batch *batch,
                                  size_t slot, int column) {
  size_t columns = (size_t)settings->spin_columns;
  return batch->spins + (slot / OMR_PAD * columns + (size_t)column) * OMR_PAD + slot % OMR_PAD;
}

static inline double *omr_at(double *columns, const omr_batch *batch, size_t slot, int column) {
  return columns + (size_t)column * batch->stride + slot;
}

/* Whether a value lies within the bounds of a parameter, of a wheel or, with wheel -1, of the
 * vehicle. The reason is given in the frame of the study. */
bool omr_check_bounds(omr_frame_kind frame, int index, double value, int wheel, char *reason,
                      size_t size);

/* Places, shapes and masses of the wheels; false with a reason where the values make no vehicle. */
bool omr_build_body(const omr_study *study, const omr_values *values, omr_vehicle_body *body,
                    char *reason, size_t size);

/* disc.c: a disc_vehicle's wheels. omr_bare_disc builds a wheel without rollers. omr_paint_disc,
 * called after the masses are added up, replaces any rollers by a single one of no mass and no
 * thickness, a full turn long, that keeps the direction of their axis. */
bool omr_bare_disc(const double *values, int wheel, omr_wheel_body *w, char *reason, size_t size);
void omr_paint_disc(omr_wheel_body *w);
/* Columns of a painted disc that differ from the columns of rollers. */
void omr_fold_disc(const omr_study *study, const double *values, double place[W_COUNT]);
/* Columns of the law of a tyre. */
void omr_fold_tyre(const double *values, double place[W_COUNT]);
/* The same on compliant contact, after its own columns are folded. */
void omr_fold_compliant_disc(double place[W_COUNT]);
/* Spins of the initial state: 0, or heave and its rate (kernels/motion.h). */
void omr_set_heave(const omr_study *study, const omr_values *values, omr_batch *batch, size_t slot);
/* Energy of heave: kinetic, of the weight and of the springs [J]. */
double omr_heave_energy(const omr_run_settings *settings, const omr_batch *batch, size_t slot);

/* Most passes of an instance that takes `substeps` steps for each of the study's; 0 for any number
 * (integrator.budget). */
double omr_pass_limit(const omr_study *study, int substeps);

/* odometry.c: columns of the odometry, from the folded ideal kinematics of the wheels. */
void omr_fold_odometry(const omr_study *study, const double *values, const omr_vehicle_body *body,
                       double place[][W_COUNT], double v[P_COUNT]);

/* fold_motor.c: columns of a wheel's brushed motor, and of a controller of its voltage or duty. */
void omr_fold_motor(const omr_study *study, const double *values, int wheel, double place[W_COUNT]);

/* limits.c: the largest torque or voltage of a drive without a controller, from its folded
 * W_TORQUE. */
double omr_largest_given(const omr_study *study, int wheel, const double place[W_COUNT]);

/* limits.c: columns of speeds and rates that no motion of the instance reaches, from the folded
 * wheels. */
void omr_fold_limits(const omr_study *study, const omr_values *values, int wheels,
                     double place[][W_COUNT], double v[P_COUNT]);

/* Folded parameter columns. */
bool omr_fold_parameters(const omr_study *study, const omr_values *values,
                         const omr_vehicle_body *body, omr_batch *batch, size_t slot, char *reason,
                         size_t size);

/* Initial state and spin columns. */
bool omr_set_initial(const omr_study *study, const omr_run_settings *settings,
                     const omr_values *values, const omr_vehicle_body *body, omr_batch *batch,
                     size_t slot, char *reason, size_t size);

/* Bits of the setting DRY (kernels/settings_layout.h). */
int omr_dry_bits(const omr_study *study);
/* Folded dry friction of a wheel with the parameters v. share_of_weight: the load where the study
 * gives no reference load, N. */
void omr_fold_dry(const double *v, double share_of_weight, double place[W_COUNT]);

#endif
