/* Joints of source 3 against exact motions, and the linear system where conditions are redundant.
 */
#include "drift.h"
#include "reference/multibody/joints.h"

#include "multibody_random.h"
#include "reference/multibody/integrate.h"
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <string.h>

#define PI 3.14159265358979323846
#define G 9.81

static const omr_vec GRAVITY = {0, -G, 0}, NOWHERE = {0, 0, 0};
static const double UPRIGHT[4] = {1, 0, 0, 0};
static const omr_mb_tolerance FINE = {.relative = 1e-13, .absolute = 1e-14};

static omr_mb_integrator *start(omr_mb *mb) {
  omr_mb_integrator *g = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_mb_integrator_create(mb, &FINE, NULL, &g, &error), OMR_OK, "%s", error.message);
  return g;
}

static void go(omr_mb_integrator *g, omr_mb *mb, double t) {
  omr_error error = {0};
  cr_assert_eq(omr_mb_advance(g, t, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_mb_evaluate(mb, NULL, &error), OMR_OK, "%s", error.message);
  note_drift(mb);
}

static void end(omr_mb_integrator *g, omr_mb *mb) {
  omr_mb_integrator_destroy(g);
  omr_mb_destroy(mb);
}

/* Pendulum: a rod of mass 2 whose centre hangs 0.5 m below a hinge along z, let go at `angle`. */
static int hang(omr_mb *mb, double angle) {
  int rod = omr_mb_add_body(mb, "rod", 2, omr_vec_of(0.1, 0.2, 0.3));
  double q[4];
  omr_quaternion(omr_vec_of(0, 0, 1), angle, q);
  omr_mb_place(mb, rod, omr_vec_of(0.5 * sin(angle), -0.5 * cos(angle), 0), q, NOWHERE, NOWHERE);
  return rod;
}

static const omr_joint_place HINGE = {0, 1, {0, 0, 1}, {0, 0, 0}, {0, 0.5, 0}};

/* 4 K(sin(a/2))/w0 by the arithmetic-geometric mean: exact period of a pendulum. */
static double period(double angle) {
  double w0 = sqrt(2 * G * 0.5 / (0.3 + 2 * 0.25)), a = 1, b = cos(angle / 2);
  for (int i = 0; i < 8; i++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return 2 * PI / (w0 * a);
}

Test(joints, fixed_ideal_joint_swings_with_the_exact_period_and_keeps_its_energy) {
  omr_mb *mb = omr_mb_create(GRAVITY);
  int rod = hang(mb, 2.0);
  omr_joint hinge;
  omr_joint_add(mb, &hinge, "hinge", HINGE, (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_mb_integrator *g = start(mb);
  double energy = omr_mb_kinetic(mb) + omr_mb_potential(mb);
  go(g, mb, 5 * period(2.0));
  cr_expect_float_eq(mb->frame[rod].r.x, 0.5 * sin(2.0), 1e-9);
  cr_expect_float_eq(mb->frame[rod].v.x, 0, 1e-9);
  double change = omr_mb_kinetic(mb) + omr_mb_potential(mb) - energy,
         range = 2 * G * 0.5 * (1 - cos(2.0));
  cr_log_info("energy %.2g of its range, drift %.2g m, %.2g m/s", change / range,
              hinge.base.max_position, hinge.base.max_velocity);
  cr_expect_lt(fabs(change), 1e-10 * range);
  cr_expect_lt(hinge.base.max_position, 1e-9); /* nothing holds it: source 2 saw 1e-7 */
  cr_expect_float_eq(*omr_mb_own(mb, &hinge.base), 0, 1e-9); /* phi is back */
  end(g, mb);
}

Test(joints, free_ideal_joint_slides_and_turns_by_itself) {
  /* no force along the axis and no torque about it: free fall along a vertical axis, constant spin;
   * a side push does nothing */
  omr_mb *mb = omr_mb_create(omr_vec_of(1.5, -G, -0.7));
  int ring = omr_mb_add_body(mb, "ring", 1.3, omr_vec_of(0.1, 0.2, 0.1));
  omr_mb_place(mb, ring, omr_vec_of(0.2, 0, 0), UPRIGHT, omr_vec_of(0, 1, -0.6),
               omr_vec_of(0, 3, 0));
  omr_joint rail;
  omr_joint_add(mb, &rail, "rail", (omr_joint_place){0, ring, {0, 1, 0}, {0, 0, 0}, {-0.2, 0, 0}},
                (omr_joint_law){.class = OMR_JOINT_FREE_IDEAL});
  omr_mb_integrator *g = start(mb);
  go(g, mb, 0);
  go(g, mb, 1.5);
  const omr_frame *f = &mb->frame[ring];
  cr_expect_float_eq(f->r.y, 1.5 - G * 1.5 * 1.5 / 2, 1e-9);
  /* about the axis gravity's sideways part acts on the arm of 0.2 m: phi'' (I + m d^2) = m d (-gx
   * sin phi - gz cos phi) */
  double energy = omr_mb_kinetic(mb) + omr_mb_potential(mb);
  cr_expect_float_eq(energy, 0.5 * 1.3 * (1 + 0.36) + 0.5 * 0.2 * 9 - 1.3 * 1.5 * 0.2, 1e-10);
  cr_expect_lt(rail.base.max_position, 1e-10);
  end(g, mb);
}

Test(joints, spring_ideal_joint_is_the_damped_oscillator) {
  /* m x'' = -c x - d x', x(0) = 0, x'(0) = v0: x = v0/w exp(-b t) sin(w t), b = d/2m, w^2 = c/m -
   * b^2 */
  const double m = 2, c = 50, d = 3, v0 = 0.7, b = d / (2 * m), w = sqrt(c / m - b * b);
  omr_mb *mb = omr_mb_create(NOWHERE);
  int body = omr_mb_add_body(mb, "slider", m, omr_vec_of(0.1, 0.2, 0.3));
  omr_mb_place(mb, body, NOWHERE, UPRIGHT, omr_vec_of(v0, 0, 0), omr_vec_of(4, 0, 0));
  omr_joint spring;
  omr_joint_add(mb, &spring, "spring", (omr_joint_place){0, body, {1, 0, 0}, NOWHERE, NOWHERE},
                (omr_joint_law){.class = OMR_JOINT_SPRING_IDEAL, .stiffness = c, .damping = d});
  omr_mb_integrator *g = start(mb);
  for (double t = 0.25; t <= 2; t += 0.25) {
    go(g, mb, t);
    double x = v0 / w * exp(-b * t) * sin(w * t), v, rate, force, torque;
    cr_expect_float_eq(mb->frame[body].r.x, x, 1e-11);
    omr_joint_motion(mb, &spring, &x, &v, &rate);
    omr_joint_effort(mb, &spring, &force, &torque);
    cr_expect_float_eq(force, c * x + d * v, 1e-11); /* on A, along the axis */
    cr_expect_float_eq(rate, 4, 1e-11);              /* turning stays free */
    cr_expect_float_eq(torque, 0, 1e-11);
  }
  end(g, mb);
}

static double two_torques(void *self, double t, double angle, double rate) {
  (void)angle;
  const double *k = self;
  return -k[0] * cos(2 * t) + k[1] * rate; /* on A; on B the opposite */
}

Test(joints, fixed_controlled_joint_applies_its_torque_law_to_both_bodies) {
  /* B about A's axis: J phi'' = k0 cos 2t - k1 phi'; linear, solved exactly; A is the base */
  double k[2] = {0.6, 0.4}, j = 0.3;
  omr_mb *mb = omr_mb_create(NOWHERE);
  int body = omr_mb_add_body(mb, "rotor", 1, omr_vec_of(0.1, 0.2, j));
  omr_joint motor;
  omr_joint_add(
      mb, &motor, "motor", (omr_joint_place){0, body, {0, 0, 1}, NOWHERE, NOWHERE},
      (omr_joint_law){
          .class = OMR_JOINT_FIXED_CONTROLLED, .angle = 0.25, .of = two_torques, .self = k});
  omr_mb_integrator *g = start(mb);
  double t = 1.7, p = k[1] / j, w = 2;
  go(g, mb, t);
  /* phi' + p phi ... : v' = -p v + (k0/j) cos wt, v(0) = 0 */
  double v = k[0] / j * ((p * cos(w * t) + w * sin(w * t)) - p * exp(-p * t)) / (p * p + w * w);
  double phi = 0.25 + k[0] / j * ((p * sin(w * t) / w - cos(w * t) + 1) - (1 - exp(-p * t))) /
                          (p * p + w * w);
  cr_expect_float_eq(mb->frame[body].w.z, v, 1e-11);
  cr_expect_float_eq(*omr_mb_own(mb, &motor.base), phi, 1e-11);
  double force, torque;
  omr_joint_effort(mb, &motor, &force, &torque);
  cr_expect_float_eq(torque, -k[0] * cos(w * t) + k[1] * v, 1e-11);
  end(g, mb);
}

Test(joints, two_free_bodies_exchange_equal_and_opposite_torques) {
  double k[2] = {0.6, 0.4};
  omr_mb *mb = omr_mb_create(NOWHERE);
  int a = omr_mb_add_body(mb, "a", 1, omr_vec_of(0.1, 0.2, 0.3)),
      b = omr_mb_add_body(mb, "b", 2, omr_vec_of(0.3, 0.1, 0.2));
  omr_mb_place(mb, b, omr_vec_of(0.4, 0.1, 0), UPRIGHT, omr_vec_of(0.3, 0, 0.1), NOWHERE);
  omr_mb_place(mb, a, NOWHERE, UPRIGHT, omr_vec_of(0.3, 0, 0.1), NOWHERE);
  omr_joint motor;
  omr_joint_add(mb, &motor, "motor", (omr_joint_place){a, b, {0, 0, 1}, {0.4, 0.1, 0}, NOWHERE},
                (omr_joint_law){
                    .class = OMR_JOINT_FIXED_CONTROLLED, .angle = 0, .of = two_torques, .self = k});
  omr_mb_integrator *g = start(mb);
  go(g, mb, 2);
  const omr_frame *fa = &mb->frame[a], *fb = &mb->frame[b];
  omr_vec momentum = omr_add(omr_scale(1, fa->v), omr_scale(2, fb->v));
  cr_expect_float_eq(momentum.x, 0.9, 1e-11);
  cr_expect_float_eq(momentum.z, 0.3, 1e-11);
  /* angular momentum about the origin along z */
  double spin =
      0.3 * fa->w.z + 0.2 * fb->w.z + omr_cross(fa->r, fa->v).z + 2 * omr_cross(fb->r, fb->v).z;
  cr_expect_float_eq(spin, 2 * (0.4 * 0 - 0.1 * 0.3), 1e-10);
  cr_expect_gt(fabs(fb->w.z), 0.05);
  end(g, mb);
}

Test(joints, free_slide_joint_moves_along_its_axis_alone) {
  omr_mb *mb = omr_mb_create(GRAVITY);
  int body = omr_mb_add_body(mb, "slider", 2, omr_vec_of(0.1, 0.2, 0.3));
  const double slope = 0.4;
  omr_mb_place(mb, body, NOWHERE, UPRIGHT, NOWHERE, NOWHERE);
  omr_joint rail;
  omr_joint_add(
      mb, &rail, "rail",
      (omr_joint_place){
          0, body, {cos(slope), sin(slope), 0}, omr_vec_of(0, 0.3, 0), omr_vec_of(0, 0.3, 0)},
      (omr_joint_law){.class = OMR_JOINT_FREE_SLIDE});
  omr_mb_integrator *g = start(mb);
  go(g, mb, 1.2);
  double way = -G * sin(slope) * 1.2 * 1.2 / 2;
  cr_expect_float_eq(mb->frame[body].r.x, way * cos(slope), 1e-11);
  cr_expect_float_eq(mb->frame[body].r.y, way * sin(slope), 1e-11);
  cr_expect_lt(omr_norm(mb->frame[body].w), 1e-11);
  end(g, mb);
}

static double swing(void *self, double t, double angle, double rate) {
  (void)self, (void)angle, (void)rate;
  return -0.6 * 9 * sin(3 * t);
}

Test(joints, fixed_servo_joint_follows_its_law_and_tells_its_torque) {
  /* phi = 0.6 sin 3t by its acceleration; torque on B: J phi'' + m g l sin(phi) with the pendulum
   * hanging at phi = 0 */
  omr_mb *mb = omr_mb_create(GRAVITY);
  int rod = hang(mb, 0);
  omr_mb_place(mb, rod, omr_vec_of(0, -0.5, 0), UPRIGHT, omr_vec_of(0.5 * 1.8, 0, 0),
               omr_vec_of(0, 0, 1.8));
  omr_joint servo;
  omr_joint_add(
      mb, &servo, "servo", HINGE,
      (omr_joint_law){.class = OMR_JOINT_FIXED_SERVO, .angle = 0, .of = swing, .self = NULL});
  omr_mb_integrator *g = start(mb);
  for (double t = 0.5; t <= 4; t += 0.5) {
    go(g, mb, t);
    double phi = 0.6 * sin(3 * t), force, torque;
    cr_expect_float_eq(*omr_mb_own(mb, &servo.base), phi, 1e-10);
    cr_expect_float_eq(mb->frame[rod].r.x, 0.5 * sin(phi), 1e-10);
    omr_joint_effort(mb, &servo, &force, &torque);
    cr_expect_float_eq(-torque, -0.8 * 5.4 * sin(3 * t) + 2 * G * 0.5 * sin(phi), 1e-8);
  }
  end(g, mb);
}

/* ---- redundant conditions */

Test(multibody, second_hinge_on_one_axis_changes_no_motion_and_shares_the_load_in_the_least_norm) {
  /* Rod of mass 2 at rest below two hinges at z = -0.5 and 0.5: 10 conditions, 5 of them redundant.
   * The least norm of the multipliers gives each hinge half of the weight, and no torque where
   * forces alone can carry the load. */
  omr_mb *mb = omr_mb_create(GRAVITY);
  hang(mb, 0);
  omr_joint left, right;
  omr_joint_add(mb, &left, "left", (omr_joint_place){0, 1, {0, 0, 1}, {0, 0, -0.5}, {0, 0.5, -0.5}},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(mb, &right, "right", (omr_joint_place){0, 1, {0, 0, 1}, {0, 0, 0.5}, {0, 0.5, 0.5}},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_error error;
  cr_assert_eq(omr_mb_evaluate(mb, NULL, &error), OMR_OK);
  cr_expect_eq(mb->rows, 10);
  cr_expect_eq(mb->solver.redundant, 5);
  omr_vec force = omr_mb_wrench(mb, &left.base, 1).force;
  cr_expect_float_eq(force.y, G, 1e-9);
  force = omr_mb_wrench(mb, &right.base, 1).force;
  cr_expect_float_eq(force.y, G, 1e-9);
  for (int k = 2; k < 4; k++) cr_expect_float_eq(omr_mb_multiplier(mb, &left.base, k), 0, 1e-9);
  omr_mb_destroy(mb);
}

Test(multibody, least_norm_is_the_least) {
  /* hinges at different distances from the centre: any other split of the load along the null
   * vectors has a larger norm, so the solution is orthogonal to what the swinging rod's redundant
   * solutions differ in: compare with the split (a, 1 - a) */
  omr_mb *mb = omr_mb_create(GRAVITY);
  hang(mb, 0.8);
  omr_joint left, right;
  omr_joint_add(mb, &left, "left", (omr_joint_place){0, 1, {0, 0, 1}, {0, 0, -0.2}, {0, 0.5, -0.2}},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(mb, &right, "right", (omr_joint_place){0, 1, {0, 0, 1}, {0, 0, 1.0}, {0, 0.5, 1.0}},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_error error;
  cr_assert_eq(omr_mb_evaluate(mb, NULL, &error), OMR_OK);
  /* forces f1 + f2 = F along each of e1, e2 and moments -0.2 f1 + 1.0 f2 + (t1 + t2) = 0: minimise
   * f1^2 + f2^2 + t1^2 + t2^2. With t1 = t2 = t: f1 = F - f2, t = (0.2 F - 1.2 f2)/2; d/df2 (f1^2 +
   * f2^2 + 2 t^2) = 0 gives f2 = F (2 + 0.24)/(4 + 1.44) */
  for (int k = 0; k < 2; k++) {
    double f1 = omr_mb_multiplier(mb, &left.base, k), f2 = omr_mb_multiplier(mb, &right.base, k);
    cr_expect_float_eq(f2, (f1 + f2) * 2.24 / 5.44, 1e-9 * (1 + fabs(f1)));
  }
  omr_mb_destroy(mb);
}

Test(multibody, redundant_pendulum_swings_as_the_plain_one) {
  omr_mb *plain = omr_mb_create(GRAVITY), *twice = omr_mb_create(GRAVITY);
  hang(plain, 1.0);
  hang(twice, 1.0);
  omr_joint one, left, right;
  omr_joint_add(plain, &one, "hinge", HINGE, (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(twice, &left, "left", HINGE, (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(twice, &right, "right", (omr_joint_place){0, 1, {0, 0, 1}, {0, 0, 1}, {0, 0.5, 1}},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_mb_integrator *a = start(plain), *b = start(twice);
  go(a, plain, 5);
  go(b, twice, 5);
  cr_expect_float_eq(plain->frame[1].r.x, twice->frame[1].r.x, 1e-9);
  cr_expect_float_eq(plain->frame[1].w.z, twice->frame[1].w.z, 1e-9);
  cr_expect_lt(right.base.max_position, 1e-9);
  end(a, plain);
  end(b, twice);
}

Test(multibody, impact_meets_the_conditions_with_the_least_change) {
  /* a rod flying sideways is caught by the hinge: angular momentum about the hinge stays, 2 * 0.5 *
   * v = (0.3 + 2 * 0.25) w */
  omr_mb *mb = omr_mb_create(GRAVITY);
  int rod = hang(mb, 0);
  omr_mb_place(mb, rod, omr_vec_of(0, -0.5, 0), UPRIGHT, omr_vec_of(1.6, 0.3, -0.2),
               omr_vec_of(0, 0, 0));
  omr_joint hinge;
  omr_joint_add(mb, &hinge, "hinge", HINGE, (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  double before = omr_mb_kinetic(mb), lost;
  omr_error error;
  cr_assert_eq(omr_mb_impact(mb, &lost, &error), OMR_OK);
  cr_expect_float_eq(mb->frame[rod].w.z, 2.0, 1e-12);
  cr_expect_float_eq(mb->frame[rod].v.x, 1.0, 1e-12);
  cr_expect_float_eq(mb->frame[rod].v.z, 0, 1e-12);
  cr_expect_float_eq(lost, before - 0.5 * 0.8 * 4, 1e-12);
  omr_mb_destroy(mb);
}

Test(multibody, free_rigid_body_keeps_energy_and_angular_momentum) {
  /* Euler-Poinsot, near the middle axis: turns over again and again */
  omr_mb *mb = omr_mb_create(NOWHERE);
  int body = omr_mb_add_body(mb, "stone", 1, omr_vec_of(0.1, 0.2, 0.3));
  omr_mb_place(mb, body, NOWHERE, UPRIGHT, NOWHERE, omr_vec_of(0.01, 5, 0.02));
  omr_mb_integrator *g = start(mb);
  double energy = omr_mb_kinetic(mb);
  go(g, mb, 20);
  const omr_frame *f = &mb->frame[body];
  omr_vec w = omr_transposed_times(&f->t, f->w),
          l = omr_times(&f->t, omr_vec_of(0.1 * w.x, 0.2 * w.y, 0.3 * w.z));
  cr_expect_lt(fabs(omr_mb_kinetic(mb) / energy - 1), 1e-10);
  cr_expect_float_eq(l.x, 0.001, 1e-10);
  cr_expect_float_eq(l.y, 1.0, 1e-10);
  cr_expect_float_eq(l.z, 0.006, 1e-10);
  end(g, mb);
}

Test(multibody, bodies_without_mass_are_refused_by_name) {
  omr_mb *mb = omr_mb_create(GRAVITY);
  omr_mb_add_body(mb, "ghost", 0, omr_vec_of(1, 1, 1));
  omr_error error;
  cr_assert_eq(omr_mb_complete(mb, &error), OMR_ERR_USAGE);
  cr_assert(strstr(error.message, "ghost"), "%s", error.message);
  omr_mb_destroy(mb);
}
