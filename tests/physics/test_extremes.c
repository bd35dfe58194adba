/* Extremes between the starts of passes: against motions that are known exactly, against shorter
 * steps, and never below what is seen where steps start. */
#include "result/result.h"
#include "shared/motion.h"

#include <stdio.h>

#define EXTREMES                                                                                   \
  "output.observables=[\"max_slip\",\"min_load\",\"max_load\",\"vibration_peak\",\"max_force_"     \
  "ratio\",\"exchanges\"]"

/* On the floor without friction and at rest but for its wheels, the centre of mass in the middle:
 * every load is a third of the weight, less what the drives' reactions and the contacts' places
 * shift. */
#define AT_REST "parameters.initial={\"vx\":0,\"vz\":0,\"yaw_rate\":0}"
#define ALONE                                                                                      \
  AT_REST, "parameters.platform.center_of_mass.x=0", "parameters.platform.center_of_mass.z=0"
#define STRAIGHT "parameters.wheel.inclination=0"

static omr_result *run(const char *const *overrides) {
  return run_study(vehicle_text, overrides);
}

static const char *text(char *to, size_t size, const char *format, double value) {
  snprintf(to, size, format, value);
  return to;
}

/* A sine torque on a wheel that turns by itself. Loads follow the torque, so that they are furthest
 * from a third of the weight by what a constant torque of its amplitude shifts them; slip is R
 * chi', largest after half a period: 2 R tau/(J w). Neither instant, 0.1 s and 0.2 s, is a step
 * start. */
Test(extremes, of_a_sine_torque_lie_between_the_steps) {
  const double inertia = 0.006 + 6 * (0.11 * 0.0822 * 0.0822 + 7e-5), w = 2 * acos(-1.0) * 2.5;
  omr_result *rests = run(OVERRIDES(ALONE, STRAIGHT, EXTREMES, "integrator.duration=0.01",
                                    "parameters.wheels=[{},{},{}]"));
  omr_result *held = run(
      OVERRIDES(ALONE, STRAIGHT, EXTREMES, "integrator.duration=0.01",
                "parameters.wheels=[{\"drive\":{\"type\":\"constant\",\"torque\":0.5}},{},{}]"));
  omr_result *r = run(OVERRIDES(ALONE, STRAIGHT, EXTREMES, "integrator.step=\"7 ms\"",
                                "integrator.duration=0.301",
                                "parameters.wheels=[{\"drive\":{\"type\":\"sine\",\"torque\":0.5,"
                                "\"frequency\":2.5}},{},{}]"));
  const double third = value_of(rests, "min_load", 0);
  const double shift =
      fmax(value_of(held, "max_load", 0) - third, third - value_of(held, "min_load", 0));
  cr_assert_gt(shift, 0.5, "the torque shifts loads");
  /* what the nearest step start, 2 ms off, misses: the shift times (w 2 ms)^2/2; the parabola's
   * vertex is off by a higher order
   */
  const double missed = shift * w * w * 4e-6 / 2;
  cr_expect_float_eq(value_of(r, "min_load", 0), third - shift, 1e-3 * missed);
  cr_expect_float_eq(value_of(r, "max_load", 0), third + shift, 1e-3 * missed);
  const double slip = 2 * 0.1 * 0.5 / (inertia * w);
  cr_expect_float_eq(value_of(r, "max_slip", 0), slip, 1e-6 * slip);
  omr_result_destroy(rests);
  omr_result_destroy(held);
  omr_result_destroy(r);
}

/* The contact of an inclined roller moves outwards until the next one takes over further in: the
 * load of the turning wheel is smallest just before an exchange, and there alone. It is that of a
 * vehicle which stands still with its contact there. */
static const char turning[] = "parameters.wheels=[{\"initial\":{\"rate\":-3}},{},{}]";

static double edge_load(void) {
  char wheels[200];
  const double alpha = acos(-1.0) / 6;
  snprintf(wheels, sizeof wheels, "parameters.wheels=[{\"initial\":{\"angle\":%.17g}},{},{}]",
           -alpha * (1 - 1e-11));
  omr_result *r = run(OVERRIDES(ALONE, EXTREMES, wheels, "integrator.duration=0.001"));
  const double load = value_of(r, "min_load", 0);
  omr_result_destroy(r);
  return load;
}

Test(extremes, just_before_an_exchange_are_seen_under_every_method) {
  static const char *const methods[] = {"rk4", "midpoint", "heun", "semi_implicit_euler",
                                        "rosenbrock"};
  const double exact = edge_load();
  for (int i = 0; i < 5; i++) {
    char method[60];
    snprintf(method, sizeof method, "integrator.method=%s", methods[i]);
    omr_result *r = run(OVERRIDES(
        ALONE, EXTREMES, turning, method, "integrator.step=\"10 ms\"", "integrator.duration=0.3",
        "output.trajectories={\"instances\":[0],\"interval\":\"10 ms\"}"));
    cr_expect_float_eq(value_of(r, "min_load", 0), exact, 1e-8, "%s: %.12g, not %.12g", methods[i],
                       value_of(r, "min_load", 0), exact);
    omr_result_destroy(r);
  }
}

/* The load of another wheel is smallest while the contact is far in. Here the centre of mass is so
 * far out that it has none left there, and some at every step start: it lifts just before the
 * exchange. The instance ends at the start of the pass in which it does, its last good state. */
Test(extremes, a_load_that_is_negative_between_the_steps_ends_the_instance) {
  char com[80];
  double good = 0.2, bad = 0.35; /* com.z, m: the second wheel stands at -0.26 */
  for (int i = 0; i < 50; i++) {
    const double middle = 0.5 * (good + bad);
    omr_result *r =
        run(OVERRIDES(ALONE, EXTREMES, "integrator.duration=0.001",
                      "parameters.wheels=[{\"initial\":{\"angle\":0.5235}},{},{}]",
                      text(com, sizeof com, "parameters.platform.center_of_mass.z=%.17g", middle)));
    *(omr_result_status(r)[0] == 0 ? &good : &bad) = middle;
    omr_result_destroy(r);
  }
  /* no load left at 0.5235 rad, a hair before the edge at 0.523599 rad; step starts are 0.03 rad
   * apart, the last before at 0.51
   */
  omr_result *r =
      run(OVERRIDES(ALONE, EXTREMES, "parameters.wheels=[{\"initial\":{\"rate\":3}},{},{}]",
                    "integrator.step=\"10 ms\"", "integrator.duration=0.3",
                    text(com, sizeof com, "parameters.platform.center_of_mass.z=%.17g", good)));
  cr_expect_eq(omr_result_status(r)[0], 1, "wheel_lifted");
  cr_expect_float_eq(omr_result_status_time(r)[0], 0.17, 1e-12,
                     "the edge is reached 0.1745 s after the start");
  cr_expect_gt(value_of(r, "min_load", 0), 0, "what is kept are loads of the model");
  omr_result_destroy(r);
}

/* A free wheel under a constant torque is fastest at the end of the run. */
Test(extremes, at_the_end_of_the_run_are_seen) {
  const double inertia = 0.006 + 6 * (0.11 * 0.0822 * 0.0822 + 7e-5);
  omr_result *r = run(
      OVERRIDES(ALONE, STRAIGHT, EXTREMES, "integrator.step=\"10 ms\"", "integrator.duration=0.5",
                "parameters.wheels=[{\"drive\":{\"type\":\"constant\",\"torque\":0.05}},{},{}]"));
  cr_expect_float_eq(value_of(r, "max_slip", 0), 0.1 * 0.05 * 0.5 / inertia, 1e-12);
  omr_result_destroy(r);
}

/* ---- a driven vehicle whose friction is soft enough for every method, and nowhere saturated,
 * which would be a kink */

#define DRIVEN                                                                                     \
  AT_REST, EXTREMES, "parameters.wheel.friction=0.8", "parameters.wheel.slip_speed=2",             \
      "integrator.duration=0.4",                                                                   \
      "parameters.wheels=[{\"drive\":{\"type\":\"sine\",\"torque\":2,\"frequency\":1.2}},"         \
      "{\"drive\":{\"type\":\"sine\",\"torque\":-2,\"frequency\":0.9}},{}]"

static void run_at(const char *step, const char *law, double values[4]) {
  static const char *const names[] = {"max_slip", "min_load", "max_load", "vibration_peak"};
  char steps[60], laws[80];
  snprintf(steps, sizeof steps, "integrator.step=\"%s\"", step);
  snprintf(laws, sizeof laws, "parameters.contact.law=%s", law);
  omr_result *r = run(OVERRIDES(DRIVEN, steps, laws));
  cr_assert_eq(omr_result_status(r)[0], 0);
  cr_assert_gt(value_of(r, "exchanges", 0), 0);
  cr_assert(strcmp(law, "saturated_coulomb") != 0 || value_of(r, "max_force_ratio", 0) < 0.9);
  for (int i = 0; i < 4; i++) values[i] = value_of(r, names[i], 0);
  omr_result_destroy(r);
}

/* Without dense output the error is what the nearest step start misses: of order 2 between steps,
 * of order 1 before exchanges, and erratic. With it halving the step divides it by 8 or more until
 * rounding; asserted over two halvings, 64, with a factor of 2 for errors that happen to be small
 * at the long step. */
Test(extremes, converge_with_order_3) {
  static const char *const laws[] = {"saturated_coulomb", "regularized_coulomb", "ideal_rolling",
                                     "udwadia_kalaba"};
  for (int law = 0; law < 4; law++) {
    double coarse[4], fine[4], truth[4];
    run_at("2 ms", laws[law], coarse);
    run_at("0.5 ms", laws[law], fine);
    run_at("0.05 ms", laws[law], truth);
    for (int i = 0; i < 4; i++) {
      if (i == 0 && law == 2) continue; /* no slip but rounding */
      const double scale = fabs(truth[i]), a = fabs(coarse[i] - truth[i]) / scale,
                   b = fabs(fine[i] - truth[i]) / scale;
      cr_log_info("%s %d: %.3g at 2 ms, %.3g at 0.5 ms\n", laws[law], i, a, b);
      cr_expect_lt(a, 2e-3, "%s, quantity %d: %g", laws[law], i, a);
      cr_expect_lt(b, fmax(a / 32, 1e-8), "%s, quantity %d: %g, then %g", laws[law], i, a, b);
    }
  }
}

#define GRIPPING "parameters.wheel.friction=0.4", "parameters.wheel.slip_speed=0.02"

/* Pairs: nothing ends their passes here but exchanges, so that passes grow with the tolerance and
 * extremes lie inside of them. The errors of loads and slip stay below twice the tolerance, as
 * those of velocities do (explanation/steps.md). No page promises that of the peak of the
 * acceleration: it falls with the tolerance, under ros2 by its root. The truth is the pair of order
 * 3 at 1e-8. */
Test(extremes, of_pairs_fall_with_the_tolerance) {
  static const char *const
      names[] = {"min_load", "max_load", "max_slip", "vibration_peak"},
      *const methods[] = {"ros34pw2", "ros2"},
      *const sines =
          "parameters.wheels=[{\"drive\":{\"type\":\"sine\",\"torque\":0.5,\"frequency\":2.5}},"
          "{\"drive\":{\"type\":\"sine\",\"torque\":-0.3,\"frequency\":1.7}},{}]";
  omr_result *truth = run(OVERRIDES(AT_REST, GRIPPING, EXTREMES, sines,
                                    "integrator={\"tolerance\": 1e-8, \"duration\": 2}"));
  double peak_off[2] = {1, 1};
  for (int i = 0; i < 8; i++) {
    char integrator[120];
    const double tolerance = pow(10, -1 - i / 2);
    snprintf(integrator, sizeof integrator,
             "integrator={\"method\": \"%s\", \"tolerance\": %g, \"duration\": 2}", methods[i % 2],
             tolerance);
    omr_result *r = run(OVERRIDES(AT_REST, GRIPPING, EXTREMES, sines, integrator));
    for (int n = 0; n < 4; n++) {
      const double off = value_of(r, names[n], 0) / value_of(truth, names[n], 0) - 1;
      cr_log_info("%s at %g, %s: %.1e\n", methods[i % 2], tolerance, names[n], off);
      const double most = n < 3 ? 2 * tolerance : peak_off[i % 2];
      cr_expect_lt(fabs(off), most, "%s at %g, %s: %g", methods[i % 2], tolerance, names[n], off);
      if (n == 3) peak_off[i % 2] = fabs(off);
    }
    omr_result_destroy(r);
  }
  omr_result_destroy(truth);
}

/* Extremes over the samples of a trajectory, one at each step start. */
static void sampled_extremes(const omr_result *r, double *slip, double *least, double *most) {
  const size_t count = r->sample_count * (size_t)r->wheels;
  const double *load = r->wheel_samples[OMR_WS_LOAD], *si = r->wheel_samples[OMR_WS_SLIP_I],
               *sk = r->wheel_samples[OMR_WS_SLIP_K];
  *slip = *most = -HUGE_VAL;
  *least = HUGE_VAL;
  for (size_t k = 0; k < count; k++) {
    *slip = fmax(*slip, hypot(si[k], sk[k]));
    *least = fmin(*least, load[k]);
    *most = fmax(*most, load[k]);
  }
}

Test(extremes, are_never_smaller_than_those_of_the_step_starts) {
  static const char *const methods[] = {"rk4", "midpoint", "heun", "semi_implicit_euler",
                                        "rosenbrock"};
  static const char *const laws[] = {"saturated_coulomb", "regularized_coulomb", "udwadia_kalaba"};
  for (int i = 0; i < 15; i++) {
    char method[60], law[80];
    double slip, least, most;
    snprintf(method, sizeof method, "integrator.method=%s", methods[i % 5]);
    snprintf(law, sizeof law, "parameters.contact.law=%s", laws[i / 5]);
    if (i % 5 == 4 && i / 5 == 2) continue; /* constraints have no such method */
    omr_result *r = run(OVERRIDES(DRIVEN, method, law,
                                  "output.trajectories={\"instances\":[0],\"interval\":\"1 ms\"}"));
    sampled_extremes(r, &slip, &least, &most);
    cr_expect_geq(value_of(r, "max_slip", 0), slip * (1 - 1e-14), "%s %s", method, law);
    cr_expect_leq(value_of(r, "min_load", 0), least, "%s %s", method, law);
    cr_expect_geq(value_of(r, "max_load", 0), most, "%s %s", method, law);
    omr_result_destroy(r);
  }
}

/* A block that slides below the slip speed: slip and acceleration decay exponentially from their
 * start, at the rate k. However long the step is that the method bears, and whatever its stages
 * overshoot by, nothing beyond the start may be reported. */
Test(extremes, of_a_stiff_decay_are_those_of_its_start) {
  static const struct {
    const char *method;
    double reach; /* of k h */
  } bears[] = {{"rk4", 2.7},
               {"rk4", 1.5},
               {"midpoint", 1.9},
               {"heun", 1.9},
               {"semi_implicit_euler", 1.9},
               {"rosenbrock", 300}};
  for (size_t i = 0; i < sizeof bears / sizeof *bears; i++) {
    /* a wheel so heavy to turn that it does not, sliding along its plane */
    char method[60], speed[80];
    snprintf(method, sizeof method, "integrator.method=%s", bears[i].method);
    const double rate = bears[i].reach / 1e-3,
                 slip_speed = 0.3 * 9.81 / rate; /* F/m = mu g v/v_s */
    snprintf(speed, sizeof speed, "parameters.wheel.slip_speed=%.17g", slip_speed);
    char vx[80];
    snprintf(vx, sizeof vx, "parameters.initial={\"vx\":%.17g,\"vz\":0,\"yaw_rate\":0}",
             0.9 * slip_speed);
    omr_result *r = run_study(
        testbench_text,
        OVERRIDES(method, speed, vx, "parameters.wheel.inclination=0", "integrator.step=\"1 ms\"",
                  "parameters.wheel.initial={\"rate\":0,\"angle\":0}", "integrator.duration=0.05",
                  "integrator.stability=ignore", "parameters.wheel.disc.axial_inertia=1e9",
                  "output.observables=[\"max_slip\",\"vibration_peak\",\"final_vx\"]"));
    cr_expect_float_eq(value_of(r, "max_slip", 0), 0.9 * slip_speed, 1e-9 * slip_speed,
                       "%s at k h = %g: %g of %g", bears[i].method, bears[i].reach,
                       value_of(r, "max_slip", 0), 0.9 * slip_speed);
    cr_expect_float_eq(value_of(r, "vibration_peak", 0), 0.9 * 0.3 * 9.81, 1e-6, "%s: %g",
                       bears[i].method, value_of(r, "vibration_peak", 0));
    omr_result_destroy(r);
  }
}

/* Torques jump where a controller samples; with a period as long as the step every pass ends with a
 * jump, and a step starts on its right side. A wheel is braked, hardest until the first sample,
 * while its contact moves out: the largest load is just before that sample, under the torque held
 * until then; just after it is 0.13 N less. No roller is exchanged. */
static omr_result *run_braked(const char *step, const char *duration) {
  omr_result *r = run(OVERRIDES(
      AT_REST, EXTREMES, step, duration, "parameters.controller_period=\"20 ms\"",
      "parameters.wheels=[{\"initial\":{\"rate\":-6},\"drive\":{\"type\":\"speed\",\"speed\":0,"
      "\"kp\":0.3,\"ki\":0}},{},{}]",
      "output.trajectories={\"instances\":[0],\"interval\":\"20 ms\"}"));
  cr_assert_eq(omr_result_status(r)[0], 0);
  cr_assert_eq(value_of(r, "exchanges", 0), 0);
  return r;
}

Test(extremes, on_both_sides_of_a_controllers_sample_are_seen) {
  double slip, least, most;
  omr_result *r = run_braked("integrator.step=\"20 ms\"", "integrator.duration=0.08");
  omr_result *brief = run_braked("integrator.step=\"20 ms\"", "integrator.duration=0.02");
  omr_result *fine = run_braked("integrator.step=\"0.05 ms\"", "integrator.duration=0.08");
  sampled_extremes(r, &slip, &least, &most);
  cr_expect_float_eq(value_of(r, "max_load", 0), most, 1e-10,
                     "samples are taken before the controller's own");
  cr_expect_float_eq(value_of(r, "max_load", 0), value_of(brief, "max_load", 0), 1e-10,
                     "it is where the brief run ends");
  cr_expect_float_eq(value_of(r, "max_load", 0), value_of(fine, "max_load", 0), 1e-10);
  omr_result_destroy(r);
  omr_result_destroy(brief);
  omr_result_destroy(fine);
}
