/* Motion of constrained systems by eq. 17 of source 5: Gauss' principle, redundant constraints, and
 * the wheel of section 3. */
#include "weighted.h"

enum { CASES = 200 };

static matrix no_force(int size) {
  return zeros(size, 1);
}

/* ---- Gauss' principle */

/* C = 0: of all accelerations with A q'' = b the one nearest to a in the M-norm (eq. 14). C adds
 * what b cannot see, and so moves away from it. */
Test(constrained_motion, minimises_gauss_function_over_the_constraints) {
  uint64_t seed = 1;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    const int size = draw_whole(&seed, 2, 7), rows = draw_whole(&seed, 1, 7);
    matrix a = random_of_rank(&seed, rows, size, draw_whole(&seed, 1, rows < size ? rows : size)),
           m = random_definite(&seed, size);
    matrix b = product(a, random_matrix(&seed, size, 1)), q = random_matrix(&seed, size, 1);
    matrix x = weighted(a, random_definite(&seed, rows), m), free_motion = product(inverted(m), q);
    motion r = constrained_motion(a, x, m, q, no_force(size), b);
    matrix away = combined(r.acceleration, -1, free_motion);
    worst = larger(worst, distance(product(a, r.acceleration), b));
    worst = larger(worst, distance(product(m, r.acceleration), combined(q, 1, r.ideal)));
    cr_expect_eq(largest(r.non_ideal), 0);
    for (int t = 0; t < 10; t++) {
      matrix y = random_matrix(&seed, size, 1), step = combined(y, -1, product(x, product(a, y)));
      expect_no_less(square(m, combined(away, 0.1, step)), square(m, away));
    }
    matrix c = random_matrix(&seed, size, 1);
    motion rough = constrained_motion(a, x, m, q, c, b);
    worst = larger(worst, distance(product(a, rough.acceleration), b));
    worst = larger(worst, distance(product(m, rough.acceleration),
                                   combined(combined(q, 1, rough.ideal), 1, rough.non_ideal)));
    expect_no_less(square(m, combined(rough.acceleration, -1, free_motion)), square(m, away));
  }
  cr_log_info("largest violation %.2g", worst);
  cr_expect_lt(worst, 1e-9);
}

/* ---- redundant constraints */

static matrix twice(matrix a) {
  matrix both = zeros(2 * a.rows, a.columns);
  for (int k = 0; k < 2; k++)
    memcpy(both.at + k * a.rows * a.columns, a.at, sizeof(double) * (size_t)(a.rows * a.columns));
  return both;
}

Test(constrained_motion, does_not_see_that_rows_are_given_twice) {
  uint64_t seed = 2;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    const int size = draw_whole(&seed, 2, 7), rows = draw_whole(&seed, 1, size - 1);
    double w[14];
    for (int i = 0; i < rows; i++) w[i] = w[rows + i] = draw(&seed, 0.1, 1);
    matrix a = random_matrix(&seed, rows, size), m = random_definite(&seed, size),
           b = random_matrix(&seed, rows, 1);
    matrix q = random_matrix(&seed, size, 1), c = random_matrix(&seed, size, 1),
           n = diagonal(rows, w), nn = diagonal(2 * rows, w);
    cr_expect_eq(rank_of(twice(a)), rows);
    motion once = constrained_motion(a, weighted(a, n, m), m, q, c, b);
    motion both = constrained_motion(twice(a), weighted(twice(a), nn, m), m, q, c, twice(b));
    worst = larger(worst, distance(once.acceleration, both.acceleration));
    once = constrained_motion(a, relaxed(a, n, m), m, q, c, b);
    both = constrained_motion(twice(a), relaxed(twice(a), nn, m), m, q, c, twice(b));
    worst = larger(worst, distance(once.acceleration, both.acceleration));
    worst = larger(worst, distance(once.ideal, both.ideal));
    worst = larger(worst, distance(once.non_ideal, both.non_ideal));
  }
  cr_log_info("largest difference %.2g", worst);
  cr_expect_lt(worst, 1e-9);
}

/* Four massless-roller wheels (law 5 with q = m = 0) that turn at prescribed accelerations, on the
 * corners of a rectangle: rows for the platform's (V_x, V_z, omega): cos psi V_W i + sin psi V_W k
 * = -cos psi R chi''. */
static matrix four_wheels(const double *delta, const double *psi, matrix *b,
                          const double *turning) {
  matrix a = zeros(4, 3);
  *b = zeros(4, 1);
  for (int i = 0; i < 4; i++) {
    const double x = i < 2 ? 0.3 : -0.3, z = i % 2 ? 0.2 : -0.2,
                 along = delta[i] - psi[i]; /* d = cos psi i + sin psi k */
    a.at[3 * i] = cos(along);
    a.at[3 * i + 1] = -sin(along);
    a.at[3 * i + 2] = z * cos(along) + x * sin(along);
    b->at[i] = -cos(psi[i]) * 0.05 * turning[i];
  }
  return a;
}

/* 4 rows on 3 velocities: A M^-1 A^T is singular, the pseudo-inverse form gives the least squares
 * of the normal equations A^T N A q'' = A^T N b, whatever forces act, and the constrained motion
 * where the rates fit together. */
static void check_redundant(const char *what, const double *delta, const double *psi,
                            const double *fitting) {
  uint64_t seed = 3;
  const double mass[9] = {20, 0, 0.8, 0, 20, -0.4, 0.8, -0.4, 1.1}, other[4] = {3, -1, 2, 5};
  matrix m = zeros(3, 3), b, q = random_matrix(&seed, 3, 1);
  memcpy(m.at, mass, sizeof mass);
  matrix a = four_wheels(delta, psi, &b, other),
         plain = product(a, product(inverted(m), transposed(a)));
  cr_expect_eq(rank_of(plain), 3, "%s: 4 rows of rank %d", what, rank_of(plain));
  for (int k = 0; k < 20; k++) {
    double w[4];
    for (int i = 0; i < 4; i++) w[i] = k ? draw(&seed, 0.1, 2) : 1;
    matrix n = diagonal(4, w), back = product(transposed(a), n);
    matrix normal = product(inverted(product(back, a)), product(back, b));
    motion r = constrained_motion(a, weighted(a, n, m), m, q, no_force(3), b);
    cr_expect_lt(distance(r.acceleration, normal), 1e-12, "%s", what);
    cr_expect_gt(distance(product(a, r.acceleration), b), 1e-3, "%s: these rates cannot be met",
                 what);
  }
  a = four_wheels(delta, psi, &b, fitting);
  motion r = constrained_motion(a, weighted(a, diagonal(4, NULL), m), m, q, no_force(3), b);
  cr_expect_lt(distance(product(a, r.acceleration), b), 1e-14, "%s", what);
  cr_expect_lt(distance(product(m, r.acceleration), combined(q, 1, r.ideal)), 1e-13, "%s", what);
}

/* Order front left, front right, rear left, rear right; mecanum wheels with signs + - - + drive
 * forward at equal rates, sideways with + - - + and on the spot with + - + -. Omni wheels on the
 * diagonals turn the platform at equal rates. */
Test(constrained_motion, of_four_driven_wheels_is_the_least_squares_motion) {
  const double straight[4] = {0}, mecanum[4] = {M_PI / 4, -M_PI / 4, -M_PI / 4, M_PI / 4};
  const double forward[4] = {2, 2, 2, 2}, sideways[4] = {2, -2, -2, 2}, spot[4] = {2, -2, 2, -2};
  check_redundant("mecanum, forward", straight, mecanum, forward);
  check_redundant("mecanum, sideways", straight, mecanum, sideways);
  check_redundant("mecanum, on the spot", straight, mecanum, spot);
  double radial[4];
  for (int i = 0; i < 4; i++) radial[i] = atan2(i < 2 ? 0.3 : -0.3, i % 2 ? 0.2 : -0.2);
  check_redundant("omni, on the spot", radial, straight, forward);
}

/* ---- the wheel of section 3 */

typedef struct wheel {
  double mass, inertia, radius, gravity, torque, friction, stiction;
} wheel;

static motion move_wheel(const wheel *w, matrix *x) {
  const double inertias[3] = {w->mass, w->mass, w->inertia},
               weights[2] = {1, w->stiction * w->stiction};
  matrix a = zeros(2, 3), m = diagonal(3, inertias), q = zeros(3, 1), c = zeros(3, 1);
  a.at[1] = a.at[3] = 1; /* rows z'' = 0 and x'' - R theta'' = 0 */
  a.at[5] = -w->radius;
  q.at[1] = -w->mass * w->gravity;
  q.at[2] = w->torque;
  c.at[0] = w->friction;
  *x = relaxed(a, diagonal(2, weights), m);
  return constrained_motion(a, *x, m, q, c, zeros(2, 1));
}

static void expect_near(matrix got, const double *expected, double scale_of, const char *what) {
  for (int i = 0; i < got.rows * got.columns; i++) {
    cr_expect_lt(fabs(got.at[i] - expected[i]), 1e-14 * scale_of, "%s, entry %d: %.17g, not %.17g",
                 what, i, got.at[i], expected[i]);
  }
}

/* X as printed between eqs. 19 and 20 and the forces of eq. 20, with the signs the text has lost:
 * the third entry of Q_ic is a torque against T_m. Here G is diagonal, so s = 0 is no jump. */
Test(constrained_motion, of_the_rolling_wheel_is_that_of_section_3) {
  uint64_t seed = 4;
  for (int k = 0; k < CASES; k++) {
    wheel w = {draw(&seed, 10, 40),    draw(&seed, 0.5, 2),    draw(&seed, 0.1, 0.5),       9.81,
               draw(&seed, -200, 200), draw(&seed, -200, 200), k ? draw(&seed, 0.01, 1) : 0};
    const double s2 = w.stiction * w.stiction, m = w.mass, i2 = w.inertia, r = w.radius,
                 whole = m * r * r + i2;
    const double x_printed[6] = {0, i2 * s2 / whole, 1, 0, 0, -m * r * s2 / whole};
    const double over = i2 / m + r * r;
    const double ideal[3] = {r * s2 / over * w.torque, m * w.gravity,
                             -r * r * s2 / over * w.torque};
    const double non_ideal[3] = {(r * r + i2 / m * (1 - s2)) / over * w.friction, 0,
                                 i2 / m * r * s2 / over * w.friction};
    matrix x;
    motion got = move_wheel(&w, &x);
    expect_near(x, x_printed, 10, "X");
    expect_near(got.ideal, ideal, 1e3, "Q_ic");
    expect_near(got.non_ideal, non_ideal, 1e3, "Q_nic");
  }
}
