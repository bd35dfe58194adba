/* The loop that follows a path of points: closed forms of its laws on a line and on a circle, its
 * way from rest to rest (appendix/drives.md#drives). */
#include "result/result.h"
#include "shared/motion.h"

#include "host/study/study.h"

/* Rollers that are not inclined roll as ideal ones do; wheels that follow what they are asked for
 * within 2 ms. */
#define FOLLOWS                                                                                    \
  "parameters.contact.law=ideal_rolling", "parameters.wheel.inclination=0",                        \
      "parameters.platform.center_of_mass.height=0.02", "parameters.wheels=[{},{},{}]",            \
      "parameters.wheel.drive={\"type\":\"body\",\"kp\":30,\"ki\":300}",                           \
      "parameters.controller_period=\"1 ms\""
#define LIMIT "\"wheel_limit\":{\"acceleration\":40}" /* corners lift no wheel */
#define LINE "[[0,0],[20,0]]"

typedef struct drive {
  const char *points, *loop; /* JSON of the points; members of the command after them */
  double z, duration, interval;
} drive;

static omr_result *run_path(const drive *d) {
  char command[12000], start[100], time[60], output[200];
  snprintf(command, sizeof command, "parameters.command={\"type\":\"path\",\"points\":%s,%s}",
           d->points, d->loop);
  snprintf(start, sizeof start, "parameters.initial={\"z\":%.17g}", d->z);
  snprintf(time, sizeof time, "integrator.duration=%g", d->duration);
  snprintf(output, sizeof output,
           "output={\"observables\":[\"path_error\",\"max_path_error\",\"path_time\",\"final_x\","
           "\"final_vx\"],\"trajectories\":{\"instances\":[0],\"interval\":%g}}",
           d->interval);
  return run_study(vehicle_text, OVERRIDES(FOLLOWS, command, start, time, output));
}

static double at(const omr_result *r, int column, size_t n) {
  return r->vehicle_samples[column][n];
}

/* ---- across a line */

/* A vehicle that moves as it is asked obeys e[n+1] = e[n] - T u[n], u[n] = k e[n] + k_i T sum e,
 * from sample to sample. Returns whether |e| has grown; z points to the right, and e to the left.
 */
static bool expect_recursion(double gain, double integral) {
  enum { SAMPLES = 16 };
  const double period = 0.5, start = 0.001;
  char loop[240];
  snprintf(loop, sizeof loop,
           "\"law\":\"cross_track\",\"motion\":\"translate\",\"period\":%g,\"speed\":0.3,"
           "\"acceleration\":0.08,\"gain\":%g,\"integral_gain\":%g",
           period, gain, integral);
  omr_result *r = run_path(&(drive){LINE, loop, -start, SAMPLES * period, period});
  double error = start, sum = 0, size = 0;
  for (size_t n = 0; n <= SAMPLES; n++) {
    const double found = -at(r, OMR_VS_Z, n);
    size = fmax(size, fabs(found));
    cr_expect_float_eq(found, error, 0.01 * size, "gains %g, %g, sample %zu: %g, %g", gain,
                       integral, n, found, error);
    sum += found;
    error = found - period * (gain * found + integral * period * sum);
  }
  omr_result_destroy(r);
  return size > 1.5 * start;
}

Test(path, the_distance_obeys_the_recursion_of_the_sampled_loop) {
  cr_expect(!expect_recursion(0.4, 0));
  cr_expect(!expect_recursion(1.4, 0));
  cr_expect(!expect_recursion(0.6, 0.16));
  cr_expect(!expect_recursion(1.9 / 0.5, 0));
  cr_expect(expect_recursion(2.1 / 0.5, 0));
}

/* Pure pursuit steers by the curvature 2 sin(alpha)/L, alpha = -(e/L + theta): e'' + 2 e'/L +
 * 2 e/L^2 = 0 by the way, at any speed, so e = e0 exp(-x/L) (cos(x/L) + sin(x/L)). */
Test(path, pure_pursuit_comes_to_a_line_as_the_linear_equation_says) {
  const double ahead = 0.4, start = 0.004;
  omr_result *r =
      run_path(&(drive){LINE, "\"period\":0.01,\"speed\":0.3,\"look_ahead\":0.4", -start, 5, 0.1});
  for (size_t n = 0; n <= 50; n++) {
    const double x = at(r, OMR_VS_X, n) / ahead, found = -at(r, OMR_VS_Z, n),
                 expected = start * exp(-x) * (cos(x) + sin(x));
    cr_expect_float_eq(found, expected, 0.01 * start, "x %g: %g, %g", x * ahead, found, expected);
  }
  omr_result_destroy(r);
}

/* Sampled, it is stable exactly for v T < L: the poles are those of z^2 - (2 - 2 d - d^2) z +
 * (1 - d)^2, d = v T/L. Whether the distance grows, and whether the run warns of it. */
static void expect_growth(double ahead, bool grows) {
  const double start = 1e-4;
  char loop[120];
  snprintf(loop, sizeof loop,
           "\"period\":0.5,\"speed\":0.3,\"acceleration\":0.08,\"look_ahead\":%g", ahead);
  omr_result *r = run_path(&(drive){LINE, loop, -start, 20, 0.5});
  double early = 0, late = 0;
  for (size_t n = 8; n < 16; n++) early = fmax(early, fabs(at(r, OMR_VS_Z, n)));
  for (size_t n = 32; n < 40; n++) late = fmax(late, fabs(at(r, OMR_VS_Z, n)));
  cr_expect_eq(late > early, grows, "look-ahead %g: %g, %g", ahead, early, late);
  cr_expect_eq(strstr(r->warnings, "the sampled loop of the path in instance 0 is unstable") !=
                   NULL,
               grows, "%s", r->warnings);
  omr_result_destroy(r);
}

Test(path, pure_pursuit_is_stable_where_a_sample_goes_less_far_than_the_look_ahead) {
  expect_growth(0.15 / 0.92, false);
  expect_growth(0.15 / 1.08, true);
}

/* Cross-track that turns has e'' + h e' + h k e = 0 at a constant speed: with h = 4 k, the default,
 * both poles are -2 k. Samples that are D apart obey e[n+2] = (p + q) e[n+1] - p q e[n] with the
 * poles' exponentials p and q. */
static void expect_poles(const char *heading, double gain, double sum, double product) {
  const double start = 0.004;
  char loop[200];
  snprintf(
      loop, sizeof loop,
      "\"law\":\"cross_track\",\"period\":0.005,\"speed\":0.3,\"acceleration\":3,\"gain\":%g%s",
      gain, heading);
  omr_result *r = run_path(&(drive){LINE, loop, -start, 4, 0.25});
  for (size_t n = 1; n + 2 <= 16; n++) {
    const double left = -at(r, OMR_VS_Z, n + 2),
                 right = -sum * at(r, OMR_VS_Z, n + 1) + product * at(r, OMR_VS_Z, n);
    cr_expect_float_eq(left, right, 0.01 * start, "%s, sample %zu: %g, %g", heading, n, left,
                       right);
  }
  cr_expect_lt(fabs(at(r, OMR_VS_Z, 16)), 0.05 * start);
  omr_result_destroy(r);
}

Test(path, cross_track_that_turns_has_its_poles) {
  expect_poles("", 1, 2 * exp(-2 * 0.25), exp(-4 * 0.25));
  /* h = 3, k = 1.5: -1.5 +- 1.5 i */
  expect_poles(",\"heading_gain\":3", 1.5, 2 * exp(-1.5 * 0.25) * cos(1.5 * 0.25), exp(-3 * 0.25));
}

/* ---- around a circle */

static void write_circle(char *text, size_t size, int corners, double radius) {
  size_t used = 0;
  for (int i = 0; i < corners; i++) {
    const double angle = 2 * M_PI * i / corners;
    used += (size_t)snprintf(text + used, size - used, "%s[%.9g,%.9g]", i ? "," : "[",
                             radius * sin(angle), radius * (cos(angle) - 1));
  }
  snprintf(text + used, size - used, "]");
}

/* The distance from the middle of the circle, z = -radius, that the vehicle settles at. */
static double settled_radius(const char *loop) {
  static char circle[9000];
  write_circle(circle, sizeof circle, 240, 1);
  omr_result *r = run_path(&(drive){circle, loop, 0, 30, 0.5});
  const double x = at(r, OMR_VS_X, 60), z = at(r, OMR_VS_Z, 60) + 1;
  cr_expect_gt(value_of(r, "path_time", 0), 10);
  cr_expect_lt(value_of(r, "path_time", 0), 15);
  omr_result_destroy(r);
  return hypot(x, z);
}

/* A vehicle that goes straight to its goal for the way d = v T of a sample settles at R^2 - L^2 + L
 * d = r^2: it leaves and reaches the same circle. The polygon is 1e-4 smaller than the circle. */
Test(path, pure_pursuit_that_translates_cuts_a_circle_by_its_look_ahead) {
  const double ahead = 0.5, way = 0.5 * 0.02;
  const double found = settled_radius("\"motion\":\"translate\",\"period\":0.02,\"speed\":0.5,"
                                      "\"look_ahead\":0.5,\"closed\":true"),
               expected = sqrt(1 - ahead * ahead + ahead * way);
  cr_expect_float_eq(found, expected, 1e-3, "%g, %g", found, expected);
}

/* The arc through the goal that is tangent to the heading is the circle itself. */
Test(path, pure_pursuit_that_turns_follows_a_circle) {
  const double found =
      settled_radius("\"period\":0.01,\"speed\":0.5,\"look_ahead\":0.5,\"closed\":true");
  cr_expect_float_eq(found, 1, 2e-3, "%g", found);
}

/* A heading that follows with the gain h lags by v/(h R): a look-ahead of v/h makes up for it. */
Test(path, a_look_ahead_makes_up_for_the_lag_of_the_heading) {
  const double with = settled_radius("\"law\":\"cross_track\",\"period\":0.01,\"speed\":0.5,"
                                     "\"gain\":1,\"closed\":true,\"look_ahead\":0.125"),
               without = settled_radius("\"law\":\"cross_track\",\"period\":0.01,\"speed\":0.5,"
                                        "\"gain\":1,\"closed\":true");
  cr_log_info("radius %g with it, %g without", with, without);
  cr_expect_float_eq(with, 1, 6e-3);
  cr_expect_gt(fabs(without - 1), 5 * fabs(with - 1));
}

/* ---- from rest to rest */

Test(path, a_line_is_driven_from_rest_to_rest) {
  omr_result *r = run_path(&(drive){
      "[[0,0],[0.4,0],[1,0]]", "\"period\":0.01,\"speed\":0.5,\"look_ahead\":0.2", 0, 4, 0.01});
  const double time = 1 / 0.5 + 0.5 / 1; /* of the trapezoid */
  cr_expect_float_eq(value_of(r, "path_time", 0), time, 0.03);
  cr_expect_float_eq(value_of(r, "final_x", 0), 1, 2e-3);
  cr_expect_lt(fabs(value_of(r, "final_vx", 0)), 1e-4);
  cr_expect_lt(value_of(r, "max_path_error", 0), 1e-3);
  for (size_t n = 0; n < 400; n++) cr_expect_lt(at(r, OMR_VS_VX, n), 0.5 * 1.01);
  omr_result_destroy(r);
}

/* The observables are those of the distances at the samples. */
Test(path, observables_are_of_the_samples_up_to_the_end) {
  omr_result *r = run_path(&(drive){"[[0,0],[0.5,0],[0.5,0.5]]",
                                    "\"period\":0.02,\"speed\":0.5,\"look_ahead\":0.2,"
                                    "\"motion\":\"translate\"," LIMIT,
                                    0.05, 4, 0.02});
  const double end = value_of(r, "path_time", 0);
  double square = 0, most = 0;
  size_t count = 0;
  for (; 0.02 * (double)count <= end + 1e-9; count++) {
    const double x = at(r, OMR_VS_X, count), z = at(r, OMR_VS_Z, count);
    const double along = fmin(fmax(x, 0), 0.5), across = fmin(fmax(z, 0), 0.5),
                 nearest = fmin(hypot(x - along, z), hypot(x - 0.5, z - across));
    square += nearest * nearest;
    most = fmax(most, nearest);
  }
  cr_expect_float_eq(value_of(r, "path_error", 0), sqrt(square / (double)count), 1e-12);
  cr_expect_float_eq(value_of(r, "max_path_error", 0), most, 1e-12);
  omr_result_destroy(r);
}

/* A figure eight is passed in its order, though it crosses itself. */
Test(path, a_path_that_crosses_itself_is_passed_in_order) {
  omr_result *r = run_path(&(drive){"[[0,0],[1,0],[1,0.5],[0.5,0.5],[0.5,-0.5]]",
                                    "\"period\":0.02,\"speed\":0.5,\"look_ahead\":0.15,"
                                    "\"motion\":\"translate\"," LIMIT,
                                    0, 10, 0.5});
  cr_expect_gt(value_of(r, "path_time", 0), (1 + 0.5 + 0.5 + 1 - 4 * 0.15) / 0.5);
  cr_expect_lt(value_of(r, "path_time", 0), 3 / 0.5 + 1);
  cr_expect_float_eq(value_of(r, "final_x", 0), 0.5, 0.01);
  omr_result_destroy(r);
}

/* ---- other vehicles: what slips and tyres do is left, within centimetres */

static void expect_arrival(const char *const *overrides, double most) {
  omr_result *r = run_file("studies/how-to/path.json", overrides);
  cr_log_info("%g m from the path at most, there at %g s", value_of(r, "max_path_error", 0),
              value_of(r, "path_time", 0));
  cr_expect_lt(value_of(r, "max_path_error", 0), most);
  cr_expect_gt(value_of(r, "path_time", 0), 3.2 / 0.5);
  cr_expect_lt(value_of(r, "path_time", 0), 3.5 / 0.5 + 1);
  omr_result_destroy(r);
}

#define ALONE "vary=[]", "design={\"type\":\"grid\"}", "ask=null", "output.trajectories=null"
#define SWERVES                                                                                    \
  "parameters.wheel={\"kind\":\"swerve\",\"radius\":\"5 cm\",\"friction\":0.6,\"slip_speed\":"     \
  "\"2 cm/s\",\"swivel\":{\"mass\":0.4,\"inertia\":4e-4},\"drive\":{\"type\":\"body\",\"kp\":0.3," \
  "\"ki\":3}}",                                                                                    \
      "parameters.wheels=[{\"x\":0.2,\"z\":-0.2},{\"x\":0.2,\"z\":0.2},{\"x\":-0.2,\"z\":-0.2},"   \
      "{\"x\":-0.2,\"z\":0.2}]"

Test(path, a_differential_drive_and_a_swerve_drive_arrive) {
  expect_arrival(OVERRIDES(ALONE), 0.06);
  expect_arrival(OVERRIDES(ALONE, SWERVES), 0.06);
  expect_arrival(OVERRIDES(ALONE, SWERVES, "parameters.command.motion=translate"), 0.09);
}
