/* What of a sample is compared (data.measured[i].compare): its trace, its end, or the spectrum of
 * its rate of change, which is left where traces do not agree instant by instant. */
#ifndef OMR_SUMMARY_H
#define OMR_SUMMARY_H

#include "../study/measured.h"

/* How many numbers sample s of a run has. */
size_t omr_summary_count(const omr_measured *measured, size_t s);

/* to [omr_summary_count] of values [instants] at all instants of the run; work [instants]. */
void omr_summary_of(const omr_measured *measured, size_t s, const double *values, double *work,
                    double *to);

/* Whether the first of the numbers has none before it that noise could remember. */
bool omr_summary_starts_alone(const omr_measured *measured, size_t s);

/* Logarithms of the mean power of the rate of change of values [count] in octaves, the highest of
 * which ends at half of the sampling rate; to [bands], the lowest first. Power is the one-sided
 * spectral density of what is left of the mean, under a window of Hann. work [count]. */
void omr_summary_spectrum(const double *values, size_t count, double interval, size_t bands,
                          double *work, double *to);

#endif
