/* Windings with inductance against exact solutions (appendix/drives.md#drives). A
 * frictionless testbench wheel with psi = 0 that does not yaw obeys J chi'' = g k i and
 * L i' = u - R i - g k chi'. Expected figures are closed forms unless stated. */
#include "host/engine/run.h"
#include "result/result.h"
#include "shared/motion.h"

#include <complex.h>

static const char wheel_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"center_distance\": 0.08, \"friction\": 0,"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5},"
    "\"drive\": {\"type\": \"constant\", \"by\": \"voltage\", \"voltage\": 6}}},"
    "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"20 ms\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"20 ms\"}}}";

enum { GEAR = 12 };
static const double inertia = 0.006 + 6 * (0.11 * 0.08 * 0.08 + 7e-5), resistance = 1.5,
                    constant = 0.02, volts = 6, inductance = 3e-3;
#define MOTOR(more)                                                                                \
  "parameters.wheel.motor={\"resistance\":1.5,\"torque_constant\":0.02,\"gear_ratio\":12" more "}"
#define WOUND ",\"inductance\":0.003"
#define DUTY(duty)                                                                                 \
  "parameters.wheel.drive={\"type\":\"constant\",\"by\":\"duty\",\"duty\":" duty "}"
#define DRIVE(type, more)                                                                          \
  "parameters.wheel.drive={\"by\":\"voltage\",\"type\":\"" type "\"," more "}"
#define SUPPLY(more) "parameters.supply={\"voltage\":12" more "}"
#define SHORT "integrator.duration=\"4 ms\"", "output.trajectories.interval=\"4 ms\""
#define HEAVY "parameters.wheel.disc.axial_inertia=1e12"
#define ALL_OF_IT                                                                                  \
  "output.observables=[\"supply_energy\",\"supply_heat\",\"motor_heat\",\"gear_loss\",\"control_"  \
  "loss\",\"magnetic_energy\",\"supply_voltage_min\",\"current_peak\",\"drive_work\",\"energy_"    \
  "error\"]"

static double last_sample(const omr_result *r, int quantity, int wheel) {
  return r->wheel_samples[quantity][(r->sample_count - 1) * (size_t)r->wheels + (size_t)wheel];
}

static void check_balance(const omr_result *r, double tolerance) {
  const double given = value_of(r, "supply_energy", 0), work = value_of(r, "drive_work", 0);
  const double rest = value_of(r, "supply_heat", 0) + value_of(r, "motor_heat", 0) +
                      value_of(r, "gear_loss", 0) + value_of(r, "control_loss", 0) +
                      value_of(r, "magnetic_energy", 0);
  const double scale = fmax(fabs(given), fmax(fabs(rest), fabs(work)));
  cr_log_info("supply %.9g J = lost and held %.9g + work %.9g\n", given, rest, work);
  cr_expect_leq(fabs(given - rest - work), tolerance * scale, "%g J of %g are missing",
                given - rest - work, scale);
}

/* Both roots of s^2 + (R/L) s + (g k)^2/(L J) = 0, and with them the rate of a wheel that starts
 * from rest without current. */
static double exact_rate(double t, double henry, double turned) {
  const double own = GEAR * constant, a = resistance / henry, b = own * own / (henry * turned);
  const double complex root = csqrt(a * a / 4 - b), s1 = -a / 2 + root, s2 = -a / 2 - root;
  return volts / own * creal(1 - (s1 * cexp(s2 * t) - s2 * cexp(s1 * t)) / (s1 - s2));
}

/* ---- one winding */

/* i = U/R (1 - exp(-R t/L)); of RK4, the same with its polynomial for every step, to rounding. */
Test(winding, current_of_a_locked_rotor_is_the_exact_exponential) {
  const double z = -1e-4 * resistance / inductance,
               step = 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)));
  omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(WOUND), HEAVY, ALL_OF_IT));
  const double current = last_sample(r, OMR_WS_CURRENT, 0);
  cr_expect_float_eq(current, volts / resistance * (1 - pow(step, 200)), 1e-12);
  cr_expect_float_eq(current, volts / resistance * (1 - exp(-0.02 * resistance / inductance)),
                     1e-9);
  cr_expect_eq(r->wheel_samples[OMR_WS_CURRENT][0], 0, "it starts without current");
  cr_expect_float_eq(value_of(r, "magnetic_energy", 0), inductance * current * current / 2, 1e-15);
  cr_expect_float_eq(last_sample(r, OMR_WS_TORQUE, 0), GEAR * constant * current, 1e-14);
  check_balance(r, 1e-8);
  omr_result_destroy(r);
}

/* Two poles, real ones and a pair: a light wheel swings on its winding. Errors fall with the order
 * of the method where the step is halved. */
Test(winding, rate_of_a_free_rotor_has_two_poles) {
  static const struct {
    const char *method;
    double order;
  } methods[] = {{"integrator.method=rk4", 4},
                 {"integrator.method=heun", 2},
                 {"integrator.method=midpoint", 2},
                 {"integrator.method=semi_implicit_euler", 1}};
  static const char *const steps[] = {"integrator.step=\"0.2 ms\"", "integrator.step=\"0.1 ms\""};
  static const char *const discs[] = {"parameters.wheel.disc.axial_inertia=0.006",
                                      "parameters.wheel.disc.axial_inertia=0.0001"};
  for (int n = 0; n < 8; n++) {
    const double turned = n % 2 ? inertia - 0.0059 : inertia,
                 exact = exact_rate(0.004, inductance, turned);
    double error[2];
    for (int j = 0; j < 2; j++) {
      omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(WOUND), discs[n % 2], steps[j],
                                                      methods[n / 2].method, SHORT));
      error[j] = fabs(last_sample(r, OMR_WS_RATE, 0) - exact);
      omr_result_destroy(r);
    }
    const double order = log2(error[0] / error[1]);
    cr_log_info("%s: %g, %g of %g, order %.3f\n", methods[n / 2].method, error[0], error[1], exact,
                order);
    cr_expect_float_eq(order, methods[n / 2].order, 0.15, "%s has order %g", methods[n / 2].method,
                       order);
  }
}

/* L -> 0: the motor without inductance, the difference halves with L. */
Test(winding, tends_to_the_motor_without_inductance_in_proportion) {
  static const char *const motors[] = {MOTOR(""), MOTOR(",\"inductance\":0.0002"),
                                       MOTOR(",\"inductance\":0.0001")};
  double rate[3];
  for (int i = 0; i < 3; i++) {
    omr_result *r = run_study(wheel_text, OVERRIDES(motors[i], "integrator.step=\"0.02 ms\""));
    rate[i] = last_sample(r, OMR_WS_RATE, 0);
    omr_result_destroy(r);
  }
  cr_expect_float_eq((rate[1] - rate[0]) / (rate[2] - rate[0]), 2, 0.02);
  cr_expect_lt(fabs(rate[2] - rate[0]), 0.05);
  cr_expect_gt(fabs(rate[2] - rate[0]), 1e-4);
}

/* An inductance of 0 is none: the same bits, alone and beside instances that have one. */
Test(winding, of_no_inductance_changes_no_bit) {
  static const char *const more[] = {
      "integrator.step_error=off",
      "vary=[{\"path\":\"wheel.motor.inductance\",\"values\":[0,\"1 mH\"]}]"};
  omr_result *none = run_study(wheel_text, OVERRIDES(MOTOR(""), ALL_OF_IT));
  for (int i = 0; i < 2; i++) {
    omr_result *r =
        run_study(wheel_text, OVERRIDES(MOTOR(",\"inductance\":0"), ALL_OF_IT, more[i]));
    for (size_t c = 0; c < omr_result_columns(none); c++) {
      const char *name = omr_result_column_name(none, c);
      const double one = value_of(none, name, 0), other = value_of(r, name, 0);
      cr_expect_eq(memcmp(&one, &other, sizeof one), 0, "%s", name);
    }
    cr_expect_eq(last_sample(none, OMR_WS_RATE, 0), last_sample(r, OMR_WS_RATE, 0));
    omr_result_destroy(r);
  }
  omr_result_destroy(none);
}

/* ---- limits, switches, the supply */

/* At the limit the chopper leads the current to I, i = I (1 - exp(-R t/L)): never beyond, and with
 * the power (R I + emf) i, which a source of 6 V or a bus of 12 V gives alike. */
Test(winding, limit_leads_the_current_to_it_and_keeps_the_power) {
  static const char *const drives[] = {"integrator.step=\"0.1 ms\"", DUTY("0.5")};
  for (int i = 0; i < 2; i++) {
    omr_result *r =
        run_study(wheel_text, OVERRIDES(MOTOR(WOUND ",\"current_limit\":2"), HEAVY, ALL_OF_IT,
                                        drives[i], i ? SUPPLY("") : "integrator.step=\"0.1 ms\""));
    const double time = inductance / resistance, gone = exp(-0.02 / time);
    cr_expect_float_eq(last_sample(r, OMR_WS_CURRENT, 0), 2 * (1 - gone), 1e-8);
    cr_expect_float_eq(value_of(r, "supply_energy", 0),
                       2 * resistance * 2 * (0.02 - time * (1 - gone)), 1e-8);
    cr_expect_eq(value_of(r, "control_loss", 0), 0);
    check_balance(r, 1e-8);
    omr_result_destroy(r);
  }
}

/* A circuit that opens: the current dies away by L/R at the back-EMF, which the bus carries. Times
 * are powers of 2, in which the table comes to exactly 0. */
Test(winding, current_dies_away_where_the_circuit_opens) {
  omr_result *r = run_study(
      wheel_text,
      OVERRIDES(MOTOR(WOUND), SUPPLY(",\"resistance\":0.3"), ALL_OF_IT,
                "parameters.wheel.drive={\"type\":\"table\",\"by\":\"duty\",\"duty\":1,\"at_rest\":"
                "\"coast\",\"table\":[[0,0.5],[0.0078125,0.5],[0.009765625,0],[1,0]]}",
                "output.trajectories.interval=0.0009765625", "integrator.step=0.000030517578125",
                "integrator.duration=0.03125"));
  const double *current = r->wheel_samples[OMR_WS_CURRENT];
  cr_assert_eq(r->sample_count, 33);
  cr_expect_gt(current[10], 0.5);
  for (int s = 10; s < 32; s++)
    cr_expect_float_eq(current[s + 1] / current[s], exp(-0.0009765625 * resistance / inductance),
                       1e-9);
  check_balance(r, 1e-6);
  omr_result_destroy(r);
}

/* Motors of a vehicle share what the supply has: in every sample its voltage is
 * V_0 - R_i sum u_i i_i/V, with u_i the duty's share of V or what the limit leaves of it. */
Test(winding, supply_bears_the_power_of_all) {
  static const char *const limits[] = {WOUND, WOUND ",\"current_limit\":1.3"};
  static const double most[] = {HUGE_VAL, 1.3}, duty[] = {0.8, -0.5, 0.3};
  for (int limit = 0; limit < 2; limit++) {
    char motor[200];
    snprintf(motor, sizeof motor,
             "parameters.wheel.motor={\"resistance\":1.5,\"torque_constant\":0.02,\"gear_ratio\":"
             "12%s}",
             limits[limit]);
    omr_result *r = run_study(
        vehicle_text,
        OVERRIDES(
            motor, SUPPLY(",\"resistance\":0.6"), ALL_OF_IT, "parameters.wheel.friction=0",
            "parameters.initial={\"vx\":0,\"vz\":0,\"yaw_rate\":0}", "integrator.duration=0.3",
            "integrator.step=\"0.1 ms\"",
            "parameters.wheels=[{\"drive\":{\"type\":\"constant\",\"by\":\"duty\",\"duty\":0.8}"
            "},{\"drive\":{\"type\":\"constant\",\"by\":\"duty\",\"duty\":-0.5},\"initial\":"
            "{\"rate\":9}},{\"drive\":{\"type\":\"constant\",\"by\":\"duty\",\"duty\":0.3},"
            "\"initial\":{\"rate\":40}}]",
            "output.trajectories={\"instances\":[0],\"interval\":\"5 ms\"}"));
    for (size_t s = 0; s < r->sample_count; s++) {
      double drawn = 0, bus = r->vehicle_samples[OMR_VS_BUS][s];
      for (size_t i = 0; i < 3; i++) {
        const double emf = GEAR * constant * r->wheel_samples[OMR_WS_RATE][s * 3 + i],
                     span = resistance * most[limit];
        drawn += fmin(fmax(duty[i] * bus, emf - span), emf + span) *
                 r->wheel_samples[OMR_WS_CURRENT][s * 3 + i] / bus;
      }
      cr_expect_float_eq(bus, 12 - 0.6 * drawn, 1e-12, "limit %d, sample %zu", limit, s);
    }
    cr_expect_leq(value_of(r, "current_peak", 0), most[limit] + 1e-12);
    check_balance(r, limit ? 1e-6 : 1e-8);
    omr_result_destroy(r);
  }
}

/* ---- steps and laws */

/* The poles bound the step: RK4's is 2.785 over their size. At 0.95 of it a run of 1000 steps
 * settles; at 1.3 times what the real pole bears it does not (passes that exchanges cut are
 * shorter). */
Test(winding, poles_bound_the_step) {
  static const char *const discs[] = {"parameters.wheel.disc.axial_inertia=0.006",
                                      "parameters.wheel.disc.axial_inertia=0.00001"};
  for (int i = 0; i < 2; i++) {
    const double turned = i ? inertia - 0.00599 : inertia, own = GEAR * constant,
                 a = resistance / inductance, b = own * own / (inductance * turned);
    const double pole = a * a / 4 > b ? a / 2 + sqrt(a * a / 4 - b) : sqrt(b),
                 bound = 2.785293563405282 / pole;
    const char *const overrides[] = {MOTOR(WOUND), discs[i]};
    omr_error error = {0};
    omr_study *study;
    size_t instance;
    cr_assert_eq(omr_study_parse(wheel_text, "test", overrides, 2, &study, &error), OMR_OK, "%s",
                 error.message);
    cr_expect_float_eq(omr_largest_step(study, &instance), bound, 1e-12 * bound);
    omr_study_destroy(study);
    for (int run = 0; run < 2; run++) {
      char step[60], duration[60], interval[80];
      const double length = bound * (run ? 1.3 : 0.95);
      if (run && i) continue; /* the pair lies farther inside */
      snprintf(step, sizeof step, "integrator.step=%.17g", length);
      snprintf(duration, sizeof duration, "integrator.duration=%.17g", 1000 * length);
      snprintf(interval, sizeof interval, "output.trajectories.interval=%.17g", 1000 * length);
      omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(WOUND), discs[i], step, duration,
                                                      interval, "integrator.stability=ignore"));
      const double off = fabs(last_sample(r, OMR_WS_RATE, 0) - volts / own);
      cr_log_info("%g of the bound: off by %g rad/s\n", length / bound, off);
      cr_expect(run ? !(off < 1) : off < 1e-3, "off by %g at %g of the bound", off, length / bound);
      omr_result_destroy(r);
    }
  }
}

/* The parts add up under every law and fixed method; currents are of the method's order. */
Test(winding, balance_closes_under_every_law_and_method) {
  static const char *const laws[] = {"saturated_coulomb", "regularized_coulomb", "ideal_rolling",
                                     "udwadia_kalaba", "massless_rollers"};
  static const char *const methods[] = {"integrator.method=rk4", "integrator.method=heun"};
  for (int n = 0; n < 10; n++) {
    char law[80];
    snprintf(law, sizeof law, "parameters.contact.law=%s", laws[n % 5]);
    omr_result *r = run_study(
        vehicle_text,
        OVERRIDES(law, methods[n / 5], ALL_OF_IT, SUPPLY(",\"resistance\":0.4"),
                  "integrator.step=\"0.02 ms\"", "integrator.duration=0.1",
                  MOTOR(",\"efficiency\":0.8,\"no_load_current\":0.2" WOUND),
                  "parameters.wheel.friction=0.5",
                  "parameters.wheel.drive={\"type\":\"sine\",\"by\":\"duty\",\"duty\":0.5,"
                  "\"frequency\":3}"));
    cr_log_info("%s, %s\n", laws[n % 5], methods[n / 5]);
    cr_expect_gt(value_of(r, "supply_energy", 0), 0.05);
    check_balance(r, n / 5 ? 1e-6 : 1e-7);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-3);
    omr_result_destroy(r);
  }
}

/* ---- controllers by voltage */

/* PI control of the rate with a voltage: it settles where back-EMF and the bearing's torque need
 * it, and asks for no more than its limit at the start. */
Test(winding, a_controller_by_voltage_holds_the_rate) {
  static const char *const motors[] = {MOTOR(""), MOTOR(WOUND)};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(
        wheel_text,
        OVERRIDES(motors[i], ALL_OF_IT, "integrator.duration=4", "integrator.step=\"0.2 ms\"",
                  "parameters.wheel.axle_bearing=0.01",
                  "parameters.wheel.drive={\"type\":\"speed\",\"by\":\"voltage\",\"speed\":25,"
                  "\"voltage_kp\":0.6,\"voltage_ki\":3.6,\"voltage_limit\":9}",
                  "output.trajectories={\"instances\":[0],\"interval\":\"1 s\"}"));
    cr_expect_float_eq(last_sample(r, OMR_WS_RATE, 0), 25, 1e-3);
    cr_expect_float_eq(last_sample(r, OMR_WS_CURRENT, 0), 0.01 * 25 / (GEAR * constant), 1e-3);
    if (i == 0) cr_expect_float_eq(value_of(r, "current_peak", 0), 9 / resistance, 1e-12);
    check_balance(r, 1e-7);
    omr_result_destroy(r);
  }
}

/* A table by voltage bounds the step by its largest row: gears that lose are stiff by the current
 * at rest under it, whatever the factor's own size. */
Test(winding, largest_row_of_a_table_of_voltages_bounds_the_step) {
  static const char *const drives[] = {
      DRIVE("constant", "\"voltage\":9"),
      DRIVE("table", "\"voltage\":1,\"table\":[[0,0],[0.01,-9],[0.02,3]]"),
      DRIVE("speed", "\"speed\":25,\"voltage_limit\":9")};
  double largest[3];
  for (int i = 0; i < 3; i++) {
    const char *const overrides[] = {MOTOR(",\"efficiency\":0.5"), drives[i]};
    omr_error error = {0};
    omr_study *study;
    size_t instance;
    cr_assert_eq(omr_study_parse(wheel_text, "test", overrides, 2, &study, &error), OMR_OK, "%s",
                 error.message);
    largest[i] = omr_largest_step(study, &instance);
    omr_study_destroy(study);
  }
  cr_expect_float_eq(largest[1], largest[0], 1e-15);
  cr_expect_float_eq(largest[2], largest[0], 1e-15);
}
