#include "summary.h"

#include "../../kernels/scalar_math.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Below it a logarithm is of nothing. */
static const double least_power = 1e-300;

/* The first instant of poses that begin at 0 says nothing. */
static size_t first_instant(const omr_measured *measured) {
  return measured->world ? 0 : 1;
}

size_t omr_summary_count(const omr_measured *measured, size_t s) {
  switch (measured->sample[s].compared) {
  case OMR_COMPARE_END: return 1;
  case OMR_COMPARE_SPECTRUM: return measured->sample[s].bands;
  case OMR_COMPARE_TRACE: break;
  }
  return measured->instants - first_instant(measured);
}

bool omr_summary_starts_alone(const omr_measured *measured, size_t s) {
  return measured->world || measured->sample[s].compared != OMR_COMPARE_TRACE;
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

void omr_summary_of(const omr_measured *measured, size_t s, const double *values, double *work,
                    double *to) {
  const omr_measured_sample *sample = &measured->sample[s];
  const size_t n = measured->instants;
  switch (sample->compared) {
  case OMR_COMPARE_END: *to = values[n - 1]; return;
  case OMR_COMPARE_SPECTRUM:
    omr_summary_spectrum(values, n, measured->interval, sample->bands, work, to);
    return;
  case OMR_COMPARE_TRACE: break;
  }
  memcpy(to, values + first_instant(measured), omr_summary_count(measured, s) * sizeof *to);
}
