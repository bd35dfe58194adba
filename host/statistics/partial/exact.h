/* Sums of doubles, and of products of two doubles, without rounding: an integer of 4352 bits in
 * units of 2^-2148, the smallest product of two doubles. Sums of sums are exact too, so that
 * neither the order nor the tree of merging changes a bit (Kulisch's long accumulator, with spare
 * bits in each digit as Neal, "Fast exact summation using small and large superaccumulators",
 * 2015).
 *
 * Objects belong to one thread at a time. */
#ifndef OMR_STATISTICS_EXACT_H
#define OMR_STATISTICS_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits of 32 bits, the lowest first. Each may hold more until it is settled. */
enum { OMR_EXACT_DIGITS = 136 };

typedef struct omr_exact {
  int64_t
      digit[OMR_EXACT_DIGITS]; /* settled: 0 ... 2^32 - 1, but for the last, which has the sign */
  uint32_t added;              /* since it was settled */
} omr_exact;

/* Values are finite. */
void omr_exact_add(omr_exact *sum, double value);
/* Adds a * b * times; |times| below 2^16. */
void omr_exact_add_product(omr_exact *sum, double a, double b, int times);
void omr_exact_join(omr_exact *sum, const omr_exact *other);
void omr_exact_subtract(omr_exact *sum, const omr_exact *other);
/* Multiplies by a count. */
void omr_exact_scale(omr_exact *sum, uint64_t count);

/* The nearest double, ties to even. */
double omr_exact_value(const omr_exact *sum);
/* The same of the sum divided by a count, which is not 0: finite where the sum may not be. */
double omr_exact_mean(const omr_exact *sum, uint64_t count);
/* The sum as doubles that add up to it exactly, the largest first; how many there are. */
enum { OMR_EXACT_TERMS = 90 };
size_t omr_exact_terms(const omr_exact *sum, double terms[OMR_EXACT_TERMS]);

/* (n sum_xy - sum_x sum_y) / n, rounded once: n times the covariance of n pairs. */
double omr_exact_scatter(uint64_t n, const omr_exact *x, const omr_exact *y, const omr_exact *xy);

/* Carries, so that equal sums have equal digits. */
void omr_exact_settle(omr_exact *sum);

#endif
