/* The rolling wheel of source 5 against its equations (appendix/small.md#models): the general
 * form of the weighted Udwadia-Kalaba equations put together from matrices, the printed eq. (20),
 * limits, exact motions, the order of the method. */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/kernel.h"
#include "shared/motion.h"

#define UK                                                                                         \
  "{\"model\": \"uk_wheel\", \"integrator\": {\"step\": \"1 ms\", \"duration\": \"10 s\"}, "
#define END "\"engine\": {\"backend\": \"openmp\"}}"

/* One call of the right-hand side. */
typedef struct wheel {
  double mass, radius, inertia;
  double p[UK_P_COUNT], y[UK_Y_COUNT], t;
  int c[K_COUNT];
  double dy[UK_Y_COUNT], out[UK_S_COUNT];
} wheel;

/* The standard wheel in a dip of the ground, rolling and slipping. */
static wheel make_wheel(void) {
  wheel w = {.mass = 25, .radius = 0.3, .inertia = 1.125, .t = 9.3};
  w.c[K_MODEL] = SMALL_UK_WHEEL;
  w.c[K_OPTION_0] = UK_GROUND_DIP;
  w.y[UK_Y_V] = 6.5;
  w.y[UK_Y_RATE] = 23;
  return w;
}

static void evaluate(wheel *w, double torque, double brake, double k_s, double k_f) {
  omr_study study = {.options = {w->c[K_OPTION_0]}};
  double v[OMR_VP_COUNT], y[UK_Y_COUNT], e[UK_E_COUNT];
  for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
  v[OMR_VP_UK_MASS] = w->mass;
  v[OMR_VP_UK_RADIUS] = w->radius;
  v[OMR_VP_UK_INERTIA] = w->inertia;
  v[OMR_VP_DRIVE_TORQUE] = torque;
  v[OMR_VP_BRAKE_TORQUE] = brake;
  v[OMR_VP_BRAKE_TIME] = 9;
  v[OMR_VP_UK_STICTION_GAIN] = k_s;
  v[OMR_VP_UK_FRICTION_GAIN] = k_f;
  cr_assert(omr_uk_wheel.prepare(&study, v, w->p, y, e, NULL, 0));
  uk_wheel_rates(w->c, w->p, w->y, w->t, w->dy, w->out);
}

/* q'' = M^-1 (Q + M X (b - A a) + M (I - X A) M^-1 C) with X = M^-1 A^T (A M^-1 A^T)^-1 W, W =
 * diag(1, s^2): the solution that meets the constraints for W = 1 at least weighted norm, its rows
 * then weighted. *x_matrix receives X, q the accelerations. */
static void general_form(const wheel *w, const double force[3], const double friction[3],
                         double weight, double x_matrix[3][2], double q[3]) {
  const double inverse[3] = {1 / w->mass, 1 / w->mass, 1 / w->inertia};
  const double a_matrix[2][3] = {{0, 1, 0}, {1, 0, -w->radius}}, weights[2] = {1, weight};
  double gram[2][2] = {{0}}, free[3], bias[2] = {0}, push[2] = {0};
  for (int i = 0; i < 3; i++) free[i] = force[i] * inverse[i];
  for (int r = 0; r < 2; r++) {
    for (int i = 0; i < 3; i++) {
      bias[r] -= a_matrix[r][i] * free[i]; /* b = 0 */
      push[r] += a_matrix[r][i] * inverse[i] * friction[i];
      for (int k = 0; k < 2; k++) gram[r][k] += a_matrix[r][i] * inverse[i] * a_matrix[k][i];
    }
  }
  double det = gram[0][0] * gram[1][1] - gram[0][1] * gram[1][0];
  const double solve[2][2] = {{gram[1][1] / det, -gram[0][1] / det},
                              {-gram[1][0] / det, gram[0][0] / det}};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      x_matrix[i][k] = 0;
      for (int r = 0; r < 2; r++)
        x_matrix[i][k] += inverse[i] * a_matrix[r][i] * solve[r][k] * weights[k];
    }
  }
  for (int i = 0; i < 3; i++) {
    q[i] = free[i] + inverse[i] * friction[i];
    for (int r = 0; r < 2; r++) q[i] += x_matrix[i][r] * (bias[r] - push[r]);
  }
}

static void expect_near(const char *what, double value, double expected) {
  cr_expect_lt(fabs(value - expected), 1e-12 * fmax(1, fabs(expected)), "%s is %.15g, not %.15g",
               what, value, expected);
}

/* Holds the kernel's accelerations against the general form, with forces from the formulas as
 * printed. */
static void check_general(wheel *w, double torque_max, double brake_max, double k_s, double k_f,
                          int demand_kind) {
  evaluate(w, torque_max, brake_max, k_s, k_f);
  double v = w->y[UK_Y_V], rate = w->y[UK_Y_RATE], load = w->mass * 9.81;
  double mu = 0.3 + (0.9 - 0.3) * pow(tanh((w->t - 10) / 2), 4);       /* (24) */
  double torque = torque_max * tanh(0.5 * w->t);                       /* (23) */
  double brake = -brake_max * (1 + tanh(w->t - 9)) * tanh(100 * rate); /* (25) */
  const double demands[] = {[UK_DEMAND_DRIVE] = fabs(torque),
                            [UK_DEMAND_APPLIED] = fabs(torque + brake),
                            [UK_DEMAND_SUM] = fabs(torque) + fabs(brake)};
  double demand = demands[demand_kind] / (3 * mu * load * w->radius);
  double s = 1 - pow(tanh(k_s * demand), 2);                              /* (21) */
  double f = mu * load * tanh(k_f * demand) * tanh(w->radius * rate - v); /* (22) */
  const double force[3] = {-1.7 * v * fabs(v), -load, torque + brake - 0.34 * rate};
  const double friction[3] = {f, 0, w->c[K_OPTION_3] == UK_FRICTION_PHYSICAL ? -w->radius * f : 0};
  double x[3][2], q[3], both = w->mass * w->radius * w->radius + w->inertia;
  general_form(w, force, friction, s * s, x, q);
  /* X of this wheel, as source 5 prints it (appendix/small.md#models) */
  const double printed[3][2] = {
      {0, w->inertia * s * s / both}, {1, 0}, {0, -w->mass * w->radius * s * s / both}};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) expect_near("X", x[i][k], printed[i][k]);
  }
  expect_near("z''", q[1], 0);
  expect_near("x''", w->dy[UK_Y_V], q[0]);
  expect_near("theta''", w->dy[UK_Y_RATE], q[2]);
  expect_near("mu", w->out[UK_S_MU], mu);
  expect_near("s", w->out[UK_S_STICTION], s);
  expect_near("F_c", w->out[UK_S_FRICTION], f);
  expect_near("power", w->dy[UK_Y_WORK] - w->dy[UK_Y_LOST],
              w->mass * q[0] * v + w->inertia * q[2] * rate);
}

Test(uk_wheel, the_accelerations_are_those_of_the_general_form) {
  for (int physical = 0; physical < 2; physical++) {
    for (int demand = 0; demand <= UK_DEMAND_SUM; demand++) {
      wheel w = make_wheel();
      w.c[K_OPTION_2] = demand;
      w.c[K_OPTION_3] = physical ? UK_FRICTION_PHYSICAL : UK_FRICTION_PUBLISHED;
      check_general(&w, 60, 0, 1, 1, demand);
      check_general(&w, 50, 45, 1, 1, demand);
      w.y[UK_Y_V] = -2.5;
      w.y[UK_Y_RATE] = -13;
      w.mass = 31;
      w.inertia = 0.7;
      w.radius = 0.42;
      check_general(&w, -80, 45, 0.6, 1.7, demand);
    }
  }
}

/* Without resistances (v = 0, rate 0 but for the slip): eq. (20) of the source. */
Test(uk_wheel, constraint_forces_are_those_of_eq_20) {
  wheel w = make_wheel();
  w.y[UK_Y_V] = w.y[UK_Y_RATE] = 0;
  evaluate(&w, 60, 0, 1, 1);
  double s2 = w.out[UK_S_WEIGHT], r2 = w.radius * w.radius, k = w.inertia / w.mass,
         torque = w.out[UK_S_DRIVE];
  expect_near("Q_ic(1)", w.out[UK_S_IDEAL], w.radius * s2 / (k + r2) * torque);
  expect_near("I theta'' - T_m", w.inertia * w.dy[UK_Y_RATE] - torque,
              -r2 * s2 / (k + r2) * torque); /* Q_ic(3), F_c = 0 here */
  w.y[UK_Y_RATE] = 2; /* now the wheel slips: Q_nic too, and the bearing takes part */
  evaluate(&w, 60, 0, 1, 1);
  double f = w.out[UK_S_FRICTION], bearing = -0.34 * 2;
  torque = w.out[UK_S_DRIVE] + bearing;
  expect_near("Q_nic(1)", w.out[UK_S_NONIDEAL], (r2 + k * (1 - s2)) / (k + r2) * f);
  expect_near("Q_ic(1)", w.out[UK_S_IDEAL], w.radius * s2 / (k + r2) * torque);
  expect_near("Q(3)", w.inertia * w.dy[UK_Y_RATE] - torque,
              -r2 * s2 / (k + r2) * torque + k * w.radius * s2 / (k + r2) * f);
}

Test(uk_wheel, ground_of_type_step_goes_from_upper_to_lower) {
  wheel w = make_wheel();
  w.c[K_OPTION_0] = UK_GROUND_STEP;
  const double times[] = {0, 9.9, 10, 10.07, 30},
               expected[] = {0.9, 0.6 - 0.3 * tanh(-1.0), 0.6, 0.6 - 0.3 * tanh(0.7), 0.3};
  for (int i = 0; i < 5; i++) {
    w.t = times[i];
    evaluate(&w, 60, 0, 1, 1);
    expect_near("mu", w.out[UK_S_MU], expected[i]);
  }
}

/* s = 1, F_c = 0 with k_s = k_F = 0: the wheel rolls with x'' = T R/(m R^2 + I), and x = a t^2/2.
 */
Test(uk_wheel, full_stiction_is_ideal_rolling) {
  static const char text[] =
      UK "\"parameters\": {\"stiction_gain\": 0, \"friction_gain\": 0, \"drive\": {\"type\": "
         "\"constant\","
         "\"torque\": 27}, \"resistance\": {\"rolling\": 0, \"bearing\": 0}}," END;
  omr_result *r = run_study(text, NULL);
  double a = 27 * 0.3 / (25 * 0.09 + 1.125);
  cr_expect_lt(fabs(value_of(r, "final_vx", 0) / (10 * a) - 1), 1e-13);
  cr_expect_lt(fabs(value_of(r, "final_x", 0) / (50 * a) - 1), 1e-13);
  cr_expect_lt(value_of(r, "max_slip", 0), 1e-12);
  cr_expect_eq(value_of(r, "min_weight", 0), 1);
  cr_expect_lt(fabs(value_of(r, "max_traction_ratio", 0) - 25 * a / (0.9 * 25 * 9.81)), 1e-13);
  omr_result_destroy(r);
}

/* Large demand: s -> 0, F_c -> mu N_c tanh(slip); the constraint is gone and the wheel turns as if
 * it were free. */
Test(uk_wheel, severe_slip_leaves_coulomb_friction_alone) {
  wheel w = make_wheel();
  w.y[UK_Y_V] = 1;
  w.y[UK_Y_RATE] = 100;
  evaluate(&w, 4000, 0, 1, 1);
  double limit = w.out[UK_S_LIMIT], torque = w.out[UK_S_DRIVE];
  cr_expect_lt(w.out[UK_S_STICTION], 1e-12);
  expect_near("Q_ic(1)", w.out[UK_S_IDEAL], 0);
  expect_near("Q_nic(1)", w.out[UK_S_NONIDEAL], limit);
  expect_near("theta''", w.dy[UK_Y_RATE], (torque - 0.34 * 100) / w.inertia);
}

/* Rolling with bearing friction b alone: (m R^2 + I) theta'' = -b theta', so v = v0 exp(-t/tau)
 * with tau = (m R^2 + I)/b. The speed falls below 1 % at tau ln 100, seen at the next step; a brake
 * of gain 0 sets in at 15 s and does nothing else. */
Test(uk_wheel, stop_time_and_braking_distance_of_a_coasting_wheel) {
  static const char text[] =
      "{\"model\": \"uk_wheel\", \"integrator\": {\"step\": \"5 ms\", \"duration\": \"50 s\"}, "
      "\"parameters\": {"
      "\"stiction_gain\": 0, \"friction_gain\": 0, \"drive\": {\"type\": \"constant\", \"torque\": "
      "0},"
      "\"resistance\": {\"rolling\": 0, \"bearing\": 0.5}, \"brake\": {\"torque\": 1, \"gain\": 0},"
      "\"initial\": {\"speed\": 6, \"rate\": 20}}," END;
  omr_result *r = run_study(text, NULL);
  double tau = (25 * 0.09 + 1.125) / 0.5, stop = ceil(tau * log(100) / 0.005) * 0.005;
  cr_expect_lt(fabs(value_of(r, "stop_time", 0) - stop), 1e-9);
  cr_expect_lt(
      fabs(value_of(r, "braking_distance", 0) - 6 * tau * (exp(-15 / tau) - exp(-stop / tau))),
      1e-9);
  cr_expect_lt(fabs(value_of(r, "final_vx", 0) - 6 * exp(-50 / tau)), 1e-12);
  cr_expect_eq(value_of(r, "max_speed", 0), 6);
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("integrator.duration=10"));
  cr_expect(isnan(value_of(r, "stop_time", 0)) && isnan(value_of(r, "braking_distance", 0)));
  omr_result_destroy(r);
}

/* The rate that the check of the step works with is no less than the decay of the wheel rate at the
 * brake's steepest place (rest, brake full on), found by a central difference, and not far above
 * it. */
Test(uk_wheel, the_fastest_rate_bounds_the_brakes) {
  wheel w = make_wheel();
  double slope[2];
  w.t = 40;
  w.y[UK_Y_V] = 0;
  for (int side = 0; side < 2; side++) {
    w.y[UK_Y_RATE] = side ? 1e-6 : -1e-6;
    evaluate(&w, 60, 50, 1, 1);
    slope[side] = w.dy[UK_Y_RATE];
  }
  double decay = -(slope[1] - slope[0]) / 2e-6, rate = omr_uk_wheel.fastest_rate(w.p);
  cr_expect(decay > 1000 && rate >= decay, "decay %g, rate %g", decay, rate);
  wheel free = w; /* without ground: the brake alone */
  evaluate(&free, 0, 50, 4000, 0);
  cr_expect_lt(omr_uk_wheel.fastest_rate(free.p), 1.02 * (2 * 50 * 100 + 0.34) / 1.125);
}

Test(uk_wheel, too_long_a_step_is_named) {
  static const char text[] = UK "\"parameters\": {\"brake\": {\"torque\": 50}}," END;
  omr_error error = {0};
  omr_study *study;
  cr_assert_eq(omr_study_parse(text, "test", NULL, 0, &study, &error), OMR_OK, "%s", error.message);
  char log[OMR_WARNINGS];
  cr_assert_eq(omr_judge_stability(study, log, sizeof log, &error), OMR_OK);
  cr_expect_not_null(strstr(log, "too long for instance 0"), "%s", log);
  cr_expect_not_null(strstr(log, "0.312 ms"), "%s",
                     log); /* 2.785/((2 50 100 + 0.34)/1.125 + 26.5) s */
  omr_study_destroy(study);
}

static double sample_at(const omr_result *r, int sample, size_t at) {
  return r->small_samples[sample][at];
}

Test(uk_wheel, a_trajectory_holds_the_motion_and_its_forces) {
  static const char text[] = UK
      "\"parameters\": {\"drive\": {\"torque\": 60}, \"ground\": {\"type\": \"dip\", \"time\": 5}},"
      "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}," END;
  omr_result *r = run_study(text, NULL);
  size_t last = r->sample_count - 1;
  cr_assert_eq(r->sample_count, 1001);
  cr_assert_eq(r->small_sample_count, UK_S_COUNT);
  cr_expect_eq(sample_at(r, UK_S_V, last), value_of(r, "final_vx", 0));
  cr_expect_eq(sample_at(r, UK_S_X, last), value_of(r, "final_x", 0));
  for (size_t s = 0; s <= last; s++) {
    double t = 0.01 * (double)s, v = sample_at(r, UK_S_V, s),
           slip = 0.3 * sample_at(r, UK_S_RATE, s) - v;
    cr_expect_lt(fabs(sample_at(r, UK_S_SLIP, s) - slip), 1e-12);
    cr_expect_lt(fabs(sample_at(r, UK_S_DRIVE, s) - 60 * tanh(0.5 * t)), 1e-12);
    cr_expect_lt(fabs(sample_at(r, UK_S_MU, s) - (0.3 + 0.6 * pow(tanh((t - 5) / 2), 4))), 1e-12);
    if (s == 0 || s == last) continue;
    /* Newton: m x'' by central differences against the forces; the third derivative leaves about
     * 1e-3 N */
    double force = 25 * (sample_at(r, UK_S_V, s + 1) - sample_at(r, UK_S_V, s - 1)) / 0.02;
    cr_expect_lt(fabs(force - (sample_at(r, UK_S_CONTACT, s) - 1.7 * v * fabs(v))), 0.02, "at %g s",
                 t);
  }
  omr_result_destroy(r);
}

static double end_at_step(const char *step, const char *method) {
  char set_step[64];
  snprintf(set_step, sizeof set_step, "integrator.step=%s", step);
  static const char text[] = UK "\"parameters\": {\"drive\": {\"torque\": 60}, \"ground\": "
                                "{\"type\": \"dip\", \"time\": 5}}," END;
  omr_result *r = run_study(text, OVERRIDES(set_step, method));
  double v = value_of(r, "final_vx", 0);
  omr_result_destroy(r);
  return v;
}

Test(uk_wheel, halving_the_step_divides_the_error_by_the_power_of_the_order) {
  static const char *const methods[] = {"integrator.method=rk4", "integrator.method=midpoint",
                                        "integrator.method=heun"};
  static const double orders[] = {4, 2, 2};
  double exact = end_at_step("1e-3", methods[0]);
  for (int m = 0; m < 3; m++) {
    double coarse = fabs(end_at_step("0.1", methods[m]) - exact),
           fine = fabs(end_at_step("0.05", methods[m]) - exact);
    double order = log2(coarse / fine);
    cr_expect(order > orders[m] - 0.3 && order < orders[m] + 0.3, "%s: errors %g and %g: order %g",
              methods[m], coarse, fine, order);
  }
}

Test(uk_wheel, methods_of_the_omni_models_are_refused) {
  static const char text[] = UK "\"parameters\": {\"drive\": {\"torque\": 60}}," END;
  static const char *const methods[] = {"integrator.method=semi_implicit_euler",
                                        "integrator.method=rosenbrock"};
  for (int m = 0; m < 2; m++) {
    omr_error error = {0};
    omr_study *study = NULL;
    cr_expect_eq(omr_study_parse(text, "test", methods + m, 1, &study, &error), OMR_ERR_STUDY);
    cr_expect(strstr(error.message, "integrator.method") &&
                  strstr(error.message, "\"rk4\", \"midpoint\" or \"heun\""),
              "%s", error.message);
  }
}

Test(uk_wheel, energy_balance_closes) {
  static const char text[] = UK "\"parameters\": {\"drive\": {\"torque\": 60}, \"ground\": "
                                "{\"type\": \"dip\", \"time\": 5}}," END;
  omr_result *r = run_study(text, NULL);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-12);
  cr_expect_gt(value_of(r, "dissipated_energy", 0), 1000);
  omr_result_destroy(r);
}

/* A long run of small increments: 2^22 steps of a wheel that rolls at constant speed in single
 * precision, x = v t. */
Test(uk_wheel, long_sums_keep_their_digits_in_single_precision) {
  static const char text[] = "{\"model\": \"uk_wheel\", \"integrator\": {\"step\": 0.0009765625, "
                             "\"duration\": 4096}, \"parameters\": {"
                             "\"drive\": {\"type\": \"constant\", \"torque\": 0}, \"resistance\": "
                             "{\"rolling\": 0, \"bearing\": 0}, \"radius\": 0.25,"
                             "\"initial\": {\"speed\": 3, \"rate\": 12}}, \"engine\": "
                             "{\"backend\": \"openmp\", \"precision\": \"single\"}}";
  omr_result *r = run_study(text, NULL);
  cr_expect_lt(fabs(value_of(r, "final_x", 0) / (3 * 4096.0) - 1), 2e-7);
  omr_result_destroy(r);
}
