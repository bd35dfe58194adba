/* Implicit contact tracking (source 1, section 5.1) against the explicit one (section 5.2): the
 * same contact, and so the same motion, by another computation. */
#include "result/result.h"
#include "shared/kernel.h"
#include "shared/motion.h"

enum { SHAPES = 400 };

/* Wheel parameters that the contact needs, drawn; the wheel stands off the body origin. */
static void draw_wheel(uint64_t *seed, double w[W_COUNT]) {
  const double n = draw_whole(seed, 3, draw(seed, 0, 1) < 0.2 ? 64 : 12),
               psi = draw(seed, -1.1, 1.1);
  memset(w, 0, W_COUNT * sizeof *w);
  w[W_RADIUS] = draw(seed, 0.02, 0.5);
  w[W_ALPHA] = M_PI / n;
  w[W_CENTER] = w[W_RADIUS] * cos(w[W_ALPHA]) *
                (draw(seed, 0, 1) < 0.5 ? 1 : draw(seed, 0.3, 1)); /* pointed, or cut */
  w[W_COS_PSI] = cos(psi);
  w[W_SIN_PSI] = sin(psi);
  w[W_SHIFT] = w[W_CENTER] * sin(psi) / cos(psi);
  w[W_ALONG] = draw(seed, -0.5, 0.5);
  w[W_ACROSS] = draw(seed, -0.5, 0.5);
}

/* Largest difference of the two contacts; lengths in units of `size`. Counts the coefficients whose
 * bits differ. */
static double compare_contacts(const contact *a, const contact *b, double size, size_t *different) {
  const double left[] = {a->sin_q,         a->cos_q,         a->axis_up,       a->axis_along,
                         a->offset / size, a->i_yaw / size,  a->i_rate / size, a->i_spin / size,
                         a->k_yaw / size,  a->k_rate / size, a->k_spin / size};
  const double right[] = {b->sin_q,         b->cos_q,         b->axis_up,       b->axis_along,
                          b->offset / size, b->i_yaw / size,  b->i_rate / size, b->i_spin / size,
                          b->k_yaw / size,  b->k_rate / size, b->k_spin / size};
  double worst = 0;
  for (size_t j = 0; j < sizeof left / sizeof *left; j++) {
    worst = larger(worst, left[j] - right[j]);
    *different += left[j] != right[j];
  }
  return worst;
}

/* Lengths are relative to the largest that enter: the radius and the distance from the body origin.
 */
Test(tracking, both_give_the_same_coefficients_at_any_angle_inclination_and_row) {
  uint64_t seed = 51;
  double worst = 0;
  size_t different = 0, all = 0;
  for (int n = 0; n < SHAPES; n++) {
    double w[W_COUNT];
    draw_wheel(&seed, w);
    for (int k = -10; k <= 10; k++) {
      const double row = draw(&seed, 0, 1) < 0.3 ? 0 : draw(&seed, -0.3, 0.3) * w[W_RADIUS];
      contact by_formula = contact_at(w, w[W_ALPHA] * k / 10, row);
      contact by_vectors = implicit_contact(w, w[W_ALPHA] * k / 10, row);
      worst =
          larger(worst, compare_contacts(&by_formula, &by_vectors,
                                         w[W_RADIUS] + hypot(w[W_ALONG], w[W_ACROSS]), &different));
      all += 11;
    }
  }
  cr_log_info("largest difference %.2g, %zu of %zu coefficients differ in their bits", worst,
              different, all);
  cr_expect_lt(worst, 1e-14);
  cr_expect_gt(different, all / 4, "it is the same computation");
}

/* h k_spin, not the length, is what a force turns the roller by: near a pointed tip it vanishes,
 * and both say so. */
Test(tracking, at_a_pointed_tip_the_lever_vanishes_in_both) {
  for (int n = 3; n < 20; n++) {
    double w[W_COUNT] = {0}, alpha = M_PI / n;
    w[W_RADIUS] = 0.1;
    w[W_CENTER] = 0.1 * cos(alpha);
    w[W_COS_PSI] = cos(0.3);
    w[W_SIN_PSI] = sin(0.3);
    w[W_SHIFT] = w[W_CENTER] * tan(0.3);
    contact c = implicit_contact(w, alpha, 0);
    cr_expect_lt(hypot(c.i_spin, c.k_spin), 1e-15);
  }
}

/* Instance 0 tracks explicitly, instance 1 implicitly. */
#define BOTH "vary=[{\"path\": \"contact.tracking\", \"values\": [\"explicit\", \"implicit\"]}]"

static const char *const observed[] = {"final_x",        "final_z",          "final_yaw",
                                       "path_length",    "final_vx",         "final_vz",
                                       "final_yaw_rate", "dissipated_energy"};

/* Source 1 finds 1e-6 in positions and 1e-7 in velocities over 10 units of time, with the
 * tolerances of its integrator; here only rounding differs, and a vehicle has no motion that
 * amplifies it much: 1e-11. */
static void expect_same_motion(const char *text, const char *const *overrides) {
  omr_result *r = run_study(text, overrides);
  size_t different = 0;
  cr_assert_eq(omr_result_instances(r), 2);
  cr_expect_gt(value_of(r, "exchanges", 0), 10);
  cr_assert_eq(value_of(r, "edge_holds", 0),
               0); /* at an edge that attracts from both sides rounding decides who carries */
  cr_expect_eq(value_of(r, "exchanges", 0), value_of(r, "exchanges", 1));
  for (size_t j = 0; j < sizeof observed / sizeof *observed; j++) {
    const double a = value_of(r, observed[j], 0), b = value_of(r, observed[j], 1);
    cr_log_info("%s %.17g, difference %.2g", observed[j], a, b - a);
    cr_expect_float_eq(a, b, 1e-11, "%s: %.17g and %.17g", observed[j], a, b);
    different += a != b;
  }
  cr_expect_gt(different, 0, "all bits agree: it is the same computation");
  omr_result_destroy(r);
}

Test(tracking, a_vehicle_moves_alike_with_both) {
  expect_same_motion(vehicle_text,
                     OVERRIDES(BOTH, "parameters.wheel.friction=0.3", "integrator.duration=3"));
}

Test(tracking, a_vehicle_on_wheels_of_two_rows_moves_alike_with_both) {
  expect_same_motion(vehicle_text,
                     OVERRIDES(BOTH, "parameters.wheel.friction=0.3",
                               "parameters.wheel.row_distance=0.04", "integrator.duration=3"));
}

Test(tracking, the_testbench_moves_alike_with_both) {
  expect_same_motion(testbench_text,
                     OVERRIDES(BOTH, "parameters.wheel.initial.rate=-20",
                               "parameters.initial={\"vx\": 1.5, \"yaw_rate\": 0.5}"));
}

/* The new samples: velocities are the integrals of the accelerations. Body axes turn, so that V' =
 * a - omega x V: vx' = ax - omega vz, vz' = az + omega vx (appendix/vehicle.md#motion).
 * Between exchanges and without friction everything is smooth, and Simpson's rule over one step of
 * the samples is exact to its fifth power. */
Test(tracking, sampled_accelerations_are_the_rates_of_the_sampled_velocities) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES("parameters.wheel.friction=0.2", "integrator.duration=0.05", "integrator.step=1e-4",
                "output={\"trajectories\": {\"instances\": [0], \"interval\": 1e-4}}"));
  double *const *v = r->vehicle_samples, *const *w = r->wheel_samples, worst = 0, largest = 0;
  const double h = 2e-4;
  for (size_t s = 0; s + 2 < r->sample_count; s++) {
    double rates[3][4], rise[4];
    bool smooth = true;
    for (size_t i = 0; i < 3; i++)
      smooth = smooth && w[OMR_WS_ROLLER][3 * s + i] == w[OMR_WS_ROLLER][3 * (s + 2) + i];
    if (!smooth) continue;
    for (size_t k = 0; k < 3; k++) {
      const size_t at = s + k;
      rates[k][0] = v[OMR_VS_AX][at] - v[OMR_VS_YAW_RATE][at] * v[OMR_VS_VZ][at];
      rates[k][1] = v[OMR_VS_AZ][at] + v[OMR_VS_YAW_RATE][at] * v[OMR_VS_VX][at];
      rates[k][2] = v[OMR_VS_YAW_ACCELERATION][at];
      rates[k][3] = w[OMR_WS_ACCELERATION][3 * at + 1];
    }
    rise[0] = v[OMR_VS_VX][s + 2] - v[OMR_VS_VX][s];
    rise[1] = v[OMR_VS_VZ][s + 2] - v[OMR_VS_VZ][s];
    rise[2] = v[OMR_VS_YAW_RATE][s + 2] - v[OMR_VS_YAW_RATE][s];
    rise[3] = w[OMR_WS_RATE][3 * (s + 2) + 1] - w[OMR_WS_RATE][3 * s + 1];
    for (int j = 0; j < 4; j++) {
      worst = larger(worst, rise[j] - h / 6 * (rates[0][j] + 4 * rates[1][j] + rates[2][j]));
      largest = larger(largest, rise[j]);
    }
  }
  cr_log_info("largest difference %.2g of velocities that change by up to %.2g", worst, largest);
  cr_expect_gt(largest, 1e-4);
  cr_expect_lt(worst, 1e-8);
  omr_result_destroy(r);
}

/* What the figures need to know of the wheels. */
Test(tracking, the_result_says_what_the_traced_wheels_are) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES("integrator.duration=0.1", "parameters.wheels[1].error={\"radius\": 1e-4}",
                "parameters.wheels[2].inclination=-0.2", "parameters.wheels[1].row_distance=0.03",
                "output={\"trajectories\": {\"instances\": [0], \"interval\": 0.1}}"));
  for (int i = 0; i < 3; i++) {
    cr_expect_eq(r->wheel_shapes[OMR_SHAPE_RADIUS][i], i == 1 ? 0.1 + 1e-4 : 0.1);
    cr_expect_float_eq(r->wheel_shapes[OMR_SHAPE_CENTER][i], 0.0822, i == 1 ? 2e-4 : 1e-17);
    cr_expect_eq(r->wheel_shapes[OMR_SHAPE_ROLLERS][i], 6);
    cr_expect_eq(r->wheel_shapes[OMR_SHAPE_INCLINATION][i], i == 2 ? -0.2 : 0.3);
    cr_expect_eq(r->wheel_shapes[OMR_SHAPE_ROW_DISTANCE][i], i == 1 ? 0.03 : 0);
  }
  omr_result_destroy(r);
}
