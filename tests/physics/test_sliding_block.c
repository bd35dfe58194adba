/* The sliding block of source 5, figure 1, against exact solutions: eq. (1) and its asymptotes,
 * stiction and slip under forces that are given, braking, slopes, a spring with dry friction, and
 * the stick-slip of a block on a belt (appendix/small.md#models). */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/kernel.h"
#include "shared/motion.h"

#include <criterion/logging.h>

#define TEXT(friction, parameters, duration)                                                       \
  "{\"model\": \"sliding_block\", \"parameters\": {\"mass\": 2, " friction parameters              \
  "}, \"integrator\": {\"step\": \"1 ms\", \"duration\": " duration                                \
  "}, \"engine\": {\"backend\": \"scalar\"}}"
#define BLOCK(parameters, duration)                                                                \
  TEXT("\"law\": \"set_valued\", \"friction\": {\"kinetic\": 0.3, \"static\": 0.45}", parameters,  \
       duration)
#define PLAIN(parameters, duration) TEXT("\"friction\": {\"kinetic\": 0.3}", parameters, duration)
#define MASS 2.0
#define LOAD (MASS * 9.81)
#define KINETIC (0.3 * LOAD)
#define STATIC (0.45 * LOAD)
#define ROUNDING 1e-12 /* of sums of some thousand steps, compensated */

static void expect_near(const char *what, double value, double expected, double allowed) {
  cr_expect_lt(fabs(value - expected), allowed, "%s is %.17g, not %.17g", what, value, expected);
}

static void expect_energy(const omr_result *r, double allowed) {
  expect_near("energy_error", value_of(r, "energy_error", 0), 0, allowed);
}

/* ---- the laws */

/* Contact force at rest over mu N_c under an applied force of `demand` mu N_c. */
static double ratio_at(int law, double demand, double slip, double direction) {
  const int c[K_COUNT] = {[K_MODEL] = SMALL_SLIDING_BLOCK, [K_OPTION_0] = law};
  double p[sliding_block_params] = {0};
  p[BLOCK_P_KINETIC] = KINETIC;
  p[BLOCK_P_INV_KINETIC] = 1 / KINETIC;
  p[BLOCK_P_INV_SLIP_SPEED] = 100;
  return sliding_block_contact(c, p, demand * KINETIC, slip, direction) / KINETIC;
}

/* Eq. (1), tanh by the C library; its asymptotes as the source gives them: T up to mu N_c/3, to
 * 1 - 3 tanh(1/3), which is 3.6 %; mu N_c from 3 mu N_c on, to 1 - tanh 3, which is 0.5 %. It lies
 * below both, everywhere. */
Test(sliding_block, eq_1_has_the_asymptotes_of_the_source) {
  for (int k = -400; k <= 400; k++) {
    const double demand = 0.02 * k, size = fabs(demand),
                 ratio = ratio_at(BLOCK_LAW_TANH, demand, 0, 0);
    expect_near("F_c/(mu N_c)", ratio, tanh(demand), 4e-16);
    cr_expect_leq(fabs(ratio), fmin(size, 1));
    if (size <= 1.0 / 3) cr_expect_leq(size - fabs(ratio), (1 - 3 * tanh(1.0 / 3)) * size + 1e-16);
    if (size >= 3) cr_expect_leq(1 - fabs(ratio), 1 - tanh(3));
    expect_near("saturated", ratio_at(BLOCK_LAW_SATURATED, demand, 0, 0), fmax(-1, fmin(1, demand)),
                4e-16);
  }
  expect_near("1 - 3 tanh(1/3)", 1 - 3 * tanh(1.0 / 3), 0.0355, 1e-4);
}

Test(sliding_block, regularized_friction_goes_by_the_slip_and_coulombs_by_its_sign) {
  expect_near("regularized", ratio_at(BLOCK_LAW_REGULARIZED, 5, 0.01, 0), tanh(1), 4e-16);
  expect_near("regularized", ratio_at(BLOCK_LAW_REGULARIZED, 5, -0.03, 0), -tanh(3), 4e-16);
  expect_near("sticks", ratio_at(BLOCK_LAW_SET_VALUED, 0.7, 0, 0), 0.7, 4e-16);
  expect_near("slips", ratio_at(BLOCK_LAW_SET_VALUED, 0.7, -1, -1), -1, 4e-16);
}

/* Under a constant pull of half the limit. Eq. (1) leaves T - F_c: the block creeps off with an
 * acceleration; `saturated` stays, and so does Coulomb's; the regularized law lets it glide at
 * v_s artanh(1/2). */
Test(sliding_block, half_the_limit_moves_the_block_as_each_law_says) {
  static const char text[] = PLAIN(", \"pull\": {\"force\": 2.943}", "2");
  omr_result *r = run_study(text, OVERRIDES("parameters.law=tanh"));
  const double half = 0.5 * KINETIC;
  expect_near("v of eq. (1)", value_of(r, "final_vx", 0), (half - KINETIC * tanh(0.5)) / MASS * 2,
              ROUNDING);
  cr_expect(isnan(value_of(r, "first_slip", 0)));
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("parameters.law=saturated"));
  cr_expect_eq(value_of(r, "final_x", 0), 0);
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("parameters.law=set_valued"));
  cr_expect_eq(value_of(r, "final_x", 0), 0);
  cr_expect_eq(value_of(r, "stuck_share", 0), 1);
  cr_expect_eq(value_of(r, "slips", 0), 0);
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("parameters.law=regularized", "parameters.friction.slip_speed=0.01",
                                "integrator.step=0.5 ms"));
  expect_near("v of the regularized law", value_of(r, "final_vx", 0), 0.01 * atanh(0.5), 1e-10);
  omr_result_destroy(r);
}

/* Eq. (1) and its asymptotes are laws of the applied force: without one they do not brake. */
Test(sliding_block, laws_of_the_applied_force_do_not_brake) {
  static const char text[] = PLAIN(", \"initial\": {\"speed\": 1.5}", "2");
  static const char *const laws[] = {"parameters.law=tanh", "parameters.law=saturated"};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(text, OVERRIDES(laws[i]));
    cr_expect_eq(value_of(r, "final_vx", 0), 1.5);
    cr_expect_eq(value_of(r, "dissipated_energy", 0), 0);
    omr_result_destroy(r);
  }
}

/* ---- a ramp: T = r t */

#define RAMP_RATE 7.3
#define RAMP ", \"pull\": {\"type\": \"ramp\", \"rate\": 7.3}"

Test(sliding_block, a_ramp_does_not_move_it_before_the_limit) {
  omr_result *r = run_study(BLOCK(RAMP, "1.209"), NULL); /* torn off at 1.2095 s */
  cr_expect_eq(value_of(r, "final_x", 0), 0);
  cr_expect_eq(value_of(r, "final_vx", 0), 0);
  cr_expect(isnan(value_of(r, "first_slip", 0)));
  omr_result_destroy(r);
}

/* From t1 = mu_s N_c/r on m v' = r t - mu N_c: polynomials, which methods of order 4 and 5 have
 * exactly, and those of order 2 but for the way. t1 lies inside a step. */
Test(sliding_block, a_ramp_tears_it_off_at_the_limit_and_accelerates_it) {
  static const char *const methods[][2] = {
      {"integrator.method=rk4", "integrator.step=1 ms"},
      {"integrator.method=rk4", "integrator.step=8 ms"},
      {"integrator={\"tolerance\": 1e-6, \"duration\": 2}", "integrator.duration=2"}};
  const double start = STATIC / RAMP_RATE, since = 2 - start;
  const double v = (RAMP_RATE * (4 - start * start) / 2 - KINETIC * since) / MASS;
  const double x = (RAMP_RATE * (since * since * since / 6 + start * since * since / 2) -
                    KINETIC * since * since / 2) /
                   MASS;
  for (int i = 0; i < 3; i++) {
    omr_result *r = run_study(BLOCK(RAMP, "2"), OVERRIDES(methods[i][0], methods[i][1]));
    expect_near("first_slip", value_of(r, "first_slip", 0), start, ROUNDING);
    expect_near("final_vx", value_of(r, "final_vx", 0), v, 5 * ROUNDING);
    expect_near("final_x", value_of(r, "final_x", 0), x, 5 * ROUNDING);
    expect_near("stuck_share", value_of(r, "stuck_share", 0), start / 2, ROUNDING);
    cr_expect_eq(value_of(r, "slips", 0), 1);
    expect_energy(r, i < 2 ? 1e-9 : 1e-7); /* its powers are polynomials of degree 4 */
    omr_result_destroy(r);
  }
}

/* `saturated` starts at mu N_c: m v = r (t - t0)^2/2, with the kink of the force inside a step
 * (second order there: h^2 r/m). */
Test(sliding_block, the_saturated_law_lets_go_from_its_limit_on) {
  omr_result *r = run_study(PLAIN(RAMP, "2"), OVERRIDES("parameters.law=saturated"));
  const double since = 2 - KINETIC / RAMP_RATE;
  expect_near("final_vx", value_of(r, "final_vx", 0), RAMP_RATE * since * since / 2 / MASS,
              1e-6 * RAMP_RATE / MASS);
  expect_near("first_slip", value_of(r, "first_slip", 0), KINETIC / RAMP_RATE, 1e-3);
  omr_result_destroy(r);
}

/* ---- braking and slopes */

/* v0^2/(2 mu g) and v0/(mu g); it stays, however long. */
Test(sliding_block, it_brakes_to_rest_and_stays) {
  static const char *const methods[] = {"integrator.method=rk4", "integrator.method=midpoint",
                                        "integrator.method=heun",
                                        "integrator={\"tolerance\": 1e-5, \"duration\": 3}"};
  static const char text[] = BLOCK(", \"initial\": {\"speed\": 1.7}", "3");
  for (int i = 0; i < 4; i++) {
    omr_result *r = run_study(text, OVERRIDES(methods[i]));
    expect_near("way", value_of(r, "final_x", 0), 1.7 * 1.7 / (2 * 0.3 * 9.81), ROUNDING);
    expect_near("time", value_of(r, "stop_time", 0), 1.7 / (0.3 * 9.81), ROUNDING);
    expect_near("lost", value_of(r, "dissipated_energy", 0), 0.5 * MASS * 1.7 * 1.7, ROUNDING);
    cr_expect_eq(value_of(r, "final_vx", 0), 0);
    cr_expect_eq(value_of(r, "slips", 0), 1);
    omr_result_destroy(r);
  }
}

/* The regularized law tends to it in proportion to v_s: on the way, what the last creep adds. */
Test(sliding_block, the_regularized_law_tends_to_coulombs_with_its_slip_speed) {
  const double exact = 1 / (2 * 0.3 * 9.81);
  double before = 0;
  for (int i = 0; i < 3; i++) {
    char speed[64];
    snprintf(speed, sizeof speed, "parameters.friction.slip_speed=%g", 0.04 / (1 << i));
    omr_result *r = run_study(
        "{\"model\": \"sliding_block\", \"parameters\": {\"mass\": 2, \"law\": \"regularized\", "
        "\"initial\": {\"speed\": 1}}, \"integrator\": {\"step\": \"0.2 ms\", \"duration\": 1}, "
        "\"engine\": {\"backend\": \"scalar\"}}",
        OVERRIDES(speed));
    const double off = value_of(r, "final_x", 0) - exact;
    cr_expect_gt(off, 0);
    /* the integral of v (coth(v/v_s) - 1) dv is v_s^2 pi^2/12, over mu g */
    expect_near(
        "overshoot", off,
        0.04 * 0.04 / (1 << 2 * i) * 3.14159265358979 * 3.14159265358979 / 12 / (0.3 * 9.81), 1e-9);
    if (i > 0) expect_near("order", before / off, 4, 1e-3);
    before = off;
    omr_result_destroy(r);
  }
}

/* Below the angle of stiction it stays; beyond, g (sin - mu cos). Sent uphill it comes to rest, and
 * slides back from there at once. */
Test(sliding_block, a_slope_lets_it_go_beyond_the_angle_of_stiction) {
  omr_result *r =
      run_study(BLOCK("", "2"), OVERRIDES("parameters.plane.slope=0.42")); /* tan 0.447 */
  cr_expect_eq(value_of(r, "final_x", 0), 0);
  omr_result_destroy(r);
  r = run_study(BLOCK("", "2"), OVERRIDES("parameters.plane.slope=0.43")); /* tan 0.459 */
  expect_near("x", value_of(r, "final_x", 0), -2 * 9.81 * (sin(0.43) - 0.3 * cos(0.43)), 1e-11);
  cr_expect_eq(value_of(r, "first_slip", 0), 0);
  omr_result_destroy(r);
  r = run_study(BLOCK(", \"initial\": {\"speed\": 2}", "2"),
                OVERRIDES("parameters.plane.slope=0.6"));
  const double up = 9.81 * (sin(0.6) + 0.3 * cos(0.6)), down = 9.81 * (sin(0.6) - 0.3 * cos(0.6));
  const double top = 2 / up, left = 2 - top;
  expect_near("x", value_of(r, "final_x", 0), 2 / up - down * left * left / 2, 1e-11);
  expect_near("v", value_of(r, "final_vx", 0), -down * left, 1e-11);
  cr_expect_eq(value_of(r, "slips", 0), 2);
  expect_energy(r, 1e-12);
  omr_result_destroy(r);
}

/* ---- a spring: each half swing about -+mu N_c/k, so that its turning points come nearer by
 * 2 mu N_c/k, until the spring no longer tears it off (mu_s = mu here) */
Test(sliding_block, a_spring_loses_the_same_in_every_half_swing) {
  static const char text[] =
      BLOCK(", \"spring\": {\"stiffness\": 50}, \"initial\": {\"x\": 1.3}", "6");
  const double reach = KINETIC / 50, half = 3.14159265358979323846 / sqrt(50 / MASS);
  int swings = 0;
  double x = 1.3;
  for (; fabs(x) > reach; swings++) x = -x + (x > 0 ? 2 * reach : -2 * reach);
  static const char *const methods[] = {"integrator.step=0.5 ms",
                                        "integrator={\"tolerance\": 1e-10, \"duration\": 6}"};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(text, OVERRIDES(methods[i], "parameters.friction.static=0.3"));
    /* rk4: (w h)^4/120 per radian; the tolerance is per pass of some milliseconds */
    expect_near("x", value_of(r, "final_x", 0), x, 1e-9);
    expect_near("stop_time", value_of(r, "stop_time", 0), swings * half, 1e-9);
    cr_expect_eq((int)value_of(r, "slips", 0), swings);
    expect_near("period", value_of(r, "stick_slip_period", 0), half, 1e-9);
    omr_result_destroy(r);
  }
  cr_expect_gt(swings, 3);
}

/* ---- a belt: sticks while k x < mu_s N_c, slips back, and sticks again where it has the belt's
 * velocity u. With D = (mu_s - mu) N_c and w^2 = k/m the parts of a period are 2 D/(k u) and
 * (2/w)(pi - arctan(D w/(k u))). */
static double belt_period(double holding, double k, double u) {
  const double d = (holding - 0.3) * LOAD, w = sqrt(k / MASS);
  return 2 * d / (k * u) + 2 / w * (3.14159265358979323846 - atan(d * w / (k * u)));
}

Test(sliding_block, a_belt_makes_it_stick_and_slip_with_the_known_period) {
  static const char text[] =
      BLOCK(", \"spring\": {\"stiffness\": 80}, \"belt\": {\"speed\": 0.2}, \"initial\": "
            "{\"speed\": 0.2}",
            "8");
  static const double holding[] = {0.35, 0.45, 0.7}, stiffness[] = {80, 30, 300},
                      u[] = {0.2, 0.05, 0.4};
  double worst = 0;
  for (int i = 0; i < 6; i++) {
    const int j = i / 2;
    char a[64], b[64], c[64], d[64];
    snprintf(a, sizeof a, "parameters.friction.static=%g", holding[j]);
    snprintf(b, sizeof b, "parameters.spring.stiffness=%g", stiffness[j]);
    snprintf(c, sizeof c, "parameters.belt.speed=%g", u[j]);
    snprintf(d, sizeof d, "parameters.initial.speed=%g", u[j]);
    const char *way =
        i % 2 ? "integrator={\"tolerance\": 1e-10, \"duration\": 8}" : "integrator.step=0.5 ms";
    omr_result *r = run_study(text, OVERRIDES(a, b, c, d, way));
    const double period = belt_period(holding[j], stiffness[j], u[j]);
    const double first = holding[j] * LOAD / (stiffness[j] * u[j]);
    expect_near("first_slip", value_of(r, "first_slip", 0), first, 10 * ROUNDING);
    if (first + period < 8) {
      expect_near("period", value_of(r, "stick_slip_period", 0), period, 1e-8);
      worst = larger(worst, value_of(r, "stick_slip_period", 0) - period);
      cr_expect_eq(value_of(r, "slips", 0), floor((8 - first) / period) + 1); /* no chatter */
    }
    expect_energy(r, 1e-8);
    omr_result_destroy(r);
  }
  cr_log_info("largest difference of a period %.2g s", worst);
}

/* A step that is halved leaves a sixteenth of the error: events do not cost the method's order. */
Test(sliding_block, switching_keeps_the_order_of_the_method) {
  static const char text[] =
      BLOCK(", \"spring\": {\"stiffness\": 80}, \"belt\": {\"speed\": 0.2}, \"initial\": "
            "{\"speed\": 0.2}",
            "8");
  static const char *const steps[] = {"integrator.step=20 ms", "integrator.step=10 ms"};
  double off[2];
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(text, OVERRIDES(steps[i]));
    off[i] = value_of(r, "stick_slip_period", 0) - belt_period(0.45, 80, 0.2);
    omr_result_destroy(r);
  }
  cr_log_info("errors %.3g and %.3g s, order %.2f", off[0], off[1], log2(off[0] / off[1]));
  cr_expect_gt(fabs(off[0] / off[1]), 10);
}

/* ---- a sine T = F sin(w t): torn off at arcsin(mu_s N_c/F)/w, then
 * m v = F/w (cos w t1 - cos w t) - mu N_c (t - t1), until v is 0 again. */
Test(sliding_block, a_sine_moves_it_part_of_each_half_period) {
  static const char text[] =
      BLOCK(", \"pull\": {\"type\": \"sine\", \"force\": 12, \"frequency\": 3}", "1.3");
  const double start = asin(STATIC / 12) / 3;
  double low = start + 0.3, high = 2;
  for (int i = 0; i < 100; i++) {
    const double t = 0.5 * (low + high),
                 mv = 12.0 / 3 * (cos(3 * start) - cos(3 * t)) - KINETIC * (t - start);
    *(mv > 0 ? &low : &high) = t;
  }
  const double way =
      (12.0 / 3 * ((low - start) * cos(3 * start) - (sin(3 * low) - sin(3 * start)) / 3) -
       KINETIC * (low - start) * (low - start) / 2) /
      MASS;
  static const char *const methods[] = {"integrator.step=1 ms",
                                        "integrator={\"tolerance\": 1e-9, \"duration\": 1.3}"};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(text, OVERRIDES(methods[i]));
    expect_near("first_slip", value_of(r, "first_slip", 0), start, ROUNDING);
    expect_near("stop_time", value_of(r, "stop_time", 0), low, 1e-9);
    expect_near("way", value_of(r, "final_x", 0), way, 1e-9);
    cr_expect_eq(value_of(r, "final_vx", 0), 0);
    omr_result_destroy(r);
  }
}

/* Every sample and its derivative: one call of the right-hand side. m v' = T - F_c, and the power
 * of pull and belt is that of motion, spring, slope and friction. */
Test(sliding_block, power_goes_where_it_is_counted) {
  uint64_t seed = 31;
  for (int k = 0; k < 200; k++) {
    omr_study study = {.options = {k % 4, k % 3}};
    const int c[K_COUNT] = {
        [K_MODEL] = SMALL_SLIDING_BLOCK, [K_OPTION_0] = k % 4, [K_OPTION_1] = k % 3};
    double v[OMR_VP_COUNT], p[sliding_block_params],
        y[sliding_block_motion] = {0}, e[sliding_block_extremes], dy[sliding_block_motion],
        out[sliding_block_samples], t = draw(&seed, 0, 5);
    for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
    v[OMR_VP_UK_MASS] = draw(&seed, 0.5, 5);
    v[OMR_VP_PLANE_SLOPE] = draw(&seed, 0, 1);
    v[OMR_VP_BLOCK_FORCE] = draw(&seed, -20, 20);
    v[OMR_VP_BLOCK_PULL_RATE] = draw(&seed, -20, 20);
    v[OMR_VP_BLOCK_FREQUENCY] = draw(&seed, 0, 9);
    v[OMR_VP_BLOCK_STIFFNESS] = draw(&seed, 0, 99);
    v[OMR_VP_BLOCK_BELT] = draw(&seed, -1, 1);
    v[OMR_VP_INITIAL_X] = draw(&seed, -1, 1);
    v[OMR_VP_UK_SPEED] = k % 5 ? draw(&seed, -1, 1) : v[OMR_VP_BLOCK_BELT];
    cr_assert(omr_sliding_block.prepare(&study, v, p, y, e, NULL, 0));
    sliding_block_rates(c, p, y, t, dy, out);
    const double m = v[OMR_VP_UK_MASS], speed = y[BLOCK_Y_V];
    const double pull = k % 3 == 0   ? v[OMR_VP_BLOCK_FORCE]
                        : k % 3 == 1 ? v[OMR_VP_BLOCK_FORCE] + v[OMR_VP_BLOCK_PULL_RATE] * t
                                     : v[OMR_VP_BLOCK_FORCE] * sin(v[OMR_VP_BLOCK_FREQUENCY] * t);
    const double applied =
        pull - v[OMR_VP_BLOCK_STIFFNESS] * y[BLOCK_Y_X] - m * 9.81 * sin(v[OMR_VP_PLANE_SLOPE]);
    const double stored = speed * (m * dy[BLOCK_Y_V] + v[OMR_VP_BLOCK_STIFFNESS] * y[BLOCK_Y_X] +
                                   m * 9.81 * sin(v[OMR_VP_PLANE_SLOPE]));
    expect_near("pull", out[BLOCK_S_PULL], pull, 1e-12 * 200);
    expect_near("applied", out[BLOCK_S_APPLIED], applied, 1e-12 * 200);
    expect_near("m v'", m * dy[BLOCK_Y_V], applied - out[BLOCK_S_CONTACT], 1e-12 * 200);
    expect_near("load", out[BLOCK_S_LOAD], m * 9.81 * cos(v[OMR_VP_PLANE_SLOPE]), 1e-12 * 50);
    expect_near("power", dy[BLOCK_Y_WORK] - dy[BLOCK_Y_LOST], stored, 1e-12 * 400);
    if (k % 4 >= 2) cr_expect_geq(dy[BLOCK_Y_LOST], 0); /* laws of the slip only take */
  }
}

/* Values that are within their bounds and make no block are told with the values. */
Test(sliding_block, what_is_no_block_is_told) {
  const omr_study study = {.options = {BLOCK_LAW_SET_VALUED}};
  double v[OMR_VP_COUNT], p[sliding_block_params], y[sliding_block_motion] = {0},
                                                   e[sliding_block_extremes];
  char reason[256] = "";
  for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
  v[OMR_VP_BLOCK_STATIC] = 0.2;
  cr_expect_not(omr_sliding_block.prepare(&study, v, p, y, e, reason, sizeof reason));
  cr_expect_str_eq(
      reason,
      "friction.static is 0.2, less than friction.kinetic, 0.3: stiction holds no less; raise "
      "friction.static or lower friction.kinetic");
  v[OMR_VP_BLOCK_STATIC] = 0.3;
  v[OMR_VP_PLANE_SLOPE] = 1.5707963267948966;
  cr_expect_not(omr_sliding_block.prepare(&study, v, p, y, e, reason, sizeof reason));
  cr_expect_str_eq(reason, "plane.slope is 1.5708 rad; a vertical plane does not carry the block");
}
