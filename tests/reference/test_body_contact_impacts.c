/* Unilateral contacts: bounces, impacts with friction and beside other contacts, lift-off, against
 * exact solutions. */
#include "body_contact_scene.h"

/* The height of every bounce is e^2 of that before; the sum of all flights ends at
 * sqrt(2 h/g) (1 + e)/(1 - e). */
Test(contact_impacts, a_bouncing_ball_comes_to_rest_in_finite_time) {
  scene *s = new_scene(GRAVITY);
  const double r = 0.1, h = 0.5, e = 0.8, fall = sqrt(2 * h / G), end = fall * (1 + e) / (1 - e);
  add_ball(s, 0.7, r, omr_vec_of(0, r + h, 0), NOWHERE, NOWHERE);
  omr_body_contact *c =
      add_contact(s, 0, FLOOR, 1, BALL(r),
                  (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL, .restitution = e});
  start(s);
  double t = fall, first = energy_of(s);
  for (int n = 1; n <= 12; n++) {
    double flight = fall * pow(e, n);
    go(s, t + flight);
    expect_near("apex", s->mb->frame[1].r.y, r + h * pow(e, 2 * n), 1e-10);
    cr_expect_eq(c->impacts, n);
    expect_near("energy", energy_of(s) + s->group.lost, first, 1e-10);
    t += 2 * flight;
  }
  go(s, end - 3e-5); /* bounces slower than 1e-5 m/s do not happen: the last 1e-5 s */
  cr_expect_not(c->closed);
  go(s, end);
  cr_expect(c->closed);
  /* v0 e^n > rest speed; the one after it is the last */
  expect_near("impacts", (double)c->impacts, floor(log(1e-5 / (fall * G)) / log(e)) + 1, 0.1);
  go(s, end + 1);
  expect_near("height", s->mb->frame[1].r.y, r, 1e-11);
  expect_near("load", omr_body_contact_look(s->mb, c).load, 0.7 * G, 1e-10);
  expect_near("lost", s->group.lost, 0.7 * G * h, 1e-9);
  finish(s);
}

/* An oblique impact with friction: the ball sticks, v_t = 5/7 of what it was, where
 * mu (1 + e) v_n > 2/7 v_t, and loses mu (1 + e) v_n of it otherwise (Routh). */
Test(contact_impacts, an_oblique_impact_sticks_or_slides) {
  for (int k = 0; k < 2; k++) {
    scene *s = new_scene(GRAVITY);
    const double r = 0.1, e = 0.6, mu = k ? 0.1 : 0.4, down = 2, along = 1.5;
    add_ball(s, 1, r, omr_vec_of(0, r, 0), omr_vec_of(along, -down, 0), NOWHERE);
    omr_body_contact *c = add_contact(s, 0, FLOOR, 1, BALL(r),
                                      (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL,
                                                        .restitution = e,
                                                        .tangential = OMR_TANGENTIAL_COULOMB,
                                                        .friction = mu});
    start(s);
    double first = energy_of(s);
    go(s, 0.01);
    double change = k ? mu * (1 + e) * down : 2.0 / 7 * along;
    const omr_frame *f = &s->mb->frame[1];
    expect_near("along", f->v.x, along - change, 1e-12);
    expect_near("up", f->v.y, e * down - G * 0.01, 1e-12);
    expect_near("spin", f->w.z, -2.5 * change / r, 1e-11);
    cr_expect_not(c->closed);
    expect_near("energy", energy_of(s) + s->group.lost, first, 1e-12);
    finish(s);
  }
}

/* A block that falls flat on three feet at once bounces flat, to e^2 of the height. */
Test(contact_impacts, a_block_on_three_feet_bounces_flat) {
  scene *s = new_scene(GRAVITY);
  const double e = 0.5, h = 0.2, height = 0.1, fall = sqrt(2 * h / G);
  add_body(s, 3, omr_vec_of(0.05, 0.08, 0.06), omr_vec_of(0, height + h, 0), NOWHERE, NOWHERE);
  add_feet(s, height, (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL, .restitution = e});
  start(s);
  go(s, fall + e * fall);
  expect_near("apex", s->mb->frame[1].r.y, height + e * e * h, 1e-10);
  expect_near("flat", omr_norm(s->mb->frame[1].w), 0, 1e-9);
  go(s, 2);
  for (int i = 0; i < 3; i++) {
    cr_expect(s->contact[i].closed);
    expect_near("load", omr_body_contact_look(s->mb, &s->contact[i]).load, G, 1e-8);
  }
  finish(s);
}

/* A particle-like ball that slides off a fixed sphere leaves it at cos a = 2/3 of the start's; a
 * uniform ball that rolls, at 10/17 (textbooks; Routh). From then on it flies, with the horizontal
 * velocity sqrt(g L) c^(3/2) that it has there. */
Test(contact_impacts, a_ball_leaves_the_sphere_at_the_exact_angle) {
  for (int k = 0; k < 2; k++) {
    scene *s = new_scene(GRAVITY);
    const double big = 1, r = 0.1, reach = big + r, from = 0.3,
                 c = (k ? 10.0 / 17 : 2.0 / 3) * cos(from);
    add_ball(s, 0.5, r, omr_vec_of(reach * sin(from), reach * cos(from), 0), NOWHERE, NOWHERE);
    omr_body_contact *contact = add_contact(
        s, 0, BALL(big), 1, BALL(r),
        (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL,
                          .tangential = k ? OMR_TANGENTIAL_ROLLS : OMR_TANGENTIAL_NONE});
    start(s);
    double first = energy_of(s);
    double t = 0, least = HUGE_VAL;
    while (t < 3 && contact->closed) {
      go(s, t += 0.005);
      omr_contact_sight sight = omr_body_contact_look(s->mb, contact);
      if (sight.closed) least = fmin(least, sight.load);
    }
    cr_expect_not(contact->closed);
    cr_expect_gt(least, 0);
    expect_near("horizontal", s->mb->frame[1].v.x, sqrt(G * reach) * pow(c, 1.5), 1e-8);
    expect_near("energy", energy_of(s), first, 1e-10);
    go(s, t + 0.1);
    cr_expect_gt(omr_body_contact_look(s->mb, contact).place.gap, 0);
    finish(s);
  }
}

/* A beam on two feet is hit beyond one of them: the other one lifts off in the same impact, whose
 * impulse would have to pull. The beam turns about the foot that stays: plastic impact of a ball of
 * mass m at the distance l from that foot, angular momentum about it: w = m v l/(I + M d^2 + m
 * l^2).
 */
Test(contact_impacts, an_impact_lifts_the_foot_that_it_would_pull) {
  scene *s = new_scene(NOWHERE);
  const double big = 2, small = 0.5, inertia = 0.3, v = 3, d = 0.4, l = 0.3, r = 0.01;
  add_body(s, big, omr_vec_of(0.1, inertia, inertia), omr_vec_of(0, r, 0), NOWHERE, NOWHERE);
  add_ball(s, small, 0.05, omr_vec_of(d + l, r + 0.05, 0), omr_vec_of(0, -v, 0), NOWHERE);
  omr_contact_law law = {.normal = OMR_NORMAL_UNILATERAL};
  for (int side = -1; side <= 1; side += 2)
    add_contact(s, 0, FLOOR, 1, shape_at(OMR_SHAPE_SPHERE, omr_vec_of(side * d, 0, 0), r, 0, 0),
                law);
  add_contact(s, 1, FLOOR, 2, BALL(0.05), law); /* the beam's upper side is a plane */
  start(s);
  double first = energy_of(s);
  go(s, 1e-9);
  double w = small * v * l / (inertia + big * d * d + small * l * l);
  expect_near("turn", s->mb->frame[1].w.z, -w, 1e-9);
  expect_near("stays", omr_body_contact_place(s->mb, s->list[1]).gap_rate, 0, 1e-9);
  expect_near("lifts", omr_body_contact_place(s->mb, s->list[0]).gap_rate, 2 * d * w, 1e-5);
  cr_expect_not(s->contact[0].closed);
  expect_near("lost", s->group.lost, first - energy_of(s), 1e-12);
  cr_expect_gt(s->group.lost, 0);
  finish(s);
}

Test(contact_impacts, a_rigid_cylinder_that_comes_to_lie_flat_stops_the_run) {
  scene *s = new_scene(GRAVITY);
  double q[4];
  omr_error error = {0};
  add_body(s, 1, omr_vec_of(0.01, 0.01, 0.002), NOWHERE, NOWHERE, NOWHERE);
  omr_quaternion(omr_vec_of(1, 0, 0), 0.1, q);
  omr_mb_place(s->mb, 1, omr_vec_of(0, 0.05 * cos(0.1) + 0.15 * sin(0.1), 0), q, NOWHERE, NOWHERE);
  omr_body_contact *c = add_contact(s, 0, FLOOR, 1, shape_of(OMR_SHAPE_CYLINDER, 0.05, 0.3, 0),
                                    (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL});
  expect_near("gap", omr_body_contact_place(s->mb, c).gap, 0, 1e-15);
  start(s);
  cr_expect_eq(omr_mb_advance(s->g, 2, &error), OMR_ERR_USAGE);
  cr_expect(strstr(error.message, "both ends"), "%s", error.message);
  cr_expect_gt(s->group.lost, 0);
  finish(s);
}

/* Boxes with round corners that tumble on the floor until they lie: energy never rises, no corner
 * goes into the floor, no load pulls, and what is lost is accounted for. */
Test(contact_impacts, boxes_tumble_until_they_lie) {
  for (int k = 0; k < 6; k++) {
    scene *s = new_scene(GRAVITY);
    const double half[3] = {0.1, 0.07, 0.05}, r = 0.01;
    const double q[4] = {0.8, 0.3 - 0.1 * k, 0.2 * k, -0.4};
    add_body(s, 1, omr_vec_of(0.0025, 0.0042, 0.005), NOWHERE, NOWHERE, NOWHERE);
    omr_mb_place(s->mb, 1, omr_vec_of(0, 0.3, 0), q, omr_vec_of(0.5, 0, 0.2), omr_vec_of(2, 1, -3));
    for (int i = 0; i < 8; i++) {
      omr_vec at = {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                    i & 4 ? half[2] : -half[2]};
      add_contact(s, 0, FLOOR, 1, shape_at(OMR_SHAPE_SPHERE, at, r, 0, 0),
                  (omr_contact_law){.normal = OMR_NORMAL_UNILATERAL,
                                    .restitution = 0.3,
                                    .rest_speed = 1e-3,
                                    .tangential = OMR_TANGENTIAL_COULOMB,
                                    .friction = 0.4});
    }
    start(s);
    double before = energy_of(s), first = before, gap = 0, load = 0;
    for (int i = 1; i <= 150; i++) {
      go(s, 0.02 * i);
      double now = energy_of(s);
      cr_expect_lt(now, before + 1e-9 * first, "box %d at %g s: %g after %g J", k, 0.02 * i, now,
                   before);
      before = now;
      for (int j = 0; j < 8; j++) {
        omr_contact_sight sight = omr_body_contact_look(s->mb, s->list[j]);
        gap = fmin(gap, sight.place.gap);
        load = fmin(load, sight.load);
      }
    }
    const omr_frame *f = &s->mb->frame[1];
    omr_mb_counts n = omr_mb_count(s->g);
    cr_log_info("box %d: gap %.2g, load %.2g, %ld impacts, %ld events, %ld steps, v %.2g, w %.2g",
                k, gap, load, s->group.impacts, n.events, n.steps, omr_norm(f->v), omr_norm(f->w));
    cr_expect_gt(gap, -1e-7);
    cr_expect_gt(load, -1e-9);
    expect_near("at rest", omr_norm(f->v) + omr_norm(f->w), 0, 1e-3);
    finish(s);
  }
}
