/* Whole motions under the laws of contact that are constraints: exact solutions, limits, energy
 * (appendix/laws.md#friction). */
#include "host/engine/backend.h"
#include "host/model/prepare.h"
#include "host/result/result.h"
#include "kernels/layout.h"
#include "shared/motion.h"

#include <stdlib.h>

static const char *const laws[] = {"saturated_coulomb", "ideal_rolling",     "udwadia_kalaba",
                                   "massless_rollers",  "classical_rollers", "regularized_coulomb"};
enum { LAWS = sizeof laws / sizeof *laws, RELAXED = 2, REGULARIZED = 5 };

#define FRICTION "parameters.wheel.friction=0.3" /* the texts of motion.h have none */

static const char *law_override(char text[64], const char *law) {
  snprintf(text, 64, "parameters.contact.law=%s", law);
  return text;
}

/* ---- exact solutions */

/* The massless vehicle of Borisov, Kilin and Mamaev with the figures of Zobova and Tatarinov: three
 * wheels of radius 0.05 with radial axles at 0.1 from the centre, total mass 3, yaw inertia 0.05,
 * wheel inertia 5e-4. Discs without mass carry the axial inertia. */
static const char circle_text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"contact\": {\"law\": \"classical_rollers\"},"
    "\"platform\": {\"mass\": 3, \"yaw_inertia\": 0.05, \"center_of_mass\": {\"height\": 0.05}},"
    "\"layout\": {\"radius\": 0.1, \"first_angle\": \"-30 deg\"},"
    "\"wheel\": {\"radius\": 0.05, \"disc\": {\"mass\": 0, \"axial_inertia\": 5e-4, "
    "\"diametral_inertia\": 0}},"
    "\"initial\": {\"vx\": 1, \"yaw_rate\": 4.47213595499958}},"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"16 s\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"1 ms\"}}, \"engine\": "
    "{\"backend\": \"openmp\"}}";

/* Wheel rates of rolling: chi' = -(V.i + omega r.k)/R for psi = 0, with i = (cos delta, -sin
 * delta). */
static omr_result *run_circle(const char *law, const char *step) {
  char rates[160], chosen[64], length[64];
  double delta[3] = {-M_PI / 6, M_PI / 2, 7 * M_PI / 6}, rate[3];
  for (int i = 0; i < 3; i++) rate[i] = -(cos(delta[i]) + 4.47213595499958 * 0.1) / 0.05;
  snprintf(rates, sizeof rates,
           "parameters.wheels=[{\"initial\":{\"rate\":%.17g}},{\"initial\":{\"rate\":%.17g}},{"
           "\"initial\":{\"rate\":%.17g}}]",
           rate[0], rate[1], rate[2]);
  snprintf(length, sizeof length, "integrator.step=%s", step);
  return run_study(circle_text, OVERRIDES(rates, law_override(chosen, law), length));
}

/* Radius of the circle through the samples at 0 and at thirds of the period, and when the
 * velocity's world direction has turned once. */
static void measure_circle(const omr_result *r, double *radius, double *period) {
  const double *x = r->vehicle_samples[OMR_VS_X], *z = r->vehicle_samples[OMR_VS_Z];
  const double *vx = r->vehicle_samples[OMR_VS_VX], *vz = r->vehicle_samples[OMR_VS_VZ],
               *yaw = r->vehicle_samples[OMR_VS_YAW];
  double turned = 0, last = 0;
  *period = (double)NAN;
  for (size_t s = 0; s < r->sample_count; s++) {
    double c = cos(yaw[s]), n = sin(yaw[s]),
           direction = atan2(-vx[s] * n + vz[s] * c, vx[s] * c + vz[s] * n);
    double change = s ? remainder(direction - last, 2 * M_PI) : 0;
    last = direction;
    if (fabs(turned) < 2 * M_PI && fabs(turned + change) >= 2 * M_PI && isnan(*period)) {
      double part = (2 * M_PI - fabs(turned)) / fabs(change);
      *period = r->sample_time[s - 1] + part * (r->sample_time[s] - r->sample_time[s - 1]);
    }
    turned += change;
  }
  size_t third = r->sample_count / 3, two = 2 * third;
  double ax = x[third] - x[0], az = z[third] - z[0], bx = x[two] - x[0], bz = z[two] - z[0];
  double area = 2 * (ax * bz - az * bx), a2 = ax * ax + az * az, b2 = bx * bx + bz * bz;
  *radius = hypot((bz * a2 - az * b2) / area, (ax * b2 - bx * a2) / area);
}

Test(laws, the_massless_vehicle_runs_the_circle_of_zobova_and_tatarinov) {
  const char *const both[] = {"classical_rollers", "massless_rollers"}; /* the same for psi = 0 */
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_circle(both[i], "1e-3");
    double radius, period;
    measure_circle(r, &radius, &period);
    cr_expect_float_eq(radius, 2.459675, 5e-7, "%s: radius %.9f", both[i], radius);
    cr_expect_float_eq(period, 15.454592, 5e-7, "%s: period %.9f", both[i], period);
    size_t last = r->sample_count - 1;
    double speed = hypot(r->vehicle_samples[OMR_VS_VX][last], r->vehicle_samples[OMR_VS_VZ][last]);
    cr_expect_float_eq(speed, 1, 1e-9, "%s: speed %.12f", both[i], speed);
    cr_expect_float_eq(r->vehicle_samples[OMR_VS_YAW_RATE][last] * sqrt(0.05), 1, 1e-9);
    omr_result_destroy(r);
  }
}

/* Testbench, psi = 0: driven by tau, the wheel rolls along -i. On the roller's axis (q = 0) the
 * friction that accelerates it goes through no roller spin, so that J chi'' = tau + R F, m a = F, a
 * = -R chi''. Away from q = 0 nothing changes, since i_spin = h sin psi = 0. */
Test(laws, a_straight_wheel_rolls_with_the_acceleration_of_rolling) {
  static const char text[] =
      "{\"model\": \"omni_wheel\", \"parameters\": {\"contact\": {\"law\": \"ideal_rolling\"}, "
      "\"overlap\": \"allow\","
      "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"tip_radius\": 0.01, \"disc\": {\"mass\": 2, "
      "\"axial_inertia\": 0.01},"
      "\"roller\": {\"mass\": 0.05, \"axial_inertia\": 1e-5, \"diametral_inertia\": 2e-5},"
      "\"drive\": {\"type\": \"constant\", \"torque\": 0.4}}},"
      "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}, \"engine\": {\"backend\": "
      "\"openmp\"}}";
  omr_result *r = run_study(text, OVERRIDES("parameters.contact.impact=true"));
  /* R1 from the tip radius: h(alpha) = R - R1/cos(alpha) is the tip radius for psi = 0 where 1 -
   * sin^2 alpha = cos^2 alpha */
  double alpha = M_PI / 6, center = (0.1 - 0.01 / cos(alpha)) * cos(alpha);
  double inertia = 0.01 + 6 * (0.05 * center * center + 2e-5), mass = 2 + 6 * 0.05;
  double rate = 0.4 / (inertia + mass * 0.1 * 0.1) * 2;
  cr_expect_float_eq(value_of(r, "final_vx", 0), -0.1 * rate, 1e-9, "%.12g instead of %.12g",
                     value_of(r, "final_vx", 0), -0.1 * rate);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-10);
  cr_expect_lt(value_of(r, "max_slip", 0), 1e-12);
  cr_expect_float_eq(value_of(r, "impact_loss", 0), 0, 1e-12,
                     "the rollers of a straight wheel never spin");
  omr_result_destroy(r);
}

/* ---- energy */

/* Mechanical energy of one instance step by step through the backend itself. Returns the largest
 * growth in one step, relative to the initial energy, from step `first` on. */
static double largest_growth(const char *text, const char *const *overrides, size_t count,
                             double *lost) {
  omr_error error = {0};
  omr_study *study = NULL;
  cr_assert_eq(omr_study_parse(text, "test", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  omr_run_settings settings;
  omr_batch batch;
  omr_values values;
  omr_run_record record = {.lanes = 0};
  omr_backend *backend;
  char reason[400] = "";
  cr_assert_eq(omr_settings_make(study, &settings, &error), OMR_OK);
  cr_assert(omr_batch_make(&settings, OMR_PAD, &batch));
  batch.count = 1;
  omr_study_values(study, 0, &values, NULL);
  cr_assert(omr_prepare_instance(study, &settings, &values, &batch, 0, reason, sizeof reason), "%s",
            reason);
  for (size_t slot = 1; slot < OMR_PAD; slot++) omr_prepare_padding(&settings, &batch, 0, slot);
  cr_assert_eq(omr_openmp_backend.open(&study->engine, &settings, &record, NULL, &backend, &error),
               OMR_OK, "%s", error.message);
  cr_assert_eq(omr_openmp_backend.load(backend, &batch, &error), OMR_OK);
  double initial = omr_kinetic_energy(&settings, &batch, 0), before = initial, growth = -HUGE_VAL;
  for (uint64_t step = 1; step <= study->time.steps; step++) {
    omr_openmp_backend.advance(backend, (double)step, &error);
    omr_openmp_backend.fetch(backend, &batch, &error);
    double now = omr_kinetic_energy(&settings, &batch, 0);
    growth = fmax(growth, (now - before) / initial);
    before = now;
  }
  cr_expect_eq(batch.state[(size_t)S_STATUS * batch.stride], 0);
  *lost = (initial - before) / initial;
  omr_openmp_backend.close(backend);
  omr_batch_free(&batch);
  omr_settings_free(&settings);
  omr_study_destroy(study);
  return growth;
}

Test(laws, energy_never_grows_in_an_undriven_run) {
  const char *const texts[] = {vehicle_text, testbench_text};
  for (int m = 0; m < 2; m++) {
    for (int i = 0; i < LAWS; i++) {
      char law[64];
      const char *const overrides[] = {law_override(law, laws[i]), "integrator.step=1e-4",
                                       "integrator.duration=2", FRICTION};
      double lost, growth = largest_growth(texts[m], overrides, 4, &lost);
      cr_log_info("%s, %s: largest growth in a step %.1e, lost %.2g", m ? "testbench" : "vehicle",
                  laws[i], growth, lost);
      cr_expect_gt(lost, 0.1);
      if (i == RELAXED) continue;
      /* constraints hold to rounding; what a step leaves of them shows as a growth of the order of
       * its error */
      cr_expect_lt(growth, 1e-12, "%s, %s: energy grows by %.3g of itself in a step",
                   m ? "testbench" : "vehicle", laws[i], growth);
    }
  }
}

/* The published relaxed law is not passive: its reaction forces do work on the slip that they let
 * decay. The power is the law's, not the integrator's: growth in a step halves with the step.
 * Without Baumgarte rate slip stays and energy grows without end. */
Test(laws, relaxed_rolling_adds_energy_while_slip_decays_and_that_is_the_law) {
  double lost, growth[2];
  static const char *const steps[2] = {"integrator.step=2e-4", "integrator.step=1e-4"};
  for (int i = 0; i < 2; i++) {
    const char *const overrides[] = {"parameters.contact.law=udwadia_kalaba", steps[i],
                                     "integrator.duration=2", FRICTION};
    growth[i] = largest_growth(vehicle_text, overrides, 4, &lost);
  }
  cr_expect(growth[0] > 0 && growth[0] < 1e-6, "%.3g", growth[0]);
  cr_expect_float_eq(growth[0] / growth[1], 2, 0.05, "%.3g, %.3g", growth[0], growth[1]);
  const char *const slipping[] = {"parameters.contact.law=udwadia_kalaba", steps[0],
                                  "integrator.duration=2", FRICTION,
                                  "parameters.wheel.contact.baumgarte=0"};
  largest_growth(vehicle_text, slipping, 5, &lost);
  cr_expect_lt(lost, -0.5, "with gamma = 0 energy changes by %.3g", -lost);
}

/* The passive variant, without and with Baumgarte rate. Its law switches where the work changes
 * sign; a step across that kink errs, but the growth falls faster than in proportion to the step
 * (4), as a power of the law would. */
Test(laws, relaxed_rolling_that_may_do_no_work_never_adds_energy) {
  static const char *const rates[2] = {"parameters.wheel.contact.baumgarte=0",
                                       "parameters.wheel.contact.baumgarte=50"};
  static const char *const steps[2] = {"integrator.step=1e-4", "integrator.step=2.5e-5"};
  for (int i = 0; i < 2; i++) {
    double lost, growth[2];
    for (int j = 0; j < 2; j++) {
      const char *const overrides[] = {
          "parameters.contact={\"law\": \"udwadia_kalaba\", \"passive\": true}", steps[j],
          "integrator.duration=2", FRICTION, rates[i]};
      growth[j] = largest_growth(vehicle_text, overrides, 5, &lost);
      cr_expect_gt(lost, 0);
    }
    cr_log_info("passive: largest growth %.1e, %.1e, lost %.3g", growth[0], growth[1], lost);
    cr_expect_lt(growth[0], 1e-8);
    if (growth[1] > 1e-15)
      cr_expect_gt(growth[0] / growth[1], 6, "%.3g, %.3g", growth[0], growth[1]);
  }
}

/* Constraints leave no stiff friction, so that the order of RK4 shows in the balance at steps of 1
 * ms. */
Test(laws, the_energy_balance_closes_with_impacts_and_converges_with_order_four) {
  for (int i = 1; i < REGULARIZED; i++) {
    char law[64];
    double error[2];
    static const char *const steps[2] = {"integrator.step=1e-3", "integrator.step=5e-4"};
    for (int s = 0; s < 2; s++) {
      omr_result *r = run_study(
          vehicle_text,
          OVERRIDES(law_override(law, laws[i]), steps[s], FRICTION, "integrator.duration=5",
                    "parameters.wheel.drive={\"type\": \"sine\", \"torque\": 0.3}"));
      error[s] = fabs(value_of(r, "energy_error", 0));
      cr_expect_eq(omr_result_status(r)[0], 0);
      omr_result_destroy(r);
    }
    cr_log_info("%s: %.2e, %.2e", laws[i], error[0], error[1]);
    cr_expect_lt(error[0], 1e-5, "%s: %.3g", laws[i], error[0]);
    if (error[0] > 1e-11)
      cr_expect_gt(error[0] / error[1], 12, "%s: %.3g then %.3g", laws[i], error[0], error[1]);
  }
}

/* ---- limits */

/* Light rollers tend to massless ones, the error in proportion to their mass (source 2, section 4).
 */
Test(laws, explicit_rollers_tend_to_massless_ones_in_proportion_to_their_mass) {
  double x[2][3];
  omr_result *limit = run_study(
      vehicle_text, OVERRIDES("parameters.contact.law=massless_rollers", "integrator.duration=3"));
  for (int i = 0; i < 2; i++) {
    char mass[160];
    double scale = i ? 1e-6 : 1e-5;
    snprintf(
        mass, sizeof mass,
        "parameters.wheel.roller={\"mass\": %g, \"axial_inertia\": %g, \"diametral_inertia\": %g}",
        0.11 * scale, 3e-5 * scale, 7e-5 * scale);
    omr_result *r = run_study(vehicle_text, OVERRIDES("parameters.contact.law=ideal_rolling",
                                                      "integrator.duration=3", mass));
    static const char *const names[3] = {"final_x", "final_z", "final_yaw"};
    for (int j = 0; j < 3; j++) x[i][j] = value_of(r, names[j], 0) - value_of(limit, names[j], 0);
    omr_result_destroy(r);
  }
  omr_result_destroy(limit);
  for (int j = 0; j < 3; j++) {
    cr_expect_lt(fabs(x[1][j]), 1e-4);
    cr_expect_float_eq(x[0][j] / x[1][j], 10, 0.1, "ratio %.4f of the errors %.3g, %.3g",
                       x[0][j] / x[1][j], x[0][j], x[1][j]);
  }
}

/* With w = 1 the relaxed law is ideal rolling whose slip decays at the Baumgarte rate; with w = 0
 * and no friction the floor is ice. */
Test(laws, weights_of_one_roll_and_weights_of_zero_slide) {
  omr_result *rolling = run_study(
      vehicle_text, OVERRIDES("parameters.contact={\"law\": \"ideal_rolling\", \"impact\": false}",
                              "integrator.duration=2"));
  for (int contact_wise = 0; contact_wise < 2; contact_wise++) {
    const char *words =
        contact_wise ? "parameters.contact={\"law\": \"udwadia_kalaba\", \"weights\": \"fixed\", "
                       "\"relaxation\": \"contact_wise\"}"
                     : "parameters.contact={\"law\": \"udwadia_kalaba\", \"weights\": \"fixed\"}";
    omr_result *one =
        run_study(vehicle_text, OVERRIDES(words, "parameters.wheel.contact={\"weight\": 1}",
                                          "integrator.duration=2"));
    static const char *const names[4] = {"final_x", "final_z", "final_yaw", "final_vx"};
    for (int j = 0; j < 4; j++)
      cr_expect_float_eq(value_of(one, names[j], 0), value_of(rolling, names[j], 0), 1e-9, "%s",
                         names[j]);
    cr_expect_eq(value_of(one, "min_weight", 0), 1);
    omr_result_destroy(one);
    omr_result *ice =
        run_study(vehicle_text,
                  OVERRIDES(words, "parameters.wheel.contact={\"weight\": 0, \"friction_gain\": 0}",
                            "integrator.duration=2"));
    omr_result *coulomb =
        run_study(vehicle_text, OVERRIDES("parameters.wheel.friction=0", "integrator.duration=2"));
    for (int j = 0; j < 4; j++)
      cr_expect_float_eq(value_of(ice, names[j], 0), value_of(coulomb, names[j], 0), 1e-11, "%s",
                         names[j]);
    cr_expect_float_eq(value_of(ice, "max_force_ratio", 0), 0, 1e-300);
    omr_result_destroy(ice);
    omr_result_destroy(coulomb);
  }
  omr_result_destroy(rolling);
}

/* ---- edges */

/* Friction, slip and inclination at their ends: every law runs on and its numbers are finite. */
Test(laws, extreme_friction_inclination_and_rest_give_finite_motions) {
  static const char *const edges[] = {FRICTION,
                                      "parameters.wheel.friction=0",
                                      "parameters.wheel.inclination=0",
                                      "parameters.wheel.inclination=60 deg",
                                      "parameters.initial={}",
                                      "parameters.wheel.friction=1e-12"};
  for (int i = 0; i < LAWS; i++) {
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
      char law[64];
      omr_result *r =
          run_study(vehicle_text, OVERRIDES(law_override(law, laws[i]), edges[e],
                                            "integrator.step=1e-4", "integrator.duration=1"));
      cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_OK, "%s, %s: status %d", laws[i], edges[e],
                   omr_result_status(r)[0]);
      cr_expect(isfinite(value_of(r, "final_x", 0)) && isfinite(value_of(r, "max_force_ratio", 0)),
                "%s, %s", laws[i], edges[e]);
      double error = fabs(value_of(r, "energy_error", 0));
      cr_expect_lt(error, 1e-5, "%s, %s: energy error %.3g", laws[i], edges[e], error);
      omr_result_destroy(r);
    }
  }
}

/* From rest without torque nothing moves, whatever the law: zero slip is no division by zero. */
Test(laws, a_vehicle_at_rest_stays_at_rest) {
  for (int i = 0; i < LAWS; i++) {
    char law[64];
    omr_result *r =
        run_study(vehicle_text, OVERRIDES(law_override(law, laws[i]), "parameters.initial={}",
                                          "parameters.wheels=[{},{},{}]", "integrator.duration=1"));
    cr_expect_eq(value_of(r, "final_x", 0), 0, "%s", laws[i]);
    cr_expect_eq(value_of(r, "path_length", 0), 0, "%s", laws[i]);
    cr_expect_eq(value_of(r, "max_slip", 0), 0, "%s", laws[i]);
    omr_result_destroy(r);
  }
}

/* A high centre of mass and a hard start: the front wheels' load falls below zero and the instance
 * says so. */
Test(laws, a_wheel_that_lifts_ends_the_instance_under_every_law) {
  for (int i = 0; i < LAWS; i++) {
    char law[64];
    omr_result *r = run_study(
        vehicle_text,
        OVERRIDES(law_override(law, laws[i]), "parameters.platform.center_of_mass.height=1.5",
                  "parameters.wheel.friction=1.2",
                  "parameters.wheel.drive={\"type\": \"constant\", \"torque\": 0}",
                  "parameters.wheels=[{\"drive\": {\"type\": \"constant\", \"torque\": "
                  "-40}},{},{\"drive\": {\"type\": \"constant\", \"torque\": 40}}]",
                  "parameters.initial={}", "integrator.duration=0.5"));
    cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_LIFTED, "%s: status %d", laws[i],
                 omr_result_status(r)[0]);
    omr_result_destroy(r);
  }
}

Test(laws, pointed_tips_are_refused_by_rolling_constraints_with_the_remedy) {
  static const char *const refusing[] = {"ideal_rolling", "udwadia_kalaba"};
  for (int i = 0; i < 2; i++) {
    char law[64];
    omr_error error = {0};
    omr_study *study = NULL;
    omr_result *result = NULL;
    const char *const overrides[] = {law_override(law, refusing[i]),
                                     "parameters.wheel.center_distance=null"};
    cr_assert_eq(omr_study_parse(circle_text, "test", overrides, 1, &study, &error), OMR_OK, "%s",
                 error.message);
    cr_expect_neq(omr_run(study, NULL, &result, &error), OMR_OK);
    cr_expect_not_null(strstr(error.message, "tip_radius"), "%s", error.message);
    omr_result_destroy(result);
    omr_study_destroy(study);
  }
}
