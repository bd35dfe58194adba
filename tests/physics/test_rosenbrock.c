/* The linearly implicit method: slopes of the laws of friction, its matrix and solve. */
#include "shared/methods.h"

static const int no_settings[K_COUNT];

static slippage slip_of(double i, double k) {
  return (slippage){.i = i, .k = k, .square = i * i + k * k};
}

static double unit_force(const double *w, double i, double k, int component) {
  double gain = saturated_coulomb(w, no_settings, w[W_FRICTION], slip_of(i, k));
  return gain * (component ? k : i);
}

/* Central differences of step 1e-6 v_s: rounding 1e-16/1e-6 and curvature (1e-6)^2 leave 1e-9 of
 * the slope. */
Test(friction, slope_is_the_derivative_of_the_law) {
  uint64_t seed = 11;
  for (int n = 0; n < 1000; n++) {
    double w[W_COUNT] = {0};
    w[W_FRICTION] = draw(&seed, 0.1, 1);
    w[W_SLIP_SPEED] = draw(&seed, 1e-3, 0.1);
    double speed = w[W_SLIP_SPEED] * (n % 2 ? draw(&seed, 0, 0.99) : draw(&seed, 1.01, 5)),
           angle = draw(&seed, 0, 7);
    double i = speed * cos(angle), k = speed * sin(angle), e = 1e-6 * w[W_SLIP_SPEED];
    stiffness s = saturated_coulomb_slope(w, no_settings, w[W_FRICTION], slip_of(i, k));
    const double got[4] = {s.ii, s.ik, s.ki, s.kk};
    for (int j = 0; j < 4; j++) {
      int row = j / 2, by_k = j % 2;
      double up = unit_force(w, by_k ? i : i + e, by_k ? k + e : k, row);
      double down = unit_force(w, by_k ? i : i - e, by_k ? k - e : k, row);
      double scale = w[W_FRICTION] / w[W_SLIP_SPEED];
      cr_assert_float_eq(-(up - down) / (2 * e) / scale, got[j] / scale, 1e-8,
                         "component %d at |v|/v_s = %g", j, speed / w[W_SLIP_SPEED]);
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
    stiffness s = saturated_coulomb_secant(w, no_settings, w[W_FRICTION], slip_of(i, k));
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
  regular_case r = {.factor = draw(seed, 0.3, 3),
                    .linear = draw_whole(seed, 0, 1),
                    .components = draw_whole(seed, 0, 1)};
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
  if (r->components)
    return component_stiffness(r->w, r->linear, r->factor, i, k, coming * i, coming * k);
  return regularized_whole_stiffness(r->w, r->linear, r->factor, i, k, i * i + k * k, slides);
}

/* As for saturated Coulomb friction; no difference is taken across the edge of a zone. */
Test(friction, slope_of_the_regularised_laws_is_their_derivative) {
  uint64_t seed = 21;
  int checked = 0;
  for (int n = 0; n < 3000; n++) {
    regular_case r = draw_regular(&seed);
    double zone = r.w[W_SLIP_SPEED],
           speed = zone * (n % 2 ? draw(&seed, 0, 0.99) : draw(&seed, 1.01, 5));
    double angle = draw(&seed, 0, 7), i = speed * cos(angle), k = speed * sin(angle),
           e = 1e-6 * zone;
    double x = fabs(r.w[W_FRICTION_COS] * k + r.w[W_FRICTION_SIN] * i),
           y = fabs(r.w[W_FRICTION_SIN] * k - r.w[W_FRICTION_COS] * i);
    if (r.components && (fabs(x - zone) < 0.01 * zone || fabs(y - zone) < 0.01 * zone ||
                         x < 0.01 * zone || y < 0.01 * zone))
      continue;
    stiffness s = regular_stiffness(&r, i, k, true);
    const double got[4] = {s.ii, s.ik, s.ki, s.kk}, scale = 2 * r.factor * (1 / zone + 2);
    for (int j = 0; j < 4; j++) {
      int row = j / 2, by_k = j % 2;
      double up = regular_force(&r, by_k ? i : i + e, by_k ? k + e : k, row);
      double down = regular_force(&r, by_k ? i : i - e, by_k ? k - e : k, row);
      cr_assert_float_eq(-(up - down) / (2 * e) / scale, got[j] / scale, 1e-8,
                         "case %d (%s, %s zone), component %d at |v|/v_s = %g", n,
                         r.components ? "components" : "whole", r.linear ? "linear" : "quadratic",
                         j, speed / zone);
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

/* Central differences with 1e-5 rad: errors of 1e-16/1e-5 and 1e-10 times the third derivative, of
 * slips of order 1. */
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

/* Slip Jacobian from the slips that the right-hand side gives for unit velocities: they are linear.
 */
static void slip_jacobian(const fleet *f, const evaluation *e, int wheels,
                          double jacobian[2 * OMR_MAX_WHEELS][MOST]) {
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

/* Mass matrix in (V, omega, chi', s): appendix/vehicle.md#motion, yaw inertia about the body
 * origin by Steiner. */
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
static void dense_answer(const fleet *f, const evaluation *e, int wheels, const stiffness *k,
                         const stiff_matrix *a, double sigma, const double *turning, double *x) {
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
    const double *ji = jacobian[2 * i], *jk = jacobian[2 * i + 1], ei = a->contact[i].i_angle,
                 ek = a->contact[i].k_angle;
    for (int j = 0; j < n; j++) {
      double on_i = sigma * (ji[j] * k[i].ii + jk[j] * k[i].ki),
             on_k = sigma * (ji[j] * k[i].ik + jk[j] * k[i].kk);
      for (int c = 0; c < n; c++) matrix[j][c] += on_i * ji[c] + on_k * jk[c];
      x[j] -= (on_i * ei + on_k * ek) * turning[i];
    }
  }
  solve_dense(n, matrix, x);
}

/* Random machines, loads, stiffnesses that are no symmetric matrices, steps from 10 us to 10 ms.
 * The matrices' condition is that of masses against rollers, up to 1e8 with the stiffness: 1e-8 of
 * the largest number is what a dense solve leaves. */
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
      k[i] = (stiffness){size * draw(&seed, 0.5, 1), size * draw(&seed, -0.4, 0.4),
                         size * draw(&seed, -0.4, 0.4), size * draw(&seed, 0.5, 1)};
      turning[i] = draw(&seed, -10, 10);
      place_stiff_contact(&e.p, f.settings.integers, i, e.held.row[i], e.at.y, &a.contact[i]);
      add_stiff_contact(e.p.w[i], f.settings.integers, k[i], sigma, &a.contact[i], matrix);
    }
    invert_3x3(matrix, a.inverse);
    for (int j = 0; j < 3 + 2 * m.wheels; j++)
      x[j] = dy[velocity(j, m.wheels)] = draw(&seed, -10, 10);
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

/* v' = -x v/h: ROS2 by its two stages. Positive: slip decays without changing its sign, so nothing
 * rings after an exchange. */
Test(rosenbrock, amplification_is_positive_and_l_stable) {
  const double g = ROSENBROCK_GAMMA;
  for (double x = 1e-3; x < 1e9; x *= 1.3) {
    double k1 = -x / (1 + g * x), k2 = (-x * (1 + k1) - 2 * k1) / (1 + g * x),
           end = 1 + 1.5 * k1 + 0.5 * k2;
    cr_assert_gt(end, 0);
    cr_assert_lt(end, 1);
    if (x > 1e6) cr_assert_lt(end, 1e-5);
  }
  for (double theta = 0.15; theta < 100;
       theta *= 1.1) { /* the friction is 1/theta times what the matrix takes it for */
    double y = g * theta, end = 1 - 2 / y + 1 / (2 * y * y);
    cr_assert_lt(fabs(end), 1 + 1e-12);
  }
}
