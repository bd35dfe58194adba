/* The check of a system's graph: redundant and inconsistent conditions by name, initial states that
 * violate constraints, freedoms. */
#include "reference/system/graph_check.h"

#include "mechanism.h"
#include "reference/multibody/joints.h"

#include <stdlib.h>
#include <string.h>

static const omr_vec AXIS = {0, 0, 1};

static omr_findings look_at(omr_mb *mb) {
  omr_findings graph;
  omr_error error = {0};
  cr_assert_eq(omr_mb_graph_check(mb, NULL, &graph, &error), OMR_OK, "%s", error.message);
  return graph;
}

static const omr_finding *only(const omr_findings *g, omr_finding_kind kind) {
  const omr_finding *found = NULL;
  for (int i = 0; i < g->findings; i++) {
    if (g->finding[i].kind != kind) continue;
    cr_expect_null(found, "two findings of kind %d: %s", kind, g->finding[i].text);
    found = &g->finding[i];
  }
  cr_assert_not_null(found, "no finding of kind %d", kind);
  return found;
}

static void expect_text(const omr_finding *f, const char *words) {
  cr_expect_not_null(strstr(f->text, words), "%s: not in: %s", words, f->text);
}

/* A bar from p to q in the plane z = 0, its centre between. */
static int add_bar(omr_mb *mb, const char *name, omr_vec p, omr_vec q) {
  int bar = omr_mb_add_body(mb, name, 1, omr_vec_of(0.02, 0.03, 0.04));
  omr_mb_place(mb, bar, omr_scale(0.5, omr_add(p, q)), UPRIGHT, NOWHERE, NOWHERE);
  return bar;
}

static void join(omr_mb *mb, omr_joint *joint, const char *name, int a, int b, omr_vec at) {
  omr_joint_place place = {a, b, AXIS, omr_sub(at, mb->frame[a].r), omr_sub(at, mb->frame[b].r)};
  omr_joint_add(mb, joint, name, place, (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
}

/* Gruebler in space: 6 * 3 - 4 * 5 = -2 freedoms, yet one moves: 3 conditions too many. */
Test(graph_check, four_bar_of_hinges_has_three_conditions_too_many) {
  omr_mb *mb = omr_mb_create(omr_vec_of(0, -9.81, 0));
  const omr_vec p[] = {{0, 0, 0}, {0.1, 0.3, 0}, {0.6, 0.5, 0}, {0.7, 0, 0}};
  static const char *const names[] = {"crank", "coupler", "rocker"};
  int bar[3];
  for (int i = 0; i < 3; i++) bar[i] = add_bar(mb, names[i], p[i], p[i + 1]);
  omr_joint hinge[4];
  join(mb, &hinge[0], "left pin", 0, bar[0], p[0]);
  join(mb, &hinge[1], "upper left pin", bar[0], bar[1], p[1]);
  join(mb, &hinge[2], "upper right pin", bar[1], bar[2], p[2]);
  join(mb, &hinge[3], "right pin", bar[2], 0, p[3]);
  omr_findings g = look_at(mb);
  cr_expect_eq(g.conditions, 20);
  cr_expect_eq(g.redundant, 3);
  cr_expect_eq(g.freedoms, 1);
  cr_expect_eq(g.errors, 0);
  cr_expect_eq(g.findings, 1);
  const omr_finding *f = only(&g, OMR_FINDING_REDUNDANT);
  cr_expect_eq(f->count, 3);
  expect_text(f, "constraints left pin, upper left pin, upper right pin and right pin share 3 "
                 "conditions too many (redundant): their reactions are not determined; omniroll "
                 "takes the least ones");
  /* the solver agrees, and the loop keeps its energy */
  double energy = omr_mb_kinetic(mb) + omr_mb_potential(mb);
  omr_mb_integrator *i = start_finely(mb);
  go_on(i, mb, 1);
  cr_expect_eq(mb->solver.redundant, 3);
  cr_expect_float_eq(omr_mb_kinetic(mb) + omr_mb_potential(mb), energy, 1e-9);
  for (int k = 0; k < 4; k++) cr_expect_lt(hinge[k].base.max_position, 1e-9);
  omr_findings_free(&g);
  end_both(i, mb);
}

/* A ball and a cylindrical joint instead of two hinges: 20 - 2 - 1 = 17 conditions, none too many.
 */
Test(graph_check, the_same_loop_with_a_ball_is_determined) {
  omr_mb *mb = omr_mb_create(NOWHERE);
  const omr_vec p[] = {{0, 0, 0}, {0.1, 0.3, 0}, {0.6, 0.5, 0}, {0.7, 0, 0}};
  int bar[3];
  for (int i = 0; i < 3; i++) bar[i] = add_bar(mb, "bar", p[i], p[i + 1]);
  omr_joint hinge[3];
  omr_ball ball;
  join(mb, &hinge[0], "left pin", 0, bar[0], p[0]);
  join(mb, &hinge[1], "upper left pin", bar[0], bar[1], p[1]);
  omr_ball_joint(mb, &ball, "ball",
                 (omr_point_place){bar[1], bar[2], omr_sub(p[2], mb->frame[bar[1]].r),
                                   omr_sub(p[2], mb->frame[bar[2]].r)});
  omr_joint_add(mb, &hinge[2], "right pin",
                (omr_joint_place){0, bar[2], AXIS, p[3], omr_sub(p[3], mb->frame[bar[2]].r)},
                (omr_joint_law){.class = OMR_JOINT_FREE_IDEAL});
  omr_findings g = look_at(mb);
  cr_expect_eq(g.conditions, 17);
  cr_expect_eq(g.redundant, 0);
  cr_expect_eq(g.freedoms, 1);
  cr_expect_eq(g.findings, 0);
  omr_findings_free(&g);
  omr_mb_destroy(mb);
}

static void square(void *self, double t, double *value, double *rate, double *acceleration) {
  double a = *(const double *)self;
  *value = 0.5 * a * t * t;
  *rate = a * t;
  *acceleration = a;
}

/* Two drives of one slider that ask for 1 and 2 m/s2, and another pair elsewhere that agrees. */
Test(graph_check, two_drives_that_disagree_are_named_with_their_numbers) {
  omr_mb *mb = omr_mb_create(NOWHERE);
  double a[] = {1, 2};
  int slider = add_bar(mb, "slider", NOWHERE, NOWHERE), other = add_bar(mb, "other", AXIS, AXIS);
  omr_joint rail;
  omr_joint_add(mb, &rail, "rail", (omr_joint_place){.b = slider, .axis = {1, 0, 0}},
                (omr_joint_law){.class = OMR_JOINT_FREE_SLIDE});
  omr_motion first = {.law = {square}, .self = {&a[0]}},
             second = {.law = {square}, .self = {&a[1]}}, third = first, fourth = first;
  omr_prescribed_motion(mb, &first, "slow drive", (omr_point_place){.b = slider});
  omr_prescribed_motion(mb, &second, "fast drive", (omr_point_place){.b = slider});
  omr_prescribed_motion(mb, &third, "left hand", (omr_point_place){.b = other});
  omr_prescribed_motion(mb, &fourth, "right hand", (omr_point_place){.b = other});
  omr_findings g = look_at(mb);
  cr_expect_eq(g.redundant, 2);
  cr_expect_eq(g.freedoms, 5);
  cr_expect_eq(g.errors, 1);
  const omr_finding *f = only(&g, OMR_FINDING_INCONSISTENT);
  cr_expect_float_eq(fabs(f->value - f->other), 1, 1e-9);
  cr_expect_float_eq(f->value + f->other, 3, 1e-9);
  expect_text(f, "slow drive");
  expect_text(f, "fast drive");
  cr_expect(strstr(f->text, "acceleration 1 and") || strstr(f->text, "acceleration 2 and"), "%s",
            f->text);
  cr_expect_eq(f, &g.finding[0]); /* errors stand first */
  int redundant = 0;
  for (int i = 0; i < g.findings; i++) redundant += g.finding[i].kind == OMR_FINDING_REDUNDANT;
  cr_expect_eq(redundant, 2); /* both pairs, each by itself */
  expect_text(&g.finding[g.findings - 1], "constraints left hand and right hand share 1 condition");
  omr_findings_free(&g);
  omr_mb_destroy(mb);
}

Test(graph_check, initial_states_that_violate_a_constraint_are_named_with_the_numbers) {
  omr_mb *mb = omr_mb_create(NOWHERE);
  int bob = add_bar(mb, "bob", NOWHERE, omr_vec_of(0, -1, 0)),
      stray = add_bar(mb, "stray", AXIS, AXIS);
  (void)stray;
  omr_rod rod;
  omr_distance_rod(mb, &rod, "string", (omr_point_place){.b = bob}, 0.4);
  omr_mb_set_velocity(mb, bob, omr_vec_of(3, -0.25, 0), NOWHERE);
  omr_findings g = look_at(mb);
  cr_expect_eq(g.errors, 2);
  expect_text(only(&g, OMR_FINDING_POSITION),
              "the initial positions violate constraint string (massless rod) by 0.1 m");
  expect_text(only(&g, OMR_FINDING_VELOCITY),
              "the initial velocities violate constraint string (massless rod) by 0.25 m/s");
  const omr_finding *f = only(&g, OMR_FINDING_FREE);
  expect_text(f, "body stray has no constraint or contact");
  cr_expect_eq(f->body, stray);
  cr_expect_not(f->error);
  cr_expect_eq(g.freedoms, 11);
  cr_expect(g.bodies == 2 && g.conditions == 1 && g.redundant == 0);
  omr_findings_free(&g);
  omr_finding_tolerance wide = {.position = 0.2, .velocity = 0.3};
  omr_error error = {0};
  cr_assert_eq(omr_mb_graph_check(mb, &wide, &g, &error), OMR_OK);
  cr_expect_eq(g.errors, 0);
  omr_findings_free(&g);
  omr_mb_destroy(mb);
}

Test(graph_check, a_body_joined_to_itself_is_an_error) {
  omr_mb *mb = omr_mb_create(NOWHERE);
  int bar = add_bar(mb, "bar", NOWHERE, AXIS);
  omr_joint hinge;
  join(mb, &hinge, "loop", bar, bar, NOWHERE);
  omr_findings g = look_at(mb);
  cr_expect_eq(g.errors, 1);
  expect_text(only(&g, OMR_FINDING_SELF), "constraint loop joins bar to itself");
  omr_findings_free(&g);
  omr_mb_destroy(mb);
}

/* Light bodies change nothing: rank is that of the conditions, not of the masses. */
Test(graph_check, masses_have_no_part_in_it) {
  for (int light = 0; light < 2; light++) {
    omr_mb *mb = omr_mb_create(NOWHERE);
    double small = light ? 1e-12 : 1;
    omr_mb_add_body(mb, "link", small, omr_vec_of(small, small, small));
    omr_mb_add_body(mb, "load", 1, omr_vec_of(1, 1, 1));
    omr_mb_place(mb, 2, omr_vec_of(1, 0, 0), UPRIGHT, NOWHERE, NOWHERE);
    omr_joint one, two;
    omr_joint_add(mb, &one, "one", (omr_joint_place){.b = 1, .axis = {0, 0, 1}},
                  (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
    omr_joint_add(mb, &two, "two", (omr_joint_place){.a = 1, .b = 2, .axis = {1, 0, 0}},
                  (omr_joint_law){.class = OMR_JOINT_WELD});
    omr_findings g = look_at(mb);
    cr_expect_eq(g.freedoms, 1);
    cr_expect_eq(g.redundant, 0);
    omr_findings_free(&g);
    omr_mb_destroy(mb);
  }
}
