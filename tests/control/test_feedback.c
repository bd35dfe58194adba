/* State feedback: one gain of a wheel's rate is the proportional part of a PI controller; the
 * velocities of a vehicle that rolls ideally obey the recursion of the sampled loop; a pushed
 * vehicle returns to its pose (appendix/drives.md#drives). */
#include "result/result.h"
#include "tests/physics/shared/motion.h"

#include "host/engine/feedback_loop.h"
#include "host/model/ideal.h"
#include "host/model/prepare.h"
#include "host/study/study.h"

#define MOVES "parameters.initial={\"vx\":0.3,\"vz\":-0.1,\"yaw_rate\":0.2}"
#define STILL "parameters.initial={\"vx\":0,\"vz\":0,\"yaw_rate\":0}"
#define STILL_ROS "parameters.initial={\"vx\":0,\"vy\":0,\"yaw_rate\":0}"
#define WHEELS "parameters.wheels=[{},{},{}]"
#define DRIVE(more) "parameters.wheel.drive={\"type\":\"feedback\"" more "}"
#define PERIOD "parameters.controller_period=\"4 ms\""
#define TRACED "output={\"trajectories\":{\"instances\":[0],\"interval\":\"4 ms\"}}"
#define COMMAND "\"type\":\"tanh\",\"vx\":0.5,\"vz\":-0.1,\"yaw_rate\":0.4,\"ramp_time\":0.1"

static void expect_same_samples(const omr_result *a, const omr_result *b) {
  cr_assert_eq(a->sample_count, b->sample_count);
  cr_assert_gt(a->sample_count, 10);
  for (size_t n = 0; n < a->sample_count; n++) {
    for (int j = OMR_VS_X; j <= OMR_VS_YAW_RATE; j++)
      cr_assert_eq(a->vehicle_samples[j][n], b->vehicle_samples[j][n], "sample %zu, %d", n, j);
    for (size_t i = 0; i < 3; i++)
      cr_assert_eq(a->wheel_samples[OMR_WS_TORQUE][3 * n + i],
                   b->wheel_samples[OMR_WS_TORQUE][3 * n + i], "sample %zu, wheel %zu", n, i);
  }
}

/* The same bits, with a limit that is met. */
Test(feedback, a_gain_of_the_rate_is_the_proportional_part_of_a_controller) {
#define SHARED                                                                                     \
  MOVES, WHEELS, PERIOD, TRACED, "parameters.wheel.friction=0.5", "integrator.duration=0.4",       \
      "integrator.step=\"0.5 ms\""
  omr_result *pi =
      run_study(vehicle_text, OVERRIDES(SHARED, "parameters.command={" COMMAND "}",
                                        "parameters.wheel.drive={\"type\":\"body\",\"kp\":0.3,"
                                        "\"ki\":0,\"torque_limit\":0.2}"));
  omr_result *fed = run_study(vehicle_text, OVERRIDES(SHARED,
                                                      "parameters.command={" COMMAND
                                                      ",\"feedback\":{\"states\":[\"rate\"],"
                                                      "\"gains\":[[0.3,0,0],[0,0.3,0],[0,0,0.3]]}}",
                                                      DRIVE(",\"torque_limit\":0.2")));
  expect_same_samples(pi, fed);
  double most = 0;
  for (size_t k = 0; k < 3 * fed->sample_count; k++)
    most = fmax(most, fabs(fed->wheel_samples[OMR_WS_TORQUE][k]));
  cr_expect_eq(most, 0.2, "%g", most);
  omr_result_destroy(pi);
  omr_result_destroy(fed);
}

/* Drives by duty and voltage have gains in these. */
Test(feedback, gains_of_motors_are_duties_and_voltages) {
#define MOTOR                                                                                      \
  "parameters.wheel.motor={\"resistance\":1.3,\"torque_constant\":0.02,\"gear_ratio\":14}"
  static const char *const by[2][3] = {
      {"\"by\":\"duty\",\"duty_kp\":0.02,\"duty_ki\":0", ",\"by\":\"duty\"",
       "parameters.supply.voltage=12"},
      {"\"by\":\"voltage\",\"voltage_kp\":0.02,\"voltage_ki\":0,\"voltage_limit\":0.3",
       ",\"by\":\"voltage\",\"voltage_limit\":0.3", "title=voltage"}};
  for (int k = 0; k < 2; k++) {
    char body[200], drive[200];
    snprintf(body, sizeof body, "parameters.wheel.drive={\"type\":\"body\",%s}", by[k][0]);
    snprintf(drive, sizeof drive, "parameters.wheel.drive={\"type\":\"feedback\"%s}", by[k][1]);
    omr_result *pi = run_study(
        vehicle_text, OVERRIDES(SHARED, MOTOR, by[k][2], body, "parameters.command={" COMMAND "}"));
    omr_result *fed =
        run_study(vehicle_text,
                  OVERRIDES(SHARED, MOTOR, by[k][2], drive,
                            "parameters.command={" COMMAND ",\"feedback\":{\"states\":[\"rate\"],"
                            "\"gains\":[[0.02,0,0],[0,0.02,0],[0,0,0.02]]}}"));
    expect_same_samples(pi, fed);
    omr_result_destroy(pi);
    omr_result_destroy(fed);
  }
}

/* ---- the sampled loop of a vehicle that rolls ideally: no inclination, hardly any mass in its
 * rollers, the centre of mass in the middle, so that all is known by hand */

#define ROLLS                                                                                      \
  WHEELS, "parameters.contact.law=ideal_rolling", "parameters.wheel.inclination=0",                \
      "parameters.platform.center_of_mass={\"x\":0,\"z\":0,\"height\":0.1}",                       \
      "parameters.wheel.roller={\"mass\":1e-6,\"axial_inertia\":1e-12,\"diametral_inertia\":"      \
      "1e-12}",                                                                                    \
      "parameters.controller_period=\"50 ms\"", "integrator.step=\"1 ms\""
#define SAMPLED "output={\"trajectories\":{\"instances\":[0],\"interval\":\"50 ms\"}}"

/* Masses of platform and three wheels; of wheels that turn along, 3/2 J/R^2 in any direction and
 * 3 J (r/R)^2 about the middle. */
static const double mass = 10 + 3 * 1.2 + 18e-6, spin = 0.006 / 0.01, period = 0.05;

/* Gains of the wheels at 90, 210 and 330 degrees that push with a force k along x, or turn with a
 * torque k: rates per velocity are what makes forces of torques. */
#define SPEED 0.1
typedef struct axis {
  const char *state, *rate; /* of the pose and its rate */
  int sample, moves;
  double inertia;
} axis;
static const axis forward = {"x", "vx", OMR_VS_X, OMR_VS_VX, 0},
                  turn = {"yaw", "yaw_rate", OMR_VS_YAW, OMR_VS_YAW_RATE, 0};

static void ideal_of(const omr_study *study, omr_run_settings *settings, omr_batch *batch,
                     omr_ideal *ideal) {
  omr_values values;
  char reason[400];
  cr_assert_eq(omr_settings_make(study, settings, NULL), OMR_OK);
  cr_assert(omr_batch_make(settings, OMR_PAD, batch));
  omr_study_values(study, 0, &values, NULL);
  cr_assert(omr_prepare_instance(study, settings, &values, batch, 0, reason, sizeof reason), "%s",
            reason);
  omr_ideal_make(study, batch->params, OMR_PAD, ideal);
}

/* A constant velocity is asked for, with gains by pose and velocity along one axis that make the
 * force (torque) gain[0] e + gain[1] e'. */
static void write_command(const axis *a, const double gain[2], char *text, size_t size) {
  omr_study *study = make_study(vehicle_text, NULL, OVERRIDES(ROLLS, STILL));
  omr_run_settings settings;
  omr_batch batch;
  omr_ideal ideal;
  ideal_of(study, &settings, &batch, &ideal);
  const int j = a == &turn ? 2 : 0;
  double square = 0;
  for (int i = 0; i < 3; i++) square += ideal.rate[i][j] * ideal.rate[i][j];
  int length =
      snprintf(text, size,
               "parameters.command={\"type\":\"constant\",\"%s\":%g,\"feedback\":{\"states\":"
               "[\"%s\",\"%s\"],\"gains\":[",
               a->rate, SPEED, a->state, a->rate);
  for (int i = 0; i < 3; i++)
    length += snprintf(text + length, size - (size_t)length, "%s[%.17g,%.17g]", i ? "," : "",
                       gain[0] * ideal.rate[i][j] / square, gain[1] * ideal.rate[i][j] / square);
  snprintf(text + length, size - (size_t)length, "]}}");
  omr_batch_free(&batch);
  omr_settings_free(&settings);
  omr_study_destroy(study);
}

static double inertia_of(const axis *a) {
  /* 0.7 of the platform; wheels of the mass 1.2 at 0.3, with their diametral inertia */
  return a == &turn ? 0.7 + 3 * (1.2 * 0.09 + 0.0035) + 3 * spin * 0.09 : mass + 1.5 * spin;
}

Test(feedback, the_ideal_model_has_the_inertia_of_the_vehicle) {
  omr_study *study = make_study(vehicle_text, NULL, OVERRIDES(ROLLS, STILL));
  omr_run_settings settings;
  omr_batch batch;
  omr_ideal ideal;
  ideal_of(study, &settings, &batch, &ideal);
  const double expected[3] = {inertia_of(&forward), inertia_of(&forward), inertia_of(&turn)};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      cr_expect_float_eq(ideal.inertia[i][j], i == j ? expected[i] : 0, 1e-4, "%d %d: %.9g", i, j,
                         ideal.inertia[i][j]);
  omr_batch_free(&batch);
  omr_settings_free(&settings);
  omr_study_destroy(study);
}

/* Errors: e[n+1] = e[n] + T v[n] + T^2/2 a[n], v[n+1] = v[n] + T a[n], a = -(k e + d v)/M. From
 * rest the velocity lacks all that is asked for. */
static void expect_recursion(const axis *a, double k, double d) {
  char command[600];
  write_command(a, (double[]){k, d}, command, sizeof command);
  omr_result *r = run_study(
      vehicle_text, OVERRIDES(ROLLS, STILL, DRIVE(""), command, SAMPLED, "integrator.duration=2"));
  double place = 0, moves = SPEED;
  for (size_t n = 0; n <= 40; n++) {
    const double off = SPEED * period * (double)n - r->vehicle_samples[a->sample][n],
                 slow = SPEED - r->vehicle_samples[a->moves][n];
    cr_expect_float_eq(slow, moves, 2e-6, "%s, %g, %g, sample %zu: %g, %g", a->rate, k, d, n, slow,
                       moves);
    cr_expect_float_eq(off, place, 2e-6, "%s, %g, %g, sample %zu: %g, %g", a->state, k, d, n, off,
                       place);
    const double gained = -(k * place + d * moves) / inertia_of(a);
    place += period * moves + 0.5 * period * period * gained;
    moves += period * gained;
  }
  omr_result_destroy(r);
}

Test(feedback, pose_and_velocity_obey_the_recursion_of_the_sampled_loop) {
  expect_recursion(&forward, 0, 30);
  expect_recursion(&forward, 200, 100);
  expect_recursion(&forward, 40, 300);
  expect_recursion(&turn, 0, 3);
  expect_recursion(&turn, 20, 8);
}

static omr_study *study_with(const axis *a, double k, double d) {
  char command[600];
  write_command(a, (double[]){k, d}, command, sizeof command);
  return make_study(vehicle_text, NULL, OVERRIDES(ROLLS, STILL, DRIVE(""), command));
}

/* Poles of the recursion: of z^2 - (2 - d' - k'/2) z + 1 - d' + k'/2, with k' = k T^2/M and
 * d' = d T/M; where no pose is fed back, 1 - d'. */
Test(feedback, the_growth_is_the_largest_pole_of_the_recursion) {
  static const double cases[][2] = {{200, 100}, {40, 300}, {2000, 100}, {100, 700}, {500, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double reduced = cases[i][0] * period * period / inertia_of(&forward),
                 damping = cases[i][1] * period / inertia_of(&forward),
                 half = 1 - 0.5 * damping - 0.25 * reduced,
                 square = half * half - (1 - damping + 0.5 * reduced),
                 pole = square >= 0 ? fmax(fabs(half + sqrt(square)), fabs(half - sqrt(square)))
                                    : sqrt(1 - damping + 0.5 * reduced);
    omr_study *study = study_with(&forward, cases[i][0], cases[i][1]);
    omr_run_settings settings;
    omr_batch batch;
    omr_ideal ideal;
    ideal_of(study, &settings, &batch, &ideal);
    /* the velocities that nothing is fed back of stay: a pole of 1 */
    const double found = omr_feedback_growth(study, batch.params, 1);
    cr_expect_float_eq(found, fmax(pole, 1), 1e-5, "%g, %g: %.9g, %.9g", cases[i][0], cases[i][1],
                       found, pole);
    omr_batch_free(&batch);
    omr_settings_free(&settings);
    omr_study_destroy(study);
  }
}

Test(feedback, a_loop_that_grows_is_warned_of_and_the_remedy_helps) {
  char command[600];
  write_command(&forward, (double[]){0, 2.2 * inertia_of(&forward) / period}, command,
                sizeof command);
  omr_result *r = run_study(vehicle_text,
                            OVERRIDES(ROLLS, STILL, DRIVE(""), command, "integrator.duration=0.1"));
  cr_expect_not_null(strstr(r->warnings, "state feedback in instance 0 is unstable"), "%s",
                     r->warnings);
  cr_expect_not_null(strstr(r->warnings, "by a factor of 1.2 in each period of 50 ms"), "%s",
                     r->warnings);
  cr_expect_not_null(strstr(r->warnings, "multiply its gains by 0.9 or less"), "%s", r->warnings);
  omr_result_destroy(r);
  write_command(&forward, (double[]){-100, 50}, command, sizeof command);
  r = run_study(vehicle_text,
                OVERRIDES(ROLLS, STILL, DRIVE(""), command, "integrator.duration=0.1"));
  cr_expect_not_null(strstr(r->warnings, "look at their signs"), "%s", r->warnings);
  omr_result_destroy(r);
  write_command(&forward, (double[]){0, 1.98 * inertia_of(&forward) / period}, command,
                sizeof command);
  r = run_study(vehicle_text,
                OVERRIDES(ROLLS, STILL, DRIVE(""), command, "integrator.duration=0.1"));
  cr_expect_null(strstr(r->warnings, "unstable"), "%s", r->warnings);
  omr_result_destroy(r);
}

/* ---- a push */

#define READY "studies/state_feedback.json"
#define NOMINAL                                                                                    \
  "vary=[]", "design={\"type\":\"grid\"}", "ask=null",                                             \
      "output={\"observables\":[\"deviation\","                                                    \
      "\"max_deviation\",\"yaw_deviation\"]}"

Test(feedback, a_pushed_vehicle_returns_to_its_commanded_pose) {
  omr_result *r = run_file(READY, OVERRIDES(NOMINAL, "integrator.duration=8"));
  cr_log_info("pushed %.4f m off, at the end %.6f m and %.6f rad", value_of(r, "max_deviation", 0),
              value_of(r, "deviation", 0), value_of(r, "yaw_deviation", 0));
  cr_expect_gt(value_of(r, "max_deviation", 0), 0.02);
  cr_expect_lt(value_of(r, "deviation", 0), 1e-4);
  cr_expect_lt(fabs(value_of(r, "yaw_deviation", 0)), 1e-4);
  omr_result_destroy(r);

  /* Without gains of the pose it stays where it is pushed. */
  r = run_file(
      READY, OVERRIDES(NOMINAL, "integrator.duration=8",
                       "parameters.command.feedback={\"states\":[\"rate\"],\"gains\":[[0.5,0,0,0],"
                       "[0,0.5,0,0],[0,0,0.5,0],[0,0,0,0.5]]}"));
  cr_expect_gt(value_of(r, "deviation", 0), 0.02);
  omr_result_destroy(r);
}

/* In the frame ros y is to the left, and torques forward are above 0: both change the sign of
 * gains, those of y twice. */
Test(feedback, a_study_in_the_frame_ros_has_gains_of_its_frame) {
  static const char *const shared =
      "\"type\":\"tanh\",\"vx\":0.5,\"yaw_rate\":0.4,\"ramp_time\":0.1";
  char here[500], there[500];
  snprintf(
      here, sizeof here,
      "parameters.command={%s,\"vz\":-0.1,\"feedback\":{\"states\":[\"x\",\"vz\",\"rate\",\"z\"]"
      ",\"gains\":[[5,3,0.2,0,0,2],[-3,1,0,0.2,0.1,4],[1,-2,0,0,0.3,-7]]}}",
      shared);
  snprintf(
      there, sizeof there,
      "parameters.command={%s,\"vy\":0.1,\"feedback\":{\"states\":[\"x\",\"vy\",\"rate\",\"y\"]"
      ",\"gains\":[[-5,3,0.2,0,0,2],[3,1,0,0.2,0.1,4],[-1,-2,0,0,0.3,-7]]}}",
      shared);
  omr_result *a =
      run_study(vehicle_text,
                OVERRIDES(STILL, WHEELS, PERIOD, DRIVE(""), here, "parameters.wheel.friction=0.5",
                          "parameters.platform.center_of_mass.z=0", "integrator.duration=0.4"));
  omr_result *b = run_study(
      vehicle_text, OVERRIDES("frame=ros", STILL_ROS, WHEELS, PERIOD, DRIVE(""), there,
                              "parameters.wheel.friction=0.5",
                              "parameters.platform.center_of_mass={\"x\":0.02,\"height\":0.17}",
                              "integrator.duration=0.4"));
  cr_expect_neq(value_of(a, "final_z", 0), 0);
  cr_expect_eq(value_of(a, "final_x", 0), value_of(b, "final_x", 0));
  cr_expect_eq(value_of(a, "final_z", 0), -value_of(b, "final_y", 0));
  cr_expect_eq(value_of(a, "final_yaw", 0), value_of(b, "final_yaw", 0));
  omr_result_destroy(a);
  omr_result_destroy(b);
}
