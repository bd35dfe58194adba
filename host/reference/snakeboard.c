/* snakeboard on the reference (source 3, section 3.3, fig. 6): two halves of the coupler, a rotor,
 * two rods and four discs, 13 states each. Servos turn rods and rotor against the coupler by
 * prescribed angular accelerations (FixedServoJoint), the rotor against the rear half; the discs
 * roll without slip (Disc_on_Base). Along axles and coupler there are springs and dampers
 * (SpringIdealJoint), or nothing gives way (FixedIdealJoint): then one lateral condition of each
 * wheelset is redundant, and the least norm is taken, unless its right wheel is left to slide on
 * the axle (FreeIdealJoint). The halves may turn against each other about the coupler, as the
 * source's joint lets them: welded, four wheels on the floor are one too many, and the drift of the
 * constraints grows exponentially. */
#include "disc_contact.h"
#include "joints.h"
#include "reference.h"
#include "snakeboard_curve.h"

#include "../../kernels/snakeboard_layout.h" /* words, and the order of the samples */
#include <stdlib.h>

enum { FRONT, REAR, ENDS };
enum { LEFT, RIGHT, SIDES };
enum { Q_YAW, Q_PATH, Q_WORK, Q_LOST, Q_TRAVEL, QUADRATURES }; /* Q_TRAVEL: on a curve */

#define HOLD 0.01 /* below it both axles lie along the coupler, as studies/SMALL_MODELS.md says */
#define FORWARD 1e-3 /* least product of the cosines for a speed along the coupler */

static const omr_vec up = {0, 1, 0}, ahead = {1, 0, 0},
                     axle = {0, 0, 1}; /* in the axes of every body */

/* An angle that a servo prescribes by its second derivative. */
typedef struct swing {
  double amplitude, frequency, phase;
} swing;

static double swing_angle(const swing *g, double t) {
  return g->amplitude * sin(g->frequency * t + g->phase);
}

static double swing_rate(const swing *g, double t) {
  return g->amplitude * g->frequency * cos(g->frequency * t + g->phase);
}

static double swing_acceleration(void *self, double t, double angle, double rate) {
  const swing *g = self;
  (void)angle;
  (void)rate;
  return -g->amplitude * g->frequency * g->frequency * sin(g->frequency * t + g->phase);
}

typedef struct snakeboard snakeboard;

typedef struct wheelset {
  const snakeboard *board;
  int end;
  int rod, wheel[SIDES];
  swing gait;
  bool free;                 /* steering of type free: spring and damper towards the gait */
  double stiffness, damping; /* N m, N m s */
  omr_joint steering, joint[SIDES];
  omr_disc_contact contact[SIDES];
} wheelset;

/* M on the coupler, as FixedControlledJoint has it: the wheelset is pulled to its gait, the coupler
 * the other way. */
static double steering_torque(void *self, double t, double angle, double rate) {
  const wheelset *w = self;
  return -(w->stiffness * (swing_angle(&w->gait, t) - angle) +
           w->damping * (swing_rate(&w->gait, t) - rate));
}

struct snakeboard {
  omr_reference *owner;
  bool follows; /* a curve, and no gaits of the wheelsets */
  omr_snake_curve curve;
  double length, reach; /* midpoint to the wheelsets; to the halves' centres of mass */
  double half_track, radius;
  int half[ENDS], rotor;
  wheelset set[ENDS];
  swing rotor_gait;
  omr_joint coupler, rotor_joint;
  double forward, across, rate; /* velocity at the start */
  omr_vec start;
  double start_energy, most_speed, most_force, most_torque;
};

static double side_of(int end) {
  return end == FRONT ? 1 : -1;
}

/* ---- angles of the wheelsets: the rear one of a board on a curve mirrors the front one */

/* The state has where on the curve the board is, as one of the integrals. */
static omr_snake_bend bend_of(const wheelset *w) {
  const omr_mb *mb = w->board->owner->mb;
  return omr_snake_bend_at(&w->board->curve, w->board->length, omr_mb_quadratures(mb)[Q_TRAVEL]);
}

/* phi = phi(tau), tau' = u/|C'|, so that phi'' = f + g u' with g = phi_tau/|C'|. */
static double bend_gain(void *self, double t) {
  const wheelset *w = self;
  const omr_snake_bend at = bend_of(w);
  (void)t;
  return side_of(w->end) * at.slope / at.pace;
}

static double board_speed(const snakeboard *s) {
  const omr_mb *mb = s->owner->mb;
  return omr_dot(omr_mb_frame(mb, s->rotor)->v,
                 omr_times(&omr_mb_frame(mb, s->half[REAR])->t, ahead));
}

static double bend_acceleration(void *self, double t, double angle, double rate) {
  const wheelset *w = self;
  const omr_snake_bend at = bend_of(w);
  const double pass = board_speed(w->board) / at.pace;
  (void)t;
  (void)angle;
  (void)rate;
  return side_of(w->end) * (at.second - at.slope * at.hurry) * pass * pass;
}

static double start_angle(const snakeboard *s, int end) {
  if (!s->follows) return swing_angle(&s->set[end].gait, 0);
  return side_of(end) * omr_snake_bend_at(&s->curve, s->length, s->curve.start).angle;
}

static double start_rate(const snakeboard *s, int end) {
  if (!s->follows) return swing_rate(&s->set[end].gait, 0);
  const omr_snake_bend at = omr_snake_bend_at(&s->curve, s->length, s->curve.start);
  return side_of(end) * at.slope * s->forward / at.pace;
}

/* ---- bodies in the initial state */

/* Where a body starts: at `along` on the coupler and `aside` on an axle turned by the angle; it
 * turns with the axle at the rate `turning` and by `spin` about it. */
typedef struct start_place {
  double along, aside, angle, turning, spin;
} start_place;

static void put(const snakeboard *s, omr_mb *mb, int body, double yaw, start_place at) {
  double along = at.along, aside = at.aside, angle = at.angle, turning = at.turning;
  double q[4], whole = s->rate + turning;
  omr_vec i = omr_vec_of(cos(yaw), 0, -sin(yaw)), k = omr_vec_of(sin(yaw), 0, cos(yaw));
  omr_vec t = omr_vec_of(cos(yaw + angle), 0, -sin(yaw + angle)),
          n = omr_vec_of(sin(yaw + angle), 0, cos(yaw + angle));
  omr_vec r = omr_axpy(omr_axpy(s->start, along, i), aside, n);
  omr_vec v = omr_axpy(omr_axpy(omr_scale(s->forward, i), s->across - along * s->rate, k),
                       aside * whole, t);
  omr_quaternion(up, yaw + angle, q);
  omr_mb_place(mb, body, r, q, v, omr_axpy(omr_scale(whole, up), at.spin, n));
}

static int add_ball(omr_mb *mb, const char *name, double mass, double inertia) {
  return omr_mb_add_body(mb, name, mass, omr_vec_of(inertia, inertia, inertia));
}

static void add_wheelset(snakeboard *s, omr_mb *mb, const double *v, int end) {
  static const char *const rods[] = {"front rod", "rear rod"};
  static const char *const wheels[][SIDES] = {{"front left wheel", "front right wheel"},
                                              {"rear left wheel", "rear right wheel"}};
  wheelset *w = &s->set[end];
  double scale = v[OMR_VP_SNAKE_SCALE], diametral = v[OMR_VP_SNAKE_DIAMETRAL_INERTIA],
         yaw = v[OMR_VP_INITIAL_YAW];
  double angle = start_angle(s, end), turning = start_rate(s, end),
         along = side_of(end) * s->length;
  double rolling = s->forward * cos(angle) - (s->across - along * s->rate) * sin(angle);
  w->rod = add_ball(mb, rods[end], scale * v[OMR_VP_SNAKE_ROD_MASS], v[OMR_VP_SNAKE_ROD_INERTIA]);
  put(s, mb, w->rod, yaw, (start_place){.along = along, .angle = angle, .turning = turning});
  for (int side = 0; side < SIDES; side++) {
    double aside = side == LEFT ? -s->half_track : s->half_track;
    w->wheel[side] =
        omr_mb_add_body(mb, wheels[end][side], scale * v[OMR_VP_SNAKE_WHEEL_MASS],
                        omr_vec_of(diametral, diametral, scale * v[OMR_VP_SNAKE_AXIAL_INERTIA]));
    double spin = -(rolling + aside * (s->rate + turning)) / s->radius;
    put(s, mb, w->wheel[side], yaw, (start_place){along, aside, angle, turning, spin});
  }
}

/* The halves' centres of mass lie where those of a uniform rod with the coupler's inertia would:
 * J_c = m_c reach^2 4/3. Each then has J_c/8 of its own. */
static void add_bodies(snakeboard *s, omr_mb *mb, const double *v) {
  static const char *const halves[] = {"front half", "rear half"};
  double mass = v[OMR_VP_SNAKE_COUPLER_MASS], inertia = v[OMR_VP_SNAKE_COUPLER_INERTIA],
         yaw = v[OMR_VP_INITIAL_YAW];
  s->reach = sqrt(0.75 * inertia / mass);
  for (int end = 0; end < ENDS; end++) {
    s->half[end] = add_ball(mb, halves[end], 0.5 * mass, inertia / 8);
    put(s, mb, s->half[end], yaw, (start_place){.along = side_of(end) * s->reach});
  }
  s->rotor = add_ball(mb, "rotor", v[OMR_VP_SNAKE_ROTOR_MASS], v[OMR_VP_SNAKE_ROTOR_INERTIA]);
  put(s, mb, s->rotor, yaw,
      (start_place){.angle = swing_angle(&s->rotor_gait, 0),
                    .turning = swing_rate(&s->rotor_gait, 0)});
  for (int end = 0; end < ENDS; end++) add_wheelset(s, mb, v, end);
}

/* ---- joints and contacts */

static void join_wheels(snakeboard *s, omr_mb *mb, const double *v, int end, int joints) {
  static const char *const names[][SIDES] = {{"front left joint", "front right joint"},
                                             {"rear left joint", "rear right joint"}};
  static const char *const contacts[][SIDES] = {{"front left contact", "front right contact"},
                                                {"rear left contact", "rear right contact"}};
  wheelset *w = &s->set[end];
  for (int side = 0; side < SIDES; side++) {
    double aside = side == LEFT ? -s->half_track : s->half_track;
    omr_joint_place place = {
        .a = w->rod, .b = w->wheel[side], .axis = axle, .point_a = omr_scale(aside, axle)};
    omr_disc_place floor = {
        .a = 0, .b = w->wheel[side], .normal = up, .axis = axle, .radius = s->radius};
    if (joints == SNAKE_JOINTS_COMPLIANT)
      omr_spring_ideal_joint(mb, &w->joint[side], names[end][side], place,
                             v[OMR_VP_WSET_JOINT_STIFFNESS], v[OMR_VP_WSET_JOINT_DAMPING]);
    else if (joints == SNAKE_JOINTS_DETERMINATE && side == RIGHT)
      omr_free_ideal_joint(mb, &w->joint[side], names[end][side], place);
    else
      omr_fixed_ideal_joint(mb, &w->joint[side], names[end][side], place);
    omr_disc_on_base(mb, &w->contact[side], contacts[end][side], floor);
  }
}

static void steer(snakeboard *s, omr_mb *mb, int end) {
  static const char *const servos[] = {"front servo", "rear servo"};
  static const char *const steered[] = {"front steering", "rear steering"};
  wheelset *w = &s->set[end];
  const omr_vec place = omr_scale(side_of(end) * (s->length - s->reach), ahead);
  const omr_joint_place steering = {.a = s->half[end], .b = w->rod, .axis = up, .point_a = place};
  const omr_joint_lead lead = {s->rotor, ahead, bend_gain};
  const double angle = start_angle(s, end);
  if (s->follows)
    omr_following_servo_joint(mb, &w->steering, servos[end], steering, angle, bend_acceleration,
                              lead, w);
  else if (w->free)
    omr_fixed_controlled_joint(mb, &w->steering, steered[end], steering, angle, steering_torque, w);
  else
    omr_fixed_servo_joint(mb, &w->steering, servos[end], steering, angle, swing_acceleration,
                          &w->gait);
}

static void add_constraints(snakeboard *s, omr_mb *mb, const double *v, int joints) {
  omr_vec middle = omr_scale(s->reach, ahead);
  omr_joint_place coupler = {s->half[REAR], s->half[FRONT], ahead, middle, omr_neg(middle)};
  omr_joint_place rotor = {.a = s->half[REAR], .b = s->rotor, .axis = up, .point_a = middle};
  if (joints == SNAKE_JOINTS_COMPLIANT)
    omr_spring_ideal_joint(mb, &s->coupler, "coupler", coupler, v[OMR_VP_WSET_JOINT_STIFFNESS],
                           v[OMR_VP_WSET_JOINT_DAMPING]);
  else
    omr_fixed_ideal_joint(mb, &s->coupler, "coupler", coupler);
  omr_fixed_servo_joint(mb, &s->rotor_joint, "rotor servo", rotor, swing_angle(&s->rotor_gait, 0),
                        swing_acceleration, &s->rotor_gait);
  for (int end = 0; end < ENDS; end++) {
    steer(s, mb, end);
    join_wheels(s, mb, v, end, joints);
  }
}

/* ---- energy and quadratures */

/* Torque of a servo on what it turns, and the rate of the angle. */
static double servo(const omr_mb *mb, const omr_joint *joint, double *rate) {
  double force, torque, gap, speed;
  omr_joint_effort(mb, joint, &force, &torque);
  omr_joint_motion(mb, joint, &gap, &speed, rate);
  return -torque;
}

static double spring_energy(const omr_mb *mb, const omr_joint *joint) {
  double gap, speed, rate;
  if (joint->slide != OMR_SLIDE_SPRING) return 0;
  omr_joint_motion(mb, joint, &gap, &speed, &rate);
  return 0.5 * joint->stiffness * gap * gap;
}

static double damper_power(const omr_mb *mb, const omr_joint *joint) {
  double gap, speed, rate;
  if (joint->slide != OMR_SLIDE_SPRING) return 0;
  omr_joint_motion(mb, joint, &gap, &speed, &rate);
  return joint->damping * speed * speed;
}

static double springs(const snakeboard *s, const omr_mb *mb) {
  double sum = spring_energy(mb, &s->coupler);
  for (int i = 0; i < ENDS * SIDES; i++)
    sum += spring_energy(mb, &s->set[i / SIDES].joint[i % SIDES]);
  return sum;
}

static double servo_power(const snakeboard *s, const omr_mb *mb) {
  const omr_joint *const joints[] = {&s->set[FRONT].steering, &s->set[REAR].steering,
                                     &s->rotor_joint};
  double sum = 0, rate;
  for (int i = 0; i < 3; i++) {
    double torque = servo(mb, joints[i], &rate);
    sum += torque * rate;
  }
  return sum;
}

/* The ends of both halves meet at the midpoint, but for the spring between them: their mean. */
static void midpoint(const snakeboard *s, const omr_mb *mb, omr_vec *place, omr_vec *velocity) {
  *place = *velocity = omr_vec_of(0, 0, 0);
  for (int end = 0; end < ENDS; end++) {
    const omr_frame *f = omr_mb_frame(mb, s->half[end]);
    omr_vec arm = omr_scale(-side_of(end) * s->reach, omr_times(&f->t, ahead));
    *place = omr_axpy(*place, 0.5, omr_add(f->r, arm));
    *velocity = omr_axpy(*velocity, 0.5, omr_point_velocity(f, arm));
  }
}

static void quadratures(void *self, const omr_mb *mb, double *rate) {
  const snakeboard *s = self;
  omr_vec place, velocity;
  midpoint(s, mb, &place, &velocity);
  rate[Q_YAW] = omr_mb_frame(mb, s->half[REAR])->w.y;
  rate[Q_PATH] = omr_norm(velocity);
  rate[Q_WORK] = servo_power(s, mb);
  if (s->follows) rate[Q_TRAVEL] = board_speed(s) / bend_of(&s->set[FRONT]).pace;
  rate[Q_LOST] = damper_power(mb, &s->coupler);
  for (int i = 0; i < ENDS * SIDES; i++)
    rate[Q_LOST] += damper_power(mb, &s->set[i / SIDES].joint[i % SIDES]);
}

/* ---- assembly */

/* The first of what the reference needs above 0 and is not; NULL for none. */
static const char *missing(const double *v) {
  static const int needed[] = {OMR_VP_SNAKE_ROTOR_MASS, OMR_VP_SNAKE_ROTOR_INERTIA,
                               OMR_VP_SNAKE_ROD_MASS,   OMR_VP_SNAKE_ROD_INERTIA,
                               OMR_VP_SNAKE_WHEEL_MASS, OMR_VP_SNAKE_AXIAL_INERTIA,
                               OMR_VP_SNAKE_SCALE};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!(v[needed[i]] > 0)) return omr_vehicle_parameters[needed[i]].path;
  return NULL;
}

static void read_gaits(snakeboard *s, const omr_study *study, const double *v) {
  swing *const gaits[] = {&s->set[FRONT].gait, &s->set[REAR].gait, &s->rotor_gait};
  for (int i = 0; i < 3; i++) {
    const double *from = v + OMR_VP_SNAKE_FRONT_AMPLITUDE + 3 * i;
    *gaits[i] = (swing){from[0], from[1], from[2]};
  }
  if (study->options[0] == SNAKE_REAR_OPPOSITE) {
    s->set[REAR].gait = s->set[FRONT].gait;
    s->set[REAR].gait.amplitude = -s->set[FRONT].gait.amplitude;
  }
}

/* Velocity across and yaw rate that belong to the forward speed: w -+ l r = -u tan phi. */
static bool set_off(snakeboard *s, const double *v, char *reason, size_t size) {
  double f = start_angle(s, FRONT), b = start_angle(s, REAR);
  s->forward = v[OMR_VP_INITIAL_VX];
  if (pow(cos(f), 2) + pow(cos(b), 2) < HOLD ||
      (s->forward != 0 && fabs(cos(f) * cos(b)) < FORWARD)) {
    snprintf(reason, size,
             "wheelsets at %.6g and %.6g rad do not hold the board, or hold it against initial.vx",
             f, b);
    return false;
  }
  if (s->forward == 0) return true;
  s->across = -0.5 * s->forward * (tan(f) + tan(b));
  s->rate = 0.5 * s->forward * (tan(f) - tan(b)) / s->length;
  return true;
}

/* One freedom is left, with free steering three, or with compliant joints those along coupler and
 * axles. Where wheelsets are so light that S cannot tell (from about 1e-6 of the board on) the
 * saddle point does. */
static bool resolved(omr_mb *mb, int joints, char *reason, size_t size) {
  omr_error error = {.message = ""};
  if (omr_mb_complete(mb, &error) != OMR_OK || omr_mb_evaluate(mb, NULL, &error) != OMR_OK) {
    snprintf(reason, size, "%s", error.message);
    return false;
  }
  const int expected = joints == SNAKE_JOINTS_RIGID ? 2 : 0;
  if (omr_mb_redundant(mb) == expected) return true;
  snprintf(
      reason, size,
      "the conditions on the board are %d too many, not %d: its wheelsets are too light for the "
      "reference; raise `scale`",
      omr_mb_redundant(mb), expected);
  return false;
}

static void read_steering(snakeboard *s, const omr_study *study, const double *v) {
  s->follows = study->options[0] >= SNAKE_REAR_ASTROID;
  if (s->follows)
    s->curve = omr_snake_curve_of(study->options[0], v[OMR_VP_SNAKE_PATH_SIZE],
                                  v[OMR_VP_SNAKE_PATH_ROUNDING], v[OMR_VP_SNAKE_PATH_START]);
  read_gaits(s, study, v);
  for (int end = 0; end < ENDS; end++) {
    wheelset *w = &s->set[end];
    w->board = s;
    w->end = end;
    w->free = study->options[2] == SNAKE_STEERING_FREE;
    w->stiffness = v[OMR_VP_SNAKE_STEER_STIFFNESS];
    w->damping = v[OMR_VP_SNAKE_STEER_DAMPING];
  }
}

static bool build(snakeboard *s, const omr_study *study, const double *v, omr_mb *mb, char *reason,
                  size_t size) {
  const char *path = missing(v);
  if (path) {
    snprintf(reason, size,
             "%s is 0; the reference has a body for every part, and each needs mass and inertia",
             path);
    return false;
  }
  s->length = v[OMR_VP_SNAKE_HALF_LENGTH];
  s->half_track = v[OMR_VP_SNAKE_HALF_TRACK];
  s->radius = v[OMR_VP_SNAKE_RADIUS];
  s->start = omr_vec_of(v[OMR_VP_INITIAL_X], s->radius, v[OMR_VP_INITIAL_Z]);
  read_steering(s, study, v);
  if (!set_off(s, v, reason, size)) return false;
  add_bodies(s, mb, v);
  add_constraints(s, mb, v, study->options[1]);
  omr_mb_add_quadratures(mb, s->follows ? QUADRATURES : Q_TRAVEL, quadratures, s);
  if (!omr_mb_failed(mb)) {
    omr_mb_quadratures(mb)[Q_YAW] = v[OMR_VP_INITIAL_YAW];
    if (s->follows) omr_mb_quadratures(mb)[Q_TRAVEL] = s->curve.start;
    s->start_energy = omr_mb_kinetic(mb);
  }
  return resolved(mb, study->options[1], reason, size);
}

/* Gravity loads the wheels and moves nothing on a level floor. */
static bool assemble(const omr_study *study, const omr_values *values, omr_reference *r,
                     char *reason, size_t size) {
  snakeboard *s = calloc(1, sizeof *s);
  r->self = s;
  r->mb = omr_mb_create(omr_vec_of(0, -9.81, 0));
  if (!s || !r->mb) {
    snprintf(reason, size, "out of memory");
  } else {
    s->owner = r;
    if (build(s, study, values->vehicle, r->mb, reason, size)) return true;
  }
  free(s);
  r->self = NULL;
  return false;
}

static void release(omr_reference *r) {
  free(r->self);
}

/* ---- what is told */

/* The yaw of the rear half itself; its integral says in which turn. */
static double yaw_of(const snakeboard *s, const omr_mb *mb) {
  omr_vec i = omr_times(&omr_mb_frame(mb, s->half[REAR])->t, ahead);
  double yaw = atan2(-i.z, i.x), turn = 2 * acos(-1.0);
  return yaw + turn * nearbyint((omr_mb_quadratures(mb)[Q_YAW] - yaw) / turn);
}

static double hold_of(const snakeboard *s, const omr_mb *mb) {
  double hold = 0;
  for (int end = 0; end < ENDS; end++)
    hold += pow(cos(*omr_mb_own(mb, &s->set[end].steering.base)), 2);
  return hold;
}

/* Lateral force of the floor on both wheels, along the axle. */
static double lateral_force(const wheelset *w, const omr_mb *mb) {
  return omr_disc_force(mb, &w->contact[LEFT]).y + omr_disc_force(mb, &w->contact[RIGHT]).y;
}

static void sample_wheelset(const snakeboard *s, const omr_mb *mb, int end, double *out) {
  const wheelset *w = &s->set[end];
  const omr_frame *rod = omr_mb_frame(mb, w->rod);
  double rate;
  out[SNAKE_S_FRONT_ANGLE + end] = *omr_mb_own(mb, &w->steering.base);
  out[SNAKE_S_FRONT_SPEED + end] = omr_dot(rod->v, omr_times(&rod->t, ahead));
  out[SNAKE_S_FRONT_SLIP + end] = omr_dot(rod->v, omr_times(&rod->t, axle));
  out[SNAKE_S_FRONT_FORCE + end] = lateral_force(w, mb);
  out[SNAKE_S_FRONT_TORQUE + end] = servo(mb, &w->steering, &rate);
  for (int side = 0; side < SIDES; side++) {
    const omr_frame *wheel = omr_mb_frame(mb, w->wheel[side]);
    out[SNAKE_S_FRONT_LEFT_RATE + SIDES * end + side] =
        -omr_dot(wheel->w, omr_times(&wheel->t, axle));
  }
}

static void sample(const omr_reference *r, double *out) {
  const snakeboard *s = r->self;
  const omr_mb *mb = r->mb;
  const omr_frame *rear = omr_mb_frame(mb, s->half[REAR]);
  omr_vec place, velocity;
  double rate;
  midpoint(s, mb, &place, &velocity);
  out[SNAKE_S_X] = place.x;
  out[SNAKE_S_Z] = place.z;
  out[SNAKE_S_YAW] = yaw_of(s, mb);
  out[SNAKE_S_VX] = omr_dot(velocity, omr_times(&rear->t, ahead));
  out[SNAKE_S_VZ] = omr_dot(velocity, omr_times(&rear->t, axle));
  out[SNAKE_S_YAW_RATE] = rear->w.y;
  out[SNAKE_S_MOMENTUM] = (double)NAN; /* a number of the reduced equations */
  for (int end = 0; end < ENDS; end++) sample_wheelset(s, mb, end, out);
  out[SNAKE_S_ROTOR_ANGLE] = *omr_mb_own(mb, &s->rotor_joint.base);
  out[SNAKE_S_ROTOR_TORQUE] = servo(mb, &s->rotor_joint, &rate);
  out[SNAKE_S_POWER] = servo_power(s, mb);
  out[SNAKE_S_ENERGY] = omr_mb_kinetic(mb);
  out[SNAKE_S_HOLD] = hold_of(s, mb);
  if (out[SNAKE_S_HOLD] < HOLD) s->owner->failed = OMR_INSTANCE_OUTSIDE;
}

static void observe(omr_reference *r) {
  snakeboard *s = r->self;
  omr_vec place, velocity;
  double rate;
  if (hold_of(s, r->mb) < HOLD) {
    r->failed = OMR_INSTANCE_OUTSIDE;
    return;
  }
  midpoint(s, r->mb, &place, &velocity);
  s->most_speed = fmax(s->most_speed, omr_norm(velocity));
  s->most_torque = fmax(s->most_torque, fabs(servo(r->mb, &s->rotor_joint, &rate)));
  for (int end = 0; end < ENDS; end++) {
    s->most_force = fmax(s->most_force, fabs(lateral_force(&s->set[end], r->mb)));
    s->most_torque = fmax(s->most_torque, fabs(servo(r->mb, &s->set[end].steering, &rate)));
  }
}

static void reduce(const omr_reference *r, double *o) {
  const snakeboard *s = r->self;
  const double *q = omr_mb_quadratures(r->mb);
  const omr_frame *rear = omr_mb_frame(r->mb, s->half[REAR]);
  double final = omr_mb_kinetic(r->mb), scale = fmax(fmax(s->start_energy, final), fabs(q[Q_WORK]));
  omr_vec place, velocity;
  midpoint(s, r->mb, &place, &velocity);
  o[OMR_OBS_FINAL_X] = place.x;
  o[OMR_OBS_FINAL_Z] = place.z;
  o[OMR_OBS_FINAL_YAW] = yaw_of(s, r->mb);
  o[OMR_OBS_FINAL_VX] = omr_dot(velocity, omr_times(&rear->t, ahead));
  o[OMR_OBS_FINAL_VZ] = omr_dot(velocity, omr_times(&rear->t, axle));
  o[OMR_OBS_FINAL_YAW_RATE] = rear->w.y;
  o[OMR_OBS_PATH_LENGTH] = q[Q_PATH];
  o[OMR_OBS_DISTANCE] = hypot(place.x - s->start.x, place.z - s->start.z);
  o[OMR_OBS_KINETIC_ENERGY] = final;
  o[OMR_OBS_DRIVE_WORK] = q[Q_WORK];
  /* with the springs' energy and what the dampers take */
  o[OMR_OBS_ENERGY_ERROR] =
      scale > 0 ? (final + springs(s, r->mb) - s->start_energy + q[Q_LOST] - q[Q_WORK]) / scale : 0;
  if (s->most_torque == 0 && s->most_speed == 0) return; /* nothing observed */
  o[OMR_OBS_MAX_SPEED] = s->most_speed;
  o[OMR_OBS_MAX_LATERAL_FORCE] = s->most_force;
  o[OMR_OBS_MAX_SERVO_TORQUE] = s->most_torque;
}

const omr_reference_model omr_reference_snakeboard = {
    .model = OMR_MODEL_SNAKEBOARD,
    .assemble = assemble,
    .release = release,
    .sample = sample,
    .observe = observe,
    .reduce = reduce,
};
