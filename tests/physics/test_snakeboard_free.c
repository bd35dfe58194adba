/* Motions of a snakeboard whose wheelsets steer freely: what they keep exactly, and that stiff
 * springs hold them to their gaits. The right-hand side: test_snakeboard.c; in maximal coordinates:
 * tests/reference/test_snakeboard_reference.c. */
#include "host/result/result.h"
#include "shared/kernel.h"
#include "shared/motion.h"

#include <criterion/logging.h>

#define FREE(steering, parameters, more)                                                           \
  "{\"model\": \"snakeboard\", \"engine\": {\"backend\": \"openmp\"}, \"parameters\": "            \
  "{\"steering\": {" steering "}, " parameters                                                     \
  "}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}, \"output\": "                   \
  "{\"trajectories\": {\"instances\": \"all\", \"interval\": \"20 ms\"}}" more "}"

#define COASTING                                                                                   \
  "\"gait\": {\"front\": {\"amplitude\": 0.3, \"phase\": 1, \"frequency\": 0.7}, \"rear\": "       \
  "{\"amplitude\": -0.2, \"phase\": 1, \"frequency\": 0.5}, \"rotor\": {\"amplitude\": "

static double sample(const omr_result *r, int which, size_t at) {
  return r->small_samples[which][at];
}

/* Without spring and damper nothing turns a wheelset about the vertical: the forces of the floor
 * along its axle pass through that axis, and those at its wheels roll them. So yaw and angle
 * together turn at a constant rate, whatever the rotor does. */
Test(snakeboard_free, a_wheelset_without_spring_turns_at_a_constant_rate_in_space) {
  static const char text[] =
      FREE("\"type\": \"free\"", COASTING "1, \"frequency\": 3}}, \"initial\": {\"vx\": 0.2}", "");
  omr_result *r = run_study(text, NULL);
  cr_expect_str_eq(omr_instance_status_name(omr_result_status(r)[0]), "ok");
  double moved = 0;
  for (int end = 0; end < 2; end++) {
    const int angle = SNAKE_S_FRONT_ANGLE + end;
    const double amplitude = end ? -0.2 : 0.3, frequency = end ? 0.5 : 0.7;
    const double rate = sample(r, SNAKE_S_YAW_RATE, 0) + amplitude * frequency * cos(1.0);
    const double start = sample(r, SNAKE_S_YAW, 0) + amplitude * sin(1.0);
    for (size_t s = 0; s < r->sample_count; s++) {
      double turned = sample(r, SNAKE_S_YAW, s) + sample(r, angle, s);
      cr_expect_lt(fabs(turned - (start + rate * 0.02 * (double)s)), 1e-11, "%zu: %.15g", s,
                   turned);
      moved = larger(moved, sample(r, SNAKE_S_YAW, s));
    }
  }
  cr_expect_gt(moved, 0.1);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-9, "%g", value_of(r, "energy_error", 0));
  omr_result_destroy(r);
}

/* Nothing drives and nothing takes energy: kinetic energy stays. */
Test(snakeboard_free, coasting_keeps_its_energy) {
  static const char text[] =
      FREE("\"type\": \"free\"", COASTING "0}}, \"initial\": {\"vx\": 0.4}", "");
  omr_result *r = run_study(text, NULL);
  const double start = sample(r, SNAKE_S_ENERGY, 0);
  for (size_t s = 0; s < r->sample_count; s++)
    cr_expect_lt(fabs(sample(r, SNAKE_S_ENERGY, s) / start - 1), 1e-11);
  cr_expect_lt(fabs(value_of(r, "drive_work", 0)), 1e-15);
  omr_result_destroy(r);
}

#define DRIVEN                                                                                     \
  "\"gait\": {\"wheelsets\": \"opposite\", \"front\": {\"amplitude\": 0.4, \"frequency\": 3}, "    \
  "\"rotor\": {\"amplitude\": 1, \"frequency\": 3}}"

/* Largest distance to the board with prescribed angles. */
static double distance_to_prescribed(const omr_result *ideal, double stiffness) {
  static const char text[] = FREE("\"type\": \"free\"", DRIVEN, "");
  char spring[64], damper[64];
  /* damping of about half the critical one for J_e = 0.0037 kg m2 */
  snprintf(spring, sizeof spring, "parameters.steering.stiffness=%g", stiffness);
  snprintf(damper, sizeof damper, "parameters.steering.damping=%g", 0.06 * sqrt(stiffness));
  omr_result *r = run_study(text, OVERRIDES(spring, damper, "integrator.step=0.1 ms"));
  double worst = 0;
  for (size_t s = 0; s < r->sample_count; s++)
    worst = larger(worst, hypot(sample(r, SNAKE_S_X, s) - sample(ideal, SNAKE_S_X, s),
                                sample(r, SNAKE_S_Z, s) - sample(ideal, SNAKE_S_Z, s)));
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8, "%g", value_of(r, "energy_error", 0));
  omr_result_destroy(r);
  cr_log_info("spring of %g N m: %.3g m from the board with prescribed angles", stiffness, worst);
  return worst;
}

/* A spring gives way by J_e (theta'' + phi'')/k: ten times the stiffness, a tenth of the distance.
 */
Test(snakeboard_free, stiff_springs_hold_the_wheelsets_to_their_gaits) {
  static const char text[] = FREE("\"type\": \"prescribed\"", DRIVEN, "");
  omr_result *ideal = run_study(text, OVERRIDES("integrator.step=0.1 ms"));
  double before = distance_to_prescribed(ideal, 100);
  for (double stiffness = 1000; stiffness <= 10000; stiffness *= 10) {
    double now = distance_to_prescribed(ideal, stiffness), order = log10(before / now);
    cr_expect(order > 0.9 && order < 1.1, "order %g", order);
    before = now;
  }
  omr_result_destroy(ideal);
}

/* Mean acceleration along the coupler from 15 s to 30 s, whole periods of 1 s, of the ready study
 * with wheelsets of this amplitude on this spring. */
static double mean_acceleration(double stiffness, double amplitude) {
  char spring[64], gait[64];
  snprintf(spring, sizeof spring, "parameters.steering.stiffness=%g", stiffness);
  snprintf(gait, sizeof gait, "parameters.gait.front.amplitude=%g", amplitude);
  const char *const set[] = {spring, gait, "vary=[]", "design=null", "integrator.step_error=off"};
  omr_study *study = NULL;
  omr_result *r = NULL;
  omr_error error = {.message = ""};
  cr_assert_eq(omr_study_load("studies/snakeboard_free.json", set, 5, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_run(study, NULL, &r, &error), OMR_OK, "%s", error.message);
  omr_study_destroy(study);
  const size_t last = r->sample_count - 1;
  cr_assert_float_eq(r->sample_time[last] - r->sample_time[last / 2], 15, 1e-9);
  const double mean = (sample(r, SNAKE_S_VX, last) - sample(r, SNAKE_S_VX, last / 2)) / 15;
  omr_result_destroy(r);
  return mean;
}

/* Of opposite wheelsets on a board that goes straight but for first order, the difference of the
 * angles swings as J_e psi'' = k (g - psi) + d (g' - psi') with the gaits' g = 2 a sin(omega t):
 * the coupler's yaw turns both alike. The rotor's torque J_r b omega^2 sin(omega t) on a coupler
 * that turns by u psi/(2 l) drives the mass M + 2 m_v of board and rolling wheelsets. So the mean
 * of u' is J_r a b omega^2/(2 (M + 2 m_v) l) Re H with H = (k + i omega d)/(k - J_e omega^2 + i
 * omega d), but for the third order in a: a quarter of the amplitude leaves a sixteenth of what is
 * missing.
 */
static double formula(double stiffness, double amplitude) {
  const double omega = 2 * acos(-1.0), damping = 0.01, rotor = 0.07, length = 0.2, swing = 0.5;
  const double spun = 4e-4 / (0.05 * 0.05), mass = 4 + 2 * (0.4 + 2 * 0.3 + 2 * spun),
               steered = 5e-4 + 2 * 2e-4 + 2 * 0.06 * 0.06 * (0.3 + spun);
  const double push = omega * damping, left = stiffness - steered * omega * omega;
  const double real = (stiffness * left + push * push) / (left * left + push * push);
  return rotor * amplitude * swing * omega * omega / (2 * mass * length) * real;
}

Test(snakeboard_free, springs_drive_forward_or_back_as_the_resonance_says) {
  static const double springs[] = {0.05, 0.3, 0.6};
  for (int i = 0; i < 3; i++) {
    double off[2];
    for (int k = 0; k < 2; k++) {
      const double amplitude = k == 0 ? 0.02 : 0.005, expected = formula(springs[i], amplitude);
      off[k] = mean_acceleration(springs[i], amplitude) / expected - 1;
      cr_log_info("%g N m, %g rad: %.6g m/s2 expected, off by %.2g", springs[i], amplitude,
                  expected, off[k]);
    }
    cr_expect_lt(fabs(off[0]), 0.01);
    const double order = log(off[0] / off[1]) / log(4);
    cr_expect(order > 1.8 && order < 2.2, "order %g", order);
  }
  cr_expect(formula(0.05, 0.02) < 0 && formula(0.3, 0.02) > 0);
}

Test(snakeboard_free, wheelsets_without_inertia_are_refused) {
  static const char text[] =
      FREE("\"type\": \"free\"",
           "\"scale\": 0, \"wheelset\": {\"rod_inertia\": 0, \"diametral_inertia\": 0, "
           "\"axial_inertia\": 0}",
           "");
  omr_study *study = NULL;
  omr_result *result = NULL;
  omr_error error = {.message = ""};
  omr_status status = omr_study_parse(text, "test", NULL, 0, &study, &error);
  if (status == OMR_OK) status = omr_run(study, NULL, &result, &error);
  cr_expect_neq(status, OMR_OK);
  cr_expect_not_null(strstr(error.message, "give wheelset.rod_inertia"), "%s", error.message);
  omr_study_destroy(study);
  omr_result_destroy(result);
}
