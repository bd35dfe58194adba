/* Laws of the general contact against exact solutions: friction, restitution, lift-off, compliant
 * contacts, and the balance of energy under all of them. */
#include "body_contact_scene.h"
#include "multibody_random.h"
#include "reference/multibody/joints.h"

/* Work of all contacts, as a further state. */
static void loss_rate(void *self, const omr_mb *mb, double *rate) {
  const scene *s = self;
  *rate = 0;
  for (int i = 0; i < s->group.count; i++)
    *rate += omr_body_contact_look(mb, s->list[i]).dissipated;
}

static void start_counting(scene *s) {
  omr_mb_add_quadratures(s->mb, 1, loss_rate, s);
  start(s);
}

static double lost(const scene *s) {
  return *omr_mb_quadratures(s->mb) + s->group.lost;
}

/* A ball thrown without spin slides until 2 v0/(7 mu g) and rolls with 5/7 v0 from then on; 1/7 of
 * m v0^2 is lost. (Any textbook of billiards; Coriolis 1835.) */
Test(contact_laws, a_sliding_ball_rolls_after_the_exact_time) {
  const omr_contact_normal normals[2] = {OMR_NORMAL_HELD, OMR_NORMAL_UNILATERAL};
  for (int k = 0; k < 2; k++) {
    scene *s = new_scene(GRAVITY);
    const double r = 0.05, v = 2, mu = 0.2, m = 0.4, end = 2 * v / (7 * mu * G);
    add_ball(s, m, r, omr_vec_of(0, r, 0), omr_vec_of(v, 0, 0), NOWHERE);
    omr_body_contact *c = add_contact(s, 0, FLOOR, 1, BALL(r),
                                      (omr_contact_law){.normal = normals[k],
                                                        .tangential = OMR_TANGENTIAL_COULOMB,
                                                        .friction = mu});
    start_counting(s);
    double first = energy_of(s);
    go(s, 0.9 * end);
    expect_near("sliding", s->mb->frame[1].v.x, v - mu * G * 0.9 * end, 1e-10);
    omr_contact_sight sight = omr_body_contact_look(s->mb, c);
    cr_expect_not(sight.sticks);
    expect_near("friction", sight.friction.x, -mu * m * G, 1e-10);
    go(s, end - 1e-5);
    cr_expect_not(omr_body_contact_look(s->mb, c).sticks);
    go(s, end + 1e-9);
    sight = omr_body_contact_look(s->mb, c);
    cr_expect(sight.sticks);
    expect_near("rolling", s->mb->frame[1].v.x, 5 * v / 7, 1e-9);
    expect_near("no friction", omr_norm(sight.friction), 0, 1e-9);
    go(s, 1);
    expect_near("path", s->mb->frame[1].r.x,
                v * end - mu * G * end * end / 2 + 5 * v / 7 * (1 - end), 1e-9);
    expect_near("lost", lost(s), m * v * v / 7, 1e-10);
    expect_near("energy", energy_of(s) + lost(s), first, 1e-10);
    cr_expect_eq(s->group.impacts, 0);
    finish(s);
  }
}

/* With spin about another axis the slip keeps its direction u0 = v0 + w0 x (-r n), the path is a
 * parabola, and at the end v = v0 - 2/7 u0 (source as above). */
Test(contact_laws, a_ball_with_side_spin_follows_the_parabola) {
  scene *s = new_scene(GRAVITY);
  const double r = 0.05, mu = 0.3;
  omr_vec v = {1.5, 0, 0.3}, w = {25, 40, -10};
  omr_vec u = omr_add(v, omr_cross(w, omr_vec_of(0, -r, 0)));
  double end = 2 * omr_norm(u) / (7 * mu * G);
  add_ball(s, 0.4, r, omr_vec_of(0, r, 0), v, w);
  omr_body_contact *c = add_contact(s, 0, FLOOR, 1, BALL(r),
                                    (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL,
                                                      .tangential = OMR_TANGENTIAL_COULOMB,
                                                      .friction = mu});
  start_counting(s);
  double first = energy_of(s);
  go(s, end + 0.5);
  omr_vec final = omr_axpy(v, -2.0 / 7, u), push = omr_scale(-mu * G / omr_norm(u), u);
  omr_vec r1 = omr_axpy(omr_axpy(omr_scale(end, v), end * end / 2, push), 0.5, final);
  const omr_frame *f = &s->mb->frame[1];
  cr_expect_lt(omr_norm(omr_sub(f->v, final)), 1e-9);
  cr_expect_lt(omr_norm(omr_sub(f->r, omr_add(r1, omr_vec_of(0, r, 0)))), 1e-9);
  expect_near("spin about the normal", f->w.y, 40, 1e-9);
  cr_expect(omr_body_contact_look(s->mb, c).sticks);
  expect_near("energy", energy_of(s) + lost(s), first, 1e-10);
  finish(s);
}

/* Regularised laws at a slip far beyond their zone are Coulomb's; inside, the saturated and linear
 * ones decay the slip exponentially with the rate 7/2 mu g/v_s. */
Test(contact_laws, saturated_friction_lets_slip_decay) {
  for (int k = 0; k < 2; k++) {
    scene *s = new_scene(GRAVITY);
    const double r = 0.05, v = 0.5, mu = 0.2, small = 0.1;
    add_ball(s, 0.4, r, omr_vec_of(0, r, 0), omr_vec_of(v, 0, 0), NOWHERE);
    omr_body_contact *c = add_contact(
        s, 0, FLOOR, 1, BALL(r),
        (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL,
                          .tangential = k ? OMR_TANGENTIAL_REGULARIZED : OMR_TANGENTIAL_SATURATED,
                          .friction = mu,
                          .slip_speed = small,
                          .linear_zone = true});
    start_counting(s);
    double first = energy_of(s), reached = (v - small) * 2 / (7 * mu * G), t = 0.3;
    go(s, t);
    expect_near("slip", omr_body_contact_look(s->mb, c).tangent.x,
                small * exp(-3.5 * mu * G / small * (t - reached)), 1e-9);
    expect_near("energy", energy_of(s) + lost(s), first, 1e-10);
    finish(s);
  }
}

/* A block on an incline of angle a, thrown upwards: it slows with g (sin a + mu cos a), stops, and
 * sticks where tan a < mu or slides back with g (sin a - mu cos a). */
Test(contact_laws, a_block_on_an_incline_sticks_or_slides_back) {
  for (int k = 0; k < 2; k++) {
    const double angle = 0.4, mu = k ? 0.3 : 0.5, v = 1.2, height = 0.05;
    scene *s = new_scene(omr_vec_of(-G * sin(angle), -G * cos(angle), 0));
    add_body(s, 3, omr_vec_of(0.05, 0.08, 0.06), omr_vec_of(0, height, 0), omr_vec_of(v, 0, 0),
             NOWHERE);
    add_feet(s, height,
             (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL,
                               .tangential = OMR_TANGENTIAL_COULOMB,
                               .friction = mu});
    start_counting(s);
    double first = energy_of(s), slows = G * (sin(angle) + mu * cos(angle)),
           back = G * (sin(angle) - mu * cos(angle)), stop = v / slows, reach = v * stop / 2;
    go(s, 0.5 * stop);
    expect_near("upwards", s->mb->frame[1].v.x, v / 2, 1e-9);
    go(s, stop + 0.5);
    const omr_frame *f = &s->mb->frame[1];
    if (k) {
      expect_near("back", f->v.x, -0.5 * back, 1e-8);
      expect_near("place", f->r.x, reach - back * 0.125, 1e-8);
    } else {
      expect_near("rest", omr_norm(f->v), 0, 1e-9);
      expect_near("place", f->r.x, reach, 1e-9);
      double holds = 0;
      for (int i = 0; i < 3; i++) holds += omr_body_contact_look(s->mb, &s->contact[i]).friction.x;
      expect_near("static friction", holds, 3 * G * sin(angle), 1e-8);
    }
    expect_near("energy", energy_of(s) + lost(s), first, 1e-9);
    finish(s);
  }
}

/* Hertz: the compression is largest at (5 m v^2/(4 k))^(2/5), and the contact lasts
 * 2.943 d/v = 2 sqrt(pi) G(2/5)/(5 G(9/10)) 2 d/v (Landau and Lifshitz, Theory of Elasticity, 9).
 */
Test(contact_laws, a_hertzian_ball_is_compressed_exactly) {
  scene *s = new_scene(NOWHERE);
  const double m = 0.3, v = 1.5, k = 1e7, r = 0.05, depth = pow(1.25 * m * v * v / k, 0.4),
               lasts = 4 * sqrt(PI) * tgamma(0.4) / (5 * tgamma(0.9)) * depth / v;
  add_ball(s, m, r, omr_vec_of(0, r + 0.003, 0), omr_vec_of(0, -v, 0), NOWHERE);
  omr_body_contact *c = add_contact(
      s, 0, FLOOR, 1, BALL(r),
      (omr_contact_law){.normal = OMR_NORMAL_COMPLIANT, .stiffness = k, .exponent = 1.5});
  start(s);
  double first = energy_of(s), touch = 0.003 / v;
  go(s, touch + lasts / 2);
  omr_contact_sight sight = omr_body_contact_look(s->mb, c);
  expect_near("depth", -sight.place.gap / depth, 1, 1e-9);
  expect_near("load", sight.load / (k * pow(depth, 1.5)), 1, 1e-9);
  expect_near("energy", energy_of(s) / first, 1, 1e-10);
  go(s, touch + lasts * (1 - 1e-6));
  cr_expect(c->closed);
  go(s, touch + lasts * (1 + 1e-6));
  cr_expect_not(c->closed);
  expect_near("speed", s->mb->frame[1].v.y, v, 1e-9);
  finish(s);
}

/* Jellett's constant L.(P - C) of a ball with its centre of mass off its centre: whatever force
 * acts at the contact (Jellett 1872; Cohen 1977). */
Test(contact_laws, jelletts_constant_stays_under_sliding_friction) {
  const omr_contact_law laws[3] = {
      {.normal = OMR_NORMAL_HELD,
       .tangential = OMR_TANGENTIAL_REGULARIZED,
       .friction = 0.3,
       .slip_speed = 0.01},
      {.normal = OMR_NORMAL_UNILATERAL, .tangential = OMR_TANGENTIAL_COULOMB, .friction = 0.3},
      {.normal = OMR_NORMAL_UNILATERAL, .viscous = 0.2}};
  for (int k = 0; k < 3; k++) {
    scene *s = new_scene(GRAVITY);
    const double r = 0.02, off = 0.003, m = 0.015;
    const omr_vec inertia = {2.1e-6, 2.5e-6, 2.1e-6};
    add_body(s, m, inertia, NOWHERE, NOWHERE, NOWHERE);
    double q[4];
    omr_quaternion(omr_vec_of(1, 0, 0), 0.2, q);
    omr_vec axis = {0, cos(0.2), sin(0.2)}, w = omr_scale(120, axis);
    omr_mb_place(s->mb, 1, omr_vec_of(0, r - off * axis.y, 0), q, NOWHERE, w);
    omr_body_contact *c = add_contact(
        s, 0, FLOOR, 1, shape_at(OMR_SHAPE_SPHERE, omr_vec_of(0, off, 0), r, 0, 0), laws[k]);
    omr_mb_set_velocity(s->mb, 1, omr_vec_of(0, -omr_body_contact_place(s->mb, c).gap_rate, 0), w);
    start_counting(s);
    double first = energy_of(s), constant = 0;
    for (int i = 0; i <= 20; i++) {
      go(s, 0.05 * i);
      const omr_frame *f = &s->mb->frame[1];
      omr_vec body = omr_transposed_times(&f->t, f->w),
              l = omr_times(&f->t,
                            omr_vec_of(inertia.x * body.x, inertia.y * body.y, inertia.z * body.z));
      double now = -omr_dot(l, omr_sub(omr_body_contact_place(s->mb, c).point, f->r));
      if (i == 0) constant = now;
      expect_near("Jellett", now / constant, 1, 1e-10);
      expect_near("energy", (energy_of(s) + lost(s)) / first, 1, 1e-9);
    }
    cr_expect_gt(lost(s), 1e-3 * first);
    finish(s);
  }
}

/* A held contact whose load pulls has its friction by |N|: a ball under a ceiling of a world with
 * gravity downwards, held to a plane that faces down. */
Test(contact_laws, a_held_contact_that_pulls_has_friction_too) {
  scene *s = new_scene(omr_vec_of(0, G, 0)); /* upwards, away from the floor */
  const double r = 0.05, v = 2, mu = 0.2, end = 2 * v / (7 * mu * G);
  add_ball(s, 0.4, r, omr_vec_of(0, r, 0), omr_vec_of(v, 0, 0), NOWHERE);
  omr_body_contact *c = add_contact(s, 0, FLOOR, 1, BALL(r),
                                    (omr_contact_law){.normal = OMR_NORMAL_HELD,
                                                      .tangential = OMR_TANGENTIAL_COULOMB,
                                                      .friction = mu});
  start(s);
  go(s, end / 2);
  expect_near("load", omr_body_contact_look(s->mb, c).load, -0.4 * G, 1e-9);
  expect_near("slows", s->mb->frame[1].v.x, v - mu * G * end / 2, 1e-9);
  go(s, end + 0.1);
  expect_near("rolls", s->mb->frame[1].v.x, 5 * v / 7, 1e-9);
  finish(s);
}

/* t for which the rate w falls from one value to another under w' = -c w/sqrt(w^2 + s^2). */
static double time_between(double from, double to, double s, double c) {
  double a = hypot(from, s), b = hypot(to, s);
  return (a - b + s * log(from * (s + b) / (to * (s + a)))) / c;
}

/* Rolling resistance slows a rolling ball by 5/7 k g/r, spinning resistance its spin by
 * 5/2 k g/r^2, both with the factor w/sqrt(w^2 + w_s^2). */
Test(contact_laws, resistance_slows_rolling_and_spinning) {
  scene *s = new_scene(GRAVITY);
  const double r = 0.05, k = 4e-4, k2 = 3e-4, small = 0.5, roll = 20, spin = 30;
  add_ball(s, 0.4, r, omr_vec_of(0, r, 0), omr_vec_of(r * roll, 0, 0), omr_vec_of(0, spin, -roll));
  add_contact(s, 0, FLOOR, 1, BALL(r),
              (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL,
                                .tangential = OMR_TANGENTIAL_ROLLS,
                                .rolling = k,
                                .spinning = k2,
                                .turn_speed = small});
  start_counting(s);
  double first = energy_of(s), t = 0.5;
  go(s, t);
  const omr_frame *f = &s->mb->frame[1];
  expect_near("rolling", time_between(roll, -f->w.z, small, 5.0 / 7 * k * G / (r * r)), t, 1e-9);
  expect_near("spinning", time_between(spin, f->w.y, small, 2.5 * k2 * G / (r * r)), t, 1e-9);
  cr_expect_lt(f->w.y, 0.96 * spin);
  expect_near("energy", energy_of(s) + lost(s), first, 1e-10);
  finish(s);
}

/* On a turntable that turns with W a uniform ball rolls on circles with 2/7 W (Earnshaw 1844). */
Test(contact_laws, a_ball_on_a_turntable_goes_in_circles) {
  scene *s = new_scene(GRAVITY);
  const double r = 0.05, rate = 7;
  add_body(s, 10, omr_vec_of(1, 2, 1), NOWHERE, NOWHERE, omr_vec_of(0, rate, 0));
  /* at x = 0.3 in rest relative to the table; its spin about the normal does not matter */
  omr_vec v = {0, 0, -rate * 0.3};
  add_ball(s, 0.2, r, omr_vec_of(0.3, r, 0), v, omr_vec_of(0, rate, 0));
  omr_joint joint;
  omr_joint_add(s->mb, &joint, "axle", (omr_joint_place){0, 1, {0, 1, 0}, NOWHERE, NOWHERE},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_body_contact *c =
      add_contact(s, 1, FLOOR, 2, BALL(r),
                  (omr_contact_law){.normal = OMR_NORMAL_HELD, .tangential = OMR_TANGENTIAL_ROLLS});
  omr_mb_set_velocity(s->mb, 2, v, omr_vec_of(0, rate, 0));
  start(s);
  /* the table has a free axle: it turns on with a rate that the ball changes, so that the law holds
   * in the differential form v' = 2/7 W y x v + 2/7 W' y x r, which two looks show */
  for (int k = 1; k <= 10; k++) {
    go(s, 0.3 * k);
    const omr_frame *table = &s->mb->frame[1], *ball = &s->mb->frame[2];
    omr_vec turn = {0, s->mb->acceleration[1].e.y, 0};
    omr_vec expected =
        omr_scale(2.0 / 7, omr_add(omr_cross(table->w, ball->v), omr_cross(turn, ball->r)));
    expected.y = 0;
    cr_expect_lt(omr_norm(omr_sub(s->mb->acceleration[2].a, expected)), 1e-8);
  }
  cr_expect_lt(c->base.max_velocity, 1e-9);
  finish(s);
}

static double steady(void *self, double t, double angle, double rate) {
  (void)self, (void)t, (void)angle, (void)rate;
  return 0;
}

Test(contact_laws, a_ball_on_a_driven_turntable_comes_back) {
  scene *s = new_scene(GRAVITY);
  const double r = 0.05, rate = 7;
  add_body(s, 10, omr_vec_of(1, 2, 1), NOWHERE, NOWHERE, omr_vec_of(0, rate, 0));
  add_ball(s, 0.2, r, omr_vec_of(0.3, r, 0), omr_vec_of(0, 0, -rate * 0.3), omr_vec_of(0, rate, 0));
  omr_joint joint;
  omr_joint_add(
      s->mb, &joint, "axle", (omr_joint_place){0, 1, {0, 1, 0}, NOWHERE, NOWHERE},
      (omr_joint_law){.class = OMR_JOINT_FIXED_SERVO, .angle = 0, .of = steady, .self = NULL});
  add_contact(s, 1, FLOOR, 2, BALL(r),
              (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL,
                                .tangential = OMR_TANGENTIAL_COULOMB,
                                .friction = 5});
  start(s);
  double period = 2 * PI / (2.0 / 7 * rate);
  go(s, period / 2);
  /* the circle's radius is v/(2/7 W) = 1.05 m, its centre at x = 0.3 - 1.05 */
  expect_near("across", s->mb->frame[2].r.x, 0.3 - 2.1, 1e-8);
  go(s, period);
  expect_near("back", s->mb->frame[2].r.x, 0.3, 1e-8);
  expect_near("back", s->mb->frame[2].r.z, 0, 1e-8);
  finish(s);
}

/* Balls between the grooves of two races, the inner one driven: they go round with
 * W r_i/(r_i + r_o), the radii of the contacts, and spin with W r_i r_o/(r (r_i + r_o)) relative to
 * the line of centres, less their way round (the cage equations of every handbook of bearings). */
Test(contact_laws, balls_between_races_have_the_kinematic_ratios) {
  scene *s = new_scene(GRAVITY);
  const double r = 0.01, middle = 0.05, groove = 0.0105, rate = 20, ri = middle - r,
               ro = middle + r, around = rate * ri / (ri + ro),
               spin = (around * middle - rate * ri) / r;
  add_body(s, 1, omr_vec_of(1e-3, 1e-3, 2e-3), NOWHERE, NOWHERE, omr_vec_of(0, 0, rate));
  omr_joint joint;
  omr_joint_add(
      s->mb, &joint, "axle", (omr_joint_place){0, 1, {0, 0, 1}, NOWHERE, NOWHERE},
      (omr_joint_law){.class = OMR_JOINT_FIXED_SERVO, .angle = 0, .of = steady, .self = NULL});
  omr_shape inner = shape_of(OMR_SHAPE_TORUS, ri + groove, groove, 0),
            outer = shape_of(OMR_SHAPE_TORUS, ro - groove, groove, 0);
  inner.hollow = outer.hollow = true;
  omr_contact_law law = {.normal = OMR_NORMAL_HELD, .tangential = OMR_TANGENTIAL_ROLLS};
  for (int i = 0; i < 4; i++) {
    double angle = PI / 2 * i + 0.2;
    omr_vec out = {cos(angle), sin(angle), 0}, along = {-sin(angle), cos(angle), 0};
    int ball = add_ball(s, 0.03, r, omr_scale(middle, out), omr_scale(around * middle, along),
                        omr_vec_of(0, 0, spin));
    add_contact(s, 1, inner, ball, BALL(r), law);
    add_contact(s, 0, outer, ball, BALL(r), law);
  }
  start(s);
  double first = omr_mb_kinetic(s->mb), t = 1;
  go(s, t);
  for (int i = 0; i < 4; i++) {
    const omr_frame *f = &s->mb->frame[i + 2];
    double angle = PI / 2 * i + 0.2 + around * t;
    expect_near("x", f->r.x, middle * cos(angle), 1e-9);
    expect_near("y", f->r.y, middle * sin(angle), 1e-9);
    expect_near("spin", f->w.z, spin, 1e-8);
    /* the radial forces carry the ball round and bear its weight */
    double radial = omr_body_contact_look(s->mb, s->list[2 * i]).load -
                    omr_body_contact_look(s->mb, s->list[2 * i + 1]).load;
    expect_near("loads", radial, 0.03 * (G * sin(angle) - around * around * middle), 1e-6);
  }
  expect_near("energy", omr_mb_kinetic(s->mb), first, 1e-10);
  finish(s);
}

/* Baumgarte's terms bring a gap back as g (1 + b t) exp(-b t). */
Test(contact_laws, baumgarte_closes_a_gap) {
  scene *s = new_scene(GRAVITY);
  add_ball(s, 1, 0.1, omr_vec_of(0, 0.101, 0), NOWHERE, NOWHERE);
  omr_body_contact *c = add_contact(s, 0, FLOOR, 1, BALL(0.1),
                                    (omr_contact_law){.normal = OMR_NORMAL_HELD, .baumgarte = 20});
  start(s);
  go(s, 0.2);
  expect_near("gap", omr_body_contact_place(s->mb, c).gap, 1e-3 * 5 * exp(-4), 1e-12);
  finish(s);
}

/* Energy, spring energy and what is lost add up under every law; loads never pull. */
Test(contact_laws, energy_balances_under_every_law) {
  const omr_contact_law normals[4] = {
      {.normal = OMR_NORMAL_UNILATERAL, .restitution = 0.5},
      {.normal = OMR_NORMAL_COMPLIANT, .stiffness = 1e4, .damping = 20},
      {.normal = OMR_NORMAL_COMPLIANT, .stiffness = 1e5, .exponent = 1.5, .damping = 8},
      {.normal = OMR_NORMAL_COMPLIANT,
       .stiffness = 1e5,
       .exponent = 1.5,
       .damping = 0.5,
       .hunt_crossley = true}};
  const omr_contact_law tangents[6] = {
      {.tangential = OMR_TANGENTIAL_NONE, .viscous = 0.3},
      {.tangential = OMR_TANGENTIAL_ROLLS},
      {.tangential = OMR_TANGENTIAL_REGULARIZED, .friction = 0.3, .slip_speed = 0.05},
      {.tangential = OMR_TANGENTIAL_SATURATED, .friction = 0.3, .slip_speed = 0.05},
      {.tangential = OMR_TANGENTIAL_COULOMB, .friction = 0.3},
      {.tangential = OMR_TANGENTIAL_COULOMB,
       .friction = 0.3,
       .rolling = 1e-3,
       .spinning = 2e-3,
       .turn_speed = 0.1}};
  for (int k = 0; k < 24; k++) {
    omr_contact_law law = normals[k / 6], t = tangents[k % 6];
    law.tangential = t.tangential;
    law.friction = t.friction;
    law.slip_speed = t.slip_speed;
    law.viscous = t.viscous;
    law.rolling = t.rolling;
    law.spinning = t.spinning;
    law.turn_speed = t.turn_speed;
    scene *s = new_scene(GRAVITY);
    add_body(s, 0.5, omr_vec_of(0.002, 0.003, 0.0025), omr_vec_of(0, 0.3, 0),
             omr_vec_of(0.8, 0, 0.2), omr_vec_of(3, 5, 1));
    omr_body_contact *c =
        add_contact(s, 0, FLOOR, 1, shape_of(OMR_SHAPE_ELLIPSOID, 0.1, 0.12, 0.11), law);
    start_counting(s);
    double first = energy_of(s), least = 0;
    for (int i = 1; i <= 40; i++) {
      go(s, 0.03 * i);
      least = fmin(least, omr_body_contact_look(s->mb, c).load);
      expect_near("energy", (energy_of(s) + lost(s)) / first, 1, 1e-8);
    }
    cr_expect_geq(least, 0);
    cr_expect_gt(lost(s), 0.01 * first, "%d", k);
    omr_mb_counts n = omr_mb_count(s->g);
    cr_log_info("law %d: lost %.3g of %.3g J, %ld impacts, %ld events, %ld steps", k, lost(s),
                first, s->group.impacts, n.events, n.steps);
    finish(s);
  }
}

/* A cylinder on a compliant floor rocks from one end to the other without loss. */
Test(contact_laws, a_cylinder_rocks_from_end_to_end) {
  scene *s = new_scene(GRAVITY);
  add_body(s, 1, omr_vec_of(0.01, 0.01, 0.002), omr_vec_of(0, 0.0498, 0), NOWHERE,
           omr_vec_of(0.3, 0, 0));
  omr_body_contact *c = add_contact(
      s, 0, FLOOR, 1, shape_of(OMR_SHAPE_CYLINDER, 0.05, 0.3, 0),
      (omr_contact_law){.normal = OMR_NORMAL_COMPLIANT, .stiffness = 1e5, .exponent = 1.5});
  start(s);
  double first = energy_of(s);
  int changes = 0, zone = c->zone[1];
  for (int i = 1; i <= 300; i++) {
    go(s, 0.005 * i);
    if (c->zone[1] != zone) changes++;
    zone = c->zone[1];
    expect_near("energy", energy_of(s), first, 1e-9);
  }
  cr_expect_gt(changes, 5);
  finish(s);
}

/* A cylinder that lies flat touches with both ends' edges: on an incline it rolls down with
 * 2/3 g sin a, whatever of the conditions is redundant. */
Test(contact_laws, a_cylinder_rolls_down_on_both_ends) {
  const double angle = 0.3, r = 0.1, m = 2;
  const omr_contact_law laws[2] = {
      {.normal = OMR_NORMAL_HELD, .tangential = OMR_TANGENTIAL_ROLLS},
      {.normal = OMR_NORMAL_UNILATERAL, .tangential = OMR_TANGENTIAL_COULOMB, .friction = 0.3}};
  for (int k = 0; k < 2; k++) {
    scene *s = new_scene(omr_vec_of(G * sin(angle), -G * cos(angle), 0));
    add_body(s, m, omr_vec_of(0.02, 0.02, m * r * r / 2), omr_vec_of(0, r, 0), NOWHERE, NOWHERE);
    omr_shape cylinder = shape_of(OMR_SHAPE_CYLINDER, r, 0.4, 0);
    for (int end = -1; end <= 1; end += 2)
      add_contact(s, 0, FLOOR, 1, omr_shape_end(&cylinder, end), laws[k]);
    start(s);
    go(s, 1);
    expect_near("path", s->mb->frame[1].r.x, G * sin(angle) / 3, 1e-9);
    for (int i = 0; i < 2; i++) {
      omr_contact_sight sight = omr_body_contact_look(s->mb, s->list[i]);
      cr_expect(sight.sticks);
      expect_near("load", sight.load, m * G * cos(angle) / 2, 1e-8);
      expect_near("friction", sight.friction.x, -m * G * sin(angle) / 6, 1e-8);
    }
    finish(s);
  }
}

static void expect_refused(omr_shape a, omr_shape b, omr_contact_law law, const char *word) {
  omr_error error = {0};
  omr_mb *mb = omr_mb_create(GRAVITY);
  omr_mb_add_body(mb, "body", 1, omr_vec_of(1, 1, 1));
  omr_body_contact c = {.shape = {a, b}, .law = law};
  cr_expect_eq(omr_body_contact_add(mb, &c, "foot", 0, 1, &error), OMR_ERR_USAGE);
  cr_expect(strstr(error.message, word), "%s", error.message);
  cr_expect(strstr(error.message, "foot"), "%s", error.message);
  cr_expect_eq(mb->constraints, 0);
  omr_mb_destroy(mb);
}

Test(contact_laws, what_cannot_touch_is_refused) {
  omr_contact_law held = {.normal = OMR_NORMAL_HELD}, soft = {.normal = OMR_NORMAL_COMPLIANT};
  omr_shape hollow = BALL(1), disc = shape_of(OMR_SHAPE_DISC, 1, 0, 0);
  hollow.hollow = true;
  expect_refused(FLOOR, FLOOR, held, "two planes");
  expect_refused(disc, disc, held, "edge of a disc");
  expect_refused(hollow, hollow, held, "neither");
  expect_refused(FLOOR, hollow, held, "hollow");
  expect_refused(FLOOR, BALL(-1), held, "positive");
  expect_refused(FLOOR, BALL(1), soft, "stiffness");
  expect_refused(FLOOR, BALL(1),
                 (omr_contact_law){.tangential = OMR_TANGENTIAL_SATURATED, .friction = 1},
                 "slip speed");
  expect_refused(FLOOR, BALL(1), (omr_contact_law){.restitution = 1.5}, "restitution");
  expect_refused(FLOOR, shape_of(OMR_SHAPE_TORUS, 1, 1, 0), held, "torus");
}
