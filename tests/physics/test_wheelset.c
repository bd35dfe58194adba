/* The ideal wheelset (kernels/small/wheelset.h) against exact motions on the slope, its
 * constraints, the balance of energy, and a second computation of accelerations and forces: the
 * linear system of twelve equations in seven accelerations and five multipliers, made body by body.
 */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/dense.h"
#include "shared/kernel.h"
#include "shared/motion.h"

#define WHEELSET                                                                                   \
  "{\"model\": \"wheelset\", \"integrator\": {\"step\": \"1 ms\", \"duration\": \"10 s\"}, "
#define END "\"engine\": {\"backend\": \"openmp\"}}"

static const double g = 9.81, pi = 3.14159265358979323846;

static void expect_near(const char *what, double value, double expected, double tolerance) {
  cr_expect_lt(fabs(value - expected), tolerance * fmax(1, fabs(expected)),
               "%s is %.15g, not %.15g", what, value, expected);
}

/* ---- one call of the right-hand side */

typedef struct wheelset {
  double v[OMR_VP_COUNT];
  omr_study study;
  double p[WSET_P_COUNT], y[WSET_Y_COUNT], e[WSET_E_COUNT], dy[WSET_Y_COUNT], out[WSET_S_COUNT];
  int c[K_COUNT];
} wheelset;

static void evaluate(wheelset *w) {
  char reason[256];
  w->c[K_MODEL] = SMALL_WHEELSET;
  cr_assert(omr_wheelset.prepare(&w->study, w->v, w->p, w->y, w->e, reason, sizeof reason), "%s",
            reason);
  wheelset_rates(w->c, w->p, w->y, 0, w->dy, w->out);
}

static wheelset standard_wheelset(void) {
  wheelset w = {.study = {.wheels = 0}};
  for (int i = 0; i < OMR_VP_COUNT; i++) w.v[i] = omr_vehicle_parameters[i].standard;
  return w;
}

/* Any wheelset in any motion; wheels of different mass and inertia. */
static wheelset random_wheelset(uint64_t *seed) {
  wheelset w = standard_wheelset();
  static const struct {
    int parameter;
    double low, high;
  } draws[] = {{OMR_VP_GRAVITY, 1, 20},           {OMR_VP_UK_RADIUS, 0.05, 0.6},
               {OMR_VP_WSET_HALF_TRACK, 0.1, 1},  {OMR_VP_WSET_LEFT_MASS, 0.3, 8},
               {OMR_VP_WSET_RIGHT_MASS, 0.3, 8},  {OMR_VP_WSET_ROD_MASS, 0.3, 8},
               {OMR_VP_WSET_LEFT_AXIAL, 0.01, 1}, {OMR_VP_WSET_RIGHT_AXIAL, 0.01, 1},
               {OMR_VP_WSET_ROD_AXIAL, 0.01, 1},  {OMR_VP_PLANE_SLOPE, 0, 1.2},
               {OMR_VP_PLANE_DIRECTION, -4, 4},   {OMR_VP_INITIAL_YAW, -4, 4},
               {OMR_VP_INITIAL_VX, -3, 3},        {OMR_VP_INITIAL_YAW_RATE, -5, 5},
               {OMR_VP_WSET_ROD_RATE, -20, 20},   {OMR_VP_WSET_LEFT_TORQUE, -5, 5},
               {OMR_VP_WSET_RIGHT_TORQUE, -5, 5}, {OMR_VP_WSET_YAW_TORQUE, -5, 5},
               {OMR_VP_INITIAL_X, -3, 3},         {OMR_VP_INITIAL_Z, -3, 3},
               {OMR_VP_WSET_LEFT_ANGLE, -3, 3}};
  for (size_t i = 0; i < sizeof draws / sizeof *draws; i++)
    w.v[draws[i].parameter] = draw(seed, draws[i].low, draws[i].high);
  w.v[OMR_VP_WSET_LEFT_DIAMETRAL] = w.v[OMR_VP_WSET_LEFT_AXIAL] * draw(seed, 0.5, 1);
  w.v[OMR_VP_WSET_RIGHT_DIAMETRAL] = w.v[OMR_VP_WSET_RIGHT_AXIAL] * draw(seed, 0.5, 1);
  w.v[OMR_VP_WSET_ROD_DIAMETRAL] = w.v[OMR_VP_WSET_ROD_AXIAL] * draw(seed, 0.5, 1);
  w.study.options[1] = draw(seed, 0, 1) < 0.5 ? WSET_REACTION_NONE : WSET_REACTION_ROD;
  evaluate(&w);
  return w;
}

/* ---- twelve equations */

/* Accelerations of the axle's middle (forward, up, to the right), of roll and yaw, of the wheels;
 * then the forces of the plane.
 */
enum { FORWARD, HEAVE, LATERAL, ROLL, YAW, LEFT, RIGHT, FREEDOMS };
enum {
  LEFT_FORWARD = FREEDOMS,
  RIGHT_FORWARD,
  LATERAL_FORCE,
  LEFT_NORMAL,
  RIGHT_NORMAL,
  EQUATIONS
};

/* A body on the axle: velocities per unit of each freedom, what its motion at constant freedoms
 * accelerates, forces on it. */
typedef struct axle_body {
  double mass, axial, diametral, spin; /* spin: forward, about -e3 */
  vec at, velocity[FREEDOMS], turning[FREEDOMS], acceleration, turning_acceleration, force, torque;
} axle_body;

typedef struct axes {
  vec e1, e3, down; /* down: gravity's acceleration */
  double yaw_rate;
} axes;

static vec times_inertia(const axle_body *body, const axes *a, vec omega) {
  return add(scale(body->diametral, omega),
             scale((body->axial - body->diametral) * dot(omega, a->e3), a->e3));
}

/* wheel: freedom of its rotation; FREEDOMS for the rod, whose spin is its own. */
static void move_body(const wheelset *w, const axes *a, double side, int wheel, axle_body *body) {
  vec omega = scale(a->yaw_rate, UP);
  body->at = scale(side * w->v[OMR_VP_WSET_HALF_TRACK], a->e3);
  body->velocity[FORWARD] = a->e1;
  body->velocity[HEAVE] = UP;
  body->velocity[LATERAL] = a->e3;
  body->turning[ROLL] = a->e1;
  body->turning[YAW] = UP;
  for (int j = ROLL; j <= YAW; j++) body->velocity[j] = cross(body->turning[j], body->at);
  if (wheel < FREEDOMS) body->turning[wheel] = scale(-1, a->e3);
  body->acceleration =
      cross(omega, add(scale(w->v[OMR_VP_INITIAL_VX], a->e1), cross(omega, body->at)));
  body->turning_acceleration = cross(omega, scale(-body->spin, a->e3));
  body->force = scale(body->mass, a->down);
}

/* Newton and Euler of one body, projected on the freedoms. */
static void add_body(const axes *a, const axle_body *body, dense_matrix m, double *right) {
  vec omega = sub(scale(a->yaw_rate, UP), scale(body->spin, a->e3));
  vec change = add(times_inertia(body, a, body->turning_acceleration),
                   cross(omega, times_inertia(body, a, omega)));
  vec force = sub(body->force, scale(body->mass, body->acceleration)),
      torque = sub(body->torque, change);
  for (int i = 0; i < FREEDOMS; i++) {
    right[i] += dot(body->velocity[i], force) + dot(body->turning[i], torque);
    for (int j = 0; j < FREEDOMS; j++)
      m[i][j] += body->mass * dot(body->velocity[i], body->velocity[j]) +
                 dot(body->turning[i], times_inertia(body, a, body->turning[j]));
  }
}

/* The row of a contact: velocity of the wheel's lowest point along `direction`; the multiplier is
 * the force there. */
static void add_contact(const wheelset *w, const axle_body *body, int row, vec direction,
                        dense_matrix m) {
  vec arm = scale(-w->v[OMR_VP_UK_RADIUS], UP);
  for (int j = 0; j < FREEDOMS; j++) {
    double part = dot(direction, add(body->velocity[j], cross(body->turning[j], arm)));
    m[row][j] = part;
    m[j][row] = -part;
  }
}

static void solve_twelve(const wheelset *w, double x[DENSE_SIZE]) {
  static dense_matrix m;
  const double *v = w->v, yaw = v[OMR_VP_INITIAL_YAW], slope = v[OMR_VP_PLANE_SLOPE],
               d = v[OMR_VP_PLANE_DIRECTION];
  const double rate = v[OMR_VP_INITIAL_YAW_RATE], b = v[OMR_VP_WSET_HALF_TRACK],
               radius = v[OMR_VP_UK_RADIUS];
  axes a = {.e1 = {cos(yaw), 0, -sin(yaw)}, .e3 = {sin(yaw), 0, cos(yaw)}, .yaw_rate = rate};
  a.down = scale(v[OMR_VP_GRAVITY], (vec){sin(slope) * cos(d), -cos(slope), -sin(slope) * sin(d)});
  axle_body left = {.mass = v[OMR_VP_WSET_LEFT_MASS], .axial = v[OMR_VP_WSET_LEFT_AXIAL]};
  axle_body right = {.mass = v[OMR_VP_WSET_RIGHT_MASS], .axial = v[OMR_VP_WSET_RIGHT_AXIAL]};
  axle_body rod = {.mass = v[OMR_VP_WSET_ROD_MASS],
                   .axial = v[OMR_VP_WSET_ROD_AXIAL],
                   .spin = v[OMR_VP_WSET_ROD_RATE]};
  left.diametral = v[OMR_VP_WSET_LEFT_DIAMETRAL];
  right.diametral = v[OMR_VP_WSET_RIGHT_DIAMETRAL];
  rod.diametral = v[OMR_VP_WSET_ROD_DIAMETRAL];
  left.spin = (v[OMR_VP_INITIAL_VX] - b * rate) / radius;
  right.spin = (v[OMR_VP_INITIAL_VX] + b * rate) / radius;
  left.torque = scale(-v[OMR_VP_WSET_LEFT_TORQUE], a.e3);
  right.torque = scale(-v[OMR_VP_WSET_RIGHT_TORQUE], a.e3);
  rod.torque = scale(v[OMR_VP_WSET_YAW_TORQUE], UP);
  move_body(w, &a, -1, LEFT, &left);
  move_body(w, &a, 1, RIGHT, &right);
  move_body(w, &a, 0, FREEDOMS, &rod);
  memset(m, 0, sizeof m);
  memset(x, 0, DENSE_SIZE * sizeof *x);
  add_body(&a, &left, m, x);
  add_body(&a, &right, m, x);
  add_body(&a, &rod, m, x);
  add_contact(w, &left, LEFT_FORWARD, a.e1, m);
  add_contact(w, &right, RIGHT_FORWARD, a.e1, m);
  add_contact(w, &right, LATERAL_FORCE, a.e3,
              m); /* the left wheel's row is the same: statically indeterminate */
  add_contact(w, &left, LEFT_NORMAL, UP, m);
  add_contact(w, &right, RIGHT_NORMAL, UP, m);
  cr_assert(dense_solve(EQUATIONS, m, x));
}

Test(wheelset, accelerations_and_forces_are_those_of_twelve_equations) {
  uint64_t seed = 3;
  for (int k = 0; k < 200; k++) {
    wheelset w = random_wheelset(&seed);
    double x[DENSE_SIZE], weight = w.p[WSET_P_MASS] * w.v[OMR_VP_GRAVITY],
                          most = fmax(weight, fabs(w.out[WSET_S_LATERAL_FORCE]));
    solve_twelve(&w, x);
    double b = w.v[OMR_VP_WSET_HALF_TRACK], radius = w.v[OMR_VP_UK_RADIUS],
           scale_of_load = most * (1 + radius / b);
    expect_near("u'", w.dy[WSET_Y_SPEED], x[FORWARD], 1e-12);
    expect_near("yaw''", w.dy[WSET_Y_YAW_RATE], x[YAW], 1e-12);
    expect_near("phi_l''", w.out[WSET_S_LEFT_ACCELERATION], x[LEFT], 1e-12);
    expect_near("phi_r''", w.out[WSET_S_RIGHT_ACCELERATION], x[RIGHT], 1e-12);
    expect_near("F_l", w.out[WSET_S_LEFT_FORCE], x[LEFT_FORWARD], 1e-12 * fmax(1, most));
    expect_near("F_r", w.out[WSET_S_RIGHT_FORCE], x[RIGHT_FORWARD], 1e-12 * fmax(1, most));
    expect_near("S", w.out[WSET_S_LATERAL_FORCE], x[LATERAL_FORCE], 1e-12 * fmax(1, most));
    expect_near("N_l", w.out[WSET_S_LEFT_LOAD], x[LEFT_NORMAL], 1e-12 * fmax(1, scale_of_load));
    expect_near("N_r", w.out[WSET_S_RIGHT_LOAD], x[RIGHT_NORMAL], 1e-12 * fmax(1, scale_of_load));
    for (int j = HEAVE; j <= ROLL; j++)
      expect_near("acceleration against the plane", x[j], 0, 1e-12);
  }
}

/* The power of gravity and torques is the change of the kinetic energy; the sample `energy` is that
 * of the host. */
Test(wheelset, the_energy_changes_by_the_power_of_the_torques) {
  uint64_t seed = 8;
  for (int k = 0; k < 50; k++) {
    wheelset w = random_wheelset(&seed), later = w;
    double h = 1e-6, energies[2];
    for (int side = 0; side < 2; side++) {
      for (int j = 0; j < WSET_Y_COUNT; j++) later.y[j] = w.y[j] + (side ? h : -h) * w.dy[j];
      wheelset_rates(later.c, later.p, later.y, 0, later.dy, later.out);
      energies[side] = later.out[WSET_S_ENERGY];
      expect_near("energy", energies[side], omr_wheelset.energy(later.p, later.y), 1e-13);
    }
    expect_near("power", (energies[1] - energies[0]) / (2 * h), w.dy[WSET_Y_WORK], 1e-6);
    double rod = w.v[OMR_VP_WSET_ROD_AXIAL] * w.dy[WSET_Y_ROD_RATE];
    double reaction = -(w.v[OMR_VP_WSET_LEFT_TORQUE] + w.v[OMR_VP_WSET_RIGHT_TORQUE]);
    expect_near("torque on the rod", rod, w.study.options[1] == WSET_REACTION_ROD ? reaction : 0,
                1e-13);
  }
}

/* ---- exact motions */

/* Equal wheels keep their yaw rate W. With the heading h from the direction down and a = m g sin
 * s/A, A = m + 2 J/R^2: u = k + q sin h, q = a/W; down the slope (k sin h + q sin^2(h)/2)/W, to its
 * left (-k cos h + q (h - sin h cos h)/2)/W. */
#define EQUAL                                                                                      \
  WHEELSET "\"parameters\": {\"radius\": 0.15, \"half_track\": 0.3, \"left_wheel\": {\"mass\": "   \
           "2, \"axial_inertia\": 0.02},"                                                          \
           "\"rod\": {\"mass\": 3}, \"plane\": {\"slope\": 0.08, \"direction\": 0.7},"             \
           "\"initial\": {\"x\": 2, \"z\": -1, \"yaw\": 0.4, \"vx\": 0.9, \"yaw_rate\": 1.3}},"

Test(wheelset, equal_wheels_drift_across_the_slope_as_the_exact_solution) {
  omr_result *r = run_study(EQUAL END, NULL);
  double rate = 1.3, from = 0.4 - 0.7, to = from + 10 * rate,
         a = 7 * g * sin(0.08) / (7 + 2 * 0.02 / (0.15 * 0.15));
  double q = a / rate, k = 0.9 - q * sin(from);
  double down =
      (k * (sin(to) - sin(from)) + 0.5 * q * (pow(sin(to), 2) - pow(sin(from), 2))) / rate;
  double left = (-k * (cos(to) - cos(from)) +
                 0.5 * q * (to - from - sin(to) * cos(to) + sin(from) * cos(from))) /
                rate;
  cr_assert_eq(omr_result_status(r)[0], OMR_INSTANCE_OK);
  expect_near("final_vx", value_of(r, "final_vx", 0), k + q * sin(to), 1e-12);
  expect_near("final_yaw", value_of(r, "final_yaw", 0), 0.4 + 13, 1e-13);
  expect_near("downhill", value_of(r, "downhill", 0), down, 1e-12);
  expect_near("drift", value_of(r, "drift", 0), left, 1e-12);
  expect_near("final_x", value_of(r, "final_x", 0), 2 + down * cos(0.7) - left * sin(0.7), 1e-12);
  expect_near("final_z", value_of(r, "final_z", 0), -1 - down * sin(0.7) - left * cos(0.7), 1e-12);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-13);
  omr_result_destroy(r);
}

static double complete_elliptic(double modulus) {
  double a = 1, b = sqrt(1 - modulus * modulus);
  for (int i = 0; i < 40; i++) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return pi / (2 * a);
}

/* Unequal wheels swing like a pendulum: yaw'' = k cos h, so with h = pi/2 + x, x'' = -k sin x; from
 * rest at x = 2 the period is 4 K(sin 1)/sqrt k. k from the two equations of motion, solved by
 * hand. u follows yaw' in proportion and rests again too. */
Test(wheelset, unequal_wheels_swing_with_the_period_of_a_pendulum) {
  const double left = 1, right = 3, rod = 2, radius = 0.2, b = 0.5, slope = 0.1,
               diametral_left = 0.02, diametral_right = 0.05;
  double j_left = 0.03, j_right = 0.04, j_rod = 0.001, rod_across = 0.2, r2 = radius * radius,
         m = left + right + rod;
  double big_a = m + (j_left + j_right) / r2,
         big_b = b * (right - left) + b * (j_right - j_left) / r2;
  double big_c = b * b * (left + right + (j_left + j_right) / r2) + diametral_left +
                 diametral_right + rod_across;
  double pull = g * sin(slope),
         arm = b * (right - left); /* forward pull m g sin s, its moment arm g sin s, times cos h */
  double k = (big_a * arm * pull - big_b * m * pull) / (big_a * big_c - big_b * big_b);
  double period = 4 * complete_elliptic(sin(1)) / sqrt(k);
  char text[1024], step[64], duration[64];
  snprintf(text, sizeof text,
           "{\"model\": \"wheelset\", \"integrator\": {\"step\": 1, \"duration\": 1}, "
           "\"parameters\": {\"radius\": %.17g,"
           "\"half_track\": %.17g, \"left_wheel\": {\"mass\": %.17g, \"axial_inertia\": %.17g, "
           "\"diametral_inertia\": %.17g},"
           "\"right_wheel\": {\"mass\": %.17g, \"axial_inertia\": %.17g, \"diametral_inertia\": "
           "%.17g}, \"rod\": {\"mass\": %.17g,"
           "\"axial_inertia\": %.17g, \"diametral_inertia\": %.17g}, \"plane\": {\"slope\": %.17g},"
           "\"initial\": {\"yaw\": %.17g}}," END,
           radius, b, left, j_left, diametral_left, right, j_right, diametral_right, rod, j_rod,
           rod_across, slope, pi / 2 + 2);
  for (int half = 1; half <= 2; half++) {
    snprintf(step, sizeof step, "integrator.step=%.17g", period / 4096);
    snprintf(duration, sizeof duration, "integrator.duration=%.17g", 0.5 * half * period);
    omr_result *r = run_study(text, OVERRIDES(step, duration));
    cr_assert_eq(omr_result_status(r)[0], OMR_INSTANCE_OK);
    expect_near("yaw", value_of(r, "final_yaw", 0), pi / 2 + (half == 1 ? -2 : 2), 1e-11);
    expect_near("yaw rate", value_of(r, "final_yaw_rate", 0), 0, 1e-11);
    expect_near("u", value_of(r, "final_vx", 0), 0, 1e-11);
    omr_result_destroy(r);
  }
  wheelset w = standard_wheelset(); /* the check of the step knows this frequency */
  w.p[WSET_P_SLOPE_YAW_ACCELERATION] = k;
  expect_near("rate", omr_wheelset.fastest_rate(w.p), sqrt(k), 1e-15);
}

#define LEVEL                                                                                      \
  WHEELSET "\"parameters\": {\"radius\": 0.2, \"half_track\": 0.25, \"left_wheel\": {\"mass\": "   \
           "2, \"axial_inertia\": 0.06,"                                                           \
           "\"diametral_inertia\": 0.05}, \"rod\": {\"mass\": 1, \"axial_inertia\": 0.01, "        \
           "\"diametral_inertia\": 0.04},"

/* On level ground: u' = (T_l + T_r)/(R A), yaw'' = (b (T_r - T_l)/R + T_y)/C, the rod's rate falls
 * by the reaction. */
Test(wheelset, torques_accelerate_as_by_hand) {
  omr_result *r = run_study(
      LEVEL "\"drive\": {\"left\": 0.03, \"right\": 0.05, \"yaw\": 0.01, \"reaction\": \"rod\"}},"
            "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"5 s\"}}," END,
      NULL);
  double a = 0.08 / 0.2 / (5 + 0.12 / 0.04);
  double e = (0.25 * 0.02 / 0.2 + 0.01) / (0.0625 * (4 + 0.12 / 0.04) + 0.05 + 0.05 + 0.04);
  double rod = -0.08 / 0.01, work = 0.5 * 8 * 100 * a * a +
                                    0.5 * (0.0625 * 7 + 0.14) * 100 * e * e +
                                    0.5 * 0.01 * 100 * rod * rod;
  expect_near("final_vx", value_of(r, "final_vx", 0), 10 * a, 1e-13);
  expect_near("path_length", value_of(r, "path_length", 0), 50 * a, 1e-13);
  expect_near("max_speed", value_of(r, "max_speed", 0), 10 * a, 1e-13);
  expect_near("final_yaw", value_of(r, "final_yaw", 0), 50 * e, 1e-13);
  expect_near("final_yaw_rate", value_of(r, "final_yaw_rate", 0), 10 * e, 1e-13);
  expect_near("drive_work", value_of(r, "drive_work", 0), work, 1e-12);
  expect_near("rod_rate", r->small_samples[WSET_S_ROD_RATE][2], 10 * rod, 1e-13);
  expect_near("rod_angle", r->small_samples[WSET_S_ROD_ANGLE][2], 50 * rod, 1e-13);
  expect_near("left_angle", r->small_samples[WSET_S_LEFT_ANGLE][2], 50 * (a - 0.25 * e) / 0.2,
              1e-12);
  omr_result_destroy(r);
}

/* Level, yaw rate W, u' = a: b (N_r - N_l) = W u (R m + 2 J/R), and the left wheel lifts where that
 * is b m g. */
Test(wheelset, the_inner_wheel_lifts_when_its_load_is_gone) {
  omr_result *r = run_study(
      LEVEL "\"drive\": {\"left\": 0.4, \"right\": 0.4}, \"initial\": {\"yaw_rate\": 3}}," END,
      NULL);
  double a = 0.8 / 0.2 / 8, u = 0.25 * 5 * g / (3 * (0.2 * 5 + 2 * 0.06 / 0.2)), time = u / a;
  cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_LIFTED);
  double ended = r->status_time[0];
  cr_expect(ended >= time && ended < time + 1.001e-3, "ended at %.6g s, not %.6g s", ended, time);
  cr_expect(value_of(r, "min_load", 0) >= 0 && value_of(r, "min_load", 0) < 0.01 * 5 * g);
  expect_near("max_load", value_of(r, "max_load", 0), 5 * g - value_of(r, "min_load", 0), 1e-12);
  expect_near("max_lateral_force", value_of(r, "max_lateral_force", 0),
              5 * 3 * value_of(r, "max_speed", 0), 1e-12);
  expect_near("final_vx", value_of(r, "final_vx", 0), a * ended, 1e-12);
  omr_result_destroy(r);
}

/* A circle of 1600 turns: its yaw keeps its digits, and the place on the circle is that of the
 * exact motion. */
Test(wheelset, many_turns_keep_their_digits) {
  static const char text[] = LEVEL "\"initial\": {\"vx\": 0.5, \"yaw_rate\": 10}}," END;
  static const double positions[] = {
      1e-12,
      1e-6}; /* the truncation of order 4 returns every turn; single: 2^-24 of 0.05 m and pi */
  for (int single = 0; single < 2; single++) {
    omr_result *r =
        run_study(text, OVERRIDES("integrator.duration=1024", "integrator.step=0.0009765625",
                                  single ? "engine.precision=single" : "engine.precision=double"));
    expect_near("yaw", value_of(r, "final_yaw", 0), 10240, single ? 1e-8 : 1e-15);
    expect_near("x", value_of(r, "final_x", 0), 0.05 * sin(10240), positions[single]);
    expect_near("z", value_of(r, "final_z", 0), 0.05 * (cos(10240) - 1), positions[single]);
    omr_result_destroy(r);
  }
}

/* ---- whole motions of unequal wheels on a slope, driven */

#define UNEQUAL                                                                                    \
  WHEELSET "\"parameters\": {\"radius\": 0.15, \"half_track\": 0.3, \"left_wheel\": {\"mass\": "   \
           "2, \"axial_inertia\": 0.03},"                                                          \
           "\"right_wheel\": {\"mass\": 1.2}, \"plane\": {\"slope\": 0.05, \"direction\": -1},"    \
           "\"drive\": {\"left\": 0.02, \"right\": 0.05, \"yaw\": -0.03}, \"initial\": {\"vx\": "  \
           "0.4, \"yaw_rate\": 2,"                                                                 \
           "\"left_angle\": 1, \"rod_rate\": 3}},"

Test(wheelset, the_balance_of_energy_closes) {
  omr_result *r = run_study(UNEQUAL END, NULL);
  cr_assert_eq(omr_result_status(r)[0], OMR_INSTANCE_OK);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-12);
  cr_expect_gt(fabs(value_of(r, "drive_work", 0)), 0.5);
  omr_result_destroy(r);
}

/* Along a trajectory: no velocity across the heading, both wheels roll (their angles and the yaw
 * too), by central differences of order 4, whose error at 10 ms is about 1e-8 of the speeds here.
 */
Test(wheelset, both_wheels_roll_without_slip) {
  omr_result *r = run_study(
      UNEQUAL
      "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"10 ms\"}}," END,
      NULL);
  double *const *s = r->small_samples, b = 0.3, radius = 0.15;
  cr_assert_eq(r->sample_count, 1001);
#define RATE_OF(id) ((8 * (s[id][k + 1] - s[id][k - 1]) - (s[id][k + 2] - s[id][k - 2])) / 0.12)
  for (size_t k = 2; k + 2 < r->sample_count; k++) {
    double yaw = s[WSET_S_YAW][k], rate = s[WSET_S_YAW_RATE][k], vx = RATE_OF(WSET_S_X),
           vz = RATE_OF(WSET_S_Z);
    expect_near("velocity across", vx * sin(yaw) + vz * cos(yaw), 0, 1e-6);
    expect_near("velocity along", vx * cos(yaw) - vz * sin(yaw), s[WSET_S_SPEED][k], 1e-6);
    expect_near("yaw rate", RATE_OF(WSET_S_YAW), rate, 1e-6);
    expect_near("left", radius * s[WSET_S_LEFT_RATE][k], s[WSET_S_SPEED][k] - b * rate, 1e-13);
    expect_near("right", radius * s[WSET_S_RIGHT_RATE][k], s[WSET_S_SPEED][k] + b * rate, 1e-13);
    double lag = radius * (s[WSET_S_RIGHT_ANGLE][k] - s[WSET_S_LEFT_ANGLE][k] + 1) - 2 * b * yaw;
    expect_near("angles and yaw", lag, 0, 1e-12);
    double left = RATE_OF(WSET_S_LEFT_X) * cos(yaw) - RATE_OF(WSET_S_LEFT_Z) * sin(yaw);
    expect_near("left contact", left, radius * RATE_OF(WSET_S_LEFT_ANGLE), 1e-6);
    double right = RATE_OF(WSET_S_RIGHT_X) * cos(yaw) - RATE_OF(WSET_S_RIGHT_Z) * sin(yaw);
    expect_near("right contact", right, radius * RATE_OF(WSET_S_RIGHT_ANGLE), 1e-6);
    expect_near("acceleration", RATE_OF(WSET_S_SPEED), s[WSET_S_ACCELERATION][k], 1e-6);
    expect_near("yaw acceleration", RATE_OF(WSET_S_YAW_RATE), s[WSET_S_YAW_ACCELERATION][k], 1e-6);
  }
#undef RATE_OF
  omr_result_destroy(r);
}

static double end_at_step(const char *step, const char *method) {
  char set_step[64];
  snprintf(set_step, sizeof set_step, "integrator.step=%s", step);
  omr_result *r = run_study(UNEQUAL END, OVERRIDES(set_step, method));
  double x = value_of(r, "final_x", 0);
  omr_result_destroy(r);
  return x;
}

Test(wheelset, halving_the_step_divides_the_error_by_the_power_of_the_order) {
  static const char *const methods[] = {"integrator.method=rk4", "integrator.method=midpoint",
                                        "integrator.method=heun"};
  static const double orders[] = {4, 2, 2};
  double exact = end_at_step("1e-3", methods[0]);
  for (int m = 0; m < 3; m++) {
    double coarse = fabs(end_at_step("0.04", methods[m]) - exact),
           fine = fabs(end_at_step("0.02", methods[m]) - exact);
    double order = log2(coarse / fine);
    cr_expect(order > orders[m] - 0.3 && order < orders[m] + 0.3, "%s: errors %g and %g: order %g",
              methods[m], coarse, fine, order);
  }
}

/* ---- reading */

Test(wheelset, bodies_that_are_not_given_are_discs_and_a_slender_rod) {
  wheelset w = standard_wheelset();
  w.v[OMR_VP_WSET_LEFT_MASS] = 3;
  evaluate(&w); /* R 0.3, b 0.5, rod 2 kg and 1e-3 kg m2 */
  double axial = 0.5 * 3 * 0.09;
  expect_near("A", w.p[WSET_P_INERTIA_UU], 8 + 2 * axial / 0.09, 1e-15);
  cr_expect_eq(w.p[WSET_P_INERTIA_UW], 0);
  expect_near("C", w.p[WSET_P_INERTIA_WW],
              0.25 * (6 + 2 * axial / 0.09) + axial + 2 * 0.25 / 3 + 0.0005, 1e-15);
  w.v[OMR_VP_WSET_RIGHT_MASS] = 1;
  evaluate(&w);
  expect_near("B", w.p[WSET_P_INERTIA_UW], 0.5 * (1 - 3) + 0.5 * (0.5 - 1.5), 1e-15);
  char reason[256];
  w.v[OMR_VP_WSET_ROD_DIAMETRAL] = 4e-4;
  cr_expect_not(omr_wheelset.prepare(&w.study, w.v, w.p, w.y, w.e, reason, sizeof reason));
  cr_expect_not_null(
      strstr(reason, "rod.diametral_inertia = 0.0004 kg m2 is below half of its axial_inertia"),
      "%s", reason);
}

/* Joints are the reference's: the ensemble's motion does not know them. */
Test(wheelset, compliant_joints_leave_the_ideal_motion) {
  omr_result *r = run_study(EQUAL END, NULL);
  omr_result *other = run_study(
      EQUAL END, OVERRIDES("parameters.joints=compliant", "parameters.joint.stiffness=10"));
  cr_expect_eq(value_of(r, "final_x", 0), value_of(other, "final_x", 0));
  omr_result_destroy(r);
  omr_result_destroy(other);
}

Test(wheelset, no_sample_has_the_name_of_a_parameter) {
  for (int j = 0; j < OMR_VP_COUNT; j++) {
    char name[64];
    if (!(omr_vehicle_parameters[j].flags & OMR_FOR_WHEELSET)) continue;
    snprintf(name, sizeof name, "%s", omr_vehicle_parameters[j].path);
    for (char *c = name; *c; c++) *c = *c == '.' ? '_' : *c;
    for (int i = 0; i < WSET_S_COUNT; i++)
      cr_expect_str_neq(name, omr_wheelset.list->sample_list[i].name);
  }
}
