/* Sobol' and Halton sequences, their scrambling, permutations and Latin hypercubes: against scipy,
 * and by what defines them. */
#include "../../host/study/designs/draws.h"
#include "../../host/study/designs/sequences.h"
#include "sampling_data.h"

#include <math.h>

enum { BITS = OMR_SEQUENCE_BITS };

static uint32_t *directions_of(size_t dimensions) {
  uint32_t *directions = calloc(dimensions * BITS, sizeof *directions);
  omr_sobol_directions(dimensions, directions);
  return directions;
}

/* scipy 1.10.1 by tests/data/sampling.py, with 30 bits: the same fractions of powers of two. */
Test(sequences, sobol_points_are_those_of_scipy) {
  cJSON *root = recorded_sampling();
  const cJSON *dimensions = cJSON_GetObjectItem(root, "sobol_dimensions"), *point;
  uint32_t *directions = directions_of(OMR_SOBOL_DIMENSIONS), k = 0;
  cJSON_ArrayForEach(point, cJSON_GetObjectItem(root, "sobol")) {
    for (int i = 0; i < cJSON_GetArraySize(dimensions); i++) {
      const size_t d = (size_t)cJSON_GetArrayItem(dimensions, i)->valueint;
      cr_expect_eq(omr_sobol_point(directions + d * BITS, k) * 0x1p-32,
                   cJSON_GetArrayItem(point, i)->valuedouble, "point %u, dimension %zu", k, d);
    }
    k++;
  }
  cr_expect_eq(k, 64u);
  free(directions);
  cJSON_Delete(root);
}

/* scipy adds the digits as floating-point numbers; our points lie half a smallest interval (below
 * 2^-33) higher. */
Test(sequences, halton_points_are_those_of_scipy) {
  enum { DIMENSIONS = 12 };
  cJSON *root = recorded_sampling();
  uint32_t primes[DIMENSIONS], k = 0;
  const cJSON *point;
  omr_primes(DIMENSIONS, primes);
  cr_expect_eq(primes[11], 37u);
  cJSON_ArrayForEach(point, cJSON_GetObjectItem(root, "halton")) {
    for (int d = 0; d < DIMENSIONS; d++)
      cr_expect_float_eq(omr_halton_point(primes[d], k), cJSON_GetArrayItem(point, d)->valuedouble,
                         0x1p-33 + 1e-15);
    k++;
  }
  cJSON_Delete(root);
}

/* Every dimension's direction numbers are odd multiples of their own power of two: then 2^m points
 * fall into 2^m equal parts, one into each, for every m. */
Test(sequences, every_sobol_dimension_is_stratified) {
  uint32_t *directions = directions_of(OMR_SOBOL_DIMENSIONS);
  for (size_t d = 0; d < OMR_SOBOL_DIMENSIONS; d++)
    for (uint32_t j = 0; j < BITS; j++)
      cr_assert_eq(__builtin_ctz(directions[d * BITS + j]), 31 - (int)j, "dimension %zu", d);
  free(directions);
}

/* Cell of a coordinate among 2^bits. */
static uint32_t cell(double unit, uint32_t bits) {
  return (uint32_t)ldexp(unit, (int)bits);
}

/* A (t, m, s)-net in base 2: every box of 2^-q_1 x ... x 2^-q_s with q_1 + ... + q_s = m - t has
 * 2^t of the 2^m points. In two dimensions Sobol' points have t = 0; in three of Joe and Kuo's t =
 * 1 (the sum of the polynomials' degrees less one each: 0 + 0 + 1). */
static void expect_net(double (*const points)[3], uint32_t m, uint32_t t, int dimensions,
                       const char *what) {
  uint16_t *count = calloc((size_t)1 << m, sizeof *count);
  for (uint32_t q0 = 0; q0 <= m - t; q0++)
    for (uint32_t q1 = 0; q0 + q1 <= m - t; q1++) {
      const uint32_t q2 = m - t - q0 - q1;
      if (dimensions == 2 && q2 > 0) continue;
      memset(count, 0, sizeof *count << (m - t));
      for (uint32_t k = 0; k < 1u << m; k++)
        count[(cell(points[k][0], q0) << q1 | cell(points[k][1], q1)) << q2 |
              (dimensions == 3 ? cell(points[k][2], q2) : 0)]++;
      for (uint32_t box = 0; box < 1u << (m - t); box++)
        cr_assert_eq(count[box], 1u << t, "%s: box %u of %u x %u x %u has %u points", what, box, q0,
                     q1, q2, count[box]);
    }
  free(count);
}

enum { M = 9 };

Test(sequences, sobol_points_are_nets_scrambled_or_not) {
  static double points[1 << M][3];
  uint32_t *directions = directions_of(3);
  for (uint64_t seed = 0; seed < 4; seed++)
    for (uint32_t start = 0; start < 3; start++) { /* each stretch of 2^m points */
      for (uint32_t k = 0; k < 1u << M; k++)
        for (uint32_t d = 0; d < 3; d++) {
          const uint32_t point = omr_sobol_point(directions + d * BITS, (start << M) + k);
          points[k][d] =
              seed == 0 ? point * 0x1p-32 : omr_draw_unit(omr_owen_scramble(seed, d, point));
        }
      expect_net(points, M, 0, 2, seed ? "scrambled, two dimensions" : "two dimensions");
      expect_net(points, M, 1, 3, seed ? "scrambled, three dimensions" : "three dimensions");
    }
  free(directions);
}

/* What makes it nested: two points that share their first n bits share the first n scrambled ones,
 * and the next one is flipped for both or for neither; points that differ above have coins of their
 * own. */
Test(sequences, owen_scrambling_flips_by_the_bits_above) {
  int own = 0;
  for (uint32_t trial = 0; trial < 2000; trial++) {
    uint64_t bits[2];
    omr_draw_bits(99, trial, 0, bits);
    const uint32_t a = (uint32_t)bits[0], shared = trial % 31, b = a ^ 1u << (31 - shared);
    const uint64_t x = omr_owen_scramble(trial, 2, a) >> 32,
                   y = omr_owen_scramble(trial, 2, b) >> 32;
    if (shared > 0) cr_assert_eq(x >> (32 - shared), y >> (32 - shared));
    cr_assert_neq(x >> (31 - shared), y >> (31 - shared));
    const uint32_t next = 30 - shared;
    own += ((x >> next ^ y >> next) & 1) != ((a >> next ^ b >> next) & 1);
  }
  cr_expect_float_eq(own / 2000.0, 0.5, 4 * sqrt(0.25 / 2000), "%d",
                     own); /* four standard errors */
}

/* The scrambled coordinate of any one point is uniform over the seeds: mean and variance within
 * four standard errors. */
Test(sequences, a_scrambled_point_is_uniform_over_the_seeds) {
  enum { SEEDS = 20000 };
  uint32_t *directions = directions_of(6), primes[6];
  omr_primes(6, primes);
  for (int kind = 0; kind < 2; kind++)
    for (uint32_t k = 0; k < 3; k++) {
      double first = 0, second = 0;
      for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const double u = kind ? omr_halton_scrambled(seed, 5, primes[5], k)
                              : omr_draw_unit(omr_owen_scramble(
                                    seed, 5, omr_sobol_point(directions + 5 * BITS, k)));
        first += u - 0.5;
        second += (u - 0.5) * (u - 0.5);
      }
      cr_expect_float_eq(first / SEEDS, 0, 4 * sqrt(1.0 / 12 / SEEDS));
      cr_expect_float_eq(second / SEEDS, 1.0 / 12, 4.0 / 12 * sqrt(0.8 / SEEDS)); /* kurtosis 1.8 */
    }
  free(directions);
}

/* b^m points of base b, from any multiple of b^m on, fall one into each of b^m parts. */
Test(sequences, halton_points_are_stratified_in_their_base) {
  static const struct {
    uint32_t base, parts;
  } cases[] = {{2, 64}, {3, 81}, {5, 125}, {7, 49}, {101, 101}};
  for (int scrambled = 0; scrambled < 2; scrambled++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
      for (uint32_t stretch = 0; stretch < 5; stretch++) {
        int count[128] = {0};
        const uint32_t base = cases[i].base, parts = cases[i].parts;
        for (uint32_t k = stretch * parts; k < (stretch + 1) * parts; k++) {
          const double u =
              scrambled ? omr_halton_scrambled(3, (uint32_t)i, base, k) : omr_halton_point(base, k);
          cr_assert(u > 0 && u < 1);
          count[(int)(u * parts)]++;
        }
        for (uint32_t part = 0; part < parts; part++)
          cr_assert_eq(count[part], 1, "base %u, part %u", base, part);
      }
}

/* The last numbers that a point can have still give coordinates within the interval, in small and
 * in large bases. */
Test(sequences, the_last_points_lie_inside) {
  uint32_t *directions = directions_of(OMR_SOBOL_DIMENSIONS),
           *primes = calloc(OMR_SOBOL_DIMENSIONS, sizeof *primes);
  omr_primes(OMR_SOBOL_DIMENSIONS, primes);
  cr_expect_eq(primes[OMR_SOBOL_DIMENSIONS - 1], 8933u); /* the 1111th prime */
  for (uint32_t d = 0; d < OMR_SOBOL_DIMENSIONS; d += 111)
    for (uint32_t back = 0; back < 3; back++) {
      const uint32_t k = UINT32_MAX - back;
      const double u =
          omr_draw_unit(omr_owen_scramble(1, d, omr_sobol_point(directions + d * BITS, k)));
      const double h = omr_halton_scrambled(1, d, primes[d], k),
                   plain = omr_halton_point(primes[d], k);
      const double latin = omr_latin_point(1, d, 1ull << 32, k, k);
      cr_expect(u > 0 && u < 1 && h > 0 && h < 1 && plain > 0 && plain < 1 && latin > 0 &&
                latin < 1);
      cr_expect_eq((uint32_t)(latin * 0x1p32), k);
    }
  free(primes);
  free(directions);
}

Test(sequences, permutations_reach_every_place_once) {
  static const uint64_t counts[] = {1, 2, 3, 4, 5, 16, 17, 100, 1000, 65536, 100003};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (uint64_t stream = 0; stream < 3; stream++) {
      uint8_t *seen = calloc(counts[i], 1);
      for (uint32_t x = 0; x < counts[i]; x++) {
        const uint32_t y = omr_permute(7, stream, counts[i], x);
        cr_assert_lt(y, counts[i]);
        cr_assert_eq(seen[y], 0);
        seen[y] = 1;
      }
      free(seen);
    }
}

/* All 24 permutations of 4 and all 120 of 5 are equally likely: chi-square within mean + 4 standard
 * deviations, n - 1 + 4 sqrt(2 (n - 1)). */
Test(sequences, small_permutations_are_equally_likely) {
  enum { KEYS = 60000 };
  for (uint32_t count = 4; count <= 5; count++) {
    const int permutations = count == 4 ? 24 : 120;
    int found[3125] = {0}, kinds = 0;
    for (uint64_t key = 0; key < KEYS; key++) {
      int code = 0;
      for (uint32_t x = 0; x < count; x++)
        code = code * (int)count + (int)omr_permute(key, 0, count, x);
      found[code]++;
    }
    double square = 0;
    const double expected = (double)KEYS / permutations;
    for (int code = 0; code < 3125; code++) {
      kinds += found[code] > 0;
      if (found[code]) square += (found[code] - expected) * (found[code] - expected) / expected;
    }
    cr_expect_eq(kinds, permutations);
    cr_expect_lt(square, permutations - 1 + 4 * sqrt(2.0 * (permutations - 1)), "%u: %g", count,
                 square);
  }
}

/* Where a pair of neighbours goes in a permutation of n, by a shuffle and by the network: n (n - 1)
 * equally likely pairs. */
Test(sequences, pairs_go_anywhere) {
  enum { KEYS = 100000, MOST = 70 };
  static const uint32_t counts[] = {13, 66, 70};
  for (int c = 0; c < 3; c++) {
    static int found[MOST * MOST];
    const uint32_t count = counts[c];
    memset(found, 0, sizeof found);
    for (uint64_t key = 0; key < KEYS; key++)
      found[omr_permute(key, 1, count, 6) * count + omr_permute(key, 1, count, 7)]++;
    double square = 0;
    const double pairs = count * (count - 1.0), expected = KEYS / pairs;
    for (uint32_t a = 0; a < count; a++)
      for (uint32_t b = 0; b < count; b++)
        if (a != b)
          square +=
              (found[a * count + b] - expected) * (found[a * count + b] - expected) / expected;
    cr_expect_lt(square, pairs - 1 + 4 * sqrt(2.0 * (pairs - 1)), "%u: %g", count, square);
  }
}

Test(sequences, a_latin_hypercube_has_one_point_in_every_stratum) {
  enum { COUNT = 371 };
  for (uint32_t d = 0; d < 5; d++) {
    int seen[COUNT] = {0};
    for (uint32_t k = 0; k < COUNT; k++) {
      const double u = omr_latin_point(4, d, COUNT, k, omr_latin_stratum(4, d, COUNT, k));
      seen[(int)(u * COUNT)]++;
    }
    for (int s = 0; s < COUNT; s++) cr_assert_eq(seen[s], 1);
  }
}

/* Correlation of two dimensions' strata: n of them are uncorrelated within 4/sqrt(n - 1). */
Test(sequences, the_dimensions_of_a_latin_hypercube_do_not_correlate) {
  enum { COUNT = 4000 };
  for (uint32_t d = 0; d < 6; d++) {
    double sum = 0;
    for (uint32_t k = 0; k < COUNT; k++)
      sum += ((double)omr_latin_stratum(2, d, COUNT, k) - (COUNT - 1) / 2.0) *
             ((double)omr_latin_stratum(2, d + 1, COUNT, k) - (COUNT - 1) / 2.0);
    cr_expect_lt(fabs(sum / (COUNT * (COUNT * (double)COUNT - 1) / 12)), 4 / sqrt(COUNT - 1));
  }
}

static double closest(const uint32_t *strata, uint32_t dimensions, uint32_t count) {
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < i; j++) {
      double square = 0;
      for (uint32_t d = 0; d < dimensions; d++) {
        const double off = (double)strata[d * count + i] - (double)strata[d * count + j];
        square += off * off;
      }
      least = fmin(least, square);
    }
  return sqrt(least);
}

/* It is a Latin hypercube, and its closest points are at least twice as far apart as in the best of
 * 50 random ones; for 7 points in two dimensions the largest possible distance is known: sqrt 8
 * strata (van Dam, Husslage, den Hertog, Melissen, Oper. Res. 55 (2007), table 1). */
Test(sequences, maximin_points_keep_away_from_each_other) {
  enum { COUNT = 60, DIMENSIONS = 3 };
  uint32_t strata[DIMENSIONS * COUNT], random[DIMENSIONS * COUNT], small[2 * 7];
  cr_assert(omr_latin_maximin(11, DIMENSIONS, COUNT, strata));
  double best = 0;
  for (uint64_t seed = 0; seed < 50; seed++) {
    for (uint32_t i = 0; i < DIMENSIONS * COUNT; i++)
      random[i] = omr_latin_stratum(seed, i / COUNT, COUNT, i % COUNT);
    best = fmax(best, closest(random, DIMENSIONS, COUNT));
  }
  cr_expect_gt(closest(strata, DIMENSIONS, COUNT), 2 * best, "%g, at random %g",
               closest(strata, DIMENSIONS, COUNT), best);
  for (uint32_t d = 0; d < DIMENSIONS; d++) {
    int seen[COUNT] = {0};
    for (uint32_t k = 0; k < COUNT; k++) seen[strata[d * COUNT + k]]++;
    for (uint32_t s = 0; s < COUNT; s++) cr_assert_eq(seen[s], 1);
  }
  cr_assert(omr_latin_maximin(1, 2, 7, small));
  cr_expect_float_eq(closest(small, 2, 7), sqrt(8), 1e-12);
}

/* Centred L2 discrepancy, F. J. Hickernell, Math. Comp. 67 (1998) 299-322, equation (5.1a). */
static double discrepancy(const double *points, int count, int dimensions) {
  double one = 0, two = 0;
  for (int i = 0; i < count; i++) {
    double product = 1;
    for (int d = 0; d < dimensions; d++) {
      const double a = fabs(points[i * dimensions + d] - 0.5);
      product *= 1 + a / 2 - a * a / 2;
    }
    one += product;
    for (int j = 0; j < count; j++) {
      product = 1;
      for (int d = 0; d < dimensions; d++) {
        const double x = points[i * dimensions + d], y = points[j * dimensions + d];
        product *= 1 + fabs(x - 0.5) / 2 + fabs(y - 0.5) / 2 - fabs(x - y) / 2;
      }
      two += product;
    }
  }
  return sqrt(pow(13.0 / 12, dimensions) - 2 * one / count + two / count / count);
}

/* Of 1024 points in five dimensions. The squared discrepancy of random points is ((5/4)^5 -
 * (13/12)^5)/1024 on average, the root 0.0390. scipy 1.10.1 has 0.00490 to 0.00494 for its
 * scrambled Sobol' points, 0.0063 to 0.0066 for its Halton points (four seeds). */
Test(sequences, sequences_fill_the_cube_more_evenly_than_random_points) {
  enum { COUNT = 1024, DIMENSIONS = 5 };
  static double sobol[COUNT * DIMENSIONS], halton[COUNT * DIMENSIONS], random[COUNT * DIMENSIONS];
  uint32_t *directions = directions_of(DIMENSIONS), primes[DIMENSIONS];
  omr_primes(DIMENSIONS, primes);
  for (uint32_t k = 0; k < COUNT; k++)
    for (uint32_t d = 0; d < DIMENSIONS; d++) {
      uint64_t bits[2];
      omr_draw_bits(1, k, d, bits);
      random[k * DIMENSIONS + d] = omr_draw_unit(bits[0]);
      sobol[k * DIMENSIONS + d] =
          omr_draw_unit(omr_owen_scramble(1, d, omr_sobol_point(directions + d * BITS, k)));
      halton[k * DIMENSIONS + d] = omr_halton_scrambled(1, d, primes[d], k);
    }
  const double expected = sqrt((pow(1.25, 5) - pow(13.0 / 12, 5)) / COUNT),
               at_random = discrepancy(random, COUNT, DIMENSIONS);
  cr_expect_float_eq(at_random / expected, 1, 0.3);
  cr_expect_float_eq(discrepancy(sobol, COUNT, DIMENSIONS), 0.00492, 0.0001);
  cr_expect_float_eq(discrepancy(halton, COUNT, DIMENSIONS), 0.0064, 0.0006);
  free(directions);
}

/* The error of a mean falls like 1/n: f = product of (1 + (u - 1/2) / d), whose mean is 1, in eight
 * dimensions; over 16 seeds. */
Test(sequences, scrambled_sobol_means_converge_faster_than_random_ones) {
  enum { DIMENSIONS = 8 };
  uint32_t *directions = directions_of(DIMENSIONS);
  double error[2] = {0};
  for (int size = 0; size < 2; size++) {
    const uint32_t count = size ? 4096 : 256;
    for (uint64_t seed = 0; seed < 16; seed++) {
      double mean = 0;
      for (uint32_t k = 0; k < count; k++) {
        double product = 1;
        for (uint32_t d = 0; d < DIMENSIONS; d++)
          product *= 1 + (omr_draw_unit(omr_owen_scramble(
                              seed, d, omr_sobol_point(directions + d * BITS, k))) -
                          0.5) /
                             (d + 1);
        mean += product / count;
      }
      error[size] += (mean - 1) * (mean - 1) / 16;
    }
  }
  cr_expect_lt(sqrt(error[1]), sqrt(error[0]) / 12, "%g to %g", sqrt(error[0]),
               sqrt(error[1])); /* random: a quarter */
  free(directions);
}

/* Written down: whoever changes them changes the values of studies already run. */
Test(sequences, points_keep_their_bits) {
  cr_expect_eq(omr_owen_scramble(42, 3, 0x12345678u), 0x70308bf98585e00dull, "%#llx",
               (unsigned long long)omr_owen_scramble(42, 3, 0x12345678u));
  cr_expect_eq(omr_halton_scrambled(42, 2, 5, 1234567), 0x1.de692139daaddp-1, "%a",
               omr_halton_scrambled(42, 2, 5, 1234567));
  cr_expect_eq(omr_permute(42, 1, 1000, 123), 163u, "%u", omr_permute(42, 1, 1000, 123));
  cr_expect_eq(omr_latin_point(42, 1, 1000, 123, 7), 0x1.dba528f5c28f6p-8, "%a",
               omr_latin_point(42, 1, 1000, 123, 7));
}
