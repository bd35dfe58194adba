/* The contact's geometry in space and the rollers' profile, of the kernel (contact_at) and of the
 * host (omr_roller_profile). */
#include "host/model/roller.h"
#include "shared/bodies.h"
#include "shared/kernel.h"

enum { SHAPES = 300 };

/* A random shape; `pointed`: R1 = R cos alpha. Sometimes with the extreme inclinations and numbers
 * of rollers. */
static omr_roller random_shape(uint64_t *seed, bool pointed) {
  omr_roller r = {.radius = draw(seed, 0.02, 0.5),
                  .rollers = draw_whole(seed, 3, draw(seed, 0, 1) < 0.2 ? 64 : 12)};
  r.inclination = draw(seed, -1, 1) * (draw(seed, 0, 1) < 0.2 ? 1.5 : 1.0);
  double limit = r.radius * cos(M_PI / r.rollers);
  const char *why = omr_roller_shape(&r, 0, pointed ? (double)NAN : limit * draw(seed, 0.3, 0.999));
  cr_assert_null(why, "%s", why);
  return r;
}

/* Folded parameters that contact_at reads, for a wheel at the body origin whose axis points along
 * z. */
static void fold_shape(const omr_roller *r, double w[W_COUNT]) {
  memset(w, 0, W_COUNT * sizeof *w);
  w[W_COS] = 1;
  w[W_RADIUS] = r->radius;
  w[W_CENTER] = r->center;
  w[W_SHIFT] = r->center * tan(r->inclination);
  w[W_COS_PSI] = cos(r->inclination);
  w[W_SIN_PSI] = sin(r->inclination);
  w[W_ALPHA] = r->alpha;
}

static const vec I = {1, 0, 0}, K = {0, 0, 1};

/* Roller centre and axis with the wheel's centre at the origin (the floor at -R) and the roller at
 * q. */
static vec centre_at(const omr_roller *r, double q) {
  return turned(scale(-r->center, UP), K, q);
}

static vec axis_at(const omr_roller *r, double q) {
  return turned(add(scale(cos(r->inclination), I), scale(sin(r->inclination), K)), K, q);
}

/* h and m as the kernel has them: h from the slip per spin along k, m from the contact's sideways
 * offset or, where psi is small, from the profile. */
static double kernel_h(const contact *c) {
  return -c->k_spin / c->axis_along;
}

static double profile_m(const omr_roller *r, const contact *c, double q) {
  double axial, radius;
  omr_roller_profile(r, q, &axial, &radius);
  return axial - kernel_h(c) * c->axis_up;
}

Test(geometry, contact_point_lies_on_the_floor_straight_under_the_axle_line) {
  uint64_t seed = 31;
  double worst = 0;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    double w[W_COUNT];
    fold_shape(&r, w);
    for (int k = -10; k <= 10; k++) {
      double q = r.alpha * k / 10;
      contact c = contact_at(w, q, 0);
      double m = profile_m(&r, &c, q), h = kernel_h(&c);
      vec p = sub(sub(centre_at(&r, q), scale(m, axis_at(&r, q))), scale(h, UP));
      vec expected = sub(scale(-r.radius, UP), scale(m * sin(r.inclination), K));
      worst = larger(worst, length(sub(p, expected)) / r.radius);
      worst = larger(worst, (c.offset - m * sin(r.inclination)) / r.radius);
    }
  }
  cr_log_info("largest distance %.2g R", worst);
  cr_expect_lt(worst, 1e-13);
}

Test(geometry, explicit_and_implicit_tracking_find_the_same_point) {
  uint64_t seed = 32;
  double worst = 0;
  for (int n = 0; n < SHAPES; n++) {
    machine m = random_machine(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    for (int i = 0; i < m.wheels; i++) {
      contact c = contact_at(e.p.w[i], e.at.y[Y_Q(i)], e.held.row[i]);
      vec expected =
          sub(wheel_centre(&m, i), add(scale(m.radius, UP), scale(c.offset, wheel_axis(&m, i))));
      worst = larger(worst, length(sub(contact_point(&m, i), expected)));
    }
    free_fleet(&f);
  }
  cr_log_info("largest distance %.2g m", worst);
  cr_expect_lt(worst, 1e-14);
}

Test(geometry, normal_stands_at_the_angle_that_the_envelope_needs) {
  uint64_t seed = 33;
  double worst = 0;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    double w[W_COUNT], d = 1e-4 * r.alpha;
    fold_shape(&r, w);
    for (int k = -9; k <= 9; k++) {
      double q = r.alpha * k / 10;
      contact before = contact_at(w, q - d, 0), after = contact_at(w, q + d, 0);
      double dh = kernel_h(&after) - kernel_h(&before),
             dm = profile_m(&r, &after, q + d) - profile_m(&r, &before, q - d);
      worst = larger(worst, dh / dm + sin(q) * cos(r.inclination));
    }
  }
  cr_log_info("largest difference of dh/dm %.2g", worst);
  cr_expect_lt(worst, 1e-7); /* the differences' own error */
}

Test(geometry, contact_angle_rates_are_those_of_the_constraint_derivative) {
  uint64_t seed = 34;
  double worst = 0;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    double w[W_COUNT], d = 1e-4 * r.alpha;
    fold_shape(&r, w);
    for (int k = -9; k <= 9; k++) {
      double q = r.alpha * k / 10, c2 = cos(q) * cos(q);
      contact before = contact_at(w, q - d, 0), after = contact_at(w, q + d, 0);
      double dh = (kernel_h(&after) - kernel_h(&before)) / (2 * d),
             dp = (after.offset - before.offset) / (2 * d);
      worst = larger(worst, (dh + r.center * sin(q) / c2) / r.radius);
      worst = larger(worst, (dp - r.center * tan(r.inclination) / c2) /
                                (r.radius * (1 + fabs(tan(r.inclination)))));
    }
  }
  cr_expect_lt(worst, 1e-7);
}

/* Height over the floor of the lowest point of the roller's section at `axial`, a circle of that
 * radius about its axis. */
static double section_height(const omr_roller *r, double q, double axial, double radius) {
  vec axis = axis_at(r, q), centre = add(centre_at(r, q), scale(axial, axis));
  return r->radius + centre.y - radius * sqrt(fmax(0, 1 - axis.y * axis.y));
}

enum { SECTIONS = 400 };

/* Lowest point of the whole roller over the floor, by sections. */
static double lowest_height(const omr_roller *r, double q) {
  double lowest = HUGE_VAL;
  for (int k = -SECTIONS; k <= SECTIONS; k++) {
    double axial, radius;
    omr_roller_profile(r, r->alpha * k / SECTIONS, &axial, &radius);
    lowest = fmin(lowest, section_height(r, q, axial, radius));
  }
  return lowest;
}

Test(geometry, profile_rests_on_the_floor_at_the_contact_point) {
  uint64_t seed = 35;
  double at_contact = 0, below = 0;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    for (int k = -10; k <= 10; k++) {
      double q = r.alpha * k / 10, axial, radius;
      omr_roller_profile(&r, q, &axial, &radius);
      at_contact = larger(at_contact, section_height(&r, q, -axial, radius) / r.radius);
      below = fmin(below, lowest_height(&r, q) / r.radius);
    }
  }
  cr_log_info("contact at most %.2g R off the floor, deepest point %.2g R", at_contact, below);
  cr_expect_lt(at_contact, 1e-14);
  cr_expect_gt(below, -1e-14);
}

/* Where the height of the sections along the roller is stationary, floor and profile share their
 * tangent. */
Test(geometry, profile_is_tangent_to_the_floor) {
  uint64_t seed = 36;
  double worst = 0;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    double d = 1e-5 * r.alpha;
    for (int k = -9; k <= 9; k++) {
      double q = r.alpha * k / 10, x[2], radius[2];
      omr_roller_profile(&r, q - d, &x[0], &radius[0]);
      omr_roller_profile(&r, q + d, &x[1], &radius[1]);
      double rise =
          section_height(&r, q, -x[1], radius[1]) - section_height(&r, q, -x[0], radius[0]);
      worst = larger(worst, rise / (x[1] - x[0]));
    }
  }
  cr_log_info("largest slope against the floor %.2g", worst);
  cr_expect_lt(worst, 1e-8);
}

/* Radius h sqrt(1 - sin^2 q cos^2 psi) at m + h sin q cos psi. */
Test(geometry, profile_has_the_radius_of_the_formula) {
  uint64_t seed = 37;
  double worst = 0;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    for (int k = -10; k <= 10; k++) {
      double q = r.alpha * k / 10, axial, radius, up = sin(q) * cos(r.inclination);
      double h = r.radius - r.center / cos(q), m = r.center * tan(q) / cos(r.inclination);
      omr_roller_profile(&r, q, &axial, &radius);
      worst = larger(worst, (axial - m - h * up) / r.radius);
      worst = larger(worst, (radius - h * sqrt(1 - up * up)) / r.radius);
    }
  }
  cr_expect_lt(worst, 1e-14);
}

Test(geometry, profile_is_symmetric) {
  uint64_t seed = 38;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    double q = r.alpha * draw(&seed, 0, 1), ahead[2], behind[2];
    omr_roller_profile(&r, q, &ahead[0], &ahead[1]);
    omr_roller_profile(&r, -q, &behind[0], &behind[1]);
    cr_expect_eq(behind[0], -ahead[0]);
    cr_expect_eq(behind[1], ahead[1]);
  }
}

Test(geometry, profile_narrows_towards_its_ends) {
  uint64_t seed = 39;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    double last_axial = 0, last_radius = r.radius - r.center;
    for (int k = 1; k <= 50; k++) {
      double axial, radius;
      omr_roller_profile(&r, r.alpha * k / 50, &axial, &radius);
      cr_expect(axial > last_axial && radius < last_radius, "at %d/50 alpha", k);
      last_axial = axial;
      last_radius = radius;
    }
  }
}

Test(geometry, pointed_rollers_end_in_a_point_at_their_length) {
  uint64_t seed = 40;
  double worst = 0;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, true);
    double axial, radius;
    omr_roller_profile(&r, r.alpha, &axial, &radius);
    worst = larger(worst, radius / r.radius);
    worst = larger(worst, 2 * axial / r.radius - 2 * sin(r.alpha) / cos(r.inclination));
  }
  cr_expect_lt(worst, 1e-12);
}

Test(geometry, cut_rollers_have_the_length_and_the_end_faces_of_the_formula) {
  uint64_t seed = 41;
  double worst = 0;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, false);
    double axial, radius, h = r.radius - r.center / cos(r.alpha),
                          up = sin(r.alpha) * cos(r.inclination);
    omr_roller_profile(&r, r.alpha, &axial, &radius);
    double length_of = 2 * (r.center * tan(r.alpha) / cos(r.inclination) + h * up),
           face = h * sqrt(1 - up * up);
    worst = larger(worst, (2 * axial - length_of) / r.radius);
    worst = larger(worst, (radius - face) / r.radius);
    /* the tip radius asked for is the end face's, and R1 follows from it */
    omr_roller again = r;
    cr_assert_null(omr_roller_shape(&again, face, (double)NAN));
    worst = larger(worst, (again.center - r.center) / r.radius);
  }
  cr_expect_lt(worst, 1e-13);
}

/* A wheel whose roller is passed over by exchange_roller: the contact jumps sideways, and in two
 * rows to the other row. */
Test(geometry, contact_point_jumps_sideways_at_an_exchange) {
  uint64_t seed = 42;
  double worst = 0;
  for (int n = 0; n < SHAPES; n++) {
    machine m = random_machine(&seed);
    double direction = n % 2 ? 1 : -1;
    m.wheel[0].angle = direction * M_PI / m.rollers * (1 - 1e-12) +
                       2 * M_PI / m.rollers * draw_whole(&seed, -5, 5);
    m.wheel[0].rate = direction;
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    double *ts = e.ts[0], *q = &e.at.y[Y_Q(0)];
    ts[T_ROW] = e.held.row[0];
    const double edge = direction * e.p.w[0][W_ALPHA];
    *q = edge;
    contact before = contact_at(e.p.w[0], *q, ts[T_ROW]);
    exchange passed = {.expected = 1, .hit = 1, .direction = direction};
    exchange_roller(e.p.w[0], f.settings.integers, f.batch.spins, passed, &e.at, ts);
    contact after = contact_at(e.p.w[0], *q, ts[T_ROW]);
    double jump = 2 * m.center * tan(M_PI / m.rollers) * tan(m.wheel[0].psi), row = e.held.row[0];
    worst = larger(worst, before.offset - after.offset - (direction * jump - 2 * row));
    cr_expect_float_eq(fabs(row), m.row_distance / 2, 1e-17);
    cr_expect_float_eq(*q, -edge, 1e-15);
    free_fleet(&f);
  }
  cr_log_info("largest difference of a jump %.2g m", worst);
  cr_expect_lt(worst, 1e-14);
}

/* Source 2, figure 9: the heights of all rollers' lowest points over a rolling wheel. One of them
 * is on the floor at any time. */
Test(geometry, some_roller_is_on_the_floor_at_any_wheel_angle) {
  uint64_t seed = 43;
  for (int n = 0; n < SHAPES / 10; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    for (int k = 0; k < 25; k++) {
      double chi = draw(&seed, -M_PI, M_PI), lowest = HUGE_VAL;
      for (int j = 0; j < r.rollers; j++) {
        double height = lowest_height(&r, chi + 2 * r.alpha * j);
        cr_expect_gt(height, -1e-14 * r.radius);
        lowest = fmin(lowest, height);
      }
      cr_expect_lt(lowest, 1e-5 * r.radius); /* between two sections */
    }
  }
}

/* The same figure: at an exchange the next roller's end reaches the floor without normal velocity,
 * so that before it its height goes with the square of the angle. */
Test(geometry, next_roller_comes_down_without_normal_impact) {
  uint64_t seed = 44;
  for (int n = 0; n < SHAPES; n++) {
    omr_roller r = random_shape(&seed, n % 2);
    cr_expect_float_eq(lowest_height(&r, r.alpha), 0, 1e-14 * r.radius);
    cr_expect_float_eq(lowest_height(&r, -r.alpha), 0, 1e-14 * r.radius);
    double near = lowest_height(&r, r.alpha + 1e-4), nearer = lowest_height(&r, r.alpha + 0.5e-4);
    cr_expect_float_eq(near / nearer, 4, 1e-2, "falls as the angle to the power %.3f",
                       log2(near / nearer));
  }
}

/* There the tip is a point of the rolling rim. */
Test(geometry, tips_of_straight_pointed_rollers_ride_on_the_rim) {
  for (int rollers = 3; rollers <= 12; rollers++) {
    omr_roller r = {.radius = 0.1, .rollers = rollers};
    cr_assert_null(omr_roller_shape(&r, 0, (double)NAN));
    for (double beyond = 0; beyond < r.alpha; beyond += 0.05) {
      cr_expect_float_eq(lowest_height(&r, r.alpha + beyond), 0.1 * (1 - cos(beyond)), 1e-15);
    }
  }
}

Test(geometry, shapes_that_cannot_be_are_refused) {
  omr_roller r = {.radius = 0.1, .rollers = 6};
  cr_expect_null(omr_roller_shape(&r, 0, 0.1 * cos(M_PI / 6)));
  cr_expect_not_null(omr_roller_shape(&r, 0, 0.1 * cos(M_PI / 6) * (1 + 1e-9)));
  cr_expect_not_null(
      omr_roller_shape(&r, 0.09, (double)NAN)); /* the end faces would pass the wheel's centre */
  r = (omr_roller){.radius = 0.1, .rollers = 5, .row_distance = 0.01};
  cr_expect_not_null(omr_roller_shape(&r, 0, (double)NAN)); /* two rows of five */
}
