/* The saddle point of masses and conditions (host/reference/multibody/saddle.c): what S gives where
 * S is good, and closed forms where bodies are too light for S. */
#include "mechanism.h"
#include "multibody_random.h"
#include "reference/multibody/forces.h"
#include "reference/multibody/joints.h"
#include "reference/multibody/multibody.h"

#include <criterion/logging.h>
#include <string.h>

/* A condition on a point's height whose reaction has friction: the wrench is not the kinematics. */
static void rubbing_effect(const omr_mb_constraint *c, const omr_mb_view *view,
                           omr_mb_effect *out) {
  const omr_vec n = {0, 1, 0}, along = {0.3, 0, -0.2};
  omr_vec db = omr_times(&view->b->t, omr_vec_of(0.1, -0.2, 0.05));
  (void)c;
  out->rows = 1;
  omr_mb_row *row = &out->row[0];
  row->move[1] = n;
  row->turn[1] = omr_cross(db, n);
  row->rhs = -omr_dot(n, omr_centripetal(view->b, db));
  row->force[1] = omr_add(n, along);
  row->torque[1] = omr_cross(db, row->force[1]);
}

static const omr_mb_kind rubbing = {"rubbing", 0, rubbing_effect, NULL, false};

typedef struct chain {
  omr_mb *mb;
  omr_joint hinge[2], again;
  omr_ball ball;
  omr_gear gear;
  omr_mb_constraint floor;
} chain;

/* Three bodies in random poses: two hinges, one of them twice (five conditions too many), a gear on
 * a carrier, and with `friction` the rubbing floor. */
static void build(chain *x, bool friction, uint64_t *seed) {
  *x = (chain){.mb = omr_mb_create(omr_vec_of(0, -9.81, 0))};
  for (int i = 1; i <= 3; i++) {
    double q[4] = {1, draw(seed, -1, 1), draw(seed, -1, 1), draw(seed, -1, 1)};
    omr_mb_add_body(x->mb, "body", draw(seed, 0.5, 2), omr_vec_of(0.2, 0.3, 0.25));
    omr_vec r = random_vec(seed, 1), v = random_vec(seed, 1), w = random_vec(seed, 2);
    omr_mb_place(x->mb, i, r, q, v, w);
  }
  omr_joint_place first = {0, 1, random_direction(seed), random_vec(seed, 1), random_vec(seed, 1)};
  omr_joint_place second = {1, 2, random_direction(seed), random_vec(seed, 1), random_vec(seed, 1)};
  omr_joint_add(x->mb, &x->hinge[0], "first", first,
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(x->mb, &x->hinge[1], "second", second,
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(x->mb, &x->again, "again", second, (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_gear_pair(x->mb, &x->gear, "gear",
                (omr_gear_place){2, 3, 1, random_direction(seed), random_direction(seed)}, -0.7, 0);
  x->floor = (omr_mb_constraint){.a = 0, .b = 3};
  if (friction) omr_mb_add_constraint(x->mb, &x->floor, &rubbing, "floor");
}

Test(saddle, gives_the_accelerations_and_least_multipliers_that_the_compliance_matrix_gives) {
  uint64_t seed = 77;
  double worst = 0;
  for (int k = 0; k < 20; k++) {
    chain x;
    build(&x, k % 2, &seed);
    evaluate(x.mb);
    int rows = x.mb->rows;
    cr_assert_not(x.mb->solver.light);
    cr_expect_eq(x.mb->solver.redundant, 5);
    omr_acceleration a[4];
    double multiplier[32];
    for (int i = 1; i <= 3; i++) a[i] = x.mb->acceleration[i];
    memcpy(multiplier, x.mb->multiplier, (size_t)rows * sizeof *multiplier);
    x.mb->solver.light = true;
    evaluate(x.mb);
    cr_expect_eq(x.mb->solver.redundant, 5);
    for (int i = 1; i <= 3; i++) {
      const omr_acceleration *b = &x.mb->acceleration[i];
      double size = 1 + omr_norm(a[i].a) + omr_norm(a[i].e);
      double off = omr_norm(omr_sub(a[i].a, b->a)) + omr_norm(omr_sub(a[i].e, b->e));
      worst = fmax(worst, off / size);
      cr_expect_lt(off, 1e-10 * size, "system %d, body %d: %g", k, i, off);
    }
    for (int i = 0; i < rows; i++)
      cr_expect_float_eq(x.mb->multiplier[i], multiplier[i], 1e-8 * (1 + fabs(multiplier[i])),
                         "system %d, condition %d: %.12g, not %.12g", k, i, x.mb->multiplier[i],
                         multiplier[i]);
    omr_mb_destroy(x.mb);
  }
  cr_log_info("accelerations within %.2g", worst);
}

Test(saddle, impacts_are_those_of_the_compliance_matrix) {
  uint64_t seed = 3;
  for (int k = 0; k < 6; k++) {
    omr_vec v[2][4];
    double lost[2];
    uint64_t before = seed;
    for (int light = 0; light < 2; light++) {
      chain x;
      omr_error error = {0};
      seed = before;
      build(&x, k % 2, &seed);
      x.mb->solver.light = light;
      cr_assert_eq(omr_mb_impact(x.mb, &lost[light], &error), OMR_OK, "%s", error.message);
      for (int i = 1; i <= 3; i++) v[light][i] = x.mb->frame[i].v;
      omr_mb_destroy(x.mb);
    }
    cr_expect_float_eq(lost[0], lost[1], 1e-10 * lost[0]);
    for (int i = 1; i <= 3; i++) cr_expect_lt(omr_norm(omr_sub(v[0][i], v[1][i])), 1e-10);
  }
}

/* A heavy pendulum whose arm is a chain of two light links with a redundant hinge, and a light body
 * that flies by itself under a force: the pendulum is that of a massless arm to the part of the
 * links' mass, and the light body has f/m to rounding. */
Test(saddle, light_bodies_move_as_closed_forms_say) {
  for (double light = 1e-6; light > 1e-15; light *= 1e-3) {
    omr_mb *mb = omr_mb_create(omr_vec_of(0, -10, 0));
    double i = light * 0.01, angle = 0.7, q[4];
    int link = omr_mb_add_body(mb, "link", light, omr_vec_of(i, i, i)),
        load = omr_mb_add_body(mb, "load", 2, omr_vec_of(0.1, 0.1, 0.1)),
        mote = omr_mb_add_body(mb, "mote", light, omr_vec_of(i, i, i));
    omr_vec arm = {0.5 * sin(angle), -0.5 * cos(angle), 0};
    omr_quaternion(omr_vec_of(0, 0, 1), angle, q);
    omr_mb_place(mb, link, arm, q, NOWHERE, NOWHERE);
    omr_mb_place(mb, load, omr_scale(2, arm), q, NOWHERE, NOWHERE);
    omr_mb_place(mb, mote, omr_vec_of(5, 0, 0), UPRIGHT, NOWHERE, NOWHERE);
    int bob = omr_mb_add_body(mb, "bob", light, omr_vec_of(i, 2 * i, 1.5 * i));
    omr_vec d = {0.3, 0.1, 0};
    omr_mb_place(mb, bob, omr_axpy(d, 2, arm), UPRIGHT, NOWHERE, NOWHERE);
    omr_ball ball;
    omr_ball_joint(mb, &ball, "ball", (omr_point_place){load, bob, NOWHERE, omr_neg(d)});
    omr_joint pin, weld, again;
    omr_joint_add(mb, &pin, "pin", (omr_joint_place){0, link, {0, 0, 1}, NOWHERE, {0, 0.5, 0}},
                  (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
    omr_joint_add(mb, &weld, "weld", (omr_joint_place){.a = link, .b = load, .axis = {1, 0, 0}},
                  (omr_joint_law){.class = OMR_JOINT_WELD});
    omr_joint_add(mb, &again, "again", (omr_joint_place){.a = link, .b = load, .axis = {1, 0, 0}},
                  (omr_joint_law){.class = OMR_JOINT_WELD});
    omr_spring spring = {.stiffness = 30 * light, .free_length = 4};
    omr_point_spring(mb, &spring, "spring", (omr_point_place){.b = mote});
    mb->solver.light = true;
    evaluate(mb);
    cr_expect_eq(mb->solver.redundant, 6);
    /* (m l^2 + J + link) phi'' = -(m l + link/2) g sin; bob adds parts of `light` */
    double e = -(2 + light / 2) * 10 * sin(angle) / (2 + 0.1 + 0.25 * light + i);
    cr_expect_float_eq(mb->acceleration[load].e.z, e, (1e-13 + light) * fabs(e));
    cr_expect_float_eq(mb->acceleration[link].e.z, e, (1e-13 + light) * fabs(e));
    cr_expect_float_eq(mb->acceleration[mote].a.x, -30, 3e-9, "%g: %.15g", light,
                       mb->acceleration[mote].a.x);
    cr_expect_float_eq(mb->acceleration[mote].a.y, -10, 1e-9);
    /* bob on the load's centre: (J + m d^2) e = m d x (g - a) about z */
    omr_vec pull = omr_sub(omr_vec_of(0, -10, 0), mb->acceleration[load].a);
    double turning = omr_cross(d, pull).z / (0.015 + omr_dot(d, d));
    cr_expect_float_eq(mb->acceleration[bob].e.z, turning, 1e-9 * fabs(turning),
                       "%g: %.15g, not %.15g", light, mb->acceleration[bob].e.z, turning);
    omr_mb_destroy(mb);
  }
}
