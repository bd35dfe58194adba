/* Compliant contact of a vehicle on the host: where its rollers or discs reach below the floor, how
 * it rests, and what its energy is (PHYSICS.md#18-vertical-dynamics). */
#ifndef OMR_COMPLIANT_H
#define OMR_COMPLIANT_H

#include "floor.h"

/* Deepest point of a roller along the floor's normal. */
typedef struct omr_deep_point {
  double depth;    /* d below the floor, m; below 0 it is above */
  double place[3]; /* p from the body origin, body axes, m */
  double axis[3];  /* e of the roller, body axes */
  double lever;    /* from the roller's axis to the point: along the axis, and so much along up */
  double slope[2]; /* of a floor's profile there, by the world's x and z */
} omr_deep_point;

/* Platform over the floor: height of the body origin [m], pitch and roll [rad]. */
typedef struct omr_attitude {
  double height, pitch, roll;
} omr_attitude;

/* Where it stands on the floor: place of the body origin, and yaw. */
typedef struct omr_stance {
  omr_attitude attitude;
  double x, z, yaw;
} omr_stance;

/* How it moves at the start, in body axes. */
typedef struct omr_start {
  omr_attitude attitude;
  double velocity[3], rate[3];   /* of the body origin, m/s; angular, rad/s */
  double travel[OMR_MAX_WHEELS]; /* of wheels into their suspension, m */
  int loaded;                    /* sum of 2^i over the wheels on the floor */
} omr_start;

/* The world's up in body axes. */
void omr_up_of(const omr_attitude *at, double up[3]);

/* From level axes that point where the body does into those of the body; from the world's into such
 * level ones. */
void omr_in_body(const omr_attitude *at, const double level[3], double out[3]);
void omr_to_level(double yaw, const double world[3], double level[3]);

/* The roller at angle q from straight down in the row at `row` [m] along the axle, of a wheel with
 * the folded parameters w. */
omr_deep_point omr_deepest(const double w[W_COUNT], double q, double row, const double up[3],
                           double height);

/* Whether the wheel is a disc, all of which is one roller: it has no neighbours. */
bool omr_is_disc_contact(const double w[W_COUNT]);

/* The three rollers of a wheel that may carry: the active one, that before and that after it. q,
 * row: of the active one. */
void omr_deepest_three(const double w[W_COUNT], double q, double row, const double up[3],
                       double height, omr_deep_point three[3]);

/* The same on a floor, of a wheel with the travel u: where a roller's normal is that of the
 * profile, by kernels/compliant_contact.h. Depths are vertical gaps where the floor has a
 * profile. */
void omr_deepest_on_floor(const omr_floor *floor, const omr_stance *stance, const double w[W_COUNT],
                          double q, double row, double travel, omr_deep_point three[3]);

/* Moves them up with the wheel by its travel u into the suspension, along the body's vertical. */
void omr_raise_three(double travel, const double up[3], omr_deep_point three[3]);

/* Force of a contact's spring [N] at the penetration d, its slope [N/m] and its energy [J]; 0 above
 * the floor. hertz: K_HERTZ. */
typedef struct omr_spring {
  double force, slope, energy;
} omr_spring;
omr_spring omr_spring_at(double stiffness, bool hertz, double depth);

/* Columns of compliant contact: inertias into v, springs and ends of rollers into w. False with a
 * reason where the platform's inertias are too small for its wheels. */
bool omr_fold_compliant(const omr_study *study, const omr_values *values,
                        const omr_vehicle_body *body, double v[P_COUNT], double w[][W_COUNT],
                        char *reason, size_t size);

/* The start of an instance whose parameters are folded; preloads of its suspension that the study
 * does not give are put into them. False with a reason where it has no rest on
 * its wheels and needs one. */
bool omr_compliant_start(const omr_study *study, const omr_values *values,
                         const omr_vehicle_body *body, omr_batch *batch, size_t slot,
                         omr_start *start, char *reason, size_t size);

/* Kinetic energy of the platform with its wheels' masses, and the energy of weight (0 where
 * unloaded wheels just touch the floor) and springs [J]; the wheels' own turn and the rollers'
 * spins come on top. */
double omr_compliant_energy(const omr_run_settings *settings, const omr_batch *batch, size_t slot);

/* Spin of a roller [rad/s] that turns with its wheel: the part along its axis of the wheel's
 * angular velocity. */
double omr_carried_spin(const omr_wheel_body *w, const omr_start *start, double q, double rate);

/* Gives the rollers of a wheel that stand on the floor the spins that leave the least slip, from
 * those that they are carried with: of the active one, and of that before and that after it where
 * they reach the floor. q, row: of the active one. False where that is a pointed tip, which cannot
 * roll. */
bool omr_roll_rollers(const double w[W_COUNT], const omr_start *start, double q, double row,
                      double rate, double *const spins[3]);

#endif
