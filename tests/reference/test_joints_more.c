/* Ball joints, rods, gears, racks and prescribed motion against exact motions. */
#include "reference/multibody/joints.h"

#include "mechanism.h"
#include "multibody_random.h"
#include "reference/multibody/forces.h"

#include <criterion/logging.h>
#include <string.h>

#define PI 3.14159265358979323846
#define G 9.81

static const omr_vec GRAVITY = {0, -G, 0};

/* ---- every row is the second derivative of its drift */

static void two_wave(void *self, double t, double *value, double *rate, double *acceleration) {
  double w = *(const double *)self;
  *value = 0.3 * sin(w * t) + 0.1 * t;
  *rate = 0.3 * w * cos(w * t) + 0.1;
  *acceleration = -0.3 * w * w * sin(w * t);
}

typedef struct zoo {
  omr_mb *mb;
  omr_ball ball;
  omr_rod rod;
  omr_gear gear;
  omr_rack rack;
  omr_motion motion;
  omr_joint weld;
} zoo;

static double wave_rates[OMR_MOTIONS] = {1, 1.7, 2.3, 0.9, 0.6, 1.4};

/* Random bodies with one constraint. */
static void build_one(zoo *z, int which, uint64_t *seed) {
  *z = (zoo){.mb = omr_mb_create(GRAVITY)};
  for (int i = 1; i <= 3; i++) {
    double q[4] = {1, draw(seed, -0.4, 0.4), draw(seed, -0.4, 0.4), draw(seed, -0.4, 0.4)};
    omr_mb_add_body(z->mb, "body", draw(seed, 1, 2), omr_vec_of(0.2, 0.3, 0.25));
    omr_vec r = random_vec(seed, 1), v = random_vec(seed, 1), w = random_vec(seed, 1);
    omr_mb_place(z->mb, i, r, q, v, w);
  }
  omr_point_place place = {1, 2, random_vec(seed, 0.5), random_vec(seed, 0.5)};
  omr_gear_place gear = {1, 2, 3, random_direction(seed), random_direction(seed)};
  for (int i = 0; i < OMR_MOTIONS; i++) {
    z->motion.law[i] = which == 6 && i > 0 && i < 5 ? NULL : two_wave; /* 6: x and gamma alone */
    z->motion.self[i] = &wave_rates[i];
  }
  if (which == 0) omr_ball_joint(z->mb, &z->ball, "ball", place);
  if (which == 1) omr_distance_rod(z->mb, &z->rod, "rod", place, omr_rod_distance(z->mb, place));
  if (which == 2) omr_gear_pair(z->mb, &z->gear, "gear", gear, -1.7, 0.4);
  if (which == 3) omr_rack_pair(z->mb, &z->rack, "rack", gear, place.point_b, 0.6, 0.2);
  if (which == 4 || which == 6) omr_prescribed_motion(z->mb, &z->motion, "motion", place);
  if (which == 5)
    omr_joint_add(z->mb, &z->weld, "weld",
                  (omr_joint_place){1, 2, random_direction(seed), NOWHERE, random_vec(seed, 1)},
                  (omr_joint_law){.class = OMR_JOINT_WELD});
}

/* Velocity and place of a condition that the rows hold keep what they were at the start: its
 * violation of place grows with that of velocity, and that stays. A wrong term in a row would make
 * it grow. */
Test(joints_more, bodies_that_start_on_a_constraint_stay_on_it) {
  uint64_t seed = 5;
  for (int which = 0; which < 7; which++) {
    for (int k = 0; k < 4; k++) {
      zoo z;
      build_one(&z, which, &seed);
      omr_mb_constraint *c = z.mb->constraint[0];
      omr_error error = {0};
      /* velocities that the conditions allow, but for a law's own, which the drift keeps */
      if (which < 4 || which == 5) cr_assert_eq(omr_mb_impact(z.mb, NULL, &error), OMR_OK);
      const omr_mb_drift before = omr_mb_drift_of(z.mb, c);
      double value[OMR_MOTIONS], rate[OMR_MOTIONS], first[OMR_MOTIONS], speed[OMR_MOTIONS];
      if (z.motion.base.kind) omr_motion_components(z.mb, &z.motion, first, speed);
      omr_mb_integrator *g = start_finely(z.mb);
      go_on(g, z.mb, 0.3);
      const omr_mb_drift after = omr_mb_drift_of(z.mb, c);
      if (z.motion.base
              .kind) { /* an error of place and speed at the start grows as a straight line */
        omr_motion_components(z.mb, &z.motion, value, rate);
        for (int i = 0; i < OMR_MOTIONS; i++) {
          if (!z.motion.law[i]) continue;
          double q, dq, a, q0, dq0;
          two_wave(&wave_rates[i], 0, &q0, &dq0, &a);
          two_wave(&wave_rates[i], 0.3, &q, &dq, &a);
          cr_expect_float_eq(rate[i] - dq, speed[i] - dq0, 1e-9, "component %d", i);
          cr_expect_float_eq(value[i] - q, first[i] - q0 + 0.3 * (speed[i] - dq0), 1e-9);
        }
      } else { /* what impact leaves: a gear's offset is a speed that it does not know */
        cr_expect_float_eq(after.velocity, before.velocity, 1e-10, "constraint %d: %g, %g", which,
                           after.velocity, before.velocity);
        cr_expect_float_eq(after.position, before.position + 0.3 * before.velocity, 1e-10,
                           "constraint %d", which);
      }
      end_both(g, z.mb);
    }
  }
}

/* ---- pendulums */

/* Complete elliptic integral K by the arithmetic-geometric mean. */
static double elliptic(double m) {
  double a = 1, b = sqrt(1 - m);
  for (int i = 0; i < 8; i++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return PI / (2 * a);
}

/* Period of the height of a spherical pendulum: with the cosine z of the angle to the downward
 * vertical, z'^2 = 2 (g/l) (z - z1)(z2 - z)(z - z3), z1 < z2 the turning points. Half of it leads
 * from one to the other: T = 4 K(m)/sqrt(2 (g/l) (z2 - z3)), m = (z2 - z1)/(z2 - z3). */
static double spherical_period(double length, double top, double speed) {
  /* (2 e + 2 (g/l) z)(1 - z^2) - L^2/l^4 has the root `top`; the others by Vieta */
  double w = G / length, e = speed * speed / (2 * length * length) - w * top;
  double sum = -e / w - top, product = -1 - top * sum;
  double root = sqrt(sum * sum - 4 * product), z2 = (sum + root) / 2, z3 = (sum - root) / 2,
         z1 = top;
  if (z1 > z2) {
    double swap = z1;
    z1 = z2;
    z2 = swap;
  }
  return 4 * elliptic((z2 - z1) / (z2 - z3)) / sqrt(2 * w * (z2 - z3)); /* both ways */
}

/* A rod that ends in the centre of mass moves the body as a point, whatever its inertia. */
Test(joints_more, spherical_pendulum_on_a_rod_has_the_period_of_the_elliptic_integral) {
  double length = 0.8, angle = 1.1, speed = 2.5;
  omr_mb *mb = omr_mb_create(GRAVITY);
  int bob = omr_mb_add_body(mb, "bob", 1.5, omr_vec_of(0.1, 0.2, 0.15));
  omr_vec at = {length * sin(angle), -length * cos(angle), 0};
  omr_mb_place(mb, bob, at, UPRIGHT, omr_vec_of(0, 0, speed), NOWHERE);
  omr_rod rod;
  omr_distance_rod(mb, &rod, "rod", (omr_point_place){0, bob, NOWHERE, NOWHERE}, length);
  double period = spherical_period(length, cos(angle), speed);
  omr_mb_integrator *g = start_finely(mb);
  go_on(g, mb, period / 2); /* the other turning point */
  cr_expect_float_eq(mb->frame[bob].v.y, 0, 1e-9);
  cr_expect_gt(fabs(mb->frame[bob].r.y - at.y), 0.05);
  go_on(g, mb, 3 * period);
  cr_expect_float_eq(mb->frame[bob].r.y, at.y, 1e-9);
  cr_expect_float_eq(mb->frame[bob].v.y, 0, 1e-9);
  /* tension: m (v^2/l + g cos) */
  cr_expect_float_eq(omr_mb_multiplier(mb, &rod.base, 0),
                     -1.5 * (speed * speed / length + G * cos(angle)), 1e-7);
  cr_expect_lt(rod.base.max_position, 1e-10);
  cr_expect_lt(fabs(omr_mb_power(mb, &rod.base)), 1e-9);
  end_both(g, mb);
}

/* Lagrange's top on a ball joint: I3 w3 about its axis and the momentum about the vertical stay. */
Test(joints_more, heavy_top_on_a_ball_joint_keeps_its_three_integrals) {
  omr_mb *mb = omr_mb_create(GRAVITY);
  int top = omr_mb_add_body(mb, "top", 2, omr_vec_of(0.1, 0.05, 0.1));
  double q[4];
  omr_quaternion(omr_vec_of(0, 0, 1), 0.5, q);
  omr_mat t = omr_rotation(q);
  omr_vec arm = omr_times(&t, omr_vec_of(0, 0.3, 0)), w = omr_times(&t, omr_vec_of(0.4, 20, 0.3));
  omr_mb_place(mb, top, arm, q, omr_cross(w, arm), w);
  omr_ball ball;
  omr_ball_joint(mb, &ball, "tip", (omr_point_place){0, top, NOWHERE, {0, -0.3, 0}});
  double energy = omr_mb_kinetic(mb) + omr_mb_potential(mb), before[2], now[2];
  omr_mb_integrator *g = start_finely(mb);
  for (int k = 0; k < 2; k++) {
    const omr_frame *f = &mb->frame[top];
    double *to = k ? now : before;
    omr_vec u = omr_transposed_times(&f->t, f->w);
    omr_vec spin = omr_times(&f->t, omr_vec_of(0.1 * u.x, 0.05 * u.y, 0.1 * u.z));
    to[0] = 0.05 * u.y;
    to[1] = omr_add(spin, omr_scale(2, omr_cross(f->r, f->v))).y;
    if (k == 0) go_on(g, mb, 3);
  }
  cr_expect_float_eq(now[0], before[0], 1e-11);
  cr_expect_float_eq(now[1], before[1], 1e-10);
  cr_expect_float_eq(omr_mb_kinetic(mb) + omr_mb_potential(mb), energy, 1e-10 * energy);
  cr_expect_lt(ball.base.max_position, 1e-10);
  end_both(g, mb);
}

/* Two welded halves swing as one body: 2 m, inertia by Steiner. */
Test(joints_more, double_pendulum_keeps_its_energy_and_a_welded_one_is_a_single_body) {
  for (int welded = 0; welded < 2; welded++) {
    omr_mb *mb = omr_mb_create(GRAVITY);
    double q[4], angle = 1.2;
    omr_quaternion(omr_vec_of(0, 0, 1), angle, q);
    for (int i = 1; i <= 2; i++) {
      omr_mb_add_body(mb, "rod", 1, omr_vec_of(0.02, 0.01, 0.02));
      double arm = i == 1 ? 0.25 : 0.75;
      omr_mb_place(mb, i, omr_vec_of(arm * sin(angle), -arm * cos(angle), 0), q, NOWHERE, NOWHERE);
    }
    omr_joint hinge, weld;
    omr_ball ball;
    omr_joint_add(mb, &hinge, "hinge", (omr_joint_place){0, 1, {0, 0, 1}, {0, 0, 0}, {0, 0.25, 0}},
                  (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
    if (welded)
      omr_joint_add(mb, &weld, "weld",
                    (omr_joint_place){1, 2, {1, 2, 3}, {9, 9, 9}, {0.1, 0.25, 0.3}},
                    (omr_joint_law){.class = OMR_JOINT_WELD});
    else
      omr_ball_joint(mb, &ball, "ball", (omr_point_place){1, 2, {0, -0.25, 0}, {0, 0.25, 0}});
    double energy = omr_mb_kinetic(mb) + omr_mb_potential(mb);
    omr_mb_integrator *g = start_finely(mb);
    /* one body: inertia 2 (0.02) + 0.25^2 + 0.75^2 about the hinge, centre at 0.5 */
    double inertia = 0.04 + 0.0625 + 0.5625, w0 = sqrt(2 * G * 0.5 / inertia),
           period = 4 * elliptic(pow(sin(angle / 2), 2)) / w0;
    go_on(g, mb, 2 * period);
    if (welded) {
      cr_expect_float_eq(mb->frame[2].r.x, 0.75 * sin(angle), 1e-9);
      cr_expect_lt(weld.base.max_position, 1e-9);
    } else {
      cr_expect_gt(fabs(mb->frame[2].w.z - mb->frame[1].w.z), 0.1);
    }
    cr_expect_float_eq(omr_mb_kinetic(mb) + omr_mb_potential(mb), energy,
                       1e-10 * 2 * G); /* of the range: both centres from top to bottom */
    end_both(g, mb);
  }
}

/* ---- gears */

static double no_torque(void *self, double t, double angle, double rate) {
  (void)t, (void)angle, (void)rate;
  return *(const double *)self;
}

/* Sun, ring, carrier and planet on one axis; a torque on the carrier. Willis: (w_R - w_C) =
 * -(z_S/z_R) (w_S - w_C), and the torques of sun, ring and carrier are as 1 : z_R/z_S :
 * -(1 + z_R/z_S). */
Test(joints_more, epicyclic_gear_obeys_willis) {
  enum { SUN = 1, RING, CARRIER, PLANET };
  const double zs = 20, zr = 64, zp = 22, centre = 0.21;
  const double inertia[] = {0, 0.02, 0.3, 0.1, 0.005};
  omr_mb *mb = omr_mb_create(NOWHERE);
  for (int i = SUN; i <= PLANET; i++)
    omr_mb_add_body(mb, "wheel", 1, omr_vec_of(0.2, 0.2, inertia[i]));
  omr_mb_place(mb, PLANET, omr_vec_of(centre, 0, 0), UPRIGHT, NOWHERE, NOWHERE);
  omr_joint axle[5];
  double drive = -1.5; /* on A: 1.5 N m on the carrier */
  const omr_vec z = {0, 0, 1};
  omr_joint_add(mb, &axle[SUN], "sun", (omr_joint_place){.b = SUN, .axis = z},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(mb, &axle[RING], "ring", (omr_joint_place){.b = RING, .axis = z},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_joint_add(
      mb, &axle[CARRIER], "carrier", (omr_joint_place){.b = CARRIER, .axis = z},
      (omr_joint_law){
          .class = OMR_JOINT_FIXED_CONTROLLED, .angle = 0, .of = no_torque, .self = &drive});
  omr_joint_add(mb, &axle[PLANET], "planet",
                (omr_joint_place){CARRIER, PLANET, z, {centre, 0, 0}, {0, 0, 0}},
                (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
  omr_gear outer, inner;
  omr_gear_pair(mb, &inner, "sun and planet", (omr_gear_place){SUN, PLANET, CARRIER, z, z},
                -zs / zp, 0);
  omr_gear_pair(mb, &outer, "planet and ring", (omr_gear_place){PLANET, RING, CARRIER, z, z},
                zp / zr, 0);
  omr_mb_integrator *g = start_finely(mb);
  go_on(g, mb, 2);
  cr_expect_eq(mb->solver.redundant, 0);
  double w[5], e[5];
  for (int i = SUN; i <= PLANET; i++) {
    w[i] = mb->frame[i].w.z;
    e[i] = mb->acceleration[i].e.z;
  }
  cr_expect_gt(w[CARRIER], 1);
  cr_expect_float_eq(w[RING] - w[CARRIER], -zs / zr * (w[SUN] - w[CARRIER]), 1e-10);
  /* two freedoms: the carrier's and the sun's. Lagrange with w_R = (1 + k) w_C - k w_S and
   * w_P = (1 + p) w_C - p w_S, k = zs/zr, p = zs/zp; the planet's centre moves with the carrier */
  double k = zs / zr, p = zs / zp, jc = inertia[CARRIER] + 1 * centre * centre;
  double a11 = jc + inertia[RING] * (1 + k) * (1 + k) + inertia[PLANET] * (1 + p) * (1 + p),
         a12 = -inertia[RING] * k * (1 + k) - inertia[PLANET] * p * (1 + p),
         a22 = inertia[SUN] + inertia[RING] * k * k + inertia[PLANET] * p * p,
         det = a11 * a22 - a12 * a12;
  cr_expect_float_eq(e[CARRIER], -drive * a22 / det, 1e-9);
  cr_expect_float_eq(e[SUN], drive * a12 / det, 1e-9);
  cr_expect_float_eq(omr_mb_kinetic(mb), 0.5 * -drive * 2 * w[CARRIER], 1e-9); /* work M phi */
  cr_expect_lt(inner.base.max_position, 1e-10);
  /* the carrier takes what the sun and planet leave */
  omr_vec torque = omr_mb_wrench(mb, &inner.base, 2).torque;
  double m = omr_mb_multiplier(mb, &inner.base, 0);
  cr_expect_float_eq(torque.z, -m * (1 + zs / zp), 1e-12);
  end_both(g, mb);
}

/* A pinion of radius 0.05 m drives a block on a rail: (J/r + m r) r w' = M. */
Test(joints_more, rack_moves_by_the_pinions_radius) {
  omr_mb *mb = omr_mb_create(NOWHERE);
  int pinion = omr_mb_add_body(mb, "pinion", 0.4, omr_vec_of(0.01, 0.01, 0.002)),
      block = omr_mb_add_body(mb, "block", 3, omr_vec_of(0.1, 0.1, 0.1));
  omr_joint axle, rail;
  double drive = -0.7;
  omr_mb_place(mb, block, omr_vec_of(0.2, -0.05, 0), UPRIGHT, NOWHERE, NOWHERE);
  omr_joint_add(
      mb, &axle, "axle", (omr_joint_place){.b = pinion, .axis = {0, 0, 1}},
      (omr_joint_law){
          .class = OMR_JOINT_FIXED_CONTROLLED, .angle = 0, .of = no_torque, .self = &drive});
  omr_joint_add(mb, &rail, "rail", (omr_joint_place){0, block, {1, 0, 0}, {0, -0.05, 0}, {0, 0, 0}},
                (omr_joint_law){.class = OMR_JOINT_FREE_SLIDE});
  omr_rack rack;
  omr_rack_pair(mb, &rack, "rack", (omr_gear_place){pinion, block, 0, {0, 0, 1}, {1, 0, 0}},
                NOWHERE, 0.05, 0);
  omr_mb_integrator *g = start_finely(mb);
  go_on(g, mb, 1.5);
  double e = 0.7 / (0.002 + 3 * 0.05 * 0.05);
  cr_expect_float_eq(mb->acceleration[pinion].e.z, e, 1e-9 * e);
  cr_expect_float_eq(mb->frame[block].v.x, 0.05 * e * 1.5, 1e-10);
  cr_expect_float_eq(omr_mb_multiplier(mb, &rack.gear.base, 0), 3 * 0.05 * e, 1e-9);
  cr_expect_float_eq(omr_mb_own(mb, &rack.gear.base)[1], 0.05 * e * 1.5 * 1.5 / 2, 1e-9);
  end_both(g, mb);
}

/* ---- prescribed motion */

static void steady(void *self, double t, double *value, double *rate, double *acceleration) {
  double w = *(const double *)self;
  *value = w * t;
  *rate = w;
  *acceleration = 0;
}

/* Slider-crank: crank of 0.1 m at 12 rad/s, rod of 0.3 m, slider on the x axis:
 * x = r cos + sqrt(l^2 - r^2 sin^2). The motion's power is the rate of the energy. */
Test(joints_more, driven_crank_moves_its_slider_exactly) {
  const double r = 0.1, l = 0.3, speed = 12, m = 2;
  double w = speed;
  omr_mb *mb = omr_mb_create(NOWHERE);
  int crank = omr_mb_add_body(mb, "crank", 1, omr_vec_of(0.01, 0.01, 0.01)),
      slider = omr_mb_add_body(mb, "slider", m, omr_vec_of(0.1, 0.1, 0.1));
  omr_mb_place(mb, crank, NOWHERE, UPRIGHT, NOWHERE, omr_vec_of(0, 0, speed));
  omr_mb_place(mb, slider, omr_vec_of(r + l, 0, 0), UPRIGHT, NOWHERE, NOWHERE);
  omr_motion motion = {.law = {NULL}};
  for (int i = 0; i < OMR_MOTIONS; i++) {
    static double still = 0;
    motion.law[i] = steady;
    motion.self[i] = i == OMR_MOTION_RZ ? &w : &still;
  }
  omr_prescribed_motion(mb, &motion, "drive", (omr_point_place){.b = crank});
  omr_joint rail;
  omr_joint_add(mb, &rail, "rail", (omr_joint_place){.b = slider, .axis = {1, 0, 0}},
                (omr_joint_law){.class = OMR_JOINT_FREE_SLIDE});
  omr_rod rod;
  omr_point_place ends = {crank, slider, {r, 0, 0}, NOWHERE};
  omr_distance_rod(mb, &rod, "rod", ends, l);
  omr_mb_integrator *g = start_finely(mb);
  for (double t = 0.1; t <= 1.5; t += 0.2) {
    go_on(g, mb, t);
    double phi = speed * t, s = r * sin(phi), root = sqrt(l * l - s * s);
    double x = r * cos(phi) + root, v = -r * speed * sin(phi) - s * r * cos(phi) * speed / root;
    cr_expect_float_eq(mb->frame[slider].r.x, x, 1e-9);
    cr_expect_float_eq(mb->frame[slider].v.x, v, 1e-8);
    double power = m * v * mb->acceleration[slider].a.x;
    cr_expect_float_eq(omr_mb_power(mb, &motion.base), power, 1e-8 * (1 + fabs(power)));
  }
  cr_expect_lt(motion.base.max_position, 1e-9); /* after more than two turns */
  end_both(g, mb);
}

/* ---- forces */

Test(joints_more, spring_between_points_is_the_damped_oscillator) {
  const double m = 2, c = 50, d = 3, free = 0.4, x0 = 0.1;
  omr_mb *mb = omr_mb_create(NOWHERE);
  int body = omr_mb_add_body(mb, "bob", m, omr_vec_of(0.1, 0.2, 0.3));
  omr_mb_place(mb, body, omr_vec_of(0, 0, 0.4 + x0), UPRIGHT, NOWHERE, NOWHERE);
  omr_spring spring = {.stiffness = c, .damping = d, .free_length = free};
  omr_point_spring(mb, &spring, "spring", (omr_point_place){.b = body});
  double b = d / (2 * m), w = sqrt(c / m - b * b), t = 0.9;
  omr_mb_integrator *g = start_finely(mb);
  go_on(g, mb, t);
  double x = x0 * exp(-b * t) * (cos(w * t) + b / w * sin(w * t)),
         v = -x0 * exp(-b * t) * (b * b / w + w) * sin(w * t);
  cr_expect_float_eq(mb->frame[body].r.z, free + x, 1e-11);
  cr_expect_float_eq(mb->frame[body].v.z, v, 1e-11);
  cr_expect_float_eq(-m * mb->acceleration[body].a.z, c * x + d * v, 1e-10);
  cr_expect_float_eq(omr_spring_energy(mb, &spring), 0.5 * c * x * x, 1e-11);
  cr_expect_float_eq(omr_mb_power(mb, &spring.base), -c * x * v - d * v * v, 1e-10);
  end_both(g, mb);
}

enum { STIFFNESS, DAMPING };

static double twist_back(void *self, double t, double angle, double rate) {
  const double *k = self;
  (void)t;
  return k[STIFFNESS] * (angle - 0.5) + k[DAMPING] * rate;
}

Test(joints_more, torque_of_a_spring_turns_a_wheel_back_and_forth) {
  double j = 0.3, k[] = {[STIFFNESS] = 12, [DAMPING] = 0.2}, c = k[STIFFNESS], d = k[DAMPING];
  omr_mb *mb = omr_mb_create(NOWHERE);
  int body = omr_mb_add_body(mb, "wheel", 1, omr_vec_of(0.1, 0.1, j));
  omr_joint axle;
  omr_joint_add(mb, &axle, "axle", (omr_joint_place){.b = body, .axis = {0, 0, 1}},
                (omr_joint_law){
                    .class = OMR_JOINT_FIXED_CONTROLLED, .angle = 0, .of = twist_back, .self = k});
  double b = d / (2 * j), w = sqrt(c / j - b * b), t = 1.3;
  omr_mb_integrator *g = start_finely(mb);
  go_on(g, mb, t);
  double x = -0.5 * exp(-b * t) * (cos(w * t) + b / w * sin(w * t)),
         v = 0.5 * exp(-b * t) * (b * b / w + w) * sin(w * t), force, torque;
  cr_expect_float_eq(*omr_mb_own(mb, &axle.base), 0.5 + x, 1e-10);
  omr_joint_effort(mb, &axle, &force, &torque);
  cr_expect_float_eq(torque, c * x + d * v, 1e-9);
  end_both(g, mb);
}

static void push(void *self, const omr_mb *mb, double t, omr_vec *force, omr_vec *torque) {
  (void)mb;
  const double *k = self;
  *force = omr_vec_of(0, k[0] * t, 0);
  *torque = omr_vec_of(0, 0, k[1]);
}

/* A thrust across a body's arm, in its axes: the torque is constant, so it spins as M t/J. Against
 * another body momentum stays. */
Test(joints_more, applied_wrench_acts_in_its_axes_and_against_its_partner) {
  double k[2] = {3, 0.2};
  omr_mb *mb = omr_mb_create(NOWHERE);
  int a = omr_mb_add_body(mb, "a", 1, omr_vec_of(0.2, 0.2, 0.2)),
      b = omr_mb_add_body(mb, "b", 2, omr_vec_of(0.1, 0.2, 0.3));
  omr_mb_place(mb, a, omr_vec_of(0.5, 0.4, 0), UPRIGHT, NOWHERE, NOWHERE);
  omr_wrench wrench = {.axes = OMR_AXES_B, .law = push, .self = k};
  omr_applied_wrench(mb, &wrench, "thruster", (omr_point_place){a, b, NOWHERE, {0.25, 0, 0}});
  omr_mb_integrator *g = start_finely(mb);
  go_on(g, mb, 1.2);
  const omr_frame *fa = &mb->frame[a], *fb = &mb->frame[b];
  cr_expect_float_eq(fb->w.z, (k[1] * 1.2 + 0.25 * k[0] * 1.2 * 1.2 / 2) / 0.3, 1e-10);
  omr_vec momentum = omr_axpy(fa->v, 2, fb->v);
  cr_expect_lt(omr_norm(momentum), 1e-11);
  double spin =
      0.2 * fa->w.z + 0.3 * fb->w.z + omr_cross(fa->r, fa->v).z + 2 * omr_cross(fb->r, fb->v).z;
  cr_expect_float_eq(spin, 0, 1e-11);
  omr_vec force = omr_mb_wrench(mb, &wrench.base, 1).force;
  cr_expect_float_eq(omr_dot(force, omr_times(&fb->t, omr_vec_of(0, 1, 0))), 3.6, 1e-11);
  end_both(g, mb);
}
