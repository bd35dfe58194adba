#include "summary.h"

#include "../../kernels/scalar_math.h"
#include "../support/support.h"

#include <math.h>
#include <string.h>

/* Below this power a logarithm means nothing. */
static const double least_power = 1e-300;

/* The first instant of poses that begin at 0 carries no information. */
static size_t first_instant(const omr_measured *measured) {
  return measured->world ? 0 : 1;
}

size_t omr_summary_count(const omr_measured *measured, size_t s) {
  switch (measured->sample[s].compared) {
  case OMR_COMPARE_END: return 1;
  case OMR_COMPARE_SPECTRUM: return measured->sample[s].bands;
  case OMR_COMPARE_ORDERS: return measured->sample[s].numbers;
  case OMR_COMPARE_BINS: return measured->sample[s].numbers - 1;
  case OMR_COMPARE_TRACE:
  case OMR_COMPARED: break;
  }
  return measured->instants - first_instant(measured);
}

bool omr_summary_starts_alone(const omr_measured *measured, size_t s) {
  return measured->world || measured->sample[s].compared != OMR_COMPARE_TRACE;
}

bool omr_summary_is_logarithm(const omr_measured_sample *sample) {
  return sample->compared == OMR_COMPARE_SPECTRUM || sample->compared == OMR_COMPARE_ORDERS;
}

/* ---- spectrum */

/* Power at `turns` turns in [count] values: by the recurrence of Goertzel (1958). */
static double power_at(const double *values, size_t count, size_t turns) {
  double sine, cosine, before = 0, last = 0;
  omr_math_sincos(2 * PI * (double)turns / (double)count, &sine, &cosine);
  for (size_t i = 0; i < count; i++) {
    const double here = values[i] + 2 * cosine * last - before;
    before = last;
    last = here;
  }
  return last * last + before * before - 2 * cosine * last * before;
}

/* Rises of values [count + 1], less their mean, under the window. */
static void take_rises(const double *values, size_t count, double *rises) {
  const double mean = (values[count] - values[0]) / (double)count;
  for (size_t i = 0; i < count; i++) {
    double sine, cosine;
    omr_math_sincos(2 * PI * ((double)i + 0.5) / (double)count, &sine, &cosine);
    rises[i] = 0.5 * (1 - cosine) * (values[i + 1] - values[i] - mean);
  }
}

void omr_summary_spectrum(const double *values, size_t instants, double interval, size_t bands,
                          double *work, double *to) {
  const size_t count = instants - 1;
  const double scale = 2 / (interval * 0.375 * (double)count); /* 3/8: the window's mean square */
  size_t end = count / 2;
  take_rises(values, count, work);
  for (size_t band = bands; band-- > 0;) {
    const size_t from = count >> (bands - band + 1);
    double sum = 0;
    for (size_t turns = from + 1; turns <= end; turns++) sum += power_at(work, count, turns);
    to[band] = omr_math_log(fmax(scale * sum / (double)(end - from), least_power));
    end = from;
  }
}

/* ---- orders */

/* The way of a phase, there and back, and the slope of the values with the phase over that way. */
static double slope_over(const double *values, const double *phase, size_t count, double *way) {
  double rise = 0;
  *way = 0;
  for (size_t i = 1; i < count; i++) {
    const double step = phase[i] - phase[i - 1];
    *way += fabs(step);
    rise += copysign(1, step) * (values[i] - values[i - 1]);
  }
  return *way > 0 ? rise / *way : 0;
}

double omr_summary_order(const double *values, const double *phase, size_t count, double turn,
                         double order) {
  const double wave = 2 * PI * order / turn;
  double way, gone = 0, real = 0, imaginary = 0, s, c;
  const double slope = slope_over(values, phase, count, &way);

  /* Weigh the rises over each step by the window along the way. */
  for (size_t i = 1; way > 0 && i < count; i++) {
    const double step = phase[i] - phase[i - 1];
    omr_math_sincos(2 * PI * (gone + 0.5 * fabs(step)) / way, &s, &c);
    const double rise =
        0.5 * (1 - c) * copysign(1, step) * (values[i] - values[i - 1] - slope * step);
    gone += fabs(step);
    omr_math_sincos(wave * (0.5 * (phase[i] + phase[i - 1]) - phase[0]), &s, &c);
    real += rise * c;
    imaginary += rise * s;
  }

  /* |sum| of a cos(wave phase) is a wave way/4: the window's mean is a half, and so is the mean of
   * sin^2 */
  const double amplitude =
      way > 0 ? 4 / (wave * way) * sqrt(real * real + imaginary * imaginary) : 0;
  return omr_math_log(fmax(0.5 * amplitude * amplitude, least_power));
}

/* ---- bins */

/* A bin that was not visited takes the mean of the nearest visited one; mean: where none was. */
static void fill_bins(double *to, size_t bins, const bool *visited, double mean) {
  for (size_t k = 0; k < bins; k++) {
    if (visited[k]) continue;
    to[k] = mean;
    for (size_t away = bins; away-- > 1;) {
      if (k + away < bins && visited[k + away]) to[k] = to[k + away];
      if (k >= away && visited[k - away]) to[k] = to[k - away];
    }
  }
}

void omr_summary_bins(const double *values, const double *by, size_t count, const double *edges,
                      size_t bins, double *to) {
  bool visited[OMR_MOST_NUMBERS] = {false};
  double all = 0;
  for (size_t i = 0; i < count; i++) all += values[i];
  for (size_t k = 0; k < bins; k++) {
    double sum = 0, found = 0;
    for (size_t i = 0; i < count; i++) {
      if (!(by[i] >= edges[k] && by[i] < edges[k + 1])) continue;
      sum += values[i];
      found += 1;
    }
    visited[k] = found > 0;
    if (visited[k]) to[k] = sum / found;
  }
  fill_bins(to, bins, visited, all / (double)count);
}

void omr_summary_of(const omr_measured *measured, size_t s, const double *all, double *work,
                    double *to) {
  const omr_measured_sample *sample = &measured->sample[s];
  const size_t n = measured->instants;
  const double *values = all + s * n, *by = all + sample->against * n;

  /* Each kind of summary has its own function. */
  switch (sample->compared) {
  case OMR_COMPARE_END: *to = values[n - 1]; return;
  case OMR_COMPARE_SPECTRUM:
    omr_summary_spectrum(values, n, measured->interval, sample->bands, work, to);
    return;
  case OMR_COMPARE_ORDERS:
    for (size_t k = 0; k < sample->numbers; k++)
      to[k] = omr_summary_order(values, by, n,
                                omr_measured_turn(measured->sample[sample->against].index),
                                sample->number[k]);
    return;
  case OMR_COMPARE_BINS:
    omr_summary_bins(values, by, n, sample->number, sample->numbers - 1, to);
    return;
  case OMR_COMPARE_TRACE:
  case OMR_COMPARED: break;
  }

  /* A trace begins at the first instant that carries information. */
  memcpy(to, values + first_instant(measured), omr_summary_count(measured, s) * sizeof *to);
}
