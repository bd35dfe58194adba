/* Bodies with a whole tensor of inertia: the same motion as in principal axes, the free top against
 * Jacobi's elliptic functions, and tensors that no body has. */
#include "mechanism.h"
#include "multibody_random.h"
#include "reference/multibody/joints.h"

#include <criterion/logging.h>
#include <string.h>

static const omr_vec MOMENTS = {0.1, 0.25, 0.3};

/* R D R^T */
static omr_mat turned_tensor(const omr_mat *r, omr_vec d) {
  omr_mat t;
  for (int i = 0; i < 3; i++) {
    omr_vec row = {r->row[i].x * d.x, r->row[i].y * d.y, r->row[i].z * d.z};
    t.row[i] = omr_times(r, row);
  }
  return t;
}

static void turn_of(double q[4], double back[4]) {
  omr_quaternion(omr_unit(omr_vec_of(1, -2, 0.5)), 0.9, q);
  memcpy(back, q, 4 * sizeof *q);
  for (int i = 1; i < 4; i++) back[i] = -back[i];
}

/* A heavy body on a skew hinge with a spring along it, in principal axes (turned = false) or in
 * axes turned by R: a vector u of the body reads R u there, and the pose T becomes T R^T. */
static omr_mb *hinged(bool turned, omr_joint *hinge) {
  omr_mb *mb = omr_mb_create(omr_vec_of(0.3, -9.81, 0.1));
  double q[4], back[4], pose[4];
  turn_of(q, back);
  omr_mat r = omr_rotation(q);
  omr_vec point = {0.1, 0.4, -0.2};
  omr_quaternion(omr_unit(omr_vec_of(0.2, 1, 0.6)), 0.7, pose);
  omr_mat t = omr_rotation(pose);
  omr_vec centre = omr_neg(omr_times(&t, point)),
          w = omr_scale(1.3, omr_unit(omr_vec_of(1, 0.5, 2)));
  int body = turned ? omr_mb_add_body_tensor(mb, "stone", 2, turned_tensor(&r, MOMENTS))
                    : omr_mb_add_body(mb, "stone", 2, MOMENTS);
  if (turned) {
    omr_quaternion_product(pose, back, pose);
    point = omr_times(&r, point);
  }
  omr_mb_place(mb, body, centre, pose, omr_cross(w, centre), w);
  omr_joint_add(mb, hinge, "hinge", (omr_joint_place){0, body, {1, 0.5, 2}, NOWHERE, point},
                (omr_joint_law){.class = OMR_JOINT_SPRING_IDEAL, .stiffness = 30, .damping = 2});
  return mb;
}

Test(inertia, a_turned_tensor_moves_as_the_principal_axes_do) {
  omr_joint one, two;
  omr_mb *plain = hinged(false, &one), *turned = hinged(true, &two);
  cr_expect_float_eq(omr_mb_kinetic(plain), omr_mb_kinetic(turned), 1e-15);
  omr_mb_integrator *a = start_finely(plain), *b = start_finely(turned);
  for (double t = 0.5; t <= 3; t += 0.5) {
    go_on(a, plain, t);
    go_on(b, turned, t);
    const omr_frame *f = &plain->frame[1], *g = &turned->frame[1];
    cr_expect_lt(omr_norm(omr_sub(f->r, g->r)), 1e-11);
    cr_expect_lt(omr_norm(omr_sub(f->w, g->w)), 1e-11);
    const omr_force_torque p = omr_mb_wrench(plain, &one.base, 1),
                           q = omr_mb_wrench(turned, &two.base, 1);
    cr_expect_lt(omr_norm(omr_sub(p.force, q.force)), 1e-9);
    cr_expect_lt(omr_norm(omr_sub(p.torque, q.torque)), 1e-9);
  }
  end_both(a, plain);
  end_both(b, turned);
}

/* sn, cn, dn of u for the parameter m by the descending Landen transformation (Abramowitz and
 * Stegun 16.4). */
static void jacobi(double u, double m, double *sn, double *cn, double *dn) {
  double a[16] = {1}, c[16] = {sqrt(m)}, b = sqrt(1 - m), phi, before = 0;
  int n = 0;
  while (fabs(c[n]) > 1e-16 && n < 15) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrt(a[n] * b);
    n++;
  }
  phi = ldexp(a[n] * u, n);
  for (int i = n; i > 0; i--) {
    before = phi;
    phi = (phi + asin(c[i] * sin(phi) / a[i])) / 2;
  }
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = n > 0 ? cos(phi) / cos(before - phi) : 1;
}

/* Landau and Lifshitz I, section 37: I1 < I2 < I3 and L^2 > 2 T I2, from w2 = 0 on; here w2 grows,
 * since I2 w2' = (I3 - I1) w3 w1. */
Test(inertia, free_top_turns_by_the_elliptic_functions) {
  double q[4], back[4];
  turn_of(q, back);
  omr_mat r = omr_rotation(q);
  omr_mb *mb = omr_mb_create(NOWHERE);
  int body = omr_mb_add_body_tensor(mb, "top", 1, turned_tensor(&r, MOMENTS));
  double w1 = 1.2, w3 = 2.5, i1 = MOMENTS.x, i2 = MOMENTS.y, i3 = MOMENTS.z;
  double energy = i1 * w1 * w1 + i3 * w3 * w3, square = pow(i1 * w1, 2) + pow(i3 * w3, 2);
  cr_assert_gt(square, energy * i2);
  omr_mb_place(mb, body, NOWHERE, UPRIGHT, NOWHERE, omr_times(&r, omr_vec_of(w1, 0, w3)));
  omr_vec before = omr_times(&r, omr_vec_of(i1 * w1, 0, i3 * w3));
  double rate = sqrt((i3 - i2) * (square - energy * i1) / (i1 * i2 * i3)),
         m = (i2 - i1) * (energy * i3 - square) / ((i3 - i2) * (square - energy * i1)),
         w2 = sqrt((energy * i3 - square) / (i2 * (i3 - i2))), worst = 0;
  omr_mb_integrator *g = start_finely(mb);
  for (double t = 0.5; t <= 20; t += 0.5) {
    go_on(g, mb, t);
    double sn, cn, dn;
    jacobi(rate * t, m, &sn, &cn, &dn);
    const omr_frame *f = &mb->frame[body];
    omr_vec body_w = omr_transposed_times(&f->t, f->w), w = omr_transposed_times(&r, body_w);
    omr_vec error = omr_sub(w, omr_vec_of(w1 * cn, w2 * sn, w3 * dn));
    worst = fmax(worst, omr_norm(error));
    omr_vec spin = omr_vec_of(i1 * w.x, i2 * w.y, i3 * w.z);
    omr_vec momentum = omr_times(&f->t, omr_times(&r, spin));
    cr_expect_lt(omr_norm(omr_sub(momentum, before)), 1e-10);
    cr_expect_float_eq(2 * omr_mb_kinetic(mb), energy, 1e-10);
  }
  cr_log_info("angular velocity within %.2g rad/s of the elliptic functions", worst);
  cr_expect_lt(worst, 1e-10);
  end_both(g, mb);
}

static void expect_no_body(omr_mat tensor, const char *because) {
  omr_mb *mb = omr_mb_create(NOWHERE);
  omr_error error = {0};
  omr_mb_add_body_tensor(mb, "ghost", 1, tensor);
  cr_expect_eq(omr_mb_complete(mb, &error), OMR_ERR_USAGE);
  cr_expect(strstr(error.message, because) && strstr(error.message, "ghost"), "%s", error.message);
  omr_mb_destroy(mb);
}

Test(inertia, tensors_that_no_body_has_are_refused) {
  expect_no_body((omr_mat){{{1, 0.1, 0}, {0.2, 1, 0}, {0, 0, 1}}}, "xy 0.1 and yx 0.2");
  expect_no_body((omr_mat){{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}}, "moments are -1, 1, 3");
  expect_no_body((omr_mat){{{2, 1, 0}, {1, 2, 0}, {0, 0, 5}}}, "moments 1, 3, 5");
  expect_no_body((omr_mat){{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, "inertias 0, 1, 1");
  omr_mb *mb = omr_mb_create(NOWHERE);
  omr_error error = {0}; /* a flat plate lies on the boundary */
  omr_mb_add_body_tensor(mb, "plate", 1, (omr_mat){{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}});
  cr_expect_eq(omr_mb_complete(mb, &error), OMR_OK, "%s", error.message);
  omr_mb_destroy(mb);
}
