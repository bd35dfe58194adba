/* Elementary effects of trajectories against functions whose effects are known. */
#include "table.h"

#include "../../host/study/designs/distributions.h"
#include "../../host/study/designs/row_groups.h"

#define UNIT(path) "{'path': '" path "', 'uniform': [0, 1]}"
#define FOUR                                                                                       \
  "'vary': [" UNIT("initial.x") "," UNIT("initial.z") "," UNIT("initial.yaw") "," UNIT(            \
      "initial.vx") "]"

static omr_study *morris(const char *vary, int trajectories, int levels) {
  char sections[1024];
  snprintf(sections, sizeof sections,
           "%s, 'design': {'type': 'morris', 'trajectories': %d, 'levels': %d, 'seed': 4}", vary,
           trajectories, levels);
  return study_with(sections);
}

static const double slope[] = {3, -2, 0.5, 0};
static double linear(const double *x) {
  return 5 + slope[0] * x[0] + slope[1] * x[1] + slope[2] * x[2];
}

static double product(const double *x) {
  return x[0] * x[1];
}

/* mu = a_i, mu* its size, sigma 0, to rounding; of a parameter without effect exactly 0. */
Test(morris, effects_of_a_linear_function_are_its_slopes) {
  static const int levels[] = {2, 4, 6, 8};
  for (int l = 0; l < 4; l++) {
    omr_study *study = morris(FOUR, 10, levels[l]);
    test_function *const function = linear;
    table *t = table_of(study, &function, 1);
    omr_sensitivity *s = sensitivity_of(study, t, 0);
    cr_expect_eq(s->groups, 10u);
    for (int i = 0; i < 4; i++) {
      cr_expect_float_eq(s->estimates[1][i].value, slope[i], 1e-13);
      cr_expect_float_eq(s->estimates[0][i].value, fabs(slope[i]), 1e-13);
      cr_expect_float_eq(s->estimates[0][i].high, fabs(slope[i]), 1e-13);
      cr_expect_lt(s->sigma[i], 1e-13);
    }
    cr_expect(s->estimates[0][3].value == 0 && s->sigma[3] == 0);
    omr_sensitivity_destroy(s);
    table_free(t);
    omr_study_destroy(study);
  }
}

/* The effect of x in x z is z where x moves: with 4 levels 0, 1/3, 2/3, 1, all alike, so mu = 1/2
 * and sigma^2 = 5/36. Intervals of 95 % of mu from independent effects: within five standard errors
 * of the mean. */
Test(morris, effects_of_a_product_are_the_other_factor) {
  enum { R = 4000 };
  omr_study *study = morris(FOUR, R, 4);
  test_function *const function = product;
  table *t = table_of(study, &function, 1);
  omr_sensitivity *s = sensitivity_of(study, t, 0);
  const double deviation = sqrt(5 / 36.0);
  for (int i = 0; i < 2; i++) {
    cr_expect_float_eq(s->estimates[1][i].value, 0.5, 5 * deviation / sqrt(R));
    cr_expect_float_eq(s->sigma[i], deviation, 0.01);
    /* scipy.stats.t.ppf(0.975, 3999) */
    cr_expect_float_eq(s->estimates[1][i].high - s->estimates[1][i].value,
                       1.9605573771860274 * s->sigma[i] / sqrt(R), 1e-12);
  }
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

/* scipy.stats.t.ppf(0.975, n - 1) for n trajectories: the half width of mu's interval is that times
 * sigma over the root of n. */
Test(morris, intervals_are_student_s) {
  static const struct {
    int n;
    double t;
  } known[] = {{2, 12.706204736432095},
               {4, 3.182446305284263},
               {10, 2.2621571628540993},
               {30, 2.045229642132703}};
  for (int k = 0; k < 4; k++) {
    omr_study *study = morris(FOUR, known[k].n, 4);
    test_function *const function = product;
    table *t = table_of(study, &function, 1);
    for (size_t row = 0; row < t->source.rows; row++)
      t->values[4][row] = (double)(row * row % 97); /* no two effects alike */
    omr_sensitivity *s = sensitivity_of(study, t, 0);
    const double half = known[k].t * s->sigma[0] / sqrt(known[k].n);
    cr_expect_gt(s->sigma[0], 0);
    cr_expect_float_eq(s->estimates[1][0].high - s->estimates[1][0].value, half, 1e-10 * half);
    cr_expect_geq(s->estimates[0][0].low, 0);
    omr_sensitivity_destroy(s);
    table_free(t);
    omr_study_destroy(study);
  }
}

/* By hand from the rows: the parameter that differs between two rows, and by how much. */
Test(morris, trajectories_move_one_parameter_at_a_time_by_the_step) {
  enum { R = 50, D = 4 };
  omr_study *study = morris(FOUR, R, 6);
  test_function *const function = linear;
  table *t = table_of(study, &function, 1);
  int ups[D] = {0}, orders[D][D] = {{0}}, lowest[D] = {0};
  cr_assert_eq(study->instances, (size_t)R * (D + 1));
  for (size_t j = 0; j < R; j++) {
    int moved[D] = {0};
    for (size_t m = 0; m < D; m++) {
      const size_t row = j * (D + 1) + m;
      int changes = 0;
      for (int i = 0; i < D; i++) {
        const double change = t->values[i][row + 1] - t->values[i][row];
        size_t before;
        const double step = omr_morris_step(study, &study->variations[i], j, &before);
        cr_expect_eq(before == m, change != 0);
        cr_expect_float_eq(fabs(step), 0.6, 1e-15); /* 6/(2 * 5) */
        if (change == 0) continue;
        cr_expect_float_eq(change, step, 1e-15);
        ups[i] += change > 0;
        orders[i][m]++;
        moved[i]++;
        changes++;
      }
      cr_expect_eq(changes, 1);
    }
    for (int i = 0; i < D; i++) {
      const double level = 5 * t->values[i][j * (D + 1)];
      cr_expect_eq(moved[i], 1);
      cr_expect_float_eq(level, rint(level), 1e-14);
      cr_expect(level >= 0 && level <= 5);
      lowest[i] += level == 0;
    }
  }
  for (int i = 0; i < D; i++) {
    cr_expect(ups[i] > 10 && ups[i] < 40); /* of 50 coins: four standard deviations */
    cr_expect_gt(lowest[i], 0);
    for (int m = 0; m < D; m++)
      cr_expect(orders[i][m] > 1 && orders[i][m] < 26); /* of 50, one in four: the same */
  }
  table_free(t);
  omr_study_destroy(study);
}

/* Ends of bounded distributions are reached exactly; the levels of those without ends are middles
 * of equally likely parts. */
Test(morris, levels_are_quantiles) {
  static const double unit[] = {0.125, 0.375, 0.625, 0.875};
  omr_study *study = morris("'vary': [{'path': 'wheel.friction', 'triangular': [0.1, 0.3, 0.7]}, "
                            "{'path': 'platform.mass', 'normal': ['20 kg', '2 kg']}, {'path': "
                            "'initial.x', 'weibull': [1, 2]}, "
                            "{'path': 'gravity', 'log_uniform': [1, 8]}, {'path': 'wheel.rollers', "
                            "'values': [6, 8, 10]}]",
                            200, 4);
  static const double gravity[] = {1, 2, 4, 8}, rollers[] = {6, 8, 10, 10};
  int seen[5][4] = {{0}};
  for (size_t k = 0; k < study->instances; k++) {
    omr_values values;
    double x[5];
    omr_study_values(study, k, &values, x);
    cr_expect(x[0] >= 0.1 && x[0] <= 0.7);
    seen[0][0] += x[0] == 0.1;
    seen[0][3] += x[0] == 0.7;
    /* area below c: (x - a)^2/((b - a)(c - a)) up to the mode, here 1/3 at 0.3; 2/3 at 0.7 -
     * sqrt(0.6 0.4/3) */
    seen[0][1] += fabs(x[0] - 0.3) < 1e-15;
    seen[0][2] += fabs(x[0] - (0.7 - sqrt(0.08))) < 1e-15;
    for (int l = 0; l < 4; l++) {
      seen[1][l] += fabs(x[1] - (20 + 2 * omr_normal_quantile(unit[l]))) < 1e-13;
      seen[2][l] += fabs(x[2] - sqrt(-log(1 - unit[l]))) < 1e-13;
      seen[3][l] += fabs(x[3] - gravity[l]) < (l == 0 || l == 3 ? 1e-300 : 1e-14);
      seen[4][l] += x[4] == rollers[l];
    }
  }
  for (int i = 0; i < 4; i++) {
    cr_expect_eq(seen[i][0] + seen[i][1] + seen[i][2] + seen[i][3], (int)study->instances,
                 "parameter %d", i);
    for (int l = 0; l < 4; l++) cr_expect_gt(seen[i][l], 100, "parameter %d level %d", i, l);
  }
  cr_expect_eq(seen[4][0] + seen[4][1] + seen[4][2], (int)study->instances);
  omr_study_destroy(study);
}

/* A linear function of a normal quantile: its effect over the step of 1/2 between the middles of
 * parts. */
Test(morris, effects_of_unbounded_parameters_are_per_unit_of_probability) {
  omr_study *study =
      morris("'vary': [{'path': 'initial.x', 'normal': [0, 1]}, " UNIT("initial.z") "]", 500, 2);
  test_function *const function = product;
  table *t = table_of(study, &function, 1);
  for (size_t k = 0; k < t->source.rows; k++) t->values[2][k] = t->values[0][k];
  omr_sensitivity *s = sensitivity_of(study, t, 0);
  /* two levels, 1/4 and 3/4: quantiles -0.67449 and 0.67449, parted by 1/2 */
  cr_expect_float_eq(s->estimates[1][0].value, 4 * 0.6744897501960817, 1e-13);
  cr_expect_eq(s->estimates[0][1].value, 0);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

Test(morris, whole_trajectories_are_left_out_and_blocks_do_not_matter) {
  omr_study *study = morris(FOUR, 300, 4);
  test_function *const two[] = {linear, product};
  table *t = table_of(study, two, 2);
  for (size_t m = 0; m < 5; m++)
    t->values[4][20 + m] = 1e9; /* trajectory 4, lost by the failure of one instance */
  t->status[22] = OMR_INSTANCE_LIFTED;
  t->values[5][51] = (double)NAN;
  omr_sensitivity *s = sensitivity_of(study, t, 0);
  cr_expect_eq(s->ok, 299u);
  cr_expect_eq(s->failed[OMR_INSTANCE_LIFTED], 1u);
  cr_expect_eq(s->used[0], 299u);
  cr_expect_eq(s->used[1], 298u);
  cr_expect_float_eq(s->estimates[1][0].value, 3, 1e-12);
  char *text = printed(s);
  cr_expect_not_null(strstr(text, "299 of 300 trajectories; left out: 1 wheel_lifted"), "%s", text);
  cr_expect_not_null(strstr(text, "1 trajectories without a value left out"), "%s", text);
  free(text);
  omr_sensitivity_destroy(s);
  expect_same_in_any_blocks(study, t);
  table_free(t);
  omr_study_destroy(study);
}

/* A symmetric vehicle's lateral speed, and a load that only one parameter changes. */
static double rounding(const double *x) {
  return 1e-17 * sin(1e6 * (x[0] + 2 * x[1]));
}

static double one_and_rounding(const double *x) {
  return 72 + x[0] + 1e-14 * sin(1e6 * x[1]);
}

Test(morris, rounding_has_no_effects) {
  omr_study *study = morris(FOUR, 10, 4);
  test_function *const two[] = {rounding, one_and_rounding};
  table *t = table_of(study, two, 2);
  omr_sensitivity *s = sensitivity_of(study, t, 0);
  for (int i = 0; i < 4; i++) {
    cr_expect(s->reason[i] == OMR_REASON_CONSTANT && isnan(s->estimates[0][i].value));
    cr_expect_eq(s->reason[4 + i], OMR_REASON_GIVEN);
  }
  cr_expect_float_eq(s->estimates[0][4].value, 1, 1e-12);
  cr_expect(s->estimates[0][5].high == 0 && s->sigma[5] == 0);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}
