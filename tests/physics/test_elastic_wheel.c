/* The wheel of source 5 with an elastic rim (appendix/small.md#models) against exact solutions:
 * the free oscillation of hub and tread, the twist under a steady torque, the limit of a stiff rim,
 * and the right-hand side of uk_wheel. */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/kernel.h"
#include "shared/motion.h"

#include <criterion/logging.h>

/* Full stiction (k_s = k_F = 0), no resistances; `inertia` 1.125 kg m2, 40 % of it the tread's. */
#define WHEEL(model, parameters, duration)                                                         \
  "{\"model\": \"" model "\", \"parameters\": {\"stiction_gain\": 0, \"friction_gain\": 0, "       \
  "\"resistance\": {\"rolling\": 0, \"bearing\": 0}, \"drive\": {\"type\": \"constant\", "         \
  "\"torque\": 0}" parameters "}, \"integrator\": {\"step\": \"0.1 ms\", \"duration\": " duration  \
  "}, \"engine\": {\"backend\": \"scalar\"}, \"output\": {\"trajectories\": {\"instances\": [0], " \
  "\"interval\": \"1 ms\"}}}"
#define MASS 25.0
#define RADIUS 0.3
#define INERTIA 1.125
#define HUB (0.6 * INERTIA)
#define TREAD (0.4 * INERTIA)
#define ROLLING (TREAD + MASS * RADIUS * RADIUS) /* the tread that rolls with the wheel's mass */

static const double *trace(const omr_result *r, int sample) {
  return r->small_samples[sample];
}

/* The twist of a free rim: twist'' + (1/I_h + 1/J) (d twist' + c twist) = 0 with J = I_t + m R^2 of
 * a tread that rolls: frequency and decay in closed form, phase by phase over 1 s. */
Test(elastic_wheel, a_twisted_rim_swings_freely_as_two_inertias_on_a_spring) {
  static const double damping[] = {0, 0.8, 5};
  for (int i = 0; i < 3; i++) {
    char given[64];
    snprintf(given, sizeof given, "parameters.rim.damping=%g", damping[i]);
    omr_result *r = run_study(WHEEL("elastic_wheel",
                                    ", \"rim\": {\"stiffness\": 700}, \"initial\": {\"speed\": 3, "
                                    "\"rate\": 10, \"twist\": 0.05}",
                                    "1"),
                              OVERRIDES(given));
    const double ease = 1 / HUB + 1 / ROLLING, decay = 0.5 * damping[i] * ease,
                 w = sqrt(700 * ease - decay * decay);
    double worst = 0;
    for (size_t s = 0; s < r->sample_count; s++) {
      const double t = 1e-3 * (double)s;
      const double twist = 0.05 * exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t));
      worst = larger(worst, trace(r, RIM_S_TWIST)[s] - twist);
      cr_expect_lt(fabs(trace(r, RIM_S_SLIP)[s]), 1e-12); /* it rolls */
    }
    /* rk4: (w h)^5/120 per step, 10^4 steps, w h = 0.004 */
    cr_log_info("damping %g: frequency %.6g rad/s, decay %.6g 1/s; twist differs by %.2g",
                damping[i], w, decay, worst);
    cr_expect_lt(worst, 1e-10);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-10);
    omr_result_destroy(r);
  }
}

/* The same with a tread that slips freely (severe slip by huge gains: no force of the ground): the
 * tread alone swings against the hub, J = I_t. Friction is F_c there, so its coefficient is tiny.
 */
Test(elastic_wheel, a_tread_without_grip_swings_alone) {
  omr_result *r =
      run_study(WHEEL("elastic_wheel",
                      ", \"rim\": {\"stiffness\": 700, \"damping\": 0}, \"initial\": "
                      "{\"twist\": 0.05}, \"ground\": {\"upper\": 1e-10}",
                      "0.3"),
                OVERRIDES("parameters.drive.torque=2e-6", "parameters.stiction_gain=1"));
  const double w = sqrt(700 * (1 / HUB + 1 / TREAD));
  double worst = 0;
  for (size_t s = 0; s < r->sample_count; s++)
    worst = larger(worst, trace(r, RIM_S_TWIST)[s] - 0.05 * cos(w * 1e-3 * (double)s));
  cr_log_info("frequency %.6g rad/s, twist differs by %.2g", w, worst);
  cr_expect_lt(worst, 1e-8);
  omr_result_destroy(r);
}

/* A steady torque T accelerates the whole by a = T/(I + m R^2); the rim hands J a on, so that the
 * twist comes to T J/(I + m R^2)/c. Against a resistance that balances T it is T/c, but for what
 * the bearing, which acts on the hub, takes (0 here). */
Test(elastic_wheel, a_steady_torque_twists_the_rim_by_what_it_hands_on_over_its_stiffness) {
  omr_result *r =
      run_study(WHEEL("elastic_wheel", ", \"rim\": {\"stiffness\": 700, \"damping\": 40}", "3"),
                OVERRIDES("parameters.drive.torque=20"));
  const size_t last = r->sample_count - 1;
  const double handed = 20 * ROLLING / (INERTIA + MASS * RADIUS * RADIUS);
  cr_expect_lt(fabs(trace(r, RIM_S_TWIST)[last] - handed / 700), 1e-10);
  cr_expect_lt(fabs(trace(r, RIM_S_RIM_TORQUE)[last] - handed), 1e-7);
  omr_result_destroy(r);
  /* c_w v^2 R = T at the end speed: T/c */
  r = run_study(WHEEL("elastic_wheel", ", \"rim\": {\"stiffness\": 700, \"damping\": 40}", "60"),
                OVERRIDES("parameters.drive.torque=20", "parameters.resistance.rolling=5",
                          "integrator.step=1 ms"));
  cr_expect_lt(fabs(trace(r, RIM_S_TWIST)[r->sample_count - 1] - 20.0 / 700), 1e-9);
  omr_result_destroy(r);
}

/* A wheel that rolls: the elastic one tends to the rigid one in proportion to 1/c. */
Test(elastic_wheel, a_stiff_rim_tends_to_the_rigid_wheel) {
#define START                                                                                      \
  ", \"drive\": {\"type\": \"tanh\", \"torque\": 30, \"rate\": 1}, \"resistance\": {\"rolling\": " \
  "1.7, \"bearing\": 0.34}"
#define DRIVEN(model, parameters)                                                                  \
  "{\"model\": \"" model                                                                           \
  "\", \"parameters\": {\"stiction_gain\": 0, \"friction_gain\": 0" START parameters               \
  "}, \"integrator\": {\"step\": \"0.1 ms\", \"duration\": 5}, \"engine\": "                       \
  "{\"backend\": \"scalar\"}}"
  omr_result *rigid = run_study(DRIVEN("uk_wheel", ""), NULL);
  double before = 0;
  for (int i = 0; i < 4; i++) {
    char stiffness[64];
    snprintf(stiffness, sizeof stiffness, "parameters.rim.stiffness=%g", 2000 * pow(4, i));
    omr_result *r =
        run_study(DRIVEN("elastic_wheel", ", \"rim\": {\"damping\": 20}"), OVERRIDES(stiffness));
    const double off = value_of(r, "final_x", 0) - value_of(rigid, "final_x", 0);
    cr_log_info("%s: way differs by %.6g m", stiffness, off);
    if (i > 0) cr_expect(fabs(before / off - 4) < 0.05, "ratio %g", before / off);
    before = off;
    omr_result_destroy(r);
  }
  omr_result_destroy(rigid);
}

/* What a relaxed wheel tends to is another one: the weight w relaxes the constraint of the tread
 * alone, whose inertia under the torque of the rim is J' = I_t (I_t + m R^2)/(I_t + (1 - w) m R^2).
 * Hub and tread turn with T/(I_h + J'); the rigid wheel with I for I_t and no hub. They agree for
 * w = 1. Gains fix w: constant torque, no friction. */
Test(elastic_wheel, a_stiff_rim_of_a_relaxed_wheel_turns_with_the_inertia_of_its_tread) {
  const double torque = 60, limit = 0.9 * MASS * 9.81;
  const double s = 1 - pow(tanh(torque / (3 * limit * RADIUS)), 2), w = s * s;
  const double moment = MASS * RADIUS * RADIUS;
  const double inertia = TREAD * ROLLING / (TREAD + (1 - w) * moment);
  for (int i = 0; i < 3; i++) {
    char stiffness[64];
    snprintf(stiffness, sizeof stiffness, "parameters.rim.stiffness=%g", 5000 * pow(4, i));
    omr_result *r =
        run_study(WHEEL("elastic_wheel", ", \"rim\": {\"damping\": 60}", "2"),
                  OVERRIDES("parameters.drive.torque=60", "parameters.stiction_gain=1", stiffness));
    /* once the swing has decayed the hub's rate is exact, whatever the stiffness: the momentum
     * I_h theta_h' + J' theta_t' grows with T alone */
    const double off = value_of(r, "final_rate", 0) - 2 * torque / (HUB + inertia);
    const size_t last = r->sample_count - 1;
    const double twist = torque * inertia / (HUB + inertia) / (5000 * pow(4, i));
    cr_expect_lt(fabs(off), 1e-11, "%s: rate differs by %.6g rad/s", stiffness, off);
    cr_expect_lt(fabs(trace(r, RIM_S_TWIST)[last] - twist), 1e-12);
    cr_expect_gt(fabs(inertia - INERTIA), 0.1); /* it is not the rigid wheel's */
    omr_result_destroy(r);
  }
}

/* In any state, the tread has the forces that uk_wheel has with the tread's inertia and the torque
 * of the rim, and all power is counted. */
Test(elastic_wheel, power_goes_where_it_is_counted_in_any_state) {
  uint64_t seed = 7;
  double worst = 0;
  for (int k = 0; k < 200; k++) {
    omr_study study = {.options = {k % 3, k % 2, k % 3, k % 2}};
    int c[K_COUNT] = {[K_MODEL] = SMALL_ELASTIC_WHEEL};
    for (int i = 0; i < 4; i++) c[K_OPTION_0 + i] = study.options[i];
    double v[OMR_VP_COUNT], p[elastic_wheel_params],
        y[elastic_wheel_motion] = {0}, e[elastic_wheel_extremes], dy[elastic_wheel_motion],
        out[elastic_wheel_samples];
    for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
    v[OMR_VP_RIM_SHARE] = draw(&seed, 0.1, 0.9);
    v[OMR_VP_RIM_STIFFNESS] = draw(&seed, 10, 3000);
    v[OMR_VP_RIM_DAMPING] = draw(&seed, 0, 30);
    v[OMR_VP_BRAKE_TORQUE] = draw(&seed, 0, 60);
    v[OMR_VP_BRAKE_GAIN] = 1;
    cr_assert(omr_elastic_wheel.prepare(&study, v, p, y, e, NULL, 0));
    y[RIM_Y_V] = draw(&seed, -5, 5);
    y[RIM_Y_RATE] = draw(&seed, -20, 20);
    y[RIM_Y_TREAD_RATE] = draw(&seed, -20, 20);
    y[RIM_Y_TWIST] = draw(&seed, -0.2, 0.2);
    elastic_wheel_rates(c, p, y, draw(&seed, 0, 20), dy, out);
    const double torque = v[OMR_VP_RIM_STIFFNESS] * y[RIM_Y_TWIST] +
                          v[OMR_VP_RIM_DAMPING] * (y[RIM_Y_RATE] - y[RIM_Y_TREAD_RATE]);
    const double hub = (1 - v[OMR_VP_RIM_SHARE]) * INERTIA, tread = v[OMR_VP_RIM_SHARE] * INERTIA;
    const double bearing = 0.34 * y[RIM_Y_RATE];
    const double stored = MASS * y[RIM_Y_V] * dy[RIM_Y_V] + hub * y[RIM_Y_RATE] * dy[RIM_Y_RATE] +
                          tread * y[RIM_Y_TREAD_RATE] * dy[RIM_Y_TREAD_RATE] +
                          v[OMR_VP_RIM_STIFFNESS] * y[RIM_Y_TWIST] * dy[RIM_Y_TWIST];
    const double size = 1 + fabs(dy[RIM_Y_WORK]) + fabs(dy[RIM_Y_LOST]) + fabs(torque) * 40;
    worst = larger(worst, (dy[RIM_Y_WORK] - dy[RIM_Y_LOST] - stored) / size);
    worst = larger(worst, (out[RIM_S_RIM_TORQUE] - torque) / size);
    worst = larger(
        worst,
        (hub * dy[RIM_Y_RATE] - (out[RIM_S_DRIVE] + out[RIM_S_BRAKE] - bearing - torque)) / size);
  }
  cr_log_info("largest violation %.2g", worst);
  cr_expect_lt(worst, 1e-13);
}

Test(elastic_wheel, a_rim_that_has_all_the_inertia_is_told) {
  const omr_study study = {.time.steps = 1};
  double v[OMR_VP_COUNT], p[elastic_wheel_params], y[elastic_wheel_motion] = {0},
                                                   e[elastic_wheel_extremes];
  char reason[256] = "";
  for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
  v[OMR_VP_RIM_SHARE] = 1;
  cr_expect_not(omr_elastic_wheel.prepare(&study, v, p, y, e, reason, sizeof reason));
  cr_expect_str_eq(reason, "rim.share is 1; less than 1 leaves the hub an inertia");
}
