/* Lists and measures the peaks that rows are held against. */
#include "cases.h"

#include "../engine/backend.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IDLE_SPREAD 1.15 /* half of the rows stay below it on an idle machine */
#define IDLE 0.9         /* of the larger peak: the smaller one has it on an idle machine */

/* The scalar build, and the baseline set of x86-64 with its emulated fma, are held against the peak
 * of the widest set on the same threads, which the cores could reach. */
static const char *peak_isa(const bench_case *c) {
  bool wide = c->backend == OMR_BACKEND_OPENMP;
#if defined(__x86_64__)
  wide = wide && strcmp(c->device, "baseline") != 0;
#endif
  if (wide) return c->device;
  for (size_t i = 0; omr_openmp_isa(i); i++)
    if (omr_openmp_runs(omr_openmp_isa(i))) return omr_openmp_isa(i);
  return c->device;
}

static omr_bench_peak peak_of(const bench_case *c) {
  omr_bench_peak p = {.fma_flops = (double)NAN,
                      .copy_bytes = (double)NAN,
                      .fma_first = (double)NAN,
                      .fma_last = (double)NAN};
  const bool opencl = c->backend == OMR_BACKEND_OPENCL;
  snprintf(p.backend, sizeof p.backend, "%s", opencl ? "opencl" : "openmp");
  snprintf(p.precision, sizeof p.precision, "%s", omr_bench_precisions[c->precision]);
  if (opencl)
    snprintf(p.device, sizeof p.device, "%s", c->device);
  else
    snprintf(p.isa, sizeof p.isa, "%s", peak_isa(c));
  p.threads = opencl ? 0 : c->threads;
  return p;
}

static bool same(const omr_bench_peak *a, const omr_bench_peak *b) {
  return !strcmp(a->backend, b->backend) && !strcmp(a->device, b->device) &&
         !strcmp(a->isa, b->isa) && !strcmp(a->precision, b->precision) && a->threads == b->threads;
}

bool bench_peaks_list(bench_cases *cases, omr_bench *bench) {
  bench->peaks = calloc(cases->count + 1, sizeof *bench->peaks);
  if (!bench->peaks) return false;
  for (size_t i = 0; i < cases->count; i++) {
    const omr_bench_peak p = peak_of(&cases->list[i]);
    size_t at = 0;
    while (at < bench->peak_count && !same(&bench->peaks[at], &p)) at++;
    if (at == bench->peak_count) bench->peaks[bench->peak_count++] = p;
    cases->list[i].peak = at;
  }
  return true;
}

/* The copy is the same for both precisions. */
static double known_copy(const omr_bench *bench, size_t count, const omr_bench_peak *like) {
  for (size_t i = 0; i < count; i++) {
    omr_bench_peak other = bench->peaks[i];
    memcpy(other.precision, like->precision, sizeof other.precision);
    if (!strcmp(like->backend, "opencl")) other.threads = like->threads; /* not known yet */
    if (same(&other, like) && other.copy_bytes > 0) return other.copy_bytes;
  }
  return (double)NAN;
}

static omr_status measure(const omr_bench_peak *p, double seconds, bool copy, omr_peak *found,
                          omr_error *error) {
  const omr_precision precision =
      strcmp(p->precision, "single") ? OMR_DOUBLE : OMR_SINGLE_PRECISION;
  if (!strcmp(p->backend, "opencl"))
    return omr_opencl_peak(p->device, precision, seconds, copy, found, error);
  return omr_openmp_peak(p->isa, precision, p->threads, seconds, copy, found, error);
}

/* `device` holds OpenCL's number until the last measurement, which puts the name there. */
void bench_peaks_measure(omr_bench *bench, double seconds, bool last) {
  for (size_t i = 0; i < bench->peak_count; i++) {
    omr_bench_peak *p = &bench->peaks[i];
    omr_peak found = {0};
    omr_error error = {0};

    /* The copy is measured only once for a device. */
    if (isnan(p->copy_bytes)) p->copy_bytes = known_copy(bench, i, p);
    const bool copy = isnan(p->copy_bytes);
    const omr_status status = measure(p, seconds, copy, &found, &error);

    /* The last measurement knows the name. */
    if (last && found.device[0]) snprintf(p->device, sizeof p->device, "%s", found.device);
    if (status != OMR_OK) {
      snprintf(p->error, sizeof p->error, "%.399s", error.message);
      continue;
    }

    /* The larger of the measurements is the peak. */
    p->lanes = found.lanes;
    p->threads = found.threads;
    *(last ? &p->fma_last : &p->fma_first) = found.fma_flops;
    p->fma_flops = fmax(p->fma_flops, found.fma_flops); /* fmax ignores NaN */
    if (copy) p->copy_bytes = found.copy_bytes;
  }
}

/* The median over the rows; 1 where there is none. */
static double typical_spread(const omr_bench *bench) {
  double *spreads = calloc(bench->row_count + 1, sizeof *spreads), median = 1;
  size_t count = 0;
  for (size_t i = 0; spreads && i < bench->row_count; i++)
    if (bench->rows[i].spread >= 1) spreads[count++] = bench->rows[i].spread;
  if (count) {
    qsort(spreads, count, sizeof *spreads, omr_by_value);
    median = spreads[count / 2];
  }
  free(spreads);
  return median;
}

/* Peaks are the best of many short measurements and hardly notice other work; the rounds of rows do
 * notice it. */
bool omr_bench_was_busy(const omr_bench *bench) {
  for (size_t i = 0; i < bench->peak_count; i++) {
    const omr_bench_peak *p = &bench->peaks[i];
    if (fmin(p->fma_first, p->fma_last) < IDLE * fmax(p->fma_first, p->fma_last)) return true;
  }
  return typical_spread(bench) > IDLE_SPREAD;
}
