/* Dry friction of bearings and rolling resistance
 * (appendix/bearings.md#bearings) by closed forms, derivatives and balances.
 * That every body in space moves as its forces say is in test_loads.c. */
#include "shared/kernel.h"
#include "shared/motion.h"

/* ---- the direction S of the friction */

static double direction_at(const int *settings, double rate, double smoothing, double ratio,
                           double stribeck) {
  return dry_direction(settings, rate, 1 / smoothing, ratio - 1, 1 / stribeck);
}

/* Odd; steepest at rest, with the static ratio over the smoothing rate; 1 far beyond the Stribeck
 * rate; in between above 1, and there it falls: its derivative has one zero, found by halving. */
Test(dry, direction_rises_to_static_friction_and_falls_to_kinetic) {
  int settings[K_COUNT] = {0};
  settings[K_DRY] = DRY_ROLLER | DRY_RISE;
  const double smooth = 0.5, ratio = 1.6, stribeck = 12, h = 1e-4;
  const double slope = (direction_at(settings, h, smooth, ratio, stribeck) -
                        direction_at(settings, -h, smooth, ratio, stribeck)) /
                       (2 * h);
  cr_expect_float_eq(slope, ratio / smooth, 1e-6 * ratio / smooth);
  /* far away (ratio - 1)(v_1/v)^2 of the rise are left, and (v_0/v)^2/2 are missing */
  const double away = 1e5;
  cr_expect_float_eq(direction_at(settings, away, smooth, ratio, stribeck) - 1,
                     ((ratio - 1) * stribeck * stribeck - smooth * smooth / 2) / (away * away),
                     1e-14);
  double low = 0.1, high = 10; /* where the derivative is 0 */
  for (int n = 0; n < 60; n++) {
    const double at = (low + high) / 2, far = at / stribeck, fade = 1 / (1 + far * far),
                 rise = (ratio - 1) * fade, speed = hypot(at, smooth);
    const double derivative = smooth * smooth / pow(speed, 3) * (1 + rise) -
                              at / speed * rise * fade * 2 * far / stribeck;
    const double by_kernel = (direction_at(settings, at + h, smooth, ratio, stribeck) -
                              direction_at(settings, at - h, smooth, ratio, stribeck)) /
                             (2 * h);
    cr_expect_float_eq(by_kernel, derivative, 1e-6);
    if (derivative > 0)
      low = at;
    else
      high = at;
  }
  const double top = direction_at(settings, low, smooth, ratio, stribeck);
  cr_log_info("largest friction %.4f of kinetic at %.3f rad/s", top, low);
  cr_expect(top > 1.5 && top < ratio, "%.4f", top);
  cr_expect_float_eq(direction_at(settings, -low, smooth, ratio, stribeck), -top, 1e-16);
}

/* The secant of the linearly implicit method: S/v, with the slope at rest. */
Test(dry, secant_is_the_direction_over_the_rate) {
  int settings[K_COUNT] = {0};
  settings[K_DRY] = DRY_ROLLER | DRY_RISE;
  for (double rate = 1e-9; rate < 1e3; rate *= 3) {
    const double secant = dry_secant(settings, rate, 1 / 0.5, 0.6, 1 / 12.0);
    cr_expect_float_eq(secant * rate, direction_at(settings, rate, 0.5, 1.6, 12), 1e-10 * rate);
    cr_expect_eq(secant, dry_secant(settings, -rate, 1 / 0.5, 0.6, 1 / 12.0));
  }
  cr_expect_float_eq(dry_secant(settings, 0, 2, 0.6, 1 / 12.0), 3.2, 1e-15);
}

/* ---- an exponent of the load */

static void bend(double *value, double factor) {
  *value *= factor;
}

/* What Newton's passes end at: with the factors of the loads that came out as coefficients, and no
 * exponent, the same loads come out again. */
Test(dry, loads_under_an_exponent_have_converged) {
  uint64_t seed = 31;
  double worst = 0;
  int looked = 0;
  for (int n = 0; n < 300; n++) {
    machine m = random_dry(&seed);
    if (m.wheels == 1 || m.dry.exponent == 1) continue;
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    double load[OMR_MAX_WHEELS], most = 0;
    bool carries = lane_test(e.o.solvable, 0);
    for (int i = 0; i < m.wheels; i++) {
      load[i] = e.o.load[i];
      carries = carries && load[i] > 0;
      most = fmax(most, fabs(load[i]));
    }
    for (int i = 0; i < m.wheels && carries; i++) {
      const double factor = pow(load[i] / m.dry.reference, m.dry.exponent - 1);
      bend(&e.p.w[i][W_DRY_PIN], factor);
      bend(&e.p.w[i][W_DRY_END], factor);
      bend(&e.p.w[i][W_AXLE_PIN], factor);
      bend(&e.p.w[i][W_ROLLING_ARM], factor);
    }
    f.settings.integers[K_DRY] &= ~DRY_EXPONENT;
    derive(&f, &e);
    for (int i = 0; i < m.wheels && carries; i++)
      worst = fmax(worst, fabs(e.o.load[i] - load[i]) / most);
    looked += carries;
    free_fleet(&f);
  }
  cr_log_info("%d vehicles: loads change by %.2g of the largest", looked, worst);
  cr_expect_gt(looked, 50);
  cr_expect_lt(worst, 1e-13);
}

/* ---- motions that are known */

/* Four straight wheels, 12 kg, that roll forward. Axle friction alone brakes them: with the mass
 * M_e = M + 4 J/R^2 that a rolling wheel moves, J_e = M_e R^2/4 at each, J_e w' = -T w/u with
 * u = sqrt(w^2 + w_0^2), so that u - w_0 asinh(w_0/w) falls at the rate T/J_e. */
static const char rolling_text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\", \"contact\": {\"law\": "
    "\"ideal_rolling\"},"
    "\"platform\": {\"mass\": 12, \"yaw_inertia\": 0.4, \"center_of_mass\": {\"height\": 0.1}},"
    "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.2, \"half_width\": 0.2},"
    "\"wheel\": {\"radius\": 0.05, \"rollers\": 8, \"tip_radius\": 0.004,"
    "\"disc\": {\"mass\": 0.2, \"axial_inertia\": 1e-4, \"diametral_inertia\": 6e-5},"
    "\"roller\": {\"mass\": 0.01, \"axial_inertia\": 1e-6, \"diametral_inertia\": 2e-6},"
    "\"axle_dry\": {\"torque\": 0.1, \"smoothing_rate\": 2}, \"initial\": {\"rate\": -16}},"
    "\"initial\": {\"vx\": 0.8}},"
    "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"0.8 s\"}, \"output\": "
    "{\"observables\": "
    "[\"final_vx\", \"energy_error\", \"bearing_loss\", \"roller_loss\", \"rolling_loss\", "
    "\"dissipated_energy\"]}, \"engine\": {\"backend\": \"scalar\"}}";

static double coasting(double rate, double smooth) {
  return hypot(rate, smooth) - smooth * asinh(smooth / rate);
}

/* The rate at which coasting() has come down by `fallen`, by halving: it rises with the rate. */
static double coasted_rate(double start, double smooth, double fallen) {
  double low = 0, high = start;
  const double wanted = coasting(start, smooth) - fallen;
  for (int n = 0; n < 100; n++) {
    const double middle = (low + high) / 2;
    *(coasting(middle, smooth) > wanted ? &high : &low) = middle;
  }
  return low;
}

Test(dry, a_vehicle_that_rolls_forward_coasts_as_its_axles_brake_it) {
  omr_result *r = run_study(rolling_text, NULL);
  const double alpha = M_PI / 8, tip = 0.004, R = 0.05;
  /* R_1 of rollers with end faces of that radius; it follows from the profile's radius at alpha */
  double low = 0.9 * R * cos(alpha), high = R * cos(alpha);
  for (int n = 0; n < 80; n++) {
    const double R1 = (low + high) / 2, h = R - R1 / cos(alpha);
    if (h * cos(alpha) > tip)
      low = R1;
    else
      high = R1;
  }
  const double J = 1e-4 + 8 * (0.01 * low * low + 2e-6), M = 12 + 4 * (0.2 + 8 * 0.01),
               inertia = (M * R * R + 4 * J) / 4, smooth = 2, time = 0.8;
  const double rate = coasted_rate(16, smooth, 0.1 * time / inertia);
  const double found = value_of(r, "final_vx", 0);
  cr_log_info("speed %.15g m/s, expected %.15g", found, rate * R);
  cr_expect_float_eq(found, rate * R, 1e-9);
  const double lost = 2 * inertia * (16 * 16 - rate * rate);
  cr_expect_float_eq(value_of(r, "bearing_loss", 0), lost, 1e-8);
  cr_expect_float_eq(value_of(r, "dissipated_energy", 0), lost, 1e-8);
  cr_expect_eq(value_of(r, "roller_loss", 0), 0);
  cr_expect_eq(value_of(r, "rolling_loss", 0), 0);
  omr_result_destroy(r);
}

/* Mecanum wheels of hardly any mass with 64 rollers, whose contacts stay near the rollers' middle,
 * driven to the side: the bearing's torque mu_b r_p N c over the roller's radius r is the force of
 * the floor across the roller's axis, at 45 deg to the motion; the force along the axis is as
 * large, since nothing turns the wheel, so that both together brake by sqrt(2) mu_b g (r_p/r) c. c:
 * the force across the axis over the load, sqrt(1 + (mu_b r_p c/r)^2). */
static const char sideways_text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"platform\": {\"mass\": 12, \"yaw_inertia\": 0.4, \"center_of_mass\": {\"height\": 0.05}},"
    "\"layout\": {\"type\": \"rectangle\", \"mecanum\": true, \"half_length\": 0.2, "
    "\"half_width\": "
    "0.2},"
    "\"wheel\": {\"radius\": 0.048, \"rollers\": 64, \"inclination\": \"45 deg\", "
    "\"center_distance\": 0.0405, \"friction\": 0.9, \"slip_speed\": 0.02,"
    "\"disc\": {\"mass\": 1e-3, \"axial_inertia\": 1e-6, \"diametral_inertia\": 1e-6},"
    "\"roller\": {\"mass\": 1e-5, \"axial_inertia\": 1e-10, \"diametral_inertia\": 1e-10, \"dry\": "
    "{\"friction\": 0.26, \"pin_radius\": 0.002, \"smoothing_rate\": 1}}},"
    "\"wheels\": [{\"initial\": {\"rate\": -15.833333333333334}}, {\"initial\": {\"rate\": "
    "15.833333333333334}}, {\"initial\": {\"rate\": 15.833333333333334}}, {\"initial\": {\"rate\": "
    "-15.833333333333334}}], \"initial\": {\"vz\": 0.76, \"spins\": \"rolling\"}},"
    "\"integrator\": {\"method\": \"rosenbrock\", \"step\": \"2 us\", \"duration\": \"0.1 s\"}, "
    "\"output\": {\"observables\": [\"final_vz\", \"final_vx\", \"energy_error\", \"exchanges\"]}, "
    "\"engine\": {\"backend\": \"scalar\"}}";

Test(dry, a_mecanum_vehicle_coasts_sideways_as_its_roller_bearings_brake_it) {
  omr_result *r = run_study(sideways_text, NULL);
  const double ratio = 0.26 * 0.002 / 0.0075, across = 1 / sqrt(1 - ratio * ratio),
               expected = sqrt(2) * ratio * 9.80665 * across;
  const double found = (0.76 - value_of(r, "final_vz", 0)) / 0.1;
  cr_log_info("deceleration %.6f m/s2, expected %.6f", found, expected);
  cr_expect_float_eq(found, expected, 0.01 * expected);
  cr_expect_gt(value_of(r, "exchanges", 0), 40);
  omr_result_destroy(r);
}

/* ---- energy, losses by part, order, and what is off */

#define ALL_PARTS                                                                                  \
  "parameters.wheel.friction=0.4", "parameters.wheel.slip_speed=0.2",                              \
      "parameters.wheel.roller={\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": "  \
      "7e-5, \"bearing\": 1e-5, \"rolling_resistance\": 3e-4, \"dry\": {\"torque\": 2e-3, "        \
      "\"friction\": 0.2, \"pin_radius\": 2e-3, \"end_friction\": 0.15, \"end_radius\": 4e-3, "    \
      "\"static_ratio\": 1.3}}",                                                                   \
      "parameters.wheel.axle_dry={\"torque\": 0.02, \"friction\": 0.1, \"radius\": 4e-3, "         \
      "\"static_ratio\": 1.2}"
#define LOSSES                                                                                     \
  "output.observables=[\"final_x\", \"final_z\", \"final_yaw\", \"final_vx\", \"final_vz\", "      \
  "\"energy_error\", \"energy_lost\", \"dissipated_energy\", \"bearing_loss\", \"roller_loss\", "  \
  "\"rolling_loss\", \"contact_loss\", \"exchanges\", \"min_load\"]"

static void check_energy(const char *exponent) {
  omr_result *r = run_study(vehicle_text, OVERRIDES("engine.backend=scalar", ALL_PARTS, LOSSES,
                                                    exponent, "integrator.step=\"0.05 ms\"",
                                                    "integrator.duration=\"0.5 s\""));
  const double lost = value_of(r, "energy_lost", 0), bearings = value_of(r, "bearing_loss", 0),
               rollers = value_of(r, "roller_loss", 0), rolling = value_of(r, "rolling_loss", 0);
  cr_log_info("%.2g; of %.4f J bearings lose %.4f, rollers %.4f of it, rolling %.4f",
              value_of(r, "energy_error", 0), lost, bearings, rollers, rolling);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-7);
  cr_expect(rollers > 0.01 * lost && bearings > 1.2 * rollers && rolling > 0.002 * lost);
  cr_expect_float_eq(value_of(r, "contact_loss", 0) + bearings, lost, 1e-12);
  cr_expect_gt(value_of(r, "contact_loss", 0), rolling);
  cr_expect_gt(value_of(r, "exchanges", 0), 2);
  omr_result_destroy(r);
}

Test(dry, energy_balance_closes_with_all_parts) {
  check_energy("parameters.wheel.dry_load={\"exponent\": 1}");
  check_energy("parameters.wheel.dry_load={\"exponent\": 0.87, \"reference\": 30}");
  check_energy("parameters.wheel.dry_load={\"exponent\": 1.87, \"reference\": 30}");
}

/* Where a motion ends: place, yaw and velocity. */
typedef struct ending {
  double value[5];
} ending;

static ending end_of(const char *method, const char *step, const char *more, const char *other) {
  static const char *const names[] = {"final_x", "final_z", "final_yaw", "final_vx", "final_vz"};
  omr_result *r = run_study(
      vehicle_text, OVERRIDES("engine.backend=scalar", ALL_PARTS, LOSSES, method, step, more, other,
                              "integrator.duration=\"0.2 s\"", "integrator.stability=ignore"));
  ending e;
  for (int j = 0; j < 5; j++) e.value[j] = value_of(r, names[j], 0);
  omr_result_destroy(r);
  return e;
}

static double apart(ending a, ending b) {
  double most = 0;
  for (int j = 0; j < 5; j++) most = fmax(most, fabs(a.value[j] - b.value[j]));
  return most;
}

/* RK4 keeps its order with the parts that are smooth (a force along the roller's axis that changes
 * its sign has a kink, and so has the slip speed), the linearly implicit method its own. Halving
 * the step from 1 ms on divides the error by 10.1, 12.2, 14.4 and 15.6. */
Test(dry, methods_keep_their_order) {
  static const char smooth[] = "parameters.wheel.slip_speed=3",
                    ends[] = "parameters.wheel.roller.dry.end_friction=0";
  const ending exact = end_of("integrator.method=rk4", "integrator.step=\"12.5 us\"", smooth, ends);
  const struct {
    const char *method, *steps[2];
    double least;
  } runs[] = {
      {"integrator.method=rk4",
       {"integrator.step=\"0.125 ms\"", "integrator.step=\"62.5 us\""},
       15},
      {"integrator.method=rosenbrock",
       {"integrator.step=\"0.2 ms\"", "integrator.step=\"0.1 ms\""},
       3.5},
  };
  for (int n = 0; n < 2; n++) {
    const double one = apart(end_of(runs[n].method, runs[n].steps[0], smooth, ends), exact),
                 two = apart(end_of(runs[n].method, runs[n].steps[1], smooth, ends), exact);
    cr_log_info("%s: %.3g, %.3g: ratio %.2f", runs[n].method, one, two, one / two);
    cr_expect_gt(one / two, runs[n].least);
  }
}

/* Rollers so light that explicit steps are bound to some 10 us: linearly implicit ones of 1 ms stay
 * with them. */
Test(dry, linearly_implicit_steps_bear_light_rollers) {
  const char *light = "parameters.wheel.roller={\"mass\": 0.01, \"axial_inertia\": 3e-7, "
                      "\"diametral_inertia\": 2e-6, \"dry\": {\"friction\": 0.26, \"pin_radius\": "
                      "2e-3, \"smoothing_rate\": 1}}";
  const ending exact =
      end_of("integrator.method=rk4", "integrator.step=\"2.5 us\"", light, "title=x");
  const ending found =
      end_of("integrator.method=rosenbrock", "integrator.step=\"1 ms\"", light, "title=x");
  cr_log_info("%.3g apart", apart(found, exact));
  cr_expect_lt(apart(found, exact), 5e-3);
}

/* Rates and ratios of friction that is not there change no bit. */
Test(dry, friction_that_is_off_changes_no_bit) {
  const char *rates = "parameters.wheel.roller.dry={\"smoothing_rate\": 3, \"static_ratio\": 2}";
  omr_result *plain = run_study(vehicle_text, OVERRIDES("engine.backend=scalar", LOSSES,
                                                        "parameters.wheel.friction=0.3")),
             *off = run_study(vehicle_text, OVERRIDES("engine.backend=scalar", LOSSES,
                                                      "parameters.wheel.friction=0.3", rates,
                                                      "parameters.wheel.dry_load.exponent=0.8"));
  for (size_t c = 0; c < omr_result_columns(plain); c++)
    cr_expect_eq(omr_result_column(plain, c)[0], omr_result_column(off, c)[0], "%s",
                 omr_result_column_name(plain, c));
  omr_result_destroy(plain);
  omr_result_destroy(off);
}
