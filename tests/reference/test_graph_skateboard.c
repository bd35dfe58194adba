/* The study of a skateboard (studies/skateboard.json) beside the linear equation of its lean, which
 * docs/reference/multibody.md#skateboard derives: with the quasi-velocities u (forward) and gamma'
 * the axles that may not slip give the yaw rate w = u (Tf + Tr) gamma/(a + b) to the right and the
 * sideways speed v = u (b Tf - a Tr) gamma/(a + b) of the point below the rider, and the rider's
 * balance about the axis of the lean is
 *
 *   (Ix + m h^2) gamma'' + m h (v' + u w) + (k - m g h) gamma + trucks = 0,
 *   trucks = It (Tf (w' + Tf gamma'') - Tr (w' - Tr gamma'')),
 *
 * T = tan(lambda), It the inertia of a truck with rolling wheels about the vertical. */
#include "tests/skip.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>

#include <complex.h>
#include <math.h>
#include <omniroll/omniroll.h>
#include <omniroll/reference.h>

#define PI 3.14159265358979323846

typedef struct ride {
  omr_study *study;
  omr_multibody *run;
  const omr_result *result;
} ride;

enum { MEMBERS = 8 };

/* One instance of the study with members replaced, up to a NULL. */
static ride run(const char *const *replaced) {
  ride r = {0};
  omr_error error = {.message = ""};
  const omr_multibody_options options = OMR_MULTIBODY_OPTIONS_INIT;
  const char *set[MEMBERS] = {"vary=[]"};
  size_t count = 1;
  for (; replaced[count - 1]; count++) set[count] = replaced[count - 1];
  cr_assert_eq(omr_study_load("studies/skateboard.json", set, count, &r.study, &error), OMR_OK,
               "%s", error.message);
  cr_assert_eq(omr_multibody_create(r.study, &options, &r.run, &error), OMR_OK, "%s",
               error.message);
  r.result = omr_multibody_result(r.run);
  return r;
}

static void end(ride *r) {
  omr_multibody_destroy(r->run);
  omr_study_destroy(r->study);
}

static double value(const ride *r, const char *name) {
  const size_t column = omr_result_find(r->result, name);
  cr_assert_neq(column, OMR_NONE, "no column %s", name);
  return omr_result_column(r->result, column)[0];
}

/* The numbers of the study. */
static const double M = 75, H = 1, ROLL = 8, RUBBER = 370, G = 9.81, TRACK = 0.09, R = 0.03;
static const double FRONT = 50 * PI / 180, REAR = 35 * PI / 180;

typedef struct equation {
  double inertia, damping, stiffness;
} equation;

/* Heavier hangers have mass and inertia times `times`. */
static equation equation_of(double speed, double a, double b, double times) {
  const double tf = tan(FRONT), tr = tan(REAR), base = a + b;
  const double truck = 1e-3 * times + 2 * (0.1 * TRACK * TRACK + 3e-5 + 5e-5 * pow(TRACK / R, 2));
  const double turn = speed * (tf + tr) / base, side = speed * (b * tf - a * tr) / base;
  return (equation){.inertia = ROLL + M * H * H + truck * (tf * tf + tr * tr),
                    .damping = M * H * side + truck * (tf - tr) * turn,
                    .stiffness = RUBBER - M * G * H + M * H * speed * turn};
}

/* Of a kick at rest: gamma = kick (exp(s1 t) - exp(s2 t))/(s1 - s2), and gamma'. */
static double lean(const equation *e, double kick, double t, double *rate) {
  const double complex under = e->damping * e->damping - 4 * e->inertia * e->stiffness,
                       root = csqrt(under);
  const double complex s1 = (-e->damping + root) / (2 * e->inertia),
                       s2 = (-e->damping - root) / (2 * e->inertia);
  *rate = creal(kick * (s1 * cexp(s1 * t) - s2 * cexp(s2 * t)) / (s1 - s2));
  return creal(kick * (cexp(s1 * t) - cexp(s2 * t)) / (s1 - s2));
}

/* Below the critical speed, above it, far above it, with the rider behind the middle, where what is
 * above the critical speed grows too, and with trucks of ten times the mass. A kick of 1e-5 rad/s:
 * what the linear equation leaves out is of the order of the squared lean, at most 1e-8. */
Test(graph_skateboard, a_small_lean_is_that_of_the_linear_equation) {
  static const struct {
    const char *set[6];
    double speed, a, b, times;
  } cases[] = {
      {{"parameters.speed=1.2 m/s"}, 1.2, 0.32, 0.48, 1},
      {{"parameters.speed=1.6 m/s"}, 1.6, 0.32, 0.48, 1},
      {{"parameters.speed=3 m/s"}, 3, 0.32, 0.48, 1},
      {{"parameters.speed=3 m/s", "parameters.a=0.56 m", "parameters.b=0.24 m"}, 3, 0.56, 0.24, 1},
      {{"parameters.speed=1.6 m/s", "system.classes.truck.bodies.hanger.mass=4 kg",
        "system.classes.truck.bodies.hanger.inertia=[1e-2, 1e-2, 1e-3]"},
       1.6,
       0.32,
       0.48,
       10}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const char *set[MEMBERS] = {"parameters.kick=1e-5 rad/s", "integrator.duration=4 s"};
    for (size_t i = 0; cases[c].set[i]; i++) set[i + 2] = cases[c].set[i];
    ride r = run(set);
    const equation e = equation_of(cases[c].speed, cases[c].a, cases[c].b, cases[c].times);
    size_t count, wheels;
    const double *found = omr_result_trajectory(
        r.result, omr_result_find_quantity(r.result, "lean"), &count, &wheels);
    double worst = 0, most = 0, rate;
    cr_assert_eq(count, 201);
    for (size_t i = 0; i < count; i++) {
      const double expected = lean(&e, 1e-5, 0.02 * (double)i, &rate);
      worst = fmax(worst, fabs(found[i] - expected));
      most = fmax(most, fabs(expected));
    }
    cr_log_info("case %zu: lean up to %.3g rad, within %.2g of it", c, most, worst / most);
    cr_expect_lt(worst, 1e-5 * most, "case %zu: %.3g of %.3g rad", c, worst, most);
    cr_expect_lt(value(&r, "drift_final"), 1e-9);
    end(&r);
  }
}

static double critical_speed(void) {
  return sqrt((M * G * H - RUBBER) * 0.8 / (M * H * (tan(FRONT) + tan(REAR))));
}

/* Growth of the lean 0.1 % below and above u_c = sqrt((m g h - k)(a + b)/(m h (Tf + Tr))); trucks
 * of any mass have the same u_c. */
Test(graph_skateboard, the_critical_speed_parts_growing_leans_from_others) {
  static const char *const hangers[] = {"system.classes.truck.bodies.hanger.mass=0.4 kg",
                                        "system.classes.truck.bodies.hanger.mass=4 kg"};
  for (int i = short_form() ? 2 : 0; i < 4; i++) { /* heavy hangers alone */
    char speed[64];
    const double part = i % 2 ? 1.001 : 0.999;
    snprintf(speed, sizeof speed, "parameters.speed=%.12g m/s", part * critical_speed());
    ride r = run((const char *[]){speed, hangers[i / 2], NULL});
    const equation e = equation_of(part * critical_speed(), 0.32, 0.48, 1);
    double rate;
    const double angle = lean(&e, 2e-5, 12, &rate);
    cr_log_info("%s: grows by %.4g/s, expected %.4g", speed, value(&r, "growth"), rate / angle);
    cr_expect_eq(value(&r, "growth") > 0, i % 2 == 0);
    cr_expect_float_eq(value(&r, "growth"), rate / angle, 1e-4);
    end(&r);
  }
}

/* Steering of an axle that stays parallel to the floor: tan(delta) = tan(lambda) sin(lean), far
 * from upright too. */
Test(graph_skateboard, pivots_steer_as_the_papers_say) {
  ride r = run((const char *[]){"parameters.kick=0.3 rad/s", "integrator.duration=0.8 s", NULL});
  size_t count, wheels;
  const double *angle = omr_result_trajectory(r.result, omr_result_find_quantity(r.result, "lean"),
                                              &count, &wheels),
               *steering = omr_result_trajectory(
                   r.result, omr_result_find_quantity(r.result, "front_steering"), &count, &wheels);
  for (size_t i = 0; i < count; i++)
    cr_expect_float_eq(tan(steering[i]), tan(FRONT) * sin(angle[i]), 1e-9);
  cr_expect_gt(fabs(angle[count - 1]), 0.1, "lean %g", angle[count - 1]);
  end(&r);
}
