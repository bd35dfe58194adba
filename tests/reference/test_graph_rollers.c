/* Rollers of omni wheels in systems of a study's own: laws, trackings, wheels at edges, starts,
 * refusals. That whole vehicles move as the built-in ones: test_graph_models.c. */
#include "host/reference/reference.h"
#include "host/study/system/graph.h"
#include "tests/study/refusals.h"

#include <math.h>
#include <omniroll/omniroll.h>

/* A wheel of the testbench with rollers of its own: psi, their number n, R1, further keys of their
 * contacts and of the study's integrator. */
#define WHEEL(parameters, contact, duration, step)                                                 \
  "{'model': 'multibody', 'parameters': {" parameters "},"                                         \
  "'integrator': {'duration': " duration ", 'step': " step "}, 'system': {'classes': {"            \
  "'roller': {'parameters': {'a': null}, 'bodies': {'body': {'mass': '0.11 kg', 'inertia': "       \
  "['3e-5 kg m2', '7e-5 kg m2', '7e-5 kg m2']}}, 'constraints': {'bearing': {'type': "             \
  "'fixed_ideal', 'between': ['disc', 'body'], 'axis': ['cos(psi)*cos(a)', 'cos(psi)*sin(a)', "    \
  "'sin(psi)'], 'point_b': [0, 0, 0]}}, 'contacts': {'floor': {'type': 'roller', 'between': "      \
  "['base', 'body'], 'wheel': 'disc', 'radius': '10 cm'" contact "}}},"                            \
  "'wheel': {'bodies': {'disc': {'mass': '1.2 kg', 'inertia': ['0.0035 kg m2', '0.0035 kg m2', "   \
  "'0.006 kg m2']}}, 'groups': {'rollers': {'class': 'roller', 'count': 'n', 'with': {'a': "       \
  "'2*pi*i/n'}, 'ports': {'disc': 'disc'}, 'at': ['center*sin(2*pi*i/n)', "                        \
  "'-center*cos(2*pi*i/n)', 0], 'turned': [{'axis': [0, 1, 0], 'angle': '-psi'}, "                 \
  "{'axis': [0, 0, 1], 'angle': '2*pi*i/n'}]}}}},"                                                 \
  "'groups': {'wheel': {'class': 'wheel', 'at': [0, 'height', 0], 'turned': {'axis': [0, 0, 1], "  \
  "'angle': 'angle'}, 'velocity': ['vx', 0, 'vz'], 'angular_velocity': [0, 'turning', 'spin']}},"  \
  "'constraints': {'servo': {'type': 'upright', 'between': ['base', 'wheel.disc'], 'axis': "       \
  "[0, 0, 1]}},"                                                                                   \
  "'measures': {'x': {'take': 'final', 'of': 'wheel.disc.x'}, 'z': {'take': 'final', 'of': "       \
  "'wheel.disc.z'}, 'yaw_rate': {'take': 'final', 'of': 'wheel.disc.wy'}, 'rate': {'take': "       \
  "'final', 'of': 'wheel.disc.w3'}, 'balance': {'take': 'final', 'of': 'balance'}, 'lost': "       \
  "{'take': 'final', 'of': 'impacts'}}}}"

#define SLIDES                                                                                     \
  "'n': 6, 'psi': 0.3, 'center': '8 cm', 'height': '10 cm', 'angle': 0, 'vx': '0.6 m/s', 'vz': "   \
  "'0.1 m/s', 'turning': '0.5 rad/s', 'spin': '-7 rad/s'"

typedef struct ran {
  omr_study *study;
  omr_reference_run run;
  omr_status status;
  omr_error error;
} ran;

/* A text with ' for ". */
static ran run_text(const char *text) {
  ran r = {.error = {.message = ""}};
  char *copy = double_quoted(text);
  cr_assert_eq(omr_study_parse(copy, "s.json", NULL, 0, &r.study, &r.error), OMR_OK, "%s",
               r.error.message);
  free(copy);
  const omr_part part = omr_part_of(r.study);
  const omr_reference_options options = {.tolerance = {.relative = 1e-12, .absolute = 1e-13}};
  r.status = omr_reference_integrate(&part, 0, &options, &r.run, &r.error);
  return r;
}

static double measure(const ran *r, const char *name) {
  cr_assert_eq(r->status, OMR_OK, "%s", r->error.message);
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

/* Four ways to find the same contact point. */
Test(graph_rollers, all_trackings_move_alike) {
  static const char *const texts[] = {
      WHEEL(SLIDES, ", 'friction': 0.3, 'slip_speed': '20 cm/s'", "'0.4 s'", "'1 ms'"),
      WHEEL(SLIDES, ", 'friction': 0.3, 'slip_speed': '20 cm/s', 'tracking': 'implicit'", "'0.4 s'",
            "'1 ms'"),
      WHEEL(SLIDES, ", 'friction': 0.3, 'slip_speed': '20 cm/s', 'tracking': 'general'", "'0.4 s'",
            "'1 ms'"),
      WHEEL(SLIDES,
            ", 'friction': 0.3, 'slip_speed': '20 cm/s', 'tracking': 'general_differential'",
            "'0.4 s'", "'1 ms'")};
  static const char *const names[] = {"x", "z", "yaw_rate", "rate"};
  double first[4] = {0};
  for (size_t i = 0; i < 4; i++) {
    ran r = run_text(texts[i]);
    for (size_t n = 0; n < 4; n++) {
      if (i == 0) first[n] = measure(&r, names[n]);
      cr_expect_float_eq(measure(&r, names[n]), first[n], 1e-9, "%s of %zu: %.3g", names[n], i,
                         measure(&r, names[n]) - first[n]);
    }
    cr_expect_float_eq(measure(&r, "balance"), 0, 1e-9);
    end(&r);
  }
}

/* Ideal rolling keeps the energy but for impacts, which take some at every exchange: as much as of
 * the same wheel by the model omni_wheel. */
Test(graph_rollers, rolling_takes_the_impacts_of_the_built_in_model) {
  static const char built_in[] =
      "{'model': 'omni_wheel', 'parameters': {'contact': {'law': 'ideal_rolling'}, 'wheel': "
      "{'radius': 0.1, 'rollers': 6, 'inclination': 0.3, 'center_distance': 0.08, 'contact': "
      "{'baumgarte': 50}, 'disc': {'mass': 1.2, 'axial_inertia': 0.006, 'diametral_inertia': "
      "0.0035}, 'roller': {'mass': 0.11, 'axial_inertia': 3e-5, 'diametral_inertia': 7e-5}, "
      "'initial': {'rate': -7}}, 'initial': {'vx': 0.6, 'vz': 0.1, 'yaw_rate': 0.5, 'spins': "
      "'rolling'}}, 'integrator': {'step': '1 ms', 'duration': '0.5 s'}}";
  ran own = run_text(WHEEL(SLIDES, ", 'law': 'rolls', 'start': 'rolling', 'baumgarte': '50 s-1'",
                           "'0.5 s'", "'1 ms'")),
      other = run_text(built_in);
  cr_assert_eq(other.status, OMR_OK, "%s", other.error.message);
  cr_expect_gt(other.run.observables[OMR_OBS_EXCHANGES], 2);
  cr_expect_gt(measure(&own, "lost"), 1e-3);
  cr_expect_float_eq(measure(&own, "lost"), other.run.observables[OMR_OBS_IMPACT_LOSS], 1e-10);
  cr_expect_float_eq(measure(&own, "x"), other.run.observables[OMR_OBS_FINAL_X], 1e-10);
  cr_expect_float_eq(measure(&own, "z"), other.run.observables[OMR_OBS_FINAL_Z], 1e-10);
  cr_expect_float_eq(measure(&own, "balance"), 0, 1e-9);
  end(&own);
  end(&other);
}

/* A wheel that spins on the spot over an edge that attracts it from both sides: friction turns it
 * back at once, and it keeps its roller to the end of the step, so that it takes turns with its
 * steps. In the limit of short steps each roller carries half, and the yaw rate after 0.15 s is
 * 0.1611090882 rad/s: omega = omega_0 - mu M g p t/J_c, p = R sin(alpha) tan(psi), to v_s/p, then
 * an exponential (tests/physics/test_edges.c, which has a state for such a wheel). */
#define SPINS(step)                                                                                \
  WHEEL("'n': 5, 'psi': 0.4, 'center': 0.080901699437494742, 'height': '10 cm', 'angle': "         \
        "0.62831853071795865, "                                                                    \
        "'vx': '0 m/s', 'vz': '0 m/s', 'turning': '3 rad/s', 'spin': '0 rad/s'",                   \
        ", 'friction': 0.3, 'slip_speed': '2 cm/s'", "'0.15 s'", step)
Test(graph_rollers, a_wheel_over_an_edge_takes_turns_with_the_steps) {
  ran coarse = run_text(SPINS("'0.4 ms'")), fine = run_text(SPINS("'0.1 ms'"));
  const double exact = 0.1611090882, error = fabs(measure(&fine, "yaw_rate") - exact);
  cr_log_info("off by %.2g and %.2g rad/s\n", measure(&coarse, "yaw_rate") - exact, error);
  cr_expect_lt(error, 1e-3, "off by %.3g", error);
  cr_expect_float_eq(measure(&fine, "balance"), 0, 1e-9);
  end(&coarse);
  end(&fine);
}

static void expect_no_machine(const char *text, const char *expected) {
  ran r = run_text(text);
  cr_expect_eq(r.status, OMR_ERR_STUDY, "accepted");
  cr_expect_not_null(strstr(r.error.message, expected), "\"%s\" is not in \"%s\"", expected,
                     r.error.message);
  if (r.status == OMR_OK) omr_reference_run_free(&r.run);
  omr_study_destroy(r.study);
}

#define PLACED(n, center, height, contact)                                                         \
  WHEEL("'n': " n ", 'psi': 0.3, 'center': " center ", 'height': " height ", 'angle': 0, 'vx': "   \
        "'0 m/s', 'vz': '0 m/s', 'turning': '0 rad/s', 'spin': '0 rad/s'",                         \
        contact, "'1 ms'", "'1 ms'")

Test(graph_rollers, wheels_that_cannot_stand_are_refused) {
  expect_no_machine(PLACED("2", "'8 cm'", "'10 cm'", ""),
                    "body wheel.disc has 2 rollers; a wheel stands on one of three or more");
  expect_no_machine(PLACED("6", "'11 cm'", "'10 cm'", ""),
                    "the roller's centre must be between the wheel's axle (its z axis) and radius");
  expect_no_machine(PLACED("4", "'8 cm'", "'10 cm'", ""),
                    "the rollers end before their neighbours");
  expect_no_machine(PLACED("6", "'8 cm'", "'10 cm'",
                           "}, 'again': {'type': 'roller', 'between': ['base', 'body'], 'wheel': "
                           "'disc', 'radius': '10 cm'"),
                    "has two rollers at one angle, or a roller two contacts");
  expect_no_machine(PLACED("6", "'8 cm'", "'11 cm'", ""), "above the floor y = 0");
  expect_no_machine(PLACED("6", "'8 cm'", "'10 cm'", ", 'slip_speed': '0 m/s'"),
                    "slip_speed must be above 0");
}

#define ROLLER(keys)                                                                               \
  "{'model': 'multibody', 'integrator': {'duration': 1, 'step': 1e-3},\n'system': {'bodies': "     \
  "{'disc': {'mass': 1, 'inertia': [1, 1, 1]}, 'body': {'mass': 1, 'inertia': [1, 1, 1]}},\n"      \
  "'contacts': {'floor': {'type': 'roller', " keys "}}}}"

Test(graph_rollers, what_is_no_roller_is_refused) {
  static const broken cases[] = {
      {ROLLER("'between': ['disc', 'body'], 'wheel': 'disc', 'radius': 1"),
       {"s.json:3: system.contacts.floor", "a roller stands on the floor"}},
      {ROLLER("'between': ['base', 'body'], 'wheel': 'body', 'radius': 1"),
       {"\"wheel\" is the body that carries the roller \"body\""}},
      {ROLLER("'between': ['base', 'body'], 'radius': 1"),
       {"\"wheel\" is missing", "\"wheel\": \"disc\""}},
      {ROLLER("'between': ['base', 'body'], 'wheel': 'disc', 'radius': 1, 'law': 'coulomb'"),
       {"system.contacts.floor.law", "rolls"}},
      {ROLLER("'between': ['base', 'body'], 'wheel': 'disc', 'radius': 1, 'normal': 'held'"),
       {"system.contacts.floor.normal"}},
      {ROLLER("'between': ['base', 'body'], 'wheel': 'disc', 'radius': 1, 'surfaces': []"),
       {"system.contacts.floor"}}};
  expect_refused(cases, sizeof cases / sizeof *cases);
}
