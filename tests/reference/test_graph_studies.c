/* Ready studies of systems of their own against numbers that were not made here: closed forms of
 * the literature, and an integration of other equations (tests/long/rattleback.py). */
#include "host/reference/reference.h"
#include "host/reference/result_row.h"
#include "host/study/system/graph.h"
#include "omniroll/study.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define GRAVITY 9.81
#define PI 3.14159265358979323846

typedef struct ran {
  omr_study *study;
  omr_reference_run run;
} ran;

/* An instance of a ready study, with up to three members set otherwise. */
static ran run_study(const char *path, size_t instance, const char *one, const char *two,
                     const char *three) {
  const char *set[] = {one, two, three};
  omr_reference_options options = {.extremes = true};
  ran r = {0};
  omr_error error = {0};
  size_t count = 0;
  while (count < 3 && set[count]) count++;
  cr_assert_eq(omr_study_load(path, set, count, &r.study, &error), OMR_OK, "%s", error.message);
  const omr_part part = omr_part_of(r.study);
  options.tolerance = omr_reference_tolerance(r.study, (omr_mb_tolerance){0});
  cr_assert_eq(omr_reference_integrate(&part, instance, &options, &r.run, &error), OMR_OK, "%s",
               error.message);
  return r;
}

static double measure(const ran *r, const char *name) {
  for (int m = 0; m < r->study->graph->measures; m++)
    if (strcmp(r->study->graph->measure[m].name, name) == 0)
      return r->run.observables[OMR_OBS_GRAPH_0 + m];
  cr_assert_fail("no measure %s", name);
  return 0;
}

static void expect(const ran *r, const char *name, double value, double within) {
  cr_expect_float_eq(measure(r, name), value, within, "%s is %.15g, not %.15g", name,
                     measure(r, name), value);
}

static void end(ran *r) {
  omr_reference_run_free(&r->run);
  omr_study_destroy(r->study);
}

/* RATTLEBACK */

/* Reversals of the reduced equations of Kane and Levinson, integrated by tests/long/rattleback.py:
 * 5 rad/s turn back at 2.68464704 s, -5 rad/s at 11.45884561 s. */
Test(graph_studies, a_rattleback_turns_back_when_the_reduced_equations_say) {
  static const double reversal[] = {2.68464704, 11.45884561};
  for (size_t i = 0; i < 2; i++) {
    ran r = run_study("studies/rattleback.json", i, NULL, NULL, NULL);
    expect(&r, "reversal", reversal[i], 1e-8);
    expect(&r, "energy_error", 0, 1e-9);
    cr_expect_gt(measure(&r, "load_min"), 0);
    end(&r);
  }
}

/* TIPPE TOP */

#define ALPHA 0.3
#define GAMMA (131. / 140)
#define TILT 0.1

/* Steady states without slip of a given Jellett's constant. There the angular velocity is along
 * the line s from the contact to the centre of mass, and the energy l^2/(2 s.I s) + m g R (1 -
 * alpha z) has an extreme over z, the cosine of the tilt. The residual is its derivative, made
 * dimensionless; at z = 1 and -1 it vanishes at the limits of stability of Rauch-Wojciechowski and
 * Rutstam (SIGMA 10 (2014) 017). */
static double residual(double spin, double z) {
  const double l = cos(TILT) - ALPHA, size = (z - ALPHA) * (z - ALPHA) + GAMMA * (1 - z * z);
  return 0.4 * 0.02 * spin * spin * l * l / (GRAVITY * ALPHA) * (ALPHA + GAMMA * z - z) -
         size * size;
}

static double steady_tilt(double spin) {
  double low = -1, high = 1;
  for (int i = 0; i < 60; i++) {
    const double z = (low + high) / 2;
    *(residual(spin, z) > 0 ? &high : &low) = z;
  }
  return acos(low);
}

static ran spin_top(double spin, double duration) {
  char value[64], time[64];
  snprintf(value, sizeof value, "parameters.spin=%g rad/s", spin);
  snprintf(time, sizeof time, "integrator.duration=%g", duration);
  return run_study("studies/tippe_top.json", 0, "vary=[]", value, time);
}

/* lambda_thres = sqrt(m g R^3 I3 alpha) (1 + alpha)^2/sqrt(1 + alpha - gamma) of the paper; with
 * I3 = 2/5 m R^2 and lambda = I3 R spin (cos(tilt) - alpha). The other limit is the one of the
 * upright state: (1 - alpha)^2/sqrt(gamma + alpha - 1) in place of the last two factors. */
Test(graph_studies, limits_of_a_tippe_top_are_those_of_the_paper) {
  const double unit = sqrt(GRAVITY * ALPHA / (0.4 * 0.02)) / (cos(TILT) - ALPHA),
               over = unit * pow(1 + ALPHA, 2) / sqrt(1 + ALPHA - GAMMA),
               upright = unit * pow(1 - ALPHA, 2) / sqrt(GAMMA + ALPHA - 1);
  cr_expect_float_eq(residual(over, -1), 0, 1e-13);
  cr_expect_float_eq(residual(upright, 1), 0, 1e-13);
  cr_expect_float_eq(over, 77.27310519, 1e-8);
  cr_expect_float_eq(upright, 27.85260743, 1e-8);
}

Test(graph_studies, a_fast_tippe_top_turns_over_and_keeps_jelletts_constant) {
  static const double spins[] = {90, 155};
  for (int i = 0; i < 2; i++) {
    ran r = spin_top(spins[i], 30);
    expect(&r, "tilt_end", PI, 1e-5); /* near pi the root of the cosine's error, 1e-11 */
    expect(&r, "spin_end", spins[i] * (cos(TILT) - ALPHA) / (1 + ALPHA), 1e-9);
    expect(&r, "jellett_error", 0, 1e-10);
    expect(&r, "energy_error", 0, 1e-12);
    cr_expect_gt(measure(&r, "load_min"), 0);
    end(&r);
  }
}

Test(graph_studies, slower_tippe_tops_keep_an_angle_or_stay_upright) {
  static const double spins[] = {50, 60, 70, 75};
  for (int i = 0; i < 4; i++) {
    ran r = spin_top(spins[i], 30);
    expect(&r, "tilt_end", steady_tilt(spins[i]), 1e-5);
    end(&r);
  }
  ran r = spin_top(25, 60);
  expect(&r, "tilt_end", 0, 1e-4);
  end(&r);
}

/* Friction of any kind acts on the line from the contact to the ball's centre, so that it has no
 * moment about the line from there to the centre of mass. Tops that go on precessing, which 40 to
 * 60 rad/s make them do, gather the error of every step for all of the 30 s. */
Test(graph_studies, every_tippe_top_keeps_jelletts_constant, .timeout = 300) {
  for (size_t i = 0; i < 13; i++) {
    ran r = run_study("studies/tippe_top.json", i, NULL, NULL, NULL);
    cr_expect_lt(measure(&r, "jellett_error"), 1e-10, "instance %zu: %g", i,
                 measure(&r, "jellett_error"));
    end(&r);
  }
}

/* FREE ROLLER: R = 10 cm, R1 = R cos(45 deg), m = 0.2 kg, I = 6.62e-5 kg m2, J = 1.854e-4 kg m2 */

#define ROLLER "studies/free_roller.json"
static const double mass = 0.2, own = 6.62e-5, across = 1.854e-4, height = 0.05, speed = 2;

/* Falls for sqrt(2 h/g). The impulse of the landing, m sqrt(2 g h), allows for mu times that along
 * the plane; what is left of the slip ends by mu g m/m', with 1/m' = 1/m + r^2/I; the angular
 * momentum about the line on the plane is kept: v = (m r^2 v0 + I r w0)/(m r^2 + I). */
Test(graph_studies, a_roller_lands_slides_and_rolls_as_in_closed_form) {
  static const double spins[] = {0, 0.5, 1};
  const double r = 0.1 * (1 - cos(PI / 4)), fall = sqrt(2 * GRAVITY * height),
               share = mass * r * r / (mass * r * r + own), along = mass * (1 - share);
  for (size_t i = 0; i < 3; i++) {
    ran a = run_study(ROLLER, i, NULL, NULL, NULL);
    const double slip = speed * (1 - spins[i]), hit = fmin(slip, 0.3 * mass * fall / along);
    expect(&a, "landing", fall / GRAVITY, 1e-11);
    expect(&a, "landing_speed", -fall, 1e-11);
    expect(&a, "rolls", fall / GRAVITY + (slip - hit) * along / (0.3 * mass * GRAVITY), 1e-9);
    expect(&a, "speed_end", speed * (share + spins[i] * (1 - share)), 1e-11);
    expect(&a, "load_end", mass * GRAVITY, 1e-11);
    /* an impulse along the slip takes its mean with the slip */
    expect(&a, "lost", mass * GRAVITY * height + along * hit * (slip - hit / 2), 1e-11);
    expect(&a, "friction_work", -along * (slip - hit) * (slip - hit) / 2, 1e-11);
    expect(&a, "energy_error", 0, 1e-11);
    end(&a);
  }
}

/* Without friction a tilted roller takes the impulse at R1 sin(tilt) beside its middle: of its
 * energy is lost m'' v^2/2 with 1/m'' = 1/m + (R1 sin(tilt))^2/J. It has fallen from h to where
 * its middle is R - R1 cos(tilt) high. */
Test(graph_studies, a_tilted_roller_loses_what_its_impulse_says) {
  const double q = PI / 9, r1 = 0.1 * cos(PI / 4), fall = height - r1 * (1 - cos(q)),
               v = sqrt(2 * GRAVITY * fall), arm = r1 * sin(q);
  ran r = run_study(ROLLER, 3, "parameters.mu=0", "integrator.duration=0.1", NULL);
  expect(&r, "landing", v / GRAVITY, 1e-11);
  expect(&r, "lost", v * v / 2 / (1 / mass + arm * arm / across), 1e-11);
  end(&r);
}

Test(graph_studies, a_tilted_roller_is_never_pulled_nor_does_it_sink) {
  for (size_t i = 3; i < 6; i++) {
    ran r = run_study(ROLLER, i, NULL, NULL, NULL);
    cr_expect_gt(measure(&r, "load_min"), -1e-9);
    expect(&r, "overlap", 0, 1e-10);
    cr_expect_gt(measure(&r, "lost"), 0);
    cr_expect_lt(measure(&r, "friction_work"), 0);
    expect(&r, "energy_error", 0, 1e-9);
    end(&r);
  }
}

/* BALL BEARING: r = 5 mm, rho = 25 mm, m = 4.1 g, 6 balls, 100 rad/s */

/* Without slip on both races v = speed (rho - r)/2 and the ball turns by v/r: the ring moves as if
 * each ball were 7/5 m (rho - r)^2/4 of inertia on it. */
Test(graph_studies, balls_that_roll_have_the_ratios_of_the_handbook) {
  ran r = run_study("studies/ball_bearing_ideal.json", 0, "integrator.duration=0.02", NULL, NULL);
  const double ring = 100 + 0.02 * 0.02 / (3e-5 + 6 * 0.35 * 4.1e-3 * 0.02 * 0.02),
               around = ring * 0.4;
  expect(&r, "cage", 0, 1e-11);
  expect(&r, "spin", 0, 1e-11);
  expect(&r, "ring_end", 0, 1e-12);
  expect(&r, "load_difference", 4.1e-3 * around * around * 0.025, 1e-9);
  end(&r);
}

/* Balls run on a circle of rho + u, where the races' loads differ by m w^2 (rho + u), with w =
 * speed/2 (1 - r/(rho + u)): without slip on surfaces that overlap, but do not turn each other. */
static double outwards(double overlap, double exponent) {
  const double preload = 50;
  double u = 0;
  for (int i = 0; i < 50; i++) {
    const double w = 50 * (1 - 0.005 / (0.025 + u)), force = 4.1e-3 * w * w * (0.025 + u),
                 held = preload * (pow(1 + u / overlap, exponent) - pow(1 - u / overlap, exponent));
    u += (force - held) * overlap / (2 * exponent * preload);
  }
  return u;
}

Test(graph_studies, compliant_bearings_come_close_to_the_handbook_in_proportion_to_the_overlap) {
  static const char *const exponents[] = {"parameters.exponent=1", "parameters.exponent=1.5"};
  static const char *const overlaps[] = {"parameters.overlap=10 um", "parameters.overlap=3 um"};
  for (int i = 0; i < 4; i++) {
    const double u = outwards(i % 2 ? 3e-6 : 1e-5, i / 2 ? 1.5 : 1);
    ran r = run_study("studies/ball_bearing.json", 0, "vary=[]", exponents[i / 2], overlaps[i % 2]);
    expect(&r, "outwards", u, 1e-14);
    expect(&r, "cage", (1 - 0.005 / (0.025 + u)) / 0.8 - 1, 1e-11);
    end(&r);
  }
}

/* A ring pushed aside by e presses its balls by e cos(phi), which each shares among two contacts:
 * the sum of preload (1 + e cos(phi)/(2 overlap))^p cos(phi) holds it. Normals that turn by
 * e sin(phi)/rho make that wrong by 2 overlap/rho of it at most. */
Test(graph_studies, a_ring_pushed_aside_loads_its_balls_as_their_contacts_say) {
  static const size_t instance[] = {2, 7}; /* 1 um, linear and Hertz */
  for (int i = 0; i < 2; i++) {
    double sum = 0;
    for (int k = 0; k < 6; k++)
      sum += 50 * pow(1 + 0.1 * cos(k * PI / 3), i ? 1.5 : 1) * cos(k * PI / 3);
    ran r = run_study("studies/ball_bearing.json", instance[i], "parameters.shift=0.2 um",
                      "parameters.speed=1 rad/s", "integrator.duration=0.005");
    expect(&r, "push", sum, 2 * 1e-6 / 0.025 * sum);
    end(&r);
  }
}

/* The cage begins at rest. Friction of 50 N at each of eight contacts sets it going, with a torque
 * of at most 4 mu 50 N (rho - r), in I w/torque = 0.3 ms, in which it stays behind by half of what
 * the balls go. From then on no ball leaves its pocket, so that the cage keeps the balls' rate
 * within both plays, as an angle 2 play/rho. */
Test(graph_studies, a_cage_keeps_the_rate_of_the_balls) {
  const double start = 0.5 * 40 * (3.1e-6 * 40 / (4 * 0.1 * 50 * 0.02)), play = 5e-6 / 0.025;
  double behind[2];
  for (int i = 0; i < 2; i++) {
    ran r = run_study("studies/ball_bearing_cage.json", 0, "vary=[]", "parameters.play=5 um",
                      i ? "integrator.duration=0.04" : "integrator.duration=0.02");
    behind[i] = measure(&r, "cage_short");
    cr_expect(behind[i] > -2 * play && behind[i] < start + 2 * play, "%g", behind[i]);
    cr_expect_geq(measure(&r, "knocks"), 1);
    expect(&r, "energy_error", 0, 1e-9);
    end(&r);
  }
  cr_expect_leq(fabs(behind[1] - behind[0]), 2 * play);
}
