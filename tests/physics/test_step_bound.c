/* The bound on the step (host/engine/stability.c): where slip begins to grow, and what the study
 * makes of it. */
#include "shared/bound.h"
#include "shared/methods.h"

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

/* The limit found by bisection of the step: a vehicle pushed at 1e-4 of the slip speed, with its
 * wheels held by nothing. It starts with the rollers straight down, where the estimate looks too,
 * so it must be met; the estimate is the smallest over q and not longer. */
Test(stability, bound_is_where_slip_begins_to_grow) {
  static const char *const pushes[] = {
      "parameters.initial={\"vx\": 1e-7, \"vz\": 5e-8, \"yaw_rate\": 3e-7}",
      "integrator.stability=ignore"};
  static const char *const texts[] = {stiff_three, stiff_four, stiff_wheel};
  static const char *const undriven[] = {"parameters.wheels=[{},{},{}]",
                                         "parameters.wheels=[{},{},{},{}]",
                                         "parameters.wheel.drive={\"type\": \"none\"}"};
  static const char *const inclinations[] = {"parameters.wheel.inclination=0",
                                             "parameters.wheel.inclination=0.3",
                                             "parameters.wheel.inclination=45 deg"};
  for (int n = 0; n < 3 * 3 * 4; n++) {
    const char *const *all = OVERRIDES(methods[n % 4].method, undriven[n / 4 % 3],
                                       inclinations[n / 12], pushes[0], pushes[1]);
    const char *text = texts[n / 4 % 3];
    double bound = bound_of(text, all), low = bound / 4, high = bound * 4, slip = 2e-7;
    cr_assert(!grows(text, all, low, slip) && grows(text, all, high, slip), "case %d", n);
    while (high / low > 1.01) {
      double middle = sqrt(low * high);
      *(grows(text, all, middle, slip) ? &high : &low) = middle;
    }
    cr_log_info("%s, case %d: estimate %.3e, found %.3e, ratio %.3f\n", methods[n % 4].method, n,
                bound, low, bound / low);
    cr_expect_gt(bound / low, 0.8);
    cr_expect_lt(bound / low, 1.05);
  }
}

/* Dry friction adds the rate at which it brings bearings to rest: where the floor has no friction a
 * roller's, T/(I_a v_0), with what its wheel and the platform give way beside, and an axle's. At
 * twice the step that both together allow slip grows. */
Test(stability, dry_friction_of_bearings_shortens_the_step) {
  const char *const *plain = OVERRIDES(
      "parameters.wheels=[{},{},{}]", "parameters.wheel.inclination=0.3",
      "parameters.initial={\"vx\": 1e-7, \"vz\": 5e-8, \"yaw_rate\": 3e-7}",
      "integrator.stability=ignore", "parameters.wheel.roller.dry={\"smoothing_rate\": 2}");
  const char *const *dry =
      OVERRIDES(plain[0], plain[1], plain[2], plain[3],
                "parameters.wheel.roller.dry={\"smoothing_rate\": 2, \"torque\": 10}");
  const char *const *both = OVERRIDES(
      plain[0], plain[1], plain[2], plain[3],
      "parameters.wheel.roller.dry={\"smoothing_rate\": 2, \"torque\": 10, \"static_ratio\": 2}");
  const double limit = 2.785293563405282, floor = limit / bound_of(stiff_three, plain),
               once = limit / bound_of(stiff_three, dry) - floor,
               twice = limit / bound_of(stiff_three, both) - floor;
  cr_log_info("rates of the floor %.4g, of bearings %.4g and %.4g 1/s", floor, once, twice);
  cr_expect_gt(once, 0);
  cr_expect_float_eq(twice, 2 * once, 1e-9 * twice);
  cr_expect_gt(once, 0.5 * floor);
  cr_expect(!grows(stiff_three, dry, 0.95 * bound_of(stiff_three, dry), 2e-7));
  cr_expect(grows(stiff_three, dry, 2 * bound_of(stiff_three, dry), 2e-7));
  cr_expect(
      isinf(bound_of(stiff_three, OVERRIDES(dry[0], dry[4], "integrator.method=rosenbrock"))));
}

/* Drilling friction adds 2/5 mu N eps^2/v_s over what it turns: in proportion to eps^2. */
Test(stability, drilling_friction_shortens_the_step) {
  const char *const *plain =
      OVERRIDES("parameters.wheels=[{},{},{}]", "parameters.wheel.inclination=0.3",
                "parameters.initial={\"vx\": 1e-7, \"vz\": 5e-8, \"yaw_rate\": 3e-7}",
                "integrator.stability=ignore");
  const char *const *one = OVERRIDES(plain[0], plain[1], plain[2], plain[3],
                                     "parameters.wheel.contact.contour_radius=0.03"),
                    *const *two = OVERRIDES(plain[0], plain[1], plain[2], plain[3],
                                            "parameters.wheel.contact.contour_radius=0.06");
  const double limit = 2.785293563405282, floor = limit / bound_of(stiff_three, plain),
               once = limit / bound_of(stiff_three, one) - floor,
               twice = limit / bound_of(stiff_three, two) - floor;
  cr_log_info("rates of the floor %.4g, of drilling %.4g and %.4g 1/s", floor, once, twice);
  cr_expect_gt(once, 0.1 * floor);
  cr_expect_float_eq(twice, 4 * once, 1e-9 * twice);
  cr_expect(!grows(stiff_three, two, 0.95 * bound_of(stiff_three, two), 2e-7));
  cr_expect(
      isinf(bound_of(stiff_three, OVERRIDES(two[0], two[4], "integrator.method=rosenbrock"))));
}

Test(stability, rosenbrock_has_no_bound_and_more_load_on_a_wheel_shortens_the_others) {
  cr_assert(isinf(bound_of(stiff_three, OVERRIDES("integrator.method=rosenbrock"))));
  double even = bound_of(stiff_three, OVERRIDES("parameters.platform.center_of_mass={}"));
  double off = bound_of(stiff_three, OVERRIDES("parameters.platform.center_of_mass={\"z\": 0.08}"));
  cr_assert_lt(off, 0.8 * even);
}

/* Constraints have no friction to bound the step; what is left is their stabilisation at the rate
 * gamma, and the friction mu N tanh(v/v_ref) of relaxed ones: as saturated friction with v_s =
 * v_ref. */
Test(stability, constraints_are_bounded_by_their_stabilisation) {
  const char *law = "parameters.contact.law=ideal_rolling",
             *midpoint = "integrator.method=midpoint";
  cr_assert_float_eq(bound_of(stiff_three, OVERRIDES(law, midpoint)), 2 / 50.0, 1e-15);
  cr_assert(isinf(bound_of(stiff_three, OVERRIDES(law, "parameters.wheel.contact.baumgarte=0"))));
  double relaxed =
      bound_of(stiff_three, OVERRIDES("parameters.contact.law=udwadia_kalaba",
                                      "parameters.wheel.contact.reference_speed=1 mm/s"));
  cr_assert_float_eq(relaxed / bound_of(stiff_three, OVERRIDES("title=x")), 1, 1e-12);
}

/* Four wheels of 0.5 kg on 5 kg, rollers without weight to speak of, and no friction: M = 7 kg. */
#define SPRUNG(inertia, contact)                                                                   \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"contact\": {\"normal\": \"compliant\"},"       \
  "\"platform\": {\"mass\": 5, \"center_of_mass\": {\"height\": 0.1}, \"yaw_inertia\": 1,"         \
  "\"roll_inertia\": " inertia ", \"pitch_inertia\": 9},"                                          \
  "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.2, \"half_width\": 0.15},"             \
  "\"wheel\": {\"radius\": 0.1, \"friction\": 0, \"contact\": {\"stiffness\": 1e5" contact "},"    \
  "\"disc\": {\"mass\": 0.5, \"axial_inertia\": 1e-3, \"diametral_inertia\": 0},"                  \
  "\"roller\": {\"mass\": 1e-9, \"axial_inertia\": 1e-9, \"diametral_inertia\": 1e-9}}},"          \
  "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 ms\"}}"
#define BARE ", \"damping_ratio\": 0"

/* On two rollers a wheel, as at an edge: heave swings with 8 k/M; roll, of a platform of little
 * inertia, with 8 k b^2/I, I = 0.01 + 4 m b^2 of the wheels' masses, 5 (0.1 - 0.1)^2 of the
 * platform's. */
Test(stability, compliant_contact_is_bounded_by_its_stiffest_swing) {
  const double limit = 2.785293563405282, k = 1e5;
  cr_expect_float_eq(bound_of(SPRUNG("9", BARE), OVERRIDES("title=x")) / (limit / sqrt(8 * k / 7)),
                     1, 1e-6);
  const double roll = 0.01 + 4 * 0.5 * 0.15 * 0.15;
  cr_expect_float_eq(bound_of(SPRUNG("0.01", BARE), OVERRIDES("title=x")) /
                         (limit / sqrt(8 * k * 0.15 * 0.15 / roll)),
                     1, 1e-6);
}

/* Damped far beyond the critical ratio it is bounded by the faster of both rates of decay. With
 * Kelvin and Voigt's damper 8 D/M: (D/M + sqrt((D/M)^2 - 4 K/M))/2, K = 8 k. */
Test(stability, dampers_of_compliant_contact_bound_the_step) {
  const double k = 8e5 / 7, d = 8 * 4000.0 / 7, rate = d / 2 + sqrt(d * d / 4 - k);
  cr_expect_float_eq(bound_of(SPRUNG("9", ", \"damping\": 4000"),
                              OVERRIDES("parameters.contact.damper=kelvin_voigt")) /
                         (2.785293563405282 / rate),
                     1, 1e-6);
}

/* Friction under the load of a landing: an undamped fall from h onto a spring that sags by d at
 * rest presses with 1 + sqrt(1 + 2 h/d) times the weight, and Hertz's with x^1.5, h/d + x =
 * x^2.5/2.5. (The rollers here are so light that their friction bounds the step alone.) */
Test(stability, a_landing_shortens_the_step_as_its_load) {
  static const char *const friction = "parameters.wheel.friction=0.5",
                           *const fall = "parameters.initial={\"height\": 1e-3}";
  const char *const text = SPRUNG("9", BARE), *const hertz = "parameters.contact.spring=hertz";
  const double share = 7 * 9.81 / 4, h = 1e-3, sag = share / 1e5,
               found =
                   bound_of(text, OVERRIDES(friction)) / bound_of(text, OVERRIDES(friction, fall));
  cr_expect_float_eq(found / (1 + sqrt(1 + 2 * h / sag)), 1, 0.01, "%.4f", found);
  const char *const stiff =
      "parameters.wheel.contact={\"hertz_stiffness\": 3e7, \"damping_ratio\": 0}";
  const double deep = pow(share / 3e7, 2.0 / 3);
  double x = 10;
  for (int n = 0; n < 100; n++) x = pow(2.5 * (h / deep + x), 0.4);
  const double bent = bound_of(text, OVERRIDES(friction, hertz, stiff)) /
                      bound_of(text, OVERRIDES(friction, hertz, stiff, fall));
  cr_expect_float_eq(bent / pow(x, 1.5), 1, 0.01, "%.4f", bent);
}

/* Heave on springs without dampers, started above its rest: semi-implicit Euler keeps it, up to the
 * step at which it grows. */
Test(stability, heave_under_semi_implicit_euler_is_stable_up_to_its_bound) {
  for (int damped = 0; damped < 2; damped++) {
    const char *springs =
        damped ? "parameters.wheel.contact={\"stiffness\": 1e6, \"damping\": 5000, "
                 "\"longitudinal_friction\": 0}"
               : "parameters.wheel.contact={\"stiffness\": 1e6, \"longitudinal_friction\": 0}";
    const char *const *all = OVERRIDES(
        "integrator.method=semi_implicit_euler", "parameters.contact={\"normal\": \"penalty\"}",
        springs, "parameters.wheels=[{},{},{},{}]", "integrator.stability=ignore");
    double bound = bound_of(stiff_discs, all), largest[2];
    for (int beyond = 0; beyond < 2; beyond++) {
      char step[64], time[64];
      snprintf(step, sizeof step, "integrator.step=%.17g", (beyond ? 1.03 : 0.97) * bound);
      snprintf(time, sizeof time, "integrator.duration=%.17g",
               1000 * (beyond ? 1.03 : 0.97) * bound);
      omr_result *r = run_study(stiff_discs, OVERRIDES(all[0], all[1], all[2], all[3], all[4], step,
                                                       time, "parameters.initial.heave_rate=1e-4"));
      largest[beyond] = value_of(r, "max_load", 0);
      omr_result_destroy(r);
    }
    cr_log_info("bound %.3e s, largest loads %.4g N and %.4g N\n", bound, largest[0], largest[1]);
    cr_expect_gt(largest[1], 1.5 * largest[0]); /* grows until the discs leave the floor */
  }
}

static omr_status run_with(const char *stability, const char *step, char *message, char *log_text,
                           size_t size) {
  omr_error error = {0};
  omr_study *study;
  omr_result *result = NULL;
  const char *const overrides[] = {stability, step, "integrator.duration=10 ms"};
  cr_assert_eq(omr_study_parse(stiff_three, "stiff.json", overrides, 3, &study, &error), OMR_OK,
               "%s", error.message);
  FILE *log = fmemopen(log_text, size, "w");
  omr_run_options options = {.size = sizeof options, .log = log};
  omr_status status = omr_run(study, &options, &result, &error);
  fclose(log);
  strcpy(message, error.message);
  omr_study_destroy(study);
  omr_result_destroy(result);
  return status;
}

Test(stability, the_study_says_whether_to_warn_refuse_or_keep_quiet) {
  char message[sizeof((omr_error){0}).message], log[4096] = "";
  cr_assert_eq(
      run_with("integrator.stability=warn", "integrator.step=1 ms", message, log, sizeof log),
      OMR_OK);
  cr_assert(strstr(log, "warning: ") && strstr(log, "instance 0") && strstr(log, "rosenbrock"),
            "%s", log);
  cr_assert_eq(
      run_with("integrator.stability=ignore", "integrator.step=1 ms", message, log, sizeof log),
      OMR_OK);
  for (const char *said = strstr(log, "warning: "); said; said = strstr(said + 1, "warning: "))
    cr_assert_eq(strncmp(said, "warning: energy balance: ", 25), 0, "%s",
                 log); /* which is judged in any case */
  cr_assert_eq(
      run_with("integrator.stability=refuse", "integrator.step=1 ms", message, log, sizeof log),
      OMR_ERR_STUDY);
  cr_assert(strstr(message, "stiff.json: integrator.step") &&
                strstr(message, "rk4 is stable up to about") &&
                strstr(message, "\"method\": \"rosenbrock\""),
            "%s", message);
  cr_assert_eq(
      run_with("integrator.stability=refuse", "integrator.step=1 us", message, log, sizeof log),
      OMR_OK, "%s", message);
}
