/* Systems of a study's own against exact solutions: what the words of lists/graph_*.def build. */
#include "host/reference/reference.h"
#include "host/study/system/graph.h"
#include "tests/study/refusals.h"

#include <math.h>

#define STUDY(duration, parameters, system)                                                        \
  "{'model': 'multibody', 'integrator': {'step': '1 ms', 'duration': " duration "},"               \
  "'parameters': {" parameters "}, 'system': {" system "}}"

/* The study of a text with ' for ", run; measures by name. */
typedef struct ran {
  omr_study *study;
  omr_reference_run run;
} ran;

static ran run_text(const char *text) {
  ran r = {0};
  omr_error error = {0};
  char *copy = double_quoted(text);
  cr_assert_eq(omr_study_parse(copy, "s.json", NULL, 0, &r.study, &error), OMR_OK, "%s",
               error.message);
  free(copy);
  const omr_part part = omr_part_of(r.study);
  const omr_reference_options options = {.extremes = true};
  cr_assert_eq(omr_reference_integrate(&part, 0, &options, &r.run, &error), OMR_OK, "%s",
               error.message);
  return r;
}

static double measure(const ran *r, const char *name) {
  for (int m = 0; m < r->study->graph->measures; m++)
    if (strcmp(r->study->graph->measure[m].name, name) == 0)
      return r->run.observables[OMR_OBS_GRAPH_0 + m];
  cr_assert_fail("no measure %s", name);
  return 0;
}

static void end(ran *r) {
  omr_reference_run_free(&r->run);
  omr_study_destroy(r->study);
}

/* The integrator keeps 1e-11 in a step; some hundred steps add up to less than that. */
#define WITHIN 1e-9

static void expect(const ran *r, const char *name, double value, double within) {
  cr_expect_float_eq(measure(r, name), value, within, "%s is %.15g, not %.15g", name,
                     measure(r, name), value);
}

/* h = v t - g t^2/2 with v = 5 m/s, g = 10 m/s2: top v^2/2g = 1.25 m at 0.5 s, back at 1 s. The
 * mean of h over 1 s is v/2 - g/6, that of its square the integral of (5 t - 5 t^2)^2 = 25/30. */
Test(graph, measures_are_exact_for_a_stone_that_is_thrown_up) {
  ran r = run_text(STUDY(
      "1.2", "'v': '5 m/s'",
      "'gravity': [0, -10, 0], 'bodies': {'stone': {'mass': 2, 'inertia': [1, 1, 1], 'velocity': "
      "[0, "
      "'v', 0]}}, 'measures': {'top': {'take': 'max', 'of': 'stone.y'}, 'down': {'take': 'first', "
      "'when': 'stone.vy < 0'}, 'over': {'take': 'count', 'when': 'stone.y > 1 m'}, 'never': "
      "{'take': "
      "'first', 'when': 'stone.y > 2'}, 'least': {'take': 'min', 'of': 'stone.vy'}, 'start': "
      "{'take': "
      "'start', 'of': 'energy'}, 'final': {'take': 'final', 'of': 'stone.y'}, 'mean': {'take': "
      "'mean', "
      "'of': 'stone.vy'}, 'rms': {'take': 'rms', 'of': 'stone.vy'}, 'sum': {'take': 'integral', "
      "'of': "
      "'kinetic'}, 'fall': {'take': 'max', 'of': 'stone.ay'}}"));
  expect(&r, "top", 1.25, WITHIN);
  expect(&r, "down", 0.5, WITHIN);
  expect(&r, "over", 1, 0);
  cr_expect(isnan(measure(&r, "never")));
  expect(&r, "least", 5 - 12, WITHIN);
  expect(&r, "start", 25, 1e-13);
  expect(&r, "final", 6 - 7.2, WITHIN);
  expect(&r, "mean", -1, WITHIN);
  /* mean of (5 - 10 t)^2 over 1.2 s: 25 - 60 + 48 = 13 */
  expect(&r, "rms", sqrt(13), WITHIN);
  expect(&r, "sum", 13 * 1.2, WITHIN);
  expect(&r, "fall", -10, 1e-13);
  end(&r);
}

/* A ball of m = 2 kg on the floor is pulled up by k t = 40 N/s t: it leaves at t = m g/k = 0.5005 s
 * between two looks, and its gap is k (t - t0)^3/(6 m) from then on, which begins with slope and
 * bend 0. A parabola through the looks at 0, h and 2 h of it has its vertex k h^3/(18 m) below the
 * ground, 1e-9 m at h = 1 ms, and more with longer steps: 1e-6 m here. */
Test(graph, extremes_do_not_reach_below_the_ground_after_a_lift_off) {
  ran r = run_text(
      "{'model': 'multibody', 'integrator': {'step': '10 ms', 'duration': 1}, 'parameters': {}, "
      "'system': {'gravity': [0, -10.01, 0], 'bodies': {'ball': {'mass': 2, 'inertia': [1, 1, 1], "
      "'at': [0, 0.1, 0]}}, 'contacts': {'floor': {'between': ['base', 'ball'], 'surfaces': "
      "[{'shape': 'plane'}, {'shape': 'sphere', 'radius': 0.1}], 'normal': 'unilateral'}}, "
      "'forces': {'pull': {'between': ['base', 'ball'], 'force': [0, '40 N/s * t', 0]}}, "
      "'measures': {'least': {'take': 'min', 'of': 'floor.gap'}, 'most': {'take': 'max', 'of': "
      "'floor.gap'}, 'leaves': {'take': 'first', 'when': 'floor.gap > 1e-9 m'}}}}");
  expect(&r, "least", 0, 1e-13);
  expect(&r, "most", 40 * pow(1 - 0.5005, 3) / 12, 1e-9);
  end(&r);
}

/* On a spring: a sin(w t + b) with w = 30 rad/s, looked at at every 0.3 rad; what a cubic with the
 * slopes at both ends leaves is at most (w h)^4/384 = 2.1e-5 of a, at half the step a sixteenth.
 * A parabola through three looks leaves (w h)^3 times 0.06, 1.7e-3 of a. The same of the
 * acceleration, which has to be evaluated for its slopes. */
static double extreme_error(const char *step, const char *name, double value) {
  char text[1200];
  snprintf(text, sizeof text,
           "{'model': 'multibody', 'integrator': {'step': '%s', 'duration': 0.3}, 'parameters': "
           "{}, 'system': {'gravity': [0, 0, 0], 'bodies': {'stone': {'mass': 2, 'inertia': [1, 1, "
           "1], 'at': [1.5, 0, 0], 'velocity': [3, 0, 0]}}, 'constraints': {'spring': {'type': "
           "'spring_damper', 'between': ['base', 'stone'], 'point_a': [0, 0, 0], 'length': 1, "
           "'stiffness': 1800}}, 'measures': {'out': {'take': 'max', 'of': 'stone.x'}, 'back': "
           "{'take': 'min', 'of': 'stone.x'}, 'pull': {'take': 'min', 'of': 'stone.ax'}}}}",
           step);
  ran r = run_text(text);
  const double error = fabs(measure(&r, name) - value);
  end(&r);
  return error;
}

Test(graph, extremes_between_looks_are_of_fourth_order) {
  const double a = sqrt(0.5 * 0.5 + 0.1 * 0.1); /* 1.5 - 1 m, and 3 m/s over 30 rad/s */
  static const char *const names[] = {"out", "back", "pull"};
  const double values[] = {1 + a, 1 - a, -900 * a}, sizes[] = {a, a, 900 * a};
  for (int i = 0; i < 3; i++) {
    const double coarse = extreme_error("10 ms", names[i], values[i]) / sizes[i],
                 fine = extreme_error("5 ms", names[i], values[i]) / sizes[i];
    cr_expect_lt(coarse, 2.2e-5, "%s: %g", names[i], coarse);
    cr_expect_lt(fine, 2.2e-5 / 16, "%s: %g", names[i], fine);
  }
}

/* The group moves at v and turns at w about z; the stone sits at r on its x axis, turned by 90 deg:
 * velocity v + w x r, angular velocity w; its first axis points along the group's y. */
Test(graph, poses_of_groups_come_on_top_of_each_other) {
  ran r = run_text(STUDY(
      "1e-3", "",
      "'gravity': [0, 0, 0], 'classes': {'inner': {'bodies': {'stone': {'mass': 1, 'inertia': [1, "
      "1, "
      "1], 'at': [2, 0, 0], 'turned': {'axis': [0, 0, 1], 'angle': '90 deg'}, 'velocity': [0, 0, "
      "1]}}}, 'outer': {'groups': {'in': {'class': 'inner', 'turned': {'axis': [0, 1, 0], 'angle': "
      "'90 "
      "deg'}}}}}, 'groups': {'out': {'class': 'outer', 'at': [1, 0, 0], 'velocity': [3, 0, 0], "
      "'angular_velocity': [0, 0, '5 rad/s']}},"
      "'measures': {'x': {'take': 'start', 'of': 'out.in.stone.x'}, 'z': {'take': 'start', 'of': "
      "'out.in.stone.z'}, 'vx': {'take': 'start', 'of': 'out.in.stone.vx'}, 'vy': {'take': "
      "'start', "
      "'of': 'out.in.stone.vy'}, 'wz': {'take': 'start', 'of': 'out.in.stone.wz'}, 'w1': {'take': "
      "'start', 'of': 'out.in.stone.w1'}, 'y1': {'take': 'start', 'of': 'out.in.stone.y1'}, 'z2': "
      "{'take': 'start', 'of': 'out.in.stone.z2'}}"));
  /* 90 deg about y takes x to -z and z to x: the stone is at (1, 0, -2) and moves at 1 along x */
  expect(&r, "x", 1, 1e-15);
  expect(&r, "z", -2, 1e-15);
  expect(&r, "vx", 3 + 1, 1e-14);
  expect(&r, "vy", 0, 1e-14);
  expect(&r, "wz", 5, 1e-14);
  /* its first axis is the inner y, its second the inner -x, which is +z */
  expect(&r, "y1", 1, 1e-15);
  expect(&r, "z2", 1, 1e-15);
  expect(&r, "w1", 0, 1e-14);
  end(&r);
}

/* A bob on a massless arm l with inertia I: period 4 sqrt((I + m l^2)/(m g l)) K(sin(phi/2)); K of
 * sin 30 deg = 1.685750354812596 (Abramowitz and Stegun 17.3). The angle passes 0 after a quarter.
 */
Test(graph, a_pendulum_has_the_period_of_the_elliptic_integral) {
  ran r = run_text(STUDY(
      "1", "'l': '0.3 m', 'phi': '60 deg'",
      "'gravity': [0, -9.81, 0], 'bodies': {'bob': {'mass': 2, 'inertia': [0.01, 0.02, 0.03], "
      "'at': "
      "['l * sin(phi)', '-l * cos(phi)', 0], 'turned': {'axis': [0, 0, 1], 'angle': 'phi'}}},"
      "'constraints': {'pin': {'type': 'fixed_ideal', 'between': ['base', 'bob'], 'axis': [0, 0, "
      "1], "
      "'at': [0, 0, 0]}}, 'measures': {'quarter': {'take': 'first', 'when': 'pin.angle < -phi'}, "
      "'error': {'take': 'max', 'of': 'abs(balance)'}, 'gap': {'take': 'max', 'of': 'drift'}}"));
  expect(&r, "quarter", sqrt((0.03 + 2 * 0.09) / (2 * 9.81 * 0.3)) * 1.685750354812596, WITHIN);
  expect(&r, "error", 0, WITHIN);
  expect(&r, "gap", 0, WITHIN);
  end(&r);
}

/* Servo: the angle follows a sin(w t) exactly where its acceleration is given. Controlled: a torque
 * -c angle on B makes an oscillator of sqrt(c/I). Prescribed: A, B where the expressions say. */
Test(graph, servos_torques_and_prescribed_motions_follow_their_expressions) {
  ran r = run_text(STUDY(
      "0.7", "'w': '3 rad/s', 'c': '8 N m'",
      "'gravity': [0, 0, 0], 'bodies': {'servo': {'mass': 1, 'inertia': [1, 1, 2], "
      "'angular_velocity': [0, 0, '0.5 * w']}, 'swing': {'mass': 1, 'inertia': [1, 1, 2], "
      "'angular_velocity': [0, 0, 1]}, 'led': {'mass': 1, 'inertia': [1, 1, 1], 'velocity': ['0.2 "
      "m * "
      "w', 0, 0], 'angular_velocity': [0, 0, 1], 'at': [0, 1, 0]}}, 'constraints': {"
      "'a': {'type': 'fixed_servo', 'between': ['base', 'servo'], 'axis': [0, 0, 1], 'at': [0, 0, "
      "0], "
      "'acceleration': '-0.5 * w * w * sin(w * t)'},"
      "'b': {'type': 'fixed_controlled', 'between': ['base', 'swing'], 'axis': [0, 0, 1], 'at': "
      "[0, 0, "
      "0], 'torque': 'c * angle'},"
      "'d': {'type': 'prescribed_motion', 'between': ['base', 'led'], 'place': ['0.2 m * sin(w * "
      "t)', "
      "'1 m + 0.1 m * (1 - cos(t * t * 1 rad/s2))', null], 'angles': [0, 0, 't * 1 rad/s']}},"
      "'measures': {'a1': {'take': 'final', 'of': 'a.angle'}, 'b1': {'take': 'final', 'of': "
      "'b.angle'}, 'x': {'take': 'final', 'of': 'led.x'}, 'y': {'take': 'final', 'of': 'led.y'}, "
      "'turned': {'take': 'final', 'of': 'led.y1'}, 'work': {'take': 'final', 'of': 'work - "
      "(kinetic)'}, "
      "'start': {'take': 'start', 'of': 'kinetic'}}"));
  expect(&r, "a1", 0.5 * sin(2.1), WITHIN);
  expect(&r, "b1", 0.5 * sin(2 * 0.7), WITHIN);
  expect(&r, "x", 0.2 * sin(2.1), WITHIN);
  expect(&r, "y", 1 + 0.1 * (1 - cos(0.49)), WITHIN);
  expect(&r, "turned", sin(0.7), WITHIN);
  expect(&r, "work", -measure(&r, "start"), 1e-8);
  end(&r);
}

/* A force -k x and a torque of 2 N m about the body's own axis; -F acts on A: two bodies with a
 * force between them keep their momentum. */
Test(graph, forces_act_on_both_bodies) {
  ran r = run_text(STUDY("1", "'k': '4 N/m'",
                         "'gravity': [0, 0, 0], 'bodies': {'left': {'mass': 1, 'inertia': [1, 1, "
                         "1]}, 'right': {'mass': "
                         "3, 'inertia': [1, 2, 1], 'at': [2, 0, 0]}}, 'forces': {'pull': "
                         "{'between': ['left', 'right'], "
                         "'force': ['-k * (right.x - left.x)', 0, 0]}, 'turn': {'between': "
                         "['base', 'right'], 'torque': "
                         "[0, '2 N m', 0], 'axes': 'body'}}, 'measures': {'momentum': {'take': "
                         "'max', 'of': 'abs(left.vx + "
                         "3 * right.vx)'}, 'spin': {'take': 'final', 'of': 'right.wy'}, 'gap': "
                         "{'take': 'final', 'of': "
                         "'right.x - left.x'}}"));
  expect(&r, "momentum", 0, WITHIN);
  expect(&r, "spin", 1, WITHIN);
  /* reduced mass 3/4: w^2 = 16/3 */
  expect(&r, "gap", 2 * cos(sqrt(16. / 3)), WITHIN);
  end(&r);
}

/* A ball that starts rolling on a plane inclined by gravity: a = 5/7 g sin; thrown without spin on
 * Coulomb friction it rolls from 2 v/(7 mu g) on, at 5/7 v. */
Test(graph, balls_roll_and_slide_as_in_the_textbook) {
  ran r = run_text(STUDY(
      "1", "'r': '0.1 m', 'v': '3 m/s'",
      "'gravity': [1, -9.81, 0], 'bodies': {'ball': {'mass': 2, 'inertia': ['0.008 kg m2', '0.008 "
      "kg "
      "m2', '0.008 kg m2'], 'angular_velocity': [0, 0, -10]}}, 'contacts': {'floor': {'between': "
      "['base', 'ball'], 'surfaces': [{'shape': 'plane'}, {'shape': 'sphere', 'radius': 'r'}], "
      "'start': "
      "'rolling', 'normal': 'held', 'law': 'rolls'}}, 'measures': {'x': {'take': 'final', 'of': "
      "'ball.x'}, 'load': {'take': 'max', 'of': 'floor.load'}, 'slip': {'take': 'max', 'of': "
      "'floor.slip'}, 'y': {'take': 'start', 'of': 'ball.y'}}"));
  expect(&r, "x", 10 * 0.1 + 0.5 * 5. / 7, WITHIN);
  expect(&r, "load", 2 * 9.81, WITHIN);
  expect(&r, "slip", 0, WITHIN);
  expect(&r, "y", 0.1, 1e-15);
  end(&r);
  r = run_text(STUDY(
      "1", "'mu': 0.3",
      "'bodies': {'ball': {'mass': 2, 'inertia': ['0.008 kg m2', '0.008 kg m2', '0.008 kg m2'], "
      "'at': "
      "[0, '0.1 m', 0], 'velocity': ['3 m/s', 0, 0]}}, 'contacts': {'floor': {'between': ['base', "
      "'ball'], 'surfaces': [{'shape': 'plane'}, {'shape': 'sphere', 'radius': '0.1 m'}], 'start': "
      "'touching', 'normal': 'unilateral', 'law': 'coulomb', 'friction': 'mu'}}, 'measures': "
      "{'rolls': "
      "{'take': 'first', 'when': 'floor.slip < 1e-9'}, 'speed': {'take': 'final', 'of': "
      "'ball.vx'}, "
      "'loss': {'take': 'final', 'of': 'balance'}}"));
  expect(&r, "speed", 15. / 7, WITHIN);
  expect(&r, "rolls", 2 * 3 / (7 * 0.3 * 9.81), 1e-6);
  expect(&r, "loss", 0, 1e-8);
  end(&r);
}

/* What the graph itself says before anything moves: the reason why nothing is built. */
static void expect_no_system(const char *text, const char *fragment, const char *another) {
  omr_study *study = NULL;
  omr_reference_run run = {0};
  omr_error error = {0};
  char *copy = double_quoted(text);
  cr_assert_eq(omr_study_parse(copy, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  const omr_part part = omr_part_of(study);
  const omr_reference_options options = {.extremes = true};
  cr_expect_eq(omr_reference_integrate(&part, 0, &options, &run, &error), OMR_ERR_STUDY);
  cr_expect_not_null(strstr(error.message, fragment), "%s", error.message);
  cr_expect_not_null(strstr(error.message, another), "%s", error.message);
  omr_study_destroy(study);
  free(copy);
}

/* A body, a class of hinges about z, and one of them: pieces of a JSON object. */
#define BAR(at) "{'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'at': " at "}"
#define PIN(a, b, at)                                                                              \
  "{'type': 'fixed_ideal', 'axis': [0, 0, 1], 'between': ['" a "', '" b "'], 'at': " at "}"
#define BARS                                                                                       \
  "'bodies': {'crank': " BAR("[0, 0.5, 0]") ", 'coupler': " BAR(                                   \
      "[1, 1, 0]") ","                                                                             \
                   "'rocker': " BAR("[2, 0.5, 0]") "}"
#define PINS                                                                                       \
  "'constraints': {'a': " PIN(                                                                     \
      "base", "crank", "[0, 0, 0]") ","                                                            \
                                    "'b': " PIN("crank", "coupler", "[0, 1, 0]") ", 'c': " PIN(    \
                                        "coupler", "rocker",                                       \
                                        "[2, 1, 0]") ","                                           \
                                                     "'d': " PIN("rocker", "base",                 \
                                                                 "[2, 0, 0]") "}"

/* Four bars of hinges in space: Gruebler counts 6 * 3 - 4 * 5 = -2 freedoms, and there is 1. */
Test(graph, redundant_conditions_are_told_with_names) {
  ran r = run_text(STUDY("0.1", "", "'gravity': [0, 0, 0], " BARS ", " PINS));
  cr_assert_not_null(r.run.notes);
  cr_expect_not_null(strstr(r.run.notes, "constraints a, b, c and d share 3 conditions too many"),
                     "%s", r.run.notes);
  cr_expect_not_null(strstr(r.run.notes, "freedoms   1, of 3 bodies under 20 conditions"), "%s",
                     r.run.notes);
  end(&r);
}

Test(graph, what_contradicts_itself_is_told_with_names_and_numbers) {
  expect_no_system(STUDY("0.1", "",
                         "'bodies': {'arm': " BAR(
                             "[0, 0, 0]") "}, 'constraints': {'one': {'type': 'fixed_servo', "
                                          "'between': ['base', 'arm'], 'axis': [0, 0, 1], "
                                          "'at': [0, 0, 0], 'acceleration': 1}, 'two': "
                                          "{'type': 'fixed_servo', 'between': ['base', "
                                          "'arm'], 'axis': [0, 0, 1], 'at': [0, 0, 0], "
                                          "'acceleration': 2}}"),
                   "asks for the acceleration 2 and one for 1", "no motion meets both");
  expect_no_system(
      STUDY("0.1", "",
            "'bodies': {'arm': {'mass': 1, 'inertia': [1, 1, 1], 'velocity': [0, 0, 3]}}, "
            "'constraints': {'pin': " PIN("base", "arm", "[0, 0, 0]") "}"),
      "the initial velocities violate constraint pin", "by 3 m/s");
  expect_no_system(STUDY("0.1", "",
                         "'bodies': {'ball': {'mass': 1, 'inertia': [1, 1, 1], 'at': [0, 2, 0]}}, "
                         "'contacts': {'floor': {'between': ['base', 'ball'], 'normal': 'held', "
                         "'surfaces': [{'shape': 'plane'}, {'shape': 'sphere', 'radius': 1}]}}"),
                   "contact floor holds surfaces that are 1 m apart", "\"start\": \"touching\"");
}

#define FALLING_ROD(contacts)                                                                      \
  STUDY("3", "",                                                                                   \
        "'bodies': {'rod': {'mass': 1, 'inertia': [4e-3, 4e-3, 1.25e-3], 'at': [0, 0.2, 0], "      \
        "'turned': {'axis': [1, 0, 0], 'angle': '20 deg'}}}, 'contacts': {" contacts               \
        "}, 'measures': {'height': {'take': 'final', 'of': 'rod.y'}, 'error': {'take': 'max', "    \
        "'of': 'abs(balance)'}}")
#define EDGE(name, at)                                                                             \
  "'" name "': {'between': ['base', 'rod'], 'normal': 'unilateral', 'surfaces': [{'shape': "       \
  "'plane'}, {'shape': 'disc', 'axis': [0, 0, 1], 'radius': 0.05, 'at': [0, 0, " at "]}]}"

/* The message has the two contacts to write, and with them the rod comes to lie on the floor. */
Test(graph, a_cylinder_that_comes_to_lie_on_its_side_is_told_what_to_write) {
  static const char text[] =
      FALLING_ROD("'floor': {'between': ['base', 'rod'], 'normal': 'unilateral', 'surfaces': "
                  "[{'shape': 'plane'}, {'shape': 'cylinder', 'radius': 0.05, 'length': 0.2}]}");
  omr_study *study = NULL;
  omr_reference_run run;
  omr_error error = {0};
  char *copy = double_quoted(text);
  cr_assert_eq(omr_study_parse(copy, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  free(copy);
  const omr_part part = omr_part_of(study);
  const omr_reference_options options = {.extremes = true};
  cr_assert_eq(omr_reference_integrate(&part, 0, &options, &run, &error), OMR_ERR_USAGE);
  cr_expect_not_null(strstr(error.message,
                            "{\"shape\": \"disc\", \"axis\": [0, 0, 1], \"radius\": 0.05, \"at\": "
                            "[0, 0, -0.1]} and the same \"at\" [0, 0, 0.1]"),
                     "%s", error.message);
  omr_study_destroy(study);
  ran r = run_text(FALLING_ROD(EDGE("left", "-0.1") ", " EDGE("right", "0.1")));
  expect(&r, "height", 0.05, WITHIN);
  expect(&r, "error", 0, WITHIN);
  end(&r);
}

/* Dropped from h a ball of e = 1/2 lands at T = sqrt(2 h/g), 2 T, 5/2 T, 11/4 T ..., each time with
 * half of the speed before; by 2.6 T three times. A ball without rebound touches from T on. What an
 * impact changes at once is a change of a condition as any other. */
Test(graph, conditions_see_what_impacts_change) {
  ran r = run_text(STUDY(
      "2.6", "'h': '5 m', 'e': 0.5",
      "'gravity': [0, -10, 0], 'bodies': {'ball': {'mass': 2, 'inertia': [1, 1, 1], 'at': [0, 'h + "
      "1 "
      "m', 0]}, 'dull': {'mass': 2, 'inertia': [1, 1, 1], 'at': [9, 'h + 1 m', 0]}}, 'contacts': "
      "{'a': {'between': ['base', 'ball'], 'surfaces': [{'shape': 'plane'}, {'shape': 'sphere', "
      "'radius': 1}], 'restitution': 'e'}, 'b': {'between': ['base', 'dull'], 'surfaces': "
      "[{'shape': "
      "'plane'}, {'shape': 'sphere', 'radius': 1}]}}, 'measures': {'up': {'take': 'count', 'when': "
      "'ball.vy > 0'}, 'down': {'take': 'count', 'when': 'ball.vy < -1 m/s'}, 'lands': {'take': "
      "'first', 'when': 'b.touches > 0.5'}, 'stands': {'take': 'first', 'when': 'dull.vy > -1 m/s "
      "&& t > 0.5 s'}, 'rises': {'take': 'count', 'when': 'dull.vy > 0'}, 'loses': "
      "{'take': 'first', 'when': 'impacts > 0'}, 'half': {'take': 'first', 'when': 'impacts > 180'"
      "}}"));
  expect(&r, "up", 3, 0);
  expect(&r, "down", 3, 0);
  expect(&r, "lands", 1, WITHIN);
  expect(&r, "stands", 1, WITHIN);
  expect(&r, "rises", 0, 0);
  expect(&r, "loses", 1, WITHIN);
  /* of m g h = 100 J the second ball has lost all at T, the first 3/4 then and 15/16 at 2 T */
  expect(&r, "half", 2, WITHIN);
  end(&r);
}

/* A stiff, overdamped spring beside a slow fall: x'' = -1e6 (x - x0) - 1e4 x' - g settles at
 * x0 - g/1e6. BDF takes steps of the slow motion; both methods find the same. */
Test(graph, stiff_systems_have_a_method_of_their_own) {
  static const char *const methods[] = {"adams", "bdf"};
  long steps[2];
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "{'model': 'multibody', 'integrator': {'step': '10 ms', 'duration': 2, 'method': '%s'},"
        "'parameters': {}, 'system': {'bodies': {'bob': {'mass': 1, 'inertia': [1, 1, 1]}}, "
        "'constraints': {'rail': {'type': 'free_slide', 'between': ['base', 'bob'], 'axis': [0, 1, "
        "0], 'at': [0, 0, 0]}}, 'forces': {'spring': {'between': ['base', 'bob'], 'force': [0, "
        "'-1e6 N/m * bob.y - 1e4 N s/m * bob.vy', 0]}}, 'measures': {'y': {'take': 'final', 'of': "
        "'bob.y'}}}}",
        methods[i]);
    ran r = run_text(text);
    expect(&r, "y", -9.81e-6, 1e-12);
    steps[i] = r.run.counts.steps;
    end(&r);
  }
  cr_expect_lt(steps[1], steps[0] / 10, "%ld and %ld", steps[0], steps[1]);
}
