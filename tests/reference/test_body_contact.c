/* General contacts: geometry of every pair of shapes against numerical differentiation and
 * independent formulas, rolling of held contacts against exact motions. */
#include "reference/contact/body_contact.h"

#include "body_contact_scene.h"
#include "multibody_random.h"
#include "reference/contact/disc_contact.h"
#include "reference/contact/roller_contact.h"

static omr_shape draw_shape(uint64_t *s, omr_shape_kind kind) {
  omr_shape shape = {.kind = kind, .at = random_vec(s, 0.3), .axes = random_frame(s).t};
  const double sizes[OMR_SHAPE_KINDS][OMR_SHAPE_SIZES] = {
      [OMR_SHAPE_SPHERE] = {0.3},        [OMR_SHAPE_ELLIPSOID] = {0.3, 0.45, 0.6},
      [OMR_SHAPE_DISC] = {0.4},          [OMR_SHAPE_TORUS] = {0.4, 0.1},
      [OMR_SHAPE_CYLINDER] = {0.3, 0.8}, [OMR_SHAPE_ROLLER] = {1, 0.6, 0.5, 0.7}};
  memcpy(shape.size, sizes[kind], sizeof shape.size);
  return shape;
}

/* Poses of both bodies at the time dt from the drawn ones. */
static void pose(omr_mb *mb, const omr_frame at[2], double dt) {
  for (int body = 1; body <= 2; body++) {
    omr_frame now = moved(&at[body - 1], dt);
    /* quaternion of the matrix: with draws of positive q0 its sum of squares is far from 0 */
    double q[4] = {1 + now.t.row[0].x + now.t.row[1].y + now.t.row[2].z,
                   now.t.row[2].y - now.t.row[1].z, now.t.row[0].z - now.t.row[2].x,
                   now.t.row[1].x - now.t.row[0].y};
    omr_mb_place(mb, body, now.r, q, now.v, now.w);
  }
}

static double rate_error(omr_vec up, omr_vec down, double dt, omr_vec rate) {
  omr_vec slope = omr_scale(1 / (2 * dt), omr_sub(up, down));
  return omr_norm(omr_sub(slope, rate)) / (1 + omr_norm(rate));
}

typedef struct pair {
  omr_shape_kind a, b;
  bool hollow;
} pair;

static const pair PAIRS[] = {{OMR_SHAPE_PLANE, OMR_SHAPE_SPHERE, false},
                             {OMR_SHAPE_PLANE, OMR_SHAPE_ELLIPSOID, false},
                             {OMR_SHAPE_PLANE, OMR_SHAPE_DISC, false},
                             {OMR_SHAPE_PLANE, OMR_SHAPE_TORUS, false},
                             {OMR_SHAPE_PLANE, OMR_SHAPE_CYLINDER, false},
                             {OMR_SHAPE_PLANE, OMR_SHAPE_ROLLER, false},
                             {OMR_SHAPE_TORUS, OMR_SHAPE_PLANE, false},
                             {OMR_SHAPE_SPHERE, OMR_SHAPE_SPHERE, false},
                             {OMR_SHAPE_SPHERE, OMR_SHAPE_SPHERE, true},
                             {OMR_SHAPE_CYLINDER, OMR_SHAPE_SPHERE, false},
                             {OMR_SHAPE_CYLINDER, OMR_SHAPE_SPHERE, true},
                             {OMR_SHAPE_SPHERE, OMR_SHAPE_CYLINDER, false},
                             {OMR_SHAPE_TORUS, OMR_SHAPE_SPHERE, false},
                             {OMR_SHAPE_TORUS, OMR_SHAPE_SPHERE, true},
                             {OMR_SHAPE_DISC, OMR_SHAPE_SPHERE, false},
                             {OMR_SHAPE_ELLIPSOID, OMR_SHAPE_SPHERE, false},
                             {OMR_SHAPE_ELLIPSOID, OMR_SHAPE_SPHERE, true},
                             {OMR_SHAPE_SPHERE, OMR_SHAPE_DISC, true},
                             {OMR_SHAPE_SPHERE, OMR_SHAPE_TORUS, true},
                             {OMR_SHAPE_ELLIPSOID, OMR_SHAPE_ELLIPSOID, false},
                             {OMR_SHAPE_SPHERE, OMR_SHAPE_ELLIPSOID, true},
                             {OMR_SHAPE_ELLIPSOID, OMR_SHAPE_CYLINDER, false},
                             {OMR_SHAPE_TORUS, OMR_SHAPE_ELLIPSOID, false},
                             {OMR_SHAPE_SPHERE, OMR_SHAPE_ROLLER, false}};

/* A hollow shape is so large that the other one fits in; centres are apart in random directions. */
static void draw_case(uint64_t *s, const pair *p, omr_body_contact *c, omr_frame at[2]) {
  c->shape[0] = draw_shape(s, p->a);
  c->shape[1] = draw_shape(s, p->b);
  c->law = (omr_contact_law){.normal = OMR_NORMAL_HELD};
  if (p->hollow) {
    for (int i = 0; i < 3; i++) c->shape[0].size[i] *= p->a == OMR_SHAPE_TORUS ? 4 : 3;
    c->shape[0].hollow = true;
  }
  at[0] = random_frame(s);
  at[1] = random_frame(s);
  double apart = p->hollow ? draw(s, 0.1, 0.3) : draw(s, 1.5, 3);
  omr_vec away = random_direction(s);
  if (p->hollow && p->a == OMR_SHAPE_TORUS) { /* near the circle of the groove */
    omr_vec z = omr_times(&c->shape[0].axes, omr_vec_of(0, 0, 1)), e1, e2;
    omr_perpendicular(omr_times(&at[0].t, z), &e1, &e2);
    double angle = draw(s, -3, 3);
    away = omr_axpy(omr_scale(cos(angle), e1), sin(angle), e2);
    apart = c->shape[0].size[0] + draw(s, 0.05, 0.1);
  }
  if (p->b >= OMR_SHAPE_CYLINDER && p->a != OMR_SHAPE_PLANE) { /* beside it, not beyond its ends */
    omr_vec along = {p->b == OMR_SHAPE_ROLLER, 0, p->b == OMR_SHAPE_CYLINDER};
    omr_vec x = omr_times(&at[1].t, omr_times(&c->shape[1].axes, along));
    away = omr_axpy(omr_unit(omr_axpy(away, -omr_dot(away, x), x)), 0.1, x);
  }
  omr_vec center = omr_add(at[0].r, omr_times(&at[0].t, c->shape[0].at));
  at[1].r = omr_sub(omr_axpy(center, apart, away), omr_times(&at[1].t, c->shape[1].at));
}

/* Both points are on the surfaces' common normal; the rates of points, normal and gap are the
 * derivatives along a motion of both bodies. */
Test(body_contact, rates_of_every_pair_are_derivatives) {
  uint64_t s = 17;
  const double dt = 1e-5;
  omr_error error = {0};
  for (size_t k = 0; k < sizeof PAIRS / sizeof *PAIRS; k++) {
    double worst = 0, line = 0, gap = 0;
    int cases = 0;
    for (int n = 0; n < 60; n++) {
      omr_mb *mb = omr_mb_create(NOWHERE);
      omr_body_contact c = {.base = {.a = 0}};
      omr_frame at[2];
      draw_case(&s, &PAIRS[k], &c, at);
      omr_mb_add_body(mb, "a", 1, omr_vec_of(1, 1, 1));
      omr_mb_add_body(mb, "b", 1, omr_vec_of(1, 1, 1));
      pose(mb, at, 0);
      cr_assert_eq(omr_body_contact_add(mb, &c, "pair", 1, 2, &error), OMR_OK, "%s", error.message);
      omr_contact_place now = omr_body_contact_place(mb, &c);
      pose(mb, at, dt);
      omr_contact_place up = omr_body_contact_place(mb, &c);
      pose(mb, at, -dt);
      omr_contact_place down = omr_body_contact_place(mb, &c);
      omr_mb_destroy(mb);
      /* where the way over a surface is fast, differences have large errors: left out */
      if (omr_norm(now.trail) + omr_norm(now.trail_a) > 40) continue;
      cases++;
      worst = larger(worst, rate_error(up.point, down.point, dt, now.trail));
      worst = larger(worst, rate_error(up.point_a, down.point_a, dt, now.trail_a));
      worst = larger(worst, rate_error(up.n, down.n, dt, now.n_rate));
      worst = larger(worst, (up.gap - down.gap) / (2 * dt) - now.gap_rate);
      line = larger(line, omr_norm(omr_cross(now.n, omr_sub(now.point, now.point_a))));
      gap = larger(gap, now.gap);
    }
    cr_log_info("pair %zu: %d cases, rates %.2g, off the normal %.2g", k, cases, worst, line);
    cr_expect_gt(cases, 25, "pair %zu: %d", k, cases);
    cr_expect_gt(gap, 0.01, "pair %zu", k);
    cr_expect_lt(worst, 2e-6, "pair %zu: %g", k, worst); /* dt^2 and third derivatives */
    cr_expect_lt(line, 1e-12, "pair %zu: %g", k, line);
  }
}

/* The lowest points of a roller are those of the explicit formula of source 1, section 5.2, also
 * after general tracking of a plane has found them; beyond the profile it is the edge of its end.
 */
Test(body_contact, a_roller_touches_where_the_profile_says) {
  uint64_t s = 5;
  omr_error error = {0};
  for (int n = 0; n < 100; n++) {
    double alpha = 0.6, psi = draw(&s, -0.9, 0.9), q = draw(&s, -0.9, 0.9),
           bound = fmax(-alpha, fmin(alpha, q));
    double turn[4], incline[4], about[4];
    omr_quaternion(omr_vec_of(0, 0, 1), q, turn);
    omr_quaternion(omr_vec_of(0, 1, 0), -psi, incline);
    omr_quaternion(omr_vec_of(1, 0, 0), draw(&s, -3, 3), about);
    omr_quaternion_product(turn, incline, turn);
    omr_quaternion_product(turn, about, turn);
    omr_mb *mb = omr_mb_create(NOWHERE);
    omr_mb_add_body(mb, "roller", 1, omr_vec_of(1, 1, 1));
    omr_mb_place(mb, 1, omr_vec_of(0.3, 1, 0.2), turn, NOWHERE, NOWHERE);
    omr_body_contact c = {.shape = {FLOOR, shape_of(OMR_SHAPE_ROLLER, 1, 0.7, psi)},
                          .law = {.normal = OMR_NORMAL_HELD}};
    c.shape[1].size[3] = alpha;
    cr_assert_eq(omr_body_contact_add(mb, &c, "roller", 0, 1, &error), OMR_OK, "%s", error.message);
    cr_expect_eq(c.zone[1], q > alpha ? 1 : q < -alpha ? -1 : 0);
    omr_contact_place p = omr_body_contact_place(mb, &c);
    omr_vec e = omr_times(&mb->frame[1].t, omr_vec_of(1, 0, 0));
    omr_vec center = {0.3, 1, 0.2}, d = omr_sub(p.point, center);
    if (bound == q) {
      double m = 0.7 * tan(q) / cos(psi), h = 1 - 0.7 / cos(q);
      cr_expect_lt(omr_norm(omr_add(d, omr_axpy(omr_vec_of(0, h, 0), m, e))), 1e-14);
    } else { /* no point of the profile is lower */
      omr_surface profile = omr_roller_surface(1, 0.7, psi, alpha);
      double along = omr_dot(d, e), lowest = 0, slope, curvature, radius;
      omr_roller_generatrix(&profile, along, &radius, &slope, &curvature);
      expect_near("radius", omr_norm(omr_axpy(d, -along, e)), radius, 1e-13);
      for (int k = -200; k <= 200; k++) {
        double x = fabs(along) * k / 200;
        omr_roller_generatrix(&profile, x, &radius, &slope, &curvature);
        lowest = fmin(lowest, x * e.y - radius * sqrt(1 - e.y * e.y));
      }
      expect_near("lowest", d.y, lowest, 1e-13);
    }
    omr_mb_destroy(mb);
  }
}

/* Point and rate of the roller of an upright wheel as omr_roller_contact tracks them, for random
 * motions of wheel and roller that keep the wheel upright and the roller in its place. */
Test(body_contact, a_roller_moves_as_the_roller_contact_does) {
  uint64_t s = 29;
  omr_error error = {0};
  for (int n = 0; n < 50; n++) {
    const double r = 1, r1 = 0.7, psi = draw(&s, -0.9, 0.9), q = draw(&s, -0.5, 0.5);
    double yaw[4], turn[4], wheel[4], incline[4], about[4], roller[4];
    omr_quaternion(omr_vec_of(0, 1, 0), draw(&s, -3, 3), yaw);
    omr_quaternion(omr_vec_of(0, 0, 1), q, turn);
    omr_quaternion(omr_vec_of(0, 1, 0), -psi, incline);
    omr_quaternion(omr_vec_of(1, 0, 0), draw(&s, -3, 3), about);
    omr_quaternion_product(yaw, turn, wheel);
    omr_quaternion_product(wheel, incline, roller);
    omr_quaternion_product(roller, about, roller);
    omr_mat t = omr_rotation(wheel), tr = omr_rotation(roller);
    omr_vec k = omr_times(&t, omr_vec_of(0, 0, 1)), e = omr_times(&tr, omr_vec_of(1, 0, 0));
    omr_vec center = {0.2, r, 0.1}, arm = omr_times(&t, omr_vec_of(0, -r1, 0));
    omr_vec v = {draw(&s, -1, 1), 0, draw(&s, -1, 1)};
    omr_vec w = omr_axpy(omr_vec_of(0, draw(&s, -2, 2), 0), draw(&s, -3, 3), k);
    omr_mb *mb = omr_mb_create(NOWHERE);
    omr_mb_add_body(mb, "wheel", 1, omr_vec_of(1, 1, 1));
    omr_mb_add_body(mb, "roller", 1, omr_vec_of(1, 1, 1));
    omr_mb_place(mb, 1, center, wheel, v, w);
    omr_mb_place(mb, 2, omr_add(center, arm), roller, omr_add(v, omr_cross(w, arm)),
                 omr_axpy(w, draw(&s, -5, 5), e));
    omr_body_contact c = {.shape = {FLOOR, shape_of(OMR_SHAPE_ROLLER, r, r1, psi)},
                          .law = {.normal = OMR_NORMAL_HELD}};
    c.shape[1].size[3] = 0.6;
    cr_assert_eq(omr_body_contact_add(mb, &c, "roller", 0, 2, &error), OMR_OK, "%s", error.message);
    omr_roller_contact other = {
        .radius = r, .center = r1, .cos_psi = cos(psi), .tracking = OMR_TRACKING_EXPLICIT};
    omr_roller_contact_add(mb, &other, "other", 1, 2);
    omr_roller_point expected = omr_roller_contact_point(mb, &other);
    omr_contact_place p = omr_body_contact_place(mb, &c);
    const omr_frame *f = &mb->frame[2];
    cr_expect_lt(omr_norm(omr_sub(p.arm[1], expected.d)), 1e-13);
    cr_expect_lt(omr_norm(omr_sub(omr_sub(p.trail, f->v), expected.d_rate)), 1e-12);
    expect_near("gap", p.gap, 0, 1e-13);
    omr_mb_destroy(mb);
  }
}

/* The same disc as a Disc_on_Base of source 3: the same motion. */
Test(body_contact, a_rolling_disc_moves_as_the_disc_on_base_of_source_3) {
  omr_disc_contact disc;
  omr_error error = {0};
  omr_mb *mb = omr_mb_create(GRAVITY);
  omr_mb_add_body(mb, "disc", 1, omr_vec_of(0.0625, 0.0625, 0.125));
  double q[4];
  omr_quaternion(omr_unit(omr_vec_of(1, 0.3, 0.1)), 0.5, q);
  omr_mb_place(mb, 1, NOWHERE, q, NOWHERE, omr_vec_of(0.5, -1, -6));
  omr_disc_on_base(mb, &disc, "disc",
                   (omr_disc_place){0, 1, NOWHERE, {0, 1, 0}, NOWHERE, {0, 0, 1}, 0.5});
  omr_disc_frame f = omr_disc_look(mb, &disc);
  omr_vec r = omr_vec_of(0, -f.point.y, 0), w = {0.5, -1, -6};
  omr_vec v = omr_cross(f.arm_b, w);
  omr_mb_place(mb, 1, r, q, v, w);
  scene *s = new_scene(GRAVITY);
  add_body(s, 1, omr_vec_of(0.0625, 0.0625, 0.125), r, v, w);
  omr_mb_place(s->mb, 1, r, q, v, w);
  omr_body_contact *c =
      add_contact(s, 0, shape_of(OMR_SHAPE_PLANE, 0, 0, 0), 1, shape_of(OMR_SHAPE_DISC, 0.5, 0, 0),
                  (omr_contact_law){.normal = OMR_NORMAL_HELD, .tangential = OMR_TANGENTIAL_ROLLS});
  start(s);
  omr_mb_integrator *other = NULL;
  cr_assert_eq(omr_mb_integrator_create(mb, &FINE, NULL, &other, &error), OMR_OK);
  for (int k = 1; k <= 5; k++) {
    go(s, k);
    cr_assert_eq(omr_mb_advance(other, k, &error), OMR_OK, "%s", error.message);
    cr_assert_eq(omr_mb_evaluate(mb, NULL, &error), OMR_OK);
    cr_expect_lt(omr_norm(omr_sub(s->mb->frame[1].r, mb->frame[1].r)), 1e-9);
    cr_expect_lt(omr_norm(omr_sub(s->mb->frame[1].w, mb->frame[1].w)), 1e-8);
    expect_near("load", omr_body_contact_look(s->mb, c).load, omr_disc_force(mb, &disc).x, 1e-7);
  }
  omr_mb_integrator_destroy(other);
  omr_mb_destroy(mb);
  finish(s);
}

/* A uniform ball on a plane: straight, with the speed that it has. */
Test(body_contact, a_ball_rolls_straight) {
  scene *s = new_scene(GRAVITY);
  omr_vec w = {3, 5, -4};
  add_ball(s, 2, 0.1, omr_vec_of(0, 0.1, 0), omr_vec_of(-0.1 * w.z, 0, 0.1 * w.x), w);
  omr_body_contact *c = add_contact(
      s, 0, shape_of(OMR_SHAPE_PLANE, 0, 0, 0), 1, shape_of(OMR_SHAPE_SPHERE, 0.1, 0, 0),
      (omr_contact_law){.normal = OMR_NORMAL_HELD, .tangential = OMR_TANGENTIAL_ROLLS});
  start(s);
  go(s, 10);
  expect_near("x", s->mb->frame[1].r.x, 4, 1e-10);
  expect_near("z", s->mb->frame[1].r.z, 3, 1e-10);
  expect_near("height", s->mb->frame[1].r.y, 0.1, 1e-12);
  expect_near("load", omr_body_contact_look(s->mb, c).load, 2 * G, 1e-9);
  finish(s);
}

/* A uniform ball that rolls inside of a vertical cylinder rises and falls sqrt(2/7) times as often
 * as it goes round (Routh 1905, Advanced Rigid Dynamics, art. 246; Gualtieri et al. 2006, Am. J.
 * Phys. 74, 497: the golfer's dilemma). With the spin w_n = 0 about the normal and the centre at
 * rest in height at first, z = -(5 g/(2 W^2)) (1 - cos(sqrt(2/7) W t)), W the rate of going round:
 * z'' = -5/7 g + 2/7 r W w_n and w_n' = -W z'/r. */
Test(body_contact, a_ball_in_a_cylinder_comes_back_up) {
  scene *s = new_scene(GRAVITY);
  const double r = 0.02, bore = 0.06, reach = bore - r, rate = 12;
  /* v = w x (from the contact to the centre) = w x (-r out) */
  omr_vec v = {0, 0, rate * reach}, w = {0, -rate * reach / r, 0};
  w.y = -v.z / r;
  w = omr_neg(w);
  omr_vec arm = {-r, 0, 0};
  if (omr_dot(omr_cross(w, arm), v) < 0) w = omr_neg(w);
  add_ball(s, 0.05, r, omr_vec_of(reach, 0, 0), v, w);
  omr_shape wall = shape_of(OMR_SHAPE_CYLINDER, bore, 1, 0);
  wall.axes = (omr_mat){{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}; /* z upwards */
  wall.hollow = true;
  omr_body_contact *c = add_contact(
      s, 0, wall, 1, shape_of(OMR_SHAPE_SPHERE, r, 0, 0),
      (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL, .tangential = OMR_TANGENTIAL_ROLLS});
  start(s);
  double often = sqrt(2.0 / 7) * rate, first = energy_of(s);
  for (int k = 1; k <= 40; k++) {
    double t = 0.05 * k;
    go(s, t);
    const omr_frame *f = &s->mb->frame[1];
    expect_near("height", f->r.y, -2.5 * G / (rate * rate) * (1 - cos(often * t)), 1e-9);
    expect_near("way round", f->r.z, reach * sin(rate * t), 1e-9);
    expect_near("load", omr_body_contact_look(s->mb, c).load, 0.05 * reach * rate * rate, 1e-8);
  }
  expect_near("energy", energy_of(s), first, 1e-10);
  cr_expect(c->closed);
  finish(s);
}

/* A ball that rolls in a bowl of radius R swings with the period of a pendulum of the length
 * 7/5 (R - r): 7/5 (R - r)^2 a'^2/2 - g (R - r) cos a stays, so that at the angle a it has the
 * speed that the fall gives. */
static void roll_in_bowl(omr_shape bowl, double r, double reach) {
  scene *s = new_scene(GRAVITY);
  const double angle = 0.7;
  add_ball(s, 0.3, r, omr_vec_of(reach * sin(angle), -reach * cos(angle), 0), NOWHERE, NOWHERE);
  bowl.hollow = bowl.kind != OMR_SHAPE_TORUS; /* rolls in the hole of a ring */
  omr_body_contact *c =
      add_contact(s, 0, bowl, 1, shape_of(OMR_SHAPE_SPHERE, r, 0, 0),
                  (omr_contact_law){.normal = OMR_NORMAL_HELD, .tangential = OMR_TANGENTIAL_ROLLS});
  start(s);
  /* exact period 4 sqrt(7 L/(5 g)) K(sin(a/2)), K by the arithmetic-geometric mean */
  double mean = 1, other = cos(angle / 2);
  for (int i = 0; i < 8; i++) {
    double next = (mean + other) / 2;
    other = sqrt(mean * other);
    mean = next;
  }
  double period = 2 * PI * sqrt(7 * reach / (5 * G)) / mean;
  for (int k = 1; k <= 5; k++) {
    go(s, k * period);
    const omr_frame *f = &s->mb->frame[1];
    expect_near("place", f->r.x, reach * sin(angle), 1e-8);
    expect_near("speed", omr_norm(f->v), 0, 1e-7);
  }
  cr_expect_lt(c->base.max_position, 1e-10);
  finish(s);
}

Test(body_contact, a_ball_in_a_bowl_swings_with_the_exact_period) {
  roll_in_bowl(shape_of(OMR_SHAPE_SPHERE, 0.5, 0, 0), 0.1, 0.4);
  roll_in_bowl(shape_of(OMR_SHAPE_ELLIPSOID, 0.5, 0.5, 0.5), 0.1, 0.4);
  roll_in_bowl(shape_of(OMR_SHAPE_CYLINDER, 0.5, 1, 0), 0.1, 0.4);
  roll_in_bowl(shape_of(OMR_SHAPE_TORUS, 0.9, 0.1, 0), 0.1, 0.7); /* R - tube - r */
}

/* Ellipsoids that roll: energy stays, on the plane and one on another free one, where momentum and
 * angular momentum stay too. */
Test(body_contact, rolling_ellipsoids_keep_energy_and_momentum) {
  scene *s = new_scene(GRAVITY);
  add_body(s, 1, omr_vec_of(0.01, 0.02, 0.018), omr_vec_of(0, 0.15, 0), NOWHERE, NOWHERE);
  omr_vec w = {2, 5, -3};
  omr_mb_set_velocity(s->mb, 1, omr_cross(omr_vec_of(0, -0.15, 0), w), w);
  omr_body_contact *c = add_contact(
      s, 0, shape_of(OMR_SHAPE_PLANE, 0, 0, 0), 1, shape_of(OMR_SHAPE_ELLIPSOID, 0.3, 0.15, 0.2),
      (omr_contact_law){.normal = OMR_NORMAL_HELD, .tangential = OMR_TANGENTIAL_ROLLS});
  start(s);
  double first = energy_of(s);
  go(s, 5);
  expect_near("energy", energy_of(s), first, 1e-9);
  cr_expect_lt(c->base.max_position, 1e-9);
  cr_expect_lt(c->base.max_velocity, 1e-9);
  finish(s);
}

static void momenta(const scene *s, const double mass[2], const omr_vec inertia[2], omr_vec *p,
                    omr_vec *l) {
  *p = *l = NOWHERE;
  for (int i = 0; i < 2; i++) {
    const omr_frame *f = &s->mb->frame[i + 1];
    omr_vec w = omr_transposed_times(&f->t, f->w),
            spin = {inertia[i].x * w.x, inertia[i].y * w.y, inertia[i].z * w.z};
    omr_vec one = omr_scale(mass[i], f->v);
    *p = omr_add(*p, one);
    *l = omr_add(*l, omr_add(omr_times(&f->t, spin), omr_cross(f->r, one)));
  }
}

Test(body_contact, ellipsoids_that_roll_on_each_other_keep_energy_and_momentum) {
  scene *s = new_scene(NOWHERE);
  const double mass[2] = {2, 1};
  const omr_vec inertia[2] = {{0.05, 0.06, 0.04}, {0.01, 0.02, 0.018}};
  add_body(s, mass[0], inertia[0], NOWHERE, NOWHERE, omr_vec_of(0.3, 0.2, 0.1));
  add_body(s, mass[1], inertia[1], omr_vec_of(0, 0.4, 0), NOWHERE, NOWHERE);
  omr_vec w = {2, 1, -1}, at = omr_cross(omr_vec_of(0.3, 0.2, 0.1), omr_vec_of(0, 0.25, 0));
  omr_mb_set_velocity(s->mb, 2, omr_add(at, omr_cross(omr_vec_of(0, -0.15, 0), w)), w);
  omr_body_contact *c =
      add_contact(s, 1, shape_of(OMR_SHAPE_ELLIPSOID, 0.3, 0.25, 0.2), 2,
                  shape_of(OMR_SHAPE_ELLIPSOID, 0.2, 0.15, 0.18),
                  (omr_contact_law){.normal = OMR_NORMAL_HELD, .tangential = OMR_TANGENTIAL_ROLLS});
  start(s);
  omr_vec p0, l0, p1, l1;
  momenta(s, mass, inertia, &p0, &l0);
  double first = energy_of(s);
  go(s, 3);
  momenta(s, mass, inertia, &p1, &l1);
  expect_near("energy", energy_of(s), first, 1e-10);
  cr_expect_lt(omr_norm(omr_sub(p1, p0)), 1e-11);
  cr_expect_lt(omr_norm(omr_sub(l1, l0)), 1e-11);
  cr_expect_lt(c->base.max_position, 1e-9, "%g", c->base.max_position);
  cr_expect_lt(c->base.max_velocity, 1e-9, "%g", c->base.max_velocity);
  cr_log_info("drift %.2g m, %.2g m/s", c->base.max_position, c->base.max_velocity);
  finish(s);
}

/* A ball that slips in a bowl: the normal condition has the part n'.s then. */
Test(body_contact, the_normal_condition_is_exact_for_slip) {
  scene *s = new_scene(GRAVITY);
  add_ball(s, 0.3, 0.1, omr_vec_of(0.2, -0.4, 0), omr_vec_of(0, 0, 2), NOWHERE);
  double reach = hypot(0.2, 0.4);
  omr_shape bowl = shape_of(OMR_SHAPE_SPHERE, reach + 0.1, 0, 0);
  bowl.hollow = true;
  omr_body_contact *c = add_contact(s, 0, bowl, 1, shape_of(OMR_SHAPE_SPHERE, 0.1, 0, 0),
                                    (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL});
  start(s);
  double first = energy_of(s);
  for (int k = 1; k <= 20; k++) {
    go(s, 0.1 * k);
    cr_expect_gt(omr_body_contact_look(s->mb, c).load, 0);
  }
  expect_near("energy", energy_of(s), first, 1e-10);
  expect_near("no torque", omr_norm(s->mb->frame[1].w), 0, 1e-12);
  cr_expect_lt(c->base.max_position, 1e-10, "%g", c->base.max_position);
  finish(s);
}
