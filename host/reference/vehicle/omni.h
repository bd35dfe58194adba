/* The omni wheel on its testbench (source 1) and vehicles on omni wheels (source 2) as multibody
 * systems; private to host/reference. Every roller is a body. The roller in contact of each wheel,
 * and whether it slips faster than the slip speed, are discrete states that events change. */
#ifndef OMR_REFERENCE_OMNI_H
#define OMR_REFERENCE_OMNI_H

#include "../contact/compliant_contact.h"
#include "../contact/dry.h"
#include "../contact/ground.h"
#include "../contact/roller_contact.h"
#include "../multibody/joints.h"
#include "../multibody/multibody.h"
#include "../reference.h"
#include "omni_drive.h"
#include "study/study.h"

/* Loops between the command of a vehicle and the controllers of its wheels: the heading held by a
 * gyro, and limits of the rates that wheels are asked for. */

/* Corrections that a delay may have to wait for. */
enum { OMR_HELD_CORRECTIONS = 16 };

typedef struct omr_omni_hold {
  bool given;
  double inner, period; /* s: of the wheels' controllers, of the loop */
  long every, late; /* samples of the controllers: from one of the loop to the next; its delay */
  double gain, integral_gain, rate_gain;
  double scale, bias, noise; /* of the gyro; rad/s */
  uint64_t seed;
  double wanted, seen; /* headings since the start: asked for, by the gyro; rad */
  double yaw;          /* true one at the last sample, rad */
  double start, until; /* s: time of the last sample, and up to which time `wanted` counts */
  double before, sum;  /* error at the last sample; sum of all errors, rad */
  double correction[OMR_HELD_CORRECTIONS]; /* of the n-th sample, at n modulo their number; rad/s */
} omr_omni_hold;

void omr_heading_read(omr_omni_hold *hold, const omr_study *study, const omr_values *values);
/* The yaw rate to add to the commanded one at sample `number` of the wheels' controllers, which
 * come one after the other from 0; yaw: the true one, full turns included. */
double omr_heading_hold(omr_omni_hold *hold, long number, double commanded, double yaw);

/* Commanded heading less the gyro's at `time`, at or after the last sample. */
double omr_heading_error(const omr_omni_hold *hold, double time, double yaw);

typedef struct omr_omni_asked {
  int wheels;
  bool follows[OMR_MAX_WHEELS]; /* wheels whose controllers follow the command */
  bool given, each;
  double most, step;           /* rad/s; infinite: no limit */
  double last[OMR_MAX_WHEELS]; /* rad/s */
} omr_omni_asked;

void omr_asked_read(omr_omni_asked *limit, const omr_study *study, const omr_values *values);
/* Takes the rates that wheels are asked for [wheels] back to their limits. */
void omr_limit_asked(omr_omni_asked *limit, double *wanted);

/* The loop that follows a path of points, by ways along the whole path. */

/* Where a vehicle is, or believes to be: world place, m, and yaw, rad. */
typedef struct omr_omni_pose {
  double x, z, yaw;
} omr_omni_pose;

typedef struct omr_omni_follow {
  bool given, cross, translate, closed, odometry;
  const omr_table *points; /* ways and places; a closed path has a last leg to the first point */
  double length;           /* of the whole path, m */
  long every;              /* samples of the controllers from one of the loop to the next */
  double period, speed, acceleration, look_ahead, gain, integral_gain, heading_gain;
  double passed, truly; /* way of the nearest point, as the loop sees it and as it is; on a closed
                           path up to its length */
  double now, sum;      /* speed asked for; integral part; m/s */
  double velocity[3];   /* asked for: vx, vz, yaw rate */
  double square, most;  /* sum of squared distances from the path, the largest distance */
  long looks;           /* their number */
  double time;          /* when the end, or the first round, was behind; infinite: not yet */
} omr_omni_follow;

void omr_follow_read(omr_omni_follow *follow, const omr_study *study, const omr_values *values);
/* Sample `number` of the wheels' controllers at time t: vx, vz, yaw rate that they shall follow. */
void omr_follow_path(omr_omni_follow *follow, long number, double t, omr_omni_pose seen,
                     omr_omni_pose is, double velocity[3]);
/* Mean and largest distance from the path, and the time of its end; NaN where there are none. */
void omr_follow_reduce(const omr_omni_follow *follow, double *observables);

/* The external force and torque on the platform, or on the wheel of the testbench, as a constraint
 * without rows: a wrench between the floor and that body. */
typedef struct omr_omni_external {
  omr_mb_constraint base;
  omr_external kind;
  bool world;      /* its components are along world axes */
  bool wheel;      /* on the testbench's wheel, whose axis z defines the body axes */
  bool tilts;      /* body axes are the body's own, and none of them stays vertical */
  double heading;  /* then: direction of that axis in them, rad */
  double value[6]; /* force x, y, z, torque x, y, z: N, N m */
  double factor, frequency, phase; /* 1, Hz, rad */
  const omr_table *table;
  omr_vec arm; /* point of the force, from the body's centre of mass; axes of the platform, on the
                  testbench world axes */
} omr_omni_external;

/* Reads it; kind none adds nothing. */
void omr_omni_external_read(omr_omni_external *external, const omr_study *study,
                            const omr_values *values);
/* Adds it to the body. */
void omr_omni_external_add(omr_mb *mb, omr_omni_external *external, int body);
/* Its power in the state set last, W. */
double omr_omni_external_power(const omr_omni_external *external, const omr_mb *mb);
/* First time after t at which it has a kink; infinite for none. */
double omr_omni_external_stop(const omr_omni_external *external, double t);

/* Edges of rollers lie this far outside, so that the edge just passed is not met again; rad. If
 * wheels may rest at edges, this holds only until the first exchange, and after a rest
 * (omni_switch.c). */
#define OMR_EDGE_MARGIN 1e-12

/* A wheel and its rollers. Bodies: the wheel (z is its axis k, without its rollers), then the
 * rollers (x is their axis e). */
struct omr_omni;
struct omr_vehicle_body;

/* The winding of a motor with inductance: a constraint that exerts nothing, with the current as its
 * own state. */
typedef struct omr_omni_winding {
  omr_mb_constraint base;
  const struct omr_omni *omni;
  int wheel;
} omr_omni_winding;

/* Fork of a caster or swerve wheel, which turns about an upright axis in the platform. Its x axis
 * is the wheel's rolling direction i, its z axis the axle's direction k. */
typedef struct omr_omni_fork {
  int body;                         /* 0: the wheel has none */
  omr_joint axis;                   /* own state: the angle from axis_angle, about up */
  double trail, ahead;              /* of the wheel behind the axis, of the fork's centre, m */
  double bearing;                   /* N m s */
  double stiffness, damping, limit; /* servo, N m/rad, N m s/rad, N m */
  double torque, target;            /* beside the servo's, N m; angle that it holds, rad */
  double x, z, heading, radius;     /* nominal place of the axis, as the controller knows it */
} omr_omni_fork;

typedef struct omr_omni_wheel {
  int number, rollers;
  bool disc;   /* no rollers: the wheel itself is on the floor */
  bool tracks; /* its load is its preload, N */
  double preload;
  omr_omni_fork fork;
  int body, first_roller;      /* bodies; roller j is first_roller + j */
  double place, side, heading; /* (a, b) and delta: wheel centre and direction of the axis on the
                                  platform, m and rad */
  double radius, center, alpha;
  double ideal[3];                     /* wheel rate of ideal kinematics per vx, vz, yaw rate */
  double sideways[3];                  /* slip along the axle over the radius, likewise */
  double axle_bearing, roller_bearing; /* N m s */
  double roller_inertia;               /* of one roller about its axis, kg m2 */
  omr_dry dry;
  bool brakes;           /* its contacts have dry friction */
  omr_joint axle;        /* platform and wheel; its own state is the wheel angle */
  omr_wheel_drive drive; /* torque at the wheel; on the testbench a constraint with the angle */
  omr_omni_winding winding;
  omr_friction friction;
  omr_ground_place place_on_ground;
  omr_joint *bearing;          /* [rollers] */
  omr_roller_contact *contact; /* [rollers]; NULL on compliant contacts */
  /* Compliant contacts (omni_compliant.c), which all carry independently; else NULL and unused. */
  omr_compliant_contact *soft; /* [rollers] */
  omr_compliant_law spring;
  omr_bristle bristle;   /* if the law has bristles */
  int lowest;            /* the lowest roller when it was last looked for */
  bool loaded;           /* by the discrete states of its contacts */
  double weight, demand; /* relaxed constraints: w and rho of the last evaluation */
  int active;            /* roller in contact */
  int edge;              /* +-1: rests on two rollers, the active one at this edge
                            (appendix/rollers.md#exchange); 0: on one */
  int second;            /* the other one, then */
  omr_friction second_friction;
  omr_ground_place second_place;
  double ratio;     /* of the loads that equal springs would give to the two rollers */
  double split;     /* part of a preload on the second one */
  double margin;    /* its edges lie this far outside, rad */
  bool held;        /* law without a state of rest: keeps its roller to the end of the step */
  int last;         /* direction of the last exchange */
  double last_step; /* number of the step of that exchange */
} omr_omni_wheel;

/* Quadratures. */
enum {
  OMR_OMNI_YAW,
  OMR_OMNI_PATH,
  OMR_OMNI_WORK,
  OMR_OMNI_DISSIPATED,
  OMR_OMNI_COMMAND,                         /* x, z, yaw of the commanded pose */
  OMR_OMNI_ODOMETRY = OMR_OMNI_COMMAND + 3, /* x, z, yaw from the wheel rates */
  OMR_OMNI_VIBRATION =
      OMR_OMNI_ODOMETRY + 3, /* residual acceleration: square, forward, to the right */
  OMR_OMNI_QUADRATURES =
      OMR_OMNI_VIBRATION + 3 /* then for each wheel: times cos and sin of n chi, forward, to the
                                right; then the quadratures of omni_motors.c */
};

/* Extremes over the starts of steps. */
typedef struct omr_omni_extremes {
  double slip, ratio, least_load, most_load, servo, deviation, weight, residual, yaw_rate;
  double track[2],
      across; /* the command's last direction of travel (x, z), and the distance across it */
  double power, torque[OMR_MAX_WHEELS];             /* of all drives together; of each */
  double current[OMR_MAX_WHEELS], drawn, least_bus; /* of the motors; of the supply */
  double vertical, least_upright;                   /* acceleration, m/s2; cosine of the tilt */
} omr_omni_extremes;

/* What odometry sees (omni_odometry.c). */
typedef struct omr_omni_odometry {
  bool known; /* its wheels determine the motion, with the gyro if there is one */
  bool gyro;
  double scale, bias;           /* of the gyro; rad/s */
  double by[3][OMR_MAX_WHEELS]; /* vx, vz, yaw rate per wheel rate */
  double by_turn[3];            /* with a gyro: vx, vz per yaw rate, by tyres */
  bool asked, tracked;          /* encoder slips and tracking slips are observed */
  double encoder[OMR_MAX_WHEELS], tracking[OMR_MAX_WHEELS]; /* largest differences, m/s */
} omr_omni_odometry;

/* Slides of a wheel (omni_grip.c). */
typedef struct omr_omni_grip {
  double speed;       /* from which it slides, m/s */
  double time, slip;  /* of the last look; the slip speed is 0 without load */
  double spins_up;    /* there, how fast friction takes slip off the roller, m/s2 */
  double left;        /* slip of the present slide that it could not yet have taken off, m/s */
  double slide, lost; /* time of the present slide, and of all that count, s */
} omr_omni_grip;

/* The last two looks at a smooth stretch of the motion; an event begins another one. */
enum { OMR_OMNI_LOOKS = 2 * OMR_MAX_WHEELS + 4 };
typedef struct omr_omni_stretch {
  int looks;
  double time[2], value[2][OMR_OMNI_LOOKS];
} omr_omni_stretch;

/* Spring and damper between a wheel and its platform, along the platform's own vertical. */
typedef struct omr_omni_suspension {
  double stiffness, damping; /* N/m, N s/m */
  double preload;            /* force with the wheel in its place, N */
  double start;              /* initial travel into the suspension, m */
  double mass;               /* that moves with the wheel in addition to its own, kg */
} omr_omni_suspension;

typedef struct omr_omni {
  const omr_study *study;
  omr_values values;
  omr_reference *reference; /* the assembled instance */
  double weight;            /* N */
  int wheels, platform;     /* platform: body, 0 on the testbench */
  omr_vec com;              /* the platform's centre of mass from the body origin, body axes */
  bool compliant;           /* each roller is a spring, and the platform moves freely */
  omr_omni_suspension suspension[OMR_MAX_WHEELS]; /* stiffness 0: none */
  omr_omni_wheel wheel[OMR_MAX_WHEELS];
  omr_ground_friction ground;
  omr_yaw_loss yaw_loss;
  omr_terrain terrain;
  omr_omni_command command;
  omr_omni_follow follow;
  omr_omni_hold hold;
  omr_omni_asked limit;
  omr_omni_external external;
  omr_supply supply;
  omr_omni_odometry odometry;
  omr_upright servo; /* testbench */
  long exchanges, holds;
  double impact_loss, initial_energy, initial_kinetic; /* J */
  long liftings; /* times that a loaded wheel left the floor */
  omr_omni_extremes extremes;
  omr_omni_grip grip[OMR_MAX_WHEELS];
  omr_omni_stretch stretch;
  bool observed;        /* step starts are looked at */
  bool looks_at_motors; /* the study observes them */
  bool looks_at_grip;
} omr_omni;

/* Motion of the body origin in body axes; components that a level platform lacks are 0. */
typedef struct omr_omni_motion {
  double x, z, vx, vz, yaw_rate; /* world position; body axes */
  double ax, az, yaw_acceleration;
  double speed, heading_rate;     /* level speed, rate of the yaw angle */
  double height, vy, pitch, roll; /* height over the floor; along the body's own up; rad */
  double upright, vertical;       /* cosine of the tilt; acceleration straight up */
  double turn_roll, turn_pitch;   /* angular acceleration about the body's own axes */
} omr_omni_motion;

/* Contact of a wheel with the floor. */
typedef struct omr_omni_contact {
  omr_roller_point point;
  omr_vec velocity;              /* of the roller's material point */
  double slip_i, slip_k;         /* m/s */
  double load, force_i, force_k; /* N; of the last evaluation */
  /* Compliant contacts: friction coefficient, and the square of the largest slip of all that carry.
   * Loads and forces are sums over them; point and slip belong to the one with the largest load,
   * and are 0 without load. */
  double friction, most_slip;
  int body; /* the roller of that contact; 0 without load */
} omr_omni_contact;

/* omni_build.c: bodies, joints, contacts in the initial state. False with a reason. */
bool omr_omni_build(omr_omni *omni, omr_mb *mb, omr_reason *why);
/* omni_rolling.c: motion and rates of a study that starts rolling, into omni->values. */
bool omr_omni_roll_off(omr_omni *omni, const struct omr_vehicle_body *body, omr_reason *why);
/* Spins of the rollers in contact if the study starts them rolling; after
 * omr_omni_find_contacts. */
bool omr_omni_start_rolling(omr_omni *omni, omr_mb *mb, omr_reason *why);
/* omni_fork.c */
struct omr_wheel_body;
/* True if a wheel has no rollers, and stands on the floor itself. */
bool omr_omni_is_bare(const omr_study *study, int wheel);
/* Mass of a wheel, with its rollers and its fork, kg. */
double omr_omni_wheel_mass(const omr_omni *omni, const struct omr_wheel_body *from, int wheel);
/* Data of the fork of a wheel that swivels. */
omr_omni_fork omr_omni_read_fork(const omr_omni *omni, const struct omr_wheel_body *from,
                                 int wheel);
/* Law of the joint between platform (A) and fork (B): torque of bearing and servo on A; self is the
 * fork. */
double omr_omni_fork_law(void *self, double t, double angle, double rate);
/* The joint along which a suspension lets the wheel slide: its fork's, else its axle's. */
static inline const omr_joint *omr_omni_track(const omr_omni_wheel *w) {
  return w->fork.body ? &w->fork.axis : &w->axle;
}
/* Steering angle of a wheel with a fork. */
double omr_omni_steer_angle(const omr_omni_wheel *w, const omr_mb *mb);
/* Power of the steering torque, and power lost in the fork's bearing, W; 0 without a fork. */
double omr_omni_steer_power(const omr_omni_wheel *w, const omr_mb *mb);
double omr_omni_fork_loss(const omr_omni_wheel *w, const omr_mb *mb);
/* What the drive of a wheel of type feedback holds from now on, by the commanded velocity. */
void omr_omni_feed_back(omr_omni *omni, const omr_mb *mb, const double velocity[3], int wheel);
/* Sets the servo's target by the commanded vx, vz and yaw rate; the wheel rate that belongs to
 * them. */
double omr_omni_steer(omr_omni_wheel *w, const omr_mb *mb, const double velocity[3]);
/* omni_switch.c */

/* Finds the rollers in contact at the start, and their state there. */
void omr_omni_find_contacts(omr_omni *omni, omr_mb *mb);
/* Place and slip of a contact. */
typedef struct omr_omni_touching {
  omr_vec place;
  double slip_square; /* square of the speed to compare with the slip speed: omr_friction_speed */
} omr_omni_touching;
omr_omni_touching omr_omni_touch(const omr_roller_contact *contact, const omr_mb *mb);
/* Number of the step that contains a time; times of events are accurate to much less than a
 * billionth of a step. */
double omr_omni_step_of(const omr_omni *omni, double t);
/* True if exchanges of rollers cause tangential impacts. */
bool omr_omni_has_impacts(const omr_omni *omni);
void omr_omni_judge_contacts(omr_omni *omni, const omr_mb *mb);
/* The neighbour takes over; direction +1 where q passes +alpha. */
void omr_omni_exchange(omr_omni *omni, omr_omni_wheel *w, omr_mb *mb, int direction);
/* The roller becomes the one in contact. */
void omr_omni_take(omr_omni_wheel *w, omr_mb *mb, int roller);
/* omni_edge.c: wheels that rest on two rollers (appendix/rollers.md#exchange). */
bool omr_omni_may_rest(const omr_omni *omni);
/* Brings a wheel at an edge to rest if the edge attracts from both sides and a bounce takes no
 * longer than a step. */
omr_status omr_omni_try_rest(omr_omni *omni, omr_omni_wheel *w, omr_mb *mb, int side,
                             omr_error *error);
/* Releases wheels whose edge no longer attracts from both sides; `leaving`, if not NULL, in any
 * case. */
omr_status omr_omni_review(omr_omni *omni, omr_mb *mb, omr_omni_wheel *leaving, omr_error *error);
/* Share of the load on the second roller, by the last evaluation. */
double omr_omni_share(const omr_omni_wheel *w, const omr_mb *mb);
bool omr_omni_any_held(const omr_omni *omni);
void omr_omni_set_switches(omr_omni *omni, omr_mb_switches *switches);
/* Evaluates and looks, before an event and, with omr_omni_look_after, after it. */
omr_status omr_omni_look_before(omr_omni *omni, omr_mb *mb, omr_error *error);
omr_status omr_omni_look_after(omr_omni *omni, omr_mb *mb, omr_error *error);
/* omni_loads.c: the wheels that share the weight, and their number; conditions on their loads if
 * they are more than three, and preloads of wheels that rest on two rollers. */
int omr_omni_carriers(const omr_omni *omni, int wheel[OMR_MAX_WHEELS]);
void omr_omni_choose_loads(omr_omni *omni, omr_mb *mb);
/* omni_dry.c: dry friction that depends on the loads. The first function is true if some of it has
 * to be found; the second takes it from the last evaluation, and raises *moved to its change at
 * least. */
bool omr_omni_dry_is_open(omr_omni *omni);
void omr_omni_settle_dry(omr_omni *omni, const omr_mb *mb, double *moved);
/* Power that dry friction of the wheel takes, W. */
omr_dry_power omr_omni_dry_power(const omr_omni_wheel *w, const omr_mb *mb);
/* For a wheel on compliant contacts: the load of the roller's bearings at this load of its contact,
 * and the axle's torque by all its rollers before the direction. self: the wheel. */
omr_dry_contact omr_omni_soft_dry(const void *self, const omr_mb *mb, double load);
double omr_omni_soft_axle(const void *self);
/* Power lost in the bearings of the wheel's rollers. */
double omr_omni_roller_power(const omr_omni_wheel *w, const omr_mb *mb);
/* omni_relaxed.c: law udwadia_kalaba */
void omr_omni_relax(omr_omni *omni, omr_mb *mb);
/* omni_motion.c: in the state set last, accelerations and loads of the last evaluation. */
omr_omni_motion omr_omni_motion_of(const omr_omni *omni, const omr_mb *mb);
omr_omni_contact omr_omni_contact_of(const omr_omni_wheel *w, const omr_mb *mb);
/* The same for the second roller of a wheel that rests on two. */
omr_omni_contact omr_omni_second_of(const omr_omni_wheel *w, const omr_mb *mb);
double omr_omni_wheel_acceleration(const omr_omni_wheel *w, const omr_mb *mb);
double omr_omni_wheel_angle(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb);
double omr_omni_wheel_rate(const omr_omni_wheel *w, const omr_mb *mb);
/* Torque of the drive in the last evaluation; if the rate is prescribed, the torque of the
 * constraint on the wheel, which includes the axle's bearing. */
double omr_omni_drive_torque(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb,
                             double rate);
/* Normal load of a wheel, on both rollers if it rests on two; then friction under the second
 * one. */
double omr_omni_load_of(const omr_omni_wheel *w, const omr_mb *mb);
double omr_omni_friction_under_second(const omr_omni_wheel *w, const omr_mb *mb,
                                      const omr_omni_contact *c);
/* Acceleration of the body origin less the commanded one, body axes. */
void omr_omni_residual(const omr_omni *omni, const omr_mb *mb, double residual[2]);
/* Kinetic energy, energy of gravity and of springs, J. */
double omr_omni_energy(const omr_omni *omni, const omr_mb *mb);
/* Power lost in the bearings of axle and rollers. */
double omr_omni_bearing_power(const omr_omni_wheel *w, const omr_mb *mb);
void omr_omni_add_quadratures(omr_omni *omni, omr_mb *mb);
/* Its place among the quadratures, after all others; if the study has an external force. */
int omr_omni_external_quadrature(const omr_omni *omni);
/* Likewise, of the slips. */
int omr_omni_slip_quadrature(const omr_omni *omni);
/* omni_motors.c. Motors on the supply in the present state: its voltage, its current, and the
 * states of the motors ([wheels]; NULL: not wanted). */
double omr_omni_supply_at(const omr_omni *omni, const omr_mb *mb, double *drawn,
                          omr_brushed_state *states);
/* Only the voltage; self is the omr_omni. */
double omr_omni_bus(const void *self);
/* Adds the winding of the wheel's motor, if it has inductance. */
void omr_omni_add_winding(omr_mb *mb, omr_omni *omni, omr_omni_wheel *w);
/* Quadratures of the motors: their number, 0 if the study has none, and their rates. */
int omr_omni_motor_quadratures(const omr_omni *omni);
void omr_omni_motor_rates(const omr_omni *omni, const omr_mb *mb, double *rate);
/* Takes torques and power of the state into the extremes. */
void omr_omni_look_at_motors(omr_omni *omni, const omr_mb *mb);
/* Observables; after work and impacts are known. */
void omr_omni_reduce_motors(const omr_omni *omni, const omr_mb *mb, double *observables);
/* omni_odometry.c. What odometry sees: begins it, and the velocities vx, vz, yaw rate by it. */
void omr_omni_start_odometry(omr_omni *omni);
void omr_omni_odometry_motion(const omr_omni *omni, const omr_mb *mb, double yaw_rate,
                              double velocity[3]);
/* Differences of wheels' rates to those that controllers are asked for, and to the odometry's: the
 * number of their quadratures, 0 if the study does not observe them; their rates; a look at the
 * largest; the observables, from the quadratures at the end. */
int omr_omni_slip_quadratures(const omr_omni *omni);
void omr_omni_slip_rates(const omr_omni *omni, const omr_mb *mb, const double motion[3],
                         double *rate);
void omr_omni_look_at_slips(omr_omni *omni, const omr_mb *mb, double yaw_rate);
void omr_omni_reduce_slips(const omr_omni *omni, double time, const double *q, double *observables);
/* omni_grip.c. Begins the slides, and takes the evaluated state into them. */
void omr_omni_start_grip(omr_omni *omni);
void omr_omni_look_at_grip(omr_omni *omni, const omr_mb *mb);
/* omni_look.c. Takes the evaluated state into the extremes, and the extremes between it and the two
 * looks before. */
void omr_omni_look(omr_omni *omni, const omr_mb *mb);
/* Begins another stretch of the motion. */
void omr_omni_break(omr_omni *omni);
/* Part of omr_reference_model. */
void omr_omni_observe(omr_reference *reference);
/* omni_sample.c */
double omr_omni_friction_under(const omr_omni_wheel *w, const omr_mb *mb,
                               const omr_omni_contact *c);
/* Distance of the body origin to one of the poses among the quadratures. */
double omr_omni_distance_to(const omr_omni *omni, const omr_mb *mb, int pose);
/* A vehicle leaves the model if a load falls below zero. */
void omr_omni_check_loads(const omr_omni *omni);
/* In the evaluated state: true if the normal loads are the limit of stiff springs below the wheels
 * (omni_balance.c). Also true if that does not apply: for laws without friction, for one wheel, and
 * while a wheel rests on two rollers. */
bool omr_omni_loads_hold(const omr_omni *omni, omr_mb *mb);
/* Parts of omr_reference_model. */
void omr_omni_sample(const omr_reference *reference, double *samples);
void omr_omni_reduce(const omr_reference *reference, double *observables);

/* True if the wheel is a disc without rollers. */
static inline bool omr_omni_is_disc(const omr_omni_wheel *w) {
  return w->disc;
}

static inline omr_roller_contact *omr_omni_active(const omr_omni_wheel *w) {
  return &w->contact[w->active];
}

#endif
