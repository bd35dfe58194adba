/* Motions of rolling_disc with contact "rolling" against what is known of the ideally rolling disc:
 * steady circles, Euler's disc, the thresholds of straight rolling and upright spinning with the
 * rates of their linear equations, the classical equations in the axes of the body (Borisov,
 * Mamaev, Kilin 2003; source 3, section 3.1), and penalty contact as it grows hard. */
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/classical_disc.h"
#include "shared/motion.h"

#include "kernels/small/small_layout.h"

#define PI 3.14159265358979323846
#define DISC "{\"model\": \"rolling_disc\", \"engine\": {\"backend\": \"openmp\"}, "
/* A disc of 1 kg and 0.5 m: I_a = 0.125, I_d = 0.0625 kg m2. */
#define UNIFORM "\"mass\": 1, \"radius\": 0.5, \"contact\": \"rolling\""
#define TRACES(interval)                                                                           \
  ", \"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"" interval "\"}}"

static double sample(const omr_result *r, int kind, size_t at) {
  return r->small_samples[kind][at];
}

static double last(const omr_result *r, int kind) {
  return sample(r, kind, r->sample_count - 1);
}

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void expect_near(const char *what, double value, double expected, double tolerance) {
  cr_expect_lt(fabs(value - expected), tolerance, "%s is %.12g, not %.12g: off by %.3g", what,
               value, expected, value - expected);
}

/* Steady motion: (I_a + m R^2) Omega w3 sin a - I_d Omega^2 sin a cos a + m g R cos a = 0, on a
 * circle of radius R |w3|/Omega (the figures of studies/rolling_disc.json). The plane bears the
 * weight and pulls m Omega^2 times the radius inwards. */
Test(rolling_disc_ideal, a_steady_circle_lasts) {
  static const char text[] = DISC
      "\"parameters\": {" UNIFORM ", \"initial\": {\"tilt\": \"60 deg\", \"spin\": -3.6092040938,"
      "\"precession\": 2}}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"300 s\"}" TRACES(
          "0.5 s") "}";
  double s = sin(PI / 3), c = cos(PI / 3),
         spin = (0.0625 * 4 * s * c - 9.81 * 0.5 * c) / (0.375 * 2 * s);
  expect_near("w3", spin, -3.6092040938, 1e-10);
  omr_result *r = run_study(text, NULL);
  for (size_t k = 0; k < r->sample_count; k++) {
    expect_near("radius", hypot(sample(r, DISC_S_X, k), sample(r, DISC_S_Z, k) - 0.9023010235),
                0.9023010235, 1e-8);
    expect_near("tilt", sample(r, DISC_S_TILT, k), PI / 3, 1e-9);
    expect_near("spin", sample(r, DISC_S_SPIN, k), -3.6092040938, 1e-9);
    expect_near("precession", sample(r, DISC_S_PRECESSION, k), 2, 1e-9);
    expect_near("normal force", sample(r, DISC_S_LOAD, k), 9.81, 1e-8);
    expect_near("lateral force", fabs(sample(r, DISC_S_FORCE_LAT, k)), 4 * 0.9023010235, 1e-8);
    expect_near("longitudinal force", sample(r, DISC_S_FORCE_LONG, k), 0, 1e-8);
    expect_near("height", sample(r, DISC_S_Y, k), 0.5 * s, 1e-9);
  }
  expect_near("heading", remainder(last(r, DISC_S_HEADING) - 600, 2 * PI), 0, 1e-7);
  cr_expect_eq(value_of(r, "dissipated_energy", 0), 0);
  cr_expect_eq(value_of(r, "max_slip", 0), 0);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-10);
  omr_result_destroy(r);
}

/* Euler's disc: the centre rests where Omega^2 = 4 g/(R sin a), the disc turns without spin, the
 * contact point runs round. */
Test(rolling_disc_ideal, the_centre_of_eulers_disc_rests) {
  char precession[64];
  double rate = sqrt(4 * 9.81 / (0.5 * sin(PI / 6)));
  snprintf(precession, sizeof precession, "parameters.initial.precession=%.17g", rate);
  static const char text[] =
      DISC "\"parameters\": {" UNIFORM ", \"initial\": {\"tilt\": \"30 deg\"}},"
           "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"10 s\"}" TRACES("0.1 s") "}";
  omr_result *r = run_study(text, OVERRIDES(precession));
  cr_expect_lt(value_of(r, "max_speed", 0), 1e-10);
  for (size_t k = 0; k < r->sample_count; k++) {
    expect_near("centre", hypot(sample(r, DISC_S_X, k), sample(r, DISC_S_Z, k)), 0, 1e-10);
    expect_near("tilt", sample(r, DISC_S_TILT, k), PI / 6, 1e-10);
    expect_near("contact", hypot(sample(r, DISC_S_CONTACT_X, k), sample(r, DISC_S_CONTACT_Z, k)),
                0.5 * cos(PI / 6), 1e-10);
    expect_near("trail", hypot(sample(r, DISC_S_TRAIL_X, k), sample(r, DISC_S_TRAIL_Z, k)),
                0.5 * cos(PI / 6) * rate, 1e-8);
    expect_near("normal force", sample(r, DISC_S_LOAD, k), 9.81, 1e-8);
    expect_near("friction", hypot(sample(r, DISC_S_FORCE_LAT, k), sample(r, DISC_S_FORCE_LONG, k)),
                0, 1e-8);
  }
  expect_near("heading", remainder(last(r, DISC_S_HEADING) - 10 * rate, 2 * PI), 0, 1e-8);
  omr_result_destroy(r);
}

static const char upright_text[] =
    DISC "\"parameters\": {" UNIFORM
         "}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"8 s\"}" TRACES("1 s") "}";

/* Tilt pi/2 + x with x(0) = 1e-7; rate2 > 0: x = x(0) exp(rate t), else x = x(0) cos(rate t), up to
 * x^3/rate^2. */
static void expect_linear(double spin, double precession, double rate2) {
  char set_tilt[64], set_spin[64], set_precession[64], set_rate[64];
  double x = 1e-7, rate = sqrt(fabs(rate2));
  snprintf(set_tilt, sizeof set_tilt, "parameters.initial.tilt=%.17g", PI / 2 + x);
  snprintf(set_spin, sizeof set_spin, "parameters.initial.spin=%.17g", spin);
  snprintf(set_precession, sizeof set_precession, "parameters.initial.precession=%.17g",
           precession);
  snprintf(set_rate, sizeof set_rate, "parameters.initial.tilt_rate=%.17g",
           rate2 > 0 ? rate * x : 0);
  omr_result *r = run_study(upright_text, OVERRIDES(set_tilt, set_spin, set_precession, set_rate));
  for (size_t k = 0; k < r->sample_count; k++) {
    double t = (double)k, now = sample(r, DISC_S_TILT, k) - PI / 2;
    double expected = rate2 > 0 ? x * exp(rate * t) : x * cos(rate * t),
           size = rate2 > 0 ? expected : x;
    expect_near("x", now / size, expected / size, 1e-6);
  }
  omr_result_destroy(r);
}

/* Straight rolling of a uniform disc: x'' = 4/5 (g/R - 3 w^2) x, where heading' = 2 w x. Stable
 * above w^2 = g/(3 R). */
Test(rolling_disc_ideal, straight_rolling_is_stable_above_its_threshold) {
  static const double over[] = {0.97, 0.99, 1.01, 1.1, 4};
  for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
    double spin2 = over[i] * 9.81 / (3 * 0.5), spin = sqrt(spin2);
    expect_linear(spin, 2 * spin * 1e-7, 0.8 * (9.81 / 0.5 - 3 * spin2));
  }
}

/* Upright spinning of a uniform disc: x'' = (4 g/(5 R) - Omega^2) x, where the spin is 2/3 Omega x.
 * Stable above Omega^2 = 4 g/(5 R).
 */
Test(rolling_disc_ideal, upright_spinning_is_stable_above_its_threshold) {
  static const double over[] = {0.97, 0.99, 1.01, 1.1, 4};
  for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
    double rate2 = over[i] * 4 * 9.81 / (5 * 0.5), rate = sqrt(rate2);
    expect_linear(2.0 / 3 * rate * 1e-7, rate, 4 * 9.81 / (5 * 0.5) - rate2);
  }
}

static const char fall_text[] =
    DISC "\"parameters\": {" UNIFORM ", \"initial\": {\"tilt\": 1.5707963}},"
         "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"20 s\"}" TRACES("0.1 s") "}";

/* A disc at rest falls over at the rate sqrt(4 g/(5 R)) at first. With (I_d + m R^2) x'^2/2 = m g R
 * (1 - cos x) for the angle x to the upright, N/(m g) = 1 - 4/5 (1 + 2 cos x - 3 cos^2 x), which is
 * 0 at cos x = 1/2: it would jump at a tilt of 30 deg. */
Test(rolling_disc_ideal, a_disc_at_rest_falls_until_it_lifts) {
  omr_result *r = run_study(fall_text, NULL);
  double x = PI / 2 - 1.5707963, rate = sqrt(0.8 * 9.81 / 0.5);
  for (size_t k = 0; k <= 20; k++) {
    double expected = x * cosh(rate * 0.1 * (double)k);
    expect_near("x", (PI / 2 - sample(r, DISC_S_TILT, k)) / expected, 1, 1e-6);
  }
  cr_expect_eq(r->status[0], OMR_INSTANCE_LIFTED);
  double tilt = value_of(r, "final_tilt", 0), step = 1e-4 * sqrt(2 * 0.8 * 9.81 / 0.5 * 0.5);
  cr_expect(tilt <= PI / 6 && tilt > PI / 6 - step, "%.12g", tilt);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-10);
  omr_result_destroy(r);
}

/* With I_d > m R^2/3 the plane always pushes, and the disc ends flat: outside the model. */
Test(rolling_disc_ideal, a_disc_that_falls_flat_leaves_the_model) {
  omr_result *r = run_study(fall_text, OVERRIDES("parameters.diametral_inertia=0.1"));
  cr_expect_eq(r->status[0], OMR_INSTANCE_OUTSIDE);
  double tilt = value_of(r, "final_tilt", 0), fall = value_of(r, "fall_time", 0);
  cr_expect(tilt < 0.01 && tilt > 0.009, "%g", tilt);
  cr_expect(fall > 4 && fall < r->status_time[0], "%g", fall);
  cr_expect_gt(value_of(r, "min_load", 0), 0);
  expect_near("final_speed", value_of(r, "final_speed", 0),
              sqrt(2 * 9.81 * 0.5 * (1 - sin(tilt)) * 0.25 / 0.35), 1e-9);
  omr_result_destroy(r);
}

/* Upright with the tilt's rate b: N = m (g - R b^2), and the disc would have to be held down above
 * b^2 = g/R. */
Test(rolling_disc_ideal, a_disc_that_would_leave_the_plane_ends_as_lifted) {
  omr_result *r = run_study(upright_text, OVERRIDES("parameters.initial.tilt_rate=4.4",
                                                    "integrator.duration=1e-3",
                                                    "output.trajectories.interval=1e-3"));
  expect_near("normal force", sample(r, DISC_S_LOAD, 0), 9.81 - 0.5 * 4.4 * 4.4, 1e-12);
  cr_expect_eq(r->status[0], OMR_INSTANCE_OK);
  omr_result_destroy(r);
  r = run_study(upright_text, OVERRIDES("parameters.initial.tilt_rate=4.5"));
  cr_expect_eq(r->status[0], OMR_INSTANCE_LIFTED);
  cr_expect_eq(r->status_time[0], 0);
  omr_result_destroy(r);
}

/* The disc of wobble_text. */
static const classical_disc wobbler = {1.3, 0.4, 0.11, 0.07, 9.81};
static const double mass = 1.3, axial = 0.11, diametral = 0.07;

/* A vector of the plane in the body's axes. */
static void to_body(const omr_result *r, size_t at, const double a[3], double out[3]) {
  double q[4], t[3], u[3];
  for (int i = 0; i < 4; i++) q[i] = sample(r, DISC_S_QW + i, at);
  const double conjugate[3] = {-q[1], -q[2], -q[3]};
  cross(conjugate, a, t);
  for (int i = 0; i < 3; i++) t[i] = 2 * t[i];
  cross(conjugate, t, u);
  for (int i = 0; i < 3; i++) out[i] = a[i] + q[0] * t[i] + u[i];
}

static const char wobble_text[] =
    DISC "\"parameters\": {\"mass\": 1.3, \"radius\": 0.4, \"axial_inertia\": 0.11, "
         "\"diametral_inertia\": 0.07, \"contact\":"
         "\"rolling\", \"initial\": {\"tilt\": \"60 deg\", \"heading\": 0.4, \"spin\": -5, "
         "\"precession\": 2, \"tilt_rate\": 0.8}},"
         "\"integrator\": {\"step\": \"0.2 ms\", \"duration\": \"300 s\"}" TRACES("1 s") "}";

/* State of the classical equations at a sample: M from omega. */
static classical classical_at(const omr_result *r, size_t at, double slope, double direction) {
  const double n[3] = {0, 1, 0},
               up[3] = {-sin(slope) * cos(direction), cos(slope), sin(slope) * sin(direction)};
  const double w_plane[3] = {sample(r, DISC_S_RATE_X, at), sample(r, DISC_S_RATE_Y, at),
                             sample(r, DISC_S_RATE_Z, at)};
  classical q;
  double w[3];
  to_body(r, at, n, q.gamma);
  to_body(r, at, up, q.up);
  to_body(r, at, w_plane, w);
  classical_momentum(&wobbler, w, q.gamma, q.m);
  return q;
}

/* Over several hundred units of time, M and gamma to 1e-7: the accordance that source 3 reports. */
Test(rolling_disc_ideal, wobbling_is_that_of_the_classical_equations) {
  omr_result *r = run_study(wobble_text, NULL);
  cr_assert_eq(r->status[0], OMR_INSTANCE_OK);
  classical q = classical_at(r, 0, 0, 0), coarse = classical_motion(&wobbler, q, 10, 50000),
            fine = classical_motion(&wobbler, q, 10, 100000);
  cr_expect_lt(classical_farthest(&coarse, &fine), 1e-11); /* their own error does not count */
  double most = 0, low = 9, high = 0;
  for (size_t k = 0; k < r->sample_count; k++) {
    classical now = classical_at(r, k, 0, 0);
    most = fmax(most, classical_farthest(&now, &q));
    low = fmin(low, sample(r, DISC_S_TILT, k));
    high = fmax(high, sample(r, DISC_S_TILT, k));
    q = classical_motion(&wobbler, q, 1, 5000);
  }
  cr_expect_lt(most, 1e-7, "%g", most);
  cr_expect_gt(high - low, 0.2, "the tilt wobbles by %g only", high - low);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-10);
  expect_near("energy", last(r, DISC_S_ENERGY), sample(r, DISC_S_ENERGY, 0),
              1e-10 * sample(r, DISC_S_ENERGY, 0));
  omr_result_destroy(r);
}

/* On a slope up is another vector than the normal. */
Test(rolling_disc_ideal, on_a_slope_too) {
  omr_result *r = run_study(wobble_text, OVERRIDES("parameters.plane.slope=0.1",
                                                   "parameters.plane.direction=0.9",
                                                   "integrator.duration=10 s"));
  cr_assert_eq(r->status[0], OMR_INSTANCE_OK);
  classical q = classical_motion(&wobbler, classical_at(r, 0, 0.1, 0.9), 10, 100000),
            now = classical_at(r, 10, 0.1, 0.9);
  cr_expect_lt(classical_farthest(&now, &q), 1e-8, "%g", classical_farthest(&now, &q));
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-10);
  omr_result_destroy(r);
}

/* Derivative of a sample by differences of the fourth order. */
static double slope_of(const omr_result *r, int kind, size_t at, double h) {
  double near = sample(r, kind, at + 1) - sample(r, kind, at - 1),
         far = sample(r, kind, at + 2) - sample(r, kind, at - 2);
  return (8 * near - far) / (12 * h);
}

/* What is sampled as reaction moves the centre, and turns the disc about it: m v' = F + W, (I
 * omega)' = r x F. */
Test(rolling_disc_ideal, the_reactions_move_and_turn_the_disc) {
  omr_result *r = run_study(
      wobble_text, OVERRIDES("parameters.plane.slope=0.1", "parameters.plane.direction=0.9",
                             "integrator.duration=0.5 s", "output.trajectories.interval=1 ms"));
  const double g[3] = {9.81 * sin(0.1) * cos(0.9), -9.81 * cos(0.1), -9.81 * sin(0.1) * sin(0.9)};
  for (size_t k = 2; k + 2 < r->sample_count; k += 20) {
    double w1[3], force[3], arm[3], moment[3], turned[5][3], speed2 = 0;
    for (int i = 0; i < 3; i++) w1[i] = sample(r, DISC_S_AXIS_X + i, k);
    double sine = hypot(w1[0], w1[2]), lat = sample(r, DISC_S_FORCE_LAT, k),
           lon = sample(r, DISC_S_FORCE_LONG, k);
    const double w2[3] = {-w1[2] / sine, 0, w1[0] / sine},
                 w_lat[3] = {w1[0] / sine, 0, w1[2] / sine}, n[3] = {0, 1, 0};
    for (int i = 0; i < 3; i++)
      force[i] = lat * w_lat[i] + lon * w2[i] + sample(r, DISC_S_LOAD, k) * n[i];
    for (int i = 0; i < 3; i++) {
      expect_near("m v'", mass * slope_of(r, DISC_S_VX + i, k, 1e-3), force[i] + mass * g[i], 1e-8);
      expect_near("x'", slope_of(r, DISC_S_X + i, k, 1e-3), sample(r, DISC_S_VX + i, k), 1e-9);
      speed2 += pow(sample(r, DISC_S_VX + i, k), 2);
    }
    cr_expect_gt(speed2, 0.1);
    for (int s = 0; s < 5; s++) /* I omega = I_d omega + (I_a - I_d) spin w1 */
      for (int i = 0; i < 3; i++)
        turned[s][i] = diametral * sample(r, DISC_S_RATE_X + i, k + (size_t)s - 2) +
                       (axial - diametral) * sample(r, DISC_S_SPIN, k + (size_t)s - 2) *
                           sample(r, DISC_S_AXIS_X + i, k + (size_t)s - 2);
    const double contact[3] = {sample(r, DISC_S_CONTACT_X, k), 0, sample(r, DISC_S_CONTACT_Z, k)};
    for (int i = 0; i < 3; i++) arm[i] = contact[i] - sample(r, DISC_S_X + i, k);
    cross(arm, force, moment);
    for (int i = 0; i < 3; i++) {
      double rate = (8 * (turned[3][i] - turned[1][i]) - (turned[4][i] - turned[0][i])) / 12e-3;
      expect_near("(I w)'", rate, moment[i], 1e-8);
    }
    expect_near("trail", slope_of(r, DISC_S_CONTACT_X, k, 1e-3), sample(r, DISC_S_TRAIL_X, k),
                1e-8);
    expect_near("trail", slope_of(r, DISC_S_CONTACT_Z, k, 1e-3), sample(r, DISC_S_TRAIL_Z, k),
                1e-8);
  }
  omr_result_destroy(r);
}

/* m v' = m g sin(slope) - F, I_a w' = R F: v' = 2/3 g sin(slope) of a uniform disc. */
Test(rolling_disc_ideal, a_disc_rolls_down_a_slope) {
  omr_result *r = run_study(
      upright_text, OVERRIDES("parameters.plane.slope=0.3", "parameters.plane.direction=0.8",
                              "parameters.initial.heading=0.8", "integrator.duration=2 s"));
  double a = 9.81 * sin(0.3) / 1.5;
  expect_near("speed", value_of(r, "final_speed", 0), 2 * a, 1e-12);
  expect_near("spin", value_of(r, "final_spin", 0), 4 * a, 1e-12);
  expect_near("x", value_of(r, "final_x", 0), 2 * a * cos(0.8), 1e-12);
  expect_near("z", value_of(r, "final_z", 0), -2 * a * sin(0.8), 1e-12);
  expect_near("force", last(r, DISC_S_FORCE_LONG), -9.81 * sin(0.3) / 3, 1e-12);
  expect_near("normal force", last(r, DISC_S_LOAD), 9.81 * cos(0.3), 1e-12);
  omr_result_destroy(r);
}

/* Place, tilt and heading after 3 s of wobbling. */
static void wobble(const char *parameters, const char *step, double end[4]) {
  char text[1000], set_step[64];
  snprintf(set_step, sizeof set_step, "integrator.step=%s", step);
  snprintf(text, sizeof text,
           DISC "\"parameters\": {\"mass\": 1, \"radius\": 0.5, %s, \"initial\": {\"tilt\": \"60 "
                "deg\", \"heading\": 0.4,"
                "\"spin\": -5, \"precession\": 2, \"tilt_rate\": 0.8}}, \"integrator\": {\"step\": "
                "\"4 us\", \"duration\": \"3 s\"}" TRACES("3 s") "}",
           parameters);
  omr_result *r = run_study(text, OVERRIDES(set_step));
  cr_assert_eq(r->status[0], OMR_INSTANCE_OK);
  end[0] = last(r, DISC_S_X);
  end[1] = last(r, DISC_S_Z);
  end[2] = last(r, DISC_S_TILT);
  end[3] = last(r, DISC_S_HEADING);
  omr_result_destroy(r);
}

/* What slips falls in proportion to v_mu: hard contact with friction tends to rolling. */
Test(rolling_disc_ideal, penalty_contact_tends_to_rolling) {
#define PENALTY(speed)                                                                             \
  "\"ground\": {\"stiffness\": 1e7, \"damping\": 2000}, \"friction\": {\"zone\": \"linear\", "     \
  "\"lateral\": 1, \"longitudinal\": "                                                             \
  "1,"                                                                                             \
  "\"slip_speed\": " #speed "}"
  double ideal[4], wide[4], narrow[4], least[4];
  wobble("\"contact\": \"rolling\"", "1e-4", ideal);
  wobble(PENALTY(1e-3), "4e-6", wide);
  wobble(PENALTY(5e-4), "4e-6", narrow);
  wobble(PENALTY(5e-5), "1e-6", least);
  for (int i = 0; i < 4; i++) {
    expect_near("ratio", (wide[i] - ideal[i]) / (narrow[i] - ideal[i]), 2, 0.1);
    expect_near("end", least[i], ideal[i], 1e-3);
  }
}

/* rk4 keeps its order. */
Test(rolling_disc_ideal, halving_the_step_divides_the_error_by_16) {
  double exact[4], coarse[4], fine[4];
  wobble("\"contact\": \"rolling\"", "2e-4", exact);
  wobble("\"contact\": \"rolling\"", "1e-2", coarse);
  wobble("\"contact\": \"rolling\"", "5e-3", fine);
  for (int i = 0; i < 4; i++) {
    double order = log2(fabs(coarse[i] - exact[i]) / fabs(fine[i] - exact[i]));
    cr_expect(order > 3.7 && order < 4.3, "%d: %g", i, order);
  }
}
