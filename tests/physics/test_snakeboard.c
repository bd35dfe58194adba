/* The right-hand side of snakeboard against a second computation: coupler, rotor, rods and wheels
 * as bodies of their own with the rates of the wheels as coordinates, every constraint with a
 * multiplier, solved densely. Motions: test_snakeboard_motion.c. */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "shared/dense.h"
#include "shared/kernel.h"
#include "shared/motion.h"
#include "shared/vectors.h"

/* One call of the right-hand side. */
typedef struct board {
  omr_study study;
  double v[OMR_VP_COUNT], p[SNAKE_P_COUNT], y[SNAKE_Y_COUNT], dy[SNAKE_Y_COUNT], out[SNAKE_S_COUNT],
      t;
  int c[K_COUNT];
} board;

static uint64_t seed;

static void evaluate(board *b) {
  snakeboard_rates(b->c, b->p, b->y, b->t, b->dy, b->out);
}

static void prepare(board *b) {
  double e[SNAKE_E_COUNT] = {0};
  char reason[200] = "";
  memset(b->y, 0, sizeof b->y);
  cr_assert(omr_snakeboard.prepare(&b->study, b->v, b->p, b->y, e, reason, sizeof reason), "%s",
            reason);
}

/* A board in motion with every parameter different from its default; gaits of front and rear
 * without relation. */
static void make_board(board *b, int number) {
  memset(b, 0, sizeof *b);
  seed = 4000 + 31 * (uint64_t)number;
  for (int i = 0; i < OMR_VP_COUNT; i++) b->v[i] = omr_vehicle_parameters[i].standard;
  b->c[K_MODEL] = SMALL_SNAKEBOARD;
  b->v[OMR_VP_SNAKE_COUPLER_MASS] = draw(&seed, 0.5, 3);
  b->v[OMR_VP_SNAKE_COUPLER_INERTIA] = draw(&seed, 0.01, 0.1);
  b->v[OMR_VP_SNAKE_HALF_LENGTH] = draw(&seed, 0.1, 0.5);
  b->v[OMR_VP_SNAKE_ROTOR_MASS] = draw(&seed, 0, 3);
  b->v[OMR_VP_SNAKE_ROTOR_INERTIA] = draw(&seed, 0, 0.2);
  b->v[OMR_VP_SNAKE_ROD_MASS] = draw(&seed, 0, 1);
  b->v[OMR_VP_SNAKE_ROD_INERTIA] = draw(&seed, 0, 0.01);
  b->v[OMR_VP_SNAKE_WHEEL_MASS] = draw(&seed, 0, 1);
  b->v[OMR_VP_SNAKE_AXIAL_INERTIA] = draw(&seed, 0, 0.01);
  b->v[OMR_VP_SNAKE_DIAMETRAL_INERTIA] = draw(&seed, 0.005, 0.01);
  b->v[OMR_VP_SNAKE_RADIUS] = draw(&seed, 0.03, 0.2);
  b->v[OMR_VP_SNAKE_HALF_TRACK] = draw(&seed, 0, 0.2);
  b->v[OMR_VP_SNAKE_SCALE] = draw(&seed, 0.1, 2);
  for (int i = 0; i < 9; i++)
    b->v[OMR_VP_SNAKE_FRONT_AMPLITUDE + i] = draw(&seed, -1.4, 1.4) * (i % 3 == 1 ? 5 : 1);
  b->v[OMR_VP_INITIAL_VX] = draw(&seed, -2, 2);
  b->v[OMR_VP_INITIAL_YAW] = draw(&seed, -3, 3);
  prepare(b);
  b->t = draw(&seed, 0, 20);
  b->y[SNAKE_Y_X] = draw(&seed, -3, 3);
  b->y[SNAKE_Y_MOMENTUM] = draw(&seed, -3, 3);
  evaluate(b);
}

/* Wheelsets that steer freely, at angles and rates of their own; every other board has no spring.
 */
static void make_free_board(board *b, int number) {
  make_board(b, number);
  b->study.options[2] = b->c[K_OPTION_2] = SNAKE_STEERING_FREE;
  b->v[OMR_VP_SNAKE_STEER_STIFFNESS] = number % 2 ? draw(&seed, 0, 3) : 0;
  b->v[OMR_VP_SNAKE_STEER_DAMPING] = number % 2 ? draw(&seed, 0, 0.3) : 0;
  const double x = b->y[SNAKE_Y_X], momentum = b->y[SNAKE_Y_MOMENTUM];
  prepare(b);
  b->y[SNAKE_Y_X] = x;
  b->y[SNAKE_Y_MOMENTUM] = momentum;
  for (int i = 0; i < 4; i++) b->y[SNAKE_Y_FRONT + i] = draw(&seed, -1.4, 1.4) * (i % 2 ? 3 : 1);
  evaluate(b);
}

static void expect_close(const char *what, int number, double value, double expected,
                         double scale) {
  cr_expect_lt(fabs(value - expected), 1e-11 * fmax(1, fabs(scale)),
               "board %d: %s is %.15g, not %.15g", number, what, value, expected);
}

/* ---- the second computation */

/* y x p in the plane: y x (px, pz) = (pz, -px). */
static void turn(const double p[2], double out[2]) {
  out[0] = p[1];
  out[1] = -p[0];
}

static double dot2(const double a[2], const double b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

/* A point at a on the coupler and then at h along an axle turned by the angle: acceleration J q'' +
 * bias, velocity. Coordinates q = (x, z, theta). */
typedef struct point {
  double arm[2], bias[2], velocity[2]; /* J = [1, y x arm] */
} point;

static point point_at(const board *b, double a, double h, double angle, double rate,
                      double acceleration) {
  double yaw = b->y[SNAKE_Y_YAW], r = b->out[SNAKE_S_YAW_RATE], whole = r + rate;
  const double along[2] = {a * cos(yaw), -a * sin(yaw)},
               axle[2] = {h * sin(yaw + angle), h * cos(yaw + angle)};
  double turned_along[2], turned_axle[2];
  point p;
  turn(along, turned_along);
  turn(axle, turned_axle);
  for (int i = 0; i < 2; i++) {
    p.arm[i] = along[i] + axle[i];
    p.bias[i] = acceleration * turned_axle[i] - r * r * along[i] - whole * whole * axle[i];
    p.velocity[i] = b->dy[SNAKE_Y_X + i] + r * turned_along[i] + whole * turned_axle[i];
  }
  return p;
}

/* The system: x'', z'', theta'', four wheel accelerations; two lateral multipliers, four along the
 * rolling directions. */
enum { WHEELS = 4, LATERAL = 3 + WHEELS, ALONG = LATERAL + 2, SIZE = ALONG + WHEELS };
typedef struct dense_board {
  dense_matrix m;
  double right[DENSE_SIZE];
} dense_board;

static void add_mass(dense_board *d, const point *p, double mass) {
  double arm[2];
  turn(p->arm, arm);
  for (int i = 0; i < 2; i++) {
    d->m[i][i] += mass;
    d->m[i][2] += mass * arm[i];
    d->m[2][i] += mass * arm[i];
    d->right[i] -= mass * p->bias[i];
  }
  d->m[2][2] += mass * dot2(arm, arm);
  d->right[2] -= mass * dot2(arm, p->bias);
}

static void add_inertia(dense_board *d, double inertia, double own_acceleration) {
  d->m[2][2] += inertia;
  d->right[2] -= inertia * own_acceleration;
}

/* direction.(velocity of the point) = what the column gives, `change` the direction's derivative.
 */
static void constrain(dense_board *d, int row, const point *p, const double direction[2],
                      const double change[2]) {
  double arm[2];
  turn(p->arm, arm);
  const double c[3] = {direction[0], direction[1], dot2(direction, arm)};
  for (int i = 0; i < 3; i++) {
    d->m[row][i] += c[i];
    d->m[i][row] -= c[i];
  }
  d->right[row] -= dot2(direction, p->bias) + dot2(change, p->velocity);
}

/* A wheelset: side +1 front, -1 rear. */
static void add_wheelset(dense_board *d, const board *b, int rear, double angle, double rate,
                         double acceleration) {
  const double *v = b->v;
  double l = v[OMR_VP_SNAKE_HALF_LENGTH] * (rear ? -1 : 1), scale = v[OMR_VP_SNAKE_SCALE],
         radius = v[OMR_VP_SNAKE_RADIUS];
  double yaw = b->y[SNAKE_Y_YAW] + angle, whole = b->out[SNAKE_S_YAW_RATE] + rate;
  const double axle[2] = {sin(yaw), cos(yaw)}, forward[2] = {cos(yaw), -sin(yaw)};
  const double axle_change[2] = {whole * axle[1], -whole * axle[0]},
               forward_change[2] = {whole * forward[1], -whole * forward[0]};
  point middle = point_at(b, l, 0, angle, rate, acceleration);
  add_mass(d, &middle, scale * v[OMR_VP_SNAKE_ROD_MASS]);
  add_inertia(d, v[OMR_VP_SNAKE_ROD_INERTIA], acceleration);
  constrain(d, LATERAL + rear, &middle, axle, axle_change);
  for (int side = 0; side < 2; side++) {
    int wheel = 2 * rear + side;
    point p =
        point_at(b, l, v[OMR_VP_SNAKE_HALF_TRACK] * (side ? 1 : -1), angle, rate, acceleration);
    add_mass(d, &p, scale * v[OMR_VP_SNAKE_WHEEL_MASS]);
    add_inertia(d, v[OMR_VP_SNAKE_DIAMETRAL_INERTIA], acceleration);
    d->m[3 + wheel][3 + wheel] = scale * v[OMR_VP_SNAKE_AXIAL_INERTIA];
    constrain(d, ALONG + wheel, &p, forward, forward_change);
    d->m[ALONG + wheel][3 + wheel] = -radius;
    d->m[3 + wheel][ALONG + wheel] = radius;
    expect_close("wheel rate", wheel, b->out[SNAKE_S_FRONT_LEFT_RATE + wheel],
                 dot2(forward, p.velocity) / radius, 1);
  }
}

/* An angle of the gait by libm, or of a free wheelset: value, rate, acceleration. */
static void gait(const board *b, int first, double g[3]) {
  if (b->c[K_OPTION_2] == SNAKE_STEERING_FREE && first != OMR_VP_SNAKE_ROTOR_AMPLITUDE) {
    const int at = first == OMR_VP_SNAKE_FRONT_AMPLITUDE ? SNAKE_Y_FRONT : SNAKE_Y_REAR;
    g[0] = b->y[at];
    g[1] = b->y[at + 1];
    g[2] = b->dy[at + 1];
    return;
  }
  double a = b->v[first], w = b->v[first + 1], beta = b->v[first + 2];
  g[0] = a * sin(w * b->t + beta);
  g[1] = a * w * cos(w * b->t + beta);
  g[2] = -a * w * w * sin(w * b->t + beta);
}

static void solve_dense(const board *b, double x[DENSE_SIZE]) {
  static dense_board d;
  const double *v = b->v;
  double f[3], r[3], psi[3];
  gait(b, OMR_VP_SNAKE_FRONT_AMPLITUDE, f);
  gait(b, OMR_VP_SNAKE_REAR_AMPLITUDE, r);
  gait(b, OMR_VP_SNAKE_ROTOR_AMPLITUDE, psi);
  memset(&d, 0, sizeof d);
  point middle = point_at(b, 0, 0, 0, 0, 0);
  add_mass(&d, &middle, v[OMR_VP_SNAKE_COUPLER_MASS] + v[OMR_VP_SNAKE_ROTOR_MASS]);
  add_inertia(&d, v[OMR_VP_SNAKE_COUPLER_INERTIA], 0);
  add_inertia(&d, v[OMR_VP_SNAKE_ROTOR_INERTIA], psi[2]);
  add_wheelset(&d, b, 0, f[0], f[1], f[2]);
  add_wheelset(&d, b, 1, r[0], r[1], r[2]);
  memcpy(x, d.right, sizeof d.right);
  cr_assert(dense_solve(SIZE, d.m, x));
}

/* Torque on a wheelset about its middle: what turns it, less the moments of the floor at its
 * wheels. */
static double servo_torque(const board *b, const double *x, int rear, double acceleration) {
  const double *v = b->v, h = v[OMR_VP_SNAKE_HALF_TRACK], scale = v[OMR_VP_SNAKE_SCALE];
  double turned = v[OMR_VP_SNAKE_ROD_INERTIA] + 2 * v[OMR_VP_SNAKE_DIAMETRAL_INERTIA] +
                  2 * scale * v[OMR_VP_SNAKE_WHEEL_MASS] * h * h;
  return turned * (x[2] + acceleration) - h * (x[ALONG + 2 * rear + 1] - x[ALONG + 2 * rear]);
}

/* Forces, torques and power of a board in motion. */
static void check_forces(const board *b, int number) {
  double x[DENSE_SIZE], f[3], r[3], psi[3];
  solve_dense(b, x);
  gait(b, OMR_VP_SNAKE_FRONT_AMPLITUDE, f);
  gait(b, OMR_VP_SNAKE_REAR_AMPLITUDE, r);
  gait(b, OMR_VP_SNAKE_ROTOR_AMPLITUDE, psi);
  double size = fabs(x[LATERAL]) + fabs(x[LATERAL + 1]) + fabs(x[2]), hold = b->out[SNAKE_S_HOLD];
  const double torques[3] = {servo_torque(b, x, 0, f[2]), servo_torque(b, x, 1, r[2]),
                             b->v[OMR_VP_SNAKE_ROTOR_INERTIA] * (x[2] + psi[2])};
  expect_close("front force", number, b->out[SNAKE_S_FRONT_FORCE], x[LATERAL], size / hold);
  expect_close("rear force", number, b->out[SNAKE_S_REAR_FORCE], x[LATERAL + 1], size / hold);
  for (int i = 0; i < 3; i++)
    expect_close("torque", number, b->out[SNAKE_S_FRONT_TORQUE + i], torques[i], size);
  expect_close("power", number, b->out[SNAKE_S_POWER],
               torques[0] * f[1] + torques[1] * r[1] + torques[2] * psi[1], 10 * size);
}

Test(snakeboard, accelerations_forces_and_torques_are_those_of_separate_bodies_with_multipliers) {
  for (int number = 0; number < 200; number++) {
    board b;
    make_board(&b, number);
    check_forces(&b, number);
  }
}

/* Spring and damper between a wheelset and its gait, by libm. */
static double spring_torque(const board *b, int first, const double own[3]) {
  const double *v = b->v, a = v[first], w = v[first + 1], phase = w * b->t + v[first + 2];
  return v[OMR_VP_SNAKE_STEER_STIFFNESS] * (a * sin(phase) - own[0]) +
         v[OMR_VP_SNAKE_STEER_DAMPING] * (a * w * cos(phase) - own[1]);
}

/* The second computation takes the wheelsets' accelerations from the first: with them its bodies
 * need the torques that spring and damper give, and no others. */
Test(snakeboard, free_wheelsets_turn_as_spring_and_damper_make_them) {
  for (int number = 0; number < 200; number++) {
    board b;
    double f[3], r[3];
    make_free_board(&b, number);
    check_forces(&b, number);
    gait(&b, OMR_VP_SNAKE_FRONT_AMPLITUDE, f);
    gait(&b, OMR_VP_SNAKE_REAR_AMPLITUDE, r);
    const double size = 1 + fabs(b.dy[SNAKE_Y_MOMENTUM]) + fabs(f[2]) + fabs(r[2]);
    expect_close("front torque", number, b.out[SNAKE_S_FRONT_TORQUE],
                 spring_torque(&b, OMR_VP_SNAKE_FRONT_AMPLITUDE, f), size);
    expect_close("rear torque", number, b.out[SNAKE_S_REAR_TORQUE],
                 spring_torque(&b, OMR_VP_SNAKE_REAR_AMPLITUDE, r), size);
    cr_expect_eq(b.dy[SNAKE_Y_FRONT], b.y[SNAKE_Y_FRONT_RATE]);
    cr_expect_eq(b.dy[SNAKE_Y_REAR], b.y[SNAKE_Y_REAR_RATE]);
  }
}

/* The board a time h later, by one step of the classical Runge-Kutta method. */
static board later(const board *b, double h) {
  static const double ends[] = {0, 0.5, 0.5, 1}, weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  board at = *b, result = *b;
  for (int s = 0; s < 4; s++) {
    for (int j = 0; j < SNAKE_Y_COUNT; j++) at.y[j] = b->y[j] + ends[s] * h * at.dy[j];
    at.t = b->t + ends[s] * h;
    evaluate(&at);
    for (int j = 0; j < SNAKE_Y_COUNT; j++) result.y[j] += weights[s] * h * at.dy[j];
  }
  result.t = b->t + h;
  evaluate(&result);
  return result;
}

/* Derivatives along the motion by differences of fourth order: velocities against the second
 * computation, energy against power.
 */
Test(snakeboard, what_is_called_a_rate_is_the_derivative) {
  static const char *const names[] = {"x''", "z''", "yaw''", "power"};
  static const double weights[] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
  for (int number = 0; number < 60; number++) {
    board b;
    double x[DENSE_SIZE], rate[4] = {0}, h = 2e-4;
    (number % 3 ? make_board : make_free_board)(&b, number);
    solve_dense(&b, x);
    for (int k = -2; k <= 2; k++) {
      board at = later(&b, k * h);
      for (int i = 0; i < 3; i++) rate[i] += weights[k + 2] / h * at.dy[SNAKE_Y_X + i];
      rate[3] += weights[k + 2] / h * at.out[SNAKE_S_ENERGY];
    }
    const double expected[4] = {x[0], x[1], x[2], b.out[SNAKE_S_POWER]};
    double size = 1;
    for (int i = 0; i < 4; i++) size += fabs(expected[i]);
    for (int i = 0; i < 4; i++)
      cr_expect_lt(fabs(rate[i] - expected[i]), 1e-8 * size, "board %d: %s is %.12g, not %.12g",
                   number, names[i], rate[i], expected[i]);
  }
}

/* Sum over the bodies. */
static double energy_of_bodies(const board *b) {
  const double *v = b->v, r = b->out[SNAKE_S_YAW_RATE], scale = v[OMR_VP_SNAKE_SCALE];
  double psi[3], sum = 0;
  gait(b, OMR_VP_SNAKE_ROTOR_AMPLITUDE, psi);
  point middle = point_at(b, 0, 0, 0, 0, 0);
  sum += (v[OMR_VP_SNAKE_COUPLER_MASS] + v[OMR_VP_SNAKE_ROTOR_MASS]) *
         dot2(middle.velocity, middle.velocity);
  sum +=
      v[OMR_VP_SNAKE_COUPLER_INERTIA] * r * r + v[OMR_VP_SNAKE_ROTOR_INERTIA] * pow(r + psi[1], 2);
  for (int rear = 0; rear < 2; rear++) {
    double g[3], l = v[OMR_VP_SNAKE_HALF_LENGTH] * (rear ? -1 : 1);
    gait(b, rear ? OMR_VP_SNAKE_REAR_AMPLITUDE : OMR_VP_SNAKE_FRONT_AMPLITUDE, g);
    point rod = point_at(b, l, 0, g[0], g[1], g[2]);
    sum += scale * v[OMR_VP_SNAKE_ROD_MASS] * dot2(rod.velocity, rod.velocity);
    sum += (v[OMR_VP_SNAKE_ROD_INERTIA] + 2 * v[OMR_VP_SNAKE_DIAMETRAL_INERTIA]) * pow(r + g[1], 2);
    for (int side = 0; side < 2; side++) {
      point wheel = point_at(b, l, v[OMR_VP_SNAKE_HALF_TRACK] * (side ? 1 : -1), g[0], g[1], g[2]);
      double rate = b->out[SNAKE_S_FRONT_LEFT_RATE + 2 * rear + side];
      sum += scale * (v[OMR_VP_SNAKE_WHEEL_MASS] * dot2(wheel.velocity, wheel.velocity) +
                      v[OMR_VP_SNAKE_AXIAL_INERTIA] * rate * rate);
    }
  }
  return 0.5 * sum;
}

Test(snakeboard, the_energy_is_that_of_all_bodies_and_no_wheelset_slips) {
  for (int number = 0; number < 100; number++) {
    board b;
    make_board(&b, number);
    double energy = energy_of_bodies(&b),
           speed = hypot(b.dy[SNAKE_Y_X], b.dy[SNAKE_Y_Z]) + fabs(b.dy[SNAKE_Y_YAW]);
    cr_expect_lt(fabs(b.out[SNAKE_S_ENERGY] / energy - 1), 1e-12, "%.15g, not %.15g",
                 b.out[SNAKE_S_ENERGY], energy);
    for (int i = 0; i < 2; i++)
      cr_expect_lt(fabs(b.out[SNAKE_S_FRONT_SLIP + i]), 1e-14 * speed, "%g",
                   b.out[SNAKE_S_FRONT_SLIP + i]);
    b.t = 0;
    evaluate(&b);
    cr_expect_lt(fabs(omr_snakeboard.energy(b.p, b.y) / b.out[SNAKE_S_ENERGY] - 1), 1e-12);
  }
}

Test(snakeboard, the_initial_motion_is_the_one_asked_for) {
  for (int number = 0; number < 50; number++) {
    board b;
    make_board(&b, number);
    prepare(&b);
    b.t = 0;
    evaluate(&b);
    cr_expect_lt(fabs(b.out[SNAKE_S_VX] - b.v[OMR_VP_INITIAL_VX]), 1e-14);
    cr_expect_eq(b.out[SNAKE_S_YAW], b.v[OMR_VP_INITIAL_YAW]);
    cr_expect_eq(b.y[SNAKE_Y_WORK], 0);
  }
}

/* A reader of results sees both by name: a sample must not be called like a column of a varied
 * parameter. */
Test(snakeboard, no_sample_has_the_name_of_a_parameter) {
  for (int j = 0; j < OMR_VP_COUNT; j++) {
    char name[64];
    if (!(omr_vehicle_parameters[j].flags & OMR_FOR_SNAKEBOARD)) continue;
    snprintf(name, sizeof name, "%s", omr_vehicle_parameters[j].path);
    for (char *c = name; *c; c++) *c = *c == '.' ? '_' : *c;
    for (int i = 0; i < SNAKE_S_COUNT; i++)
      cr_expect_str_neq(name, omr_snakeboard.list->sample_list[i].name);
  }
}
