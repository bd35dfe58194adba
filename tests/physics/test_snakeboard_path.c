/* A snakeboard that steers along a curve: its midpoint is on it, the angles, their rates and the
 * torques belong together, cusps are refused. */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/kernel.h"
#include "shared/motion.h"

#include <criterion/logging.h>

/* ---- the curves, written anew: (x, to the left) */

static const char *const names[] = {"astroid", "cycloid", "eight", "rose3", "rose4"};
enum { CURVES = sizeof names / sizeof *names };

/* r = cos(k t) */
static void rose(double k, double t, double c[2]) {
  c[0] = cos(k * t) * cos(t);
  c[1] = cos(k * t) * sin(t);
}

/* Size 1. With `rounding` 0 the astroid is (cos^3, sin^3) and the cycloid that of a wheel's point,
 * which begins at the middle of its rise. */
static void curve(int which, double rounding, double t, double c[2]) {
  const double less = 1 - rounding, roll = t + acos(0.0);
  switch (which) {
  case 0:
    c[0] = pow(cos(t), 3) - 0.25 * rounding * cos(3 * t);
    c[1] = pow(sin(t), 3) + 0.25 * rounding * sin(3 * t);
    return;
  case 1:
    c[0] = roll - less * sin(roll);
    c[1] = 1 - less * cos(roll);
    return;
  case 2:
    c[0] = cos(t);
    c[1] = sin(t) * cos(t);
    return;
  default: rose(which == 3 ? 3 : 2, t, c);
  }
}

/* The rose's plane is turned by its first petal alone: both begin at the tip on the axis of x. */
static double distance(int which, double rounding, double t, const double at[2]) {
  double c[2];
  curve(which, rounding, t, c);
  return hypot(c[0] - at[0], c[1] - at[1]);
}

/* Distance of a point to the curve near *t, which moves there: golden section around the best of
 * some places. */
static double nearest(int which, double rounding, double span, const double at[2], double *t) {
  enum { PLACES = 400 };
  double best = *t, step = span / PLACES;
  for (int i = -PLACES; i <= PLACES; i++)
    if (distance(which, rounding, *t + i * step, at) < distance(which, rounding, best, at))
      best = *t + i * step;
  double low = best - step, high = best + step, part = 0.5 * (sqrt(5.0) - 1);
  for (int i = 0; i < 80; i++) {
    double a = high - part * (high - low), b = low + part * (high - low);
    if (distance(which, rounding, a, at) < distance(which, rounding, b, at))
      high = b;
    else
      low = a;
  }
  *t = 0.5 * (low + high);
  return distance(which, rounding, *t, at);
}

/* ---- motions */

#define STUDY                                                                                      \
  "{\"model\": \"snakeboard\", \"engine\": {\"backend\": \"openmp\"}, \"parameters\": {\"gait\": " \
  "{\"wheelsets\": \"eight\", \"path\": {\"size\": 2, \"start\": 0.8}, \"rotor\": "                \
  "{\"amplitude\": "                                                                               \
  "0}}, \"initial\": {\"vx\": 1}}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"12 s\"}, " \
  "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"20 ms\"}}}"

/* Largest distances of the board's midpoint to the curve, and to the same one with its cusps. */
static void follow(int which, const char *more, double rounding, double out[2]) {
  char word[64];
  snprintf(word, sizeof word, "parameters.gait.wheelsets=%s", names[which]);
  omr_result *r = run_study(STUDY, OVERRIDES(word, more));
  cr_assert_str_eq(omr_instance_status_name(omr_result_status(r)[0]), "ok", "%s", names[which]);
  const double size = 2, start = 0.8, h = 1e-6;
  double origin[2], before[2], after[2], t = start, sharp = start, least = start, most = start;
  curve(which, rounding, start, origin);
  curve(which, rounding, start - h, before);
  curve(which, rounding, start + h, after);
  const double heading = atan2(after[1] - before[1], after[0] - before[0]);
  out[0] = out[1] = 0;
  for (size_t s = 0; s < r->sample_count; s++) {
    const double x = r->small_samples[SNAKE_S_X][s], left = -r->small_samples[SNAKE_S_Z][s];
    const double at[2] = {origin[0] + (x * cos(heading) - left * sin(heading)) / size,
                          origin[1] + (x * sin(heading) + left * cos(heading)) / size};
    out[0] = larger(out[0], size * nearest(which, rounding, 0.2, at, &t));
    sharp = t;
    if (rounding > 0) out[1] = larger(out[1], size * nearest(which, 0, 0.5, at, &sharp));
    least = fmin(least, t);
    most = fmax(most, t);
  }
  cr_expect_gt(most - least, 2, "%s: %g to %g", names[which], least, most);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-9, "%s: %g", names[which],
               value_of(r, "energy_error", 0));
  cr_log_info("%s: %.2g m from the curve, %.3g m from the one with cusps; t from %.3g to %.3g",
              names[which], out[0], out[1], least, most);
  omr_result_destroy(r);
}

/* The difference to cusps is at most that of the harmonics: a quarter of `rounding` for the
 * astroid, all of it for the cycloid. */
Test(snakeboard_path, the_midpoint_is_on_the_curve) {
  double out[2];
  follow(0, "parameters.gait.path.rounding=0.25", 0.25, out);
  cr_expect_lt(out[0], 1e-6);
  cr_expect(out[1] > 0.01 && out[1] < 2 * 0.25 * 0.25);
  follow(1, "parameters.gait.path.rounding=0.2", 0.2, out);
  cr_expect_lt(out[0], 1e-6);
  cr_expect(out[1] > 0.01 && out[1] < 2 * 0.2);
  for (int which = 2; which < CURVES; which++) {
    follow(which, "parameters.gait.path.size=2", 0, out);
    cr_expect_lt(out[0], 1e-6, "%s: %g", names[which], out[0]);
  }
}

/* A rotor that swings speeds the board up and slows it down: it stays on the curve. */
Test(snakeboard_path, a_rotor_drives_along_the_curve) {
  double out[2];
  follow(2, "parameters.gait.rotor.amplitude=1.5", 0, out);
  cr_expect_lt(out[0], 1e-6, "%g", out[0]);
}

/* ---- rates */

typedef struct board {
  omr_study study;
  double v[OMR_VP_COUNT], p[SNAKE_P_COUNT], y[SNAKE_Y_COUNT], dy[SNAKE_Y_COUNT], out[SNAKE_S_COUNT],
      t;
  int c[K_COUNT];
} board;

static void evaluate(board *b) {
  snakeboard_rates(b->c, b->p, b->y, b->t, b->dy, b->out);
}

static void make_board(board *b, int which) {
  double e[SNAKE_E_COUNT] = {0};
  char reason[300] = "";
  memset(b, 0, sizeof *b);
  for (int i = 0; i < OMR_VP_COUNT; i++) b->v[i] = omr_vehicle_parameters[i].standard;
  b->c[K_MODEL] = SMALL_SNAKEBOARD;
  b->study.options[0] = b->c[K_OPTION_0] = SNAKE_REAR_ASTROID + which;
  b->v[OMR_VP_INITIAL_VX] = 0.7;
  b->v[OMR_VP_SNAKE_PATH_START] = 0.9 + 0.1 * which;
  b->v[OMR_VP_SNAKE_PATH_ROUNDING] = 0.4;
  cr_assert(omr_snakeboard.prepare(&b->study, b->v, b->p, b->y, e, reason, sizeof reason), "%s",
            reason);
  b->t = 0.3;
  evaluate(b);
}

/* The board a time h later, by one step of the classical Runge-Kutta method. */
static board later(const board *b, double h) {
  static const double ends[] = {0, 0.5, 0.5, 1}, weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  board at = *b, result = *b;
  for (int s = 0; s < 4; s++) {
    for (int j = 0; j < SNAKE_Y_COUNT; j++) at.y[j] = b->y[j] + ends[s] * h * at.dy[j];
    at.t = b->t + ends[s] * h;
    evaluate(&at);
    for (int j = 0; j < SNAKE_Y_COUNT; j++) result.y[j] += weights[s] * h * at.dy[j];
  }
  result.t = b->t + h;
  evaluate(&result);
  return result;
}

/* Differences of fourth order along the motion: the torque on a wheelset is J_e (r' + phi''), the
 * power the derivative of the energy; the host's energy is the kernel's. */
Test(snakeboard_path, torques_and_power_are_those_of_the_motion) {
  static const double first[] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12},
                      second[] = {-1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12};
  for (int which = 0; which < CURVES; which++) {
    board b;
    double h = 1e-3, turn = 0, bend[2] = {0, 0}, power = 0;
    make_board(&b, which);
    for (int k = -2; k <= 2; k++) {
      board at = later(&b, k * h);
      turn += first[k + 2] / h * at.out[SNAKE_S_YAW_RATE];
      power += first[k + 2] / h * at.out[SNAKE_S_ENERGY];
      for (int i = 0; i < 2; i++)
        bend[i] += second[k + 2] / (h * h) * at.out[SNAKE_S_FRONT_ANGLE + i];
    }
    for (int i = 0; i < 2; i++)
      cr_expect_lt(fabs(b.p[SNAKE_P_STEERED] * (turn + bend[i]) - b.out[SNAKE_S_FRONT_TORQUE + i]),
                   1e-9, "%s: torque %.12g, not %.12g", names[which],
                   b.out[SNAKE_S_FRONT_TORQUE + i], b.p[SNAKE_P_STEERED] * (turn + bend[i]));
    cr_expect_lt(fabs(power - b.out[SNAKE_S_POWER]), 1e-8, "%s: power %.12g, not %.12g",
                 names[which], b.out[SNAKE_S_POWER], power);
    cr_expect_gt(fabs(b.dy[SNAKE_Y_TRAVEL]), 0.01);
    b.t = 0;
    evaluate(&b);
    cr_expect_lt(fabs(omr_snakeboard.energy(b.p, b.y) / b.out[SNAKE_S_ENERGY] - 1), 1e-12);
  }
}

/* ---- what it refuses */

static void expect_refusal(const char *one, const char *two, const char *because) {
  omr_study *study = NULL;
  omr_result *result = NULL;
  omr_error error = {.message = ""};
  omr_status status = omr_study_parse(STUDY, "test", OVERRIDES(one, two), 2, &study, &error);
  if (status == OMR_OK) status = omr_run(study, NULL, &result, &error);
  cr_expect_neq(status, OMR_OK, "%s", two);
  cr_expect_not_null(strstr(error.message, because), "%s: %s", two, error.message);
  omr_study_destroy(study);
  omr_result_destroy(result);
}

Test(snakeboard_path, turns_that_no_wheelset_can_make_are_refused) {
  expect_refusal("parameters.gait.wheelsets=astroid", "parameters.gait.path.rounding=0.05",
                 "raise gait.path.size or gait.path.rounding");
  expect_refusal("parameters.gait.wheelsets=rose3", "parameters.gait.path.size=0.1",
                 "raise gait.path.size or gait.path.rounding");
  expect_refusal("parameters.gait.wheelsets=eight", "parameters.steering={\"type\": \"free\"}",
                 "needs prescribed angles");
}
