/* Methods of integration: their order, the algebra of the linearly implicit one, stiff friction, and the bound on the step. */
#include "host/engine/run.h"
#include "kernel.h"
#include "motion.h"

enum { STATES = 6 };
static const char *const state_names[STATES] = {"final_x", "final_z", "final_yaw", "final_vx", "final_vz", "final_yaw_rate"};

static void final_state(const char *text, const char *const *overrides, double state[STATES], double *exchanges) {
  omr_result *r = run_study(text, overrides);
  cr_assert_eq(omr_result_status(r)[0], 0, "ended as %s", omr_instance_status_name(omr_result_status(r)[0]));
  for (int i = 0; i < STATES; i++) state[i] = value_of(r, state_names[i], 0);
  if (exchanges) *exchanges = value_of(r, "exchanges", 0);
  omr_result_destroy(r);
}

static double difference(const double *a, const double *b, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++) largest = larger(largest, a[i] - b[i]);
  return largest;
}

/* ---- order */

typedef struct method_case {
  const char *method;
  double order; /* of the literature: rosenbrock.h, integrate.h */
} method_case;

static const method_case methods[] = {{"integrator.method=rk4", 4},
                                      {"integrator.method=midpoint", 2},
                                      {"integrator.method=heun", 2},
                                      {"integrator.method=semi_implicit_euler", 1},
                                      {"integrator.method=rosenbrock", 2}};
enum { METHODS = sizeof methods / sizeof *methods };

/* Slip stays below v_s = 3 m/s throughout: the right-hand side is smooth between exchanges. The error is that against RK4 with a
 * step eight times shorter than the shortest. */
Test(order, of_every_method_is_that_of_the_literature_across_exchanges) {
  const char *const steps[] = {"integrator.step=1 ms", "integrator.step=0.5 ms", "integrator.step=0.25 ms"};
  const char *friction = "parameters.wheel.friction=0.3", *zone = "parameters.wheel.slip_speed=3",
             *time = "integrator.duration=2";
  double exact[STATES];
  final_state(vehicle_text, OVERRIDES("integrator.step=0.03125 ms", friction, zone, time), exact, NULL);
  for (int m = 0; m < METHODS; m++) {
    double error[3], exchanges;
    for (int s = 0; s < 3; s++) {
      double state[STATES];
      final_state(vehicle_text, OVERRIDES(methods[m].method, steps[s], friction, zone, time), state, &exchanges);
      error[s] = difference(state, exact, STATES);
    }
    double order = log2(error[1] / error[2]);
    cr_log_info("%s: errors %.2e %.2e %.2e, order %.2f, %g exchanges\n", methods[m].method, error[0], error[1], error[2], order,
                exchanges);
    cr_expect_geq(exchanges, 10);
    cr_expect_gt(order, methods[m].order - 0.25, "%s has order %.2f", methods[m].method, order);
    cr_expect_lt(order, methods[m].order + 0.5, "%s has order %.2f", methods[m].method, order);
  }
}

/* The laws that are constraints, of which "rosenbrock" knows nothing: methods 0 to 3, exchanges with impacts among them. Under
 * ideal rolling the errors of order 2 fall by 4 with each halving from 1 ms to 0.5 ms and from 0.25 ms on, but with another
 * factor in the second range, so the order is measured there. RK4's errors reach rounding. Passive forces have kinks that no step
 * is split at: with them errors only have to fall with the step. */
Test(order, of_the_explicit_methods_is_the_same_under_constraints) {
  const char *const steps[] = {"integrator.step=0.25 ms", "integrator.step=0.0625 ms"};
  const char *const laws[] = {"parameters.contact.law=ideal_rolling", "parameters.contact.law=massless_rollers",
                              "parameters.contact.law=udwadia_kalaba",
                              "parameters.contact={\"law\": \"udwadia_kalaba\", \"passive\": true, \"weights\": \"fixed\"}"};
  const char *friction = "parameters.wheel.friction=0.3", *time = "integrator.duration=2",
             *soft = "parameters.wheel.contact={\"reference_speed\": 1, \"baumgarte\": 5}";
  for (int law = 0; law < 4; law++) {
    double exact[STATES];
    final_state(vehicle_text, OVERRIDES("integrator.step=0.015625 ms", laws[law], friction, soft, time), exact, NULL);
    for (int m = 0; m < 4; m++) {
      double error[2], exchanges;
      for (int s = 0; s < 2; s++) {
        double state[STATES];
        final_state(vehicle_text, OVERRIDES(methods[m].method, steps[s], laws[law], friction, soft, time), state, &exchanges);
        error[s] = difference(state, exact, STATES);
      }
      double order = log2(error[0] / error[1]) / 2, expected = fmin(methods[m].order, law == 3 ? 0.25 : 4);
      cr_log_info("%s, %s: errors %.2e %.2e, order %.2f, %g exchanges\n", laws[law], methods[m].method, error[0], error[1], order,
                  exchanges);
      cr_expect_geq(exchanges, 10);
      if (error[1] > 1e-12)
        cr_expect_gt(order, expected - 0.25, "%s has order %.2f under %s", methods[m].method, order, laws[law]);
    }
  }
}

/* ---- the linearly implicit method's parts */

static double unit_force(const double *w, double i, double k, int component) {
  double force[2];
  saturated_coulomb(w, w[W_FRICTION], i, k, i * i + k * k, &force[0], &force[1]);
  return force[component];
}

/* Central differences of step 1e-6 v_s: rounding 1e-16/1e-6 and curvature (1e-6)^2 leave 1e-9 of the slope. */
Test(friction, slope_is_the_derivative_of_the_law) {
  uint64_t seed = 11;
  for (int n = 0; n < 1000; n++) {
    double w[W_COUNT] = {0};
    w[W_FRICTION] = draw(&seed, 0.1, 1);
    w[W_SLIP_SPEED] = draw(&seed, 1e-3, 0.1);
    double speed = w[W_SLIP_SPEED] * (n % 2 ? draw(&seed, 0, 0.99) : draw(&seed, 1.01, 5)), angle = draw(&seed, 0, 7);
    double i = speed * cos(angle), k = speed * sin(angle), e = 1e-6 * w[W_SLIP_SPEED];
    stiffness s = saturated_coulomb_slope(w, w[W_FRICTION], i, k, i * i + k * k);
    const double got[4] = {s.ii, s.ik, s.ki, s.kk};
    for (int j = 0; j < 4; j++) {
      int row = j / 2, by_k = j % 2;
      double up = unit_force(w, by_k ? i : i + e, by_k ? k + e : k, row);
      double down = unit_force(w, by_k ? i : i - e, by_k ? k - e : k, row);
      double scale = w[W_FRICTION] / w[W_SLIP_SPEED];
      cr_assert_float_eq(-(up - down) / (2 * e) / scale, got[j] / scale, 1e-8, "component %d at |v|/v_s = %g", j,
                         speed / w[W_SLIP_SPEED]);
    }
  }
}

/* The secant times the slip is the friction. */
Test(friction, secant_reaches_the_force) {
  uint64_t seed = 12;
  for (int n = 0; n < 100; n++) {
    double w[W_COUNT] = {0}, i = draw(&seed, -0.2, 0.2), k = draw(&seed, -0.2, 0.2);
    w[W_FRICTION] = 0.4;
    w[W_SLIP_SPEED] = 0.1;
    stiffness s = saturated_coulomb_secant(w, w[W_FRICTION], i * i + k * k);
    cr_assert_float_eq(-(s.ii * i + s.ik * k), unit_force(w, i, k, 0), 1e-15);
    cr_assert_float_eq(-(s.ki * i + s.kk * k), unit_force(w, i, k, 1), 1e-15);
  }
}

/* Regularised law, whole slip or components, both zones, any angle and ground. */
typedef struct regular_case {
  double w[W_COUNT], factor;
  int linear, components;
} regular_case;

static regular_case draw_regular(uint64_t *seed) {
  regular_case r = {.factor = draw(seed, 0.3, 3), .linear = draw_whole(seed, 0, 1), .components = draw_whole(seed, 0, 1)};
  double angle = draw(seed, -4, 4);
  r.w[W_SLIP_SPEED] = draw(seed, 1e-3, 0.1);
  r.w[W_INV_SLIP_SPEED] = 1 / r.w[W_SLIP_SPEED];
  r.w[W_LATERAL] = draw(seed, 0, 0.5);
  r.w[W_LONGITUDINAL] = draw(seed, 0.1, 1);
  r.w[W_LATERAL_VISCOUS] = draw(seed, 0, 2);
  r.w[W_LONGITUDINAL_VISCOUS] = draw(seed, 0, 2);
  r.w[W_FRICTION_SIN] = sin(angle);
  r.w[W_FRICTION_COS] = cos(angle);
  return r;
}

static double regular_force(const regular_case *r, double i, double k, int component) {
  double force[2];
  if (r->components)
    component_friction(r->w, r->linear, r->factor, i, k, &force[0], &force[1]);
  else
    regularized_coulomb(r->w, r->linear, r->factor, i, k, i * i + k * k, &force[0], &force[1]);
  return force[component];
}

/* slides: the coming slip is the present one times 1e6, or none at all. */
static stiffness regular_stiffness(const regular_case *r, double i, double k, bool slides) {
  double coming = slides ? 1e6 : 0;
  if (r->components) return component_stiffness(r->w, r->linear, r->factor, i, k, coming * i, coming * k);
  return regularized_stiffness(r->w, r->linear, r->factor, i, k, i * i + k * k, slides);
}

/* As for saturated Coulomb friction; no difference is taken across the edge of a zone. */
Test(friction, slope_of_the_regularised_laws_is_their_derivative) {
  uint64_t seed = 21;
  int checked = 0;
  for (int n = 0; n < 3000; n++) {
    regular_case r = draw_regular(&seed);
    double zone = r.w[W_SLIP_SPEED], speed = zone * (n % 2 ? draw(&seed, 0, 0.99) : draw(&seed, 1.01, 5));
    double angle = draw(&seed, 0, 7), i = speed * cos(angle), k = speed * sin(angle), e = 1e-6 * zone;
    double x = fabs(r.w[W_FRICTION_COS] * k + r.w[W_FRICTION_SIN] * i),
           y = fabs(r.w[W_FRICTION_SIN] * k - r.w[W_FRICTION_COS] * i);
    if (r.components && (fabs(x - zone) < 0.01 * zone || fabs(y - zone) < 0.01 * zone || x < 0.01 * zone || y < 0.01 * zone))
      continue;
    stiffness s = regular_stiffness(&r, i, k, true);
    const double got[4] = {s.ii, s.ik, s.ki, s.kk}, scale = 2 * r.factor * (1 / zone + 2);
    for (int j = 0; j < 4; j++) {
      int row = j / 2, by_k = j % 2;
      double up = regular_force(&r, by_k ? i : i + e, by_k ? k + e : k, row);
      double down = regular_force(&r, by_k ? i : i - e, by_k ? k - e : k, row);
      cr_assert_float_eq(-(up - down) / (2 * e) / scale, got[j] / scale, 1e-8,
                         "case %d (%s, %s zone), component %d at |v|/v_s = %g", n, r.components ? "components" : "whole",
                         r.linear ? "linear" : "quadratic", j, speed / zone);
    }
    checked++;
  }
  cr_assert_gt(checked, 2500);
}

Test(friction, secant_of_the_regularised_laws_reaches_the_force) {
  uint64_t seed = 22;
  for (int n = 0; n < 1000; n++) {
    regular_case r = draw_regular(&seed);
    double i = draw(&seed, -0.2, 0.2), k = draw(&seed, -0.2, 0.2);
    stiffness s = regular_stiffness(&r, i, k, false);
    cr_assert_float_eq(-(s.ii * i + s.ik * k), regular_force(&r, i, k, 0), 1e-13);
    cr_assert_float_eq(-(s.ki * i + s.kk * k), regular_force(&r, i, k, 1), 1e-13);
  }
}

/* The slip of wheel i as the right-hand side computes it. */
static void slip_at(const fleet *f, evaluation *e, int i, double slip[2]) {
  derive(f, e);
  slip[0] = e->o.slip_i[i];
  slip[1] = e->o.slip_k[i];
}

/* Central differences with 1e-5 rad: errors of 1e-16/1e-5 and 1e-10 times the third derivative, of slips of order 1. */
Test(rosenbrock, slip_per_angle_is_its_derivative) {
  uint64_t seed = 13;
  for (int n = 0; n < 200; n++) {
    machine m = random_machine(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    for (int i = 0; i < m.wheels; i++) {
      double q = e.at.y[Y_Q(i)], up[2], down[2];
      stiff_contact d;
      place_stiff_contact(&e.p, f.settings.integers, i, e.held.row[i], e.at.y, &d);
      e.at.y[Y_Q(i)] = q + 1e-5;
      slip_at(&f, &e, i, up);
      e.at.y[Y_Q(i)] = q - 1e-5;
      slip_at(&f, &e, i, down);
      e.at.y[Y_Q(i)] = q;
      double scale = 1 + fabs(d.i_angle) + fabs(d.k_angle);
      cr_assert_float_eq((up[0] - down[0]) / 2e-5 / scale, d.i_angle / scale, 1e-7);
      cr_assert_float_eq((up[1] - down[1]) / 2e-5 / scale, d.k_angle / scale, 1e-7);
    }
    free_fleet(&f);
  }
}

enum { MOST = 3 + 2 * OMR_MAX_WHEELS };

/* Gaussian elimination with exchange of rows: x := a^-1 x. */
static void solve_dense(int n, double a[MOST][MOST], double *x) {
  for (int p = 0; p < n; p++) {
    int best = p;
    for (int r = p + 1; r < n; r++) best = fabs(a[r][p]) > fabs(a[best][p]) ? r : best;
    for (int c = 0; c < n; c++) {
      double t = a[p][c];
      a[p][c] = a[best][c];
      a[best][c] = t;
    }
    double t = x[p];
    x[p] = x[best];
    x[best] = t;
    for (int r = 0; r < n; r++) {
      double factor = r == p ? 0 : a[r][p] / a[p][p];
      for (int c = 0; c < n; c++) a[r][c] -= factor * a[p][c];
      x[r] -= factor * x[p];
    }
  }
  for (int p = 0; p < n; p++) x[p] /= a[p][p];
}

/* Velocity j of (V_x, V_z, omega, chi'_i ..., s_i ...) in the integrated array. */
static int velocity(int j, int wheels) {
  return j < 3 ? Y_VX + j : j < 3 + wheels ? Y_RATE(j - 3) : Y_SPIN(j - 3 - wheels);
}

/* Slip Jacobian from the slips that the right-hand side gives for unit velocities: they are linear. */
static void slip_jacobian(const fleet *f, const evaluation *e, int wheels, double jacobian[2 * OMR_MAX_WHEELS][MOST]) {
  for (int j = 0; j < 3 + 2 * wheels; j++) {
    evaluation unit = *e;
    for (int k = 0; k < 3 + 2 * wheels; k++) unit.at.y[velocity(k, wheels)] = k == j;
    derive(f, &unit);
    for (int i = 0; i < wheels; i++) {
      jacobian[2 * i][j] = unit.o.slip_i[i];
      jacobian[2 * i + 1][j] = unit.o.slip_k[i];
    }
  }
}

/* Mass matrix in (V, omega, chi', s): physics.md section 4, yaw inertia about the body origin by Steiner. */
static void mass_matrix(const evaluation *e, int wheels, double mass[MOST][MOST]) {
  const double *v = e->p.v;
  memset(mass, 0, sizeof(double[MOST][MOST]));
  mass[0][0] = mass[1][1] = v[P_MASS];
  mass[0][2] = mass[2][0] = v[P_MASS] * v[P_COM_Z];
  mass[1][2] = mass[2][1] = -v[P_MASS] * v[P_COM_X];
  mass[2][2] = 1 / v[P_INV_YAW] + v[P_MASS] * (v[P_COM_X] * v[P_COM_X] + v[P_COM_Z] * v[P_COM_Z]);
  for (int i = 0; i < wheels; i++) {
    mass[3 + i][3 + i] = 1 / e->p.w[i][W_INV_INERTIA];
    mass[3 + wheels + i][3 + wheels + i] = e->p.w[i][W_ROLLER_INERTIA];
  }
}

/* (M + sigma J^T K J) x = M r - sigma J^T K e turning. */
static void dense_answer(const fleet *f, const evaluation *e, int wheels, const stiffness *k, const stiff_matrix *a, double sigma,
                         const double *turning, double *x) {
  static double jacobian[2 * OMR_MAX_WHEELS][MOST], matrix[MOST][MOST], mass[MOST][MOST];
  int n = 3 + 2 * wheels;
  double r[MOST];
  slip_jacobian(f, e, wheels, jacobian);
  mass_matrix(e, wheels, mass);
  memcpy(r, x, sizeof r);
  memcpy(matrix, mass, sizeof matrix);
  for (int j = 0; j < n; j++) {
    x[j] = 0;
    for (int c = 0; c < n; c++) x[j] += mass[j][c] * r[c];
  }
  for (int i = 0; i < wheels; i++) {
    const double *ji = jacobian[2 * i], *jk = jacobian[2 * i + 1], ei = a->contact[i].i_angle, ek = a->contact[i].k_angle;
    for (int j = 0; j < n; j++) {
      double on_i = sigma * (ji[j] * k[i].ii + jk[j] * k[i].ki), on_k = sigma * (ji[j] * k[i].ik + jk[j] * k[i].kk);
      for (int c = 0; c < n; c++) matrix[j][c] += on_i * ji[c] + on_k * jk[c];
      x[j] -= (on_i * ei + on_k * ek) * turning[i];
    }
  }
  solve_dense(n, matrix, x);
}

/* Random machines, loads, stiffnesses that are no symmetric matrices, steps from 10 us to 10 ms. The matrices' condition is that
 * of masses against rollers, up to 1e8 with the stiffness: 1e-8 of the largest number is what a dense solve leaves. */
Test(rosenbrock, elimination_of_the_wheels_agrees_with_a_dense_solve) {
  uint64_t seed = 14;
  double worst = 0;
  for (int n = 0; n < 300; n++) {
    machine m = random_machine(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    stiff_matrix a;
    stiffness k[OMR_MAX_WHEELS];
    double matrix[3][3], turning[OMR_MAX_WHEELS], dy[Y_COUNT] = {0}, x[MOST] = {0};
    double sigma = ROSENBROCK_GAMMA * pow(10, draw(&seed, -5, -2));
    start_platform_matrix(&e.p, matrix);
    for (int i = 0; i < m.wheels; i++) {
      double size = pow(10, draw(&seed, 1, 5));
      k[i] = (stiffness){size * draw(&seed, 0.5, 1), size * draw(&seed, -0.4, 0.4), size * draw(&seed, -0.4, 0.4),
                         size * draw(&seed, 0.5, 1)};
      turning[i] = draw(&seed, -10, 10);
      place_stiff_contact(&e.p, f.settings.integers, i, e.held.row[i], e.at.y, &a.contact[i]);
      add_stiff_contact(e.p.w[i], k[i], sigma, &a.contact[i], matrix);
    }
    invert_3x3(matrix, a.inverse);
    for (int j = 0; j < 3 + 2 * m.wheels; j++) x[j] = dy[velocity(j, m.wheels)] = draw(&seed, -10, 10);
    dense_answer(&f, &e, m.wheels, k, &a, sigma, turning, x);
    solve_stiff_matrix(&e.p, f.settings.integers, &a, turning, dy);
    double largest = 1;
    for (int j = 0; j < 3 + 2 * m.wheels; j++) largest = larger(largest, x[j]);
    for (int j = 0; j < 3 + 2 * m.wheels; j++) {
      double off = (dy[velocity(j, m.wheels)] - x[j]) / largest;
      worst = larger(worst, off);
      cr_assert_lt(fabs(off), 1e-8, "machine %d, velocity %d of %d wheels", n, j, m.wheels);
    }
    free_fleet(&f);
  }
  cr_log_info("largest difference from the dense solve %.1e\n", worst);
}

/* v' = -x v/h: ROS2 by its two stages. Positive: slip decays without changing its sign, so nothing rings after an exchange. */
Test(rosenbrock, amplification_is_positive_and_l_stable) {
  const double g = ROSENBROCK_GAMMA;
  for (double x = 1e-3; x < 1e9; x *= 1.3) {
    double k1 = -x / (1 + g * x), k2 = (-x * (1 + k1) - 2 * k1) / (1 + g * x), end = 1 + 1.5 * k1 + 0.5 * k2;
    cr_assert_gt(end, 0);
    cr_assert_lt(end, 1);
    if (x > 1e6) cr_assert_lt(end, 1e-5);
  }
  for (double theta = 0.15; theta < 100; theta *= 1.1) { /* the friction is 1/theta times what the matrix takes it for */
    double y = g * theta, end = 1 - 2 / y + 1 / (2 * y * y);
    cr_assert_lt(fabs(end), 1 + 1e-12);
  }
}

/* ---- stiff friction */

/* The textbook vehicle and wheel of these tests: eight cut rollers of 1200 kg/m3, mu 0.5, v_s = 1 mm/s, driven by sines. */
#define STIFF_WHEEL                                                                                                              \
  "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"tip_radius\": 0.008, \"friction\": 0.5, \"slip_speed\": \"1 mm/s\","
#define SINE(torque) "{\"drive\": {\"type\": \"sine\", \"torque\": " #torque ", \"frequency\": 0.4, \"phase\": 0.5}}"
#define STIFF_END "}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}, \"engine\": {\"backend\": \"openmp\"}}"
#define STIFF_PLATFORM                                                                                                           \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\", \"platform\": {\"mass\": 12, \"yaw_inertia\": 0.4,"    \
  "\"center_of_mass\": {\"x\": 0.02, \"z\": 0.01, \"height\": 0.12}}," STIFF_WHEEL

static const char stiff_three[] =
    STIFF_PLATFORM "\"roller\": {\"density\": 1200}}, \"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.25},"
                   "\"wheels\": [" SINE(0.6) "," SINE(-0.3) "," SINE(0.5) "]" STIFF_END;
static const char stiff_four[] =
    STIFF_PLATFORM "\"roller\": {\"density\": 1200}}, \"layout\": {\"type\": \"rectangle\", \"mecanum\": true},"
                   "\"wheels\": [" SINE(-0.6) "," SINE(-0.3) "," SINE(-0.5) "," SINE(-0.2) "]" STIFF_END;
static const char stiff_wheel[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\"," STIFF_WHEEL
    "\"roller\": {\"density\": 1200}, \"drive\": {\"type\": \"sine\", \"torque\": 0.02, \"frequency\": 0.4, \"phase\": 0.5}},"
    "\"initial\": {\"vx\": 0.3, \"vz\": 0.1, \"yaw_rate\": 0.4}" STIFF_END;

/* The same bits as lanes, and faster for one instance under sanitizers. */
#define SCALAR "engine.backend=scalar"

typedef struct stiff_case {
  const char *text, *inclination, *density;
  const char *fine, *step; /* of RK4 and of Rosenbrock */
  double bound;            /* on pose and velocities, m, rad, m/s, rad/s */
} stiff_case;

/* RK4 with steps below its own limit, so that its balance of energy closes, against Rosenbrock with steps 250 to 2500 times
 * longer. The vehicles drive 0.7 to 1 m and turn by 2 to 3 rad. What differs comes from the exchanges, where slip comes and goes
 * within a step; steep rollers have more of it and need a shorter step for the same 1e-3. */
static const stiff_case stiff_cases[] = {
    {stiff_three, "parameters.wheel.inclination=0", "parameters.wheel.roller.density=1200", "1 us", "1 ms", 1e-3},
    {stiff_three, "parameters.wheel.inclination=0.3", "parameters.wheel.roller.density=1200", "1 us", "1 ms", 1e-3},
    {stiff_three, "parameters.wheel.inclination=0.3", "parameters.wheel.roller.density=200", "0.4 us", "0.5 ms", 1e-3},
    {stiff_four, "parameters.wheel.inclination=45 deg", "parameters.wheel.roller.density=1200", "1 us", "0.25 ms", 1e-3},
    {stiff_wheel, "parameters.wheel.inclination=0", "parameters.wheel.roller.density=1200", "1 us", "1 ms", 1e-3},
    {stiff_wheel, "parameters.wheel.inclination=45 deg", "parameters.wheel.roller.density=1200", "1 us", "0.5 ms", 1e-3},
};

Test(stiff, rosenbrock_meets_rk4_with_steps_hundreds_of_times_longer, .timeout = 300) {
  for (size_t i = 0; i < sizeof stiff_cases / sizeof *stiff_cases; i++) {
    const stiff_case *k = &stiff_cases[i];
    char fine[64], step[64];
    double exact[STATES], state[STATES], exchanges;
    snprintf(fine, sizeof fine, "integrator.step=%s", k->fine);
    snprintf(step, sizeof step, "integrator.step=%s", k->step);
    const char *time = "integrator.duration=1.95";
    omr_result *r = run_study(k->text, OVERRIDES(fine, k->inclination, k->density, time, SCALAR));
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-3, "RK4 of case %zu does not stand", i);
    for (int j = 0; j < STATES; j++) exact[j] = value_of(r, state_names[j], 0);
    omr_result_destroy(r);
    final_state(k->text, OVERRIDES("integrator.method=rosenbrock", step, k->inclination, k->density, time), state, &exchanges);
    double off = difference(state, exact, STATES);
    cr_log_info("case %zu: Rosenbrock %s, RK4 %s: difference %.1e, %g exchanges\n", i, k->step, k->fine, off, exchanges);
    cr_expect_lt(off, k->bound, "case %zu", i);
  }
}

/* The other laws of friction, with directions, on patches; discs on springs. As above: 1e-3 of motions of 0.5 to 1 m. */
#define LAW2(zone) "\"law\": \"regularized_coulomb\", \"zone\": \"" zone "\""
#define DIRECTIONS                                                                                                               \
  "parameters.wheel.contact={\"lateral_friction\": 0.4, \"lateral_viscous\": 0.05, \"longitudinal_viscous\": 0.02, "             \
  "\"friction_angle\": 0.4, \"rolling_friction\": 0.01}"
#define ICE                                                                                                                      \
  "parameters.ground={\"type\": \"patches\", \"patch0\": {\"x\": 0, \"z\": 0, \"length\": 0.4, \"width\": 0.4, \"friction\": "   \
  "0.3}}"

static const char stiff_discs[] =
    "{\"model\": \"disc_vehicle\", \"parameters\": {\"overlap\": \"allow\", \"platform\": {\"mass\": 12, \"yaw_inertia\": 0.4,"
    "\"center_of_mass\": {\"x\": 0.02, \"z\": 0.01, \"height\": 0.12}}," STIFF_WHEEL
    "\"inclination\": 0.7, \"roller\": {\"density\": 1200}}, \"layout\": {\"type\": \"rectangle\", \"mecanum\": true},"
    "\"wheels\": [" SINE(-0.6) "," SINE(-0.3) "," SINE(-0.5) "," SINE(-0.2) "]" STIFF_END;

Test(stiff, rosenbrock_meets_rk4_under_every_law_of_friction, .timeout = 300) {
  static const struct {
    const char *text, *contact, *wheel, *ground;
  } cases[] = {
      {stiff_three, "parameters.contact={" LAW2("quadratic") "}", DIRECTIONS, ICE},
      {stiff_three, "parameters.contact={" LAW2("linear") "}", DIRECTIONS, "title=x"},
      {stiff_discs, "parameters.contact={\"saturation\": \"components\"}", "title=x", ICE},
      {stiff_discs, "parameters.contact={\"saturation\": \"whole\"}", "title=x", "title=x"},
      {stiff_discs, "parameters.contact={\"normal\": \"penalty\"}",
       "parameters.wheel.contact={\"stiffness\": 4e4, \"damping\": 400, \"lateral_friction\": 0.1}", "title=x"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double exact[STATES], state[STATES];
    const char *time = "integrator.duration=1", *quiet = "integrator.stability=ignore";
    final_state(cases[i].text, OVERRIDES("integrator.step=1 us", cases[i].contact, cases[i].wheel, cases[i].ground, time, SCALAR),
                exact, NULL);
    final_state(cases[i].text,
                OVERRIDES("integrator.method=rosenbrock", "integrator.step=0.5 ms", quiet, cases[i].contact, cases[i].wheel,
                          cases[i].ground, time),
                state, NULL);
    double off = difference(state, exact, STATES);
    cr_log_info("law %zu: difference %.1e\n", i, off);
    cr_expect_lt(off, 1e-3, "case %zu: %g", i, off);
  }
}

/* Drives stronger than friction: wheels break loose and slide; the slope of the sliding contact keeps order 2 there. */
Test(stiff, wheels_that_break_loose_slide_as_with_rk4) {
  double exact[STATES], state[STATES];
  const char *loose = "parameters.wheels=[" SINE(4) "," SINE(-3) "," SINE(5) "]", *time = "integrator.duration=0.5";
  final_state(stiff_three, OVERRIDES("integrator.step=2.5 us", loose, time), exact, NULL);
  final_state(stiff_three, OVERRIDES("integrator.step=1 ms", "integrator.method=rosenbrock", loose, time), state, NULL);
  cr_log_info("sliding: difference %.1e\n", difference(state, exact, STATES));
  cr_expect_lt(difference(state, exact, STATES), 1e-2);
}

/* Largest growth of the kinetic energy of an undriven vehicle in one step, relative to its energy at the start. */
static double largest_growth(const char *text, const char *const *overrides, int steps, double *left) {
  omr_error error = {OMR_OK, ""};
  omr_study *study;
  size_t count = 0;
  while (overrides[count]) count++;
  cr_assert_eq(omr_study_parse(text, "test", overrides, count, &study, &error), OMR_OK, "%s", error.message);
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  double first = omr_kinetic_energy(&f.settings, &f.batch, 0), last = first, growth = -1;
  for (int step = 1; step <= steps; step++) {
    advance_pack(f.batch.params, f.batch.state, f.batch.spins, f.settings.tables, f.settings.integers, study->step, step,
                 (int)f.batch.stride, 0);
    double energy = omr_kinetic_energy(&f.settings, &f.batch, 0);
    growth = fmax(growth, (energy - last) / first);
    last = energy;
  }
  cr_assert_eq(f.batch.state[(size_t)S_STATUS * f.batch.stride], 0);
  *left = last / first;
  free_fleet(&f);
  omr_study_destroy(study);
  return growth;
}

/* Slow vehicles, sliding at 5 mm/s or a hundred times slower, below saturation: the contacts hardly move, what is left is
 * friction, and that takes energy in every step. Following the rows of the slip Jacobian as the wheels turn leaves a relative
 * error of the square of their angle in a step, v h/R. */
Test(stiff, friction_itself_never_adds_kinetic_energy) {
  const char *undriven3 = "parameters.wheels=[{},{},{}]", *undriven4 = "parameters.wheels=[{},{},{},{}]";
  const char *const inclinations[] = {"parameters.wheel.inclination=0", "parameters.wheel.inclination=0.3",
                                      "parameters.wheel.inclination=45 deg"};
  const char *const densities[] = {"parameters.wheel.roller.density=1200", "parameters.wheel.roller.density=50"};
  const char *const starts[] = {"parameters.initial={\"vx\": 4e-3, \"vz\": -3e-3, \"yaw_rate\": 0.01}",
                                "parameters.initial={\"vx\": 4e-5, \"vz\": -3e-5, \"yaw_rate\": 1e-4}"};
  for (int n = 0; n < 24; n++) {
    bool four = n >= 12;
    double left, growth = largest_growth(four ? stiff_four : stiff_three,
                                         OVERRIDES("integrator.method=rosenbrock", four ? undriven4 : undriven3,
                                                   inclinations[n % 3], densities[n / 3 % 2], starts[n / 6 % 2]),
                                         100, &left);
    cr_log_info("slow %d: largest growth in a step %.1e, left %.3f\n", n, growth, left);
    double angle = (n / 6 % 2 ? 5e-5 : 5e-3) * 1e-3 / 0.1;
    cr_expect_leq(growth, angle * angle, "case %d", n);
  }
}

/* Fast vehicles: the same error of (10 rad/s h)^2, 1e-4 for 1 ms to either side, a sixteenth of it with a quarter of the step. */
Test(stiff, kinetic_energy_of_an_undriven_vehicle_grows_by_the_error_of_a_step_at_most) {
  const char *undriven3 = "parameters.wheels=[{},{},{}]", *undriven4 = "parameters.wheels=[{},{},{},{}]";
  const char *const inclinations[] = {"parameters.wheel.inclination=0", "parameters.wheel.inclination=0.3",
                                      "parameters.wheel.inclination=45 deg"};
  const char *const densities[] = {"parameters.wheel.roller.density=1200", "parameters.wheel.roller.density=50"};
  const char *fast = "parameters.initial={\"vx\": 0.8, \"vz\": -0.4, \"yaw_rate\": 3}";
  double most[2] = {0, 0};
  for (int n = 0; n < 24; n++) {
    bool four = n % 12 >= 6;
    const char *step = n < 12 ? "integrator.step=1 ms" : "integrator.step=0.25 ms";
    double left, growth = largest_growth(four ? stiff_four : stiff_three,
                                         OVERRIDES("integrator.method=rosenbrock", four ? undriven4 : undriven3,
                                                   inclinations[n % 3], densities[n / 3 % 2], fast, step),
                                         n < 12 ? 1000 : 4000, &left);
    cr_log_info("undriven %d: largest growth in a step %.1e, left %.3f\n", n, growth, left);
    cr_expect_lt(left, 1);
    most[n / 12] = fmax(growth, most[n / 12]);
  }
  cr_expect_lt(most[0], 2e-4);
  cr_expect_lt(most[1], most[0] / 12);
}

/* ---- the bound on the step */

/* Whether slip that starts far below saturation grows to twice itself within 400 steps. */
static bool grows(const char *text, const char *const *overrides, double step, double slip) {
  char times[2][64];
  snprintf(times[0], sizeof times[0], "integrator.step=%.17g", step);
  snprintf(times[1], sizeof times[1], "integrator.duration=%.17g", 400 * step);
  const char *all[16] = {times[0], times[1]};
  for (int j = 0; overrides[j]; j++) all[2 + j] = overrides[j];
  omr_result *r = run_study(text, all);
  bool unstable = omr_result_status(r)[0] != 0 || !(value_of(r, "max_slip", 0) < 2 * slip);
  omr_result_destroy(r);
  return unstable;
}

static double bound_of(const char *text, const char *const *overrides) {
  omr_error error = {OMR_OK, ""};
  omr_study *study;
  size_t count = 0, instance;
  while (overrides[count]) count++;
  cr_assert_eq(omr_study_parse(text, "test", overrides, count, &study, &error), OMR_OK, "%s", error.message);
  double bound = omr_largest_step(study, &instance);
  omr_study_destroy(study);
  return bound;
}

/* The limit found by bisection of the step: a vehicle pushed at 1e-4 of the slip speed, with its wheels held by nothing. It
 * starts with the rollers straight down, where the estimate looks too, so it must be met; the estimate is the smallest over q and
 * not longer. */
Test(stability, bound_is_where_slip_begins_to_grow) {
  static const char *const pushes[] = {"parameters.initial={\"vx\": 1e-7, \"vz\": 5e-8, \"yaw_rate\": 3e-7}",
                                       "integrator.stability=ignore"};
  static const char *const texts[] = {stiff_three, stiff_four, stiff_wheel};
  static const char *const undriven[] = {"parameters.wheels=[{},{},{}]", "parameters.wheels=[{},{},{},{}]",
                                         "parameters.wheel.drive={\"type\": \"none\"}"};
  static const char *const inclinations[] = {"parameters.wheel.inclination=0", "parameters.wheel.inclination=0.3",
                                             "parameters.wheel.inclination=45 deg"};
  for (int n = 0; n < 3 * 3 * 4; n++) {
    const char *const *all = OVERRIDES(methods[n % 4].method, undriven[n / 4 % 3], inclinations[n / 12], pushes[0], pushes[1]);
    const char *text = texts[n / 4 % 3];
    double bound = bound_of(text, all), low = bound / 4, high = bound * 4, slip = 2e-7;
    cr_assert(!grows(text, all, low, slip) && grows(text, all, high, slip), "case %d", n);
    while (high / low > 1.01) {
      double middle = sqrt(low * high);
      *(grows(text, all, middle, slip) ? &high : &low) = middle;
    }
    cr_log_info("%s, case %d: estimate %.3e, found %.3e, ratio %.3f\n", methods[n % 4].method, n, bound, low, bound / low);
    cr_expect_gt(bound / low, 0.8);
    cr_expect_lt(bound / low, 1.05);
  }
}

Test(stability, rosenbrock_has_no_bound_and_more_load_on_a_wheel_shortens_the_others) {
  cr_assert(isinf(bound_of(stiff_three, OVERRIDES("integrator.method=rosenbrock"))));
  double even = bound_of(stiff_three, OVERRIDES("parameters.platform.center_of_mass={}"));
  double off = bound_of(stiff_three, OVERRIDES("parameters.platform.center_of_mass={\"z\": 0.08}"));
  cr_assert_lt(off, 0.8 * even);
}

/* Constraints have no friction to bound the step; what is left is their stabilisation at the rate gamma, and the friction mu N
 * tanh(v/v_ref) of relaxed ones: as saturated friction with v_s = v_ref. */
Test(stability, constraints_are_bounded_by_their_stabilisation) {
  const char *law = "parameters.contact.law=ideal_rolling", *midpoint = "integrator.method=midpoint";
  cr_assert_float_eq(bound_of(stiff_three, OVERRIDES(law, midpoint)), 2 / 50.0, 1e-15);
  cr_assert(isinf(bound_of(stiff_three, OVERRIDES(law, "parameters.wheel.contact.baumgarte=0"))));
  double relaxed = bound_of(
      stiff_three, OVERRIDES("parameters.contact.law=udwadia_kalaba", "parameters.wheel.contact.reference_speed=1 mm/s"));
  cr_assert_float_eq(relaxed / bound_of(stiff_three, OVERRIDES("title=x")), 1, 1e-12);
}

/* Heave on springs without dampers, started above its rest: semi-implicit Euler keeps it, up to the step at which it grows. */
Test(stability, heave_under_semi_implicit_euler_is_stable_up_to_its_bound) {
  for (int damped = 0; damped < 2; damped++) {
    const char *springs = damped
                              ? "parameters.wheel.contact={\"stiffness\": 1e6, \"damping\": 5000, \"longitudinal_friction\": 0}"
                              : "parameters.wheel.contact={\"stiffness\": 1e6, \"longitudinal_friction\": 0}";
    const char *const *all = OVERRIDES("integrator.method=semi_implicit_euler", "parameters.contact={\"normal\": \"penalty\"}",
                                       springs, "parameters.wheels=[{},{},{},{}]", "integrator.stability=ignore");
    double bound = bound_of(stiff_discs, all), largest[2];
    for (int beyond = 0; beyond < 2; beyond++) {
      char step[64], time[64];
      snprintf(step, sizeof step, "integrator.step=%.17g", (beyond ? 1.03 : 0.97) * bound);
      snprintf(time, sizeof time, "integrator.duration=%.17g", 1000 * (beyond ? 1.03 : 0.97) * bound);
      omr_result *r = run_study(
          stiff_discs, OVERRIDES(all[0], all[1], all[2], all[3], all[4], step, time, "parameters.initial.heave_rate=1e-4"));
      largest[beyond] = value_of(r, "max_load", 0);
      omr_result_destroy(r);
    }
    cr_log_info("bound %.3e s, largest loads %.4g N and %.4g N\n", bound, largest[0], largest[1]);
    cr_expect_gt(largest[1], 1.5 * largest[0]); /* grows until the discs leave the floor */
  }
}

static omr_status run_with(const char *stability, const char *step, char *message, char *log_text, size_t size) {
  omr_error error = {OMR_OK, ""};
  omr_study *study;
  omr_result *result = NULL;
  const char *const overrides[] = {stability, step, "integrator.duration=10 ms"};
  cr_assert_eq(omr_study_parse(stiff_three, "stiff.json", overrides, 3, &study, &error), OMR_OK, "%s", error.message);
  FILE *log = fmemopen(log_text, size, "w");
  omr_run_options options = {.log = log};
  omr_status status = omr_run(study, &options, &result, &error);
  fclose(log);
  strcpy(message, error.message);
  omr_study_destroy(study);
  omr_result_destroy(result);
  return status;
}

Test(stability, the_study_says_whether_to_warn_refuse_or_keep_quiet) {
  char message[sizeof((omr_error){OMR_OK, ""}).message], log[4096] = "";
  cr_assert_eq(run_with("integrator.stability=warn", "integrator.step=1 ms", message, log, sizeof log), OMR_OK);
  cr_assert(strstr(log, "warning: ") && strstr(log, "instance 0") && strstr(log, "rosenbrock"), "%s", log);
  cr_assert_eq(run_with("integrator.stability=ignore", "integrator.step=1 ms", message, log, sizeof log), OMR_OK);
  cr_assert_null(strstr(log, "warning: "), "%s", log);
  cr_assert_eq(run_with("integrator.stability=refuse", "integrator.step=1 ms", message, log, sizeof log), OMR_ERR_STUDY);
  cr_assert(strstr(message, "stiff.json: integrator.step") && strstr(message, "rk4 is stable up to about") &&
                strstr(message, "\"method\": \"rosenbrock\""),
            "%s", message);
  cr_assert_eq(run_with("integrator.stability=refuse", "integrator.step=1 us", message, log, sizeof log), OMR_OK, "%s", message);
}
