/* Compliant contact of a vehicle on the host: depths of its rollers or discs below the floor, its
 * rest position, its energy (appendix/springs.md#springs). */
#ifndef OMR_COMPLIANT_H
#define OMR_COMPLIANT_H

#include "floor.h"

/* Deepest point of a roller along the floor's normal. */
typedef struct omr_deep_point {
  double depth;    /* d below the floor, m; negative above it */
  double place[3]; /* p from the body origin, body axes, m */
  double axis[3];  /* e of the roller, body axes */
  double lever;    /* distance of the point from the roller's axis along up, m */
  double slope[2]; /* slopes of the floor's profile at the point, by the world's x and z */
} omr_deep_point;

/* Platform over the floor: height of the body origin [m], pitch and roll [rad]. */
typedef struct omr_attitude {
  double height, pitch, roll;
} omr_attitude;

/* Place of the vehicle on the floor: body origin and yaw. */
typedef struct omr_stance {
  omr_attitude attitude;
  double x, z, yaw;
} omr_stance;

/* Motion at the start, in body axes. */
typedef struct omr_start {
  omr_attitude attitude;
  double velocity[3], rate[3];   /* of the body origin, m/s; angular, rad/s */
  double travel[OMR_MAX_WHEELS]; /* of wheels into their suspension, m */
  int loaded;                    /* sum of 2^i over the wheels on the floor */
} omr_start;

/* The world's up in body axes. */
void omr_up_of(const omr_attitude *at, double up[3]);

/* Turns level axes along the heading into body axes; turns the world's axes into level ones. */
void omr_in_body(const omr_attitude *at, const double level[3], double out[3]);
void omr_to_level(double yaw, const double world[3], double level[3]);

/* Turns the columns of a wheel on a fork to the fork's angle: axle, and the wheel's centre, which
 * trails behind the swivel axis. Leaves those of any other wheel. */
void omr_turn_fork(omr_wheel_kind kind, double angle, double w[W_COUNT]);

/* Deepest point of the roller at angle q from straight down in the row at `row` [m] along the axle,
 * for a wheel with the folded parameters w. */
omr_deep_point omr_deepest(const double w[W_COUNT], double q, double row, const double up[3],
                           double height);

/* Whether the wheel is a disc, which is one roller without neighbours. */
bool omr_is_disc_contact(const double w[W_COUNT]);
/* Angle from a roller to the next, rad; 0 of a bare wheel. */
double omr_pitch_of(const double w[W_COUNT]);
/* Leaves the nearest contact alone where only that one touches, and presses a tracking wheel's down
 * by its preload. */
void omr_leave_one(const double w[W_COUNT], omr_deep_point three[3]);

/* The three rollers of a wheel that can carry load: the active one, the one before and the one
 * after. q, row: of the active one. */
void omr_deepest_three(const double w[W_COUNT], double q, double row, const double up[3],
                       double height, omr_deep_point three[3]);

/* The same on a floor, for a wheel with the travel u. Where the floor has a profile, a roller's
 * normal is the profile's, as in kernels/compliant/compliant_contact.h, and depths are vertical
 * gaps. */
void omr_deepest_on_floor(const omr_floor *floor, const omr_stance *stance, const double w[W_COUNT],
                          double q, double row, double travel, omr_deep_point three[3]);

/* Raises the points with the wheel by its travel u into the suspension, along the body's vertical.
 */
void omr_raise_three(double travel, const double up[3], omr_deep_point three[3]);

/* Force of a contact's spring [N] at the penetration d, its slope [N/m] and its energy [J]; 0 above
 * the floor. hertz: K_HERTZ. */
typedef struct omr_spring {
  double force, slope, energy;
} omr_spring;
omr_spring omr_spring_at(double stiffness, bool hertz, double depth);

/* Folds the columns of compliant contact: inertias into v, springs and ends of rollers into w.
 * False with a reason where the platform's inertias are too small for its wheels. */
bool omr_fold_compliant(const omr_study *study, const omr_values *values,
                        const omr_vehicle_body *body, double v[P_COUNT], double w[][W_COUNT],
                        char *reason, size_t size);

/* The start of an instance whose parameters are folded; also fills in the preloads of its
 * suspension that the study leaves open. False with a reason where it needs a rest on its wheels
 * and has none. */
bool omr_compliant_start(const omr_study *study, const omr_values *values,
                         const omr_vehicle_body *body, omr_batch *batch, size_t slot,
                         omr_start *start, char *reason, size_t size);

/* Kinetic energy of the platform with its wheels' masses, plus the energy of weight (0 where
 * unloaded wheels just touch the floor) and springs [J], without the wheels' turning and the
 * rollers' spins. */
double omr_compliant_energy(const omr_run_settings *settings, const omr_batch *batch, size_t slot);

/* Spin of a roller [rad/s] that turns with its wheel: the component of the wheel's angular velocity
 * along its axis. */
double omr_carried_spin(const omr_wheel_body *w, const omr_start *start, double q, double rate);

/* Sets the spins of the rollers that stand on the floor for least slip, starting from the spins
 * with which the wheel carries them: the active roller, and its neighbours where they reach the
 * floor. q, row: of the active one. False where the active roller stands on a pointed tip, which
 * cannot roll. */
bool omr_roll_rollers(const double w[W_COUNT], const omr_start *start, double q, double row,
                      double rate, double *const spins[3]);

#endif
