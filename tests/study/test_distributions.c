/* Distributions by their quantile functions: against scipy, at their ends, by their moments, and as
 * inverses of themselves. */
#include "../../host/study/designs/distributions.h"
#include "../../host/study/designs/draws.h"
#include "sampling_data.h"

#include <math.h>

/* A variation with this distribution, as the reader makes it. */
static omr_study *draw_from(const cJSON *entry) {
  omr_text sections = {0};
  char *arguments = cJSON_PrintUnformatted(cJSON_GetObjectItem(entry, "arguments"));
  omr_text_print(&sections,
                 "'vary': [{'path': 'initial.x', '%s': %s}], 'design': {'type': 'monte_carlo', "
                 "'instances': 9}",
                 cJSON_GetObjectItem(entry, "draw")->valuestring, arguments);
  omr_study *study = study_with(sections.data);
  omr_text_free(&sections);
  free(arguments);
  return study;
}

static double member(const cJSON *entry, const char *name) {
  return cJSON_GetObjectItem(entry, name)->valuedouble;
}

/* Relative to the value's distance from the lower end of the distribution would be too strict where
 * scipy adds the end first: what counts is the value, or the whole range where it is larger. */
static double scale_of(const omr_variation *v, double value) {
  const double range = v->draw == OMR_DRAW_BETA || v->draw == OMR_DRAW_TRUNCATED_NORMAL
                           ? v->d - v->c
                       : v->draw == OMR_DRAW_UNIFORM    ? v->b - v->a
                       : v->draw == OMR_DRAW_TRIANGULAR ? v->c - v->a
                       : v->draw == OMR_DRAW_NORMAL     ? v->b
                                                        : 0;
  return fmax(fabs(value), range);
}

/* scipy 1.10.1 by tests/data/sampling.py. */
Test(distributions, quantiles_are_those_of_scipy) {
  cJSON *root = recorded_sampling();
  const cJSON *units = cJSON_GetObjectItem(root, "units"), *entry;
  cJSON_ArrayForEach(entry, cJSON_GetObjectItem(root, "quantiles")) {
    omr_study *study = draw_from(entry);
    const omr_variation *v = &study->variations[0];
    const cJSON *values = cJSON_GetObjectItem(entry, "values");
    for (int i = 0; i < cJSON_GetArraySize(units); i++) {
      const double unit = cJSON_GetArrayItem(units, i)->valuedouble,
                   expected = cJSON_GetArrayItem(values, i)->valuedouble;
      const double found = omr_quantile(v, unit);
      cr_expect_float_eq(found, expected, 4e-14 * scale_of(v, expected),
                         "%s %.17g: %.17g, scipy %.17g (%.2g of %.3g)",
                         omr_draw_kinds[v->draw].name, unit, found, expected,
                         (found - expected) / scale_of(v, expected), scale_of(v, expected));
    }
    omr_study_destroy(study);
  }
  cJSON_Delete(root);
}

/* Mean and variance by scipy. The values at the middles of N equal parts miss part of what the last
 * part contributes: to the variance at most (log N)^4 / N of 20 (Weibull, shape 1/2, whose quantile
 * is (log 1/(1 - u))^2), here 1.4 %, a third of it. */
Test(distributions, mean_and_variance_are_those_of_the_distributions) {
  enum { N = 50000 };
  cJSON *root = recorded_sampling();
  const cJSON *entry;
  cJSON_ArrayForEach(entry, cJSON_GetObjectItem(root, "quantiles")) {
    omr_study *study = draw_from(entry);
    const double mean = member(entry, "mean"), variance = member(entry, "variance");
    double first = 0, second = 0;
    for (int k = 0; k < N; k++) {
      const double off = omr_quantile(&study->variations[0], (k + 0.5) / N) - mean;
      first += off / N;
      second += off * off / N;
    }
    cr_expect_float_eq(first, 0, 2e-4 * sqrt(variance), "%s: mean off by %.3g of %.3g",
                       cJSON_GetObjectItem(entry, "draw")->valuestring, first, sqrt(variance));
    cr_expect_float_eq(second, variance, 4e-3 * variance, "%s: variance %.9g, not %.9g",
                       cJSON_GetObjectItem(entry, "draw")->valuestring, second, variance);
    omr_study_destroy(study);
  }
  cJSON_Delete(root);
}

/* The smallest and the largest unit that a draw can have, and more values for larger units in
 * between. */
Test(distributions, quantiles_rise_between_the_ends) {
  cJSON *root = recorded_sampling();
  const cJSON *entry;
  cJSON_ArrayForEach(entry, cJSON_GetObjectItem(root, "quantiles")) {
    omr_study *study = draw_from(entry);
    const omr_variation *v = &study->variations[0];
    double before = omr_quantile(v, 0x1p-53);
    cr_expect(isfinite(before));
    for (int k = 1; k < 2000; k++) {
      const double value = omr_quantile(v, k / 2000.0);
      cr_expect_geq(value, before, "%s at %d/2000", omr_draw_kinds[v->draw].name, k);
      before = value;
    }
    const double last = omr_quantile(v, 1 - 0x1p-53);
    cr_expect(last >= before && isfinite(last) && last <= omr_draw_highest(v));
    omr_study_destroy(study);
  }
  cJSON_Delete(root);
}

/* Figures with 20 digits from Abramowitz and Stegun, tables 26.1 and 26.2 (P(x), and x_p = 1.28155
 * 15655 44601 at 0.1 ...). */
Test(distributions, the_normal_distribution_is_that_of_the_tables) {
  cr_expect_float_eq(omr_normal_cdf(1), 0.841344746068543, 1e-15);
  cr_expect_float_eq(omr_normal_cdf(-2), 0.0227501319481792, 1e-16);
  cr_expect_float_eq(omr_normal_cdf(0.5), 0.691462461274013, 1e-15);
  cr_expect_eq(omr_normal_cdf(0), 0.5);
  cr_expect_float_eq(omr_normal_quantile(0.9), 1.281551565544600, 1e-15);
  cr_expect_float_eq(omr_normal_quantile(0.025), -1.959963984540054, 1e-15);
  cr_expect_eq(omr_normal_quantile(0.5), 0);
}

/* The two are inverses of each other, computed by different means: a series and a continued
 * fraction here, rational approximations there. An error e of the quantile z shows as e z in the
 * tail probability's relative one. */
Test(distributions, normal_quantile_and_distribution_undo_each_other) {
  for (double exponent = -280; exponent < -0.31; exponent += 0.37) {
    const double p = pow(10, exponent), z = omr_normal_quantile(p), back = omr_normal_cdf(z);
    cr_expect_float_eq(back / p, 1, 4e-15 + 1e-15 * z * z, "p = %.3g: %.3g", p, back / p - 1);
  }
  for (double z = -1.6; z < 8; z += 0.01)
    cr_expect_float_eq(omr_normal_cdf(z) + omr_normal_cdf(-z), 1, 4e-16);
}

/* I_x(1, b) = 1 - (1 - x)^b, I_x(a, 1) = x^a, I_x(2, 3) = 6x^2 - 8x^3 + 3x^4, I_x(1/2, 1/2) = 2/pi
 * asin sqrt x: the quantile gives x back, up to the rounding of the unit over the density. */
Test(distributions, beta_quantiles_that_are_elementary) {
  const omr_beta one_seven = omr_beta_make(1, 7), third_one = omr_beta_make(1.0 / 3, 1),
                 two_three = omr_beta_make(2, 3), halves = omr_beta_make(0.5, 0.5);
  for (double x = 0.003; x < 1; x += 0.0117) {
    const struct {
      const omr_beta *beta;
      double unit, density;
    } known[] = {{&one_seven, -expm1(7 * log1p(-x)), 7 * pow(1 - x, 6)},
                 {&third_one, cbrt(x), 1 / (3 * cbrt(x * x))},
                 {&two_three, x * x * (6 - 8 * x + 3 * x * x), 12 * x * (1 - x) * (1 - x)},
                 {&halves, asin(sqrt(x)) / acos(0), 1 / (2 * acos(0) * sqrt(x * (1 - x)))}};
    for (int k = 0; k < 4; k++)
      cr_expect_float_eq(omr_beta_quantile(known[k].beta, known[k].unit), x,
                         2e-15 + 4e-16 / known[k].density, "%d at %g", k, x);
  }
}

/* I_x(a, b), y = 1 - x: the continued fraction of DLMF 8.17.22 by Lentz's method. */
static long double beta_cdf(long double a, long double b, long double x, long double y) {
  if (x > (a + 1) / (a + b + 2)) return 1 - beta_cdf(b, a, y, x);
  const long double front =
      expl(lgammal(a + b) - lgammal(a) - lgammal(b) + a * logl(x) + b * logl(y)) / a;
  long double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < 100000; m++) {
    const long double terms[] = {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                                 -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))};
    const long double before = value;
    for (int k = 0; k < 2; k++) {
      d = 1 / (1 + terms[k] * d);
      c = 1 + terms[k] / c;
      value *= d * c;
    }
    if (fabsl(value - before) < 1e-19L * fabsl(value)) break;
  }
  return front * value;
}

/* At the limits that the reader allows, the distribution function gives back the unit: I_x changes
 * by x f(x) times the relative error of x, at most 1e-12 times sqrt(a + b), and where x is next to
 * 1 by the rounding of x. */
Test(distributions, beta_quantiles_hold_at_the_limits_of_their_shapes) {
  static const double shapes[] = {0.05, 0.3, 1, 8, 300, 1e4},
                      units[] = {1e-9, 1e-3, 0.2, 0.5, 0.77, 0.9995};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const omr_beta beta = omr_beta_make(shapes[i], shapes[j]);
      for (int k = 0; k < 6; k++) {
        const double x = omr_beta_quantile(&beta, units[k]);
        cr_expect(x >= 0 && x <= 1);
        if (x < 1e-280 || x == 1) continue; /* beyond what a double can tell */
        const double rounding =
            shapes[j] * 0x1p-53 / (1 - x); /* what the rounding of x does to (1 - x)^b */
        const double back = (double)beta_cdf((long double)shapes[i], (long double)shapes[j],
                                             (long double)x, 1 - (long double)x);
        cr_expect_float_eq(back, units[k], 1e-12 * sqrt(shapes[i] + shapes[j]) + 2 * rounding,
                           "beta(%g, %g) at %g: x = %.17g, back %.17g", shapes[i], shapes[j],
                           units[k], x, back);
      }
    }
}

/* The distribution function by the continued fraction above, its inverse, and sums of binomial
 * probabilities: P(B <= k) of n = I_(1-p)(n - k, k + 1). */
Test(distributions, the_beta_distribution_function_has_known_values) {
  static const double shapes[] = {0.5, 1, 3.5, 40, 900};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) {
      const omr_beta beta = omr_beta_make(shapes[i], shapes[j]);
      for (double u = 0.001; u < 1; u += 0.0427) {
        const double x = omr_beta_quantile(&beta, u);
        cr_expect_float_eq(omr_beta_cdf(&beta, x),
                           (double)beta_cdf((long double)shapes[i], (long double)shapes[j],
                                            (long double)x, 1 - (long double)x),
                           1e-12, "beta(%g, %g) at %g", shapes[i], shapes[j], x);
        if (x < 0.999) cr_expect_float_eq(omr_beta_cdf(&beta, x), u, 2e-11);
      }
      cr_expect_eq(omr_beta_cdf(&beta, 0), 0);
      cr_expect_eq(omr_beta_cdf(&beta, -1), 0);
      cr_expect_eq(omr_beta_cdf(&beta, 1), 1);
      cr_expect_eq(omr_beta_cdf(&beta, 2), 1);
    }
  for (int n = 1; n <= 30; n += 7)
    for (double p = 0.05; p < 1; p += 0.15) {
      double sum = 0, term = pow(1 - p, n);
      for (int k = 0; k < n; k++) {
        sum += term;
        term *= (n - k) / (k + 1.0) * p / (1 - p);
        const omr_beta beta = omr_beta_make(n - k, k + 1);
        cr_expect_float_eq(omr_beta_cdf(&beta, 1 - p), sum, 1e-12, "%d of %d at %g", k, n, p);
      }
    }
}

static omr_variation *only_variation(omr_study **study, const char *draw) {
  char sections[512];
  snprintf(
      sections, sizeof sections,
      "'vary': [{'path': 'wheel.rollers', %s}], 'design': {'type': 'monte_carlo', 'instances': 9}",
      draw);
  *study = study_with(sections);
  return &(*study)->variations[0];
}

/* The cumulative probabilities of weights 1 : 2 : 5 are 1/8 and 3/8. */
Test(distributions, discrete_values_have_their_share_of_the_unit_interval) {
  omr_study *study;
  const omr_variation *v = only_variation(&study, "'discrete': [[6, 1], [9, 2], [12, '500 %']]");
  cr_expect_eq(omr_quantile(v, 0x1p-53), 6);
  cr_expect_eq(omr_quantile(v, 0.125 - 1e-12), 6);
  cr_expect_eq(omr_quantile(v, 0.125), 9);
  cr_expect_eq(omr_quantile(v, 0.375 - 1e-12), 9);
  cr_expect_eq(omr_quantile(v, 0.375), 12);
  cr_expect_eq(omr_quantile(v, 1 - 0x1p-53), 12);
  omr_study_destroy(study);
}

Test(distributions, whole_numbers_share_the_unit_interval_evenly) {
  omr_study *study;
  const omr_variation *v = only_variation(&study, "'integer': [5, 8]");
  for (int k = 0; k < 400; k++) cr_expect_eq(omr_quantile(v, (k + 0.5) / 400), 5 + k / 100);
  cr_expect_eq(omr_quantile(v, 1 - 0x1p-53), 8);
  omr_study_destroy(study);
}

/* Quantiles written down: whoever changes them changes the values of studies already run. */
Test(distributions, values_keep_their_bits) {
  static const struct {
    const char *draw;
    double value;
  } known[] = {
      {"'log_uniform': [0.001, 20]", 0x1.6e251b769a6ddp-6},
      {"'log_normal': [0.3, 0.4]", 0x1.f9f9ff9b742cp-3},
      {"'truncated_normal': [1, 2, -1, 4]", 0x1.00e26afe25fdap-1},
      {"'triangular': [1, 2, 5]", 0x1.10ab42f952fd8p+1},
      {"'beta': [2, 3, 0, 1]", 0x1.1effff8dc2feep-2},
      {"'beta': [0.2, 40, 0, 1]", 0x1.a49b51ea784d4p-15},
      {"'weibull': [2, 1.5]", 0x1.0aee9e0304d3ap+0},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char sections[256];
    snprintf(
        sections, sizeof sections,
        "'vary': [{'path': 'initial.x', %s}], 'design': {'type': 'monte_carlo', 'instances': 9}",
        known[i].draw);
    omr_study *study = study_with(sections);
    cr_expect_eq(omr_quantile(&study->variations[0], 0.3137), known[i].value, "%s: %a",
                 known[i].draw, omr_quantile(&study->variations[0], 0.3137));
    omr_study_destroy(study);
  }
}
