/* Motions of a snakeboard whose wheelsets steer freely: what they keep exactly, and that stiff
 * springs hold them to their gaits. The right-hand side: test_snakeboard.c; in maximal coordinates:
 * tests/reference/test_snakeboard_reference.c. */
#include "host/result/result.h"
#include "kernel.h"
#include "motion.h"

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
