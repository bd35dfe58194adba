/* Tyre laws of vehicles on discs: the brush against its own bristles, the magic formula's slope,
 * peak and end, energy, the matrix of the linearly implicit method and the step bound; vehicles
 * that drift, brake, accelerate and corner as closed forms tell. */
#include "host/engine/law_slopes.h"
#include "shared/kernel.h"
#include "shared/methods.h"
#include "shared/motion.h"

static const int laws[2] = {LAW_BRUSH, LAW_MAGIC};

typedef struct tyre {
  int c[K_COUNT];
  double w[W_COUNT], mu;
} tyre;

static tyre make(int law, double lateral, double longitudinal, double mu) {
  tyre t = {.c = {[K_LAW] = law}, .mu = mu};
  t.w[W_RADIUS] = 0.3;
  t.w[W_FRICTION] = mu;
  t.w[W_TYRE_LATERAL] = lateral;
  t.w[W_TYRE_LONGITUDINAL] = longitudinal;
  t.w[W_TYRE_SHAPE] = 1.4;
  t.w[W_TYRE_CURVATURE] = 0.3;
  t.w[W_TYRE_LOW_SPEED] = 0.2;
  return t;
}

/* Force over the load at a slip velocity. */
static void force_of(const tyre *t, double i, double k, double rate, double force[2]) {
  const slippage slip = {i, k, i * i + k * k, rate, 0};
  friction_force(t->w, t->c, t->mu, slip, &force[0], &force[1]);
}

/* Size of the force at slip velocity over sqrt(V_r^2 + v_0^2) = slip, in a direction. */
static double force_at(const tyre *t, double slip, double angle, double rate) {
  double f[2], speed = slip * hypot(t->w[W_RADIUS] * rate, t->w[W_TYRE_LOW_SPEED]);
  force_of(t, speed * cos(angle), speed * sin(angle), rate, f);
  return hypot(f[0], f[1]);
}

static tyre draw_tyre(uint64_t *seed, int law) {
  tyre t = make(law, draw(seed, 1, 40), draw(seed, 1, 40), draw(seed, 0.1, 1.2));
  t.w[W_TYRE_SHAPE] = draw(seed, 1, 2);
  t.w[W_TYRE_CURVATURE] = draw_whole(seed, 0, 1) ? draw(seed, -20, 1) : draw(seed, -0.5, 1);
  t.w[W_TYRE_LOW_SPEED] = draw(seed, 0.01, 1);
  return t;
}

/* Bristles from the front of the contact, x = 1, to its end, x = -1, under the pressure 3/4 (1 -
 * x^2) over the load: each is bent by (1 - x) times the slip until it slides. */
static double bristles(double stiffness, double mu, double slip) {
  enum { BRISTLES = 200000 };
  double sum = 0, width = 2.0 / BRISTLES;
  for (int i = 0; i < BRISTLES; i++) {
    double x = -1 + (i + 0.5) * width;
    sum += width * fmin(0.5 * stiffness * (1 - x) * slip, 0.75 * mu * (1 - x * x));
  }
  return sum;
}

/* The midpoint rule over 2e5 bristles is good to 1e-10; asserted 1e-8. */
Test(tyre, brush_is_the_sum_of_its_bristles) {
  const tyre t = make(LAW_BRUSH, 12, 12, 0.8);
  for (int i = 1; i <= 30; i++)
    cr_expect_float_eq(force_at(&t, 0.01 * i, 0.3 * i, 7), bristles(12, 0.8, 0.01 * i), 1e-8);
  cr_expect_float_eq(force_at(&t, 3 * 0.8 / 12, 1, 7), 0.8, 1e-14); /* all slide */
  cr_expect_float_eq(force_at(&t, 40, 1, 7), 0.8, 1e-14);
  cr_expect_float_eq(force_at(&t, 40, 1, 0), 0.8, 1e-14); /* locked */
}

/* mu sin(C atan(b - E (b - atan b))), b = C_s slip/(C mu). */
Test(tyre, magic_formula_has_its_peak_and_end) {
  tyre t = make(LAW_MAGIC, 12, 12, 0.8);
  t.w[W_TYRE_CURVATURE] = 0;
  const double shape = t.w[W_TYRE_SHAPE], peak = shape * 0.8 * tan(M_PI / (2 * shape)) / 12;
  cr_expect_float_eq(force_at(&t, peak, 0.3, 7), 0.8, 1e-14);
  cr_expect_lt(force_at(&t, 1.01 * peak, 0.3, 7), 0.8);
  cr_expect_float_eq(force_at(&t, 1e9, 0.3, 7), 0.8 * sin(shape * M_PI / 2), 1e-8);
  t.w[W_TYRE_CURVATURE] = -0.7;
  for (int k = 1; k < 20; k++) {
    const double b = 12 * 0.02 * k / (shape * 0.8);
    cr_expect_float_eq(force_at(&t, 0.02 * k, 0.3, 7),
                       0.8 * sin(shape * atan(b + 0.7 * (b - atan(b)))), 1e-14);
  }
}

/* Slope C_y along the way and C_x across it; no more than mu; the slip always loses power; none on
 * ground without friction. */
Test(tyre, small_slip_full_slide_and_loss) {
  uint64_t seed = 3;
  for (int n = 0; n < 2000; n++) {
    tyre t = draw_tyre(&seed, laws[n % 2]);
    const double angle = draw(&seed, -4, 4), slip = exp(draw(&seed, -9, 4)),
                 rate = draw(&seed, -50, 50);
    double f[2], i = slip * cos(angle), k = slip * sin(angle);
    force_of(&t, i, k, rate, f);
    cr_assert_leq(hypot(f[0], f[1]), t.mu * (1 + 1e-14));
    cr_assert_lt(f[0] * i + f[1] * k, 0, "tyre %d", n);
    cr_assert_float_eq(force_at(&t, 1e-9, 0, rate) / 1e-9, t.w[W_TYRE_LONGITUDINAL], 1e-4);
    cr_assert_float_eq(force_at(&t, 1e-9, M_PI / 2, rate) / 1e-9, t.w[W_TYRE_LATERAL], 1e-4);
    if (n % 2 == 0) cr_assert_float_eq(force_at(&t, 1e4, angle, rate), t.mu, 1e-13);
    t.mu = 0;
    force_of(&t, i, k, rate, f);
    cr_assert_eq(hypot(f[0], f[1]), 0);
    force_of(&t, 0, 0, rate, f);
    cr_assert_eq(hypot(f[0], f[1]), 0);
  }
}

/* Central differences of step e: 1e-16/1e-6 and curvature (1e-6)^2 leave 1e-8 of the steepest slope
 * or better. by: 0 slip along i, 1 along k, 2 the wheel's rate. */
static void slope_of(const tyre *t, double i, double k, double rate, int by, double slope[2]) {
  const double size = by == 2 ? 1 / t->w[W_RADIUS] : 1,
               e = 1e-6 * hypot(t->w[W_RADIUS] * rate, t->w[W_TYRE_LOW_SPEED]);
  double up[2], down[2];
  for (int side = -1; side <= 1; side += 2)
    force_of(t, i + (by == 0) * side * e, k + (by == 1) * side * e,
             rate + (by == 2) * side * e * size, side > 0 ? up : down);
  for (int j = 0; j < 2; j++) slope[j] = -(up[j] - down[j]) / (2 * e);
}

/* Where the force grows with the slip the matrix is its derivative; where the slip ends within the
 * step it reaches the force. */
Test(tyre, stiffness_is_the_derivative_or_the_secant) {
  uint64_t seed = 4;
  int derivatives = 0;
  for (int n = 0; n < 3000; n++) {
    const tyre t = draw_tyre(&seed, laws[n % 2]);
    const double angle = draw(&seed, -4, 4), rate = draw(&seed, -50, 50),
                 speed = hypot(t.w[W_RADIUS] * rate, t.w[W_TYRE_LOW_SPEED]),
                 size = speed * draw(&seed, 0.001, 0.1);
    const slippage slip = {size * cos(angle), size * sin(angle), size * size, rate, 0};
    const double scale = larger(t.w[W_TYRE_LATERAL], t.w[W_TYRE_LONGITUDINAL]) / speed;
    double f[2], by[2][2];
    force_of(&t, slip.i, slip.k, rate, f);
    const stiffness secant = friction_stiffness(t.w, t.c, t.mu, slip, -slip.i, -slip.k);
    cr_assert_float_eq(-(secant.ii * slip.i + secant.ik * slip.k), f[0], 1e-14);
    cr_assert_float_eq(-(secant.ki * slip.i + secant.kk * slip.k), f[1], 1e-14);
    for (int j = 0; j < 2; j++) slope_of(&t, slip.i, slip.k, rate, j, by[j]);
    const stiffness s = friction_stiffness(t.w, t.c, t.mu, slip, slip.i, slip.k);
    const stiff_slip stiff = tyre_slip(t.w, slip);
    const double along[2] = {stiff.along / stiff.size, stiff.across / stiff.size};
    /* falling branch: the derivative along the slip is taken for 0 */
    const double grows =
        (along[0] * by[0][0] + along[1] * by[0][1]) * along[0] / t.w[W_TYRE_LONGITUDINAL] +
        (along[0] * by[1][0] + along[1] * by[1][1]) * along[1] / t.w[W_TYRE_LATERAL];
    if (grows * speed < 1e-4) continue;
    derivatives++;
    const double got[4] = {s.ii, s.ki, s.ik, s.kk};
    for (int j = 0; j < 4; j++)
      cr_assert_float_eq(got[j] / scale, by[j / 2][j % 2] / scale, 1e-6,
                         "law %d, component %d: %g, not %g", n % 2, j, got[j], by[j / 2][j % 2]);
  }
  cr_assert_gt(derivatives, 1500);
}

/* The step bound: no derivative of the force over the slip or the rim's speed is above it. */
Test(tyre, no_slope_is_above_the_bound_of_the_step) {
  uint64_t seed = 5;
  for (int n = 0; n < 20000; n++) {
    const tyre t = draw_tyre(&seed, laws[n % 2]);
    const omr_law_slopes most = omr_friction_slopes(t.c, t.c[K_LAW], t.w, t.mu);
    const double rate = n % 3 ? draw(&seed, -3, 3) * t.w[W_TYRE_LOW_SPEED] / t.w[W_RADIUS] : 0,
                 size = exp(draw(&seed, -7, 2)) * t.w[W_TYRE_LOW_SPEED],
                 angle = draw_whole(&seed, 0, 3) * M_PI / 2;
    double by[2], turned[2];
    const double i = size * cos(angle), k = size * sin(angle);
    const bool lateral = fabs(k) > fabs(i);
    slope_of(&t, i, k, rate, lateral, by);
    slope_of(&t, i, k, rate, 2, turned);
    cr_assert_leq(fabs(by[lateral]) + fabs(turned[lateral]),
                  (lateral ? most.x : most.y) * (1 + 1e-6), "tyre %d", n);
  }
}

/* ---- vehicles. 20 kg on four plain discs of 0.1 m, loads shift with 0.15 m. */
#define VEHICLE(contact)                                                                           \
  "{\"model\": \"disc_vehicle\", \"parameters\": {\"gravity\": 10, \"platform\": {\"mass\": 16, "  \
  "\"yaw_inertia\": 0.8, \"center_of_mass\": {\"x\": 0.05, \"height\": 0.15}}, \"layout\": "       \
  "{\"type\": \"rectangle\", \"half_length\": 0.3, \"half_width\": 0.2}, \"contact\": {\"law\": "  \
  "\"" contact "\"}, \"wheel\": {\"radius\": 0.1, \"friction\": 0.8, \"tyre\": "                   \
  "{\"lateral_stiffness\": 12, \"longitudinal_stiffness\": 10, \"low_speed\": 1e-3}, \"disc\": "   \
  "{\"mass\": 1, \"axial_inertia\": 0.005, \"diametral_inertia\": 0.003}, \"initial\": "           \
  "{\"rate\": "                                                                                    \
  "-50}}, \"initial\": {\"vx\": 5}}, \"integrator\": {"                                            \
  "\"tolerance\": 1e-10, \"duration\": 6}, \"engine\": {\"backend\": \"openmp\"}}"

static const char brush_vehicle[] = VEHICLE("brush"), magic_vehicle[] = VEHICLE("magic_formula");
enum { MASS = 20 };
static const double gravity = 10, friction = 0.8, inertia = 4 * 0.005 / (0.1 * 0.1);

/* Stiff slip that bears the share of mu N: 1 - (1 - s)^3, s = k/(3 mu); sin(C atan b), b =
 * k/(C mu). */
static double slip_of(bool magic, double share) {
  if (!magic) return 3 * friction * (1 - cbrt(1 - share));
  return 1.5 * friction * tan(asin(share) / 1.5);
}

/* A steady force from the side at the height of the centre of mass: the vehicle goes sideways at
 * the slip that bears it. The rolling speed stays: nothing turns the wheels. */
Test(tyre, a_vehicle_drifts_under_a_side_force_at_the_slip_of_the_closed_form) {
  for (int magic = 0; magic < 2; magic++) {
    const double share = 0.6;
    char force[80];
    snprintf(force, sizeof force, "parameters.external.force.z=%.17g",
             share * friction * MASS * gravity);
    omr_result *r = run_study(magic ? magic_vehicle : brush_vehicle,
                              OVERRIDES("parameters.external.type=constant", force,
                                        "parameters.platform.center_of_mass.x=0"));
    const double expected = slip_of(magic, share) / 12 * hypot(5, 1e-3);
    cr_expect_float_eq(value_of(r, "final_vz", 0), expected, 1e-8 * expected, "%.12g, not %.12g",
                       value_of(r, "final_vz", 0), expected);
    cr_expect_float_eq(value_of(r, "final_vx", 0), 5, 1e-9);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8);
    omr_result_destroy(r);
  }
}

/* Constant torque on every wheel: slip over rolling speed is constant, so that v = V_r (1 - sigma)
 * and V_r' = A with M (1 - sigma) A = F = mu M g f(sigma), and the torques over R are (M (1 -
 * sigma)
 * + sum J/R^2) A. low_speed counts by its square over that of V_r, 1e-7. Springs
 * below the wheels keep the loads alike, since the platform does not tilt on them. */
#define ALIKE "parameters.contact.normal=penalty", "parameters.platform.center_of_mass.x=0"
static double steady_rate(bool magic, double torque) {
  double low = -0.5, high = 0.5;
  for (int n = 0; n < 200; n++) {
    const double sigma = (low + high) / 2, k = 10 * fabs(sigma),
                 f = magic ? sin(1.5 * atan(k / (1.5 * friction)))
                           : 1 - pow(fmax(1 - k / (3 * friction), 0), 3),
                 force = copysign(friction * MASS * gravity * f, sigma),
                 a = force / (MASS * (1 - sigma));
    if (force + inertia * a > torque / 0.1)
      high = sigma;
    else
      low = sigma;
  }
  const double a = torque / 0.1 / (MASS * (1 - low) + inertia);
  return a * (1 - low);
}

Test(tyre, a_torque_accelerates_and_brakes_at_the_slip_of_the_closed_form) {
  static const double torques[] = {6, -3, 10}; /* of all wheels together, ahead */
  for (int n = 0; n < 6; n++) {
    const double torque = torques[n / 2];
    char set[80];
    snprintf(set, sizeof set, "parameters.wheel.drive.torque=%.17g", -torque / 4);
    const char *text = n % 2 ? magic_vehicle : brush_vehicle;
    omr_result *a = run_study(text, OVERRIDES("parameters.wheel.drive.type=constant", set, ALIKE,
                                              "integrator.duration=2"));
    omr_result *b = run_study(text, OVERRIDES("parameters.wheel.drive.type=constant", set, ALIKE,
                                              "integrator.duration=3"));
    const double gained = value_of(b, "final_vx", 0) - value_of(a, "final_vx", 0),
                 expected = steady_rate(n % 2, torque);
    cr_expect_float_eq(gained, expected, 2e-5 * fabs(expected), "%d: %.12g, not %.12g", n, gained,
                       expected);
    omr_result_destroy(a);
    omr_result_destroy(b);
  }
}

/* Blocked wheels slide at mu g, whatever the law's stiffness; the magic formula at mu sin(C pi/2).
 */
Test(tyre, blocked_wheels_slide_at_the_end_of_the_curve) {
  for (int magic = 0; magic < 2; magic++) {
    omr_result *r =
        run_study(magic ? magic_vehicle : brush_vehicle,
                  OVERRIDES("parameters.wheel.initial.rate=0", "integrator.duration=0.1",
                            "parameters.wheel.disc.axial_inertia=1e9"));
    const double mu = magic ? friction * sin(0.75 * M_PI) : friction;
    cr_expect_float_eq(value_of(r, "final_vx", 0), 5 - 0.1 * mu * gravity, magic ? 1e-4 : 1e-10,
                       "%.12g", value_of(r, "final_vx", 0));
    omr_result_destroy(r);
  }
}

/* Front wheels turned by delta: yaw rate V delta/(L + V^2/g (1/C_f - 1/C_r)), the linear bicycle;
 * the stiffnesses are over the load, so that the place of the centre of mass drops out. delta is
 * 1e-5, and what the curve leaves of its slope 5e-5. */
Test(tyre, a_vehicle_corners_as_the_linear_bicycle) {
  static const double rears[] = {12, 20, 11};
  const double delta = 1e-5, speed = 5, base = 0.6;
  for (int n = 0; n < 3; n++) {
    char wheels[400];
    snprintf(
        wheels, sizeof wheels,
        "parameters.wheels=[{\"x\": 0.3, \"z\": -0.2, \"axis_angle\": %g}, {\"x\": 0.3, \"z\": "
        "0.2, \"axis_angle\": %g}, {\"x\": -0.3, \"z\": -0.2, \"axis_angle\": 0, \"tyre\": "
        "{\"lateral_stiffness\": %g}}, {\"x\": -0.3, \"z\": 0.2, \"axis_angle\": 0, \"tyre\": "
        "{\"lateral_stiffness\": %g}}]",
        delta, delta, rears[n], rears[n]);
    omr_result *r =
        run_study(brush_vehicle, OVERRIDES("parameters.layout={\"type\": \"explicit\"}", wheels));
    const double expected =
        speed * delta / (base + speed * speed / gravity * (1.0 / 12 - 1 / rears[n]));
    cr_expect_float_eq(value_of(r, "final_yaw_rate", 0), expected, 2e-4 * expected,
                       "%.12g, not %.12g", value_of(r, "final_yaw_rate", 0), expected);
    omr_result_destroy(r);
  }
}

/* rosenbrock, 1 ms, against the pair of order 5, while wheels spin up from rest on a brush that is
 * stiff at rest: 12/0.01 per m/s. */
Test(tyre, rosenbrock_meets_the_exact_motion) {
  for (int magic = 0; magic < 2; magic++) {
    const char *text = magic ? magic_vehicle : brush_vehicle;
    static const char *const
        start = "parameters.initial.vx=1",
        *const still = "parameters.wheel.initial.rate=0", *const side = "parameters.initial.vz=0.5",
        *const turn = "parameters.initial.yaw_rate=1", *const time = "integrator.duration=1",
        *const low = "parameters.wheel.tyre.low_speed=0.01";
    omr_result *exact = run_study(text, OVERRIDES(start, still, side, turn, time, low));
    double last = 0;
    for (int n = 0; n < 2; n++) {
      char step[200];
      snprintf(step, sizeof step,
               "integrator={\"method\": \"rosenbrock\", \"step\": %g, \"duration\": 1}",
               n ? 2.5e-4 : 1e-3);
      omr_result *r = run_study(text, OVERRIDES(step, start, still, side, turn, low));
      double off = 0;
      static const char *const names[] = {"final_x", "final_z", "final_yaw", "final_vx"};
      for (int j = 0; j < 4; j++)
        off = larger(off, value_of(r, names[j], 0) - value_of(exact, names[j], 0));
      cr_log_info("%s, step %d: %.2e\n", magic ? "magic" : "brush", n, off);
      cr_expect_lt(off, n ? 2e-4 : 2e-3, "%d %d: %g", magic, n, off);
      cr_expect(n == 0 || off < last);
      last = off;
      omr_result_destroy(r);
    }
    omr_result_destroy(exact);
  }
}
