/* Compliant contacts with steps that an error estimate chooses (kernels/compliant/spring_matrix.h):
 * the order of the pair against an exact motion, and runs against the explicit method at steps that
 * resolve all that is stiff. */
#define OMR_COMPLIANT 1
#define OMR_CONTROLLED 1
#include "shared/kernel.h"
#include "shared/motion.h"

/* ---- the order of the pair */

/* A vehicle without friction whose wheels stay on the floor: heave is linear, M y'' = -4 k y - 4 D
 * y', about the sag of an even share. */
static const char springs[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"contact\": {\"normal\": \"compliant\", \"damper\": \"kelvin_voigt\"},"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.4, \"center_of_mass\": {\"height\": 0.16}},"
    "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.25, \"half_width\": 0.2},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"center_distance\": 0.088, \"friction\": 0,"
    "\"contact\": {\"stiffness\": 1e5, \"damping\": 300},"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}},"
    "\"initial\": {\"height\": -1e-4}},"
    "\"integrator\": {\"tolerance\": 1e-4, \"duration\": \"0.02 s\"}}";
static const double mass = 10 + 4 * (1.2 + 8 * 0.11), spring = 4e5, damper = 4 * 300;

/* Height over that at rest after the time t from `swing` at rest. */
static double exact_heave(double swing, double t) {
  const double decay = damper / (2 * mass), omega = sqrt(spring / mass - decay * decay);
  return swing * exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t));
}

/* Error of the height after `passes` of equal length over 20 ms. */
static double heave_error(const fleet *f, int passes) {
  static pair_pass pass; /* its observers' rates stay 0 */
  static evaluation e;
  const int *c = f->settings.integers;
  const double tau = 0.02 / passes, sag = mass * 9.81 / spring;
  load_slot(f, 0, &e);
  clear_stages(c, &pass);
  for (int n = 0; n < passes; n++) {
    begin_pair(&e.p, c, &e.held, &e.at, n * tau, n * tau, &pass);
    finish_pair(&e.p, c, &e.held, &e.at, n * tau, tau, &pass);
    for (int j = 0; j < Y_USED(c); j++) e.at.y[j] += tau * pass.change.y[j];
  }
  return fabs(e.at.y[Y_HEIGHT] + sag - exact_heave(sag - 1e-4, 0.02));
}

Test(compliant_pairs, the_pair_has_order_3_on_springs_and_dampers) {
  omr_study *study = NULL;
  omr_error error = {0};
  omr_study_parse(springs, "springs", NULL, 0, &study, &error);
  cr_assert_not_null(study, "%s", error.message);
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  double before = 0;
  for (int passes = 16; passes <= 128; passes *= 2) {
    const double off = heave_error(&f, passes);
    cr_log_info("%d passes: %.2g m, a part of %.3g", passes, off, before / off);
    if (passes > 16) cr_expect_float_eq(log2(before / off), 3, 0.35);
    before = off;
  }
  omr_study_destroy(study);
  free_fleet(&f);
}

/* A pass that is a hundred times as long as a contact with light rollers lets an explicit one be
 * stays where the vehicle rests: with the matrix, whose rows friction has too. */
Test(compliant_pairs, long_passes_stay_at_rest) {
  omr_study *study = NULL;
  omr_error error = {0};
  const char *const other[] = {"parameters.wheel.friction=0.6", "parameters.initial.height=null",
                               "parameters.wheel.roller.axial_inertia=1e-7",
                               "parameters.wheel.slip_speed=0.02"};
  omr_study_parse(springs, "springs", other, 4, &study, &error);
  cr_assert_not_null(study, "%s", error.message);
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  static pair_pass pass;
  static evaluation e;
  const int *c = f.settings.integers;
  load_slot(&f, 0, &e);
  e.at.y[Y_VX] = 1e-3;
  clear_stages(c, &pass);
  for (int n = 0; n < 40; n++) {
    begin_pair(&e.p, c, &e.held, &e.at, 0, 0, &pass);
    finish_pair(&e.p, c, &e.held, &e.at, 0, 2e-3, &pass);
    for (int j = 0; j < Y_USED(c); j++) e.at.y[j] += 2e-3 * pass.change.y[j];
  }
  cr_expect_float_eq(e.at.y[Y_HEIGHT], -mass * 9.81 / spring, 1e-6);
  cr_expect_lt(fabs(e.at.y[Y_VX]), 1e-3);
  omr_study_destroy(study);
  free_fleet(&f);
}

/* ---- runs */

/* A mecanum vehicle on light rollers, of which rk4 asks for steps of some microseconds. */
static const char mecanum[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"contact\": {\"normal\": \"compliant\"},"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.4, \"center_of_mass\": {\"height\": 0.12}},"
    "\"layout\": {\"type\": \"rectangle\", \"mecanum\": true, \"half_length\": 0.2, "
    "\"half_width\": 0.18},"
    "\"wheel\": {\"radius\": 0.05, \"rollers\": 9, \"inclination\": \"45 deg\", \"tip_radius\": "
    "0.004, \"friction\": 0.6, \"slip_speed\": 0.1,"
    "\"contact\": {\"stiffness\": 1e5, \"damping_ratio\": 0.1},"
    "\"roller\": {\"mass\": 0.012, \"axial_inertia\": 1e-7, \"diametral_inertia\": 1.5e-6},"
    "\"disc\": {\"mass\": 0.25, \"axial_inertia\": 2e-4, \"diametral_inertia\": 1.2e-4}}},"
    "\"integrator\": {\"method\": \"rk4\", \"step\": \"2 us\", \"duration\": \"0.2 s\"},"
    "\"engine\": {\"backend\": \"openmp\"},"
    "\"output\": {\"observables\": [\"vertical_vibration_rms\", \"min_load\", \"max_load\", "
    "\"height_exchange\", \"final_x\"]}}";

/* Both runs of `text` with what differs: explicit steps of 2 us, a fifteenth of what is stable, and
 * the tolerance of 1e-3 within a budget of passes that an explicit method would need a hundred
 * times; observables within `part` of each other, and loads within that part of the weight. */
static void runs_agree(const char *const other[2], const char *passes, double part) {
  static const char *const names[] = {"vertical_vibration_rms", "min_load", "max_load"};
  char budget[200];
  snprintf(budget, sizeof budget,
           "integrator={\"tolerance\": 1e-3, \"duration\": \"0.2 s\", \"budget\": %s}", passes);
  omr_result *steps = run_study(mecanum, OVERRIDES(other[0], other[1]));
  omr_result *chosen = run_study(mecanum, OVERRIDES(budget, other[0], other[1]));
  cr_expect_eq(omr_result_status(steps)[0], 0);
  cr_expect_eq(omr_result_status(chosen)[0], 0, "ended as %s",
               omr_instance_status_name(omr_result_status(chosen)[0]));
  for (int n = 0; n < 3; n++) {
    const double there = value_of(steps, names[n], 0), here = value_of(chosen, names[n], 0);
    const double scale = n ? 11.5 * 9.81 / 4 : there;
    cr_log_info("%s %.6g, chosen steps %.6g", names[n], there, here);
    cr_expect_float_eq(here, there, part * fmax(scale, there));
  }
  omr_result_destroy(steps);
  omr_result_destroy(chosen);
}

Test(compliant_pairs, a_landing_is_that_of_short_steps) {
  runs_agree((const char *const[]){"parameters.initial={\"height\": 2e-3, \"pitch\": 0.01}",
                                   "parameters.contact.spring=linear"},
             "400", 0.01);
}

Test(compliant_pairs, a_landing_on_a_suspension_is_that_of_short_steps) {
  runs_agree((const char *const[]){"parameters.initial={\"height\": 2e-3, \"pitch\": 0.01}",
                                   "parameters.wheel.suspension={\"stiffness\": 2e4, \"damping\": "
                                   "60, \"mass\": 0.3}"},
             "600", 0.01);
}

Test(compliant_pairs, rolling_over_exchanges_is_that_of_short_steps) {
  runs_agree((const char *const[]){"parameters.wheel.initial.rate=-8 rad/s",
                                   "parameters.initial={\"vx\": 0.4, \"spins\": \"rolling\"}"},
             "800", 0.01);
}

Test(compliant_pairs, bristles_on_a_slope_are_those_of_short_steps) {
  runs_agree((const char *const[]){"parameters.floor={\"slope\": 0.2}",
                                   "parameters.contact={\"normal\": \"compliant\", \"law\": "
                                   "\"bristle\"}"},
             "400", 0.01);
}

/* The discs of that vehicle, whose friction each of the two directions has for itself. */
Test(compliant_pairs, discs_that_land_on_the_move_do_as_in_short_steps) {
  runs_agree(
      (const char *const[]){"model=disc_vehicle",
                            "parameters={\"contact\": {\"normal\": \"compliant\", \"saturation\": "
                            "\"components\"}, \"layout\": {\"type\": \"rectangle\", \"mecanum\": "
                            "true}, \"wheel\": {\"inclination\": \"45 deg\", \"slip_speed\": 0.1, "
                            "\"contact\": {\"stiffness\": 1e5}}, \"initial\": {\"vx\": 0.3, "
                            "\"height\": 1e-3, \"roll\": 0.01}}"},
      "400", 0.01);
}

/* Bearings whose friction rises within 1 rad/s, which the matrix does not have. */
Test(compliant_pairs, dry_friction_is_that_of_short_steps) {
  runs_agree(
      (const char *const[]){"parameters.initial={\"vx\": 0.4, \"vz\": 0.3, \"height\": 5e-4}",
                            "parameters.wheel.roller.dry={\"torque\": 2e-4, \"friction\": 0.2, "
                            "\"pin_radius\": 0.002, \"smoothing_rate\": 1}"},
      "1500", 0.01);
}
