/* Drilling friction (appendix/laws.md#friction): force and moment against the integrals over
 * the area of contact, their limits and derivatives, a motion that is known, energy and order. The
 * bound of the step is in test_step_bound.c; that every body in space moves as its forces say, in
 * test_loads.c. */
#include "shared/kernel.h"
#include "shared/methods.h"
#include "shared/motion.h"

/* ---- the integrals */

/* Force over mu N and moment over mu N eps of an area of radius 1 that slides with the speed v and
 * turns with the rate u: Coulomb friction of every place of it under Hertz' pressure 3/(2 pi)
 * sqrt(1 - r^2). Polar coordinates about the instantaneous centre at v/u, in whose direction the
 * integrand is smooth: angles by sin = sin(f)/(v/u) where the centre is outside, places along a ray
 * by their middle less a half times cos t, both by the midpoint rule. */
static void integrate_area(double v, double u, double *force, double *moment) {
  enum { ANGLES = 400, PLACES = 200 };
  const double away = v / u, most = away > 1 ? M_PI / 2 : M_PI;
  *force = *moment = 0;
  for (int a = 0; a < ANGLES; a++) {
    const double f = most * (2 * (a + 0.5) / ANGLES - 1),
                 angle = away > 1 ? asin(sin(f) / away) : f,
                 width = 2 * most / ANGLES * (away > 1 ? cos(f) / (away * cos(angle)) : 1);
    const double middle = away * cos(angle), half = sqrt(1 - pow(away * sin(angle), 2)),
                 first = away > 1 ? 0 : acos(middle / half);
    for (int p = 0; p < PLACES; p++) {
      const double t = first + (M_PI - first) * (p + 0.5) / PLACES, place = middle - half * cos(t),
                   pressure = 1.5 / M_PI * half * sin(t),
                   push = pressure * place * half * sin(t) * (M_PI - first) / PLACES * width;
      *force += push * cos(angle);
      *moment += push * (place - away * cos(angle));
    }
  }
}

static double force_of(double v, double u) {
  const drilling d = weigh_drilling(v, u);
  return v * drilling_force(&d);
}

static double moment_of(double v, double u) {
  const drilling d = weigh_drilling(v, u);
  return u * drilling_moment(&d);
}

/* Exact while it drills more than it slides; the quadrature leaves 1e-5. */
Test(drilling, force_and_moment_are_the_integrals_over_the_area_of_contact) {
  double near = 0, far = 0;
  for (double ratio = 0.01; ratio < 100; ratio *= 1.13) {
    double force, moment;
    integrate_area(ratio, 1, &force, &moment);
    double *worst = ratio > 1 ? &far : &near;
    *worst = larger(*worst, force_of(ratio, 1) - force);
    *worst = larger(*worst, moment_of(ratio, 1) - moment);
  }
  cr_log_info("off by %.2g for u above v, %.2g below", near, far);
  cr_expect_lt(near, 2e-5);
  cr_expect_lt(far, 2e-4);
}

/* Pure drilling, pure sliding, and the slopes there: mean values over the area of r, 1, 1/(2 r) and
 * r^2/2 under Hertz' pressure are 3 pi/16, 1, 3 pi/8 and 1/5. */
Test(drilling, has_the_limits_of_the_integrals) {
  cr_expect_float_eq(moment_of(0, 7), 3 * M_PI / 16, 1e-15);
  cr_expect_float_eq(force_of(7, 0), 1, 1e-15);
  cr_expect_float_eq(force_of(1e-7, 1) / 1e-7, 3 * M_PI / 8, 1e-13);
  cr_expect_float_eq(moment_of(1, 1e-7) / 1e-7, 0.2, 1e-13);
  cr_expect_eq(force_of(0, 0), 0);
  cr_expect_eq(moment_of(0, 0), 0);
}

/* Where the two forms meet, at u = v, they have one value and one slope. */
Test(drilling, is_smooth_where_the_forms_meet) {
  const double e = 1e-6;
  cr_expect_float_eq(force_of(1 + 1e-15, 1), 9 * M_PI / 32, 1e-14);
  cr_expect_float_eq(force_of(1, 1), 9 * M_PI / 32, 1e-14);
  cr_expect_float_eq(moment_of(1 + 1e-15, 1), 9 * M_PI / 128, 1e-14);
  cr_expect_float_eq(moment_of(1, 1), 9 * M_PI / 128, 1e-14);
  double (*const parts[])(double, double) = {force_of, moment_of};
  for (int n = 0; n < 2; n++) {
    const double here = parts[n](1, 1), above = (parts[n](1 + e, 1) - here) / e,
                 below = (here - parts[n](1 - e, 1)) / e;
    cr_expect_float_eq(above, below, 1e-5);
  }
}

/* Force and moment are the derivatives of one power of friction, so that one changes with the
 * other's speed as the other with its. */
Test(drilling, force_and_moment_come_from_one_power) {
  const double e = 1e-5;
  for (double ratio = 0.03; ratio < 30; ratio *= 1.2) {
    const double by_u = (force_of(ratio, 1 + e) - force_of(ratio, 1 - e)) / (2 * e),
                 by_v = (moment_of(ratio + e, 1) - moment_of(ratio - e, 1)) / (2 * e);
    cr_expect_float_eq(by_u, by_v, 1e-8, "at %g: %.10g, %.10g", ratio, by_u, by_v);
  }
}

/* ---- the law */

typedef struct law_case {
  int c[K_COUNT];
  double w[W_COUNT];
  slippage slip;
} law_case;

static law_case draw_case(uint64_t *seed) {
  law_case l = {.c = {[K_LAW] = LAW_COULOMB, [K_DRY] = DRY_DRILLING | DRY_LOADED}};
  const double slip_speed = draw(seed, 1e-3, 0.1), speed = slip_speed * exp(draw(seed, -4, 4)),
               angle = draw(seed, 0, 7);
  l.w[W_FRICTION] = draw(seed, 0.1, 1);
  l.w[W_SLIP_SPEED] = slip_speed;
  l.w[W_INV_SLIP_SPEED] = 1 / slip_speed;
  l.w[W_CONTOUR_RADIUS] = draw(seed, 1e-4, 5e-3);
  l.slip = (slippage){.i = speed * cos(angle),
                      .k = speed * sin(angle),
                      .square = speed * speed,
                      .drill = speed * exp(draw(seed, -3, 3))};
  return l;
}

static double pushed(const law_case *l, double by_i, double by_k, int component) {
  slippage slip = l->slip;
  slip.i += by_i;
  slip.k += by_k;
  slip.square = slip.i * slip.i + slip.k * slip.k;
  double f[2];
  friction_force(l->w, l->c, l->w[W_FRICTION], slip, &f[0], &f[1]);
  return f[component];
}

/* Below the slip speed friction is in proportion to the velocity of every place of the area: mu/v_s
 * times that of the middle, and 2/5 eps^2 mu/v_s (the mean of r^2) times the rate. Beyond, the
 * slope of the linearly implicit method is the derivative, the secant reaches the force. */
Test(drilling, law_is_proportional_at_rest_and_its_slope_the_derivative) {
  uint64_t seed = 71;
  int slid = 0;
  for (int n = 0; n < 2000; n++) {
    law_case l = draw_case(&seed);
    const double mu = l.w[W_FRICTION], v_s = l.w[W_SLIP_SPEED], eps = l.w[W_CONTOUR_RADIUS],
                 e = 1e-6 * fmin(sqrt(l.slip.square), l.slip.drill), scale = mu / v_s;
    const stiffness s = saturated_coulomb_slope(l.w, l.c, mu, l.slip),
                    secant = saturated_coulomb_secant(l.w, l.c, mu, l.slip);
    cr_expect_float_eq(-secant.ii * l.slip.i, pushed(&l, 0, 0, 0), 1e-15);
    const drilling d = weigh_drilling(sqrt(l.slip.square), l.slip.drill);
    if (fabs(drilling_force(&d) * v_s - 1) < 1e-4) continue; /* at the kink */
    const double got[4] = {s.ii, s.ik, s.ki, s.kk};
    slid += drilling_force(&d) * v_s < 1;
    for (int j = 0; j < 4; j++) {
      const double slope = (pushed(&l, j % 2 ? 0 : -e, j % 2 ? -e : 0, j / 2) -
                            pushed(&l, j % 2 ? 0 : e, j % 2 ? e : 0, j / 2)) /
                           (2 * e);
      cr_assert_float_eq(slope / scale, got[j] / scale, 1e-8, "component %d: %g, %g", j, slope,
                         got[j]);
    }
    const double least = 1e-3 * v_s;
    cr_expect_float_eq(drilling_gain(l.w, mu, least * least, least), 0.4 * mu * eps * eps / v_s,
                       1e-15);
  }
  cr_expect(slid > 300 && slid < 1900, "%d slide", slid);
}

/* ---- a motion that is known */

/* A wheel stands on the middle of a roller and turns about the vertical: no slip, the drilling
 * moment alone. While eps omega is above 15 pi/32 v_s that is 3 pi/16 mu m g eps, and the rate
 * falls in a straight line; J: what is fixed to the wheel, rollers free about their axes. */
static const char standing_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\", \"gravity\": 9.81,"
    "\"wheel\": {\"radius\": 0.05, \"rollers\": 8, \"center_distance\": 0.04, \"friction\": 0.4, "
    "\"slip_speed\": 0.002, \"contact\": {\"contour_radius\": 0.003},"
    "\"disc\": {\"mass\": 0.2, \"axial_inertia\": 1e-4, \"diametral_inertia\": 6e-5},"
    "\"roller\": {\"mass\": 0.01, \"axial_inertia\": 1e-6, \"diametral_inertia\": 2e-6}},"
    "\"initial\": {\"yaw_rate\": 9}},"
    "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"30 ms\"}, \"output\": "
    "{\"observables\": [\"final_yaw_rate\", \"energy_error\", \"energy_lost\", \"rolling_loss\", "
    "\"max_slip\"]}, \"engine\": {\"backend\": \"scalar\"}}";

Test(drilling, a_wheel_that_turns_on_the_spot_slows_down_by_the_moment_of_pure_drilling) {
  omr_result *r = run_study(standing_text, NULL);
  const double mass = 0.2 + 8 * 0.01, J = 6e-5 + 4 * (0.01 * 0.04 * 0.04 + 2e-6),
               moment = 3 * M_PI / 16 * 0.4 * mass * 9.81 * 0.003, rate = 9 - moment / J * 0.03;
  const double found = value_of(r, "final_yaw_rate", 0);
  cr_log_info("rate %.15g rad/s, expected %.15g; slip up to %.2g m/s", found, rate,
              value_of(r, "max_slip", 0));
  cr_expect_gt(rate * 0.003, 15 * M_PI / 32 * 0.002);
  cr_expect_float_eq(found, rate, 1e-10);
  cr_expect_float_eq(value_of(r, "rolling_loss", 0), J / 2 * (81 - rate * rate), 1e-12);
  cr_expect_float_eq(value_of(r, "energy_lost", 0), J / 2 * (81 - rate * rate), 1e-12);
  omr_result_destroy(r);
}

/* ---- energy, order */

#define DRILLING                                                                                   \
  "parameters.wheel.friction=0.4", "parameters.wheel.contact={\"contour_radius\": 4e-3}",          \
      "parameters.initial.yaw_rate=8"
#define LOSSES                                                                                     \
  "output.observables=[\"final_x\", \"final_z\", \"final_yaw\", \"final_vx\", \"final_vz\", "      \
  "\"final_yaw_rate\", \"energy_error\", \"energy_lost\", \"rolling_loss\", \"contact_loss\", "    \
  "\"exchanges\"]"

static double energy_error(const char *step, const char *exponent, double *drilled) {
  omr_result *r = run_study(
      vehicle_text, OVERRIDES("engine.backend=scalar", DRILLING, LOSSES, exponent, step,
                              "parameters.wheel.slip_speed=0.05", "integrator.duration=\"0.4 s\""));
  const double error = fabs(value_of(r, "energy_error", 0));
  *drilled = value_of(r, "rolling_loss", 0) / value_of(r, "contact_loss", 0);
  cr_expect_gt(value_of(r, "exchanges", 0), 2);
  omr_result_destroy(r);
  return error;
}

Test(drilling, energy_balance_closes) {
  static const char *const exponents[] = {"parameters.wheel.dry_load={\"exponent\": 1}",
                                          "parameters.wheel.dry_load={\"exponent\": 1.33}"};
  for (int n = 0; n < 2; n++) {
    double drilled;
    const double error = energy_error("integrator.step=\"50 us\"", exponents[n], &drilled);
    cr_log_info("%.2g; %.3f of what the contacts lose is drilling", error, drilled);
    cr_expect_lt(error, 1e-7);
    cr_expect_gt(drilled, 0.002);
  }
}

typedef struct regime {
  const char *slip_speed, *initial, *duration;
} regime;

static void end_of(const regime *r, const char *method, const char *step, double state[STATES]) {
  final_state(vehicle_text,
              OVERRIDES("engine.backend=scalar", "parameters.wheel.friction=0.4",
                        "parameters.wheel.contact={\"contour_radius\": 4e-3}", LOSSES, method, step,
                        r->slip_speed, r->initial, r->duration, "integrator.stability=ignore"),
              state, NULL);
}

/* Below the slip speed and above it all is smooth, where the two forms of the law meet too: the
 * first vehicle stays below, over exchanges, the second slides all the time. */
Test(drilling, methods_keep_their_order) {
  static const regime regimes[] = {
      {"parameters.wheel.slip_speed=20", "parameters.initial={\"vx\": 0.3, \"yaw_rate\": 8}",
       "integrator.duration=\"0.2 s\""},
      {"parameters.wheel.slip_speed=1e-3",
       "parameters.initial={\"vx\": 3.3, \"vz\": -3.2, \"yaw_rate\": 8}",
       "integrator.duration=\"0.1 s\""}};
  static const struct {
    const char *method, *steps[2];
    double least;
  } runs[] = {
      {"integrator.method=rk4", {"integrator.step=\"1 ms\"", "integrator.step=\"0.5 ms\""}, 13},
      {"integrator.method=rosenbrock",
       {"integrator.step=\"0.2 ms\"", "integrator.step=\"0.1 ms\""},
       3.5},
  };
  for (int n = 0; n < 4; n++) {
    const regime *r = &regimes[n / 2];
    double exact[STATES], one[STATES], two[STATES];
    end_of(r, "integrator.method=rk4", "integrator.step=\"25 us\"", exact);
    end_of(r, runs[n % 2].method, runs[n % 2].steps[0], one);
    end_of(r, runs[n % 2].method, runs[n % 2].steps[1], two);
    const double first = difference(one, exact, STATES), second = difference(two, exact, STATES);
    cr_log_info("%s, %s: %.3g, %.3g: ratio %.2f", runs[n % 2].method, r->slip_speed, first, second,
                first / second);
    cr_expect_gt(first / second, runs[n % 2].least);
  }
}
