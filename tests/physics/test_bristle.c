/* The law of bristles (appendix/laws.md#friction), the kernels' functions by themselves: closed
 * forms of its loops and slides, and what holds for every motion. */
#include <criterion/criterion.h>
#include <math.h>

#define OMR_LANES 1
#define OMR_SINGLE 0
#define OMR_COMPLIANT 1
#include "kernels/compat.h"

#include "kernels/mathfn.h"

#include "kernels/angle.h"

#include "kernels/layout.h"

#include "kernels/config.h"

#include "kernels/lists.h"

#include "kernels/laws/friction.h"

#include "kernels/laws/bristle.h"
#include "shared/vectors.h"

/* Even in [low, high). */
static double between(double low, double high) {
  static uint64_t seed = 7;
  return draw(&seed, low, high);
}

typedef struct bristles {
  double stiffness, damping, viscous, ratio, stribeck;
} bristles;

static void fold(const bristles *b, double w[W_COUNT]) {
  for (int j = 0; j < W_COUNT; j++) w[j] = 0;
  w[W_BRISTLE_STIFFNESS] = b->stiffness;
  w[W_BRISTLE_DAMPING] = b->damping;
  w[W_BRISTLE_RETURN] = b->stiffness / b->damping;
  w[W_BRISTLE_VISCOUS] = b->viscous;
  w[W_STATIC_RISE] = b->ratio - 1;
  w[W_INV_STRIBECK] = 1 / b->stribeck;
  w[W_BRISTLE_MOST2] = 1e300;
}

typedef struct answer {
  double rate[2], force[2];
} answer;

static answer ask(const bristles *b, double mu, const double v[2], const double z[2]) {
  double w[W_COUNT];
  fold(b, w);
  slippage slip = {v[0], v[1], v[0] * v[0] + v[1] * v[1], 0, 0};
  const bending bends = bend_bristles(w, mu, slip, 1, z);
  const push f = bristle_force(w, &bends, slip, z);
  cr_assert_float_eq(f.dissipation, -(f.i * v[0] + f.k * v[1]), 1e-14 * (1 + fabs(f.dissipation)));
  return (answer){{bends.i, bends.k}, {f.i, f.k}};
}

static double size(const double a[2]) {
  return hypot(a[0], a[1]);
}

static double friction_at(const bristles *b, double mu, double speed) {
  const double x = speed / b->stribeck;
  return mu * (1 + (b->ratio - 1) * exp(-x * x));
}

static bristles any_bristles(void) {
  return (bristles){pow(10, between(2, 5)), pow(10, between(-1, 3)), between(0, 1) * between(0, 2),
                    between(1, 2), pow(10, between(-3, -1))};
}

/* z = g v/(sigma_0 |v|) stays as it is, and the force is g + sigma_2 |v| against the slip. */
Test(bristle, steady_sliding_has_the_friction_of_stribecks_curve) {
  for (int n = 0; n < 1000; n++) {
    const bristles b = any_bristles();
    const double mu = between(0.05, 1), speed = pow(10, between(-4, 1)), turn = between(0, 7);
    const double g = friction_at(&b, mu, speed), along[2] = {cos(turn), sin(turn)};
    double v[2], z[2];
    for (int j = 0; j < 2; j++) {
      v[j] = speed * along[j];
      z[j] = g / b.stiffness * along[j];
    }
    const answer a = ask(&b, mu, v, z);
    for (int j = 0; j < 2; j++) {
      cr_assert_float_eq(a.rate[j], 0, 1e-12 * speed);
      cr_assert_float_eq(a.force[j], -(g + b.viscous * speed) * along[j], 1e-11 * (1 + speed));
    }
  }
}

/* Any deflection and slip, bristles softer and harder than the ground may bend them: the force is a
 * mean of what holds and what slides, and what goes in is stored or lost. */
Test(bristle, force_is_bounded_and_every_motion_passive) {
  double least = HUGE_VAL;
  for (int n = 0; n < 100000; n++) {
    bristles b = any_bristles();
    const double mu = between(0.05, 1), speed = pow(10, between(-6, 1)), turn = between(0, 7),
                 other = between(0, 7);
    const double g = friction_at(&b, mu, speed), bent = between(0, 3) * g / b.stiffness;
    const double v[2] = {speed * cos(turn), speed * sin(turn)},
                 z[2] = {bent * cos(other), bent * sin(other)};
    const answer full = ask(&b, mu, v, z);
    const double given = -(full.force[0] * v[0] + full.force[1] * v[1]);
    const double stored = b.stiffness * (z[0] * full.rate[0] + z[1] * full.rate[1]);
    const double scale = (g + b.stiffness * bent) * speed;
    cr_assert_geq(given - stored, -1e-12 * scale);
    least = fmin(least, (given - stored) / scale);
    b.viscous = 0;
    const answer dry = ask(&b, mu, v, z);
    cr_assert_leq(size(dry.force), fmax(g, b.stiffness * bent) * (1 + 1e-12));
  }
  cr_log_info("least loss %.3g of friction times slip", least);
}

/* Classical Runge-Kutta over a slip speed that is constant over the time t. */
static double slide(const bristles *b, double mu, double v, double z, double t, int steps,
                    double *work) {
  const double h = t / steps;
  for (int n = 0; n < steps; n++) {
    double k[4], power[4];
    for (int s = 0; s < 4; s++) {
      const double at[2] = {s == 0 ? z : z + (s == 3 ? h : 0.5 * h) * k[s - 1], 0},
                   slip[2] = {v, 0};
      const answer a = ask(b, mu, slip, at);
      k[s] = a.rate[0];
      power[s] = -a.force[0] * v;
    }
    z += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
    *work += h / 6 * (power[0] + 2 * power[1] + 2 * power[2] + power[3]);
  }
  return z;
}

/* To and fro by 2 A at the speed v: with Z = g/sigma_0 the bristles go between -Z tanh(A/Z) and
 * Z tanh(A/Z), and a loop takes 4 g (A - Z tanh(A/Z)) and, by the damping s, 4 s v Z tanh(A/Z). */
Test(bristle, a_loop_has_the_area_of_the_closed_form) {
  const bristles b = {4000, 30, 0.02, 1.4, 0.02};
  const double mu = 0.5, speeds[] = {1e-3, 0.05}, ways[] = {2e-5, 1e-4, 6e-4};
  for (int s = 0; s < 2; s++) {
    for (int w = 0; w < 3; w++) {
      const double v = speeds[s], way = ways[w], g = friction_at(&b, mu, v),
                   limit = g / b.stiffness;
      const double ends = limit * tanh(way / limit), damping = b.damping / (1 + b.damping * v / g);
      const double area = 4 * g * (way - ends) + 4 * damping * v * ends + b.viscous * v * 4 * way;
      double z = -ends, work = 0;
      for (int stroke = 0; stroke < 2; stroke++)
        z = slide(&b, mu, stroke ? -v : v, z, 2 * way / v, 2000, &work);
      cr_expect_float_eq(z, -ends, 1e-9 * ends);
      cr_expect_float_eq(work / area, 1, 1e-9, "v = %g, A = %g: %.12g of %.12g", v, way, work,
                         area);
    }
  }
}

/* In the air, and on ice, sigma_0 z + sigma_1 z' = 0 and no force. */
Test(bristle, bristles_without_load_spring_back_by_themselves) {
  const bristles b = {5000, 40, 0.1, 1.2, 0.05};
  const double z[2] = {3e-5, -4e-5}, v[2] = {0.7, 0.2};
  double w[W_COUNT], rates[2];
  fold(&b, w);
  spring_back(w, (deflection){z, rates});
  const answer ice = ask(&b, 0, v, z);
  for (int j = 0; j < 2; j++) {
    cr_expect_float_eq(b.stiffness * z[j] + b.damping * rates[j], 0, 1e-15);
    cr_expect_float_eq(ice.rate[j], rates[j], 1e-15);
    cr_expect_eq(ice.force[j], 0);
  }
}

/* The largest change of force over slip, bristles bent to their limit, is the bound of the step. */
Test(bristle, no_slope_is_above_the_bound_of_the_step) {
  double most = 0;
  for (int n = 0; n < 20000; n++) {
    bristles b = any_bristles();
    b.ratio = 1; /* Stribeck's fall drives, it does not brake */
    const double mu = between(0.05, 1), speed = between(0, 2) * mu / b.damping,
                 step = 1e-6 * mu / b.damping, turn = between(0, 7), other = between(0, 7);
    const double bent = between(0, 1) * mu / b.stiffness,
                 z[2] = {bent * cos(other), bent * sin(other)};
    const double v[2] = {speed * cos(turn), speed * sin(turn)};
    double w[W_COUNT];
    const int settings[K_COUNT] = {[K_LAW] = LAW_BRISTLE};
    fold(&b, w);
    const double bound = friction_steepest(w, settings, mu).x;
    for (int j = 0; j < 2; j++) {
      const double more[2] = {v[0] + (j ? 0 : step), v[1] + (j ? step : 0)};
      const double slope = (ask(&b, mu, v, z).force[j] - ask(&b, mu, more, z).force[j]) / step;
      cr_assert_leq(slope, bound * (1 + 1e-5));
      most = fmax(most, slope / bound);
    }
  }
  cr_log_info("up to %.3f of the bound", most);
  cr_expect_gt(most, 0.9);
}
