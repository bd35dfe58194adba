/* General contact tracking against exact nearest points, the explicit formulas of the roller, and
 * numerical derivatives. */
#include "reference/contact/surface.h"

#include "multibody_random.h"
#include <criterion/criterion.h>
#include <criterion/logging.h>

#define PI 3.14159265358979323846

static const omr_frame FLOOR = {
    {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}, {0, 0, 0}};

/* Value, gradient and Hesse matrix against central differences of f and of the gradient. */
static double derivative_error(const omr_surface *s, omr_vec r) {
  const double h = 1e-5;
  double f, worst = 0;
  omr_vec g, unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  omr_mat hesse;
  s->look(s, r, &f, &g, &hesse);
  const double gradient[3] = {g.x, g.y, g.z};
  for (int i = 0; i < 3; i++) {
    double up, down;
    omr_vec gu, gd;
    omr_mat ignored;
    s->look(s, omr_axpy(r, h, unit[i]), &up, &gu, &ignored);
    s->look(s, omr_axpy(r, -h, unit[i]), &down, &gd, &ignored);
    worst = larger(worst, (up - down) / (2 * h) - gradient[i]);
    omr_vec change = omr_sub(omr_scale(1 / (2 * h), omr_sub(gu, gd)), hesse.row[i]);
    worst = larger(worst, omr_norm(change) / (1 + omr_norm(hesse.row[i])));
  }
  return worst;
}

Test(surface, derivatives_are_those_of_the_function) {
  uint64_t s = 11;
  omr_surface ellipsoid = omr_ellipsoid_surface(omr_vec_of(0.7, 1.1, 1.6));
  double worst = 0;
  for (int n = 0; n < 200; n++)
    worst = larger(worst, derivative_error(&ellipsoid, random_vec(&s, 2)));
  for (int n = 0; n < 200; n++) {
    double psi = draw(&s, -0.9, 0.9), alpha = PI / draw_whole(&s, 4, 12);
    omr_surface roller = omr_roller_surface(1, draw(&s, 0.8, 0.97) * cos(alpha), psi, alpha + 0.05);
    double reach = 0.8 * sin(alpha) / cos(psi);
    omr_vec r = {draw(&s, -reach, reach), draw(&s, 0.1, 0.5), draw(&s, 0.1, 0.5)};
    worst = larger(worst, derivative_error(&roller, r));
  }
  cr_log_info("largest error %.2g", worst);
  cr_expect_lt(
      worst,
      1e-7); /* of central differences with h = 1e-5 and third derivatives up to some hundred */
}

Test(surface, roller_without_inclination_is_the_spindle_of_source_2) {
  /* x^2 + (sqrt(y^2 + z^2) + R1)^2 = R^2, equation (3.1) */
  const double r = 0.1, r1 = 0.1 * cos(PI / 4);
  omr_surface roller = omr_roller_surface(r, r1, 0, PI / 4 + 0.05);
  double worst = 0;
  for (int i = -9; i <= 9; i++) {
    double x = 0.1 * i * r * sin(PI / 4), p, slope, curvature;
    omr_roller_generatrix(&roller, x, &p, &slope, &curvature);
    worst = larger(worst, p - (sqrt(r * r - x * x) - r1));
    worst = larger(worst, slope + x / sqrt(r * r - x * x));
    worst = larger(worst, (curvature + r * r / pow(r * r - x * x, 1.5)) * r);
  }
  cr_expect_lt(worst, 1e-13);
}

Test(surface, nearest_points_of_an_ellipsoid_and_the_floor_are_exact) {
  /* support function: the lowest point of T E is r - T D^2 T^t j / sqrt(j^t T D^2 T^t j), D the
   * half axes */
  uint64_t s = 5;
  const omr_vec axes = {0.7, 1.1, 1.6};
  omr_surface ellipsoid = omr_ellipsoid_surface(axes),
              plane = omr_plane_surface(omr_vec_of(0, 1, 0));
  double worst = 0;
  int most = 0;
  for (int n = 0; n < 100; n++) {
    omr_frame f = random_frame(&s);
    f.r.y = draw(&s, 1, 3);
    omr_vec down = omr_transposed_times(&f.t, omr_vec_of(0, -1, 0));
    omr_vec scaled = {axes.x * down.x, axes.y * down.y, axes.z * down.z};
    omr_vec lowest = {axes.x * scaled.x, axes.y * scaled.y, axes.z * scaled.z};
    omr_vec expected = omr_add(f.r, omr_times(&f.t, omr_scale(1 / omr_norm(scaled), lowest)));
    omr_contact_points x = {omr_vec_of(f.r.x, 0, f.r.z), omr_axpy(f.r, 1.2, omr_vec_of(0, -1, 0)),
                            -0.5, f.r.y / 2};
    int iterations = 0;
    cr_assert(
        omr_nearest_points((omr_surface_pair){&plane, &ellipsoid}, &FLOOR, &f, &x, &iterations));
    if (iterations > most) most = iterations;
    worst = larger(worst, omr_norm(omr_sub(x.b, expected)));
    worst = larger(worst, omr_norm(omr_sub(x.a, omr_vec_of(expected.x, 0, expected.z))));
    cr_expect_eq(x.mu > 0, expected.y > 0, "mu detects contact");
  }
  cr_log_info("largest error %.2g, at most %d iterations", worst, most);
  cr_expect_lt(worst, 1e-13);
}

/* Pose of roller 0 of an upright wheel at the contact angle q:
 * appendix/rollers.md#contact-point. */
static omr_frame roller_frame(double r, double r1, double psi, double q, double yaw, double spin) {
  double turn[4], tilt[4], incline[4], about[4], p[4];
  omr_quaternion(omr_vec_of(0, 1, 0), yaw, turn);
  omr_quaternion(omr_vec_of(0, 0, 1), q, tilt);       /* wheel angle about k */
  omr_quaternion(omr_vec_of(0, 1, 0), -psi, incline); /* e = cos psi i + sin psi k at q = 0 */
  omr_quaternion(omr_vec_of(1, 0, 0), spin, about);
  omr_quaternion_product(turn, tilt, p);
  omr_mat wheel = omr_rotation(p);
  omr_quaternion_product(p, incline, p);
  omr_quaternion_product(p, about, p);
  omr_frame f = {omr_add(omr_vec_of(0.3, r, -0.2), omr_times(&wheel, omr_vec_of(0, -r1, 0))),
                 omr_rotation(p),
                 {0, 0, 0},
                 {0, 0, 0}};
  return f;
}

Test(surface, roller_touches_where_the_explicit_formula_says) {
  /* r_P = r_B - m e - h j, m = R1 tan q/cos psi, h = R - R1/cos q (source 1, section 5.2): an
   * independent derivation */
  uint64_t s = 23;
  double worst = 0, height = 0;
  omr_surface plane = omr_plane_surface(omr_vec_of(0, 1, 0));
  for (int n = 0; n < 300; n++) {
    double alpha = PI / draw_whole(&s, 4, 12), psi = draw(&s, -0.9, 0.9), r = 0.1,
           r1 = draw(&s, 0.85, 0.98) * r * cos(alpha);
    double q = draw(&s, -alpha, alpha);
    omr_frame f = roller_frame(r, r1, psi, q, draw(&s, -3, 3), draw(&s, -3, 3));
    omr_vec e = omr_times(&f.t, omr_vec_of(1, 0, 0));
    double m = r1 * tan(q) / cos(psi), h = r - r1 / cos(q);
    omr_vec expected = omr_sub(omr_axpy(f.r, -m, e), omr_vec_of(0, h, 0));
    omr_surface roller = omr_roller_surface(r, r1, psi, alpha + 0.02);
    omr_vec guess = omr_axpy(expected, 0.02 * r, e);
    omr_contact_points x = {omr_vec_of(guess.x, 0, guess.z), guess, -1, 0};
    cr_assert(omr_nearest_points((omr_surface_pair){&plane, &roller}, &FLOOR, &f, &x, NULL),
              "case %d", n);
    worst = larger(worst, omr_norm(omr_sub(x.b, expected)) / r);
    height = larger(height, x.b.y / r);
  }
  cr_log_info("largest distance %.2g R, height of the point %.2g R", worst, height);
  cr_expect_lt(worst, 1e-12);
  cr_expect_lt(height, 1e-13); /* the profile is the envelope: the wheel's centre stays at R */
}

Test(surface, rates_are_the_derivatives_of_the_nearest_points) {
  uint64_t s = 31;
  omr_surface big = omr_ellipsoid_surface(omr_vec_of(0.7, 1.1, 1.6)),
              small = omr_ellipsoid_surface(omr_vec_of(0.5, 0.4, 0.3));
  const omr_surface_pair pair = {&big, &small};
  const double dt = 1e-5;
  double worst = 0;
  int cases = 0;
  for (int n = 0; n < 200; n++) {
    omr_frame a = random_frame(&s), b = random_frame(&s);
    b.r = omr_axpy(a.r, draw(&s, 2.2, 4), random_direction(&s));
    omr_vec along = omr_unit(omr_sub(b.r, a.r));
    omr_contact_points x = {omr_axpy(a.r, 1, along), omr_axpy(b.r, -0.4, along), -0.4, 0.3}, rate;
    if (!omr_nearest_points(pair, &a, &b, &x, NULL) || x.lambda > 0 || x.mu < 0)
      continue; /* Newton found a far side */
    cases++;
    cr_assert(omr_nearest_rates(pair, &a, &b, &x, &rate));
    omr_contact_points later = x, before = x;
    omr_frame a1 = moved(&a, dt), b1 = moved(&b, dt), a0 = moved(&a, -dt), b0 = moved(&b, -dt);
    cr_assert(omr_nearest_points(pair, &a1, &b1, &later, NULL));
    cr_assert(omr_nearest_points(pair, &a0, &b0, &before, NULL));
    double size = 1 + omr_norm(rate.a) + omr_norm(rate.b) + fabs(rate.lambda) + fabs(rate.mu);
    worst = larger(worst,
                   omr_norm(omr_sub(omr_scale(1 / (2 * dt), omr_sub(later.a, before.a)), rate.a)) /
                       size);
    worst = larger(worst,
                   omr_norm(omr_sub(omr_scale(1 / (2 * dt), omr_sub(later.b, before.b)), rate.b)) /
                       size);
    worst = larger(worst, ((later.lambda - before.lambda) / (2 * dt) - rate.lambda) / size);
    worst = larger(worst, ((later.mu - before.mu) / (2 * dt) - rate.mu) / size);
  }
  cr_log_info("largest error %.2g in %d cases", worst, cases);
  cr_expect_gt(cases, 100);
  cr_expect_lt(worst, 1e-8); /* of central differences with dt = 1e-5 at rates of some units */
}
