/* rolling_disc on a plate with a given motion: the principle of relativity, inertial forces as
 * gravity, exact motions, and what is constant on a turntable. In maximal coordinates:
 * tests/reference/test_disc_reference.c. */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/motion.h"

#include "kernels/small/small_layout.h"

#define PI 3.14159265358979323846
#define DISC "{\"model\": \"rolling_disc\", \"engine\": {\"backend\": \"openmp\"}, "
#define BODY "\"mass\": 1.3, \"radius\": 0.4, \"axial_inertia\": 0.11, \"diametral_inertia\": 0.09"
#define START                                                                                      \
  "\"initial\": {\"x\": 0.2, \"z\": -0.1, \"heading\": 0.4, \"spin\": -5, \"tilt\": 1.1, "         \
  "\"precession\": 2, \"tilt_rate\": 0.3}"
#define TRACES                                                                                     \
  ", \"output\": {\"observables\": [\"energy_error\", \"ground_work\", \"energy_lost\", "          \
  "\"dissipated_energy\"], \"trajectories\": {\"instances\": [0], \"interval\": \"0.1 s\"}}}"

static const char rolling_text[] =
    DISC "\"parameters\": {" BODY ", \"contact\": \"rolling\", \"ground\": {}, " START
         "}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}" TRACES;
static const char penalty_text[] =
    DISC "\"parameters\": {" BODY ", \"ground\": {\"stiffness\": 2e4, \"damping\": 30}, "
         "\"friction\": {\"lateral\": 0.3, \"longitudinal\": 0.5, \"slip_speed\": 0.05, "
         "\"rolling\": 0.02}, " START
         "}, \"integrator\": {\"step\": \"50 us\", \"duration\": \"1 s\"}" TRACES;

#define GIVEN "parameters.ground.motion=given"

static double sample(const omr_result *r, int kind, size_t at) {
  return r->small_samples[kind][at];
}

static void expect_near(const char *what, double value, double expected, double tolerance) {
  cr_expect_lt(fabs(value - expected), tolerance, "%s is %.12g, not %.12g: off by %.3g", what,
               value, expected, value - expected);
}

/* All samples but the energy, which depends on who looks. */
static void expect_same(const omr_result *a, const omr_result *b, double tolerance) {
  cr_assert_eq(a->sample_count, b->sample_count);
  for (int kind = 0; kind < DISC_S_ENERGY; kind++)
    for (size_t k = 0; k < a->sample_count; k++)
      cr_expect_lt(fabs(sample(a, kind, k) - sample(b, kind, k)),
                   tolerance * (1 + fabs(sample(b, kind, k))), "%s at %zu: %.15g, not %.15g",
                   a->small_info[kind].name, k, sample(a, kind, k), sample(b, kind, k));
}

static void expect_equal_motions(const char *text, const char *const *with,
                                 const char *const *without, double tolerance) {
  omr_result *a = run_study(text, with), *b = run_study(text, without);
  expect_same(a, b, tolerance);
  omr_result_destroy(a);
  omr_result_destroy(b);
}

/* Galilei: on a plate that moves at a constant velocity everything is as on one at rest; what the
 * plate's work and the energy are differs, their balance does not. */
Test(moving_ground, a_constant_velocity_is_not_noticed) {
  const char *const with[] = {GIVEN, "parameters.ground.x.velocity=3",
                              "parameters.ground.y.velocity=-1.5", "parameters.ground.z.velocity=2",
                              NULL};
  static const char *const texts[] = {rolling_text, penalty_text};
  for (int i = 0; i < 2; i++) {
    expect_equal_motions(texts[i], with, NULL, 1e-12);
    omr_result *r = run_study(texts[i], with), *rest = run_study(texts[i], NULL);
    cr_expect_gt(fabs(value_of(r, "ground_work", 0)), 1);
    cr_expect_eq(value_of(rest, "ground_work", 0), 0);
    expect_near("loss", value_of(r, "energy_lost", 0), value_of(rest, "energy_lost", 0), 1e-8);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8);
    omr_result_destroy(r);
    omr_result_destroy(rest);
  }
}

/* Rx(a) turns the plate: gravity in its axes is that of a slope a towards z, direction -pi/2. */
Test(moving_ground, a_tilted_plate_is_a_slope) {
  const char *const tilted[] = {GIVEN, "parameters.ground.tilt_x.amplitude=0.1",
                                "parameters.ground.tilt_x.frequency=0",
                                "parameters.ground.tilt_x.phase=\"90 deg\"", NULL};
  const char *const slope[] = {"parameters.plane.slope=0.1",
                               "parameters.plane.direction=\"-90 deg\"", NULL};
  /* the sag at the start is that of the plane at rest in both */
  const char *const high[] = {GIVEN,
                              "parameters.ground.tilt_z.amplitude=-0.1",
                              "parameters.ground.tilt_z.frequency=0",
                              "parameters.ground.tilt_z.phase=\"90 deg\"",
                              "parameters.initial.height=0.3563",
                              NULL};
  const char *const ahead[] = {"parameters.plane.slope=0.1", "parameters.initial.height=0.3563",
                               NULL};
  expect_equal_motions(rolling_text, tilted, slope, 1e-11);
  expect_equal_motions(penalty_text, high, ahead, 1e-10);
}

/* d'' = a cos(2 pi f t), 1 - 8e-11 of a over 2 s for f = 1e-6 Hz: gravity turns to the other side,
 * by atan(a/g), and grows to sqrt(g^2 + a^2). */
Test(moving_ground, an_accelerated_plate_is_a_slope_of_more_gravity) {
  char size[80], gravity[80], slope[80];
  const double rate = 2 * PI * 1e-6, a = 2;
  snprintf(size, sizeof size, "parameters.ground.x.amplitude=%.17g", a / (rate * rate));
  snprintf(gravity, sizeof gravity, "parameters.gravity=%.17g", sqrt(9.81 * 9.81 + a * a));
  snprintf(slope, sizeof slope, "parameters.plane.slope=%.17g", atan(a / 9.81));
  const char *const with[] = {GIVEN, size, "parameters.ground.x.frequency=1e-6",
                              "parameters.ground.x.phase=\"-90 deg\"", NULL};
  const char *const without[] = {gravity, slope, "parameters.plane.direction=\"180 deg\"", NULL};
  expect_equal_motions(rolling_text, with, without, 1e-9);
}

/* Without friction a disc does not notice that the plate turns about its normal: for one who
 * stands beside it the motion is the same. Inertial forces, moments and the pivot must be right for
 * that. A precession W turns the disc with W cos(tilt) about its axis too. */
Test(moving_ground, a_turntable_without_friction_is_not_noticed) {
  const double turn = 3, px = 0.3, pz = -0.2;
#define SMOOTH                                                                                     \
  "parameters.friction.lateral=0", "parameters.friction.longitudinal=0",                           \
      "parameters.friction.rolling=0", "parameters.initial.velocity.y=0.1"
  char spin[80], vx[80], vz[80];
  snprintf(spin, sizeof spin, "parameters.initial.spin=%.17g", -5 - turn * cos(1.1));
  /* v - W e_y x (r - p) = v - W (z, 0, -x) at (0.2, -0.1) - p */
  snprintf(vx, sizeof vx, "parameters.initial.velocity.x=%.17g", 0.5 - turn * (-0.1 - pz));
  snprintf(vz, sizeof vz, "parameters.initial.velocity.z=%.17g", -0.4 + turn * (0.2 - px));
  omr_result *there = run_study(penalty_text, OVERRIDES(SMOOTH, "parameters.initial.velocity.x=0.5",
                                                        "parameters.initial.velocity.z=-0.4"));
  omr_result *here = run_study(
      penalty_text, OVERRIDES(SMOOTH, GIVEN, "parameters.ground.turn.rate=3",
                              "parameters.ground.pivot.x=0.3", "parameters.ground.pivot.z=-0.2",
                              "parameters.initial.precession=-1", spin, vx, vz));
  for (size_t k = 0; k < here->sample_count; k++) {
    double angle = turn * 0.1 * (double)k, c = cos(angle), s = sin(angle);
    double x = sample(here, DISC_S_X, k) - px, z = sample(here, DISC_S_Z, k) - pz;
    expect_near("x", px + c * x + s * z, sample(there, DISC_S_X, k), 1e-10);
    expect_near("z", pz + c * z - s * x, sample(there, DISC_S_Z, k), 1e-10);
    expect_near("y", sample(here, DISC_S_Y, k), sample(there, DISC_S_Y, k), 1e-10);
    expect_near("tilt", sample(here, DISC_S_TILT, k), sample(there, DISC_S_TILT, k), 1e-10);
    expect_near("normal force", sample(here, DISC_S_LOAD, k), sample(there, DISC_S_LOAD, k), 1e-7);
    expect_near(
        "heading",
        remainder(sample(here, DISC_S_HEADING, k) + angle - sample(there, DISC_S_HEADING, k),
                  2 * PI),
        0, 1e-10);
    expect_near("energy", sample(here, DISC_S_ENERGY, k), sample(there, DISC_S_ENERGY, k), 1e-9);
  }
  omr_result_destroy(there);
  omr_result_destroy(here);
}

/* Beside the plate: velocity, angular velocity and angular momentum about the vertical axis of the
 * turntable, from the samples. */
static double momentum(const omr_result *r, size_t k, double turn) {
  double x = sample(r, DISC_S_X, k), z = sample(r, DISC_S_Z, k);
  double vx = sample(r, DISC_S_VX, k) + turn * z, vz = sample(r, DISC_S_VZ, k) - turn * x;
  double w[3], axis[3], about = 0;
  for (int i = 0; i < 3; i++) {
    w[i] = sample(r, DISC_S_RATE_X + i, k) + (i == 1 ? turn : 0);
    axis[i] = sample(r, DISC_S_AXIS_X + i, k);
    about += w[i] * axis[i];
  }
  return 1.3 * (z * vx - x * vz) + 0.09 * w[1] + (0.11 - 0.09) * about * axis[1];
}

/* The table's power on a disc that rolls is its rate times the moment about its axis, so energy
 * less rate times angular momentum is constant (Jacobi's integral), while both change. */
Test(moving_ground, jacobis_integral_is_constant_on_a_turntable) {
  omr_result *r = run_study(rolling_text, OVERRIDES(GIVEN, "parameters.ground.turn.rate=1.5"));
  double first = sample(r, DISC_S_ENERGY, 0) - 1.5 * momentum(r, 0, 1.5), least = HUGE_VAL,
         most = -HUGE_VAL;
  for (size_t k = 0; k < r->sample_count; k++) {
    double energy = sample(r, DISC_S_ENERGY, k);
    expect_near("E - W L", energy - 1.5 * momentum(r, k, 1.5), first, 1e-8);
    least = fmin(least, energy);
    most = fmax(most, energy);
  }
  cr_expect_gt(most - least, 0.5);
  expect_near("work", sample(r, DISC_S_ENERGY, r->sample_count - 1) - sample(r, DISC_S_ENERGY, 0),
              value_of(r, "ground_work", 0), 1e-8);
  omr_result_destroy(r);
}

/* An upright disc that rolls on a plate that shakes along its heading: (I_a + m R^2) x'' = -m R^2
 * d'', from rest against the plate. */
Test(moving_ground, a_shaken_disc_rolls_back) {
  static const char text[] =
      DISC "\"parameters\": {" BODY ", \"contact\": \"rolling\", \"ground\": {\"motion\": "
           "\"given\", \"x\": {\"amplitude\": 0.05, \"frequency\": 1.7, \"phase\": 0.6}}}, "
           "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}" TRACES;
  const double share = 1.3 * 0.16 / (0.11 + 1.3 * 0.16), rate = 2 * PI * 1.7;
  omr_result *r = run_study(text, NULL);
  for (size_t k = 0; k < r->sample_count; k++) {
    double t = 0.1 * (double)k, way = 0.05 * (sin(rate * t + 0.6) - sin(0.6) - rate * t * cos(0.6));
    expect_near("x", sample(r, DISC_S_X, k), -share * way, 1e-9);
    expect_near("z", sample(r, DISC_S_Z, k), 0, 1e-12);
  }
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8);
  omr_result_destroy(r);
}

/* An upright disc on a plate that goes up and down: z'' + 2 D z' + w0^2 z = A w^2 sin(w t) about
 * where it rests, from rest against a plate that sets off with A w. */
Test(moving_ground, a_plate_that_shakes_upwards_is_a_forced_oscillator) {
  static const char text[] =
      DISC "\"parameters\": {" BODY ", \"ground\": {\"stiffness\": 2e4, \"damping\": 30, "
           "\"motion\": \"given\", \"y\": {\"amplitude\": 1e-4, \"frequency\": 9}}}, "
           "\"integrator\": {\"step\": \"50 us\", \"duration\": \"1 s\"}" TRACES;
  const double m = 1.3, k = 2e4, decay = 30 / (2 * m), own2 = k / m, w = 2 * PI * 9;
  const double over = own2 - w * w, across = 2 * decay * w, size = 1e-4 * w * w;
  const double s = size * over / (over * over + across * across),
               c = -size * across / (over * over + across * across);
  const double damped = sqrt(own2 - decay * decay), b = (-s * w - decay * c) / damped;
  omr_result *r = run_study(text, NULL);
  for (size_t i = 0; i < r->sample_count; i++) {
    double t = 0.1 * (double)i;
    double z = s * sin(w * t) + c * cos(w * t) +
               exp(-decay * t) * (b * sin(damped * t) - c * cos(damped * t));
    expect_near("height", sample(r, DISC_S_Y, i), 0.4 - m * 9.81 / k + z, 1e-9);
  }
  cr_expect_gt(value_of(r, "dissipated_energy", 0), 0);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-7);
  omr_result_destroy(r);
}

/* After one period, m A w = 1.3 x 1e-3 x 31.4 kg m/s later, disc and plate are where and as fast as
 * they were, and all energies are rounding, of which the error was a part: up to all of it. Over
 * the energy at the largest speed it is that of double precision in 200 steps. */
Test(moving_ground, a_period_leaves_an_error_of_energy_that_is_rounding) {
  static const char text[] =
      DISC "\"parameters\": {" BODY ", \"contact\": \"rolling\", \"ground\": {\"motion\": "
           "\"given\"}}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"0.2 s\"}" TRACES;
  const char *const shaken[][3] = {
      {"parameters.ground.x.amplitude=1 mm", "parameters.ground.x.frequency=5 Hz", NULL},
      {"parameters.ground.y.amplitude=0.1 mm", "parameters.ground.y.frequency=5 Hz", NULL}};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(text, shaken[i]);
    cr_expect_lt(fabs(value_of(r, "ground_work", 0)), 1e-12);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-10);
    omr_result_destroy(r);
  }
}

/* A table that gets up to speed smoothly: its disc ends where the angle says, and the energy
 * balances. All six coordinates at once. */
Test(moving_ground, work_enters_the_balance_whatever_the_motion) {
#define ALL                                                                                        \
  GIVEN, "parameters.ground.x.amplitude=0.05", "parameters.ground.x.frequency=0.7",                \
      "parameters.ground.y.amplitude=0.01", "parameters.ground.y.frequency=1.1",                   \
      "parameters.ground.z.velocity=0.2", "parameters.ground.tilt_x.amplitude=0.1",                \
      "parameters.ground.tilt_x.frequency=0.4", "parameters.ground.tilt_z.amplitude=0.07",         \
      "parameters.ground.tilt_z.phase=-0.5", "parameters.ground.turn.rate=1.2",                    \
      "parameters.ground.turn.ramp=0.7", "parameters.ground.pivot.y=-0.1"
  static const char *const texts[] = {rolling_text, penalty_text};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(texts[i], OVERRIDES(ALL));
    cr_expect_gt(fabs(value_of(r, "ground_work", 0)), 0.1);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8, "%g", value_of(r, "energy_error", 0));
    omr_result_destroy(r);
  }
}
