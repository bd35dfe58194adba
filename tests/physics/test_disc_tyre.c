/* Tyre laws of rolling_disc: the brush against its own bristles, the magic formula's slope, peak
 * and end, combined slip, and discs that slide steadily at the slip of the closed forms. */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/kernel.h"
#include "shared/motion.h"
#include "shared/vectors.h"

enum { LOAD = 40 };

typedef struct tyre {
  int c[K_COUNT];
  double p[DISC_P_COUNT];
  disc_pose d;
} tyre;

static const double MU = 0.8;

/* An upright disc that rolls at 10 m/s along x; slip is slip velocity over hypot(10, v_0). */
static tyre make(int law, double shape, double curvature) {
  tyre t = {.c = {[K_OPTION_4] = law}};
  t.p[DISC_P_RADIUS] = 0.5;
  t.p[DISC_P_TYRE_LATERAL] = 12;
  t.p[DISC_P_TYRE_LONGITUDINAL] = 12;
  t.p[DISC_P_TYRE_FRICTION] = MU;
  t.p[DISC_P_TYRE_SHAPE] = shape;
  t.p[DISC_P_TYRE_CURVATURE] = curvature;
  t.p[DISC_P_TYRE_SHARE] = 1 / ((law == DISC_LAW_BRUSH ? 3 : shape) * MU);
  t.p[DISC_P_TYRE_LOW_SPEED] = 1e-3;
  t.d = (disc_pose){.w1z = -1, .w2x = 1, .latz = -1, .sine = 1, .wz = -20, .spin = 20};
  return t;
}

/* Size of the force at a slip along a direction of the plane. */
static double force_at(const tyre *t, double slip, double angle, double force[2]) {
  double speed = hypot(10, 1e-3);
  rolling_disc_tyre(t->c, t->p, &t->d, LOAD, slip * speed * sin(angle), slip * speed * cos(angle),
                    &force[0], &force[1]);
  return hypot(force[0], force[1]);
}

static void expect_close(const char *what, double value, double expected, double tolerance) {
  cr_expect_lt(fabs(value - expected), tolerance * fmax(1, fabs(expected)),
               "%s is %.15g, not %.15g", what, value, expected);
}

/* Bristles of stiffness c along the contact from its front, x = 1, to its end, x = -1, under the
 * pressure 3/4 N (1 - x^2): each is bent by (1 - x) times the slip until it slides. 2 c = 12 N. */
static double bristles(double slip) {
  enum { BRISTLES = 200000 };
  double sum = 0, width = 2.0 / BRISTLES;
  for (int i = 0; i < BRISTLES; i++) {
    double x = -1 + (i + 0.5) * width;
    sum += width * fmin(6.0 * LOAD * (1 - x) * slip, MU * 0.75 * LOAD * (1 - x * x));
  }
  return sum;
}

Test(disc_tyre, the_brush_is_the_sum_of_its_bristles) {
  tyre t = make(DISC_LAW_BRUSH, 1, 0);
  double f[2];
  for (int i = 1; i <= 30; i++) {
    double slip = 0.01 * i;
    expect_close("force", force_at(&t, slip, 0.7, f), bristles(slip), 1e-8);
  }
  double full = 3 * MU / 12; /* s = 1 */
  expect_close("where all slide", force_at(&t, full, 0, f), MU * LOAD, 1e-14);
  expect_close("beyond", force_at(&t, 5 * full, 0, f), MU * LOAD, 1e-14);
  cr_expect_lt(force_at(&t, 0.99 * full, 0, f), MU * LOAD);
}

/* F = mu N sin(C atan(b - E (b - atan b))), b = C_s slip/(C mu): slope C_s N, peak mu N where the
 * angle is pi/2, and mu N sin(C pi/2) in the end. */
Test(disc_tyre, the_magic_formula_has_its_slope_peak_and_end) {
  double f[2];
  for (int i = 0; i < 4; i++) {
    const double shape = 1.2 + 0.2 * i, pi = 3.14159265358979323846;
    tyre t = make(DISC_LAW_MAGIC, shape, 0);
    double peak = shape * MU * tan(pi / (2 * shape)) / 12;
    expect_close("peak", force_at(&t, peak, 0.3, f), MU * LOAD, 1e-14);
    cr_expect_lt(force_at(&t, 0.99 * peak, 0.3, f), MU * LOAD);
    cr_expect_lt(force_at(&t, 1.01 * peak, 0.3, f), MU * LOAD);
    expect_close("end", force_at(&t, 1e9, 0.3, f), MU * LOAD * sin(shape * pi / 2), 1e-8);
    t = make(DISC_LAW_MAGIC, shape, -0.7);
    for (int k = 1; k < 20; k++) {
      double b = 12 * 0.02 * k / (shape * MU);
      expect_close("force", force_at(&t, 0.02 * k, 0.3, f),
                   MU * LOAD * sin(shape * atan(b + 0.7 * (b - atan(b)))), 1e-14);
    }
  }
}

Test(disc_tyre, slopes_symmetry_direction_and_loss) {
  uint64_t seed = 7;
  for (int law = DISC_LAW_BRUSH; law <= DISC_LAW_MAGIC; law++) {
    tyre t = make(law, 1.4, 0.3);
    double f[2], g[2];
    expect_close("slope", force_at(&t, 1e-9, 0.4, f) / 1e-9, 12 * LOAD, 1e-7);
    cr_expect_eq(force_at(&t, 0, 0.4, f), 0);
    for (int i = 0; i < 200; i++) {
      double slip = draw(&seed, 0, 0.5), angle = draw(&seed, -3, 3);
      t.p[DISC_P_TYRE_LATERAL] = t.p[DISC_P_TYRE_LONGITUDINAL] = 12;
      double size = force_at(&t, slip, angle, f);
      cr_expect_leq(size, MU * LOAD * (1 + 1e-14));
      expect_close("antiparallel", f[0] * cos(angle) - f[1] * sin(angle), 0, 1e-13);
      cr_expect_lt(f[0] * sin(angle) + f[1] * cos(angle), 0);
      force_at(&t, -slip, angle, g);
      cr_expect(f[0] == -g[0] && f[1] == -g[1]);
      t.p[DISC_P_TYRE_LATERAL] = draw(&seed, 1, 30);
      cr_expect_leq(force_at(&t, slip, angle, f), MU * LOAD * (1 + 1e-14));
      cr_expect_lt(f[0] * sin(angle) + f[1] * cos(angle), 0); /* power of the slip */
    }
  }
}

/* The contact point runs along the rim with the spin less what the heading turns about the axis;
 * its trail less the material's velocity is the same. */
Test(disc_tyre, the_rolling_speed_is_that_of_the_trail) {
  static double v[OMR_VP_COUNT], p[DISC_P_COUNT], y[DISC_Y_COUNT], dy[DISC_Y_COUNT],
      out[DISC_S_COUNT];
  static omr_study study;
  static int c[K_COUNT];
  double e[DISC_E_COUNT];
  char reason[200] = "";
  for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
  for (int i = 0; i < 20; i++) {
    v[OMR_VP_DISC_TILT] = 0.3 + 0.12 * i;
    v[OMR_VP_DISC_HEADING] = 0.3 * i - 3;
    v[OMR_VP_DISC_SPIN] = 7 - i;
    v[OMR_VP_DISC_PRECESSION] = 1.7;
    v[OMR_VP_DISC_TILT_RATE] = 0.9;
    v[OMR_VP_DISC_VX] = 0.4;
    cr_assert(omr_rolling_disc.prepare(&study, v, p, y, e, reason, sizeof reason), "%s", reason);
    rolling_disc_rates(c, p, y, 0, dy, out);
    disc_pose d;
    rolling_disc_pose(p, y, &d);
    double trail = out[DISC_S_TRAIL_X] * d.w2x + out[DISC_S_TRAIL_Z] * d.w2z;
    expect_close("V_r", rolling_disc_rolling_speed(p, &d), trail - out[DISC_S_SLIP_LONG], 1e-13);
  }
}

/* A wheel whose flywheel keeps its spin and its heading, on a slope: it slides down at the slip
 * whose force bears tan(slope) of the load, along, across or between. */
static void expect_steady(const char *law, double direction, double slip) {
  char set_law[80], set_direction[80];
  static const char text[] =
      "{\"model\": \"rolling_disc\", \"engine\": {\"backend\": \"openmp\"}, \"parameters\": "
      "{\"mass\": 2, \"radius\": 0.4, \"axial_inertia\": 1e12, \"diametral_inertia\": 1e12, "
      "\"plane\": {\"slope\": 0.3}, \"ground\": {\"stiffness\": 1e5, \"damping\": 200}, "
      "\"friction\": {\"law\": \"brush\"}, \"tyre\": {\"friction\": 0.8, "
      "\"longitudinal_stiffness\": 12, \"lateral_stiffness\": 12, \"low_speed\": 0.1}, "
      "\"initial\": {\"spin\": 20}}, \"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"4 "
      "s\"}, \"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"4 s\"}}}";
  snprintf(set_law, sizeof set_law, "parameters.friction.law=%s", law);
  snprintf(set_direction, sizeof set_direction, "parameters.plane.direction=%.17g", direction);
  omr_result *r = run_study(text, OVERRIDES(set_law, set_direction));
  double speed = slip * hypot(8, 0.1), load = 2 * 9.81 * cos(0.3);
  expect_close("slip along", r->small_samples[DISC_S_SLIP_LONG][1], speed * cos(direction), 1e-8);
  /* w_lat is -z at heading 0, and the slope goes down to (cos, 0, -sin) */
  expect_close("slip across", r->small_samples[DISC_S_SLIP_LAT][1], speed * sin(direction), 1e-8);
  expect_close("force along", r->small_samples[DISC_S_FORCE_LONG][1],
               -load * tan(0.3) * cos(direction), 1e-8);
  expect_close("force across", r->small_samples[DISC_S_FORCE_LAT][1],
               -load * tan(0.3) * sin(direction), 1e-8);
  cr_expect_gt(value_of(r, "dissipated_energy", 0), 0);
  omr_result_destroy(r);
}

Test(disc_tyre, a_disc_slides_steadily_at_the_slip_of_the_closed_form) {
  double s = 1 - cbrt(1 - tan(0.3) / 0.8), brush = 3 * 0.8 * s / 12; /* 1 - (1 - s)^3 */
  double magic = 1.5 * 0.8 * tan(asin(tan(0.3) / 0.8) / 1.5) / 12;
  for (int i = 0; i < 4; i++) {
    expect_steady("brush", 1.1 * i - 1.5, brush);
    expect_steady("magic_formula", 1.1 * i - 1.5, magic);
  }
}
