/* Regularised law of source 4 (appendix/laws.md#friction): the force against the matrices as
 * the source prints them, its limits, its dissipation, and whole motions with it. */
#include "host/engine/run.h"
#include "host/result/result.h"
#include "shared/bodies.h"
#include "shared/kernel.h"
#include "shared/motion.h"

enum { STATES = 2000 };

/* One wheel's law, described by the test. */
typedef struct law {
  double mu[2], d[2], angle, slip_speed; /* (lateral, longitudinal) */
  bool linear;
} law;

static law random_law(uint64_t *s) {
  law l = {{draw(s, 0, 1), draw(s, 0, 1)},
           {draw(s, 0, 0.5), draw(s, 0, 0.5)},
           draw(s, -7, 7),
           draw(s, 0.01, 1),
           false};
  l.linear = draw(s, 0, 1) < 0.5;
  return l;
}

static void kernel_force(const law *l, double slip_i, double slip_k, double *unit_i,
                         double *unit_k) {
  double w[W_COUNT] = {0};
  w[W_LATERAL] = l->mu[0];
  w[W_LONGITUDINAL] = l->mu[1];
  w[W_LATERAL_VISCOUS] = l->d[0];
  w[W_LONGITUDINAL_VISCOUS] = l->d[1];
  w[W_FRICTION_COS] = cos(l->angle);
  w[W_FRICTION_SIN] = sin(l->angle);
  w[W_SLIP_SPEED] = l->slip_speed;
  w[W_INV_SLIP_SPEED] = 1 / l->slip_speed;
  regularized_coulomb(w, l->linear, 1, slip_i, slip_k, slip_i * slip_i + slip_k * slip_k, unit_i,
                      unit_k);
}

/* f_t = mu (phi f_n e_t) of source 4, against the slip, with mu the product of its three printed
 * matrices. Its axes: w_lat is the wheel's axis k, w_2 = w_1 x v_PN = k x j = -i. */
static void source_force(const law *l, double slip_i, double slip_k, double *unit_i,
                         double *unit_k) {
  const double v[2] = {slip_k, -slip_i}, c = cos(l->angle), s = sin(l->angle),
               speed = sqrt(v[0] * v[0] + v[1] * v[1]);
  const double first[2][2] = {{c, s}, {-s, c}}, last[2][2] = {{c, -s}, {s, c}},
               x = speed / l->slip_speed;
  double phi = x > 1 ? 1 : l->linear ? x : (2 - x) * x, turned[2] = {0}, f[2] = {0};
  for (int a = 0; a < 2; a++) {
    for (int b = 0; b < 2; b++) turned[a] += last[a][b] * v[b] / speed;
  }
  for (int a = 0; a < 2; a++) {
    for (int b = 0; b < 2; b++) f[a] += first[a][b] * (l->mu[b] + l->d[b] * speed) * turned[b];
  }
  *unit_k = -phi * f[0];
  *unit_i = phi * f[1];
}

Test(regularized, force_is_that_of_the_printed_matrices) {
  uint64_t seed = 41;
  double worst = 0;
  for (int n = 0; n < STATES; n++) {
    law l = random_law(&seed);
    double slip_i = draw(&seed, -1.5, 1.5), slip_k = draw(&seed, -1.5, 1.5), got[2], expected[2];
    kernel_force(&l, slip_i, slip_k, &got[0], &got[1]);
    source_force(&l, slip_i, slip_k, &expected[0], &expected[1]);
    worst = larger(worst, got[0] - expected[0]);
    worst = larger(worst, got[1] - expected[1]);
  }
  cr_log_info("largest difference %.2g", worst);
  cr_expect_lt(worst, 1e-14);
}

Test(regularized, isotropic_with_linear_zone_is_saturated_coulomb_for_any_angle) {
  uint64_t seed = 42;
  for (int n = 0; n < STATES; n++) {
    law l = random_law(&seed);
    l.mu[1] = l.mu[0];
    l.d[0] = l.d[1] = 0;
    l.linear = true;
    double w[W_COUNT] = {0}, slip_i = draw(&seed, -1.5, 1.5), slip_k = draw(&seed, -1.5, 1.5),
           got[2], expected[2];
    w[W_SLIP_SPEED] = l.slip_speed;
    kernel_force(&l, slip_i, slip_k, &got[0], &got[1]);
    static const int no_settings[K_COUNT];
    const slippage slip = {.i = slip_i, .k = slip_k, .square = slip_i * slip_i + slip_k * slip_k};
    double gain = saturated_coulomb(w, no_settings, l.mu[0], slip);
    expected[0] = gain * slip_i;
    expected[1] = gain * slip_k;
    cr_assert_float_eq(got[0], expected[0], 1e-15);
    cr_assert_float_eq(got[1], expected[1], 1e-15);
  }
}

Test(regularized, opposes_the_slip_for_every_parameter) {
  uint64_t seed = 43;
  for (int n = 0; n < STATES; n++) {
    law l = random_law(&seed);
    double slip_i = draw(&seed, -1.5, 1.5), slip_k = draw(&seed, -1.5, 1.5), f[2];
    kernel_force(&l, slip_i, slip_k, &f[0], &f[1]);
    cr_assert_leq(f[0] * slip_i + f[1] * slip_k, 1e-16);
  }
}

Test(regularized, no_slip_makes_no_force) {
  for (int linear = 0; linear < 2; linear++) {
    law l = {{0.3, 0.2}, {0.1, 0.2}, 0.4, 0.05, linear};
    double f[2];
    kernel_force(&l, 0, 0, &f[0], &f[1]);
    cr_expect(f[0] == 0 && f[1] == 0, "%g, %g", f[0], f[1]);
    law none = {{0, 0}, {0, 0}, 0.4, 0.05, linear};
    kernel_force(&none, 0.1, -0.2, &f[0], &f[1]);
    cr_expect(f[0] == 0 && f[1] == 0, "%g, %g", f[0], f[1]);
  }
}

static double force_along_k(const law *l, double slip) {
  double f[2];
  kernel_force(l, 0, slip, &f[0], &f[1]);
  return -f[1];
}

/* phi = (2 - x) x: 0 and slope 2/v_mu at rest, 1 and slope 0 at v_mu, 3/4 halfway. */
Test(regularized, quadratic_zone_has_its_values_and_slopes) {
  law l = {{0.4, 0.4}, {0, 0}, 0, 0.05, false};
  const double d = 1e-7;
  cr_expect_float_eq(force_along_k(&l, 0.05), 0.4, 1e-15);
  cr_expect_float_eq(force_along_k(&l, 0.025), 0.3, 1e-15);
  cr_expect_float_eq(force_along_k(&l, 7), 0.4, 1e-15);
  cr_expect_float_eq(force_along_k(&l, d) / d, 2 * 0.4 / 0.05, 1e-4);
  cr_expect_float_eq((force_along_k(&l, 0.05) - force_along_k(&l, 0.05 - d)) / d, 0, 1e-4);
  cr_expect_float_eq((force_along_k(&l, 0.05 + d) - force_along_k(&l, 0.05)) / d, 0, 1e-4);
  l.d[0] = 0.1; /* beyond the zone mu + d v */
  cr_expect_float_eq(force_along_k(&l, 7), 0.4 + 0.7, 1e-14);
}

/* By 45 deg the direction of mu_x goes to (cos, -sin) in (k, -i), the first column of the printed
 * matrix, which is k + i: a slip along it meets mu_x alone. With mu_x = 0 it meets nothing, and
 * slip along i only the part across it. */
Test(regularized, friction_angle_turns_the_direction_without_friction_to_k_plus_i) {
  law l = {{0, 0.6}, {0, 0}, M_PI / 4, 0.05, true};
  double f[2], h = sqrt(0.5);
  kernel_force(&l, h, h, &f[0], &f[1]);
  cr_expect_float_eq(f[0], 0, 1e-16);
  cr_expect_float_eq(f[1], 0, 1e-16);
  kernel_force(&l, h, -h, &f[0], &f[1]);
  cr_expect_float_eq(f[0], -0.6 * h, 1e-15);
  cr_expect_float_eq(f[1], 0.6 * h, 1e-15);
  kernel_force(&l, 1, 0, &f[0], &f[1]);
  cr_expect_float_eq(f[0], -0.3, 1e-15);
  cr_expect_float_eq(f[1], 0.3, 1e-15);
}

/* From the study file to the force: the machine's law in the test's own formula at the kernel's
 * slip. */
Test(regularized, parameters_of_the_study_reach_the_kernel) {
  uint64_t seed = 44;
  for (int n = 0; n < 50; n++) {
    machine m = random_regularized(&seed);
    law l = {{m.lateral, m.longitudinal},
             {m.lateral_viscous, m.longitudinal_viscous},
             m.friction_angle,
             m.slip_speed,
             m.linear_zone};
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    for (int i = 0; i < m.wheels; i++) {
      double expected[2];
      source_force(&l, e.o.slip_i[i], e.o.slip_k[i], &expected[0], &expected[1]);
      cr_assert_float_eq(e.o.unit_i[i], expected[0], 1e-13);
      cr_assert_float_eq(e.o.unit_k[i], expected[1], 1e-13);
      cr_assert_eq(e.o.friction[i], fmax(m.lateral, m.longitudinal));
    }
    free_fleet(&f);
  }
}

/* Whatever the state, contact, rolling friction and bearings together take energy where no wheel
 * lifts. */
Test(regularized, with_rolling_friction_takes_energy_at_every_state) {
  uint64_t seed = 45;
  int counted = 0;
  for (int n = 0; n < 300; n++) {
    machine m = random_regularized(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    bool down = true;
    for (int i = 0; i < m.wheels; i++) down &= e.o.load[i] >= 0;
    if (down) cr_assert_geq(e.rate.y[Y_DISSIPATED], 0);
    counted += down;
    free_fleet(&f);
  }
  cr_assert_gt(counted, 100);
}

/* ---- whole motions */

#define LAW2 "parameters.contact.law=regularized_coulomb"
#define ALL_PARTS                                                                                  \
  LAW2, "parameters.wheel.contact={\"lateral_friction\":0.15,\"longitudinal_friction\":0.4,"       \
        "\"lateral_viscous\":0.03,"                                                                \
        "\"longitudinal_viscous\":0.01,\"friction_angle\":0.5,\"rolling_friction\":0.03}"

static double balance(const char *step, const char *drive, double *work) {
  omr_result *r =
      run_study(vehicle_text, OVERRIDES(ALL_PARTS, "integrator.duration=5", step, drive));
  cr_assert_eq(omr_result_status(r)[0], 0);
  double error = fabs(value_of(r, "energy_error", 0));
  cr_assert_gt(value_of(r, "dissipated_energy", 0), 1);
  cr_assert_gt(value_of(r, "exchanges", 0), 20);
  *work = value_of(r, "drive_work", 0);
  omr_result_destroy(r);
  return error;
}

/* The error falls like that of the integration: it is that of the steps, not of the balance. Slip
 * that passes the end of its zone costs an order. */
Test(regularized, energy_balance_closes_driven_and_undriven) {
  static const char *const drives[] = {
      "title=undriven", "parameters.wheels=[{\"drive\":{\"type\":\"constant\",\"torque\":0.6}},"
                        "{\"drive\":{\"type\":\"sine\",\"torque\":0.5,\"frequency\":0.4}},"
                        "{\"drive\":{\"type\":\"tanh\",\"torque\":-0.7}}]"};
  for (int driven = 0; driven < 2; driven++) {
    double work, coarse = balance("integrator.step=0.4 ms", drives[driven], &work),
                 fine = balance("integrator.step=0.1 ms", drives[driven], &work);
    cr_log_info("energy balance error %.3e, with a quarter of the step %.3e, work %.3g J", coarse,
                fine, work);
    cr_expect(driven ? work > 1 : work == 0);
    cr_expect_lt(coarse, 1e-7);
    cr_expect_geq(coarse / fine, 16);
  }
}

Test(regularized, undriven_motion_loses_energy_all_the_time) {
  double before = 0;
  for (int n = 1; n <= 10; n++) {
    char duration[48];
    snprintf(duration, sizeof duration, "integrator.duration=%.1f", 0.2 * n);
    omr_result *r =
        run_study(vehicle_text, OVERRIDES(ALL_PARTS, "integrator.step=0.2 ms", duration));
    double now = value_of(r, "dissipated_energy", 0);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)),
                 1e-8); /* so what is dissipated is what the motion loses */
    cr_expect_gt(now, before, "%s: %.17g J after %.17g J", duration, now, before);
    before = now;
    omr_result_destroy(r);
  }
}

static double final_difference(const omr_result *a, const omr_result *b) {
  static const char *const names[] = {"final_x",  "final_z",  "final_yaw",
                                      "final_vx", "final_vz", "final_yaw_rate"};
  double largest = 0;
  for (int i = 0; i < 6; i++)
    largest = fmax(largest, fabs(value_of(a, names[i], 0) - value_of(b, names[i], 0)));
  return largest;
}

/* Slip stays inside the zone, so that nothing but the exchanges could cost order. */
Test(regularized, motion_converges_with_order_4) {
  static const char *const steps[] = {"integrator.step=0.8 ms", "integrator.step=0.4 ms",
                                      "integrator.step=0.2 ms"};
  static const char *const zones[] = {"parameters.contact.zone=linear",
                                      "parameters.contact.zone=quadratic"};
  for (int zone = 0; zone < 2; zone++) {
    omr_result *r[3];
    for (int i = 0; i < 3; i++)
      r[i] = run_study(vehicle_text,
                       OVERRIDES(ALL_PARTS, zones[zone], steps[i], "parameters.wheel.slip_speed=3",
                                 "integrator.duration=2"));
    double order = log2(final_difference(r[0], r[1]) / final_difference(r[1], r[2]));
    cr_log_info("%s: order %.2f, %.0f exchanges", zones[zone], order,
                value_of(r[0], "exchanges", 0));
    cr_expect_gt(value_of(r[0], "exchanges", 0), 10);
    cr_expect_gt(order, 3.7);
    for (int i = 0; i < 3; i++) omr_result_destroy(r[i]);
  }
}

/* Exact: without sliding friction a vehicle that moves straight on is braked by mu_r N v on every
 * wheel, v = v_0 exp(-mu_r g t).
 */
Test(regularized, rolling_friction_alone_brakes_exponentially) {
  static const double speed = 0.7, mu_r = 0.04, time = 3;
  omr_result *r = run_study(
      vehicle_text, OVERRIDES(LAW2, "parameters.wheel.contact={\"rolling_friction\":0.04}",
                              "parameters.wheels=[{},{},{}]", "parameters.initial.yaw_rate=0",
                              "parameters.initial.vx=0.7", "parameters.initial.vz=0",
                              "parameters.platform.center_of_mass.x=0",
                              "parameters.platform.center_of_mass.z=0", "integrator.duration=3"));
  double expected = speed * exp(-mu_r * 9.81 * time);
  cr_expect_float_eq(value_of(r, "final_vx", 0), expected, 1e-12);
  cr_expect_float_eq(value_of(r, "final_x", 0), (speed - expected) / (mu_r * 9.81), 1e-11);
  omr_result_destroy(r);
}

/* Pitch, about the contact plane: the force acts at the height R of the axles, so that platform and
 * wheels brake with sum P_x N = a m_p (R - h_p) (wheels have their centre where the force acts). */
Test(regularized, rolling_friction_shifts_load_by_the_height_of_the_axles) {
  machine m = {.wheels = 3,
               .rollers = 6,
               .radius = 0.1,
               .center = 0.08,
               .platform_mass = 10,
               .platform_inertia = 0.5};
  m.com_height = 0.25;
  m.disc_mass = 1;
  m.disc_axial = m.disc_diametral = 1e-3;
  m.roller_mass = 0.05;
  m.roller_axial = m.roller_diametral = 1e-5;
  m.gravity = 9.81;
  m.slip_speed = 0.1;
  m.regularized = true;
  m.rolling_friction = 0.2;
  m.vx = 1.5;
  for (int i = 0; i < 3; i++) {
    m.wheel[i].delta = 2 * M_PI * i / 3;
    m.wheel[i].a = 0.3 * sin(m.wheel[i].delta);
    m.wheel[i].b = 0.3 * cos(m.wheel[i].delta);
  }
  evaluation e;
  fleet f = evaluate_machine(&m, &e);
  double moment = 0, a = -0.2 * 9.81 * 1.5;
  for (int i = 0; i < 3; i++) moment += m.wheel[i].a * e.o.load[i];
  cr_expect_float_eq(e.o.ax, a, 1e-13);
  cr_expect_float_eq(moment, a * 10 * (0.1 - 0.25), 1e-12);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(e.rate.y[Y_RATE(i)], 0, 1e-14, "the force does not turn the wheel");
  free_fleet(&f);
}

/* A vehicle that rolls freely on rollers with friction comes to rest: a force at the contact could
 * not do that. */
Test(regularized, rolling_friction_brakes_a_vehicle_that_rolls) {
  static const char *const straight = "parameters.initial={\"vx\":0.5,\"spins\":\"rolling\"}";
  double speed[2];
  for (int rolling = 0; rolling < 2; rolling++) {
    omr_result *r = run_study(
        vehicle_text,
        OVERRIDES(LAW2,
                  rolling ? "parameters.wheel.contact={\"rolling_friction\":0.1}" : "title=none",
                  straight, "parameters.layout={\"type\":\"rectangle\"}",
                  "parameters.wheel.inclination=0", "parameters.wheel.friction=0.5",
                  "parameters.wheels=[{\"initial\":{\"rate\":-5}},{\"initial\":{\"rate\":-5}},{"
                  "\"initial\":{\"rate\":-5}},"
                  "{\"initial\":{\"rate\":-5}}]",
                  "parameters.platform.center_of_mass={\"height\":0.1}", "integrator.step=0.2 ms",
                  "integrator.duration=3"));
    cr_assert_eq(omr_result_status(r)[0], 0);
    speed[rolling] = value_of(r, "final_vx", 0);
    omr_result_destroy(r);
  }
  cr_log_info("speed after 3 s: %.4f m/s without, %.4f m/s with rolling friction", speed[0],
              speed[1]);
  cr_expect_float_eq(speed[0], 0.5, 1e-3);
  /* rolling without slip: (M + sum J/R^2) dv/dt = -mu_r M g v; the friction law lets the wheels
   * creep a little */
  double mass = 10 + 4 * (1.2 + 6 * 0.11), inertia = 0.006 + 6 * (0.11 * 0.0822 * 0.0822 + 7e-5);
  cr_expect_float_eq(speed[1], 0.5 * exp(-0.1 * 9.81 * 3 * mass / (mass + 4 * inertia / 0.01)),
                     1e-3);
}

/* ---- the step that RK4 can take */

static double limit_of(const char *const *overrides) {
  omr_error error = {0};
  omr_study *study = NULL;
  size_t count = 0, instance;
  while (overrides[count]) count++;
  cr_assert_eq(omr_study_parse(vehicle_text, "test", overrides, count, &study, &error), OMR_OK,
               "%s", error.message);
  double limit = omr_largest_step(study, &instance);
  omr_study_destroy(study);
  return limit;
}

/* The slope of friction at rest is mu/v_s in the linear zone and twice that in the quadratic one; a
 * patch counts by its own. */
Test(regularized, stability_limit_follows_the_slope_of_the_law_and_the_ground) {
  static const char mu[] = "parameters.wheel.friction=0.3";
  double saturated = limit_of(OVERRIDES(mu)),
         linear = limit_of(OVERRIDES(mu, LAW2, "parameters.contact.zone=linear"));
  cr_expect_float_eq(linear / saturated, 1, 1e-12);
  cr_expect_float_eq(limit_of(OVERRIDES(mu, LAW2)) / saturated, 0.5, 1e-12);
  static const char along[] = "parameters.wheel.contact.longitudinal_friction=0.9";
  static const char across[] = "parameters.wheel.contact.lateral_friction=0.9";
  const double one = limit_of(OVERRIDES(mu, LAW2, along)) / saturated,
               both = limit_of(OVERRIDES(mu, LAW2, along, across)) / saturated;
  cr_expect_float_eq(both, 0.5 / 3, 1e-12);
  cr_expect(one > both && one < 0.5, "each direction counts by itself: %g", one);
  cr_expect_float_eq(
      limit_of(
          OVERRIDES(mu, "parameters.ground={\"type\":\"patches\",\"patch2\":{\"friction\":0.6}}")) /
          saturated,
      0.5, 1e-12);
  cr_expect_float_eq(limit_of(OVERRIDES(mu, "parameters.ground={\"type\":\"step\",\"factor\":4}")) /
                         saturated,
                     0.25, 1e-12);
  cr_expect_float_eq(
      limit_of(OVERRIDES(mu, "parameters.ground={\"type\":\"dip\",\"factor\":0.1}")) / saturated, 1,
      1e-12);
}

/* ---- varied values */

Test(regularized, a_friction_coefficient_is_varied_without_a_base_value) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES(LAW2, "parameters.wheel.friction=0.3", "integrator.duration=0.5",
                "integrator.step=0.2 ms",
                "vary=[{\"path\":\"wheel.contact.lateral_friction\",\"values\":[0,0.3]}]"));
  omr_result *plain =
      run_study(vehicle_text, OVERRIDES(LAW2, "parameters.wheel.friction=0.3",
                                        "integrator.duration=0.5", "integrator.step=0.2 ms"));
  cr_expect_eq(value_of(r, "final_x", 1), value_of(plain, "final_x", 0));
  cr_expect_neq(value_of(r, "final_x", 0), value_of(r, "final_x", 1));
  omr_result_destroy(r);
  omr_result_destroy(plain);
}

/* Patches relate to the wheel's larger coefficient; a wheel that has none cannot be changed in
 * proportion. */
Test(regularized, a_wheel_without_friction_on_ground_that_changes_is_invalid) {
  omr_result *r =
      run_study(vehicle_text,
                OVERRIDES(LAW2, "parameters.ground={\"type\":\"dip\"}", "integrator.duration=0.1",
                          "vary=[{\"path\":\"wheel.friction\",\"values\":[0,0.3]}]"));
  cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_INVALID);
  cr_expect_eq(omr_result_status(r)[1], OMR_INSTANCE_OK);
  cr_expect_not_null(
      strstr(r->first_invalid, "wheel 0 has no friction that the ground could change"), "%s",
      r->first_invalid);
  omr_result_destroy(r);
}
