/* The compared part of a sample (data.measured[i].compare): its trace or its end; or, where traces
 * do not agree instant by instant, the spectrum of its rate of change, its mean square at orders of
 * another sample, or its means in bins of one. */
#ifndef OMR_SUMMARY_H
#define OMR_SUMMARY_H

#include "../study/measured/measured.h"

/* The count of numbers that sample s of a run has. */
size_t omr_summary_count(const omr_measured *measured, size_t s);

/* Whether they are logarithms, pure numbers. */
bool omr_summary_is_logarithm(const omr_measured_sample *sample);

/* to [omr_summary_count] of sample s among values [samples][instants] of a run; work [instants]. */
void omr_summary_of(const omr_measured *measured, size_t s, const double *values, double *work,
                    double *to);

/* Whether the first number has no predecessor that noise could remember. */
bool omr_summary_starts_alone(const omr_measured *measured, size_t s);

/* Logarithms of the mean power of the rate of change of values [count] in octaves, the highest of
 * which ends at half of the sampling rate; to [bands], the lowest first. Power is the one-sided
 * spectral density of the rate less its mean, under a window of Hann. work [count]. */
void omr_summary_spectrum(const double *values, size_t count, double interval, size_t bands,
                          double *work, double *to);

/* Logarithm of the mean square of the wave exp(i 2 pi order phase/turn) in values [count]; the
 * phase [count] may go at any speed, and back. Least squares under a window of Hann in the way of
 * the phase, of the rises of the values less their even rise with it: between two instants a wave
 * is seen by its rise over them, sin(x)/x of it, x = pi order rise/turn. */
double omr_summary_order(const double *values, const double *phase, size_t count, double turn,
                         double order);

/* Means of values [count] while `by` [count] is in a bin; edges [bins + 1], to [bins]. A bin that
 * `by` never enters takes the mean of the nearest bin that has one, the lower of two as near; where
 * no bin has one, each takes the mean of all values. */
void omr_summary_bins(const double *values, const double *by, size_t count, const double *edges,
                      size_t bins, double *to);

#endif
