/* Objectives and constraints estimated from the vehicles of a candidate: values by hand, intervals
 * against closed forms and by their coverage, differences of the same draws. */
#include "../../host/evaluate/estimates.h"
#include "../../host/statistics/side_by_side/side_by_side.h"
#include "made_source.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 400, GOALS = 6 };

/* Goals of the columns x and y, as a study has them that draws `draws` vehicles of a candidate. */
typedef struct made {
  omr_study study;
  omr_goal goals[GOALS];
  omr_goal_set set;
  size_t draws;
} made;

/* A text that compares is a constraint. */
static void make(made *m, size_t draws, bool common, const char *const *texts) {
  static const omr_sample_info info[] = {{"x", "1", ""}, {"y", "1", ""}};
  omr_error error = {0};
  *m = (made){.draws = draws};
  m->study.goals.list = m->goals;
  for (; texts[m->study.goals.count]; m->study.goals.count++) {
    const char *text = texts[m->study.goals.count];
    const char *open = strstr(text, "probability(");
    m->goals[m->study.goals.count] =
        (omr_goal){.name = (char *)"goal",
                   .text = (char *)text,
                   .constraint = strpbrk(open ? strchr(text, ')') : text, "<>") != NULL};
  }
  m->study.sample.points = draws;
  m->study.sample.dimensions = 1;
  m->study.sample.common = common;
  m->study.statistics.confidence = 0.95;
  cr_assert_eq(omr_goal_set_make(&m->study, info, 2, &m->set, &error), OMR_OK, "%s", error.message);
}

#define GOALS_OF(m, draws, common, ...)                                                            \
  make(m, draws, common, (const char *const[]){__VA_ARGS__, NULL})

static void release(made *m) {
  omr_goal_set_free(&m->set);
}

typedef struct estimated {
  omr_goal_estimate goal;
  double influence[MOST], truth[MOST];
  omr_goal_influence part;
} estimated;

/* status NULL: all reached the end. */
static void estimate(const made *m, size_t g, const double *x, const double *y,
                     const int8_t *status, estimated *out) {
  double values[2 * MOST], work[2 * MOST];
  int8_t codes[MOST] = {0};
  const double *const columns[] = {x, y};
  for (size_t u = 0; u < m->set.used_count; u++)
    memcpy(values + u * m->draws, columns[m->set.used[u]], m->draws * sizeof *values);
  if (status) memcpy(codes, status, m->draws);
  const omr_vehicles vehicles = {m->draws, values, codes};
  out->part = (omr_goal_influence){out->influence, out->truth, 0};
  out->goal = omr_goal_estimate_of(&m->set, g, &vehicles, work, &out->part);
}

static omr_bounds difference(const made *m, size_t g, const estimated *one,
                             const estimated *other) {
  return omr_goal_difference(&m->set, g, one->goal.value - other->goal.value, &one->part, m->draws,
                             &other->part, m->draws);
}

static omr_moments moments_of(const double *x, size_t count) {
  omr_moments m = {.used = count};
  for (size_t k = 0; k < count; k++) m.mean += x[k] / (double)count;
  for (size_t k = 0; k < count; k++) m.squares += (x[k] - m.mean) * (x[k] - m.mean);
  return m;
}

static double value_of(const made *m, size_t g, const double *x, const double *y,
                       const int8_t *status) {
  estimated e;
  estimate(m, g, x, y, status, &e);
  return e.goal.value;
}

/* VALUES */

/* 3, 1, 4, 1.5, 9: mean 18.5/5, squares about it 40.8, so that the variance is 10.2. Type 7 at 0.3:
 * 1.2 steps above the smallest, 1.5 + 0.2 1.5. */
Test(estimates, values_are_those_by_hand) {
  static const double x[] = {3, 1, 4, 1.5, 9}, y[] = {1, 1, 0, 2, 2};
  made m, n;
  GOALS_OF(&m, 5, true, "mean(x)", "deviation(x)", "quantile(x, 30 %)", "smallest(x)", "largest(x)",
           "probability(x > 2)");
  static const double known[] = {3.7, 3.1937438845342623, 1.8, 1, 9, 0.6};
  for (size_t g = 0; g < 6; g++) cr_expect_float_eq(value_of(&m, g, x, y, NULL), known[g], 1e-14);
  GOALS_OF(&n, 5, true, "mean(x) - 2 * mean(y)", "mean(x - 2 * y)", "quantile(x + y, 50 %) / 2",
           "probability(x > 2 && y > 0.5)");
  static const double others[] = {1.3, 1.3, 2, 0.4};
  for (size_t g = 0; g < 4; g++) cr_expect_float_eq(value_of(&n, g, x, y, NULL), others[g], 1e-14);
  release(&m);
  release(&n);
}

/* A vehicle that failed, or has no value, does not count but where the status is looked at. */
Test(estimates, vehicles_that_failed_do_not_count) {
  static const double x[] = {3, 1, 700, 1.5, 9, (double)NAN}, y[] = {0, 0, 0, 0, 0, 0};
  static const int8_t status[] = {0, 0, OMR_INSTANCE_LIFTED, 0, 0, 0};
  made m;
  GOALS_OF(&m, 6, true, "mean(x)", "largest(x)", "probability(x > 2)", "probability(status == ok)",
           "quantile(x, 50 %)");
  static const double known[] = {14.5 / 4, 9, 0.5, 5.0 / 6, 2.25};
  for (size_t g = 0; g < 5; g++) cr_expect_float_eq(value_of(&m, g, x, y, status), known[g], 1e-14);

  /* None is left. */
  static const int8_t failed[] = {1, 1, 1, 1, 1, 1};
  estimated e;
  estimate(&m, 0, x, y, failed, &e);
  cr_expect(isnan(e.goal.value) && isnan(e.goal.bounds.low) && isnan(e.goal.bounds.high));
  release(&m);
}

/* INTERVALS */

static void expect_bounds(const char *what, omr_bounds found, omr_bounds known, double tolerance) {
  cr_expect_float_eq(found.low, known.low, tolerance, "%s: from %.15g, not %.15g", what, found.low,
                     known.low);
  cr_expect_float_eq(found.high, known.high, tolerance, "%s: to %.15g, not %.15g", what, found.high,
                     known.high);
}

/* As a run has it, of those vehicles that count. */
Test(estimates, a_mean_has_students_interval) {
  double x[40];
  int8_t status[40] = {0};
  uint64_t state = 11;
  for (int k = 0; k < 40; k++) x[k] = noise(&state);
  for (size_t used = 2; used <= 40; used += 19) {
    made m;
    estimated e;
    GOALS_OF(&m, 40, true, "mean(x)", "2 - 3 * mean(x)");
    for (size_t k = 0; k < 40; k++) status[k] = k < used ? 0 : OMR_INSTANCE_LIFTED;
    const omr_moments moments = moments_of(x, used);
    const omr_bounds known = omr_mean_bounds(&moments, 0.95);
    estimate(&m, 0, x, x, status, &e);
    expect_bounds("mean", e.goal.bounds, known, 1e-12);
    estimate(&m, 1, x, x, status, &e);
    expect_bounds("of a linear one", e.goal.bounds,
                  (omr_bounds){2 - 3 * known.high, 2 - 3 * known.low}, 1e-12);
    release(&m);
  }
}

Test(estimates, one_vehicle_of_many_has_no_interval) {
  static const double x[] = {3, 1, 4, 1.5, 9};
  static const int8_t status[] = {0, 1, 1, 1, 1};
  made m;
  estimated e;
  GOALS_OF(&m, 5, true, "mean(x)", "mean(x) < 4");
  estimate(&m, 0, x, x, status, &e);
  cr_expect_eq(e.goal.value, 3);
  cr_expect(isnan(e.goal.bounds.low) && isnan(e.goal.bounds.high));
  estimate(&m, 1, x, x, status, &e);
  cr_expect(e.goal.margin == 1 && isnan(e.goal.holds));
  release(&m);
}

/* The ranks between which a quantile lies are those of binomial tables: P(B < 6) = 0.0207 of 20 at
 * 1/2, P(B < 40) = 0.0176 of 100; 0 stands for none. */
Test(estimates, a_quantile_lies_between_the_ranks_of_the_binomial_distribution) {
  static const struct {
    size_t draws;
    const char *text;
    double low, high;
  } known[] = {{20, "quantile(x, 0.1)", 0, 6},
               {20, "quantile(x, 0.5)", 6, 15},
               {20, "quantile(x, 0.9)", 15, 0},
               {100, "quantile(x, 0.1)", 5, 17},
               {100, "quantile(x, 0.5)", 40, 61}};
  double x[100];
  for (int k = 0; k < 100; k++) x[k] = (k * 37) % 100 + 1; /* ranks, in another order */
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    made m;
    estimated e;
    double own[100];
    size_t count = 0;
    for (int k = 0; k < 100; k++)
      if (x[k] <= (double)known[i].draws) own[count++] = x[k];
    cr_assert_eq(count, known[i].draws);
    GOALS_OF(&m, count, true, known[i].text);
    estimate(&m, 0, own, own, NULL, &e);
    cr_expect(known[i].low > 0 ? e.goal.bounds.low == known[i].low : isnan(e.goal.bounds.low),
              "%s of %zu: from %g", known[i].text, count, e.goal.bounds.low);
    cr_expect(known[i].high > 0 ? e.goal.bounds.high == known[i].high : isnan(e.goal.bounds.high),
              "%s of %zu: to %g", known[i].text, count, e.goal.bounds.high);
    release(&m);
  }
}

Test(estimates, a_share_has_the_interval_of_a_probability) {
  double x[30];
  for (int k = 0; k < 30; k++) x[k] = k < 7;
  made m;
  estimated e;
  GOALS_OF(&m, 30, true, "probability(x > 0.5)");
  estimate(&m, 0, x, x, NULL, &e);
  expect_bounds("share", e.goal.bounds, omr_probability_bounds(OMR_INTERVAL_WILSON, 7, 30, 0.95),
                1e-15);
  release(&m);
}

/* COVERAGE: how often intervals of 95 % hold the truth in repeated samples. */

static double normal(uint64_t *state) {
  return omr_normal_quantile(noise(state) + 0x1p-54);
}

static double exponential(uint64_t *state) {
  return -log1p(-noise(state));
}

static bool holds(omr_bounds bounds, double truth) {
  return !(bounds.low > truth) && !(bounds.high < truth);
}

/* Four standard errors of a share of 0.95 in so many trials. */
static double slack(int trials) {
  return 4 * sqrt(0.95 * 0.05 / trials);
}

static double coverage(const char *text, size_t draws, double (*draw)(uint64_t *), double truth,
                       int trials) {
  uint64_t state = 4711;
  made m;
  int held = 0;
  GOALS_OF(&m, draws, true, text);
  for (int i = 0; i < trials; i++) {
    double x[MOST];
    estimated e;
    for (size_t k = 0; k < draws; k++) x[k] = draw(&state);
    estimate(&m, 0, x, x, NULL, &e);
    held += holds(e.goal.bounds, truth);
  }
  release(&m);
  return (double)held / trials;
}

/* Whatever the distribution, and the discrete ranks make it more. */
Test(estimates, intervals_of_quantiles_cover_at_least_as_much_as_they_say) {
  enum { TRIALS = 2000 };
  static const double levels[] = {0.1, 0.5};
  static const size_t draws[] = {20, 100};
  for (int l = 0; l < 2; l++)
    for (int d = 0; d < 2; d++) {
      const char *text = l ? "quantile(x, 0.5)" : "quantile(x, 0.1)";
      const double p = levels[l],
                   of_normal = coverage(text, draws[d], normal, omr_normal_quantile(p), TRIALS),
                   of_exponential = coverage(text, draws[d], exponential, -log1p(-p), TRIALS);
      cr_expect_geq(of_normal, 0.95 - slack(TRIALS), "%s of %zu: %g", text, draws[d], of_normal);
      cr_expect_geq(of_exponential, 0.95 - slack(TRIALS), "%s of %zu: %g", text, draws[d],
                    of_exponential);
    }
}

/* The delta method: the variance of mean + 2 deviation of n normal numbers is (1 + 2)/n. */
Test(estimates, a_sum_of_mean_and_deviation_is_covered) {
  enum { TRIALS = 2000 };
  const double found = coverage("mean(x) + 2 * deviation(x)", 400, normal, 2, TRIALS);
  cr_expect_float_eq(found, 0.95, slack(TRIALS), "%g", found);

  /* Its width: 2 t sqrt(3/n). */
  made m;
  estimated e;
  double x[MOST];
  for (int k = 0; k < MOST; k++) x[k] = omr_normal_quantile((k + 0.5) / MOST);
  GOALS_OF(&m, MOST, true, "mean(x) + 2 * deviation(x)");
  estimate(&m, 0, x, x, NULL, &e);
  cr_expect_float_eq(e.goal.bounds.high - e.goal.value,
                     omr_student_quantile(MOST - 1, 0.95) * sqrt(3.0 / MOST), 0.002);
  release(&m);
}

/* DIFFERENCES */

/* y is x with a little noise, and better by 0.2. */
static void pairs_of(uint64_t *state, size_t draws, double *x, double *y) {
  for (size_t k = 0; k < draws; k++) {
    x[k] = normal(state);
    y[k] = x[k] + 0.2 + 0.3 * normal(state);
  }
}

Test(estimates, a_difference_of_means_is_students_of_the_pairs) {
  enum { DRAWS = 25 };
  double x[DRAWS], y[DRAWS], apart[DRAWS];
  uint64_t state = 3;
  made m, own;
  estimated one, other;
  pairs_of(&state, DRAWS, x, y);
  for (int k = 0; k < DRAWS; k++) apart[k] = y[k] - x[k];
  GOALS_OF(&m, DRAWS, true, "mean(x)");
  GOALS_OF(&own, DRAWS, false, "mean(x)");
  estimate(&m, 0, y, y, NULL, &one);
  estimate(&m, 0, x, x, NULL, &other);
  const omr_moments pairs = moments_of(apart, DRAWS), a = moments_of(y, DRAWS),
                    b = moments_of(x, DRAWS);
  const omr_bounds paired = difference(&m, 0, &one, &other),
                   unpaired = difference(&own, 0, &one, &other);
  expect_bounds("pairs", paired, omr_mean_bounds(&pairs, 0.95), 1e-12);
  cr_expect_lt(paired.high - paired.low, 0.5 * (unpaired.high - unpaired.low));

  /* Of draws of their own the variances add up. */
  const double half =
      omr_student_quantile(DRAWS - 1, 0.95) * sqrt((a.squares + b.squares) / (DRAWS - 1) / DRAWS);
  expect_bounds("no pairs", unpaired, (omr_bounds){pairs.mean - half, pairs.mean + half}, 1e-12);

  /* A candidate is no different from itself. */
  expect_bounds("itself", difference(&m, 0, &one, &one), (omr_bounds){0, 0}, 0);
  release(&m);
  release(&own);
}

/* A pair in which one has failed is none: the difference is of those that both reached the end. */
Test(estimates, differences_of_shares_have_tangos_interval) {
  enum { DRAWS = 30 };
  double x[DRAWS], y[DRAWS];
  int8_t status[DRAWS] = {0};
  made m;
  estimated one, other;
  for (int k = 0; k < DRAWS; k++) {
    x[k] = k < 12;           /* 12 of 30 */
    y[k] = k >= 4 && k < 13; /* loses 4, gains 1 */
  }
  GOALS_OF(&m, DRAWS, true, "probability(x > 0.5)");
  estimate(&m, 0, y, y, NULL, &one);
  estimate(&m, 0, x, x, NULL, &other);
  expect_bounds("pairs", difference(&m, 0, &one, &other), omr_tango_bounds(1, 4, DRAWS, 0.95),
                1e-15);
  status[0] = OMR_INSTANCE_LIFTED; /* one of those that were lost */
  estimate(&m, 0, y, y, status, &one);
  expect_bounds("a pair less", difference(&m, 0, &one, &other),
                omr_tango_bounds(1, 3, DRAWS - 1, 0.95), 1e-15);
  release(&m);
}

/* By influences, whose scale is the density that Siddiqui's estimate finds, and by ranks, which
 * make it a little wider. The truth: y is normal with variance 1.09. */
Test(estimates, differences_of_quantiles_are_covered) {
  enum { TRIALS = 1000, DRAWS = 200 };
  const double z = omr_normal_quantile(0.8), truth = 0.2 + (sqrt(1.09) - 1) * z;
  uint64_t state = 99;
  made m, own;
  int held = 0, wider = 0;
  GOALS_OF(&m, DRAWS, true, "quantile(x, 0.8)");
  GOALS_OF(&own, DRAWS, false, "quantile(x, 0.8)");
  for (int i = 0; i < TRIALS; i++) {
    double x[DRAWS], y[DRAWS];
    static estimated one, other;
    pairs_of(&state, DRAWS, x, y);
    estimate(&m, 0, y, y, NULL, &one);
    estimate(&m, 0, x, x, NULL, &other);
    const omr_bounds paired = difference(&m, 0, &one, &other),
                     unpaired = difference(&own, 0, &one, &other);
    held += holds(paired, truth);
    wider += unpaired.high - unpaired.low > paired.high - paired.low;
  }
  cr_expect_geq((double)held / TRIALS, 0.95 - slack(TRIALS), "%g", (double)held / TRIALS);
  cr_expect_leq((double)held / TRIALS, 0.99, "%g", (double)held / TRIALS);
  cr_expect_eq(wider, TRIALS);
  release(&m);
  release(&own);
}

/* Two that move together, y = x + b of a small b: influences alone held the truth in 4 of 10. */
Test(estimates, differences_of_quantiles_that_move_together_are_covered) {
  enum { TRIALS = 1000, DRAWS = 16 };
  uint64_t state = 7;
  made m, few;
  int held = 0;
  GOALS_OF(&m, DRAWS, true, "quantile(x, 0.5)");
  GOALS_OF(&few, DRAWS, true, "quantile(x, 0.95)");
  for (int i = 0; i < TRIALS; i++) {
    double x[DRAWS], y[DRAWS];
    static estimated one, other;
    for (int k = 0; k < DRAWS; k++) x[k] = noise(&state), y[k] = x[k] + 0.01 * noise(&state);
    estimate(&m, 0, y, y, NULL, &one);
    estimate(&m, 0, x, x, NULL, &other);
    held += holds(difference(&m, 0, &one, &other), 0.005);
    estimate(&few, 0, y, y, NULL, &one);
    estimate(&few, 0, x, x, NULL, &other);
    cr_expect(isnan(difference(&few, 0, &one, &other).high)); /* no rank lies above */
  }
  cr_expect_geq((double)held / TRIALS, 0.95 - slack(TRIALS), "%g", (double)held / TRIALS);
  release(&m);
  release(&few);
}

/* HOW PROBABLE IT IS THAT A CONSTRAINT HOLDS */

/* Of a share Jeffreys' distribution, beta(m + 1/2, n - m + 1/2); values by scipy. */
Test(estimates, a_share_keeps_its_limit_by_jeffreys_distribution) {
  static const struct {
    int met, of;
    const char *text;
    double holds;
  } known[] = {{0, 10, "probability(x > 0.5) <= 5 %", 0.69493799694259},
               {3, 20, "probability(x > 0.5) < 0.2", 0.6969538400388664},
               {8, 11, "probability(x > 0.5) <= 50 %", 0.06402604644255408},
               {8, 11, "probability(x > 0.5) >= 50 %", 1 - 0.06402604644255408},
               {8, 11, "probability(x > 0.5) <= 1", 1},
               {8, 11, "probability(x > 0.5) <= 0", 0}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    double x[20];
    made m;
    estimated e;
    for (int k = 0; k < known[i].of; k++) x[k] = k < known[i].met;
    GOALS_OF(&m, (size_t)known[i].of, true, known[i].text);
    estimate(&m, 0, x, x, NULL, &e);
    cr_expect_float_eq(e.goal.holds, known[i].holds, 1e-12, "%s: %.15g", known[i].text,
                       e.goal.holds);
    cr_expect_eq(e.goal.margin >= 0, strstr(known[i].text, ">=") ? known[i].met * 2 >= known[i].of
                                                                 : e.goal.margin >= 0);
    release(&m);
  }
}

/* Student's distribution of 4 degrees of freedom at t = sqrt 2: u = 1 + t^2/4 = 3/2,
 * F = 1/2 + 3/8 t/sqrt(u) (1 - t^2/(12 u)). */
Test(estimates, other_goals_keep_their_limit_by_students_distribution) {
  static const double x[] = {1, 2, 3, 4, 5};
  const double u = 1.5, f = 0.5 + 0.375 * sqrt(2 / u) * (1 - 2 / (12 * u));
  static const char *const texts[] = {"mean(x) < 4", "mean(x) > 4", "mean(x) > 2", "mean(x) <= 3",
                                      "-2 * mean(x) > -8"};
  const double known[] = {f, 1 - f, f, 0.5, f};
  for (int i = 0; i < 5; i++) {
    made m;
    estimated e;
    GOALS_OF(&m, 5, true, texts[i]);
    estimate(&m, 0, x, x, NULL, &e);
    cr_expect_float_eq(e.goal.holds, known[i], 1e-12, "%s: %.15g", texts[i], e.goal.holds);
    release(&m);
  }
}

/* Nothing is drawn: it holds or not. */
Test(estimates, of_one_vehicle_a_constraint_holds_or_not) {
  static const double x[] = {3};
  made m;
  estimated e;
  GOALS_OF(&m, 1, true, "mean(x) < 4", "mean(x) > 4", "mean(x)");
  m.set.drawn = false;
  for (size_t g = 0; g < 2; g++) {
    estimate(&m, g, x, x, NULL, &e);
    cr_expect_eq(e.goal.holds, g == 0);
    cr_expect_eq(e.goal.margin, g == 0 ? 1 : -1);
  }
  estimate(&m, 2, x, x, NULL, &e);
  cr_expect(e.goal.bounds.low == 3 && e.goal.bounds.high == 3 && isnan(e.goal.holds));
  release(&m);
}
