/* Motions of rolling_disc: steady circles, Euler's disc, wobbling against the classical equations
 * of the rolling disc, free flight, bounces, slopes, rolling friction, anisotropic sliding. The
 * right-hand side alone: test_rolling_disc.c. */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/motion.h"

#include "kernels/small/small_layout.h"

#define PI 3.14159265358979323846
#define DISC "{\"model\": \"rolling_disc\", \"engine\": {\"backend\": \"openmp\"}, "
/* A disc of 1 kg and 0.5 m: I_a = 0.125, I_d = 0.0625 kg m2. */
#define UNIFORM "\"mass\": 1, \"radius\": 0.5"
#define TRACES ", \"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"0.1 s\"}}"

static double sample(const omr_result *r, int kind, size_t at) {
  return r->small_samples[kind][at];
}

static double last(const omr_result *r, int kind) {
  return sample(r, kind, r->sample_count - 1);
}

static void expect_near(const char *what, double value, double expected, double tolerance) {
  cr_expect_lt(fabs(value - expected), tolerance, "%s is %.12g, not %.12g: off by %.3g", what,
               value, expected, value - expected);
}

/* (I_a + m R^2) Omega w3 sin a - I_d Omega^2 sin a cos a + m g R cos a = 0 of the steadily rolling
 * disc, for its spin w3. */
static double steady_spin(double tilt, double precession) {
  double s = sin(tilt), c = cos(tilt);
  return (0.0625 * precession * precession * s * c - 9.81 * 0.5 * c) / (0.375 * precession * s);
}

static const char circle_text[] = DISC
    "\"parameters\": {" UNIFORM
    ", \"ground\": {\"stiffness\": 1e6, \"damping\": 500}, \"friction\": {\"zone\": \"linear\","
    "\"slip_speed\": 1e-3}, \"initial\": {\"tilt\": \"60 deg\", \"spin\": -3.6092040938, "
    "\"precession\": 2}},"
    "\"integrator\": {\"step\": \"10 us\", \"duration\": \"3.1 s\"}" TRACES "}";

/* How far the centre goes from the circle of radius R |w3|/Omega that it starts on, heading -x, and
 * how much spin it loses. */
typedef struct deviation {
  double radius, spin;
} deviation;

static deviation circle(const char *slip_speed, const char *step) {
  char set_speed[64], set_step[64];
  snprintf(set_speed, sizeof set_speed, "parameters.friction.slip_speed=%s", slip_speed);
  snprintf(set_step, sizeof set_step, "integrator.step=%s", step);
  omr_result *r = run_study(circle_text, OVERRIDES(set_speed, set_step));
  deviation off = {0, last(r, DISC_S_SPIN) + 3.6092040938};
  for (size_t s = 0; s < r->sample_count; s++) {
    double radius = hypot(sample(r, DISC_S_X, s), sample(r, DISC_S_Z, s) - 0.9023010235);
    off.radius = fmax(off.radius, fabs(radius - 0.9023010235));
  }
  expect_near("normal force", last(r, DISC_S_LOAD), 9.81, 1e-2);
  expect_near("precession", last(r, DISC_S_PRECESSION), 2, 5 * atof(slip_speed));
  expect_near("tilt", last(r, DISC_S_TILT), PI / 3, atof(slip_speed));
  /* friction F = m Omega^2 radius needs the slip v_mu F/(mu N), at which it loses F v in every
   * second */
  double force = 4 * 0.9023010235, lost = force * atof(slip_speed) * force / (0.5 * 9.81) * 3.1;
  expect_near("lost", value_of(r, "dissipated_energy", 0) / lost, 1, 0.01);
  omr_result_destroy(r);
  return off;
}

/* R = 0.5 m, tilt 60 deg, Omega = 2/s: w3 = -3.6092040938/s, the circle has 0.9023010235 m. What
 * friction needs of slip leads away from it in proportion to v_mu; the contact spring only lowers
 * the disc. */
Test(rolling_motion, a_steady_circle_is_left_in_proportion_to_the_slip_speed) {
  expect_near("w3", steady_spin(PI / 3, 2), -3.6092040938, 1e-10);
  expect_near("radius", 0.5 * -steady_spin(PI / 3, 2) / 2, 0.9023010235, 1e-10);
  deviation wide = circle("2e-3", "20e-6"), middle = circle("1e-3", "20e-6"),
            narrow = circle("5e-4", "10e-6");
  expect_near("ratio", wide.radius / middle.radius, 2, 0.05);
  expect_near("ratio", middle.radius / narrow.radius, 2, 0.05);
  expect_near("ratio", wide.spin / middle.spin, 2, 0.05);
  expect_near("ratio", middle.spin / narrow.spin, 2, 0.05);
  deviation close = circle("5e-5", "2e-6");
  cr_expect_lt(close.radius, 2e-4);
  cr_expect_lt(fabs(close.spin), 3e-4);
}

/* Euler's disc: the centre rests where Omega^2 = 4 g/(R sin a), and the disc turns without spin. */
Test(rolling_motion, the_centre_of_eulers_disc_rests) {
  char spin[64];
  double precession = sqrt(4 * 9.81 / (0.5 * sin(PI / 6)));
  expect_near("w3", steady_spin(PI / 6, precession), 0, 1e-12);
  snprintf(spin, sizeof spin, "parameters.initial.precession=%.17g", precession);
  static const char text[] = DISC
      "\"parameters\": {" UNIFORM
      ", \"ground\": {\"stiffness\": 1e6, \"damping\": 500}, \"friction\": {\"slip_speed\": 1e-3,"
      "\"zone\": \"linear\"}, \"initial\": {\"tilt\": \"30 deg\"}}, \"integrator\": {\"step\": "
      "\"10 "
      "us\", \"duration\": \"1 s\"}" TRACES "}";
  omr_result *r = run_study(text, OVERRIDES(spin));
  cr_expect_lt(value_of(r, "max_speed", 0), 1e-8);
  expect_near("tilt", value_of(r, "final_tilt", 0), PI / 6, 1e-8);
  expect_near("contact", hypot(last(r, DISC_S_CONTACT_X), last(r, DISC_S_CONTACT_Z)),
              0.5 * cos(PI / 6), 1e-8);
  expect_near("trail", hypot(last(r, DISC_S_TRAIL_X), last(r, DISC_S_TRAIL_Z)),
              0.5 * cos(PI / 6) * precession, 1e-7);
  expect_near("heading", remainder(last(r, DISC_S_HEADING) - precession, 2 * PI), 0, 1e-7);
  omr_result_destroy(r);
}

/* Disc of 1 kg and 0.5 m that rolls without slip, in the axes w1, w2, w3 of source 4 that follow
 * its tilt and heading but not its spin: w = omega.w1, b = omega.w2 = -tilt', d = omega.w3 =
 * -heading' sin(tilt), a = heading' cos(tilt) turns the axes about w1. From L' = R w3 x m (v' + g
 * n), v = R (w w2 - b w1), L = (I_a w, I_d b, I_d d). */
typedef struct classical {
  double tilt, heading, w, b, d, x, z;
} classical;

static classical classical_rates(classical q) {
  double s = sin(q.tilt), c = cos(q.tilt), axial = 0.125, diametral = 0.0625, m_r2 = 0.25,
         heading = -q.d / s, a = heading * c;
  double gyro = axial * q.w - diametral * a, along = 0.5 * q.w,
         level = -0.5 * q.b * s; /* velocity along w2 and w_lat */
  return (classical){.tilt = -q.b,
                     .heading = heading,
                     .w = m_r2 * q.d * q.b / (axial + m_r2),
                     .b = (-q.d * gyro - m_r2 * q.d * q.w + 9.81 * 0.5 * c) / (diametral + m_r2),
                     .d = q.b * gyro / diametral,
                     .x = along * cos(q.heading) - level * sin(q.heading),
                     .z = -along * sin(q.heading) - level * cos(q.heading)};
}

static classical along(classical q, double h, classical rate) {
  double *to = (double *)&q, *by = (double *)&rate;
  for (int i = 0; i < 7; i++) to[i] += h * by[i];
  return q;
}

static classical classical_motion(classical q, double time, int steps) {
  double h = time / steps;
  for (int i = 0; i < steps; i++) {
    classical k1 = classical_rates(q), k2 = classical_rates(along(q, h / 2, k1)),
              k3 = classical_rates(along(q, h / 2, k2));
    classical k4 = classical_rates(along(q, h, k3));
    q = along(along(along(along(q, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  return q;
}

static const char wobble_text[] = DISC
    "\"parameters\": {" UNIFORM
    ", \"ground\": {\"stiffness\": 1e7, \"damping\": 2000}, \"friction\": {\"zone\": \"linear\","
    "\"slip_speed\": 1e-3, \"lateral\": 1, \"longitudinal\": 1}, \"initial\": {\"tilt\": \"60 "
    "deg\", \"heading\": 0.4,"
    "\"spin\": -5, \"precession\": 2, \"tilt_rate\": 0.8}}, \"integrator\": {\"step\": \"4 us\", "
    "\"duration\": \"3 s\"}" TRACES "}";

/* Deviation from the classical motion at 3 s: position of the centre, tilt, heading. */
static void wobble(const char *const *overrides, double off[4]) {
  double s = sin(PI / 3);
  classical q = {.tilt = PI / 3, .heading = 0.4, .w = -5, .b = -0.8, .d = -2 * s};
  classical coarse = classical_motion(q, 3, 15000);
  q = classical_motion(q, 3, 30000);
  expect_near("classical x", coarse.x, q.x, 1e-11); /* its own error does not count */
  omr_result *r = run_study(wobble_text, overrides);
  off[0] = last(r, DISC_S_X) - q.x;
  off[1] = last(r, DISC_S_Z) - q.z;
  off[2] = last(r, DISC_S_TILT) - q.tilt;
  off[3] = remainder(last(r, DISC_S_HEADING) - q.heading, 2 * PI);
  double low = 9, high = 0;
  for (size_t k = 0; k < r->sample_count; k++) {
    low = fmin(low, sample(r, DISC_S_TILT, k));
    high = fmax(high, sample(r, DISC_S_TILT, k));
  }
  cr_expect_gt(high - low, 0.2, "the tilt wobbles by %g only", high - low);
  cr_expect_eq(value_of(r, "air_time", 0), 0);
  omr_result_destroy(r);
}

Test(rolling_motion, wobbling_tends_to_the_classical_rolling_disc) {
  double wide[4], middle[4], narrow[4];
  wobble(OVERRIDES("parameters.friction.slip_speed=1e-3"), wide);
  wobble(OVERRIDES("parameters.friction.slip_speed=5e-4"), middle);
  wobble(OVERRIDES("parameters.friction.slip_speed=5e-5", "integrator.step=1e-6"), narrow);
  for (int i = 0; i < 4; i++) {
    expect_near("ratio", wide[i] / middle[i], 2, 0.1);
    cr_expect_lt(fabs(narrow[i]), 1e-3, "%d: %g", i, narrow[i]);
  }
}

/* What a compliant contact adds falls as 1/k_c: differences between stiffnesses halve when they
 * double. */
Test(rolling_motion, the_influence_of_the_stiffness_falls_as_its_inverse) {
  double soft[4], middle[4], stiff[4];
  wobble(OVERRIDES("parameters.ground.stiffness=1e6", "parameters.ground.damping=2000"), soft);
  wobble(OVERRIDES("parameters.ground.stiffness=2e6", "parameters.ground.damping=2000"), middle);
  wobble(OVERRIDES("parameters.ground.stiffness=4e6", "parameters.ground.damping=2000"), stiff);
  double first =
      hypot(soft[0] - middle[0], soft[1] - middle[1]); /* the centre moves mostly along z here */
  double second = hypot(middle[0] - stiff[0], middle[1] - stiff[1]);
  expect_near("ratio of positions", first / second, 2, 0.1);
  for (int i = 2; i < 4; i++)
    expect_near("ratio", (soft[i] - middle[i]) / (middle[i] - stiff[i]), 2, 0.1);
}

/* Without contact: a parabola; L stays; the axis of a symmetric body turns about L at |L|/I_d. */
Test(rolling_motion, in_flight_the_disc_is_eulers_symmetric_top) {
  static const char text[] =
      DISC "\"parameters\": {" UNIFORM
           ", \"axial_inertia\": 0.1, \"diametral_inertia\": 0.08, \"plane\": {\"slope\": 0.3,"
           "\"direction\": 0.7}, \"initial\": {\"height\": 100, \"tilt\": 1.1, \"heading\": 0.4, "
           "\"spin\": 7, \"precession\": 3,"
           "\"tilt_rate\": -2, \"velocity\": {\"x\": 1, \"y\": 2, \"z\": -3}}},"
           "\"integrator\": {\"step\": \"0.5 ms\", \"duration\": \"4 s\"}" TRACES "}";
  omr_result *r = run_study(text, NULL);
  size_t end = r->sample_count - 1;
  double w1[3], l[3], turned[3], size = 0, along_l = 0;
  for (int i = 0; i < 3; i++) {
    double spin = 7 * sample(r, DISC_S_AXIS_X + i, 0);
    w1[i] = sample(r, DISC_S_AXIS_X + i, 0);
    l[i] = 0.1 * spin + 0.08 * (sample(r, DISC_S_RATE_X + i, 0) - spin);
    size += l[i] * l[i];
  }
  size = sqrt(size);
  for (int i = 0; i < 3; i++) along_l += w1[i] * l[i] / size;
  double angle = size / 0.08 * 4, c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++) { /* Rodrigues */
    int j = (i + 1) % 3, k = (i + 2) % 3;
    turned[i] =
        c * w1[i] + s * (l[j] * w1[k] - l[k] * w1[j]) / size + (1 - c) * along_l * l[i] / size;
    double spin = last(r, DISC_S_SPIN) * last(r, DISC_S_AXIS_X + i),
           omega = last(r, DISC_S_RATE_X + i);
    expect_near("axis", last(r, DISC_S_AXIS_X + i), turned[i], 1e-9);
    expect_near("L", 0.1 * spin + 0.08 * (omega - spin), l[i], 1e-13);
  }
  expect_near("spin", last(r, DISC_S_SPIN), 7, 1e-8);
  double norm = 0;
  for (int i = 0; i < 4; i++) norm += pow(sample(r, DISC_S_QW + i, end), 2);
  expect_near("|q|", norm, 1, 4e-16);
  expect_near("height", value_of(r, "final_height", 0), 100 + 2 * 4 - 9.81 * cos(0.3) * 8, 1e-11);
  expect_near("x", value_of(r, "final_x", 0), 4 + 9.81 * sin(0.3) * cos(0.7) * 8, 1e-11);
  expect_near("z", value_of(r, "final_z", 0), -12 - 9.81 * sin(0.3) * sin(0.7) * 8, 1e-11);
  expect_near("energy", last(r, DISC_S_ENERGY), sample(r, DISC_S_ENERGY, 0), 1e-8);
  expect_near("air_time", value_of(r, "air_time", 0), 4, 1e-12);
  cr_expect_eq(value_of(r, "max_load", 0), 0);
  omr_result_destroy(r);
}

/* Upright in contact: m y'' = -m g - k (y - R) - d y'. */
Test(rolling_motion, a_disc_that_stands_is_a_damped_oscillator) {
  static const char text[] = DISC
      "\"parameters\": {" UNIFORM
      ", \"ground\": {\"stiffness\": 1e3, \"damping\": 4}, \"initial\": {"
      "\"height\": 0.4952}}, \"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"0.7 s\"}" TRACES
      "}";
  omr_result *r = run_study(text, NULL);
  double rest = 0.5 - 9.81e-3, from = 0.4952 - rest, decay = 2, rate = sqrt(1e3 - 4), most = 0;
  for (size_t s = 0; s < r->sample_count; s++) {
    double t = 0.1 * (double)s,
           y = rest + from * exp(-decay * t) * (cos(rate * t) + decay / rate * sin(rate * t));
    expect_near("height", sample(r, DISC_S_Y, s), y, 1e-10);
    most = fmax(most, sample(r, DISC_S_GAP, s));
  }
  expect_near("energy_error", value_of(r, "energy_error", 0), 0, 1e-10);
  cr_expect_lt(value_of(r, "max_gap", 0), 0);
  cr_expect_eq(value_of(r, "lift_offs", 0), 0);
  omr_result_destroy(r);
}

/* Dropped from 5 cm on a spring without damping: it comes back to 5 cm. One bounce takes 2 sqrt(2
 * h/g) of flight; contact lasts (2/w) (pi - atan(w v/g)) with w = sqrt(k/m), v = sqrt(2 g h), from
 * y'' = -g - w^2 y, y' = -v. */
Test(rolling_motion, a_disc_bounces_to_where_it_came_from) {
  static const char text[] =
      DISC "\"parameters\": {" UNIFORM
           ", \"ground\": {\"stiffness\": 1e5, \"damping\": 0}, \"initial\": {\"height\": 0.55}},"
           "\"integrator\": {\"step\": \"5 us\", \"duration\": \"1 s\"}}";
  omr_result *r = run_study(text, NULL);
  double speed = sqrt(2 * 9.81 * 0.05), fall = speed / 9.81, w = sqrt(1e5),
         contact = 2 / w * (PI - atan(w * speed / 9.81));
  double period = 2 * fall + contact, whole = floor((1 - fall) / period),
         rest = 1 - fall - whole * period;
  cr_assert(rest > contact && rest < period);
  expect_near("lift_offs", value_of(r, "lift_offs", 0), whole + 1, 0.5);
  expect_near("air_time", value_of(r, "air_time", 0), 1 - (whole + 1) * contact, 1e-4);
  expect_near("max_gap", value_of(r, "max_gap", 0), 0.05, 1e-12);
  expect_near("max_load", value_of(r, "max_load", 0),
              9.81 + sqrt(9.81 * 9.81 + 1e5 * speed * speed), 1e-2);
  expect_near("max_speed", value_of(r, "max_speed", 0), speed,
              2e-3); /* + g/w passing the place of rest */
  expect_near("energy_error", value_of(r, "energy_error", 0), 0, 1e-5);
  double since = rest - contact, height = 0.5 + speed * since - 9.81 / 2 * since * since;
  expect_near("height", value_of(r, "final_height", 0), height, 1e-4);
  omr_result_destroy(r);
}

/* Exudyn 1.13.6 ends this motion at x = 1.256035 m, y = 0.299040 m (trapezoidal rule, steps of 10
 * us; 1.2e-5 m from that at 20 us: tests/long/exudyn_discs.py, which has the script of it). Where
 * its damper pulls, friction goes by |N|; with N the disc is driven. */
Test(rolling_motion, a_spinning_disc_bounces_as_in_exudyn) {
  static const char text[] =
      DISC "\"parameters\": {\"mass\": 2, \"radius\": 0.3, \"axial_inertia\": 0.09, "
           "\"diametral_inertia\": 0.05, \"ground\": {"
           "\"stiffness\": 2e4, \"damping\": 40, \"pull\": \"exudyn\"}, \"friction\": "
           "{\"longitudinal\": 0.2,"
           "\"longitudinal_viscous\": 0.02, \"slip_speed\": 0.05}, \"initial\": {\"height\": 0.35, "
           "\"spin\": 20, \"velocity\": {"
           "\"x\": 0}}}, \"integrator\": {\"step\": \"5 us\", \"duration\": \"1 s\"}}";
  omr_result *r = run_study(text, NULL);
  expect_near("x", value_of(r, "final_x", 0), 1.256035, 2e-5);
  expect_near("height", value_of(r, "final_height", 0), 0.299040, 2e-6);
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("parameters.ground.pull=allowed"));
  expect_near("x", value_of(r, "final_x", 0), 1.247811, 2e-5);
  omr_result_destroy(r);
}

/* Straight down a slope: m v' = m g sin - F, I_a w' = R F, and the slip that F/N = tan/3 needs in
 * the linear zone. */
Test(rolling_motion, a_disc_rolls_down_a_slope) {
  static const char text[] =
      DISC "\"parameters\": {" UNIFORM
           ", \"plane\": {\"slope\": 0.3, \"direction\": 0.8}, \"ground\": {\"stiffness\": 1e5,"
           "\"damping\": 100}, \"friction\": {\"slip_speed\": 0.01, \"zone\": \"linear\"}, "
           "\"initial\": {\"heading\": 0.8}},"
           "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"2 s\"}}";
  omr_result *r = run_study(text, NULL);
  double a = 9.81 * sin(0.3) / 1.5, slip = 0.01 * tan(0.3) / 3 / 0.5;
  double way = hypot(value_of(r, "final_x", 0), value_of(r, "final_z", 0));
  expect_near("speed", value_of(r, "final_speed", 0), 2 * a + slip / 3, 1e-8);
  expect_near("spin", value_of(r, "final_spin", 0), (2 * a - slip * 2 / 3) / 0.5, 1e-8);
  expect_near("direction", atan2(-value_of(r, "final_z", 0), value_of(r, "final_x", 0)), 0.8, 1e-8);
  expect_near("way", way, 2 * a + 2 * slip / 3, slip * 0.01);
  expect_near("max_slip", value_of(r, "max_slip", 0), slip, 1e-8);
  omr_result_destroy(r);
}

#define LOCKED UNIFORM ", \"axial_inertia\": 1e12, \"diametral_inertia\": 1e12"

/* A disc that cannot turn is a block: v' = g (sin - (mu + d v) cos) while it slides. */
Test(rolling_motion, a_locked_disc_slides_down_a_slope) {
  static const char text[] =
      DISC "\"parameters\": {" LOCKED
           ", \"plane\": {\"slope\": 0.6}, \"friction\": {\"longitudinal\": 0.3},"
           "\"ground\": {\"stiffness\": 1e5, \"damping\": 100}, \"initial\": {\"velocity\": "
           "{\"x\": 0.5}}},"
           "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"2 s\"}}";
  omr_result *r = run_study(text, NULL);
  double a = 9.81 * (sin(0.6) - 0.3 * cos(0.6));
  expect_near("speed", value_of(r, "final_speed", 0), 0.5 + 2 * a, 1e-9);
  expect_near("way", value_of(r, "final_x", 0), 1 + 2 * a, 1e-9);
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("parameters.friction.longitudinal_viscous=0.2"));
  double rate = 9.81 * cos(0.6) * 0.2, v = a / rate + (0.5 - a / rate) * exp(-2 * rate);
  expect_near("speed", value_of(r, "final_speed", 0), v, 1e-9);
  omr_result_destroy(r);
}

/* (m + I_a/R^2) v' = -mu_r m g v where the disc rolls, so v = v0 exp(-mu_r g t/(1 + I_a/(m R^2)));
 * slip leaves v_mu to first order. */
Test(rolling_motion, rolling_friction_slows_the_disc_exponentially) {
  static const char text[] =
      DISC "\"parameters\": {" UNIFORM
           ", \"ground\": {\"stiffness\": 1e5, \"damping\": 100}, \"friction\": {\"rolling\": 0.05,"
           "\"zone\": \"linear\", \"slip_speed\": 0.01}, \"initial\": {\"spin\": 6}},"
           "\"integrator\": {\"step\": \"20 us\", \"duration\": \"1.5 s\"}}";
  double error[2];
  for (int i = 0; i < 2; i++) {
    omr_result *r = run_study(text, OVERRIDES(i ? "parameters.friction.slip_speed=0.001"
                                                : "parameters.friction.slip_speed=0.002"));
    double v = 3 * exp(-0.05 * 9.81 * 1.5 / 1.5);
    error[i] = value_of(r, "final_speed", 0) - v;
    expect_near("lost", value_of(r, "dissipated_energy", 0), 0.75 * (9 - v * v), 2e-3);
    expect_near("energy_error", value_of(r, "energy_error", 0), 0, 1e-9);
    omr_result_destroy(r);
  }
  cr_expect_lt(fabs(error[1]), 2e-4);
  expect_near("ratio", error[0] / error[1], 2, 0.02);
}

/* mu_x acts along T (1, 0) = (cos, -sin) in (w_lat, w2), mu_y along T (0, 1) = (sin, cos): a block
 * thrown along one of them goes straight on and slows with that coefficient. At heading 0 w_lat =
 * -z and w2 = x. */
Test(rolling_motion, anisotropic_friction_has_the_directions_of_its_angle) {
  static const char text[] =
      DISC "\"parameters\": {" LOCKED
           ", \"friction\": {\"lateral\": 0.1, \"longitudinal\": 0.4, \"angle\": \"25 deg\"},"
           "\"ground\": {\"stiffness\": 1e5, \"damping\": 100}}, \"integrator\": {\"step\": \"0.2 "
           "ms\", \"duration\": \"0.5 s\"}}";
  double c = cos(25 * PI / 180), s = sin(25 * PI / 180);
  for (int y = 0; y < 2; y++) {
    double lat = y ? s : c, lon = y ? c : -s, mu = y ? 0.4 : 0.1;
    char vx[80], vz[80];
    snprintf(vx, sizeof vx, "parameters.initial.velocity.x=%.17g", 3 * lon);
    snprintf(vz, sizeof vz, "parameters.initial.velocity.z=%.17g", -3 * lat);
    omr_result *r = run_study(text, OVERRIDES(vx, vz));
    double way = 3 * 0.5 - mu * 9.81 * 0.125;
    expect_near("x", value_of(r, "final_x", 0), way * lon, 1e-10);
    expect_near("z", value_of(r, "final_z", 0), -way * lat, 1e-10);
    omr_result_destroy(r);
  }
}

/* While the contact lasts and the slip stays within the linear zone, all is smooth. */
static double end_at_step(const char *step) {
  char set_step[64];
  snprintf(set_step, sizeof set_step, "integrator.step=%s", step);
  static const char text[] =
      DISC "\"parameters\": {" UNIFORM
           ", \"plane\": {\"slope\": 0.05}, \"ground\": {\"stiffness\": 2e3, \"damping\": 10},"
           "\"friction\": {\"zone\": \"linear\", \"slip_speed\": 2}, \"initial\": {\"tilt\": 1.2, "
           "\"spin\": 5, \"precession\": -1.5,"
           "\"tilt_rate\": 0.1}}, \"integrator\": {\"step\": 1e-3, \"duration\": 1}}";
  omr_result *r = run_study(text, OVERRIDES(set_step));
  cr_assert_eq(value_of(r, "air_time", 0), 0);
  cr_assert_lt(value_of(r, "max_slip", 0), 2);
  double x = value_of(r, "final_x", 0);
  omr_result_destroy(r);
  return x;
}

Test(rolling_motion, halving_the_step_divides_the_error_by_16) {
  double exact = end_at_step("1e-4"), coarse = fabs(end_at_step("4e-3") - exact),
         fine = fabs(end_at_step("2e-3") - exact);
  double order = log2(coarse / fine);
  cr_expect(order > 3.7 && order < 4.3, "errors %g and %g: order %g", coarse, fine, order);
}

/* A coin that falls over: the sine of its tilt passes sin(fall_tilt) and then 0.01, where the model
 * ends. */
Test(rolling_motion, a_disc_that_falls_flat_leaves_the_model) {
  static const char text[] =
      DISC "\"parameters\": {" UNIFORM
           ", \"ground\": {\"stiffness\": 1e5, \"damping\": 100}, \"fall_tilt\": \"20 deg\","
           "\"initial\": {\"tilt\": \"80 deg\"}}, \"integrator\": {\"step\": \"20 us\", "
           "\"duration\": \"5 s\"}" TRACES "}";
  omr_result *r = run_study(text, NULL);
  cr_expect_eq(r->status[0], OMR_INSTANCE_OUTSIDE);
  double tilt = value_of(r, "final_tilt", 0), fall = value_of(r, "fall_time", 0),
         end = r->status_time[0];
  cr_expect(tilt < 0.01 && tilt > 0.009, "%g", tilt);
  cr_expect(fall > 0.3 && fall < end && end < 2, "falls at %g, ends at %g", fall, end);
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("parameters.initial.tilt=100 deg")); /* the other way */
  expect_near("tilt", value_of(r, "final_tilt", 0), PI - tilt, 1e-9);
  expect_near("fall_time", value_of(r, "fall_time", 0), fall, 1e-9);
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("parameters.initial.tilt=90 deg"));
  cr_expect(isnan(value_of(r, "fall_time", 0)) && r->status[0] == OMR_INSTANCE_OK,
            "upright without a push");
  omr_result_destroy(r);
}

Test(rolling_motion, too_long_a_step_is_named) {
  static const char text[] = DISC "\"integrator\": {\"step\": \"5 ms\", \"duration\": \"1 s\"}}";
  omr_error error = {0};
  omr_study *study;
  cr_assert_eq(omr_study_parse(text, "test", NULL, 0, &study, &error), OMR_OK, "%s", error.message);
  char log[OMR_WARNINGS];
  cr_assert_eq(omr_judge_stability(study, log, sizeof log, &error), OMR_OK);
  cr_expect_not_null(strstr(log, "0.568 ms"), "%s",
                     log); /* 2.785/(2/0.01 9.81 5 0.5) s: v_mu, R^2 m/I_d = 4, mu = 0.5 */
  omr_study_destroy(study);
}
