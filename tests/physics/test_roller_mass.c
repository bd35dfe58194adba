/* Mass and inertias of a roller against closed forms and a plain quadrature, and the overlap of
 * neighbours against points sampled in space. */
#include "host/model/roller.h"
#include "shared/vectors.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The depth whatever it is. */
static double overlap(const omr_roller *r) {
  return omr_roller_overlap(r, -HUGE_VAL);
}

static omr_roller shape(double radius, int rollers, double inclination, double center,
                        double row_distance) {
  omr_roller r = {.radius = radius,
                  .rollers = rollers,
                  .inclination = inclination,
                  .row_distance = row_distance};
  const char *why = omr_roller_shape(&r, 0, center);
  cr_assert_null(why, "%s", why);
  return r;
}

static omr_roller pointed(double radius, int rollers, double inclination) {
  return shape(radius, rollers, inclination, (double)NAN, 0);
}

static omr_roller random_cut(uint64_t *seed) {
  double radius = draw(seed, 0.02, 0.3);
  int rollers = draw_whole(seed, 3, 20);
  return shape(radius, rollers, draw(seed, -1.4, 1.4),
               radius * cos(M_PI / rollers) * draw(seed, 0.2, 1), 0);
}

static void expect_mass(const omr_roller_mass *got, double mass, double axial, double diametral,
                        double tolerance) {
  cr_expect_float_eq(got->mass / mass, 1, tolerance, "mass %.15g, expected %.15g", got->mass, mass);
  cr_expect_float_eq(got->axial / axial, 1, tolerance, "axial inertia %.15g, expected %.15g",
                     got->axial, axial);
  cr_expect_float_eq(got->diametral / diametral, 1, tolerance,
                     "diametral inertia %.15g, expected %.15g", got->diametral, diametral);
}

/* ---- closed forms */

/* Integral of cos^k over [-alpha, alpha]. */
static double cosine_power(int k, double alpha) {
  if (k == 0) return 2 * alpha;
  if (k == 1) return 2 * sin(alpha);
  return 2 * pow(cos(alpha), k - 1) * sin(alpha) / k + (k - 1.0) / k * cosine_power(k - 2, alpha);
}

/* For psi = 0 the axial position is R sin q and the radius R cos q - R1: the arc of a circle of
 * radius R turned about a chord at the distance R1 from its centre. With x = R sin q the volume is
 * V = pi int (R cos q - R1)^2 R cos q dq = pi [R^3 C3 - 2 R^2 R1 C2 + R R1^2 C1] with Ck = int
 * cos^k q dq over [-alpha, alpha], for pointed tips (R1 = R cos alpha) the spindle's
 * 2 pi R^3 (sin alpha - sin^3 alpha / 3 - alpha cos alpha). The inertias are pi/2 int r^4 dx and
 * half of that plus pi int r^2 x^2 dx, by the binomial theorem. */
static omr_roller_mass arc_of_circle(double radius, double center, double alpha, double density) {
  const double binomial[5] = {1, 4, 6, 4, 1};
  double c[8], volume = 0, fourth = 0, second = 0;
  for (int k = 0; k < 8; k++) c[k] = cosine_power(k, alpha);
  for (int k = 0; k <= 2; k++) {
    double f = (k == 1 ? 2 : 1) * pow(radius, k + 1) * pow(-center, 2 - k);
    volume += f * c[k + 1];
    second += f * radius * radius * (c[k + 1] - c[k + 3]); /* x^2 = R^2 (1 - cos^2) */
  }
  for (int k = 0; k <= 4; k++)
    fourth += binomial[k] * pow(radius, k + 1) * pow(-center, 4 - k) * c[k + 1];
  omr_roller_mass m = {M_PI * density * volume, 0.5 * M_PI * density * fourth, 0};
  m.diametral = 0.5 * m.axial + M_PI * density * second;
  return m;
}

Test(roller_mass, straight_pointed_roller_has_the_volume_of_a_spindle) {
  for (int n = 3; n <= 16; n++) {
    omr_roller r = pointed(0.1, n, 0);
    double a = M_PI / n, volume = 2 * M_PI * 1e-3 * (sin(a) - pow(sin(a), 3) / 3 - a * cos(a));
    omr_roller_mass got = omr_roller_integrate(&r, 1000, 0);
    cr_expect_float_eq(got.mass / (1000 * volume), 1, 1e-11, "n = %d: %.15g kg, expected %.15g", n,
                       got.mass, 1000 * volume);
  }
}

Test(roller_mass, straight_rollers_are_arcs_of_circles_turned_about_a_chord) {
  uint64_t seed = 51;
  for (int k = 0; k < 100; k++) {
    int n = draw_whole(&seed, 3, 9);
    double radius = draw(&seed, 0.02, 0.3),
           center = radius * cos(M_PI / n) * draw(&seed, 0.1, 0.95),
           density = draw(&seed, 500, 8000);
    omr_roller r = shape(radius, n, 0, center, 0);
    omr_roller_mass got = omr_roller_integrate(&r, density, 0),
                    expected = arc_of_circle(radius, center, M_PI / n, density);
    expect_mass(&got, expected.mass, expected.axial, expected.diametral, 1e-11);
  }
}

/* A profile that spans half of its place is that of twice as many rollers: of the same axis, ends
 * and mass, whatever its inclination. There are gaps beside it. */
Test(roller_mass, half_covered_rollers_are_those_of_twice_as_many) {
  uint64_t seed = 52;
  for (int k = 0; k < 50; k++) {
    const int n = draw_whole(&seed, 3, 20);
    const double tip = draw(&seed, 0, 0.003), bore = draw(&seed, 0, 0.002);
    omr_roller half = {.radius = draw(&seed, 0.05, 0.3),
                       .rollers = n,
                       .inclination = draw(&seed, -1.2, 1.2),
                       .coverage = 0.5},
               whole = half;
    whole.rollers = 2 * n;
    whole.coverage = 1;
    cr_assert_null(omr_roller_shape(&half, tip, (double)NAN));
    cr_assert_null(omr_roller_shape(&whole, tip, (double)NAN));
    cr_expect_float_eq(half.center, whole.center, 1e-14);
    cr_expect_float_eq(half.alpha, 2 * whole.alpha, 1e-15);
    if (bore > half.radius - half.center) continue;
    const omr_roller_mass got = omr_roller_integrate(&half, 1200, bore),
                          expected = omr_roller_integrate(&whole, 1200, bore);
    expect_mass(&got, expected.mass, expected.axial, expected.diametral, 1e-11);
    cr_expect_lt(overlap(&half), 0, "gaps, n = %d", n);
  }
}

Test(roller_mass, rollers_that_overlap_stand_in_two_rows) {
  omr_roller one = {.radius = 0.05, .rollers = 8, .coverage = 1.2}, two = one;
  const char *why = omr_roller_shape(&one, 0, (double)NAN);
  cr_assert_not_null(why);
  cr_expect_not_null(strstr(why, "two rows"), "%s", why);
  two.row_distance = 0.03;
  cr_assert_null(omr_roller_shape(&two, 0, (double)NAN));
  cr_expect_lt(overlap(&two), 0);
  two.row_distance = 1e-3; /* rows too near */
  cr_assert_null(omr_roller_shape(&two, 0, (double)NAN));
  cr_expect_gt(overlap(&two), 0);
  omr_roller wide = {.radius = 0.05, .rollers = 4, .coverage = 2, .row_distance = 0.03};
  why = omr_roller_shape(&wide, 0, (double)NAN);
  cr_assert_not_null(why);
  cr_expect_not_null(strstr(why, "90 deg"), "%s", why);
}

/* R1 -> 0: a zone of a ball of radius R of half width a = R sin alpha, V = 2 pi a (R^2 - a^2/3). */
Test(roller_mass, straight_roller_about_the_wheels_centre_is_a_zone_of_a_ball) {
  for (int n = 3; n <= 8; n++) {
    omr_roller r = shape(0.1, n, 0, 1e-13, 0);
    double a = 0.1 * sin(M_PI / n);
    omr_roller_mass got = omr_roller_integrate(&r, 1000, 0);
    cr_expect_float_eq(got.mass / (2000 * M_PI * a * (0.01 - a * a / 3)), 1, 1e-11);
  }
}

/* Many rollers: the profile turns straight with alpha^2, here 6e-4 R (n = 64) over a radius of R/2.
 */
Test(roller_mass, short_thick_rollers_tend_to_cylinders) {
  for (int n = 16; n <= 64; n *= 2) {
    omr_roller r = shape(0.1, n, 0.3, 0.05, 0);
    double axial, radius, alpha2 = pow(M_PI / n, 2);
    omr_roller_profile(&r, r.alpha, &axial, &radius);
    double mass = 1000 * M_PI * 0.05 * 0.05 * 2 * axial;
    omr_roller_mass got = omr_roller_integrate(&r, 1000, 0);
    expect_mass(&got, mass, mass * 0.05 * 0.05 / 2, mass * (0.05 * 0.05 / 4 + axial * axial / 3),
                4 * alpha2);
  }
}

/* ---- a plain quadrature */

enum { SLICES = 100000 };

/* Trapezoids over slices between equal contact angles, the profile's formulas by libm. */
static omr_roller_mass by_slices(const omr_roller *r, double density, double bore) {
  double volume = 0, fourth = 0, second = 0, x0 = 0, f0[3] = {0};
  for (int k = 0; k <= SLICES; k++) {
    double q = M_PI / r->rollers * (2.0 * k / SLICES - 1), up = sin(q) * cos(r->inclination);
    double h = r->radius - r->center / cos(q),
           x = r->center * tan(q) / cos(r->inclination) + h * up;
    double radius2 = fmax(h * h * (1 - up * up), bore * bore), square = radius2 - bore * bore;
    double f[3] = {square, radius2 * radius2 - pow(bore, 4), square * x * x};
    if (k > 0) {
      volume += 0.5 * (f[0] + f0[0]) * (x - x0);
      fourth += 0.5 * (f[1] + f0[1]) * (x - x0);
      second += 0.5 * (f[2] + f0[2]) * (x - x0);
    }
    x0 = x;
    for (int i = 0; i < 3; i++) f0[i] = f[i];
  }
  omr_roller_mass m = {M_PI * density * volume, 0.5 * M_PI * density * fourth, 0};
  m.diametral = 0.5 * m.axial + M_PI * density * second;
  return m;
}

Test(roller_mass, of_any_shape_is_that_of_its_slices) {
  uint64_t seed = 52;
  for (int k = 0; k < 60; k++) {
    omr_roller r = random_cut(&seed);
    omr_roller_mass got = omr_roller_integrate(&r, 1200, 0), expected = by_slices(&r, 1200, 0);
    expect_mass(&got, expected.mass, expected.axial, expected.diametral, 1e-8);
  }
}

/* Bores from thin ones to those that leave no end faces. */
Test(roller_mass, of_any_bored_shape_is_that_of_its_slices) {
  uint64_t seed = 53;
  for (int k = 0; k < 60; k++) {
    omr_roller r = random_cut(&seed);
    double bore = (r.radius - r.center) * draw(&seed, 0.05, 0.95);
    omr_roller_mass got = omr_roller_integrate(&r, 1200, bore),
                    expected = by_slices(&r, 1200, bore);
    expect_mass(&got, expected.mass, expected.axial, expected.diametral, 1e-7);
  }
}

Test(roller_mass, core_and_bored_roller_make_the_whole) {
  uint64_t seed = 54;
  for (int k = 0; k < 100; k++) {
    omr_roller r = random_cut(&seed);
    double half, face;
    omr_roller_profile(&r, r.alpha, &half, &face);
    double bore = face * draw(&seed, 0.2, 1), core = 1200 * M_PI * bore * bore * 2 * half;
    omr_roller_mass whole = omr_roller_integrate(&r, 1200, 0),
                    bored = omr_roller_integrate(&r, 1200, bore);
    expect_mass(&whole, bored.mass + core, bored.axial + core * bore * bore / 2,
                bored.diametral + core * (bore * bore / 4 + half * half / 3), 1e-11);
  }
}

Test(roller_mass, a_bore_as_wide_as_the_roller_leaves_nothing) {
  omr_roller r = shape(0.1, 6, 0.3, 0.08, 0);
  cr_expect_eq(omr_roller_integrate(&r, 1200, 0.021).axial, 0);
  cr_expect_eq(omr_roller_integrate(&r, 1200, 0.021).mass, 0);
}

Test(roller_mass, is_proportional_to_density_and_to_powers_of_size) {
  uint64_t seed = 55;
  for (int k = 0; k < 100; k++) {
    omr_roller r = random_cut(&seed),
               larger_one = shape(3 * r.radius, r.rollers, r.inclination, 3 * r.center, 0);
    double bore = 0.3 * (r.radius - r.center);
    omr_roller_mass one = omr_roller_integrate(&r, 1000, bore),
                    dense = omr_roller_integrate(&r, 2500, bore);
    omr_roller_mass large = omr_roller_integrate(&larger_one, 1000, 3 * bore);
    expect_mass(&dense, 2.5 * one.mass, 2.5 * one.axial, 2.5 * one.diametral, 1e-14);
    expect_mass(&large, 27 * one.mass, 243 * one.axial, 243 * one.diametral, 1e-12);
  }
}

/* ---- overlap of neighbours */

/* Two straight spindles meet at their tips, whose tangents leave their axes at alpha (dr/dx = -tan
 * q at q): the axes enclose pi - 2 alpha, so there is room for both cones while 2 alpha <= pi - 2
 * alpha, n >= 4. Four touch along a line. */
Test(roller_overlap, straight_pointed_rollers_touch_from_four_on) {
  for (int n = 4; n <= 24; n++) {
    omr_roller r = pointed(0.1, n, 0);
    double depth = overlap(&r);
    cr_expect_float_eq(depth, 0, 1e-14, "n = %d: %.3g m", n, depth);
  }
}

Test(roller_overlap, three_straight_pointed_rollers_have_no_room) {
  omr_roller r = pointed(0.1, 3, 0);
  cr_expect_gt(overlap(&r), 1e-3);
}

Test(roller_overlap, cut_rollers_in_one_row_run_into_each_other) {
  for (int n = 3; n <= 24; n++) {
    omr_roller r = shape(0.1, n, 0, 0.1 * cos(M_PI / n) * 0.98, 0);
    cr_expect_gt(overlap(&r), 1e-4, "n = %d", n);
  }
}

/* Rows so far apart that no roller, at most 2 (R - R1) thick, reaches over to the next. */
Test(roller_overlap, cut_rollers_in_two_rows_clear_each_other_with_distance) {
  for (int n = 6; n <= 24; n += 2) {
    double center = 0.1 * cos(M_PI / n) * 0.98;
    omr_roller near = shape(0.1, n, 0, center, 0.002),
               far = shape(0.1, n, 0, center, 2.01 * (0.1 - center));
    cr_expect_gt(overlap(&near), 0, "n = %d", n);
    cr_expect_leq(overlap(&far), 0, "n = %d", n);
  }
}

Test(roller_overlap, opposite_inclinations_are_mirror_images) {
  uint64_t seed = 56;
  for (int k = 0; k < 100; k++) {
    omr_roller r = random_cut(&seed);
    r.row_distance = r.rollers % 2 ? 0 : draw(&seed, 0, 0.2) * r.radius;
    omr_roller mirrored = shape(r.radius, r.rollers, -r.inclination, r.center, r.row_distance);
    cr_expect_float_eq(overlap(&r), overlap(&mirrored), 1e-9 * r.radius);
  }
}

/* Where a value below `enough` may be any, the search ends early. Depths around the limit are among
 * those of rollers in two rows. */
Test(roller_overlap, the_short_search_decides_as_the_whole_one) {
  uint64_t seed = 57;
  int above = 0;
  for (int k = 0; k < 4000; k++) {
    omr_roller r = random_cut(&seed);
    r.row_distance = r.rollers % 2 ? 0 : draw(&seed, 0, 0.2) * r.radius;
    const double depth = overlap(&r);
    const double limits[] = {1e-9 * r.radius, depth, depth * (1 - 1e-12), depth + 1e-6 * r.radius};
    for (int l = 0; l < 4; l++) {
      const double found = omr_roller_overlap(&r, limits[l]);
      cr_expect_eq(found >= limits[l], depth >= limits[l]);
      if (depth >= limits[l]) cr_expect_eq(found, depth);
    }
    above += depth > 1e-9 * r.radius;
  }
  cr_expect(above > 400 && above < 3600, "%d", above);
}

/* ---- the same by points in space */

enum { TABLE = 2000, ALONG = 160, AROUND = 120, ACROSS = 12 };

/* Radii at equal axial distances from the middle to the end. */
typedef struct solid {
  vec centre, axis, across; /* across: a unit vector perpendicular to the axis */
  double half, radius[TABLE + 1];
} solid;

static void tabulate(const omr_roller *r, solid *s) {
  double face, axial, radius, last_axial = 0, last_radius = r->radius - r->center;
  omr_roller_profile(r, r->alpha, &s->half, &face);
  int filled = 0;
  for (int k = 0; k <= 20 * TABLE && filled <= TABLE; k++) {
    omr_roller_profile(r, r->alpha * k / (20 * TABLE), &axial, &radius);
    while (filled <= TABLE && s->half * filled / TABLE <= axial) {
      double f =
          axial > last_axial ? (s->half * filled / TABLE - last_axial) / (axial - last_axial) : 1;
      s->radius[filled++] = last_radius + f * (radius - last_radius);
    }
    last_axial = axial;
    last_radius = radius;
  }
  while (filled <= TABLE) s->radius[filled++] = face;
}

/* Roller j of the wheel about the origin with its axle along z, roller 0 straight down. */
static void place_roller(const omr_roller *r, int j, solid *s) {
  const vec k = {0, 0, 1};
  double q = 2 * M_PI * j / r->rollers;
  s->centre =
      add(turned(scale(-r->center, UP), k, q), scale((j % 2 ? -0.5 : 0.5) * r->row_distance, k));
  s->axis = turned((vec){cos(r->inclination), 0, sin(r->inclination)}, k, q);
  s->across = turned(UP, k, q);
}

static double radius_at(const solid *s, double axial) {
  double at = fabs(axial) / s->half * TABLE;
  if (at >= TABLE) return at > TABLE * (1 + 1e-12) ? -1 : s->radius[TABLE];
  int below = (int)at;
  return s->radius[below] + (at - below) * (s->radius[below + 1] - s->radius[below]);
}

static bool inside(const solid *s, vec p) {
  vec arm = sub(p, s->centre);
  double axial = dot(arm, s->axis), radius = radius_at(s, axial);
  return radius >= 0 && dot(arm, arm) - axial * axial <= radius * radius;
}

/* Whether a point of the surface of a, end faces included, lies in b. */
static bool reaches_into(const solid *a, const solid *b) {
  vec third = cross(a->axis, a->across);
  for (int l = -ALONG; l <= ALONG; l++) {
    double axial = a->half * l / ALONG, radius = radius_at(a, axial);
    for (int rings = abs(l) == ALONG ? ACROSS : 1; rings > 0; rings--) {
      double ring = abs(l) == ALONG ? radius * rings / ACROSS : radius;
      for (int t = 0; t < AROUND; t++) {
        double turn = 2 * M_PI * t / AROUND;
        vec arm = add(scale(ring * cos(turn), a->across), scale(ring * sin(turn), third));
        if (inside(b, add(a->centre, add(scale(axial, a->axis), arm)))) return true;
      }
    }
  }
  return false;
}

/* Any two rollers of the wheel: all others against the first of each row. */
static bool points_overlap(const omr_roller *r) {
  solid *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  cr_assert(a && b);
  tabulate(r, a);
  *b = *a;
  bool found = false;
  for (int first = 0; first < 2 && !found; first++) {
    place_roller(r, first, a);
    for (int j = first + 1; j < first + r->rollers && !found; j++) {
      place_roller(r, j, b);
      found = reaches_into(a, b);
    }
  }
  free(a);
  free(b);
  return found;
}

/* Depths below a hundredth of the radius are too near to the threshold for the sampled points. */
static void expect_same_sign(const omr_roller *r, int counts[2]) {
  double depth = overlap(r);
  if (fabs(depth) < 0.01 * r->radius) return;
  counts[depth > 0]++;
  cr_expect_eq(points_overlap(r), depth > 0,
               "n = %d, psi = %.4f, R1/R = %.4f, w/R = %.4f: depth %.4f R", r->rollers,
               r->inclination, r->center / r->radius, r->row_distance / r->radius,
               depth / r->radius);
}

Test(roller_overlap, has_the_sign_that_points_in_space_give_in_one_row) {
  uint64_t seed = 57;
  int counts[2] = {0};
  for (int k = 0; k < 150; k++) {
    int n = draw_whole(&seed, 3, 12);
    double tip = draw(&seed, 0, 1) < 0.4 ? 1 : draw(&seed, 0.3, 1);
    omr_roller r = shape(0.1, n, draw(&seed, -1.3, 1.3), 0.1 * cos(M_PI / n) * tip, 0);
    expect_same_sign(&r, counts);
  }
  cr_log_info("%d apart, %d overlapping", counts[0], counts[1]);
  cr_expect(counts[0] >= 20 && counts[1] >= 20);
}

Test(roller_overlap, has_the_sign_that_points_in_space_give_in_two_rows) {
  uint64_t seed = 58;
  int counts[2] = {0};
  for (int k = 0; k < 150; k++) {
    int n = 2 * draw_whole(&seed, 2, 6);
    double center = 0.1 * cos(M_PI / n) * draw(&seed, 0.3, 1);
    omr_roller r = shape(0.1, n, draw(&seed, -1.3, 1.3), center, draw(&seed, 0.01, 0.2));
    expect_same_sign(&r, counts);
  }
  cr_log_info("%d apart, %d overlapping", counts[0], counts[1]);
  cr_expect(counts[0] >= 20 && counts[1] >= 20);
}
