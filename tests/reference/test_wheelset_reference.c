/* The wheelset of source 3, section 3.2, in maximal coordinates
 * (host/reference/systems/wheelset.json) against the reduced equations that the ensembles run
 * (kernels/small/wheelset.h): the ideal one agrees, the one with compliant joints tends to it as
 * stiffness and damping grow. */
#include "host/model/small.h"
#include "host/result/result.h"
#include "reference/multibody/joints.h"
#include "reference/reference.h"
#include "tests/physics/shared/kernel.h"
#include "tests/physics/shared/motion.h"

#include <criterion/logging.h>

static const omr_mb_tolerance smooth = {.relative = 1e-14, .absolute = 1e-14};
static const omr_mb_tolerance stiff = {.method = OMR_MB_BDF, .relative = 1e-12, .absolute = 1e-13};

static omr_study *parse(const char *text, const char *const *overrides) {
  omr_study *study = NULL;
  omr_error error = {.message = ""};
  size_t count = 0;
  while (overrides && overrides[count]) count++;
  cr_assert_eq(omr_study_parse(text, "test", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

/* ---- one state */

static const struct {
  int parameter;
  double low, high;
} draws[] = {{OMR_VP_GRAVITY, 1, 20},           {OMR_VP_UK_RADIUS, 0.05, 0.6},
             {OMR_VP_WSET_HALF_TRACK, 0.1, 1},  {OMR_VP_WSET_LEFT_MASS, 0.3, 8},
             {OMR_VP_WSET_RIGHT_MASS, 0.3, 8},  {OMR_VP_WSET_ROD_MASS, 0.3, 8},
             {OMR_VP_WSET_LEFT_AXIAL, 0.01, 1}, {OMR_VP_WSET_RIGHT_AXIAL, 0.01, 1},
             {OMR_VP_WSET_ROD_AXIAL, 0.01, 1},  {OMR_VP_PLANE_SLOPE, 0, 1.2},
             {OMR_VP_PLANE_DIRECTION, -4, 4},   {OMR_VP_INITIAL_X, -3, 3},
             {OMR_VP_INITIAL_Z, -3, 3},         {OMR_VP_INITIAL_YAW, -3, 3},
             {OMR_VP_INITIAL_VX, -3, 3},        {OMR_VP_INITIAL_YAW_RATE, -5, 5},
             {OMR_VP_WSET_LEFT_ANGLE, -3, 3},   {OMR_VP_WSET_RIGHT_ANGLE, -3, 3},
             {OMR_VP_WSET_ROD_ANGLE, -3, 3},    {OMR_VP_WSET_ROD_RATE, -20, 20},
             {OMR_VP_WSET_LEFT_TORQUE, -5, 5},  {OMR_VP_WSET_RIGHT_TORQUE, -5, 5},
             {OMR_VP_WSET_YAW_TORQUE, -5, 5}};

/* Every sample of a random wheelset in a random motion: poses, rates, accelerations, forces,
 * energy. */
Test(wheelset_reference, three_bodies_accelerate_as_the_reduced_equations_say) {
  const omr_reference_model *model = omr_reference_model_of(OMR_MODEL_WHEELSET);
  omr_study study = {.model = OMR_MODEL_WHEELSET};
  int c[K_COUNT] = {[K_MODEL] = SMALL_WHEELSET};
  uint64_t seed = 17;
  double worst = 0;
  for (int k = 0; k < 100; k++) {
    omr_values values;
    double *v = values.vehicle, p[WSET_P_COUNT], y[WSET_Y_COUNT] = {0}, e[WSET_E_COUNT],
           dy[WSET_Y_COUNT], reduced[WSET_S_COUNT];
    for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++)
      v[draws[i].parameter] = draw(&seed, draws[i].low, draws[i].high);
    study.options[1] = k % 2 ? WSET_REACTION_ROD : WSET_REACTION_NONE;
    omr_reason why;
    cr_assert(omr_wheelset.prepare(&study, v, p, y, e, why.text, sizeof why.text), "%s", why.text);
    wheelset_rates(c, p, y, 0, dy, reduced);
    omr_reference r = {0};
    omr_error error = {.message = ""};
    double full[WSET_S_COUNT];
    cr_assert(model->assemble(&study, &values, &r, &why), "%s", why.text);
    cr_assert_eq(omr_mb_evaluate(r.mb, NULL, &error), OMR_OK, "%s", error.message);
    cr_assert_eq(r.mb->states, 3 * 13 + 2 + 7);
    cr_expect_eq(r.mb->rows, 2 * 5 + 2 * 3);
    cr_expect_eq(r.mb->solver.redundant,
                 1); /* of the conditions along the axle one is too many: three freedoms are left */
    model->sample(&r, full);
    double size = fmax(1, p[WSET_P_MASS] * v[OMR_VP_GRAVITY] +
                              fabs(reduced[WSET_S_LATERAL_FORCE]) / v[OMR_VP_WSET_HALF_TRACK]);
    for (int j = 0; j < WSET_S_COUNT; j++) {
      worst = larger(worst, (full[j] - reduced[j]) / size);
      cr_expect_lt(fabs(full[j] - reduced[j]), 1e-12 * size, "%s: %.15g, not %.15g",
                   omr_wheelset.list->sample_list[j].name, full[j], reduced[j]);
    }
    omr_reference_close(&r);
  }
  cr_log_info("largest difference of 100 states %.2g of weight and lateral force", worst);
}

/* ---- motions */

#define UNEQUAL                                                                                    \
  "{\"model\": \"wheelset\", \"parameters\": {\"radius\": 0.15, \"half_track\": 0.3, "             \
  "\"left_wheel\": {\"mass\": 2,"                                                                  \
  "\"axial_inertia\": 0.03}, \"right_wheel\": {\"mass\": 1.2}, \"plane\": {\"slope\": 0.05, "      \
  "\"direction\": -1},"                                                                            \
  "\"drive\": {\"left\": 0.02, \"right\": 0.05, \"yaw\": -0.03, \"reaction\": \"rod\"}, \"rod\": " \
  "{\"axial_inertia\": 0.02},"                                                                     \
  "\"initial\": {\"x\": 1, \"vx\": 0.4, \"yaw_rate\": 2, \"left_angle\": 1, \"rod_rate\": 3}},"    \
  "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"10 s\"}, \"engine\": {\"backend\": "       \
  "\"openmp\"},"                                                                                   \
  "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"50 ms\"}}}"

static void run_reference(const char *text, const char *const *overrides,
                          const omr_mb_tolerance *tolerance, omr_reference_run *run) {
  omr_study *study = parse(text, overrides);
  omr_error error = {.message = ""};
  omr_reference_options options = {.tolerance = *tolerance, .extremes = true};
  cr_assert_eq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, run, &error),
               OMR_OK, "%s", error.message);
  omr_study_destroy(study);
}

/* Kinematics to 1e-9 over 10 s; all differences are those of CVODE's tolerance. Nothing holds the
 * constraints but the conditions on the accelerations (source 2 saw 1e-7 of drift), and
 * accelerations and forces feel the drift of the velocities times the rates, here up to 35 rad/s,
 * times the mass of 5.2 kg: from tolerance 1e-12 to 1e-14 they differ by half of that. */
Test(wheelset_reference, the_ideal_wheelset_moves_as_the_reduced_equations_say) {
  omr_reference_run run;
  omr_result *r = run_study(UNEQUAL, NULL);
  run_reference(UNEQUAL, NULL, &smooth, &run);
  cr_assert_eq(run.times, r->sample_count);
  double worst[WSET_S_COUNT] = {0}, most[2] = {0, 0};
  for (size_t s = 0; s < run.times; s++)
    for (int j = 0; j < WSET_S_COUNT; j++)
      worst[j] =
          larger(worst[j], run.samples[s * WSET_S_COUNT + (size_t)j] - r->small_samples[j][s]);
  double drift = 0;
  for (int i = 0; i < run.drift_count; i++)
    drift = fmax(drift, fmax(run.drift[i].position, run.drift[i].velocity));
  for (int j = 0; j < WSET_S_COUNT; j++) {
    bool force = j >= WSET_S_ACCELERATION && j <= WSET_S_RIGHT_LOAD;
    cr_expect_lt(worst[j], force ? 2 * 5.2 * 35 * drift : 1e-9, "%s differs by %g",
                 omr_wheelset.list->sample_list[j].name, worst[j]);
    most[force] = fmax(most[force], worst[j]);
  }
  for (size_t i = 0; i < omr_result_columns(r); i++) {
    for (int j = 0; j < OMR_OBS_COUNT; j++) {
      if (strcmp(omr_result_column_name(r, i), omr_observables[j].name) != 0) continue;
      double value = omr_result_column(r, i)[0],
             bound = j == OMR_OBS_PATH_LENGTH ? 1e-6 : 1e-8; /* |u| has kinks */
      if (!strcmp(omr_observables[j].unit, "N")) bound = 2 * 5.2 * 35 * drift;
      cr_expect_lt(fabs(run.observables[j] - value), bound, "%s: %.15g, not %.15g",
                   omr_observables[j].name, run.observables[j], value);
    }
  }
  cr_log_info("largest difference over 10 s: motion %.2g, accelerations and forces %.2g; drift "
              "%.2g, %ld steps",
              most[0], most[1], drift, run.counts.steps);
  cr_expect_lt(drift, 1e-9);
  omr_reference_run_free(&run);
  omr_result_destroy(r);
}

Test(wheelset_reference, a_wheel_lifts_where_the_reduced_equations_say) {
  omr_reference_run run;
  const char *const *fast = OVERRIDES("parameters.half_track=0.1", "parameters.plane.slope=0",
                                      "parameters.drive.right=0.5", "parameters.drive.left=0.5",
                                      "parameters.drive.reaction=none");
  omr_result *r = run_study(UNEQUAL, fast);
  run_reference(UNEQUAL, fast, &smooth, &run);
  cr_expect_eq(omr_result_status(r)[0], OMR_INSTANCE_LIFTED);
  cr_expect_eq(run.status, OMR_INSTANCE_LIFTED);
  cr_expect_gt(run.end, 0.5);
  cr_expect_float_eq(run.end, r->status_time[0], 1e-9);
  omr_reference_run_free(&run);
  omr_result_destroy(r);
}

/* ---- compliant joints */

#define SOURCE3                                                                                    \
  "{\"model\": \"wheelset\", \"parameters\": {\"radius\": 0.1, \"half_track\": 0.25, "             \
  "\"left_wheel\": {\"mass\": 1},"                                                                 \
  "\"rod\": {\"mass\": 1, \"axial_inertia\": 2e-4}, \"plane\": {\"slope\": \"5 deg\"}, "           \
  "\"joints\": \"compliant\","                                                                     \
  "\"initial\": {\"yaw\": \"90 deg\", \"vx\": 0.5, \"yaw_rate\": 1}},"                             \
  "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"10 s\"}, \"engine\": {\"backend\": "       \
  "\"openmp\"},"                                                                                   \
  "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"50 ms\"}}}"

/* Largest distance of the axle's middle from the ideal wheelset's, and of the yaw, over 10 s. */
static void distance_to_ideal(double factor, double out[2]) {
  char stiffness[64], damping[64];
  snprintf(stiffness, sizeof stiffness, "parameters.joint.stiffness=%g", 1000 * factor);
  snprintf(damping, sizeof damping, "parameters.joint.damping=%g", 5000 * factor);
  omr_reference_run run;
  omr_result *r = run_study(SOURCE3, OVERRIDES(stiffness, damping));
  run_reference(SOURCE3, OVERRIDES(stiffness, damping), &stiff, &run);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-7);
  out[0] = out[1] = 0;
  for (size_t s = 0; s < run.times; s++) {
    const double *full = run.samples + s * WSET_S_COUNT;
    out[0] = larger(out[0], hypot(full[WSET_S_X] - r->small_samples[WSET_S_X][s],
                                  full[WSET_S_Z] - r->small_samples[WSET_S_Z][s]));
    out[1] = larger(out[1], full[WSET_S_YAW] - r->small_samples[WSET_S_YAW][s]);
  }
  omr_reference_run_free(&run);
  omr_result_destroy(r);
}

/* The rod gives way by its lateral load over 2 c, at most m g sin s/2 c + creep; both stiffness and
 * damping times ten leave a tenth of the distance: order 1. */
Test(wheelset_reference, compliant_joints_tend_to_the_ideal_wheelset) {
  double before[2], now[2];
  distance_to_ideal(1, before);
  cr_log_info("c = 1000, d = 5000: %.3g m, %.3g rad from the ideal wheelset", before[0], before[1]);
  for (double factor = 10; factor <= 1000; factor *= 10) {
    distance_to_ideal(factor, now);
    double order[2] = {log10(before[0] / now[0]), log10(before[1] / now[1])};
    cr_log_info("c = %g, d = %g: %.3g m, %.3g rad: orders %.3f, %.3f", 1000 * factor, 5000 * factor,
                now[0], now[1], order[0], order[1]);
    cr_expect(order[0] > 0.9 && order[0] < 1.1, "distance falls by the order %g", order[0]);
    cr_expect(order[1] > 0.9 && order[1] < 1.1, "yaw falls by the order %g", order[1]);
    memcpy(before, now, sizeof now);
  }
}

static const omr_joint *joint_named(const omr_mb *mb, const char *name) {
  for (int i = 0; i < mb->constraints; i++)
    if (!strcmp(mb->constraint[i]->name, name)) return (const omr_joint *)mb->constraint[i];
  cr_assert_fail("no joint %s", name);
  return NULL;
}

/* On a level circle the rod gives way outwards by w: 2 d w' + 2 c w = m W u, so w = m W u/(2 c) (1
 * - exp(-c t/d)) but for terms of the order of m/d (its own inertia) and w/b. No slip holds the
 * wheels' distance, so both joints give way alike: of the two freedoms that source 3 counts,
 * positions gain two, motions one. */
Test(wheelset_reference, compliant_joints_creep_with_the_time_constant_of_spring_and_damper) {
  omr_study *study = parse(SOURCE3, OVERRIDES("parameters.plane.slope=0"));
  const omr_reference_model *model = omr_reference_model_of(OMR_MODEL_WHEELSET);
  omr_values values;
  omr_reference r = {0};
  omr_mb_integrator *g;
  omr_error error = {.message = ""};
  omr_reason why;
  omr_study_values(study, 0, &values, NULL);
  cr_assert(model->assemble(study, &values, &r, &why), "%s", why.text);
  cr_assert_eq(omr_mb_integrator_create(r.mb, &stiff, NULL, &g, &error), OMR_OK, "%s",
               error.message);
  const omr_joint *left = joint_named(r.mb, "left joint"),
                  *right = joint_named(r.mb, "right joint");
  for (double t = 1; t <= 10; t++) {
    double gap[2], speed, rate, expected = 1 * 1 * 0.5 / 2000 * (1 - exp(-0.2 * t));
    cr_assert_eq(omr_mb_advance(g, t, &error), OMR_OK, "%s", error.message);
    cr_assert_eq(omr_mb_evaluate(r.mb, NULL, &error), OMR_OK, "%s", error.message);
    omr_joint_motion(r.mb, left, &gap[0], &speed, &rate);
    omr_joint_motion(r.mb, right, &gap[1], &speed, &rate);
    cr_expect_lt(fabs(gap[0] - gap[1]),
                 1e-9); /* of 0.2 mm; a tolerance ten times coarser leaves 4e-9 m */
    cr_expect_lt(fabs(-gap[0] / expected - 1), 2e-3, "%g s: %.6g m, not %.6g m", t, -gap[0],
                 expected);
  }
  cr_expect_eq(r.mb->rows, 2 * 4 + 2 * 3); /* 18 - 14: one freedom more than the ideal three */
  cr_expect_eq(r.mb->solver.redundant, 0);
  omr_mb_integrator_destroy(g);
  omr_reference_close(&r);
  omr_study_destroy(study);
}
