/* The embedded pairs: their coefficients by the conditions of order that they were made for, and
 * the accuracy of runs whose steps the error chooses. */
#define OMR_CONTROLLED 1
#include "shared/methods.h"
#include "tests/skip.h"

/* ---- coefficients */

typedef double row[4];

static double weighted(const double *b, const row *m, const double *c) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) sum += b[i] * m[i][j] * c[j];
  return sum;
}

/* Alpha, Gamma and beta = alpha + Gamma of a linearly implicit pair as the literature has them
 * (ROS34PW2: Rang and Angermann 2005, table 4.2: what is printed there with 16 digits), from the
 * numbers that the kernel keeps. */
static void ros_matrices(const ros_table *t, row *alpha, row *gamma, row *beta) {
  for (int s = 0; s < 4; s++)
    for (int l = 0; l < 4; l++) {
      alpha[s][l] = l < s ? t->a[s - 1][l] : 0;
      gamma[s][l] = l < s ? t->g[s - 1][l] * t->gamma : l == s ? t->gamma : 0;
      beta[s][l] = alpha[s][l] + gamma[s][l];
    }
}

/* Conditions of order 3 for Rosenbrock methods and those that W-methods have besides, for which A
 * is any matrix (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.7 (7.15) and
 * (7.27)). */
Test(pairs, the_linearly_implicit_one_has_order_3_with_any_matrix) {
  const ros_table *table = &ros_tables[0];
  const double *ros_b = table->b, *ros_c = table->c, *ros_e = table->e;
  row alpha[4], gamma[4], beta[4];
  ros_matrices(table, alpha, gamma, beta);
  double one[4] = {1, 1, 1, 1}, c[4], g[4], c2[4], sum = 0, squares = 0;
  for (int s = 0; s < 4; s++) {
    c[s] = g[s] = 0;
    for (int l = 0; l < 4; l++) c[s] += alpha[s][l], g[s] += gamma[s][l];
    c2[s] = c[s] * c[s];
    cr_expect_float_eq(c[s], ros_c[s], 1e-14, "c of stage %d", s);
    sum += ros_b[s];
    squares += ros_b[s] * c2[s];
  }
  cr_expect_float_eq(sum, 1, 1e-14);
  cr_expect_float_eq(weighted(ros_b, alpha, one), 0.5, 1e-14);
  cr_expect_float_eq(weighted(ros_b, gamma, one), 0, 1e-14);
  cr_expect_float_eq(squares, 1.0 / 3, 1e-14);
  cr_expect_float_eq(weighted(ros_b, alpha, c), 1.0 / 6, 1e-14);
  cr_expect_float_eq(weighted(ros_b, alpha, g), 0, 1e-14);
  cr_expect_float_eq(weighted(ros_b, gamma, c), 0, 1e-14);
  cr_expect_float_eq(weighted(ros_b, gamma, g), 0, 1e-14);
  /* the embedded method, of order 2, and stiff accuracy: the last row of beta is b */
  double other[4], first = 0;
  for (int s = 0; s < 4; s++) other[s] = ros_b[s] - ros_e[s], first += other[s];
  cr_expect_float_eq(first, 1, 1e-14);
  cr_expect_float_eq(weighted(other, alpha, one), 0.5, 1e-14);
  cr_expect_float_eq(weighted(other, gamma, one), 0, 1e-14);
  for (int l = 0; l < 4; l++)
    cr_expect_float_eq(beta[3][l], ros_b[l], 1e-14, "stiff accuracy, column %d", l);
}

/* ROS2: order 2 with any matrix, order 3 by g with A = f' (the sum over beta is 1/6, Hairer and
 * Wanner II, IV.7), and the first stage alone as embedded method of order 1. Its amplification
 * stays within -1 and 1 for A = theta f' from theta = 0.32 on. */
Test(pairs, the_one_of_two_stages_has_order_2_with_any_matrix) {
  const ros_table *table = &ros_tables[1];
  row alpha[4], gamma[4], beta[4];
  ros_matrices(table, alpha, gamma, beta);
  double one[4] = {1, 1, 1, 1}, first = 0, sum = 0, chain[4] = {0}, squares = 0;
  for (int s = 0; s < 2; s++) {
    double c = 0;
    for (int l = 0; l < 2; l++) c += alpha[s][l], chain[s] += beta[s][l];
    cr_expect_float_eq(c, table->c[s], 1e-15);
    sum += table->b[s];
    first += table->b[s] - table->e[s];
  }
  cr_expect_float_eq(sum, 1, 1e-15);
  cr_expect_float_eq(first, 1, 1e-15);
  cr_expect_float_eq(table->b[1] - table->e[1], 0, 1e-15);
  cr_expect_float_eq(weighted(table->b, alpha, one), 0.5, 1e-15);
  for (int s = 0; s < 2; s++)
    for (int l = 0; l < 2; l++) squares += table->b[s] * gamma[s][l];
  cr_expect_float_eq(squares, 0, 1e-15);
  double third = 0;
  for (int s = 0; s < 2; s++)
    for (int l = 0; l < 2; l++) third += table->b[s] * beta[s][l] * chain[l];
  cr_expect_float_eq(third, 1.0 / 6, 1e-15, "b beta beta 1 = %g", third);
  for (double theta = 0.32; theta < 1.5; theta += 0.01)
    for (double z = 1e-3; z < 1e6; z *= 1.1) {
      const double g = table->gamma * theta * z, k1 = -z / (1 + g),
                   k2 = (-z * (1 + k1) + 2 * g * k1) / (1 + g);
      const double growth = 1 + 0.5 * (k1 + k2);
      cr_assert(fabs(growth) < 1, "theta %g, z %g: %g", theta, z, growth);
    }
}

/* Sums over the trees of orders 1 to 5 that have one branch at each node, and the powers of c: what
 * each has to be is 1 over the density of its tree. The other trees of order 5 follow from sum_j
 * a_ij c_j = c_i^2/2, which holds for all stages but the second, whose weight is 0. */
Test(pairs, the_explicit_one_has_the_orders_5_and_4) {
  double a[7][7] = {{0}}, power = 0;
  for (int s = 1; s < 7; s++) {
    double sum = 0;
    for (int l = 0; l < s; l++) sum += a[s][l] = dopri_a[s - 1][l];
    cr_expect_float_eq(sum, dopri_c[s], 1e-14, "c of stage %d", s);
  }
  for (int q = 0; q < 5; q++) {
    double high = 0, low = 0;
    for (int s = 0; s < 7; s++) {
      high += dopri_b[s] * pow(dopri_c[s], q);
      low += (dopri_b[s] - dopri_e[s]) * pow(dopri_c[s], q);
    }
    cr_expect_float_eq(high, 1.0 / (q + 1), 1e-14, "sum b c^%d", q);
    if (q < 4)
      cr_expect_float_eq(low, 1.0 / (q + 1), 1e-14, "sum b c^%d of the embedded method", q);
  }
  for (int s = 2; s < 7; s++) {
    power = 0;
    for (int l = 0; l < s; l++) power += a[s][l] * dopri_c[l];
    cr_expect_float_eq(power, dopri_c[s] * dopri_c[s] / 2, 1e-14, "stage %d", s);
  }
  double chain[7], density = 1;
  for (int s = 0; s < 7; s++) chain[s] = 1;
  for (int order = 1; order <= 5; order++) {
    double high = 0, low = 0, next[7] = {0};
    density *= order;
    for (int s = 0; s < 7; s++)
      high += dopri_b[s] * chain[s], low += (dopri_b[s] - dopri_e[s]) * chain[s];
    cr_expect_float_eq(high, 1 / density, 1e-14, "chain of order %d", order);
    if (order < 5)
      cr_expect_float_eq(low, 1 / density, 1e-14, "chain of order %d of the embedded method",
                         order);
    for (int s = 0; s < 7; s++)
      for (int l = 0; l < s; l++) next[s] += a[s][l] * chain[l];
    memcpy(chain, next, sizeof chain);
  }
}

/* ---- runs */

#define FREE "integrator.step=null"
#define TIME "integrator.duration=1.95"

static const char *const tolerances[] = {"integrator.tolerance=1e-2", "integrator.tolerance=1e-3",
                                         "integrator.tolerance=1e-4", "integrator.tolerance=1e-5"};
enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };

/* The largest difference of pose and velocities, in m and m/s; angles count by how far the contacts
 * are from the middle. */
static double contact_difference(const double *a, const double *b, double arm) {
  double largest = 0;
  for (int i = 0; i < STATES; i++)
    largest = larger(largest, (a[i] - b[i]) * (i % 3 == 2 ? arm : 1));
  return largest;
}

/* The vehicles of test_stiff.c and a wheel that turns about itself, over 3 to 100 exchanges,
 * against RK4 with steps of 1 us: the error of poses and velocities, in m and m/s, is below twice
 * the tolerance and falls with it. The error of a pass is bounded by a part of 10 v_s, 1 cm/s here:
 * two hundred of these may add up. */
Test(pairs, the_error_stays_below_the_tolerance_and_falls_with_it, .timeout = 500) {
  static const struct {
    const char *text;
    double arm;
  } cases[] = {{stiff_three, 0.25}, {stiff_four, 0.25}, {stiff_wheel, 0.1}, {stiff_discs, 0.25}};
  double exact[STATES];
  static const char *const methods[] = {"integrator.method=ros34pw2", "integrator.method=ros2"};
  const bool few = short_form(); /* three wheels and one */
  for (int i = 0; i < 8; i++) {
    if (few && i / 2 % 2) continue;
    double state[STATES], exchanges, before = 1;
    const char *text = cases[i / 2].text, *method = methods[i % 2],
               *quiet = "integrator.stability=ignore";
    if (i % 2 == 0)
      final_state(text, OVERRIDES("integrator.step=1 us", TIME, quiet, "engine.backend=scalar"),
                  exact, NULL);
    for (int t = 0; t < TOLERANCES; t++) {
      final_state(text, OVERRIDES(FREE, tolerances[t], TIME, method), state, &exchanges);
      const double off = contact_difference(state, exact, cases[i / 2].arm),
                   tolerance = pow(10, -2 - t);
      cr_log_info("%s, case %d, tolerance %g: error %.1e, %g exchanges\n", method, i / 2, tolerance,
                  off, exchanges);
      cr_expect_lt(off, 2 * tolerance, "%s, case %d: %g at a tolerance of %g", method, i / 2, off,
                   tolerance);
      if (off > 1e-6)
        cr_expect_lt(off, before, "%s, case %d: no better than with ten times the tolerance",
                     method, i / 2);
      before = off;
    }
  }
}

/* Under constraints: the error in the same units, over exchanges with impacts. Ten times the
 * tolerance: the scale of velocities is 0.1 m/s, and errors of a motion without friction are not
 * damped. */
Test(pairs, the_error_falls_with_the_tolerance_under_constraints, .timeout = 500) {
  static const char *const laws[] = {"parameters.contact.law=ideal_rolling",
                                     "parameters.contact.law=massless_rollers",
                                     "parameters.contact.law=udwadia_kalaba"};
  const char *friction = "parameters.wheel.friction=0.3", *time = "integrator.duration=2",
             *soft = "parameters.wheel.contact={\"reference_speed\": 1, \"baumgarte\": 5}";
  for (int law = 0; law < 3; law++) {
    double exact[STATES], state[STATES], exchanges, before = 1;
    final_state(vehicle_text, OVERRIDES("integrator.step=0.02 ms", laws[law], friction, soft, time),
                exact, NULL);
    for (int t = 0; t < TOLERANCES; t++) {
      final_state(vehicle_text, OVERRIDES(FREE, tolerances[t], laws[law], friction, soft, time),
                  state, &exchanges);
      const double off = contact_difference(state, exact, 0.3), tolerance = pow(10, -2 - t);
      cr_log_info("%s, tolerance %g: error %.1e, %g exchanges\n", laws[law], tolerance, off,
                  exchanges);
      cr_expect_geq(exchanges, 10);
      cr_expect_lt(off, 10 * tolerance, "%s: %g at a tolerance of %g", laws[law], off, tolerance);
      if (off > 1e-9)
        cr_expect_lt(off, before, "%s: no better than with ten times the tolerance", laws[law]);
      before = off;
    }
  }
}

/* Sums that a long pass would get wrong: after an exchange the new roller slides for 0.1 ms, and
 * |a|^2 with it. The truth is the linearly implicit method with steps of 2 us (half of that changes
 * them by 2e-5). What is dissipated is 3 % of the work, and mostly in 28 exchanges, whose errors
 * add up: five times the tolerance. */
Test(pairs, vibration_and_losses_are_right_where_fixed_steps_are_40_per_cent_off, .timeout = 300) {
  static const char *const names[] = {"vibration_rms", "dissipated_energy", "drive_work"};
  const char *fine[] = {"integrator.method=rosenbrock", "integrator.step=2 us", TIME, NULL},
             *fixed[] = {"integrator.method=rosenbrock", "integrator.step=1 ms", TIME, NULL};
  omr_result *exact = run_study(stiff_three, fine), *coarse = run_study(stiff_three, fixed);
  for (int t = 0; t < 6; t++) {
    const double tolerance = pow(10, -2 - t / 2);
    const char *method = t % 2 ? "integrator.method=ros2" : "integrator.method=ros34pw2";
    omr_result *r = run_study(stiff_three, OVERRIDES(FREE, tolerances[t / 2], TIME, method));
    for (int i = 0; i < 3; i++) {
      const double truth = value_of(exact, names[i], 0), off = value_of(r, names[i], 0) / truth - 1;
      cr_log_info("%s, %s at %g: %.2e; fixed 1 ms: %.2e\n", method, names[i], tolerance, off,
                  value_of(coarse, names[i], 0) / truth - 1);
      cr_expect_lt(fabs(off), (i == 1 ? 5 : 1) * tolerance, "%s, %s at a tolerance of %g: %g",
                   method, names[i], tolerance, off);
    }
    omr_result_destroy(r);
  }
  omr_result_destroy(exact);
  omr_result_destroy(coarse);
}

/* Corners of a table of torques: a free spin without friction, whose rate is the integral of the
 * torque over the inertia, exactly. A pass over a corner would miss what stands between its stages.
 */
static const char table_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"wheel\": {\"radius\": 0.1, \"rollers\": 12, "
    "\"friction\": 0, \"slip_speed\": "
    "0.5,"
    "\"disc\": {\"mass\": 1, \"axial_inertia\": 0.005}, \"roller\": {\"mass\": 1e-9, "
    "\"axial_inertia\": 1e-12, "
    "\"diametral_inertia\": 1e-12}, \"drive\": {\"type\": \"table\", \"table\": [[0, 0], [0.3, 0], "
    "[0.30001, -0.5], [0.7, -0.5], "
    "[0.70002, 0]]}}}, \"integrator\": {\"tolerance\": 1e-3, \"duration\": 1.2345678}, "
    "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": 0.0371}}, \"engine\": "
    "{\"backend\": \"openmp\"}}";

Test(pairs, corners_of_tables_are_met) {
  omr_result *r = run_study(table_text, NULL);
  /* N m s: two ramps and what is between them */
  const double impulse = -0.5 * (0.00001 / 2 + (0.7 - 0.30001) + 0.00002 / 2);
  double lever = value_of(r, "drive_work", 0), rate = impulse / 0.005;
  cr_expect_float_eq(lever, 0.5 * 0.005 * rate * rate, 1e-7 * lever, "drive work %.12g, not %.12g",
                     lever, 0.5 * 0.005 * rate * rate);
  omr_result_destroy(r);
}
