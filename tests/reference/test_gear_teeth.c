/* Involute teeth: constant ratio at any centre distance, contact ratio, transmission error. */
#include "reference/contact/gear_teeth.h"

#include "mechanism.h"
#include "reference/multibody/joints.h"

#include <criterion/logging.h>
#include <string.h>

#define PI 3.14159265358979323846
#define DEGREE (PI / 180)

enum { ZA = 20, ZB = 31 };

static const omr_vec AXIS = {0, 0, 1};

static double constant(void *self, double t, double angle, double rate) {
  (void)t, (void)angle, (void)rate;
  return *(const double *)self;
}

/* A pinion and a wheel on axles of the base, with torques on both (the laws' sign: on the base). */
typedef struct train {
  omr_mb *mb;
  omr_joint axle[2];
  double torque[2];
  omr_gear_teeth teeth;
} train;

static void build(train *x, double distance) {
  static const double inertia[] = {0.002, 0.01};
  omr_error error = {0};
  x->mb = omr_mb_create(NOWHERE);
  for (int i = 0; i < 2; i++) {
    int body =
        omr_mb_add_body(x->mb, i ? "wheel" : "pinion", 1, omr_vec_of(0.01, 0.01, inertia[i]));
    omr_vec at = {0.8 * i * distance, 0.6 * i * distance, 0};
    omr_mb_place(x->mb, body, at, UPRIGHT, NOWHERE, NOWHERE);
    omr_joint_add(x->mb, &x->axle[i], i ? "wheel axle" : "pinion axle",
                  (omr_joint_place){.b = body, .axis = AXIS, .point_a = at},
                  (omr_joint_law){.class = OMR_JOINT_FIXED_CONTROLLED,
                                  .angle = 0,
                                  .of = constant,
                                  .self = &x->torque[i]});
  }
  cr_assert_eq(omr_gear_mesh(x->mb, &x->teeth, "mesh",
                             (omr_teeth_place){1, 2, AXIS, NOWHERE, NOWHERE}, &error),
               OMR_OK, "%s", error.message);
}

static const double MODULE = 0.002;
static const double STANDARD = 0.002 * (ZA + ZB) / 2;

static omr_gear_shape shape_of(void) {
  return omr_standard_teeth(MODULE, 20 * DEGREE, 1, ZA, ZB);
}

/* The involute's property: the ratio does not depend on the centre distance, only the pressure
 * angle does. A torque M on A: w_A' = M/(J_A + J_B (z_A/z_B)^2). */
Test(gear_teeth, rigid_teeth_turn_by_the_ratio_of_teeth_at_any_centre_distance) {
  for (double more = 0; more < 0.0013; more += 0.0004) {
    train x = {.torque = {-0.4, 0}, .teeth = {.shape = shape_of(), .rigid = true}};
    build(&x, STANDARD + more);
    omr_mb_integrator *g = start_finely(x.mb);
    go_on(g, x.mb, 0.5);
    double wa = x.mb->frame[1].w.z, wb = x.mb->frame[2].w.z, q = (double)ZA / ZB;
    double e = 0.4 / (0.002 + 0.01 * q * q);
    cr_expect_float_eq(wb / wa, -q, 1e-11);
    cr_expect_float_eq(wa, 0.5 * e, 1e-9);
    omr_mesh_state s = omr_mesh_look(x.mb, &x.teeth);
    cr_expect_float_eq(cos(s.angle), STANDARD * cos(20 * DEGREE) / (STANDARD + more), 1e-12);
    cr_expect_float_eq(s.force, 0.01 * q * e / (x.teeth.shape.base_a / q), 1e-8 * s.force);
    /* the axles take the force: along the line of action, away from the other gear */
    const omr_vec force = omr_mb_wrench(x.mb, &x.teeth.base, 1).force, c = {0.8, 0.6, 0};
    cr_expect_float_eq(omr_dot(force, c), s.force * sin(s.angle), 1e-9);
    cr_expect_float_eq(omr_norm(force), s.force, 1e-9);
    cr_expect_lt(x.teeth.base.max_position, 1e-12);
    end_both(g, x.mb);
  }
}

/* Textbook: (sqrt(ra1^2 - rb1^2) + sqrt(ra2^2 - rb2^2) - a sin(alpha))/(pi m cos(alpha)), here for
 * the module 1. */
Test(gear_teeth, contact_ratio_is_the_textbooks) {
  omr_gear_shape s = shape_of();
  double rb1 = 10 * cos(20 * DEGREE), rb2 = 15.5 * cos(20 * DEGREE);
  double expected =
      (sqrt(121 - rb1 * rb1) + sqrt(16.5 * 16.5 - rb2 * rb2) - 25.5 * sin(20 * DEGREE)) /
      (PI * cos(20 * DEGREE));
  cr_expect_float_eq(omr_contact_ratio(&s, STANDARD), expected, 1e-12);
  cr_log_info("contact ratio %.5f", expected);
  cr_expect_gt(expected, 1.4);
  cr_expect_lt(expected, 1.8);
  cr_expect_lt(omr_contact_ratio(&s, STANDARD + 0.001), expected);
}

/* Rigid teeth with a deviation: r_A phi_A + r_B phi_B is the deviation at all times. */
Test(gear_teeth, rigid_teeth_follow_their_deviation) {
  omr_sine_teeth wave = {2e-5, 0.011, 0};
  train x = {.torque = {-0.4, 0.1},
             .teeth = {.shape = shape_of(),
                       .rigid = true,
                       .deviation = omr_sine_deviation,
                       .deviation_self = &wave}};
  build(&x, STANDARD + 0.0007);
  omr_mb_integrator *g = start_finely(x.mb);
  for (double t = 0.05; t < 0.6; t += 0.05) {
    go_on(g, x.mb, t);
    const double *own = omr_mb_own(x.mb, &x.teeth.base);
    double ra = x.teeth.shape.base_a, rb = ra * ZB / ZA, e, slope, curvature;
    omr_sine_deviation(&wave, 1, -1, ra * own[0], &e, &slope, &curvature);
    cr_expect_float_eq(ra * own[0] + rb * own[1], e, 1e-12);
  }
  cr_expect_gt(fabs(omr_mb_own(x.mb, &x.teeth.base)[0]), 3); /* radians: many teeth */
  end_both(g, x.mb);
}

/* A gearbox that tumbles in space, with the wheel's axle free to slide along the line of centres:
 * the closed form of x, with its changing pressure angle, keeps to the deviation. */
Test(gear_teeth, rigid_teeth_hold_on_a_tumbling_box_with_a_loose_axle) {
  omr_sine_teeth wave = {2e-5, 0.009, 0};
  omr_mb *mb = omr_mb_create(NOWHERE);
  int box = omr_mb_add_body(mb, "box", 3, omr_vec_of(0.02, 0.03, 0.025)),
      pinion = omr_mb_add_body(mb, "pinion", 1, omr_vec_of(0.002, 0.002, 0.003)),
      fork = omr_mb_add_body(mb, "fork", 0.5, omr_vec_of(0.001, 0.001, 0.001)),
      wheel = omr_mb_add_body(mb, "wheel", 1, omr_vec_of(0.006, 0.006, 0.01));
  const double d = STANDARD + 0.0008;
  const omr_vec to = {d, 0, 0}, w = {0.7, -1.1, 0.5};
  const omr_vec places[] = {{0, 0, 0}, {0, 0, 0}, to, to};
  for (int i = box; i <= wheel; i++)
    omr_mb_place(mb, i, places[i - 1], UPRIGHT, omr_cross(w, places[i - 1]), w);
  double torque[] = {-0.2, 0.1};
  omr_joint first, slide, second;
  omr_joint_add(
      mb, &first, "pinion axle", (omr_joint_place){box, pinion, AXIS, NOWHERE, NOWHERE},
      (omr_joint_law){
          .class = OMR_JOINT_FIXED_CONTROLLED, .angle = 0, .of = constant, .self = &torque[0]});
  omr_joint_add(mb, &slide, "slide", (omr_joint_place){box, fork, {1, 0, 0}, to, NOWHERE},
                (omr_joint_law){.class = OMR_JOINT_FREE_SLIDE});
  omr_joint_add(
      mb, &second, "wheel axle", (omr_joint_place){fork, wheel, AXIS, NOWHERE, NOWHERE},
      (omr_joint_law){
          .class = OMR_JOINT_FIXED_CONTROLLED, .angle = 0, .of = constant, .self = &torque[1]});
  omr_gear_teeth teeth = {
      .shape = shape_of(), .rigid = true, .deviation = omr_sine_deviation, .deviation_self = &wave};
  omr_error error = {0};
  cr_assert_eq(omr_gear_mesh(mb, &teeth, "mesh",
                             (omr_teeth_place){pinion, wheel, AXIS, NOWHERE, NOWHERE}, &error),
               OMR_OK, "%s", error.message);
  omr_mb_integrator *g = start_finely(mb);
  double shift, speed, rate, most = 0;
  for (double t = 0.002; t < 0.0301; t += 0.002) {
    go_on(g, mb, t);
    omr_joint_motion(mb, &slide, &shift, &speed, &rate);
    most = fmax(most, fabs(shift));
  }
  cr_log_info("axle %.3g m out; drift %.2g m, %.2g m/s", most, teeth.base.max_position,
              teeth.base.max_velocity);
  cr_expect_gt(most, 1e-4);
  cr_expect_lt(teeth.base.max_position, 1e-11);
  cr_expect_lt(teeth.base.max_velocity, 1e-10);
  end_both(g, mb);
}

/* Slow and loaded: B is braked by M_B, a damper holds A's speed; then at every instant the pairs in
 * contact carry F = M_B/r_B:  sum over pairs k (x - e(s_i)) = F.  With one pair x = e + F/k, with
 * two x = (e_1 + e_2)/2 + F/(2 k). Left out are the forces of inertia and damping, which go with
 * the speed: both below 1e-6 of F here. */
static double hold_speed(void *self, double t, double angle, double rate) {
  const double *k = self;
  (void)t, (void)angle;
  return k[1] * (rate - k[0]);
}

Test(gear_teeth, transmission_error_of_slow_loaded_teeth_is_deviation_and_load_over_stiffness) {
  const double stiffness = 2e8, load = 20, slow = 0.02;
  omr_sine_teeth wave = {1.5e-6, 0.004, 0.3};
  omr_gear_shape shape = shape_of();
  double drive[] = {slow, 5000}, ra = shape.base_a, rb = ra * ZB / ZA;
  train x = {.torque = {0, -load},
             .teeth = {.shape = shape,
                       .stiffness = stiffness,
                       .damping = 2e4,
                       .deviation = omr_sine_deviation,
                       .deviation_self = &wave,
                       .backlash = 1e-4}};
  build(&x, STANDARD);
  x.axle[0].law.of = hold_speed;
  x.axle[0].law.self = drive;
  omr_mb_integrator *g = NULL;
  omr_error error = {0};
  omr_mb_tolerance stiff = {.method = OMR_MB_BDF, .relative = 1e-10, .absolute = 1e-13};
  cr_assert_eq(omr_mb_integrator_create(x.mb, &stiff, NULL, &g, &error), OMR_OK);
  double pitch = 2 * PI * ra / ZA, f = load / rb, worst = 0, seen[3] = {0};
  double before = sqrt(shape.tip_b * shape.tip_b - rb * rb) - rb * tan(20 * DEGREE),
         behind = sqrt(shape.tip_a * shape.tip_a - ra * ra) - ra * tan(20 * DEGREE);
  int looked = 0;
  for (double t = 2; t < 40; t += 0.37) {
    go_on(g, x.mb, t);
    omr_mesh_state s = omr_mesh_look(x.mb, &x.teeth);
    double sum = 0, near = 1;
    int pairs = 0;
    for (int i = -3; i < 12; i++) {
      double place = s.roll - i * pitch, e, slope, curvature;
      near = fmin(near, fmin(fabs(place + before), fabs(place - behind)));
      if (place < -before || place > behind) continue;
      omr_sine_deviation(&wave, 1, i, place, &e, &slope, &curvature);
      sum += e;
      pairs++;
    }
    if (near < 2e-5) continue; /* a pair comes or goes: the jump is still decaying */
    double expected = sum / pairs + f / (pairs * stiffness);
    const double *own = omr_mb_own(x.mb, &x.teeth.base);
    cr_expect_eq(s.pairs, pairs);
    cr_expect_float_eq(ra * own[0] + rb * own[1], s.error, 1e-15);
    worst = fmax(worst, fabs(s.error - expected));
    cr_expect_float_eq(s.force, f, 1e-3 * f);
    seen[pairs]++;
    looked++;
  }
  cr_log_info("%d instants, %g with one pair, %g with two: error within %.2g m of %.2g + %.2g m",
              looked, seen[1], seen[2], worst, wave.amplitude, f / stiffness);
  cr_expect_gt(seen[1], 10);
  cr_expect_gt(seen[2], 10);
  cr_expect_lt(worst, 1e-3 * f / stiffness);
  end_both(g, x.mb);
}

/* Within the backlash nothing touches, and behind it the other flanks push. */
Test(gear_teeth, backlash_lies_between_the_flanks) {
  train x = {.teeth = {.shape = shape_of(), .stiffness = 1e7, .backlash = 1e-4}};
  build(&x, STANDARD);
  double *own = omr_mb_own(x.mb, &x.teeth.base), ra = x.teeth.shape.base_a;
  static const struct {
    double x, force;
  } cases[] = {{2e-5, 1}, {-2e-5, 0}, {-9.9e-5, 0}, {-1.3e-4, -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    own[0] = cases[i].x / ra;
    omr_mesh_state s = omr_mesh_look(x.mb, &x.teeth);
    double over = cases[i].x > 0 ? cases[i].x : cases[i].x + 1e-4;
    cr_expect_float_eq(s.force, cases[i].force == 0 ? 0 : s.pairs * 1e7 * over, 1e-9);
    cr_expect_eq(s.pairs > 0, cases[i].force != 0);
    evaluate(x.mb);
    cr_expect_float_eq(x.mb->acceleration[1].e.z, -ra * s.force / 0.002, 1e-7);
  }
  omr_mb_destroy(x.mb);
}

Test(gear_teeth, gears_that_do_not_reach_each_other_are_refused) {
  omr_mb *mb = omr_mb_create(NOWHERE);
  omr_error error = {0};
  for (int i = 0; i < 2; i++) omr_mb_add_body(mb, "gear", 1, omr_vec_of(1, 1, 1));
  static const struct {
    double distance;
    const char *words;
  } cases[] = {{0.04, "overlap"}, {0.0545, "lose contact"}};
  for (size_t i = 0; i < 2; i++) {
    omr_gear_teeth teeth = {.shape = shape_of()};
    omr_mb_place(mb, 2, omr_vec_of(cases[i].distance, 0, 0), UPRIGHT, NOWHERE, NOWHERE);
    cr_expect_eq(
        omr_gear_mesh(mb, &teeth, "pair", (omr_teeth_place){1, 2, AXIS, NOWHERE, NOWHERE}, &error),
        OMR_ERR_USAGE);
    cr_expect_not_null(strstr(error.message, cases[i].words), "%s", error.message);
  }
  omr_mb_destroy(mb);
}
