/* Functions whose Sobol' indices are known exactly, and how many intervals of 95 % hold them. */
#ifndef OMR_TESTS_SOBOL_COVERAGE_H
#define OMR_TESTS_SOBOL_COVERAGE_H

#include "table.h"

#define PI 3.14159265358979323846

/* Ishigami: sin x + 7 sin^2 z + 0.1 yaw^4 sin x, all uniform from -pi to pi. */
static inline double ishigami(const double *x) {
  return sin(x[0]) + 7 * pow(sin(x[1]), 2) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

/* The product of (|4 x - 2| + a)/(1 + a), all uniform from 0 to 1 (Saltelli and Sobol' 1995). */
static const double g_of[] = {0, 1, 4.5, 9, 99, 99};
static inline double g_function(const double *x) {
  double product = 1;
  for (int i = 0; i < 6; i++) product *= (fabs(4 * x[i] - 2) + g_of[i]) / (1 + g_of[i]);
  return product;
}

typedef struct exact {
  double first[6], total[6], mean, variance;
} exact;

/* Partial variances of the Ishigami function: (1 + b pi^4/5)^2/2, a^2/8, and b^2 pi^8 (1/18 - 1/50)
 * of the first and third together. */
static inline exact of_ishigami(void) {
  const double alone = 0.5 * pow(1 + 0.1 * pow(PI, 4) / 5, 2), second = 49 / 8.0;
  const double together = 0.01 * pow(PI, 8) * (1 / 18.0 - 1 / 50.0), v = alone + second + together;
  return (exact){
      {alone / v, second / v, 0}, {(alone + together) / v, second / v, together / v}, 3.5, v};
}

/* v_i = 1/(3 (1 + a_i)^2); V + 1 is the product of 1 + v_i; the total is that of the others times
 * v_i. */
static inline exact of_g(void) {
  exact e = {.mean = 1};
  double product = 1;
  for (int i = 0; i < 6; i++) product *= 1 + 1 / (3 * pow(1 + g_of[i], 2));
  for (int i = 0; i < 6; i++) {
    const double v = 1 / (3 * pow(1 + g_of[i], 2));
    e.first[i] = v / (product - 1);
    e.total[i] = v * product / (1 + v) / (product - 1);
  }
  e.variance = product - 1;
  return e;
}

#define ANGLE(path) "{'path': '" path "', 'uniform': [-3.141592653589793, 3.141592653589793]}"
#define UNIT(path) "{'path': '" path "', 'uniform': [0, 1]}"
#define THREE "'vary': [" ANGLE("initial.x") "," ANGLE("initial.z") "," ANGLE("initial.yaw") "]"
#define SIX                                                                                        \
  "'vary': [" UNIT("initial.x") "," UNIT("initial.z") "," UNIT("initial.yaw") "," UNIT(            \
      "initial.vx") "," UNIT("initial.vz") "," UNIT("initial.yaw_rate") "]"

/* A function with its exact indices. */
typedef struct known {
  const char *name, *vary;
  test_function *function;
  int parameters;
  exact (*exact)(void);
} known;
static const known functions[] = {{"Ishigami", THREE, ishigami, 3, of_ishigami},
                                  {"g", SIX, g_function, 6, of_g}};

static inline omr_study *saltelli(const char *vary, size_t groups, uint64_t seed) {
  char sections[1024];
  snprintf(sections, sizeof sections,
           "%s, 'design': {'type': 'saltelli', 'groups': %zu, 'seed': '%llu'}", vary, groups,
           (unsigned long long)seed);
  return study_with(sections);
}

/* Coverage: how many intervals of 95 % hold the exact index. */
typedef struct coverage {
  int held[2][6];
  double square[2][6],
      width[2][6]; /* sums: squared error of the estimate, half width of the interval */
} coverage;

static inline void count_held(coverage *c, const omr_sensitivity *s, const exact *e,
                              int parameters) {
  for (int order = 0; order < 2; order++)
    for (int i = 0; i < parameters; i++) {
      const omr_estimate *estimate = &s->estimates[order][i];
      const double index = order ? e->total[i] : e->first[i];
      c->held[order][i] += estimate->low <= index && index <= estimate->high;
      c->square[order][i] += pow(estimate->value - index, 2);
      c->width[order][i] += (estimate->high - estimate->low) / 2;
    }
}

/* Groups of independent points: columns of a Monte Carlo study of twice the parameters are A and B.
 */
static inline void fill_independently(const known *k, table *t, size_t groups, uint64_t seed) {
  omr_study *study = study_with(
      "'vary': [" UNIT("initial.x") "], 'design': {'type': 'monte_carlo', 'instances': 1}");
  const int d = k->parameters;
  for (size_t j = 0; j < groups; j++) {
    double a[6], b[6], c[6];
    for (int i = 0; i < 2 * d; i++) {
      omr_values values;
      double unit;
      study->design.seed = seed * 100 + (uint64_t)i; /* a study for each column */
      omr_study_values(study, j, &values, &unit);
      (i < d ? a : b)[i % d] = k->function == ishigami ? PI * (2 * unit - 1) : unit;
    }
    double *y = t->values[d] + j * (size_t)(d + 2);
    y[0] = k->function(a);
    y[d + 1] = k->function(b);
    for (int i = 0; i < d; i++) {
      memcpy(c, a, sizeof c);
      c[i] = b[i];
      y[i + 1] = k->function(c);
    }
  }
  omr_study_destroy(study);
}

static inline coverage cover(const known *k, size_t groups, int repetitions, bool independent) {
  coverage c = {0};
  const exact e = k->exact();
  omr_study *study = saltelli(k->vary, groups, 0);
  table *independent_table = independent ? table_of(study, &k->function, 1) : NULL;
  for (int r = 0; r < repetitions; r++) {
    study->design.seed = 1000 + (uint64_t)r;
    if (independent) fill_independently(k, independent_table, groups, study->design.seed);
    table *t = independent ? independent_table : table_of(study, &k->function, 1);
    omr_sensitivity *s = sensitivity_of(study, t, 400);
    count_held(&c, s, &e, k->parameters);
    omr_sensitivity_destroy(s);
    if (!independent) table_free(t);
  }
  if (independent) table_free(independent_table);
  omr_study_destroy(study);
  return c;
}

static inline void print_coverage(const known *k, size_t groups, int repetitions, bool independent,
                                  const coverage *c) {
  const exact e = k->exact();
  for (int order = 0; order < 2; order++)
    for (int i = 0; i < k->parameters; i++)
      fprintf(stderr, "%-9s %-12s %6zu  %s%d  %8.5f  held %5.1f %%  error %.2e  half width %.2e\n",
              k->name, independent ? "independent" : "sequence", groups, order ? "T" : "S", i + 1,
              order ? e.total[i] : e.first[i], 100.0 * c->held[order][i] / repetitions,
              sqrt(c->square[order][i] / repetitions), c->width[order][i] / repetitions);
}

/* Binomial: of `repetitions` intervals each holds with the probability `least` at least; four
 * standard deviations, since there are 36 of them and more. */
static inline void expect_held(const known *k, int repetitions, const coverage *c, double least) {
  const double deviation = 4 * sqrt(least * (1 - least) / repetitions);
  for (int order = 0; order < 2; order++)
    for (int i = 0; i < k->parameters; i++) {
      const double share = (double)c->held[order][i] / repetitions;
      cr_expect_geq(share, least - deviation, "%s %s%d: %g of %d", k->name, order ? "T" : "S",
                    i + 1, share, repetitions);
    }
}

/* From a sequence more intervals of 95 % should hold than 95 %. Not always: at 256 groups columns 6
 * and 12 of Sobol's sequence, which T6 of the g-function lives on, are a net of quality t = 3 of 8
 * only (3 and 9: t = 4); its error is larger than that of random points, and 84 % of the intervals
 * hold it. At 1024 groups they are not in the way. */
static inline void expect_covered(const known *k, size_t groups, int repetitions, bool independent,
                                  double least) {
  const coverage c = cover(k, groups, repetitions, independent);
  print_coverage(k, groups, repetitions, independent, &c);
  expect_held(k, repetitions, &c, least);
}

#endif
