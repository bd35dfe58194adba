/* The snakeboard of source 3, section 3.3, in maximal coordinates
 * (host/reference/systems/snakeboard.json) against the reduced equations that the ensembles run
 * (kernels/small/snakeboard.h): with rigid joints they agree, with compliant ones they come
 * together as stiffness and damping grow. */
#include "host/model/small.h"
#include "host/result/result.h"
#include "reference/multibody/joints.h"
#include "reference/reference.h"
#include "tests/physics/shared/kernel.h"
#include "tests/physics/shared/motion.h"
#include "tests/skip.h"

#include <criterion/logging.h>

static const omr_mb_tolerance smooth = {.relative = 1e-13, .absolute = 1e-13};
static const omr_mb_tolerance stiff = {.method = OMR_MB_BDF, .relative = 1e-10, .absolute = 1e-11};

/* ---- one state */

static const struct {
  int parameter;
  double low, high;
} draws[] = {{OMR_VP_SNAKE_COUPLER_MASS, 0.5, 3},
             {OMR_VP_SNAKE_COUPLER_INERTIA, 0.01, 0.1},
             {OMR_VP_SNAKE_HALF_LENGTH, 0.1, 0.5},
             {OMR_VP_SNAKE_ROTOR_MASS, 0.5, 3},
             {OMR_VP_SNAKE_ROTOR_INERTIA, 0.01, 0.2},
             {OMR_VP_SNAKE_ROD_MASS, 0.1, 1},
             {OMR_VP_SNAKE_ROD_INERTIA, 1e-3, 0.01},
             {OMR_VP_SNAKE_WHEEL_MASS, 0.1, 1},
             {OMR_VP_SNAKE_AXIAL_INERTIA, 1e-3, 0.01},
             {OMR_VP_SNAKE_DIAMETRAL_INERTIA, 0.005, 0.01},
             {OMR_VP_SNAKE_RADIUS, 0.03, 0.2},
             {OMR_VP_SNAKE_HALF_TRACK, 0.05, 0.2},
             {OMR_VP_SNAKE_SCALE, 0.5, 2},
             {OMR_VP_SNAKE_STEER_STIFFNESS, 0, 3},
             {OMR_VP_SNAKE_STEER_DAMPING, 0, 0.3},
             {OMR_VP_INITIAL_X, -3, 3},
             {OMR_VP_INITIAL_Z, -3, 3},
             {OMR_VP_INITIAL_YAW, -3, 3},
             {OMR_VP_INITIAL_VX, -2, 2}};

static void draw_values(double *v, uint64_t *seed) {
  for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
  for (size_t i = 0; i < sizeof draws / sizeof *draws; i++)
    v[draws[i].parameter] = draw(seed, draws[i].low, draws[i].high);
  for (int i = 0; i < 9; i++)
    v[OMR_VP_SNAKE_FRONT_AMPLITUDE + i] = draw(seed, -1, 1) * (i % 3 == 1 ? 4 : i % 3 == 2 ? 3 : 1);
}

/* Every sample of a random board in a random motion: velocities, forces, torques, power, energy. */
static void check_states(int wheelsets, int steering) {
  const omr_reference_model *model = omr_reference_model_of(OMR_MODEL_SNAKEBOARD);
  omr_study study = {.model = OMR_MODEL_SNAKEBOARD, .options = {wheelsets}};
  int c[K_COUNT] = {[K_MODEL] = SMALL_SNAKEBOARD, [K_OPTION_0] = wheelsets};
  uint64_t seed = 23;
  double worst = 0;
  for (int k = 0; k < 100; k++) {
    omr_values values;
    double p[SNAKE_P_COUNT], y[SNAKE_Y_COUNT] = {0}, e[SNAKE_E_COUNT] = {0}, dy[SNAKE_Y_COUNT],
                             reduced[SNAKE_S_COUNT];
    omr_reason why;
    study.options[1] = k % 2 ? SNAKE_JOINTS_DETERMINATE : SNAKE_JOINTS_RIGID;
    study.options[2] = c[K_OPTION_2] = steering;
    draw_values(values.vehicle, &seed);
    if (wheelsets >= SNAKE_REAR_ASTROID) {
      values.vehicle[OMR_VP_SNAKE_PATH_ROUNDING] = 0.6; /* the longest board can turn everywhere */
      values.vehicle[OMR_VP_SNAKE_PATH_START] = draw(&seed, -3, 3);
    }
    cr_assert(omr_snakeboard.prepare(&study, values.vehicle, p, y, e, why.text, sizeof why.text),
              "%s", why.text);
    snakeboard_rates(c, p, y, 0, dy, reduced);
    omr_reference r = {0};
    omr_error error = {.message = ""};
    double full[SNAKE_S_COUNT];
    cr_assert(model->assemble(&study, &values, &r, &why), "%s", why.text);
    cr_assert_eq(omr_mb_evaluate(r.mb, NULL, &error), OMR_OK, "%s", error.message);
    cr_assert_eq(r.mb->bodies, 9);
    /* coupler, servos, axle joints, wheels on the floor: 54 - 55 + 2 = 54 - 53 = 1 freedom */
    const int free = steering == SNAKE_STEERING_FREE ? 2 : 0; /* angles that no servo prescribes */
    cr_expect_eq(r.mb->rows, 5 + 3 * 6 + 4 * 5 + 4 * 3 - (k % 2 ? 2 : 0) - free);
    cr_expect_eq(r.mb->solver.redundant, k % 2 ? 0 : 2, "%d", r.mb->solver.redundant);
    model->sample(&r, full);
    double size = 1;
    for (int j = 0; j < SNAKE_S_COUNT; j++) size = larger(size, reduced[j]);
    for (int j = 0; j < SNAKE_S_COUNT; j++) {
      if (j == SNAKE_S_MOMENTUM) continue;
      worst = larger(worst, (full[j] - reduced[j]) / size);
      cr_expect_lt(fabs(full[j] - reduced[j]), 1e-11 * size, "board %d: %s: %.15g, not %.15g", k,
                   omr_snakeboard.list->sample_list[j].name, full[j], reduced[j]);
    }
    omr_reference_close(&r);
  }
  cr_log_info("largest difference of 100 states %.2g of the largest number", worst);
}

Test(snakeboard_reference, nine_bodies_accelerate_as_the_reduced_equations_say) {
  check_states(SNAKE_REAR_FREE, SNAKE_STEERING_PRESCRIBED);
  check_states(SNAKE_REAR_FREE, SNAKE_STEERING_FREE);
  for (int curve = SNAKE_REAR_ASTROID; curve <= SNAKE_REAR_ROSE4; curve++)
    check_states(curve, SNAKE_STEERING_PRESCRIBED);
}

/* ---- curves */

/* A point of the curve that the word names, as appendix/small.md#models writes it, with the cusps
 * rounded by `rounding`. */
static void curve_point(int word, double t, double rounding, double *x, double *y) {
  const double part = 1 - rounding;
  switch (word) {
  case SNAKE_REAR_ASTROID: /* cos^3 = (3 cos t + cos 3 t)/4, sin^3 = (3 sin t - sin 3 t)/4 */
    *x = pow(cos(t), 3) - rounding * cos(3 * t) / 4;
    *y = pow(sin(t), 3) + rounding * sin(3 * t) / 4;
    return;
  case SNAKE_REAR_CYCLOID: *x = t - part * cos(t), *y = part * sin(t); return;
  case SNAKE_REAR_EIGHT: *x = cos(t), *y = sin(t) * cos(t); return;
  case SNAKE_REAR_ROSE3: *x = cos(3 * t) * cos(t), *y = cos(3 * t) * sin(t); return;
  default: *x = cos(2 * t) * cos(t), *y = cos(2 * t) * sin(t);
  }
}

/* How a board starts at tau: its wheelset's angle and the angle's rate at 1 m/s. */
static void start_on(omr_study *study, int word, double tau, double *angle, double *rate) {
  const omr_reference_model *model = omr_reference_model_of(OMR_MODEL_SNAKEBOARD);
  omr_reference r = {0};
  omr_values values;
  omr_reason why;
  double speed, shift, samples[SNAKE_S_COUNT];
  for (int i = 0; i < OMR_VP_COUNT; i++) values.vehicle[i] = omr_vehicle_parameters[i].standard;
  values.vehicle[OMR_VP_SNAKE_PATH_ROUNDING] = 0.25;
  values.vehicle[OMR_VP_SNAKE_PATH_START] = tau;
  values.vehicle[OMR_VP_INITIAL_VX] = 1;
  study->options[0] = word;
  cr_assert(model->assemble(study, &values, &r, &why), "%s", why.text);
  model->sample(&r, samples);
  *angle = samples[SNAKE_S_FRONT_ANGLE];
  for (int i = 0; i < r.mb->constraints; i++) {
    const omr_mb_constraint *c = r.mb->constraint[i];
    if (!strcmp(c->name, "front servo"))
      omr_joint_motion(r.mb, (const omr_joint *)c, &shift, &speed, rate);
  }
  omr_reference_close(&r);
}

/* Against the circle through three neighbouring points: its curvature is four times the area over
 * the product of the sides; and differences of the angle over the way. */
Test(snakeboard_reference, bends_are_those_of_the_curves_themselves) {
  const double size = 3, rounding = 0.25, length = 0.2, h = 1e-4;
  omr_study study = {.model = OMR_MODEL_SNAKEBOARD};
  uint64_t seed = 7;
  for (int word = SNAKE_REAR_ASTROID; word <= SNAKE_REAR_ROSE4; word++) {
    for (int k = 0; k < 50; k++) {
      const double tau = draw(&seed, 0, 6.2);
      double x[3], y[3], angle[3], rate[3];
      for (int i = 0; i < 3; i++) curve_point(word, tau + (i - 1) * h, rounding, &x[i], &y[i]);
      const double a = hypot(x[1] - x[0], y[1] - y[0]), b = hypot(x[2] - x[1], y[2] - y[1]),
                   c = hypot(x[2] - x[0], y[2] - y[0]);
      const double area = (x[1] - x[0]) * (y[2] - y[1]) - (x[2] - x[1]) * (y[1] - y[0]);
      for (int i = 0; i < 3; i++) start_on(&study, word, tau + (i - 1) * h, &angle[i], &rate[i]);
      const double bend = length * 2 * area / (a * b * c) / size;
      cr_expect_float_eq(tan(angle[1]), bend, 1e-5 * (1 + fabs(bend) * fabs(bend) * bend * bend),
                         "%d at %g: %.9g, not %.9g", word, tau, tan(angle[1]), bend);
      cr_expect_float_eq(rate[1], (angle[2] - angle[0]) / (size * c), 1e-4);
    }
  }
}

/* ---- motions */

#define GAIT(front, rear, rotor, more, duration)                                                   \
  "{\"model\": \"snakeboard\", \"parameters\": {\"gait\": {\"front\": {\"amplitude\": 0.5, "       \
  "\"frequency\": " front "},"                                                                     \
  "\"rear\": {\"amplitude\": -0.5, \"frequency\": " rear                                           \
  "}, \"rotor\": {\"amplitude\": 1, \"frequency\": " rotor "}}" more "},"                          \
  "\"integrator\": {\"step\": \"5 ms\", \"duration\": \"" duration                                 \
  " s\"}, \"engine\": {\"backend\": \"openmp\"},"                                                  \
  "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"50 ms\"}}}"

static void run_reference(const char *text, const char *const *overrides,
                          const omr_mb_tolerance *tolerance, omr_reference_run *run) {
  omr_study *study = NULL;
  omr_error error = {.message = ""};
  size_t count = 0;
  while (overrides && overrides[count]) count++;
  cr_assert_eq(omr_study_parse(text, "test", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  omr_reference_options options = {.tolerance = *tolerance, .extremes = true};
  cr_assert_eq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, run, &error),
               OMR_OK, "%s", error.message);
  omr_study_destroy(study);
}

static void expect_refusal(const char *text, const char *override, const char *because) {
  omr_study *study = NULL;
  omr_error error = {.message = ""};
  omr_reference_run run;
  omr_reference_options options = {.tolerance = smooth};
  cr_assert_eq(omr_study_parse(text, "test", &override, 1, &study, &error), OMR_OK, "%s",
               error.message);
  cr_expect_eq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, &run, &error),
               OMR_ERR_STUDY, "%s", override);
  cr_expect_not_null(strstr(error.message, because), "%s: %s", override, error.message);
  omr_study_destroy(study);
}

/* Largest differences of the run's samples to the engine's. */
static void compare(const omr_result *r, const omr_reference_run *run,
                    double worst[SNAKE_S_COUNT]) {
  cr_assert_eq(run->times, r->sample_count);
  memset(worst, 0, SNAKE_S_COUNT * sizeof *worst);
  for (size_t s = 0; s < run->times; s++)
    for (int j = 0; j < SNAKE_S_COUNT; j++)
      if (j != SNAKE_S_MOMENTUM)
        worst[j] =
            larger(worst[j], run->samples[s * SNAKE_S_COUNT + (size_t)j] - r->small_samples[j][s]);
}

static bool of_acceleration(int sample) {
  return sample >= SNAKE_S_FRONT_FORCE && sample <= SNAKE_S_POWER;
}

static const char *const columns[] = {
    "final_x",        "final_z",     "final_yaw",     "final_vx",          "final_vz",
    "final_yaw_rate", "path_length", "distance",      "max_lateral_force", "max_servo_torque",
    "max_speed",      "drive_work",  "kinetic_energy"};

static void check_observables(const omr_result *r, const omr_reference_run *run, double tolerance) {
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    double expected = value_of(r, columns[i], 0), found = (double)NAN;
    for (int j = 0; j < OMR_OBS_COUNT; j++)
      if (!strcmp(omr_observables[j].name, columns[i])) found = run->observables[j];
    cr_expect_lt(fabs(found - expected), tolerance * fmax(1, fabs(expected)),
                 "%s: %.12g, not %.12g", columns[i], found, expected);
  }
}

static void check_gait_at(const char *name, const char *text, const char *joints,
                          const char *step) {
  omr_reference_run run;
  double worst[SNAKE_S_COUNT], most[2] = {0, 0};
  omr_result *r = run_study(text, OVERRIDES(step));
  run_reference(text, OVERRIDES(joints, step), &smooth, &run);
  compare(r, &run, worst);
  for (int j = 0; j < SNAKE_S_COUNT; j++) {
    bool force = of_acceleration(j);
    cr_expect_lt(worst[j], force ? 1e-7 : 1e-8, "%s: %s differs by %g", name,
                 omr_snakeboard.list->sample_list[j].name, worst[j]);
    most[force] = fmax(most[force], worst[j]);
  }
  check_observables(r, &run, 1e-7);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-9, "%g",
               run.observables[OMR_OBS_ENERGY_ERROR]);
  double drift[2] = {0, 0};
  for (int i = 0; i < run.drift_count; i++) {
    drift[0] = fmax(drift[0], run.drift[i].position);
    drift[1] = fmax(drift[1], run.drift[i].velocity);
  }
  cr_expect_lt(drift[0], 1e-8);
  cr_expect_lt(drift[1], 1e-9);
  cr_log_info("%s: kinematics differ by %.2g, forces and torques by %.2g; drift %.2g m or rad, "
              "%.2g m/s or rad/s; %ld steps",
              name, most[0], most[1], drift[0], drift[1], run.counts.steps);
  omr_reference_run_free(&run);
  omr_result_destroy(r);
}

static void check_gait(const char *name, const char *text, const char *joints) {
  check_gait_at(name, text, joints, "integrator.step=5 ms");
}

/* Source 3: "a full coincidence of the gait types for our regularized model and the idealized
 * model". */
Test(snakeboard_reference, rigid_boards_move_as_the_reduced_equations_say) {
  check_gait("drive", GAIT("2", "2", "2", "", "4"), "parameters.joints=rigid");
  check_gait("rotate", GAIT("2", "2", "4", "", "20"), "parameters.joints=determinate");
  if (!short_form()) check_gait("parking", GAIT("2", "2", "3", "", "4"), "parameters.joints=rigid");
  check_gait("no relation",
             GAIT("2", "3.1", "4.7", ", \"initial\": {\"vx\": 0.3, \"yaw\": 1, \"x\": 2}", "4"),
             "parameters.joints=rigid");
}

#define ON_CURVE(name, rounding)                                                                   \
  "{\"model\": \"snakeboard\", \"parameters\": {\"gait\": {\"wheelsets\": \"" name                 \
  "\", \"path\": {\"size\": 1" rounding                                                            \
  "}, \"rotor\": {\"amplitude\": 0.5, \"frequency\": 2}}, \"initial\": {\"vx\": 0.5}}, "           \
  "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"1.5 s\"}, \"engine\": {\"backend\": "      \
  "\"openmp\"}, \"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"50 "       \
  "ms\"}}}"
#define ROUNDED ", \"rounding\": 0.4"

/* Angles that follow the way of the board itself: a condition with its acceleration in it. */
Test(snakeboard_reference, boards_on_curves_move_as_the_reduced_equations_say) {
  static const char *const step = "integrator.step=0.5 ms", *const joints =
                                                                "parameters.joints=rigid";
  check_gait_at("rose of four", ON_CURVE("rose4", ""), joints, step);
  if (short_form()) return; /* the first test has each curve in random states */
  check_gait_at("astroid", ON_CURVE("astroid", ROUNDED), joints, step);
  check_gait_at("cycloid", ON_CURVE("cycloid", ROUNDED), joints, step);
  check_gait_at("eight", ON_CURVE("eight", ""), joints, step);
  check_gait_at("rose of three", ON_CURVE("rose3", ""), joints, step);
}

/* A joint without a servo in place of one: the wheelset turns freely, or on a spring and a damper,
 * whose swing of 14 rad/s asks for shorter steps of the engine. */
Test(snakeboard_reference, free_wheelsets_move_as_the_reduced_equations_say) {
  check_gait(
      "free",
      GAIT("2", "2", "3", ", \"steering\": {\"type\": \"free\"}, \"initial\": {\"vx\": 0.3}", "2"),
      "parameters.joints=rigid");
  check_gait_at("on springs",
                GAIT("2", "2.6", "3",
                     ", \"steering\": {\"type\": \"free\", \"stiffness\": 0.5, \"damping\": 0.02}",
                     "4"),
                "parameters.joints=determinate", "integrator.step=1 ms");
}

/* Light wheelsets: at 1e-4 S still has seven digits; from 1e-6 on the saddle point is solved
 * (host/reference/multibody/saddle.c), which loses none, at the 1e-7 of the source (wheels of 30
 * micrograms beside 4 kg) or a thousandth of it. Both kinds of joints: with the rigid ones two
 * conditions are redundant whatever the masses. */
static void check_scale(const char *scale, const char *joints, double tolerance,
                        const omr_mb_tolerance *steps) {
  static const char text[] = GAIT("2", "2", "2", "", "2");
  char set[64], kind[64];
  snprintf(set, sizeof set, "parameters.scale=%s", scale);
  snprintf(kind, sizeof kind, "parameters.joints=%s", joints);
  omr_reference_run run;
  double worst[SNAKE_S_COUNT], most[2] = {0, 0};
  omr_result *r = run_study(text, OVERRIDES(set, kind));
  run_reference(text, OVERRIDES(set, kind), steps, &run);
  cr_expect_eq(run.redundant, strcmp(joints, "rigid") == 0 ? 2 : 0);
  compare(r, &run, worst);
  for (int j = 0; j < SNAKE_S_COUNT; j++) {
    bool force = of_acceleration(j);
    most[force] = fmax(most[force], worst[j]);
    if (force && tolerance > 1e-8) continue; /* S at 1e-4 */
    cr_expect_lt(worst[j], tolerance, "scale %s, %s: %s differs by %g", scale, joints,
                 omr_snakeboard.list->sample_list[j].name, worst[j]);
  }
  cr_log_info("scale %s, %s: kinematics differ by %.2g, forces by %.2g; %ld steps", scale, joints,
              most[0], most[1], run.counts.steps);
  omr_reference_run_free(&run);
  omr_result_destroy(r);
}

Test(snakeboard_reference, a_small_scale_has_light_wheels) {
  static const omr_mb_tolerance loose = {.relative = 1e-9, .absolute = 1e-9},
                                fine = {.relative = 1e-11, .absolute = 1e-12};
  check_scale("1e-4", "rigid", 1e-6, &loose);
  if (short_form()) return; /* test_saddle.c has bodies of any lightness */
  check_scale("1e-6", "rigid", 1e-8, &fine);
  check_scale("1e-7", "rigid", 1e-8, &fine);
  check_scale("1e-7", "determinate", 1e-8, &fine);
  check_scale("1e-10", "rigid", 1e-8, &fine);
  check_scale("1e-10", "determinate", 1e-8, &fine);
}

/* ---- compliant joints */

#define COMPLIANT GAIT("2", "2", "3", ", \"joints\": \"compliant\"", "3")

/* Largest distance and difference of yaw to the ideal board with stiffness and damping times
 * `factor`, and the work left over. */
static void distance_to_ideal(double factor, double out[2]) {
  char stiffness[64], damping[64];
  snprintf(stiffness, sizeof stiffness, "parameters.joint.stiffness=%g", 1000 * factor);
  snprintf(damping, sizeof damping, "parameters.joint.damping=%g", 5000 * factor);
  omr_reference_run run;
  omr_result *r = run_study(COMPLIANT, OVERRIDES(stiffness, damping));
  run_reference(COMPLIANT, OVERRIDES(stiffness, damping), &stiff, &run);
  cr_assert_eq(run.status, 0);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-6, "%g",
               run.observables[OMR_OBS_ENERGY_ERROR]);
  cr_expect_eq(run.rows,
               4 + 3 * 6 + 4 * 4 +
                   4 * 3); /* 54 - 50: the ideal freedom, one more along the coupler, two across */
  cr_expect_eq(run.redundant, 0);
  out[0] = out[1] = 0;
  for (size_t s = 0; s < run.times; s++) {
    const double *full = run.samples + s * SNAKE_S_COUNT;
    out[0] = larger(out[0], hypot(full[SNAKE_S_X] - r->small_samples[SNAKE_S_X][s],
                                  full[SNAKE_S_Z] - r->small_samples[SNAKE_S_Z][s]));
    out[1] = larger(out[1], full[SNAKE_S_YAW] - r->small_samples[SNAKE_S_YAW][s]);
  }
  cr_log_info("c = %g, d = %g: %.3g m, %.3g rad from the ideal board; %ld steps", 1000 * factor,
              5000 * factor, out[0], out[1], run.counts.steps);
  omr_reference_run_free(&run);
  omr_result_destroy(r);
}

/* What the joints give way by is in proportion to 1/c and 1/d: ten times both, a tenth of the
 * distance. */
Test(snakeboard_reference, compliant_joints_tend_to_the_ideal_board) {
  double before[2], now[2];
  distance_to_ideal(1, before);
  for (double factor = 10; factor <= 100; factor *= 10) {
    distance_to_ideal(factor, now);
    for (int i = 0; i < 2; i++) {
      double order = log10(before[i] / now[i]);
      cr_expect(order > 0.9 && order < 1.1, "%s falls by the order %g", i ? "yaw" : "distance",
                order);
      before[i] = now[i];
    }
  }
}

/* ---- what it refuses */

Test(snakeboard_reference, parts_without_mass_are_no_bodies) {
  expect_refusal(COMPLIANT, "parameters.scale=0",
                 "scale is 0; the reference has a body for every part");
  expect_refusal(COMPLIANT, "parameters.wheelset.rod_mass=0",
                 "wheelset.rod_mass is 0; the reference has a body for every part");
  expect_refusal(COMPLIANT, "parameters.rotor.yaw_inertia=0",
                 "rotor.yaw_inertia is 0; the reference has a body for every part");
}

/* As in the ensembles: both angles at 90 deg, and one of them with a speed along the coupler. */
Test(snakeboard_reference, wheelsets_that_do_not_hold_the_board_are_refused) {
  static const char text[] = "{\"model\": \"snakeboard\", \"parameters\": {\"gait\": {\"front\": "
                             "{\"amplitude\": 1.5707963, \"phase\": \"90 deg\"},"
                             "\"rear\": {\"phase\": \"90 deg\"}}, \"initial\": {\"vx\": 1}}, "
                             "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"1 "
                             "s\"}}";
  expect_refusal(text, "parameters.gait.rear.amplitude=1.5707963", "do not hold the board");
  expect_refusal(text, "parameters.gait.rear.amplitude=0.1", "hold it against initial.vx");
}
