/* Brushed motors, their gears and the supply against exact solutions and hand-written balances
 * (appendix/drives.md#drives). A frictionless testbench wheel with psi = 0 that does
 * not yaw obeys J chi'' = tau; wheels of a vehicle at rest on a floor without friction turn by
 * themselves and share nothing but the supply. */
#include "host/engine/run.h"
#include "result/result.h"
#include "shared/motion.h"

static const char wheel_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"center_distance\": 0.08, \"friction\": 0,"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"0.5 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"0.5 s\"}}}";

static const double inertia = 0.006 + 6 * (0.11 * 0.08 * 0.08 + 7e-5);
#define T 0.5

/* Of the rotor: ohm, N m/A, rotor rate per wheel rate. */
enum { GEAR = 12 };
static const double resistance = 1.5, constant = 0.02;
#define MOTOR(more)                                                                                \
  "parameters.wheel.motor={\"resistance\":1.5,\"torque_constant\":0.02,\"gear_ratio\":12" more "}"
#define VOLTS "parameters.wheel.drive={\"type\":\"constant\",\"by\":\"voltage\",\"voltage\":6}"
#define DUTY(duty)                                                                                 \
  "parameters.wheel.drive={\"type\":\"constant\",\"by\":\"duty\",\"duty\":" duty "}"
#define SUPPLY(more) "parameters.supply={\"voltage\":12" more "}"
#define KEEP                                                                                       \
  "output.observables=[\"supply_energy\",\"supply_heat\",\"motor_heat\",\"gear_loss\",\"control_"  \
  "loss\",\"supply_current_peak\",\"supply_voltage_min\",\"current_peak\",\"wheel0_current_"       \
  "peak\","                                                                                        \
  "\"drive_work\",\"energy_error\",\"energy_lost\"]"

/* Last sample of a wheel quantity of the traced instance. */
static double last_sample(const omr_result *r, int quantity, int wheel) {
  return r->wheel_samples[quantity][(r->sample_count - 1) * (size_t)r->wheels + (size_t)wheel];
}

/* A quantity of a wheel at the start. */
static double first_sample(const omr_result *r, int quantity, int wheel) {
  return r->wheel_samples[quantity][wheel];
}

/* What the supply gave is what was lost in its parts and what the drives did. */
static void check_balance(const omr_result *r, double tolerance) {
  const double given = value_of(r, "supply_energy", 0), work = value_of(r, "drive_work", 0);
  const double lost = value_of(r, "supply_heat", 0) + value_of(r, "motor_heat", 0) +
                      value_of(r, "gear_loss", 0) + value_of(r, "control_loss", 0);
  const double scale = fmax(fabs(given), fmax(fabs(lost), fabs(work)));
  cr_log_info("supply %.9g J = lost %.9g + work %.9g\n", given, lost, work);
  cr_expect_leq(fabs(given - lost - work), tolerance * scale, "%g J are missing",
                given - lost - work);
  for (int i = 0; i < 4; i++) {
    static const char *const parts[] = {"supply_heat", "motor_heat", "gear_loss", "control_loss"};
    cr_expect_geq(value_of(r, parts[i], 0), 0, "%s is given, not lost", parts[i]);
  }
}

/* ---- one motor at a voltage */

/* J chi'' = g k_t (U - g k_e chi')/R: the rate grows to U/(g k_e) with the time J R/(g^2 k_t k_e).
 */
Test(brushed, rate_at_a_voltage_is_the_exact_exponential) {
  const double own = GEAR * constant, end = 6 / own, time = inertia * resistance / (own * own);
  omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(""), VOLTS, KEEP));
  cr_expect_float_eq(last_sample(r, OMR_WS_RATE, 0), end * (1 - exp(-T / time)), 1e-9);
  cr_expect_float_eq(first_sample(r, OMR_WS_CURRENT, 0), 6 / resistance, 1e-14, "stalled");
  cr_expect_float_eq(first_sample(r, OMR_WS_TORQUE, 0), own * 6 / resistance, 1e-13);
  cr_expect_float_eq(value_of(r, "current_peak", 0), 6 / resistance, 1e-14);
  const double work = 0.5 * inertia * pow(end * (1 - exp(-T / time)), 2),
               heat = 6 * 6 / resistance * time / 2 * (1 - exp(-2 * T / time));
  cr_expect_float_eq(value_of(r, "drive_work", 0), work, 1e-9);
  cr_expect_float_eq(value_of(r, "motor_heat", 0), heat, 1e-9);
  check_balance(r, 1e-12);
  omr_result_destroy(r);
}

/* k_e alone sets the end, both set the time. */
Test(brushed, constants_that_differ_set_end_and_time) {
  const double end = 6 / (GEAR * 0.025),
               time = inertia * resistance / (GEAR * 0.025 * GEAR * constant);
  omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(",\"emf_constant\":0.025"), VOLTS, KEEP));
  cr_expect_float_eq(last_sample(r, OMR_WS_RATE, 0), end * (1 - exp(-T / time)), 1e-9);
  check_balance(r, 1e-10);
  omr_result_destroy(r);
}

Test(brushed, a_gear_that_turns_the_other_way_turns_the_wheel_so) {
  omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(""), VOLTS));
  omr_result *other = run_study(
      wheel_text, OVERRIDES("parameters.wheel.motor={\"resistance\":1.5,\"torque_constant\":0.02,"
                            "\"gear_ratio\":-12}",
                            VOLTS));
  cr_expect_float_eq(last_sample(other, OMR_WS_RATE, 0), -last_sample(r, OMR_WS_RATE, 0), 1e-15);
  omr_result_destroy(r);
  omr_result_destroy(other);
}

/* While the limit holds, the rate grows linearly; then it is the exponential from there on. */
Test(brushed, current_limit_holds_until_the_back_emf_takes_over) {
  const double own = GEAR * constant, pull = own * 2, end = 6 / own,
               time = inertia * resistance / (own * own);
  const double corner = (6 - 2 * resistance) / own, when = corner * inertia / pull;
  cr_assert_lt(when, T);
  omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(",\"current_limit\":2"), VOLTS, KEEP,
                                                  "integrator.step=\"0.1 ms\""));
  cr_expect_float_eq(first_sample(r, OMR_WS_TORQUE, 0), pull, 1e-14);
  cr_expect_float_eq(last_sample(r, OMR_WS_RATE, 0), end + (corner - end) * exp(-(T - when) / time),
                     1e-6, "the corner lies within a step");
  cr_expect_float_eq(value_of(r, "current_peak", 0), 2, 1e-14);
  cr_expect_eq(value_of(r, "control_loss", 0), 0, "a chopper keeps the power");
  check_balance(r, 1e-7);
  omr_result_destroy(r);
}

/* A limit that holds all the time is a chopper: the source gives I^2 R and the power at the shaft,
 * which grows with the rate g k I t/J, and not the whole voltage times the current; a bus that
 * does not sag gives the same by duty. Braked by more than its limit bears, the motor gives back
 * what its back-EMF makes beyond I R; on a short circuit without a supply that is heat. */
Test(brushed, limit_takes_the_power_and_not_the_current) {
  static const char *const drives[] = {VOLTS, DUTY("0.5")};
  const double own = GEAR * constant, time = 0.02, held = 2;
  const double end = own * held / inertia * time, heat = held * held * resistance * time;
  cr_assert_lt(own * end, 6 - held * resistance, "the limit holds to the end");
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(",\"current_limit\":2"), drives[i], KEEP,
                                                    i ? SUPPLY("") : "integrator.step=\"1 ms\"",
                                                    "integrator.duration=0.02",
                                                    "output.trajectories.interval=0.02"));
    cr_expect_float_eq(value_of(r, "supply_energy", 0), heat + held * own * end * time / 2, 1e-12);
    cr_expect_eq(value_of(r, "control_loss", 0), 0);
    if (i == 1) /* at the end */
      cr_expect_float_eq(value_of(r, "supply_current_peak", 0),
                         held * (held * resistance + own * end) / 12, 1e-12);
    check_balance(r, 1e-12);
    omr_result_destroy(r);
  }
}

Test(brushed, limit_gives_back_or_heats_where_it_brakes) {
  static const char *const supplies[] = {"integrator.step=\"1 ms\"", SUPPLY("")};
  static const char *const drives[] = {"parameters.wheel.drive={\"type\":\"none\"}", DUTY("0.01")};
  const double own = GEAR * constant, held = 2, time = 0.02, fall = own * held / inertia * time,
               mean = 60 - fall / 2, back = held * (own * mean - held * resistance) * time;
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(",\"current_limit\":2"), drives[i], KEEP,
                                                    supplies[i], "parameters.wheel.initial.rate=60",
                                                    "integrator.duration=0.02",
                                                    "output.trajectories.interval=0.02"));
    cr_expect_float_eq(last_sample(r, OMR_WS_RATE, 0), 60 - fall, 1e-12);
    cr_expect_float_eq(value_of(r, "control_loss", 0), i ? 0 : back, 1e-11);
    cr_expect_float_eq(value_of(r, "supply_energy", 0), i ? -back : 0, 1e-11);
    check_balance(r, 1e-11);
    omr_result_destroy(r);
  }
}

/* ---- at rest: coast and brake */

static double coasting(const char *drive) {
  omr_result *r =
      run_study(wheel_text, OVERRIDES(MOTOR(""), drive, KEEP, "parameters.wheel.initial.rate=20"));
  const double rate = last_sample(r, OMR_WS_RATE, 0);
  check_balance(r, 1e-12);
  cr_expect_float_eq(value_of(r, "supply_energy", 0), 0, 1e-15);
  omr_result_destroy(r);
  return rate;
}

/* A short circuit brakes with the time J R/(g k)^2; an open one not at all. */
Test(brushed, brakes_by_its_short_circuit_and_coasts_without_one) {
  const double own = GEAR * constant, time = inertia * resistance / (own * own);
  cr_expect_float_eq(coasting("parameters.wheel.drive={\"at_rest\":\"brake\"}"),
                     20 * exp(-T / time), 1e-9);
  cr_expect_float_eq(coasting("parameters.wheel.drive={\"type\":\"none\"}"), 20 * exp(-T / time),
                     1e-9, "what a motor does by default");
  cr_expect_float_eq(coasting("parameters.wheel.drive={\"at_rest\":\"coast\"}"), 20, 1e-13);
}

/* Dry friction alone, far above friction_rate: the rate falls by g k_t I_0/J, and with a gear that
 * passes back a half by twice that. */
Test(brushed, a_floating_motor_drags_by_its_friction_through_the_gear) {
  static const char *const gears[] = {"", ",\"efficiency\":0.9,\"back_efficiency\":0.5"};
  for (int gear = 0; gear < 2; gear++) {
    char motor[200];
    snprintf(
        motor, sizeof motor,
        "parameters.wheel.motor={\"resistance\":1.5,\"torque_constant\":0.02,\"gear_ratio\":12,"
        "\"no_load_current\":0.3%s}",
        gears[gear]);
    omr_result *r =
        run_study(wheel_text, OVERRIDES(motor, "parameters.wheel.drive={\"at_rest\":\"coast\"}",
                                        KEEP, "parameters.wheel.initial.rate=40"));
    const double fall = GEAR * constant * 0.3 / inertia * (gear ? 2 : 1);
    const double end = 40 - fall * T;
    cr_assert_gt(end, 15, "tanh of 36 is 1 to rounding");
    cr_expect_float_eq(last_sample(r, OMR_WS_RATE, 0), end, 1e-11);
    cr_expect_float_eq(value_of(r, "gear_loss", 0), 0.5 * inertia * (1600 - end * end), 1e-9);
    check_balance(r, 1e-11);
    omr_result_destroy(r);
  }
}

/* ---- gears */

/* Held at a rate by a huge inertia, the gear passes on its part of the shaft's power, forward and
 * back. */
static void check_gear(const char *rate, double voltage, double expected) {
  char drive[120], initial[80];
  snprintf(drive, sizeof drive,
           "parameters.wheel.drive={\"type\":\"constant\",\"by\":\"voltage\",\"voltage\":%g}",
           voltage);
  snprintf(initial, sizeof initial, "parameters.wheel.initial.rate=%s", rate);
  omr_result *r = run_study(
      wheel_text, OVERRIDES(MOTOR(",\"efficiency\":0.8,\"back_efficiency\":0.6"), drive, initial,
                            KEEP, "parameters.wheel.disc.axial_inertia=1e9",
                            "integrator.duration=0.1", "output.trajectories.interval=0.1"));
  const double turning = GEAR * strtod(rate, NULL),
               current = (voltage - constant * turning) / resistance;
  const double shaft = constant * current * turning * 0.1;
  cr_expect_float_eq(value_of(r, "drive_work", 0), expected * shaft, 1e-9 * fabs(shaft));
  check_balance(r, 1e-10);
  omr_result_destroy(r);
}

Test(brushed, gear_passes_on_its_part_of_the_power_both_ways) {
  check_gear("10", 6, 0.8);
  check_gear("-10", -6, 0.8);
  check_gear("10", 1, 1 / 0.6);
  check_gear("10", -6, 1 / 0.6);
  check_gear("-10", 6, 1 / 0.6);
}

/* Through rest and back under a voltage that swings: no part gives energy, and all of it adds up.
 */
Test(brushed, swings_through_rest_without_energy_from_nowhere) {
  omr_result *r = run_study(
      wheel_text,
      OVERRIDES(MOTOR(",\"efficiency\":0.7,\"back_efficiency\":0.5,\"no_load_current\":0.4,"
                      "\"current_limit\":3"),
                "parameters.wheel.drive={\"type\":\"sine\",\"by\":\"duty\",\"duty\":0.9,"
                "\"frequency\":6}",
                SUPPLY(",\"resistance\":0.2"), KEEP, "integrator.step=\"0.02 ms\""));
  check_balance(r, 1e-7);
  omr_result_destroy(r);
}

/* ---- the supply */

/* n equal motors at rest and full duty: V = V_0/(1 + n R_i/R). */
Test(supply, sags_under_equal_motors_as_by_hand) {
  const double inner = 0.25, bus = 12 / (1 + 3 * inner / resistance);
  omr_result *r = run_study(
      vehicle_text, OVERRIDES(MOTOR(""), DUTY("1"), SUPPLY(",\"resistance\":0.25"), KEEP,
                              "parameters.initial={\"vx\":0,\"vz\":0,\"yaw_rate\":0}",
                              "parameters.wheels=[{},{},{}]", "integrator.duration=0.1",
                              "output.trajectories={\"instances\":[0],\"interval\":\"0.1 s\"}"));
  cr_expect_float_eq(r->vehicle_samples[OMR_VS_BUS][0], bus, 1e-13);
  cr_expect_float_eq(value_of(r, "supply_voltage_min", 0), bus, 1e-13);
  cr_expect_float_eq(value_of(r, "supply_current_peak", 0), 3 * bus / resistance, 1e-12);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(first_sample(r, OMR_WS_CURRENT, i), bus / resistance, 1e-13);
  check_balance(r, 1e-9);
  omr_result_destroy(r);
}

/* Duties of both signs, limits that hold from above, a wheel that gives back: the voltage of a run
 * solves V = V_0 - R_i sum d_i i_i, whatever pieces it lies on. */
Test(supply, voltage_solves_its_equation_on_every_piece) {
  static const char *const limits[] = {"", ",\"current_limit\":1.3", ",\"current_limit\":4",
                                       ",\"current_limit\":0.2"};
  static const double most[] = {HUGE_VAL, 1.3, 4, 0.2};
  for (int limit = 0; limit < 4; limit++) {
    char motor[160];
    snprintf(
        motor, sizeof motor,
        "parameters.wheel.motor={\"resistance\":1.5,\"torque_constant\":0.02,\"gear_ratio\":12%s}",
        limits[limit]);
    omr_result *r = run_study(
        vehicle_text,
        OVERRIDES(
            motor, SUPPLY(",\"resistance\":0.6"), KEEP,
            "parameters.initial={\"vx\":0,\"vz\":0,\"yaw_rate\":0}", "parameters.wheel.friction=0",
            "integrator.duration=0.3",
            "parameters.wheels=[{\"drive\":{\"type\":\"constant\",\"by\":\"duty\",\"duty\":0.8}"
            "},{\"drive\":{\"type\":\"constant\",\"by\":\"duty\",\"duty\":-0.5},\"initial\":"
            "{\"rate\":9}},{\"drive\":{\"type\":\"constant\",\"by\":\"duty\",\"duty\":0.3},"
            "\"initial\":{\"rate\":40}}]",
            "output.trajectories={\"instances\":[0],\"interval\":\"0.1 s\"}"));
    static const double duty[] = {0.8, -0.5, 0.3};
    for (size_t s = 0; s < r->sample_count; s++) {
      double drawn = 0, bus = r->vehicle_samples[OMR_VS_BUS][s];
      for (size_t i = 0; i < 3; i++) {
        const double current = r->wheel_samples[OMR_WS_CURRENT][s * 3 + i],
                     emf = GEAR * constant * r->wheel_samples[OMR_WS_RATE][s * 3 + i];
        const double own = resistance * current + emf, asked = duty[i] * bus;
        drawn += own * current / bus; /* the motor's power, at whatever voltage it has */
        cr_expect(fabs(own - asked) < 1e-12 || fabs(fabs(current) - most[limit]) < 1e-14);
      }
      cr_expect_float_eq(bus, 12 - 0.6 * drawn, 1e-12, "limit %s, sample %zu", limits[limit], s);
    }
    check_balance(r, 1e-6);
    omr_result_destroy(r);
  }
}

/* A converter at its limit takes less current the higher the voltage is, so that several voltages
 * may solve the supply's equation: 20 ohm behind 60 V and a motor of 1.5 ohm at rest, full duty and
 * 2 A. At the limit it takes 6 W, V (60 - V)/20 = 6 at 57.9 V and at 2.07 V, below the 3 V at which
 * the limit begins to hold; without it V = 60/(1 + 20/1.5) = 4.19 V asks for 2.8 A. The one from
 * which a supply comes is the highest. At 2 V for 60 no limit holds. */
Test(supply, is_at_the_highest_voltage_that_bears_its_load) {
  static const char *const supplies[] = {"parameters.supply={\"voltage\":60,\"resistance\":20}",
                                         "parameters.supply={\"voltage\":2,\"resistance\":20}"};
  const double expected[] = {30 + sqrt(900 - 120), 2 / (1 + 20 / resistance)};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(
        wheel_text, OVERRIDES(MOTOR(",\"current_limit\":2"), DUTY("1"), KEEP, supplies[i]));
    cr_expect_float_eq(r->vehicle_samples[OMR_VS_BUS][0], expected[i], 1e-12);
    check_balance(r, 1e-9);
    omr_result_destroy(r);
  }
}

/* A wheel that turns faster than its duty asks for charges the supply, or heats the controller. */
Test(supply, takes_back_what_motors_give_unless_it_must_not) {
  static const char *const supplies[] = {SUPPLY(",\"resistance\":0.3"),
                                         SUPPLY(",\"resistance\":0.3,\"regeneration\":false")};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(wheel_text, OVERRIDES(MOTOR(""), DUTY("0.4"), supplies[i], KEEP,
                                                    "parameters.wheel.initial.rate=60",
                                                    "integrator.duration=0.02",
                                                    "output.trajectories.interval=0.02"));
    const double given = value_of(r, "supply_energy", 0);
    cr_expect(i == 0 ? given < -0.01 : given == 0, "supply %d gave %g J", i, given);
    cr_expect(i == 0 ? value_of(r, "control_loss", 0) == 0 : value_of(r, "control_loss", 0) > 0.01);
    cr_expect_float_eq(r->vehicle_samples[OMR_VS_BUS][0],
                       i == 0 ? (12 + 0.3 * 0.4 * 60 * GEAR * constant / resistance) /
                                    (1 + 0.3 * 0.4 * 0.4 / resistance)
                              : 12,
                       1e-13);
    check_balance(r, 1e-10);
    omr_result_destroy(r);
  }
}

/* A controller by duty holds a rate with the duty that back-EMF and friction ask for. */
Test(supply, a_controller_by_duty_holds_the_rate) {
  omr_result *r =
      run_study(wheel_text,
                OVERRIDES(MOTOR(""), SUPPLY(""), KEEP, "integrator.duration=4",
                          "parameters.wheel.axle_bearing=0.01",
                          "parameters.wheel.drive={\"type\":\"speed\",\"by\":\"duty\",\"speed\":25,"
                          "\"duty_kp\":0.05,\"duty_ki\":0.3}",
                          "output.trajectories={\"instances\":[0],\"interval\":\"1 s\"}"));
  cr_expect_float_eq(last_sample(r, OMR_WS_RATE, 0), 25, 1e-3);
  cr_expect_float_eq(last_sample(r, OMR_WS_CURRENT, 0), 0.01 * 25 / (GEAR * constant), 1e-3);
  check_balance(r, 1e-7);
  omr_result_destroy(r);
}

/* ---- under every law, with the linearly implicit method, in steps of any length */

/* Errors against a fine run fall by 4 where the step is halved. */
Test(brushed, rosenbrock_keeps_its_order_and_bears_a_stiff_motor) {
  static const char *const steps[] = {"integrator.step=\"0.25 ms\"", "integrator.step=\"0.5 ms\"",
                                      "integrator.step=\"1 ms\""};
  const double own = GEAR * constant, light = 0.00001 + 6 * (0.11 * 0.08 * 0.08 + 7e-5),
               time = light * resistance / (own * own);
  double error[3];
  for (int i = 0; i < 3; i++) {
    omr_result *r = run_study(
        wheel_text,
        OVERRIDES(MOTOR(""), VOLTS, "integrator.method=rosenbrock", steps[i],
                  "parameters.wheel.disc.axial_inertia=0.00001", "integrator.duration=0.1",
                  "output.trajectories={\"instances\":[0],\"interval\":\"0.1 s\"}"));
    error[i] = fabs(last_sample(r, OMR_WS_RATE, 0) - 6 / own * (1 - exp(-0.1 / time)));
    omr_result_destroy(r);
  }
  cr_log_info("errors %g %g %g\n", error[0], error[1], error[2]);
  cr_expect(error[1] / error[0] > 3.5 && error[1] / error[0] < 4.5);
  cr_expect(error[2] / error[1] > 3.5 && error[2] / error[1] < 4.5);
  /* 40 times the longest step that Heun's method bears */
  char stiff[200];
  snprintf(
      stiff, sizeof stiff,
      "parameters.wheel.motor={\"resistance\":%.17g,\"torque_constant\":0.02,\"gear_ratio\":12}",
      resistance * 1e-3 / (40 * 2 * time));
  omr_result *r = run_study(wheel_text, OVERRIDES(stiff, VOLTS, "integrator.method=rosenbrock",
                                                  "parameters.wheel.disc.axial_inertia=0.00001"));
  cr_expect_float_eq(last_sample(r, OMR_WS_RATE, 0), 6 / own, 1e-6 / own);
  omr_result_destroy(r);
}

/* The rate of the exponential, g^2 k_t k_e/(R J), bounds the step: RK4 leaves the negative axis at
 * 2.785. A gear that passes back a half doubles the slope there, friction and the part of the gear
 * add g k_t I_0 (g/omega_s) and g k_t I_s kappa (g/omega_s). */
Test(brushed, stiffness_bounds_the_step) {
  static const char *const motors[] = {
      MOTOR(""), MOTOR(",\"efficiency\":0.5,\"no_load_current\":0.3,\"friction_rate\":20")};
  const double own = GEAR * constant, rate = own * own / (resistance * inertia);
  const double gain = GEAR / 20.0, stall = own * 6 / resistance;
  const double both = 2 * (rate + own * 0.3 * gain / inertia) + stall * gain / inertia;
  for (int i = 0; i < 2; i++) {
    omr_error error = {0};
    omr_study *study;
    size_t instance;
    const char *const overrides[] = {motors[i], VOLTS, "integrator.method=rk4"};
    cr_assert_eq(omr_study_parse(wheel_text, "test", overrides, 3, &study, &error), OMR_OK, "%s",
                 error.message);
    const double bound = 2.785293563405282 / (i == 0 ? rate : both);
    cr_expect_float_eq(omr_largest_step(study, &instance), bound, 1e-12 * bound);
    omr_study_destroy(study);
  }
}

/* The balance of the parts holds at every evaluation, whatever law of contact, method and steps the
 * vehicle moves by; that of the motion with drive_work in it is the method's. */
Test(supply, balance_closes_under_every_law_and_method) {
  static const char *const laws[] = {"saturated_coulomb", "regularized_coulomb", "ideal_rolling",
                                     "udwadia_kalaba", "massless_rollers"};
  static const char *const integrators[] = {
      "integrator={\"step\":\"0.1 ms\",\"duration\":0.2}",
      "integrator={\"method\":\"rosenbrock\",\"step\":\"0.1 ms\",\"duration\":0.2}",
      "integrator={\"tolerance\":1e-5,\"duration\":0.2}"};
  for (int n = 0; n < 15; n++) {
    char law[80];
    if (n / 5 == 1 && n % 5 > 1) continue; /* rosenbrock is for laws of friction */
    snprintf(law, sizeof law, "parameters.contact.law=%s", laws[n % 5]);
    omr_result *r = run_study(
        vehicle_text,
        OVERRIDES(law, integrators[n / 5], KEEP, SUPPLY(",\"resistance\":0.4"),
                  MOTOR(",\"efficiency\":0.8,\"no_load_current\":0.2,\"current_limit\":3"),
                  "parameters.wheel.friction=0.5",
                  "parameters.wheel.drive={\"type\":\"sine\",\"by\":\"duty\",\"duty\":0.5,"
                  "\"frequency\":3}"));
    cr_log_info("%s, %s\n", laws[n % 5], integrators[n / 5]);
    cr_expect_gt(value_of(r, "supply_energy", 0), 0.1);
    check_balance(r, 1e-12);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-3);
    omr_result_destroy(r);
  }
}
