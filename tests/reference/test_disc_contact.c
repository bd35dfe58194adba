/* Contact of a disc with a plane as constraints of the multibody reference: the equations of source
 * 3, section 3.1, exact motions of the ideally rolling disc in maximal coordinates, and the
 * classical equations of the disc, integrated for several hundred units of time. */
#include "drift.h"
#include "reference/contact/disc_contact.h"

#include "../physics/shared/classical_disc.h"
#include "multibody_random.h"
#include "reference/multibody/integrate.h"
#include "reference/multibody/joints.h"
#include <criterion/criterion.h>
#include <criterion/logging.h>

#define PI 3.14159265358979323846
#define G 9.81

static const omr_vec GRAVITY = {0, -G, 0}, NOWHERE = {0, 0, 0}, NORMAL = {0, 1, 0};
static const omr_mb_tolerance FINE = {.relative = 1e-14, .absolute = 1e-15};

static omr_mb_integrator *start(omr_mb *mb) {
  omr_mb_integrator *g = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_mb_integrator_create(mb, &FINE, NULL, &g, &error), OMR_OK, "%s", error.message);
  return g;
}

static void evaluate(omr_mb *mb) {
  omr_error error = {0};
  cr_assert_eq(omr_mb_evaluate(mb, NULL, &error), OMR_OK, "%s", error.message);
}

static void go(omr_mb_integrator *g, omr_mb *mb, double t) {
  omr_error error = {0};
  cr_assert_eq(omr_mb_advance(g, t, &error), OMR_OK, "%s", error.message);
  evaluate(mb);
  note_drift(mb);
}

static void end(omr_mb_integrator *g, omr_mb *mb) {
  omr_mb_integrator_destroy(g);
  omr_mb_destroy(mb);
}

static void expect_near(const char *what, double value, double expected, double tolerance) {
  cr_expect_lt(fabs(value - expected), tolerance, "%s is %.12g, not %.12g: off by %.3g", what,
               value, expected, value - expected);
}

/* A disc of mass m and radius R with its axis along z of the body. */
typedef struct disc {
  double mass, radius, axial, diametral;
} disc;

static const disc UNIFORM = {1, 0.5, 0.125, 0.0625};

/* How it is set off: spin w.w1, tilt between disc and plane, rates of tilt and heading; heading 0.
 */
typedef struct launch {
  double tilt, spin, tilt_rate, precession;
} launch;

/* The disc rolls on the plane y = 0 of the base, its centre over the origin: w1 = sin w_lat + cos n
 * with w_lat = -z, w2 = x. The body's z is w1 = -z turned by pi/2 - tilt about x. */
static omr_mb *roll(const disc *d, launch l, omr_disc_contact *contact) {
  omr_mb *mb = omr_mb_create(GRAVITY);
  omr_mb_add_body(mb, "disc", d->mass, omr_vec_of(d->diametral, d->diametral, d->axial));
  double s = sin(l.tilt), c = cos(l.tilt), q[4];
  omr_vec w1 = {0, c, -s}, w2 = {1, 0, 0}, w3 = omr_cross(w1, w2);
  omr_vec w = omr_axpy(omr_axpy(omr_scale(l.spin, w1), -l.tilt_rate, w2), -l.precession * s, w3);
  omr_vec v = omr_cross(omr_scale(d->radius, w3), w);
  omr_quaternion(omr_vec_of(1, 0, 0), atan2(-c, -s), q);
  omr_mb_place(mb, 1, omr_vec_of(0, d->radius * s, 0), q, v, w);
  omr_disc_on_base(mb, contact, "contact",
                   (omr_disc_place){0, 1, NOWHERE, NORMAL, NOWHERE, {0, 0, 1}, d->radius});
  return mb;
}

static double energy(const omr_mb *mb) {
  return omr_mb_kinetic(mb) + omr_mb_potential(mb);
}

static double tilt_of(const omr_mb *mb, const omr_disc_contact *contact) {
  omr_disc_frame f = omr_disc_look(mb, contact);
  return atan2(f.sine, omr_dot(f.w1, f.n));
}

/* T_B r = r_P - r_O with r in the disc's plane, (n, T_B tau) = 0 for tau = (-y, x, 0), |r| = R, w3
 * downwards; (r_P, n) is the gap. The trail is the derivative of r_P. On a plane that moves and
 * turns with a body of its own. */
Test(disc_contact, the_contact_point_solves_the_equations_of_source_3) {
  uint64_t seed = 31;
  for (int k = 0; k < 20; k++) {
    omr_mb *mb = omr_mb_create(GRAVITY);
    omr_frame at[2] = {random_frame(&seed), random_frame(&seed)};
    omr_disc_place place = {1,         2,  random_vec(&seed, 1), random_direction(&seed), NOWHERE,
                            {0, 0, 1}, 0.7};
    omr_disc_contact contact;
    omr_mb_add_body(mb, "plane", 1, omr_vec_of(1, 2, 2));
    omr_mb_add_body(mb, "disc", 1, omr_vec_of(1, 1, 2));
    omr_disc_on_base(mb, &contact, "contact", place);
    omr_vec point[3];
    omr_disc_frame f = {.gap = 0};
    for (int k3 = 0; k3 < 3; k3++) {
      int i = (int[]){0, 2, 1}[k3]; /* the middle last */
      for (int body = 1; body <= 2; body++) {
        omr_frame now = moved(&at[body - 1], 1e-5 * (i - 1));
        double q[4] = {0}, trace = now.t.row[0].x + now.t.row[1].y + now.t.row[2].z;
        q[0] = 1 + trace;
        q[1] = now.t.row[2].y - now.t.row[1].z;
        q[2] = now.t.row[0].z - now.t.row[2].x;
        q[3] = now.t.row[1].x - now.t.row[0].y;
        omr_mb_place(mb, body, now.r, q, now.v, now.w);
      }
      f = omr_disc_look(mb, &contact);
      point[i] = f.point;
    }
    const omr_frame *a = &mb->frame[1], *b = &mb->frame[2];
    omr_vec r = omr_transposed_times(&b->t, omr_sub(point[1], b->r)),
            n = omr_times(&a->t, contact.place.normal);
    omr_vec tau = omr_times(&b->t, omr_vec_of(-r.y, r.x, 0));
    expect_near("z_B", r.z, 0, 1e-14);
    expect_near("R", omr_norm(r), 0.7, 1e-14);
    expect_near("(n, tau)", omr_dot(n, tau), 0, 1e-14);
    cr_expect_lt(omr_dot(n, omr_times(&b->t, r)), 0);
    expect_near("gap", f.gap,
                omr_dot(n, omr_sub(point[1], omr_add(a->r, omr_times(&a->t, place.point)))), 1e-14);
    omr_vec trail = omr_scale(0.5e5, omr_sub(point[2], point[0]));
    cr_expect_lt(omr_norm(omr_sub(trail, f.trail)),
                 1e-6 * (1 + omr_norm(trail) / (f.sine * f.sine)), "%d", k);
    omr_mb_destroy(mb);
  }
}

/* A disc that rolls on a free body without gravity: energy, momentum and angular momentum stay, and
 * so does the contact. */
Test(disc_contact, rolling_on_a_free_body_keeps_energy_and_momentum) {
  omr_mb *mb = omr_mb_create(NOWHERE);
  omr_mb_add_body(mb, "plane", 5, omr_vec_of(1.1, 0.7, 0.9));
  omr_mb_add_body(mb, "disc", 1, omr_vec_of(0.1, 0.1, 0.17));
  double qa[4], qb[4];
  omr_quaternion(omr_unit(omr_vec_of(1, 2, 3)), 0.4, qa);
  omr_quaternion(omr_unit(omr_vec_of(3, -1, 1)), 1.3, qb);
  omr_disc_place place = {1, 2, {0.1, 0.3, 0}, {0.2, 1, 0.1}, {0.02, -0.01, 0.03}, {0, 0, 1}, 0.4};
  omr_disc_contact contact;
  omr_vec wb = {0.5, 2, -3};
  omr_mb_place(mb, 1, omr_vec_of(1, 2, 3), qa, omr_vec_of(0.3, -0.2, 0.1),
               omr_vec_of(-0.3, 0.5, 0.2));
  omr_mb_place(mb, 2, NOWHERE, qb, NOWHERE, wb);
  omr_disc_on_base(mb, &contact, "contact", place);
  omr_disc_frame f = omr_disc_look(mb, &contact);
  const omr_frame *a = &mb->frame[1];
  omr_vec on = omr_add(a->r, omr_times(&a->t, omr_vec_of(0.1, 0.3, 0))), rb = omr_sub(on, f.arm_b);
  omr_mb_place(mb, 2, rb, qb,
               omr_sub(omr_point_velocity(a, omr_sub(on, a->r)), omr_cross(wb, f.arm_b)), wb);
  f = omr_disc_look(mb, &contact);
  expect_near("gap", f.gap, 0, 1e-14);
  expect_near("slip", omr_norm(f.slip), 0, 1e-14);
  omr_vec momentum[2], turning[2];
  double kinetic[2];
  omr_mb_integrator *g = start(mb);
  for (int when = 0; when < 2; when++) {
    go(g, mb, 3 * when);
    momentum[when] = turning[when] = NOWHERE;
    for (int body = 1; body <= 2; body++) {
      const omr_frame *at = &mb->frame[body];
      omr_vec w = omr_transposed_times(&at->t, at->w),
              i = body == 1 ? omr_vec_of(1.1, 0.7, 0.9) : omr_vec_of(0.1, 0.1, 0.17);
      omr_vec p = omr_scale(body == 1 ? 5 : 1, at->v),
              l = omr_times(&at->t, omr_vec_of(i.x * w.x, i.y * w.y, i.z * w.z));
      momentum[when] = omr_add(momentum[when], p);
      turning[when] = omr_add(turning[when], omr_add(l, omr_cross(at->r, p)));
    }
    kinetic[when] = omr_mb_kinetic(mb);
  }
  cr_expect_lt(omr_norm(omr_sub(momentum[1], momentum[0])), 1e-11);
  cr_expect_lt(omr_norm(omr_sub(turning[1], turning[0])), 1e-10);
  expect_near("energy", kinetic[1] / kinetic[0], 1, 1e-10);
  cr_expect_lt(contact.base.max_position, 1e-9, "%g", contact.base.max_position);
  cr_expect_lt(contact.base.max_velocity, 1e-9, "%g", contact.base.max_velocity);
  cr_expect_gt(fabs(omr_disc_force(mb, &contact).x), 1e-3); /* it does roll against something */
  end(g, mb);
}

/* Steady motion on the circle of radius R |w3|/Omega = 0.9023010235 m (studies/rolling_disc.json):
 * tilt 60 deg, Omega = 2. */
Test(disc_contact, a_steady_circle_lasts) {
  omr_disc_contact contact;
  omr_mb *mb = roll(&UNIFORM, (launch){PI / 3, -3.6092040938, 0, 2}, &contact);
  omr_mb_integrator *g = start(mb);
  double first = energy(mb);
  for (int k = 0; k <= 100; k++) {
    go(g, mb, k);
    const omr_frame *f = &mb->frame[1];
    omr_vec force = omr_disc_force(mb, &contact);
    expect_near("radius", hypot(f->r.x, f->r.z - 0.9023010235), 0.9023010235, 1e-8);
    expect_near("tilt", tilt_of(mb, &contact), PI / 3, 1e-8);
    expect_near("spin", omr_dot(f->w, omr_disc_look(mb, &contact).w1), -3.6092040938, 1e-8);
    expect_near("normal force", force.x, G, 1e-7);
    expect_near("lateral force", fabs(force.y), 4 * 0.9023010235, 1e-7);
    expect_near("longitudinal force", force.z, 0, 1e-7);
  }
  expect_near("energy", energy(mb) / first, 1, 1e-10);
  cr_log_info("energy %.2g, drift %.2g m, %.2g m/s in 100 s", energy(mb) / first - 1,
              contact.base.max_position, contact.base.max_velocity);
  cr_expect_lt(contact.base.max_position, 1e-9);
  end(g, mb);
}

/* Euler's disc: Omega^2 = 4 g/(R sin(tilt)), and the centre rests. */
Test(disc_contact, the_centre_of_eulers_disc_rests) {
  omr_disc_contact contact;
  double rate = sqrt(4 * G / (0.5 * sin(PI / 6)));
  omr_mb *mb = roll(&UNIFORM, (launch){PI / 6, 0, 0, rate}, &contact);
  omr_mb_integrator *g = start(mb);
  for (int k = 0; k <= 20; k++) {
    go(g, mb, 0.5 * k);
    const omr_frame *f = &mb->frame[1];
    omr_disc_frame at = omr_disc_look(mb, &contact);
    expect_near("centre", hypot(f->r.x, f->r.z), 0, 1e-8);
    expect_near("velocity", omr_norm(f->v), 0, 1e-8);
    expect_near("trail", omr_norm(at.trail), 0.5 * cos(PI / 6) * rate, 1e-7);
    expect_near("contact", hypot(at.point.x, at.point.z), 0.5 * cos(PI / 6), 1e-8);
    expect_near("normal force", omr_disc_force(mb, &contact).x, G, 1e-6);
  }
  end(g, mb);
}

/* Tilt pi/2 + x: x grows as exp(rate t) or swings as cos(rate t), where x'' = rate2 x
 * (tests/physics/test_rolling_disc_ideal.c).
 */
static void expect_linear(double spin, double precession, double rate2) {
  double x = 1e-6, rate = sqrt(fabs(rate2));
  omr_disc_contact contact;
  /* the other one of spin and precession goes with x: heading' = 2 w x; w = 2/3 Omega x */
  launch l = {PI / 2 + x, spin != 0 ? spin : 2 * precession * x / 3, rate2 > 0 ? rate * x : 0,
              spin != 0 ? 2 * spin * x : precession};
  omr_mb *mb = roll(&UNIFORM, l, &contact);
  omr_mb_integrator *g = start(mb);
  for (int t = 0; t <= 6; t++) {
    go(g, mb, t);
    double now = tilt_of(mb, &contact) - PI / 2,
           expected = rate2 > 0 ? x * exp(rate * t) : x * cos(rate * t);
    double size = rate2 > 0 ? expected : x;
    expect_near("x", now / size, expected / size, 1e-4);
  }
  end(g, mb);
}

/* A uniform disc rolls straight on where w^2 > g/(3 R): x'' = 4/5 (g/R - 3 w^2) x; upright it spins
 * where Omega^2 > 4 g/(5 R): x'' = (4 g/(5 R) - Omega^2) x. */
Test(disc_contact, rolling_and_spinning_are_stable_above_their_thresholds) {
  static const double over[] = {0.97, 0.99, 1.01, 1.1, 4};
  for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
    double roll2 = over[i] * G / 1.5, spin2 = over[i] * 4 * G / 2.5;
    expect_linear(sqrt(roll2), 0, 0.8 * (G / 0.5 - 3 * roll2));
    expect_linear(0, sqrt(spin2), 4 * G / 2.5 - spin2);
  }
}

static void put(omr_vec v, double to[3]) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

/* Angular velocity, M and gamma in the body's axes. */
static classical classical_of(const omr_mb *mb, const classical_disc *d, double w[3]) {
  const omr_frame *f = &mb->frame[1];
  classical q;
  put(omr_transposed_times(&f->t, f->w), w);
  put(omr_transposed_times(&f->t, NORMAL), q.gamma);
  put(omr_transposed_times(&f->t, NORMAL), q.up);
  classical_momentum(d, w, q.gamma, q.m);
  return q;
}

/* omega, M and gamma to 1e-7 over 300 units of time: what source 3 reports of its model. */
Test(disc_contact, wobbling_is_that_of_the_classical_equations) {
  const disc d = {1.3, 0.4, 0.11, 0.07};
  const classical_disc same = {d.mass, d.radius, d.axial, d.diametral, G};
  omr_disc_contact contact;
  omr_mb *mb = roll(&d, (launch){PI / 3, -5, 0.8, 2}, &contact);
  double w[3], classical_w[3], r[3], most = 0, most_w = 0, first = energy(mb), low = 9, high = 0;
  classical q = classical_of(mb, &same, w);
  omr_mb_integrator *g = start(mb);
  for (int k = 0; k <= 300; k++) {
    go(g, mb, k);
    classical now = classical_of(mb, &same, w);
    most = fmax(most, classical_farthest(&now, &q));
    classical_rim(&same, q.gamma, r);
    classical_turning(&same, &q, r, classical_w);
    for (int i = 0; i < 3; i++) most_w = fmax(most_w, fabs(w[i] - classical_w[i]));
    low = fmin(low, tilt_of(mb, &contact));
    high = fmax(high, tilt_of(mb, &contact));
    q = classical_motion(&same, q, 1, 5000);
  }
  cr_log_info("M, gamma to %.2g, omega to %.2g in 300 s; energy %.2g, drift %.2g m, %.2g m/s", most,
              most_w, energy(mb) / first - 1, contact.base.max_position, contact.base.max_velocity);
  cr_expect_lt(most, 1e-7, "%g", most);
  cr_expect_lt(most_w, 1e-7, "%g", most_w);
  cr_expect_gt(high - low, 0.2);
  /* what the contact point has drifted off the plane, the weight has done */
  double lifted = d.mass * G * omr_disc_look(mb, &contact).gap;
  expect_near("energy", (energy(mb) - lifted) / first, 1, 1e-10);
  expect_near("energy", energy(mb) / first, 1, 1e-9);
  cr_log_info("energy without the drift's share %.2g", (energy(mb) - lifted) / first - 1);
  cr_expect_lt(contact.base.max_position, 1e-9);
  end(g, mb);
}

/* The wheel of a mill: mass m = 30, radius R = 1.8, inertia about its own axis 43.2 (97.2 = m R^2
 * about a diameter), at the end of an arm of length d = 3 whose pivot is at the height of the
 * wheel's centre; yaw rate W = sqrt(R (400 - m g)/43.2), wheel spin W d/R. An example among the
 * tests of a public multibody code, with -396.375 N across and 637.825 N down.
 *
 * The figures come out with g = 9.81 and an arm that carries vertical force alone: it may rock
 * about the pivot and the wheel may slide along it, so the ground turns the wheel's path, F = -m d
 * W^2 (negative: towards the pivot, where w1 points outwards). Then the moment about the pivot, (N
 * - m g) d + F R, changes the wheel's angular momentum I W d/R in direction at the rate W, and N =
 * m g + I W^2/R + m R W^2. The first two terms are 400 N, which is what W is chosen for; the moment
 * of F adds m R W^2 = 237.825 N. The diameter's inertia does not enter. Hub and arm have their
 * centres of mass in the pivot and inertias of spheres: in the steady motion they bear no load, as
 * if they had no mass. */
Test(disc_contact, the_wheel_of_a_mill_presses_as_published) {
  double m = 30, radius = 1.8, d = 3, axial = 43.2, yaw = sqrt(radius * (400 - m * G) / axial),
         spin = -yaw * d / radius;
  expect_near("F", -m * d * yaw * yaw, -396.375, 1e-9);
  expect_near("N", m * G + axial * yaw * yaw / radius + m * radius * yaw * yaw, 637.825, 1e-9);
  omr_mb *mb = omr_mb_create(GRAVITY);
  int hub = omr_mb_add_body(mb, "hub", 0.5, omr_vec_of(0.1, 0.1, 0.1));
  int arm = omr_mb_add_body(mb, "arm", 0.5, omr_vec_of(0.1, 0.1, 0.1));
  int wheel = omr_mb_add_body(mb, "wheel", m, omr_vec_of(axial, 97.2, 97.2));
  static const double level[4] = {1, 0, 0, 0};
  omr_vec pivot = {0, radius, 0}, turning = {0, yaw, 0};
  omr_mb_place(mb, hub, pivot, level, NOWHERE, turning);
  omr_mb_place(mb, arm, pivot, level, NOWHERE, turning);
  omr_mb_place(mb, wheel, omr_vec_of(d, radius, 0), level, omr_vec_of(0, 0, -yaw * d),
               omr_vec_of(spin, yaw, 0));
  omr_joint post, hinge, axle;
  omr_disc_contact contact;
  omr_joint_add(mb, &post, "post", (omr_joint_place){0, hub, NORMAL, pivot, NOWHERE},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(mb, &hinge, "hinge", (omr_joint_place){hub, arm, {0, 0, 1}, NOWHERE, NOWHERE},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(mb, &axle, "axle", (omr_joint_place){arm, wheel, {1, 0, 0}, NOWHERE, NOWHERE},
                (omr_joint_law){.class = OMR_JOINT_FREE_IDEAL});
  omr_disc_on_base(mb, &contact, "contact",
                   (omr_disc_place){0, wheel, NOWHERE, NORMAL, NOWHERE, {1, 0, 0}, radius});
  expect_near("slip", omr_norm(omr_disc_look(mb, &contact).slip), 0, 1e-14);
  omr_mb_integrator *g = start(mb);
  double first = energy(mb);
  for (int k = 0; k <= 10; k++) {
    go(g, mb, k);
    omr_vec force = omr_disc_force(mb, &contact), up;
    up = omr_mb_wrench(mb, &post.base, 1).force;
    expect_near("normal force", force.x, 637.825, 1e-7);
    expect_near("lateral force", force.y, -396.375, 1e-7);
    expect_near("longitudinal force", force.z, 0, 1e-7);
    expect_near("force of the post", up.y, (m + 1) * G - 637.825,
                1e-7); /* hub and arm weigh 1 kg */
    expect_near("force of the post across", hypot(up.x, up.z), 0, 1e-7);
    omr_vec r = mb->frame[wheel].r;
    expect_near("path", hypot(r.x, r.z), d, 1e-9);
    expect_near("angle", remainder(atan2(-r.z, r.x) - yaw * k, 2 * PI), 0, 1e-9);
  }
  expect_near("energy", energy(mb) / first, 1, 1e-10);
  cr_expect_eq(mb->solver.redundant, 0);
  end(g, mb);
}

/* Matrices as source 4 prints them: f_t = mu phi f_n e_t with mu = T D T^T; where f_n < 0 pushes,
 * the force on the disc is -f_n n and friction opposes the slip, so it is mu phi f_n e_t itself. */
static void printed_friction(const omr_disc_law *law, double fn, const double v[2], double f[2]) {
  double c = cos(law->angle), s = sin(law->angle), speed = hypot(v[0], v[1]),
         z = speed / law->slip_speed;
  const double t[2][2] = {{c, s}, {-s, c}};
  const double dry[2] = {law->lateral + law->lateral_viscous * speed,
                         law->longitudinal + law->longitudinal_viscous * speed};
  double phi = z > 1 ? 1 : law->linear_zone ? z : (2 - z) * z;
  for (int i = 0; i < 2; i++) {
    f[i] = 0;
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++) f[i] += t[i][k] * dry[k] * t[j][k] * phi * fn * v[j] / speed;
  }
}

Test(disc_contact, penalty_contact_is_that_of_source_4) {
  uint64_t seed = 77;
  for (int n = 0; n < 24; n++) {
    omr_mb *mb = omr_mb_create(GRAVITY);
    omr_mb_add_body(mb, "disc", 2, omr_vec_of(1, 1, 2));
    omr_disc_law law = {
        3e3,  40,    0.2,       0.7,       0.3, 0.11, draw(&seed, -2, 2), n % 3 ? 5 : 0.1,
        0.21, n % 2, n % 4 > 1, n % 4 == 1};
    omr_disc_place place = {0, 1, NOWHERE, NORMAL, NOWHERE, {0, 0, 1}, 0.7};
    omr_frame at = random_frame(&seed);
    double q[4] = {draw(&seed, -1, 1), draw(&seed, -1, 1), draw(&seed, -1, 1), draw(&seed, 0.2, 1)};
    omr_mat turn = omr_rotation(q);
    double cosine = turn.row[1].z, depth = n < 20 ? 0.02 : -0.02;
    omr_mb_place(mb, 1, omr_vec_of(0.3, 0.7 * sqrt(1 - cosine * cosine) - depth, 0.2), q, at.v,
                 at.w);
    omr_disc_contact contact;
    omr_disc_penalty(mb, &contact, "contact", place, law);
    evaluate(mb);
    omr_disc_frame f = omr_disc_look(mb, &contact);
    const omr_frame *b = &mb->frame[1];
    omr_vec arm = omr_sub(f.point, b->r), vc = omr_add(b->v, omr_cross(b->w, arm));
    expect_near("depth", f.point.y, -depth, 1e-14);
    double fn = f.point.y < 0 ? law.stiffness * f.point.y + law.damping * vc.y : 0, ft[2];
    if (law.no_pull && fn > 0) fn = 0;
    const double v[2] = {omr_dot(vc, f.lat), omr_dot(vc, f.w2)};
    double pressed = law.grip_by_size ? -fabs(fn) : fn; /* Exudyn's code: friction by |N| */
    printed_friction(&law, pressed, v, ft);
    omr_vec expected = omr_axpy(omr_axpy(omr_scale(-fn, f.n), ft[0], f.lat), ft[1], f.w2),
            moment = omr_cross(arm, expected);
    expected.x += law.rolling * pressed * b->v.x; /* -mu_r N v at the centre */
    expected.z += law.rolling * pressed * b->v.z;
    const omr_force_torque found = omr_mb_wrench(mb, &contact.base, 1);
    cr_expect_lt(omr_norm(omr_sub(found.force, expected)), 1e-11 * (1 + fabs(fn)), "%d", n);
    cr_expect_lt(omr_norm(omr_sub(found.torque, moment)), 1e-11 * (1 + fabs(fn)), "%d", n);
    omr_vec seen = omr_disc_force(mb, &contact);
    expect_near("N", seen.x, -fn, 1e-11 * (1 + fabs(fn)));
    expect_near("lateral", seen.y, ft[0], 1e-11 * (1 + fabs(fn)));
    expect_near("longitudinal", seen.z, ft[1], 1e-11 * (1 + fabs(fn)));
    omr_mb_destroy(mb);
  }
}

static void contact_values(void *self, const omr_mb *mb, double *g) {
  omr_disc_events(mb, self, g);
}

static omr_status contact_happens(void *self, omr_mb *mb, int which, omr_error *error) {
  (void)mb, (void)error;
  omr_disc_switch(self, which);
  return OMR_OK;
}

/* Dropped from 5 cm on a spring without damping: free fall, y'' = -g - k/m (y - R) while it
 * touches, and so on; events part them.
 */
Test(disc_contact, a_disc_bounces_with_the_exact_period) {
  omr_mb *mb = omr_mb_create(GRAVITY);
  omr_mb_add_body(mb, "disc", 1, omr_vec_of(0.0625, 0.0625, 0.125));
  static const double level[4] = {1, 0, 0, 0};
  omr_disc_contact contact;
  omr_mb_place(mb, 1, omr_vec_of(0, 0.55, 0), level, NOWHERE, NOWHERE);
  omr_disc_penalty(
      mb, &contact, "contact", (omr_disc_place){0, 1, NOWHERE, NORMAL, NOWHERE, {0, 0, 1}, 0.5},
      (omr_disc_law){.stiffness = 1e5, .lateral = 0.5, .longitudinal = 0.5, .slip_speed = 0.01});
  omr_mb_switches switches = {.self = &contact,
                              .count = OMR_DISC_SWITCHES,
                              .values = contact_values,
                              .happen = contact_happens};
  omr_mb_integrator *g = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_mb_integrator_create(mb, &FINE, &switches, &g, &error), OMR_OK, "%s",
               error.message);
  double speed = sqrt(2 * G * 0.05), fall = speed / G, w = sqrt(1e5),
         touch = 2 / w * (PI - atan(w * speed / G));
  for (int bounce = 1; bounce <= 5; bounce++) {
    go(g, mb, bounce * (2 * fall + touch));
    expect_near("height", mb->frame[1].r.y, 0.55, 1e-10);
    expect_near("velocity", mb->frame[1].v.y, 0, 1e-9);
    cr_expect_eq(omr_mb_count(g).events, 2 * bounce);
  }
  end(g, mb);
}
