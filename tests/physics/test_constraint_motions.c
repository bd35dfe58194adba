/* Whole runs under the laws that are constraints: slip, symmetry and limits
 * (appendix/laws.md#rolling, appendix/laws.md#relaxed).
 */
#include "host/result/result.h"
#include "shared/motion.h"

#include <stdio.h>

static omr_result *run_law(const char *text, const char *contact, const char *const *more) {
  const char *overrides[16] = {contact};
  for (size_t n = 0; more[n]; n++) overrides[1 + n] = more[n];
  return run_study(text, overrides);
}

#define ROLLING "parameters.contact.law=ideal_rolling"
#define MASSLESS "parameters.contact.law=massless_rollers"
#define CLASSICAL "parameters.contact.law=classical_rollers"

/* ---- slip */

/* The driven vehicle of motion.h on wheels of which each has rollers, rows, inclination and rate of
 * its own. */
#define UNEVEN                                                                                     \
  "parameters.wheels=[{\"initial\": {\"rate\": 7}, \"inclination\": 0.5, \"rollers\": 5, "         \
  "\"center_distance\": 0.07},"                                                                    \
  "{\"initial\": {\"rate\": -5}, \"inclination\": -0.4, \"rollers\": 8, \"center_distance\": "     \
  "0.085, \"row_distance\": 0.03},"                                                                \
  "{\"initial\": {\"rate\": 6}, \"inclination\": 0.1, \"rollers\": 12, \"center_distance\": "      \
  "0.09}]",                                                                                        \
      "parameters.wheel.drive={\"type\": \"sine\", \"torque\": 1.5, \"frequency\": 0.7}"

static double slip_at(const char *contact, const char *step) {
  omr_result *r = run_law(
      vehicle_text, contact,
      OVERRIDES(UNEVEN, step, "integrator.duration=2", "parameters.wheel.contact.baumgarte=0"));
  cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_OK);
  cr_expect_gt(value_of(r, "exchanges", 0), 20);
  cr_expect_gt(value_of(r, "impact_loss", 0), 0.1);
  const double slip = value_of(r, "max_slip", 0);
  omr_result_destroy(r);
  return slip;
}

/* Without Baumgarte rate nothing holds the constraints but the accelerations and, at exchanges, the
 * impacts: what slip there is is the error of the integration between two impacts, of fourth order,
 * and falls to rounding with the step. */
Test(constraint_motions, impacts_keep_slip_at_the_integrators_error_on_uneven_wheels) {
  static const char *const laws[2] = {ROLLING, MASSLESS};
  for (int i = 0; i < 2; i++) {
    const double slip[3] = {slip_at(laws[i], "integrator.step=1e-3"),
                            slip_at(laws[i], "integrator.step=5e-4"),
                            slip_at(laws[i], "integrator.step=1e-4")};
    cr_log_info("%s: %.2g, %.2g, %.2g m/s", laws[i], slip[0], slip[1], slip[2]);
    cr_expect(slip[0] > 12 * slip[1] && slip[0] < 22 * slip[1], "%.3g", slip[0] / slip[1]);
    cr_expect_lt(slip[2], 1e-12);
  }
}

/* The rows of classical wheels do not change: their slip never leaves rounding, whatever the step.
 */
Test(constraint_motions, classical_rollers_do_not_slip) {
  omr_result *r = run_law(vehicle_text, CLASSICAL, OVERRIDES(UNEVEN, "integrator.step=2e-3"));
  cr_expect_lt(value_of(r, "max_slip", 0), 1e-13);
  omr_result_destroy(r);
}

/* ---- symmetry */

static const char *const contacts[] = {
    ROLLING,
    "parameters.contact={\"law\": \"udwadia_kalaba\"}",
    "parameters.contact={\"law\": \"udwadia_kalaba\", \"weights\": \"tanh\"}",
    "parameters.contact={\"law\": \"udwadia_kalaba\", \"relaxation\": \"contact_wise\"}",
    "parameters.contact={\"law\": \"udwadia_kalaba\", \"passive\": true}",
    MASSLESS,
    CLASSICAL};
enum { CONTACTS = sizeof contacts / sizeof *contacts };

#define SAMPLED "output={\"trajectories\": {\"instances\": [0], \"interval\": \"20 ms\"}}"

/* Sample s of wheel w. */
static double sampled(const omr_result *r, int quantity, size_t s, int w) {
  return r->wheel_samples[quantity][s * (size_t)r->wheels + (size_t)w];
}

/* Largest difference of force and load of wheel `other` from those of `one`, relative to the
 * largest force; the part along i with the sign given, that along k with the other. */
static double asymmetry(const omr_result *r, int one, int other, double sign_i, double sign_k) {
  double difference = 0, magnitude = 0;
  for (size_t s = 0; s < r->sample_count; s++) {
    const double fi = sampled(r, OMR_WS_FORCE_I, s, one), fk = sampled(r, OMR_WS_FORCE_K, s, one);
    difference = fmax(difference, fabs(sampled(r, OMR_WS_FORCE_I, s, other) - sign_i * fi));
    difference = fmax(difference, fabs(sampled(r, OMR_WS_FORCE_K, s, other) - sign_k * fk));
    difference =
        fmax(difference, fabs(sampled(r, OMR_WS_LOAD, s, other) - sampled(r, OMR_WS_LOAD, s, one)));
    magnitude = fmax(magnitude, hypot(fi, fk));
  }
  cr_expect_gt(magnitude, 0.1);
  return difference / magnitude;
}

/* Wheels alike on a ring, spinning up on the spot: a third of a turn maps the vehicle on itself. */
Test(constraint_motions, forces_of_a_vehicle_that_spins_on_the_spot_are_alike) {
  for (int c = 0; c < CONTACTS; c++) {
    omr_result *r =
        run_law(vehicle_text, contacts[c],
                OVERRIDES("parameters.platform.center_of_mass={\"height\": 0.17}",
                          "parameters.wheels=[{},{},{}]", "parameters.initial={\"yaw_rate\": 1}",
                          "parameters.wheel.friction=0.3",
                          "parameters.wheel.drive={\"type\": \"constant\", \"torque\": 0.5}",
                          "integrator.duration=1", SAMPLED));
    cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_OK, "%s", contacts[c]);
    cr_expect_gt(value_of(r, "exchanges", 0), 2);
    const double worst = fmax(asymmetry(r, 0, 1, 1, 1), asymmetry(r, 0, 2, 1, 1));
    cr_log_info("%s: %.2g", contacts[c], worst);
    cr_expect_lt(worst, 1e-9, "%s: forces differ by %.3g", contacts[c], worst);
    omr_result_destroy(r);
  }
}

/* A mecanum rectangle driven straight ahead: left and right are mirror images, whose forces across
 * are opposite. Order of wheels: front left, front right, rear left, rear right. */
Test(constraint_motions, forces_of_a_mecanum_vehicle_that_drives_ahead_are_mirrored) {
  static const char text[] = "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": "
                             "\"allow\", \"layout\": {\"type\": \"rectangle\", \"mecanum\": "
                             "true}, \"platform\": {\"mass\": 10, \"yaw_inertia\": 0.7, "
                             "\"center_of_mass\": {\"x\": 0.03, \"height\": 0.1}},"
                             "\"wheel\": {\"radius\": 0.1, \"rollers\": 9, \"inclination\": \"45 "
                             "deg\", \"tip_radius\": 0.008, \"friction\": 0.5,"
                             "\"drive\": {\"type\": \"constant\", \"torque\": -0.4}}},"
                             "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"1 s\"}, "
                             "\"engine\": {\"backend\": \"openmp\"}}";
  for (int c = 0; c < CONTACTS; c++) {
    omr_result *r = run_law(text, contacts[c], OVERRIDES(SAMPLED));
    cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_OK, "%s", contacts[c]);
    cr_expect_gt(value_of(r, "final_vx", 0), 0.3, "%s", contacts[c]);
    cr_expect_lt(fabs(value_of(r, "final_z", 0)) + fabs(value_of(r, "final_yaw", 0)), 1e-9, "%s",
                 contacts[c]);
    const double worst = fmax(asymmetry(r, 0, 1, 1, -1), asymmetry(r, 2, 3, 1, -1));
    cr_log_info("%s: %.2g", contacts[c], worst);
    cr_expect_lt(worst, 1e-9, "%s: forces differ by %.3g", contacts[c], worst);
    omr_result_destroy(r);
  }
}

/* ---- limits */

/* Weights of 1 meet the constraints at the Baumgarte rate gamma, an impact at once: the slip of an
 * exchange decays like exp(-gamma t), and the motions part by its integral, in proportion to
 * 1/gamma. The gravity keeps the wheels down while forces of the order of gamma stop the slip;
 * nothing else here depends on it. */
Test(constraint_motions, weights_of_one_with_a_high_rate_tend_to_ideal_rolling) {
  static const char *const names[3] = {"final_x", "final_z", "final_yaw"};
  static const char *const rates[3] = {
      "parameters.wheel.contact={\"weight\": 1, \"baumgarte\": 1000}",
      "parameters.wheel.contact={\"weight\": 1, \"baumgarte\": 2000}",
      "parameters.wheel.contact={\"weight\": 1, \"baumgarte\": 4000}"};
  double far[3] = {0};
#define DOWN "parameters.gravity=1e5", "integrator.step=1e-4", "integrator.duration=1"
  omr_result *rolling = run_law(vehicle_text, ROLLING, OVERRIDES(DOWN));
  for (int i = 0; i < 3; i++) {
    omr_result *r = run_law(
        vehicle_text, "parameters.contact={\"law\": \"udwadia_kalaba\", \"weights\": \"fixed\"}",
        OVERRIDES(rates[i], DOWN));
    cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_OK);
    for (int j = 0; j < 3; j++)
      far[i] = fmax(far[i], fabs(value_of(r, names[j], 0) - value_of(rolling, names[j], 0)));
    omr_result_destroy(r);
  }
  omr_result_destroy(rolling);
  cr_log_info("distances %.3g, %.3g, %.3g", far[0], far[1], far[2]);
  cr_expect_lt(far[2], 1e-3);
  cr_expect_float_eq(far[0] / far[1], 2, 0.2, "%.3g", far[0] / far[1]);
  cr_expect_float_eq(far[1] / far[2], 2, 0.1, "%.3g", far[1] / far[2]);
}

/* ---- pointed tips */

/* Only the instance whose rollers end in points is refused, and says so with its status; massless
 * rollers do not mind. */
Test(constraint_motions, a_varied_tip_that_becomes_a_point_makes_an_invalid_instance) {
  static const struct {
    const char *law;
    int status;
  } cases[] = {{ROLLING, OMR_INSTANCE_INVALID},
               {"parameters.contact.law=udwadia_kalaba", OMR_INSTANCE_INVALID},
               {MASSLESS, OMR_INSTANCE_OK},
               {"parameters.contact.law=saturated_coulomb", OMR_INSTANCE_OK}};
  static const char text[] =
      "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\", \"wheel\": "
      "{\"tip_radius\": "
      "0.005}}, \"vary\": [{\"path\": \"wheel.tip_radius\", \"values\": [0.005, 0, 0.004]}],"
      "\"integrator\": {\"step\": 1e-3, \"duration\": 0.01}, \"engine\": {\"backend\": "
      "\"openmp\"}}";
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    omr_result *r = run_law(text, cases[i].law, OVERRIDES("title=tips"));
    const int8_t *status = omr_result_status(r);
    cr_expect_eq(status[0], OMR_INSTANCE_OK, "%s", cases[i].law);
    cr_expect_eq(status[1], cases[i].status, "%s: %d", cases[i].law, status[1]);
    cr_expect_eq(status[2], OMR_INSTANCE_OK, "%s", cases[i].law);
    omr_result_destroy(r);
  }
}
